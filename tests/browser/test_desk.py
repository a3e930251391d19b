"""The floor's desk in real browsers: what it shows, and tasks that need a form, a second person or the keys."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.dealt import Place, stacked
from browser.entered import Sessions
from browser.seated import Seated
from browser.staged import TRAY_CENTS, Stage, Visitor
from browser.worked import DRAWN, Dealing, StaffedStage, documents, leave, open_tile, seat, work
from pitboss.games.catalogue import game, game_names
from pitboss.server.demonstration import staffed_document
from pitboss.server.demonstration_staff import open_staffed
from pitboss.server.open_floor import OpenFloor

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
Staged = Callable[..., Stage]
METERED, ASIDE = "metered", "aside"  # a table with a progressive, and one that nobody deals at
DONE = "Done and recorded."


class DeskStage(StaffedStage):
    """A stage with a table that draws on a meter and a spare table."""

    async def _opening(self, floor: OpenFloor) -> None:
        await super()._opening(floor)
        await open_staffed(floor, METERED, staffed_document(), TRAY_CENTS)
        await open_staffed(floor, ASIDE, documents()[DRAWN], TRAY_CENTS)


class QuietDeskStage(DeskStage):
    """The same, with deposits that raise no alert about cash, also when the cashier's deposits are added up."""

    DEPOSIT_CENTS = 500_00


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    stage = DeskStage(tmp_path_factory.mktemp("desk"))
    yield Sessions(stage)
    stage.stop()


@pytest.fixture(autouse=True)
def relieved(floor: Sessions) -> Iterator[None]:
    yield
    leave(floor)


def act(page: Page, kind: str) -> None:
    page.get_by_test_id(f"choose-{kind}").click()
    page.get_by_test_id(f"act-{kind}").get_by_role("button").last.click()


def test_the_desk_leads_with_the_floor_in_figures_and_says_where_alerts_appear(staged: Staged, visit: Visit) -> None:
    floor = Sessions(staged(game_names()[-1:], kind=QuietDeskStage))
    page = floor.enter(visit, "flo", viewport={"width": 1920, "height": 1080}).goto("/floor")
    page.get_by_test_id(f"tile-{ASIDE}").wait_for()
    figures = page.get_by_test_id("figures")
    for said in ("Tables open", "Players", "Drop today", "Win today", "Hold today", "Alerts", "To confirm"):
        expect(figures).to_contain_text(said)
    expect(page.get_by_test_id("alerts")).to_contain_text("No alerts.")
    sizes = {
        (round(box["width"]), round(box["height"]))
        for element in page.locator('[data-testid^="tile-"]').all()
        if (box := element.bounding_box())
    }
    assert len({width for width, _ in sizes}) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Each tile's figures add up to the head line's.
    shown: Any = floor.client("flo").http.get("/api/floor").json()
    drop = sum(table["today"]["drop_cents"] for table in shown["tables"])
    expect(figures).to_contain_text(f"${drop // 100:,}")


def test_a_progressive_hit_that_the_dealer_claims_is_validated_by_the_floor(floor: Sessions, visit: Visit) -> None:
    wagers = {"ante": 10_00, "blind": 10_00, "progressive": 1_00}
    cards: dict[Place, list[str]] = {1: ["As", "Ks"], "dealer": ["Kh", "Qd"], "board": ["Qs", "Js", "Ts", "2d", "3c"]}
    alice = Seated(floor.enter(visit, "alice"), METERED, 1)
    floor.stage.stacked = stacked(staffed_document(), {1: wagers}, cards)
    dealer = Dealing(floor.enter(visit, "dea"), METERED)
    dealer.work_to(re.compile("Take bets"))
    floor.stage.stacked = []
    alice.bet({"ante": 10_00, "progressive": 1_00})
    expect(dealer.button).to_have_attribute("data-kind", "CloseBets")
    dealer.now.get_by_test_id("field-progressive_chips").fill("1")
    dealer.page.keyboard.press("Enter")
    dealer.work_to(re.compile("Ask seat 1"))
    alice.act("raise 4x")
    expect(dealer.now).not_to_contain_text("Ask seat 1")
    dealer.work_to(re.compile("Verify seat"))  # the Blind pays 500 to 1
    assert dealer.button.count() == 0
    expect(dealer.now).to_contain_text("This is the floorperson’s job")

    page = floor.enter(visit, "flo").goto("/floor")
    open_tile(page, METERED)
    opened = page.get_by_test_id(f"opened-{METERED}")
    expect(opened.get_by_test_id("payout")).to_contain_text("$5,000")
    opened.get_by_role("button", name="Verify and pay").click()
    expect(dealer.now).to_contain_text("progressive payout")
    opened.get_by_role("button", name="Verify and pay").click()
    expect(dealer.now).not_to_contain_text("progressive payout")
    hit = page.get_by_test_id("alert-meter-hit")
    expect(hit).to_contain_text(METERED)
    hit.get_by_role("button", name="Acknowledge").click()
    expect(hit).to_have_count(0)
    page.get_by_test_id("answered").locator("summary").click()
    expect(page.get_by_test_id("answered")).to_contain_text("flo")
    assert alice.result("progressive").startswith("+$")
    assert alice.page.get_by_text("100 % of meter").count()

    dealer.page.get_by_test_id("leave-place").click()  # in the middle of a round
    asked = dealer.page.get_by_role("dialog", name="Leave during a round?")
    asked.get_by_role("button", name="Stay").click()
    expect(dealer.page.get_by_test_id("do")).not_to_have_attribute("data-kind", "TakeLease")
    dealer.page.get_by_test_id("leave-place").click()
    asked.get_by_test_id("leave-anyway").click()
    expect(dealer.button).to_have_attribute("data-kind", "TakeLease")
    expect(page.get_by_test_id(f"tile-{METERED}")).to_contain_text("Round without a dealer")


