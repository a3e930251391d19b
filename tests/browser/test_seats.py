"""One player on several seats: bets, decisions and settlement on the page, and refusals where one seat is the limit."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.dealt import stacked
from browser.entered import Sessions
from browser.seated import Seated
from browser.staged import TRAY_CENTS, Stage, Visitor
from browser.worked import seat as seated
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import OpenFloor

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
SEVERAL, ONE = "top-five-poker", "ultimate-texas-holdem"
PACE = {"wagers_ms": 15_000, "decision_ms": 60_000, "step_ms": 500, "between_rounds_ms": 60_000}
HANDS = {
    1: ["As", "Ad", "Ah", "Kc", "Kd", "2c", "3d"],
    2: ["2s", "4h", "6c", "8d", "Td", "Jc", "3h"],
    "dealer": ["4c", "5d", "7h", "9s", "Js", "Qd", "9h"],
}


class SeveralSeats(Stage):
    """A server with one table at which a player may hold two seats side by side."""

    async def _opening(self, floor: OpenFloor) -> None:
        await floor.open_free_play(SEVERAL, self.document(), TRAY_CENTS)
        await super()._opening(floor)

    def document(self) -> dict[str, Any]:
        document = demo_documents()[SEVERAL]
        return {
            **document,
            "pace": self.pace,
            "table": {**document["table"], "options": {**document["table"]["options"], "adjacent-boxes": "2"}},
        }


@pytest.fixture
def several(tmp_path: Path) -> Iterator[SeveralSeats]:
    stage = SeveralSeats(tmp_path, [], PACE)
    yield stage
    stage.stop()


def test_two_seats_of_one_player_are_staked_answered_and_settled(several: SeveralSeats, visit: Visit) -> None:
    several.stacked = stacked(several.document(), {1: {"ante": 10_00}, 2: {"ante": 5_00}}, HANDS)
    alice = Seated(visit(several, "alice"), SEVERAL, 1)
    page = alice.page
    page.get_by_test_id("another-seat").click()
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("own-seat-2")).to_be_visible()
    for seat, chips in ((1, 2), (2, 1)):
        page.get_by_test_id(f"own-seat-{seat}").click()
        page.get_by_test_id("chip-500").click()
        for _ in range(chips):
            page.get_by_test_id("area-ante").click()
        expect(page.get_by_test_id(f"own-seat-{seat}")).to_contain_text(f"${5 * chips}")
    expect(page.get_by_test_id("bet")).to_contain_text("Bet $15")
    page.get_by_test_id("bet").click()  # both seats at once
    expect(page.get_by_test_id("at-stake")).to_have_text("$15")
    expect(page.get_by_test_id("now")).to_contain_text("Seat 1, your turn", timeout=120_000)
    alice.act("play")
    expect(page.get_by_test_id("now")).to_contain_text("Seat 2, your turn")
    alice.act("fold")
    panel = page.get_by_test_id("your-round")
    expect(panel.get_by_role("heading", name="Seat 1")).to_be_visible(timeout=120_000)
    expect(panel.get_by_role("heading", name="Seat 2")).to_be_visible()
    alice.comes_to("+$15")  # seat 1 wins ante and play, seat 2 has lost its ante
    expect(page.get_by_test_id("now")).to_contain_text("+\u2060$15")  # joined, so that no line ends after the sign
    page.get_by_test_id("leave-seat").click()
    expect(page.get_by_test_id("another-seat")).to_be_enabled()
    expect(page.get_by_test_id("own-seat-2")).to_be_hidden()
    expect(page.get_by_test_id("stack")).to_be_visible()  # one seat is left, and its chips


def test_a_second_seat_is_refused_with_its_clause_where_the_rules_allow_one(staged: Staged, visit: Visit) -> None:
    alice = Seated(visit(staged([ONE]), "alice"), ONE, 3)
    expect(alice.page.get_by_test_id("sit-2")).to_have_count(0)  # it is not offered on the felt
    alice.page.get_by_test_id("another-seat").click()
    expect(alice.page.get_by_test_id("refused")).to_contain_text("A player may hold one position. (Ch. 7 §G)")
    expect(alice.page.get_by_test_id("seat-2")).not_to_contain_text("You")


def test_a_player_who_leaves_after_a_round_is_gone_and_the_seat_is_offered(staged: Staged, visit: Visit) -> None:
    alice = Seated(visit(staged([ONE]), "alice"), ONE, 3)
    alice.bet({"ante": 5_00})
    alice.act("raise 4x")
    alice.comes_to(re.compile(r"\$\d"))
    alice.page.get_by_test_id("leave-seat").click()
    expect(alice.page.get_by_test_id("sit-3")).to_be_visible()
    told = alice.page.get_by_test_id("told")
    expect(told).to_have_text("Seat 3 is open.")
    alice.page.get_by_test_id("sit-3").click()
    alice.page.get_by_test_id("sit-down").click()
    expect(told).to_have_text("You sit down in seat 3.")  # and not the whole round again


def test_chips_of_an_earlier_bet_do_not_lie_there_for_whoever_comes_back(staged: Staged, visit: Visit) -> None:
    stage = staged([ONE], pace={**PACE, "step_ms": 30, "wagers_ms": 60_000, "between_rounds_ms": 3_000})
    alice, bob = Seated(visit(stage, "alice"), ONE, 3), Seated(visit(stage, "bob"), ONE, 1)
    for player in (alice, bob):
        player.bet({"ante": 5_00})
    bob.act("raise 4x")
    alice.act("raise 4x")
    alice.comes_to(re.compile(r"\$\d"))
    alice.page.get_by_test_id("leave-seat").click()
    expect(bob.page.get_by_test_id("bet")).to_be_visible()  # the next round takes wagers
    alice.page.get_by_test_id("sit-3").click()
    alice.page.get_by_test_id("sit-down").click()
    expect(alice.page.get_by_test_id("bet")).to_have_text("Bet")
    expect(alice.page.get_by_test_id("bet")).to_be_disabled()


def test_a_bet_made_on_one_device_lies_on_the_other(staged: Staged, visit: Visit) -> None:
    stage = staged([ONE], pace={**PACE, "wagers_ms": 60_000})
    sessions = Sessions(stage)
    seated(sessions, ONE, "bob")  # who has not bet, so that bets stay open
    first = Seated(sessions.enter(visit, "alice"), ONE, 3)
    other = sessions.enter(visit, "alice").goto(f"/tables/{ONE}").get_by_test_id("bet")
    expect(other).to_have_text("Bet")
    for cents in ("$10", "$20"):  # ante and blind, then more of both
        first.bet({"ante": 5_00})
        expect(other).to_have_text("Bet placed")
        expect(other.page.get_by_test_id("hint")).to_contain_text(f"Bet: {cents}.")
    other.page.keyboard.press("x")
    expect(other).to_contain_text("Take back bet")
    other.click()
    expect(first.page.get_by_test_id("bet")).to_have_text("Bet")


def test_a_seated_player_who_was_refused_chips_may_try_again(staged: Staged, visit: Visit) -> None:
    stage = staged([ONE, SEVERAL])
    sessions = Sessions(stage)
    alice = sessions.enter(visit, "alice")
    page, client = alice.goto(f"/tables/{ONE}"), sessions.client("alice")
    page.get_by_test_id("sit-3").click()
    spent = client.http.get("/api/me").json()["purse_cents"] - 100_00
    client.must(SEVERAL, {"kind": "TakeSeat", "seat": 1})
    client.must(SEVERAL, {"kind": "BuyIn", "cents": spent})
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("dialog")).to_contain_text("$100")  # the purse as it is
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_test_id("stack")).to_have_text("$100")


def test_the_time_left_runs_on_while_others_bet(staged: Staged, visit: Visit) -> None:
    stage = staged([ONE], pace={**PACE, "wagers_ms": 8_000})
    sessions = Sessions(stage)
    seated(sessions, ONE, "bob")
    seated(sessions, ONE, "carol", at=2)
    alice = Seated(visit(stage, "alice"), ONE, 3)
    bob, bar = sessions.client("bob"), alice.page.get_by_role("timer").locator(".run")
    bob.must(ONE, {"kind": "PlaceWagers", "seat": 1, "stakes": {"ante": 5_00, "blind": 5_00}})
    bar.wait_for()
    shown = []
    for stake in (10_00, 15_00, 20_00, 25_00):
        alice.page.wait_for_timeout(1_000)
        bob.must(ONE, {"kind": "PlaceWagers", "seat": 1, "stakes": {"ante": stake, "blind": stake}})
        shown.append(bar.evaluate("one => new DOMMatrix(one.style.transform).a"))
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] < 0.7
