"""`pitboss simulate` prints hold next to theory, repeats for a seed, and refuses wrong numbers in one sentence."""

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli import _run
from pitboss.games import game, game_names
from pitboss.lab import simulate as simulation
from pitboss.lab.block_sums import Ledger
from pitboss.lab.blocks import Block
from pitboss.rules.payoff import dollars, signed

pytestmark = [pytest.mark.xdist_group("exact"), pytest.mark.slow]
EXAMPLES = Path(__file__).parents[2] / "examples"
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def run(capsys: Capture, monkeypatch: Patch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "simulate", *arguments])
    status = _run()
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_table_with_hold_theory_runs_and_shifts(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "600", "--seats", "2", "--seed", "7")
    status, out, err = run(capsys, monkeypatch, *asked)
    assert (status, err) == (0, "")
    assert "600 rounds of 2 seats, seed 7, strategy optimal" in out
    assert "theory" in out
    assert "Shifts of 250 rounds: 2" in out
    data = json.loads(run(capsys, monkeypatch, *asked, "--json")[1])
    house, seat = data["house"], data["seat"]
    first, last = house["drawdown_rounds"]
    assert f"{dollars(house['drawdown'])}, rounds {first:,} to {last:,}" in out
    longest = seat["longest_losing"]
    assert f"{longest['rounds']} rounds, ending in round {longest['last_round']}, seat {longest['seat']}" in out
    assert f"{signed(house['worst_round'])} and {signed(house['best_round'])}" in out
    assert data["shifts"]["count"] == 2
    assert "95% range" in out


def test_lines_on_request_with_a_test_of_fit(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "2000", "--seed", "7")
    out = run(capsys, monkeypatch, *asked, "--lines")[1]
    assert "Chi-square" in out
    assert "pair of dragons" in out
    rows = json.loads(run(capsys, monkeypatch, *asked, "--json")[1])["wagers"]
    for row in rows[1:]:
        assert sum(line["hands"] for line in row["lines"]) == 2000
        assert sum(Fraction(line["chance"]) for line in row["lines"]) == 1
        assert 1e-6 < row["fit"]["p"] <= 1


def test_shifts_are_as_long_as_asked(capsys: Capture, monkeypatch: Patch) -> None:
    out = run(capsys, monkeypatch, "dragon-poker", "--rounds", "600", "--shift", "100", "--json")[1]
    shifts = json.loads(out)["shifts"]
    assert (shifts["rounds"], shifts["count"]) == (100, 6)


