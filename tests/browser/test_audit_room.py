"""The audit room in a browser: a hand replayed from the record, verified with a visible result, and exported."""

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Route, expect

from browser.axe import violations
from browser.entered import Sessions
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names
from server.at_the_table import play

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
PACE = {"wagers_ms": 300, "decision_ms": 20_000, "step_ms": 1, "between_rounds_ms": 50}
NAME = game_names()[-1]
Visit = Callable[..., Visitor]


class Room(NamedTuple):
    """A floor on which a round was played."""

    sessions: Sessions
    played: str


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    stage = Stage(tmp_path_factory.mktemp("audited"), [NAME], PACE)
    sessions = Sessions(stage)
    yield Room(sessions, play(sessions.client("alice"), NAME, 2))
    stage.stop()


def opened(page: Page) -> None:
    page.get_by_test_id("replay").wait_for()
    page.get_by_test_id("check-payouts").wait_for()


def test_an_auditor_replays_a_hand_and_sees_that_the_record_is_sound(room: Room, visit: Visit, tmp_path: Path) -> None:
    page = room.sessions.enter(visit, "aud").goto("/audit")
    page.get_by_label("Player", exact=True).fill("alice")
    page.get_by_role("button", name="Search").click()
    page.get_by_test_id("rounds").get_by_role("link").filter(has_text="alice").first.click()
    opened(page)
    assert page.url.endswith(f"?round={room.played}")
    assert [
        element.inner_text()[:1] for element in page.get_by_test_id("verification").get_by_role("listitem").all()
    ] == ["✓"] * 6
    steps = page.get_by_test_id("ticks").locator("line").count()
    scrubber = page.get_by_test_id("scrubber")
    expect(page.get_by_test_id("step")).to_contain_text(f"Step {steps} of {steps}")
    expect(page.get_by_test_id("step")).to_contain_text("The round ends")
    # The cards lie open at the end and are gone at the beginning; back and forth with keys only.
    assert page.get_by_test_id("replay").get_by_text("Dealer").count()
    when = re.compile(r"\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d:\d\d UTC")
    expect(page.get_by_test_id("replay")).to_contain_text(when)
    page.get_by_text("All steps").click()
    scrubber.focus()
    page.keyboard.press("Home")
    expect(page.get_by_test_id("step")).to_contain_text("The round begins")
    assert page.evaluate(
        """() => {
            const step = document.querySelector('details [aria-current]')
            const [one, list] = [step, step.closest('div')].map((node) => node.getBoundingClientRect())
            return one.top >= list.top - 1 && one.bottom <= list.bottom + 1
        }"""
    )
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("step")).to_contain_text(f"Step 2 of {steps}")
    page.get_by_test_id("step-forward").click()
    expect(page.get_by_test_id("step")).to_contain_text(f"Step 3 of {steps}")
    page.get_by_test_id("step-back").click()
    expect(page.get_by_test_id("step")).to_contain_text(f"Step 2 of {steps}")
    with page.expect_download() as given:
        page.get_by_test_id("export-zip").click()
    given.value.save_as(tmp_path / "bundle.zip")
    assert "entries.jsonl" in zipfile.ZipFile(tmp_path / "bundle.zip").namelist()


def test_a_check_that_had_nothing_to_look_at_has_no_tick(room: Room, visit: Visit) -> None:
    visitor = room.sessions.enter(visit, "aud", locale="en-US")

    def without_cards(route: Route) -> None:
        answer = route.fetch()
        verified = answer.json()
        for check in verified["checks"]:
            if check["name"] == "cards":  # as at a table with real cards, where none are committed
                check["count"] = 0
        route.fulfill(response=answer, json=verified)

    visitor.page.route("**/api/audit/verify*", without_cards)
    page = visitor.goto(f"/audit?round={room.played}")
    opened(page)
    expect(page.get_by_test_id("check-cards")).to_contain_text("No committed cards to check")
    expect(page.get_by_test_id("check-cards")).not_to_contain_text("✓")
    expect(page.get_by_test_id("check-cards")).not_to_contain_text("passed")
    expect(page.get_by_test_id("check-money")).to_contain_text("✓")


def test_surveillance_sees_no_card_that_lay_face_down(room: Room, visit: Visit) -> None:
    page = room.sessions.enter(visit, "sue").goto("/audit")
    with page.expect_response(lambda response: response.url.endswith(f"/api/audit/rounds/{room.played}")) as answer:
        page.goto(f"{room.sessions.stage.address}/audit?round={room.played}")
    opened(page)
    assert {step["cards"] for step in answer.value.json()["steps"]} == {None}
    assert page.get_by_label("Show all cards dealt").count() == 0
    assert page.get_by_text("Only auditors and regulators").count() == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_the_audit_room_has_no_serious_barrier(room: Room, visit: Visit, width: int) -> None:
    viewport = {"width": width, "height": 844}
    page = room.sessions.enter(visit, "reg", viewport=viewport).goto(f"/audit?round={room.played}")
    opened(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("tab", name="Events").click()
    page.get_by_test_id("events").get_by_role("listitem").first.wait_for()
    assert violations(page) == []


def test_on_a_narrow_screen_the_seat_that_was_settled_lies_in_front(room: Room, visit: Visit) -> None:
    visitor = room.sessions.enter(visit, "aud", viewport={"width": 390, "height": 844})
    page = visitor.goto(f"/audit?round={room.played}")
    opened(page)
    felt, large = page.locator('svg[role="group"]'), page.get_by_test_id("seat-2")
    expect(large.locator('[data-testid^="area-"]').first).to_be_visible()
    before = felt.bounding_box()
    page.get_by_test_id("scrubber").focus()
    page.keyboard.press("Home")
    expect(page.get_by_test_id("step")).to_contain_text("The round begins")
    after = felt.bounding_box()
    assert before is not None
    assert after is not None
    assert before["width"] > 340
    assert abs(before["height"] - after["height"]) < 1  # going back and forth does not push the scrubber about


@pytest.fixture
def changed(room: Room) -> Iterator[Room]:
    """The floor with exported heads of its tables that nobody signed."""
    floor = room.sessions.stage.floor
    assert floor is not None
    heads = floor.settings.data / "heads" / "heads.jsonl"
    sound = heads.read_text()
    lines = (line.replace('"sequence":', '"sequence":1') if '"table/' in line else line for line in sound.split("\n"))
    altered = "\n".join(lines)
    heads.write_text(altered)
    yield room
    heads.write_text(heads.read_text().replace(altered, sound, 1))


@pytest.mark.parametrize("width", [390, 1280])
def test_a_changed_record_is_reported_in_words(changed: Room, visit: Visit, width: int) -> None:
    visitor = changed.sessions.enter(visit, "aud", viewport={"width": width, "height": 844})
    page = visitor.goto(f"/audit?round={changed.played}")
    opened(page)
    expect(page.get_by_test_id("verification")).to_contain_text("is not valid")
    expect(page.get_by_test_id("check-heads")).to_contain_text("isn't signed")
    expect(page.get_by_test_id("check-chain")).to_contain_text("✓")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
