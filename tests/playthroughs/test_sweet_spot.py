"""Sweet Spot's playthroughs together reach every kind of decision and the rules that random play seldom does."""

from pathlib import Path

from tennis_envs.games.sweet_spot.state import NO_FORCE, PHASES
from tennis_envs.testing import playthrough

FILES = playthrough.files(Path(__file__).parent / "sweet_spot")


def test_what_the_playthroughs_reach():
    taken, phases, reached = set(), set(), set()
    for path in FILES:
        taken |= {name.split(" ")[0] for name in playthrough.actions_taken(path)}
        before = None
        for match in playthrough.replay(path):
            state = match.state
            phases.add(PHASES[state["phase"]])
            points = state["score"]["points"]
            if points.min() == 3:
                reached.add("sudden death")
            if state["fault"]:
                reached.add("double fault")
            if state["score"]["games"].min() == 1:
                reached.add("third round")
            if state["dark"]:
                reached.add("hidden card")
            if state["force"] != NO_FORCE:
                reached.add("forced return")
            if state["wins"]:
                reached.add("Shank to be answered")
            if state["tax"] or state["bars"]:
                reached.add("tax or bar")
            if state["players"]["free"].any():
                reached.add("free rally")
            if match.options.mode == "doubles" and PHASES[state["phase"]] == "answer" and state["stage"] == 0:
                reached.add("asked to cut in")
            if before is not None and state["open"][22:].sum() < before[22:].sum():
                reached.add("pile rebuilt")
            before = state["open"].copy()
    assert reached == {
        "sudden death", "double fault", "third round", "hidden card", "forced return", "Shank to be answered", "tax or bar",
        "free rally", "asked to cut in", "pile rebuilt",
    }  # fmt: skip
    assert phases == set(PHASES)
    assert taken == {
        "serve", "receive", "leave", "alone", "let", "done", "avatar", "server", "play", "add", "react", "use", "power",
        "discard", "keep", "services", "tactics",
    }  # fmt: skip
