"""`pitboss edge` prints exact worths, and says in one sentence what it cannot price."""

import json
import sys
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
    assert "breaks even at a meter of" in out


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
    assert json.loads(out)
    status, _, err = edge(capsys, monkeypatch, "dragon-poker", *submission)
    assert (status, err.count("\n")) == (1, 1)


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
        ("ultimate-texas-holdem", "--meter", "jackpot=5"),
        ("ultimate-texas-holdem", "--meter", "meter=much"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, err = edge(capsys, monkeypatch, *arguments)
    assert (status, out) == (2, "")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
