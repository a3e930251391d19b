"""Patrons on the page: own limits and self-exclusion, the exclusion list, the form of a hand pay, and statements."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.housed import AtConsole, Visit, enter
from browser.test_barriers import barriers
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.patron_floor import SETTINGS, ULTIMATE, WINNER, exclude, fund, hand_table, person, royal

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("patrons"))
    settings = {**SETTINGS, "play_limits": {"loss_day_cents": 5_000_00}}
    running.both_at_office("olga", "otto", {"kind": "ChangeHouseSettings", "settings": settings})
    yield running
    running.stop()


def sound(page: Page, name: str) -> None:
    """Check a page for barriers, wide and on a phone, where nothing may run off the side."""
    assert barriers(page) == []
    folder = os.environ.get("PITBOSS_LOOK")  # to look at the page while working on it
    if folder:
        page.screenshot(path=Path(folder) / f"{name}-1280.png", full_page=True)
    wide = page.viewport_size
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    if folder:
        page.screenshot(path=Path(folder) / f"{name}-390.png", full_page=True)
    assert wide is not None
    page.set_viewport_size(wide)


def test_a_player_sets_limits_and_excludes_themselves(floor: ScenarioFloor, visit: Visit) -> None:
    name = person(floor)
    table = ScenarioTable(floor, ULTIMATE).open(())
    table.sit(name, 1, 200_00)
    page = enter(visit, floor, name).goto("/password")
    limits = page.get_by_test_id("own-limits")
    day = limits.get_by_label("Buy-ins per day")
    expect(limits).to_contain_text("Used: $200")
    expect(limits).to_contain_text("House limit: $5,000")
    day.fill("oops")
    limits.get_by_role("button", name="Save limits").click()
    expect(limits).to_contain_text("Enter an amount in dollars")
    day.fill("250")
    limits.get_by_label("Minutes per day").fill("120")
    limits.get_by_role("button", name="Save limits").click()
    expect(limits.get_by_role("status")).to_contain_text("saved")
    day.fill("400")  # looser: it waits
    limits.get_by_role("button", name="Save limits").click()
    expect(limits).to_contain_text("$400 from")
    expect(day).to_have_value("250")
    sound(page, "own-limits")
    assert floor.floor is not None
    now = floor.floor.clock.now_ms()
    assert floor.floor.house.patrons.state.own_limits(name, now).deposit_day_cents == 250_00

    leaving = page.get_by_test_id("self-exclusion")
    leaving.get_by_label("For how long").select_option("365")
    leaving.get_by_role("button", name="Exclude yourself").click()
    dialog = page.get_by_test_id("exclude-self-dialog")
    expect(dialog).to_contain_text("1 year")
    dialog.get_by_role("button", name="Go back").click()
    assert floor.floor.house.patrons.state.exclusion_of(name, now) is None
    leaving.get_by_role("button", name="Exclude yourself").click()
    page.get_by_test_id("exclude-self").click()
    expect(leaving).to_contain_text("You are excluded from real-money play until")
    assert floor.floor.house.patrons.state.exclusion_of(name, floor.floor.clock.now_ms()) is not None
    sound(page, "self-excluded")

    page.goto(f"{floor.address}/history")
    statement = page.get_by_test_id("statement")
    with page.expect_download() as download:
        statement.get_by_role("link", name="Download CSV").click()
    assert b"20000" in download.value.path().read_bytes(), "the buy-in of $200"
    sound(page, "history")


def test_the_pit_excludes_a_person_and_two_people_end_it(floor: ScenarioFloor, visit: Visit) -> None:
    boss = enter(visit, floor, "pit").goto("/floor/patrons")
    form = boss.get_by_test_id("exclude-person")
    form.get_by_label("Full name").fill("Nora Nobody")
    form.get_by_label("Reason").fill("barred by the commission")
    form.get_by_label("ID document number").fill("MD 1-2-3")
    form.get_by_label("Days (empty: no end)").fill("90")
    form.get_by_role("button", name="Exclude").click()
    listed = boss.get_by_test_id("exclusions")
    row = listed.get_by_role("row").filter(has_text="Nora Nobody")
    expect(row).to_contain_text("barred by the commission")
    sound(boss, "exclusions")
    operator = enter(visit, floor, "olga").goto("/floor/patrons")
    operator.get_by_role("button", name="End the exclusion of Nora Nobody").click()
    operator.get_by_label("Reason for ending it").fill("appeal granted")
    operator.get_by_test_id("exclusions").get_by_role("button", name="End", exact=True).last.click()
    expect(operator.get_by_test_id("exclusions").get_by_role("status")).to_contain_text("second person")
    expect(row).to_be_visible()
    proposal = boss.get_by_test_id("proposal").filter(has_text="End an exclusion")
    expect(proposal).to_contain_text("appeal granted")
    proposal.get_by_test_id("confirm").click()
    expect(row).to_have_count(0)


def test_a_hand_pay_is_recorded_at_the_cage_and_then_paid(floor: ScenarioFloor, visit: Visit) -> None:
    table = hand_table(floor)
    patron = table.seat_patron(1, 500_00)
    royal(table, patron)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.page.get_by_test_id("hand-pay-needs")).to_be_visible()
    cage = enter(visit, floor, "cay").goto("/floor/cage")
    form = cage.get_by_test_id("hand-pay")
    expect(form).to_contain_text("$5,000 to seat 1")
    sound(cage, "cage")
    titles = ("Full name", "Address", "Taxpayer identification number", "First ID document")
    for title, text in zip((*titles, "Second ID document"), WINNER.values(), strict=True):
        form.get_by_label(title).fill(text)
    form.get_by_role("button", name="Record form").click()
    expect(form).to_have_count(0)
    expect(dealer.page.get_by_test_id("hand-pay-form")).to_contain_text("HANDPAY-")
    table.must("flo", "ValidatePayout", seat=1)
    cage.goto(f"{floor.address}/floor/patrons")
    forms = cage.get_by_test_id("hand-pay-forms")
    expect(forms).to_contain_text("$5,000")
    with cage.expect_download() as download:
        forms.get_by_role("link", name="Print form").first.click()
    assert download.value.path().read_bytes().startswith(b"%PDF")
    sound(cage, "cage-patrons")


def test_the_floor_records_the_form_where_it_verifies_the_payout(floor: ScenarioFloor, visit: Visit) -> None:
    table = hand_table(floor)
    royal(table, table.seat_patron(1, 500_00))
    page = enter(visit, floor, "flo").goto(f"/dealer/{table.table}")
    form = page.get_by_test_id("hand-pay")
    expect(form).to_be_visible()
    sound(page, "console")
    for name, text in WINNER.items():
        form.locator(f"[name='hand-pay-{name}']").fill(text)
    form.get_by_role("button", name="Record form").click()
    expect(page.get_by_test_id("hand-pay-form")).to_be_visible()
    assert table.live.forms


def test_a_payout_to_an_excluded_person_waits_at_the_cage(floor: ScenarioFloor, visit: Visit) -> None:
    ScenarioTable(floor, ULTIMATE).open(())  # a house with real money
    name = person(floor)
    fund(floor, name, 100_00)
    exclude(floor, name)
    cage = enter(visit, floor, "cay").goto("/floor/cage")
    paying = cage.get_by_test_id("cage-RedeemMoney")
    paying.get_by_label("Person").fill(name)
    paying.get_by_label("Amount").fill("100")
    paying.get_by_role("button").click()
    cage.get_by_test_id("pay-RedeemMoney").click()
    expect(paying.get_by_role("status")).to_contain_text("Don’t pay yet")
    assert floor.floor is not None
    assert floor.floor.house.money.state[f"deposit:{name}"] == 100_00
    boss = enter(visit, floor, "pit").goto("/floor/patrons")
    boss.get_by_test_id("proposal").filter(has_text=name).get_by_test_id("confirm").click()
    expect(cage.get_by_test_id("proposal").filter(has_text=name)).to_have_count(0)
    assert floor.floor.house.money.state.get(f"deposit:{name}", 0) == 0


def test_an_operator_sets_the_houses_limits_on_the_settings_page(floor: ScenarioFloor, visit: Visit) -> None:
    page = enter(visit, floor, "olga").goto("/floor/money/settings")
    page.get_by_test_id("setting-play_limits-deposit_day_cents").fill("3000")
    page.get_by_test_id("setting-hand_pay_cents").fill("2500")
    page.get_by_test_id("propose-settings").click()
    proposal = page.get_by_test_id("proposal").filter(has_text="Change the house settings")
    expect(proposal).to_contain_text("Buy-ins per day: $3,000")
    sound(page, "settings")
    second = enter(visit, floor, "otto").goto("/floor/money/settings")
    second.get_by_test_id("proposal").get_by_test_id("confirm").click()
    expect(second.get_by_test_id("setting-play_limits-deposit_day_cents")).to_have_value("3000")
    assert floor.floor is not None
    limits = floor.floor.house.controls.state.settings.play_limits
    assert (limits.deposit_day_cents, limits.loss_day_cents) == (3_000_00, 5_000_00)
