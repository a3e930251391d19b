"""What an event of the pit does to a live table."""

from pitboss.house.live_table import pit_events as happened
from pitboss.house.live_table.state import NOTES_KEPT, LiveTable, Reservation, ShiftNote, SigningDevice, form_key


def after_pit(live: LiveTable, event: happened.PitEvent, actor: str) -> LiveTable:
    """Return the table after one of these events."""
    match event:
        case happened.SensorEnrolled():
            return live._replace(sensors={**live.sensors, event.sensor: SigningDevice(event.key)})
        case happened.SensorRetired():
            return live._replace(sensors={name: kept for name, kept in live.sensors.items() if name != event.sensor})
        case happened.SensorHeard():
            heard = live.sensors[event.sensor]._replace(sequence=event.sequence)
            return live._replace(sensors={**live.sensors, event.sensor: heard})
        case happened.FloorCalled():
            return live._replace(called_at=live.at)
        case happened.CallAnswered():
            return live._replace(called_at=0)
        case happened.LimitsChanged():
            return live._replace(limits={wager: (limits[0], limits[1]) for wager, limits in event.limits.items()})
        case happened.SeatReserved():
            return live._replace(reserved={**live.reserved, event.seat: Reservation(event.player, event.until)})
        case happened.ReservationEnded():
            return live._replace(reserved={seat: kept for seat, kept in live.reserved.items() if seat != event.seat})
        case happened.FormTakenDown():
            held = {**live.held, event.player: event.held} if event.held else live.held
            return live._replace(forms={**live.forms, form_key(event.seat, event.wager): event.form}, held=held)
        case happened.ShiftNoted():
            return live._replace(notes=(*live.notes, ShiftNote(live.at, actor, event.text))[-NOTES_KEPT:])
