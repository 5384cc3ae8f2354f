"""R8 to R13, R17, R20 to R28. What can be played on a ball, what it does, and who has won the point by it."""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.sweet_spot.components import CHOICES
from tennis_envs.games.sweet_spot.rules.piles import let_go, show
from tennis_envs.games.sweet_spot.state import (
    ADDS,
    AS_ACCOMPANY,
    AS_AFTER,
    AS_REACTION,
    AS_REFRESHMENT,
    AS_RETURN,
    AS_SAVE,
    DARK_BESIDE,
    DARK_RETURN,
    EASY,
    FIRST_ADD,
    FIRST_PLAY,
    FIRST_POWER,
    FIRST_REACT,
    FITS,
    FULL,
    KINDS,
    LOWEST_FIT,
    NO_FORCE,
    NO_SET,
    NOTHING,
    OWNERS,
    PLAYS,
    REACTS,
    SERVICES,
    SWITCH,
)


@inlined
def team_of(seat):
    """Seats 0 and 2 are team 0; the automa is seat 1."""
    return seat % 2


@inlined
def is_automa(rules, team):
    """R29. Whether a side is played by the rules themselves."""
    return rules.solo == 1 and team == 1


@njit
def next_to_hit(rules, state, team):
    """R28, D34. Whose turn it is in a team to return the ball."""
    if rules.seats < 4:
        return team
    if state.last[team] != NOTHING:
        return (state.last[team] + 2) % 4
    return team + 2 * ((state.score.points[0] + state.score.points[1]) % 2)


@inlined
def contains(kinds, kind):
    """1 if a set of kinds (as bits) has a kind, else 0; NOTHING is in no set."""
    return (np.int64(kinds) >> (kind & 63)) & 1


# Stamina


@inlined
def pay(state, seat, stamina):
    """R17. Stamina never goes below 0."""
    state.players[seat].stamina = max(0, state.players[seat].stamina - stamina)


@inlined
def rest(state, seat, stamina):
    """R17. Stamina never goes beyond ten."""
    state.players[seat].stamina = min(FULL, state.players[seat].stamina + stamina)


@inlined
def cost(rules, state, seat, kind):
    """R17. The stamina that a card costs its player."""
    return 0 if state.players[seat].free else rules.cost[kind]


@inlined
def to_pay_for(rules, state, seat):
    """R17. The moves with a card in hand that the stamina of a player is enough for."""
    return state.moves_held[seat] & rules.affordable[FULL if state.players[seat].free else state.players[seat].stamina]


@inlined
def surcharge(rules, state, seat):
    """R28. What a return costs beside its card: switching in, and a tax laid on it by the opponent."""
    switches = rules.seats == 4 and state.last[team_of(seat)] == seat
    return (SWITCH if switches else 0) + state.tax


# The ball


@inlined
def is_in(ball):
    """R12. IN: 0 to 3."""
    return 0 <= ball <= 3


@inlined
def in_play(ball):
    """R12. From 7 on the ball is in play."""
    return ball >= 7


@inlined
def is_lost(ball):
    """R12. OUT, or DOWN: who brought the ball there loses the point."""
    return ball < 0 or (ball > 3 and ball < 7)


@inlined
def seen_ball(state, seat):
    """R22. The ball as a player knows it: who hides a card on it knows the true one."""
    return state.ball + (state.shift if state.hitter == seat else 0)


@inlined
def to_save(state):
    """R13. Whether the ball can only be returned by a saving move."""
    return state.dark == 0 and is_in(state.ball)


@inlined
def fits(rules, kind, ball):
    """R25. Value Out."""
    return rules.least[kind] <= ball <= rules.most[kind]


@inlined
def ball_after(rules, state, kind, modifier):
    """D17. The ball, as one can see it, after a Return alone: forced, set or moved."""
    if state.force != NO_FORCE:
        return state.ball + state.force
    if rules.set_to[kind] != NO_SET:
        return rules.set_to[kind]
    return state.ball + modifier


@njit
def turn_over(state):
    """R22. Cards that lie face down are turned up, and added."""
    if state.dark & DARK_RETURN:
        show(state, state.hit_kind)
    if state.dark & DARK_BESIDE:
        show(state, state.hit_beside)
    state.ball += state.shift
    state.shift = 0
    state.dark = 0


ACE_BALL = 3  # R32

# What can be played


