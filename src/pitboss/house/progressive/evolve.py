"""What an event does to a progressive; no rule is checked here, only every meter's equation."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitboss.house.progressive import events as happened
from pitboss.house.progressive.meter import Meter, grown, moved
from pitboss.house.progressive.state import HITS_KEPT, Fed, Hit, Play, ProgressiveState


def evolve(state: ProgressiveState, event: happened.Event) -> ProgressiveState:
    """Return the progressive after an event."""
    return _HANDLERS[type(event)](state, event)


def _opened(state: ProgressiveState, event: happened.MeterOpened) -> ProgressiveState:
    cents = event.terms.initial_cents
    return _with_meter(state, moved(Meter(event.terms), value=Fraction(cents), seed_cents=cents), event.at)


def _terms_changed(state: ProgressiveState, event: happened.TermsChanged) -> ProgressiveState:
    return _with_meter(state, replace(state.meters[event.terms.name], terms=event.terms), event.at)


def _money_moved(state: ProgressiveState, event: happened.MoneyMoved) -> ProgressiveState:
    hidden = event.from_reserve_cents + event.from_overflow_cents
    meter = moved(
        replace(state.meters[event.meter], is_retired=event.is_retired),
        value=Fraction(hidden - event.cents),
        reserve=Fraction(-event.from_reserve_cents),
        overflow=Fraction(-event.from_overflow_cents),
        transferred_cents=event.cents,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    return _with_meter(state, meter, event.at)


def _money_received(state: ProgressiveState, event: happened.MoneyReceived) -> ProgressiveState:
    meter = moved(
        state.meters[event.meter],
        value=event.cents - event.to_overflow,
        overflow=event.to_overflow,
        transferred_cents=-event.cents,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    return _with_meter(state, meter, event.at)


def _linked(state: ProgressiveState, event: happened.TableLinked) -> ProgressiveState:
    return replace(state, links={**state.links, event.link.table: event.link})


def _unlinked(state: ProgressiveState, event: happened.TableUnlinked) -> ProgressiveState:
    return replace(state, links={table: link for table, link in state.links.items() if table != event.table})


def _play_opened(state: ProgressiveState, event: happened.PlayOpened) -> ProgressiveState:
    return _with_play(state, event.table, Play(event.round))


def _locked_out(state: ProgressiveState, event: happened.LockedOut) -> ProgressiveState:
    return _with_play(state, event.table, replace(_play(state, event), is_locked=True))


def _counted(state: ProgressiveState, event: happened.WagersCounted) -> ProgressiveState:
    return _with_play(state, event.table, replace(_play(state, event), is_counted=True, stakes=event.stakes))


def _contributed(state: ProgressiveState, event: happened.ContributionTaken) -> ProgressiveState:
    play = _play(state, event)
    assert event.meter not in play.fed, "stakes were already added to the meter"
    fed = Fed(event.amount, event.to_reserve, event.from_tray_cents)
    meter = moved(
        state.meters[event.meter],
        value=event.amount - event.to_reserve - event.to_overflow,
        reserve=event.to_reserve,
        overflow=event.to_overflow,
        contributed=event.amount,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    after = _with_play(state, event.table, replace(play, fed={**play.fed, event.meter: fed}))
    after = _with_meter(after, meter, event.at)
    assert after.pool_cents - state.pool_cents == event.from_tray_cents, "the tray and the pool moved different amounts"
    return after


def _taken_off(state: ProgressiveState, event: happened.WagerTakenOff) -> ProgressiveState:
    play = _play(state, event)
    return _with_play(
        state, event.table, replace(play, stakes=tuple(stake for stake in play.stakes if stake.seat != event.seat))
    )


def _hit(state: ProgressiveState, event: happened.MeterHit) -> ProgressiveState:
    play, meter = _play(state, event), state.meters[event.meter]
    assert meter.shown_cents == event.shown_cents, "the meter didn't match the recorded amount"
    hit = Hit(
        event.at,
        event.table,
        event.round,
        event.seat,
        event.player,
        event.meter,
        event.percent,
        event.hand,
        event.shown_cents,
        event.paid_cents,
        event.claimed_by,
        event.validated_by,
        event.clause,
    )
    assert all(earlier.place != hit.place for earlier in play.hits), "the seat was already paid"
    state = replace(state, hits=(*state.hits, hit)[-HITS_KEPT:])
    state = _with_play(state, event.table, replace(play, hits=(*play.hits, hit)))
    paid = moved(meter, value=Fraction(-event.paid_cents), paid_cents=event.paid_cents)
    return _with_meter(state, paid, event.at)


def _reset(state: ProgressiveState, event: happened.MeterReset) -> ProgressiveState:
    given = event.from_reserve_cents + event.from_house_cents
    meter = moved(
        state.meters[event.meter],
        value=given + event.from_overflow,
        reserve=Fraction(-event.from_reserve_cents),
        overflow=-event.from_overflow,
        seed_cents=event.from_house_cents,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    state = _with_meter(state, meter, event.at)
    if event.table is None:
        return state
    assert event.round is not None
    assert event.seat is not None
    return _with_hit(
        state,
        (event.table, event.round, event.seat),
        from_reserve_cents=event.from_reserve_cents,
        from_house_cents=event.from_house_cents,
    )


def _envy_recorded(state: ProgressiveState, event: happened.EnvyRecorded) -> ProgressiveState:
    play = _play(state, event)
    return _with_play(state, event.table, replace(play, envy_cents=play.envy_cents + event.cents))


def _hit_reversed(state: ProgressiveState, event: happened.HitReversed) -> ProgressiveState:
    meter = moved(
        state.meters[event.meter],
        value=event.paid_cents - event.to_reserve_cents - event.to_house_cents - event.to_overflow,
        reserve=Fraction(event.to_reserve_cents),
        overflow=event.to_overflow,
        paid_cents=-event.paid_cents,
        seed_cents=-event.to_house_cents,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    state = _with_meter(state, meter, event.at)
    return _with_hit(state, (event.table, event.round, event.seat), is_reversed=True)


def _contribution_reversed(state: ProgressiveState, event: happened.ContributionReversed) -> ProgressiveState:
    play = _play(state, event)
    assert event.meter in play.fed, "only stakes that were added can be removed"
    meter = moved(
        state.meters[event.meter],
        value=event.from_reserve + event.from_overflow + event.from_house_cents - event.amount,
        reserve=-event.from_reserve,
        overflow=-event.from_overflow,
        seed_cents=event.from_house_cents,
        contributed=-event.amount,
    )
    assert meter.shown_cents == event.shown_cents, "the meter doesn't match the recorded amount"
    fed = play.fed[event.meter]
    left = Fed(fed.amount - event.amount, fed.to_reserve - event.of_reserve, fed.from_tray_cents - event.to_tray_cents)
    taken_too_much = left.amount < 0 or left.to_reserve < 0 or left.from_tray_cents < 0
    assert not taken_too_much, "more was removed than was added"
    others = {name: amounts for name, amounts in play.fed.items() if name != event.meter}
    play = replace(play, fed={**others, event.meter: left} if left.amount else others)
    return _with_meter(_with_play(state, event.table, play), meter, event.at)


def _envy_reversed(state: ProgressiveState, event: happened.EnvyReversed) -> ProgressiveState:
    play = _play(state, event)
    return _with_play(state, event.table, replace(play, envy_cents=play.envy_cents - event.cents))


def _play_closed(state: ProgressiveState, event: happened.PlayClosed) -> ProgressiveState:
    envy_cents = state.envy_cents + _play(state, event).envy_cents
    plays = {table: play for table, play in state.plays.items() if table != event.table}
    return replace(state, plays=plays, envy_cents=envy_cents)


def _play(state: ProgressiveState, event: Any) -> Play:
    play = state.plays[event.table]
    assert play.round == event.round, "the table already has an open round"
    return play


def _with_play(state: ProgressiveState, table: str, play: Play) -> ProgressiveState:
    return replace(state, plays={**state.plays, table: play})


def _with_meter(state: ProgressiveState, meter: Meter, at: int) -> ProgressiveState:
    return replace(state, meters={**state.meters, meter.terms.name: grown(meter, at)})


def _with_hit(state: ProgressiveState, place: tuple[str, str, int], **changed: Any) -> ProgressiveState:
    def mended(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        return tuple(replace(hit, **changed) if hit.place == place else hit for hit in hits)

    play = state.plays[place[0]]
    assert any(hit.place == place for hit in play.hits), "the payment is not in the round"
    state = replace(state, hits=mended(state.hits))
    return _with_play(state, place[0], replace(play, hits=mended(play.hits)))


_HANDLERS: dict[type, Callable[[ProgressiveState, Any], ProgressiveState]] = {
    happened.MeterOpened: _opened,
    happened.TermsChanged: _terms_changed,
    happened.MoneyMoved: _money_moved,
    happened.MoneyReceived: _money_received,
    happened.TableLinked: _linked,
    happened.TableUnlinked: _unlinked,
    happened.PlayOpened: _play_opened,
    happened.LockedOut: _locked_out,
    happened.WagersCounted: _counted,
    happened.ContributionTaken: _contributed,
    happened.WagerTakenOff: _taken_off,
    happened.MeterHit: _hit,
    happened.MeterReset: _reset,
    happened.EnvyRecorded: _envy_recorded,
    happened.HitReversed: _hit_reversed,
    happened.ContributionReversed: _contribution_reversed,
    happened.EnvyReversed: _envy_reversed,
    happened.PlayClosed: _play_closed,
}
