"""What "Why?" explains: the cards a wager counts, full hand names, the kickers that decide, and a fold."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser.dealt import stacked
from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TABLE = "ultimate-texas-holdem"
STAKES = {"ante": 10_00, "blind": 10_00, "trips": 5_00, "six-card-bonus": 5_00, "ultimate-pairs": 5_00}
# Two straights, a pair of sixes that is not in the hole, and a pair of queens in the box.
CARDS = {
    1: ["6h", "3c"],
    "dealer": ["7d", "3h"],
    "board": ["2s", "4c", "5h", "6d", "Kc"],
    "box": ["Qs", "Qh", "9d", "Tc"],
}


@pytest.fixture(scope="module")
def player(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seated]:
    """Seat a player for the rounds of this file."""
    stage = Stage(tmp_path_factory.mktemp("why"), [TABLE], {**PATIENT, "wagers_ms": 60_000, "between_rounds_ms": 500})
    visitor = Visitor(chromium, stage, "alice")
    yield Seated(visitor, TABLE, 1)
    visitor.close()
    stage.stop()


def played(player: Seated, actions: tuple[str, ...]) -> None:
    stage = player.visitor.stage
    assert isinstance(stage, Stage)
    stage.stacked = stacked(demo_documents()[TABLE], {1: STAKES}, CARDS)
    # The deck of a round under way lies ready already: the cards are in the one after it.
    player.page.get_by_test_id("bet").wait_for()
    player.bet({wager: cents for wager, cents in STAKES.items() if wager != "blind"})
    for action in actions:
        player.act(action)
    expect(player.page.get_by_test_id("round-net")).to_be_visible()


def why(player: Seated, wager: str) -> Locator:
    player.page.get_by_test_id(f"why-{wager}").click()
    return player.page.get_by_test_id("why")


def close(player: Seated) -> None:
    player.page.get_by_test_id("why").get_by_role("button", name="Close").click()


def counting(dialog: Locator, whose: str) -> list[str]:
    cards = dialog.get_by_test_id(f"counted-{whose}").get_by_role("img")
    names = [cards.nth(at).get_attribute("aria-label") or "" for at in range(cards.count())]
    return [name for name in names if name.endswith(", counts")]


def test_each_wager_is_explained_by_the_cards_it_counts(player: Seated) -> None:
    played(player, ("check", "check", "raise 1x"))
    dialog = why(player, "ante")
    expect(dialog).to_contain_text("The dealer’s seven-high straight beats your six-high straight.")
    assert len(counting(dialog, "seat")) == len(counting(dialog, "dealer")) == 5
    close(player)
    dialog = why(player, "ultimate-pairs")
    expect(dialog).to_contain_text("Your cards: six-three offsuit.")
    expect(dialog).not_to_contain_text("straight")
    assert counting(dialog, "seat") == ["six of hearts, counts", "three of clubs, counts"]
    close(player)
    dialog = why(player, "six-card-bonus")
    expect(dialog).to_contain_text("Your cards: pair of queens.")
    assert "queen of spades, counts" in counting(dialog, "seat")
    expect(dialog.get_by_test_id("counted-seat").get_by_role("img")).to_have_count(6)
    close(player)
    dialog = why(player, "trips")
    expect(dialog).to_contain_text("Your cards: six-high straight.")
    close(player)


def test_a_fold_is_said_to_be_a_fold(player: Seated) -> None:
    played(player, ("check", "check", "fold"))
    dialog = why(player, "ante")
    expect(dialog).to_contain_text("You folded, so this bet is lost.")
    expect(dialog.get_by_test_id("counted-seat")).to_have_count(0)
    close(player)
    dialog = why(player, "trips")
    expect(dialog).to_contain_text("Your cards: six-high straight.")
    expect(dialog).not_to_contain_text("folded")
    close(player)
