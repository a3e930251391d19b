"""The office on the page: two people open and link meters, and somebody who came by a link sets a password."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from browser.housed import enter
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.test_meters_in_force import FIXED, stated

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
expect.set_options(timeout=20_000)
Staged, Visit = Callable[..., Stage], Callable[..., Visitor]
LONG = "a long walk home in the rain"


@pytest.fixture
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("office"))
    yield running
    running.stop()


def test_an_operator_opens_and_links_meters_and_a_pit_manager_confirms(floor: ScenarioFloor, visit: Visit) -> None:
    name = "jackpot"
    table = ScenarioTable(floor, FIXED.name, progressive_name=name, wagers={"progressive": stated()})
    filed = floor.office("olga", {"kind": "SubmitRules", "table": table.table, "document": table.document})
    assert filed.status_code == 200, filed.text
    operator = enter(visit, floor, "olga").goto("/floor/meters")
    manager = enter(visit, floor, "pit").goto("/floor/meters")
    shown = operator.get_by_test_id(f"progressive-{name}")
    expect(shown).to_contain_text("not open yet")
    shown.get_by_test_id("open-meters").click()
    expect(operator.get_by_test_id("proposal")).to_contain_text("Proposed by you")
    expect(manager.get_by_test_id("proposal")).to_contain_text("Open meters")
    manager.get_by_test_id("confirm").click()
    expect(manager.get_by_test_id("proposal")).to_have_count(0)
    expect(shown).not_to_contain_text("not open yet")
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    shown.get_by_test_id(f"link-{table.table}").click()
    expect(manager.get_by_test_id("proposal")).to_contain_text("Link a table to meters")
    manager.get_by_test_id("confirm").click()
    expect(shown).to_contain_text(f"{table.table} is linked")
    assert floor.floor is not None
    assert table.table in floor.floor.house.progressive(name).state.links


def test_an_administrator_who_came_by_a_link_sets_a_password_and_signs_in_with_it(staged: Staged, visit: Visit) -> None:
    adam = visit(staged(game_names()[-1:]), "adam")
    page = adam.page
    page.get_by_role("link", name="adam").click()
    page.get_by_label("New password", exact=True).fill(LONG)
    page.get_by_label("New password again").fill(LONG + "!")
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("alert")).to_contain_text("not the same")
    page.get_by_label("New password again").fill(LONG)
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("status")).to_contain_text("Your password is set")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("adam")
    page.get_by_label("Password").fill(LONG)
    page.get_by_role("button", name="Sign in").last.click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("link", name="adam").click()  # and changes it, which takes the one there is
    page.get_by_label("New password", exact=True).fill(LONG + " again")
    page.get_by_label("New password again").fill(LONG + " again")
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("alert")).to_contain_text("current password is wrong")
    adam.forgive()  # the browser notes the refusal
