"""What a self-dealing table does next to get a deck ready; it never takes over people's duties."""

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
from pitboss.table.state import IN_SERVICE, RACKED, STACKED, TableDeck, TableState


def next_command(state: TableState, by: Person, at: int) -> Command | None:
    """Return the command that brings a deck nearer to the deal, or None when one is loaded or cards are dealt."""
    if state.round is not None:
        # A recut or another shuffle may be ordered until cards are dealt; the round waits for it.
        again = state.deck(state.round.deck)
        return _prepared(state, again, by, at) if again is not None and not state.round.dealt else None
    for deck in state.decks:
        if check_hours(state, deck, at):
            return RemoveDeck(by=by, at=at, deck=deck.name, reason=HOURS)
    if not state.decks:
        # Cards made by the program are complete and need no inspection, but are still shuffled before play.
        name = f"deck-{len(state.removed) + 1}"
        return ReceiveDeck(by=by, at=at, deck=name, preinspected=True, preshuffled=True)
    return _prepared(state, state.decks[0], by, at)


def _prepared(state: TableState, deck: TableDeck, by: Person, at: int) -> Command | None:
    if deck.stage in (STACKED, RACKED) or awaits_device(state, deck):
        if is_count_overdue(state, deck):
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
