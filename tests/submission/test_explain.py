"""Every accepted choice is explained by a sentence, its clause and the rulings that govern it."""

import pytest

from pitboss.submission import terms
from pitboss.submission.explain import Explanation, explain
from submission.submitted import CLEAN, GONE, OPTIONS, WAGERS, Edits, submitted


def explained(name: str, edits: Edits | None = None) -> dict[str, Explanation]:
    return {line.where: line for line in explain(submitted(name, edits))}


@pytest.mark.parametrize("name", CLEAN)
def test_every_stated_key_is_explained(name: str) -> None:
    submission = submitted(name)
    places = [line.where for line in explain(submission)]
    (table,) = submission.tables
    for wager in table.wagers:
        assert any(place.startswith(f"{WAGERS}.{wager}") for place in places), wager
    for option in table.options:
        assert f"{OPTIONS}.{option}" in places
    assert {"facility.name", "facility.jurisdiction", "table[0].game", "table[0].minimum"} <= set(places)


def test_a_paytable_cites_its_clause_and_its_ruling() -> None:
    line = explained("holdem", {f"{WAGERS}.blind": "B"})[f"{WAGERS}.blind.paytable"]
    assert (line.table, line.clause, line.rulings) == ("UTH 1", "Ch. 12 §B(2)", ("UT-1",))
    assert str(line) == "Blind uses paytable B (Ch. 12 §B(2), UT-1)"
    assert line.as_dict()["rulings"] == ["UT-1"]


def test_a_default_is_explained_as_one() -> None:
    found = explained("holdem")
    assert found[f"{OPTIONS}.progressive-hand"].sentence.endswith("(by default)")
    assert found[f"{OPTIONS}.progressive-hand"].rulings == ("UT-3",)
    assert not found[f"{OPTIONS}.envy-needs-wager"].sentence.endswith("(by default)")


def test_a_side_wager_without_limits_says_whose_it_takes() -> None:
    found = explained("holdem", {f"{WAGERS}.trips": "A"})
    assert found[f"{WAGERS}.trips.minimum"].sentence == "Trips: at least $10, the table minimum"
    assert explained("holdem")[f"{WAGERS}.trips.minimum"].sentence == "Trips: at least $5"


def test_progressive_parameters_are_explained_by_meter() -> None:
    found = explained("holdem")
    assert found[f"{WAGERS}.progressive.rate.meter"].sentence == "20% of each stake feeds the meter"
    assert found[f"{WAGERS}.progressive.reset.meter"].clause == "Ch. 12 §D(3)(b)(i)"
    assert found[f"{WAGERS}.progressive.stake"].sentence == "Progressive has a fixed stake of $1"
    edits: Edits = {
        f"{WAGERS}.progressive": {
            "paytable": "B",
            "rate": "0.125",
            "initial": {"major": 100000, "minor": 25000},
            "reset": {"major": 100000, "minor": 25000},
            "envy": "B",
        }
    }
    found = explained("holdem", edits)
    assert found[f"{WAGERS}.progressive.rate.minor"].sentence == "12.5% of each stake feeds the minor meter"
    assert found[f"{WAGERS}.progressive.initial.major"].sentence == "The major meter starts at $1,000"


def test_raised_odds_are_explained_next_to_the_rulebooks() -> None:
    line = explained("colorado")[f"{WAGERS}.bonus.odds.flush"]
    assert line.sentence == "Bonus pays 30 to 1 for flush instead of 25 to 1"
    assert line.clause == "§12(d) Flush"
    assert "CH-9" in line.rulings


def test_an_open_wager_is_explained_with_its_own_terms() -> None:
    found = explained("dragon")
    assert found[f"{WAGERS}.progressive.hand"].sentence == "Progressive is decided by the dragons hand"
    assert (
        found[f"{WAGERS}.progressive.odds.pair-of-dragons"].sentence == "Progressive pays 5 for 1 for pair of dragons"
    )
    assert "DP-7" in found[f"{WAGERS}.progressive"].rulings


def test_a_table_for_analysis_says_so() -> None:
    edits: Edits = {"table[0].analysis": True, f"{WAGERS}.trips": {"odds": {"flush": "9 to 1"}}}
    found = explained("holdem", edits)
    assert found["table[0].analysis"].sentence == "The table is for analysis only and cannot be opened"
    assert found[f"{WAGERS}.trips.paytable"].sentence == "Trips uses its own paytable"


def test_devices_marks_steps_and_instruments_are_explained() -> None:
    edits: Edits = {
        "table[0].deck-hours": 8,
        "table[0].step": 500,
        "table[0].chip": 100,
        "table[0].instruments": ["match-play-coupon"],
        "table[0].free-play": True,
    }
    found = explained("colorado", edits)
    assert found["table[0].step"].rulings == ("G-9",)
    assert found["table[0].chip"].rulings == ("G-9",)
    assert found["table[0].instruments.match-play-coupon"].clause == "§6(a)"
    assert found["table[0].deck-hours"].clause is None
    assert "free play" in found["table[0].free-play"].sentence
    assert found["table[0].shuffler"].clause == "§7(f)"
    found = explained("holdem", {"table[0].electronic": True, "table[0].deck-hours": 4, f"{WAGERS}.trips.step": 100})
    assert found["table[0].electronic"].clause == "Ch. 11 §L"
    assert found["table[0].deck-hours"].clause == "Ch. 3 §C(2)"
    assert found[f"{WAGERS}.trips.step"].rulings == ("G-9",)


def test_what_is_at_fault_is_not_explained_and_the_rest_is() -> None:
    edits: Edits = {
        "table[0].positions": 9,
        "table[0].dealing": "pitch",
        "table[0].shuffler": "robot",
        "table[0].decks": 4,
        "table[0].minimum": "x",
        "table[0].maximum": "x",
        f"{WAGERS}.trips": "Z",
        f"{WAGERS}.progressive.rate": "7",
        f"{WAGERS}.progressive.initial": GONE,
        f"{WAGERS}.progressive.envy": GONE,
        f"{OPTIONS}.bad-beat-pays": "nobody",
        "facility.name": GONE,
        "facility.jurisdiction": GONE,
    }
    found = explained("holdem", edits)
    for where in (
        "positions",
        "dealing",
        "shuffler",
        "decks",
        "minimum",
        "maximum",
        "wagers.trips",
        "options.bad-beat-pays",
    ):
        assert not any(place.startswith(f"table[0].{where}") for place in found), where
    assert f"{WAGERS}.progressive.rate.meter" not in found
    assert f"{WAGERS}.progressive.reset.meter" in found
    assert found[f"{WAGERS}.blind.paytable"].clause == "Ch. 12 §B(1)"


def test_a_table_of_an_unknown_game_is_left_out() -> None:
    assert set(explained("holdem", {"table[0].game": "whist"})) == {"facility.name", "facility.jurisdiction"}


def test_missing_general_rulings_leave_the_games_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise FileNotFoundError

    monkeypatch.setattr(terms, "general_rulings", missing)
    terms._all_rulings.cache_clear()
    try:
        assert explained("holdem")[f"{OPTIONS}.progressive-hand"].rulings == ("UT-3",)
    finally:
        terms._all_rulings.cache_clear()
