"""Lawful submissions have no faults, and faults of a whole submission are found together."""

import pytest

from pitboss.submission.case import case_of
from pitboss.submission.check import check, notes
from pitboss.submission.options import best_win_cents
from pitboss.submission.read import read_submission, submission_from
from submission.submitted import (
    CLEAN,
    GONE,
    LIMIT,
    OPTIONS,
    PROGRESSIVE,
    THREE_METERS,
    TRIPS,
    WAGERS,
    Edits,
    edited,
    faults_of,
    submitted,
)


@pytest.mark.parametrize("name", CLEAN)
def test_a_lawful_submission_has_no_faults(name: str) -> None:
    submission = read_submission(CLEAN[name])
    assert check(submission) == ()
    assert notes(submission) == ()


LAWFUL: list[tuple[str, str, Edits]] = [
    ("one position", "colorado", {"table[0].positions": 1}),
    ("seven positions", "colorado", {"table[0].positions": 7, f"{OPTIONS}.positions": 7}),
    ("positions as an option", "colorado", {"table[0].positions": GONE, f"{OPTIONS}.positions": 3}),
    ("deck hours of the operator", "colorado", {"table[0].deck-hours": 12}),
    ("fewer deck hours than the book's", "holdem", {"table[0].deck-hours": 8}),
    ("electronic", "holdem", {"table[0].electronic": True}),
    ("electronic on real cards", "holdem", {"table[0].electronic": True, "table[0].cards": "reader"}),
    (
        "dealer's cards in the shuffler",
        "top-five",
        {"table[0].dealing": "automated-shoe", f"{OPTIONS}.dealer-cards": "in-shuffler"},
    ),
    ("free play", "dragon", {"table[0].free-play": True}),
    ("match play coupon", "colorado", {"table[0].instruments": ["match-play-coupon", "chips"]}),
    ("no wagers beyond the required", "colorado", {WAGERS: GONE, OPTIONS: GONE}),
    ("steps of half dollars at 3 to 2", "holdem", {"table[0].step": 50}),
    ("chips of half dollars at 3 to 2", "holdem", {"table[0].chip": 50}),
    ("a step of its own", "holdem", {f"{TRIPS}.step": 25, f"{TRIPS}.minimum": 525}),
    ("the larger progressive stake", "holdem", {f"{PROGRESSIVE}.stake": 500}),
    ("three meters", "holdem", {PROGRESSIVE: THREE_METERS}),
    ("one rate for three meters", "holdem", {PROGRESSIVE: THREE_METERS | {"rate": "0.3"}}),
    ("another envy letter than the paytable's", "holdem", {f"{PROGRESSIVE}.envy": "D"}),
    ("rate without its zero", "holdem", {f"{PROGRESSIVE}.rate": ".2"}),
    ("six card bonus from a shuffler", "holdem", {f"{WAGERS}.six-card-bonus": "A"}),
    ("the only letter there is", "dragon", {f"{WAGERS}.dragon-bet": "A"}),
    ("no progressive", "dragon", {PROGRESSIVE: GONE}),
    (
        "open wager on the other hand",
        "dragon",
        {f"{PROGRESSIVE}.hand": "three-card", f"{PROGRESSIVE}.odds": {"three-dragons": "100 % of pot"}},
    ),
    ("odds at the least", "colorado", {f"{WAGERS}.bonus.odds.flush": "25 to 1"}),
    ("a push raised to a win", "colorado", {f"{WAGERS}.bonus.odds.pair-of-jacks-or-better": "1 to 1"}),
    ("raised odds of an action's wager", "colorado", {f"{WAGERS}.bet": {"odds": {"straight": "6 to 1"}}}),
    ("no payout limit", "holdem", {LIMIT: GONE}),
    (
        "payout limit exactly what minimum bets win",
        "holdem",
        {"table[0].minimum": 10000, LIMIT: 505 * 10000 + 50 * 500},
    ),
    ("option as text or number", "top-five", {f"{OPTIONS}.adjacent-boxes": "6"}),
    ("progressive options without progressive", "holdem", {PROGRESSIVE: GONE}),
]


@pytest.mark.parametrize(("name", "edits"), [pytest.param(*row[1:], id=f"{row[1]}: {row[0]}") for row in LAWFUL])
def test_a_lawful_edit_makes_no_fault(name: str, edits: Edits) -> None:
    assert faults_of(name, edits) == ()


