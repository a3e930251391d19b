"""The staff's work in real browsers: a round dealt at the console, a void by two people, every role's main task."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Route, expect

from browser.entered import Sessions
from browser.seated import Seated
from browser.staged import Visitor
from browser.worked import DRAWN, READ, Dealing, StaffedStage, leave, open_tile, seat, work

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
CARDS = ("2c", "3d", "4h", "5s", "7c", "9d", "Jh", "Kc", "2d", "3h", "4s", "5c", "6d", "8h", "Ts", "Qs")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    stage = StaffedStage(tmp_path_factory.mktemp("staffed"))
    yield Sessions(stage)
    stage.stop()


@pytest.fixture(autouse=True)
def relieved(floor: Sessions) -> Iterator[None]:
    yield
    leave(floor)


@pytest.fixture(scope="module")
def played(floor: Sessions) -> Sessions:
    """The floor after a round of a table that a dealer deals, whichever tests came before."""
    seat(floor, DRAWN, "carol", at=2)
    work(floor, DRAWN, "EndRound", "carol")
    work(floor, DRAWN, "BeginRound", "carol")
    floor.client("carol").must(DRAWN, {"kind": "LeaveSeat", "seat": 2})
    return floor


def test_a_dealer_works_a_whole_round_by_one_button(floor: Sessions, visit: Visit) -> None:
    alice = Seated(floor.enter(visit, "alice"), DRAWN, 1)
    expect(alice.page.get_by_test_id("told")).to_have_text("You sit down in seat 1.")
    dealer = Dealing(floor.enter(visit, "dea"), DRAWN)
    dealer.work_to(re.compile("Take bets"))
    alice.bet({"ante": 10_00})
    dealer.work_to(re.compile("Ask seat 1"))
    alice.act("raise 4x")
    expect(dealer.now).not_to_contain_text("Ask seat 1")
    dealer.work_to(re.compile("Open a round|prepare the cards"))
    alice.comes_to(re.compile(r"\$\d"))
    rounds = alice.page.get_by_role("region", name="Your rounds").get_by_role("listitem")
    expect(rounds.first).to_contain_text(re.compile(r"Round \d+\s*[+−]?\$"))  # and not that it is being played
    once = ("TakeLease", "BeginRound", "CloseBets", "Settle")
    assert [future for future in dealer.done if future in once] == list(once)
    assert dealer.done[-1] == "EndRound"
    dealer.page.get_by_test_id("leave-place").click()
    expect(dealer.button).to_have_attribute("data-kind", "TakeLease")


def test_a_round_is_voided_by_two_and_the_stake_is_back(floor: Sessions, visit: Visit) -> None:
    bob = Seated(floor.enter(visit, "bob"), READ, 1)
    stack = bob.page.get_by_test_id("stack")
    expect(stack).to_have_text("$250")
    dealer = Dealing(floor.enter(visit, "dea"), READ, CARDS)
    dealer.work_to(re.compile("inspected and shuffled"))  # which the floor confirms
    floor.client("flo").must(READ, {"kind": "ConfirmDuty", "duty": "confirm-ready", "deck": "deck-1"})
    dealer.work_to(re.compile("Take bets"))
    bob.bet({"ante": 10_00})
    expect(stack).to_have_text("$230")
    dealer.work_to(re.compile("for the dealer|for seat 1"))  # in the middle of the deal
    dealer.page.get_by_test_id("irregularity").click()
    form = dealer.page.get_by_role("dialog")
    form.get_by_label("What happened?").select_option("wrong-number-of-cards")
    expect(form).to_contain_text("Ch. 13 §E")
    form.get_by_role("button", name="Send report").click()
    expect(dealer.page.get_by_test_id("proposal")).to_contain_text("Proposed by you")
    expect(dealer.page.get_by_text("Waiting for a second person.")).to_be_visible()
    assert dealer.page.get_by_test_id("confirm").count() == 0
    assert "void" not in bob.page.get_by_test_id("now").inner_text().lower()
    cage = floor.enter(visit, "cay").goto("/floor")
    expect(cage.get_by_test_id("proposal")).to_contain_text("Can be confirmed by: floorperson or pit manager.")
    assert cage.get_by_test_id("confirm").or_(cage.get_by_test_id("decline")).count() == 0
    page = floor.enter(visit, "flo").goto("/floor")
    open_tile(page, READ)
    page.get_by_test_id("confirm").click()
    expect(bob.page.get_by_test_id("now")).to_contain_text("The round is void")
    expect(bob.page.get_by_test_id("your-round")).to_contain_text("Void, Ch. 13 §E")
    expect(stack).to_have_text("$250")
    expect(page.get_by_test_id("confirm")).to_have_count(0)
    expect(dealer.page.get_by_test_id("proposal")).to_have_count(0)
    expect(dealer.page.get_by_text("Waiting for a second person.")).to_have_count(0)


def test_the_cage_pays_money_into_an_account(floor: Sessions, visit: Visit) -> None:
    carol = floor.enter(visit, "carol").goto("/")
    expect(carol.get_by_title("Balance")).to_have_text("$10,000")
    page = floor.enter(visit, "cay").goto("/floor/cage")
    form = page.get_by_test_id("cage-IssueMoney")
    form.get_by_label("Person").fill("carol")
    form.get_by_label("Amount").fill("250")
    form.get_by_role("button", name="Deposit").click()
    expect(form.get_by_role("status")).to_have_text("$250 deposited to carol’s account.")
    carol.reload()
    expect(carol.get_by_title("Balance")).to_have_text("$10,250")


def test_money_is_paid_once_though_its_answer_was_lost(floor: Sessions, visit: Visit) -> None:
    def purse() -> int:
        cents: int = floor.client("bob").http.get("/api/me").json()["deposit_cents"]
        return cents

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    before = purse()
    cage = floor.enter(visit, "cay")
    form = cage.goto("/floor/cage").get_by_test_id("cage-IssueMoney")
    cage.page.route("**/api/office/commands", lose)
    form.get_by_label("Person").fill("bob")
    form.get_by_label("Amount").fill("50")
    form.get_by_role("button", name="Deposit").click()
    expect(form.get_by_role("alert")).to_contain_text("The server isn’t responding")
    cage.page.unroute("**/api/office/commands")
    form.get_by_role("button", name="Deposit").click()
    expect(form.get_by_role("status")).to_have_text(re.compile("not counted twice: .50 deposited to bob’s account"))
    assert purse() == before + 50_00
    form.get_by_label("Amount").fill("50")  # once it was answered, the same again is another payment
    form.get_by_role("button", name="Deposit").click()
    expect(form.get_by_role("status")).to_have_text("$50 deposited to bob’s account.")
    assert purse() == before + 100_00
    cage.forgive()  # the browser notes the lost answer


def test_a_cage_whose_clock_is_fast_is_told_that_a_fill_was_withdrawn_before_it_confirmed(
    floor: Sessions, visit: Visit
) -> None:
    cage = floor.enter(visit, "cay")
    cage.context.add_init_script("const own = Date.now.bind(Date); Date.now = () => own() + 20 * 60_000")
    proposed = floor.client("flo").must(DRAWN, {"kind": "Fill", "cents": 100_00})["proposal"]

    def withdraw_first(route: Route) -> None:
        floor.client("flo").must(DRAWN, {"kind": "Decline", "proposal": proposed})
        route.continue_()

    page = cage.goto("/floor")
    expect(page.get_by_test_id("proposal")).to_contain_text(re.compile(r"(10:00|9:\d\d) left"))
    page.route("**/api/tables/*/commands", withdraw_first)
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("proposal")).to_have_count(0)
    late = page.get_by_test_id("late")
    expect(late).to_contain_text(DRAWN)
    expect(late.get_by_role("alert")).not_to_be_empty()
    late.get_by_role("button", name="OK").click()
    expect(late).to_have_count(0)
    cage.forgive()  # the browser notes the refusal


def test_the_floor_asks_for_a_fill_and_the_cage_gives_it(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "flo").goto("/floor")
    tray = page.get_by_test_id(f"tile-{DRAWN}").get_by_test_id("tray")
    before = tray.inner_text()
    open_tile(page, DRAWN)
    page.get_by_test_id("choose-Fill").click()
    page.get_by_test_id("act-Fill").get_by_test_id("amount").fill("1000")
    page.get_by_test_id("act-Fill").get_by_role("button", name="Fill the tray").click()
    expect(page.get_by_text("Proposed. Waiting for a second person.")).to_be_visible()
    assert tray.inner_text() == before
    expect(page.get_by_test_id("alerts")).to_contain_text(f"{DRAWN}: 1 waiting for a second person")
    cage = floor.enter(visit, "cay").goto("/floor")  # leads with the cage, and with what waits for it
    cage.get_by_test_id("confirm").click()
    expect(tray).not_to_have_text(before)
    expect(cage.get_by_test_id("moved")).to_contain_text("Fill")


def test_a_pit_manager_confirms_what_the_cage_proposes(floor: Sessions, visit: Visit) -> None:
    cage = floor.enter(visit, "cay").goto("/floor")
    cage.get_by_role("link", name=f"Fill or credit {DRAWN}").click()
    cage.get_by_test_id("choose-Credit").click()
    cage.get_by_test_id("act-Credit").get_by_test_id("amount").fill("500")
    cage.get_by_test_id("act-Credit").get_by_role("button", name="Send a credit to the cage").click()
    expect(cage.get_by_test_id("proposal")).to_contain_text("Proposed by you")
    page = floor.enter(visit, "pit").goto("/floor")
    open_tile(page, DRAWN)
    expect(page.get_by_test_id("proposal")).to_contain_text("cay proposed this as cage")
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("proposal")).to_have_count(0)
    expect(cage.get_by_test_id("proposal")).to_have_count(0)


def test_the_floor_answers_the_alert_of_a_device_that_a_technician_puts_back(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "tec").goto("/floor")  # leads with devices
    shuffler = page.get_by_test_id(f"tile-{READ}").get_by_test_id("device-shuffler")
    expect(shuffler).to_contain_text("in service")
    shuffler.get_by_role("button", name="Report out of order").click()
    page.get_by_test_id("act-FailDevice").get_by_role("button", name="Report a device").click()
    expect(shuffler).to_contain_text("out of order")
    live = floor.enter(visit, "flo").goto("/floor")
    alert = live.get_by_test_id("alert-device-out")
    alert.get_by_role("button", name="Add a note").click()
    alert.get_by_label("Note").fill("The technician is at it.")
    alert.get_by_test_id("acknowledge").click()
    expect(alert).to_have_count(0)
    shuffler.get_by_role("button", name="Return to service").click()
    page.get_by_test_id("act-ReturnDevice").get_by_role("button", name="Return a device to service").click()
    expect(shuffler).to_contain_text("in service")


def test_the_second_person_to_acknowledge_an_alert_sees_that_and_keeps_their_note(
    floor: Sessions, visit: Visit
) -> None:
    technician = floor.client("tec")
    technician.must(READ, {"kind": "FailDevice", "device": "shoe"})
    live = floor.enter(visit, "flo")

    def acknowledge_first(route: Route) -> None:
        address = route.request.url
        floor.client("pit").http.post(address, json={"id": "first", "note": ""}).raise_for_status()
        route.continue_()

    page = live.goto("/floor")
    page.route("**/api/alerts/*/acknowledge", acknowledge_first)
    alert = page.get_by_test_id("alert-device-out")
    alert.get_by_role("button", name="Add a note").click()
    alert.get_by_label("Note").fill("A new belt is on its way.")
    alert.get_by_test_id("acknowledge").click()
    expect(alert).to_have_count(0)
    expect(page.get_by_test_id("late")).to_contain_text("A new belt is on its way.")
    expect(page.get_by_test_id("late").get_by_role("alert")).not_to_be_empty()
    technician.must(READ, {"kind": "ReturnDevice", "device": "shoe"})
    live.forgive()  # the browser notes the refusal


def test_an_administrator_adds_somebody_who_signs_in_until_revoked(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "adam").goto("/floor/people")
    form = page.get_by_test_id("add-person")
    form.get_by_label(re.compile("^Name")).fill("nina")
    form.get_by_label("dealer", exact=True).check()
    form.get_by_role("button", name="Add a person").click()
    expect(form.get_by_role("status")).to_have_text("nina was added.")
    row = page.get_by_test_id("person-nina")
    row.get_by_role("button", name="Manage nina").click()
    row.get_by_role("button", name="Create sign-in link").click()
    link = row.locator("code").inner_text()
    other = floor.enter(visit, "ann").goto("/floor/people")  # the house has real money: it takes a second administrator
    other.get_by_role("button", name="Confirm").first.click()
    expect(other.get_by_text("Give a sign-in link")).to_have_count(0)
    nina = visit(floor.stage, None)
    nina.page.goto(link)
    nina.page.get_by_text("nina").first.wait_for()
    nina.goto("/dealer").get_by_test_id(f"deal-{DRAWN}").wait_for()
    row.get_by_role("button", name="Revoke permanently").click()
    row.get_by_label("Reason").fill("left the house")
    row.locator("form").get_by_role("button", name="Revoke permanently").click()
    expect(row).to_contain_text("revoked")
    nina.goto("/dealer").get_by_text("Sign in to see this page.").wait_for()
    nina.forgive()  # the browser notes that the session was refused


@pytest.mark.parametrize("name", ["sue", "aud", "reg"])
def test_those_who_watch_the_floor_see_it_and_are_offered_nothing_that_is_not_theirs(
    played: Sessions, visit: Visit, name: str
) -> None:
    page = played.enter(visit, name).goto("/floor")
    open_tile(page, DRAWN)
    opened = page.get_by_test_id(f"opened-{DRAWN}")
    expect(opened.locator('[data-testid^="choose-"]')).to_have_text(["Verify a round"])
    assert page.get_by_test_id("acknowledge").or_(page.get_by_test_id("confirm")).count() == 0
    page.get_by_role("link", name="Reports").click()
    expect(page.get_by_role("region", name="Hold")).to_be_visible()


def test_an_operator_reads_the_reports_of_the_floor(floor: Sessions, visit: Visit) -> None:
    page = floor.enter(visit, "olga").goto("/floor")
    expect(page.get_by_role("link", name="Reports")).to_have_attribute("aria-current", "page")
    hold = page.get_by_role("region", name="Hold")
    expect(hold.get_by_role("columnheader").last).to_have_text("Voided rounds")
    expect(hold.get_by_role("row").last.get_by_role("cell").last).to_have_text("0")


@pytest.mark.parametrize("name", ["sue", "reg"])
def test_those_who_watch_open_a_round_in_the_audit_room(played: Sessions, visit: Visit, name: str) -> None:
    page = played.enter(visit, name).goto("/audit")
    page.get_by_test_id("rounds").get_by_role("link").first.click()
    page.get_by_test_id("replay").wait_for()
    expect(page.get_by_test_id("check-payouts")).to_contain_text("✓")
