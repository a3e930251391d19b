"""What one person may see of a round, built by allow-list: a card that is face down to them is None."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.cards.deck import Card, face
from pitboss.round.counted import WagerCounted as WagerCounted
from pitboss.round.counted import counted as counted
from pitboss.round.decide import legal_actions
from pitboss.round.events import EnvyPaid, Outcome, WagerResult
from pitboss.round.state import Phase, Round
from pitboss.rules.dealing import BOARD, BURN
from pitboss.rules.play import FOLDED, OUT, SeatStatus
from pitboss.rules.reading import DealerReading, TableCards

ShownCards = tuple[str | None, ...]
_NO_DEALER = DealerReading(0, None, None)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as a person sees it."""

    seat: int
    player: str
    status: SeatStatus
    stakes: dict[str, int]
    cards: ShownCards
    discard: str | None
    hand: str | None
    results: tuple[WagerResult, ...]
    envy_cents: int
    envy: tuple[EnvyPaid, ...] = ()  # each bonus, with the seat whose hand brought it
    coupons: dict[str, int] = field(default_factory=dict)  # the faces of coupons that lie with chips, by wager


class OwnCards(NamedTuple):
    """What only the holder of a seat sees of it."""

    cards: ShownCards
    discard: str | None
    hand: str | None


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as a person sees it."""

    game: str
    phase: Phase
    seats: tuple[SeatView, ...]
    table: dict[str, ShownCards]
    seat_asked: int | None
    actions: tuple[str, ...]
    outcome: Outcome | None


def view(state: Round, own_seats: Collection[int] = ()) -> RoundView:
    """Return what the holder of these seats may see; no seats for a spectator or the dealer."""
    asked = state.seat_asked
    return RoundView(
        game=state.rules.game.name,
        phase=state.phase,
        seats=tuple(view_of_seat(state, seat, own=seat in own_seats) for seat in state.seats),
        table={
            place: _shown(cards, state.face_up.get(place, 0))
            for place, cards in state.cards.items()
            if isinstance(place, str) and place != BURN
        },
        seat_asked=asked,
        actions=tuple(action.name for action in legal_actions(state)) if asked in own_seats else (),
        outcome=state.outcome,
    )


def view_of_seat(state: Round, seat: int, *, own: bool) -> SeatView:
    """Return what may be seen of a seat that is in the round, by its holder or by others."""
    seen = own_cards(state, seat) if own else OwnCards(_turned(state, seat), None, state.hands.get(seat))
    return SeatView(
        seat=seat,
        player=state.players[seat],
        status=state.status[seat],
        stakes=state.seat_stakes(seat),
        cards=seen.cards,
        discard=seen.discard,
        hand=seen.hand,
        results=tuple(result for key, result in state.results.items() if key[0] == seat),
        envy_cents=sum(paid.net for paid in state.envy if paid.seat == seat),
        envy=tuple(bonus for bonus in state.envy if bonus.seat == seat),
        coupons=state.seat_coupons(seat),
    )


def own_cards(state: Round, seat: int) -> OwnCards:
    """Return the cards of a seat that is in the round, as its holder sees them."""
    cards, discard = state.cards.get(seat, ()), state.discards.get(seat)
    hand = state.hands.get(seat) or _made(state, seat)
    return OwnCards(_shown(cards, len(cards)), face(discard) if discard else None, hand)


def _made(state: Round, seat: int) -> str | None:
    # A hand has a name once its player sees every card that makes it; other players' cards don't matter.
    rules, game = state.rules, state.rules.game
    if len(state.cards.get(seat, ())) < game.cards_each or state.status[seat] in (FOLDED, OUT):
        return None
    if state.face_up.get(BOARD, 0) < game.table_cards.get(BOARD, 0):
        return None
    if seat not in state.discards and any(action.discards for ask in rules.actions.values() for action in ask.values()):
        return None
    table = TableCards(board=state.cards.get(BOARD, ()))
    return game.readings.seat(table, _NO_DEALER, state.seat_cards(seat), rules.options, ()).hand


def _turned(state: Round, seat: int) -> ShownCards:
    # A discard stays face down when the rest of the hand is turned.
    cards = state.cards.get(seat, ())
    if not state.face_up.get(seat):
        return (None,) * len(cards)
    return tuple(None if card == state.discards.get(seat) else face(card) for card in cards)


def _shown(cards: tuple[Card, ...], face_up: int) -> ShownCards:
    return tuple(face(card) if index < face_up else None for index, card in enumerate(cards))
