"""The dealer's hands: keys and seconds of a six-seat round at the console, by keyboard alone and with a card reader.

Run it as `PYTHONPATH=tests python -m bench.dealer [ROUNDS] [GAME ...]`: it works a real console in a real browser.
"""

import sys
import tempfile
import time
from itertools import product, zip_longest
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import expect, sync_playwright

from browser.chromium import ARGUMENTS, ensure
from browser.housed import AtConsole, enter, read_so_far
from browser.staged import Visitor
from browser.test_keyboard_round import SEATS, Keys, pressed, settled_down, until_first_decision
from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioFloor, ScenarioTable

ROUNDS = 3
CARD_S = 0.1  # ten cards a second
PATIENCE_MS = 300_000  # on a busy machine a burst of cards takes minutes to be recorded
PARTS = ("deck", "bets", "cards", "answers", "steps")
STEPS = ("DealCards", "TurnCards", "ConfirmDuty", "RackStub", "CountStub")  # Colorado racks the stub before the answers
LAST_STEPS = ("CountStub", "RackStub", "ConfirmDuty", "Settle", "EndRound")


class Measured(NamedTuple):
    """One round at the console."""

    deck: int  # between rounds; the first round's deck is opened and inspected, which isn't part of it
    bets: int
    cards: int
    answers: int
    steps: int
    cards_dealt: int
    lost: int
    burst_lag_s: float  # from the last key of the first deal until everything typed was recorded
    seconds: float

    @property
    def keys(self) -> int:
        """Return all keys of the round."""
        return self.deck + self.bets + self.cards + self.answers + self.steps


class Round:
    """A dealer who enters a round at the console, and what it took."""

    def __init__(self, dealer: AtConsole, keys: Keys, *, has_reader: bool) -> None:
        self.dealer, self.keys, self.table, self.has_reader = dealer, keys, dealer.table, has_reader
        self.counts = dict.fromkeys(PARTS, 0)
        self.typed: list[str] = []

    def does(self, what: str, *keys: str) -> None:
        """Press keys and count them under what they are for."""
        self.keys.press(*keys)
        self.counts[what] += len(keys)

    def press(self, *kinds: str, what: str = "steps") -> None:
        """Press the main button through the steps of these kinds."""
        before = self.keys.count
        pressed(self.dealer, self.keys, *kinds)
        self.counts[what] += self.keys.count - before

    def deal(self, number: int) -> None:
        """Type the next cards with two keys each, or pass them before the reader."""
        cards = self.dealer.draw(number)
        self.typed += cards
        for card in cards:
            if not self.has_reader:
                self.does("cards", *card.lower())
                continue
            begun = time.monotonic()
            assert self.table.reader is not None
            assert self.table.sent(self.table.reader.saw(card)).json()["is_read"]
            time.sleep(max(0.0, CARD_S - (time.monotonic() - begun)))

    def played(self, *, is_repeat: bool) -> Measured:
        """Play the round, with two seats that raise at once and four that check twice and call."""
        begun = time.monotonic()
        self.press("ShuffleDeck", "LoadDeck", what="deck")
        self.press("BeginRound")
        self.table.stack()
        if is_repeat:
            self.does("bets", "=")
        else:
            for seat in range(1, SEATS + 1):
                self.does("bets", str(seat), "g", "g")
            self.does("bets", "Enter")
        expect(self.dealer.button).to_have_attribute("data-kind", "CloseBets")
        self.press("CloseBets")
        first = until_first_decision(self.table)
        self.deal(first)
        ended = time.monotonic()
        settled_down(self.dealer)
        lag = time.monotonic() - ended
        self._to_the_end()
        self.press(*LAST_STEPS)
        assert not self.table.live.in_round
        lost = sum(typed != taken for typed, taken in zip_longest(self.typed, self.read))
        return Measured(
            **self.counts, cards_dealt=len(self.typed), lost=lost, burst_lag_s=lag, seconds=time.monotonic() - begun
        )

    def answer(self) -> None:
        """Press what the seat that is asked does: seats 2 and 4 raise at once if they may, the others stay in."""
        seat = self.table.live.play.seat_asked
        offered = next(duty["answers"] for duty in self.table.console()["duties"] if duty["answers"])
        raises = sorted((each for each in offered if each["stake_cents"]), key=lambda each: -each["stake_cents"])
        cheap = [each for each in offered if each["action"] != "fold"]
        if seat in (2, 4) and raises:
            chosen = raises[min(seat // 2, len(raises)) - 1]
        else:
            chosen = min(cheap, key=lambda each: (each["stake_cents"], each["discards"]))
        shown = self.dealer.page.get_by_test_id(f"answer-{chosen['action']}")
        key = shown.locator("kbd").inner_text().lower()
        discard = face(self.table.live.play.cards[seat][-1]).lower() if chosen["discards"] else ""
        self.does("answers", key, *discard)

    def _to_the_end(self) -> None:
        self.read: list[str] = []
        while self.table.phase in ("dealing", "asking"):
            before, play = self.table.sequence, self.table.live.play
            if self.table.phase == "asking":
                self.answer()
            elif not play.due.is_turned and not self.table.live.waiting:
                self.deal(play.due.cards)
            else:
                self.press(*STEPS)
            expect(self.dealer.page.get_by_test_id("console")).not_to_have_attribute("data-sequence", str(before))
            settled_down(self.dealer)
            self.read = read_so_far(self.table) or self.read


def opened(floor: ScenarioFloor, game: str, *, has_reader: bool) -> ScenarioTable:
    """Return a table with six players without a device, and a reader where there is one."""
    table = ScenarioTable(floor, game)
    table.document["pace"] = {"idle_ms": 60 * 60_000}
    table.open(players=())
    if has_reader:
        table.enroll()
    for seat in range(1, SEATS + 1):
        table.seat_patron(seat, 2_000_00)
    return table


def main() -> None:
    """Measure rounds of each game by keyboard and with a reader, and print a line for each way."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    games = sys.argv[2:] or game_names()
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        floor = ScenarioFloor(Path(folder))
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(ARGUMENTS))
        for game, has_reader in product(games, (False, True)):
            table = opened(floor, game, has_reader=has_reader)
            visitor = enter(lambda stage, name, **options: Visitor(browser, stage, name, **options), floor, "dana")
            dealer = AtConsole(visitor, table)
            keys = Keys(dealer.page)
            found = []
            for number in range(rounds):
                if number == 0:
                    table.prepare()
                    expect(dealer.button).to_have_attribute("data-kind", "BeginRound")
                found.append(Round(dealer, keys, has_reader=has_reader).played(is_repeat=number > 0))
            visitor.close()
            show(f"{game}, {'reader' if has_reader else 'keyboard'}", found)
        browser.close()
        floor.stop()


def show(way: str, found: list[Measured]) -> None:
    """Print the first round, whose bets are new, and the median of those that repeat them."""
    for name, rounds in (("new bets", found[:1]), ("same bets", found[1:])):
        if not rounds:
            continue
        keys = round(median(each.keys for each in rounds))
        parts = {what: round(median(getattr(each, what) for each in rounds)) for what in PARTS}
        seconds, lag = median(each.seconds for each in rounds), max(each.burst_lag_s for each in rounds)
        dealt, lost = rounds[0].cards_dealt, sum(each.lost for each in rounds)
        print(
            f"{way}, {name}: {keys} keys ({', '.join(f'{what} {number}' for what, number in parts.items())}),"
            f" {seconds:.1f} s for {dealt} cards; the last card is in {lag:.2f} s after its key; {lost} lost",
            flush=True,
        )


if __name__ == "__main__":
    main()
