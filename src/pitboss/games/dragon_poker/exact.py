"""The kernel of Dragon Poker: every pair of hands, counted by their faces."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache, partial
from itertools import combinations_with_replacement
from math import comb

from pitboss.cards.deck import Card, face
from pitboss.games.dragon_poker.deck import COPIES
from pitboss.odds.one_decision import End, Ends, Hand, OneDecision, end_of
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import DealerReading, ReadDealer, SeatCards, TableCards

Faces = tuple[tuple[str, int], ...]  # how many cards of each face
CHOOSE = tuple(tuple(comb(n, k) for k in range(4)) for n in range(max(COPIES.values()) + 1))


def hands_of(left: Mapping[str, int]) -> Iterator[tuple[Hand, int]]:
    """Yield a hand for each three faces, and how many hands of the cards left show them."""
    for cards, faces in _three_faces():
        if ways := _ways(left, faces):
            yield cards, ways


def ends(rules: RulesInForce, seat: SeatCards, wagers: Collection[str]) -> Ends:
    """Count how a seat's hand ends against every hand that the dealer can hold."""
    held = Counter(map(face, seat.cards))
    left = {name: copies - held[name] for name, copies in COPIES.items()}
    found: Counter[End] = Counter()
    for table, dealer, faces in _dealers(rules.game.readings.dealer, tuple(rules.options.items())):
        if ways := _ways(left, faces):
            found[end_of(rules, table, dealer, seat, wagers)] += ways
    return found


def faces(cards: Hand) -> Hand:
    """Return a hand without its copies' numbers."""
    return tuple(Card(face(card)) for card in cards)


def _ways(left: Mapping[str, int], faces: Faces) -> int:
    ways = 1
    for name, count in faces:
        ways *= CHOOSE[left[name]][count]
    return ways


@lru_cache(maxsize=16)
def _dealers(read: ReadDealer, options: tuple[tuple[str, str], ...]) -> list[tuple[TableCards, DealerReading, Faces]]:
    # Each hand of the dealer is read once, not once for each hand of a player.
    tables = ((TableCards(dealer=cards), faces) for cards, faces in _three_faces() if _ways(COPIES, faces))
    return [(table, read(table, dict(options)), faces) for table, faces in tables]


@cache
def _three_faces() -> tuple[tuple[Hand, Faces], ...]:
    threes = combinations_with_replacement(COPIES, 3)
    return tuple((tuple(map(Card, three)), tuple(Counter(three).items())) for three in threes)


SOLVER = OneDecision(partial(hands_of, COPIES), ends, faces)
main_counts, wager_counts, action_worths = SOLVER.main_counts, SOLVER.wager_counts, SOLVER.action_worths
reason = SOLVER.reason
