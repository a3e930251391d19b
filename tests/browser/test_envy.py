"""An envy bonus on the page: in the dealer's payment list and in the audit room's money, with its clause."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from browser.housed import AtConsole, enter
from browser.staged import Visitor
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.progressive import ROYAL, dealt, progressive_table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
CLAUSE = "Ch. 12 §D(7)(a)(i)"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("envied"))
    yield running
    running.stop()


def test_an_envy_bonus_is_in_the_dealers_payments_and_in_the_audits_money(floor: ScenarioFloor, visit: Visit) -> None:
    table = dealt(progressive_table(lambda *asked, **more: ScenarioTable(floor, *asked, **more)), ROYAL)
    while table.phase != "over":
        table.step()
    payments = AtConsole(enter(visit, floor, "dana"), table).page.locator(".paid")
    line = payments.get_by_role("row").filter(has_text="Envy bonus for seat 1, royal flush")
    expect(line).to_contain_text("Seat 2")
    expect(line).to_contain_text("$5,000")
    expect(line).to_contain_text(CLAUSE)
    table.end()
    page = enter(visit, floor, "aud").goto(f"/audit?round={table.live.round}")
    page.get_by_test_id("replay").wait_for()
    bonus = page.get_by_test_id("envy")
    expect(bonus).to_have_count(1)
    expect(bonus).to_contain_text("for seat 1’s royal flush")
    expect(bonus).to_contain_text("+$5,000")
    expect(bonus).to_contain_text(CLAUSE)
    seat = page.locator("tbody").filter(has=bonus)
    expect(seat).to_contain_text("bob")
