"""How processes share tables: every table is run, shares differ by one at most, and no table moves needlessly."""

import random
from collections import Counter

import pytest

from pitboss.server.cluster.processes import moves


def settled(holders: dict[str, str | None], living: list[str], most: int = 60) -> tuple[dict[str, str | None], int]:
    """Let processes act one after the other until none moves a table; return who holds what and how many moved."""
    count = 0
    for _ in range(most):
        moved = 0
        for own in living:
            to_do = moves(own, holders, living)
            moved += len(to_do.take) + len(to_do.give)
            assert all(holders[table] not in living for table in to_do.take)
            assert all(holders[table] == own for table in to_do.give)
            holders = {**holders, **dict.fromkeys(to_do.give), **dict.fromkeys(to_do.take, own)}
        if not moved:
            return holders, count
        count += moved
    raise AssertionError("tables go on changing hands")


@pytest.mark.parametrize("seed", range(200))
def test_any_floor_comes_to_rest_with_every_table_run_and_fair_shares(seed: int) -> None:
    chance = random.Random(seed)
    living = [f"process {number}" for number in range(chance.randint(1, 6))]
    known = [*living, "dead", None]
    holders = {f"table {number:02}": chance.choice(known) for number in range(chance.randint(0, 40))}
    after, _ = settled(holders, living)
    counts = Counter(after.values())
    assert set(counts) <= set(living)
    shares = [counts[item] for item in living]
    assert max(shares) - min(shares) <= 1
    assert settled(after, living)[1] == 0


def test_a_process_that_comes_gets_its_part_and_no_more_is_moved_than_that() -> None:
    tables = [f"table {number}" for number in range(9)]
    after, count = settled(dict.fromkeys(tables, "a"), ["a", "b"])
    assert Counter(after.values()) == {"a": 5, "b": 4}
    assert count == 8  # four given and four taken


def test_the_tables_of_a_dead_process_are_taken_and_those_of_the_living_stay() -> None:
    before: dict[str, str | None] = {"one": "a", "two": "b", "three": "c", "four": "c", "five": "a", "six": "b"}
    after, count = settled(before, ["a", "b"])
    assert count == 2
    assert {table: after[table] for table in ("one", "two", "five", "six")} == {
        table: before[table] for table in ("one", "two", "five", "six")
    }
    assert Counter(after.values()) == {"a": 3, "b": 3}


def test_two_processes_begin_with_different_tables() -> None:
    free: dict[str, str | None] = dict.fromkeys(["one", "two", "three", "four"])
    parts = [moves(own, free, ["a", "b"]).take for own in ("a", "b")]
    assert set(parts[0]) & set(parts[1]) == set()
    assert set(parts[0]) | set(parts[1]) == set(free)
