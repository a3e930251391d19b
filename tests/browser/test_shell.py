"""The page's frame: what everybody sees around every page."""

from collections.abc import Callable

import pytest

from browser.axe import violations
from browser.staged import Stage, Visitor

pytestmark = pytest.mark.xdist_group("browser")


def test_a_stranger_sees_the_tables_and_the_way_in_and_nobody_elses_pages(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stranger = visit(staged(), None)
    page = stranger.goto("/")
    page.get_by_role("link", name="Sign in").wait_for()
    assert page.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["Tables", "Practice", "Lab"]
    stranger.goto("/floor")
    page.get_by_text("Sign in to see this page.").wait_for()
    stranger.goto("/nowhere-at-all")
    assert "There is nothing at this address" in page.content()
    stranger.faults.clear()  # the browser notes the missing address, which was asked for


def test_the_way_in_has_no_serious_barrier_in_either_theme(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged()
    for theme in ("dark", "light"):
        page = visit(stage, None, color_scheme=theme).goto("/sign-in")
        page.get_by_role("button", name="Sign in").wait_for()
        assert violations(page) == []


def test_a_link_that_was_used_leads_to_a_sentence_or_back_in(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged()
    alice = visit(stage, "alice")
    page = alice.goto(f"/links/{stage.links['alice']}")
    page.get_by_role("button", name="Sign out").wait_for()
    other = visit(stage, None).goto(f"/links/{stage.links['alice']}")
    other.get_by_text("This link was used before").wait_for()
