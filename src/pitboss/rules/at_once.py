"""Whether a hand that its player has settled at once, by a word, wins; nothing but the player's own cards decides."""

from pitboss.cards.deck import Card
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Action
from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards
from pitboss.rules.settlement import WIN


def is_worth_offering(rules: RulesInForce, action: Action, cards: tuple[Card, ...]) -> bool:
    """Say whether a player with these cards should find this action among those open: a claim only if it is true."""
    if not action.settles_at_once:
        return True
    seat = SeatCards(cards, action.becomes)
    reading = rules.game.readings.seat(TableCards(), NO_DEALER, seat, rules.options, ())
    required = (wager.name for wager in rules.game.wagers if wager.required)
    return any(rules.adjudicate(wager, reading.facts, reading.cells.get(wager)).result == WIN for wager in required)
