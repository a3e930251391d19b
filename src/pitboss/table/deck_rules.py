"""What may be done to a deck between its arrival and the deal."""

from typing import assert_never

from pitboss.rules.dealing import HAND
from pitboss.rules.procedure import CUT as CUTTING_STEP
from pitboss.rules.procedure import DEALER, FLOORPERSON, IDLE_SPREAD, PLAYER, RECUT, Duty
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import (
    DEFECT,
    DEVICE,
    FACE_DOWN,
    FACE_UP,
    HOURS,
    MANUAL,
    PRESHUFFLED,
    SET_APART,
    SHUFFLER,
    WRONG_COUNT,
    ConfirmDuty,
    CountDeck,
    CutDeck,
    DeckCommand,
    DirectShuffle,
    LoadDeck,
    OrderRecut,
    ReadDeviceCount,
    ReceiveDeck,
    RemoveDeck,
    ShuffleDeck,
    SpreadIdle,
)
from pitboss.table.conditions import (
    awaits_count,
    awaits_cut,
    awaits_device,
    awaits_load,
    cards_of,
    check_dealt_now,
    check_is_next,
    check_method,
    check_out_of_the_way,
    check_turn,
    deck_hours,
    deck_opening,
    deck_title,
    devices_cite,
    is_on_layout,
    load_duty,
    round_duties,
    script_duties,
    shuffle_cite,
    stub_count,
    suspension,
)
from pitboss.table.cut import check_cut
from pitboss.table.events import (
    CardsSpread,
    DeckCounted,
    DeckCut,
    DeckLoaded,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    DeviceCounted,
    DutyConfirmed,
    Event,
    RecutOrdered,
    ShuffleDirected,
)
from pitboss.table.people import check_other_person, check_role
from pitboss.table.settings import READER
from pitboss.table.state import (
    CUT,
    DEVICE_WORDS,
    IN_SERVICE,
    LOADED,
    OPENING,
    RACKED,
    READY,
    SHUFFLED,
    STACKED,
    STAGE_WORDS,
    TableDeck,
    TableState,
)

_IDLE = "G-11"  # the ruling on when a table is idle
_FIRST_ROUND = "G-14"  # the ruling that a preshuffled deck may be dealt by hand

Decision = tuple[Event, ...] | Refusal


def decide_deck(state: TableState, command: DeckCommand) -> Decision:
    """Return what a command about a deck leads to, or why it is refused."""
    match command:
        case ConfirmDuty():
            return _confirm(state, command)
        case ReceiveDeck():
            return _receive(state, command)
        case SpreadIdle():
            return _spread(state, command)
    deck = state.deck(command.deck)
    if deck is None:
        return Refusal(f"There is no deck {command.deck!r} at this table", None, "deck")
    if is_on_layout(state, deck.name):
        return Refusal(
            f"Cards from {deck_title(deck.name)} are on the table. Close the round first",
            _in_play(state, command),
            "deck",
        )
    match command:
        case ShuffleDeck():
            return _shuffle(state, command, deck)
        case ReadDeviceCount():
            return _read_count(state, command, deck)
        case CutDeck():
            return _cut(state, command, deck)
        case OrderRecut():
            return _recut(state, command, deck)
        case DirectShuffle():
            return _direct_shuffle(state, command, deck)
        case LoadDeck():
            return _load(state, command, deck)
        case CountDeck():
            return _count(state, command, deck)
        case RemoveDeck():
            return _remove(state, command, deck)
        case _:
            assert_never(command)


def _in_play(state: TableState, command: DeckCommand) -> str:
    procedures = state.settings.procedures
    if isinstance(command, OrderRecut):
        return procedures.cutting.recut_cite
    return procedures.cutting.cite if isinstance(command, CutDeck) else procedures.shuffling.after_round_cite


