"""Every fault a submission can have is provoked by one edit, and named with its place and its clause."""

from typing import Any

import pytest

from pitboss.submission.case import case_of
from pitboss.submission.check import check, notes
from pitboss.submission.options import best_win_cents
from pitboss.submission.read import read_submission, submission_from
from submission.submitted import CLEAN, GONE, OPTIONS, WAGERS, Edits, edited, faults_of, submitted

PROGRESSIVE = f"{WAGERS}.progressive"
TRIPS = f"{WAGERS}.trips"
LIMIT = f"{OPTIONS}.payout-limit"
THREE_METERS: dict[str, Any] = {
    "paytable": "C",
    "rate": {"mega": "0.1", "major": "0.1", "minor": "0.05"},
    "initial": {"mega": 1000000, "major": 100000, "minor": 25000},
    "reset": {"mega": 1000000, "major": 100000, "minor": 25000},
    "envy": "C",
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_lawful_submission_has_no_faults(name: str) -> None:
    submission = read_submission(CLEAN[name])
    assert check(submission) == ()
    assert notes(submission) == ()


# what it proves, the clean file, the edit, and the place and clause of the one fault it makes
ONE_FAULT: list[tuple[str, str, Edits, str, str | None]] = [
    ("unknown game", "holdem", {"table[0].game": "baccarat"}, "table[0].game", None),
    ("jurisdiction of another rulebook", "holdem", {"facility.jurisdiction": "Nevada"}, "facility.jurisdiction", None),
    ("seven positions at six-position tables", "holdem", {"table[0].positions": 7}, "table[0].positions", "Ch. 2 §A"),
    ("no positions", "dragon", {"table[0].positions": 0}, "table[0].positions", "Ch. 2 §A"),
    ("five positions where six are exact", "top-five", {"table[0].positions": 5}, "table[0].positions", "Ch. 2 §A(1)"),
    ("eight positions", "colorado", {"table[0].positions": 8}, "table[0].positions", "§6(b)"),
    ("positions stated twice", "colorado", {f"{OPTIONS}.positions": 5}, f"{OPTIONS}.positions", "§6(b)"),
    (
        "more adjacent positions than there are",
        "colorado",
        {"table[0].positions": 1, f"{OPTIONS}.adjacent-positions": 2},
        f"{OPTIONS}.adjacent-positions",
        "§6(e)",
    ),
    ("unknown way of dealing", "holdem", {"table[0].dealing": "pitch"}, "table[0].dealing", None),
    ("unknown shuffler", "holdem", {"table[0].shuffler": "robot"}, "table[0].shuffler", None),
    (
        "hand without shuffler",
        "holdem",
        {"table[0].dealing": "hand", "table[0].shuffler": GONE, "table[0].decks": 1},
        "table[0].shuffler",
        "Ch. 9 §A(1)",
    ),
    ("hand without shuffler", "colorado", {"table[0].shuffler": "none"}, "table[0].shuffler", "§8(b)(1)"),
    ("two decks without shuffler", "top-five", {"table[0].decks": 2}, "table[0].decks", "Ch. 3 §B"),
    ("two decks in a continuous shuffler", "dragon", {"table[0].decks": 2}, "table[0].decks", "Ch. 3 §B"),
    ("three decks", "holdem", {"table[0].decks": 3}, "table[0].decks", "Ch. 3 §B"),
    (
        "continuous shuffler unknown to a book",
        "colorado",
        {"table[0].shuffler": "continuous"},
        "table[0].shuffler",
        "§5(a)",
    ),
    ("deck hours above the book's", "holdem", {"table[0].deck-hours": 9}, "table[0].deck-hours", "Ch. 3 §C(2)"),
    ("no deck hours", "colorado", {"table[0].deck-hours": 0}, "table[0].deck-hours", None),
    ("electronic where no clause allows it", "dragon", {"table[0].electronic": True}, "table[0].electronic", None),
    (
        "coupon where no clause allows it",
        "holdem",
        {"table[0].instruments": ["match-play-coupon"]},
        "table[0].instruments",
        "Ch. 7 §A",
    ),
    (
        "minimum above maximum",
        "holdem",
        {"table[0].minimum": 60000, LIMIT: 50000000},
        "table[0].minimum",
        "Ch. 7 §F(1)",
    ),
    ("minimum off the step", "holdem", {"table[0].minimum": 1050}, "table[0].minimum", None),
    ("maximum off the step", "holdem", {"table[0].step": 500, "table[0].maximum": 50100}, "table[0].maximum", None),
    ("step too fine for 3 to 2", "holdem", {"table[0].step": 25}, "table[0].step", None),
    ("step too fine for the chip at 3 to 2", "holdem", {"table[0].chip": 100}, "table[0].step", None),
    ("side minimum above its maximum", "holdem", {f"{TRIPS}.minimum": 20000}, f"{TRIPS}.minimum", "Ch. 7 §F(2)"),
    ("side minimum off the step", "holdem", {f"{TRIPS}.minimum": 550}, f"{TRIPS}.minimum", None),
    ("unknown wager", "holdem", {f"{WAGERS}.insurance": "A"}, f"{WAGERS}.insurance", None),
    ("wager placed by an action", "holdem", {f"{WAGERS}.play": True}, f"{WAGERS}.play", "Ch. 7 §F(1)"),
    (
        "limits of a wager placed by an action",
        "colorado",
        {f"{WAGERS}.bet": {"odds": {"flush": "9 to 1"}, "minimum": 500}},
        f"{WAGERS}.bet.minimum",
        "§1 Bet wager",
    ),
    (
        "limits of a required wager",
        "holdem",
        {f"{WAGERS}.blind": {"paytable": "A", "minimum": 500}},
        f"{WAGERS}.blind.minimum",
        "Ch. 7 §F(1)",
    ),
    ("required letter missing", "holdem", {f"{WAGERS}.blind": GONE}, f"{WAGERS}.blind", "Ch. 12 §B"),
    ("letter missing", "holdem", {f"{TRIPS}.paytable": GONE}, f"{TRIPS}.paytable", "Ch. 12 §C"),
    ("letter that does not exist", "holdem", {f"{TRIPS}.paytable": "F"}, f"{TRIPS}.paytable", "Ch. 12 §C"),
    (
        "letter that does not exist, cited by the wager's name",
        "holdem",
        {f"{WAGERS}.ultimate-pairs": "G"},
        f"{WAGERS}.ultimate-pairs.paytable",
        "Ch. 12 §E Ultimate Pairs",
    ),
    (
        "letter that does not exist, deeper",
        "holdem",
        {f"{PROGRESSIVE}.paytable": "E"},
        f"{PROGRESSIVE}.paytable",
        "Ch. 12 §D(1)",
    ),
    ("letter of an unlettered table", "colorado", {f"{WAGERS}.bonus": "A"}, f"{WAGERS}.bonus.paytable", "§12(d)"),
    ("letter of a wager without paytable", "holdem", {f"{WAGERS}.ante": "A"}, f"{WAGERS}.ante.paytable", "Ch. 7 §F(1)"),
    (
        "side wager without the one it needs",
        "holdem",
        # For analysis the missing wager itself is only a note.
        {TRIPS: GONE, f"{WAGERS}.six-card-bonus": "A", "table[0].analysis": True},
        f"{WAGERS}.six-card-bonus",
        "Ch. 7 §F(4)(b)",
    ),
    ("a wager that every table offers left out", "holdem", {TRIPS: GONE}, TRIPS, "Ch. 7 §F(2)"),
    (
        "dealer's cards in the shuffler without an automated shoe",
        "dragon",
        {"table[0].dealing": "manual-shoe", f"{OPTIONS}.dealer-cards": "in-shuffler"},
        f"{OPTIONS}.dealer-cards",
        "Ch. 10 §B(4)",
    ),
    (
        "dealer's cards in the shuffler without an automated shoe",
        "holdem",
        {"table[0].dealing": "manual-shoe", f"{OPTIONS}.dealer-cards": "in-shuffler"},
        f"{OPTIONS}.dealer-cards",
        "Ch. 10 §B(4)",
    ),
    (
        "dealer's cards in the shuffler without an automated shoe",
        "top-five",
        {"table[0].dealing": "manual-shoe", f"{OPTIONS}.dealer-cards": "in-shuffler"},
        f"{OPTIONS}.dealer-cards",
        "Ch. 11 §B(4)",
    ),
    ("cards of an unknown kind", "holdem", {"table[0].cards": "paper"}, "table[0].cards", None),
    ("drawn cards for money at a live table", "dragon", {"table[0].cards": "drawn"}, "table[0].cards", None),
    (
        "side wager that another way of dealing serves",
        "holdem",
        {f"{WAGERS}.six-card-bonus": "A", "table[0].dealing": "manual-shoe"},
        f"{WAGERS}.six-card-bonus",
        "Ch. 10 §B(1)",
    ),
    ("stake of a wager with limits", "holdem", {f"{TRIPS}.stake": 500}, f"{TRIPS}.stake", "Ch. 7 §F(2)"),
    (
        "limits of a wager with one stake",
        "colorado",
        {f"{WAGERS}.bonus.maximum": 500},
        f"{WAGERS}.bonus.maximum",
        "§6a(a)",
    ),
    ("stake the book does not price", "colorado", {f"{WAGERS}.bonus.stake": 200}, f"{WAGERS}.bonus.stake", "§6a(b)"),
    ("stake of two dollars", "holdem", {f"{PROGRESSIVE}.stake": 200}, f"{PROGRESSIVE}.stake", "Ch. 12 §D(6)"),
    (
        "stake below the smallest chip",
        "dragon",
        {"table[0].chip": 500, "table[0].step": 500, f"{WAGERS}.dragon-bet": GONE},
        f"{PROGRESSIVE}.stake",
        None,
    ),
    ("meter of a plain wager", "holdem", {f"{TRIPS}.reset": 5}, f"{TRIPS}.reset", "Ch. 7 §F(2)"),
    ("hand of a wager the book reads", "holdem", {f"{TRIPS}.hand": "dragons"}, f"{TRIPS}.hand", "Ch. 7 §F(2)"),
    ("rate missing", "holdem", {f"{PROGRESSIVE}.rate": GONE}, f"{PROGRESSIVE}.rate", "Ch. 12 §D(3)(a)"),
    ("rate of zero", "holdem", {f"{PROGRESSIVE}.rate": "0.00"}, f"{PROGRESSIVE}.rate", "Ch. 12 §D(3)(a)"),
    ("rate of one", "holdem", {f"{PROGRESSIVE}.rate": "1"}, f"{PROGRESSIVE}.rate", "Ch. 12 §D(3)(a)"),
    ("rate that is no decimal", "holdem", {f"{PROGRESSIVE}.rate": "20 %"}, f"{PROGRESSIVE}.rate", "Ch. 12 §D(3)(a)"),
    (
        "rates that take the whole stake",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"rate": "0.4"}},
        f"{PROGRESSIVE}.rate",
        "Ch. 12 §D(3)(a)",
    ),
    (
        "rate of one meter missing",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"rate": {"mega": "0.1", "major": "0.1"}}},
        f"{PROGRESSIVE}.rate.minor",
        "Ch. 12 §D(3)(b)(iii)(3)",
    ),
    (
        "rate of one meter wrong",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"rate": {"mega": "0.1", "major": "0.1", "minor": "none"}}},
        f"{PROGRESSIVE}.rate.minor",
        "Ch. 12 §D(3)(a)",
    ),
    ("initial missing", "holdem", {f"{PROGRESSIVE}.initial": GONE}, f"{PROGRESSIVE}.initial", "Ch. 12 §D(3)(b)(i)"),
    ("reset missing", "holdem", {f"{PROGRESSIVE}.reset": GONE}, f"{PROGRESSIVE}.reset", "Ch. 12 §D(3)(b)(i)"),
    ("reset below its least", "holdem", {f"{PROGRESSIVE}.reset": 999999}, f"{PROGRESSIVE}.reset", "Ch. 12 §D(3)(b)(i)"),
    (
        "initial below reset",
        "holdem",
        {f"{PROGRESSIVE}.reset": 2000000},
        f"{PROGRESSIVE}.initial",
        "Ch. 12 §D(3)(b)(i)",
    ),
    (
        "one amount for three meters",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"reset": 1000000}},
        f"{PROGRESSIVE}.reset",
        "Ch. 12 §D(3)(b)(iii)(1)",
    ),
    (
        "one of three meters below its least",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"reset": {"mega": 1000000, "major": 100000, "minor": 24999}}},
        f"{PROGRESSIVE}.reset.minor",
        "Ch. 12 §D(3)(b)(iii)(3)",
    ),
    (
        "amount of an unknown meter",
        "holdem",
        {PROGRESSIVE: THREE_METERS | {"initial": THREE_METERS["initial"] | {"maxi": 5}}},
        f"{PROGRESSIVE}.initial.maxi",
        "Ch. 12 §D(3)(b)(iii)(1)",
    ),
    ("envy table missing", "holdem", {f"{PROGRESSIVE}.envy": GONE}, f"{PROGRESSIVE}.envy", "Ch. 12 §D(5)(b)"),
    ("unknown envy table", "holdem", {f"{PROGRESSIVE}.envy": "E"}, f"{PROGRESSIVE}.envy", "Ch. 12 §D(5)(b)"),
    ("envy where the book has none", "dragon", {f"{PROGRESSIVE}.envy": "A"}, f"{PROGRESSIVE}.envy", "Ch. 7 §F(4)"),
    ("open wager without hand", "dragon", {f"{PROGRESSIVE}.hand": "poker"}, f"{PROGRESSIVE}.hand", "Ch. 7 §F(4)"),
    (
        "open wager without meter",
        "dragon",
        {f"{PROGRESSIVE}.odds": {"pair-of-dragons": "5 for 1"}},
        f"{PROGRESSIVE}.odds",
        "Ch. 7 §F(4)",
    ),
    ("open wager without rate", "dragon", {f"{PROGRESSIVE}.rate": GONE}, f"{PROGRESSIVE}.rate", "Ch. 7 §F(4)"),
    ("open wager without reset", "dragon", {f"{PROGRESSIVE}.reset": GONE}, f"{PROGRESSIVE}.reset", "Ch. 7 §F(4)"),
    (
        "open wager on a cell of another hand",
        "dragon",
        {f"{PROGRESSIVE}.odds.three-pandas": "9 for 1"},
        f"{PROGRESSIVE}.odds.three-pandas",
        "Ch. 7 §F(4)",
    ),
    (
        "odds of a wager without paytable",
        "holdem",
        {f"{WAGERS}.ante": {"odds": {"flush": "2 to 1"}}},
        f"{WAGERS}.ante.odds",
        "Ch. 7 §F(1)",
    ),
    ("odds the book fixes", "holdem", {f"{TRIPS}.odds": {"flush": "9 to 1"}}, f"{TRIPS}.odds.flush", "Ch. 12 §C(2)(e)"),
    (
        "odds below the least",
        "colorado",
        {f"{WAGERS}.bonus.odds.flush": "24 to 1"},
        f"{WAGERS}.bonus.odds.flush",
        "§12(d) Flush",
    ),
    (
        "odds below the least of the other version",
        "colorado",
        {f"{OPTIONS}.version": "permissible-bet", f"{WAGERS}.ante": {"odds": {"full-house": "9 to 1"}}},
        f"{WAGERS}.ante.odds.full-house",
        "§13(b) Full House",
    ),
    (
        "odds stated with for",
        "colorado",
        {f"{WAGERS}.bonus.odds.flush": "30 for 1"},
        f"{WAGERS}.bonus.odds.flush",
        "§12(a)",
    ),
    (
        "odds stated with for in the other version",
        "colorado",
        {f"{OPTIONS}.version": "permissible-bet", f"{WAGERS}.bonus.odds.flush": "30 for 1"},
        f"{WAGERS}.bonus.odds.flush",
        "§13(a)",
    ),
    (
        "odds of a line that does not exist",
        "colorado",
        {f"{WAGERS}.bonus.odds.fluhs": "9 to 1"},
        f"{WAGERS}.bonus.odds.fluhs",
        "§12(d)",
    ),
    ("odds that are none", "colorado", {f"{WAGERS}.bonus.odds.flush": "thirty"}, f"{WAGERS}.bonus.odds.flush", None),
    (
        "a sum instead of odds",
        "colorado",
        {f"{WAGERS}.bonus.odds.flush": "$30"},
        f"{WAGERS}.bonus.odds.flush",
        "§12(d) Flush",
    ),
    ("odds no step pays exactly", "colorado", {f"{WAGERS}.bonus.odds.flush": "77 to 3"}, f"{WAGERS}.bonus.stake", None),
    ("unknown option", "holdem", {f"{OPTIONS}.jackpot": "yes"}, f"{OPTIONS}.jackpot", None),
    ("unknown value", "holdem", {f"{OPTIONS}.bad-beat-pays": "both"}, f"{OPTIONS}.bad-beat-pays", "Ch. 7 §F(6)"),
    ("number out of range", "top-five", {f"{OPTIONS}.adjacent-boxes": 7}, f"{OPTIONS}.adjacent-boxes", "Ch. 7 §F"),
    (
        "option that must be stated",
        "holdem",
        {f"{OPTIONS}.envy-needs-wager": GONE},
        f"{OPTIONS}.envy-needs-wager",
        "Ch. 11 §J(2)(e)(ii)",
    ),
    ("payout limit in words", "holdem", {LIMIT: "$50,000"}, LIMIT, "Ch. 12 §F(1)"),
    ("payout limit below the least", "holdem", {LIMIT: 4999999}, LIMIT, "Ch. 12 §F(1)"),
    ("payout limit below the least", "colorado", {LIMIT: 4999999}, LIMIT, "§12(c)"),
    (
        "payout limit below the least of the other version",
        "colorado",
        {LIMIT: 1, f"{OPTIONS}.version": "permissible-bet"},
        LIMIT,
        "§13(c)",
    ),
    ("payout limit below what minimum bets win", "holdem", {"table[0].minimum": 10000}, LIMIT, "Ch. 12 §F(1)"),
]


@pytest.mark.parametrize(
    ("name", "edits", "where", "clause"),
    [pytest.param(*row[1:], id=f"{row[1]}: {row[0]}") for row in ONE_FAULT],
)
def test_one_edit_makes_one_fault(name: str, edits: Edits, where: str, clause: str | None) -> None:
    assert [(fault.where, fault.clause) for fault in faults_of(name, edits)] == [(where, clause)]


@pytest.mark.parametrize("row", ONE_FAULT, ids=lambda row: f"{row[1]}: {row[0]}")
def test_every_fault_is_one_sentence(row: tuple[Any, ...]) -> None:
    for fault in faults_of(row[1], row[2]):
        assert "\n" not in fault.reason
        assert len(fault.reason) > 15
        assert not fault.reason.endswith(".")
        assert str(fault).startswith(f"{fault.where}: {fault.reason}")


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


def test_tables_of_two_jurisdictions_cannot_both_stand() -> None:
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


def test_lowered_least_odds_are_a_note_where_the_table_is_for_analysis() -> None:
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
        name = "Harbour Casino"
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
