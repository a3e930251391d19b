"""A hand's payouts as the console shows them: what waits to be validated, and what the dealer has paid."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pitboss.house.money.chips import Chips, fewest, shown, tray_after
from pitboss.round.events import EnvyPaid
from pitboss.round.state import AWAITING_METER, AWAITING_VERIFICATION, OVER, SETTLING, Round
from pitboss.rules.refusal import Refusal

ENVY = "envy"


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """One wager's part of a payout that waits."""

    wager: str
    stake_cents: int
    odds: str | None
    cents: int | None  # None if its meter can't be read here
    clause: str


@dataclass(frozen=True, slots=True)
class EnvyLine:
    """A bonus that a hand brings another seat."""

    seat: int
    from_seat: int
    hand: str
    cents: int
    clause: str


@dataclass(frozen=True, slots=True)
class PayoutShown:
    """A payout that waits for a floorperson: whose, for which hand and how much."""

    seat: int
    player: str
    hand: str
    cents: int | None  # in total, without the other seats' bonuses
    lines: tuple[PayoutLine, ...]
    envy: tuple[EnvyLine, ...]
    is_progressive: bool
    clause: str
    ruling: str | None


@dataclass(frozen=True, slots=True)
class PaidOut:
    """What a seat's wager was paid, as chips; an envy bonus says whose hand brought it."""

    seat: int
    wager: str
    cents: int
    chips: str
    clause: str
    from_seat: int | None = None
    hand: str | None = None
    ruling: str | None = None
    breaks_cents: int | None = None  # the chip that the tray has to break first


def waiting(play: Round, meters: Mapping[str, int] | None = None) -> PayoutShown | None:
    """Return the payout that the round waits for, with the share of a meter if the meters are known."""
    if play.meter is not None:
        return _of_meter(play, meters or {})
    payout = play.payout
    if payout is None:
        return None
    lines = tuple(
        PayoutLine(result.wager, result.stake, result.odds, result.paid, result.odds_clause or result.clause)
        for result in payout.results
    )
    return PayoutShown(
        payout.seat,
        play.players[payout.seat],
        payout.hand,
        sum(result.paid for result in payout.results),
        lines,
        tuple(map(_envy, payout.envy)),
        payout.progressive,
        payout.clause,
        payout.ruling,
    )


def _of_meter(play: Round, meters: Mapping[str, int]) -> PayoutShown:
    awaited, progressive = play.meter, play.rules.game.progressive
    assert awaited is not None
    seat, on_meter = awaited.seat, meters.get(awaited.meter)
    cents = None if on_meter is None else on_meter * awaited.percent // 100
    stake = play.stakes[seat, awaited.wager]
    line = PayoutLine(awaited.wager, stake, f"{awaited.percent} % of {awaited.meter}", cents, awaited.clause)
    return PayoutShown(
        seat,
        play.players[seat],
        play.hands.get(seat, ""),
        cents,
        (line,),
        (),
        is_progressive=True,
        clause=(progressive.validation_cite if progressive else "") or awaited.clause,
        ruling=progressive.validation_ruling if progressive else None,
    )


def _envy(bonus: EnvyPaid) -> EnvyLine:
    return EnvyLine(bonus.seat, bonus.from_seat, bonus.hand, bonus.net, bonus.clause)


def paid(play: Round, tray: Chips) -> Iterator[PaidOut]:
    """Yield what the dealer pays in this round, in chips that this tray has: wagers first, then envy bonuses."""
    for payout in _paid(play):
        after = tray_after(tray, -payout.cents)
        if isinstance(after, Refusal):  # a fill is due; the usual chips say how much
            yield payout
            continue
        tray = after.tray
        broken = after.exchange.gives if after.exchange is not None else None
        yield replace(payout, chips=shown(after.chips), breaks_cents=broken)


def paid_cents(play: Round) -> int:
    """Return what the dealer has paid in this round, with envy bonuses."""
    return sum(payout.cents for payout in _paid(play))


def _paid(play: Round) -> Iterator[PaidOut]:
    if play.phase not in (SETTLING, AWAITING_METER, AWAITING_VERIFICATION, OVER):
        return
    for (seat, wager), result in play.results.items():
        if result.paid:
            yield PaidOut(seat, wager, result.paid, shown(fewest(result.paid)), result.clause)
    for bonus in play.envy:
        chips = shown(fewest(bonus.net))
        yield PaidOut(bonus.seat, ENVY, bonus.net, chips, bonus.clause, bonus.from_seat, bonus.hand)
