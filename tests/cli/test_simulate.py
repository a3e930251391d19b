"""`pitboss simulate` prints hold beside theory, repeats for its seed, and refuses wrong numbers in one sentence."""

import json
import sys

import pytest

from pitboss.cli import _run
from pitboss.lab import simulate as simulation

pytestmark = pytest.mark.xdist_group("exact")
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def run(capsys: Capture, monkeypatch: Patch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "simulate", *arguments])
    status = _run()
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_table_with_hold_and_theory(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = run(capsys, monkeypatch, "dragon-poker", "--rounds", "600", "--seats", "2", "--seed", "7")
    assert (status, err) == (0, "")
    assert "600 rounds of 2 seats, seed 7" in out
    assert "theory" in out
    assert "drawdown" in out
    assert "Shifts of 250 rounds: 2" in out


def test_data_on_request_and_the_same_for_the_same_seed(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "400", "--seed", "3", "--json")
    status, out, _ = run(capsys, monkeypatch, *asked)
    again = run(capsys, monkeypatch, *asked)[1]
    data = json.loads(out)
    assert status == 0
    assert out == again
    assert [row["wager"] for row in data["wagers"]] == ["main", "three-card-bonus", "dragon-bet"]
    row = data["wagers"][1]
    assert row["staked"] == 40_000
    assert row["net"] == row["paid"] - row["staked"]
    assert row["theory"]["band"][0] < row["theory"]["net"] < row["theory"]["band"][1]
    assert sum(one["net"] for one in data["wagers"]) == -data["house"]["net"]


def test_a_paytable_may_be_set(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "400", "--json")
    plain = json.loads(run(capsys, monkeypatch, *asked)[1])
    other = json.loads(run(capsys, monkeypatch, *asked, "--set", "three-card-bonus=B")[1])
    assert plain["wagers"][0] == other["wagers"][0]
    assert plain["wagers"][1]["theory"]["ev"] != other["wagers"][1]["theory"]["ev"]


def test_an_interrupt_prints_what_was_reached(capsys: Capture, monkeypatch: Patch) -> None:
    add = simulation.Ledger.add

    def interrupted(self: simulation.Ledger, block: simulation.Block) -> None:
        if block.first >= 2_000:
            raise KeyboardInterrupt
        add(self, block)

    monkeypatch.setattr(simulation.Ledger, "add", interrupted)
    status, out, err = run(capsys, monkeypatch, "dragon-poker", "--rounds", "5000", "--json")
    assert status == 130
    assert json.loads(out)["rounds"] == 2_000
    assert err == "Stopped after 2,000 of 5,000 rounds.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("whist",),
        ("dragon-poker", "--rounds", "0"),
        ("dragon-poker", "--rounds", "-5"),
        ("dragon-poker", "--seats", "0"),
        ("dragon-poker", "--seats", "7"),
        ("colorado-holdem", "--seats", "8", "--set", "positions=7"),
        ("dragon-poker", "--seed", "-1"),
        ("dragon-poker", "--seed", str(1 << 64)),
        ("dragon-poker", "--workers", "0"),
        ("dragon-poker", "--set", "nonsense"),
        ("dragon-poker", "--set", "nonsense=1"),
        ("dragon-poker", "--set", "three-card-bonus=Z"),
        ("dragon-poker", "--rate", "meter=0.2"),
        ("ultimate-texas-holdem", "--rate", "meter=1"),
        ("ultimate-texas-holdem", "--rate", "meter=much"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = run(capsys, monkeypatch, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(".\n")
