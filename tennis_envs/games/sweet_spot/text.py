"""A position in words, as one seat sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tennis_envs.core.kernels import kernels
from tennis_envs.core.scoring import FORMAT, points_text, set_format
from tennis_envs.games.sweet_spot.actions import ACTIONS, DISCARD, DONE, KEEP
from tennis_envs.games.sweet_spot.actions import SERVE as SERVE_ACTION
from tennis_envs.games.sweet_spot.deck import edition_of, kinds
from tennis_envs.games.sweet_spot.options import SweetSpotOptions
from tennis_envs.games.sweet_spot.state import (
    ANSWER,
    BESIDE,
    COUNTER,
    DARK_BESIDE,
    DARK_RETURN,
    DECK_NAMES,
    DISCARDS,
    FIRST_POWER,
    FIRST_RETURN,
    FIRST_TACTIC,
    KEEPING,
    KINDS,
    NO_FORCE,
    NOTHING,
    OVER,
    PHASES,
    SERVICE_COUNT,
    TACTIC_COUNT,
)

_DECK_SLICES = (slice(0, FIRST_RETURN), slice(FIRST_RETURN, FIRST_TACTIC), slice(FIRST_TACTIC, KINDS))


def describe(options: SweetSpotOptions, state: np.void, seat: int) -> str:
    """The position as `seat` sees it."""
    names = {kind: card.name for kind, card in kinds(edition_of(options.components)).items()}
    lines = [_score(options, state)]
    lines += [_player(options, state, names, player, seat) for player in range(_players(options))]
    lines += _ball(state, names, seat, lambda player: _who(options, player))
    used = _cards(state["open"] - state["table"], names)
    if used:
        lines.append(f"used: {used}")
    lines.append("hand: " + (_cards(state["players"]["hand"][seat], names) or "nothing"))
    if state["phase"] == OVER:
        lines.append(f"over: team {state['winner']} has won")
    elif state["seat"] == seat:
        lines.append("to decide: " + _question(state, names))
    else:
        lines.append(f"{_who(options, int(state['seat']))} is to decide")
    return "\n".join(lines)


def _players(options: SweetSpotOptions) -> int:
    return 4 if options.mode == "doubles" else 2


def _who(options: SweetSpotOptions, player: int) -> str:
    return "the automa" if options.mode == "solo" and player == 1 else f"seat {player}"


def _score(options: SweetSpotOptions, state: np.void) -> str:
    score = state["score"]
    format = np.zeros(1, FORMAT)[0]
    set_format(format, "point" if options.format == "point" else "game", game_lead=1)
    rounds = "-".join(str(int(games)) for games in score["games"] + score["played"][0])  # `played` once the match is over
    text = f"rounds {rounds}"
    if state["over"]:
        return text
    if state["server"] == NOTHING:
        return text + ", nobody serves yet"
    serves = _who(options, int(state["server"]))
    return f"{text}, {points_text(format, score)} ({serves} serves)"


def _player(options: SweetSpotOptions, state: np.void, names: dict[int, str], player: int, seat: int) -> str:
    """One line on a player: what is open to everybody."""
    shown = state["players"][player]
    words = [_who(options, player) + (" (you)" if player == seat else "")]
    if options.mode == "solo" and player == 1:
        return f"{words[0]}: " + (f"stamina {shown['stamina']}" if options.automa == "easy" else f"{options.automa} mode")
    backs = [int(shown["hand"][deck].sum()) for deck in _DECK_SLICES]
    words.append(f"stamina {shown['stamina']}")
    words.append(", ".join(f"{n} {name}" for n, name in zip(backs, DECK_NAMES, strict=True)))
    if shown["avatar"] != NOTHING:
        words.append(f"{names[KINDS + int(shown['avatar'])]} {'ready' if shown['ready'] else 'used'}")
    if options.mode == "doubles" and player in state["last"]:
        words.append("hit last of the team")
    if shown["free"]:
        words.append("cards cost nothing in this rally")
    return f"{words[0]}: " + "; ".join(words[1:])


def _ball(state: np.void, names: dict[int, str], seat: int, who: Callable[[int], str]) -> list[str]:
    """The ball and what weighs on the next return."""
    if not state["strokes"]:
        return []
    hider = state["hitter"] == seat
    words = [f"ball {state['ball']}"]
    if state["dark"] and hider:
        words.append(f"truly {state['ball'] + state['shift']}")
    last = []
    for kind, modifier, bit in (
        (int(state["hit_kind"]), int(state["hit_modifier"]), DARK_RETURN),
        (int(state["hit_beside"]), int(state["hit_beside_modifier"]), DARK_BESIDE),
    ):
        if kind != NOTHING:
            hidden = state["dark"] & bit and not hider
            last.append("a hidden card" if hidden else names[kind] + (f" {modifier:+d}" if modifier else ""))
    words.append(f"hit by {who(int(state['hitter']))} with {' and '.join(last)}")
    if state["force"] != NO_FORCE:
        words.append(f"the next return is forced to {int(state['force']):+d}")
    if state["tax"]:
        words.append(f"the next return costs {state['tax']} more")
    if state["bars"]:
        words.append("nothing can accompany the next return")
    if state["wins"]:
        words.append("the point is lost unless this is cancelled")
    lines = ["; ".join(words)]
    turned = [names[int(kind)] for kind in state["turned"] if kind != NOTHING]
    if turned:
        lines.append("turned up last: " + ", ".join(turned))
    return lines


def _cards(cards: np.ndarray, names: dict[int, str]) -> str:
    return ", ".join(names[kind] + (f" x{n}" if n > 1 else "") for kind, n in enumerate(cards.tolist()) if n)


def _question(state: np.void, names: dict[int, str]) -> str:
    """What the seat to move is asked."""
    phase = int(state["phase"])
    seat = int(state["seat"])
    extra = {
        BESIDE: lambda: f" {names[int(state['play_kind'])]} or not" if state["play_kind"] != NOTHING else "",
        COUNTER: lambda: f" {names[int(state['reaction'])]}",
        DISCARDS: lambda: f" up to {state['players']['discards'][seat]}",
        KEEPING: lambda: f" up to two cards ({int(state['kept'] != NOTHING)} so far)",
        SERVICE_COUNT: lambda: ": how many of the cards to draw",
        TACTIC_COUNT: lambda: f": how many of the cards to draw, beside {state['players']['services'][seat]} Service",
        ANSWER: lambda: " the ball",
    }.get(phase, lambda: "")
    return PHASES[phase] + extra()


def narrate(
    options: SweetSpotOptions,
    rules: np.ndarray,
    states: np.ndarray,
    action: int,
    outcomes: list[int],
    seat: int,
    names: Sequence[str],
) -> list[str]:
    """A decision, and what `seat` sees change up to the next one."""
    from tennis_envs.games.sweet_spot import GAME  # the game is made of this module

    cards = {kind: card.name for kind, card in kinds(edition_of(options.components)).items()}
    before, after = states[0], kernels(GAME, options.encoder).after(rules, states, action, outcomes)
    table = [*names, "the automa"]  # in solo mode, it sits in the second place
    return [
        f"{names[int(before['seat'])]}: {_action_text(rules[0], before, action, seat)}",
        *_turned_up(before, after, cards),
        *_point(options, before, after, table),
        *_drawn(rules[0], before, after, action, seat, cards, names),
        *_rally(before, after, cards, seat, table),
    ]


def _card_of(rules: np.void, action: int) -> int:
    """The kind of card that an action takes out of a hand, NOTHING if it takes none."""
    if DISCARD <= action < DISCARD + KINDS:
        return action - DISCARD
    if KEEP <= action < KEEP + KINDS:
        return action - KEEP
    of_moves = np.flatnonzero(rules["moves"] >> max(0, action - SERVE_ACTION) & 1)
    return int(of_moves[0]) if 0 <= action - SERVE_ACTION < FIRST_POWER and len(of_moves) else NOTHING


def _action_text(rules: np.void, state: np.void, action: int, seat: int) -> str:
    """A decision in words, without what only its player may know."""
    phase, name = int(state["phase"]), ACTIONS.name(action)
    if state["seat"] == seat:
        return name
    if phase in (SERVICE_COUNT, TACTIC_COUNT):
        return f"{PHASES[phase]} to draw"
    if phase == KEEPING and action != DONE:
        return "keep a card"
    if phase in (ANSWER, BESIDE) and rules["hidden"][_card_of(rules, action)] and _card_of(rules, action) != NOTHING:
        return f"{name.split()[0]} a hidden card"
    return name


def _turned_up(before: np.void, after: np.void, cards: dict[int, str]) -> list[str]:
    """R22. Cards that lay face down and have been turned up."""
    if not before["dark"] or (after["dark"] == before["dark"] and after["strokes"] == before["strokes"]):
        return []
    shown = [int(before[name]) for name, bit in (("hit_kind", DARK_RETURN), ("hit_beside", DARK_BESIDE)) if before["dark"] & bit]
    return ["turned up: " + ", ".join(cards[kind] for kind in shown)]


def _point(options: SweetSpotOptions, before: np.void, after: np.void, table: Sequence[str]) -> list[str]:
    """Who won the point, if one was won, and the score; and who serves the next round."""
    lines = []
    if after["lead"] != before["lead"]:
        team = 0 if after["lead"] > before["lead"] else 1
        team_names = table[team:4:2] if options.mode == "doubles" else [table[team]]
        lines.append(f"point to {' and '.join(team_names)}: {_score(options, after).split(' (')[0]}")
    elif (after["score"] != before["score"]) and before["server"] != NOTHING:
        lines.append(f"a point each: {_score(options, after).split(' (')[0]}")
    if after["server"] != before["server"]:
        lines.append(f"{table[int(after['server'])]} to serve this round")
    return lines


def _drawn(
    rules: np.void, before: np.void, after: np.void, action: int, seat: int, cards: dict[int, str], names: Sequence[str]
) -> list[str]:
    """R7. The cards that `seat` has drawn, and how many of each deck the others have."""
    lines = []
    for player, name in enumerate(names):
        had = _left(rules, before, action) if player == before["seat"] else before["players"]["hand"][player]
        has = after["players"]["hand"][player]
        if player == seat:
            new = _cards(np.maximum(0, has - had), cards)
        else:
            backs = [int(has[deck].sum() - had[deck].sum()) for deck in _DECK_SLICES]
            new = ", ".join(f"{n} {deck}" for n, deck in zip(backs, DECK_NAMES, strict=True) if n > 0)
        if new:
            lines.append(f"{name} drew {new}")
    return lines


def _left(rules: np.void, before: np.void, action: int) -> np.ndarray:
    """What an action leaves in the hand of its player."""
    hand, card = before["players"]["hand"][before["seat"]].copy(), _card_of(rules, action)
    if before["phase"] == KEEPING and (action == DONE or before["kept"] != NOTHING):
        hand[:] = 0
        for kept in (int(before["kept"]), card):
            if kept != NOTHING:
                hand[kept] += 1
    elif card != NOTHING:
        hand[card] -= 1
    return hand


def _rally(before: np.void, after: np.void, cards: dict[int, str], seat: int, table: Sequence[str]) -> list[str]:
    """The ball and what weighs on it, if that has changed."""
    lines = _ball(after, cards, seat, lambda player: table[player])
    return [] if lines == _ball(before, cards, seat, lambda player: table[player]) else lines
