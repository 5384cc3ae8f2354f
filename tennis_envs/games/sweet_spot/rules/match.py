"""R1 to R8, R14 to R16, R26 to R29. The course of a match: whose decision is next, and what comes in between."""

import numpy as np

from tennis_envs.core.chance import roll
from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.scoring import GAME, MATCH, NOBODY, award, start_match
from tennis_envs.games.sweet_spot.actions import (
    ACTIONS,
    ADD,
    ALONE,
    AVATAR,
    DISCARD,
    DONE,
    KEEP,
    LEAVE,
    LET_STAND,
    PLAY,
    POWER,
    REACT,
    RECEIVE_FIRST,
    SERVE_FIRST,
    SERVER,
    TAKE_SERVICES,
    TAKE_TACTICS,
    USE,
)
from tennis_envs.games.sweet_spot.actions import SERVE as SERVE_ACTION
from tennis_envs.games.sweet_spot.rules.automa import (
    AUTOMA,
    HUMAN,
    automa_cancels,
    automa_serves,
    automa_turn,
)
from tennis_envs.games.sweet_spot.rules.piles import (
    discard_hand,
    draw_into_hand,
    held,
    let_go,
    show,
    take,
)
from tennis_envs.games.sweet_spot.rules.stroke import (
    add_beside,
    addable,
    answers,
    ball_after,
    call_off,
    can_add_any,
    can_answer,
    cost,
    double,
    fits,
    fitting,
    is_automa,
    is_lost,
    next_to_hit,
    pay,
    place_of,
    play_reaction,
    powers_beside,
    reactions,
    rest,
    serve,
    services_to_play,
    set_ready,
    start_rally,
    start_return,
    strike,
    takes_company,
    team_of,
    turn_over,
    use,
    uses,
)
from tennis_envs.games.sweet_spot.state import (
    AFTER,
    ANSWER,
    AS_REACTION,
    AS_REFRESHMENT,
    AUTOMA_BACKS,
    AUTOMA_TURN,
    AVATARS,
    AVATARS_CHOSEN,
    AVATARS_DEALT,
    BESIDE,
    COUNTER,
    DEAL,
    DECKS,
    DISCARDS,
    FIRST_POWER,
    FREE_DISCARDS,
    FULL,
    JUDGE,
    KEEPING,
    KINDS,
    NONE_KEPT,
    NOTHING,
    OVER,
    PICK,
    RETURN,
    ROUND_END,
    ROUND_REST,
    SEATS,
    SERVE,
    SERVER_CHOICE,
    SERVICE,
    SERVICE_COUNT,
    TACTIC,
    TACTIC_COUNT,
    TOSS,
    TOTALS,
    TRIM,
    TURNED,
)
from tennis_envs.games.sweet_spot.vectors import BITS, write_bits, write_held

_LAST = len(ACTIONS) - BITS  # the first of the last actions that a word holds: all that say how many cards to draw

# The start


@njit
def setup(rules, state, chance):
    """R2 to R5, D16. Full piles, full stamina, a coin for the toss; then whatever needs no decision."""
    state.winner = NOBODY
    for kind in range(KINDS):
        state.pile[kind] = rules.copies[kind]
    for deck in range(DECKS):
        for place in range(TOTALS):
            state.tally[deck, place] = rules.tally[deck, place]
    state.kept = NOTHING
    for seat in range(SEATS):
        state.players[seat].stamina = FULL
        state.players[seat].avatar = NOTHING
        state.players[seat].room = rules.hand
    if rules.solo:  # in views the automa holds as many
        state.players[AUTOMA].backs[RETURN] = AUTOMA_BACKS
        state.players[AUTOMA].backs[TACTIC] = AUTOMA_BACKS
    for i in range(TURNED):
        state.turned[i] = NOTHING
    state.server = NOTHING
    state.opener = NOTHING
    state.play_kind = NOTHING
    state.play_beside = NOTHING
    start_rally(state)
    start_match(rules.format, state.score, AUTOMA if rules.solo else roll(chance, 2))
    if rules.avatars == AVATARS_DEALT:
        for seat in range(np.int64(rules.seats)):
            _deal_avatar(rules, state, chance, seat)
    _next_phase(state, PICK if rules.avatars == AVATARS_CHOSEN else TOSS)
    _go_on(rules, state, chance, GO_ON)


