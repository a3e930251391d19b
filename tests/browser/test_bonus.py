"""A bonus that pays on another wager's stake, on the page; a game that has one comes from elsewhere (tests/games)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.seated import Seated
from browser.staged import Stage, Visitor
from browser.test_rounds import set_up
from pitboss.games import game, game_names
from pitboss.rules.in_force import RulesInForce
from worked import worked

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
WITH_BONUS = [name for name in game_names() if RulesInForce(game(name)).bonuses]


@pytest.mark.parametrize("table", WITH_BONUS)
def test_a_bonus_is_paid_though_nothing_lies_on_it(
    table: str, staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    (bonus,) = RulesInForce(game(table)).bonuses
    hand = next(hand for hand in worked(table, "hand") if bonus in hand["seat"][0]["pays"])
    seat = hand["seat"][0]
    cards = {1: seat["cards"].split(), "dealer": hand["dealer"].split()}
    alice = Seated(visit(set_up(staged, table, {1: seat["wagers"]}, cards), "alice"), table, 1)
    title = game(table).wagers_by_name[bonus].title
    expect(alice.page.get_by_role("img", name=f"{title},")).to_have_count(0)
    alice.bet(seat["wagers"])
    alice.act(seat["actions"][0])
    _, _, odds, clause, _ = seat["pays"][bonus]
    alice.comes_to(f"+${seat['net'] // 100}")
    line = alice.page.get_by_test_id("your-round").get_by_role("listitem").filter(has_text=title)
    expect(line).to_contain_text(f"{odds} ")
    alice.page.get_by_test_id(f"why-{bonus}").click()
    expect(alice.page.get_by_test_id("why")).to_contain_text(clause)
