"""A table that deals by itself, for free play: its bankrolls, meters, bots and record, and one round after another."""

import random
from collections.abc import Callable
from typing import Any

from pitboss.cards import SeededShuffle, TableShuffle
from pitboss.cli.play.bots import Bot, bot_stakes
from pitboss.cli.play.meters import Meters
from pitboss.cli.play.record import ROUND_OPENED, ROUND_SUMMARY, Record, now
from pitboss.cli.play.stakes import opening_stakes
from pitboss.cli.play.terms import TableTerms
from pitboss.cli.play.written_choices import choices_to_data
from pitboss.round import decide, evolve, open_round
from pitboss.round.commands import (
    Act,
    CloseBets,
    Command,
    DealCards,
    PayMeter,
    PlaceWagers,
    Settle,
    TurnCards,
)
from pitboss.round.events import BetsClosed, Event
from pitboss.round.record import to_data
from pitboss.round.state import ASKING, OVER, SETTLING, Round
from pitboss.rules.refusal import Refusal

BUY_IN_CENTS = 1_000_00
SUPERVISOR = "free play supervisor"
Watch = Callable[[Round, tuple[Event, ...]], None]


class FreePlayTable:
    """Deals round after round; every accepted command is recorded before it counts."""

    def __init__(
        self, terms: TableTerms, *, seats: int, human: int | None, stake_cents: int | None, seed: int | None, record: Record
    ) -> None:
        self.terms = terms
        self.seats = tuple(range(1, seats + 1))
        self.human = human
        self.seed = seed
        self.meters = Meters(terms.meters)
        self.bought_cents = dict.fromkeys(self.seats, BUY_IN_CENTS)
        self.rounds = 0
        self.state = open_round(terms.rules)
        self.watch: Watch = lambda state, events: None
        self._banked_cents = dict.fromkeys(self.seats, BUY_IN_CENTS)
        self._stake_cents = stake_cents
        self._record = record
        self._shuffle = TableShuffle() if seed is None else SeededShuffle(seed)
        self._chance = random.Random(seed)
        self._bot = Bot(terms.rules, self._chance)
        self._deck = iter(())
        self._number = 0
        self._opening: tuple[dict[str, Any], ...] = ()

    def open(self) -> None:
        """Open the next round with a freshly shuffled deck and let the bots wager."""
        self._number += 1
        self.state = open_round(self.terms.rules)
        self._deck = iter(self._shuffle.order(self.terms.game.deck))
        self._opening = (self._opened(),)
        for seat in self.seats:
            if seat != self.human:
                self._rebuy(seat)
                stakes = bot_stakes(self.terms, self._chance, self._stake_cents, self._banked_cents[seat])
                self._must(PlaceWagers(seat, f"bot {seat}", stakes))

    def do(self, command: Command) -> tuple[Event, ...] | Refusal:
        """Carry out a command: decided, put on record, then in effect."""
        decision = decide(self.state, command)
        if isinstance(decision, Refusal):
            return decision
        self._record.write((*self._opening, *map(to_data, decision)))
        self._opening = ()
        for event in decision:
            self.state = evolve(self.state, event)
            if isinstance(event, BetsClosed):
                self._feed_meters()
        self.watch(self.state, decision)
        return decision
