"""Irregularities at a live table: reported by the dealer or the floor, ruled on by the rulebook and people."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitboss.cards.deck import Card
from pitboss.house import entry_kinds
from pitboss.house.live_table import card_commands as cards
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import holds, progressive_play
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import RULED
from pitboss.house.live_table.holds import STUB_COUNTS, about_another
from pitboss.house.live_table.idle_table import check_asked, check_player
from pitboss.house.live_table.kept_commands import propose
from pitboss.house.live_table.permissions import draws_again, place_of
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable, Trouble
from pitboss.house.narrator import irregularity_title
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import check_first
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.round import commands as play
from pitboss.round import decide as decide_play
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
    ReshuffleJammed,
    SpreadIdle,
    TakeOutDevice,
)
from pitboss.table.conditions import JAMS, cards_of, check_in_shuffler, devices_cite, stub_duty
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
DRAWN = "G-25"  # the ruling that the deal has begun once a card is drawn
_DECK_COUNTED = (entry_kinds.DECK_COUNTED, entry_kinds.DEVICE_COUNTED)
_OUT = (entry_kinds.DEVICE_FAILED, entry_kinds.DEVICE_TAKEN_OUT)


def report(writer: EventWriter, command: asked.ReportIrregularity) -> Refusal | None:
    """Write a report and apply the rulebook's remedy, or hold the table for the floor to rule."""
    live = writer.live
    assert live.terms is not None
    assert live.cards is not None
    assert live.play is not None
    kind, trouble = command.irregularity, live.trouble
    if kind in OF_REAL_CARDS and not live.terms.real_cards:
        reason = "The program draws the cards at this table, so none can be misdealt, exposed or jammed"
        return Refusal(reason, rule.READERS, "irregularity")
    played = live.cards.round
    if kind in STUB_COUNTS and (played is None or played.irregularity != kind):
        return Refusal("This can be reported only after a wrong stub count", rule.ORDER, "irregularity")
    if kind == wrong.DECK_COUNT_WRONG and (played is None or not played.miscounted):
        return Refusal("This can be reported only after a wrong deck count", rule.ORDER, "irregularity")
    if kind == wrong.DRAWN_IN_ERROR and command.card is not None:
        reason = "No one has seen the card drawn in error. Report it without naming the card"
        return Refusal(reason, rule.READERS, "card")
    another = about_another(trouble, _completed(writer, command)) if trouble is not None else None
    if another:
        return another
    unread = _read_face_up(writer, command)
    if unread:
        return unread
    live, command = writer.live, _completed(writer, command)
    assert live.cards is not None
    jammed = _jammed(live.cards, command.other_deck, trouble) if kind == wrong.SHUFFLER_JAM else None
    if isinstance(jammed, Refusal):
        return jammed
    remedy = _remedy(live, command)
    if remedy is not None and remedy.then == FLOOR_RULES and command.ruling is None:
        return _kept(writer, command, remedy)
    if trouble is None:
        holds.note(writer, command, remedy.cite if remedy is not None else None)
    return (
        _ruled(writer, command)
        or (_reshuffle(writer, jammed) if jammed is not None else None)
        or _followed(writer, command)
    )


def read(writer: EventWriter, command: asked.ReadCard) -> Refusal | None:
    """Record a card that the reader saw; one that wasn't due was drawn in error and is dealt next."""
    is_early = cards.is_early(writer.live)
    refusal = cards.read(writer, command)
    if refusal or not is_early:
        return refusal
    return report(writer, asked.ReportIrregularity(irregularity=wrong.DRAWN_IN_ERROR))


def note(writer: EventWriter, command: asked.ReportIrregularity) -> Refusal | None:
    """Write a valid report that takes a second person, unless it is the one that holds the table."""
    if writer.live.trouble is not None:
        return None
    unread = _read_face_up(writer, command)
    if unread:
        return unread
    command = _completed(writer, command)
    remedy = _remedy(writer.live, command)
    return holds.note(writer, command, remedy.cite if remedy is not None else None)


def _read_face_up(writer: EventWriter, command: asked.ReportIrregularity) -> Refusal | None:
    # A card found face up is read by its report, even if none is due: no one drew it in error.
    card = _physical(writer, command.card) if command.irregularity == wrong.FACE_UP_CARD else None
    if card is None or command.card is None or card in writer.live.waiting:
        return None
    if check_first(writer.person, asked.ReadCard.__name__, place_of(writer.live, command, writer.means)):
        # Any other answer about an unread card would reveal whether it is out and hidden.
        return Refusal("No such card was read. Have the dealer read it first", rule.READERS, "card")
    return cards.read(writer, asked.ReadCard(card=command.card))


def _ruled(writer: EventWriter, command: asked.ReportIrregularity) -> Refusal | None:
    holds.answer(writer, RULED)
    return writer.play(_report(writer, command, writer.supervisor if command.ruling else None))


