"""A full round of each game in a real browser, to its settlement, with stacked cards."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Route, WebSocketRoute, expect

from browser.dealt import Place, stacked
from browser.seated import Seated
from browser.staged import BLOCKED, PATIENT, SLOW_ANSWERS, Stage, Visitor
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game_names
from pitboss.server.demonstration import demo_documents
from pitboss.server.request_limits import CLIENT

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
Stakes = Mapping[int, Mapping[str, int]]


def warned(visitor: Visitor, said: ConsoleMessage) -> None:
    if said.type == "warning" and BLOCKED not in said.text:
        visitor.faults.append(said.text)


@pytest.fixture
def visit(visit: Visit) -> Visit:
    """Open a visitor's browser, and treat console warnings as faults too."""

    def come(stage: Stage, name: str | None, **options: Any) -> Visitor:
        visitor = visit(stage, name, **options)
        visitor.page.on("console", partial(warned, visitor))
        return visitor

    return come


def set_up(staged: Staged, table: str, stakes: Stakes, cards: Mapping[Place, Sequence[Card]]) -> Stage:
    stage = staged([table], pace={**PATIENT, "wagers_ms": 60_000})  # bets are closed as soon as everyone has bet
    stage.stacked = stacked(demo_documents()[table], stakes, cards)
    return stage


def test_a_raise_wins_and_every_line_names_its_clause(staged: Staged, visit: Visit) -> None:
    table, stakes = "ultimate-texas-holdem", {1: {"ante": 10_00, "blind": 10_00, "trips": 5_00}}
    cards = {1: ["As", "Ad"], "dealer": ["Kh", "Qd"], "board": ["Ah", "9h", "2s", "Js", "Jc"]}
    alice = Seated(visit(set_up(staged, table, stakes, cards), "alice"), table, 1)
    alice.bet({"ante": 10_00, "trips": 5_00})  # the blind follows the ante
    alice.act("raise 4x")
    alice.comes_to("+$125")
    assert "+$30" in alice.result("blind")
    why_blind = alice.page.get_by_test_id("why-blind")
    expect(alice.page.get_by_role("listitem").filter(has=why_blind)).to_contain_text("3 to 1")
    why_blind.click()
    why = alice.page.get_by_test_id("why")
    expect(why).to_contain_text("Ch. 11 §H(3)(b)")
    expect(why).to_contain_text("Ch. 12 §B(1)(d)")


def test_a_fold_loses_but_a_side_wager_lives_on(staged: Staged, visit: Visit) -> None:
    table, stakes = "ultimate-texas-holdem", {1: {"ante": 10_00, "blind": 10_00, "trips": 5_00}}
    cards = {1: ["7s", "7d"], "dealer": ["Kh", "Qd"], "board": ["7h", "9h", "2s", "Js", "Jc"]}
    alice = Seated(visit(set_up(staged, table, stakes, cards), "alice"), table, 1)
    alice.bet({"ante": 10_00, "trips": 5_00})
    for action in ("check", "check", "fold"):
        alice.act(action)
    alice.comes_to("+$25")  # a full house pays Trips 9 to 1 while ante and blind are lost
    assert "+$45" in alice.result("trips")
    assert "−$10" in alice.result("ante")


def test_an_instant_winner_is_declared(staged: Staged, visit: Visit) -> None:
    table, stakes = "colorado-holdem", {1: {"ante": 10_00, "bonus": 1_00}}
    cards = {1: ["9s", "Ts", "Js"], "board": ["2c", "5d", "8h"]}
    alice = Seated(visit(set_up(staged, table, stakes, cards), "alice"), table, 1)
    alice.bet({"ante": 10_00, "bonus": 1_00})
    alice.act("declare")
    alice.comes_to(re.compile(r"\+"))
    assert "+" in alice.result("ante")


def test_three_cards_against_the_dealers_three(staged: Staged, visit: Visit) -> None:
    table, stakes = "dragon-poker", {1: {"ante": 10_00, "ante-bonus": 10_00}}
    cards = {1: ["Dr1", "Db1", "Ph1"], "dealer": ["Ra1", "Mo1", "Pa1"]}
    alice = Seated(visit(set_up(staged, table, stakes, cards), "alice"), table, 1)
    expect(alice.page.get_by_test_id("hint")).to_contain_text("$5 to $500. The Ante Bonus is set by the Ante.")
    alice.bet({"ante": 10_00})
    alice.act("play")
    alice.comes_to(re.compile(r"^\+"))
    alice.page.get_by_test_id("why-ante").click()
    seen = alice.page.get_by_test_id("why").get_by_test_id("counted-seat")
    expect(seen.get_by_role("img", name="red dragon, counts")).to_be_visible()
    expect(seen.locator("text")).to_have_count(0)  # no name is printed too small to read


