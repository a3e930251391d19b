"""A player's receipt on the page: got from a round in the history, kept as a file, and checked offline."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.housed import GAME, Visit, enter
from scenarios.floor import DRAWN, ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


def test_a_player_downloads_a_receipt_and_checks_it_offline_with_the_page_from_the_floor(
    floor: ScenarioFloor, visit: Visit, chromium: Browser, tmp_path: Path
) -> None:
    table = ScenarioTable(floor, GAME, DRAWN).open(("alice",))
    table.play_round()
    round_id = table.entries("house.RoundBegun")[-1].body["round"]
    visitor = enter(visit, floor, "alice")
    page = visitor.goto("/history")
    page.get_by_role("listitem").first.get_by_role("link").click()
    make, saved = page.get_by_test_id("receipt-make"), page.get_by_test_id("receipt-file")
    for _ in range(60):
        with page.expect_response(lambda answer: answer.url.endswith("/receipt")) as answered:
            make.click()
        if answered.value.ok:
            break
        page.wait_for_timeout(1_000)
    expect(saved).to_be_visible()
    visitor.forgive()  # until the next checkpoint was signed, there was no receipt
    code = page.get_by_test_id("receipt-code")
    assert code.get_attribute("data-address") == f"{floor.address}/history/{round_id}?receipt"
    with page.expect_download() as receipt:
        saved.click()
    with page.expect_download() as checker:
        page.get_by_test_id("receipt-checker").click()
    assert receipt.value.suggested_filename == f"receipt-{round_id}.json"
    receipt.value.save_as(tmp_path / "receipt.json")
    checker.value.save_as(tmp_path / "verify.html")

    assert floor.floor is not None
    offline = chromium.new_context(offline=True, service_workers="block").new_page()
    offline.goto((tmp_path / "verify.html").as_uri())
    offline.locator("#file").set_input_files(tmp_path / "receipt.json")
    offline.locator("#keys").fill("\n".join(floor.floor.signing.publics()))
    offline.locator("#check").click()
    expect(offline.locator("#result")).to_contain_text("The receipt is sound.")
    offline.context.close()

    other = enter(visit, floor, "alice")
    other.forgive()  # while she is seated, her luck is not computed
    again = other.goto(f"/history/{round_id}?receipt")  # as a phone that scanned the code does
    expect(again.get_by_test_id("receipt-file")).to_be_visible()