def _followed(writer: EventWriter, command: asked.ReportIrregularity) -> Refusal | None:
    refusal = cards.left_deck(writer, 1) if command.irregularity == wrong.FACE_UP_CARD else None
    if command.irregularity == wrong.DECK_COUNT_WRONG:
        refusal = _remove_miscounted(writer)
    if refusal is None and command.irregularity == wrong.PROGRESSIVE_MISMATCH and command.seat is not None:
        refusal = progressive_play.take_off(writer, command.seat)
    return refusal or progressive_play.take_back(writer)


def _remove_miscounted(writer: EventWriter) -> Refusal | None:
    return writer.cards(RemoveMiscounted(by=asked.NOBODY, at=0), by=writer.dealer)


def _completed(writer: EventWriter, command: asked.ReportIrregularity) -> asked.ReportIrregularity:
    # What a ruling omits stays as reported.
    trouble = writer.live.trouble
    command = replace(command, card=_physical(writer, command.card))
    if trouble is None or trouble.irregularity != command.irregularity:
        return command
    return replace(
        command,
        seat=trouble.seat if command.seat is None else command.seat,
        card=trouble.card if command.card is None else command.card,
        other_deck=command.other_deck or trouble.other_deck,
    )


def _jammed(cards: TableState, is_other: bool, trouble: Trouble | None) -> TableDeck | Refusal | None:
    """Return the deck that can have jammed in the shuffler, or why none can."""
    if cards.device(SHUFFLER) == ABSENT:
        return Refusal("This table has no shuffler", devices_cite(cards), "irregularity")
    in_play = cards.round.deck if cards.round is not None else None
    decks = [deck for deck in cards.decks if (deck.name != in_play) is is_other]
    if is_other and not decks:
        return Refusal("This table has no other deck", devices_cite(cards), "other_deck")
    deck = next(iter(decks), None)
    # A jam that holds the table is ruled on although the shuffler may have been taken out of service since.
    refusal = check_in_shuffler(cards, deck) if deck is not None and trouble is None else None
    return refusal.at("irregularity") if refusal else deck


def _reshuffle(writer: EventWriter, deck: TableDeck) -> Refusal | None:
    # A round in progress isn't dealt from a deck that jammed before it was shuffled again; once dealing, a round is
    # past that.
    ruled = [draft.body for draft in writer.drafts if draft.kind == entry_kinds.IRREGULARITY_RULED][-1]
    if ruled["remedy"] in (VOID, SETTLE_ONLY) or deck.stage not in (SHUFFLED, CUT, LOADED):
        return None
    return writer.cards(ReshuffleJammed(by=asked.NOBODY, at=0, deck=deck.name), by=writer.dealer)


def at_cards(writer: EventWriter, command: asked.OfCards) -> Refusal | None:
    """Carry out a command about cards or devices; if it reports a problem with the current round, that round stops."""
    live = writer.live
    assert live.terms is not None
    assert live.cards is not None
    real = live.terms.real_cards
    if isinstance(command, JamDevice) and not real:
        return Refusal("The program draws the cards at this table, so no device can jam", rule.READERS)
    playing = live.play if live.in_round else None
    if isinstance(command, RackStub | CountStub) and playing is not None and _deals_on(playing):
        return Refusal("This round has more cards to deal. Deal them first", stub_duty(live.cards).cite)
    if isinstance(command, CountStub) and live.cards.round is not None:
        left = cards_of(live.cards) - live.cards.round.dealt
        if command.cards != left and (not real or (playing is not None and playing.phase == OVER)):
            settled = "The wagers are settled. Count the whole deck after the round has ended"
            reason = settled if real else f"The program's deck has {left} cards left. Enter {left}"
            return Refusal(reason, stub_duty(live.cards).cite if real else rule.READERS, "cards")
    if isinstance(command, CountDeck | ReadDeviceCount) and not real and command.cards != cards_of(live.cards):
        # No other deck could replace one whose order is fixed for this round.
        reason = f"The program's deck always has {cards_of(live.cards)} cards. Enter {cards_of(live.cards)}"
        return Refusal(reason, rule.READERS, "cards")
    if isinstance(command, ConfirmDuty) and (unseen := check_player(live, command)):
        return unseen
    if isinstance(command, SpreadIdle) and (unasked := check_asked(live, command)):
        return unasked
    if isinstance(command, CountDeck) and live.is_drawn_from(command.deck):
        return Refusal("Cards from this deck are drawn but not dealt. Deal them first", DRAWN, "deck")
    before, was = len(writer.drafts), live.cards
    if isinstance(command, FailDevice | TakeOutDevice) and playing is not None and real:
        _jam_inside(writer, command.device, playing)
    # Of the two people that a new draw takes, one from the floor orders it.
    is_dealers = writer.means.second is not None and writer.means.role == DEALER and draws_again(live, command)
    refusal = writer.cards(command, Person(writer.supervisor, FLOORPERSON) if is_dealers else None)
    if refusal and isinstance(command, RackStub) and command.cards is not None and refusal.field == "cards":
        return _short(writer, command.cards, refusal)
    if refusal or playing is None or not real:
        return refusal
    played = writer.live.cards.round if writer.live.cards is not None else None
    if played is not None and played.miscounted and not playing.players:
        return _remove_miscounted(writer)  # no one has wagered on it
    for kind in dict.fromkeys(_wrong_with(was, playing, writer.drafts[before:])):
        refusal = refusal or _found(writer, asked.ReportIrregularity(irregularity=kind))
    return refusal


