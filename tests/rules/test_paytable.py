"""Paytables: lines, cells, clauses."""

import pytest

from pitboss.rules.payoff import To
from pitboss.rules.paytable import ROMAN, paytable

LINES = {"royal": "100 % of mega", "flush": "10 % of mega", "straight": "2 to 1", "rest": "push"}


def test_each_line_is_cited_as_the_next_item() -> None:
    assert [line.cite for line in paytable("A", "§1(b)", LINES).lines] == [
        "§1(b)(a)",
        "§1(b)(b)",
        "§1(b)(c)",
        "§1(b)(d)",
    ]
    assert paytable("A", "§1(b)", LINES, items=ROMAN).lines[3].cite == "§1(b)(iv)"


def test_a_letter_printed_twice_and_a_wagers_name_follow_the_item() -> None:
    lines = paytable("A", "§1", {"x": "push", "y": "push"}, items=("g", "g bis"), wager="Side").lines
    assert [line.cite for line in lines] == ["§1(g) Side", "§1(g) bis Side"]
    assert paytable("A", "§1", {"x": "push"}, wager="Side").cite == "§1 Side"


def test_a_line_may_be_cited_by_its_printed_name() -> None:
    (line,) = paytable(None, "§12(b)", {"flush": "8 to 1"}, printed={"flush": "Flush"}).lines
    assert line.cite == "§12(b) Flush"


def test_a_table_longer_than_its_items_cannot_be_made() -> None:
    with pytest.raises(AssertionError):
        paytable("A", "§1", LINES, items=("a", "b"))


def test_of_several_lines_that_cover_a_cell_the_first_pays() -> None:
    table = paytable(
        "A",
        "§1",
        {"three-dragons": "30 to 1", "trips": "6 to 1"},
        covers={"trips": ("three-dragons", "three-rabbits")},
    )
    assert table.by_cell["three-dragons"].payoff == To(30)
    assert table.by_cell["three-rabbits"].payoff == To(6)
    assert table.by_cell.get("pair") is None


def test_a_table_names_its_meters_once_in_order() -> None:
    assert paytable("A", "§1", LINES).meters == ("mega",)
    assert paytable("A", "§1", {"x": "2 to 1"}).meters == ()


def test_other_odds_leave_clause_cells_and_the_other_lines_alone() -> None:
    table = paytable("A", "§1", LINES, when="version=x")
    raised = table.with_odds({"straight": To(3)})
    assert [str(line.payoff) for line in raised.lines] == ["100 % of mega", "10 % of mega", "3 to 1", "push"]
    assert [line.cite for line in raised.lines] == [line.cite for line in table.lines]
    assert (raised.letter, raised.cite, raised.when) == ("A", "§1", "version=x")
    assert str(table.lines[2].payoff) == "2 to 1"


def test_a_line_is_titled_in_words() -> None:
    (line,) = paytable("A", "§1", {"four-of-a-kind": "push"}).lines
    assert line.title == "four of a kind"
