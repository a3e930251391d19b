"""Rounds are found in the record newest first, page by page, with the money of each."""

from collections.abc import Iterator

import pytest

from house.floors import Floor, read_terms, run
from house.many_rounds import drafts_of, write_rounds
from pitboss.games.catalogue import game_names
from pitboss.house import entry_kinds
from pitboss.house.live_table.evolve import Reading
from pitboss.house.replay import replay_recorded, rounds_of
from pitboss.house.round_index import RoundIndex
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.memory_store import MemoryStore
from pitboss.record.seal import round_seal
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.sql_engine import make_engine, prepare
from pitboss.record.store import Batch, Store, body_digest
from pitboss.round import view
from pitboss.server.round_search import Summary, Wanted, search

PEOPLE = (("alice", 1), ("bob", 2), ("carol", 5))


def reading_of(floor: Floor) -> Reading:
    return Reading(read_terms, lambda read_term, key: round_seal(floor.keyring, read_term))


async def played(name: str, count: int, tables: tuple[str, ...] = ("t",), seed: int = 1) -> Floor:
    floor = Floor(seed)
    for table in tables:
        await floor.open(table, name)
        for person, seat in PEOPLE:
            await floor.sit(table, f"{person}-{table}" if len(tables) > 1 else person, seat)
    for _ in range(count):
        for table in tables:
            await floor.rounds(table, 1)
    return floor


def index_of(store: Store) -> RoundIndex:
    engine = make_engine("sqlite://")
    prepare(engine)
    return RoundIndex(engine, store)


def everything(floor: Floor, wanted: Wanted, most: int, looked: int = 10**9) -> Iterator[Summary]:
    index = index_of(floor.store)
    while True:
        page = search(floor.store, index, wanted, most, looked)
        assert len(page.rounds) <= most
        yield from page.rounds
        if page.next is None:
            return
        wanted = wanted._replace(before=page.next)


def test_a_search_gives_every_round_once_newest_first() -> None:
    floor = run(played(game_names()[0], 6, ("a", "b")))
    names = [played for table in "ab" for played in rounds_of(floor.store.read(f"table/{table}"), 99)]
    for most in (1, 5, 100):
        found = list(everything(floor, Wanted(), most))
        assert sorted(item.round for item in found) == sorted(names)
        assert [item.at for item in found] == sorted((item.at for item in found), reverse=True)
    few = list(everything(floor, Wanted(table="b"), 4, looked=1))
    assert {item.table for item in few} == {"b"}
    assert len(few) == 6


def test_a_search_by_time_player_and_outcome_gives_what_fits() -> None:
    floor = run(played(game_names()[0], 5, ("a", "b")))
    every = list(everything(floor, Wanted(), 100))
    middle = every[4]
    since = [played.round for played in everything(floor, Wanted(since=middle.at), 3)]
    until = [played.round for played in everything(floor, Wanted(until=middle.at), 3)]
    assert since == [item.round for item in every[:5]]
    assert until == [item.round for item in every[4:]]
    mine = list(everything(floor, Wanted(player="bob-a"), 100))
    assert {item.table for item in mine} == {"a"}
    assert len(mine) == 5
    for nothing in (Wanted(player="nobody"), Wanted(table="nowhere"), Wanted(outcome="void")):
        assert not list(everything(floor, nothing, 5))


def test_a_player_who_hasnt_played_for_long_still_finds_every_round_and_a_page_is_full() -> None:
    store = MemoryStore(SimulatedDisk())
    own = write_rounds(store, "old", range(1, 31), {1: "ada"})
    for table in range(40):
        write_rounds(store, f"t{table}", range(100, 106), {1: "bob", 2: "carol"}, fillers=100)
    index = index_of(store)
    assert [item.round for item in search(store, index, Wanted(player="ada"), 20).rounds] == own[:-21:-1]
    page = search(store, index, Wanted(), 50)
    assert len(page.rounds) == 50
    assert page.next is not None


def test_a_round_whose_player_withdrew_is_no_round_of_theirs() -> None:
    store = MemoryStore(SimulatedDisk())
    begun, placed, _, ended = drafts_of("table/a", "a/1", 1, {3: "ada"})
    withdrawn = Draft("table/a", entry_kinds.WAGERS_WITHDRAWN, {"seat": 3})
    by = Circumstances("dealer", "dealer", "played", 1_000, "v1")
    store.commit([Batch((begun, placed, withdrawn, ended), {"table/a": None}, by, body_digest("dealer", 1))])
    index = index_of(store)
    assert not search(store, index, Wanted(player="ada"), 5).rounds
    assert [item.players for item in search(store, index, Wanted(), 5).rounds] == [{}]


@pytest.mark.parametrize("name", game_names())
def test_a_summary_has_the_money_of_the_round(name: str) -> None:
    floor = run(played(name, 6))
    for other in everything(floor, Wanted(), 100):
        end = replay_recorded(floor.store, other.round, reading_of(floor)).steps[-1].play
        assert other.players == dict(end.players)
        assert other.outcome == end.outcome == "settled"
        assert other.ended_at is not None
        for seat in end.seats:
            seen = next(shown for shown in view(end).seats if shown.seat == seat)
            assert other.stakes[seat] == end.seat_stakes(seat)
            assert other.nets[seat] == sum(result.net for result in seen.results) + seen.envy_cents
