"""The narrator: sentences about what happens at a table, made from data, without their clause and period."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pitboss.cards.deck import face
from pitboss.house import entry_kinds
from pitboss.record.entries import Entry
from pitboss.round import events as happened
from pitboss.round.events import Event, Place, WagerResult
from pitboss.round.state import Round
from pitboss.round.view import view
from pitboss.rules.dealing import BURN, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars, signed
from pitboss.rules.settlement import LOSE, PUSH, WIN
from pitboss.rules.wager import meter_title

_RESULTS = {WIN: "wins", LOSE: "loses", PUSH: "pushes"}


class Narrator(NamedTuple):
    """Describes a round to one reader, with only the cards that reader may see."""

    rules: RulesInForce
    write_cards: Callable[[tuple[str, ...]], str] | None = None  # without it cards are only counted
    opens_cards: bool = False  # whether the reader may see face-down cards too

    def tell(self, entry: Entry, event: Event | None, play: Round) -> str:
        """Return an entry of a round as a sentence; the round is as the entry left it."""
        return of_entry(entry) if event is None else self.of_play(event, play)

    def of_play(self, event: Event, play: Round) -> str:
        """Return an event of play as a sentence; the round is as the event left it."""
        match event:
            case happened.WagersPlaced():
                return f"Seat {event.seat} bets {self._stakes(event.stakes)}"
            case happened.WagersWithdrawn():
                return f"Seat {event.seat} takes its bets back"
            case happened.WagerReturned():
                return f"{self._title(event.wager)} is returned to seat {event.seat}"
            case happened.BetsClosed():
                return "No more bets"
            case happened.StakesBanked():
                return f"The {self._title(event.wager)} chips, {dollars(event.cents)}, go to the tray"
            case happened.ActionTaken():
                return self._action(event)
            case happened.CardsDealt() | happened.CardsTurned() | happened.CardCorrected() | happened.CardsCollected():
                return self._cards_moved(event, play)
            case happened.IrregularityRuled():
                return _ruled(event)
            case happened.RoundVoided():
                return "The round is void; all bets are returned"
            case happened.RoundClosed():
                return "The cards are picked up"
            case _:
                return self._money_moved(event)

    def _cards_moved(
        self,
        event: happened.CardsDealt | happened.CardsTurned | happened.CardCorrected | happened.CardsCollected,
        play: Round,
    ) -> str:
        where = _place(event.place)
        match event:
            case happened.CardsDealt():
                cards = self._cards(event.cards, len(event.cards), is_shown=event.face_up)
                if event.place == BURN:
                    return f"{cards.capitalize()} burned"
                return f"{where} gets {cards} {'face up' if event.face_up else 'face down'}"
            case happened.CardsTurned():
                return f"{where} shows {self._cards(_turned(event, play), event.count, is_shown=True)}"
            case happened.CardsCollected():
                return f"{where}'s cards are collected"
            case _ if self.write_cards is not None and self.opens_cards:
                was, card = self.write_cards((face(event.was),)), self.write_cards((face(event.card),))
                return f"{where}'s {was} was misread; it is {card}"
            case _:
                return f"A card of {where[0].lower()}{where[1:]} was misread and is corrected"

    def _money_moved(self, event: Event) -> str:
        match event:
            case happened.WagersSettled():
                hand = f" with {event.hand}" if event.hand else ""
                return f"Seat {event.seat} is settled{hand}{self._results(event.results)}"
            case happened.WagersReversed():
                return f"Seat {event.seat}'s results are reversed{self._results(event.results)}"
            case happened.EnvyPaid():
                bonus = f"an envy bonus of {dollars(event.net)}"
                return f"Seat {event.seat} is paid {bonus} for seat {event.from_seat}'s {event.hand}"
            case happened.PayoutAwaited():
                cents = sum(result.paid for result in event.results)
                amount = f" of {dollars(cents)}" if cents else ""
                payout = f"{_payout(event.progressive)}{amount} for {event.hand}"
                return f"Seat {event.seat}'s {payout} waits for a floorperson"
            case happened.PayoutValidated():
                return f"{event.validated_by} verifies seat {event.seat}'s payout"
            case happened.MeterAwaited():
                share = f"{event.percent}% of {meter_title(event.meter)}"
                return f"Seat {event.seat}'s {self._title(event.wager)} wins {share}, once a floorperson validates it"
            case happened.MeterPaid():
                share = f"{dollars(event.paid)}, {event.percent}% of {meter_title(event.meter)}"
                return f"Seat {event.seat} is paid {share}, validated by {event.validated_by}"
            case _:
                raise AssertionError(f"no sentence for {type(event).__name__}")

    def _action(self, event: happened.ActionTaken) -> str:
        # Two questions may share the name of an answer; its clause tells which one was asked.
        actions = [act for asked in self.rules.actions.values() for act in asked.values() if act.name == event.action]
        taken = next((act for act in actions if act.cite == event.clause), actions[0] if actions else None)
        said = (taken.title or taken.name) if taken is not None else event.action
        if event.wager:
            staked = f"{self._title(event.wager)} {dollars(event.stake)}"
            said = staked if said == self._title(event.wager) else f"{said}, {staked}"
        if event.discard is not None and self.opens_cards and self.write_cards is not None:
            said += f", discarding {self.write_cards((face(event.discard),))}"
        return f"Seat {event.seat}: {said}{' for an absent player' if event.absent else ''}"

    def _results(self, results: Iterable[WagerResult]) -> str:
        rows = tuple(results)
        said = ", ".join(f"{self._title(row.wager)} {_RESULTS[row.result]}{_amount(row.net)}" for row in rows)
        total = f"; total {signed(sum(row.net for row in rows))}" if len(rows) > 1 else ""
        return f": {said}{total}" if rows else ""

    def _stakes(self, stakes: Mapping[str, int]) -> str:
        return ", ".join(f"{self._title(wager)} {dollars(cents)}" for wager, cents in stakes.items())

    def _title(self, wager: str) -> str:
        return self.rules.game.wagers_by_name[wager].title

    def _cards(self, cards: tuple[str, ...], count: int, *, is_shown: bool) -> str:
        if self.write_cards is not None and cards and (is_shown or self.opens_cards):
            return self.write_cards(tuple(card[:2] for card in cards))
        return counted(count, "card")


def of_entry(entry: Entry) -> str:
    """Return an entry that isn't an event of play as a sentence."""
    body = entry.body
    match entry.kind:
        case entry_kinds.ROUND_BEGUN:
            return "The round begins"
        case entry_kinds.ROUND_ENDED:
            return f"The round ends: {body['outcome']}"
        case entry_kinds.DECK_COMMITTED:
            return f"The deck's order is fixed: {len(body['commitments'])} positions, each committed with a salted hash"
        case entry_kinds.ORDER_FIXED:
            return f"The deck is dealt in the order its shuffle fixed, cut by {counted(body['cut_cards'], 'card')}"
        case entry_kinds.SEAL_OPENED:
            return "The key to the dealt cards is published"
        case entry_kinds.CARD_READ:
            return "A card is read, and sealed until it may be seen"
        case entry_kinds.CONTRIBUTION_PAID:
            return f"{signed(body['cents'])} to the progressive {body['progressive']}"
        case entry_kinds.PLAYER_RETURNED:
            return f"{body['player']} is back at the table"
        case entry_kinds.TIME_GIVEN:
            return f"Seat {body['seat']} asks for time, and gets it"
        case entry_kinds.CARDS_LEFT_DECK:
            return f"{counted(body['cards'], 'card')} left the deck"
        case entry_kinds.CARDS_ROUND_CLOSED:
            return "The cards are picked up"
        case _:
            return _of_report(entry) or _of_kind(entry)


