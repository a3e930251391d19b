"""Whether a person may sit, buy in or bet for real money: by the exclusion list, and by limits."""

from pitboss.house import entry_kinds
from pitboss.house.controls.play_limits import NO_LIMITS, PlayLimits, stricter
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.patron_controls.play_totals import PlayTotals, Used, account_at, used
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


def may_sit(writer: EventWriter, player: str) -> Refusal | None:
    """Return why a player may not take a seat, or None."""
    if writer.live.free_play:
        return None
    return may_play(writer, player, "take a seat") or _check_limits(writer, player)


def may_buy(writer: EventWriter, player: str, cents: int) -> Refusal | None:
    """Return why a player may not buy chips for an amount, or None."""
    if writer.live.free_play:
        return None
    return may_play(writer, player, "buy in") or _check_limits(writer, player, buys_cents=cents)


def may_bet(writer: EventWriter, player: str) -> Refusal | None:
    """Return why the bet just placed is over a player's limits, or None."""
    if writer.live.free_play:
        return None
    return may_play(writer, player, "place a bet") or _check_limits(writer, player, is_bet=True)


def may_play(writer: EventWriter, player: str, does: str = "bring chips") -> Refusal | None:
    """Return why an excluded person may do nothing for real money, or None; it alerts the floor."""
    person, at = account_at(player), writer.means.at
    if writer.live.free_play or person is None or not writer.means.controls.settings.exclusions:
        return None
    number = writer.means.patrons.exclusion_of(person, at)
    if number is None:
        return None
    return excluded(person, number, does, writer.live.table)


def excluded(person: str, exclusion: str, does: str, table: str = "") -> Refusal:
    """Return the refusal of what an excluded person tried, which alerts the floor."""
    body = {"person": person, "exclusion": exclusion, "tried": does, "table": table}
    note = Draft(FLOOR, entry_kinds.EXCLUDED_TRIED, body, rule.EXCLUSIONS)
    reason = "This person is excluded from real-money play. The floor was alerted"
    return NotedRefusal(reason, rule.EXCLUSIONS, None, note)


def held_account(writer: EventWriter, player: str) -> str | None:
    """Return the deposit account that an excluded person's chips go to when they leave the table, or None."""
    if writer.live.free_play or not writer.means.controls.settings.exclusions:
        return None
    person = account_at(player)
    if person is not None and writer.means.patrons.exclusion_of(person, writer.means.at) is not None:
        return person
    return writer.live.held.get(player)


def limits_of(writer: EventWriter, person: str) -> PlayLimits:
    """Return the stricter of a player's own limits and the house's."""
    settings = writer.means.controls.settings
    return stricter(settings.play_limits, writer.means.patrons.own_limits(person, writer.means.at))


def _check_limits(writer: EventWriter, player: str, *, buys_cents: int = 0, is_bet: bool = False) -> Refusal | None:
    person, settings = account_at(player), writer.means.controls.settings
    if person is None or not settings.player_limits:
        return None
    limits = limits_of(writer, person)
    if limits == NO_LIMITS:
        return None
    here = writer.live.played.get(person, PlayTotals())
    reached = _reached(
        limits, used((here, *writer.means.played(person)), settings, writer.means.at), buys_cents, is_bet
    )
    return Refusal(reached, rule.PLAYER_LIMITS, "cents" if buys_cents else "seat") if reached else None


def _reached(limits: PlayLimits, so_far: Used, buys_cents: int, is_bet: bool) -> str | None:
    for minutes, most, period in (
        (so_far.day_minutes, limits.day_minutes, "this gaming day"),
        (so_far.week_minutes, limits.week_minutes, "this week"),
    ):
        if most is not None and minutes >= most:
            return f"The limit of {most} minutes at tables {period} has been reached"
    if buys_cents:
        for bought, most, period in (
            (so_far.bought_day_cents, limits.deposit_day_cents, "this gaming day"),
            (so_far.bought_week_cents, limits.deposit_week_cents, "this week"),
        ):
            if most is not None and bought + buys_cents > most:
                left = dollars(max(most - bought, 0))
                return f"The limit on buy-ins {period} is {dollars(most)}, and {left} of it is left"
    for lost, most, period in (
        (so_far.lost_day_cents, limits.loss_day_cents, "this gaming day"),
        (so_far.lost_week_cents, limits.loss_week_cents, "this week"),
    ):
        # A bet counts as lost until it is decided, so that it can't go beyond the limit.
        if most is not None and (lost > most if is_bet else lost >= most):
            outcome = "This bet could exceed it" if is_bet else "It has been reached"
            return f"The limit on losses {period} is {dollars(most)}. {outcome}"
    return None
