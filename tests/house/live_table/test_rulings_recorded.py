"""The record names every ruling that was applied: at its moment, or with the rules put in force."""

import importlib
import inspect
import json
from collections.abc import Iterator
from typing import Any

import pytest

from house.floors import run
from house.live_table.staffed import BY, DEALER, FLOOR, StaffedTable, seated
from house.live_table.worked_table import WorkedTables
from pitboss.games.catalogue import game, game_names, rulings
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.round.state import SETTLING
from pitboss.rules import irregularity as wrong
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND
from pitboss.rules.ruling import general_rulings
from pitboss.table import commands as of_cards
from pitboss.table.settings import CONTINUOUS
from worked import worked

COLORADO, DRAGON, TOP, UTH = game_names()

# Named by the record of a worked hand that is played at a running table.
BY_HAND = {
    "G-2": (UTH, "Flush at 3 to 2 on $10.01: half a cent is dropped"),
    "G-3": (COLORADO, "Royal flush with $50.01 each: $50,010 in all, so the Bet is cut by $10"),
    "G-4": (
        DRAGON,
        "A player leaves before deciding and is held to have abandoned: "
        "the forfeits lose, the side wagers of three dealt cards are settled",
    ),
    "G-5": (
        COLORADO,
        "A player leaves before deciding, played out in the required-bet version: folded, no further wager",
    ),
    "G-7": (COLORADO, "Seen only at settlement: a fold, a declared winner and a Bet are all undone"),
    "G-8": (COLORADO, "The shuffler jams on the other deck: the round in play goes on"),
    "G-17": (COLORADO, "One card face up during the deal: it is put aside and the round goes on"),
    "G-23": (COLORADO, "Royal flush with $50.01 each: $50,010 in all, so the Bet is cut by $10"),
    "CH-11": (COLORADO, "A second card face up: all hands are void, every wager goes back"),
    "CH-12": (COLORADO, "A player leaves before deciding and is ruled to have abandoned: Ante and bonus lose"),
    "CH-16": (COLORADO, "The shuffler jams before the deal: the cards are reshuffled, the wagers stand"),
    "DP-15": (
        DRAGON,
        "Stub count, dealt from the manual shoe: misdealt but 53 cards there, so void and reshuffled",
    ),
    "TF-12": (TOP, "A card face up in the manual shoe during the deal: all hands void, wagers back"),
    "TF-13": (TOP, "Stub count, the automated shoe: 52 cards but a player was misdealt, all void"),
    "TF-14": (TOP, "The shuffler jams before the deal and the floorperson voids: wagers back"),
    "TF-16": (TOP, "Stub count, dealing from the hand: 52 cards but a player was misdealt, all void"),
    "TF-18": (TOP, "Stub count, the manual shoe: 52 cards but a player was misdealt, all void"),
    "UT-10": (
        UTH,
        "A card lies face up before the last two community cards: Play goes back, Trips is settled",
    ),
    "UT-22": (
        UTH,
        "Manual shoe: one chip too many, the unaccepted Progressive goes back before the deal and wins nothing",
    ),
    "UT-25": (UTH, "The shuffler jams before the deal: all wagers go back"),
    "UT-28": (UTH, "Manual shoe: the stub is off because of a misdeal, 52 cards present: all wagers go back"),
    "UT-29": (
        UTH,
        "Manual shoe: one chip too many, the unaccepted Progressive goes back before the deal and wins nothing",
    ),
}
# Recorded in another test, which is named here.
BY_TEST = {
    "G-18": "house.live_table.test_irregular.floor_rules",
    "G-19": "scenarios.test_disputes",
    "G-20": "scenarios.test_stub_counts",
    "G-21": "scenarios.test_deck_order",
    "G-22": "scenarios.test_misread",
    "G-24": "scenarios.test_filing",
    "TF-22": "scenarios.test_late_violations",
    "UT-30": "scenarios.test_remedies",
}
# Named by the record in a test below.
BELOW = {"G-11", "G-13", "G-14", "G-16", "TF-17", "TF-20", "DP-13", "TF-15", "UT-19"}
# Readings that duties of the table rest on: each is named when its duty is confirmed.
DUTIES = {"DP-8", "DP-10", "DP-12", "TF-6", "TF-7", "TF-10", "UT-7"}
# What a refusal answers; nothing happens that the record could name.
REFUSES = {"G-9", "G-10", "G-12", "G-15", "G-28", "G-29", "CH-9", "CH-10", "CH-14", "DP-7", "TF-11", "TF-19"}
REFUSES |= {"UT-6", "UT-12", "UT-27"}
EVERY = {ruling.id for ruling in (*general_rulings(), *(ruling for name in game_names() for ruling in rulings(name)))}


@pytest.fixture(scope="module")
def tables() -> Iterator[WorkedTables]:
    """Tables at which hand after hand is played."""
    opened = WorkedTables()
    yield opened
    opened.runner.close()


def named(entries: Any) -> set[str]:
    """Return the rulings that a table's entries name, besides those of the rules in force."""
    found: set[str] = set()
    for entry in entries:
        if entry.kind != "house.SubmissionActivated":
            told = json.dumps(entry.body) + json.dumps(entry.clause)
            found |= {ruling for ruling in EVERY if f'"{ruling}"' in told}
    return found


def recorded(table: StaffedTable) -> set[str]:
    return named(table.floor.store.read("table/t"))


def test_no_ruling_is_listed_twice_and_every_one_listed_exists() -> None:
    lists = [set(BY_HAND), set(BY_TEST), BELOW, DUTIES, REFUSES]
    assert sum(map(len, lists)) == len(set().union(*lists))
    assert set().union(*lists) <= EVERY


