"""Plays whole tables of any game, round after round, with the same readings and settlement as a live table."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.lab.blocks import Block, Ending, Endings, MeterHit
from pitboss.lab.exact_counts import MAIN, main_wagers
from pitboss.lab.lines import NOT_PLACED, line_of
from pitboss.lab.players import NotPlayed as NotPlayed
from pitboss.lab.players import player_of as player_of
from pitboss.lab.players import whole_tables_of as whole_tables_of
from pitboss.lab.tallies import Tallies
from pitboss.odds.deciding import Decide, WholeTables
from pitboss.odds.seen import questions
from pitboss.odds.streams import deal
from pitboss.round.money import settle_wagers
from pitboss.round.settle import envy_amount, envy_counts
from pitboss.round.stakes import placed
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, SeatStatus, Stakes
from pitboss.rules.reading import SeatCards, SeatReading, TableCards

UNIT_CENTS = 100


class _Answered(NamedTuple):
    held: SeatCards
    actions: tuple[str, ...]
    placed: Stakes | None
    reading: SeatReading


class PlayedSeat(NamedTuple):
    """One seat of a played round."""

    held: SeatCards
    actions: tuple[str, ...]
    ending: Ending


def opening_stakes(rules: RulesInForce) -> dict[str, int]:
    """Return a seat's stake on every wager offered before the deal: the chosen stake, or the minimum."""
    limits = {wager.name: rules.limits(wager.name) for wager in placed(rules)}
    return {name: each.least if each.fixed or each.minimum else UNIT_CENTS for name, each in limits.items()}


def unit_of(stakes: Mapping[str, int], rules: RulesInForce, group: str) -> int:
    """Return the stake that is one unit of a group: the wager's own, or the first required wager's for `main`."""
    return stakes[next(wager for wager in main_wagers(rules) if wager in stakes) if group == MAIN else group]


def groups_of(rules: RulesInForce) -> dict[str, tuple[str, ...]]:
    """Map `main` to the wagers played together, and each other wager offered to itself."""
    main = tuple(wager for wager in main_wagers(rules) if wager in rules.offered)
    return {MAIN: main} | {name: (name,) for name in opening_stakes(rules) if name not in main}


