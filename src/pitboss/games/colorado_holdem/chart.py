"""A strategy to memorize: the best action of every hand, and points that say what to discard."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from pitboss.cards.deck import RANKS, Card
from pitboss.cards.poker import rank
from pitboss.games.colorado_holdem.exact import SOLVER
from pitboss.games.colorado_holdem.readings import instant_winner
from pitboss.odds.charts import Chart, Grid, Said, Section
from pitboss.odds.one_decision import Hand, in_discard_order
from pitboss.rules.in_force import RulesInForce

DOWN = tuple(reversed(RANKS))
POINTS = 100  # to a unit of the Ante
# Which of three cards, highest first, share a suit.
SUITED = {
    (): "three suits",
    (0, 1): "the higher two suited",
    (0, 2): "the outer two suited",
    (1, 2): "the lower two suited",
    (0, 1, 2): "all suited",
}

Kind = frozenset[Card]  # the hand that stands for all of its class


class Weighed(NamedTuple):
    """A kind of hand, in the order of its discards; how many there are, its best action and what each is worth."""

    cards: Hand
    ways: int
    best: str
    worths: dict[tuple[str, Card | None], Fraction]  # by action and discard


def chart(rules: RulesInForce) -> Chart:
    """Return the complete rule for the action and the points for the discard, both over every kind of hand."""
    (asked,) = rules.actions
    hands = list(_weighed(rules))
    return Chart((_actions(rules, asked, hands), _discards(asked, hands)))


def _weighed(rules: RulesInForce) -> Iterator[Weighed]:
    for cards, ways, choices in SOLVER.solved(rules):
        worths = {(choice.action.name, choice.discard): choice.worth for choice in choices}
        yield Weighed(in_discard_order(cards), ways, choices[0].action.name, worths)


def _actions(rules: RulesInForce, asked: str, hands: list[Weighed]) -> Section:
    ace_low = rules.options["ace-low-three-card"] == "yes"
    counts: Counter[str] = Counter()
    winners: list[Weighed] = []
    pairs: list[Weighed] = []
    others: list[Weighed] = []
    for hand in hands:
        counts[hand.best] += hand.ways
        if instant_winner(hand.cards, ace_low=ace_low):
            winners.append(hand)
        else:
            (pairs if len({card[0] for card in hand.cards}) < 3 else others).append(hand)
    said: dict[Kind, Said] = {}
    lines: list[str] = []
    for title, those in (("an instant winner", winners), ("a pair", pairs), ("no pair", others)):
        lines += _all_but(title, those, said)
    return Section(
        "The action",
        tuple(lines),
        Fraction(0),
        dict(counts.most_common()),
        asked=asked,
        says=lambda cards, board: said[_kind(cards)],
    )


def _all_but(title: str, hands: list[Weighed], said: dict[Kind, Said]) -> Iterator[str]:
    # The action most hands take, then the exceptions, hands of the same suits together.
    counts: Counter[str] = Counter()
    for hand in hands:
        counts[hand.best] += hand.ways
    usual = counts.most_common(1)[0][0]
    rule = f"With {title}: {usual}"
    yield f"{rule}{'' if len(counts) == 1 else ', except as follows'}."
    said |= {_kind(hand.cards): Said(f"{rule}.", usual) for hand in hands}
    patterns: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    open_to: defaultdict[str, set[str]] = defaultdict(set)
    for hand in hands:
        name, suited = _named(hand.cards)
        open_to[name].add(suited)
        if hand.best != usual:
            patterns[hand.best, name].add(suited)
    together: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for (action, name), found in patterns.items():
        together[action, _how(found, open_to[name])].append(name)
    for (action, how), names in together.items():
        yield f"{action.capitalize()} {' '.join(names)}: {how}."
    said |= {
        _kind(hand.cards): Said(f"{hand.best.capitalize()} {': '.join(_named(hand.cards))}.", hand.best)
        for hand in hands
        if hand.best != usual
    }


def _how(found: set[str], open_to: set[str]) -> str:
    if found == open_to:
        return "any suits"
    but = len(found) > len(open_to - found)
    listed = (words for words in SUITED.values() if words in (open_to - found if but else found))
    return ("any suits except " if but else "") + " or ".join(listed)


def _kind(cards: Hand) -> Kind:
    return frozenset(SOLVER.in_class(cards))


def _named(cards: Hand) -> tuple[str, str]:
    high_first = sorted(cards, key=lambda card: (-rank(card), card[1]))
    suits = [card[1] for card in high_first]
    shared = tuple(place for place, suit in enumerate(suits) if suits.count(suit) > 1)
    return "".join(card[0] for card in high_first), SUITED[shared]


def _discards(asked: str, hands: list[Weighed]) -> Section:
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    counts: Counter[str] = Counter()
    for hand in hands:
        for card in hand.cards:
            kept = _kept(hand.cards, card)
            sums[kept] += hand.ways * max(worth for (_, discard), worth in hand.worths.items() if discard == card)
            counts[kept] += hand.ways
    points = {kept: round(POINTS * total * Fraction(1, counts[kept])) for kept, total in sums.items()}

    def discard_of(cards: Hand) -> Card:
        # In the order of discards: of equal points the first, which is the lowest card.
        return max(cards, key=lambda card: points[_kept(cards, card)])

    def says(cards: Hand, board: Hand) -> Said:
        discard = discard_of(in_discard_order(cards))
        kept = _kept(cards, discard)
        return Said(f"Keep {kept}, which has the most points ({points[kept]}).", discard=discard)

    lost = Fraction(0)
    for hand in hands:
        if (hand.best, None) not in hand.worths:
            discard = discard_of(hand.cards)
            lost += hand.ways * (max(hand.worths.values()) - hand.worths[hand.best, discard])
    cells = tuple(tuple(str(points[_square(row, column)]) for column in DOWN) for row in DOWN)
    legend = {"points": "of the two cards kept; suited above the diagonal, offsuit below it, pairs on it"}
    rule = "Keep the two cards with the most points. If points tie, discard the lowest card."
    cost = lost * Fraction(1, sum(hand.ways for hand in hands))
    grid = Grid(DOWN, DOWN, cells, legend, is_points=True)
    return Section("The discard", (rule,), cost, {}, grid, asked=asked, says=says)


def _kept(cards: Hand, discard: Card) -> str:
    first, second = (card for card in cards if card != discard)
    return _two(first, second)


def _two(first: Card, second: Card) -> str:
    high, low = sorted((first, second), key=rank, reverse=True)
    return high[0] + low[0] + ("" if high[0] == low[0] else "s" if high[1] == low[1] else "o")


def _square(row: str, column: str) -> str:
    if row == column:
        return row * 2
    return f"{row}{column}s" if RANKS.index(row) > RANKS.index(column) else f"{column}{row}o"
