"""A table answers every command, and what it records rebuilds it."""

import json
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.games import catalogue
from pitboss.round.events import SETTLED
from pitboss.rules.dealing import METHODS
from pitboss.rules.irregularity import KEEP, REMOVE, RESHUFFLE, VOID
from pitboss.rules.refusal import Refusal
from pitboss.table import TableState, commands, decide, evolve, new_table, next_duties, replay, settings_faults
from pitboss.table.commands import Command
from pitboss.table.duties_now import DutyNow
from pitboss.table.events import Event
from pitboss.table.people import Person
from pitboss.table.rack import Racked, cards_in
from pitboss.table.settings import SHUFFLERS
from pitboss.table.state import LOADED, RACKED
from pitboss.table.table_data import (
    command_from_dict,
    command_to_dict,
    event_from_dict,
    event_to_dict,
    state_from_dict,
    state_to_dict,
)
from table.driver import (
    A_PLAYER,
    BY_ROLE,
    THE_AUTOMATON,
    THE_DEALER,
    THE_FLOOR,
    THE_TECHNICIAN,
    settings_of,
)

STEPS = 60
ROUND_CARDS = 9
TABLES = [
    chosen
    for game in catalogue.games()
    for method in METHODS
    for shuffler in SHUFFLERS
    for decks in (1, 2)
    if not settings_faults(chosen := settings_of(game, dealing=method, shuffler=shuffler, decks=decks, deck_hours=4))
]
PEOPLE = (THE_DEALER, THE_DEALER, THE_FLOOR, THE_TECHNICIAN, A_PLAYER, THE_AUTOMATON)
DECKS = st.sampled_from(["A", "B", "C", ""])
COUNTS = st.one_of(st.integers(-1, 60), st.sampled_from([9, 43, 44, 52, 53]))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "deck": DECKS,
    "duty": st.sampled_from(["inspect", "verify", "store", "same-design", "no-more-bets", "look", "x"]),
    "preinspected": st.booleans(),
    "preshuffled": st.booleans(),
    "way": st.sampled_from([commands.MANUAL, commands.DEVICE, "x"]),
    "cards": COUNTS,
    "reason": st.sampled_from([commands.DEFECT, commands.HOURS, commands.SET_APART, "x"]),
    "face": st.sampled_from([commands.FACE_UP, commands.FACE_DOWN, "x"]),
    "asked_by": st.sampled_from([None, A_PLAYER]),
    "round": st.just("r"),
    "misdealt": st.booleans(),
    "cards_in_deck": COUNTS,
    "ended": st.sampled_from([SETTLED, VOID, "x"]),
    "pickup": st.sampled_from([(), (Racked("dealer", 2), Racked(3, 7)), (Racked(1, 1),)]),
    "fate": st.sampled_from([KEEP, RESHUFFLE, REMOVE, "x"]),
    "clause": st.sampled_from([None, "Ch. 13 §B"]),
    "moments": st.sampled_from([None, (), ("begun", "closed"), ("x",)]),
    "device": st.sampled_from([commands.SHUFFLER, commands.SHOE, "x"]),
    "how": st.sampled_from(["covered", "marked", "removed", "x"]),
    "method": st.sampled_from([*METHODS, "x"]),
}


def any_command(data: st.DataObject, state: TableState) -> Command:
    kind = data.draw(st.sampled_from(get_args(Command)))
    return build(data, state, kind, data.draw(st.sampled_from(PEOPLE)))


def fitting_command(data: st.DataObject, state: TableState) -> Command:
    """Do what the procedure of the moment shows, so that tables get somewhere."""
    size = len(state.settings.game.deck)
    dealt = state.round.dealt if state.round else ROUND_CARDS
    if dealt < ROUND_CARDS and data.draw(st.booleans()):
        return build(data, state, commands.ReportDealt, THE_DEALER, {"cards": ROUND_CARDS - dealt})
    duties = next_duties(state)
    # Confirmations alone would fill the whole run: usually go on to what a command of its own records.
    onward = tuple(duty for duty in duties if duty.command not in ("ConfirmDuty", "SpreadIdle", "ReceiveDeck"))
    duty = data.draw(st.sampled_from((data.draw(st.integers(0, 3)) and onward) or duties or (None,)))
    if duty is None:
        return any_command(data, state)
    sensible: dict[str, object] = {
        "duty": duty.id,
        "deck": duty.deck or data.draw(DECKS),
        "way": commands.DEVICE if state.shuffler == "in-service" else commands.MANUAL,
        "cards": {"CountStub": size - dealt, "CutDeck": 20}.get(duty.command, size),
        "preshuffled": True,
        "preinspected": data.draw(st.integers(0, 3)) > 0,
    }
    if duty.command == "ConfirmDuty" and duty.deck is None:
        sensible["deck"] = None
    kind = getattr(commands, duty.command)
    if duty.command == "CloseRound":
        sensible |= {"ended": SETTLED, "pickup": (Racked(1, dealt),), "fate": KEEP}
    return build(data, state, kind, BY_ROLE[duty.by], sensible)


def build(
    data: st.DataObject, state: TableState, kind: Any, by: Person, sensible: dict[str, object] | None = None
) -> Command:
    later = data.draw(st.sampled_from([0, 0, 0, 0, 60_000, 3_600_000, -1]))
    names = [name for name in kind.__dataclass_fields__ if name not in ("by", "at")]
    known = sensible or {}
    chosen = {name: known[name] if name in known else data.draw(FIELDS[name]) for name in names}
    made: Command = kind(by=by, at=state.at + later, **chosen)
    return made


def check_invariants(state: TableState) -> None:
    assert len(state.decks) <= state.settings.decks
    assert len({deck.name for deck in state.decks}) == len(state.decks)
    assert sum(deck.stage == LOADED for deck in state.decks) <= 1
    assert sum(deck.stage == RACKED for deck in state.decks) <= 1
    assert cards_in(state.rack) <= len(state.settings.game.deck)
    assert 0 <= state.rounds_since_count <= state.settings.procedures.stub[state.method].every_rounds
    if state.round is not None:
        assert 0 <= state.round.dealt <= len(state.settings.game.deck)
        if state.round.dealt:
            assert state.deck(state.round.deck) is not None
    for duty in next_duties(state):
        check_shown(state, duty)


def check_shown(state: TableState, duty: DutyNow) -> None:
    if duty.command == "ConfirmDuty":
        command = commands.ConfirmDuty(by=BY_ROLE[duty.by], at=state.at, duty=duty.id, deck=duty.deck)
        assert isinstance(decide(state, command), tuple), duty


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_commands_never_crash_and_the_record_rebuilds_the_table(data: st.DataObject) -> None:
    state = new_table(data.draw(st.sampled_from(TABLES)))
    events: list[Event] = []
    for _ in range(data.draw(st.integers(1, STEPS))):
        fitting = data.draw(st.integers(0, 4))
        command = fitting_command(data, state) if fitting else any_command(data, state)
        assert command_from_dict(json.loads(json.dumps(command_to_dict(command)))) == command
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            assert answer.reason
            continue
        assert answer
        for event in answer:
            assert event.clause or event.ruling
            assert event.at >= state.at
            assert event_from_dict(json.loads(json.dumps(event_to_dict(event)))) == event
            state = evolve(state, event)
            events.append(event)
        check_invariants(state)
    assert replay(state.settings, events) == state
    assert state_from_dict(json.loads(json.dumps(state_to_dict(state))), state.settings) == state
