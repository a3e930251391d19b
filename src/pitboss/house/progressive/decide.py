"""What a progressive answers to a command: the events it leads to, or a refusal with its reason and clause."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from math import floor
from typing import Any

from pitboss.house.progressive import commands as asked
from pitboss.house.progressive import events as happened
from pitboss.house.progressive.evolve import evolve
from pitboss.house.progressive.meter import Meter, overflow_of_return, restored, share, taken_out
from pitboss.house.progressive.meter_terms import MeterTerms, Stake, faults
from pitboss.house.progressive.state import Fed, Hit, Play, ProgressiveState
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import meter_payment

Decision = tuple[happened.Event, ...] | Refusal


def decide(state: ProgressiveState, command: asked.Command) -> Decision:
    """Return the events a command leads to, or why it is refused."""
    return _HANDLERS[type(command)](state, command)


def may_wager(state: ProgressiveState, table: str, round_name: str) -> Refusal | None:
    """Return why a table's progressive accepts no wager now, or None."""
    play = _play(state, table, round_name)
    if isinstance(play, Refusal):
        return play
    if play.is_locked:
        return Refusal(
            'Progressive wagers are closed because "no more bets" was called', state.links[table].closed_clause
        )
    return None


def _open_meters(state: ProgressiveState, command: asked.OpenMeters) -> Decision:
    if state.meters:
        return Refusal(f"The meters of {state.name} are already open")
    refusal = next(faults(command.meters), None) or _two_people(command.by, command.second)
    if refusal:
        return refusal
    return tuple(
        happened.MeterOpened(at=command.at, clause=terms.clause, terms=terms, by=command.by, second=command.second)
        for terms in command.meters
    )


def _change_terms(state: ProgressiveState, command: asked.ChangeTerms) -> Decision:
    terms, clause = command.terms, command.terms.clause
    if terms.name not in state.meters:
        return Refusal(f"{state.name} has no meter named {terms.name}", None, "terms")
    others = tuple(meter.terms for name, meter in state.meters.items() if name != terms.name)
    playing = ", ".join(sorted(state.plays))
    if playing:
        return Refusal(f"A meter's terms can't change while a round is open at {playing}", clause)
    if not command.reason.strip():
        return Refusal("Enter a reason for changing the meter's terms", clause, "reason")
    refusal = _two_people(command.by, command.second) or next(faults((*others, terms)), None)
    refusal = refusal or _rate_moved(state.meters[terms.name], terms)
    if refusal:
        return refusal
    changed = happened.TermsChanged(
        at=command.at,
        clause=clause,
        terms=terms,
        reason=command.reason,
        by=command.by,
        second=command.second,
        before=state.meters[terms.name].terms,
    )
    return changed, *_restored(evolve(state, changed), terms.name, command.at, clause)


def _rate_moved(meter: Meter, terms: MeterTerms) -> Refusal | None:
    if meter.is_retired:
        return Refusal(f"The meter {terms.name} is retired", terms.clause, "terms")
    rates = terms.rate, terms.reserve_rate
    if meter.is_at_rest or rates == (meter.terms.rate, meter.terms.reserve_rate):
        return None
    reason = (
        f"The meter {terms.name} has grown, so its rate can't change. Wait until it is hit, or move its money "
        "to another meter"
    )
    return Refusal(reason, terms.clause, "rate")


def _move_money(state: ProgressiveState, command: asked.MoveMoney) -> Decision:
    meter = state.meters.get(command.meter)
    if meter is None or meter.is_retired:
        return Refusal(f"{state.name} has no active meter named {command.meter}", None, "meter")
    refusal = _may_move(state, command) or _two_people(command.by, command.second, meter.terms.clause)
    if refusal:
        return refusal
    linked = sorted(table for table, link in state.links.items() if command.meter in link.meters)
    if command.retires and linked:
        reason = f"The meter {command.meter} is still used at {', '.join(linked)}. Unlink that first"
        return Refusal(reason, meter.terms.clause, "meter")
    keeps = 0 if command.retires else min(meter.terms.reset_cents, meter.shown_cents)
    from_reserve = floor(meter.reserve) if command.retires else 0
    from_overflow = floor(meter.overflow)
    cents = meter.shown_cents - keeps + from_reserve + from_overflow
    if not cents:
        return Refusal(f"The meter {command.meter} has no money to move", meter.terms.clause, "meter")
    gone = happened.MoneyMoved(
        at=command.at,
        clause=meter.terms.clause,
        meter=command.meter,
        cents=cents,
        from_reserve_cents=from_reserve,
        from_overflow_cents=from_overflow,
        to_progressive=command.to_progressive,
        to_meter=command.to_meter,
        is_retired=command.retires,
        shown_cents=keeps,
        reason=command.reason,
        by=command.by,
        second=command.second,
    )
    if command.retires:
        return (gone,)
    return gone, *_restored(evolve(state, gone), command.meter, command.at, meter.terms.clause)


