"""What changed between two submissions is listed once, with its clause, and nothing else is listed."""

import pytest

from pitboss.submission.compare import Change, compare
from pitboss.submission.read import submission_from
from submission.submitted import CLEAN, GONE, OPTIONS, WAGERS, Edits, edited, submitted


def changes(name: str, edits: Edits) -> list[Change]:
    return list(compare(submitted(name), submitted(name, edits)))


@pytest.mark.parametrize("name", CLEAN)
def test_a_submission_does_not_differ_from_itself(name: str) -> None:
    assert compare(submitted(name), submitted(name)) == ()


def test_the_facility_is_compared() -> None:
    assert changes("holdem", {"facility.name": "Bay Casino"}) == [
        Change(None, "facility.name", "Harbor Casino", "Bay Casino")
    ]


def test_a_limit_changes_with_the_wagers_that_take_it() -> None:
    assert changes("holdem", {"table[0].minimum": 1500}) == [
        Change("UTH 1", "minimum", "$10", "$15", "Ch. 7 §F(1)"),
    ]
    assert [change.what for change in changes("top-five", {"table[0].minimum": 1500})] == [
        "minimum",
        "wagers.top-five-bonus.minimum",
        "wagers.poker-bonus.minimum",
    ]


def test_another_letter_is_listed_with_every_line_it_changes() -> None:
    assert changes("holdem", {f"{WAGERS}.trips.paytable": "D"}) == [
        Change("UTH 1", "wagers.trips.paytable", "B", "D", "Ch. 12 §C(4)"),
        Change("UTH 1", "wagers.trips.odds.four-of-a-kind", "30 to 1", "20 to 1", "Ch. 12 §C(4)(c)"),
        Change("UTH 1", "wagers.trips.odds.full-house", "8 to 1", "7 to 1", "Ch. 12 §C(4)(d)"),
    ]


def test_a_letter_with_other_lines_lists_added_and_removed_lines() -> None:
    found = {change.what: (change.before, change.after) for change in changes("holdem", {f"{WAGERS}.blind": "B"})}
    assert found["wagers.blind.odds.straight"] == ("1 to 1", None)
    assert found["wagers.blind.odds.less-than-a-flush"] == (None, "push")


def test_an_added_wager_is_listed_without_its_lines() -> None:
    found = changes("holdem", {f"{WAGERS}.bad-beat": "A"})
    assert Change("UTH 1", "wagers.bad-beat", None, "offered", "Ch. 7 §F(6)") in found
    assert Change("UTH 1", "wagers.bad-beat.paytable", None, "A", "Ch. 12 §F(1) Bad Beat") in found
    assert not any(".odds." in line.what for line in found)


def test_a_removed_wager_is_listed_without_its_lines() -> None:
    found = changes("holdem", {f"{WAGERS}.trips": GONE})
    assert found[0] == Change("UTH 1", "wagers.trips", "offered", None, "Ch. 7 §F(2)")
    assert not any(".odds." in line.what for line in found)


def test_stating_a_default_is_not_a_change() -> None:
    assert changes("holdem", {f"{OPTIONS}.bad-beat-pays": "either", f"{WAGERS}.progressive.stake": 100}) == []
    assert changes("holdem", {f"{WAGERS}.progressive.initial": {"meter": 1000000}}) == []
    assert changes("top-five", {"table[0].decks": 1, "table[0].shuffler": "none", "table[0].positions": 6}) == []


def test_an_option_is_listed_with_its_clause() -> None:
    (change,) = changes("holdem", {f"{OPTIONS}.bad-beat-pays": "player"})
    assert change == Change("UTH 1", "options.bad-beat-pays", "either", "player", "Ch. 7 §F(6)")
    assert str(change) == "UTH 1: options.bad-beat-pays: either -> player (Ch. 7 §F(6))"
    assert change.as_dict()["after"] == "player"


def test_a_removed_payout_limit_is_listed() -> None:
    (change,) = changes("holdem", {f"{OPTIONS}.payout-limit": GONE})
    assert change == Change("UTH 1", "options.payout-limit", "$50,000", None, "Ch. 12 §F(1)")
    assert str(Change(None, "a", None, "b")) == "a: none -> b"


def test_odds_and_meters_are_listed_line_by_line() -> None:
    assert changes("colorado", {f"{WAGERS}.bonus.odds.flush": "35 to 1"}) == [
        Change("Colorado 1", "wagers.bonus.odds.flush", "30 to 1", "35 to 1", "§12(d) Flush")
    ]
    assert changes("dragon", {f"{WAGERS}.progressive.reset": 300000}) == [
        Change("Dragon 1", "wagers.progressive.reset.meter", "$2,500", "$3,000", "Ch. 7 §F(4)")
    ]


def two_tables() -> dict[str, object]:
    content = edited("holdem")
    content["table"] += edited("holdem", {"table[0].name": "UTH 2", "table[0].minimum": 2500})["table"]
    return content


def test_the_order_of_tables_is_not_a_change() -> None:
    content = two_tables()
    turned = {**content, "table": list(reversed(content["table"]))}  # type: ignore[call-overload]
    assert compare(submission_from(content), submission_from(turned)) == ()


def test_tables_added_and_removed_are_listed() -> None:
    first, two = submitted("holdem"), submission_from(two_tables())
    assert compare(first, two) == (Change("UTH 2", "table", None, "ultimate-texas-holdem"),)
    assert compare(two, first) == (Change("UTH 2", "table", "ultimate-texas-holdem", None),)


def test_a_table_that_only_changed_its_name_is_renamed() -> None:
    assert changes("holdem", {"table[0].name": "Harbor 7"}) == [Change("Harbor 7", "name", "UTH 1", "Harbor 7")]


def test_a_table_that_changed_more_than_its_name_is_another_table() -> None:
    found = changes("holdem", {"table[0].name": "Harbor 7", "table[0].minimum": 1500})
    assert [(line.table, line.what) for line in found] == [("Harbor 7", "table"), ("UTH 1", "table")]


def test_a_table_of_another_game_is_compared_by_name() -> None:
    found = {change.what for change in changes("holdem", {"table[0].game": "whist"})}
    assert "game" in found
    assert "wagers.trips" in found


def test_nameless_tables_are_identified_by_their_place() -> None:
    (change,) = compare(submitted("holdem"), submitted("holdem", {"table[0].name": GONE}))
    assert (change.table, change.what) == ("table[0]", "name")
