"""What exposed cards are worth: one or both of the dealer's, a card of the flop, of the turn and river, neighbors'."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem import lane_kernels, matchup_kernels, peek_kernels, view_kernels
from pitboss.games.ultimate_texas_holdem.board_kernels import CLASSES
from pitboss.games.ultimate_texas_holdem.neighbors import with_neighbors
from pitboss.games.ultimate_texas_holdem.relations import Relations, rule_against_hole
from pitboss.games.ultimate_texas_holdem.solution import Payoffs, payoffs
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.exposure import DEALER, FLOP, NEIGHBOURS, TURN_RIVER, Exposed, Exposure, Moments
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.symmetry import SUIT_PERMUTATIONS, hole_cards, holes_permuted, kinds
from pitboss.rules.in_force import RulesInForce

CARDS, BOARD, RANKS = 52, 5, 13
HOLES = comb(CARDS, 2)
# Sums of one hole, card and board card, under 24 changes of suits, have to fit into 64 bits.
LARGEST_UNITS = (1 << 62) // (24 * 10 * comb(48, 4) * 990 * 8)

Integers = NDArray[np.int64]
Announce = Callable[[str], None]


def exposed(
    rules: RulesInForce, exposure: Exposure, ties: str = "more", announce: Announce = lambda _: None
) -> Exposed:
    """Return what the main game is worth to a player who has seen these cards before the first decision."""
    pays = payoffs(rules)
    if max(abs(units) for rows in (pays.fixed, pays.play) for row in rows for units in row) > LARGEST_UNITS:
        raise NotCountable(f"Odds above about {LARGEST_UNITS // pays.scale:,} to 1 are too large to count exactly.")
    board = exposure.flop + exposure.turn_river
    if exposure.only(DEALER, FLOP, TURN_RIVER) and exposure.dealer <= 1 and board <= 1:
        return _Peeked(pays, exposure, ties, announce).exposed()
    if exposure == Exposure(dealer=2):
        return _matched(pays, ties, announce)
    if exposure.only(NEIGHBOURS):
        return with_neighbors(rules, exposure.neighbours, ties, announce)
    raise NotCountable(
        f"In {rules.game.title} figures cover at most one card of the board, with at most one of the dealer's cards,"
        " or both of the dealer's cards, or neighbors' cards."
    )


class _Peeked:
    """The game of a player who sees at most one of the dealer's cards and at most one of the board."""

    def __init__(self, pays: Payoffs, exposure: Exposure, ties: str, announce: Announce) -> None:
        self.pays = pays
        self.exposure = exposure
        self.equal_raises = ties == "more"
        self.announce = announce
        self.shown = CARDS if exposure.dealer else 1
        self.dealers = view_kernels.ONE_OF_DEALERS if exposure.dealer else view_kernels.BOTH_OF_DEALERS
        self.has_board = exposure.flop + exposure.turn_river > 0

    def exposed(self) -> Exposed:
        """Return the worth of the best play, summed over every hole and everything seen."""
        # A board has ten flops, six with a given card; with a card of the turn or river the other one is any of four.
        after = 4 if self.exposure.turn_river else 6 if self.exposure.flop else 10
        best = raised = situations = 0
        relations = Relations(is_dealer_seen=self.exposure.dealer > 0)
        gained = self._gained(4 if self.exposure.turn_river else 3)
        multiple = max(self.pays.multiples)
        for rank, ((base, each, waited), gain) in enumerate(zip(self._standing(), gained, strict=True)):
            raise_now, check = after * (base + multiple * each), after * waited + gain
            dealt = waited != 0
            raises = dealt & ((raise_now >= check) if self.equal_raises else (raise_now > check))
            best += int(np.maximum(raise_now, check).astype(object).sum())
            raised += int(np.count_nonzero(raises))
            situations += int(np.count_nonzero(dealt))
            gains = np.where(dealt, raise_now - check, 0)
            relations.add(gains, rank if self.has_board else None)
        seen = comb(CARDS - self.has_board, 2) * (CARDS - 2 - self.has_board if self.exposure.dealer else 1)
        assert situations == (RANKS if self.has_board else 1) * seen, "no dealt hand is worth exactly nothing"
        left = CARDS - 2 - bool(self.exposure.dealer) - self.has_board
        boards = comb(left, BOARD - self.has_board)
        total = situations * boards * after * self.dealers * self.pays.scale
        share = Fraction(raised, situations)
        answers = {f"raise {multiple}x": share, "check": 1 - share}
        told = relations.rule(multiple, total)
        different = _kinds_seen(singles=int(self.shown > 1) + self.has_board)
        return Exposed(Moments(Fraction(best, total)), answers, different, told)

    def _sums(self, *parts: tuple[Integers, Integers, int]) -> view_kernels.Sums:
        fixed, play = self.pays.tables()

        def form(by_end: Integers) -> Integers:
            return view_kernels.linear(by_end, self.dealers)

        return view_kernels.Sums(
            np.array([form(always) for always, _, _ in parts]),
            np.array([form(raised) for _, raised, _ in parts]),
            np.array([self.dealers * folded for _, _, folded in parts], np.int64),
            form(fixed + play - self.pays.fold),
        )

    def _by_ranks(self, sums: view_kernels.Sums) -> NDArray[np.int32]:
        ranks = view_kernels.HALF if self.exposure.dealer else 1
        found = np.zeros((view_kernels.RANK_SETS, len(sums.always), 91, ranks), np.int32)
        on_every_thread(lambda thread, threads: view_kernels.sum_by_ranks(thread, threads, sums, found))
        return found

    def _standing(self) -> list[Integers]:
        """Return, for each board card that may be seen, the fixed part, what each unit raised wins, and a wait."""
        self.announce("raises before the flop")
        fixed, play = self.pays.tables()
        nothing = np.zeros_like(fixed)
        sums = self._sums((fixed, nothing, 0), (play, nothing, 0), (nothing, fixed + play, self.pays.fold))
        by_ranks = self._by_ranks(sums)
        if self.has_board and self.exposure.dealer:
            return self._standing_by_card(by_ranks, sums)
        known = [np.array([1 << rank, 0, 0, 0], np.int64) for rank in range(RANKS)]
        boards = known if self.has_board else [np.zeros(4, np.int64)]

        def work(thread: int, threads: int) -> list[tuple[int, Integers]]:
            done = []
            for at in range(thread, len(boards), threads):
                plain, found, view, counts, last = peek_kernels.room_for(3, self.shown)
                peek_kernels.sum_cards(boards[at], by_ranks, sums, plain, found, view, counts, last)
                done.append((at, found))
            return done

        return [found for _, found in sorted((pair for part in on_every_thread(work) for pair in part), key=_place)]

    def _standing_by_card(self, by_ranks: NDArray[np.int32], sums: view_kernels.Sums) -> list[Integers]:
        # A board is looked at once for each of its cards that may be the known one, not once for each known card.
        def work(thread: int, threads: int) -> NDArray[np.float64]:
            views = np.zeros((2 * RANKS, 3, CLASSES, lane_kernels.LANES))
            lane_kernels.sum_one_known(thread, threads, by_ranks, sums, views)
            return views

        views = np.sum(on_every_thread(work), axis=0).astype(np.int64)
        standing = []
        for rank in range(RANKS):
            plain, found, *_ = peek_kernels.room_for(3, self.shown)
            peek_kernels.sum_known_card(rank, by_ranks, views, plain, found)
            standing.append(found)
        return standing

    def _gained(self, cards: int) -> list[Integers]:
        """Return, for each board card that may be seen, what a raise on the flop adds where it is the better choice."""
        self.announce("raises on the flop")
        fixed, play = self.pays.tables()
        sums = self._sums((fixed + 2 * play, -(fixed + play), -self.pays.fold))
        by_ranks = self._by_ranks(sums)
        masks, ways = _in_order_of_ranks(cards)

        def work(thread: int, threads: int) -> Integers:
            gained = np.zeros((CARDS if self.has_board else 1, HOLES, self.shown), np.int64)
            part = slice(thread * len(ways) // threads, (thread + 1) * len(ways) // threads)
            peek_kernels.add_gains(0, 1, masks[part], ways[part], by_ranks, sums, gained)
            return gained

        gained: Integers = np.sum(on_every_thread(work), axis=0)
        seen = [4 * rank for rank in range(RANKS)] if self.has_board else [None]
        return [self._pooled(gained, card) for card in seen]

    def _pooled(self, gained: Integers, card: int | None) -> Integers:
        # A kind of flop was summed once for all its changes of suits: what a change turns into one another is pooled.
        total = np.zeros((HOLES, self.shown), np.int64)
        cards = np.arange(CARDS)
        for change, holes in zip(SUIT_PERMUTATIONS, holes_permuted(), strict=True):
            moved = cards & ~3 | change[cards & 3]
            rows = gained[0 if card is None else moved[card]][holes]
            total += rows[:, moved] if self.shown > 1 else rows
        assert not (total % 24).any(), "sums over symmetric holes divide evenly"
        return total // 24


def _matched(pays: Payoffs, ties: str, announce: Announce) -> Exposed:
    """Return what the game is worth to a player who sees both of the dealer's cards."""
    fixed, play = pays.tables()
    wait = np.maximum(fixed + play, pays.fold)
    announce("raises before the flop")
    standing = np.zeros((3, HOLES, HOLES))
    matchup_kernels.sum_holes(_by_category(fixed, play, wait), standing)
    announce("raises on the flop")
    masks, ways = _in_order_of_ranks(3)
    gains = _by_category(fixed + 2 * play - wait)

    def work(thread: int, threads: int) -> NDArray[np.float64]:
        gained = np.zeros((HOLES, HOLES))
        part = slice(thread * len(ways) // threads, (thread + 1) * len(ways) // threads)
        matchup_kernels.add_gains(0, 1, masks[part], ways[part], gains, gained)
        return gained

    gained = np.sum(on_every_thread(work), axis=0)
    pooled = np.zeros((HOLES, HOLES))
    for holes in holes_permuted():
        pooled += gained[np.ix_(holes, holes)]
    assert not (pooled % 24).any(), "sums over symmetric holes divide evenly"
    base, each, waited = standing
    multiple = max(pays.multiples)
    raise_now, check = 10 * (base + multiple * each), 10 * waited + pooled // 24
    first, second = hole_cards()
    cards = np.stack([first, second], axis=1)
    dealt = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
    raises = dealt & ((raise_now >= check) if ties == "more" else (raise_now > check))
    best = np.where(dealt, np.maximum(raise_now, check), 0).astype(np.int64)
    situations = int(np.count_nonzero(dealt))
    total = situations * comb(CARDS - 4, BOARD) * 10 * pays.scale
    share = Fraction(int(np.count_nonzero(raises)), situations)
    worth = Moments(Fraction(int(best.astype(object).sum()), total))
    gained_now: Integers = np.where(dealt, raise_now - check, 0).astype(np.int64)
    rule = rule_against_hole(gained_now, multiple, total)
    return Exposed(worth, {f"raise {multiple}x": share, "check": 1 - share}, _kinds_seen(pairs=1), rule)


def _in_order_of_ranks(cards: int) -> tuple[Integers, Integers]:
    """Return the kinds of so many cards and their multiplicities, those of the same ranks one after another."""
    found = kinds(cards)
    ranks = (found.masks[:, :, None] >> np.arange(RANKS) & 1).sum(axis=1)
    order = np.lexsort(ranks.T)
    return found.masks[order], found.multiplicity[order]


def _by_category(*tables: Integers) -> NDArray[np.float64]:
    return np.array([table.T for table in tables], np.float64)


def _kinds_seen(*, singles: int = 0, pairs: int = 0) -> int:
    """Return how many holes, single cards and pairs of cards differ in more than their suits."""
    # By Burnside's lemma: the mean, over all changes of suits, of what a change leaves as it is.
    total = 0
    for change in SUIT_PERMUTATIONS.tolist():
        fixed = RANKS * sum(change[suit] == suit for suit in range(4))
        swapped = RANKS * sum(change[change[suit]] == suit != change[suit] for suit in range(4)) // 2
        if pairs:
            total += comb(fixed, 2) * (comb(max(fixed - 2, 0), 2) + 2 * swapped) + swapped * (swapped - 1)
        else:
            total += comb(fixed, 2) * _falling(fixed - 2, singles) + swapped * _falling(fixed, singles)
    return total // len(SUIT_PERMUTATIONS)


def _falling(cards: int, drawn: int) -> int:
    return prod(max(cards - at, 0) for at in range(drawn))


def _place(pair: tuple[int, Integers]) -> int:
    return pair[0]
