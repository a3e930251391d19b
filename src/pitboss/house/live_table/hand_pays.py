"""Hand pays: payouts that wait until the player's identity and the tax form's data are on record."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.pit_events import FormTakenDown
from pitboss.house.live_table.state import LiveTable, form_key
from pitboss.house.patron_controls.decide import HAND_PAY_SERIES
from pitboss.house.patron_controls.events import HandPaid, HandPayRecorded
from pitboss.house.patron_controls.evolve import draft_of, evolve
from pitboss.house.patron_controls.play_totals import account_at
from pitboss.house.people import house_rules as rule
from pitboss.round.events import EnvyPaid
from pitboss.round.settle import envy_after_meter, is_envy_hand_pay, staked
from pitboss.round.state import Round
from pitboss.round.verification import Verification
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import Malformed, made
from pitboss.rules.refusal import Refusal

TEXT_LONGEST = 200
ENVY = "envy"


@dataclass(frozen=True, slots=True)
class TaxData:
    """What the tax form needs to know about a winner; two ID documents prove the identity."""

    full_name: str
    address: str
    taxpayer_id: str
    first_document: str
    second_document: str

    def fault(self) -> tuple[str, str] | None:
        """Return the field that is empty or too long and what to do, or None."""
        for field in fields(self):
            text: str = getattr(self, field.name)
            if not text.strip() or len(text) > TEXT_LONGEST:
                return field.name, f"Enter the {field.name.replace('_', ' ')}, up to {TEXT_LONGEST} characters"
        return None


@dataclass(frozen=True, slots=True)
class HandPay:
    """A payout to one seat that needs a form."""

    seat: int
    player: str
    wager: str
    stake_cents: int
    cents: int
    form: str | None = None  # its number, once the data is on record


def sealing_name(table: str, round_name: str, seat: int) -> str:
    """Return the name under which the data of a seat's form is sealed."""
    return f"hand pay {table} {round_name} {seat}"


def due(live: LiveTable, meters: Mapping[str, int]) -> tuple[HandPay, ...]:
    """Return the hand pays among the payouts that the round waits for, by the limits it was dealt under."""
    play = live.play if live.in_round else None
    if play is None or play.verification is None or play.verification.hand_pay_times is None:
        return ()
    found = _of_meter(play, meters) if play.meter is not None else _of_payout(play)
    return tuple(
        HandPay(seat, play.players[seat], wager, stake, cents, live.forms.get(form_key(seat, wager)))
        for seat, wager, stake, cents in found
    )


def _of_meter(play: Round, meters: Mapping[str, int]) -> list[tuple[int, str, int, int]]:
    awaited, limits = play.meter, play.verification
    assert awaited is not None
    assert limits is not None
    cents = meters.get(awaited.meter, 0) * awaited.percent // 100
    stake = play.stakes[awaited.seat, awaited.wager]
    own = [(awaited.seat, awaited.wager, stake, cents)] if limits.is_hand_pay(cents, stake) else []
    dealer = play.rules.game.readings.dealer(play.table_cards(), play.rules.options)
    return [*own, *_of_envy(play, limits, envy_after_meter(play, dealer))]


def _of_payout(play: Round) -> list[tuple[int, str, int, int]]:
    payout, limits = play.payout, play.verification
    if payout is None:
        return []
    assert limits is not None
    own = [
        (payout.seat, result.wager, staked(play, payout.seat, result), result.paid)
        for result in payout.results
        if limits.is_hand_pay(result.paid, staked(play, payout.seat, result))
    ]
    return [*own, *_of_envy(play, limits, payout.envy)]


def _of_envy(play: Round, limits: Verification, bonuses: Iterable[EnvyPaid]) -> list[tuple[int, str, int, int]]:
    progressive = play.rules.game.progressive
    return [
        (bonus.seat, ENVY, play.stakes[bonus.seat, progressive.wager] if progressive else 0, bonus.net)
        for bonus in bonuses
        if is_envy_hand_pay(play, limits, bonus)
    ]


