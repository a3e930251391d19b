"""Text for the table: money, wagers and events, in short sentences."""

from collections.abc import Mapping

from pitboss.cards import Card
from pitboss.cli.output import signed
from pitboss.cli.play.faces import CardFaces
from pitboss.round.events import (
    ActionTaken,
    BetsClosed,
    CardsDealt,
    CardsTurned,
    EnvyPaid,
    Event,
    MeterPaid,
    WagersPlaced,
)
from pitboss.round.view import RoundView
from pitboss.rules.dealing import DEALER
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.play import UNDECIDED
from pitboss.rules.reading import TableCards
from pitboss.rules.refusal import Refusal

PLACES = {"dealer": "Dealer", "board": "Board", "box": "Box"}


def place_title(place: str) -> str:
    """Return the title of a place on the layout."""
    return PLACES.get(place, place.capitalize())


def meter_title(name: str) -> str:
    """Return the title of a meter."""
    return "the meter" if name == "meter" else f"the {name} meter"


def stakes_words(
    rules: RulesInForce, stakes: Mapping[str, int], room: int = 10_000, besides: tuple[str, ...] = ()
) -> str:
    """Return stakes by wager, such as Ante $10 · Blind $10, in lines that fit the width."""
    staked = (f"{wager.title} {dollars(stakes[wager.name])}" for wager in rules.game.wagers if wager.name in stakes)
    lines = [""]
    for item in (*staked, *besides):
        if lines[-1] and len(lines[-1]) + 3 + len(item) > room:
            lines.append("")
        lines[-1] += f" · {item}" if lines[-1] else item
    return "\n".join(lines)


def refusal_words(refusal: Refusal) -> str:
    """Return a refusal as a sentence that ends with its clause."""
    return f"{refusal.reason} ({refusal.clause})." if refusal.clause else f"{refusal.reason}."


def counted(number: int, thing: str) -> str:
    """Return a count with its noun: 1 round, 3 rounds."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def telling(rules: RulesInForce, event: Event, seen: RoundView, faces: CardFaces) -> str | None:
    """Return the description of an event for a person with this view, or None if there is nothing to show."""
    if isinstance(event, WagersPlaced):
        return f"Seat {event.seat}: {stakes_words(rules, event.stakes)}"
    if isinstance(event, BetsClosed):
        return f"No more bets ({event.clause})."
    if isinstance(event, ActionTaken):
        return _acted(rules, event)
    if isinstance(event, CardsTurned | CardsDealt):
        return _turned(event, seen, faces)
    if isinstance(event, MeterPaid):
        share = f"{event.percent} % of {meter_title(event.meter)} is {dollars(event.paid)}"
        return f"Seat {event.seat}: {share}, validated by the {event.validated_by} ({event.clause})."
    if isinstance(event, EnvyPaid):
        bonus = f"envy bonus {signed(event.net)} for seat {event.from_seat}'s {event.hand}"
        return f"Seat {event.seat}: {bonus} ({event.clause})."
    return None


def _acted(rules: RulesInForce, event: ActionTaken) -> str:
    # A discarded card stays between that player and the dealer.
    title = next(
        action.title or action.name
        for actions in rules.actions.values()
        for action in actions.values()
        if action.name == event.action and action.cite == event.clause
    )
    if event.wager:
        wager = rules.game.wagers_by_name[event.wager].title
        title = f"{wager} {dollars(event.stake)}" if title == wager else f"{title}, {wager} {dollars(event.stake)}"
    return f"Seat {event.seat}: {title} ({event.clause})."


def _turned(event: CardsTurned | CardsDealt, seen: RoundView, faces: CardFaces) -> str | None:
    if not isinstance(event.place, str) or event.place not in seen.table:
        return None
    if isinstance(event, CardsDealt) and not event.face_up:
        return None
    shown = tuple(card for card in seen.table[event.place] if card is not None)
    return f"{place_title(event.place)}: {faces.line(shown).plain} ({event.clause})."


def status_word(status: str) -> str:
    """Return the status of a seat, or an empty text while it is undecided."""
    return "" if status == UNDECIDED else status


def free_play_words(game: GameDefinition) -> str:
    """Return a sentence that the table deals by itself, and what the rulebook requires of a table played for money."""
    clause = game.procedures.electronic_cite
    if clause is None:
        return "Free play: this table deals by itself, so nothing is won or lost for money."
    return f"Free play: this table deals by itself. For money a dealer controls an electronic table ({clause})."


def dealer_words(rules: RulesInForce, seen: RoundView) -> str:
    """Return the dealer's hand once all its cards are face up, else an empty text."""
    if not seen.table.get(DEALER) or any(None in cards for cards in seen.table.values()):
        return ""
    taken: set[Card] = set()
    shown = {place: rules.game.deck.pick(filter(None, cards), taken) for place, cards in seen.table.items()}
    reading = rules.game.readings.dealer(TableCards(**shown), rules.options)
    if reading.hand is None:
        return ""
    return f"{reading.hand}, which does not qualify" if reading.qualifies is False else reading.hand
