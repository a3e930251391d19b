"""The money that a round's events move: stack to felt, felt to stack and tray, tray or pool to stack."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pitboss.house.money.ledger import HOUSE, Posting, Transfer, coupons, felt, inventory, netted, pool, stack
from pitboss.round.commands import PlaceWagers
from pitboss.round.events import (
    ActionTaken,
    EnvyPaid,
    Event,
    MeterPaid,
    StakesBanked,
    WagerResult,
    WagerReturned,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
    WagersWithdrawn,
)
from pitboss.round.state import OVER, Round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import MeterShare, payoff
from pitboss.rules.refusal import Refusal

WAGER = "wager"
WITHDRAWAL = "withdrawal"
BANKED = "banked"
RETURN = "return"
SETTLEMENT = "settlement"
ENVY = "envy"
METER_PAYOUT = "meter-payout"
REVERSAL = "reversal"


@dataclass(frozen=True, slots=True)
class Books:
    """Whose money a round moves: the table's, and its linked progressive's."""

    table: str
    progressive: str | None = None


@dataclass(frozen=True, slots=True)
class FillNeeded(Refusal):
    """A settlement that the tray can't pay until a fill brings this amount."""

    fill_cents: int = 0


def transfer_of(books: Books, before: Round, event: Event) -> Transfer | None:
    """Return the money an event moves, given the round before it; None if it moves none."""
    booked = _BOOKED.get(type(event))
    if booked is None:
        return None
    cause, postings = booked
    moved = netted(postings(books, before, event))
    return Transfer(cause, moved) if moved else None


def check_money(rules: RulesInForce, wagers: WagersPlaced | PlaceWagers) -> Refusal | None:
    """Return why a wager's instrument isn't money that the ledger can hold, or None."""
    instruments = rules.game.procedures.instruments
    for instrument in (wagers.instrument, *wagers.other_instruments.values()):
        if instrument in instruments.if_submitted:
            reason = f"A wager can be made with chips or plaques, not with {instrument}"
            if instrument in instruments.beside_chips:
                reason = "A coupon is bet together with chips. Enter it under coupons"
            return Refusal(reason, instruments.if_submitted[instrument], "instrument")
    return None


def held_back(state: Round, player: str) -> int:
    """Return how much of a player's stack a void could still take back, so the player may not carry it away."""
    if state.phase == OVER:
        return 0
    seats = {seat for seat, name in state.players.items() if name == player}
    paid = sum(result.paid + result.returned for (seat, _), result in state.results.items() if seat in seats)
    return paid + sum(envy.net for envy in state.envy if envy.seat in seats)


def is_paid_by_meter(result: WagerResult) -> bool:
    """Say whether a meter paid this result."""
    return result.odds is not None and _is_share(result.odds)


@lru_cache(maxsize=1024)
def _is_share(odds: str) -> bool:
    return isinstance(payoff(odds), MeterShare)


def _placed(books: Books, before: Round, event: WagersPlaced) -> Iterator[Posting]:
    assert before.players.get(event.seat, event.player) == event.player, "only a seat's own player replaces its wagers"
    assert check_money(before.rules, event) is None, "checked before it was recorded"
    lay = sum(cents for (seat, _), cents in before.stakes.items() if seat == event.seat)
    yield from _moved(sum(event.stakes.values()) - lay, stack(books.table, event.player), felt(books.table))


def _withdrawn(books: Books, before: Round, event: WagersWithdrawn) -> Iterator[Posting]:
    lay = sum(cents for (seat, _), cents in before.stakes.items() if seat == event.seat)
    yield from _moved(lay, felt(books.table), _stack(books, before, event.seat))


def _returned(books: Books, before: Round, event: WagerReturned) -> Iterator[Posting]:
    cents, lies = before.stakes[event.seat, event.wager], _lies(books, before, event.seat, event.wager)
    yield from _moved(cents, lies, _stack(books, before, event.seat))


def _banked(books: Books, before: Round, event: StakesBanked) -> Iterator[Posting]:
    yield from _moved(event.cents, felt(books.table), inventory(books.table))


def _acted(books: Books, before: Round, event: ActionTaken) -> Iterator[Posting]:
    yield from _moved(event.stake, _stack(books, before, event.seat), felt(books.table))


def _settled(books: Books, before: Round, event: WagersSettled) -> Iterator[Posting]:
    for result in event.results:
        yield from _stake(books, before, event.seat, result)
        if not is_paid_by_meter(result):  # that was paid out when the meter was read
            yield from _moved(result.paid, inventory(books.table), _stack(books, before, event.seat))
        yield from _moved(result.coupon, HOUSE, coupons(books.table))


def _envy_paid(books: Books, before: Round, event: EnvyPaid) -> Iterator[Posting]:
    yield from _moved(event.net, inventory(books.table), _stack(books, before, event.seat))


def _meter_paid(books: Books, before: Round, event: MeterPaid) -> Iterator[Posting]:
    yield from _moved(event.paid, _pool(books), _stack(books, before, event.seat))


def _reversed(books: Books, before: Round, event: WagersReversed) -> Iterator[Posting]:
    chips = _stack(books, before, event.seat)
    for result in event.results:
        yield from (Posting(account, -cents) for account, cents in _stake(books, before, event.seat, result))
        yield from _moved(result.paid, chips, _pool(books) if is_paid_by_meter(result) else inventory(books.table))
        yield from _moved(result.coupon, coupons(books.table), HOUSE)
    yield from _moved(event.envy, chips, inventory(books.table))


def _stake(books: Books, before: Round, seat: int, result: WagerResult) -> Iterator[Posting]:
    lies = _lies(books, before, seat, result.wager)
    yield from _moved(result.returned, lies, _stack(books, before, seat))
    yield from _moved(result.stake - result.returned, lies, inventory(books.table))


def _lies(books: Books, before: Round, seat: int, wager: str) -> str:
    return inventory(books.table) if (seat, wager) in before.banked else felt(books.table)


def _moved(cents: int, giver: str, taker: str) -> tuple[Posting, Posting]:
    return Posting(giver, -cents), Posting(taker, cents)


def _stack(books: Books, before: Round, seat: int) -> str:
    return stack(books.table, before.players[seat])


def _pool(books: Books) -> str:
    assert books.progressive is not None, "the table has no progressive"
    return pool(books.progressive)


# A void moves its money by the reversals and settlements that come with it.
_BOOKED: dict[type, tuple[str, Callable[[Books, Round, Any], Iterator[Posting]]]] = {
    WagersPlaced: (WAGER, _placed),
    WagersWithdrawn: (WITHDRAWAL, _withdrawn),
    WagerReturned: (RETURN, _returned),
    StakesBanked: (BANKED, _banked),
    ActionTaken: (WAGER, _acted),
    WagersSettled: (SETTLEMENT, _settled),
    EnvyPaid: (ENVY, _envy_paid),
    MeterPaid: (METER_PAYOUT, _meter_paid),
    WagersReversed: (REVERSAL, _reversed),
}
