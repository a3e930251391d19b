"""The named strategies and their exact values."""

from fractions import Fraction
from itertools import combinations_with_replacement

from pitboss.cards.deck import RANKS, STANDARD_DECK, Card
from pitboss.cards.poker import PAIR, STRAIGHT, best, category, rank
from pitboss.games.ultimate_texas_holdem.exact import action_worths
from pitboss.games.ultimate_texas_holdem.play import BEFORE, FLOP, RIVER, player
from pitboss.games.ultimate_texas_holdem.readings import TEN
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Answer, Sight, Strategy

Hand = tuple[Card, ...]

BASIC_RAISES = "33+ A2s+ A2o+ K2s+ K5o+ Q6s+ Q8o+ J8s+ JTo"
TWO, MOST_OUTS, HOLES = 1, 20, 1326
# The chart that this strategy plays, as `chart.py` words it when it finds the same.
BASIC_WORDS = (
    (
        f"Raise 4x with {BASIC_RAISES}.",
        "Check anything else. No other raise size is ever better.",
    ),
    (
        "Raise 2x with a pair that uses one of your own cards, but not with a pocket pair below threes.",
        "Raise 2x with a straight or better.",
        "Raise 2x with four to a flush when your highest card of that suit is a ten or better.",
        "Check anything else.",
    ),
    (
        "Raise 1x with a pair that uses one of your own cards, or a straight or better that isn't all on the board.",
        f"Raise 1x when at most {MOST_OUTS} of the 45 unseen cards would each let the dealer beat you.",
        "Fold anything else.",
    ),
)
WAITS = (Answer(BEFORE, "check"), Answer(FLOP, "check"))
STRATEGIES = (
    Strategy(OPTIMAL, "Takes the action that is worth the most."),
    Strategy(
        "basic",
        "Plays the `pitboss strategy` chart: its grid before the flop, its short rules after.",
        (
            Answer(BEFORE, "raise 4x", ("hole-on-the-grid",)),
            Answer(FLOP, "raise 2x", ("pair-of-its-own-on-the-flop",)),
            Answer(FLOP, "raise 2x", ("straight-or-better",)),
            Answer(FLOP, "raise 2x", ("four-to-a-flush-with-a-ten",)),
            *WAITS,
            Answer(RIVER, "raise 1x", ("pair-of-its-own",)),
            Answer(RIVER, "raise 1x", ("straight-or-better", "better-than-the-board")),
            Answer(RIVER, "raise 1x", ("few-cards-beat-it",)),
            Answer(RIVER, "fold"),
        ),
        plays_the_chart=True,
    ),
    Strategy(
        "never-early",
        "Checks to the river, then takes the action that is worth the most.",
        (*WAITS, Answer(RIVER, "raise 1x", ("worth-a-raise",)), Answer(RIVER, "fold")),
    ),
    Strategy(
        "mimic",
        "Checks to the river, then raises 1x with a pair or better (what the dealer needs) and folds the rest.",
        (*WAITS, Answer(RIVER, "raise 1x", ("pair-or-better",)), Answer(RIVER, "fold")),
    ),
    Strategy("always-play", "Checks to the river and raises 1x with every hand.", (*WAITS, Answer(RIVER, "raise 1x"))),
    Strategy("always-raise", "Raises 4x before the flop with every hand.", (Answer(BEFORE, "raise 4x"),)),
)


def sight(rules: RulesInForce) -> Sight:
    """Return what the strategies look for."""
    optimal = player(rules)
    return Sight(
        {
            "hole-on-the-grid": lambda cards, shown: written(cards) in GRID,
            "pair-of-its-own-on-the-flop": lambda cards, shown: has_pair(cards, shown.board, least=TWO + 1),
            "pair-of-its-own": lambda cards, shown: has_pair(cards, shown.board),
            "pair-or-better": lambda cards, shown: category(best(cards + shown.board)) >= PAIR,
            "straight-or-better": lambda cards, shown: has_straight(cards, shown.board),
            "better-than-the-board": lambda cards, shown: best(cards + shown.board) > best(shown.board),
            "four-to-a-flush-with-a-ten": lambda cards, shown: draws_to_flush(cards, shown.board, least=TEN),
            "few-cards-beat-it": lambda cards, shown: outs_of_dealer(cards, shown.board) <= MOST_OUTS,
            "worth-a-raise": lambda cards, shown: optimal(RIVER, cards, shown)[0] != "fold",
        }
    )


def worth(rules: RulesInForce, strategy: Strategy) -> Fraction | None:
    """Return the exact value of the main game under a strategy, in units of the Ante, where it is known."""
    if strategy.name == "basic":
        from pitboss.games.ultimate_texas_holdem.chart import chart

        found = chart(rules)
        same = tuple(section.rules for section in found.sections) == BASIC_WORDS
        return _mean(rules, "best") - found.cost if same else None
    times = {"always-play": 1, "always-raise": 4}.get(strategy.name)
    return None if times is None else _mean(rules, times)


def _mean(rules: RulesInForce, times: int | str) -> Fraction:
    # A raise before the flop is worth a fixed amount plus an amount per unit raised, whenever it is made.
    total = Fraction(0)
    for low, high in combinations_with_replacement(RANKS, 2):
        for suit, ways in (("d", 6),) if low == high else (("c", 4), ("d", 12)):
            worths = action_worths(rules, (Card(high + "c"), Card(low + suit)))
            if times == "best":
                total += ways * max(worths.values())
            else:
                each = worths["raise 4x"] - worths["raise 3x"]
                total += ways * (worths["raise 4x"] + (int(times) - 4) * each)
    return total * Fraction(1, HOLES)


def written(hole: Hand) -> str:
    """Return two cards as players write them, such as AKs, T9o or 33."""
    high, low = sorted(hole, key=rank, reverse=True)
    return high[0] + low[0] + ("" if high[0] == low[0] else "s" if high[1] == low[1] else "o")


def _grid(text: str) -> frozenset[str]:
    # As players write it: 33+ is every pair from threes up, K5o+ every higher kicker below the king.
    found = set()
    for word in text.split():
        high, low, suited = word[0], word[1], word.rstrip("+")[2:]
        first = RANKS.index(low)
        last = len(RANKS) if high == low else RANKS.index(high)
        for kicker in RANKS[first:last] if word.endswith("+") else low:
            found.add((kicker if high == low else high) + kicker + suited)
    return frozenset(found)


GRID = _grid(BASIC_RAISES)


def has_pair(hole: Hand, board: Hand, least: int = TWO) -> bool:
    """Return whether a card of the hole is paired: a pocket pair of at least this rank, or one with the board."""
    if hole[0][0] == hole[1][0]:
        return rank(hole[0]) >= least
    return not {card[0] for card in hole}.isdisjoint(card[0] for card in board)


def has_straight(hole: Hand, board: Hand) -> bool:
    """Return whether the hand is a straight or better."""
    return category(best(hole + board)) >= STRAIGHT


def draws_to_flush(hole: Hand, board: Hand, least: int) -> bool:
    """Return whether there are four to a flush with a card of the hole of at least this rank."""
    suits = [card[1] for card in (*hole, *board)]
    return any(rank(card) >= least and suits.count(card[1]) == 4 for card in hole)


def outs_of_dealer(hole: Hand, board: Hand) -> int:
    """Return how many of the 45 unseen cards would each let the dealer beat the hand."""
    mine = best(hole + board)
    unseen = (card for card in STANDARD_DECK.cards if card not in hole and card not in board)
    return sum(best((card, *board)) > mine for card in unseen)
