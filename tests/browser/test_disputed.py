"""A dispute after settlement on the page: the dealer reports it, and two people of the floor resolve it."""

import pytest
from playwright.sync_api import Locator, expect

from browser.housed import GAME, AtConsole, Visit, enter
from browser.test_barriers import barriers
from browser.worked import open_tile
from pitboss.cards import SeededShuffle
from pitboss.cards.deck import face
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.test_disputes import another_result, nets, settled

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
BEFORE = 2_000_00


def played(floor: ScenarioFloor) -> ScenarioTable:
    table = ScenarioTable(floor, GAME).open(("alice", "bob"))
    return settled(table, cards=" ".join(map(face, SeededShuffle(5).order(table.game.deck))))


def report(dealer: AtConsole) -> None:
    """Have the dealer report that seat 1 disputes the settlement."""
    dealer.page.get_by_test_id("irregularity").click()
    form = dealer.page.get_by_role("dialog", name="Report an irregularity")
    form.get_by_label("What happened?").select_option("dispute")
    form.get_by_role("button", name="Send report").click()
    expect(form.get_by_role("alert")).to_contain_text("Choose the seats and say what is disputed.")
    form.get_by_label("Seat 1 · alice").check()
    form.get_by_label("What is disputed?").fill("The first card was a king")
    assert not barriers(dealer.page)
    form.get_by_role("button", name="Send report").click()
    expect(dealer.now).to_contain_text("Resolve the dispute at seat 1: The first card was a king")


def tile(visit: Visit, floor: ScenarioFloor, name: str, table: ScenarioTable) -> Locator:
    page = enter(visit, floor, name).goto("/floor")
    open_tile(page, table.table)
    return page.get_by_test_id(f"opened-{table.table}")


def resolve(opened: Locator, outcome: str, note: str, cards: str = "") -> None:
    opened.get_by_role("button", name="Resolve the dispute").click()
    opened.get_by_label(outcome).check()
    opened.get_by_label("Reason, for the record").fill(note)
    if cards:
        opened.get_by_test_id("field-cards").fill(cards)
    opened.get_by_role("button", name="Resolve the dispute").click()


def test_two_people_void_a_disputed_seat_in_two_browsers(floor: ScenarioFloor, visit: Visit) -> None:
    table = played(floor)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    report(dealer)
    first, second = tile(visit, floor, "flo", table), tile(visit, floor, "fred", table)
    expect(first.get_by_test_id("hands-racked")).to_contain_text("Seat 1")
    after = table.live.stack_cents("alice")
    resolve(first, "Void and return the wagers", "Nobody saw the first card")
    expect(first.get_by_test_id("proposal")).to_contain_text("Proposed by you")
    assert not barriers(first.page)
    assert table.live.stack_cents("alice") == after, "one person moves no money"
    expect(second.get_by_test_id("proposal")).to_contain_text("Void and return the wagers")
    second.get_by_test_id("confirm").click()
    expect(second.get_by_test_id("proposal")).to_have_count(0)
    expect(dealer.now).not_to_contain_text("Resolve the dispute")
    assert table.live.stack_cents("alice") == BEFORE
    resolved = table.entries("house.DisputeResolved")[-1].body
    assert (resolved["outcome"], resolved["seats"]) == ("void", [1])
    table.play_round()


def test_two_people_settle_a_disputed_seat_again_by_the_corrected_cards(floor: ScenarioFloor, visit: Visit) -> None:
    table = played(floor)
    hand = another_result(table.live.play)
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    report(dealer)
    before = nets(table, 1)
    first, second = tile(visit, floor, "flo", table), tile(visit, floor, "fred", table)
    cards = " ".join(map(face, hand))
    resolve(first, "Settle again with the corrected cards", "Read from the rack", f"1: {cards}")
    proposal = second.get_by_test_id("proposal")
    expect(proposal).to_contain_text("Settle again with the corrected cards")
    expect(proposal).to_contain_text(f"Seat 1: {cards}")
    assert nets(table, 1) == before
    proposal.get_by_test_id("confirm").click()
    expect(dealer.now).not_to_contain_text("Resolve the dispute")
    assert nets(table, 1) != before
    table.play_round()


def test_a_dispute_that_is_declined_by_the_second_person_stays_open(floor: ScenarioFloor, visit: Visit) -> None:
    table = played(floor)
    table.must("dana", "ReportDispute", seats=[1], note="The first card was a king")
    first, second = tile(visit, floor, "flo", table), tile(visit, floor, "fred", table)
    resolve(first, "The results stand", "The hand was read right")
    second.get_by_test_id("decline").click()
    expect(second.get_by_test_id("proposal")).to_have_count(0)
    expect(first.get_by_test_id("proposal")).to_have_count(0)
    assert table.live.dispute is not None
    resolve(first, "The results stand", "The hand was read right")
    second.get_by_test_id("confirm").click()
    expect(second.get_by_test_id("hands-racked")).to_have_count(0)
    assert table.live.dispute is None
