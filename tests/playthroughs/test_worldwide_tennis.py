"""Worldwide Tennis's playthroughs together reach every kind of decision and the rules that random play seldom does."""

from pathlib import Path

from tennis_envs.games.worldwide_tennis.actions import ACTIONS
from tennis_envs.games.worldwide_tennis.state import LOB, NET, NO_CARD, OVER, REACH, SMASH, STROKES
from tennis_envs.testing import playthrough

FILES = playthrough.files(Path(__file__).parent / "worldwide_tennis")


def test_the_playthroughs_reach_every_kind_of_decision_and_the_rare_rules():
    taken, phases, reached = set(), set(), set()
    for path in FILES:
        taken |= {name.split(" ")[0] for name in playthrough.actions_taken(path)}
        decks = {}
        for match in playthrough.replay(path):
            state, score = match.state, match.state["score"]
            phases.add(int(state["phase"]))
            decks.setdefault("kind", match.rules["deck"]["kind"])
            solo = match.options.mode == "solo"
            striker = int(state["striker"])
            if score["tiebreak"] and match.options.format != "tiebreak":
                reached.add("tie-break at six all")
            if (state["zone"] == NET).all():
                reached.add("both at the net")
            if state["drawn_in"]:
                reached.add("free start zone")
            if state["ball"] != NO_CARD and state["ball"] < STROKES:
                kind = decks["kind"][1 - striker, state["ball"]]
                if state["phase"] == REACH and kind == LOB:
                    reached.add("lob over the net player")
                if kind == SMASH:
                    reached.add("smash")
            if solo and state["penalty"] > 0:
                reached.add("penalty of the virtual opponent")
            if state["tokens"].min() < 2 and match.options.challenges and not solo:
                reached.add("challenge lost")
            if score["sets"].sum() > 0 and not match.over:
                reached.add("second set")
    assert phases == set(range(OVER + 1))
    assert {name.split(" ")[0] for name in ACTIONS.names} <= taken
    assert reached >= {
        "free start zone", "lob over the net player", "penalty of the virtual opponent",
        "challenge lost", "second set",
    }  # fmt: skip
