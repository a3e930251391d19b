"""Benchmarks of commands as a user runs them, each in its own process: start time, speed and memory of settling."""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card, face
from pitboss.cli.bench.measure import Effort, Measure
from pitboss.cli.bench.peers import BESIDE, player_hands_per_second
from pitboss.cli.bench.playing import seats_of, stakes
from pitboss.games import game, game_names
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED

PITBOSS = ("-c", "from pitboss.cli import main; main()")
NOTHING = ("-c", "pass")
DIFFERENT_HANDS = 1000
STARTS = 7


class Spent(NamedTuple):
    """The resources a command used."""

    seconds: float
    peak_kilobytes: int


def start(effort: Effort) -> Iterator[Measure]:
    """Measure the start time of commands that must feel instant, compared with Python doing nothing."""
    if not hasattr(os, "wait4"):  # there is no count of what another process uses
        return
    theirs = _least(NOTHING, effort)
    for name in ("--help", "games"):
        ours = _least((*PITBOSS, name), effort)
        yield Measure("start", f"pitboss {name}", ours, "CPU s", "python -c pass", theirs)


def settle(effort: Effort) -> Iterator[Measure]:
    """Measure `pitboss settle --json` over a file of hands of each game."""
    if not hasattr(os, "wait4"):
        return
    theirs = player_hands_per_second(effort)
    beside = BESIDE if theirs else None
    for name in game_names():
        definition = game(name)
        seats = seats_of(RulesInForce(definition))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hands.jsonl"
            write_hands(path, definition, effort.lines, seats)
            took = run((*PITBOSS, "settle", str(path), "--json"))
        what = f"{definition.title}: lines of {seats} seats"
        yield Measure("settle", what, effort.lines * seats / took.seconds, "seats/s", beside, theirs)


def run(arguments: Sequence[str]) -> Spent:
    """Run Python with these arguments, discard its output, and return the resources it used."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{arguments} ended with {process.returncode}"
    return Spent(used.ru_utime + used.ru_stime, used.ru_maxrss)


def write_hands(path: Path, game: GameDefinition, lines: int, seats: int) -> None:
    """Write random hands of a game as JSON Lines, repeating a thousand different ones."""
    shuffle, chance = SeededShuffle(5), random.Random(6)
    rules = RulesInForce(game)
    different = min(lines, DIFFERENT_HANDS)
    written = [json.dumps(_hand(rules, shuffle.order(game.deck), chance, seats)) + "\n" for _ in range(different)]
    with path.open("w", encoding="utf-8") as file:
        for index in range(lines):
            file.write(written[index % different])


def _hand(rules: RulesInForce, order: Sequence[Card], chance: random.Random, seats: int) -> dict[str, Any]:
    cards = iter(map(face, order))
    hand: dict[str, Any] = {"game": rules.game.name, "seats": []}
    for seat in range(1, seats + 1):
        held = [next(cards) for _ in range(rules.game.cards_each)]
        row = {"seat": seat, "cards": held, "wagers": stakes(rules.game), "actions": _actions(rules, held, chance)}
        hand["seats"].append(row)
    for place, count in rules.game.table_cards.items():
        if place not in rules.optional_places:
            hand[place] = [next(cards) for _ in range(count)]
    return hand


def _actions(rules: RulesInForce, held: Sequence[str], chance: random.Random) -> list[str]:
    found: list[str] = []
    for ask in rules.asks:
        action = chance.choice(list(rules.actions[ask.name].values()))
        found += [action.name, f"discard {held[0]}"] if action.discards else [action.name]
        if action.becomes != UNDECIDED:
            break
    return found


def _least(arguments: Sequence[str], effort: Effort) -> float:
    return min(run(arguments).seconds for _ in range(STARTS if effort.repeats > 1 else 1))
