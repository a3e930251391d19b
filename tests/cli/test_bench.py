"""`pitboss bench` measures what it says, names what it compares with, and works without missing peers."""

import json
import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pitboss.cards import SeededShuffle
from pitboss.cards.poker import best as best_of_seven
from pitboss.cli import _run, bench
from pitboss.cli.bench import commands, forgetting, peers, playing, ranking, solving
from pitboss.cli.bench.measure import Effort, Measure, best
from pitboss.cli.bench.peers import PACKAGES, Ranker
from pitboss.games.catalogue import game, game_names
from pitboss.lab.exact_counts import NotAnalysed
from pitboss.lab.played import NotPlayed
from pitboss.round.events import RoundClosed, WagersSettled
from pitboss.round.finished import settle_hand
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch
MOMENT = Effort(seconds=0.01, hands=2_000, peer_hands=200, lines=10, repeats=1, everything=False)
SLOW, STANDARD = "dragon-poker", "colorado-holdem"
STRANGER = Ranker("stranger", tuple, best_of_seven, best_is_highest=True)


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: Patch) -> None:
    monkeypatch.setattr(bench, "QUICK", MOMENT)


def run(capsys: Capture, monkeypatch: Patch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "bench", *arguments])
    status = _run()
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def without_peers(monkeypatch: Patch) -> None:
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, None)


def only(monkeypatch: Patch, module: Any, *names: str) -> None:
    monkeypatch.setattr(module, "game_names", lambda: names)


def refuse(error: type[Exception]) -> Any:
    def raised(*given: object, **named: object) -> None:
        raise error

    return raised


