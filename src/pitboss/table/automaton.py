"""What a table that deals by itself does next to have a deck ready; people's duties it never takes over."""

from pitboss.table.commands import (
    DEVICE,
    HOURS,
    MANUAL,
    Command,
    CountDeck,
    CutDeck,
    LoadDeck,
    ReadDeviceCount,
    ReceiveDeck,
    RemoveDeck,
    ShuffleDeck,
)
from pitboss.table.conditions import (
    awaits_count,
    awaits_cut,
    awaits_device,
    awaits_load,
    cards_of,
    check_hours,
    is_count_overdue,
)
from pitboss.table.people import Person
from pitboss.table.state import IN_SERVICE, RACKED, STACKED, TableState


def next_command(state: TableState, by: Person, at: int) -> Command | None:
    """Return the command that brings a deck nearer to the deal, or None when one is loaded or a round is open."""
    if state.round is not None:
        return None
    for deck in state.decks:
        if check_hours(state, deck, at):
            return RemoveDeck(by=by, at=at, deck=deck.name, reason=HOURS)
    if not state.decks:
        # Cards made by the program are whole and need no inspection; they are shuffled before play all the same.
        name = f"deck-{len(state.removed) + 1}"
        return ReceiveDeck(by=by, at=at, deck=name, preinspected=True, preshuffled=True)
    deck = state.decks[0]
    if deck.stage in (STACKED, RACKED) or awaits_device(state, deck):
        if is_count_overdue(state):
            return CountDeck(by=by, at=at, deck=deck.name, cards=cards_of(state))
        way = DEVICE if state.shuffler == IN_SERVICE else MANUAL
        return ShuffleDeck(by=by, at=at, deck=deck.name, way=way)
    if awaits_count(state, deck):
        return ReadDeviceCount(by=by, at=at, deck=deck.name, cards=cards_of(state))
    if awaits_cut(state, deck):
        return CutDeck(by=by, at=at, deck=deck.name, cards=cards_of(state) // 2)
    if awaits_load(state, deck):
        return LoadDeck(by=by, at=at, deck=deck.name)
    return None