def test_a_named_strategy_has_its_own_theory_or_none(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("colorado-holdem", "--rounds", "300", "--strategy")
    basic = json.loads(run(capsys, monkeypatch, *asked, "basic", "--json")[1])
    optimal = json.loads(run(capsys, monkeypatch, *asked, "optimal", "--json")[1])
    assert basic["strategy"] == "basic"
    assert Fraction(basic["wagers"][0]["theory"]["ev"]) < Fraction(optimal["wagers"][0]["theory"]["ev"])
    assert basic["wagers"][0]["theory"]["variance"] is None
    assert basic["wagers"][1]["theory"] is None
    assert optimal["wagers"][1]["theory"] is not None
    assert "no exact value is known" in run(capsys, monkeypatch, *asked, "basic")[1]


def test_strategies_are_listed(capsys: Capture, monkeypatch: Patch) -> None:
    status, out, _ = run(capsys, monkeypatch, "dragon-poker", "--strategy", "list")
    assert status == 0
    assert "always-play" in out
    data = json.loads(run(capsys, monkeypatch, "dragon-poker", "--strategy", "list", "--json")[1])
    assert [row["strategy"] for row in data] == ["optimal", "basic", "pairs-only", "always-play"]
    assert "`list` prints" in run(capsys, monkeypatch, "dragon-poker", "--help")[1]


def test_a_submission_sets_stakes_paytables_and_meters(capsys: Capture, monkeypatch: Patch) -> None:
    file = str(EXAMPLES / "dragon-poker-progressive.toml")
    asked = ("dragon-poker", "--rounds", "3000", "--seats", "3", "--submission", file, "--json")
    data = json.loads(run(capsys, monkeypatch, *asked)[1])
    assert data["stakes"] == {"ante": 1000, "ante-bonus": 1000, "three-card-bonus": 1000, "progressive": 100}
    (meter,) = data["meter_runs"]
    assert (meter["began"], meter["reset"]) == (500_000, 250_000)
    assert Fraction(meter["contributed"]) == Fraction("0.25") * 100 * 3 * 3000
    refilled = 250_000 * meter["hits"]
    assert Fraction(meter["shows"]) == 500_000 + Fraction(meter["contributed"]) + refilled - meter["paid"]
    assert meter["hits"] == len(data["meters_paid"])
    assert all(row["theory"] for row in data["wagers"])
    # What is typed goes before what the file says.
    changed = json.loads(run(capsys, monkeypatch, *asked, "--rate", "meter=0", "--meter", "meter=900000")[1])
    assert (changed["meter_runs"][0]["began"], changed["meter_runs"][0]["growth"]) == (900_000, "0")


def test_a_submission_of_several_tables_asks_for_one(capsys: Capture, monkeypatch: Patch) -> None:
    file = str(EXAMPLES / "ultimate-texas-holdem.toml")
    asked = ("ultimate-texas-holdem", "--rounds", "50", "--submission", file)
    status, _, err = run(capsys, monkeypatch, *asked)
    assert (status, err.count("\n")) == (2, 1)
    assert "--table" in err


def test_a_stake_brings_those_that_equal_it_and_may_reach_the_limit(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "200", "--json", "--stake", "ante=2500")
    data = json.loads(run(capsys, monkeypatch, *asked)[1])
    assert data["stakes"]["ante"] == data["stakes"]["ante-bonus"] == 2500
    assert data["wagers"][0]["stake"] == 2500
    limited = ("colorado-holdem", "--rounds", "50", "--json", "--set", "payout-limit=5000000", "--stake", "ante=100000")
    cut, free = (json.loads(run(capsys, monkeypatch, *item)[1]) for item in (limited, (*limited[:4], *limited[6:])))
    assert Fraction(cut["wagers"][0]["theory"]["ev"]) < Fraction(free["wagers"][0]["theory"]["ev"])


def test_workers_give_the_same(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "2500", "--seats", "2", "--json")
    assert run(capsys, monkeypatch, *asked)[1] == run(capsys, monkeypatch, *asked, "--workers", "2")[1]


# A terminal interrupts the whole group of processes; here the account does it, in the midst of adding up a block.
INTERRUPTED = """
import os, signal
from pitboss.cli import main
from pitboss.lab.block_sums import Ledger

def interrupted(self, block, add=Ledger.add, once=[True]):
    # Blocks of two workers come in any order; some must have been folded before there is anything to print.
    if self.rounds >= 3000 and once:
        once.clear()
        os.killpg(0, signal.SIGINT)
    add(self, block)

Ledger.add = interrupted
main()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_control_c_in_a_real_process_prints_what_was_reached(workers: str) -> None:
    asked = ("simulate", "dragon-poker", "--rounds", "100000000", "--json", "--workers", workers)
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *asked],
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 130, ended.stderr
    data = json.loads(ended.stdout)
    assert 0 < data["rounds"] < data["asked"]
    assert ended.stderr == f"Stopped after {data['rounds']:,} of 100,000,000 rounds.\n"


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
    assert sum(wager["net"] for wager in data["wagers"]) == -data["house"]["net"]


def test_a_paytable_may_be_set(capsys: Capture, monkeypatch: Patch) -> None:
    asked = ("dragon-poker", "--rounds", "400", "--json")
    plain = json.loads(run(capsys, monkeypatch, *asked)[1])
    other = json.loads(run(capsys, monkeypatch, *asked, "--set", "three-card-bonus=B")[1])
    assert plain["wagers"][0] == other["wagers"][0]
    assert plain["wagers"][1]["theory"]["ev"] != other["wagers"][1]["theory"]["ev"]


def test_an_interrupt_prints_what_was_reached(capsys: Capture, monkeypatch: Patch) -> None:
    add = Ledger.add

    def interrupted(self: Ledger, block: Block) -> None:
        if block.first >= 100_000:
            raise KeyboardInterrupt
        add(self, block)

    monkeypatch.setattr(Ledger, "add", interrupted)
    status, out, err = run(capsys, monkeypatch, "dragon-poker", "--rounds", "250000", "--json")
    assert status == 130
    assert json.loads(out)["rounds"] == 100_000
    assert err == "Stopped after 100,000 of 250,000 rounds.\n"


def test_an_interrupt_before_the_first_block_is_reported(capsys: Capture, monkeypatch: Patch) -> None:
    def interrupted(self: Ledger, block: Block) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "add", interrupted)
    ended = run(capsys, monkeypatch, "dragon-poker", "--rounds", "5000", "--json")
    assert ended == (130, "", "Stopped before any round was finished.\n")


def test_a_second_interrupt_does_not_say_that_nothing_was_played(capsys: Capture, monkeypatch: Patch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "result_of", interrupted)
    ended = run(capsys, monkeypatch, "dragon-poker", "--rounds", "100")
    assert ended == (130, "", "Stopped before the results were ready.\n")


@pytest.mark.parametrize("name", game_names())
def test_too_many_seats_name_the_option_that_brings_more(name: str, capsys: Capture, monkeypatch: Patch) -> None:
    definition = game(name)
    option = definition.positions.count_option
    least = {option: min(definition.options_by_name[option].values, key=int)} if option else {}
    given = [part for key, value in least.items() for part in ("--set", f"{key}={value}")]
    status, _, err = run(capsys, monkeypatch, name, "--seats", "99", *given)
    assert status == 2
    assert ("--set" in err) == (option is not None)
    if option is not None:
        most = max(definition.options_by_name[option].values, key=int)
        assert f"--set {option}={most} allows {most}." in err
        asked = (name, "--seats", "99", "--set", f"{option}={most}")
        assert run(capsys, monkeypatch, *asked)[2] == f"--seats must be from 1 to {most}.\n"


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
        ("dragon-poker", "--rounds", str(10**13)),
        ("dragon-poker", "--shift", "0"),
        ("dragon-poker", "--workers", "2", "--cluster", "tcp://127.0.0.1:8786"),
        ("dragon-poker", "--cluster", "nowhere"),
        ("dragon-poker", "--cluster", "tcp://127.0.0.1:99999"),
        ("dragon-poker", "--strategy", "reckless"),
        ("dragon-poker", "--table", "Dragon 1"),
        ("dragon-poker", "--stake", "ante"),
        ("dragon-poker", "--stake", "ante=-5"),
        ("dragon-poker", "--stake", "ante=100", "--stake", "ante-bonus=200"),
        ("dragon-poker", "--stake", "nonsense=5"),
        ("dragon-poker", "--meter", "meter=5"),
        ("ultimate-texas-holdem", "--meter", "meter=5"),
        ("ultimate-texas-holdem", "--stake", "progressive=200"),
        ("ultimate-texas-holdem", "--set", "progressive=C", "--rate", "mega=0.5", "--rate", "major=0.6"),
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cluster", "tcp://127.0.0.1:9"), "No cluster answers"),
        (("--submission", "no-such-file.toml"), "no-such-file.toml"),
        (("--submission", str(EXAMPLES / "top-five-poker.toml")), "no table for dragon-poker"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    arguments: tuple[str, ...], said: str, capsys: Capture, monkeypatch: Patch
) -> None:
    began = time.monotonic()
    status, out, err = run(capsys, monkeypatch, "dragon-poker", *arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert said in err
    assert time.monotonic() - began < 30