@njit
def _deal_avatar(rules, state, chance, seat):
    """R3. One of the avatars that nobody has."""
    place = roll(chance, AVATARS - seat)
    for avatar in range(AVATARS):
        if _is_free(state, avatar, np.int64(rules.seats)):
            if place == 0:
                state.players[seat].avatar = avatar
                set_ready(rules, state, seat, 1)
                return
            place -= 1


@inlined
def _is_free(state, avatar, seats):
    """Whether nobody has this avatar."""
    for seat in range(seats):
        if state.players[seat].avatar == avatar:
            return False
    return True


# Whose decision is next


# What a step of the match comes to: the team that has won the point by it, or one of these.
GO_ON, ASKED = -1, -2


@njit
def _go_on(rules, state, chance, outcome):
    """Go on until somebody has a choice or the match is over."""
    while outcome != ASKED:
        if outcome >= 0:
            _win_point(rules, state, outcome)
        outcome = _step(rules, state, chance)


@inlined
def _step(rules, state, chance):
    """One step of the match; ASKED when somebody has to decide, or nobody any more."""
    phase = state.phase
    if phase == JUDGE:
        return _judge(rules, state, chance)
    if phase == ANSWER:
        return _ask_answer(rules, state)
    if AFTER <= phase <= TACTIC_COUNT:
        return _between_rallies(rules, state, chance)
    if phase == AUTOMA_TURN:
        return _automa_answers(rules, state, chance)
    if phase == SERVE:
        return _ask_serve(rules, state, chance)
    return ASKED if _ask_between_rounds(rules, state, chance, phase) else GO_ON


@inlined
def _judge(rules, state, chance):
    """R12. The ball that has been hit: lost, or to be answered by the other side."""
    team = team_of(state.hitter)
    if _is_lost(state):
        return 1 - team
    state.stage = 0
    if is_automa(rules, 1 - team):
        state.phase = AUTOMA_TURN
        return _automa_answers(rules, state, chance)
    state.phase = ANSWER
    return _ask_answer(rules, state)


@inlined
def _automa_answers(rules, state, chance):
    """R31 to R37. The automa's turn; the ball that it has hit is judged at once."""
    winner = automa_turn(rules, state, chance)
    if winner != NOTHING or state.phase != JUDGE or state.hitter != AUTOMA:
        return winner
    if _is_lost(state):
        return HUMAN
    state.stage = 0
    state.phase = ANSWER
    return _ask_answer(rules, state)


@inlined
def _next_phase(state, phase):
    """A step that all take in turn begins with the first."""
    state.phase = phase
    state.turn = 0


@inlined
def _seat_at(rules, state):
    """D9. Whose turn it is in such a step: the server first, then around the table; NOTHING when all have had it."""
    seats = rules.seats
    if state.turn >= seats:
        return NOTHING
    seat = state.server + state.turn
    return seat - seats if seat >= seats else seat


@njit
def _ask_serve(rules, state, chance):
    """R8, R15, R30, D14. The server serves, unless he has nothing to serve with."""
    state.fault = 0
    if rules.solo:
        for i in range(TURNED):
            state.turned[i] = NOTHING
    team = state.score.server
    if is_automa(rules, team):
        state.players[AUTOMA].stamina = FULL  # R36
        if not automa_serves(rules, state, chance):
            return HUMAN
        state.phase = JUDGE
        return GO_ON
    if rules.solo:
        state.players[AUTOMA].stamina = FULL  # R36
    kinds = services_to_play(rules, state)
    if kinds == 0:
        return 1 - team
    if kinds & (kinds - 1) == 0:  # one kind only
        only = 0
        while kinds >> only != 1:
            only += 1
        _serve(rules, state, only)
        return GO_ON
    state.seat = state.server
    return ASKED


@njit
def _serve(rules, state, kind):
    """R8."""
    seat = state.server
    pay(state, seat, cost(rules, state, seat, kind))
    let_go(rules, state, seat, kind)
    show(state, kind)
    serve(rules, state, seat, kind)
    state.phase = JUDGE


@inlined
def _is_lost(state):
    """R12, D25, D26. Whether the last hitter has lost the point: a ball that is OUT or DOWN; any other has to be answered.

    Without a card that has hit the ball it is the human's own ball, in play, on which the automa has played Shank.
    """
    called_off = (state.hit_kind == NOTHING) & (state.wins == 0)
    return called_off | is_lost(state.ball)


