"""`pitboss edge` prints exact values, and says in one sentence what it can't price."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli import _run

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.xdist_group("exact")


def edge(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "edge", *arguments])
    status = _run()
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_rows_in_the_documented_form(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = edge(capsys, monkeypatch, "ultimate-texas-holdem", "--wager", "ultimate-pairs", "--json")
    rows = json.loads(out)
    assert status == 0
    assert [row["paytable"] for row in rows] == list("ABCDEF")
    assert set(rows[0]) == {
        "game",
        "wager",
        "paytable",
        "options",
        "ev",
        "house_edge",
        "hit_frequency",
        "standard_deviation",
        "element_of_risk",
        "average_wager",
        "method",
    }
    assert rows[0]["ev"] == "-59/663"


def test_a_table_with_break_even_meters(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = edge(capsys, monkeypatch, "ultimate-texas-holdem", "--wager", "progressive")
    assert status == 0
    assert "breaks even when the meter shows" in out


def test_what_was_asked_is_echoed(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = ("--wager", "progressive", "--paytable", "A", "--set", "progressive-odds=to", "--others", "2")
    more = ("--stake", "500", "--meter", "meter=2000000", "--json")
    _, out, _ = edge(capsys, monkeypatch, "ultimate-texas-holdem", *asked, *more)
    expected = {"progressive-odds": "to", "others": 2, "stake": 500, "meter": {"meter": 2000000}}
    assert json.loads(out)[0]["options"] == expected


def test_a_submission_is_priced(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    submission = ("--submission", str(EXAMPLES / "ultimate-texas-holdem.toml"), "--table", "UTH 1")
    status, out, _ = edge(capsys, monkeypatch, "ultimate-texas-holdem", "--wager", "trips", *submission, "--json")
    assert status == 0
    assert [row["paytable"] for row in json.loads(out)] == ["B"]
    status, _, err = edge(capsys, monkeypatch, "dragon-poker", *submission)
    assert (status, err.count("\n")) == (1, 1)


def test_a_submission_is_priced_by_its_own_stakes_odds_and_rates(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    submission = ("--submission", str(EXAMPLES / "dragon-poker-progressive.toml"))
    status, out, _ = edge(capsys, monkeypatch, "dragon-poker", *submission, "--stake", "2500", "--json")
    rows = {row["wager"]: row for row in json.loads(out)}
    assert status == 0
    assert {wager: row["paytable"] for wager, row in rows.items()} == {
        "main": "B",
        "three-card-bonus": "B",
        "progressive": None,
    }
    assert rows["progressive"]["ev"] == "-426/901"  # at a dollar, its one stake
    (meter,) = rows["progressive"]["meters"]
    assert (meter["rate"], meter["growth"], meter["reset"]) == ("1/4", "25", 250000)
    assert meter["wagers_between_hits"] == "11713"  # two of 23,426 hands
    assert meter["mean_at_hit"] == str(250000 + 25 * 11713)


def test_odds_raised_by_a_submission_are_priced(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    submission = ("--submission", str(EXAMPLES / "colorado-holdem.toml"))
    status, out, _ = edge(capsys, monkeypatch, "colorado-holdem", *submission, "--json")
    raised = {row["wager"]: row["house_edge"] for row in json.loads(out)}
    _, out, _ = edge(capsys, monkeypatch, "colorado-holdem", "--json")
    usual = {row["wager"]: row["house_edge"] for row in json.loads(out)}
    assert status == 0
    assert raised["main"] < usual["main"]
    assert raised["bonus"] < usual["bonus"]


def test_a_payout_limit_is_counted_at_the_stake_asked_for(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = ("colorado-holdem", "--wager", "main", "--set", "payout-limit=5000000")
    _, out, _ = edge(capsys, monkeypatch, *asked, "--json")
    (plain,) = json.loads(out)
    assert plain["options"] == {"payout-limit": 5000000}
    assert "notes" not in plain
    _, out, _ = edge(capsys, monkeypatch, *asked, "--stake", "100000", "--json")
    (cut,) = json.loads(out)
    assert cut["house_edge"] > plain["house_edge"]
    assert "The payout limit of $50,000 is included, at $1,000 a wager" in cut["notes"][0]
    _, out, _ = edge(capsys, monkeypatch, *asked, "--stake", "100000")
    assert cut["notes"][0] in out


def test_the_whole_distribution_is_shown_when_asked_for(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = ("dragon-poker", "--wager", "dragon-bet", "--distribution")
    _, out, _ = edge(capsys, monkeypatch, *asked, "--json")
    (row,) = json.loads(out)
    assert row["combinations"] == sum(line["combinations"] for line in row["distribution"]) == 23426
    assert row["distribution"][0]["net"] == "-1"
    assert sum(Fraction(line["net"]) * Fraction(line["probability"]) for line in row["distribution"]) == Fraction(
        row["ev"]
    )
    status, out, _ = edge(capsys, monkeypatch, *asked)
    assert status == 0
    assert "net results of a round in units, over 23,426 combinations" in out


def test_envy_growth_and_intervals_are_listed(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = (
        "ultimate-texas-holdem",
        "--wager",
        "progressive",
        "--paytable",
        "A",
        "--others",
        "2",
        "--rate",
        "meter=0.2",
    )
    _, out, _ = edge(capsys, monkeypatch, *asked, "--json")
    (row,) = json.loads(out)
    assert Fraction(row["envy_each"]) == Fraction(4 * 1000 + 36 * 300, 2598960)
    assert row["meters"][0]["wagers_between_hits"] == "649740"
    status, out, _ = edge(capsys, monkeypatch, *asked)
    assert status == 0
    assert "grows by 20.00 cents a wager, is won in full once every 649,740 wagers" in out
    assert "each other player's envy bonuses are worth 185/32487" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("whist",),
        ("ultimate-texas-holdem", "--wager", "insurance"),
        ("ultimate-texas-holdem", "--wager", "trips", "--paytable", "Z"),
        ("ultimate-texas-holdem", "--set", "nonsense=1"),
        ("ultimate-texas-holdem", "--set", "bad-beat-pays=nobody"),
        ("ultimate-texas-holdem", "--ties", "maybe"),
        ("ultimate-texas-holdem", "--stake", "-5"),
        ("ultimate-texas-holdem", "--wager", "progressive", "--stake", "300", "--others", "1"),
        ("ultimate-texas-holdem", "--others", "9"),
        ("ultimate-texas-holdem", "--others", "-1"),
        ("ultimate-texas-holdem", "--paytable", "Z"),
        ("ultimate-texas-holdem", "--set", "payout-limit=1"),
        ("ultimate-texas-holdem", "--set", "payout-limit=much"),
        ("ultimate-texas-holdem", "--rate", "jackpot=0.2"),
        ("ultimate-texas-holdem", "--rate", "meter=2"),
        ("ultimate-texas-holdem", "--rate", "meter=1/0"),
        ("ultimate-texas-holdem", "--table", "UTH 1"),
        ("colorado-holdem", "--wager", "bonus", "--stake", "500"),
        ("ultimate-texas-holdem", "--meter", "jackpot=5"),
        ("ultimate-texas-holdem", "--meter", "meter=much"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, err = edge(capsys, monkeypatch, *arguments)
    assert (status, out) == (2, "")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
