"""Scenario tables with a progressive: meters opened, the table linked, hands stacked."""

from collections.abc import Callable
from typing import Any

from scenarios.floor import READER, ScenarioTable

METER_CENTS = 10_000_00
HOLDEM, DRAGON = "ultimate-texas-holdem", "dragon-poker"
STAKES = {HOLDEM: 5_00, DRAGON: 1_00}
STAKE = STAKES[HOLDEM]
WAGERS: dict[str, dict[str, Any]] = {
    HOLDEM: {"paytable": "A", "stake": STAKE, "envy": "A"},
    DRAGON: {"hand": "dragons", "odds": {"three-dragons-with-gold": "100 % of meter", "pair-of-dragons": "5 for 1"}},
}
CLAUSES = {HOLDEM: "Ch. 12 §D(3)(b)(i)", DRAGON: "Ch. 7 §F(4)"}
# The hands that seat 1 makes, with the board; nobody else makes anything.
LOW = {2: "2d 4h", "dealer": "7h Kd"}
TRIPS: dict[Any, str] = {**LOW, 1: "9c 9d", "board": "9h Jc 8s 3d 6c"}
FULL_HOUSE: dict[Any, str] = {**LOW, 1: "9c 9d", "board": "9h Jc Js 3d 6c"}
ROYAL: dict[Any, str] = {**LOW, 1: "As Ks", "board": "Qs Js Ts 3d 6c"}
NOTHING: dict[Any, str] = {**LOW, 1: "Ac 8d", "board": "Qs Js 9h 3d 6c"}


def progressive_table(
    new_table: Callable[..., ScenarioTable], game_name: str = HOLDEM, cards: str = READER, **changes: Any
) -> ScenarioTable:
    """Return an open table whose progressive wager draws on a meter of its own."""
    wager = {**WAGERS[game_name], "rate": "0.20", "initial": METER_CENTS, "reset": METER_CENTS}
    options = {"envy-needs-wager": "yes"} if game_name == HOLDEM else {}
    options |= changes.pop("options", {})
    beside = changes.pop("beside", {})
    table = new_table(game_name, cards, wagers={"progressive": wager}, options=options, **changes)
    table.document |= {"progressive": table.table, **beside}
    table.open()
    meter = {"name": "meter", "initial_cents": METER_CENTS, "reset_cents": METER_CENTS, "rate": "1/5"}
    opened = {"kind": "OpenMeters", "progressive": table.table, "meters": [{**meter, "clause": CLAUSES[game_name]}]}
    table.floor.both_at_office("olga", "pit", opened)
    table.floor.both_at_office("olga", "pit", {"kind": "LinkTable", "progressive": table.table, "table": table.table})
    return table


def dealt(table: ScenarioTable, hands: dict[Any, str], staked: tuple[str, ...] = ("alice", "bob")) -> ScenarioTable:
    """Play a round up to the first payout that waits, or to its end; those named have the progressive wager."""
    locked(table, hands, staked)
    while table.phase in ("dealing", "asking"):
        table.step()
    table.step()
    return table


def locked(table: ScenarioTable, hands: dict[Any, str], staked: tuple[str, ...] = ("alice", "bob")) -> ScenarioTable:
    """Begin a round and close its bets; those named have the progressive wager."""
    table.begin()
    for name in table.live.seats.values():
        stakes = dict(table.least())
        if name in staked:
            stakes["progressive"] = STAKES[table.game.name]
        seat = next(seat for seat, player in table.live.seats.items() if player == name)
        table.must(name, "PlaceWagers", seat=seat, stakes=stakes)
    table.close_bets(progressive_chips=len(staked))
    table.lay(hands)
    return table