def _receive_money(state: ProgressiveState, command: asked.ReceiveMoney) -> Decision:
    meter = state.meters.get(command.meter)
    if meter is None or meter.is_retired:
        return Refusal(f"{state.name} has no active meter named {command.meter}", None, "to_meter")
    if (state.name, command.meter) == (command.from_progressive, command.from_meter):
        return Refusal("Choose a different meter to move the money to", meter.terms.clause, "to_meter")
    refusal = _may_move(state, command) or _two_people(command.by, command.second, meter.terms.clause)
    if refusal:
        return refusal
    over = overflow_of_return(meter, Fraction(command.cents))
    return (
        happened.MoneyReceived(
            at=command.at,
            clause=meter.terms.clause,
            meter=command.meter,
            cents=command.cents,
            to_overflow=over,
            from_progressive=command.from_progressive,
            from_meter=command.from_meter,
            shown_cents=floor(meter.value + command.cents - over),
            reason=command.reason,
            by=command.by,
            second=command.second,
        ),
    )


def _may_move(state: ProgressiveState, command: asked.MoveMoney | asked.ReceiveMoney) -> Refusal | None:
    playing = ", ".join(sorted(state.plays))
    if playing:
        return Refusal(f"A meter's money can't be moved while a round is open at {playing}")
    if not command.reason.strip():
        return Refusal("Enter a reason for moving the meter's money", None, "reason")
    return None


def _link_table(state: ProgressiveState, command: asked.LinkTable) -> Decision:
    link = command.link
    missing = [name for name in link.meters if name not in state.meters or state.meters[name].is_retired]
    if missing:
        return Refusal(f"{link.table} needs meters that {state.name} doesn't have: {', '.join(missing)}")
    if link.table in state.plays:
        return Refusal(f"A round is open at {link.table}. Link the table between rounds", link.closed_clause)
    return (happened.TableLinked(at=command.at, clause=None, link=link),)


def _unlink_table(state: ProgressiveState, command: asked.UnlinkTable) -> Decision:
    if command.table not in state.links:
        return _not_linked(state, command.table)
    if command.table in state.plays:
        return Refusal(f"A round is open at {command.table}. Unlink the table between rounds")
    return (happened.TableUnlinked(at=command.at, clause=None, table=command.table),)


def _open_play(state: ProgressiveState, command: asked.OpenPlay) -> Decision:
    if command.table not in state.links:
        return _not_linked(state, command.table)
    if command.table in state.plays:
        return Refusal(f"Round {state.plays[command.table].round} is still open at {command.table}")
    return (happened.PlayOpened(at=command.at, clause=None, table=command.table, round=command.round),)


def _lock_out(state: ProgressiveState, command: asked.LockOut) -> Decision:
    refusal = may_wager(state, command.table, command.round)
    if refusal:
        return refusal
    clause = state.links[command.table].closed_clause
    return (happened.LockedOut(at=command.at, clause=clause, table=command.table, round=command.round),)


def _take_contributions(state: ProgressiveState, command: asked.TakeContributions) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    link, stakes, chips = state.links[command.table], command.stakes, command.chips_counted
    clause = link.mismatch_clause
    if not play.is_locked:
        return Refusal('Call "no more bets" before counting the progressive chips', link.closed_clause)
    if play.is_counted:
        return Refusal("The progressive wagers in this round have already been counted", clause)
    if any(stake.cents <= 0 for stake in stakes) or len({stake.seat for stake in stakes}) < len(stakes):
        return Refusal("Each seat can have one progressive wager, of more than $0", clause, "stakes")
    if chips is not None and chips != len(stakes):
        reason = (
            f"{chips} chips were counted but {len(stakes)} progressive wagers were accepted. Find the seat and "
            "return its wager"
        )
        return Refusal(reason, clause, "chips_counted")
    staked = sum(stake.cents for stake in stakes)
    counted = happened.WagersCounted(
        at=command.at, clause=clause, table=link.table, round=play.round, stakes=stakes, chips_counted=chips
    )
    taken: list[happened.Event] = [counted]
    for name in link.meters if staked else ():
        taken.append(_fed(state, name, staked, command))
        state = evolve(state, taken[-1])
    return tuple(taken)


