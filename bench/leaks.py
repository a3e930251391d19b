"""What the leak test finds and how often it is wrong: honest decisions by the million, and power curves."""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pitboss.games.catalogue import game, game_names
from pitboss.lab.answer_lines import Lines
from pitboss.lab.planted_leaks import Player, evidence, simulated
from pitboss.lab.suspicions import Suspicions
from pitboss.rules.in_force import RulesInForce

ROUNDS = 1000  # of each honest player
LEVELS = (20, 100, 1000)  # evidence whose chance of ever being reached is at most one in this many
SKILLED = (Player(), Player(skill=3.0), Player(skill=1.0), Player(skill=0.0), Player(skill=4.0, habit=1.0))
USED = (1.0, 0.5, 0.25)  # the part of a cheat's rounds in which they use what they know
TRIALS, MOST_ROUNDS = 5, 2500
ALARM = 10_000
PICTURE = Path("docs/pictures/leak-power.svg")
COLORS = {
    "one dealer card": "#c9a24b",
    "one board card": "#8aa0b4",
    "all hidden cards": "#3fb27f",
    "a neighbor's hand": "#d0654f",
}


class Tested(NamedTuple):
    """What a run knows of one honest player: decisions made, and the highest evidence of each test of them."""

    player: int
    decisions: int
    peaks: tuple[float, ...]  # natural logarithms
    seed: int = 1


def honest(decisions: int, seed: int, kept: Path, first: int = 0) -> int:
    """Test players who see nothing until they have made this many decisions; return 1 if too many raise an alarm.

    A player's line is appended to `kept` when they are done, so a run that was stopped goes on where it was. A player's
    number and the seed decide all their cards, so a run on another machine can begin with the `first` player it lacks.
    """
    tested = [player for player in _kept(kept) if player.seed == seed and player.player >= first]
    every = {name: Lines(RulesInForce(game(name))) for name in game_names()}
    kept.parent.mkdir(parents=True, exist_ok=True)
    made = sum(player.decisions for player in tested)
    while made < decisions:
        tested.append(_honest_player(every, first + len(tested), seed))
        made += tested[-1].decisions
        with kept.open("a") as lines:
            lines.write(json.dumps(tested[-1]._asdict()) + "\n")
        if len(tested) % 20 == 0:
            print(json.dumps({"decisions": made, "tests": 2 * len(tested), "reached": _reached(tested)}), flush=True)
    reached, tests = _reached(tested), 2 * len(tested)
    print(json.dumps({"decisions": made, "tests": tests, "reached": reached}))
    too_many = [level for level in LEVELS if reached[level] > tests / level + 4 * math.sqrt(tests / level) + 1]
    print(f"Evidence was reached too often: {too_many}" if too_many else "No level was reached too often.")
    return int(bool(too_many))


def _kept(path: Path) -> Iterator[Tested]:
    whole, _, cut_off = (path.read_text() if path.exists() else "").rpartition("\n")
    yield from (Tested(**json.loads(line)) for line in whole.splitlines())
    if cut_off:  # a run that was killed while it wrote
        path.write_text(whole + "\n" if whole else "")


def _honest_player(every: dict[str, Lines], number: int, seed: int) -> Tested:
    name = game_names()[number % len(every)]
    player = SKILLED[number // len(every) % len(SKILLED)]
    played = list(simulated(every[name], player, ROUNDS, seed, first=number * ROUNDS))
    peaks = tuple(float(evidence(every[name], played, ROUNDS, of_pair=pair).max()) for pair in (False, True))
    return Tested(number, sum(len(answered.rounds) * len(answered.play.answers) for answered in played), peaks, seed)


def _reached(tested: list[Tested]) -> dict[int, int]:
    return {level: sum(peak >= math.log(level) for player in tested for peak in player.peaks) for level in LEVELS}


def leaks_of(lines: Lines) -> Iterator[tuple[str, Player, bool]]:
    """Yield the leaks of a game: a name, a cheat who uses it, and whether it is between two players."""
    slots = tuple(Suspicions(lines).hidden_slots(0))
    for place in dict.fromkeys(place for place, _ in slots):
        yield f"one {place} card", Player(sees=(next(slot for slot in slots if slot[0] == place),)), False
    yield "all hidden cards", Player(sees=slots), False
    yield "a neighbor's hand", Player(sees_neighbor=True), True


def rounds_needed(lines: Lines, player: Player, *, of_pair: bool, most: int) -> float | None:
    """Return the middle number of rounds, over a few trials, until the evidence is an alarm; None if it takes more."""
    found = []
    for trial in range(TRIALS):
        played = list(simulated(lines, player, most, 100 + trial))
        over = np.flatnonzero(evidence(lines, played, most, of_pair=of_pair) >= math.log(ALARM))
        found.append(over[0] + 1 if len(over) else math.inf)
    middle = float(np.median(found))
    return middle if math.isfinite(middle) else None


def power() -> int:
    """Measure how many rounds each leak takes, by how often it is used, and draw it."""
    rows = []
    for name in game_names():
        lines = Lines(RulesInForce(game(name)))
        for leak, player, of_pair in leaks_of(lines):
            for used in USED:
                seen = Player(sees=player.sees, sees_neighbor=player.sees_neighbor, uses=used)
                most = min(MOST_ROUNDS, int(500 / used**2))
                rounds = rounds_needed(lines, seen, of_pair=of_pair, most=most)
                rows.append({"game": name, "leak": leak, "used": used, "rounds": rounds, "most": most})
                print(json.dumps(rows[-1]), flush=True)
    draw(rows)
    return 0


def draw(rows: list[dict[str, object]]) -> None:
    """Draw the rounds needed against the part of rounds in which a leak is used, a panel a game."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    mpl.rcParams.update(
        {"svg.hashsalt": "leaks", "font.size": 8.5, "axes.spines.top": False, "axes.spines.right": False}
    )
    names = list(dict.fromkeys(str(row["game"]) for row in rows))
    figure, panels = plt.subplots(1, len(names), figsize=(11, 3.2), sharey=True, layout="constrained")
    for panel, name in zip(panels, names, strict=True):
        leaks = dict.fromkeys(str(row["leak"]) for row in rows if row["game"] == name)
        for leak in leaks:
            points = [(row["used"], row["rounds"]) for row in rows if (row["game"], row["leak"]) == (name, leak)]
            known = [(used, rounds) for used, rounds in points if rounds is not None]
            panel.plot(
                *zip(*known, strict=True), marker="o", markersize=3, color=COLORS[leak], label=leak
            ) if known else None
        panel.set(xscale="log", yscale="log", title=game(name).title, xlabel="part of rounds in which it is used")
        panel.set_xticks(USED, [f"{used:.0%}" for used in USED], minor=False)
        panel.minorticks_off()
        panel.legend(frameon=False, fontsize=7)
    panels[0].set_ylabel("rounds until the evidence is 10,000")
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("honest", "power"))
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first player to test, by number")
    parser.add_argument("--kept", type=Path, default=Path("build/honest.jsonl"), help="a stopped run goes on from here")
    asked = parser.parse_args()
    sys.exit(power() if asked.what == "power" else honest(asked.decisions, asked.seed, asked.kept, asked.first))
