"""Six players without a device, and a dealer who has only the keyboard: a whole round, and no key is lost."""

from itertools import takewhile

import pytest
from playwright.sync_api import Page, expect

from browser.housed import AtConsole, Visit, enter, read_so_far
from pitboss.round.state import deliveries
from pitboss.rules.dealing import Deal
from pitboss.rules.play import Ask
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
GAME = "ultimate-texas-holdem"
SEATS = 6
BETWEEN_KEYS_MS = 50  # twenty keys a second: ten cards


class Keys:
    """A keyboard that counts what is typed on it."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, *keys: str) -> None:
        """Press keys at a fast dealer's pace, whatever the page is doing."""
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(BETWEEN_KEYS_MS)
            self.count += 1

    def cards(self, cards: list[str]) -> None:
        """Type cards with two keys each."""
        for card in cards:
            assert len(card) == 2
            self.press(*card.lower())


def until_first_decision(table: ScenarioTable) -> int:
    play = table.live.play
    steps = takewhile(lambda step: not isinstance(step[1], Ask), enumerate(play.rules.play))
    due = [each for step, here in steps if isinstance(here, Deal) for each in deliveries(play, step)]
    return sum(each.cards for each in due if not each.is_turned)


def settled_down(dealer: AtConsole) -> None:
    """Wait until all that was typed is answered, and the console shows the table as it is."""
    expect(dealer.page.get_by_test_id("entry-waiting")).to_have_count(0)
    expect(dealer.now).to_have_attribute("aria-busy", "false")
    expect(dealer.page.get_by_test_id("console")).to_have_attribute("data-sequence", str(dealer.table.sequence))


def pressed(dealer: AtConsole, keys: Keys, *kinds: str) -> None:
    """Press the main button by its key until a step of another kind is due; Enter may still belong to a card."""
    for _ in range(80):
        expect(dealer.page.get_by_test_id("console")).to_have_attribute("data-sequence", str(dealer.table.sequence))
        kind = dealer.button.get_attribute("data-kind") if dealer.button.count() else None
        if kind not in kinds:
            return
        expect(dealer.button).to_have_attribute("aria-disabled", "false")
        before = dealer.table.sequence
        if kind == "CountStub":
            keys.press(*str(len(dealer.table.game.deck) - dealer.table.live.cards.round.dealt))
        keys.press("Space" if dealer.card.count() and kind != "CountStub" else "Enter")
        expect(dealer.page.get_by_test_id("console")).not_to_have_attribute("data-sequence", str(before))
    raise AssertionError(f"still at {kinds}: {dealer.now.inner_text()}")