def _fed(
    state: ProgressiveState, name: str, staked: int, command: asked.TakeContributions
) -> happened.ContributionTaken:
    meter = state.meters[name]
    fed = share(meter, staked)
    return happened.ContributionTaken(
        at=command.at,
        clause=meter.terms.clause,
        table=command.table,
        round=command.round,
        meter=name,
        stake_cents=staked,
        amount=fed.amount,
        to_reserve=fed.to_reserve,
        to_overflow=fed.to_overflow,
        from_tray_cents=floor(state.carried + fed.amount),
        shown_cents=floor(meter.value + fed.amount - fed.to_reserve - fed.to_overflow),
    )


def _return_wager(state: ProgressiveState, command: asked.ReturnWager) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    clause = state.links[command.table].mismatch_clause
    stake = next((placed.cents for placed in play.stakes if placed.seat == command.seat), None)
    if stake is None:
        return Refusal(f"Seat {command.seat} has no progressive wager that was accepted and counted", clause, "seat")
    if play.hits:
        return Refusal("A meter has already paid in this round, so the wager can't be returned", clause)
    return tuple(_wager_undone(state, Stake(command.seat, stake), command, clause))


def _wager_undone(
    state: ProgressiveState, stake: Stake, command: asked.TakeBack | asked.ReturnWager, clause: str
) -> Iterator[happened.Event]:
    yield happened.WagerTakenOff(
        at=command.at, clause=clause, table=command.table, round=command.round, seat=stake.seat, by=command.by
    )
    for name, fed in state.plays[command.table].fed.items():
        terms = state.meters[name].terms
        amount, to_reserve = stake.cents * (terms.rate + terms.reserve_rate), stake.cents * terms.reserve_rate
        part = Fed(amount, to_reserve, fed.from_tray_cents * amount // fed.amount)
        yield _contribution_undone(state, name, part, command, clause)


def _pay_hit(state: ProgressiveState, command: asked.PayHit) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    refusal = _no_hit(state, play, command)
    if refusal:
        return refusal
    meter = state.meters[command.meter]
    paid, _ = meter_payment(meter.shown_cents, meter.terms.reset_cents, command.percent)
    hit = happened.MeterHit(
        at=command.at,
        clause=command.clause,
        table=command.table,
        round=command.round,
        seat=command.seat,
        player=command.player,
        meter=command.meter,
        percent=command.percent,
        hand=command.hand,
        shown_cents=meter.shown_cents,
        paid_cents=paid,
        claimed_by=command.claimed_by,
        validated_by=command.validated_by,
    )
    after = evolve(state, hit)
    return hit, *_restored(after, command.meter, command.at, meter.terms.clause, after.plays[command.table].hits[-1])


def _no_hit(state: ProgressiveState, play: Play, command: asked.PayHit) -> Refusal | None:
    link, clause = state.links[command.table], command.clause
    if command.meter not in link.meters:
        return Refusal(f"{command.table} doesn't pay from a meter named {command.meter}", clause, "meter")
    if not 0 < command.percent <= 100:
        return Refusal(f"{command.percent}% is not a valid share of a meter", clause, "percent")
    if not play.has_wager(command.seat):
        return Refusal(
            f"Seat {command.seat} has no progressive wager that was accepted and counted", link.mismatch_clause
        )
    paid = [hit.seat for hit in play.hits]
    if command.seat in paid:
        return Refusal(f"Seat {command.seat} has already been paid by the meter", clause)
    if paid and command.seat > paid[-1]:
        return Refusal(
            f"Seats are paid from the highest number down, and seat {paid[-1]} has already been paid", clause
        )
    if not command.validated_by.strip():
        return Refusal("A floorperson or above must validate a progressive payout", link.validation_clause)
    if not command.claimed_by.strip() or command.claimed_by == command.validated_by:
        return Refusal("The person who claims a progressive payout can't also validate it", link.validation_clause)
    return None


def _record_envy(state: ProgressiveState, command: asked.RecordEnvy) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    if not play.has_wager(command.seat):
        return Refusal(f"Seat {command.seat} has no progressive wager to pay a bonus on", command.clause)
    if command.cents <= 0 or command.seat == command.from_seat:
        return Refusal("An envy bonus needs a positive amount and another player's hand", command.clause)
    return (
        happened.EnvyRecorded(
            at=command.at,
            clause=command.clause,
            table=command.table,
            round=command.round,
            seat=command.seat,
            from_seat=command.from_seat,
            hand=command.hand,
            cents=command.cents,
        ),
    )


def _take_back(state: ProgressiveState, command: asked.TakeBack) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    refusal = _two_people(command.by, command.second, command.clause)
    if refusal:
        return refusal
    undone: list[happened.Event] = []
    for hit in reversed(play.hits):
        if not hit.is_reversed and (not command.seats or hit.seat in command.seats):
            undone.append(_hit_undone(state, hit, command))
            state = evolve(state, undone[-1])
    if command.seats and any(stake.seat not in command.seats for stake in play.stakes):
        for stake in (stake for stake in play.stakes if stake.seat in command.seats):
            off = tuple(_wager_undone(state, stake, command, command.clause))
            undone.extend(off)
            state = reduce(evolve, off, state)
        return tuple(undone)
    for name, fed in play.fed.items():
        undone.append(_contribution_undone(state, name, fed, command, command.clause))
    if play.envy_cents:
        undone.append(
            happened.EnvyReversed(
                at=command.at,
                clause=command.clause,
                table=command.table,
                round=command.round,
                cents=play.envy_cents,
                by=command.by,
                second=command.second,
            )
        )
    return tuple(undone)


def _hit_undone(state: ProgressiveState, hit: Hit, command: asked.TakeBack) -> happened.HitReversed:
    meter = state.meters[hit.meter]
    back = Fraction(hit.paid_cents - hit.from_reserve_cents - hit.from_house_cents)
    over = overflow_of_return(meter, back)
    return happened.HitReversed(
        at=command.at,
        clause=command.clause,
        table=hit.table,
        round=hit.round,
        seat=hit.seat,
        meter=hit.meter,
        paid_cents=hit.paid_cents,
        to_reserve_cents=hit.from_reserve_cents,
        to_house_cents=hit.from_house_cents,
        to_overflow=over,
        shown_cents=floor(meter.value + back - over),
        by=command.by,
        second=command.second,
    )


def _contribution_undone(
    state: ProgressiveState, name: str, fed: Fed, command: asked.TakeBack | asked.ReturnWager, clause: str
) -> happened.ContributionReversed:
    meter = state.meters[name]
    from_reserve, from_overflow, from_house = taken_out(meter, fed.amount, fed.to_reserve)
    value = meter.value - fed.amount + from_reserve + from_overflow + from_house
    return happened.ContributionReversed(
        at=command.at,
        clause=clause,
        table=command.table,
        round=command.round,
        meter=name,
        amount=fed.amount,
        of_reserve=fed.to_reserve,
        from_reserve=from_reserve,
        from_overflow=from_overflow,
        from_house_cents=from_house,
        to_tray_cents=fed.from_tray_cents,
        shown_cents=floor(value),
        by=command.by,
        second=command.second if isinstance(command, asked.TakeBack) else None,
    )


def _close_play(state: ProgressiveState, command: asked.ClosePlay) -> Decision:
    play = _play(state, command.table, command.round)
    if isinstance(play, Refusal):
        return play
    return (happened.PlayClosed(at=command.at, clause=None, table=command.table, round=command.round),)


def _restored(
    state: ProgressiveState, name: str, at: int, clause: str, hit: Hit | None = None
) -> Iterator[happened.MeterReset]:
    meter = state.meters[name]
    given = restored(meter)
    if not any(given):
        return
    value = meter.value + given.from_reserve_cents + given.from_house_cents + given.from_overflow
    yield happened.MeterReset(
        at=at,
        clause=clause,
        meter=name,
        from_reserve_cents=given.from_reserve_cents,
        from_house_cents=given.from_house_cents,
        from_overflow=given.from_overflow,
        shown_cents=floor(value),
        table=hit.table if hit else None,
        round=hit.round if hit else None,
        seat=hit.seat if hit else None,
    )


def _play(state: ProgressiveState, table: str, round_name: str) -> Play | Refusal:
    if table not in state.links:
        return _not_linked(state, table)
    play = state.plays.get(table)
    if play is None or play.round != round_name:
        return Refusal(f"Round {round_name} is not open at {table}")
    return play


def _not_linked(state: ProgressiveState, table: str) -> Refusal:
    return Refusal(f"{table} is not linked to {state.name}", None, "table")


def _two_people(by: str, second: str, clause: str | None = None) -> Refusal | None:
    if by.strip() and second.strip() and by != second:
        return None
    return Refusal("This needs two different people", clause, "second")


_HANDLERS: dict[type, Callable[[ProgressiveState, Any], Decision]] = {
    asked.OpenMeters: _open_meters,
    asked.ChangeTerms: _change_terms,
    asked.MoveMoney: _move_money,
    asked.ReceiveMoney: _receive_money,
    asked.LinkTable: _link_table,
    asked.UnlinkTable: _unlink_table,
    asked.OpenPlay: _open_play,
    asked.LockOut: _lock_out,
    asked.TakeContributions: _take_contributions,
    asked.ReturnWager: _return_wager,
    asked.PayHit: _pay_hit,
    asked.RecordEnvy: _record_envy,
    asked.TakeBack: _take_back,
    asked.ClosePlay: _close_play,
}
