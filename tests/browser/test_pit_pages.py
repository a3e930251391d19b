"""The pit on the page: the dealer's call, limits between rounds, reservations, notes, sensors, and cash for chips."""

from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import expect

from browser.housed import GAME, AtConsole, Visit, enter
from browser.test_barriers import barriers
from browser.test_own_rounds import LISTENING
from pitboss.cli.sensor import SimulatedSensor
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("pit"))
    yield running
    running.stop()


def test_the_pit_works_around_the_play(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * 60_000}  # a slow machine isn't an idle table
    table.open(players=())
    table.seat_patron(1, 500_00)
    boss = enter(visit, floor, "flo").goto(f"/floor?open={table.table}")
    tile, opened = boss.get_by_test_id(f"tile-{table.table}"), boss.get_by_test_id(f"opened-{table.table}")

    # A deck that waits for the floor shows on the tile.
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    dealer.button.click()
    expect(dealer.page.get_by_test_id("console")).to_have_attribute("data-sequence", str(table.sequence))
    while not any(duty["by"] == "floorperson" for duty in table.console()["duties"]):
        table.do(table.console()["duties"][0])
    expect(tile.get_by_test_id("todo").first).to_be_visible()
    table.prepare()
    expect(tile.get_by_test_id("todo")).to_have_count(0)

    # One key calls the floor, and the alert is there until somebody answers.
    dealer.page.keyboard.press("Shift+F")
    expect(dealer.page.get_by_test_id("floor-called")).to_be_visible()
    assert table.live.called_at
    expect(tile).to_contain_text("Dealer calls the floor")
    opened.get_by_test_id("choose-AnswerCall").click()
    opened.get_by_test_id("act-AnswerCall").get_by_role("button", name="Answer the dealer’s call").click()
    expect(dealer.page.get_by_test_id("call-floor")).to_be_visible()
    expect(tile).not_to_contain_text("Dealer calls the floor")

    # Limits: the floor proposes, the dealer confirms at the console, and the deck stays.
    decks = [deck.name for deck in table.live.cards.decks]
    opened.get_by_test_id("choose-ChangeLimits").click()
    form = opened.get_by_test_id("act-ChangeLimits")
    form.get_by_test_id("least-ante").fill("25")
    form.get_by_test_id("most-ante").fill("100")
    assert barriers(boss) == []
    form.get_by_test_id("propose-limits").click()
    proposal = dealer.page.get_by_test_id("proposal")
    expect(proposal).to_contain_text("$25 to $100")
    dealer.page.get_by_test_id("confirm").click()
    expect(dealer.page.get_by_test_id("pit")).to_contain_text("Ante $25 to $100")
    assert table.live.limits["ante"] == (25_00, 100_00)
    assert [deck.name for deck in table.live.cards.decks] == decks

    # A reserved seat and a note.
    opened.get_by_test_id("choose-ReserveSeat").click()
    form = opened.get_by_test_id("act-ReserveSeat")
    form.get_by_label("Seat").select_option("3")
    form.get_by_label("For whom").fill("bob")
    form.get_by_role("button", name="Reserve a seat").click()
    expect(dealer.page.get_by_test_id("reserved-3")).to_contain_text("bob")
    dealer.page.get_by_test_id("shift-note").fill("Seat 6: the chair is broken")
    dealer.page.get_by_test_id("leave-note").click()
    expect(opened.get_by_test_id("notes")).to_contain_text("the chair is broken")
    assert barriers(dealer.page) == []

    # A sensor is enrolled by two people, and its wagers are on the console at once.
    sensor = SimulatedSensor("bets-1", table.table, Ed25519PrivateKey.generate())
    boss.goto(f"{floor.address}/floor/readers")
    technician = enter(visit, floor, "tec").goto("/floor/readers")
    card = technician.get_by_test_id(f"sensors-{table.table}")
    card.get_by_test_id("choose-EnrollSensor").click()
    form = card.get_by_test_id("act-EnrollSensor")
    form.get_by_label("Sensor’s name").fill(sensor.name)
    form.get_by_label("Public key").fill(sensor.key)
    form.get_by_role("button", name="Enroll a bet sensor").click()
    boss.get_by_test_id(f"sensors-{table.table}").get_by_test_id("confirm").click()
    expect(card.get_by_test_id(f"sensor-{sensor.name}")).to_contain_text("No message yet")
    table.begin()
    seen = sensor.saw(1, {"ante": 25_00, "blind": 25_00})
    answer = floor.people["alice"].http.post(f"/api/tables/{table.table}/sensor", json=seen).json()
    assert answer["is_taken"], answer
    expect(dealer.page.get_by_test_id("patron-1")).to_contain_text("$25")


def test_the_cage_sells_chips_and_confirms_what_it_pays(floor: ScenarioFloor, visit: Visit) -> None:
    ScenarioTable(floor, GAME).open(players=())  # a house with real money
    cage = enter(visit, floor, "cay").goto("/floor/cage")
    selling = cage.get_by_test_id("cage-SellChips")
    selling.get_by_label("Amount").fill("300")
    selling.get_by_role("button", name="Sell").click()
    expect(selling.get_by_role("status")).to_contain_text("$300 in chips sold")
    redeeming = cage.get_by_test_id("cage-RedeemChips")
    redeeming.get_by_label("Amount").fill("100")
    redeeming.get_by_role("button", name="Redeem").click()
    dialog = cage.get_by_test_id("pay-RedeemChips-dialog")
    expect(dialog).to_contain_text("$100")
    dialog.get_by_role("button", name="Cancel").click()
    assert floor.floor is not None
    assert floor.floor.house.money.state["outstanding:money"] == 300_00, "nothing was paid"
    redeeming.get_by_role("button", name="Redeem").click()
    cage.get_by_test_id("pay-RedeemChips").click()
    expect(redeeming.get_by_role("status")).to_contain_text("$100 paid for chips")
    assert floor.floor.house.money.state["outstanding:money"] == 200_00
    assert barriers(cage) == []


def test_a_new_alert_is_heard_where_sound_is_chosen(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME).open(players=())
    visitor = enter(visit, floor, "flo")
    visitor.page.add_init_script(LISTENING)
    page = visitor.goto("/floor")
    calls = page.get_by_test_id("alerts").get_by_test_id("alert-call")

    def call_and_answer() -> int:
        before: int = page.evaluate("window.heard")
        table.must("dana", "CallFloor")
        expect(calls).to_have_count(1)
        heard: int = page.evaluate("window.heard")
        table.must("flo", "AnswerCall")
        expect(calls).to_have_count(0)
        return heard - before

    page.get_by_test_id(f"tile-{table.table}").wait_for()
    assert call_and_answer() == 0  # silent until somebody chooses otherwise
    page.get_by_role("button", name="Preferences").click()
    page.get_by_test_id("volume").fill("60")
    page.get_by_role("dialog", name="Preferences").get_by_role("button", name="Close").click()
    assert call_and_answer() > 0
    page.reload()
    page.get_by_test_id(f"tile-{table.table}").wait_for()
    assert page.evaluate("window.heard") == 0  # what was there before isn't new
