"""Whether a hand that its player has settled at once, by a word, wins; nothing but the player's own cards decides."""

from pitboss.cards.deck import Card
from pitboss.rules.in_force import WIN, RulesInForce
from pitboss.rules.play import Action
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

_NO_DEALER = DealerReading(0, None, None)


def is_worth_offering(rules: RulesInForce, action: Action, cards: tuple[Card, ...]) -> bool:
    """Say whether a player with these cards should find this action among those open: a claim only if it is true."""
    if not action.settles_at_once:
        return True
    seat = SeatCards(cards, action.becomes)
    reading = rules.game.readings.seat(TableCards(), _NO_DEALER, seat, rules.options, ())
    required = (one.name for one in rules.game.wagers if one.required)
    return any(rules.adjudicate(one, reading.facts, reading.cells.get(one)).result == WIN for one in required)
