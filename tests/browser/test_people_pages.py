"""Consoles that lock and come back by PIN, and two administrators who give a person access, on the page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.housed import GAME, AtConsole, Visit, enter
from browser.test_barriers import barriers
from pitboss.house.people.decide import SignInRules
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
PASSWORD, PIN = "a heron on the pier", "4071"
MINUTE_MS = 60_000


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("people"), rules=SignInRules())
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def at_work(floor: ScenarioFloor) -> None:
    """Have everyone sign in anew: the other test moves the clock."""
    for name, client in floor.people.items():
        assert client.http.get(floor.key_holders_link(name)).status_code == 303


def test_a_console_locks_and_comes_back_with_the_table_as_it_was(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * MINUTE_MS}
    table.open()
    table.begin()
    visitor = enter(visit, floor, "dana")
    page = visitor.goto("/password")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the new password").fill(PASSWORD)
    page.get_by_role("button", name="Save password").click()
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill("dana")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="dana").click()
    form = page.get_by_test_id("own-pin")
    form.get_by_label("Confirm with your password").fill(PASSWORD)
    form.get_by_label("New PIN").fill("1234")
    form.get_by_label("Repeat the PIN").fill("1234")
    form.get_by_role("button", name="Save PIN").click()
    expect(form).to_contain_text("easy to guess")
    form.get_by_label("New PIN").fill(PIN)
    form.get_by_label("Repeat the PIN").fill(PIN)
    form.get_by_role("button", name="Save PIN").click()
    expect(form.get_by_role("status")).to_have_text("Your PIN is set.")
    assert barriers(page) == []

    console = AtConsole(visitor, table)
    expect(console.page.get_by_test_id("console")).to_be_visible()
    held = table.live.lease
    floor.pass_time(6 * MINUTE_MS)
    lock = page.get_by_test_id("lock")
    expect(lock).to_be_visible()
    expect(page.get_by_test_id("console")).to_be_hidden()
    assert barriers(page) == []
    lock.get_by_label("PIN").fill("9999")
    lock.get_by_role("button", name="Unlock").click()
    expect(lock).to_contain_text("The PIN is wrong")
    lock.get_by_label("PIN").fill(PIN)
    lock.get_by_role("button", name="Unlock").click()
    expect(lock).to_have_count(0)
    expect(page.get_by_test_id("console")).to_be_visible()
    assert table.live.lease.token == held.token
    visitor.forgive()  # the browser notes what a locked console was refused


def test_two_administrators_give_a_link_and_a_name(floor: ScenarioFloor, visit: Visit) -> None:
    ScenarioTable(floor, GAME).open(players=())
    first, second = (enter(visit, floor, name).goto("/floor/people") for name in ("adam", "ann"))
    add = first.get_by_test_id("add-person")
    add.get_by_label(re.compile("^Name")).fill("nina")
    add.get_by_label("dealer", exact=True).check()
    add.get_by_label("Full name").fill("Nina Ortiz")
    add.get_by_label("Badge").fill("2077")
    add.get_by_role("button", name="Add a person").click()
    row = first.get_by_test_id("person-nina")
    expect(row).to_contain_text("Nina Ortiz")
    expect(row).to_contain_text("badge 2077")
    row.get_by_role("button", name="Manage nina").click()
    row.get_by_role("button", name="Change name and badge").click()
    row.get_by_label("License number").fill("DL-20")
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("license DL-20")
    row.get_by_role("button", name="Create sign-in link").click()
    expect(row).to_contain_text("once a second administrator confirms it")
    link = row.locator("code").inner_text()
    stranger = visit(floor, None)
    stranger.page.goto(link)
    expect(stranger.page).to_have_url(f"{floor.address}/sign-in?link=refused")
    asked = second.get_by_text("Give a sign-in link").first
    expect(asked).to_be_visible()
    assert barriers(second) == []
    second.set_viewport_size({"width": 390, "height": 844})
    assert barriers(second) == []
    second.set_viewport_size({"width": 1280, "height": 800})
    second.get_by_role("button", name="Confirm").first.click()
    expect(second.get_by_text("Give a sign-in link")).to_have_count(0)
    stranger.page.goto(link)
    stranger.page.get_by_text("nina").first.wait_for()
    watching = enter(visit, floor, "flo").goto("/floor")
    expect(watching.get_by_test_id("alerts")).to_contain_text("Adam and ann made a sign-in link for nina")
    stranger.forgive()
