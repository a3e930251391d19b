"""Current duties: what has to be done at the table now, by whom and under which clause."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pitboss.rules.procedure import (
    BEGUN,
    CARDS_DEALT,
    DEALER,
    FLOORPERSON,
    IDLE_SPREAD,
    SETTLED,
    Duty,
    Moment,
    OutOfUse,
)
from pitboss.table.commands import SHOE, SHUFFLER
from pitboss.table.conditions import (
    awaits_count,
    awaits_cut,
    awaits_device,
    awaits_load,
    check_is_next,
    deck_due_at,
    deck_hours,
    deck_title,
    is_count_due,
    is_count_overdue,
    load_duty,
    pickup_cite,
    round_duties,
    script_duties,
    shuffle_cite,
    stub_count,
    stub_count_ruling,
    stub_duty,
    suspension,
)
from pitboss.table.state import (
    FAILED,
    LOADED,
    OPENING,
    RACKED,
    READY,
    STACKED,
    STUB_DISPUTED,
    STUB_RACKED,
    TableDeck,
    TableRound,
    TableState,
)

WARNING_MS = 30 * 60_000  # how long before a deck change it is announced

CONFIRM = "ConfirmDuty"
_OUT_OF_USE: dict[OutOfUse, str] = {
    "covered": "cover the {}",
    "marked": "put an out-of-order sign on the {}",
    "removed": "take the {} off the table",
}


@dataclass(frozen=True, slots=True)
class DutyNow:
    """A duty of this moment and the command by which it is recorded."""

    id: str
    text: str
    by: str
    cite: str
    command: str = CONFIRM
    deck: str | None = None
    ruling: str | None = None
    moment: Moment = BEGUN

    def is_due(self, reached: Collection[Moment]) -> bool:
        """Say whether it is done now, in a round that has reached these moments or, with none, between rounds."""
        return not reached or self.moment.is_now(reached)


def next_duties(state: TableState) -> tuple[DutyNow, ...]:
    """Return what is to be done now; the clock is the time of the table's last event."""
    return (*_device_duties(state), *_round_duties(state), *_deck_duties(state))


def _shown(duty: Duty, *, command: str = CONFIRM, deck: str | None = None, moment: Moment | None = None) -> DutyNow:
    return DutyNow(duty.id, duty.text, duty.by, duty.cite, command, deck, duty.ruling, moment or duty.moment)


def _device_duties(state: TableState) -> Iterator[DutyNow]:
    devices = state.settings.procedures.devices
    for device in (SHUFFLER, SHOE):
        if state.device(device) == FAILED:
            for how in devices.failed:
                text = f"To use another method, {_OUT_OF_USE[how].format(device)}."
                yield DutyNow(f"{device}-{how}", text, DEALER, devices.cites[how], "TakeOutDevice")


def _round_duties(state: TableState) -> Iterator[DutyNow]:
    played = state.round
    if played is None:
        return
    count = stub_count(state)
    if played.irregularity:
        text = f"Void the round and close it. The deck is {played.fate}."
        yield DutyNow("close-void", text, DEALER, played.fate_clause, "CloseRound", moment=SETTLED)
        return
    if played.miscounted:
        text = f"Count {deck_title(played.deck)} again."
        yield DutyNow("count-deck", text, DEALER, played.miscounted, "CountDeck", played.deck)
        return
    if played.stub == STUB_DISPUTED:
        again = "Count the stub again, in case it was counted or entered wrong."
        yield DutyNow("count-stub", again, DEALER, count.check_cite, "CountStub", moment=CARDS_DEALT)
        text = "Find out whether the cards were misdealt, and count the whole deck."
        yield DutyNow("check-count", text, DEALER, count.check_cite, "FindMisdeal")
        return
    for duty in round_duties(state):
        if duty.id not in played.confirmed:
            yield _shown(duty)
    yield from _stub_duties(state, played)


def _stub_duties(state: TableState, played: TableRound) -> Iterator[DutyNow]:
    if played.stub == STUB_RACKED:
        text = "Pick up the hands in order and close the round."
        yield DutyNow("close-round", text, DEALER, pickup_cite(state), "CloseRound", moment=SETTLED)
    elif played.dealt and is_count_due(state):
        count = stub_count(state)
        text = "Once all cards are dealt, count the stub face down on the layout."
        yield DutyNow(
            "count-stub",
            text,
            DEALER,
            count.how_cite or count.cite,
            "CountStub",
            ruling=stub_count_ruling(state),
            moment=CARDS_DEALT,
        )
    elif played.dealt:
        yield _shown(stub_duty(state), command="RackStub", moment=CARDS_DEALT)


def _deck_duties(state: TableState) -> Iterator[DutyNow]:
    procedures = state.settings.procedures
    if len(state.decks) < state.settings.decks:
        text = "Receive a deck of cards at the table."
        yield DutyNow("receive-deck", text, DEALER, procedures.opening.duties[0].cite, "ReceiveDeck")
    if len(state.decks) == 2 and state.round is None:
        for duty in procedures.two_decks.duties:
            if duty.id not in state.two_decks_confirmed:
                yield _shown(duty)
    for deck in state.decks:
        yield from _change_duties(state, deck)
        in_play = state.round is not None and state.round.deck == deck.name
        if not in_play or deck.stage != LOADED:
            yield from _preparing_duties(state, deck)


def _change_duties(state: TableState, deck: TableDeck) -> Iterator[DutyNow]:
    due = deck_due_at(state, deck)
    if due is not None and state.at >= due - WARNING_MS:
        hours = deck_hours(state)
        assert hours is not None
        minutes = max(0, due - state.at) // 60_000
        text = f"Change {deck_title(deck.name)}. Its {hours[0]} hours end in {minutes} minutes."
        yield DutyNow("change-deck", text, FLOORPERSON, hours[1], "RemoveDeck", deck.name)


def _preparing_duties(state: TableState, deck: TableDeck) -> Iterator[DutyNow]:
    procedures, name = state.settings.procedures, deck.name
    if deck.stage == OPENING:
        if state.round is None or not state.round.deck or deck.script == READY:
            yield _shown(script_duties(state, deck)[deck.done], deck=name)
    elif deck.stage in (STACKED, RACKED) or awaits_device(state, deck):
        if is_count_overdue(state, deck):
            count = stub_count(state)
            text = "Count the whole deck face down."
            yield DutyNow("count-deck", text, DEALER, count.how_cite or count.cite, "CountDeck", name)
        text = f"Shuffle {deck_title(name)} and put it in one stack."
        yield DutyNow("shuffle", text, DEALER, shuffle_cite(state, deck), "ShuffleDeck", name)
    elif awaits_count(state, deck):
        text = f"Read the shuffler's count of {deck_title(name)}."
        cite = procedures.shuffling.counting_cite or procedures.shuffling.wrong_count_cite
        yield DutyNow("read-count", text, DEALER, cite, "ReadDeviceCount", name)
    elif awaits_cut(state, deck):
        for duty in procedures.cutting.duties:
            yield _shown(duty, command="CutDeck", deck=name)
    elif awaits_load(state, deck):
        if check_is_next(state, deck) is None:
            yield _shown(load_duty(state), command="LoadDeck", deck=name)
    elif deck.stage == LOADED:
        yield DutyNow("open-round", "Open a round.", DEALER, state.settings.game.bets.cite, "OpenRound", name)
        if suspension(state, IDLE_SPREAD) is None:
            for duty in procedures.idle.duties:
                yield _shown(duty, command="SpreadIdle")
