"""What a newcomer to a game finds on the page: how to play, the name of their hand, and no trap to press."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from playwright.sync_api import expect

from browser.dealt import Place, stacked
from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game_names
from pitboss.games.how_to_play import how_to_play
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
Hands = Mapping[Place, Sequence[Card]]


def dealt(staged: Staged, visit: Visit, table: str, stakes: Mapping[str, int], cards: Hands) -> Seated:
    stage = staged([table], pace={**PATIENT, "wagers_ms": 60_000})  # bets are closed as soon as everyone has bet
    stage.stacked = stacked(demo_documents()[table], {1: stakes}, cards)
    alice = Seated(visit(stage, "alice"), table, 1)
    alice.bet({wager: cents for wager, cents in stakes.items() if wager != "ante-bonus"})
    return alice


def test_the_players_hand_is_named_before_the_decision(staged: Staged, visit: Visit) -> None:
    cards = {1: ["9s", "8s", "7s", "6s", "5s", "As", "Qd"], "dealer": ["2c", "3c", "4c", "5c", "6c", "7c", "8c"]}
    alice = dealt(staged, visit, "top-five-poker", {"ante": 10_00}, cards)
    expect(alice.page.get_by_test_id("action-play")).to_be_enabled()
    expect(alice.page.get_by_test_id("seat-1")).to_contain_text("two cards, ace high")
    alice.act("play")
    alice.comes_to("+$10")


def test_a_claim_gets_a_button_only_if_the_cards_support_it(staged: Staged, visit: Visit) -> None:
    cards = {1: ["9s", "Td", "2h"], "board": ["2c", "5d", "8h"]}
    alice = dealt(staged, visit, "colorado-holdem", {"ante": 10_00}, cards)
    expect(alice.page.get_by_test_id("action-fold")).to_be_enabled()
    expect(alice.page.get_by_test_id("action-declare")).to_have_count(0)


def test_a_spectator_sees_the_round_and_how_to_take_a_seat_and_leaves_no_trace(staged: Staged, visit: Visit) -> None:
    table = game_names()[0]
    visitor = visit(staged([table]), "alice")
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    page = visitor.goto(f"/tables/{table}")
    watched = page.get_by_test_id("watched")
    expect(watched).to_contain_text("You’re watching.")
    watched.get_by_test_id("take-seat").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Back to the tables").click()
    page.get_by_test_id(f"table-{table}").wait_for()
    page.wait_for_load_state("networkidle")
    assert not [item for item in asked if "/tables//" in item]


@pytest.mark.parametrize("from_lobby", [False, True])
def test_the_rules_begin_with_how_the_game_is_played(staged: Staged, visit: Visit, from_lobby: bool) -> None:
    table = game_names()[0]
    visitor = visit(staged([table]), None)
    page = visitor.goto("/" if from_lobby else f"/tables/{table}")
    page.get_by_role("button", name="Rules").click()
    lines = page.get_by_test_id("how-to-play").get_by_role("listitem")
    expect(lines.first).to_contain_text(how_to_play(table)[0].text)
    expect(lines.first).to_contain_text(how_to_play(table)[0].clauses[0])
    tables = page.get_by_test_id("rules-sheet").locator("details:has(table)")
    assert all(tables.nth(at).get_attribute("open") is not None for at in range(tables.count()))
