"""The same table by touch, by keyboard only, and on screens that are narrow, low or zoomed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.axe import violations
from browser.seated import Seated
from browser.staged import Stage, Visitor

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
TABLE = "ultimate-texas-holdem"
SLOW = {"wagers_ms": 60_000, "decision_ms": 120_000, "step_ms": 30, "between_rounds_ms": 60_000}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Narrow, small, lying on its side, and a screen of 1280 by 800 enlarged twice.
SCREENS = ("390x844", "360x640", "844x390", "640x400", "768x1024", "1024x768", "1280x800")
STEADY = ("390x844", "768x1024", "1280x800")  # where the felt stays where it is when the controls change
# What the page is made of, as boxes of the window, once the lower edge of the page is in view.
BOXES = """() => {
  scrollTo(0, document.documentElement.scrollHeight)
  const box = (one) => one.getBoundingClientRect().toJSON()
  const find = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map(box)
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    long: document.documentElement.scrollHeight > innerHeight + 1,
    width: innerWidth,
    height: innerHeight,
    desk: find('[data-testid="desk"]')[0],
    felt: find('.felt')[0],
    head: find('.table-page > header, .table-page > header button'),
    column: find('[data-testid="desk"] .column')[0],
    timer: find('[role="timer"] > :first-child')[0],
    buttons: find('[data-testid="desk"] button, [data-testid="desk"] .timer'),
    cut: [...document.querySelectorAll('main h1, [data-testid="desk"] p, [data-testid="desk"] button')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
  }
}"""


def drag(page: Page, start: str, end: str) -> None:
    """Carry something with a finger."""
    ends = []
    for name in (start, end):
        page.get_by_test_id(name).scroll_into_view_if_needed()
        box = page.get_by_test_id(name).bounding_box()
        assert box is not None
        ends.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    (from_x, from_y), (to_x, to_y) = ends
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": from_x, "y": from_y}]})
    for step in range(1, 9):
        at = {"x": from_x + (to_x - from_x) * step / 8, "y": from_y + (to_y - from_y) * step / 8}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    page.wait_for_timeout(300)  # a finger that comes to rest throws nothing
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def overlaps(row: dict[str, float], other: dict[str, float]) -> bool:
    return (
        min(row["right"], other["right"]) - max(row["left"], other["left"]) > 1
        and min(row["bottom"], other["bottom"]) - max(row["top"], other["top"]) > 1
    )


def faults_of_layout(page: Page, size: str) -> list[str]:
    """Return what is cut off, covered or out of reach."""
    found = page.evaluate(BOXES)
    desk, felt, faults = found["desk"], found["felt"], []
    if found["wide"]:
        faults.append("the page is wider than its window")
    if found["long"] and found["width"] >= 1024:
        faults.append("the page is longer than its window")
    if overlaps(desk, felt):
        faults.append(f"the desk covers the felt: {desk} {felt}")
    if not (desk["left"] >= 0 and desk["right"] <= found["width"] and desk["bottom"] <= found["height"] + 1):
        faults.append(f"the desk is not in the window: {desk}")
    if found["width"] < 720 and desk["bottom"] < found["height"] - 1:
        faults.append(f"there is room under the desk: {desk}")
    if found["timer"] and found["timer"]["right"] - found["timer"]["left"] < 40:
        faults.append(f"the timer has shrunk: {found['timer']}")
    if any(button["top"] < desk["top"] or button["bottom"] > desk["bottom"] for button in found["buttons"]):
        faults.append("a button reaches out of the desk")
    buttons, column = found["buttons"], found["column"]
    # The chips are drawn a little to the left, so that their pictures are in line with the text.
    if any(button["left"] < column["left"] - 3 or button["right"] > column["right"] + 1 for button in buttons):
        faults.append("a button reaches out of its column")
    if any(overlaps(desk, part) for part in found["head"]):
        faults.append("the desk covers the line above the felt")
    if any(overlaps(button, other) for number, button in enumerate(buttons) for other in buttons[:number]):
        faults.append(f"buttons cover each other: {buttons}")
    faults += [f"cut off: {text}" for text in found["cut"]]
    return [f"{size}: {fault}" for fault in faults]


def test_a_round_by_touch_only(staged: Staged, visit: Visit) -> None:
    page = visit(staged([TABLE], pace=SLOW), "alice", **PHONE).goto(f"/tables/{TABLE}")
    page.get_by_test_id("sit-1").tap()
    page.get_by_test_id("sit-down").tap()
    page.get_by_test_id("chip-500").tap()
    page.get_by_test_id("area-ante").tap()
    expect(page.get_by_test_id("bet")).to_contain_text("Bet $10")
    drag(page, "chip-2500", "area-trips")
    expect(page.get_by_test_id("bet")).to_contain_text("Bet $35")
    page.get_by_test_id("bet").tap()
    page.get_by_test_id("action-raise 4x").tap()
    page.get_by_test_id("every-wager").tap()
    sheet = page.get_by_test_id("sheet")
    expect(sheet.get_by_test_id("round-net")).to_be_visible()
    expect(sheet.get_by_role("list", name="Community cards").get_by_role("img")).to_have_count(5)
    expect(sheet.get_by_role("list", name="Dealer").get_by_role("img")).to_have_count(2)
    sheet.get_by_test_id("why-trips").tap()
    why = page.get_by_test_id("why").filter(visible=True)
    expect(why).to_contain_text("Trips")
    why.get_by_role("button", name="Close").tap()
    expect(why).to_be_hidden()
    sheet.get_by_role("button", name="Close").first.tap()
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Your round").tap()
    expect(sheet).to_be_visible()
    page.touchscreen.tap(195, 40)  # outside the sheet
    expect(sheet).to_be_hidden()


def test_a_round_by_keyboard_only(staged: Staged, visit: Visit) -> None:
    page = visit(staged([TABLE], pace=SLOW), "alice", reduced_motion="reduce").goto(f"/tables/{TABLE}")
    page.get_by_test_id("sit-1").wait_for()
    focused = page.locator(":focus")
    for _ in range(40):
        page.keyboard.press("Tab")
        if focused.get_attribute("data-testid") == "sit-1":
            break
    page.keyboard.press("Enter")
    page.get_by_test_id("sit-down").wait_for()
    for _ in range(12):
        if focused.get_attribute("data-testid") == "sit-down":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_test_id("bet").wait_for()
    expect(page.get_by_test_id("desk")).to_be_focused()  # the way to the seat is gone
    for key in "2aat":  # the second chip twice on the Ante, once on Trips
        page.keyboard.press(key)
    expect(page.get_by_test_id("bet")).to_contain_text("Bet $25")
    page.keyboard.press("z")
    expect(page.get_by_test_id("bet")).to_contain_text("Bet $20")
    page.keyboard.press("Enter")
    page.get_by_test_id("action-check").wait_for()
    page.keyboard.press("c")
    page.get_by_test_id("action-raise 2x").wait_for()
    page.keyboard.press("2")
    expect(page.get_by_test_id("round-net")).to_have_text(re.compile(r"\$"), timeout=120_000)
    for _ in range(40):
        page.keyboard.press("Tab")
        if (focused.get_attribute("data-testid") or "").startswith("why-"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("why")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("why")).to_be_hidden()


def test_buying_chips_returns_the_player_to_where_they_were(staged: Staged, visit: Visit) -> None:
    page = Seated(visit(staged([TABLE], pace=SLOW), "alice"), TABLE, 1).page
    page.get_by_test_id("buy-chips").press("Enter")
    page.get_by_test_id("sit-down").press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_test_id("buy-chips")).to_be_focused()


@pytest.mark.parametrize("locale", ["en-US", "es-MX"])
def test_nothing_is_cut_off_or_covered_on_a_small_or_enlarged_screen(staged: Staged, visit: Visit, locale: str) -> None:
    stage, faults = staged(["dragon-poker"], pace=SLOW), []
    felts: dict[str, dict[str, list[float]]] = {}
    alice = Seated(visit(stage, "alice", tours=True, locale=locale, reduced_motion="reduce"), "dragon-poker", 1)
    alice.page.get_by_test_id("chip-500").click()
    alice.page.get_by_test_id("area-ante").click()
    for moment in ("bet", "answer"):
        for size in SCREENS:
            width, height = map(int, size.split("x"))
            alice.page.set_viewport_size({"width": width, "height": height})
            alice.page.wait_for_timeout(200)  # the felt is redrawn
            faults += [f"{moment} {fault}" for fault in faults_of_layout(alice.page, size)]
            if locale == "en-US":
                faults += [f"{moment} {size} {violation}" for violation in violations(alice.page)]
            room = alice.page.locator(".room").bounding_box()
            assert room is not None
            felts.setdefault(size, {})[moment] = [round(room["y"]), round(room["height"])]
        if moment == "bet":
            alice.page.set_viewport_size({"width": 1280, "height": 800})
            alice.bet({"three-card-bonus": 5_00})
            alice.page.get_by_test_id("action-play").wait_for(timeout=120_000)
    faults += [
        f"{size}: the felt moves: {felts[size]}" for size in STEADY if len(set(map(str, felts[size].values()))) > 1
    ]
    assert not faults, "\n".join(faults)