def _receive(state: TableState, command: ReceiveDeck) -> Decision:
    opening, two_decks = state.settings.procedures.opening, state.settings.procedures.two_decks
    ready = command.preinspected and command.preshuffled
    clause = opening.skipped_cite if ready else opening.two_decks_cite if state.decks else opening.duties[0].cite
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, clause=clause):
        return refusal
    if not command.deck:
        return Refusal("Enter a name for the deck", clause, "deck")
    if command.deck in state.removed or state.deck(command.deck):
        return Refusal(f"A deck called {command.deck!r} is or was at this table. Use another name", clause, "deck")
    if len(state.decks) == state.settings.decks:
        cite = state.settings.procedures.cards.one_deck_cite if state.settings.procedures.cards else two_decks.cite
        full = two_decks.cite if state.settings.decks == 2 else cite
        return Refusal("The table already has all its decks. Remove one first", full, "deck")
    if state.decks and state.shuffler != IN_SERVICE:
        return Refusal("A second deck needs the shuffler, which is out of service", two_decks.cite, "deck")
    return (
        DeckReceived(
            by=command.by,
            at=command.at,
            clause=clause,
            deck=command.deck,
            preinspected=command.preinspected,
            preshuffled=command.preshuffled,
            is_checked_here=ready and state.settings.cards == READER,
        ),
    )


def _confirm(state: TableState, command: ConfirmDuty) -> Decision:
    found = _deck_duty(state, command) if command.deck is not None else _table_duty(state, command)
    if isinstance(found, Refusal):
        return found
    if refusal := check_role(state.settings, command.by, found.by, clause=found.cite):
        return refusal
    deck = state.deck(command.deck) if command.deck is not None else None
    if deck and found.by == FLOORPERSON and (refusal := check_other_person(command.by, deck.handled_by, found.cite)):
        return refusal
    return (
        DutyConfirmed(
            by=command.by,
            at=command.at,
            clause=found.cite,
            ruling=found.ruling,
            duty=command.duty,
            deck=command.deck,
        ),
    )


def _deck_duty(state: TableState, command: ConfirmDuty) -> Duty | Refusal:
    deck = state.deck(command.deck or "")
    if deck is None or deck.stage != OPENING:
        return Refusal(f"Deck {command.deck!r} has no duties to confirm", None, "deck")
    duties = script_duties(state, deck)
    due = duties[deck.done]
    if state.round is not None and state.round.deck and deck.script != READY:
        return Refusal("A round is open. Spread and wash cards between rounds", due.cite, "duty")
    if due.id == command.duty:
        return due
    known = next((duty for duty in duties if duty.id == command.duty), None)
    return Refusal(
        f"Do and confirm this for {deck_title(deck.name)} first: {due.text}", known.cite if known else due.cite, "duty"
    )


def _table_duty(state: TableState, command: ConfirmDuty) -> Duty | Refusal:
    if state.round is not None:
        duties, done = round_duties(state), state.round.confirmed
    elif len(state.decks) == 2:
        duties, done = state.settings.procedures.two_decks.duties, state.two_decks_confirmed
    else:
        duties, done = (), ()
    duty = next((duty for duty in duties if duty.id == command.duty), None)
    if duty is None:
        return Refusal(f"{command.duty!r} is not due now", None, "duty")
    if duty.id in done:
        return Refusal(f"{command.duty!r} is already confirmed", duty.cite, "duty")
    return duty


def _shuffle(state: TableState, command: ShuffleDeck, deck: TableDeck) -> Decision:
    clause = shuffle_cite(state, deck)
    if refusal := check_role(state.settings, command.by, DEALER, clause=clause):
        return refusal
    if deck.stage == OPENING:
        return Refusal(f"{deck_opening(deck.name)} hasn't been opened yet", clause, "deck")
    if deck.stage not in (STACKED, RACKED) and not awaits_device(state, deck):
        reason = f"{deck_opening(deck.name)} is already shuffled. A floorperson can order another shuffle"
        return Refusal(reason, state.settings.procedures.shuffling.directed_cite or clause, "deck")
    if command.way == DEVICE:
        if state.shuffler != IN_SERVICE:
            return Refusal(f"The {SHUFFLER} is {DEVICE_WORDS[state.shuffler]}", devices_cite(state), "way")
    elif command.way == MANUAL:
        if refusal := _check_manual(state, deck):
            return refusal.at("way")
    else:
        return Refusal(f"The shuffle must be {MANUAL} or {DEVICE}, not {command.way!r}", clause, "way")
    return (DeckShuffled(by=command.by, at=command.at, clause=clause, deck=deck.name, way=command.way),)


