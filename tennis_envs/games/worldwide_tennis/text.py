"""Worldwide Tennis in words."""

from __future__ import annotations

import numpy as np

from tennis_envs.core.jit import records
from tennis_envs.core.scoring import FORMAT, points_text, set_format, sets_text
from tennis_envs.games.worldwide_tennis.components import DECKS, SPINS, STROKES, SURFACES, ZONES, Serve, Stroke
from tennis_envs.games.worldwide_tennis.options import WorldwideTennisOptions, box
from tennis_envs.games.worldwide_tennis.rules.cards import need
from tennis_envs.games.worldwide_tennis.state import (
    DOUBT,
    ENDS,
    GAMBLE,
    NO_CARD,
    NO_SPIN,
    OVER,
    PHASES,
    STARRING,
    TAKING,
    TRIM,
    VIRTUAL,
    rules_record,
)

BETWEEN_POINTS = (TRIM, ENDS, TAKING)


def card_text(options: WorldwideTennisOptions, seat: int, card: int) -> str:
    """A card of a seat's deck: its number, name, colour and difficulty."""
    entry = _entry(options, seat, card)
    return f"{card + 1} {entry.name} ({entry.risk} {entry.difficulty})"


def _entry(options: WorldwideTennisOptions, seat: int, card: int) -> Stroke | Serve:
    contents, deck = box(options.components), DECKS[seat]
    return contents.serves(deck)[card - STROKES] if card >= STROKES else contents.strokes(deck)[card][1]


def _in(cards: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(STROKES) if cards >> card & 1]


def _side_text(options: WorldwideTennisOptions, state: np.void, player: int, seat: int) -> str:
    name = "you" if player == seat else "opponent"
    parts = [name if state["phase"] in BETWEEN_POINTS else f"{name} in {ZONES[state['zone'][player]]}"]
    if options.mode == "solo" and player == VIRTUAL:
        parts.append(f"penalty {state['penalty']}")
        if state["shown"][player]:
            parts.append("smash ready")
        return ", ".join(parts)
    parts.append(f"{state['stars'][player]} stars")
    if options.challenges:
        parts.append(f"{state['tokens'][player]} challenges")
    if state["player"][player] > 0:
        parts.append(box(options.components).player[state["player"][player] - 1].name)
    shown, discards = _in(int(state["shown"][player])), _in(int(state["discarded"][player]))
    held = sorted(shown + _in(int(state["hidden"][player])))
    parts.append(f"{len(held)} cards, {len(_in(int(state['in_deck'][player])))} in the deck, {len(discards)} discarded")
    lines = [", ".join(parts)]
    known = held if player == seat else shown
    if known:
        texts = [card_text(options, player, card) for card in known]
        lines.append(f"  {'hand' if player == seat else 'known'}: {', '.join(texts)}")
    if discards:
        lines.append(f"  discarded: {' '.join(str(card + 1) for card in discards)}")
    return "\n".join(lines)


def _spin_text(spin: int) -> str:
    return "" if spin == NO_SPIN else f" with {SPINS[spin]}"


def _rally_text(options: WorldwideTennisOptions, state: np.void, names: list[str]) -> list[str]:
    """The ball, the card being played and what they ask for."""
    lines = []
    striker, ball, card = int(state["striker"]), int(state["ball"]), int(state["card"])
    if ball != NO_CARD:
        adds = getattr(_entry(options, 1 - striker, ball).surface, SURFACES[state["surface"]])
        text = f"{card_text(options, 1 - striker, ball)}{_spin_text(state['ball_spin'])}"
        lines.append(f"ball of {names[1 - striker]}: {text} to {ZONES[state['ball_zone']]}, adds {adds}")
    if state["drawn_in"]:
        lines.append(f"{names[striker]} came in for it and may play from any zone")
    if state["strokes"] > 0:
        lines.append(f"strokes so far: {state['strokes']}, their difficulties {state['effort']} in all")
    if card != NO_CARD:
        lines.append(f"{names[striker]} playing {card_text(options, striker, card)}{_spin_text(state['spin'])}")
    elif state["fault"] != NO_CARD and ball == NO_CARD:
        lines.append(f"second serve, after {card_text(options, striker, int(state['fault']))}")
    if state["phase"] in (STARRING, GAMBLE, DOUBT):
        lines.append(f"needs {need(records(rules_record(options))[0], state)} on the d20")
    return lines


def describe(options: WorldwideTennisOptions, state: np.void, seat: int) -> str:
    """The position in a few lines, as `seat` sees it."""
    format = np.zeros(1, FORMAT)
    set_format(format[0], options.format, game_points=2, game_lead=1)
    score = state["score"]
    names = ["you" if player == seat else "opponent" for player in range(2)]
    lines = [
        f"sets {sets_text(score)} ({names[0]} first), game {points_text(format[0], score)}, "
        f"{names[score['server']]} serving, on {SURFACES[state['surface']]}"
    ]
    lines += [_side_text(options, state, player, seat) for player in (seat, 1 - seat)]
    if state["phase"] == OVER:
        lines.append(f"match to {names[state['winner']]}")
        return "\n".join(lines)
    if state["phase"] not in BETWEEN_POINTS:
        lines += _rally_text(options, state, names)
    lines.append(f"{names[state['seat']]} to decide: {PHASES[state['phase']]}")
    return "\n".join(lines)