@inlined
def place_of(rules, seat, player):
    """How many places after `seat` a player sits."""
    return (np.int64(player) - seat) & rules.around


@njit
def set_ready(rules, state, seat, ready):
    """R11. A player has an ability that is unused, or has used it: everybody sees that."""
    avatar = state.players[seat].avatar
    state.players[seat].ready = ready
    for other in range(np.int64(rules.seats)):
        state.players[other].abilities[avatar] = ready * OWNERS[place_of(rules, other, seat)]


@njit
def ability(rules, state, seat, way):
    """R11. The ability of a player's avatar if it is unused and can be used in this way, else NOTHING."""
    if state.players[seat].ready:
        power = KINDS + state.players[seat].avatar
        if rules.ways[power] & way:
            return power
    return NOTHING


@inlined
def purse(rules, state, seat):
    """R17, R28. What a player can spend on the cards of a return; negative if he cannot return at all."""
    left = state.players[seat].stamina - surcharge(rules, state, seat)
    return FULL if state.players[seat].free and left >= 0 else left


@inlined
def playable(rules, state, seat):
    """R9, R13, R17, R22, R24. The moves with a card in hand that could return the ball, Value Out apart."""
    left = purse(rules, state, seat)
    able = np.int64((state.wins == 0) & (left >= 0))
    moves = state.moves_held[seat] & rules.affordable[max(0, left)] & (rules.saves if to_save(state) else rules.returns)
    moves &= ~(rules.dark * np.int64(state.veiled != 0))
    moves &= ~(rules.for_serves * np.int64(state.strokes != 1))
    return moves * able


@inlined
def takes_company(rules, kind):
    """R23, R24, D12. Whether a card can go beside this one: only beside a Return card, or a Tactic with its symbol."""
    return rules.ways[kind] & AS_RETURN != 0


@inlined
def addable(rules, state, seat, stamina):
    """R9, R17, R22, R23. The moves with a card in hand that could go beside a Return, Value Out apart."""
    able = np.int64((state.bars == 0) & (stamina >= 0))
    moves = state.moves_held[seat] & rules.affordable[FULL if state.players[seat].free else max(0, stamina)] & rules.beside
    return moves & ~(rules.dark * np.int64(state.veiled != 0)) & -able


@inlined
def fitting(rules, state, moves, kind, ball):
    """R25, D5. Those of `moves` whose card fits beside a Return of `kind` that brings the ball to `ball`."""
    forced = np.int64(state.force != NO_FORCE)
    place = ball - LOWEST_FIT
    if (place < 0) | (place >= FITS) | (contains(rules.limited, kind) != 0):
        return _fitting_anywhere(rules, forced, moves, kind, ball)
    return moves & rules.fit_beside[forced, place]


@njit
def _fitting_anywhere(rules, forced, moves, kind, ball):
    """The same for balls beyond the table, and for a Return with a Value Out of its own."""
    fit = 0
    for slot in range(ADDS):
        out = ball + rules.add_modifier[slot] * (1 - forced)
        fits_out = (rules.add_least[slot] <= out) & (out <= rules.add_most[slot]) & fits(rules, kind, out)
        fit |= np.int64(fits_out) << (FIRST_ADD + slot)
    return moves & fit


@njit
def powers_beside(rules, state, seat, kind, ball):
    """R11. The modifiers with which an ability can go beside that Return, as bits."""
    power = ability(rules, state, seat, AS_ACCOMPANY)
    if power == NOTHING or state.bars:
        return 0
    moved = np.int64(state.force == NO_FORCE)
    choices = 0
    for choice in range(CHOICES):
        out = ball + rules.modifier[power, choice] * moved
        choices |= np.int64(fits(rules, power, out) & fits(rules, kind, out)) << choice
    return choices & ((1 << np.int64(rules.choices[power])) - 1)


@inlined
def can_add_any(rules, state, seat, moves, kind, ball):
    """Whether one of `moves`, or an ability, can accompany a Return of `kind` that brings the ball to `ball`."""
    if fitting(rules, state, moves, kind, ball):
        return True
    return state.players[seat].ready != 0 and powers_beside(rules, state, seat, kind, ball) != 0


