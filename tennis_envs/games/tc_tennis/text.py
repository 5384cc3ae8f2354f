"""TC Tennis in words."""

from __future__ import annotations

import numpy as np

from tennis_envs.games.tc_tennis.components import EVENTS, STROKES, SURFACES, Components, load_components
from tennis_envs.games.tc_tennis.options import TCTennisOptions
from tennis_envs.games.tc_tennis.state import (
    BOXES,
    CAN_CHALLENGE,
    HELD,
    KEEPING,
    LEVELS,
    NOTHING,
    OVER,
    PHASES,
    RALLIES,
    RETAINED,
    SLOTS,
    STAMINA,
    TIEBREAK,
    TOURNAMENT,
    TRACK,
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
        lines[0] += f", RET {court.ret}, DEF {court.defense}"
    condition = f"strategy {state.board[owner, TRACK]}, challenge {'yes' if state.board[owner, CAN_CHALLENGE] else 'no'}"
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


def describe(options: TCTennisOptions, state: np.void, seat: int) -> str:
    """The position in a few lines, without what `seat` cannot know."""
    components = load_components(options.components)
    tournament = LEVELS.index(options.level) == TOURNAMENT
    names = ["you" if player == seat else "opponent" for player in range(2)]
    court = "no court yet" if state.surface == NOTHING else SURFACES[int(state.surface)]
    lead = int(state.momentum)
    momentum = "level" if lead == 0 else f"{abs(lead)} to {names[0 if lead > 0 else 1]}"
    lines = [
        f"{court}, sets {state.sets[seat]}-{state.sets[1 - seat]}, {'tie-break, ' if state.common[TIEBREAK] else ''}"
        f"{state.common[RALLIES]} rallies, momentum {momentum}"
    ]
    if options.surface == "all":
        lines[0] += " (all-surface match)"
    for player in (seat, 1 - seat):
        side = _side(components, state, player, player == seat, tournament)
        lines.append(f"{names[player]}: {side[0]}")
        lines += [f"  {line}" for line in side[1:]]
    if state.end_set != NOTHING:
        lines.append(f"in play: {components.card[int(state.end_set)].name}")
    top = components.card[int(state.discard[state.discards - 1])].name if state.discards else "none"
    lines.append(f"draw pile {int(state.deck.sum())}, discards {int(state.discards)}, on top {top}")
    if state.phase == OVER:
        lines.append(f"match to {names[int(state.winner)]}")
        return "\n".join(lines)
    if state.black[0]:
        lines.append(f"dice: black {state.black[0]} {state.black[1]}, blue {state.blue}")
    for player in (seat, 1 - seat):
        if state.declared[player] != NOTHING:
            lines.append(f"{names[player]} declared {STROKES[int(state.declared[player])]}")
    if state.phase == KEEPING and state.seat == seat:
        lines.append(f"markers drawn: {EVENTS[int(state.drawn[0])]}, {EVENTS[int(state.drawn[1])]}")
    lines.append(f"{names[int(state.seat)]} to decide: {PHASES[int(state.phase)]}")
    return "\n".join(lines)