def _check_manual(state: TableState, deck: TableDeck) -> Refusal | None:
    procedures = state.settings.procedures
    if awaits_device(state, deck):
        return Refusal(f"{deck_opening(deck.name)} must go through the {SHUFFLER}", shuffle_cite(state, deck))
    if state.shuffler == IN_SERVICE and state.method == HAND and procedures.hand_needs_shuffler_cite:
        return Refusal(f"Cards dealt by hand must be shuffled by the {SHUFFLER}", procedures.hand_needs_shuffler_cite)
    if refusal := check_dealt_now(state, deck):
        return refusal
    if state.shuffler == IN_SERVICE and not procedures.devices.working_too:
        return None
    return check_out_of_the_way(state, SHUFFLER)


def _read_count(state: TableState, command: ReadDeviceCount, deck: TableDeck) -> Decision:
    shuffling = state.settings.procedures.shuffling
    if refusal := check_role(state.settings, command.by, DEALER, clause=shuffling.wrong_count_cite):
        return refusal
    if not awaits_count(state, deck):
        return Refusal(
            f"The {SHUFFLER} has no count of {deck_title(deck.name)} to read", shuffling.counting_cite, "deck"
        )
    right = command.cards == cards_of(state)
    clause = (shuffling.counting_cite if right else "") or shuffling.wrong_count_cite
    read = DeviceCounted(by=command.by, at=command.at, clause=clause, deck=deck.name, cards=command.cards, right=right)
    if right or _is_in_play(state, deck):
        return (read,)
    return (read, _removal(command, deck, WRONG_COUNT, shuffling.wrong_count_cite))


def _cut(state: TableState, command: CutDeck, deck: TableDeck) -> Decision:
    cutting = state.settings.procedures.cutting
    if refusal := check_role(state.settings, command.by, DEALER, clause=cutting.cite):
        return refusal
    if suspended := suspension(state, CUTTING_STEP):
        return Refusal(f"The {SHUFFLER} reshuffles continuously. Don't cut its cards", suspended, "deck")
    if not awaits_cut(state, deck):
        by_device = deck.stage == SHUFFLED
        reason = (
            "Cards from the shuffler are dealt without a cut"
            if by_device
            else f"{deck_opening(deck.name)} can't be cut now"
        )
        return Refusal(reason, (cutting.uncut_cite if by_device else "") or cutting.required_cite, "deck")
    if refusal := check_cut(cutting, cards_of(state), command.cards):
        return refusal
    return (DeckCut(by=command.by, at=command.at, clause=cutting.cite, deck=deck.name, cards=command.cards),)


def _recut(state: TableState, command: OrderRecut, deck: TableDeck) -> Decision:
    cite = state.settings.procedures.cutting.recut_cite
    if refusal := check_role(state.settings, command.by, FLOORPERSON, clause=cite):
        return refusal
    if suspended := suspension(state, RECUT):
        return Refusal(f"The {SHUFFLER} reshuffles continuously. Its cards can't be cut again", suspended, "deck")
    if not deck.cut_cards:
        return Refusal(f"{deck_opening(deck.name)} hasn't been cut", cite, "deck")
    return (RecutOrdered(by=command.by, at=command.at, clause=cite, deck=deck.name),)


def _direct_shuffle(state: TableState, command: DirectShuffle, deck: TableDeck) -> Decision:
    shuffling = state.settings.procedures.shuffling
    cite = shuffling.directed_cite or shuffling.before_play_cite
    if refusal := check_role(state.settings, command.by, FLOORPERSON, clause=cite):
        return refusal
    if deck.stage not in (SHUFFLED, CUT, LOADED):
        return Refusal(f"{deck_opening(deck.name)} is already due to be shuffled", cite, "deck")
    return (ShuffleDirected(by=command.by, at=command.at, clause=cite, deck=deck.name),)


def _load(state: TableState, command: LoadDeck, deck: TableDeck) -> Decision:
    procedures = state.settings.procedures
    duty = load_duty(state)
    if refusal := check_role(state.settings, command.by, duty.by, clause=duty.cite):
        return refusal
    if awaits_count(state, deck):
        cite = procedures.shuffling.counting_cite or procedures.shuffling.wrong_count_cite
        return Refusal(f"Read the {SHUFFLER}'s count of {deck_title(deck.name)} first", cite, "deck")
    if awaits_cut(state, deck):
        return Refusal(f"Cut {deck_title(deck.name)} first", procedures.cutting.required_cite, "deck")
    if not awaits_load(state, deck):
        return Refusal(
            f"{deck_opening(deck.name)} can't be loaded now: it is {STAGE_WORDS[deck.stage]}", duty.cite, "deck"
        )
    if refusal := check_is_next(state, deck):
        return refusal
    if refusal := check_method(state, deck) or check_turn(state, deck):
        return refusal
    ruling = duty.ruling or _reading(state, deck)
    return (DeckLoaded(by=command.by, at=command.at, clause=duty.cite, ruling=ruling, deck=deck.name),)


