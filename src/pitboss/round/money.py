"""Converts units to money: what a verdict pays on a stake, rounded down and cut by the payout limit."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from pitboss.round.events import WagerResult
from pitboss.rules.in_force import RulesInForce, Verdict
from pitboss.rules.payoff import For, MeterShare, Prize, To
from pitboss.rules.reading import SeatReading
from pitboss.rules.settlement import LOSE, PUSH, WIN

_ROUNDED = "G-2"  # the ruling that a fraction of a cent is not paid
_IN_ORDER = "G-3"  # the ruling that the payment that crosses the limit is cut


def settle_wagers(
    rules: RulesInForce,
    reading: SeatReading,
    stakes: Mapping[str, int],
    *,
    clause: str | None = None,
    coupons: Mapping[str, int] | None = None,
) -> tuple[list[WagerResult], tuple[str, MeterShare, Verdict] | None]:
    """Return the results of a seat's wagers in order, and the meter claim that one of them waits for."""
    results = []
    claim = None
    left = rules.limit_cents
    facts, cells = reading.facts, reading.cells
    for wager, base in rules.paid_on:
        stake = stakes.get(base)
        if stake is None:
            continue
        verdict = rules.adjudicate(wager, facts, cells.get(wager))
        if isinstance(verdict.payoff, MeterShare):
            claim = (wager, verdict.payoff, verdict)
            continue
        if base != wager:
            # A bonus that pays on another wager's stake has no stake to lose, so it appears only when it wins.
            if verdict.result != WIN:
                continue
            result = result_of(wager, stake, verdict, clause)._replace(stake=0)
        else:
            result = result_of(wager, stake, verdict, clause, coupons.get(wager, 0) if coupons else 0)
        if left is not None and result.paid and wager in rules.limit_covers:
            result = _cut(result, left, rules.limit_cite)
            left -= result.paid
        results.append(result)
    return results, claim


@lru_cache(maxsize=4096)
def result_of(wager: str, stake: int, verdict: Verdict, clause: str | None = None, coupon: int = 0) -> WagerResult:
    """Return what a verdict does to a stake, and to the coupon that lies with it."""
    cite = clause or verdict.cite
    if verdict.result == LOSE:
        return WagerResult(wager, stake, LOSE, -stake, None, cite, None, coupon=coupon)
    payoff = verdict.payoff
    if verdict.result == PUSH or payoff is None:
        return WagerResult(wager, stake, PUSH, 0, None, cite, verdict.odds_cite)
    if isinstance(payoff, Prize):
        prize = WagerResult(wager, stake, WIN, payoff.cents, str(payoff), cite, verdict.odds_cite, payoff.cents)
        return prize._replace(coupon=coupon) if coupon else prize
    assert isinstance(payoff, To | For), "a meter's share is paid by the meter"
    paid, rest = divmod((stake + coupon) * payoff.win, payoff.per)
    kept = stake if isinstance(payoff, For) else 0
    remainder = str(Fraction(rest, payoff.per)) if rest else "0"
    won = WagerResult(wager, stake, WIN, paid - kept, str(payoff), cite, verdict.odds_cite, paid, remainder)
    won = won._replace(rests_on=(_ROUNDED,)) if rest else won
    return won._replace(coupon=coupon) if coupon else won


def meter_result(wager: str, stake: int, verdict: Verdict, paid: int, *, stake_returned: bool) -> WagerResult:
    """Return what a meter's payment does to a stake."""
    net = paid if stake_returned else paid - stake
    return WagerResult(wager, stake, WIN, net, str(verdict.payoff), verdict.cite, verdict.odds_cite, paid)


def returned(wager: str, stake: int, clause: str) -> WagerResult:
    """Return a stake handed back."""
    return WagerResult(wager, stake, PUSH, 0, None, clause, None)


def lost(wager: str, stake: int, clause: str) -> WagerResult:
    """Return a stake forfeited."""
    return WagerResult(wager, stake, LOSE, -stake, None, clause, None)


def _cut(result: WagerResult, left: int, clause: str) -> WagerResult:
    over = result.paid - left
    if over <= 0:
        return result
    return result._replace(
        net=result.net - over,
        paid=result.paid - over,
        cut=over,
        cut_clause=clause,
        rests_on=(*result.rests_on, _IN_ORDER),
    )
