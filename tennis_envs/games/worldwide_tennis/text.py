"""Worldwide Tennis in words."""

from __future__ import annotations

import numpy as np

from tennis_envs.core.scoring import FORMAT, points_text, set_format, sets_text
from tennis_envs.games.worldwide_tennis.components import DECKS, SPINS, STROKES, SURFACES, ZONES
from tennis_envs.games.worldwide_tennis.options import WorldwideTennisOptions, box
from tennis_envs.games.worldwide_tennis.state import (
    NO_CARD,
    NO_SPIN,
    OVER,
    PHASES,
    VIRTUAL,
)


def card_text(options: WorldwideTennisOptions, seat: int, card: int) -> str:
    """A card of a seat's deck: its number, name and difficulty."""
    deck = DECKS[seat]
    contents = box(options.components)
    if card >= STROKES:
        entry = contents.serves(deck)[card - STROKES]
    else:
        entry = contents.strokes(deck)[card][1]
    return f"{card + 1} {entry.name} ({entry.risk} {entry.difficulty})"


def _cards_text(options: WorldwideTennisOptions, seat: int, cards: int) -> str:
    return ", ".join(card_text(options, seat, card) for card in range(STROKES) if cards >> card & 1)


def _side_text(options: WorldwideTennisOptions, state: np.void, player: int, seat: int) -> str:
    name = "you" if player == seat else "opponent"
    parts = [f"{name} in {ZONES[state['zone'][player]]}"]
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
    shown = int(state["shown"][player])
    held = int(state["hidden"][player]) | shown
    deck, discards = (int(state[field][player]).bit_count() for field in ("in_deck", "discarded"))
    parts.append(f"{held.bit_count()} cards, {deck} in the deck, {discards} discarded")
    known = held if player == seat else shown
    text = ", ".join(parts)
    if known:
        text += f"\n  {'hand' if player == seat else 'known'}: {_cards_text(options, player, known)}"
    return text


def describe(options: WorldwideTennisOptions, state: np.void, seat: int) -> str:
    """The position in a few lines, as `seat` sees it."""
    format = np.zeros(1, FORMAT)
    set_format(format[0], options.format, game_points=2, game_lead=1)
    score = state["score"]
    names = ["you" if player == seat else "opponent" for player in range(2)]
    lines = [
        f"sets {sets_text(score)}, game {points_text(format[0], score)}, {names[score['server']]} serving, "
        f"on {SURFACES[state['surface']]}"
    ]
    lines += [_side_text(options, state, player, seat) for player in (seat, 1 - seat)]
    if state["phase"] == OVER:
        lines.append(f"match to {names[state['winner']]}")
        return "\n".join(lines)
    striker = int(state["striker"])
    if state["ball"] != NO_CARD:
        ball = card_text(options, 1 - striker, int(state["ball"]))
        spin = "" if state["ball_spin"] == NO_SPIN else f" with {SPINS[state['ball_spin']]}"
        lines.append(f"ball of {names[1 - striker]}: {ball}{spin} to {ZONES[state['ball_zone']]}")
    if state["card"] != NO_CARD:
        spin = "" if state["spin"] == NO_SPIN else f" with {SPINS[state['spin']]}"
        lines.append(f"{names[striker]} playing {card_text(options, striker, int(state['card']))}{spin}")
    elif state["fault"] != NO_CARD and state["ball"] == NO_CARD:
        lines.append(f"second serve, after {card_text(options, striker, int(state['fault']))}")
    lines.append(f"{names[state['seat']]} to decide: {PHASES[state['phase']]}")
    return "\n".join(lines)
