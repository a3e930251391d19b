"""Rounds are found in the record newest first, page by page, with the money of each."""

from collections.abc import Iterator

import pytest

from house.floors import Floor, read_terms, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.evolve import Reading
from pitboss.house.replay import replay_recorded, rounds_of
from pitboss.record.seal import round_seal
from pitboss.round import view
from pitboss.server import round_search
from pitboss.server.round_search import Wanted, search

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


def everything(floor: Floor, wanted: Wanted, most: int, scanned: int = 10**9) -> Iterator[round_search.Summary]:
    while True:
        page = search(floor.store, wanted, most, scanned)
        assert len(page.rounds) <= most
        yield from page.rounds
        if page.next is None:
            return
        wanted = wanted._replace(before=page.next)


@pytest.mark.parametrize("window", [7, 60, 4_000])
def test_a_search_gives_every_round_once_newest_first(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(round_search, "WINDOW", window)
    floor = run(played(game_names()[0], 6, ("a", "b")))
    names = [played for table in "ab" for played in rounds_of(floor.store.read(f"table/{table}"), 99)]
    for most in (1, 5, 100):
        found = list(everything(floor, Wanted(), most))
        assert sorted(item.round for item in found) == sorted(names)
        assert [item.at for item in found] == sorted((item.at for item in found), reverse=True)
    few = list(everything(floor, Wanted(table="b"), 4, scanned=1))
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
    assert not search(floor.store, Wanted(player="nobody"), 5).rounds
    assert not search(floor.store, Wanted(table="nowhere"), 5).rounds
    assert not search(floor.store, Wanted(outcome="void"), 5).rounds


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
