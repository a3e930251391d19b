"""Books kept only from events, by separate rules: what was staked, collected, returned and paid."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.round.events import (
    ActionTaken,
    EnvyPaid,
    Event,
    MeterPaid,
    RoundClosed,
    RoundVoided,
    WagerResult,
    WagerReturned,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
    WagersWithdrawn,
)

Key = tuple[int, str]
_ODDS = re.compile(r"([\d,]+) (to|for) (\d+)")


@dataclass
class Ledger:
    """Follows one round's money; every entry has to make sense when it is booked."""

    staked: dict[Key, int] = field(default_factory=dict)
    settled: dict[Key, WagerResult] = field(default_factory=dict)
    envy: dict[int, int] = field(default_factory=dict)
    meter_paid: dict[int, int] = field(default_factory=dict)
    ended: str | None = None

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Ledger":
        """Return the books of a round."""
        books = cls()
        for event in events:
            books.book(event)
        return books

    def book(self, event: Event) -> None:
        """Enter one event."""
        assert self.ended is None, f"{event} after the round ended"
        if isinstance(event, WagersPlaced):
            self._leave(event.seat)
            self.staked |= {(event.seat, wager): cents for wager, cents in event.stakes.items()}
        elif isinstance(event, WagersWithdrawn):
            self._leave(event.seat)
        elif isinstance(event, WagerReturned):
            assert (event.seat, event.wager) not in self.settled
            del self.staked[event.seat, event.wager]
        elif isinstance(event, ActionTaken) and event.wager:
            assert (event.seat, event.wager) not in self.staked
            self.staked[event.seat, event.wager] = event.stake
        elif isinstance(event, MeterPaid):
            self.meter_paid[event.seat] = event.paid
        elif isinstance(event, EnvyPaid):
            assert event.seat != event.from_seat
            self.envy[event.seat] = self.envy.get(event.seat, 0) + event.net
        elif isinstance(event, WagersSettled):
            for result in event.results:
                self._settle(event.seat, result)
        elif isinstance(event, WagersReversed):
            for result in event.results:
                assert self.settled.pop((event.seat, result.wager)) == result
            assert self.envy.pop(event.seat, 0) == event.envy
        elif isinstance(event, RoundVoided | RoundClosed):
            self.ended = "void" if isinstance(event, RoundVoided) else "settled"

    def _leave(self, seat: int) -> None:
        assert not any(key[0] == seat for key in self.settled), f"seat {seat} was settled before"
        self.staked = {key: cents for key, cents in self.staked.items() if key[0] != seat}

    def _settle(self, seat: int, result: WagerResult) -> None:
        key = (seat, result.wager)
        assert key not in self.settled, f"{key} settled twice"
        if key in self.staked:
            assert result.stake == self.staked[key]
            assert result.paid == max(self.owed(seat, result, result.stake) - result.cut, 0)
        else:
            # A bonus that pays on another wager's stake has none of its own, and is heard of only when it wins.
            assert (result.stake, result.result) == (0, "win")
            stakes = [cents for (other, _), cents in self.staked.items() if other == seat]
            assert result.paid in [max(self.owed(seat, result, cents) - result.cut, 0) for cents in stakes]
        assert collected(result) + result.returned == result.stake
        assert result.net == result.paid + result.returned - result.stake
        self.settled[key] = result

    def owed(self, seat: int, result: WagerResult, stake: int) -> int:
        """Return what the printed odds come to on the stake, rounded down."""
        if result.result != "win":
            assert result.odds is None
            return 0
        assert result.odds is not None
        if result.odds.startswith("$"):
            return int(result.odds[1:].replace(",", "")) * 100
        if "%" in result.odds:
            return self.meter_paid[seat]
        match = _ODDS.fullmatch(result.odds)
        assert match
        exact = Fraction(stake * int(match[1].replace(",", "")), int(match[3]))
        assert Fraction(result.remainder) == exact - exact.__floor__()
        return exact.__floor__()

    def seats(self) -> set[int]:
        """Return the seats that money lies on."""
        return {seat for seat, _ in self.staked}

    def net(self, seat: int) -> int:
        """Return what a seat gained or lost, envy bonuses included."""
        return sum(event.net for key, event in self.settled.items() if key[0] == seat) + self.envy.get(seat, 0)

    def house(self) -> int:
        """Return what the house took in less what it handed out."""
        took = sum(collected(event) for event in self.settled.values())
        return took - sum(event.paid for event in self.settled.values()) - sum(self.envy.values())

    def check_closed(self) -> None:
        """Check that every stake came to one end and that nothing was made or lost."""
        assert self.ended is not None
        assert {key for key, result in self.settled.items() if result.stake} == self.staked.keys()
        assert sum(map(self.net, self.seats())) + self.house() == 0
        if self.ended == "void":
            assert not self.envy
            for key, result in self.settled.items():
                assert (result.result, result.net, result.returned) == ("push", 0, self.staked[key])


def collected(result: WagerResult) -> int:
    """Return how much of a stake the house keeps: all of a loser's, and of a winner's at odds "for"."""
    if result.result == "lose" or (result.result == "win" and " for " in str(result.odds)):
        return result.stake
    if result.result == "win" and "%" in str(result.odds):
        return result.stake - result.returned
    return 0
