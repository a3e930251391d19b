"""Money the house holds for players: deposits, chips away from tables, chips and wagers at them, and meters."""

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.ledger import outstanding
from pitboss.house.progressive.state import ProgressiveState

_AT_TABLES = {"stack": "chips at tables", "felt": "wagers in play"}  # by the kind of account


class HeldRow(NamedTuple):
    """What is held, and how much of it."""

    held_for_players: str
    cents: int


def held_for_players(
    money: Mapping[str, int], tables: Mapping[str, LiveTable], progressives: Mapping[str, ProgressiveState]
) -> tuple[HeldRow, ...]:
    """Return a line for each kind of real money held, without those that hold nothing."""
    held = {"deposits": sum(cents for account, cents in money.items() if _kind(account) == "deposit")}
    held["chips outstanding"] = money.get(outstanding(free_play=False), 0)
    for live in tables.values():
        if live.terms is None or live.free_play:
            continue
        for account, cents in live.balances.items():
            if name := _AT_TABLES.get(_kind(account)):
                held[name] = held.get(name, 0) + cents
    for progressive, state in progressives.items():
        if not is_for_play_money(state, tables):
            held[f"progressive {progressive}"] = sum(meter.shown_cents for meter in state.meters.values())
    return tuple(HeldRow(name, cents) for name, cents in held.items() if cents)


def is_for_play_money(state: ProgressiveState, tables: Mapping[str, LiveTable]) -> bool:
    """Say whether only free-play tables are linked to a progressive."""
    linked = [tables[table] for table in state.links if table in tables]
    return bool(linked) and all(live.free_play for live in linked)


def _kind(account: str) -> str:
    return account.partition(":")[0]