@inlined
def _asked(rules, state, team):
    """R28, D35. Whom of a team of two the present stage asks for a return, NOTHING if nobody."""
    if state.stage == 1:
        return next_to_hit(rules, state, team)
    if state.last[team] != NOTHING:
        return state.last[team]
    return (next_to_hit(rules, state, team) + 2) % 4 if state.stage == 2 else NOTHING


@njit
def _ask_team(rules, state, hitters):
    """R10, D13, D35. The players of a side who could answer the ball, one after the other."""
    while state.stage <= 2:
        seat = _asked(rules, state, 1 - hitters)
        if seat != NOTHING and can_answer(rules, state, seat):
            state.seat = seat
            return ASKED
        state.stage += 1
    return hitters


@inlined
def _ask_answer(rules, state):
    """R10, D13. Whoever could answer the ball. A player who has no partner is asked once, as the second stage."""
    hitters = np.int64(team_of(state.hitter))
    if rules.seats == 4:
        return _ask_team(rules, state, hitters)
    if state.stage <= 1:
        state.stage = 1
        if can_answer(rules, state, 1 - hitters):
            state.seat = 1 - hitters
            return ASKED
    state.stage = 3
    return hitters


# After a rally


@njit
def _win_point(rules, state, team):
    """R1, R12, R14, R15, R16. A rally is over: the point, and what follows it. Without a serve it was a Double Fault."""
    fault = state.phase == SERVE
    state.lead += 1 if team == 0 else -1
    turn_over(state)
    for kind in range(KINDS):
        state.table[kind] = 0  # D11: the cards of the rally are used
    start_rally(state)
    for seat in range(SEATS):
        state.players[seat].free = 0
        state.players[seat].discards = FREE_DISCARDS
    events = award(rules.format, state.score, team)
    if events & MATCH:
        state.over = 1
        state.winner = team
        state.phase = OVER
    elif events & GAME:
        _next_phase(state, ROUND_END)
    else:
        state.fault = fault
        _next_phase(state, DISCARDS if fault else AFTER)


@njit
def _between_rallies(rules, state, chance):
    """R14, R15, D8, D9. The next of the steps after a rally that leaves somebody a choice; when all are done, new cards."""
    if _ask_between_rallies(rules, state):
        return ASKED
    _refill(rules, state, chance)
    state.phase = SERVE
    return GO_ON


@inlined
def _ask_between_rallies(rules, state):
    """Whether one of the steps after a rally still leaves somebody a choice."""
    turn, seats = np.int64(state.turn), np.int64(rules.seats)
    if state.phase == AFTER:
        while turn < seats:
            seat = _give_turn(rules, state, turn)
            if uses(rules, state, seat):
                return True
            turn += 1
        state.phase = DISCARDS
        turn = 0
    if state.phase == DISCARDS:
        while turn < seats:
            seat = _give_turn(rules, state, turn)
            if seat != NOTHING and _may_discard(rules, state, seat):
                return True
            turn += 1
        if not state.fault:
            _rest_after_rally(rules, state)
        state.phase = SERVICE_COUNT
        turn = 0
    while turn < seats:
        seat = _give_turn(rules, state, turn)
        if seat != NOTHING and _ask_refill(rules, state, seat):
            return True
        state.phase = SERVICE_COUNT
        turn += 1
    state.turn = turn
    return False


@inlined
def _may_discard(rules, state, seat):
    """R14.2."""
    return state.players[seat].discards > 0 and held(rules, state, seat) > 0


@inlined
def _give_turn(rules, state, turn):
    """D9, R15. The seat whose turn it is in a step after a rally; NOTHING if he has none after a Double Fault."""
    state.turn = turn
    seats = rules.seats
    seat = state.server + turn
    seat -= seats if seat >= seats else 0
    if state.fault and seat != state.server:
        return NOTHING
    state.seat = seat
    return seat