def test_the_floor_has_cards_cut_again_before_they_are_dealt(staged: Staged, visit: Visit) -> None:
    floor = Sessions(staged(game_names()[-1:], kind=StaffedStage))
    work(floor, DRAWN, "BeginRound")  # of a fresh deck, which was cut
    page = floor.enter(visit, "flo").goto("/floor")
    open_tile(page, DRAWN)
    act(page, "OrderRecut")
    expect(page.get_by_text(DONE)).to_be_visible()
    dealer = Dealing(floor.enter(visit, "dea"), DRAWN)
    expect(dealer.button).to_have_attribute("data-kind", "CutDeck")


def test_a_count_that_was_begun_stays_when_a_round_begins(floor: Sessions, visit: Visit) -> None:
    seat(floor, DRAWN, "bob")
    work(floor, DRAWN, "BeginRound", "bob")  # bob may be in the middle of a round
    page = floor.enter(visit, "flo").goto("/floor")
    open_tile(page, DRAWN)
    page.get_by_test_id("choose-CountInventory").click()
    form = page.get_by_test_id("act-CountInventory")
    form.get_by_test_id("amount").fill("1234")
    shown = floor.client("dea").http.get(f"/api/tables/{DRAWN}/console").json()
    floor.client("dea").must(DRAWN, {"kind": "BeginRound"}, token=shown["lease"])
    expect(page.get_by_test_id(f"tile-{DRAWN}")).to_contain_text("Round")
    page.wait_for_timeout(2_500)  # longer than the desk takes to look again
    expect(form.get_by_test_id("amount")).to_have_value("1234")
    form.get_by_role("button").last.click()
    expect(form.get_by_role("alert")).to_contain_text("between rounds")


def test_a_stub_is_counted_at_the_console_when_it_is_due(floor: Sessions, visit: Visit) -> None:
    seat(floor, DRAWN, "bob")
    work(floor, DRAWN, "CountStub", "bob")
    dealer = Dealing(floor.enter(visit, "dea"), DRAWN)
    dealer.button.wait_for()
    assert "due this round" in dealer.page.locator("main").inner_text()
    row = dealer.page.get_by_test_id("do").and_(dealer.page.locator('[data-kind="CountStub"]'))
    expect(row).to_be_visible()
    field = dealer.now.get_by_test_id("field-cards")
    field.fill("fifty")
    dealer.page.keyboard.press("Enter")
    expect(dealer.now).to_contain_text("Enter a whole number.")
    field.fill("7")
    dealer.page.keyboard.press("Enter")
    expect(dealer.now.get_by_role("alert")).to_contain_text("cards left")
    said = dealer.now.get_by_role("alert").inner_text()
    field.fill(re.findall(r"\d+", said)[0])
    dealer.page.keyboard.press("Enter")
    expect(dealer.button).not_to_have_attribute("data-kind", "CountStub")
    expect(dealer.page.locator("main")).not_to_contain_text("due this round")