@pytest.mark.parametrize("name", game_names())
def test_the_rules_put_in_force_name_every_reading_they_are_played_by(name: str) -> None:
    table = run(seated(name))
    (activated,) = [entry for entry in table.floor.store.read("table/t") if entry.kind == "house.SubmissionActivated"]
    assert set(activated.body["rests_on"]) == {
        general_ruling.id for general_ruling in (*general_rulings(), *rulings(name))
    }


@pytest.mark.parametrize("ruling", BY_HAND)
def test_the_record_of_a_hand_names_the_ruling_applied(tables: WorkedTables, ruling: str) -> None:
    name, title = BY_HAND[ruling]
    hand = next(hand for hand in worked(name, "hand") if hand["name"] == title)
    assert ruling in named(tables.play(name, hand).entries)


@pytest.mark.parametrize("ruling", BY_TEST)
def test_another_test_reads_the_ruling_from_the_record(ruling: str) -> None:
    parts = BY_TEST[ruling].split(".")
    is_module = parts[-1].startswith("test_")
    module = importlib.import_module(".".join(parts if is_module else parts[:-1]))
    found = module if is_module else getattr(module, parts[-1])
    assert f'"{ruling}"' in inspect.getsource(found)


@pytest.mark.parametrize(("name", "ruling"), [(DRAGON, "DP-13"), (TOP, "TF-15"), (UTH, "UT-19")])
def test_a_deck_that_its_device_shuffles_is_dealt_uncut_by_the_reading(name: str, ruling: str) -> None:
    table = run(seated(name, shuffler=CONTINUOUS))
    run(table.prepare())
    run(table.play_round())
    run(table.prepare())
    assert ruling in recorded(table)


@pytest.mark.parametrize("name", [name for name in game_names() if game(name).procedures.hand_needs_shuffler_cite])
def test_a_preshuffled_deck_is_dealt_from_the_hand_by_the_reading(name: str) -> None:
    async def loaded() -> StaffedTable:
        table = await seated(name, dealing=HAND)
        ready = of_cards.ReceiveDeck(by=BY, at=0, deck="ready", preinspected=True, preshuffled=True)
        await table.must(DEALER, ready)
        await table.prepare()
        return table

    assert "G-14" in recorded(run(loaded()))


@pytest.mark.parametrize("name", game_names())
def test_cards_spread_at_an_idle_table_lie_there_by_the_reading(name: str) -> None:
    async def spread() -> StaffedTable:
        table = await seated(name)
        await table.prepare()
        await table.must(DEALER, of_cards.SpreadIdle(by=BY, at=0, face=of_cards.FACE_DOWN))
        return table

    assert "G-11" in recorded(run(spread()))


@pytest.mark.parametrize("name", game_names())
def test_a_shoe_that_jams_with_every_card_out_is_ruled_on_by_the_reading(name: str) -> None:
    async def jammed() -> StaffedTable:
        table = await seated(name, dealing=AUTOMATED_SHOE)
        await table.begin()
        await table.until(SETTLING)
        await rule_on(table, commands.ReportIrregularity(irregularity=wrong.SHOE_JAM))
        return table

    assert ("TF-17" if name == TOP else "G-13") in recorded(run(jammed()))


async def rule_on(table: StaffedTable, report: commands.ReportIrregularity) -> None:
    """Have the dealer report and, where it takes one, a floorperson rule or confirm."""
    await table.must(DEALER, report)
    for proposal in list(table.live.proposals):
        await table.must(FLOOR, commands.Confirm(proposal=proposal))


ADJACENT = {
    COLORADO: "One player on two neighboring positions: each hand is settled separately",
    DRAGON: "One player on two adjacent areas, where the submission allows it: one wins, one loses",
    TOP: "One player on two adjacent boxes: each box is settled on its own",
}


@pytest.mark.parametrize("ruling", ["abandoned", "played-out"])
@pytest.mark.parametrize("name", ADJACENT)
def test_a_ruling_on_one_who_left_covers_all_positions_by_the_reading(
    tables: WorkedTables, name: str, ruling: str
) -> None:
    hand = next(hand for hand in worked(name, "hand") if hand["name"] == ADJACENT[name])
    seat = hand["seat"][0]["seat"]
    left = {"irregularity": wrong.PLAYER_LEFT, "at": "decision-1", "offender": seat, "ruling": ruling}
    assert "G-16" in named(tables.play(name, hand | left).entries)


def test_a_violation_forfeits_all_boxes_by_the_reading(tables: WorkedTables) -> None:
    hand = next(hand for hand in worked(TOP, "hand") if hand["name"] == ADJACENT[TOP])
    seat = hand["seat"][0]["seat"]
    broken = {"irregularity": wrong.PLAYER_VIOLATION, "at": "decision-1", "offender": seat, "limb": "talked"}
    assert "TF-20" in named(tables.play(TOP, hand | broken).entries)


def test_a_confirmed_duty_names_its_reading() -> None:
    async def confirmed(name: str, way: str) -> set[str]:
        table = await seated(name, dealing=way)
        await table.begin()
        while table.live.in_round:
            for duty in console(table.live).duties:
                if duty.ruling and duty.command["kind"] == "ConfirmDuty":
                    await table.ask(FLOOR if duty.by == "floorperson" else DEALER, duty.command)
            await table.next()
        return recorded(table)

    found: set[str] = set()
    for name in (DRAGON, TOP, UTH):
        for way in (HAND, AUTOMATED_SHOE) if name != UTH else (AUTOMATED_SHOE,):
            found |= run(confirmed(name, way))
    assert found >= DUTIES
