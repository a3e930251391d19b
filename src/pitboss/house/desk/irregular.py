"""What goes wrong at a running table: reported by the dealer or the floor, ruled on by the rulebook and its people."""

from dataclasses import replace

from pitboss.cards.deck import Card
from pitboss.house.desk import commands as asked
from pitboss.house.desk import meters
from pitboss.house.desk.cards import left_deck
from pitboss.house.desk.events import IrregularityReported
from pitboss.house.desk.evolve import ROUND
from pitboss.house.desk.pen import Pen
from pitboss.house.people import house_rules as rule
from pitboss.round import commands as play
from pitboss.round import decide as decide_play
from pitboss.round.events import IrregularityRuled
from pitboss.round.state import OVER, Round, facts
from pitboss.rules import irregularity as wrong
from pitboss.rules.irregularity import FLOOR_RULES, OTHER_DECK, RESHUFFLE, SETTLE_ONLY, VOID, Remedy
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import SHUFFLER, CountDeck, CountStub, FindMisdeal, JamDevice, RackStub, ReadDeviceCount
from pitboss.table.conditions import cards_of, devices_cite, stub_duty
from pitboss.table.events import DeviceJammed, WrongCountRuled
from pitboss.table.state import ABSENT, CUT, IN_SERVICE, LOADED, SHUFFLED, TableDeck, TableState

OF_REAL_CARDS = (
    wrong.FACE_UP_CARD,
    wrong.DRAWN_IN_ERROR,
    wrong.WRONG_NUMBER,
    wrong.DEALER_CARD_EXPOSED,
    wrong.COMMUNITY_CARD_EXPOSED,
    wrong.SHUFFLER_JAM,
    wrong.SHOE_JAM,
)
COUNTS = (wrong.STUB_COUNT_MISDEALT, wrong.STUB_COUNT_WRONG)
_RULED = f"{ROUND}.{IrregularityRuled.__name__}"
_STOPPING = (f"table.{DeviceJammed.__name__}", f"table.{WrongCountRuled.__name__}")


def report(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    """Rule on an irregularity as the rulebook orders, or keep it for the floor to rule on."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    assert desk.play is not None
    kind = command.irregularity
    if kind in OF_REAL_CARDS and not desk.terms.real_cards:
        reason = "The cards of this table are drawn by the program; none can be misdealt, exposed or jammed"
        return Refusal(reason, rule.READERS, "irregularity")
    if kind in COUNTS and (desk.cards.round is None or desk.cards.round.irregularity != kind):
        return Refusal("No count of the stub was found to say so", rule.ORDER, "irregularity")
    command = replace(command, card=_physical(pen, command.card))
    if kind == wrong.FACE_UP_CARD and command.card is not None and command.card not in desk.waiting:
        # Whatever else were said of a card that was not read would tell who asks whether it is out, and hidden.
        reason = "Let the reader see the card first; it waits for none like it"
        return Refusal(reason, rule.READERS, "card")
    jammed = _jammed(desk.cards, command.other_deck) if kind == wrong.SHUFFLER_JAM else None
    if isinstance(jammed, Refusal):
        return jammed
    remedy = _remedy(desk.play, command)
    if remedy is not None and remedy.then == FLOOR_RULES and command.ruling is None:
        return _kept(pen, kind, command.seat, remedy, command.card)
    refusal = pen.play(_report(command, pen.supervisor if command.ruling else None))
    if refusal is None and jammed is not None:
        refusal = _reshuffle(pen, jammed)
    if refusal is None and kind == wrong.FACE_UP_CARD:
        refusal = left_deck(pen, 1)
    if refusal is None and kind == wrong.PROGRESSIVE_MISMATCH and command.seat is not None:
        refusal = meters.take_off(pen, command.seat)
    return refusal or meters.take_back(pen)


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
    # A round that goes on is dealt from no deck that was to be shuffled again; one that is being dealt is past that.
    ruled = [draft.body for draft in pen.drafts if draft.kind == _RULED][-1]
    goes_on = ruled["remedy"] not in (VOID, SETTLE_ONLY) and ruled["deck"] == RESHUFFLE
    assert pen.desk.cards is not None
    is_in_use = pen.desk.cards.device(SHUFFLER) == IN_SERVICE  # one that was taken out since cannot be said to jam
    if not goes_on or not is_in_use or deck.stage not in (SHUFFLED, CUT, LOADED):
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
    before = len(pen.drafts)
    refusal = pen.cards(command)
    if refusal or playing is None or not isinstance(command, JamDevice | FindMisdeal):
        return refusal
    for draft in pen.drafts[before:]:
        if draft.kind in _STOPPING and draft.body.get("in_play", True):
            refusal = _stop(pen, draft.body["irregularity"])
    return refusal


def _deals_on(state: Round) -> bool:
    return state.phase != OVER and wrong.CARDS_OUT not in facts(state)


def _stop(pen: Pen, kind: str) -> Refusal | None:
    state = pen.desk.play
    assert state is not None
    remedy = _remedy(state, asked.ReportIrregularity(irregularity=kind))
    return _kept(pen, kind, None, remedy) if remedy is not None and state.phase != OVER else None


def _kept(pen: Pen, kind: str, seat: int | None, remedy: Remedy, card: Card | None = None) -> Refusal | None:
    # Only what the round would let somebody rule on may stop it.
    state, trouble = pen.desk.play, pen.desk.trouble
    assert state is not None
    ruling = remedy.rulings[0] if remedy.rulings else None
    ruled = decide_play(state, play.ReportIrregularity(kind, seat, card, False, ruling, pen.means.actor))
    if isinstance(ruled, Refusal):
        return ruled
    if trouble is not None:
        reason = f"{trouble.irregularity} was reported before and is ruled on first"
        return Refusal(reason, trouble.clause or rule.ORDER, "irregularity")
    return pen.house(IrregularityReported(irregularity=kind, seat=seat, by_clause=remedy.cite), clause=remedy.cite)


def _report(command: asked.ReportIrregularity, ruled_by: str | None) -> play.ReportIrregularity:
    return play.ReportIrregularity(
        command.irregularity, command.seat, command.card, command.other_deck, command.ruling, ruled_by
    )


def _remedy(state: Round, command: asked.ReportIrregularity) -> Remedy | None:
    known = facts(state)
    return state.rules.remedy(command.irregularity, known | {OTHER_DECK} if command.other_deck else known)


def _physical(pen: Pen, card: Card | None) -> Card | None:
    # What people see of a card is its face; a card that was read is meant before one that was not.
    state = pen.desk.play
    assert state is not None
    deck = state.rules.game.deck
    if card is None or card in deck:
        return card
    copies = [*(one for one in pen.desk.waiting if one in deck.of_face(card)), *deck.of_face(card)]
    return next((one for one in copies if one not in state.drawn), card)
