"""A player's finished rounds split into house edge, decisions and luck, read and computed in a lab worker."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import floor

from pitboss.house.entry_kinds import ROUND_BEGUN, SUBMISSION_ACTIVATED
from pitboss.house.replay import CONDITIONS, PlayedUnder, PublishedKey, played_under, published_keys, replay_round
from pitboss.lab.exact_counts import MAIN, main_wagers
from pitboss.lab.settled_seats import settled_seats
from pitboss.lab.split import NOTHING, Parts, SettledSeat, Splitter
from pitboss.record.entries import Entry, entry_of, line_of
from pitboss.record.sql_store import SqlStore
from pitboss.round.state import Round
from pitboss.rules.in_force import RulesInForce
from pitboss.server.lab.questions import Body, Data, title_of
from pitboss.server.table_documents import read_terms


@dataclass(slots=True)
class Sums:
    """Results added up: money exactly, and where it came from."""

    times: int = 0
    staked: int = 0
    net: int = 0
    edge: Fraction = NOTHING
    decisions: Fraction = NOTHING
    luck: Fraction = NOTHING

    def add(self, staked: int, net: int, edge: Fraction, decisions: Fraction, luck: Fraction) -> None:
        """Add one result."""
        self.times += 1
        self.staked += staked
        self.net += net
        self.edge += edge
        self.decisions += decisions
        self.luck += luck

    def as_dict(self) -> Data:
        """Return the sums as plain data; what isn't odds is the rest of the money."""
        parts = {
            "edge": self.edge,
            "decisions": self.decisions,
            "luck": self.luck,
            "other": self.net - self.edge - self.decisions - self.luck,
        }
        exact = {f"{name}_cents": str(part) for name, part in parts.items()}
        nearest = {f"{name}_nearest_cents": round(part) for name, part in parts.items()}
        return {"times": self.times, "staked_cents": self.staked, "net_cents": self.net, **exact, **nearest}


@dataclass(slots=True)
class _Game:
    title: str
    rounds: Sums = field(default_factory=Sums)
    wagers: dict[str, tuple[str, Sums]] = field(default_factory=dict)

    def as_dict(self, name: str) -> Data:
        wagers = [{"wager": wager, "title": title, **sums.as_dict()} for wager, (title, sums) in self.wagers.items()]
        return {"game": name, "title": self.title, **self.rounds.as_dict(), "wagers": wagers}


class OwnRounds:
    """Reads a player's finished rounds from a floor's record, and splits each of their seats."""

    def __init__(self, store: SqlStore, player: str) -> None:
        self._store, self._player = store, player
        self._conditions = lru_cache(maxsize=64)(lambda stream: tuple(store.read(stream, kinds=CONDITIONS)))

    def seats(self, stream: str, sequence: int) -> tuple[RulesInForce, list[tuple[SettledSeat, Parts]]]:
        """Return the rules of the round that begins at an entry, and the player's seats with their parts."""
        play, split = self.round(stream, sequence)
        return play.rules, [pair for seat, pair in split.items() if play.players[seat] == self._player]

    def round(self, stream: str, sequence: int) -> tuple[Round, dict[int, tuple[SettledSeat, Parts]]]:
        """Return the round that begins at an entry, and every seat with its parts."""
        before = [entry for entry in self._conditions(stream) if entry.sequence < sequence]
        under, splitter = _splitting(tuple(map(line_of, before[_latest(before) :])))
        entries = list(_of_round(map(entry_of, self._store.lines(stream, sequence - 1))))
        keys = published_keys(entries)
        found = replay_round(entries, under, lambda name, key: PublishedKey(name, keys))
        play = found.steps[-1].play
        settled = settled_seats(play, [step.event for step in found.steps if step.event is not None])
        return play, {number: (seat, splitter.split(seat)) for number, seat in settled.items()}


def own_results(body: Body) -> Data:
    """Return the totals of a player's rounds by game and wager, and the running totals round by round."""
    games: dict[str, _Game] = {}
    everything, points = Sums(), []
    store = SqlStore(body["database"])
    try:
        read = OwnRounds(store, body["player"])
        for begun in sorted(body["rounds"], key=lambda begun: (begun["at"], begun["round"])):
            rules, seats = read.seats(begun["stream"], begun["sequence"])
            game = games.setdefault(rules.game.name, _Game(rules.game.title))
            for sums in (everything, game.rounds):
                sums.add(*_added_up(seats))
            for seat, parts in seats:
                _add_wagers(game, rules, seat, parts)
            expected = everything.edge + everything.decisions
            totals = {"net_cents": everything.net, "expected_nearest_cents": round(expected)}
            points.append({"round": begun["round"], "at": begun["at"], **totals})
    finally:
        store.close()
    listed = [game.as_dict(name) for name, game in sorted(games.items())]
    return {**everything.as_dict(), "games": listed, "points": points}