@njit
def can_return(rules, state, seat, kind, modifier):
    """R25. Whether a playable card leaves the ball as its Value Out wants it, by itself or with another card beside it."""
    ball = ball_after(rules, state, kind, modifier)
    if fits(rules, kind, ball):
        return True
    if not takes_company(rules, kind):
        return False
    stamina = state.players[seat].stamina - surcharge(rules, state, seat) - cost(rules, state, seat, kind)
    moves = addable(rules, state, seat, stamina)
    if state.players[seat].hand[kind] == 1:
        moves &= ~rules.moves[kind]
    return can_add_any(rules, state, seat, moves, kind, ball)


@njit
def leave_out_what_cannot_fit(rules, state, seat, moves):
    """R25. The given returns without those with a Value Out that could not leave the ball as it wants it."""
    for slot in range(PLAYS):
        kind = rules.play_kind[slot]
        if moves & rules.conditional & (1 << (FIRST_PLAY + slot)):
            if not can_return(rules, state, seat, kind, rules.play_modifier[slot]):
                moves ^= 1 << (FIRST_PLAY + slot)
    return moves


@inlined
def returns(rules, state, seat):
    """R9, R10, R13, R25. The moves that return the ball."""
    moves = playable(rules, state, seat)
    return leave_out_what_cannot_fit(rules, state, seat, moves) if moves & rules.conditional else moves


@njit
def _can_reply(rules, state, kind):
    """D6, D23, D24. Whether a reaction has something to act on: the opponent's return, or his reaction to one's own."""
    if state.reaction != NOTHING:
        return contains(rules.cancels[kind], state.reaction) == 1
    if state.reacted:
        return False
    if rules.doubles[kind]:
        on_return = state.hit_kind != NOTHING and takes_company(rules, state.hit_kind)
        return on_return and state.wins == 0 and state.hit_modifier != 0 and not state.dark & DARK_RETURN
    if state.force == NO_FORCE and not (state.tax or state.bars or state.wins):
        return False
    return is_answer(rules, state, kind)


@njit
def is_answer(rules, state, kind):
    """D24. Whether a card cancels what the last return was played with."""
    return contains(rules.cancels[kind], state.hit_kind) + contains(rules.cancels[kind], state.hit_beside) > 0


@njit
def reactions(rules, state, seat):
    """D6, R11. The moves, the ability among them, that are reactions to what the opponent has done."""
    moves = to_pay_for(rules, state, seat) & rules.reactions
    can = 0
    for slot in range(REACTS):
        bit = 1 << (FIRST_REACT + slot)
        if moves & bit and _can_reply(rules, state, rules.react_kind[slot]):
            can |= bit
    power = ability(rules, state, seat, AS_REACTION)
    if power != NOTHING and _can_reply(rules, state, power):
        can |= 1 << FIRST_POWER
    return can


@njit
def powers_to_answer(rules, state, seat):
    """R11. The modifiers with which an ability can be used instead of a return, as bits from FIRST_POWER on."""
    if state.wins:
        return 0
    power = KINDS + state.players[seat].avatar
    ways = rules.ways[power]
    saving = to_save(state)
    refresh = np.int64(not saving and ways & AS_REFRESHMENT != 0)
    if not ways & (AS_SAVE if saving else AS_RETURN) or purse(rules, state, seat) < 0:
        return refresh << FIRST_POWER
    choices = 0
    for choice in range(CHOICES):
        fit = fits(rules, power, ball_after(rules, state, power, rules.modifier[power, choice]))
        choices |= np.int64(fit) << choice
    return (refresh | choices & ((1 << np.int64(rules.choices[power])) - 1)) << FIRST_POWER


@inlined
def answers(rules, state, seat):
    """R10, R11, D6, D13. All moves with which a player can answer the ball."""
    moves = returns(rules, state, seat)
    if state.moves_held[seat] & rules.reactions or state.players[seat].ready:
        moves |= reactions(rules, state, seat)
    return moves | powers_to_answer(rules, state, seat) if state.players[seat].ready else moves


@inlined
def can_answer(rules, state, seat):
    """R10. Whether a player has any answer to the ball: as a rule a card that returns it, whatever it leaves."""
    return playable(rules, state, seat) & ~rules.conditional != 0 or _has_answer(rules, state, seat)


@njit
def _has_answer(rules, state, seat):
    """The same in full."""
    return answers(rules, state, seat) != 0


