"""What the house holds for players, from balances that a person can add up."""

from house.floors import read_terms
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.state import LiveTable
from pitboss.house.progressive.state import ProgressiveState
from pitboss.house.reports.liability import held_for_players

GAME = game_names()[0]


def table(name: str, *, free_play: bool, **balances: int) -> LiveTable:
    held = {f"{kind}:{name}": cents for kind, cents in balances.items()}
    return LiveTable(name)._replace(terms=read_terms({"game": GAME, "free_play": free_play}), balances=held)


def test_only_real_money_of_players_is_held_for_them() -> None:
    money = {
        "deposit:ann": 50_00,
        "deposit:bo": 25_00,
        "purse:cy": 900_00,
        "cage": 10_000_00,
        "outstanding:money": 5_00,
    }
    tables = {
        "one": table("one", free_play=False, stack=70_00, felt=30_00, inventory=5_000_00),
        "two": table("two", free_play=False, stack=1_00),
        "three": table("three", free_play=True, stack=800_00, felt=20_00),
    }
    rows = held_for_players(money, tables, {})
    assert [tuple(row) for row in rows] == [
        ("deposits", 75_00),
        ("chips outstanding", 5_00),
        ("chips at tables", 71_00),
        ("wagers in play", 30_00),
    ]


def test_a_kind_that_holds_nothing_has_no_line() -> None:
    assert held_for_players({"purse:cy": 900_00}, {}, {"shared": ProgressiveState("shared")}) == ()
