"""Decks stacked so that each place at a table gets the cards that a test names."""

from collections.abc import Mapping, Sequence
from itertools import count

from pitboss.cards.deck import Card
from pitboss.round import decide, evolve, legal_actions, open_round
from pitboss.round.commands import Act, CloseBets, Command, DealCards, PlaceWagers, TurnCards
from pitboss.round.state import ASKING, DEALING, Round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.server.table_documents import read_terms

Place = int | str


def stacked(
    document: Mapping[str, object], stakes: Mapping[int, Mapping[str, int]], wanted: Mapping[Place, Sequence[Card]]
) -> list[Card]:
    """Return the order in which the named cards must come for every place to get its own."""
    rules = read_terms(document).settings.rules
    places = _places(rules, stakes)
    waiting = {place: list(cards) for place, cards in wanted.items()}
    named = {card for cards in wanted.values() for card in cards}
    others = iter([card for card in rules.game.deck.cards if card not in named])
    last = max(number for number in range(len(places)) if places[number] in waiting)
    order = [waiting[place].pop(0) if waiting.get(place) else next(others) for place in places[: last + 1]]
    assert not any(waiting.values()), f"no such cards are dealt: {waiting}"
    return order


def _places(rules: RulesInForce, stakes: Mapping[int, Mapping[str, int]]) -> list[Place]:
    state, found, cards = open_round(rules), [], iter(rules.game.deck.cards)
    for seat, wagers in stakes.items():
        state = _after(state, PlaceWagers(seat, f"player {seat}", wagers))
    state = _after(state, CloseBets())
    for _ in count():
        if state.phase == DEALING:
            assert state.due is not None
            if state.due.is_turned:
                state = _after(state, TurnCards())
                continue
            number = state.due.cards
            found += [state.due.place] * number
            state = _after(state, DealCards(tuple(next(cards) for _ in range(number))))
        elif state.phase == ASKING:
            state = _after(state, _staying(state))
        else:
            return found
    raise AssertionError


def _staying(state: Round) -> Command:
    # A player who folds gets no more cards; here everyone stays, so that every place is seen.
    for action in legal_actions(state):
        if action.name in ("fold", "declare"):
            continue
        for discard in (None, *state.cards[state.cursor]):
            command = Act(state.cursor, action.name, discard)
            if not isinstance(decide(state, command), Refusal):
                return command
    raise AssertionError("nobody can stay in")


def _after(state: Round, command: Command) -> Round:
    events = decide(state, command)
    assert not isinstance(events, Refusal), events
    for event in events:
        state = evolve(state, event)
    return state