@inlined
def uses(rules, state, seat):
    """R14.1, R11. The moves for after a rally."""
    moves = to_pay_for(rules, state, seat) & rules.after
    return moves | np.int64(ability(rules, state, seat, AS_AFTER) != NOTHING) << FIRST_POWER


@inlined
def services_to_play(rules, state):
    """R8, D14. The Service cards that the server can play, as moves: their kinds are as many bits."""
    return to_pay_for(rules, state, state.server) & ((1 << SERVICES) - 1)


# Playing


@inlined
def _leave_hand(rules, state, seat, kind, secret):
    """R11, R17. A card is paid for and leaves the hand, for the table unless it is secret; an ability is used up."""
    if kind >= KINDS:
        set_ready(rules, state, seat, 0)
        return
    pay(state, seat, cost(rules, state, seat, kind))
    let_go(rules, state, seat, kind)
    if not secret:
        show(state, kind)


@inlined
def start_return(rules, state, seat, kind, modifier):
    """R9, R17, R28. A Return is put down."""
    pay(state, seat, surcharge(rules, state, seat))
    _leave_hand(rules, state, seat, kind, rules.hidden[kind] == 1)
    state.play_kind = kind
    state.play_modifier = modifier
    state.play_beside = NOTHING
    state.play_beside_modifier = 0


@inlined
def add_beside(rules, state, seat, kind, modifier):
    """R23. A card is put beside it."""
    _leave_hand(rules, state, seat, kind, rules.hidden[kind] == 1)
    state.play_beside = kind
    state.play_beside_modifier = modifier


@njit
def serve(rules, state, seat, kind):
    """R8. A Service card, already on the table, sets the ball."""
    state.ball = rules.ball[kind]
    state.play_kind = kind
    state.play_modifier = 0
    state.play_beside = NOTHING
    state.play_beside_modifier = 0
    _record_hit(rules, state, seat)


@njit
def _comes_too_late(state):
    """R22, D3. Hidden cards are turned up before the answer counts, which they may end: then it is no return."""
    turn_over(state)
    if in_play(state.ball):
        return False
    state.play_kind = NOTHING
    state.play_beside = NOTHING
    return True


@inlined
def strike(rules, state, seat):
    """R9, R12, R22, D3 to D5. The return that has been put down hits the ball.

    Gives the team that has won the point by it, NOTHING if the ball has yet to be judged.
    """
    if state.dark and _comes_too_late(state):
        return NOTHING
    kind, beside = state.play_kind, state.play_beside
    forced = state.force != NO_FORCE
    before = state.ball
    alone = ball_after(rules, state, kind, state.play_modifier)
    push = 0 if forced else state.play_beside_modifier
    if beside != NOTHING and not fits(rules, beside, alone + push):
        state.play_beside = NOTHING
        if rules.hidden[beside]:
            show(state, beside)
        beside = NOTHING
        push = 0
    true = alone + push
    fits_out = fits(rules, kind, true)
    hidden, hidden_beside = rules.hidden[kind] == 1, beside != NOTHING and rules.hidden[beside] == 1
    hides, hides_beside = hidden and not forced, hidden_beside and not forced
    if hidden and forced:
        show(state, kind)
    if hidden_beside and forced:
        show(state, beside)
    face = (before if hides else alone) + (0 if hides_beside else push)
    state.ball = face
    _record_hit(rules, state, seat)
    if forced:
        state.hit_modifier = alone - before
    elif rules.set_to[kind] != NO_SET:
        state.hit_modifier = 0
    state.veiled = hidden or hidden_beside
    state.shift = true - face
    state.dark = (DARK_RETURN if hides else 0) | (DARK_BESIDE if hides_beside else 0)
    if state.dark and not in_play(face):
        turn_over(state)
    return NOTHING if fits_out else 1 - team_of(seat)


@inlined
def ball_of_automa(rules, state, kind, modifier):
    """R32, R33, D27. The ball after a card of the automa: Return Ace makes it 3, and to it the Feints are Return cards."""
    if kind == rules.automa_ace:
        return ACE_BALL
    plain = rules.as_return[kind] != NO_FORCE and state.force == NO_FORCE
    return state.ball + modifier if plain else ball_after(rules, state, kind, modifier)


