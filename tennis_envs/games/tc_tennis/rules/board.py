"""What follows from a position and is kept with it: a player's side as everybody sees it, and as he alone does.

Strokes are scored and observations copied from these bytes. Whoever changes a box, a tactic, the strokes that are open,
the surface, a player's condition or a marker for ground strokes or volleys calls the function here that redraws it.
"""

import numpy as np

from tennis_envs.core.jit import inlined, njit
from tennis_envs.games.tc_tennis.components import KINDS, SURFACES
from tennis_envs.games.tc_tennis.state import (
    BACKHAND_VOLLEY,
    BOXES,
    CHAMPION,
    COURTS,
    DICE,
    FOREHAND,
    FOREHAND_VOLLEY,
    GROUND_STROKES,
    HAND_CARDS,
    HELD,
    INJURED,
    LAID_OTHER,
    LAID_OWN,
    NOTHING,
    OPEN,
    PILE,
    SIGHT_GONE,
    SIGHT_HELD,
    SIGHT_KNOWN,
    SIGHT_MINE_KNOWN,
    SIGHT_WORN,
    SLOTS,
    STAMINA,
    TACTIC_UP,
    TOUCH,
    UP,
    UP_OTHER,
    UP_OWN,
    VOLLEYS,
    row,
)


@njit
def redraw_box(rules, state, seat, box):
    """The cards of a box, and what they are worth."""
    first, second = row(np.int64(state.box[seat, box, 0])), row(np.int64(state.box[seat, box, 1]))
    up_first, up_second = first * state.shown[seat, box, 0], second * state.shown[seat, box, 1]
    place = SLOTS * box
    state.laid[seat, place] = first
    state.laid[seat, place + 1] = second
    state.laid[seat, LAID_OWN + box] = rules.own_worth[first] + rules.own_worth[second]
    state.laid[seat, LAID_OTHER + box] = rules.other_worth[first] + rules.other_worth[second]
    state.board[seat, UP + place] = up_first + (first > 0)
    state.board[seat, UP + place + 1] = up_second + (second > 0)
    state.board[seat, UP_OWN + box] = rules.own_worth[up_first] + rules.own_worth[up_second]
    state.board[seat, UP_OTHER + box] = rules.other_worth[up_first] + rules.other_worth[up_second]


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
    """The strokes that are not resolved."""
    resolved = np.int64(state.resolved[seat])
    for stroke in range(BOXES):
        state.board[seat, OPEN + stroke] = 1 - (resolved >> stroke & 1)


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
        state.board[seat, CHAMPION + which] = min(3, rules.defense[champion, surface, which] + fallen)
    state.board[seat, CHAMPION + 2] = rules.strategy[champion, surface]
    state.board[seat, CHAMPION + 3] = rules.stamina_grade[champion, surface, 1 - rules.early]
    state.board[seat, CHAMPION + 4] = rules.injury_grade[champion, surface]


@njit
def redraw_courts(rules, state, seat):
    """R2. A player card: its ratings on every surface, and the Overall."""
    champion = np.int64(state.champion[seat])
    state.board[seat, CHAMPION + 5] = rules.overall[champion]
    place = COURTS
    for surface in range(len(SURFACES)):
        for stroke in range(BOXES):
            state.board[seat, place + stroke] = rules.rating[champion, surface, stroke]
        place += BOXES
        state.board[seat, place] = rules.defense[champion, surface, 0]
        state.board[seat, place + 1] = rules.defense[champion, surface, 1]
        state.board[seat, place + 2] = rules.strategy[champion, surface]
        state.board[seat, place + 3] = rules.stamina_grade[champion, surface, 1 - rules.early]
        state.board[seat, place + 4] = rules.injury_grade[champion, surface]
        place += 5


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
        for kind in range(KINDS):
            state.board[seat, HAND_CARDS] += state.hand[seat, kind]
    state.unresolved = 0
    for stroke in range(BOXES):
        state.unresolved += state.board[0, OPEN + stroke]
    redraw_champions(rules, state)
    redraw_tactics(rules, state)
    for seat in range(2):
        for kind in range(KINDS):
            sight = SIGHT_HELD * np.int64(state.hand[seat, kind])
            sight += SIGHT_KNOWN * np.int64(state.known[1 - seat, kind] > 0)
            sight += SIGHT_MINE_KNOWN * np.int64(state.known[seat, kind] > 0)
            state.sight[seat, kind] = sight + SIGHT_WORN * ((np.int64(state.worn[kind]) >> seat) & 1)
        for i in range(state.discards):
            state.sight[seat, np.int64(state.discard[i])] += SIGHT_GONE
    fill_urn(state)


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
