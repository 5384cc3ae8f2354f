"""TC Tennis in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tennis_envs.core.kernels import kernels
from tennis_envs.games.tc_tennis.actions import ACTIONS
from tennis_envs.games.tc_tennis.components import EVENTS, GRADES, STROKES, SURFACES, Components, load_components
from tennis_envs.games.tc_tennis.options import TCTennisOptions
from tennis_envs.games.tc_tennis.state import (
    BLUE,
    BOXES,
    CAN_CHALLENGE,
    CHALLENGING,
    CHAMPION,
    CHOOSE_SURFACE,
    FACE_DOWN,
    HELD,
    KEEPING,
    LEVELS,
    LOVE,
    NOTHING,
    OUT,
    OVER,
    PHASES,
    PILE,
    PLACE,
    RALLIES,
    RESULT,
    RETAINED,
    RETURN,
    SEEN,
    SEEN_OWN,
    SLOTS,
    STAGE,
    STAMINA,
    STRATEGIZED,
    TIEBREAK,
    TOURNAMENT,
    TRACK,
    WIND,
)


def _cards(components: Components, counts: np.ndarray) -> str:
    names = [card.name for card, count in zip(components.card, counts, strict=False) for _ in range(int(count))]
    return ", ".join(names) or "none"


def _box(components: Components, state: np.void, owner: int, box: int, mine: bool) -> str:
    cards = []
    for slot in range(SLOTS):
        kind = int(state.box[owner, box, slot])
        if kind == NOTHING:
            continue
        shown = bool(state.shown[owner, box, slot])
        name = components.card[kind].name if mine or shown else "face down"
        cards.append(f"{name} (open)" if mine and shown else name)
    mark = "done" if (int(state.resolved[owner]) >> box) & 1 else ", ".join(cards)
    return f"{STROKES[box]} [{mark}]" if mark else STROKES[box]


def _side(components: Components, state: np.void, owner: int, mine: bool, tournament: bool) -> list[str]:
    champion = components.champion[int(state.champion[owner])]
    lines = [f"{champion.name}, Overall {champion.overall}"]
    if state.surface != NOTHING:
        court = champion.court(int(state.surface))
        lines[0] += f": {' '.join(f'{s} {r}' for s, r in zip(STROKES, court.strokes.split(), strict=True))}"
        ret, defense = (GRADES[min(3, int(state.board[owner, CHAMPION + which]))] for which in range(2))
        lines[0] += f", RET {ret}, DEF {defense}"
    condition = f"strategy {state.board[owner, TRACK]}, challenge {'yes' if state.board[owner, CAN_CHALLENGE] else 'no'}"
    if state.board[owner, STRATEGIZED]:
        condition += ", Strategized last turn"
    if tournament:
        condition += f", {components.stamina.level[int(state.board[owner, STAMINA])].name}"
        condition += f", {components.injury.level[int(state.injury[owner])].name}"
    held = [EVENTS[event] for event in range(RETAINED) for _ in range(int(state.board[owner, HELD + event]))]
    if held:
        condition += ", markers " + ", ".join(held)
    lines.append(condition)
    lines.append("boxes: " + "  ".join(_box(components, state, owner, box, mine) for box in range(BOXES)))
    tactic = int(state.tactic[owner])
    lines.append("tactic: " + ("none" if tactic == NOTHING else components.card[tactic].name))
    if mine:
        lines.append("hand: " + _cards(components, state.hand[owner]))
    else:
        known = _cards(components, (state.known[owner] > 0).astype(int))
        lines.append(f"hand: {int(state.hand[owner].sum())} cards" + ("" if known == "none" else f"; hidden somewhere: {known}"))
    return lines


def ratings_text(options: TCTennisOptions, champion: str) -> str:
    """A player card as a small table, best rating AA, worst F."""
    components = load_components(options.components)
    card = components.champion[components.champion_index(champion)]
    rows = [
        f"{card.name} ({card.peak}), Overall {card.overall}",
        f"{'':8}{' '.join(f'{s:>3}' for s in STROKES)} RET DEF STA INJ STR",
    ]
    for surface, name in enumerate(SURFACES):
        court = card.court(surface)
        strokes = " ".join(f"{rating:>3}" for rating in court.strokes.split())
        rows.append(f"{name:8}{strokes} {court.ret:>3} {court.defense:>3} {court.sta:>3} {court.inj:>3} {court.strategy:>3}")
    return "\n".join(rows)


def _decision(options: TCTennisOptions, components: Components, state: np.void, seat: int, names: Sequence[str]) -> list[str]:
    """What is being decided about."""
    phase = int(state.phase)
    if phase == CHOOSE_SURFACE:
        return [ratings_text(options, components.champion[int(state.champion[p])].name) for p in (seat, 1 - seat)]
    if phase in (PLACE, RETURN):
        return [f"box: {STROKES[int(state.box_chosen)]}"]
    if phase == KEEPING and state.seat == seat:
        return [f"markers drawn: {EVENTS[int(state.drawn[0])]}, {EVENTS[int(state.drawn[1])]}"]
    if phase == CHALLENGING:
        before = int(state.momentum_before)
        began = "level" if before == 0 else f"{abs(before)} to {names[0 if before > 0 else 1]}"
        scores = ", ".join(f"{names[p]} {int(state.scored[p])}" for p in (seat, 1 - seat))
        return [f"scores: {scores}; the rally began {began}"]
    if phase == LOVE:
        scorer = int(state.active) ^ int(state.common[STAGE])
        place = int(state.love_place) - 1
        owner = scorer ^ (place in (2, 3, 5))
        kind = int(state.tactic[owner] if place >= 4 else state.box[owner, int(state.declared[owner]), place & 1])
        stroke = STROKES[int(state.declared[scorer])]
        return [f"Love Die struck: {components.card[kind].name}, on {stroke} of {names[scorer]}"]
    if phase == WIND:
        return [f"result of the Stamina Check: {components.stamina.level[int(state.common[RESULT])].name}"]
    return []


def describe(options: TCTennisOptions, state: np.void, seat: int) -> str:
    """The position in a few lines, without what `seat` cannot know."""
    components = load_components(options.components)
    tournament = LEVELS.index(options.level) == TOURNAMENT
    names = ["you" if player == seat else "opponent" for player in range(2)]
    court = "no court yet" if state.surface == NOTHING else SURFACES[int(state.surface)]
    lines = [
        f"{court}, sets {state.sets[seat]}-{state.sets[1 - seat]}, {'tie-break, ' if state.common[TIEBREAK] else ''}"
        f"{state.common[RALLIES]} rallies, momentum {_momentum(state, names)}"
    ]
    if options.surface == "all":
        lines[0] += " (all-surface match)"
    for player in (seat, 1 - seat):
        side = _side(components, state, player, player == seat, tournament)
        lines.append(f"{names[player]}: {side[0]}")
        lines += [f"  {line}" for line in side[1:]]
    if state.end_set != NOTHING:
        lines.append(f"in play: {components.card[int(state.end_set)].name}")
    out = [EVENTS[event] for event in range(len(EVENTS)) for _ in range(int(state.common[OUT + event]))]
    if out:
        lines.append(f"markers out for the set: {', '.join(out)}")
    top = components.card[int(state.discard[state.discards - 1])].name if state.discards else "none"
    lines.append(f"draw pile {int(state.deck.sum())}, discards {int(state.discards)}, on top {top}")
    if state.phase == OVER:
        lines.append(f"match to {names[int(state.winner)]}")
        return "\n".join(lines)
    if state.black[0]:
        lines.append(f"dice: black {state.black[0]} {state.black[1]}, blue {state.board[0, BLUE]}")
    for player in (seat, 1 - seat):
        if state.declared[player] != NOTHING:
            lines.append(f"{names[player]} declared {STROKES[int(state.declared[player])]}")
    lines += _decision(options, components, state, seat, names)
    lines.append(f"{names[int(state.seat)]} to decide: {PHASES[int(state.phase)]}")
    return "\n".join(lines)


def _action_text(state: np.void, action: int, seat: int) -> str:
    """A decision in words, without the name of a card that goes face down into the opponent's box."""
    hidden = state.phase == PLACE and int(state.seat) != seat
    return "a card face down" if hidden else ACTIONS.name(action)


