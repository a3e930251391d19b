"""Text for the table: stakes, refusals, and which events are announced."""

from collections.abc import Mapping

from pitboss.cards import Card
from pitboss.house.narrator import Narrator, cited
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
from pitboss.round.state import Round
from pitboss.round.view import RoundView
from pitboss.rules.dealing import DEALER
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.play import UNDECIDED
from pitboss.rules.reading import TableCards
from pitboss.rules.refusal import Refusal

_ANNOUNCED = (WagersPlaced, BetsClosed, ActionTaken, CardsTurned, CardsDealt, MeterPaid, EnvyPaid)
PLACES = {"dealer": "Dealer", "board": "Board", "box": "Box"}


def place_title(place: str) -> str:
    """Return the title of a place on the layout."""
    return PLACES.get(place, place.capitalize())


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
    return cited(refusal.reason, refusal.clause)


def announced(narrator: Narrator, event: Event, play: Round) -> str | None:
    """Return the sentence for an event, or None if the felt shows it well enough."""
    if isinstance(event, CardsTurned | CardsDealt) and isinstance(event.place, int):
        return None
    if isinstance(event, CardsDealt) and not event.face_up:
        return None
    return cited(narrator.of_play(event, play), event.clause) if isinstance(event, _ANNOUNCED) else None


def status_word(status: str) -> str:
    """Return the status of a seat, or an empty text while it is undecided."""
    return "" if status == UNDECIDED else status


def free_play_words(game: GameDefinition) -> str:
    """Return a sentence that says this is free play, and what the rulebook requires of a table played for money."""
    clause = game.procedures.electronic_cite
    if clause is None:
        return "Free play: the program deals, and no money is won or lost."
    return f"Free play: the program deals. At an electronic table played for money, a dealer is in control ({clause})."


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