def to_deal(count: int, place: Place, rules: RulesInForce) -> str:
    """Say which cards to deal next."""
    return f"Deal {_cards_for(count, place, 'to', rules)}."


def to_turn(count: int, place: Place, rules: RulesInForce) -> str:
    """Say which cards to turn up next."""
    return f"Turn up {_cards_for(count, place, 'of', rules)}."


def to_draw(count: int, place: Place, rules: RulesInForce, *, is_read: bool) -> str:
    """Say which cards to draw next, and who reports each: the reader, or the dealer by keyboard."""
    reports = "the reader reports each" if is_read else "enter each"
    return f"Draw {_cards_for(count, place, 'for', rules)}; {reports}."


def to_ask(seat: int, answers: Iterable[str]) -> str:
    """Say which seat to ask, and its choices."""
    *others, last = answers
    return f"Ask seat {seat}: {', '.join(others)} or {last}." if others else f"Ask seat {seat}: {last}."


def to_answer_for(seat: int, *, needs_ruling: bool) -> str:
    """Say what to do about a seat that doesn't answer."""
    if needs_ruling:
        return f"If seat {seat} still doesn't answer, ask a floorperson to rule."
    return f"Act for seat {seat} if no one answers."


def to_validate(seat: int, hand: str, cents: int, *, is_progressive: bool) -> str:
    """Say which payout to validate or verify."""
    amount = f": {dollars(cents)} for {hand}" if cents else ""
    return f"{'Validate' if is_progressive else 'Verify'} seat {seat}'s {_payout(is_progressive)}{amount}."


def to_confirm(proposed_by: str, command: Mapping[str, Any]) -> str:
    """Say which request waits for a second person."""
    about = f" ({irregularity_title(command['irregularity'])})" if "irregularity" in command else ""
    return f"Confirm or decline {proposed_by}'s request: {words_of(command['kind']).lower()}{about}."


