"""The office on the page: two people open and link meters, and a person who came by a link sets a password."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from browser.housed import Visit, enter
from browser.staged import Stage
from browser.test_barriers import barriers
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.test_meters_in_force import FIXED, file, filed_meters, fixed, grown, meter, opened, stated

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
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
    expect(shown).to_contain_text(f"{table.table} linked")
    assert floor.floor is not None
    assert table.table in floor.floor.house.progressive(name).state.links


def test_a_meters_money_is_moved_and_its_rate_changed_by_two_people(floor: ScenarioFloor, visit: Visit) -> None:
    def new_table(name: str, **changes: object) -> ScenarioTable:
        return ScenarioTable(floor, name, **changes)

    table, other = grown(new_table, "fast"), fixed(new_table, "other")
    file(other)
    opened(other)
    file(fixed(new_table, "fast", rate="0.10"))
    held = meter(other).shown_cents
    operator = enter(visit, floor, "olga")
    page, manager = operator.goto("/floor/meters"), enter(visit, floor, "pit").goto("/floor/meters")
    shown = page.get_by_test_id("progressive-fast")

    def confirm(title: str) -> None:
        proposal = manager.get_by_test_id("proposal")
        expect(proposal).to_contain_text(title)
        proposal.get_by_test_id("confirm").click()
        expect(proposal).to_have_count(0)

    shown.get_by_test_id("change-terms").click()
    form = shown.get_by_test_id("form-terms")
    expect(form).to_contain_text("This meter has grown since its last hit.")
    form.get_by_test_id("meter-reason").fill("a slower meter")
    form.get_by_test_id("meter-reason").press("Enter")
    expect(shown.get_by_role("alert")).to_contain_text("has grown")
    shown.get_by_test_id("move-meter").click()
    form = shown.get_by_test_id("form-move")
    expect(form.get_by_label("To")).to_have_text("other · meter")
    form.get_by_label("Retire this meter").check()
    expect(form).to_contain_text("Unlink its tables before you retire it.")
    form.get_by_label("Retire this meter").uncheck()
    assert not barriers(page)
    form.get_by_test_id("meter-reason").fill("the rate changes")
    form.get_by_role("button", name="Move money").click()
    expect(form).to_have_count(0)
    confirm("Move a meter’s money to another meter")
    assert meter(table).shown_cents == meter(table).terms.reset_cents
    assert meter(other).shown_cents == held + 20
    shown.get_by_test_id("change-terms").click()
    expect(shown.get_by_test_id("form-terms")).not_to_contain_text("This meter has grown")
    shown.get_by_test_id("meter-reason").fill("a slower meter")
    shown.get_by_role("button", name="Change terms", exact=True).click()
    confirm("Change a meter’s terms")
    expect(shown.get_by_test_id("meter-meter")).to_contain_text("1/10")
    assert str(meter(table).terms.rate) == "1/10"
    assert filed_meters(table)[0]["rate"] == "1/5"
    operator.forgive()  # the browser notes the refusal


def test_an_operator_records_an_approval_and_posts_a_notice(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, game_names()[0])
    file(table)
    operator = enter(visit, floor, "olga")
    page = operator.goto(f"/submissions?table={table.table}")
    version = page.locator('[data-testid^="version-"]')
    expect(version.get_by_test_id("approval")).to_have_text("not recorded")
    expect(version.get_by_test_id("notice")).to_have_text("none posted")
    version.get_by_test_id("record-approval").click()
    version.get_by_label("The commission’s reference").fill("MGC 2026-114")
    version.get_by_label("The commission’s reference").press("Enter")
    expect(version.get_by_test_id("approval")).to_have_text("MGC 2026-114")
    version.get_by_test_id("post-notice").click()
    days = version.get_by_label("Days before the change")
    days.fill("soon")
    days.press("Enter")
    expect(version.get_by_role("alert")).to_contain_text("Enter a whole number of days.")
    days.fill("0")
    days.press("Enter")
    expect(version.get_by_role("alert")).to_contain_text("1 to")
    assert not barriers(page)
    days.fill("3")
    days.press("Enter")
    expect(version.get_by_test_id("notice")).to_contain_text("3 days, posted")
    (filing,) = floor.people["olga"].http.get(f"/api/tables/{table.table}/submitted").json()
    assert (filing["approval"], filing["notice"]["days"], filing["notice"]["by"]) == ("MGC 2026-114", 3, "olga")
    manager = enter(visit, floor, "pit").goto(f"/submissions?table={table.table}")
    expect(manager.get_by_test_id("approval")).to_have_text("MGC 2026-114")
    expect(manager.get_by_test_id("record-approval")).to_have_count(0)
    operator.forgive()  # the browser notes the refusal


def test_an_administrator_who_came_by_a_link_sets_a_password_and_signs_in_with_it(staged: Staged, visit: Visit) -> None:
    adam = visit(staged(game_names()[-1:]), "adam")
    page = adam.page
    page.get_by_role("link", name="adam").click()
    page.get_by_label("New password", exact=True).fill(LONG)
    page.get_by_label("Repeat the new password").fill(LONG + "!")
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("alert")).to_contain_text("don’t match")
    page.get_by_label("Repeat the new password").fill(LONG)
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("status")).to_contain_text("Your password is set")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("adam")
    page.get_by_label("Password").fill(LONG)
    page.get_by_role("button", name="Sign in").last.click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("link", name="adam").click()  # and changes it, which takes the one there is
    page.get_by_label("New password", exact=True).fill(LONG + " again")
    page.get_by_label("Repeat the new password").fill(LONG + " again")
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("alert")).to_contain_text("current password is wrong")
    adam.forgive()  # the browser notes the refusal
