"""A player's first rounds: the tour, sounds and captions, then the totals, luck and skill, and why in the replay."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.dealt import stacked
from browser.seated import Seated
from browser.staged import PATIENT, Stage, Visitor
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
TABLE = "ultimate-texas-holdem"
STAKES = {"ante": 10_00, "blind": 10_00, "trips": 5_00}
CARDS = {1: ["As", "Ad"], "dealer": ["7d", "3h"], "board": ["2s", "4c", "Ah", "9d", "Kc"]}
NET = "+$55"  # the dealer doesn't qualify, so the Ante and the Blind push; the Raise wins, and Trips pays 3 to 1
SPLIT_MS = 240_000  # kernels may have to be compiled
# Counts what is heard and felt; a tone, or a rush of noise.
LISTENING = """
window.heard = 0
window.pulses = 0
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const plain = kind.prototype.start
  kind.prototype.start = function (...given) { window.heard++; return plain.apply(this, given) }
}
Object.defineProperty(Navigator.prototype, 'vibrate', {value: () => { window.pulses++; return true }})
"""


class Sharing(Stage):
    """A house that shares rounds."""

    SHARES_ROUNDS = True


@pytest.fixture
def player(staged: Callable[..., Stage], visit: Visit) -> Seated:
    """Seat a newcomer; every test plays the rounds that it is about."""
    stage = staged([TABLE], kind=Sharing, pace={**PATIENT, "wagers_ms": 60_000, "between_rounds_ms": 500})
    visitor = visit(stage, "alice", tours=True)
    visitor.page.add_init_script(LISTENING)
    return Seated(visitor, TABLE, 1)


def play(player: Seated) -> None:
    stage = player.visitor.stage
    assert isinstance(stage, Stage)
    stage.stacked = stacked(demo_documents()[TABLE], {1: STAKES}, CARDS)
    player.page.get_by_test_id("bet").wait_for()
    player.bet({"ante": 10_00, "trips": 5_00})
    player.page.get_by_test_id("action-raise 4x").wait_for()


def play_to_the_end(player: Seated) -> None:
    play(player)
    player.act("raise 4x")
    player.comes_to(NET)


def test_the_first_round_is_explained_once_and_silent_until_sound_is_chosen(player: Seated) -> None:
    page, tour = player.page, player.page.get_by_test_id("tour")
    expect(tour).to_contain_text("1 of 3")
    expect(tour).to_contain_text("click Ante")
    play(player)
    expect(tour).to_contain_text("2 of 3")
    expect(tour).to_contain_text("Raise 4x")
    assert page.evaluate("window.heard") == 0
    assert page.evaluate("window.pulses") > 0  # one's turn
    assert violations(page) == []
    player.act("raise 4x")
    expect(tour).to_contain_text("3 of 3")
    page.get_by_test_id("tour-end").click()
    expect(tour).to_have_count(0)
    page.reload()
    page.get_by_test_id("bet").wait_for()
    expect(tour).to_have_count(0)


def test_sounds_are_heard_and_read_when_they_are_chosen(player: Seated) -> None:
    page = player.page
    page.get_by_role("button", name="Preferences").click()
    page.get_by_test_id("volume").fill("60")
    page.get_by_test_id("captions").check()
    page.get_by_test_id("haptics").uncheck()
    page.get_by_test_id("pace-fast").check()
    page.get_by_role("dialog", name="Preferences").get_by_role("button", name="Close").click()
    before = page.evaluate("window.heard")
    assert before > 0  # how loud it is
    page.evaluate("window.pulses = 0")
    stage = player.visitor.stage
    assert isinstance(stage, Stage)
    play(player)
    expect(page.get_by_test_id("caption")).to_contain_text("your turn")
    assert page.evaluate("window.heard") > before
    player.act("raise 4x")
    expect(page.get_by_test_id("caption")).to_contain_text("win")
    assert page.evaluate("window.pulses") == 0
    expect(page.get_by_test_id("round-net")).to_be_visible()


def test_own_rounds_add_up_and_say_what_was_luck(player: Seated) -> None:
    for _ in range(2):
        play_to_the_end(player)
    page = player.visitor.goto("/history")
    listed = page.get_by_test_id("rounds").get_by_role("listitem")
    expect(listed).to_have_count(2)
    totals = page.get_by_test_id("totals")
    expect(totals).to_contain_text("2 rounds")
    expect(page.get_by_test_id("split-net")).to_have_text(totals.locator("b").text_content() or "", timeout=SPLIT_MS)
    expect(page.get_by_test_id("split-edge")).to_contain_text("−$")
    expect(page.get_by_test_id("split-decisions")).to_have_text("$0")  # aces are raised four times
    expect(page.get_by_test_id("result-plot")).to_be_visible()
    expect(page.get_by_test_id("statistics").get_by_role("row", name="Trips")).to_have_count(1)
    assert violations(page) == []
    page.get_by_test_id("filter-result").select_option("loss")
    expect(listed).to_have_count(0)
    expect(totals).to_contain_text("No settled rounds match")
    page.get_by_test_id("filter-result").select_option("win")
    expect(listed).to_have_count(2)


def test_the_replay_of_a_round_explains_each_bet(player: Seated) -> None:
    play_to_the_end(player)
    page = player.visitor.goto("/history")
    page.get_by_test_id("rounds").get_by_role("link").first.click()
    page.get_by_test_id("bets").get_by_test_id("why-ante").click()
    dialog = page.get_by_test_id("why")
    expect(dialog).to_contain_text("three aces")
    expect(dialog.get_by_test_id("counted-seat").get_by_role("img")).to_have_count(7)
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_test_id("split-luck")).to_contain_text("+$", timeout=SPLIT_MS)
    assert violations(page) == []
    page.get_by_role("button", name="First step").click()
    expect(page.get_by_test_id("bets")).to_have_count(0)


def test_a_stranger_opens_a_shared_round_without_an_account(player: Seated, visit: Visit) -> None:
    play_to_the_end(player)
    page = player.visitor.goto("/history")
    page.get_by_test_id("rounds").get_by_role("link").first.click()
    page.get_by_test_id("share-round").click()
    address = page.get_by_test_id("shared-address").input_value()
    assert violations(page) == []
    stranger = visit(player.visitor.stage, None, viewport={"width": 390, "height": 844})
    shown = stranger.page
    shown.goto(address)
    expect(shown.get_by_test_id("bets")).to_contain_text("Hand: three of a kind")
    expect(shown.get_by_test_id("seat-1")).to_contain_text("Seat 1")
    expect(shown.locator("body")).not_to_contain_text("alice")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(shown) == []
    shown.keyboard.press("Home")
    expect(shown.get_by_test_id("bets")).to_have_count(0)
    stranger.forgive()
    shown.goto(address[:-1] + ("0" if address[-1] != "0" else "1"))
    expect(shown.get_by_role("alert")).to_contain_text("opens no round")
    expect(shown.get_by_role("link", name="Back to the tables")).to_be_visible()


def test_a_reaction_is_shown_at_the_seat_unless_its_viewer_wants_none(player: Seated, visit: Visit) -> None:
    page = player.page
    bob = Seated(visit(player.visitor.stage, "bob"), TABLE, 3).page
    page.get_by_test_id("reactions").click()
    assert violations(page) == []
    page.get_by_test_id("react-nice-hand").click()
    expect(bob.get_by_test_id("reaction-1")).to_have_text("Nice hand")
    expect(page.get_by_test_id("reaction-1")).to_have_text("Nice hand")
    expect(bob.get_by_test_id("reaction-1")).to_have_count(0)  # after some seconds
    bob.get_by_role("button", name="Preferences").click()
    bob.get_by_test_id("reactions-shown").uncheck()
    bob.get_by_role("dialog", name="Preferences").get_by_role("button", name="Close").click()
    expect(bob.get_by_test_id("reactions")).to_have_count(0)
    page.get_by_test_id("reactions").click()
    page.get_by_test_id("react-wow").click()
    expect(page.get_by_test_id("reaction-1")).to_have_text("Wow")
    expect(bob.get_by_test_id("reaction-1")).to_have_count(0)
    bob.get_by_role("button", name="Leave seat").click()  # or the table would wait for this bet
    bob.get_by_test_id("invitation").wait_for()
    play(player)
    expect(page.get_by_test_id("reactions")).to_have_count(0)  # cards are in play
    player.act("raise 4x")
