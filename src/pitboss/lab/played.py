"""Plays whole tables of any game, round after round, read and settled as a live table is."""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.games.catalogue import folders
from pitboss.lab.exact import MAIN, main_wagers
from pitboss.odds.deciding import Decide, WholeTables
from pitboss.odds.streams import deal
from pitboss.round.money import settle_wagers
from pitboss.round.settle import envy_amount, envy_counts
from pitboss.rules.dealing import BURN, Deal, TurnUp
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, Ask, Stakes
from pitboss.rules.reading import SeatCards, SeatReading, TableCards

UNIT_CENTS = 100
OPTIMAL = "optimal"
STRATEGIES = (OPTIMAL,)


class NotPlayed(LookupError):
    """The game's folder holds no player, or none of this name."""


class MeterHit(NamedTuple):
    """A meter's share that a hand has won, and whether its stake is returned besides."""

    wager: str
    meter: str
    percent: int
    stake_returned: bool


class Ending(NamedTuple):
    """How a seat's wagers end: what each gains or loses and had staked, in cents, meters and envy aside."""

    nets: tuple[int, ...]
    staked: tuple[int, ...]
    hit: MeterHit | None
    envied: str | None  # the cell that brings the other seats a bonus


class PlayedSeat(NamedTuple):
    """One seat of a played round."""

    held: SeatCards
    actions: tuple[str, ...]
    ending: Ending


class Claim(NamedTuple):
    """A meter hit waiting for its meter, with what the wager's hand and round have gained without it."""

    round: int
    seat: int
    hit: MeterHit
    hand_cents: int
    round_cents: int


@dataclass(frozen=True)
class Block:
    """Rounds played together: sums of each group of wagers, the house's result of every round, meter hits in order."""

    first: int
    sums: NDArray[np.int64]  # by group: staked, net, squares of hands, squares of rounds, hits
    house: NDArray[np.int64]  # by round, what meters pay aside
    claims: tuple[Claim, ...]
    envy_cents: int


def player_of(rules: RulesInForce, strategy: str = OPTIMAL) -> Decide:
    """Return the game's own player of a strategy."""
    folder = folders()[rules.game.name]
    if strategy not in STRATEGIES or not (folder / "play.py").exists():
        raise NotPlayed(f"{rules.game.name} has no player of the strategy {strategy!r}.")
    return cast(Decide, importlib.import_module(f"pitboss.games.{folder.name}.play").player(rules))


def whole_tables_of(rules: RulesInForce) -> WholeTables | None:
    """Return the game's compiled way to play optimally, where its folder has one."""
    folder = folders()[rules.game.name]
    if not (folder / "whole_tables.py").exists():
        return None
    return cast(WholeTables, importlib.import_module(f"pitboss.games.{folder.name}.whole_tables").WholeTables(rules))


def opening_stakes(rules: RulesInForce) -> dict[str, int]:
    """Return a unit on every wager offered before the deal, or the stake that is laid down for it."""
    return {
        one.name: rules.choices.stakes.get(one.name, (*one.stakes_cents, UNIT_CENTS)[0])
        for one in rules.game.wagers
        if one.name in rules.offered and not one.by_action
    }


def groups_of(rules: RulesInForce) -> dict[str, tuple[str, ...]]:
    """Map `main` to the wagers played together, and each other wager offered to itself."""
    main = tuple(one for one in main_wagers(rules) if one in rules.offered)
    return {MAIN: main} | {name: (name,) for name in opening_stakes(rules) if name not in main}


