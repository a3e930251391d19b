"""What decided each settled wager of a seat, as its holder may see it: the cards that counted and their full names."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pitboss.cards.deck import Card, face
from pitboss.round.events import VOIDED
from pitboss.round.state import Round
from pitboss.rules.dealing import BOARD, BOX, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import CountedHand, Order, SeatCards, TableCards


@dataclass(frozen=True, slots=True)
class HandCounted:
    """A hand that a wager counted: the faces it looked at, which of them count, and its full name."""

    cards: tuple[str, ...]
    counting: tuple[bool, ...]
    hand: str


@dataclass(frozen=True, slots=True)
class WagerCounted:
    """What decided a wager: a fold, or the seat's hand and, where they were compared, the dealer's."""

    wager: str
    folded: bool
    seat: HandCounted | None = None
    dealer: HandCounted | None = None
    order: Order | None = None


def counted(state: Round, seat: int) -> tuple[WagerCounted, ...]:
    """Return what decided each settled wager of a seat, using only cards that its holder sees."""
    # A round that was stopped returned its wagers whatever the cards, and some hands may never have been complete.
    is_whole = len(state.seat_cards(seat).cards) == state.rules.game.cards_each
    return tuple(_counted(state, seat)) if state.only is None and is_whole and state.outcome != VOIDED else ()


def _counted(state: Round, seat: int) -> Iterator[WagerCounted]:
    rules = state.rules
    table, own = _face_up(state), state.seat_cards(seat)
    for at, wager in state.results:
        if at != seat:
            continue
        if own.status == FOLDED and rules.settled_by_fold(wager):
            yield WagerCounted(wager, folded=True)
            continue
        count = _wager_counted(rules, table, own, wager)
        if count is not None:
            yield count


@lru_cache(maxsize=4096)  # each player's own is asked for again with every change until the next round begins
def _wager_counted(rules: RulesInForce, table: TableCards, own: SeatCards, wager: str) -> WagerCounted | None:
    count = rules.game.readings.counted(table, own, rules.options, wager)
    if count is None:
        return None
    dealer = _hand(count.dealer) if count.dealer is not None else None
    return WagerCounted(wager, False, _hand(count.seat), dealer, count.order)


def _face_up(state: Round) -> TableCards:
    # A place counts once all its cards are face up; a hidden card is never read here.
    def shown(place: str) -> tuple[Card, ...]:
        cards = state.cards.get(place, ())
        return cards if state.face_up.get(place, 0) >= len(cards) else ()

    return TableCards(shown(DEALER), shown(BOARD), shown(BOX))


def _hand(counts: CountedHand) -> HandCounted:
    return HandCounted(
        tuple(map(face, counts.among)), tuple(card in counts.cards for card in counts.among), counts.name
    )