def record(writer: EventWriter, command: asked.RecordHandPay, all_due: Iterable[HandPay]) -> Refusal | None:
    """Record the sealed data of a seat's hand pays, each on its own numbered form."""
    live, means = writer.live, writer.means
    waiting = [pay for pay in all_due if pay.seat == command.seat and pay.form is None]
    if not waiting:
        return Refusal("No hand pay at this seat is waiting for a form", rule.HAND_PAYS, "seat")
    data = _data(writer, command)
    if isinstance(data, Refusal):
        return data
    rules = means.patrons
    for pay in waiting:
        number = rules.next_number(HAND_PAY_SERIES)
        exclusion, held = _exclusion(writer, pay, data, number)
        event = HandPayRecorded(
            form=number,
            table=live.table,
            round=live.round,
            seat=pay.seat,
            player=pay.player,
            wager=pay.wager,
            stake_cents=pay.stake_cents,
            cents=pay.cents,
            sealed=command.sealed,
            exclusion=exclusion,
            held=held,
            by=means.actor,
        )
        writer.other(draft_of(event))
        taken = FormTakenDown(seat=pay.seat, player=pay.player, wager=pay.wager, form=number, held=held)
        writer.house(taken)
        rules = evolve(rules, event, means.at)
    return None


def _data(writer: EventWriter, command: asked.RecordHandPay) -> TaxData | Refusal:
    text = writer.means.open_text(sealing_name(writer.live.table, writer.live.round, command.seat), command.sealed)
    try:
        data: TaxData = made(TaxData, json.loads(text or ""))
    except (Malformed, ValueError):
        return Refusal("The form's data can't be read. Enter it again", rule.HAND_PAYS, "sealed")
    fault = data.fault()
    return Refusal(fault[1], rule.HAND_PAYS, fault[0]) if fault else data


def _exclusion(writer: EventWriter, pay: HandPay, data: TaxData, form: str) -> tuple[str, str]:
    """Return the exclusion that the winner falls under and the account that their chips go to; empty if none."""
    if not writer.means.controls.settings.exclusions:
        return "", ""
    at, patrons, person = writer.means.at, writer.means.patrons, account_at(pay.player)
    own = patrons.exclusion_of(person, at) if person is not None else None
    if own is not None:
        return own, ""  # the list itself holds what belongs to this account
    documents = (data.first_document, data.second_document, data.taxpayer_id)
    found = next(filter(None, (patrons.exclusion_like(data.full_name, text, at) for text in documents)), "")
    return found, (person or form.lower()) if found else ""


def check_forms(writer: EventWriter) -> Refusal | None:
    """Return which seat's form is missing before a payout, or None."""
    for pay in due(writer.live, _meters(writer)):
        if pay.form is None:
            return no_form(pay)
    return None


def no_form(pay: HandPay) -> Refusal:
    """Return why a hand pay without a form isn't paid."""
    what = f"{dollars(pay.cents)} to seat {pay.seat} is a hand pay"
    return Refusal(f"{what}. Record the player's identity and tax data first", rule.HAND_PAYS, "seat")


def note_paid(writer: EventWriter) -> None:
    """Note on each form what is paid now, and who verified it."""
    means = writer.means
    for pay in due(writer.live, _meters(writer)):
        assert pay.form is not None, "checked before"
        paid = HandPaid(form=pay.form, cents=pay.cents, by=writer.supervisor, second=_other(means.actor, writer))
        writer.other(draft_of(paid))


def _other(actor: str, writer: EventWriter) -> str:
    return actor if writer.supervisor != actor else str(writer.means.second)


def _meters(writer: EventWriter) -> Mapping[str, int]:
    return shown_meters(writer.meters)


def shown_meters(progressive: Any) -> Mapping[str, int]:
    """Return what each meter of a progressive shows."""
    return {} if progressive is None else {name: meter.shown_cents for name, meter in progressive.meters.items()}