def test_five_of_seven_cards_against_the_dealers(staged: Staged, visit: Visit) -> None:
    table, stakes = "top-five-poker", {1: {"ante": 10_00}}
    cards = {1: ["As", "Ad", "Ah", "Kc", "Kd", "2c", "3d"], "dealer": ["4c", "5d", "7h", "9s", "Js", "Qd", "2h"]}
    alice = Seated(visit(set_up(staged, table, stakes, cards), "alice"), table, 1)
    alice.bet({"ante": 10_00})
    alice.act("play")
    alice.comes_to(re.compile(r"^\+"))


def test_a_dropped_connection_comes_back_to_the_same_moment(staged: Staged, visit: Visit) -> None:
    table, stakes = "ultimate-texas-holdem", {1: {"ante": 10_00, "blind": 10_00}}
    cards = {1: ["As", "Ad"], "dealer": ["Kh", "Qd"], "board": ["Ah", "9h", "2s", "Js", "Jc"]}
    visitor = visit(set_up(staged, table, stakes, cards), "alice")
    alice = Seated(visitor, table, 1)
    alice.bet({"ante": 10_00})
    alice.act("check")
    alice.page.get_by_test_id("action-raise 2x").wait_for()
    visitor.context.set_offline(True)
    alice.page.get_by_test_id("lost").wait_for(timeout=120_000)
    visitor.context.set_offline(False)
    alice.page.get_by_test_id("lost").wait_for(state="hidden", timeout=120_000)
    alice.act("raise 2x")
    alice.comes_to(re.compile(r"^\+"))
    visitor.forgive()  # the browser notes every request that failed while it was offline


def test_a_server_that_does_not_say_who_is_signed_in_leaves_the_player_at_the_table(
    staged: Staged, visit: Visit
) -> None:
    table = "ultimate-texas-holdem"
    visitor = visit(staged([table], pace={**PATIENT, "wagers_ms": 60_000}), "alice")
    alice = Seated(visitor, table, 1)
    alice.page.route("**/api/session", lambda route: route.fulfill(status=503))
    alice.bet({"ante": 10_00})
    with alice.page.expect_response("**/api/session"):  # the purse is looked at after a round
        alice.act("raise 4x")
    alice.comes_to(re.compile(r"\$"))
    alice.page.get_by_role("button", name="Cash out").click()
    expect(alice.page.get_by_test_id("stack")).to_have_text("$0")
    expect(alice.page.get_by_role("button", name="Sign out")).to_be_visible()
    visitor.forgive()  # the browser notes every answer that was none


def test_rules_that_did_not_come_are_asked_for_again(staged: Staged, visit: Visit) -> None:
    table = game_names()[0]
    visitor = visit(staged([table]), "alice")
    visitor.page.goto("about:blank")  # the lobby asks for rules as well, and would take the answer away with it
    visitor.forgive()  # the browser notes the answer that was none
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503)

    visitor.page.route("**/rules", refuse, times=1)
    visitor.goto(f"/tables/{table}").get_by_test_id("sit-1").wait_for()
    assert refused


def test_a_round_stays_as_it_was_played_when_other_rules_come_into_force(staged: Staged, visit: Visit) -> None:
    table = "ultimate-texas-holdem"
    visitor = visit(staged([table], pace={**PATIENT, "wagers_ms": 60_000, "between_rounds_ms": 60_000}), "alice")
    others: list[str] = []

    def follow(page: WebSocketRoute) -> None:
        def pass_on(frame: str | bytes) -> None:
            told = json.loads(frame)
            if others and told.get("view"):
                told["view"]["rules"] = others[0]
            page.send(json.dumps(told))

        page.connect_to_server().on_message(pass_on)

    def without_trips(route: Route) -> None:
        response = route.fetch()
        rules = response.json()
        wagers = [wager for wager in rules["wagers"] if wager["name"] != "trips"]
        route.fulfill(response=response, json={**rules, "version": others[0], "minimum_cents": 10_00, "wagers": wagers})

    visitor.page.route_web_socket(re.compile("/live"), follow)
    alice = Seated(visitor, table, 1)
    alice.bet({"ante": 10_00, "trips": 5_00})
    alice.act("raise 4x")
    alice.comes_to(re.compile(r"\$"))
    others.append("other")
    alice.page.route("**/rules", without_trips)
    alice.page.get_by_role("button", name="Cash out").click()
    expect(alice.page.get_by_text("$10 – $500")).to_be_visible()  # the other rules are read
    expect(alice.page.get_by_test_id("why-trips")).to_be_visible()