@inlined
def _rest_after_rally(rules, state):
    """R14.3, R14.4."""
    for seat in range(np.int64(rules.seats)):
        rest(state, seat, max(1, held(rules, state, seat) // 2))


@inlined
def _room(rules, state, seat):
    """R14.5. How many cards a player is to draw."""
    return max(0, np.int64(state.players[seat].room))


@inlined
def _most_services(rules, state, room):
    """D10. Service cards can all be in hands; of Returns and Tactics there are always as many as a hand needs."""
    left = np.int64(rules.deck_size[SERVICE])
    for seat in range(SEATS):  # nobody on an empty chair holds any, and the automa neither
        left -= state.players[seat].backs[SERVICE]
    return min(room, left)


@inlined
def _ask_refill(rules, state, seat):
    """R14.5, D9. How many Service cards, then how many Tactics, where that is open; nobody draws before all have said it."""
    room = _room(rules, state, seat)
    if state.phase == SERVICE_COUNT:
        if _most_services(rules, state, room) > 0:
            return True
        state.phase = TACTIC_COUNT
    return room > state.players[seat].services


@inlined
def _ask_next_for_refill(state):
    """The next player says what he will draw."""
    state.turn += 1
    state.phase = SERVICE_COUNT


@inlined
def _refill(rules, state, chance):
    """R14.5, R15, D10. All draw what they have asked for, then Returns; also in the place of Service cards that are not there."""
    for seat in range(np.int64(rules.seats)):
        if state.fault == 0 or seat == state.server:
            player = state.players[seat]
            if player.services:
                draw_into_hand(rules, state, chance, seat, SERVICE, player.services)
            if player.tactics:
                draw_into_hand(rules, state, chance, seat, TACTIC, player.tactics)
            if player.room > 0:
                draw_into_hand(rules, state, chance, seat, RETURN, player.room)
            player.services = 0
            player.tactics = 0


# Between rounds


@inlined
def _ask_between_rounds(rules, state, chance, phase):
    """R3, R5, R6, R16, R27, D16, D32. The next step before a round that leaves somebody a choice."""
    if phase == BESIDE or phase == COUNTER or phase == OVER:
        return True
    if phase == ROUND_END:
        for seat in range(np.int64(rules.seats)):
            rest(state, seat, ROUND_REST)
        _next_phase(state, SERVER_CHOICE)
        return False
    if phase == SERVER_CHOICE:
        return _ask_server(rules, state)
    if phase == TOSS:
        if rules.toss and not rules.solo:
            state.seat = state.score.server
            return True
        _next_phase(state, SERVER_CHOICE)
        return False
    if phase == PICK:
        if state.turn == rules.seats:
            _next_phase(state, TOSS)
            return False
        state.seat = 0 if rules.solo else (1 - state.score.server + state.turn) % rules.seats
        return True
    seat = _seat_at(rules, state)
    if phase == DEAL:
        if seat == NOTHING:
            _next_phase(state, TRIM)
            return False
        for deck in range(3):
            cards = rules.server_hand[deck] if seat == state.server else rules.other_hand[deck]
            draw_into_hand(rules, state, chance, seat, deck, cards)
        state.turn += 1
        return False
    if seat == NOTHING:
        _next_phase(state, SERVE if phase == TRIM else DEAL)
        return False
    state.seat = seat
    if phase == KEEPING:
        if held(rules, state, seat) > 0:
            return True
        _finish_keeping(rules, state, seat, NOTHING)
        return False
    if state.players[seat].room < 0:  # R16.4
        return True
    state.turn += 1
    return False


@inlined
def _ask_server(rules, state):
    """R5, R27, R29, D32. Who serves the round."""
    team = state.score.server
    if rules.seats < 4:
        _name_server(rules, state, team)
        return False
    if _rounds_played(state) == 2:
        _name_server(rules, state, (state.opener + 2) % 4)
        return False
    state.seat = team
    return True


@inlined
def _rounds_played(state):
    return state.score.games[0] + state.score.games[1]


@inlined
def _name_server(rules, state, seat):
    """R5."""
    state.server = seat
    for other in range(np.int64(rules.seats)):
        for place in range(SEATS):
            state.players[other].serves[place] = place == place_of(rules, other, seat)
    first = _rounds_played(state) == 0
    if first:
        state.opener = seat
    _next_phase(state, DEAL if first else KEEPING)


@njit
def _finish_keeping(rules, state, seat, second):
    """R16.2. What is not kept is discarded; who keeps none regains two more stamina."""
    first = state.kept
    discard_hand(rules, state, seat)
    if first == NOTHING:
        rest(state, seat, NONE_KEPT)
    else:
        take(rules, state, seat, first)
    if second != NOTHING:
        take(rules, state, seat, second)
    state.kept = NOTHING
    state.turn += 1


# Decisions


@inlined
def legal(rules, state, mask):
    """All that the seat to move may choose, phase by phase."""
    for action in range(len(mask)):
        mask[action] = 0
    phase, seat = state.phase, state.seat
    if phase == ANSWER:
        write_bits(answers(rules, state, seat), mask, SERVE_ACTION)  # R9, R10, R11, R13
        mask[LEAVE] = 1
    elif phase == BESIDE:
        _legal_beside(rules, state, seat, mask)
    elif phase == DISCARDS or phase == TRIM:
        write_held(state.players[seat].hand, mask, DISCARD)
        mask[DONE] = phase == DISCARDS and not (state.fault == 1 and state.players[seat].room <= 0)
    elif phase == SERVICE_COUNT:
        most = _most_services(rules, state, _room(rules, state, seat))
        write_bits(((2 << most) - 1) << (TAKE_SERVICES - _LAST), mask, _LAST)
    elif phase == TACTIC_COUNT:
        most = _room(rules, state, seat) - state.players[seat].services
        write_bits(((2 << most) - 1) << (TAKE_TACTICS - _LAST), mask, _LAST)
    elif phase == KEEPING:
        write_held(state.players[seat].hand, mask, KEEP)
        mask[DONE] = 1
    elif phase == SERVE:
        moves = services_to_play(rules, state)  # R8
        write_bits(moves, mask, SERVE_ACTION)
        mask[LEAVE] = moves == 0  # after a redeal: nobody is asked to serve who cannot
    elif phase == COUNTER:
        write_bits(reactions(rules, state, seat), mask, SERVE_ACTION)
        mask[LET_STAND] = 1
    elif phase == AFTER:
        write_bits(uses(rules, state, seat), mask, SERVE_ACTION)
        mask[DONE] = 1
    elif phase == TOSS:
        mask[SERVE_FIRST] = 1
        mask[RECEIVE_FIRST] = 1
    elif phase == PICK:
        for avatar in range(AVATARS):
            mask[AVATAR + avatar] = _is_free(state, avatar, np.int64(rules.seats))
    elif phase == SERVER_CHOICE:
        mask[SERVER] = 1
        mask[SERVER + 1] = 1


@inlined
def _legal_beside(rules, state, seat, mask):
    """R9, R23, R25. A card or an ability beside the Return that has been put down, or none."""
    kind = state.play_kind
    ball = ball_after(rules, state, kind, state.play_modifier)
    moves = fitting(rules, state, addable(rules, state, seat, state.players[seat].stamina), kind, ball)
    if state.players[seat].ready:
        moves |= powers_beside(rules, state, seat, kind, ball) << FIRST_POWER
    write_bits(moves, mask, SERVE_ACTION)
    mask[ALONE] = moves == 0 or fits(rules, kind, ball)


@inlined
def apply(rules, state, chance, action):
    """A decision, and all that follows up to the next one. The decisions after a rally are often followed by the next at once."""
    phase, seat = state.phase, np.int64(state.seat)
    if DISCARDS <= phase <= TACTIC_COUNT:
        if _decide_after_rally(rules, state, phase, seat, action):
            return
        outcome = _between_rallies(rules, state, chance)
    else:
        outcome = _decide(rules, state, chance, action)
    if outcome != ASKED:
        _go_on(rules, state, chance, outcome)


@inlined
def _decide_after_rally(rules, state, phase, seat, action):
    """R14.2, R14.5. A card to discard, or how many to draw of a deck; whether the same player has to decide what is next."""
    player = state.players[seat]
    if phase == SERVICE_COUNT:
        player.services = action - TAKE_SERVICES
        if player.room > player.services:
            state.phase = TACTIC_COUNT
            return True
        _ask_next_for_refill(state)
    elif phase == TACTIC_COUNT:
        player.tactics = action - TAKE_TACTICS
        _ask_next_for_refill(state)
    else:
        if action != DONE:
            _discard(rules, state, seat, action - DISCARD)
            player.discards -= 1
            if _may_discard(rules, state, seat):
                return True
        state.turn += 1
    return False


@inlined
def _discard(rules, state, seat, kind):
    """A card of a hand is used."""
    let_go(rules, state, seat, kind)
    state.open[kind] += 1


@inlined
def _decide(rules, state, chance, action):
    """A decision in a rally, or a rarer one, and the next step."""
    phase, seat = state.phase, np.int64(state.seat)
    if phase == ANSWER and PLAY <= action < ADD:
        if _play(rules, state, seat, rules.play_kind[action - PLAY], rules.play_modifier[action - PLAY]):
            state.phase = BESIDE
            return ASKED
    elif phase == BESIDE:
        if action != ALONE:
            _put_beside(rules, state, seat, action)
    elif phase == SERVE and action != LEAVE:
        _serve(rules, state, action - SERVE_ACTION)
        return _judge(rules, state, chance)
    elif not _decide_rarer(rules, state, chance, action):
        return GO_ON
    state.phase = JUDGE
    winner = strike(rules, state, seat)
    return _judge(rules, state, chance) if winner == NOTHING else winner


@inlined
def _play(rules, state, seat, kind, modifier):
    """R9. A Return is put down; whether anything can go beside it."""
    start_return(rules, state, seat, kind, modifier)
    moves = addable(rules, state, seat, state.players[seat].stamina)
    ball = ball_after(rules, state, kind, modifier)
    return takes_company(rules, kind) and can_add_any(rules, state, seat, moves, kind, ball)


@njit
def _decide_rarer(rules, state, chance, action):
    """The decisions that are rarer: a function of their own, which the frequent ones need not carry. True if the ball is hit."""
    phase, seat = state.phase, np.int64(state.seat)
    if phase == ANSWER:
        return _answer_otherwise(rules, state, chance, seat, action)
    if phase == TRIM:
        _discard(rules, state, seat, action - DISCARD)
    elif phase == SERVE:  # to leave it
        _win_point(rules, state, 1 - team_of(seat))
    elif phase == KEEPING:
        second = NOTHING
        if action != DONE:
            let_go(rules, state, seat, action - KEEP)
            if state.kept == NOTHING:
                state.kept = action - KEEP
                return False
            second = action - KEEP
        _finish_keeping(rules, state, seat, second)
    elif phase == COUNTER:
        _counter(rules, state, seat, action)
    elif phase == AFTER:
        if action == DONE:
            state.turn += 1
        else:
            power = KINDS + state.players[seat].avatar
            use(rules, state, seat, power if action == POWER else rules.use_kind[action - USE])
    elif phase == TOSS:
        start_match(rules.format, state.score, seat if action == SERVE_FIRST else 1 - seat)
        _next_phase(state, SERVER_CHOICE)
    elif phase == PICK:
        state.players[seat].avatar = action - AVATAR
        set_ready(rules, state, seat, 1)
        state.turn += 1
    elif phase == SERVER_CHOICE:
        _name_server(rules, state, (seat + 2 * (action - SERVER)) % 4)
    return False


@inlined
def _put_beside(rules, state, seat, action):
    """R9, R11, R23. What accompanies the Return: a card, or the ability."""
    if action >= POWER:
        kind = KINDS + state.players[seat].avatar
        modifier = rules.modifier[kind, action - POWER]
    else:
        kind, modifier = rules.add_kind[action - ADD], rules.add_modifier[action - ADD]
    add_beside(rules, state, seat, kind, modifier)


@njit
def _answer_otherwise(rules, state, chance, seat, action):
    """R10, R11, D6. The ball is left, or answered by a reaction or an ability. True if that is a return."""
    if action == LEAVE:
        state.stage += 1
        return False
    power = KINDS + state.players[seat].avatar
    if action >= POWER and not rules.ways[power] & AS_REACTION:
        if rules.ways[power] & AS_REFRESHMENT:
            use(rules, state, seat, power)
            return False
        start_return(rules, state, seat, power, rules.modifier[power, action - POWER])
        return True
    _react(rules, state, chance, seat, power if action >= POWER else rules.react_kind[action - REACT])
    return False


@njit
def _react(rules, state, chance, seat, kind):
    """D6, D23, D24, D37. A reaction to the opponent's return; who hit it may answer a Too Much."""
    play_reaction(rules, state, seat, kind)
    state.reacted = 1
    state.phase = JUDGE
    if not rules.doubles[kind]:
        call_off(rules, state, kind)
        return
    state.reaction = kind
    hitter = state.hitter
    if is_automa(rules, team_of(hitter)):
        cancelled = (rules.cancels[rules.automa_cancels] >> kind) & 1 and automa_cancels(rules, state, chance)
        state.reaction = NOTHING
        if not cancelled:
            double(state)
    elif reactions(rules, state, hitter):
        state.seat = hitter
        state.phase = COUNTER
    else:
        state.reaction = NOTHING
        double(state)


@njit
def _counter(rules, state, seat, action):
    """D6, D24. The hitter answers a Too Much, or lets it stand."""
    state.phase = JUDGE
    if action == LET_STAND:
        double(state)
    elif action == POWER:
        play_reaction(rules, state, seat, KINDS + state.players[seat].avatar)
    else:
        play_reaction(rules, state, seat, rules.react_kind[action - REACT])
    state.reaction = NOTHING