@inlined
def strike_of_automa(rules, state, seat):
    """R31 to R33. The same for a card of the automa, which hides nothing and lets nothing accompany it."""
    if state.dark and _comes_too_late(state):
        return NOTHING
    kind, before = state.play_kind, state.ball
    ball = ball_of_automa(rules, state, kind, state.play_modifier)
    free = kind == rules.automa_ace or rules.as_return[kind] != NO_FORCE
    fits_out = free or fits(rules, kind, ball)
    moved = state.force != NO_FORCE
    state.ball = ball
    _record_hit(rules, state, seat)
    if kind == rules.automa_ace or rules.set_to[kind] != NO_SET:
        state.hit_modifier = 0
    if moved:
        state.hit_modifier = ball - before
    return NOTHING if fits_out else 1 - team_of(seat)


@inlined
def _record_hit(rules, state, seat):
    """The ball has been hit: what was pending is over, what the cards bring begins."""
    team = team_of(seat)
    state.hitter = seat
    state.last[team] = seat
    state.strokes += 1
    state.hit_kind = state.play_kind
    state.hit_modifier = state.play_modifier
    state.hit_beside = state.play_beside
    state.hit_beside_modifier = state.play_beside_modifier
    state.play_kind = NOTHING
    state.play_beside = NOTHING
    state.shift = 0
    state.dark = 0
    state.veiled = 0
    state.reacted = 0
    state.saved = 0
    _clear_pending(state)
    if is_automa(rules, team) and rules.as_return[state.hit_kind] != NO_FORCE:
        return  # R33
    if contains(rules.lays, state.hit_kind) or contains(rules.lays, state.hit_beside):
        victim = next_to_hit(rules, state, 1 - team)
        _bring(rules, state, seat, victim, state.hit_kind)
        if state.hit_beside != NOTHING:
            _bring(rules, state, seat, victim, state.hit_beside)


@inlined
def _clear_pending(state):
    """Nothing weighs on the next return."""
    state.force = NO_FORCE
    state.tax = 0
    state.bars = 0
    state.wins = 0


@njit
def _lay_on(rules, state, kind):
    """What a card lays on the opponent's next return."""
    if rules.next_return[kind] != NO_FORCE:
        state.force = rules.next_return[kind]
    state.tax += rules.tax[kind]
    state.bars |= rules.bars[kind]
    state.wins |= rules.wins[kind]


@njit
def _bring(rules, state, seat, victim, kind):
    """R36, D28, D36. All that a card does beside moving the ball."""
    _lay_on(rules, state, kind)
    if rules.gain[kind]:
        rest(state, seat, rules.gain[kind])
    if rules.drain[kind] and (rules.automa == EASY or not is_automa(rules, team_of(victim))):
        pay(state, victim, rules.drain[kind])


@njit
def call_off(rules, state, kind):
    """R37, D24. A reaction takes away what the cards that it answers lay on the next return."""
    answers = rules.cancels[kind]
    _clear_pending(state)
    if state.hit_kind != NOTHING and not contains(answers, state.hit_kind):
        _lay_on(rules, state, state.hit_kind)
    if state.hit_beside != NOTHING and not contains(answers, state.hit_beside):
        _lay_on(rules, state, state.hit_beside)


@njit
def double(state):
    """D23. Too Much: the modifier of the last Return counts twice."""
    state.ball += state.hit_modifier
    state.hit_modifier *= 2
    if state.dark and not in_play(state.ball):
        turn_over(state)


@inlined
def play_reaction(rules, state, seat, kind):
    """D6, R17. A reaction is put down."""
    _leave_hand(rules, state, seat, kind, False)


@njit
def use(rules, state, seat, kind):
    """R14.1, R11, D11. A card or an ability for after a rally, or an ability that refreshes."""
    _leave_hand(rules, state, seat, kind, True)
    if kind < KINDS:
        state.open[kind] += 1
    rest(state, seat, rules.gain[kind])
    state.players[seat].discards += rules.discards[kind]
    if rules.free_rally[kind]:
        state.players[seat].free = 1


@njit
def start_rally(state):
    """Nothing of the last rally is left for the next."""
    _clear_pending(state)
    state.ball = 0
    state.strokes = 0
    state.hitter = NOTHING
    state.last[0] = NOTHING
    state.last[1] = NOTHING
    state.hit_kind = NOTHING
    state.hit_modifier = 0
    state.hit_beside = NOTHING
    state.hit_beside_modifier = 0
    state.reaction = NOTHING
    state.reacted = 0
    state.dark = 0
    state.veiled = 0
    state.shift = 0