def _cards_text(components: Components, before: np.void, after: np.void, seat: int, names: Sequence[str]) -> list[str]:
    """Cards that were turned up, discarded, or came into hands."""
    lines = []
    for player in range(2):
        up = after.board[player, SEEN:SEEN_OWN] > FACE_DOWN
        new = up & (before.board[player, SEEN:SEEN_OWN] == FACE_DOWN)
        shown = [components.card[int(kind)].name for kind in after.box[player].ravel()[new]]
        if shown:
            lines.append(f"turned up on the side of {names[player]}: {', '.join(shown)}")
    gone = [components.card[int(kind)].name for kind in after.discard[int(before.discards) : int(after.discards)]]
    if gone:
        lines.append(f"discarded: {', '.join(gone)}")
    for player in range(2):
        gained = np.maximum(0, after.hand[player].astype(int) - before.hand[player])
        if player == seat and gained.any():
            lines.append(f"into the hand of {names[player]}: {_cards(components, gained)}")
    drawn = int(before.common[PILE]) - int(after.common[PILE])
    if drawn > 0:
        lines.append(f"{drawn} drawn from the pile")
    elif drawn < 0:
        lines.append("the discards are shuffled into a new pile")
    return lines


def _rally_text(before: np.void, after: np.void, names: Sequence[str]) -> list[str]:
    """Strokes declared and resolved, and where the momentum stands."""
    lines = []
    for player in range(2):
        declared = int(after.declared[player])
        if declared not in (NOTHING, int(before.declared[player])):
            lines.append(f"declared by {names[player]}: {STROKES[declared]}")
        done = int(after.resolved[player]) & ~int(before.resolved[player])
        lines += [f"resolved by {names[player]}: {STROKES[box]}" for box in range(BOXES) if done >> box & 1]
    if after.scored.any() and (after.scored != before.scored).any():
        lines.append("scores: " + ", ".join(f"{names[player]} {int(after.scored[player])}" for player in range(2)))
    if after.momentum != before.momentum:
        lines.append(f"momentum {_momentum(after, names)}")
    return lines


