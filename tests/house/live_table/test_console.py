"""The dealer's console: following only it runs every game, step by step, with the clause of each."""

from typing import Any

import pytest

from house.floors import Floor, run
from house.live_table.staffed import DEALER, FLOOR, StaffedTable
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import Console, DutyShown, console
from pitboss.house.running_tables import Asked
from pitboss.round.state import ASKING, OVER, SETTLING, WAGERING
from pitboss.rules.procedure import BEGUN, SETTLED, Moment
from pitboss.table.conditions import cards_of

GAMES = game_names()
LEFT_ALONE = ("PlaceWagers", "Act", "ActForAbsent", "SpreadIdle", "RemoveDeck")


async def seated(name: str, seed: int = 1, **document: Any) -> StaffedTable:
    table = StaffedTable(Floor(seed), name, **document)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


def moments_of(name: str) -> dict[str, Moment]:
    """Return the moment of every duty that a game's rounds have."""
    procedures = game(name).procedures
    return {duty.id: duty.moment for duties in (*procedures.dealing.values(), procedures.round) for duty in duties}


def shown(table: StaffedTable) -> Console:
    return console(table.live)


def filled(table: StaffedTable, duty: DutyShown) -> dict[str, Any]:
    """Return a duty's command with what only the dealer knows."""
    cards = table.live.cards
    assert cards is not None
    dealt = cards.round.dealt if cards.round else 0
    known: dict[str, dict[str, Any]] = {
        "ReceiveDeck": {"deck": f"deck {len(cards.decks) + len(cards.removed) + 1}"},
        "ShuffleDeck": {"way": "device"},
        "ReadDeviceCount": {"cards": cards_of(cards)},
        "CutDeck": {"cards": cards_of(cards) // 2},
        "CountDeck": {"cards": cards_of(cards)},
        "CountStub": {"cards": cards_of(cards) - dealt},
    }
    command = {**known.get(duty.command["kind"], {}), **duty.command}
    if command["kind"] == "ReadCard":
        command["card"] = table.order.pop(0)
    return command


async def follow(table: StaffedTable) -> DutyShown | None:
    """Do the next duty that the console shows the staff, or let a player do what it shows them."""
    duties = [duty for duty in shown(table).duties if duty.command["kind"] not in LEFT_ALONE]
    first = ("ConfirmDuty", "RackStub", "CountStub")
    duties.sort(key=lambda duty: duty.command["kind"] not in first)
    waits = shown(table).phase in (WAGERING, ASKING)
    if waits and not any(duty.command["kind"] in first for duty in duties) and await table.floor.act("t"):
        return None
    duty = duties[0]
    await table.must(FLOOR if duty.by == "floorperson" else DEALER, filled(table, duty))
    if duty.command["kind"] == "BeginRound":
        table.shuffle()
    return duty


@pytest.mark.parametrize("cards", ["reader", "shuffle"])
@pytest.mark.parametrize("name", GAMES)
def test_following_only_the_console_runs_whole_rounds(name: str, cards: str) -> None:
    async def followed() -> list[DutyShown]:
        table = await seated(name, cards=cards)
        done = []
        while table.live.rounds < 2 or table.live.in_round:
            duty = await follow(table)
            if duty is not None:
                done.append(duty)
            assert len(done) < 300
        closed = [entry for entry in table.floor.store.read("table/t") if entry.kind == "table.RoundClosed"]
        assert len(closed) == 2
        for entry in closed:
            assert not entry.body["unconfirmed"]
        return done

    done = run(followed())
    assert all(duty.clause and duty.text for duty in done)


@pytest.mark.parametrize("name", GAMES)
def test_duties_come_in_their_moment_and_not_all_at_once(name: str) -> None:
    async def watched() -> None:
        table = await seated(name)
        await table.begin()
        early = {duty.id for duty in shown(table).duties}
        moments = moments_of(name)
        assert not early & {duty for duty, moment in moments.items() if moment != BEGUN}
        await table.until(SETTLING)
        settling = {duty.id: duty.command["kind"] for duty in shown(table).duties}
        assert "show-player" in settling
        assert not {duty for duty, moment in moments.items() if moment == SETTLED} & settling.keys()
        assert {"RackStub", "CountStub"} & set(settling.values())
        await table.until(OVER)
        kinds = {duty.command["kind"] for duty in shown(table).duties}
        assert "EndRound" in kinds
        assert not {"RackStub", "CountStub"} & kinds
        assert "pick-up" in {duty.id for duty in shown(table).duties}

    run(watched())


@pytest.mark.parametrize("name", GAMES)
def test_the_console_says_what_is_refused_now_and_why(name: str) -> None:
    async def watched() -> None:
        table = await seated(name)
        await table.begin()
        await table.until(ASKING)
        house, token = table.floor.house, table.live.lease.token
        asked = Asked("x", DEALER[0], (DEALER[1],), {"kind": "DealCards"}, token)
        seen = console(table.live, house.means(table.live, asked))
        refused = {item.command: item for item in seen.refused}
        assert set(refused) >= {"BeginRound", "CloseBets", "DealCards", "Settle", "EndRound"}
        for kind, line in refused.items():
            answer = await table.ask(DEALER, {"kind": kind, **({"cards": 0} if kind == "CountStub" else {})})
            assert (answer.reason, answer.clause) == (line.reason, line.clause)
            assert line.clause

    run(watched())


def test_a_closed_table_and_an_empty_place_come_first() -> None:
    async def watched() -> None:
        table = StaffedTable(Floor(), GAMES[0])
        table.floor.house.open("t")
        assert [duty.id for duty in shown(table).duties] == ["activate"]
        await table.open()
        await table.must(DEALER, {"kind": "ReleaseLease", "token": table.live.lease.token})
        assert [duty.id for duty in shown(table).duties] == ["take-lease"]

    run(watched())


@pytest.mark.parametrize("name", GAMES)
def test_no_card_is_on_the_console(name: str) -> None:
    async def watched() -> int:
        table = await seated(name, seed=3)
        await table.begin()
        checked = 0
        while table.live.in_round:
            play = table.live.play
            assert play is not None
            text = repr(shown(table))
            for card in play.drawn:
                assert f"'{card}'" not in text
                assert f"{card} " not in text
                checked += 1
            await table.next()
        return checked

    assert run(watched()) > 10


def test_what_was_paid_is_shown_as_chips() -> None:
    async def watched() -> set[str]:
        table = await seated(GAMES[0], seed=2)
        found: set[str] = set()
        for _ in range(4):
            await table.begin()
            await table.until(OVER)
            for payment in shown(table).paid:
                found.add(payment.chips)
            assert shown(table).tray
            await table.end()
        return found

    found = run(watched())
    assert found
    assert all("(" in item or "coin" in item for item in found)


def test_a_players_time_is_shown_and_kept() -> None:
    async def waited() -> None:
        table = await seated(GAMES[0], pace=30_000)
        await table.begin()
        await table.until(ASKING)
        play = table.live.play
        assert play is not None
        absent = next(duty for duty in shown(table).duties if duty.id == "absent")
        assert absent.since == table.live.asked_at + 30_000
        early = await table.ask(DEALER, commands.ActForAbsent(seat=play.cursor))
        assert early.clause == "G-5"
        table.floor.clock.now += 30_000
        await table.both(DEALER, FLOOR, commands.ActForAbsent(seat=play.cursor))

    run(waited())