def round_parts(body: Body) -> Data:
    """Return where the money of each seat of a round came from, or only of one player's seats."""
    store = SqlStore(body["database"])
    try:
        play, split = OwnRounds(store, body["player"] or "").round(body["stream"], body["sequence"])
    finally:
        store.close()
    wanted = [number for number in sorted(split) if body["player"] in (None, play.players[number])]
    return {"seats": [_seat_parts(number, play.players[number], split[number][1]) for number in wanted]}


def _seat_parts(seat: int, player: str, parts: Parts) -> Data:
    sides = sum((side.luck for side in parts.sides.values()), NOTHING)
    shown = {
        "edge": parts.theoretical,
        "decisions": parts.skill,
        "cards": parts.cards,
        "board": parts.board,
        "dealer": parts.dealer,
        "sides": sides,
        "besides": parts.besides,
    }
    exact = {name: str(part) for name, part in shown.items()}
    return {
        "seat": seat,
        "player": player,
        "net_cents": int(parts.total),
        "parts": exact,
        "nearest_cents": _to_cents(shown, int(parts.total)),
    }


def _to_cents(parts: dict[str, Fraction], total: int) -> dict[str, int]:
    # Rounded down first; the cents that are missing go to the parts that lost most by it.
    whole = {name: floor(part) for name, part in parts.items()}
    missing = total - sum(whole.values())
    for name in sorted(parts, key=lambda name: whole[name] - parts[name])[:missing]:
        whole[name] += 1
    return whole


def _latest(conditions: Sequence[Entry]) -> int:
    return max(place for place, entry in enumerate(conditions) if entry.kind == SUBMISSION_ACTIVATED)


@lru_cache(maxsize=64)
def _splitting(conditions: tuple[str, ...]) -> tuple[PlayedUnder, Splitter]:
    under = played_under(map(entry_of, conditions), read_terms)
    return under, Splitter(under.begin().rules)


def _of_round(entries: Iterable[Entry]) -> Iterator[Entry]:
    # A round ends where the next one begins; disputes about it lie between.
    for place, entry in enumerate(entries):
        if place and entry.kind == ROUND_BEGUN:
            return
        yield entry


def _added_up(seats: Iterable[tuple[SettledSeat, Parts]]) -> tuple[int, int, Fraction, Fraction, Fraction]:
    staked = net = 0
    edge = decisions = luck = NOTHING
    for seat, parts in seats:
        staked += sum(result.stake for result in seat.results)
        net += int(parts.total)
        edge += parts.theoretical
        decisions += parts.skill
        luck += parts.luck
    return staked, net, edge, decisions, luck


def _add_wagers(game: _Game, rules: RulesInForce, seat: SettledSeat, parts: Parts) -> None:
    # The wagers of the main game are decided together, so they share one edge; every other wager has its own.
    main = {*main_wagers(rules), *(bonus for bonus, on in rules.bonuses.items() if on in main_wagers(rules))}
    progressive = rules.game.progressive
    together = [result for result in seat.results if result.wager in main]
    if together:
        staked, net = (sum(getattr(result, name) for result in together) for name in ("stake", "net"))
        luck = parts.cards + parts.board + parts.dealer
        _of_wager(game, rules, MAIN).add(staked, net, parts.edge, parts.decisions, luck)
    for result in seat.results:
        if result.wager not in main:
            side = parts.sides[result.wager]
            envy_cents = seat.envy_cents if progressive and result.wager == progressive.wager else 0
            sums = _of_wager(game, rules, result.wager)
            sums.add(result.stake, result.net + envy_cents, side.edge, side.decisions, side.luck)


def _of_wager(game: _Game, rules: RulesInForce, wager: str) -> Sums:
    if wager not in game.wagers:
        game.wagers[wager] = (title_of(rules, wager), Sums())
    return game.wagers[wager][1]
