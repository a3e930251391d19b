"""A progressive under test: commands in, events checked one by one against the meter's equation."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any

from pitboss.house.money.ledger import HOUSE, Balances, Posting, apply, pool
from pitboss.house.progressive import (
    Link,
    MeterTerms,
    ProgressiveState,
    Stake,
    decide,
    drafts_of,
    evolve,
    pool_postings,
)
from pitboss.house.progressive import commands as asked
from pitboss.house.progressive import events as happened
from pitboss.house.progressive.meter import Meter
from pitboss.house.progressive.meter_entries import event_from_data
from pitboss.rules.refusal import Refusal

NAME = "linked"
ONE_METER = (MeterTerms("meter", 1_000_000, 1_000_000, Fraction("0.20"), "Ch. 12 §D(3)(b)(i)"),)
TWO_METERS = (
    MeterTerms("major", 150_000, 100_000, Fraction("0.1"), "Ch. 12 §D(3)(b)(ii)(1)"),
    MeterTerms("minor", 25_000, 25_000, Fraction(1, 30), "Ch. 12 §D(3)(b)(ii)(2)"),
)


def link(table: str, *meters: str) -> Link:
    """Return how a table is linked, under clauses that tell which is which."""
    return Link(table, "progressive", meters, "closed", "mismatch", "validation")


def equation(meter: Meter) -> None:
    """Check that what came in went somewhere, exactly, and that no part is below nothing."""
    came_in = meter.seed_cents + meter.contributed
    kept = meter.shown_cents + meter.reserve + meter.overflow + meter.remainder
    assert came_in == kept + meter.paid_cents + meter.transferred_cents
    assert min(meter.shown_cents, meter.paid_cents) >= 0
    assert min(meter.reserve, meter.overflow, meter.remainder) >= 0
    assert meter.remainder < 1
    assert isinstance(meter.shown_cents, int)


@dataclass
class Metered:
    """A progressive and its account in the ledger; both advance event by event."""

    state: ProgressiveState = field(default_factory=lambda: ProgressiveState(NAME))
    balances: Balances = field(default_factory=Balances)
    events: list[happened.Event] = field(default_factory=list)
    at: int = 0

    @classmethod
    def open(cls, *meters: MeterTerms, tables: tuple[str, ...] = ("one",)) -> "Metered":
        """Return a progressive with its meters open and its tables linked."""
        metered = cls()
        metered.do(asked.OpenMeters, meters=meters or ONE_METER, by="ann", second="bob")
        for table in tables:
            metered.do(asked.LinkTable, link=link(table, *metered.state.meters))
        return metered

    def do(self, kind: type, **given: Any) -> tuple[happened.Event, ...]:
        """Carry out a command that is accepted."""
        decision = decide(self.state, kind(at=self.at, **given))
        assert not isinstance(decision, Refusal), f"{kind.__name__} {given}: {decision}"
        self.follow(decision)
        return decision

    def refusal(self, kind: type, **given: Any) -> Refusal:
        """Return the refusal of a command."""
        before = self.state
        decision = decide(self.state, kind(at=self.at, **given))
        assert isinstance(decision, Refusal), f"{kind.__name__} {given} was accepted: {decision}"
        assert decision.reason
        assert self.state == before
        return decision

    def follow(self, events: tuple[happened.Event, ...]) -> None:
        """Advance by events, each of them checked and booked."""
        drafts = drafts_of(self.state, events)
        for event, draft in zip(events, drafts, strict=True):
            after = evolve(self.state, event)
            for meter in after.meters.values():
                equation(meter)
            behind = sum(meter.value + meter.reserve + meter.overflow for meter in after.meters.values())
            assert after.pool_cents == floor(behind) >= sum(after.shown().values())
            moved = pool_postings(self.state, after)
            assert draft.body.get("postings", {}) == moved
            assert sum(moved.values()) == 0
            booked = apply(self.balances, [Posting(*item) for item in moved.items()])
            assert isinstance(booked, Balances), booked
            assert booked.of(pool(NAME)) == after.pool_cents == -booked.of(HOUSE)
            assert event_from_data(draft.kind.removeprefix("progressive."), json.loads(json.dumps(draft.body))) == event
            self.state, self.balances = after, booked
        self.events.extend(events)

    def bets(self, table: str, round_name: str, stakes: dict[int, int], chips: int | None = None) -> None:
        """Open a round at a table, close its bets and feed the meters."""
        self.do(asked.OpenPlay, table=table, round=round_name)
        self.do(asked.LockOut, table=table, round=round_name)
        self.count(table, round_name, stakes, chips)

    def count(self, table: str, round_name: str, stakes: dict[int, int], chips: int | None = None) -> None:
        """Feed the meters."""
        self.do(asked.TakeContributions, table=table, round=round_name, stakes=staked(stakes), chips_counted=chips)

    def hit(self, table: str, round_name: str, seat: int, meter: str = "meter", percent: int = 100) -> int:
        """Pay a hit and return what it paid."""
        paid, *_ = self.do(asked.PayHit, **claim(table, round_name, seat, meter, percent))
        assert isinstance(paid, happened.MeterHit)
        return paid.paid_cents

    def take_back(self, table: str, round_name: str) -> tuple[happened.Event, ...]:
        """Undo a round."""
        return self.do(asked.TakeBack, table=table, round=round_name, by="ann", second="bob", clause="void")


def staked(stakes: dict[int, int]) -> tuple[Stake, ...]:
    """Return stakes by seat as the wagers that were accepted."""
    return tuple(Stake(seat, cents) for seat, cents in stakes.items())


def claim(table: str, round_name: str, seat: int, meter: str = "meter", percent: int = 100) -> dict[str, Any]:
    """Return the fields of a claim that is in order."""
    return {
        "table": table,
        "round": round_name,
        "seat": seat,
        "player": f"player {seat}",
        "meter": meter,
        "percent": percent,
        "hand": "royal flush",
        "claimed_by": "dealer",
        "validated_by": "floor 1",
        "clause": "Ch. 11 §J(2)(d)",
    }
