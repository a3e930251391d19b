"""Checks a progressive wager's parameters: rate, initial and reset amounts, envy bonuses."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from pitboss.rules.payoff import dollars
from pitboss.rules.wager import Meter, Wager
from pitboss.submission.case import Case
from pitboss.submission.document import ONLY_METER
from pitboss.submission.fault import Fault
from pitboss.submission.toml_keys import listed, nearest, shown

_RATE = re.compile(r"0?\.[0-9]{1,9}|[01](\.[0-9]{1,9})?")


def progressive_faults(case: Case) -> Iterator[Fault]:
    """Yield what is wrong with the parameters of each progressive wager."""
    for wager in case.offered:
        if case.is_progressive(wager):
            meters = case.meters(wager)
            yield from _rate(case, wager, meters)
            yield from _amounts(case, wager, meters)
            yield from _envy(case, wager)


def _rate(case: Case, wager: Wager, meters: tuple[Meter, ...]) -> Iterator[Fault]:
    stated, path = case.stated(wager), ("wagers", wager.name, "rate")
    clause = case.game.progressive.rate_cite if case.game.progressive else wager.cite
    if not stated.rate:
        if "rate" not in stated.stated:
            reason = (
                'The progressive rate is missing; state the share of each stake that feeds the meter, such as "0.20"'
            )
            yield case.fault(path, reason, clause)
        return
    wrong = {name: rate for name, rate in stated.rate.items() if not is_rate(rate)}
    for name, rate in wrong.items():
        reason = f'A rate must be a decimal between 0 and 1 such as "0.20", not {shown(rate)}'
        yield case.fault((*path, name) if name else path, reason, clause)
    yield from _names(case, path, stated.rate, meters, clause)
    if not wrong and sum(map(Fraction, case.rates(wager).values()), Fraction(0)) >= 1:
        yield case.fault(path, "The meters' rates add up to the whole stake or more; lower them", clause)


def is_rate(written: str) -> bool:
    """Return whether a text is a decimal between 0 and 1."""
    return bool(_RATE.fullmatch(written)) and 0 < Fraction(written) < 1


def _amounts(case: Case, wager: Wager, meters: tuple[Meter, ...]) -> Iterator[Fault]:
    stated = case.stated(wager)
    initial, reset = case.by_meter(stated.initial, meters), case.by_meter(stated.reset, meters)
    for key, written, amounts in (("initial", stated.initial, initial), ("reset", stated.reset, reset)):
        path = ("wagers", wager.name, key)
        if not written:
            if key not in stated.stated:
                reason = f"The meter's {key} amount is missing; state it in cents"
                yield case.fault(path, reason, meters[0].cite if meters else wager.cite)
            continue
        yield from _names(case, path, written, meters, meters[0].cite if meters else wager.cite)
        for meter in meters:
            if meter.name in amounts and amounts[meter.name] < meter.minimum_cents:
                least, given = dollars(meter.minimum_cents), dollars(amounts[meter.name])
                reason = f"The {key} amount of the {meter.name} meter must be at least {least}, not {given}"
                yield case.fault(_of_meter(path, written, meter), reason, meter.cite)
    for meter in meters:
        if initial.get(meter.name, 0) < reset.get(meter.name, 0) and meter.name in initial:
            reason = f"The {meter.name} meter starts below its reset amount; raise initial or lower reset"
            yield case.fault(_of_meter(("wagers", wager.name, "initial"), stated.initial, meter), reason, meter.cite)


def _names(
    case: Case, path: tuple[str, ...], written: Mapping[str, object], meters: tuple[Meter, ...], clause: str
) -> Iterator[Fault]:
    known = [meter.name for meter in meters]
    if not known:
        return
    if set(written) == {ONLY_METER}:
        if len(known) > 1 and path[-1] != "rate":
            reason = f"This paytable has {len(known)} meters; state an amount for each of {', '.join(known)}"
            yield case.fault(path, reason, clause)
        return
    for name in written:
        if name not in known:
            yield case.fault((*path, name), f"There is no meter called {shown(name)}; {nearest(name, known)}", clause)
    for meter in meters:
        if meter.name not in written:
            yield case.fault(
                (*path, meter.name), f"The {path[-1]} of the {meter.name} meter is missing; add it", meter.cite
            )


def _of_meter(path: tuple[str, ...], written: Mapping[str, int], meter: Meter) -> tuple[str, ...]:
    return (*path, meter.name) if meter.name in written else path


def _envy(case: Case, wager: Wager) -> Iterator[Fault]:
    stated, progressive, path = case.stated(wager), case.game.progressive, ("wagers", wager.name, "envy")
    letters = tuple(progressive.envy_cents.get(case.stake(wager), {})) if progressive else ()
    if not (progressive and progressive.envy_cents):
        if stated.envy is not None:
            yield case.fault(path, f"{wager.title} has no envy bonuses; remove envy", wager.cite)
    elif stated.envy is None:
        if "envy" not in stated.stated:
            choices = listed(letters) if letters else "a letter"
            yield case.fault(path, f"The envy bonus table is missing; choose {choices}", progressive.envy_cite)
    elif letters and stated.envy not in letters:
        reason = f"There is no envy bonus table called {shown(stated.envy)}; choose {listed(letters)}"
        yield case.fault(path, reason, progressive.envy_cite)