class Table:
    """Seats that all wager alike and play one strategy."""

    def __init__(self, rules: RulesInForce, seats: int, decide: Decide, whole: WholeTables | None = None) -> None:
        game = rules.game
        self.rules = rules
        self.seats = seats
        self.wagers = tuple(one.name for one in game.wagers if one.name in rules.offered)
        self.opening = opening_stakes(rules)
        self.drawn = seats * game.cards_each + sum(game.table_cards.values())
        assert self.drawn <= len(game.deck), "the deck holds a whole table's cards"
        self._decide = decide
        self._whole = whole
        self._meant: dict[int, Ending] = {}
        self._asks = tuple(_asked(rules))
        self._stakes: dict[Stakes | None, dict[str, int]] = {None: self.opening}
        self._endings: dict[tuple[object, ...], Ending] = {}
        groups = groups_of(rules)
        self.groups = tuple(groups)
        self._group_of = {name: at for at, names in enumerate(groups.values()) for name in names}
        self._columns = [[self.wagers.index(name) for name in names] for names in groups.values()]

    def play(self, drawn: Sequence[int]) -> tuple[TableCards, list[PlayedSeat]]:
        """Play one round with these cards of the deck, and return its table and seats, the first seat first."""
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
            key = (placed, held.status, reading.facts, *map(reading.cells.get, self.wagers))
            ending = self._endings.get(key)
            if ending is None:
                ending = self._endings[key] = self._ending(reading, held.status, stakes)
            seats.append(PlayedSeat(held, actions, ending))
        return table, seats

    def envy_cents(self, cell: str) -> int:
        """Return what another seat's hand of this cell pays."""
        progressive = self.rules.game.progressive
        assert progressive is not None
        return envy_amount(self.rules, self.opening[progressive.wager], cell)[0]

    def block(self, seed: int, first: int, rounds: int) -> Block:
        """Play the rounds from number `first` on."""
        deals = deal(seed, first, rounds, cards=len(self.rules.game.deck), drawn=self.drawn)
        endings, which = self.endings(deals)
        by_wager = np.array([one.nets for one in endings], np.int64)
        staked = np.array([one.staked for one in endings], np.int64)
        each = np.stack([by_wager[:, columns].sum(axis=1) for columns in self._columns], axis=1)
        counts = np.bincount(which.ravel(), minlength=len(endings))
        nets = each[which]
        envy = self._add_envy(endings, which, nets)
        totals = nets.sum(axis=1)
        sums = np.stack(
            [
                np.array([counts @ staked[:, columns].sum(axis=1) for columns in self._columns]),
                totals.sum(axis=0),
                (nets * nets).sum(axis=(0, 1)),
                (totals * totals).sum(axis=0),
                counts @ (each > 0),
            ],
            axis=1,
        )
        return Block(first, sums, -totals.sum(axis=1), tuple(self._claims(first, endings, which, nets)), envy)

    def endings(self, deals: NDArray[np.uint8]) -> tuple[list[Ending], NDArray[np.int64]]:
        """Return how seats end, each way once, and which of them it is for every deal and seat."""
        if self._whole is None:
            played = [[seat.ending for seat in self.play(drawn)[1]] for drawn in deals.tolist()]
            number: dict[int, int] = {}  # endings are kept, so each has one identity
            which = [[number.setdefault(id(one), len(number)) for one in seats] for seats in played]
            known = {id(one): one for seats in played for one in seats}
            return [known[one] for one in number], np.array(which, np.int64)
        codes, places = np.unique(self._whole.codes(deals, self.seats), return_inverse=True)
        endings = []
        for code in codes.tolist():
            if code not in self._meant:
                placed, status, reading = self._whole.meaning(code)
                self._meant[code] = self._ending(reading, status, self._staked(placed))
            endings.append(self._meant[code])
        return endings, places.reshape(len(deals), self.seats)

    def _answers(
        self, own: tuple[Card, ...], shown: list[TableCards]
    ) -> tuple[SeatCards, tuple[str, ...], Stakes | None]:
        status, discard, placed = UNDECIDED, None, None
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

    def _ending(self, reading: SeatReading, status: str, stakes: dict[str, int]) -> Ending:
        results, claim = settle_wagers(self.rules, reading, stakes)
        nets = {result.wager: result.net for result in results}
        hit = None
        if claim:
            wager, share, _ = claim
            hit = MeterHit(wager, share.meter, share.percent, self.rules.stake_returned_on_meter(wager))
        envied = None
        progressive = self.rules.game.progressive
        if progressive and progressive.wager in stakes and envy_counts_for(self.rules, status, stakes):
            cell = reading.cells[progressive.wager]
            envied = cell if cell in progressive.envy_cells else None
        return Ending(
            tuple(nets.get(name, 0) for name in self.wagers),
            tuple(stakes.get(name, 0) for name in self.wagers),
            hit,
            envied,
        )

    def _add_envy(self, endings: list[Ending], which: NDArray[np.int64], nets: NDArray[np.int64]) -> int:
        paid = 0
        progressive = self.rules.game.progressive
        for row, holder, one in _rare(endings, which, [one.envied is not None for one in endings]):
            assert progressive is not None
            assert one.envied is not None
            cents = self.envy_cents(one.envied)
            others = [seat for seat in range(self.seats) if seat != holder]
            nets[row, others, self._group_of[progressive.wager]] += cents
            paid += cents * len(others)
        return paid

    def _claims(
        self, first: int, endings: list[Ending], which: NDArray[np.int64], nets: NDArray[np.int64]
    ) -> Iterator[Claim]:
        # In the order of settlement: round by round, from the highest seat down.
        found = _rare(endings, which, [one.hit is not None for one in endings])
        for row, seat, one in sorted(found, key=lambda claim: (claim[0], -claim[1])):
            assert one.hit is not None
            won = nets[row, :, self._group_of[one.hit.wager]]
            yield Claim(first + row, seat + 1, one.hit, int(won[seat]), int(won.sum()))


def _rare(endings: list[Ending], which: NDArray[np.int64], wanted: list[bool]) -> Iterator[tuple[int, int, Ending]]:
    for row, seat in np.argwhere(np.array(wanted)[which]).tolist():
        yield row, seat, endings[which[row, seat]]


def envy_counts_for(rules: RulesInForce, status: str, stakes: dict[str, int]) -> bool:
    """Say whether this game pays envy, and for a hand that ended so."""
    progressive = rules.game.progressive
    return bool(progressive and progressive.envy_cells) and envy_counts(rules, status, stakes)


def _asked(rules: RulesInForce) -> Iterator[tuple[str, dict[str, int]]]:
    # Each question with how many cards of each place lie face up when it is put.
    up: dict[str, int] = {}
    for step in rules.play:
        if isinstance(step, Ask):
            yield step.name, {place: count for place, count in up.items() if place in rules.game.table_cards}
        elif isinstance(step, Deal):
            for move in rules.moves(step):
                if isinstance(move, TurnUp):
                    up[move.place] = move.cards
                elif move.face_up and move.place != BURN:
                    up[move.place] = up.get(move.place, 0) + move.cards
