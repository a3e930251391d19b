"""Tables added up byte by byte give the same totals as tables added up outcome by outcome."""

import random
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.games import catalogue, game, game_names
from pitboss.lab import plan
from pitboss.lab.blocks import Block
from pitboss.lab.played import Table
from pitboss.lab.players import player_of, whole_tables_of
from pitboss.lab.simulate import simulate
from pitboss.odds.streams import deal
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")
READ_AT_ONCE = [name for name in game_names() if (catalogue.folders()[name] / "whole_tables.py").exists()]
# Games whose rounds have everything that no single byte contains: hits of meters, envy and a payout limit.
WITH_ENVY = [name for name in READ_AT_ONCE if (wager := game(name).progressive) and wager.envy_cells]
CHOICES = [
    pytest.param(Choices(), id="defaults"),
    pytest.param(Choices(paytables={"progressive": "C"}, options={"progressive-hand": "best-of-seven"}), id="meters"),
    pytest.param(Choices(options={"bad-beat-pays": "player", "bad-beat-on-fold": "loses"}), id="bad beats"),
    pytest.param(Choices(amounts={"payout-limit": 5_000_000}), id="a limit out of reach"),
]


def table_of(name: str, seats: int, choices: Choices) -> Table:
    rules = RulesInForce(game(name), choices)
    return Table(rules, seats, player_of(rules), whole_tables_of(rules))


def straight_flushes(seats: int, rounds: int) -> NDArray[np.uint8]:
    """Deal where straight flushes are many: three suited cards flop, and seats hold what completes them."""
    cards = game(WITH_ENVY[0]).deck.cards
    rng = random.Random(5)
    found = []
    for _ in range(rounds):
        suit = rng.choice("cdhs")
        flop, *holes = (
            [cards.index(rank + suit) for rank in ranks] for ranks in rng.choice((("TJQ", "89", "KA"), ("9TJ", "78")))
        )
        rest = [at for at in range(52) if at not in flop and not any(at in hole for hole in holes)]
        drawn = rng.sample(rest, 2 * seats + 11)
        drawn[2 * seats + 2 : 2 * seats + 5] = flop
        for hole, seat in zip(holes, rng.sample(range(seats), seats), strict=False):
            drawn[2 * seat : 2 * seat + 2] = hole
        found.append(drawn)
    return np.array(found, np.uint8)


def by_bytes(table: Table, deals: NDArray[np.uint8]) -> Block | None:
    assert table._whole is not None
    assert table._tallies is not None
    limit, covered = table.rules.limit_cents, table.rules.limit_covers
    codes = table._whole.codes(deals, table.seats)
    return table._tallies.block(40, codes, limit_cents=limit, covered=covered)


def by_endings(table: Table, deals: NDArray[np.uint8]) -> Block:
    return table._endings.block(40, table.endings(deals)[1])


def plain(block: Block | None) -> list[Any]:
    assert block is not None
    return [item.tolist() if isinstance(item, np.ndarray) else item for item in astuple(block)]


def test_there_are_games_read_at_once() -> None:
    assert WITH_ENVY
    assert len(READ_AT_ONCE) > len(WITH_ENVY)


@pytest.mark.parametrize("seats", [1, 6])
@pytest.mark.parametrize("name", READ_AT_ONCE)
def test_bytes_and_endings_of_any_deals_come_to_the_same(name: str, seats: int) -> None:
    table = table_of(name, seats, Choices())
    deals = deal(3, 40, 3_000, cards=len(game(name).deck), drawn=table.drawn)
    assert plain(by_bytes(table, deals)) == plain(by_endings(table, deals))


@pytest.mark.parametrize("choices", CHOICES)
@pytest.mark.parametrize("seats", [1, 2, 6])
@pytest.mark.parametrize("name", WITH_ENVY)
def test_bytes_and_endings_come_to_the_same(name: str, seats: int, choices: Choices) -> None:
    table = table_of(name, seats, choices)
    for deals in (deal(3, 40, 3_000, cards=52, drawn=table.drawn), straight_flushes(seats, 600)):
        assert plain(by_bytes(table, deals)) == plain(by_endings(table, deals))


@pytest.mark.parametrize("name", WITH_ENVY)
def test_the_sample_holds_hits_of_meters_and_envy(name: str) -> None:
    block = by_bytes(table_of(name, 6, Choices()), straight_flushes(6, 600))
    assert block is not None
    assert {claim.hit.percent for claim in block.claims} == {10, 100}
    assert len({claim.round for claim in block.claims}) < len(block.claims)
    assert block.envies > 600


@pytest.mark.parametrize("name", WITH_ENVY)
def test_a_limit_within_reach_is_left_to_the_endings(name: str) -> None:
    # A unit is a dollar here, so that only a limit far below the lawful one is reached.
    limited = table_of(name, 2, Choices(amounts={"payout-limit": 700}))
    deals = straight_flushes(2, 300)
    assert by_bytes(limited, deals) is None
    free = table_of(name, 2, Choices())
    assert plain(by_endings(limited, deals)) != plain(by_endings(free, deals))
    seed, rounds = 3, 2_000
    assert limited.block(seed, 0, rounds).house.sum() > free.block(seed, 0, rounds).house.sum()


@pytest.mark.parametrize("name", WITH_ENVY)
def test_squares_of_rounds_too_large_for_a_word_are_summed(name: str) -> None:
    table = table_of(name, 1, Choices())
    cards = list(game(name).deck.cards)
    names = ["Ad", "Kd", "2c", "2h", "3c", "4h", "7s", "8s", "9s", "Qd", "Jd", "Td", "9d"]
    deals = np.array([[cards.index(name) for name in names]] * 2_000, np.uint8)
    assert plain(by_bytes(table, deals)) == plain(by_endings(table, deals))
    block = by_bytes(table, deals)
    assert block is not None
    assert max(total.round_squares for total in block.sums) == 2_000 * 100_000_000**2 > 1 << 63


@pytest.mark.parametrize("name", READ_AT_ONCE)
def test_the_size_of_blocks_does_not_show_in_the_result(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RulesInForce(game(name))
    found = []
    for size in (6_000, 1_000, 777):
        monkeypatch.setattr(plan, "WHOLE_BLOCK_ROUNDS", size)
        found.append(simulate(rules, 6_000, 3, 9).as_dict())
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", READ_AT_ONCE)
def test_two_processes_find_what_one_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "WHOLE_BLOCK_ROUNDS", 1_500)
    rules = RulesInForce(game(name))
    assert simulate(rules, 6_000, 3, 9, workers=2) == simulate(rules, 6_000, 3, 9)
