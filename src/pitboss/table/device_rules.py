"""Rules for devices that jam or fail, and for changing the dealing method."""

from typing import assert_never

from pitboss.rules.dealing import AUTOMATED_SHOE, HAND
from pitboss.rules.irregularity import OTHER_DECK
from pitboss.rules.procedure import DEALER, FLOORPERSON
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import (
    SHOE,
    SHUFFLER,
    ChangeDealing,
    DeviceCommand,
    FailDevice,
    JamDevice,
    ReshuffleJammed,
    ReturnDevice,
    TakeOutDevice,
)
from pitboss.table.conditions import (
    JAMS,
    awaits_count,
    check_in_shuffler,
    check_out_of_the_way,
    devices_cite,
    jam_remedy,
)
from pitboss.table.events import (
    DealingChanged,
    DeviceFailed,
    DeviceJammed,
    DeviceReturned,
    DeviceTakenOut,
    Event,
)
from pitboss.table.people import TECHNICIAN, check_role
from pitboss.table.state import (
    ABSENT,
    CUT,
    DEVICE_WORDS,
    FAILED,
    IN_SERVICE,
    LOADED,
    RACKED,
    SHUFFLED,
    STACKED,
    TableState,
)

Decision = tuple[Event, ...] | Refusal


def decide_device(state: TableState, command: DeviceCommand | ReshuffleJammed) -> Decision:
    """Return what a command about a device or its jam leads to, or why it is refused."""
    if isinstance(command, ChangeDealing):
        return _change_dealing(state, command)
    if isinstance(command, ReshuffleJammed):
        return _reshuffle(state, command)
    if command.device not in JAMS or state.device(command.device) == ABSENT:
        return Refusal(f"This table has no {command.device}", None, "device")
    match command:
        case JamDevice():
            return _jam(state, command)
        case FailDevice():
            return _fail(state, command)
        case TakeOutDevice():
            return _take_out(state, command)
        case ReturnDevice():
            return _return(state, command)
        case _:
            assert_never(command)


def _jam(state: TableState, command: JamDevice) -> Decision:
    jammed = _jammed(state, command, command.device)
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, TECHNICIAN, clause=jammed.clause):
        return refusal
    if state.device(command.device) not in (IN_SERVICE, FAILED):  # a device that failed may have jammed first
        return Refusal(
            f"The {command.device} is {DEVICE_WORDS[state.device(command.device)]}", devices_cite(state), "device"
        )
    deck = state.deck(command.deck)
    inside = (LOADED,) if command.device == SHOE else (STACKED, RACKED, SHUFFLED, CUT, LOADED)
    if deck is None or deck.stage not in inside:
        return Refusal(f"Deck {command.deck!r} can't be in the {command.device}", jammed.clause, "deck")
    if command.device == SHUFFLER and (refusal := check_in_shuffler(state, deck)):
        return refusal
    return (jammed,)


def _reshuffle(state: TableState, command: ReshuffleJammed) -> Decision:
    jammed = _jammed(state, command, SHUFFLER)
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, clause=jammed.clause):
        return refusal
    deck = state.deck(command.deck)
    if deck is None or deck.stage not in (SHUFFLED, CUT, LOADED):
        return Refusal(f"Deck {command.deck!r} isn't shuffled", jammed.clause, "deck")
    return (jammed,)


def _jammed(state: TableState, command: JamDevice | ReshuffleJammed, device: str) -> DeviceJammed:
    in_play = state.round is not None and state.round.deck == command.deck
    remedy = jam_remedy(state, device, () if in_play else (OTHER_DECK,))
    return DeviceJammed(
        by=command.by,
        at=command.at,
        clause=(remedy.cite if remedy else "") or devices_cite(state) or "",
        ruling=remedy.ruling if remedy else None,
        device=device,
        deck=command.deck,
        in_play=in_play,
        irregularity=JAMS[device],
    )


def _fail(state: TableState, command: FailDevice) -> Decision:
    clause = devices_cite(state)
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, TECHNICIAN, clause=clause):
        return refusal
    if state.device(command.device) != IN_SERVICE:
        return Refusal(
            f"The {command.device} is already {DEVICE_WORDS[state.device(command.device)]}", clause, "device"
        )
    unfinished = tuple(deck.name for deck in state.decks if awaits_count(state, deck))
    reshuffle = unfinished if command.device == SHUFFLER else ()
    return (
        DeviceFailed(by=command.by, at=command.at, clause=clause or "", device=command.device, reshuffle=reshuffle),
    )


def _take_out(state: TableState, command: TakeOutDevice) -> Decision:
    devices = state.settings.procedures.devices
    clause = devices.cites.get(command.how, devices_cite(state) or "")
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, TECHNICIAN, clause=clause):
        return refusal
    how = next((way for way in devices.failed if way == command.how), None)
    if how is None:
        return Refusal(
            f"To take the {command.device} out of service, it must be {' or '.join(devices.failed)}", clause, "how"
        )
    return (DeviceTakenOut(by=command.by, at=command.at, clause=clause, device=command.device, how=how),)


def _return(state: TableState, command: ReturnDevice) -> Decision:
    clause = devices_cite(state)
    if refusal := check_role(state.settings, command.by, TECHNICIAN, clause=clause):
        return refusal
    if state.device(command.device) == IN_SERVICE:
        return Refusal(f"The {command.device} is in service", clause, "device")
    return (DeviceReturned(by=command.by, at=command.at, clause=clause or "", device=command.device),)


def _change_dealing(state: TableState, command: ChangeDealing) -> Decision:
    procedures = state.settings.procedures
    clause = procedures.methods.get(command.method) or devices_cite(state) or ""
    if refusal := check_role(state.settings, command.by, FLOORPERSON, clause=clause):
        return refusal
    if command.method not in procedures.dealing or command.method == state.method:
        others = " or ".join(method for method in procedures.dealing if method != state.method)
        return Refusal(f"This table can change to {others}, not to {command.method!r}", clause, "method")
    if state.round is not None:
        return Refusal("Change the dealing method between rounds", clause)
    refusal = _check_return(state) if command.method == state.settings.dealing else _check_departure(state, command)
    if refusal:
        return refusal
    return (DealingChanged(by=command.by, at=command.at, clause=clause, method=command.method, before=state.method),)


def _needed_device(method: str) -> str | None:
    return {AUTOMATED_SHOE: SHOE, HAND: SHUFFLER}.get(method)


def _check_return(state: TableState) -> Refusal | None:
    device = _needed_device(state.settings.dealing)
    if device is None or state.device(device) == IN_SERVICE:
        return None
    return Refusal(f"The {device} is {DEVICE_WORDS[state.device(device)]}", devices_cite(state), "method")


def _check_departure(state: TableState, command: ChangeDealing) -> Refusal | None:
    usual = _needed_device(state.settings.dealing)
    if usual is None:
        reason = "This table deals from a manual shoe. The method can change only when a device fails"
        return Refusal(reason, state.settings.procedures.methods.get(state.settings.dealing), "method")
    if refusal := check_out_of_the_way(state, usual):
        return refusal.at("method")
    needed = _needed_device(command.method)
    if needed and state.device(needed) != IN_SERVICE:
        cite = state.settings.procedures.hand_needs_shuffler_cite if needed == SHUFFLER else devices_cite(state)
        return Refusal(f"This dealing method needs a {needed} in service", cite or None, "method")
    return None
