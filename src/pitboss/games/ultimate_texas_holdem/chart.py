"""A strategy to memorize: a grid before the flop, and short rules after it with their exact cost."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANK_TITLES, RANKS, Card
from pitboss.cards.poker import best, rank
from pitboss.games.ultimate_texas_holdem import exact
from pitboss.games.ultimate_texas_holdem.play import BEFORE, FLOP, RIVER
from pitboss.games.ultimate_texas_holdem.solution import DEALS, by_ranks, by_slot, payoffs, solve
from pitboss.games.ultimate_texas_holdem.strategies import draws_to_flush, has_pair, has_straight, outs_of_dealer
from pitboss.odds.charts import MULTIPLES, SHORT_HANDS, Chart, Grid, Said, Section
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.evaluator import CATEGORY, rank_hands
from pitboss.odds.symmetry import hole_cards, hole_index, kinds, stabilisers
from pitboss.rules.in_force import RulesInForce

DOWN = tuple(reversed(range(len(RANKS))))
STRAIGHT = 4
PAIRED = "a pair that uses one of your own cards, or a straight or better that isn't all on the board"

Booleans = NDArray[np.bool_]
Hand = tuple[Card, ...]


def chart(rules: RulesInForce) -> Chart:
    """Return the grid of raises before the flop and the short rules for the flop and the river."""
    found = exact.kept("short-rules", rules, lambda: _short_rules(rules))
    flop_cost, river_cost = (Fraction(found[name]) for name in ("flop_cost", "river_cost"))
    pocket, draw = RANK_TITLES[found["pocket"]], RANK_TITLES[found["draw"]]
    pocket_text = f", but not with a pocket pair below {_plural(pocket)}" if found["pocket"] else ""
    flop = (
        f"Raise 2x with a pair that uses one of your own cards{pocket_text}.",
        "Raise 2x with a straight or better.",
        f"Raise 2x with four to a flush when your highest card of that suit is {_a(draw)} or better.",
        "Check anything else.",
    )
    river = (
        f"Raise 1x with {PAIRED}.",
        f"Raise 1x when at most {found['outs']} of the 45 unseen cards would each let the dealer beat you.",
        "Fold anything else.",
    )

    def says_on_flop(hole: Hand, board: Hand) -> Said:
        # Ranks are counted from 0 in what was found, and from 1 in cards.
        fits = (
            has_pair(hole, board, least=found["pocket"] + 1),
            has_straight(hole, board),
            draws_to_flush(hole, board, least=found["draw"] + 1),
        )
        return Said(flop[fits.index(True)], "raise 2x") if any(fits) else Said(flop[-1], "check")

    def says_on_river(hole: Hand, board: Hand) -> Said:
        made = has_straight(hole, board) and best(hole + board) > best(board)
        fits = has_pair(hole, board) or made, outs_of_dealer(hole, board) <= found["outs"]
        return Said(river[fits.index(True)], "raise 1x") if any(fits) else Said(river[-1], "fold")

    return Chart(
        (
            before_the_flop(rules),
            Section("After the flop", flop, flop_cost, notations=(MULTIPLES,), asked=FLOP, says=says_on_flop),
            Section("After the river", river, river_cost, notations=(MULTIPLES,), asked=RIVER, says=says_on_river),
        )
    )


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "ae" else f"a {word}"


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith("x") else f"{word}s"


def before_the_flop(rules: RulesInForce) -> Section:
    """Return the grid of raises before the flop, complete by the symmetry of suits."""
    price = exact.worths_before(rules)
    best_by_hole = [max(worths, key=worths.__getitem__) for worths in map(price, range(len(hole_cards()[0])))]
    (raising,) = set(best_by_hole) - {"check"}  # the solution itself asserts that one size of raise is best
    marks = {True: raising.split()[-1], False: "."}

    def raises(row: int, column: int) -> bool:
        # Cards by their numbers: suited above the diagonal, where the row is the higher rank.
        first, second = 4 * row, 4 * column + (0 if row > column else 1)
        return best_by_hole[int(hole_index()[52 * first + second])] != "check"

    marked = {(row, column): raises(row, column) for row in DOWN for column in DOWN}
    names = tuple(RANKS[rank] for rank in DOWN)
    cells = tuple(tuple(marks[marked[row, column]] for column in DOWN) for row in DOWN)
    legend = {marks[True]: "raise; suited above the diagonal, offsuit below it", marks[False]: "check"}
    hands = {action: best_by_hole.count(action) for action in (raising, "check")}
    told = (
        f"{raising.capitalize()} with {_written(marked)}.",
        "Check anything else. No other raise size is ever better.",
    )

    def says(hole: Hand, board: Hand) -> Said:
        high, low = sorted((rank(card) - 1 for card in hole), reverse=True)
        is_marked = marked[(high, low) if hole[0][1] == hole[1][1] else (low, high)]
        return Said(told[0], raising) if is_marked else Said(told[1], "check")

    return Section(
        "Before the flop",
        told,
        Fraction(0),
        hands,
        Grid(names, names, cells, legend),
        (SHORT_HANDS, MULTIPLES),
        BEFORE,
        says,
    )


def _written(marked: dict[tuple[int, int], bool]) -> str:
    # A run of kickers up to the rank below the high card, as players write it; anything else one by one.
    words = []
    pairs = [rank for rank in DOWN if marked[rank, rank]]
    words += _run([RANKS[pair] * 2 for pair in pairs], whole=pairs == list(DOWN[: len(pairs)]))
    for high in DOWN:
        below = [rank for rank in DOWN if rank < high]
        suited = [rank for rank in below if marked[high, rank]]
        offsuit = [rank for rank in below if marked[rank, high]]
        for kickers, suffix in ((suited, "s"), (offsuit, "o")):
            hands = [f"{RANKS[high]}{RANKS[kicker]}{suffix}" for kicker in kickers]
            words += _run(hands, whole=kickers == below[: len(kickers)])
    return " ".join(words)


def _run(hands: list[str], *, whole: bool) -> list[str]:
    return [f"{hands[-1]}+"] if whole and len(hands) > 1 else hands


def _short_rules(rules: RulesInForce) -> dict[str, Any]:
    # Costs add up: the flop's assumes optimal play after it, the river's is counted where the flop's rule checks.
    solution = solve(rules)
    total = solution.scale * DEALS
    check_before = solution.before == 0
    weights = 24 // stabilisers(kinds(3).masks).sum(axis=1)
    features = _Features()
    flop_cost, pocket, draw, raises = min(
        (
            (_flop_cost(solution.gain_flop, raises, weights, check_before), pocket, draw, raises)
            for pocket in range(4)
            for draw in range(5, 13)
            if (raises := features.raises(pocket, draw)) is not None
        ),
        key=lambda pair: pair[0],
    )
    river_cost, outs = _river(rules, ~check_before, raises)
    return {
        "flop_cost": str(Fraction(flop_cost, 24 * total)),
        "river_cost": str(Fraction(river_cost, total)),
        "pocket": pocket,
        "draw": draw,
        "outs": outs,
    }


def _flop_cost(gain: NDArray[np.int64], raises: Booleans, weights: NDArray[np.int64], check_before: Booleans) -> int:
    wrong = np.where(raises, np.minimum(gain, 0), np.maximum(gain, 0))
    return int((np.abs(wrong[:, check_before]).sum(axis=1) * weights).sum())


class _Features:
    """What a person sees of each hole on each kind of flop."""

    def __init__(self) -> None:
        masks = kinds(3).masks
        first, second = hole_cards()
        high, low = np.maximum(first, second) >> 2, np.minimum(first, second) >> 2
        self.pocket = np.where(high == low, high, -1)
        ranks = np.bitwise_or.reduce(masks, axis=1)[:, None]
        self.pairs_flop = (high != low) & ((ranks >> high | ranks >> low) & 1 == 1)
        self.draw = np.full((len(masks), first.size), -1)
        for suit in range(4):
            held = ((first & 3) == suit).astype(np.int64) + ((second & 3) == suit)
            best = np.maximum(
                np.where((first & 3) == suit, first >> 2, -1), np.where((second & 3) == suit, second >> 2, -1)
            )
            four = np.bitwise_count(masks[:, suit])[:, None] + held == 4
            self.draw = np.where(four, np.maximum(self.draw, best), self.draw)
        self.made = _made(masks, first, second)

    def raises(self, pocket: int, draw: int) -> Booleans:
        found: Booleans = (self.pocket >= pocket) | self.pairs_flop | (self.draw >= draw) | self.made
        return found


def _made(masks: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]) -> Booleans:
    made = np.zeros((len(masks), first.size), np.bool_)
    for number, by_suit in enumerate(masks.tolist()):
        flop = [4 * rank + suit for suit in range(4) for rank in range(13) if by_suit[suit] >> rank & 1]
        free = ~(np.isin(first, flop) | np.isin(second, flop))
        hands = np.column_stack([np.tile(flop, (int(free.sum()), 1)), first[free], second[free]])
        made[number, free] = CATEGORY[rank_hands(hands.astype(np.uint8))] >= STRAIGHT
    return made


def _river(rules: RulesInForce, raises_before: Booleans, raises_flop: Booleans) -> tuple[int, int]:
    from pitboss.games.ultimate_texas_holdem.river_kernels import count_river

    pays, boards = payoffs(rules), kinds(5)
    decided = by_ranks(raises_before), by_slot(raises_flop & ~raises_before)

    def work(thread: int, threads: int) -> NDArray[np.int64]:
        gained = np.zeros((2, 48, 2), np.int64)
        count_river(thread, threads, *boards[:2], *pays.tables(), pays.fold, *decided, gained)
        return gained

    (losses, gains), (losses_paired, _) = np.moveaxis(np.sum(on_every_thread(work), axis=0), 2, 1)
    costs = [int(-losses[: most + 1].sum() + gains[most + 1 :].sum()) for most in range(46)]
    outs = costs.index(min(costs))
    return costs[outs] - int(losses_paired.sum()), outs