def _momentum(state: np.void, names: Sequence[str]) -> str:
    lead = int(state.momentum)
    return "level" if lead == 0 else f"{abs(lead)} to {names[0 if lead > 0 else 1]}"


def _match_text(components: Components, before: np.void, after: np.void, names: Sequence[str]) -> list[str]:
    """Sets, tie-breaks, courts, conditions, and the dice of a new turn."""
    lines = []
    for player in range(2):
        if after.sets[player] > before.sets[player]:
            lines.append(f"set to {names[player]}: {after.sets[0]}-{after.sets[1]}")
    if after.common[TIEBREAK] > before.common[TIEBREAK]:
        lines.append("a tie-break")
    if after.surface not in (NOTHING, before.surface):
        lines.append(f"on {SURFACES[int(after.surface)]}")
    for player in range(2):
        if after.board[player, STAMINA] != before.board[player, STAMINA]:
            lines.append(f"{names[player]}: stamina {components.stamina.level[int(after.board[player, STAMINA])].name}")
        if after.injury[player] != before.injury[player]:
            lines.append(f"{names[player]}: injury {components.injury.level[int(after.injury[player])].name}")
    if after.over:
        lines.append(f"match to {names[int(after.winner)]}")
    elif after.black[0] and (after.active != before.active or not before.black[0]):
        lines.append(f"dice of {names[int(after.active)]}: black {after.black[0]} {after.black[1]}, blue {after.board[0, BLUE]}")
    return lines


def narrate(
    options: TCTennisOptions,
    rules: np.ndarray,
    states: np.ndarray,
    action: int,
    outcomes: list[int],
    seat: int,
    names: Sequence[str],
) -> list[str]:
    """A decision, and what everybody (or `seat` alone) sees change up to the next one."""
    from tennis_envs.games.tc_tennis import GAME  # the game is made of this module

    components = load_components(options.components)
    before = states.view(np.recarray)[0]
    after = kernels(GAME, options.encoder).after(rules, states, action, outcomes)
    return [
        f"{names[int(before.seat)]}: {_action_text(before, action, seat)}",
        *_rally_text(before, after, names),
        *_cards_text(components, before, after, seat, names),
        *_match_text(components, before, after, names),
    ]
