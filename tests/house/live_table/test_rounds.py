"""Whole rounds of every game at tables that deal by themselves: money balances, the record rebuilds them."""

import json
from collections import Counter

import pytest

from house.floors import PROGRESSIVE, PURSE, Floor, read_terms, run
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.live_table.events import SealOpened
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.record.seal import commitment, open_card
from pitboss.record.store import streams

PLAYERS = {"alice": 1, "bob": 3, "carol": 4}


async def played(name: str, rounds: int, seed: int = 1) -> Floor:
    floor = Floor(seed)
    await floor.open("t", name)
    for person, seat in PLAYERS.items():
        await floor.sit("t", person, seat)
    await floor.rounds("t", rounds)
    return floor


def balances(floor: Floor) -> Counter[str]:
    found: Counter[str] = Counter()
    for stream in streams(floor.store):
        for entry in floor.store.read(stream):
            moved = entry.body.get("postings", {})
            assert sum(moved.values()) == 0, f"{entry.kind} does not sum to zero"
            for account, cents in moved.items():
                found[account] += cents
                assert account in ("house", "cage") or found[account] >= 0, f"{account} after {entry.kind}"
    return found


@pytest.mark.parametrize("name", game_names())
def test_money_sums_to_zero_and_no_stake_stays_on_the_felt(name: str) -> None:
    floor = run(played(name, 12))
    held = balances(floor)
    assert sum(held.values()) == 0
    assert held["felt:t"] == 0
    live = floor.house.live("t")
    assert live.rounds == 12
    assert {account: cents for account, cents in held.items() if cents and account in live.balances} == live.balances
    assert sum(held[f"purse:{person}"] for person in PLAYERS) == 3 * (PURSE - 10_000_00)


@pytest.mark.parametrize("name", game_names())
def test_every_round_is_rebuilt_from_the_log_only(name: str) -> None:
    floor = run(played(name, 4))
    lines = list(floor.store.read("table/t"))
    keys = {entry.body["round"]: entry.body["dealt_key"] for entry in lines if entry.kind == "house.SealOpened"}
    assert len(keys) == 4

    class Published:
        def __init__(self, round_id: str) -> None:
            self.round = round_id

        def open(self, position: int, sealed: str) -> Card:
            return open_card(keys[self.round], self.round, position, sealed)[0]

    live = LiveTable("t")
    for entry in lines:
        live = evolve(live, entry, Reading(read_terms, lambda round_id, key: Published(round_id)))
    kept = floor.house.live("t")
    assert live.play is not None
    assert kept.play is not None
    assert live._replace(play=live.play._replace(rules=kept.play.rules)) == kept


@pytest.mark.parametrize("name", game_names())
def test_dealt_cards_are_those_committed_before_the_first_wager(name: str) -> None:
    floor = run(played(name, 3))
    shuffled: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    wagered = False
    checked = 0
    lines = list(floor.store.read("table/t"))
    keys = {entry.body["round"]: entry.body["dealt_key"] for entry in lines if entry.kind == "house.SealOpened"}
    round_id = ""
    for entry in lines:
        if entry.kind == "house.RoundBegun":
            wagered, fixed, round_id = False, (), entry.body["round"]
        elif entry.kind == "round.WagersPlaced":
            wagered = True
        elif entry.kind == "house.DeckCommitted":
            shuffled = tuple(entry.body["commitments"])
        elif entry.kind == "table.DeckCut":
            cards = entry.body["cards"]
            shuffled = shuffled[cards:] + shuffled[:cards]
        elif entry.kind == "house.OrderFixed":
            assert not wagered
            assert entry.body["commitment"] == commitment_of(shuffled)
            fixed = shuffled
        elif entry.kind == "round.CardsDealt":
            for written in entry.body["cards"]:
                if "sealed" in written:
                    card, salt = open_card(keys[round_id], round_id, written["position"], written["sealed"])
                else:
                    card, salt = written["card"], written["salt"]
                assert commitment(salt, card) == fixed[written["position"]]
                checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", game_names())
def test_a_hidden_card_is_nowhere_in_the_record_before_its_round_ends(name: str) -> None:
    async def until_asked() -> Floor:
        floor = await played(name, 0)
        while True:
            live = floor.house.live("t")
            if live.play is not None and live.play.seat_asked is not None:
                return floor
            if not await floor.act("t"):
                await floor.step("t")

    floor = run(until_asked())
    play = floor.house.live("t").play
    assert play is not None
    hidden = {card for place, cards in play.cards.items() for card in cards[play.face_up.get(place, 0) :] if card}
    assert hidden
    text = "\n".join(floor.store.lines("table/t"))
    for card in hidden:
        assert f'"{card}"' not in text
    assert SealOpened.__name__ not in text


def test_meters_follow_their_equation_through_shared_rounds() -> None:
    async def two_tables() -> Floor:
        floor = Floor(5)
        linked = next(name for name in game_names() if read_terms({"game": name}).progressive)
        for table in ("a", "b"):
            await floor.open(table, linked)
            await floor.sit(table, f"{table}1", 1)
            await floor.sit(table, f"{table}2", 2)
        for _ in range(6):
            await floor.rounds("a", 1)
            await floor.rounds("b", 1)
        return floor

    floor = run(two_tables())
    state = floor.house.progressive(PROGRESSIVE).state
    assert balances(floor)[f"pool:{PROGRESSIVE}"] == state.pool_cents
    assert any(meter.contributed for meter in state.meters.values())
    assert not state.plays


@pytest.mark.parametrize("name", game_names())
def test_a_snapshot_at_any_moment_brings_the_table_back(name: str) -> None:
    async def compared() -> int:
        floor = await played(name, 1)
        seen = 0
        for _ in range(60):
            if not await floor.act("t"):
                await floor.step("t")
            live = floor.house.live("t")
            back = table_from_data(json.loads(json.dumps(table_to_data(live))), floor.house.reading)
            if live.play is not None and back.play is not None:
                back = back._replace(play=back.play._replace(rules=live.play.rules))
            assert back == live
            seen += live.in_round
        return seen

    assert run(compared()) > 20
