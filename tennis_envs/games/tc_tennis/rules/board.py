"""What follows from a position and is kept with it: a player's side as everybody sees it, and as he alone does.

Strokes are scored and observations copied from these bytes. Whoever changes a box, a tactic, the strokes that are open,
the surface, a player's condition or a marker for ground strokes or volleys calls the function here that redraws it.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.core.views import LANE, write_word
from tennis_envs.games.tc_tennis.components import KINDS, SURFACES
from tennis_envs.games.tc_tennis.state import (
    ALL_BOXES,
    BACKHAND_VOLLEY,
    BOXES,
    CHAMPION,
    COURT,
    COURT_OF_PLAY,
    COURTS,
    DICE,
    END_SET_RALLIES,
    ENTRY,
    FACE_DOWN,
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
    NOTHING,
    OFFERED,
    OPEN,
    PILE,
    RALLIES,
    SEEN,
    SEEN_OTHER,
    SEEN_OWN,
    SIGHT_GONE,
    SIGHT_KNOWN,
    SIGHT_MINE_KNOWN,
    SIGHT_WORN,
    SLOTS,
    STAMINA,
    TACTIC_UP,
    TIEBREAK,
    TOP,
    TOUCH,
    VOLLEYS,
    row,
)

_SLOTS = 1 | 1 << LANE


@njit
def redraw_box(rules, state, seat, box):
    """The cards of a box, and what they are worth."""
    first, second = row(np.int64(state.box[seat, box, 0])), row(np.int64(state.box[seat, box, 1]))
    up_first, up_second = first * state.shown[seat, box, 0], second * state.shown[seat, box, 1]
    place = SLOTS * box
    state.board[seat, LAID + place] = first - 2 * up_first
    state.board[seat, LAID + place + 1] = second - 2 * up_second
    state.board[seat, LAID_OWN + box] = rules.own_worth[first] + rules.own_worth[second]
    state.board[seat, LAID_OTHER + box] = rules.other_worth[first] + rules.other_worth[second]
    state.board[seat, SEEN + place] = up_first + FACE_DOWN * (first > 0)
    state.board[seat, SEEN + place + 1] = up_second + FACE_DOWN * (second > 0)
    down = np.int64((first > 0) & (up_first == 0)) + (np.int64((second > 0) & (up_second == 0)) << LANE)
    word, shift = place // 8, LANE * (place % 8)
    state.down[seat, word] = (state.down[seat, word] & ~(_SLOTS << shift)) | down << shift
    state.board[seat, SEEN_OWN + box] = rules.own_worth[up_first] + rules.own_worth[up_second]
    state.board[seat, SEEN_OTHER + box] = rules.other_worth[up_first] + rules.other_worth[up_second]


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
def redraw_offered(rules, state):
    """R9. The boxes that the black dice offer."""
    first, second = np.int64(state.black[0]), np.int64(state.black[1])
    offered = (1 << first | 1 << second | 1 << first + second) >> 1 & ALL_BOXES  # none before the roll
    behind = np.int64(state.common[OFFERED + BOXES])  # eight bytes are written: the last one stays as it is
    write_word(rules.spread[offered] | behind << LANE * BOXES, state.common, OFFERED)


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
    redraw_offered(rules, state)
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