@pytest.mark.parametrize(
    ("edits", "cents"),
    [
        ({}, 1000 * (1 + 4 + 500) + 500 * 50),
        ({TRIPS: GONE}, 1000 * (1 + 4 + 500)),
        ({TRIPS: "A"}, 1000 * (1 + 4 + 500 + 50)),
        ({f"{WAGERS}.bad-beat": "A"}, 1000 * (1 + 4 + 500) + 500 * 50),
        (
            {f"{WAGERS}.bad-beat": "A", f"{OPTIONS}.payout-limit-covers": "all-but-progressive-and-six-card"},
            1000 * (1 + 4 + 500 + 10000) + 500 * 50,
        ),
    ],
    ids=["as-submitted", "no-trips", "trips-at-the-table-minimum", "wager-not-covered", "wager-covered"],
)
def test_the_best_win_counts_each_covered_wager_at_its_minimum(edits: Edits, cents: int) -> None:
    case = case_of(submitted("holdem", edits).tables[0])
    assert case is not None
    assert best_win_cents(case) == cents


def test_a_game_without_payout_limit_has_no_best_win() -> None:
    case = case_of(submitted("dragon").tables[0])
    assert case is not None
    assert best_win_cents(case) == 0


def test_an_open_progressive_left_undefined_is_refused_in_every_part() -> None:
    found = faults_of("dragon", {PROGRESSIVE: True})
    assert {fault.where for fault in found} == {
        f"{PROGRESSIVE}.{key}" for key in ("hand", "odds", "rate", "initial", "reset")
    }
    assert {fault.clause for fault in found} == {"Ch. 7 §F(4)"}


def test_two_tables_of_one_name_are_refused() -> None:
    content = edited("holdem")
    content["table"].append(content["table"][0])
    (fault,) = check(submission_from(content))
    assert (fault.table, fault.where) == ("UTH 1", "table[1].name")


def test_two_versions_in_one_facility_are_refused() -> None:
    content = edited("colorado")
    other = edited("colorado", {"table[0].name": "Colorado 2", f"{OPTIONS}.version": "permissible-bet"})
    content["table"] += other["table"]
    (fault,) = check(submission_from(content))
    assert (fault.table, fault.where, fault.clause) == ("Colorado 2", "table[1].options.version", "§6(f)")
    content["table"][1]["options"]["version"] = "required-bet"
    assert check(submission_from(content)) == ()


def test_a_default_version_differs_from_a_stated_one() -> None:
    content = edited("colorado", {f"{OPTIONS}.version": "permissible-bet"})
    content["table"] += edited("colorado", {"table[0].name": "Colorado 2", f"{OPTIONS}.version": GONE})["table"]
    assert [fault.clause for fault in check(submission_from(content))] == ["§6(f)"]


def test_tables_of_two_jurisdictions_cannot_both_be_valid() -> None:
    content = edited("colorado")
    content["table"] += edited("dragon")["table"]
    (fault,) = check(submission_from(content))
    assert (fault.table, fault.where) == ("Dragon 1", "facility.jurisdiction")


def test_changed_odds_are_a_note_where_the_table_is_for_analysis() -> None:
    edits: Edits = {"table[0].analysis": True, f"{TRIPS}.odds": {"flush": "9 to 1", "straight": "5 to 1"}}
    submission = submitted("holdem", edits)
    assert check(submission) == ()
    (note,) = notes(submission)
    assert (note.table, note.where, note.clause) == ("UTH 1", f"{TRIPS}.odds.flush", "Ch. 12 §C(2)(e)")
    assert "analysis" in str(note)
    assert note.as_dict()["where"] == note.where


def test_a_whole_table_of_its_own_is_for_analysis_only() -> None:
    odds = {"royal-flush": "60 to 1", "three-of-a-kind": "2 to 1"}
    lawful = faults_of("holdem", {TRIPS: {"odds": odds}})
    assert {(fault.where, fault.clause) for fault in lawful} == {
        (f"{TRIPS}.paytable", "Ch. 12 §C"),
        (f"{TRIPS}.odds", "Ch. 12 §C"),
    }
    submission = submitted("holdem", {"table[0].analysis": True, TRIPS: {"odds": odds}})
    assert check(submission) == ()
    assert [note.where for note in notes(submission)] == [f"{TRIPS}.odds"]


