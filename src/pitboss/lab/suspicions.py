"""How a leak would show: what a seat's answers say about cards it couldn't see, as payoffs of mean one if it saw none.

Each suspicion names hidden cards. A seat that knew them would answer by what each answer is worth with them; its
likelihood at the true cards, divided by the mean over the cards that could as well lie there, is the payoff of a bet
that it did. Players who don't know the cards answer independently of which of these arrangements is the true one, so
the payoff has mean one whatever the seat's skill. The worths need not be right for that; they decide only how fast
evidence grows.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.answer_lines import Answer, Floats, Lines
from pitboss.lab.suspicion_kernels import average, average_apart, complete, follow
from pitboss.odds.hand_codes import Cards
from pitboss.odds.streams import deal

PRECISIONS = np.array([1.5, 8.0])  # how sharply a leak's user follows worths, by model
SLIPS = 0.03  # part of the answers that follow nothing
HINDSIGHT = 0.5  # how much of what later cards will show counts when a seat waits
REDEALS = 39

ALL_HIDDEN, STAKES, NEIGHBOR, ALL = "hidden", "stakes", "neighbor", "all"
CARD_PLACES, CARDS_MOST = 2, 8  # places with single cards under suspicion, and cards in one
PARTS = 5.0  # the wealth is shared equally: cards of two places, whole places, everything hidden, stakes

Slot = tuple[str, int]  # a place and the card's number in it


class SeatPlay(NamedTuple):
    """A seat's part of a finished round, or of many that were answered alike: a row of cards per round."""

    own: Cards
    known: Cards  # further cards the player saw: other hands of their own
    others: tuple[Cards, ...]  # the hands of seats that hadn't acted before this one's first answer come first
    waiting: int  # how many of the others these are
    table: Mapping[str, Cards]
    answers: tuple[Answer, ...]
    seeds: tuple[int, int]  # a seed and the first row's number: what re-deals are drawn from


def weight_of(suspicion: str) -> float:
    """Return the part of a test's wealth that a suspicion begins with."""
    if suspicion in (ALL_HIDDEN, STAKES):
        return 1 / PARTS
    if suspicion.startswith(NEIGHBOR):
        return 1.0
    return 1 / PARTS / (CARDS_MOST if suspicion[-1].isdigit() else CARD_PLACES)


class Care(NamedTuple):
    """How carefully answers are valued: the random deals used, and how many."""

    stream: int
    completions: int
    neighbor_deals: int


TESTED_WITH = Care(0x1EAF, 24, 192)


