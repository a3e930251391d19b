"""A money floor on its first day: no card is entered before the floor switches the keyboard on or enrolls a reader."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from browser.housed import GAME, AtConsole, Visit, enter
from pitboss.cli.reader import send_command
from pitboss.cli.simulated_device import new_command
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
NAME = "shoe-7"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    """Open a floor as `pitboss serve` does: real-money tables need readers."""
    running = ScenarioFloor(tmp_path_factory.mktemp("floor"), requires_readers=True)
    yield running
    running.stop()


def send(form: Locator, button: str, **fields: str) -> None:
    """Fill in a form's fields by their labels and send it."""
    for label, text in fields.items():
        form.get_by_label(label).fill(text)
    form.get_by_role("button", name=button).click()


def test_from_a_fresh_money_floor_to_dealt_cards_by_keyboard_and_then_by_a_reader(
    floor: ScenarioFloor, visit: Visit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ScenarioTable(floor, GAME).open(("alice",))
    table.prepare()
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    expect(dealer.now).to_contain_text("none is enrolled")  # before anybody bets
    table.begin()
    table.wager("alice")
    table.close_bets()
    expect(dealer.now).to_contain_text("Ask the floor to enroll one or to switch keyboard entry on.")
    expect(dealer.button).to_have_count(0)
    dealer.type_cards(table.deck[:1])
    expect(dealer.card).to_have_count(0)
    assert table.live.drawn == 0

    boss = enter(visit, floor, "flo").goto(f"/floor?open={table.table}")
    tile = boss.get_by_test_id(f"opened-{table.table}")
    expect(tile.get_by_test_id("card-source")).to_contain_text("No reader is enrolled")
    tile.get_by_test_id("choose-KeyboardOn").click()
    send(tile.get_by_test_id("act-KeyboardOn"), "Switch keyboard entry on", Reason="the reader is not here yet")
    expect(dealer.card).to_be_visible()
    dealer.type_cards(dealer.draw(table.live.play.due.cards))
    expect(dealer.page.get_by_test_id("entry-taken").first).to_be_visible()
    expect(tile.get_by_test_id("card-source")).to_contain_text("by keyboard")
    expect(dealer.now).not_to_contain_text("seat 1")  # drawn and dealt
    by_hand = table.live.drawn
    assert by_hand == len(table.live.play.drawn), "and dealt"

    key_file = tmp_path / "reader.key"
    new_command(key_file, "reader", as_json=True)
    key = json.loads(capsys.readouterr().out)["key"]
    technician = enter(visit, floor, "tec").goto("/floor/readers")
    card = technician.get_by_test_id(f"readers-{table.table}")
    card.get_by_test_id("choose-EnrollReader").click()
    form = card.get_by_test_id("act-EnrollReader")
    form.get_by_label("Reader’s name").fill(NAME)
    form.get_by_label("Public key").fill(key)
    form.get_by_role("button", name="Enroll a card reader").click()
    expect(card.get_by_test_id("proposal")).to_contain_text(key)
    expect(card.get_by_test_id("confirm")).to_have_count(0)  # not by the one who proposed it
    assert not table.live.readers

    boss.goto(f"{floor.address}/floor/readers")
    card = boss.get_by_test_id(f"readers-{table.table}")
    expect(card.get_by_test_id("proposal")).to_contain_text(key)
    card.get_by_test_id("confirm").click()
    expect(card.get_by_test_id(f"reader-{NAME}")).to_contain_text("No message yet")
    card.get_by_test_id("choose-KeyboardOff").click()
    send(card.get_by_test_id("act-KeyboardOff"), "Switch keyboard entry off", Reason="the reader is here")

    expect(dealer.now).to_contain_text(f"{NAME} hasn’t sent a card yet")
    expect(dealer.card).to_have_count(0)
    send_command(
        key_file, NAME, table.table, dealer.draw(table.live.play.due.cards), floor.address, after=0, as_json=False
    )
    expect(dealer.button).to_have_attribute("data-kind", "DealCards")
    expect(dealer.button).to_have_attribute("aria-disabled", "false")
    dealer.button.click()
    expect(dealer.now).to_contain_text(f"{NAME} reads the cards")
    assert len(table.live.play.drawn) > by_hand
    sources = [entry.body["source"] for entry in table.entries("house.CardRead")]
    assert sources[:by_hand] == ["keyboard"] * by_hand
    assert set(sources[by_hand:]) == {f"reader {NAME}"}

    card.get_by_test_id("choose-RetireReader").click()
    send(card.get_by_test_id("act-RetireReader"), "Retire a card reader", Reason="worn out")
    expect(card).to_contain_text("None enrolled.")
    expect(dealer.now).to_contain_text("none is enrolled")