def test_analysis_excuses_no_odds_that_make_no_sense() -> None:
    edits: Edits = {"table[0].analysis": True, f"{TRIPS}.odds": {"flush": "10 % of meter", "pair": "1 to 1"}}
    assert {fault.where for fault in faults_of("holdem", edits)} == {f"{TRIPS}.odds.flush", f"{TRIPS}.odds.pair"}


def test_lowered_minimum_odds_are_a_note_where_the_table_is_for_analysis() -> None:
    edits: Edits = {"table[0].analysis": True, f"{WAGERS}.bonus.odds.flush": "20 to 1"}
    assert faults_of("colorado", edits) == ()
    assert [note.clause for note in notes(submitted("colorado", edits))] == ["§12(d) Flush"]


def test_no_letter_is_faulted_twice_for_its_odds() -> None:
    found = faults_of("holdem", {TRIPS: {"paytable": "Z", "odds": {"flush": "9 to 1"}}})
    assert [fault.where for fault in found] == [f"{TRIPS}.paytable"]


def test_every_fault_of_a_bad_file_is_named_at_once() -> None:
    submission = read_submission(
        """
        surprise = 1
        [facility]
        name = "Harbor Casino"
        jurisdiction = "Maryland"

        [[table]]
        name = "UTH 1"
        game = "ultimate-texas-holdem"
        positions = 9
        dealing = "hand"
        decks = 2
        minimum = 60000
        maximum = 50000
        [table.wagers]
        blind = "C"
        trips = "Q"
        six-card-bonus = "A"
        progressive = { paytable = "A", rate = "2", reset = 5, envy = "Z", stake = 300 }
        insurance = "A"
        [table.options]
        payout-limit = 100
        bad-beat-pays = "nobody"

        [[table]]
        name = "UTH 1"
        game = "colorado-holdem"
        dealing = "manual-shoe"
        minimum = "ten"
        maximum = 5000
        [table.wagers]
        bonus = { odds = { flush = "2 to 1", straight = "20 for 1" } }
        [table.options]
        version = "both"

        [[table]]
        name = "?"
        game = "whist"
        """
    )
    first, second, third = "table[0]", "table[1]", "table[2]"
    assert {(fault.where, fault.clause) for fault in check(submission)} == {
        ("surprise", None),
        (f"{first}.positions", "Ch. 2 §A"),
        (f"{first}.shuffler", "Ch. 9 §A(1)"),
        (f"{first}.decks", "Ch. 3 §B"),
        (f"{first}.minimum", "Ch. 7 §F(1)"),
        (f"{first}.wagers.blind.paytable", "Ch. 12 §B"),
        (f"{first}.wagers.trips.paytable", "Ch. 12 §C"),
        (f"{first}.wagers.six-card-bonus", "Ch. 10 §B(1)"),
        (f"{first}.wagers.progressive.rate", "Ch. 12 §D(3)(a)"),
        (f"{first}.wagers.progressive.initial", "Ch. 12 §D(3)(b)(i)"),
        (f"{first}.wagers.progressive.reset", "Ch. 12 §D(3)(b)(i)"),
        (f"{first}.wagers.progressive.stake", "Ch. 12 §D(6)"),
        (f"{first}.wagers.insurance", None),
        (f"{first}.options.payout-limit", "Ch. 12 §F(1)"),
        (f"{first}.options.bad-beat-pays", "Ch. 7 §F(6)"),
        (f"{first}.options.envy-needs-wager", "Ch. 11 §J(2)(e)(ii)"),
        (f"{second}.name", None),
        ("facility.jurisdiction", None),
        (f"{second}.minimum", None),
        (f"{second}.wagers.bonus.odds.flush", "§12(d) Flush"),
        (f"{second}.wagers.bonus.odds.straight", "§12(a)"),
        (f"{second}.options.version", "§6(f)"),
        (f"{third}.game", None),
        (f"{third}.dealing", None),
        (f"{third}.minimum", None),
        (f"{third}.maximum", None),
    }
    tables = [fault.where[:8] for fault in check(submission) if fault.where.startswith("table[")]
    assert tables == sorted(tables)
