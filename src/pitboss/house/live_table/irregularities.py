"""What goes wrong at a running table: reported by the dealer or the floor, ruled on by the rulebook and its people."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitboss.cards.deck import Card
from pitboss.house.live_table import card_commands as cards
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import holds, progressive_play
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.events import RULED
from pitboss.house.live_table.evolve import ROUND
from pitboss.house.live_table.holds import STUB_COUNTS, about_another
from pitboss.house.live_table.idle_table import check_player
from pitboss.house.live_table.kept_commands import propose
from pitboss.house.live_table.permissions import draws_again, place_of
from pitboss.house.live_table.significant_refusals import FLOOR, NotedRefusal
from pitboss.house.live_table.state import Desk
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import check_first
from pitboss.record.entries import Draft
from pitboss.round import commands as play
from pitboss.round import decide as decide_play
from pitboss.round.events import IrregularityRuled
from pitboss.round.state import OVER, Round, facts
from pitboss.rules import irregularity as wrong
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.irregularity import FLOOR_RULES, FORFEIT, SETTLE_ONLY, VOID, Remedy
from pitboss.rules.procedure import DEALER, FLOORPERSON
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table.commands import (
    SHUFFLER,
    ConfirmDuty,
    CountDeck,
    CountStub,
    FailDevice,
    JamDevice,
    RackStub,
    ReadDeviceCount,
    RemoveMiscounted,
    TakeOutDevice,
)
from pitboss.table.conditions import JAMS, cards_of, devices_cite, stub_duty
from pitboss.table.events import (
    DeckCounted,
    DeviceCounted,
    DeviceFailed,
    DeviceJammed,
    DeviceTakenOut,
    WrongCountRuled,
)
from pitboss.table.settings import CONTINUOUS
from pitboss.table.state import ABSENT, CUT, IN_SERVICE, LOADED, SHUFFLED, TableDeck, TableState

OF_REAL_CARDS = (
    wrong.FACE_UP_CARD,
    wrong.DRAWN_IN_ERROR,
    wrong.WRONG_NUMBER,
    wrong.DEALER_CARD_EXPOSED,
    wrong.COMMUNITY_CARD_EXPOSED,
    wrong.MISPLACED_CARD,
    wrong.OTHER_MISDEAL,
    wrong.SHUFFLER_JAM,
    wrong.SHOE_JAM,
)
DRAWN = "G-25"  # the ruling by which the deal has begun once a card is drawn
_RULED = f"{ROUND}.{IrregularityRuled.__name__}"
_COUNTED, _JAMMED = f"table.{WrongCountRuled.__name__}", f"table.{DeviceJammed.__name__}"
_DECK_COUNTED = (f"table.{DeckCounted.__name__}", f"table.{DeviceCounted.__name__}")
_OUT = (f"table.{DeviceFailed.__name__}", f"table.{DeviceTakenOut.__name__}")


def report(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    """Write what was reported and rule on it as the rulebook orders, or hold the table for the floor to rule."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    assert desk.play is not None
    kind, trouble = command.irregularity, desk.trouble
    if kind in OF_REAL_CARDS and not desk.terms.real_cards:
        reason = "The cards of this table are drawn by the program; none can be misdealt, exposed or jammed"
        return Refusal(reason, rule.READERS, "irregularity")
    played = desk.cards.round
    if kind in STUB_COUNTS and (played is None or played.irregularity != kind):
        return Refusal("No count of the stub was found to say so", rule.ORDER, "irregularity")
    if kind == wrong.DECK_COUNT_WRONG and (played is None or not played.miscounted):
        return Refusal("No count of the deck was found to say so", rule.ORDER, "irregularity")
    if kind == wrong.DRAWN_IN_ERROR and command.card is not None:
        reason = "Nobody has seen the face of a card drawn in error. Report it without naming it."
        return Refusal(reason, rule.READERS, "card")
    another = about_another(trouble, _completed(pen, command)) if trouble is not None else None
    if another:
        return another
    unread = _read_face_up(pen, command)
    if unread:
        return unread
    desk, command = pen.desk, _completed(pen, command)
    assert desk.cards is not None
    jammed = _jammed(desk.cards, command.other_deck) if kind == wrong.SHUFFLER_JAM else None
    if isinstance(jammed, Refusal):
        return jammed
    remedy = _remedy(desk, command)
    if remedy is not None and remedy.then == FLOOR_RULES and command.ruling is None:
        return _kept(pen, command, remedy)
    if trouble is None:
        holds.note(pen, command, remedy.cite if remedy is not None else None)
    return _ruled(pen, command) or (_reshuffle(pen, jammed) if jammed is not None else None) or _followed(pen, command)