class Table:
    """Seats that all make the same wagers and play the same strategy."""

    def __init__(self, rules: RulesInForce, seats: int, decide: Decide, whole: WholeTables | None = None) -> None:
        game = rules.game
        self.rules = rules
        self.seats = seats
        self.wagers = tuple(wager.name for wager in game.wagers if wager.name in rules.offered)
        self.opening = opening_stakes(rules)
        self.drawn = seats * game.cards_each + sum(game.table_cards.values())
        assert self.drawn <= len(game.deck), "the deck holds a whole table's cards"
        self._decide = decide
        self._whole = whole
        self._asks = tuple(questions(rules))
        self._stakes: dict[Stakes | None, dict[str, int]] = {None: self.opening}
        groups = groups_of(rules)
        self.groups = tuple(groups)
        columns = [[self.wagers.index(name) for name in names] for names in groups.values()]
        progressive = game.progressive.wager if game.progressive else None
        at = self.groups.index(progressive) if progressive in self.groups else None
        self._endings = Endings(self.wagers, columns, at)
        self._tallies = Tallies(self.wagers, columns, at, whole.bytes_of, self._meant) if whole else None

    def play(self, drawn: Sequence[int]) -> tuple[TableCards, list[PlayedSeat]]:
        """Play one round with these cards of the deck, and return its table and seats in order."""
        table, seats = self._seats(drawn)
        return table, [PlayedSeat(seat.held, seat.actions, self._endings.all[self._number(seat)]) for seat in seats]

    def _seats(self, drawn: Sequence[int]) -> tuple[TableCards, list[_Answered]]:
        game = self.rules.game
        cards = tuple(map(game.deck.cards.__getitem__, drawn))
        at = self.seats * game.cards_each
        places = {}
        for place, count in game.table_cards.items():
            places[place] = cards[at : at + count]
            at += count
        table = TableCards(**places)
        shown = [TableCards(**{place: places[place][:count] for place, count in up.items()}) for _, up in self._asks]
        dealer = game.readings.dealer(table, self.rules.options)
        seats = []
        for seat in range(self.seats):
            own = cards[seat * game.cards_each : (seat + 1) * game.cards_each]
            held, actions, placed = self._answers(own, shown)
            stakes = self._staked(placed)
            reading = game.readings.seat(table, dealer, held, self.rules.options, stakes)
            seats.append(_Answered(held, actions, placed, reading))
        return table, seats

    def _number(self, answered: _Answered) -> int:
        reading = answered.reading
        key = (answered.placed, answered.held.status, reading.facts, *map(reading.cells.get, self.wagers))
        number = self._endings.number(key)
        if number is None:
            number = self._endings.keep(key, self._ending(reading, answered.held.status, self._staked(answered.placed)))
        return number

    def envy_cents(self, cell: str) -> int:
        """Return what another seat's hand of this cell pays."""
        progressive = self.rules.game.progressive
        assert progressive is not None
        return envy_amount(self.rules, self.opening[progressive.wager], cell)[0]

    def block(self, seed: int, first: int, rounds: int) -> Block:
        """Play the rounds from number `first` on."""
        deals = deal(seed, first, rounds, cards=len(self.rules.game.deck), drawn=self.drawn)
        if self._whole is not None and self._tallies is not None:
            codes = self._whole.codes(deals, self.seats)
            limit, covered = self.rules.limit_cents, self.rules.limit_covers
            block = self._tallies.block(first, codes, limit_cents=limit, covered=covered)
            if block is not None:
                return block
        return self._endings.block(first, self.endings(deals)[1])

    def endings(self, deals: NDArray[np.uint8]) -> tuple[list[Ending], NDArray[np.int64]]:
        """Return the distinct ways seats end, and which of them applies to every deal and seat."""
        kept = self._endings
        if self._whole is None:
            which = np.array([[self._number(seat) for seat in self._seats(drawn)[1]] for drawn in deals.tolist()])
            return kept.all, which
        codes = self._whole.codes(deals, self.seats)
        which, unknown = kept.numbered(codes)
        if unknown:
            for code in unknown:
                kept.keep(code, self._meant(code))
            kept.enter(unknown)
            which, _ = kept.numbered(codes)
        return kept.all, which

    def _meant(self, code: int) -> Ending:
        assert self._whole is not None, "numbers are those of whole tables"
        placed, status, reading = self._whole.meaning(code)
        return self._ending(reading, status, self._staked(placed))

    def _answers(
        self, own: tuple[Card, ...], shown: list[TableCards]
    ) -> tuple[SeatCards, tuple[str, ...], Stakes | None]:
        status: SeatStatus = UNDECIDED
        discard, placed = None, None
        actions: tuple[str, ...] = ()
        for (ask, _), seen in zip(self._asks, shown, strict=True):
            name, discard = self._decide(ask, own, seen)
            action = self.rules.actions[ask][name]
            actions = (*actions, name) if discard is None else (*actions, name, f"discard {discard}")
            status, placed = action.becomes, action.stakes or placed
            if status != UNDECIDED:
                break
        return SeatCards(own, status, discard), actions, placed

    def _staked(self, placed: Stakes | None) -> dict[str, int]:
        if placed not in self._stakes:
            assert placed is not None
            every = self.opening | {placed.wager: self.opening[placed.of] * placed.times}
            self._stakes[placed] = {name: every[name] for name in self.wagers if name in every}
        return self._stakes[placed]

    def _ending(self, reading: SeatReading, status: SeatStatus, stakes: dict[str, int]) -> Ending:
        results, claim = settle_wagers(self.rules, reading, stakes)
        nets = {result.wager: result.net for result in results}
        hit = None
        if claim:
            wager, share, _ = claim
            hit = MeterHit(wager, share.meter, share.percent, self.rules.stake_returned_on_meter(wager))
        envied = 0
        progressive = self.rules.game.progressive
        if progressive and progressive.wager in stakes and envy_counts_for(self.rules, status, stakes):
            cell = reading.cells[progressive.wager]
            envied = self.envy_cents(cell) if cell in progressive.envy_cells else 0
        return Ending(
            tuple(nets.get(name, 0) for name in self.wagers),
            tuple(stakes.get(name, 0) for name in self.wagers),
            hit,
            envied,
            tuple(
                line_of(self.rules, name, reading.facts, reading.cells.get(name))
                if self.rules.lies(name, stakes)
                else NOT_PLACED
                for name in self.wagers
            ),
        )


def envy_counts_for(rules: RulesInForce, status: SeatStatus, stakes: dict[str, int]) -> bool:
    """Return whether this game pays envy for a hand that ended this way."""
    progressive = rules.game.progressive
    return bool(progressive and progressive.envy_cells) and envy_counts(rules, status, stakes)
