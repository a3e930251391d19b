"""Whether a hand its player declares for immediate settlement wins; only the player's own cards decide."""

from pitboss.cards.deck import Card
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Action
from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards
from pitboss.rules.settlement import WIN


def is_worth_offering(rules: RulesInForce, action: Action, cards: tuple[Card, ...]) -> bool:
    """Say whether to offer this action to a player with these cards: a declaration only if it is true."""
    if not action.settles_at_once:
        return True
    seat = SeatCards(cards, action.becomes)
    reading = rules.game.readings.seat(TableCards(), NO_DEALER, seat, rules.options, ())
    required = (wager.name for wager in rules.game.wagers if wager.required)
    return any(rules.adjudicate(wager, reading.facts, reading.cells.get(wager)).result == WIN for wager in required)
