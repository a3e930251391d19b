"""`pitboss edge --seen` and `pitboss exposure` print what exposed cards are worth, and refuse what a game hasn't."""

import json
import sys
from fractions import Fraction
from typing import Any

import pytest

from pitboss.cli import _run
from pitboss.lab.exposures import ExposedWorth
from pitboss.lab.vulnerability import SheetRow, Vulnerability, sharing_told

pytestmark = pytest.mark.xdist_group("exact")
DRAGON = "dragon-poker"


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pitboss", *arguments])
        status = _run()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_a_row_says_what_is_seen(ran: Any) -> None:
    status, out, _ = ran("edge", DRAGON, "--wager", "main", "--paytable", "A", "--seen", "dealer:1", "--json")
    (row,) = json.loads(out)
    assert status == 0
    assert row["seen"] == ["dealer:1"]
    assert Fraction(row["ev"]) == Fraction(321059, 91829920)
    assert row["method"] == "exact"
    assert row["house_edge"] == -float(Fraction(row["ev"]))
    assert set(row["answers"]) == {"play", "fold"}


def test_the_sheet_compares_with_fair_play(ran: Any) -> None:
    status, out, _ = ran("exposure", DRAGON, "--hands", "30", "--json")
    rows = {" ".join(row["seen"]): row for row in json.loads(out)}
    assert status == 0
    assert set(rows) == {*(f"dealer:{count}" for count in (1, 2, 3)), *(f"neighbours:{count}" for count in range(1, 6))}
    fair = {Fraction(row["ev"]) - Fraction(row["gain"]) for row in rows.values()}
    assert len(fair) == 1
    one_card = rows["dealer:1"]
    assert one_card["hourly_cents_at_maximum"] == round(Fraction(one_card["ev"]) * 30 * one_card["maximum_cents"])
    assert one_card["rule"][0].startswith("Against a")
    assert 0 <= Fraction(one_card["rule_cost"]) < Fraction(1, 1000)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("edge", DRAGON, "--seen", "flop:1"), 2, "nobody can see flop cards too early"),
        (("edge", DRAGON, "--seen", "dealer:4"), 2, "at most dealer:3"),
        (("edge", DRAGON, "--seen", "dealer"), 2, "is not an exposure"),
        (("edge", DRAGON, "--seen", "dealer:1", "--wager", "dragon-bet"), 2, "Use --seen with --wager main"),
        (("edge", DRAGON, "--seen", "dealer:1", "--stake", "500"), 2, "can't be used with --seen"),
        (("edge", "top-five-poker", "--seen", "dealer:1", "--seen", "neighbours:1"), 1, "counted separately"),
        (("exposure", DRAGON, "--hands", "0"), 2, "--hands must be"),
    ],
)
def test_a_wrong_question_is_answered_with_a_sentence(
    ran: Any, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    found, _, told = ran(*arguments)
    assert found == status
    assert sentence in told


def sheet_of(*edges: tuple[str, int]) -> Vulnerability:
    rows = (
        SheetRow(
            ExposedWorth("a-game", None, (seen,), Fraction(percent, 100), "exact", None, None, None),
            Fraction(0),
            1,
            1,
            1,
        )
        for seen, percent in edges
    )
    return Vulnerability(Fraction(-1, 100), tuple(rows), ())


def test_a_game_that_players_who_share_their_cards_beat_says_so_first() -> None:
    told = sharing_told(sheet_of(("dealer:1", 5), ("neighbours:1", -1), ("neighbours:2", 2), ("neighbours:5", 11)))
    assert told is not None
    assert told.startswith(
        "Players who share their cards beat this game: 3 of them by 2.00% of each Ante, 6 by 11.00%."
    )
    alone = sharing_told(sheet_of(("neighbours:1", -2), ("neighbours:5", 3)))
    assert alone is not None
    assert alone.startswith("Players who share their cards beat this game: 6 of them by 3.00% of each Ante. Keep")
    assert sharing_told(sheet_of(("dealer:1", 5), ("neighbours:5", -1))) is None