def test_a_six_seat_round_is_entered_by_keyboard_alone(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * 60_000}  # a slow machine isn't an idle table
    table.open(players=()).prepare()
    visitor = enter(visit, floor, "dana")
    dealer = AtConsole(visitor, table)
    keys = Keys(dealer.page)
    patrons = dealer.page.get_by_test_id("patrons")
    expect(patrons).to_be_visible()

    # Six players sit down with $1,000 in cash each: + or a seat's number, the amount, Enter.
    for seat in range(1, SEATS + 1):
        keys.press(str(seat) if seat > 1 else "+")
        expect(dealer.page.get_by_test_id("patron-name")).to_be_focused()
        keys.press("Tab", *"1000", "Enter")
        expect(dealer.page.get_by_test_id(f"patron-{seat}")).to_contain_text("$1,000")
    assert list(table.live.seats) == list(range(1, SEATS + 1))

    keys.count = 0
    pressed(dealer, keys, "BeginRound")
    table.stack()
    for seat in range(1, SEATS + 1):  # two green chips on the Ante of every seat
        keys.press(str(seat), "g", "g")
    keys.press("Enter")
    for seat in range(1, SEATS + 1):
        expect(dealer.page.get_by_test_id(f"patron-{seat}")).to_contain_text("$50")
    expect(patrons.get_by_role("alert")).to_have_count(0)
    assert {seat: table.live.play.stakes[seat, "ante"] for seat in range(1, SEATS + 1)} == dict.fromkeys(
        range(1, SEATS + 1), 50_00
    )
    wagers = keys.count
    pressed(dealer, keys, "CloseBets")

    # All cards, two keys each, and the six answers behind them, one key each, without waiting for anything.
    expect(dealer.card).to_be_focused()
    first = dealer.draw(until_first_decision(table))
    before = keys.count
    keys.cards(first)
    keys.press(*"c4c3cc")
    assert keys.count - before == 2 * len(first) + SEATS
    settled_down(dealer)
    assert read_so_far(table) == first
    answers = {entry.body["seat"]: entry.body["action"] for entry in table.entries("round.ActionTaken")}
    assert answers == dict(enumerate(("check", "raise 4x", "check", "raise 3x", "check", "check"), 1))
    assert all(entry.actor == "dana" for entry in table.entries("round.ActionTaken"))

    while table.phase in ("dealing", "asking"):
        before = table.sequence
        if table.phase == "asking":
            left = [seat for seat in (1, 3, 5, 6) if len(table.live.play.acted.get(seat, ())) < 3]
            keys.press(*("c" if table.live.play.face_up.get("board", 0) < 5 else "1") * len(left))
        elif not table.live.play.due.is_turned:
            keys.cards(dealer.draw(table.live.play.due.cards))
        else:
            pressed(dealer, keys, "TurnCards", "ConfirmDuty")
        expect(dealer.page.get_by_test_id("console")).not_to_have_attribute("data-sequence", str(before))
        settled_down(dealer)
    assert dealer.stopped.count() == 0
    pressed(dealer, keys, "CountStub", "RackStub", "ConfirmDuty", "Settle", "EndRound")
    assert not table.live.in_round
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert sum(table.money().values()) == 500_000_00
    assert wagers <= 20
    assert keys.count <= 85

    # The next round: one key to shuffle the deck, one to load it, and one for the bets of all six seats.
    keys.count = 0
    pressed(dealer, keys, "ShuffleDeck", "LoadDeck")
    assert keys.count == 2
    keys.count = 0
    pressed(dealer, keys, "BeginRound")
    keys.press("=")
    expect(dealer.button).to_have_attribute("data-kind", "CloseBets")
    assert len(table.live.play.players) == SEATS
    assert keys.count == 2


def test_a_player_who_asks_for_time_gets_it_with_one_key(floor: ScenarioFloor, visit: Visit) -> None:
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * 60_000}
    table.open(players=())
    patron = table.seat_patron(1, 200_00)
    table.begin()
    table.wager(patron, ante=10_00, blind=10_00)
    table.close_bets()
    dealer = AtConsole(enter(visit, floor, "dana"), table)
    give = dealer.page.get_by_test_id("give-time")
    keys = Keys(dealer.page)
    expect(dealer.card).to_be_focused()
    keys.press("Shift+W")  # nobody is asked yet, so the key does nothing, and isn't a card either
    expect(give).to_have_count(0)
    keys.cards(dealer.draw(until_first_decision(table)))
    expect(give).to_contain_text("Give seat 1 time")
    settled_down(dealer)
    first, before = table.live.asked_at, table.sequence
    table.floor.pass_time(table.live.terms.pace.decision_ms)
    keys.press("Shift+W")
    expect(dealer.page.get_by_test_id("console")).not_to_have_attribute("data-sequence", str(before))
    (given,) = table.entries("house.TimeGiven")
    assert (given.actor, given.body["seat"]) == ("dana", 1)
    assert table.live.asked_at >= first + table.live.terms.pace.decision_ms
    # The answer is still one key, with the focus where it was.
    expect(dealer.card).to_be_focused()
    expect(dealer.card).to_have_value("")
    keys.press("c")
    expect(give).to_have_count(0)
    assert [entry.body["action"] for entry in table.entries("round.ActionTaken")] == ["check"]
