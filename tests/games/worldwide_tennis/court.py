"""Positions for the tests: a match whose hands, cards and dice are what the test says."""

from __future__ import annotations

from collections.abc import Sequence

from tennis_envs import Match
from tennis_envs.games.worldwide_tennis.components import RISKS, SPINS, STROKES, ZONES
from tennis_envs.games.worldwide_tennis.state import PHASES, see

FOREHAND_RALLY, FOREHAND_CROSS, BACKHAND_RALLY, ATTACK, WINNER, DROP_SHOT, PASSING, LOB, VOLLEY, DROP_VOLLEY, SMASH = (
    1, 9, 13, 25, 33, 35, 40, 46, 48, 58, 60,
)  # fmt: skip


PLACES = ("in_deck", "hidden", "shown", "on_table", "discarded")


def cards(numbers: Sequence[int]) -> int:
    """The set of the cards with these numbers."""
    return sum(1 << (number - 1) for number in numbers)


def put(m: Match, seat: int, place: str, numbers: Sequence[int]) -> None:
    """Bring cards of a seat to a place, wherever they are."""
    for name in PLACES:
        m.state[name][seat] &= ~cards(numbers)
    m.state[place][seat] |= cards(numbers)


def match(seed: int = 0, **options) -> Match:
    """A match that seat 0 begins to serve, on hard court."""
    m = Match("worldwide_tennis", seed=seed, **{"first_server": "player_0", **options})
    m._rule_by(m._rules.copy())  # a test may print its own cards
    return m


def dry_match(seed: int = 0, **options) -> Match:
    """The same with cards that draw nothing, so that the end of a point needs no chance."""
    m = match(seed, **options)
    m.rules["deck"]["draw"][:] = 0
    return m


def dice(*faces: int) -> list[int]:
    """A tape of dice rolls by what they show."""
    return [face - 1 for face in faces]


def hold(m: Match, seat: int, numbers: Sequence[int], discards: Sequence[int] = ()) -> None:
    """Give a seat exactly these cards, and these discards; the rest is its deck."""
    put(m, seat, "in_deck", [number for place in PLACES for number in pile(m, seat, place)])
    put(m, seat, "hidden", numbers)
    put(m, seat, "discarded", discards)
    m.refresh()


def card(m: Match, seat: int, number: int, **values) -> None:
    """Overwrite values of a card: difficulty, adds, risk, spin, stars, draw, targets, start, ace."""
    deck = m.rules.deck[seat]
    if "ace" in values:
        deck["ace"][number - 61] = values.pop("ace")
    if "risk" in values:
        deck["risk"][number - 1] = RISKS.index(values.pop("risk"))
    if "spin" in values:
        deck["spin"][number - 1] = SPINS.index(values.pop("spin"))
    if "adds" in values:
        deck["adds"][:, number - 1] = values.pop("adds")
    if "targets" in values:
        names = values.pop("targets")
        targets = [zone in names for zone in ZONES]
        deck["targets"][number - 1], deck["target"][number - 1], deck["aims"][number - 1] = (
            targets, targets.index(True), sum(targets) > 1,
        )  # fmt: skip
    if "start" in values:
        start = values.pop("start")
        for i, zone in enumerate(ZONES):
            deck["playable"][i] = [
                fits | cards([number]) if zone in start else fits & ~cards([number]) for fits in deck["playable"][i]
            ]
    for name, value in values.items():
        deck[name][number - 1] = value
    see(deck)


def facing(
    m: Match,
    ball: int,
    hand: Sequence[int],
    *,
    striker: int = 0,
    zone: str = "forehand",
    lands: str | None = None,
    their_zone: str = "neutral",
    spin: str = "none",
    drawn_in: bool = False,
    effort: int = 0,
) -> None:
    """Let `striker`, holding `hand`, stand before a stroke at `ball`, the opponent's card of that number."""
    state = m.state
    hold(m, striker, hand)
    state["striker"] = state["seat"] = striker
    state["zone"][striker], state["zone"][1 - striker] = ZONES.index(zone), ZONES.index(their_zone)
    state["ball"], state["ball_spin"], state["ball_zone"] = ball - 1, SPINS.index(spin), ZONES.index(lands or zone)
    state["card"], state["drawn_in"], state["effort"] = -1, drawn_in, effort
    state["phase"] = PHASES.index("stroke")
    m.refresh()


def phase(m: Match) -> str:
    """What is decided now."""
    return PHASES[m.state["phase"]]


def zone(m: Match, seat: int) -> str:
    """Where a seat stands."""
    return ZONES[m.state["zone"][seat]]


def hand(m: Match, seat: int) -> list[int]:
    """The numbers of the cards in a seat's hand."""
    return sorted(pile(m, seat, "hidden") + pile(m, seat, "shown"))


def pile(m: Match, seat: int, place: str) -> list[int]:
    """The numbers of a seat's cards in a place."""
    return [number for number in range(1, STROKES + 1) if int(m.state[place][seat]) & cards([number])]


def fits(m: Match, seat: int, number: int, stands: str) -> bool:
    """Whether a card is played from a zone, the opponent at the back."""
    return bool(int(m.rules["deck"][seat]["playable"][ZONES.index(stands), 0]) & cards([number]))


def legal(m: Match) -> list[str]:
    """The legal actions by name."""
    return [m.action_name(action) for action in m.legal_actions()]


def play(m: Match, *actions: str, tape: Sequence[int] | None = None) -> None:
    """Take actions; with `tape`, chance answers by it to the last outcome, and is random afterwards."""
    if tape is None:
        for action in actions:
            m.apply(action)
        return
    m.tape = list(tape)
    for action in actions:
        m.apply(action)
    assert m.tape == [], "the tape holds more than was asked for"
    m.tape = None


def result(m: Match, action: str, die: int | None = None) -> str:
    """What an action with one d20 (or none) brings the striker of a dry match: "won", "lost", "fault" or "on"."""
    future = m.clone()
    striker, lead, fault = int(m.state["striker"]), int(m.state["lead"]), int(m.state["fault"])
    future.tape = [] if die is None else dice(die)
    future.apply(action)
    assert future.tape == [], "the action did not roll"
    change = (int(future.state["lead"]) - lead) * (1 if striker == 0 else -1)
    if change:
        return "won" if change > 0 else "lost"
    return "fault" if future.state["fault"] != fault else "on"


def successes(m: Match, action: str) -> list[int]:
    """The rolls with which an action does not miss."""
    return [die for die in range(1, 21) if result(m, action, die) in ("won", "on")]


def rolls(m: Match, action: str) -> bool:
    """Whether an action asks for a d20."""
    return len(m.chance_events(action)) == 20


def serve_in(m: Match, serve: int = 61, then: str = "stay") -> None:
    """Serve without spin or stars, with a 14 on the die."""
    actions = [f"serve {serve}"]
    if m.options.spin:
        actions.append("spin none")
    if m.options.stars and m.state["stars"][m.seat]:
        actions.append("stars 0")
    play(m, *actions, tape=dice(14))
    if phase(m) == "position":
        play(m, then)