class Suspicions:
    """The payoffs of every suspicion about a seat of one game."""

    def __init__(self, lines: Lines, care: Care = TESTED_WITH) -> None:
        self._lines = lines
        self._care = care
        self._deck = np.arange(len(lines.rules.game.deck), dtype=np.uint8)

    def payoffs(self, play: SeatPlay) -> dict[str, Floats]:
        """Return by suspicion the payoffs of each round and model."""
        found: dict[str, Floats] = {}
        for asks, slots in self._groups(len(play.answers)):
            place = slots[0][0]
            pool = self._pool(play, asks, play.others)
            weights = self._followed(play, asks, slots[:1], pool[:, :, None])
            mean = weights.mean(axis=1)
            for _, number in slots:
                true = play.table[place][:, number]
                there = np.argmax(pool == true[:, None], axis=1)
                paid = np.take_along_axis(weights, there[:, None, None], axis=1)[:, 0] / mean
                found[f"{place}:{number + 1}"] = paid
        last = len(play.answers) - 1
        for place, first in self._hidden(last).items():
            slots = tuple((place, number) for number in range(first, self._lines.places[place]))
            if len(slots) > 1:
                found[f"{place}:{ALL}"] = self._redealt(play, last, slots, 1)
        everything = tuple(self.hidden_slots(0))
        found[ALL_HIDDEN] = self._redealt(play, 0, everything, 2)
        return found

    def neighbor(self, play: SeatPlay, which: int) -> Floats:
        """Return the payoffs of the suspicion that a seat knew the hand of one that acted after it."""
        rest = tuple(cards for at, cards in enumerate(play.others) if at != which)
        pool = self._pool(play, 0, rest)
        true = play.others[which]
        hands = np.concatenate([true[:, None, :], self._drawn(play, pool, true.shape[1], 3)], axis=1)
        weights = self._chosen(self.beside(play, 0, hands), tuple(self._lines.answers_at(())).index(play.answers[0]))
        paid: Floats = weights[:, 0] / weights.mean(axis=1)
        return paid

    def beside(self, play: SeatPlay, ask: int, hands: Cards) -> Floats:
        """Return by round, candidate and open answer what it is worth to a seat that knows another hand."""
        unseen = self._pool(play, ask, ())
        slots = tuple(self.hidden_slots(ask))
        deals = unseen[:, _pattern(self._care.stream, unseen.shape[1], self._care.neighbor_deals, len(slots))]
        nets = self._lines.nets(play.own, self._laid(play, ask, slots, deals))
        return average_apart(nets, _masks(deals), _masks(hands), *self._grouped(play.answers[:ask]), HINDSIGHT)

    def stakes(self, play: SeatPlay) -> Floats:
        """Return by round how good the cards were for the seat, from -1 to 1, of mean zero whatever was staked."""
        slots = tuple(self.hidden_slots(0))
        seats, own = play.own.shape
        whole = np.broadcast_to(self._deck, (seats, len(self._deck)))
        drawn = self._drawn(play, whole, own + len(slots), 4)
        true = np.stack([play.table[place][:, number] for place, number in slots], axis=1)
        deals = np.concatenate([np.concatenate([play.own, true], axis=1)[:, None, :], drawn], axis=1)
        flat = deals.reshape(-1, 1, own + len(slots))
        table = self._placed(slots, flat[:, :, own:])
        best = self._lines.nets(flat[:, 0, :own], table).max(axis=2).reshape(seats, -1)
        above = (best[:, :1] > best[:, 1:]).mean(axis=1) - (best[:, :1] < best[:, 1:]).mean(axis=1)
        found: Floats = above
        return found

    def worths(self, play: SeatPlay, ask: int, slots: tuple[Slot, ...], hands: Cards) -> Floats:
        """Return by round, candidate and open answer what it is worth to a seat that knows these hidden cards."""
        every = tuple(self.hidden_slots(ask))
        order = (*slots, *(slot for slot in every if slot not in slots))
        deals = self._completed(self._pool(play, ask, ()), hands, len(every))
        rounds, candidates, count, size = deals.shape
        table = self._laid(play, ask, order, deals.reshape(rounds, candidates * count, size))
        nets = self._lines.nets(play.own, table).reshape(rounds, candidates, count, -1)
        return average(nets, *self._grouped(play.answers[:ask]), HINDSIGHT)

    def _groups(self, answered: int) -> Iterator[tuple[int, tuple[Slot, ...]]]:
        # Cards that stay hidden through the same last answered question: they are interchangeable.
        for place, count in self._lines.places.items():
            by_last: dict[int, list[Slot]] = {}
            for number in range(count):
                hidden = [at for at in range(answered) if self._lines.asks[at][1].get(place, 0) <= number]
                if hidden:
                    by_last.setdefault(hidden[-1], []).append((place, number))
            yield from ((last, tuple(slots)) for last, slots in by_last.items())

    def _hidden(self, ask: int) -> dict[str, int]:
        shown = self._lines.asks[ask][1]
        return {
            place: shown.get(place, 0) for place, count in self._lines.places.items() if shown.get(place, 0) < count
        }

    def hidden_slots(self, ask: int) -> Iterator[Slot]:
        """Yield the table's cards that are hidden at a question."""
        for place, first in self._hidden(ask).items():
            yield from ((place, number) for number in range(first, self._lines.places[place]))

    def _pool(self, play: SeatPlay, ask: int, others: tuple[Cards, ...]) -> Cards:
        # The cards that could as well be any hidden one: neither in these hands nor face up at the question.
        shown = self._lines.asks[ask][1]
        taken = [play.own, play.known, *others]
        taken += [play.table[place][:, :count] for place, count in shown.items() if place in play.table]
        out = np.concatenate(taken, axis=1)
        is_left = np.ones((len(out), len(self._deck)), bool)
        np.put_along_axis(is_left, out.astype(np.int64), False, axis=1)
        found: Cards = np.broadcast_to(self._deck, is_left.shape)[is_left].reshape(len(out), -1)
        return found

    def _drawn(self, play: SeatPlay, pool: Cards, count: int, stream: int) -> Cards:
        # Independent of the true cards: drawn by the round's name.
        seed, first = play.seeds
        rows, size = pool.shape
        drawn = deal((seed + stream) % (1 << 64), first * REDEALS, rows * REDEALS, cards=size, drawn=count)
        which = drawn.reshape(rows, REDEALS * count).astype(np.int64)
        found: Cards = np.take_along_axis(pool, which, axis=1).reshape(rows, REDEALS, count)
        return found

    def _redealt(self, play: SeatPlay, last: int, slots: tuple[Slot, ...], stream: int) -> Floats:
        pool = self._pool(play, last, play.others)
        true = np.stack([play.table[place][:, number] for place, number in slots], axis=1)
        hands = np.concatenate([true[:, None, :], self._drawn(play, pool, len(slots), stream)], axis=1)
        weights = self._followed(play, last, slots, hands)
        paid: Floats = weights[:, 0] / weights.mean(axis=1)
        return paid

    def _followed(self, play: SeatPlay, last: int, slots: tuple[Slot, ...], hands: Cards) -> Floats:
        # By round, candidate and model: the likelihood of the answers up to a question of a seat that knows them.
        weights = np.ones((*hands.shape[:2], len(PRECISIONS)))
        for ask in range(last + 1):
            open_answers = tuple(self._lines.answers_at(play.answers[:ask]))
            weights *= self._chosen(self.worths(play, ask, slots, hands), open_answers.index(play.answers[ask]))
        return weights

    def _completed(self, unseen: Cards, hands: Cards, size: int) -> Cards:
        if size == hands.shape[2]:
            return hands[:, :, None, :]
        pattern = _pattern(self._care.stream, unseen.shape[1], self._care.completions, size)
        return complete(unseen, pattern, np.ascontiguousarray(hands))

    def _laid(self, play: SeatPlay, ask: int, slots: tuple[Slot, ...], deals: Cards) -> dict[str, Cards]:
        table = self._placed(slots, deals)
        shown = self._lines.asks[ask][1]
        for place, count in self._lines.places.items():
            up = min(shown.get(place, 0), count)
            if up:
                face_up = np.broadcast_to(play.table[place][:, None, :up], (*deals.shape[:2], up))
                table[place] = np.concatenate([face_up, table[place]], axis=2) if place in table else face_up
        return table

    def _placed(self, slots: tuple[Slot, ...], deals: Cards) -> dict[str, Cards]:
        by_place: dict[str, list[tuple[int, int]]] = {}
        for at, (place, number) in enumerate(slots):
            by_place.setdefault(place, []).append((number, at))
        return {place: np.take(deals, [at for _, at in sorted(where)], axis=2) for place, where in by_place.items()}

    def _grouped(self, before: tuple[Answer, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        # The lines of each answer open after these in turn, and where each answer's lines start.
        groups = self._lines.answers_at(before).values()
        starts = np.cumsum([0, *map(len, groups)])
        return np.array([line for lines in groups for line in lines], np.int64), starts.astype(np.int64)

    def _chosen(self, worths: Floats, given: int) -> Floats:
        return follow(worths, given, PRECISIONS, SLIPS)


@lru_cache(maxsize=256)
def _pattern(stream: int, cards: int, deals: int, drawn: int) -> NDArray[np.int64]:
    # Fixed arrangements: where every candidate is tried, the mean over them is exact whatever completes them.
    return deal(stream, 0, deals, cards=cards, drawn=drawn).astype(np.int64)


def _masks(hands: Cards) -> NDArray[np.uint64]:
    found: NDArray[np.uint64] = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=2)
    return found