def _jam_inside(writer: EventWriter, device: str, playing: Round) -> None:
    # A deck waiting for its first card in a device that fails is shuffled again before it is dealt.
    state = writer.live.cards
    assert state is not None
    if device != SHUFFLER or state.round is None or state.round.dealt or writer.live.waiting:
        return
    if _deals(state, device) and _deals_on(playing):
        writer.cards(JamDevice(by=asked.NOBODY, at=0, device=device, deck=state.round.deck))


def _wrong_with(cards: TableState, playing: Round, drafts: Iterable[Draft]) -> Iterator[str]:
    # What card and device commands mean for the current round. Before the first wager there is nothing to rule on.
    if playing.phase == OVER or not playing.players:
        return
    for draft in drafts:
        if draft.kind == entry_kinds.WRONG_COUNT_RULED or (
            draft.kind == entry_kinds.DEVICE_JAMMED and draft.body["in_play"]
        ):
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
        return cards.settings.shuffler == CONTINUOUS  # it contains the round's cards
    return cards.method == AUTOMATED_SHOE


def _short(writer: EventWriter, cards: int, refusal: Refusal) -> Refusal:
    state = writer.live.cards
    assert state is not None
    assert state.round is not None
    left = cards_of(state) - state.round.dealt
    body = {"table": writer.live.table, "round": writer.live.round, "cards": cards, "expected": left}
    note = Draft(FLOOR, entry_kinds.STUB_SHORT, body, refusal.clause)
    return NotedRefusal(refusal.reason, refusal.clause, refusal.field, note)


def _deals_on(state: Round) -> bool:
    return state.phase != OVER and wrong.CARDS_OUT not in facts(state)


def _found(writer: EventWriter, said: asked.ReportIrregularity) -> Refusal | None:
    trouble, remedy = writer.live.trouble, _remedy(writer.live, said)
    if remedy is None or (trouble is not None and trouble.irregularity == said.irregularity):
        return None
    if trouble is not None:
        return about_another(trouble, said)
    refusal = _kept(writer, said, remedy)
    if refusal or remedy.then == FLOOR_RULES:
        return refusal
    if check_first(writer.person, type(said).__name__, place_of(writer.live, said, writer.means)):
        return None  # a technician reports what happened; the dealer or the floor decides what follows
    return propose(writer, said) if remedy.then in (VOID, SETTLE_ONLY, FORFEIT) else _ruled(writer, said)


def _kept(writer: EventWriter, command: asked.ReportIrregularity, remedy: Remedy) -> Refusal | None:
    # Only something that can be ruled on in this round may hold it.
    assert writer.live.play is not None
    tried = replace(
        command, ruling=remedy.rulings[0] if remedy.rulings else None, note=command.note or "as it was seen"
    )
    ruled = decide_play(writer.live.play, _report(writer, tried, writer.means.actor))
    if isinstance(ruled, Refusal):
        return ruled
    if writer.live.trouble is not None:
        rulings = " or ".join(remedy.rulings).replace("-", " ")
        reason = f"A floorperson has to rule on the report ({irregularity_title(command.irregularity)}): {rulings}"
        return Refusal(reason, remedy.cite, "ruling")
    return holds.note(writer, command, remedy.cite)


def _report(writer: EventWriter, command: asked.ReportIrregularity, ruled_by: str | None) -> play.ReportIrregularity:
    return play.ReportIrregularity(
        command.irregularity,
        command.seat,
        command.card,
        command.other_deck,
        command.ruling,
        ruled_by,
        command.limb,
        command.note,
        # The card drawn in error is the last one read, or else the next one to be read.
        max(len(writer.live.waiting) - 1, 0),
        bool(writer.live.waiting),
    )


def _remedy(live: LiveTable, command: asked.ReportIrregularity) -> Remedy | None:
    return holds.remedy_of(live, command.irregularity, is_other=command.other_deck)


def _physical(writer: EventWriter, card: Card | None) -> Card | None:
    # People see only a card's face; a card that was read is meant before one that wasn't.
    state = writer.live.play
    assert state is not None
    deck = state.rules.game.deck
    if card is None or card in deck:
        return card
    copies = [*(copy for copy in writer.live.waiting if copy in deck.of_face(card)), *deck.of_face(card)]
    return next((copy for copy in copies if copy not in state.drawn), card)
