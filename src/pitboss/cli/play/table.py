"""A free-play table that deals by itself: bankrolls, meters, bots and record, one round after another."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from pitboss.cards import Card, SeededShuffle, TableShuffle
from pitboss.cli.play.meters import Meters
from pitboss.cli.play.record import ROUND_OPENED, ROUND_SUMMARY, Record, now
from pitboss.cli.play.terms import TableTerms
from pitboss.cli.play.written_choices import choices_to_data
from pitboss.house.bots import Bot, bot_stakes
from pitboss.round import decide, evolve, open_round
from pitboss.round.commands import Act, CloseBets, Command, DealCards, PayMeter, PlaceWagers, Settle, TurnCards
from pitboss.round.events import BetsClosed, Event
from pitboss.round.round_data import to_data
from pitboss.round.stakes import opening_stakes
from pitboss.round.state import ASKING, OVER, Round
from pitboss.rules.refusal import Refusal

BUY_IN_CENTS = 1_000_00
ROUNDS_BOUGHT = 10  # how many opening wagers a buy-in covers, however high the table's minimum
SUPERVISOR = "free play supervisor"
HUMAN = "you"
News = tuple[Round, tuple[Event, ...]]


class FreePlayTable:
    """Deals round after round; every accepted command is on record before it takes effect."""

    def __init__(
        self,
        terms: TableTerms,
        *,
        seats: int,
        human: int | None,
        stake_cents: int | None,
        seed: int | None,
        record: Record,
    ) -> None:
        self.terms = terms
        self.seats = tuple(range(1, seats + 1))
        self.human = human
        self.seed = seed
        self.meters = Meters(terms.meters)
        self.rounds = 0
        self.state = open_round(terms.rules)
        self._stake_cents = stake_cents
        self.buy_in_cents = max(BUY_IN_CENTS, ROUNDS_BOUGHT * sum(opening_stakes(terms.rules, stake_cents).values()))
        self._bought = dict.fromkeys(self.seats, self.buy_in_cents)
        self._banked = dict.fromkeys(self.seats, self.buy_in_cents)  # as the round began
        self._record = record
        self._news: list[News] = []
        self._shuffle = TableShuffle() if seed is None else SeededShuffle(seed)
        self._chance = random.Random(seed)
        self._bot = Bot(terms.rules, self._chance)
        self._deck: Iterator[Card] = iter(())
        self._number = 0
        self._opening: tuple[dict[str, Any], ...] = ()

    def begin(self, stakes: Mapping[str, int] | None = None) -> Refusal | None:
        """Open a round with the human's stakes, then the bots', and close the bets; or return why not."""
        self._banked = {seat: self.bankroll_cents(seat) for seat in self.seats}
        self.state = open_round(self.terms.rules)
        self._deck = iter(self._shuffle.order(self.terms.game.deck))
        self._opening = (self._opened(),)
        if self.human is not None:
            assert stakes is not None, "a human at the table wagers"
            answer = self.do(PlaceWagers(self.human, HUMAN, dict(stakes)))
            if isinstance(answer, Refusal):
                return answer
        for seat in self.seats:
            if seat != self.human:
                self._seat_bot(seat)
        self._must(CloseBets())
        return None

    def do(self, command: Command) -> tuple[Event, ...] | Refusal:
        """Carry out a command: decide it, record it, then apply it."""
        decision = decide(self.state, command)
        if isinstance(decision, Refusal):
            return decision
        self._record.write((*self._opening, *map(to_data, decision)))
        if self._opening:
            self._opening, self._number = (), self._number + 1
        for event in decision:
            self.state = evolve(self.state, event)
            if isinstance(event, BetsClosed):
                self._feed_meters()
        if self.state.phase == OVER:
            self.rounds += 1
        self._news.append((self.state, decision))
        return decision

    def news(self) -> list[News]:
        """Return what happened since this was last asked: the events of each command, and the state after them."""
        news, self._news = self._news, []
        return news

    def run(self) -> None:
        """Deal, answer for bots, settle and pay meters until the human is asked or the round is over."""
        while self.state.phase != OVER and not (self.state.phase == ASKING and self.state.cursor == self.human):
            self._must(self._next())

    def bankroll_cents(self, seat: int) -> int:
        """Return a seat's bankroll, without its stakes on the layout."""
        state = self.state
        waiting = sum(cents for key, cents in state.stakes.items() if key[0] == seat and key not in state.results)
        return self._banked[seat] - waiting + self.net_of_round(seat)

    def net_of_round(self, seat: int) -> int:
        """Return a seat's net for the round so far."""
        settled = sum(result.net for key, result in self.state.results.items() if key[0] == seat)
        return settled + sum(bonus.net for bonus in self.state.envy if bonus.seat == seat)

    def net_cents(self, seat: int) -> int:
        """Return a seat's net over the finished rounds."""
        finished = self.state.phase == OVER
        return (self.bankroll_cents(seat) if finished else self._banked[seat]) - self._bought[seat]

    def buy_in(self, seat: int) -> None:
        """Give a seat another buy-in, between rounds."""
        self._bought[seat] += self.buy_in_cents
        self._banked[seat] += self.buy_in_cents

    def summary(self) -> dict[str, Any]:
        """Return the round's end as one line of data."""
        return {
            "kind": ROUND_SUMMARY,
            "game": self.terms.game.name,
            "table": self.terms.name,
            "round": self._number,
            "outcome": self.state.outcome,
            "seats": [
                {"seat": seat, "net": self.net_of_round(seat), "bankroll": self.bankroll_cents(seat)}
                for seat in self.state.seats
            ],
            "meters": {name: str(exact) for name, exact in self.meters.exact.items()},
        }

    def _next(self) -> Command:
        state = self.state
        if state.due is not None:
            count = state.due.cards
            return TurnCards() if state.due.is_turned else DealCards(tuple(next(self._deck) for _ in range(count)))
        if state.phase == ASKING:
            answer = self._bot.answer(state, self.bankroll_cents(state.cursor))
            return Act(state.cursor, answer.action.name, answer.discard)
        if state.meter is not None:
            return PayMeter(state.meter.seat, self.meters.cents(state.meter.meter), SUPERVISOR)
        return Settle()

    def _must(self, command: Command) -> None:
        waited = self.state.meter
        answer = self.do(command)
        assert not isinstance(answer, Refusal), f"the table's own {type(command).__name__} was refused: {answer}"
        if isinstance(command, PayMeter):
            assert waited is not None
            self.meters.pay(waited.meter, waited.percent)

    def _seat_bot(self, seat: int) -> None:
        if self._banked[seat] < self.buy_in_cents // 4:
            self.buy_in(seat)
        stakes = bot_stakes(self.terms.rules, self._chance, self._stake_cents, self._banked[seat])
        self._must(PlaceWagers(seat, f"bot {seat}", stakes))

    def _feed_meters(self) -> None:
        progressive = self.terms.game.progressive
        for (_, wager), cents in self.state.stakes.items():
            if progressive and wager == progressive.wager:
                self.meters.feed(cents)

    def _opened(self) -> dict[str, Any]:
        line: dict[str, Any] = {
            "kind": ROUND_OPENED,
            "game": self.terms.game.name,
            "table": self.terms.name,
            "round": self._number + 1,
            "free_play": True,
            "shuffle": "system" if self.seed is None else "seeded",
            "seed": self.seed,
            "human": self.human,
            "choices": choices_to_data(self.terms.rules.choices),
            "meters": {name: str(exact) for name, exact in self.meters.exact.items()},
        }
        # A seeded demonstration is the same every time, so it records no time.
        return line if self.seed is not None else {**line, "opened": now()}
