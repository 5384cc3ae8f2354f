"""What follows from a position and is kept with it: a player's side as everybody sees it, and as he alone does.

Strokes are scored and observations copied from these bytes. Whoever changes a box, a tactic, the strokes that are open,
the surface, a player's condition or a marker for ground strokes or volleys calls the function here that redraws it.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.views import LANE, write_word
from tennis_envs.games.tc_tennis.components import KINDS, SURFACES
from tennis_envs.games.tc_tennis.state import (
    ACTIVE,
    BACKHAND_VOLLEY,
    BLUE,
    BOXES,
    CHAMPION,
    CLOSE_LEAD,
    COURT,
    COURT_OF_PLAY,
    COURTS,
    DICE,
    END_SET_RALLIES,
    END_SETS,
    ENTRY,
    FACE_DOWN,
    FAVOURITE,
    FIRST,
    FOREHAND,
    FOREHAND_VOLLEY,
    GROUND_STROKES,
    HAND_CARDS,
    HELD,
    INJURED,
    LAID,
    LAID_OTHER,
    LAID_OWN,
    LEFT,
    LEVEL,
    MOMENTUM,
    MOST_SCORED,
    NOTHING,
    OFFERED,
    OPEN,
    PILE,
    RALLIES,
    RALLY_MOMENTUM,
    SCORED,
    SEEN,
    SEEN_OTHER,
    SEEN_OWN,
    SETS,
    SETS_TO_WIN,
    SIGHT_GONE,
    SIGHT_KNOWN,
    SIGHT_MINE_KNOWN,
    SIGHT_WORN,
    SLOTS,
    STAMINA,
    SURE_LEAD,
    TACTIC_UP,
    TIEBREAK,
    TOP,
    TOUCH,
    TRACK_END,
    VOLLEYS,
    row,
)

# Boxes: emptied, and then drawn card by card


@inlined
def draw_card(rules, state, seat, box, slot, kind):
    """A card face down in a slot that was empty."""
    place = SLOTS * box + slot
    state.board[seat, LAID + place] = row(kind)
    state.board[seat, LAID_OWN + box] += rules.own_worth[row(kind)]
    state.board[seat, LAID_OTHER + box] += rules.other_worth[row(kind)]
    state.board[seat, SEEN + place] = FACE_DOWN
    state.down[seat, place >> 3] |= 1 << LANE * (place & 7)


@inlined
def turn_card(rules, state, seat, box, slot, kind):
    """It is turned face up."""
    place = SLOTS * box + slot
    state.board[seat, LAID + place] = -row(kind)
    state.board[seat, SEEN + place] = FACE_DOWN + row(kind)
    state.board[seat, SEEN_OWN + box] += rules.own_worth[row(kind)]
    state.board[seat, SEEN_OTHER + box] += rules.other_worth[row(kind)]
    state.down[seat, place >> 3] &= ~(1 << LANE * (place & 7))


@inlined
def clear_box(state, seat, box):
    """No cards."""
    for slot in range(SLOTS):
        place = SLOTS * box + slot
        state.board[seat, LAID + place] = 0
        state.board[seat, SEEN + place] = 0
        state.down[seat, place >> 3] &= ~(1 << LANE * (place & 7))
    state.board[seat, LAID_OWN + box] = 0
    state.board[seat, LAID_OTHER + box] = 0
    state.board[seat, SEEN_OWN + box] = 0
    state.board[seat, SEEN_OTHER + box] = 0


@njit
def redraw_box(rules, state, seat, box):
    """The cards of a box, and what they are worth."""
    clear_box(state, seat, box)
    for slot in range(SLOTS):
        kind = np.int64(state.box[seat, box, slot])
        if kind != NOTHING:
            draw_card(rules, state, seat, box, slot, kind)
            if state.shown[seat, box, slot]:
                turn_card(rules, state, seat, box, slot, kind)


@njit
def redraw_tactics(rules, state):
    """R16. What the tactics in play are worth to every stroke, on average."""
    for seat in range(2):
        own, theirs = row(np.int64(state.tactic[seat])), row(np.int64(state.tactic[1 - seat]))
        state.board[seat, TACTIC_UP] = own
        for stroke in range(BOXES):
            state.board[seat, TOUCH + stroke] = rules.own_touch[own, stroke] + rules.other_touch[theirs, stroke]


@inlined
def redraw_open(state, seat):
    """The strokes that are not resolved, and the one that is being played."""
    resolved = np.int64(state.resolved[seat])
    chosen = np.int64(state.box_chosen) if state.seat == seat else NOTHING
    for stroke in range(BOXES):
        played = (stroke == state.declared[seat]) | (stroke == chosen)
        state.board[seat, OPEN + stroke] = 1 - (resolved >> stroke & 1) + played


@inlined
def show_dice(rules, state, first, second, blue):
    """R5, R9. Dice that were rolled, `first` and `second` black ones (0: none yet), and the boxes that these offer."""
    state.black[0] = first
    state.black[1] = second
    state.offered = rules.offered[7 * first + second]
    write_word(rules.offer[7 * first + second], state.common, OFFERED)
    state.board[0, BLUE] = blue
    state.board[1, BLUE] = blue


@inlined
def redraw_lead(state):
    """R17, R22. The lead on the track and that when the rally began, as both tell them."""
    lead, before = np.int64(state.momentum), np.int64(state.momentum_before)
    far, near = min(TRACK_END, max(-TRACK_END, lead)), min(SURE_LEAD, max(-SURE_LEAD, lead))
    far_before = min(TRACK_END, max(-TRACK_END, before))
    state.board[0, RALLY_MOMENTUM] = far_before
    state.board[1, RALLY_MOMENTUM] = -far_before
    state.board[0, MOMENTUM] = far
    state.board[1, MOMENTUM] = -far
    state.board[0, CLOSE_LEAD] = near
    state.board[1, CLOSE_LEAD] = -near


@inlined
def redraw_scored(state):
    """R17. What the strokes of this rally have scored."""
    for seat in range(2):
        scored = min(MOST_SCORED, np.int64(state.scored[seat]))
        state.board[seat, SCORED] = scored
        state.board[1 - seat, SCORED + 1] = scored


@njit
def redraw_match(rules, state):
    """R2, R4, R32. How the match stands."""
    for seat in range(2):
        state.board[seat, ACTIVE] = state.active == seat
        state.board[seat, SETS] = state.sets[seat]
        state.board[1 - seat, SETS + 1] = state.sets[seat]
        state.board[seat, FIRST] = state.first == seat
        state.board[seat, FAVOURITE] = state.favourite == seat
        state.board[seat, LEVEL] = rules.level
        state.board[seat, SETS_TO_WIN] = rules.sets


@inlined
def allow_end_sets(state, seat, most):
    """D21, D39. How many End Set cards a player can have, NOTHING if he has not shown that he had none."""
    state.end_sets_at_most[seat] = most
    state.board[seat, END_SETS + 1] = most
    state.board[1 - seat, END_SETS] = most


@inlined
def redraw_court(state):
    """R40. The court of play, and those that may not be chosen now."""
    for surface in range(len(SURFACES)):
        state.common[COURT_OF_PLAY + surface] = 2 * (surface == state.surface) + (state.surfaces >> surface & 1)


@inlined
def set_length(state):
    """R1, R28, R31. Rallies that the set, or the block of the tie-break, may have as things stand."""
    rallies = np.int64(state.common[END_SET_RALLIES])
    if state.common[TIEBREAK]:
        return 3 - (rallies > 0)
    return rallies if rallies > 0 else BOXES


@inlined
def redraw_left(state):
    """R1, R28, R31. Rallies until the set ends or the tie-break is checked, as things stand."""
    unresolved = np.int64(state.unresolved)
    left = min(set_length(state) - state.common[RALLIES], unresolved)
    state.common[LEFT] = max(min(unresolved, 1), left)


@inlined
def redraw_end_set(rules, state):
    """R28. The End Set card in play."""
    state.common[END_SET_RALLIES] = rules.rallies[state.end_set] if state.end_set != NOTHING else 0
    redraw_left(state)


@njit
def redraw_champion(rules, state, seat):
    """R11, R24, R27, R34, R35. The champion on this surface in his condition: half dice of each stroke, RET, DEF and the rest."""
    state.board[seat, INJURED] = state.injury[seat]
    if state.surface == NOTHING:
        return
    champion, surface = np.int64(state.champion[seat]), np.int64(state.surface)
    stamina, injury = np.int64(state.board[seat, STAMINA]), np.int64(state.injury[seat])
    dice = np.int64(rules.stamina.dice[stamina]) + np.int64(rules.injury.dice[injury])
    ground = np.int64(state.board[0, HELD + GROUND_STROKES]) + np.int64(state.board[1, HELD + GROUND_STROKES])
    volleys = np.int64(state.board[0, HELD + VOLLEYS]) + np.int64(state.board[1, HELD + VOLLEYS])
    for stroke in range(BOXES):
        extra = 0
        if FOREHAND <= stroke <= BACKHAND_VOLLEY:
            extra = ground if stroke < FOREHAND_VOLLEY else volleys
        state.board[seat, DICE + stroke] = rules.rating[champion, surface, stroke] + dice + extra
    fallen = np.int64(rules.stamina.defense[stamina]) + np.int64(rules.injury.defense[injury])
    for which in range(2):
        state.board[seat, CHAMPION + which] = rules.defense[champion, surface, which] + fallen
    state.board[seat, CHAMPION + 2] = rules.strategy[champion, surface]
    state.board[seat, CHAMPION + 3] = rules.stamina_grade[champion, surface, 1 - rules.early]
    state.board[seat, CHAMPION + 4] = rules.injury_grade[champion, surface]


@njit
def redraw_courts(rules, state, seat):
    """R2. A player card: whose it is, the Overall, and what every surface is to him."""
    champion = np.int64(state.champion[seat])
    state.board[seat, ENTRY] = row(champion)
    state.board[seat, CHAMPION + 5] = rules.overall[champion]
    for surface in range(len(SURFACES)):
        place = COURTS + COURT * surface
        state.board[seat, place] = 0
        for stroke in range(BOXES):
            state.board[seat, place] += rules.rating[champion, surface, stroke]
        state.board[seat, place + 1] = rules.defense[champion, surface, 0]
        state.board[seat, place + 2] = rules.defense[champion, surface, 1]


@inlined
def redraw_champions(rules, state):
    """Both."""
    redraw_champion(rules, state, 0)
    redraw_champion(rules, state, 1)


@njit
def redraw(rules, state):
    """Everything, and the counts of cards."""
    for seat in range(2):
        for box in range(BOXES):
            redraw_box(rules, state, seat, box)
        redraw_open(state, seat)
        redraw_courts(rules, state, seat)
        state.board[seat, HAND_CARDS] = 0
        state.fit[seat] = 0
        state.fit_rows[seat] = 0
        for kind in range(KINDS):
            state.board[seat, HAND_CARDS] += state.hand[seat, kind]
            if state.hand[seat, kind] > 0:
                state.fit[seat] += rules.fit[kind]
                state.fit_rows[seat] ^= rules.fit_row[kind]
    state.unresolved = 0
    for stroke in range(BOXES):
        state.unresolved += state.resolved[0] >> stroke & 1 ^ 1
    redraw_champions(rules, state)
    redraw_tactics(rules, state)
    show_dice(rules, state, np.int64(state.black[0]), np.int64(state.black[1]), np.int64(state.board[0, BLUE]))
    redraw_match(rules, state)
    redraw_lead(state)
    redraw_scored(state)
    for seat in range(2):
        allow_end_sets(state, seat, np.int64(state.end_sets_at_most[seat]))
    redraw_court(state)
    redraw_end_set(rules, state)
    for seat in range(2):
        for kind in range(KINDS):
            sight = SIGHT_KNOWN * np.int64(state.known[1 - seat, kind] > 0)
            sight += SIGHT_MINE_KNOWN * np.int64(state.known[seat, kind] > 0)
            state.sight[seat, kind] = sight + SIGHT_WORN * ((np.int64(state.worn[kind]) >> seat) & 1)
        for i in range(state.discards):
            state.sight[seat, np.int64(state.discard[i])] += SIGHT_GONE
    redraw_top(state)
    fill_urn(state)


@inlined
def redraw_top(state):
    """The card on top of the discards."""
    count = np.int64(state.discards)
    state.common[TOP] = row(state.discard[count - 1]) if count > 0 else 0


@njit
def fill_urn(state):
    """The draw pile's cards one by one, in the order of their entries."""
    count = 0
    for kind in range(KINDS):
        for _ in range(state.deck[kind]):
            state.urn[count] = kind
            count += 1
    for place in range(count, len(state.urn)):
        state.urn[place] = 0
    state.common[PILE] = count
