"""Bet sensors: devices with a key of their own, which report the chips at the seats of players without a device."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import device_keys
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.state import LiveTable
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal

FORMAT = "pitboss-sensor-1"
CarryOut = Callable[[EventWriter, asked.Command], Refusal | None]
UNSIGNED = Refusal("No bet sensor enrolled at this table signed this message", rule.BET_SENSORS, "signature")


class _Sensor:
    title, field, clause = "bet sensor", "sensor", rule.BET_SENSORS
    out_of_order = entry_kinds.SENSOR_OUT_OF_ORDER


class SignedBets(NamedTuple):
    """What a sensor signs: this table, the sensor, the message's number, and the chips it sees at a seat."""

    table: str
    sensor: str
    sequence: int
    seat: int
    stakes: Mapping[str, int]

    @property
    def message(self) -> bytes:
        """Return the bytes that are signed: the wagers in alphabetical order, each with its cents."""
        stakes = ",".join(f"{wager}={cents}" for wager, cents in sorted(self.stakes.items()))
        return "\n".join((FORMAT, self.table, self.sensor, str(self.sequence), str(self.seat), stakes)).encode()


def actor_of(sensor: str) -> str:
    """Return the name a sensor acts under, which no account can have."""
    return f"sensor {sensor}"


def enroll(writer: EventWriter, command: asked.EnrollSensor) -> Refusal | None:
    """Let a sensor enter this table's wagers with its own key."""
    live = writer.live
    if live.terms is not None and not live.terms.is_dealt_by_people:
        return Refusal("A bet sensor needs a table with a dealer, where players bet with chips", rule.BET_SENSORS)
    known = dict(live.sensors)
    refusal = device_keys.check_enrollment(writer, _Sensor(), known, command.sensor, command.key)
    second = writer.means.second or ""
    enrolled = happened.SensorEnrolled(sensor=command.sensor, key=command.key, second=second)
    return refusal or writer.house(enrolled)


def retire(writer: EventWriter, command: asked.RetireSensor) -> Refusal | None:
    """Take a sensor out of use."""
    refusal = device_keys.check_retirement(_Sensor(), dict(writer.live.sensors), command.sensor, command.reason)
    return refusal or writer.house(happened.SensorRetired(sensor=command.sensor, reason=command.reason))


def saw(writer: EventWriter, command: asked.SensorSaw, carry_out: CarryOut) -> Refusal | None:
    """Take a sensor's message if it signed it and it is the next one; its number is used up in any case."""
    live = writer.live
    sensor = live.sensors.get(command.sensor)
    signed = SignedBets(live.table, command.sensor, command.sequence, command.seat, command.stakes)
    is_plain = not any("\n" in wager or "," in wager or "=" in wager for wager in command.stakes)
    if sensor is None or not is_plain or not device_keys.is_signed(sensor, command.signature, signed.message):
        return UNSIGNED
    refusal = device_keys.check_sequence(live, _Sensor(), sensor, command.sensor, command.sequence)
    if refusal:
        return refusal
    entered = _entered(live, command)
    trial = EventWriter(live, writer.means)
    # A message that came too early must not become a wager later, so its number is used up in any case.
    stopped = writer.means.no_wagers if isinstance(entered, asked.PlaceWagers) else None
    refused = stopped or _check_seat(live, command.seat) or (carry_out(trial, entered) if entered is not None else None)
    heard = happened.SensorHeard(
        sensor=command.sensor,
        sequence=command.sequence,
        seat=command.seat,
        is_taken=refused is None,
        by_clause=(refused.clause or "") if refused else "",
    )
    writer.house(heard)
    return carry_out(writer, entered) if refused is None and entered is not None else None


def _entered(live: LiveTable, command: asked.SensorSaw) -> asked.Command | None:
    down = {wager: cents for wager, cents in command.stakes.items() if cents}
    before = placed_at(live, command.seat)
    if down == before:
        return None  # a sensor may report the same chips again
    if not down:
        return asked.WithdrawWagers(seat=command.seat)
    # A sensor sees chips only: a coupon that the dealer entered with them still lies there.
    placed = live.play.coupons.items() if live.in_round and live.play is not None else ()
    coupons = {wager: face for (seat, wager), face in placed if seat == command.seat and wager in down}
    return asked.PlaceWagers(seat=command.seat, stakes=down, coupons=coupons)


def _check_seat(live: LiveTable, seat: int) -> Refusal | None:
    if not live.in_round:
        return Refusal("No round is open", rule.BET_SENSORS, "seat")
    if is_patron(live.seats.get(seat, "")):
        return None
    return Refusal("A sensor enters wagers only for players without a device", rule.PATRONS, "seat")


def placed_at(live: LiveTable, seat: int) -> dict[str, int]:
    """Return the stakes at a seat in the open round."""
    play = live.play if live.in_round else None
    return {wager: cents for (other, wager), cents in play.stakes.items() if other == seat} if play is not None else {}
