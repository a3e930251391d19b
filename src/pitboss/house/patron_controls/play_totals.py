"""What players bought, lost and how long they sat at a table in the last days, in quarters of an hour."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import day_start
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.money.ledger import stack_holder
from pitboss.house.patrons import account_of_patron, is_patron

QUARTER_MS = 15 * 60_000  # every time zone's day begins with one
KEPT_QUARTERS = 9 * 24 * 4  # a week of gaming days, and what daylight saving time may add
WEEK_DAYS = 7
_ROUND = "round."


class Quarter(NamedTuple):
    """A quarter of an hour of one player at one table."""

    number: int  # since the epoch
    bought_cents: int = 0
    lost_cents: int = 0  # with what is on the layout; negative if the player is ahead
    seated_ms: int = 0


class PlayTotals(NamedTuple):
    """One player's quarters at one table, oldest first, and since when they have sat there."""

    quarters: tuple[Quarter, ...] = ()
    seated_since: int = 0


class Used(NamedTuple):
    """How much of their limits a player has used, in the gaming day and in the week."""

    bought_day_cents: int = 0
    bought_week_cents: int = 0
    lost_day_cents: int = 0
    lost_week_cents: int = 0
    day_minutes: int = 0
    week_minutes: int = 0


Totals = Mapping[str, PlayTotals]  # by account


def account_at(player: str) -> str | None:
    """Return the account that a player at a table belongs to, or None for a patron the house doesn't know."""
    return account_of_patron(player) if is_patron(player) else player


def after_money(totals: Totals, kind: str, body: Mapping[str, object], moved: Mapping[str, int], at: int) -> Totals:
    """Return the totals after an entry moved money at the table."""
    is_bought = kind == entry_kinds.CHIPS_BOUGHT
    is_bought = is_bought or (kind == entry_kinds.CORRECTED and body.get("kind") == entry_kinds.CHIPS_BOUGHT)
    if not is_bought and not kind.startswith(_ROUND):
        return totals
    for account, cents in moved.items():
        player = stack_holder(account)
        person = account_at(player) if player else None
        if person is not None:
            bought, lost = (cents, 0) if is_bought else (0, -cents)
            totals = {**totals, person: _added(totals.get(person, PlayTotals()), at, bought, lost)}
    return totals


def after_sitting(totals: Totals, player: str, at: int) -> Totals:
    """Return the totals after a player sat down, if they had no seat here."""
    person = account_at(player)
    kept = totals.get(person or "", PlayTotals())
    return totals if person is None or kept.seated_since else {**totals, person: kept._replace(seated_since=at)}


def after_leaving(totals: Totals, player: str, at: int) -> Totals:
    """Return the totals after a player left their last seat."""
    person = account_at(player)
    kept = totals.get(person or "")
    if person is None or kept is None or not kept.seated_since:
        return totals
    return {**totals, person: _sat(kept, kept.seated_since, at)._replace(seated_since=0)}


def used(totals: Iterable[PlayTotals], settings: HouseSettings, now: int) -> Used:
    """Return one player's totals at all tables, in this gaming day and in the last seven."""
    day_begins, week_begins = day_start(settings, now), day_start(settings, now, days_before=WEEK_DAYS - 1)
    sums = [0] * 6
    for kept in totals:
        if kept.seated_since:
            kept = _sat(kept, max(kept.seated_since, week_begins), now)
        for quarter in kept.quarters:
            amounts = (quarter.bought_cents, quarter.lost_cents, quarter.seated_ms)
            for place, amount in enumerate(amounts):
                sums[2 * place] += amount if quarter.number >= day_begins // QUARTER_MS else 0
                sums[2 * place + 1] += amount if quarter.number >= week_begins // QUARTER_MS else 0
    return Used(sums[0], sums[1], sums[2], sums[3], sums[4] // 60_000, sums[5] // 60_000)


def _added(kept: PlayTotals, at: int, bought: int = 0, lost: int = 0, seated: int = 0) -> PlayTotals:
    number = at // QUARTER_MS
    quarters = tuple(quarter for quarter in kept.quarters if quarter.number > number - KEPT_QUARTERS)
    last = quarters[-1] if quarters and quarters[-1].number == number else Quarter(number)
    before = quarters[:-1] if quarters and quarters[-1].number == number else quarters
    now = Quarter(number, last.bought_cents + bought, last.lost_cents + lost, last.seated_ms + seated)
    return kept._replace(quarters=(*before, now))


def _sat(kept: PlayTotals, since: int, until: int) -> PlayTotals:
    # Money of the same quarters is booked already, so time is added to what is there.
    quarters = {quarter.number: quarter for quarter in kept.quarters}
    since = max(since, until - KEPT_QUARTERS * QUARTER_MS)
    while since < until:
        number = since // QUARTER_MS
        ends = min((number + 1) * QUARTER_MS, until)
        found = quarters.get(number, Quarter(number))
        quarters[number] = found._replace(seated_ms=found.seated_ms + ends - since)
        since = ends
    least = until // QUARTER_MS - KEPT_QUARTERS
    return kept._replace(quarters=tuple(quarters[number] for number in sorted(quarters) if number > least))
