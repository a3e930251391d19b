"""Enumerates every deal of a game from its definition only, and finds the best play of each hand.

Hands that differ only by cards which read alike, or by their suits, are enumerated once. What is dealt after a
decision is counted, not listed, wherever the readings ask no more of it than the dealer's value.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards.deck import RANKS, Card
from pitboss.odds.alike import Alike, Integers
from pitboss.odds.deciding import answer_name
from pitboss.odds.outcomes import Cells, NotCountable, Stakes
from pitboss.odds.pricing import net_of_stakes, required_stakes, stakes_after
from pitboss.odds.seen import questions
from pitboss.odds.watched import DEALER_CARDS, HAND_NAME, NO_DEALER, Blank, Keys, Needs, WatchedTable, branches
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, Action, SeatStatus
from pitboss.rules.reading import DealerReading, SeatCards, SeatReading

Row = tuple[int, ...]
Ends = Mapping[int, int]  # how many of the possible deals end in each outcome


class Seen(NamedTuple):
    """What a player knows at a decision: their own cards, and the face-up cards of the dealer and the board."""

    own: Row
    dealer: Row = ()
    board: Row = ()


class Choice(NamedTuple):
    """One answer to a question: what it discards, what is staked then, its value and how it ends."""

    action: Action
    discard: Card | None
    worth: Fraction
    staked: int
    ends: Mapping[tuple[Stakes, int], int]

    @property
    def name(self) -> str:
        return answer_name(self.action.name, self.discard)


class Enumeration:
    """A game under the rules in force, enumerated for some of its wagers."""

    def __init__(self, rules: RulesInForce, wagers: Sequence[str], *, suits_alike: bool = True) -> None:
        game = rules.game
        self.rules = rules
        self.wagers = tuple(wagers)
        self.alike = Alike(game.deck, game.readings.alike, suits_alike=suits_alike and game.readings.suits_alike)
        self.questions = tuple(questions(rules))
        self.dealt = {place: game.table_cards.get(place, 0) for place in (DEALER, BOARD)}
        self.every = np.arange(len(self.alike.permutations))
        self.outcomes: list[tuple[frozenset[str], Cells]] = []
        self._numbers: dict[tuple[frozenset[str], Cells], int] = {}
        self._nets: dict[tuple[Stakes, int], Fraction] = {}
        self._required = required_stakes(rules)
        self._by_hand_name = self._by_cards = False
        self._dealers: dict[Row | None, tuple[Keys, Integers]] = {}
        self._boards: dict[tuple[str, bool, Row, Card | None], Integers] = {}

    def hands(self) -> Iterator[tuple[Seen, int, Integers]]:
        """Yield a hand of each kind, the number of such hands and the suit permutations that leave it unchanged."""
        size = self.rules.game.cards_each
        sets = self.alike.sets(size)
        for at, ways in zip(*sets.kinds(self.alike.ways(size, self.alike.sizes), self.every), strict=True):
            yield Seen(tuple(sets.rows[at].tolist())), int(ways), np.flatnonzero(sets.moved[:, at] == at)

    def after(self, seen: Seen) -> int:
        """Return how many deals are possible for a player who sees this."""
        left = len(self.rules.game.deck) - sum(map(len, seen))
        dealer = self.dealt[DEALER] - len(seen.dealer)
        return comb(left, dealer) * comb(left - dealer, self.dealt[BOARD] - len(seen.board))

    def shown(self, stage: int, seen: Seen, keeping: Integers) -> Iterator[tuple[Seen, int, Integers]]:
        """Yield what a player may see before a question, in how many ways, and the suit permutations that keep it."""
        up = self.questions[stage][1]
        dealer, board = (up.get(place, 0) - len(now) for place, now in ((DEALER, seen.dealer), (BOARD, seen.board)))
        for first, ways, kept in self.drawn(seen, dealer, keeping):
            with_dealer = seen._replace(dealer=tuple(sorted((*seen.dealer, *first))))
            for second, more, last in self.drawn(with_dealer, board, kept):
                yield with_dealer._replace(board=tuple(sorted((*seen.board, *second)))), ways * more, last

    def drawn(self, seen: Seen, cards: int, keeping: Integers) -> Iterator[tuple[Row, int, Integers]]:
        """Yield cards that may be drawn next, in how many ways, and the suit permutations that keep them."""
        if cards <= 0:
            yield (), 1, keeping
            return
        sets = self.alike.sets(cards)
        chosen, counted = sets.kinds(self.alike.ways(cards, self._left(seen)), keeping)
        for at, ways in zip(chosen, counted, strict=True):
            yield tuple(sets.rows[at].tolist()), int(ways), keeping[sets.moved[keeping, at] == at]

    def choices(
        self, stage: int, seen: Seen, keeping: Integers, staked: Stakes | None = None, ties: str = "more"
    ) -> list[Choice]:
        """Return every answer to a question, best first: by value, then by what is staked."""
        found = []
        turns = self._turns(stage)
        total = self.after(seen) * turns
        known: dict[tuple[str, Card | None], Ends] = {}
        for place, action in enumerate(self.rules.actions[self.questions[stage][0]].values()):
            stakes = stakes_after(self._required if staked is None else staked, action)
            if action.becomes == UNDECIDED and stage + 1 < len(self.questions):
                mixed = self._later(stage + 1, seen, keeping, stakes, ties)
                found.append((self._choice(action, None, stakes, mixed, total), place, 0))
                continue
            for order, discard in enumerate(self._discards(seen.own) if action.discards else (None,)):
                key = action.becomes, discard
                if key not in known:
                    known[key] = self.ends(seen, action.becomes, discard)
                ends = {(stakes, outcome): turns * count for outcome, count in known[key].items()}
                found.append((self._choice(action, discard, stakes, ends, total), place, order))
        more = 1 if ties == "more" else -1
        found.sort(
            key=lambda entry: (-entry[0].worth, -more * entry[0].staked, entry[0].action.settles_at_once, *entry[1:])
        )
        return [choice for choice, _, _ in found]

    def _turns(self, stage: int) -> int:
        # In how many orders the cards still hidden could be turned up, question by question: a player who waits
        # sees them in turn, so a deal counts as often for one who does not.
        turns = 1
        for place in (DEALER, BOARD):
            at = [shown.get(place, 0) for _, shown in self.questions[stage:]]
            turns *= factorial(self.dealt[place] - at[0])
            for now, then in pairwise([*at, self.dealt[place]]):
                turns //= factorial(then - now)
        return turns

    def _later(
        self, stage: int, seen: Seen, keeping: Integers, staked: Stakes, ties: str
    ) -> dict[tuple[Stakes, int], int]:
        mixed: dict[tuple[Stakes, int], int] = {}
        for then, ways, kept in self.shown(stage, seen, keeping):
            best = self.choices(stage, then, kept, staked, ties)[0]
            for end, count in best.ends.items():
                mixed[end] = mixed.get(end, 0) + ways * count
        return mixed

    def _choice(
        self,
        action: Action,
        discard: Card | None,
        stakes: Stakes,
        ends: Mapping[tuple[Stakes, int], int],
        total: int,
    ) -> Choice:
        worth = sum((count * self._net(*end) for end, count in ends.items()), Fraction(0)) / total
        return Choice(action, discard, worth, sum(units for _, units in stakes), ends)

    def _net(self, stakes: Stakes, outcome: int) -> Fraction:
        key = stakes, outcome
        if key not in self._nets:
            self._nets[key] = net_of_stakes(self.rules, stakes, *self.outcomes[outcome])
        return self._nets[key]

    def _discards(self, own: Row) -> list[Card]:
        # If nothing else decides, the lowest card goes; of two such cards, the one that leaves fewer suits.
        cards = self.alike.drawn(own)

        def order(card: Card) -> tuple[int, int]:
            kept = {other[1] for other in cards if other != card}
            return (RANKS.index(card[0]), len(kept)) if card[0] in RANKS else (self.alike.number[card], 0)

        distinct = {self.alike.number[card]: card for card in reversed(cards)}
        return sorted(distinct.values(), key=order)

    def ends(self, seen: Seen, status: SeatStatus, discard: Card | None) -> Ends:
        """Count the outcomes of the deals that are possible for a hand in this state."""
        try:
            (only,) = {self._number(found.reading) for found in branches(self.reader(seen, status, discard), None)}
            return {only: self.after(seen)}
        except (Needs, Exception):
            pass  # it depends on more, or it failed on an impossible dealer's hand; a real fault shows up again below
        while True:
            try:
                return self._ends_on_table(seen, status, discard)
            except Needs as need:
                self._learn(need.place)

    def _learn(self, place: str) -> None:
        # The keys of the dealer's hands are rebuilt to distinguish what a reading asked for.
        if place == HAND_NAME and not self._by_hand_name:
            self._by_hand_name = True
        elif place == DEALER_CARDS and not self._by_cards:
            self._by_cards = True
        else:
            raise NotCountable(f"The general solver cannot count hands whose reading depends on the {place}.")
        self._dealers.clear()

    def _ends_on_table(self, seen: Seen, status: SeatStatus, discard: Card | None) -> Ends:
        read = self.reader(seen, status, discard)
        try:
            keys, named = self._dealer(None)
            counts = self._tallied(seen, keys, named)
            rest = self.after(seen) // int(counts.sum())
            return {outcome: rest * count for outcome, count in self._by_branch(read, keys, counts).items()}
        except Needs as need:
            if need.place != BOARD:
                raise
        try:
            return self._ends_by_board(seen, status, discard)
        except Needs as need:
            if need.place == BOARD:
                raise
        return self._ends_by_board_and_dealer(seen, discard, read)

    def _tallied(self, seen: Seen, keys: Keys, named: Integers) -> Integers:
        return self.alike.tally(
            self.dealt[DEALER], self._left(seen), self.alike.counts(seen.dealer), named, len(keys.readings)
        )

    def _by_branch(self, read: Any, keys: Keys, counts: Integers, **given: tuple[Card, ...]) -> dict[int, int]:
        found: dict[int, int] = {}
        for branch in branches(read, keys, **given):
            outcome = self._number(branch.reading)
            found[outcome] = found.get(outcome, 0) + int(counts[branch.keys].sum())
        return {outcome: count for outcome, count in found.items() if count}

    def _ends_by_board_and_dealer(self, seen: Seen, discard: Card | None, read: Any) -> Ends:
        found: dict[int, int] = {}
        keeping = self.alike.keeping(*seen, () if discard is None else (self.alike.number[discard],))
        for rest, ways, _ in self.drawn(seen, self.dealt[BOARD] - len(seen.board), keeping):
            row = tuple(sorted((*seen.board, *rest)))
            keys, named = self._dealer(row)
            counts = self._tallied(seen._replace(board=row), keys, named)
            for outcome, count in self._by_branch(read, keys, counts, board=self.alike.drawn(row)).items():
                found[outcome] = found.get(outcome, 0) + ways * count
        return found

    def _ends_by_board(self, seen: Seen, status: SeatStatus, discard: Card | None) -> Ends:
        size = self.dealt[BOARD]
        if len(seen.board) == size:
            read = self.reader(seen, status, discard)
            table: Any = WatchedTable(board=self.alike.drawn(seen.board))
            return {self._number(read(table, NO_DEALER)): self.after(seen)}
        named = self._board_outcomes(seen.own, status, discard)
        ways = self.alike.ways(size, self._left(seen), self.alike.counts(seen.board))
        found = np.zeros(len(self.outcomes), np.int64)
        np.add.at(found, named[ways > 0], ways[ways > 0])
        rest = self.after(seen) // int(ways.sum())
        return {outcome: rest * count for outcome, count in enumerate(found.tolist()) if count}

    def _board_outcomes(self, own: Row, status: SeatStatus, discard: Card | None) -> Integers:
        # A discard that is not looked at leaves a smaller hand, which many hands have in common.
        if discard is not None:
            kept = list(own)
            kept.remove(self.alike.number[discard])
            try:
                return self._outcomes_of_kind(tuple(kept), status, None, is_blank=True)
            except Exception:  # a reading may fail in any way when it looks at a blank card
                return self._outcomes_of_kind(own, status, discard, is_blank=False)
        return self._outcomes_of_kind(own, status, None, is_blank=False)

    def _outcomes_of_kind(self, held: Row, status: SeatStatus, discard: Card | None, *, is_blank: bool) -> Integers:
        sets, boards = self.alike.sets(len(held)), self.alike.sets(self.dealt[BOARD])
        at = self.alike.index(held)
        permutation = int(sets.moved[:, at].argmin()) if discard is None else 0
        kind = tuple(sets.rows[sets.moved[permutation, at]].tolist())
        key = status, is_blank, kind, discard
        if key not in self._boards:
            self._boards[key] = self._read_boards(kind, status, discard, is_blank=is_blank)
        found: Integers = self._boards[key][boards.moved[permutation]]
        return found

    def _read_boards(self, held: Row, status: SeatStatus, discard: Card | None, *, is_blank: bool) -> Integers:
        alike, boards = self.alike, self.alike.sets(self.dealt[BOARD])
        cards: tuple[Any, ...] = alike.drawn(held)
        thrown: Any = discard
        if is_blank:
            thrown = Blank()
            cards = (*cards, thrown)
        seat = SeatCards(cards, status, thrown)
        keeping = alike.keeping(held, () if discard is None else (alike.number[discard],))
        ways = alike.ways(self.dealt[BOARD], alike.sizes - alike.counts(held))
        chosen = boards.moved[keeping].min(axis=0)
        found = np.full(len(ways), -1, np.int64)
        readings, options = self.rules.game.readings, self.rules.options
        for board in np.unique(chosen[ways > 0]):
            table: Any = WatchedTable(board=alike.drawn(boards.rows[board]))
            found[board] = self._number(readings.seat(table, NO_DEALER, seat, options, self.wagers))
        named: Integers = found[chosen]
        return named

    def reader(self, seen: Seen, status: SeatStatus, discard: Card | None) -> Any:
        """Return the reading of a hand in this state, for any table and dealer."""
        seat = SeatCards(self.alike.drawn(seen.own), status, discard)
        readings, options = self.rules.game.readings, self.rules.options
        return lambda table, dealer: readings.seat(table, dealer, seat, options, self.wagers)

    def _number(self, reading: SeatReading) -> int:
        cells = tuple((wager, reading.cells[wager]) for wager in self.wagers if wager in reading.cells)
        key = reading.facts, cells
        if key not in self._numbers:
            self._numbers[key] = len(self.outcomes)
            self.outcomes.append(key)
        return self._numbers[key]

    def _left(self, seen: Seen) -> Integers:
        return self.alike.sizes - self.alike.counts((*seen.own, *seen.dealer, *seen.board))

    def _dealer(self, board: Row | None) -> tuple[Keys, Integers]:
        if board not in self._dealers:
            self._dealers[board] = self._read_dealers(board)
        return self._dealers[board]

    def _read_dealers(self, board: Row | None) -> tuple[Keys, Integers]:
        alike, size = self.alike, self.dealt[DEALER]
        sets = alike.sets(size)
        given = {} if board is None else {BOARD: alike.drawn(board)}
        left = alike.sizes - alike.counts(board or ())
        keeping = alike.keeping(board or ())
        chosen = np.arange(len(sets.rows)) if self._by_cards else sets.moved[keeping].min(axis=0)
        ways = alike.ways(size, left)
        found: dict[tuple[Any, ...], int] = {}
        readings: list[DealerReading] = []
        hands: list[tuple[Card, ...]] = []
        named = np.zeros(len(sets.rows), np.int64)
        for at in np.unique(chosen[ways > 0]):
            cards = alike.drawn(sets.rows[at])
            table: Any = WatchedTable(dealer=cards, **given)
            reading = self.rules.game.readings.dealer(table, self.rules.options)
            key = (reading.value, reading.qualifies) if not self._by_hand_name else tuple(reading)
            key = (*key, at) if self._by_cards else key
            if key not in found:
                found[key] = len(readings)
                readings.append(reading)
                hands.append(cards)
            named[at] = found[key]
        return self._keys(readings, hands), named[chosen]

    def _keys(self, readings: list[DealerReading], hands: list[tuple[Card, ...]]) -> Keys:
        whole = all(type(reading.value) is int and abs(reading.value) < 1 << 62 for reading in readings)
        values = np.empty(len(readings), np.int64 if whole else object)
        values[:] = [reading.value for reading in readings]
        qualifies = [-1 if reading.qualifies is None else int(reading.qualifies) for reading in readings]
        names = {name: number for number, name in enumerate(dict.fromkeys(reading.hand for reading in readings))}
        return Keys(
            readings,
            values,
            np.array(qualifies, np.int64),
            np.array([names[reading.hand] for reading in readings], np.int64),
            hands,
            self._by_hand_name,
            self._by_cards,
        )
