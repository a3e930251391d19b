"""Playing at once: a guest with one click and play money, the purse, visitors who only look, and unknown addresses."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.staged import Visitor
from pitboss.server.demonstration import open_demo
from pitboss.server.open_floor import OpenFloor
from server.running import NO_TLS, Client, Running

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TABLE = "dragon-poker"
EMPTY = "colorado-holdem"  # nobody else sits down here


class Demonstration(Running):
    """The demonstration floor itself, with its bots and its guests."""

    ADMITS_GUESTS = True

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor = floor
        self.links = await open_demo(floor, 1)


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """Open the demonstration for the tests of this file."""
    running = Demonstration(tmp_path_factory.mktemp("demonstration"))
    yield running
    running.stop()


@pytest.fixture
def stranger(chromium: Browser, demonstration: Demonstration) -> Iterator[Visitor]:
    """Let someone in who has no account."""
    visitor = Visitor(chromium, demonstration, None)
    yield visitor
    visitor.close()


def test_one_click_in_the_lobby_seats_a_guest_with_chips_who_is_there_after_a_reload(stranger: Visitor) -> None:
    page = stranger.goto("/")
    page.get_by_test_id(f"sit-{TABLE}").click()
    expect(page.get_by_test_id("stack")).to_have_text("$250")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("stack")).to_have_text("$250")
    expect(page.get_by_role("banner")).to_contain_text("guest-")


def test_a_stranger_at_the_table_sits_down_with_one_click(stranger: Visitor) -> None:
    page = stranger.goto(f"/tables/{TABLE}")
    page.get_by_test_id("play-as-guest").click()
    expect(page.get_by_test_id("stack")).to_have_text("$250")


def test_bots_play_for_a_visitor_who_is_not_signed_in(stranger: Visitor) -> None:
    page = stranger.goto("/tables/ultimate-texas-holdem")
    expect(page.get_by_test_id("watched")).to_contain_text("Bot 1")


def test_an_unknown_address_is_a_page_with_a_way_back(stranger: Visitor) -> None:
    stranger.forgive()
    page = stranger.goto("/no-such-page")
    page.get_by_role("main").get_by_role("link").click()
    page.get_by_test_id(f"table-{TABLE}").wait_for()


def test_an_amount_that_cannot_be_bought_says_why_at_once(stranger: Visitor) -> None:
    page = _offered_chips(stranger, TABLE)
    unreadable = "Enter an amount in dollars"
    for typed, says in (
        ("99999999", "Your balance is"),
        ("abc", unreadable),
        ("12.345", unreadable),
        ("0", unreadable),
    ):
        page.get_by_test_id("other-amount").fill(typed)
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(says)


def test_an_amount_may_be_written_with_a_comma(stranger: Visitor) -> None:
    page = _offered_chips(stranger, "top-five-poker")
    page.get_by_test_id("other-amount").fill("1,000")
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("stack")).to_have_text("$1,250")


def test_a_player_without_money_is_offered_more_play_money(stranger: Visitor) -> None:
    page = _offered_chips(stranger, "top-five-poker")
    page.get_by_test_id("other-amount").fill("9750")
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("stack")).to_have_text("$10,000")
    page.get_by_test_id("buy-chips").click()
    stranger.forgive()  # the chips at the table are play money too
    page.get_by_test_id("refill").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("still have play money")


def test_another_tab_shows_the_current_balance(stranger: Visitor) -> None:
    page = _offered_chips(stranger, "ultimate-texas-holdem")
    other = stranger.context.new_page()
    other.goto(f"{stranger.stage.address}/")
    purse = other.get_by_role("banner").locator(".money")
    expect(purse).to_have_text("$9,750")
    page.get_by_test_id("other-amount").fill("750")
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("stack")).to_have_text("$1,000")
    other.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(purse).to_have_text("$9,000")


def test_a_sign_in_link_works_again_on_the_machine_that_opened_it_first(
    stranger: Visitor, demonstration: Demonstration
) -> None:
    address = f"/links/{demonstration.links['auditor']}"
    for _ in range(2):
        page = stranger.goto(address)
        expect(page.get_by_role("banner")).to_contain_text("auditor")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2", verify=NO_TLS)
    with httpx.Client(transport=elsewhere, base_url=demonstration.address) as other:
        answer = other.get(address, headers={"accept": "text/html"})
    assert answer.headers["location"] == "/sign-in?link=refused"


def test_a_newcomer_at_the_buy_in_does_not_miss_the_round(chromium: Browser, demonstration: Demonstration) -> None:
    visitor = Visitor(chromium, demonstration, "player")
    page = visitor.goto(f"/tables/{EMPTY}?sit=1")
    page.get_by_test_id("sit-down").wait_for()
    page.wait_for_timeout(6_000)  # longer than a bot thinks
    view = Client(demonstration, None).view(EMPTY)
    assert not any(seat["stakes"] for seat in view["seats"])
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("bet")).to_be_visible()
    visitor.close()


def _offered_chips(stranger: Visitor, table: str) -> Page:
    page = stranger.goto(f"/tables/{table}")
    page.get_by_test_id("play-as-guest").click()
    expect(page.get_by_test_id("stack")).to_have_text("$250")
    page.get_by_test_id("buy-chips").click()
    return page