def read(pen: Pen, command: asked.ReadCard) -> Refusal | None:
    """Record a card that the reader saw; one that was not due was drawn in error and is the next to be dealt."""
    is_early = cards.is_early(pen.desk)
    refusal = cards.read(pen, command)
    if refusal or not is_early:
        return refusal
    return report(pen, asked.ReportIrregularity(irregularity=wrong.DRAWN_IN_ERROR))


def note(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    """Write a report that was found sound and takes a second person, unless it is the one that holds the table."""
    if pen.desk.trouble is not None:
        return None
    unread = _read_face_up(pen, command)
    if unread:
        return unread
    command = _completed(pen, command)
    remedy = _remedy(pen.desk, command)
    return holds.note(pen, command, remedy.cite if remedy is not None else None)


def _read_face_up(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    # A card that is found face up is read by its report, also when none is due: nobody drew it in error.
    card = _physical(pen, command.card) if command.irregularity == wrong.FACE_UP_CARD else None
    if card is None or command.card is None or card in pen.desk.waiting:
        return None
    if check_first(pen.person, asked.ReadCard.__name__, place_of(pen.desk, command, pen.means)):
        # Whatever else were said of a card that was not read would tell who asks whether it is out, and hidden.
        return Refusal("Let the dealer read the card first; none like it was read", rule.READERS, "card")
    return cards.read(pen, asked.ReadCard(card=command.card))


def _ruled(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    holds.answer(pen, RULED)
    return pen.play(_report(pen, command, pen.supervisor if command.ruling else None))


def _followed(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    refusal = cards.left_deck(pen, 1) if command.irregularity == wrong.FACE_UP_CARD else None
    if command.irregularity == wrong.DECK_COUNT_WRONG:
        refusal = _remove_miscounted(pen)
    if refusal is None and command.irregularity == wrong.PROGRESSIVE_MISMATCH and command.seat is not None:
        refusal = progressive_play.take_off(pen, command.seat)
    return refusal or progressive_play.take_back(pen)


def _remove_miscounted(pen: Pen) -> Refusal | None:
    return pen.cards(RemoveMiscounted(by=asked.NOBODY, at=0), by=pen.dealer)


def _completed(pen: Pen, command: asked.ReportIrregularity) -> asked.ReportIrregularity:
    # What a ruling leaves out is as it was reported.
    trouble = pen.desk.trouble
    command = replace(command, card=_physical(pen, command.card))
    if trouble is None or trouble.irregularity != command.irregularity:
        return command
    return replace(
        command,
        seat=trouble.seat if command.seat is None else command.seat,
        card=trouble.card if command.card is None else command.card,
        other_deck=command.other_deck or trouble.other_deck,
    )


def _jammed(cards: TableState, is_other: bool) -> TableDeck | Refusal | None:
    """Return the deck that can have jammed in the shuffler, or why none can."""
    if cards.device(SHUFFLER) == ABSENT:
        return Refusal("This table has no shuffler", devices_cite(cards), "irregularity")
    in_play = cards.round.deck if cards.round is not None else None
    decks = [deck for deck in cards.decks if (deck.name != in_play) is is_other]
    if is_other and not decks:
        return Refusal("This table has no other deck", devices_cite(cards), "other_deck")
    return next(iter(decks), None)


def _reshuffle(pen: Pen, deck: TableDeck) -> Refusal | None:
    # A round that goes on is dealt from no deck that jammed before it was shuffled again; one that is being dealt is
    # past that.
    ruled = [draft.body for draft in pen.drafts if draft.kind == _RULED][-1]
    if ruled["remedy"] in (VOID, SETTLE_ONLY) or deck.stage not in (SHUFFLED, CUT, LOADED):
        return None
    return pen.cards(JamDevice(by=asked.NOBODY, at=0, device=SHUFFLER, deck=deck.name), by=pen.dealer)


def at_cards(pen: Pen, command: asked.OfCards) -> Refusal | None:
    """Carry out a command about cards or devices; what it says of the round in play stops that round."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    real = desk.terms.real_cards
    if isinstance(command, JamDevice) and not real:
        return Refusal("The cards of this table are drawn by the program; no device can jam on them", rule.READERS)
    playing = desk.play if desk.in_round else None
    if isinstance(command, RackStub | CountStub) and playing is not None and _deals_on(playing):
        return Refusal("Cards of this round are still to be dealt", stub_duty(desk.cards).cite)
    if isinstance(command, CountStub) and desk.cards.round is not None:
        left = cards_of(desk.cards) - desk.cards.round.dealt
        if command.cards != left and (not real or (playing is not None and playing.phase == OVER)):
            settled = "The round is over; count the whole deck once it has ended"
            reason = settled if real else f"{left} cards are left of the deck that the program drew"
            return Refusal(reason, stub_duty(desk.cards).cite if real else rule.READERS, "cards")
    if isinstance(command, CountDeck | ReadDeviceCount) and not real and command.cards != cards_of(desk.cards):
        # No other deck could take the place of one whose order is fixed for this round.
        reason = f"The program's deck has {cards_of(desk.cards)} cards, and none can be missing"
        return Refusal(reason, rule.READERS, "cards")
    if isinstance(command, ConfirmDuty) and (unseen := check_player(desk, command)):
        return unseen
    if isinstance(command, CountDeck) and desk.is_drawn_from(command.deck):
        return Refusal("Cards of this deck were drawn for the round. Deal them first", DRAWN, "deck")
    before, was = len(pen.drafts), desk.cards
    if isinstance(command, FailDevice | TakeOutDevice) and playing is not None and real:
        _jam_inside(pen, command.device, playing)
    # Of the two people that a new draw takes, one of the floor orders it.
    is_dealers = pen.means.second is not None and pen.means.role == DEALER and draws_again(desk, command)
    refusal = pen.cards(command, Person(pen.supervisor, FLOORPERSON) if is_dealers else None)
    if refusal and isinstance(command, RackStub) and command.cards is not None and refusal.field == "cards":
        return _short(pen, command.cards, refusal)
    if refusal or playing is None or not real:
        return refusal
    played = pen.desk.cards.round if pen.desk.cards is not None else None
    if played is not None and played.miscounted and not playing.players:
        return _remove_miscounted(pen)  # nobody has wagered on it
    for kind in dict.fromkeys(_wrong_with(was, playing, pen.drafts[before:])):
        refusal = refusal or _found(pen, asked.ReportIrregularity(irregularity=kind))
    return refusal


def _jam_inside(pen: Pen, device: str, playing: Round) -> None:
    # A deck that waits for its first card in a device that fails is shuffled again before it is dealt.
    state = pen.desk.cards
    assert state is not None
    if device != SHUFFLER or state.round is None or state.round.dealt or pen.desk.waiting:
        return
    if _deals(state, device) and _deals_on(playing):
        pen.cards(JamDevice(by=asked.NOBODY, at=0, device=device, deck=state.round.deck))


def _wrong_with(cards: TableState, playing: Round, drafts: Iterable[Draft]) -> Iterator[str]:
    # What cards and devices say of the round in play. Before the first wager there is nothing to rule on.
    if playing.phase == OVER or not playing.players:
        return
    for draft in drafts:
        if draft.kind == _COUNTED or (draft.kind == _JAMMED and draft.body["in_play"]):
            yield draft.body["irregularity"]
        elif draft.kind in _DECK_COUNTED and not draft.body["right"] and _is_in_play(cards, draft.body["deck"]):
            yield wrong.DECK_COUNT_WRONG
        elif draft.kind in _OUT and _deals(cards, draft.body["device"]) and _deals_on(playing):
            yield JAMS[draft.body["device"]]


def _is_in_play(cards: TableState, deck: str) -> bool:
    return cards.round is not None and cards.round.deck == deck


def _deals(cards: TableState, device: str) -> bool:
    if cards.device(device) != IN_SERVICE:
        return False
    if device == SHUFFLER:
        return cards.settings.shuffler == CONTINUOUS  # the cards of the round are in it
    return cards.method == AUTOMATED_SHOE


def _short(pen: Pen, cards: int, refusal: Refusal) -> Refusal:
    state = pen.desk.cards
    assert state is not None
    assert state.round is not None
    left = cards_of(state) - state.round.dealt
    body = {"table": pen.desk.table, "round": pen.desk.round, "cards": cards, "expected": left}
    note = Draft(FLOOR, f"{FLOOR}.StubShort", body, refusal.clause)
    return NotedRefusal(refusal.reason, refusal.clause, refusal.field, note)


def _deals_on(state: Round) -> bool:
    return state.phase != OVER and wrong.CARDS_OUT not in facts(state)


def _found(pen: Pen, said: asked.ReportIrregularity) -> Refusal | None:
    trouble, remedy = pen.desk.trouble, _remedy(pen.desk, said)
    if remedy is None or (trouble is not None and trouble.irregularity == said.irregularity):
        return None
    if trouble is not None:
        return about_another(trouble, said)
    refusal = _kept(pen, said, remedy)
    if refusal or remedy.then == FLOOR_RULES:
        return refusal
    if check_first(pen.person, type(said).__name__, place_of(pen.desk, said, pen.means)):
        return None  # a technician says what happened; the dealer or the floor says what follows
    return propose(pen, said) if remedy.then in (VOID, SETTLE_ONLY, FORFEIT) else _ruled(pen, said)


def _kept(pen: Pen, command: asked.ReportIrregularity, remedy: Remedy) -> Refusal | None:
    # Only what the round would let somebody rule on may hold it.
    assert pen.desk.play is not None
    tried = replace(
        command, ruling=remedy.rulings[0] if remedy.rulings else None, note=command.note or "as it was seen"
    )
    ruled = decide_play(pen.desk.play, _report(pen, tried, pen.means.actor))
    if isinstance(ruled, Refusal):
        return ruled
    if pen.desk.trouble is not None:
        reason = f"{command.irregularity} was reported; a floorperson rules: {' or '.join(remedy.rulings)}"
        return Refusal(reason, remedy.cite, "ruling")
    return holds.note(pen, command, remedy.cite)


def _report(pen: Pen, command: asked.ReportIrregularity, ruled_by: str | None) -> play.ReportIrregularity:
    return play.ReportIrregularity(
        command.irregularity,
        command.seat,
        command.card,
        command.other_deck,
        command.ruling,
        ruled_by,
        command.limb,
        command.note,
        # The card drawn in error is the last that was read, or else the next that will be.
        max(len(pen.desk.waiting) - 1, 0),
        bool(pen.desk.waiting),
    )


def _remedy(desk: Desk, command: asked.ReportIrregularity) -> Remedy | None:
    return holds.remedy_of(desk, command.irregularity, is_other=command.other_deck)


def _physical(pen: Pen, card: Card | None) -> Card | None:
    # What people see of a card is its face; a card that was read is meant before one that was not.
    state = pen.desk.play
    assert state is not None
    deck = state.rules.game.deck
    if card is None or card in deck:
        return card
    copies = [*(one for one in pen.desk.waiting if one in deck.of_face(card)), *deck.of_face(card)]
    return next((one for one in copies if one not in state.drawn), card)