def _reading(state: TableState, deck: TableDeck) -> str | None:
    # The reading by which a deck is dealt that no device at the table shuffled, or that was not cut.
    if state.method == HAND and deck.shuffled == PRESHUFFLED and state.settings.procedures.hand_needs_shuffler_cite:
        return _FIRST_ROUND
    is_uncut = deck.stage == SHUFFLED and suspension(state, CUTTING_STEP) is not None
    return state.settings.procedures.shuffling.self_shuffling_ruling if is_uncut else None


def _count(state: TableState, command: CountDeck, deck: TableDeck) -> Decision:
    count = stub_count(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=count.cite):
        return refusal
    if deck.stage == OPENING:
        return Refusal(f"{deck_opening(deck.name)} hasn't been opened yet", count.cite, "deck")
    right = command.cards == cards_of(state)
    clause = (count.how_cite or count.cite) if right else count.wrong_cite
    counted = DeckCounted(
        by=command.by,
        at=command.at,
        clause=clause,
        ruling=count.ruling,
        deck=deck.name,
        cards=command.cards,
        right=right,
    )
    if right or _is_in_play(state, deck):
        return (counted,)
    return (counted, _removal(command, deck, WRONG_COUNT, count.wrong_cite))


def _is_in_play(state: TableState, deck: TableDeck) -> bool:
    # Wagers may be on the layout: people rule on such a deck before it leaves.
    return state.round is not None and state.round.deck == deck.name


def _remove(state: TableState, command: RemoveDeck, deck: TableDeck) -> Decision:
    procedures = state.settings.procedures
    inspect = procedures.opening.duties[0].cite
    hours = deck_hours(state)
    clauses = {DEFECT: inspect, HOURS: (hours[1] if hours else "") or inspect, SET_APART: procedures.two_decks.cite}
    clause = clauses.get(command.reason)
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, clause=clause):
        return refusal
    if clause is None:
        known = ", ".join(clauses)
        return Refusal(f"The reason to remove a deck must be one of {known}, not {command.reason!r}", inspect, "reason")
    if _is_in_play(state, deck):
        return Refusal(f"A round is open on {deck_title(deck.name)}. Close it first", _in_play(state, command), "deck")
    return (_removal(command, deck, command.reason, clause),)


def _removal(command: ReadDeviceCount | CountDeck | RemoveDeck, deck: TableDeck, reason: str, cite: str) -> DeckRemoved:
    return DeckRemoved(by=command.by, at=command.at, clause=cite, deck=deck.name, reason=reason)


def _spread(state: TableState, command: SpreadIdle) -> Decision:
    idle = state.settings.procedures.idle
    if refusal := check_role(state.settings, command.by, DEALER, clause=idle.cite):
        return refusal
    if suspended := suspension(state, IDLE_SPREAD):
        return Refusal(f"The {SHUFFLER} keeps the cards while the table is idle", suspended)
    if state.round is not None:
        return Refusal("A round is open, so the table isn't idle", idle.cite)
    if not state.decks or any(deck.stage == OPENING for deck in state.decks):
        return Refusal("Only a deck opened for play is spread on an idle table", idle.cite)
    if command.face not in (FACE_DOWN, FACE_UP):
        return Refusal(f"Spread the cards {FACE_DOWN} or {FACE_UP}, not {command.face!r}", idle.cite, "face")
    asked = command.asked_by is not None and command.asked_by.role == PLAYER
    if idle.face_down_first and command.face == FACE_UP and not asked:
        return Refusal("Idle cards stay face down unless a player asks to see them", idle.cite, "face")
    return (
        CardsSpread(
            by=command.by,
            at=command.at,
            clause=idle.cite,
            ruling=_IDLE,
            face=command.face,
            asked_by=command.asked_by,
        ),
    )