def test_a_person_signed_out_elsewhere_sees_why_and_how_to_sign_in(staged: Staged, visit: Visit) -> None:
    table = game_names()[0]
    visitor = visit(staged([table]), "alice")
    page = Seated(visitor, table, 1).page
    expect(page.get_by_role("banner")).not_to_contain_text("$10,000")  # the purse was looked at again
    visitor.context.request.post(f"{visitor.stage.address}/api/sign-out", headers={CLIENT: "tests"})
    page.get_by_text("Your session ended.").wait_for()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    page.get_by_role("link", name="Back to the tables").click()
    page.get_by_role("img", name=re.compile("^The felt")).wait_for()  # above the way in, which is moved by it
    page.get_by_role("link", name=re.compile("^Watch")).click()
    expect(page.get_by_test_id("seat-1")).to_contain_text("alice")  # who now watches like everyone else
    assert visitor.faults == []


def test_a_player_who_signs_out_at_the_table_watches_it_and_leaves_nothing_behind(staged: Staged, visit: Visit) -> None:
    table = "ultimate-texas-holdem"
    alice = Seated(visit(staged([table], pace={**PATIENT, "wagers_ms": 60_000}), "alice"), table, 1)
    alice.bet({"ante": 10_00})
    alice.act("raise 4x")
    alice.comes_to(re.compile(r"\$"))
    alice.page.get_by_role("button", name="Sign out").click()
    expect(alice.page.get_by_test_id("invitation")).to_have_text("Sign in to take a seat.")
    expect(alice.page.get_by_test_id("your-round")).to_have_count(0)


def test_nothing_is_asked_for_between_a_sign_out_and_its_answer(staged: Staged, visit: Visit) -> None:
    table = "ultimate-texas-holdem"
    alice = Seated(visit(staged([table], pace={**PATIENT, "wagers_ms": 60_000}), "alice"), table, 1)
    alice.page.evaluate(SLOW_ANSWERS)
    alice.page.get_by_role("button", name="Sign out").click()
    # The server has closed the socket; asking for another one now would be refused.
    expect(alice.page.get_by_test_id("invitation")).to_have_text("Sign in to take a seat.")


def test_a_royal_flush_takes_the_meter_and_the_neighbor_gets_envy(staged: Staged, visit: Visit) -> None:
    table = "ultimate-texas-holdem"
    wagers = {"ante": 10_00, "blind": 10_00, "progressive": 1_00}
    stakes = {1: wagers, 2: wagers}
    cards = {1: ["As", "Ks"], 2: ["4c", "9d"], "dealer": ["Kh", "Qd"], "board": ["Qs", "Js", "Ts", "2d", "3c"]}
    stage = set_up(staged, table, stakes, cards)
    alice = Seated(visit(stage, "alice"), table, 1)
    bob = Seated(visit(stage, "bob"), table, 2)
    for player in (alice, bob):
        player.bet({"ante": 10_00, "progressive": 1_00})
    alice.act("raise 4x")
    for action in ("check", "check", "fold"):
        bob.act(action)
    assert alice.result("progressive").startswith("+$")
    assert "Envy" in bob.page.get_by_test_id("your-round").inner_text()
    bob.page.get_by_test_id("why-envy").click()
    why = bob.page.get_by_test_id("why")
    expect(why.get_by_role("heading", level=2)).to_have_text("Envy bonus")
    expect(why).to_contain_text("+$1,000")
    expect(why).to_contain_text("Ch. 12 §D(6)(a)(i)")
    expect(why).not_to_contain_text("You had")
    bob.page.keyboard.press("Escape")
    bob.comes_to(re.compile(r"\+"))


@pytest.mark.parametrize("table", game_names())
def test_a_settled_round_stays_within_reach_while_the_next_is_played(table: str, staged: Staged, visit: Visit) -> None:
    pace = {"wagers_ms": 60_000, "decision_ms": 60_000, "step_ms": 60, "between_rounds_ms": 1_500}
    alice = Seated(visit(staged([table], pace=pace), "alice"), table, 1)
    page, panel = alice.page, alice.page.get_by_test_id("your-round")
    alice.bet({"ante": 10_00})
    answer, net = page.locator('[data-testid^="action-"]:enabled').last, page.get_by_test_id("round-net")
    while not net.is_visible():
        answer.or_(net).first.wait_for(timeout=120_000)
        if page.locator("[data-card]").count():  # one of the cards is to be discarded
            page.locator("[data-card]").first.click()
        if answer.is_visible():
            answer.click()
            page.wait_for_timeout(100)
    expect(page.get_by_test_id("round-shown")).to_have_text("Round 1")
    lost = net.inner_text()
    alice.bet({"ante": 10_00})  # the next round, when it has begun
    expect(net).to_be_hidden()
    expect(page.get_by_test_id("at-stake")).to_be_visible()
    page.get_by_test_id("look-back").click()
    expect(net).to_have_text(lost)
    expect(page.get_by_test_id("round-shown")).to_have_text("Round 1")
    expect(panel.locator('[data-testid^="why-"]').first).to_be_visible()
    page.get_by_test_id("look-back").click()
    expect(page.get_by_test_id("at-stake")).to_be_visible()