def test_the_console_says_for_whom_a_deal_waits_while_the_shoe_is_out_of_order(floor: Sessions, visit: Visit) -> None:
    seat(floor, DRAWN, "bob")
    work(floor, DRAWN, "DealCards", "bob")
    dealer = Dealing(floor.enter(visit, "dea"), DRAWN)
    expect(dealer.button).to_have_attribute("data-kind", "DealCards")
    floor.client("flo").must(DRAWN, {"kind": "FailDevice", "device": "shoe"})
    expect(dealer.now).to_contain_text("The shoe is out of order; don’t deal from it.")
    expect(dealer.now).to_contain_text("Ch. 13 §J(1)")
    expect(dealer.now).to_contain_text("A floorperson or technician must")
    assert dealer.button.count() == 0
    floor.client("flo").must(DRAWN, {"kind": "TakeOutDevice", "device": "shoe", "how": "marked"})
    expect(dealer.now).to_contain_text("Ch. 13 §J(2)")
    floor.client("flo").must(DRAWN, {"kind": "ReturnDevice", "device": "shoe"})
    expect(dealer.button).to_have_attribute("data-kind", "DealCards")


def test_a_table_is_closed_with_its_count_and_opened_again(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "flo").goto("/floor")
    tile = page.get_by_test_id(f"tile-{ASIDE}")
    open_tile(page, ASIDE)
    page.get_by_test_id("choose-CloseTable").click()
    form = page.get_by_test_id("act-CloseTable")
    form.get_by_role("button", name="Close the table").click()
    expect(form).to_contain_text("Enter an amount in dollars")
    form.get_by_test_id("amount").fill(str(TRAY_CENTS // 100))
    form.get_by_role("button", name="Close the table").click()
    expect(page.get_by_text(DONE)).to_be_visible()
    expect(tile).to_contain_text("Closed")
    page.get_by_test_id("choose-OpenTable").click()
    form = page.get_by_test_id("act-OpenTable")
    form.get_by_text("Count by denomination").click()
    form.get_by_label("$25,000").fill("8")
    form.get_by_role("button", name="Open the table").click()
    expect(tile).to_contain_text("Needs a dealer")
    expect(tile.get_by_test_id("tray")).to_have_text("$200,000")


def test_a_pit_manager_confirms_new_rules_that_an_operator_proposed(floor: Sessions, visit: Visit) -> None:
    dearer = documents()[DRAWN]
    dearer = {**dearer, "table": {**dearer["table"], "minimum": 10_00}}
    olga = floor.client("olga")
    asked = {"id": "dearer", "body": {"kind": "SubmitRules", "table": ASIDE, "document": dearer}}
    assert olga.http.post("/api/office/commands", json=asked).status_code == 200
    page = floor.enter(visit, "pit").goto("/floor")
    open_tile(page, ASIDE)
    page.get_by_test_id("choose-ActivateSubmission").click()
    expect(page.get_by_test_id("act-ActivateSubmission").get_by_role("radio")).to_have_count(2)
    page.get_by_test_id("act-ActivateSubmission").get_by_role("button", name="Cancel").click()
    olga.must(ASIDE, {"kind": "ActivateSubmission", "document": dearer})
    proposal = page.get_by_test_id("proposal")
    expect(proposal).to_contain_text("olga proposed this as operator")
    expect(proposal).to_contain_text("$10")
    page.get_by_test_id("confirm").click()
    expect(proposal).to_have_count(0)
    expect(page.get_by_test_id(f"tile-{ASIDE}")).to_contain_text("$10 to $500")


def test_the_floor_picks_the_booking_that_the_cage_reverses_with_it(floor: Sessions, visit: Visit) -> None:
    cay, flo = floor.client("cay"), floor.client("flo")
    for cents in (700_00, 1_250_00):
        proposed = cay.must(ASIDE, {"kind": "Fill", "cents": cents})
        flo.must(ASIDE, {"kind": "Confirm", "proposal": proposed["proposal"]})
    page = floor.enter(visit, "flo").goto("/floor")
    tray = page.get_by_test_id(f"tile-{ASIDE}").get_by_test_id("tray")
    open_tile(page, ASIDE)
    before = tray.inner_text()
    page.get_by_test_id("choose-Correct").click()
    form = page.get_by_test_id("act-Correct")
    form.get_by_role("button", name="Reverse a transaction").click()
    expect(form).to_contain_text("Choose a transaction first.")
    wrong = form.get_by_test_id("booking-TrayFilled").filter(has_text="$1,250")
    expect(wrong).to_contain_text(re.compile("by (cay with flo|flo with cay)"))
    wrong.get_by_role("radio").check()
    form.get_by_label("Reason").fill("brought to the wrong table")
    form.get_by_role("button", name="Reverse a transaction").click()
    expect(page.get_by_test_id("meant")).to_contain_text("Fill · $1,250")
    cage = floor.enter(visit, "cay").goto("/floor")  # the cage's own page shows what waits for it
    expect(cage.get_by_test_id("proposal")).to_contain_text("brought to the wrong table")
    cage.get_by_test_id("confirm").click()
    expect(cage.get_by_test_id("proposal")).to_have_count(0)
    expect(tray).not_to_have_text(before)
    page.get_by_test_id("choose-Correct").click()
    expect(form.get_by_test_id("booking-TrayFilled").filter(has_text="$1,250")).to_have_count(0)
    expect(form.get_by_test_id("booking-TrayFilled").filter(has_text="$700")).to_have_count(1)


def test_a_round_is_verified_at_the_desk(floor: Sessions, visit: Visit) -> None:
    seat(floor, DRAWN, "bob")
    work(floor, DRAWN, "EndRound", "bob")
    work(floor, DRAWN, "BeginRound", "bob")
    page = floor.enter(visit, "pit").goto("/floor")
    open_tile(page, DRAWN)
    page.get_by_test_id("choose-Verify").click()
    form = page.get_by_test_id("act-Verify")
    form.get_by_role("button", name="Verify a round").click()
    expect(form.get_by_test_id("verdict")).to_contain_text("gives the same payouts and clauses")


def test_an_administrator_changes_roles_sets_a_password_locks_and_unlocks(floor: Sessions, visit: Visit) -> None:
    adam = floor.enter(visit, "adam")
    page = adam.goto("/floor")  # leads with people
    form = page.get_by_test_id("add-person")
    form.get_by_label(re.compile("^Name")).fill("otto")
    form.get_by_label("dealer", exact=True).check()
    form.get_by_role("button", name="Add a person").click()
    row = page.get_by_test_id("person-otto")
    row.get_by_role("button", name="Manage otto").click()
    row.get_by_role("button", name="Set password").click()
    row.get_by_label("Password").fill("short")
    row.get_by_role("button", name="Save").click()
    expect(row.get_by_role("alert")).to_be_visible()
    row.get_by_label("Password").fill("a long walk home")
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("second administrator")
    other = floor.enter(visit, "ann").goto("/floor/people")
    expect(other.get_by_text("Set a password").first).to_be_visible()
    other.get_by_role("button", name="Confirm").first.click()
    expect(other.get_by_text("Set a password")).to_have_count(0)
    otto = visit(floor.stage, None)
    otto.goto("/sign-in")
    otto.page.get_by_label("Name").fill("otto")
    otto.page.get_by_label("Password").fill("a long walk home")
    otto.page.get_by_role("button", name="Sign in").last.click()
    otto.page.get_by_role("button", name="Sign out").wait_for()
    expect(row).to_contain_text("signed in")
    row.get_by_role("button", name="Change roles").click()
    row.get_by_label("floorperson").check()
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("dealer, floorperson")
    row.get_by_role("button", name="Lock", exact=True).click()
    row.get_by_label("Reason").fill("lost a badge")
    row.locator("form").get_by_role("button", name="Lock").click()
    expect(row).to_contain_text("locked")
    expect(row).to_contain_text("An administrator locked this account.")
    otto.goto("/dealer").get_by_text("Sign in to see this page.").wait_for()
    row.get_by_role("button", name="Unlock").click()
    expect(row).to_contain_text("active")
    for visitor in (adam, otto):
        visitor.forgive()  # the browser notes what was refused


def test_a_report_is_downloaded_as_a_table(floor: Sessions, visit: Visit, tmp_path: Path) -> None:
    title = game(documents()[DRAWN]["table"]["game"]).title  # which other tables have as well
    page = floor.enter(visit, "pit").goto("/floor/reports/shifts")
    expect(page.get_by_role("region", name="Shifts")).to_contain_text(f"{title} · {ASIDE}")
    with page.expect_download() as given:
        page.get_by_test_id("csv").click()
    given.value.save_as(tmp_path / "shifts.csv")
    head, *lines = (tmp_path / "shifts.csv").read_text("utf-8").splitlines()
    assert head.startswith("table,")
    assert any(line.startswith(f"{ASIDE},") for line in lines)
    assert given.value.suggested_filename == "shifts.csv"


def test_the_floor_frees_the_seat_of_somebody_who_is_gone(floor: Sessions, visit: Visit) -> None:
    seat(floor, ASIDE, "carol", at=4)
    page = floor.enter(visit, "flo").goto("/floor")
    open_tile(page, ASIDE)
    page.get_by_test_id("choose-LeaveSeat").click()
    form = page.get_by_test_id("act-LeaveSeat")
    form.get_by_label("Seat").select_option("4")
    form.get_by_role("button").last.click()
    expect(page.get_by_text(DONE)).to_be_visible()
    assert floor.client("carol").view(ASIDE)["seats"] == []