def test_data_names_the_machine_the_versions_and_every_figure(capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr(ranking, "rankers", lambda: (STRANGER,))
    status, out, err = run(capsys, monkeypatch, "evaluator", "--quick", "--json")
    data = json.loads(out)
    assert (status, err, data["quick"]) == (0, "", True)
    assert data["machine"]["processor"]
    assert data["machine"]["cores"] >= 1
    assert {"python", "pitboss", "numpy", "numba"} <= set(data["versions"])
    first = data["measures"][0]
    assert (first["part"], first["unit"], first["beside"]) == ("evaluator", "hands/s", "stranger, hand by hand")
    assert first["ratio"] == first["figure"] / first["theirs"] > 1


def test_a_table_for_people(capsys: Capture, monkeypatch: Patch) -> None:
    without_peers(monkeypatch)
    status, out, err = run(capsys, monkeypatch, "evaluator", "--quick")
    assert (status, err) == (0, "")
    assert "seven cards" in out
    assert "Not installed, so not compared: phevaluator, eval7, treys, pokerkit. " in out
    assert "Install with `pip install 'pitboss[bench]'`." in out


def test_peers_that_are_missing_are_named_and_nothing_fails(capsys: Capture, monkeypatch: Patch) -> None:
    without_peers(monkeypatch)
    for module in (solving, playing, commands):
        only(monkeypatch, module, STANDARD)
    status, out, _ = run(capsys, monkeypatch, "--quick", "--json")
    data = json.loads(out)
    assert status == 0
    assert [row["package"] for row in data["missing"]] == list(PACKAGES)
    assert {row["install"] for row in data["missing"]} == {"pip install 'pitboss[bench]'"}
    assert list(dict.fromkeys(measure["part"] for measure in data["measures"])) == list(bench.PARTS)
    assert all(measure["figure"] > 0 for measure in data["measures"])
    beside = {measure["beside"] for measure in data["measures"]} - {None}
    assert beside == {"pitboss in plain Python", "python -c pass"}


def test_an_unknown_part_is_reported_in_a_sentence(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = run(capsys, monkeypatch, "evaluator", "luck")
    assert (status, out) == (2, "")
    assert err.startswith("There is no benchmark called 'luck'. Choose one of: evaluator, exact,")
    assert err.endswith(".\n")


def test_a_library_that_ranks_differently_is_not_measured(capsys: Capture, monkeypatch: Patch) -> None:
    upside_down = Ranker("upside-down", tuple, best_of_seven, best_is_highest=False)
    monkeypatch.setattr(ranking, "rankers", lambda: (upside_down,))
    status, out, err = run(capsys, monkeypatch, "evaluator", "--quick")
    assert (status, out) == (1, "")
    assert err == "upside-down ranks these hands in a different order than Pitboss does, so they cannot be compared.\n"


def test_a_library_that_distinguishes_fewer_hands_is_not_measured() -> None:
    hands = [SeededShuffle(at).order(game(STANDARD).deck)[:7] for at in range(300)]
    values = [best_of_seven(hand) for hand in hands]
    ranking._agrees(STRANGER, hands, values)
    with pytest.raises(ranking.Disagreement, match="coarse ranks"):
        ranking._agrees(Ranker("coarse", tuple, lambda hand: best_of_seven(hand) >> 4, True), hands, values)


@pytest.mark.skipif(find_spec("treys") is None or find_spec("eval7") is None, reason="the bench extra brings them")
def test_real_peers_rank_as_we_do(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, _ = run(capsys, monkeypatch, "evaluator", "--quick", "--json")
    assert status == 0
    named = [measure["beside"] for measure in json.loads(out)["measures"]]
    assert {"eval7, hand by hand", "treys, hand by hand"} <= set(named)


@pytest.mark.skipif(find_spec("pokerkit") is None, reason="the bench extra brings it")
def test_rounds_are_compared_with_pokerkit(monkeypatch: Patch) -> None:
    only(monkeypatch, playing, SLOW)
    (played,) = playing.rounds(MOMENT)
    assert played.theirs is not None
    assert played.theirs > 0
    assert played.beside == "PokerKit, hands of 6 players"


def test_solving_is_compared_with_ranking_where_the_cards_are_the_same(monkeypatch: Patch) -> None:
    only(monkeypatch, solving, STANDARD, SLOW)
    slower = Ranker("slower", tuple, lambda hand: max(best_of_seven(hand) for _ in range(50)), best_is_highest=True)
    monkeypatch.setattr(solving, "rankers", lambda: (slower, STRANGER))
    first, second, *others = solving.exact(MOMENT)
    assert [other.what.partition(": ")[2] for other in others] == 2 * [
        "side wager priced again",
        "actions evaluated",
    ]
    assert all(0 < other.figure < 5 for other in others)
    assert first.beside == "stranger, 4e+08 hands ranked"
    assert first.unit == "CPU s"
    assert first.theirs is not None
    assert first.ratio == first.theirs / first.figure
    assert second.beside is None


def test_at_length_every_wager_is_priced_from_nothing(monkeypatch: Patch) -> None:
    only(monkeypatch, solving, SLOW)
    without_peers(monkeypatch)
    first, second, *_ = solving.exact(replace(MOMENT, everything=True))
    assert first.what == "every wager and paytable of all games, from scratch"
    assert first.figure > 0
    assert second.unit == "MB"
    assert 10 < second.figure < 1500


def test_a_process_that_remembers_nothing_reports_what_it_took(capsys: Capture, monkeypatch: Patch) -> None:
    for what, outcomes in ((forgetting.MAIN_GAME, 459_149_600), (forgetting.EVERYTHING, 0)):
        monkeypatch.setattr(sys, "argv", ["-c", what, SLOW])
        forgetting.report()
        told = json.loads(capsys.readouterr().out)
        assert told["outcomes"] == outcomes
        assert told["seconds"] > 0
        assert told["peak_megabytes"] > 10
    monkeypatch.setitem(sys.modules, "resource", None)
    assert forgetting._peak_megabytes() is None


def test_kernels_are_shared_and_all_else_is_forgotten(tmp_path: Path, monkeypatch: Patch) -> None:
    kept, fresh = tmp_path / "kernels-1", tmp_path / "fresh"
    for folder in (kept, fresh / "counts-1"):
        folder.mkdir(parents=True)
        (folder / "file").touch()
    forgetting._share(kept, fresh / "kernels-1")
    monkeypatch.setattr(Path, "symlink_to", refuse(OSError))
    forgetting._share(kept, fresh / "kernels-2")
    forgetting._forget(fresh)
    assert sorted(path.name for path in fresh.iterdir()) == ["kernels-1", "kernels-2"]
    assert (fresh / "kernels-1").is_symlink()
    assert not (fresh / "kernels-2").is_symlink()
    assert (fresh / "kernels-2" / "file").exists()


def test_games_that_cannot_be_solved_or_played_are_left_out(monkeypatch: Patch) -> None:
    monkeypatch.setattr("pitboss.lab.exact_counts.exact_of", refuse(NotAnalysed))
    monkeypatch.setattr("pitboss.lab.simulate.simulate", refuse(NotPlayed))
    without_peers(monkeypatch)
    assert list(solving.exact(MOMENT)) == []
    assert list(solving.simulation(MOMENT)) == []


@pytest.mark.parametrize("name", game_names())
def test_the_rounds_measured_are_whole(name: str) -> None:
    rules = RulesInForce(game(name))
    events = playing.play_round(rules, SeededShuffle(3).order(rules.game.deck), lambda many: many - 1)
    settled = {event.seat for event in events if isinstance(event, WagersSettled)}
    assert settled == set(range(1, playing.seats_of(rules) + 1))
    assert isinstance(events[-1], RoundClosed)


@pytest.mark.parametrize("name", game_names())
def test_the_hands_settled_are_lawful(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    commands.write_hands(path, game(name), 40, 6)
    rules = RulesInForce(game(name))
    hands = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(hands) == 40
    for hand in hands:
        result = settle_hand(rules, hand)
        assert isinstance(result, dict), result
        assert len(result["seats"]) == 6


def test_where_a_process_is_not_counted_its_commands_are_not_measured(monkeypatch: Patch) -> None:
    monkeypatch.delattr(os, "wait4")
    assert list(commands.start(MOMENT)) == []
    assert list(commands.settle(MOMENT)) == []


def test_a_ratio_above_one_is_in_our_favor() -> None:
    assert Measure("", "", 6.0, "hands/s", "them", 2.0).ratio == 3
    assert Measure("", "", 2.0, "CPU s", "them", 6.0).ratio == 3
    assert Measure("", "", 2.0, "CPU s").ratio is None


def test_the_best_of_runs_taken_in_turns_is_kept() -> None:
    order: list[str] = []

    def figures(name: str, values: list[float]) -> Any:
        found = iter(values)

        def measured() -> float:
            order.append(name)
            return next(found)

        return measured

    assert best((figures("a", [1, 3, 2]), figures("b", [9, 7, 8])), 3) == [3, 9]
    assert order == ["a", "b"] * 3


def test_figures_keep_the_digits_that_count() -> None:
    assert [bench.number(value) for value in (1234567.8, 123.4, 12.34, 1.234, 0.1234)] == [
        "1,234,568",
        "123",
        "12.3",
        "1.23",
        "0.123",
    ]


def test_pokerkit_missing_has_no_rate(monkeypatch: Patch) -> None:
    without_peers(monkeypatch)
    assert peers.player_hands_per_second(MOMENT) is None
    assert peers.rankers() == ()