def to_rule(irregularity: str, reported_by: str) -> str:
    """Say which report to rule on."""
    reporter = f" by {reported_by}" if reported_by else ""
    return f"Rule on the report{reporter}, {irregularity_title(irregularity)}, or decline it. The table is on hold."


def to_resolve(seats: Sequence[int], note: str) -> str:
    """Say which dispute to resolve."""
    return f"Resolve the dispute at {seats_title(seats)}: {note}"


def irregularity_title(name: str) -> str:
    """Return an irregularity's name in words, without a capital."""
    return name.replace("-", " ")


def counted(number: int, thing: str) -> str:
    """Return a count with its noun: 1 card, 3 cards."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def at_seat(seat: int | None) -> str:
    """Return where something happened, to follow what happened; empty if it was at no seat."""
    return "" if seat is None else f" at seat {seat}"


def cited(sentence: str, clause: str | None) -> str:
    """Return a sentence with its clause and its period."""
    return f"{sentence} ({clause})." if clause else f"{sentence}."


def _of_report(entry: Entry) -> str | None:
    body, actor = entry.body, entry.actor
    reason = f": {body['reason']}" if body.get("reason") else ""
    match entry.kind:
        case entry_kinds.IRREGULARITY_REPORTED:
            more = "".join(f", {body[name]}" for name in ("limb", "note") if body.get(name))
            return f"{actor} reports {_report(body)}{more}; the table is on hold"
        case entry_kinds.INCIDENT_ANSWERED:
            return f"The report of {_report(body)} is {body['outcome']} by {actor}{reason}"
        case entry_kinds.DISPUTE_REPORTED:
            return f"{actor} reports a dispute at {seats_title(body['seats'])}; the next round waits"
        case entry_kinds.DISPUTE_RESOLVED:
            return (
                f"{body['second']} and {actor} resolve the dispute at {seats_title(body['seats'])}: {body['outcome']}"
            )
        case entry_kinds.PROPOSED:
            return f"{actor} requests {words_of(body['command']['kind']).lower()}; a second person has to confirm it"
        case entry_kinds.CONFIRMED:
            return f"{actor} confirms {body['proposed_by']}'s request"
        case entry_kinds.DECLINED if body.get("has_lapsed"):
            return "The request expired or was replaced"
        case entry_kinds.DECLINED:
            return f"{actor} declines the request{reason}"
        case _:
            return None


def words_of(kind: str) -> str:
    """Return the name of a kind of event or command in words: DeckShuffled as Deck shuffled."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind).strip().capitalize()


def _of_kind(entry: Entry) -> str:
    words = words_of(entry.kind.partition(".")[2])
    return f"{words}: {_place(entry.body['place'])}" if "place" in entry.body else words


def _ruled(event: happened.IrregularityRuled) -> str:
    where = at_seat(event.seat)
    by = f", ruled {event.ruling} by {event.ruled_by}" if event.ruling and event.ruled_by else ""
    remedy = event.remedy.replace("-", " ")
    return f"Irregularity{where}, {irregularity_title(event.irregularity)}: {remedy}{by}"


def _turned(event: happened.CardsTurned, play: Round) -> tuple[str, ...]:
    # By the public view, which has no card that is still face down.
    seen = view(play)
    if isinstance(event.place, int):
        cards = next(seat.cards for seat in seen.seats if seat.seat == event.place)
    else:
        cards = seen.table.get(event.place, ())
    return tuple(card for card in cards if card is not None)


def _report(body: Mapping[str, Any]) -> str:
    return f"{irregularity_title(body['irregularity'])}{at_seat(body['seat'])}"


def seats_title(seats: Sequence[int]) -> str:
    """Return seats in words: seat 3, seats 1, 2."""
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"


def _payout(is_progressive: bool) -> str:
    return "progressive payout" if is_progressive else "payout"


def _cards_for(count: int, place: Place, preposition: str, rules: RulesInForce) -> str:
    areas = {area.name: area.title for area in rules.game.layout.areas if not area.each_seat}
    if isinstance(place, int) or place == DEALER or place not in areas:
        where = _place(place)
        return f"{counted(count, 'card')} {preposition} {where[0].lower()}{where[1:]}"
    # "Community cards" isn't a proper name; a title with more capitals is.
    title = areas[place] if any(map(str.isupper, areas[place][1:])) else areas[place].lower()
    return f"{count} {title.removesuffix('s') if count == 1 else title}"


def _place(place: Place) -> str:
    return f"Seat {place}" if isinstance(place, int) else f"The {place}"


def _amount(net: int) -> str:
    return f" {signed(net)}" if net else ""
