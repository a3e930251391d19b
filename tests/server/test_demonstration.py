"""A demonstration plays by itself: house dealers, bots that keep a player company, nothing doubled by a restart."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import duties
from pitboss.house.people.commands import LockPerson
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.roles import ADMINISTRATOR, ROLES
from pitboss.house.people.sign_in import Admitted
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.round.state import WAGERING
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.server import demonstration
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import STAFFED, demo_documents, open_demo
from pitboss.server.live import background_loops
from pitboss.server.live.views import table_summary, table_view
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.table_documents import read_terms
from pitboss.table.people import AUTOMATON, TECHNICIAN, Person

pytestmark = pytest.mark.xdist_group("server")
OF_A_DEMONSTRATION = SignInRules(reusable_links=True)
QUICK = {"wagers_ms": 1_500, "decision_ms": 100, "step_ms": 1, "between_rounds_ms": 10}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration, "PACE", QUICK)
    monkeypatch.setattr(background_loops, "BOT_THINKS_S", (0.01, 0.02))


@pytest.mark.usefixtures("quick")
def test_bots_play_where_somebody_sits_and_nowhere_else(tmp_path: Path) -> None:
    table = game_names()[1]

    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        add_dealers(floor)
        await floor.start()
        await open_demo(floor, 2)
        await _must(floor, table, commands.TakeSeat(seat=1))
        await _must(floor, table, commands.BuyIn(cents=1_000_00))
        wagered = 0
        async with asyncio.timeout(300):
            while True:
                live = floor.house.live(table)
                play = live.play
                if play is not None and live.in_round and play.phase == WAGERING and wagered < live.rounds:
                    rules = read_terms(demo_documents()[table]).settings.rules
                    stakes = {
                        wager.name: 10_00 for wager in rules.game.wagers if wager.required and not wager.by_action
                    }
                    await _must(floor, table, commands.PlaceWagers(seat=1, stakes=stakes))
                    wagered = live.rounds
                if play is not None and play.outcome and len(play.players) == 3:
                    break
                await asyncio.sleep(0.01)
        seats = {seat["seat"]: seat["bot"] for seat in table_view(floor, live, None)["seats"]}
        assert seats.pop(1) is None
        assert sorted(seats.values()) == [1, 2]
        assert sorted(table_summary(floor, live).bots.values()) == [1, 2]
        for other in set(game_names()) - {table}:
            resting = floor.house.live(other)
            assert resting.play is None or not resting.play.players
        await floor.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("quick")
def test_bots_play_for_somebody_who_looks_on(tmp_path: Path) -> None:
    table = game_names()[1]

    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        add_dealers(floor)
        await floor.start()
        floor.sockets.add(table, object())
        await open_demo(floor, 2)
        async with asyncio.timeout(300):
            while (play := floor.house.live(table).play) is None or not play.outcome or len(play.players) < 2:
                await asyncio.sleep(0.01)
        await floor.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("quick")
def test_a_second_opening_adds_no_links_no_money_and_no_tables(tmp_path: Path) -> None:
    async def opened() -> tuple[dict[str, str], dict[str, int], int]:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        await floor.start()
        links = await open_demo(floor, 0)
        purses = {name: cents for name, cents in floor.house.money.state.items() if name.startswith("purse:player")}
        trays = sum(table.live.tray_cents for table in floor.house.tables.values())
        await floor.stop()
        return links, purses, trays

    assert asyncio.run(opened()) == asyncio.run(opened())


@pytest.mark.usefixtures("quick")
def test_every_role_has_a_link_also_after_an_administrator_has_signed_in(tmp_path: Path) -> None:
    async def opened() -> dict[str, str]:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        await floor.start()
        links = await open_demo(floor, 0)
        await floor.office.follow_link(links[ADMINISTRATOR])
        assert floor.office.people.administrators
        await floor.stop()
        return links

    first, second = asyncio.run(opened()), asyncio.run(opened())
    assert list(first) == list(second) == [*demonstration.ROLES, *demonstration.OTHER_ROLES]
    assert set(first) == set(ROLES) - {AUTOMATON}


@pytest.mark.usefixtures("quick")
def test_the_links_of_a_demonstration_open_nothing_once_its_folder_is_served_otherwise(tmp_path: Path) -> None:
    async def opened(rules: SignInRules) -> tuple[dict[str, str], set[bool]]:
        floor = make_floor(FloorSettings(tmp_path, rules=rules))
        await floor.start()
        links = await open_demo(floor, 0) if rules is OF_A_DEMONSTRATION else first
        answers = [await floor.office.follow_link(token, "192.0.2.1") for token in links.values()]
        await floor.stop()
        return links, {isinstance(answer, Refusal) for answer in answers}

    first, refused = asyncio.run(opened(OF_A_DEMONSTRATION))
    assert refused == {False}
    assert asyncio.run(opened(SignInRules()))[1] == {True}
    assert asyncio.run(opened(OF_A_DEMONSTRATION))[1] == {False}


@pytest.mark.usefixtures("quick")
def test_somebody_locked_out_keeps_no_demonstration_from_opening(tmp_path: Path) -> None:
    async def opened(lock: str | None) -> dict[str, str]:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        await floor.start()
        links = await open_demo(floor, 0)
        if lock is not None:
            by = Person(demonstration.KEEPER, ADMINISTRATOR)
            at = floor.clock.now_ms()
            assert not isinstance(
                await floor.office.put(LockPerson(by=by, at=at, person=lock, reason="a test")), Refusal
            )
        await floor.stop()
        return links

    assert TECHNICIAN in asyncio.run(opened(TECHNICIAN))
    assert TECHNICIAN not in asyncio.run(opened(None))


@pytest.mark.usefixtures("quick")
def test_a_dealer_deals_a_round_to_bots_at_the_table_that_waits_for_one(tmp_path: Path) -> None:
    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        add_dealers(floor)
        await floor.start()
        await open_demo(floor, 2)
        assert floor.house.live(STAFFED).lease.holder is None
        answer = await _given(floor, {"kind": "TakeLease"})
        assert isinstance(answer, Done)
        async with asyncio.timeout(300):
            while floor.house.live(STAFFED).rounds == 0 or floor.house.live(STAFFED).in_round:
                looked_at = floor.house.live(STAFFED)
                await _as_shown(floor)
                is_quiet = floor.house.live(STAFFED) is looked_at
                await asyncio.sleep(0.2 if is_quiet else 0)  # a console is worked out anew each time
        played = floor.house.live(STAFFED).play
        assert played is not None
        assert len(played.players) == 2
        assert played.outcome
        await floor.stop()

    asyncio.run(run())


@pytest.mark.usefixtures("quick")
def test_a_demonstration_that_is_opened_again_has_the_same_links_and_they_work_again(tmp_path: Path) -> None:
    async def opened(sources: tuple[str, ...]) -> tuple[dict[str, str], list[bool]]:
        floor = make_floor(FloorSettings(tmp_path, rules=OF_A_DEMONSTRATION))
        add_dealers(floor)
        await floor.start()
        links = await open_demo(floor, 0)
        admitted = [isinstance(await floor.office.follow_link(links["player"], each), Admitted) for each in sources]
        await floor.stop()
        return links, admitted

    here, elsewhere = "127.0.0.1", "192.0.2.1"
    links, admitted = asyncio.run(opened((here, here, elsewhere)))
    assert admitted == [True, True, False]
    again, admitted = asyncio.run(opened((elsewhere, here)))
    assert again == links
    assert len(set(links.values())) == len(links)
    assert admitted == [False, True]


async def _as_shown(floor: OpenFloor) -> None:
    # The dealer does what the console says is the dealer's, with what only a person can know.
    live = floor.house.live(STAFFED)
    own = [duty for duty in duties(live, floor.clock.now_ms()) if duty.roles == (DEALER,) and duty.since is None]
    play = next((line for line in own if line.command["kind"] != "ConfirmDuty"), None)
    if play is None:
        return
    body = dict(play.command)
    if body["kind"] == "CloseBets":
        assert live.play is not None
        if len(live.play.players) < len(live.seats):
            return  # both bots are waited for
        rules = live.play.rules
        drawing = [name for name, paytable in rules.paytables.items() if paytable.meters]
        body["progressive_chips"] = sum(
            any(live.play.seat_stakes(seat).get(name) for name in drawing) for seat in live.play.players
        )
    answer = await _given(floor, body)
    assert isinstance(answer, Done), (body, answer)


async def _given(floor: OpenFloor, body: dict[str, Any]) -> Answer:
    token = floor.house.live(STAFFED).lease.token or None
    return await floor.house.do(STAFFED, Asked(floor.fresh(), DEALER, (DEALER,), body, token=token))


async def _must(floor: OpenFloor, table: str, command: commands.Command) -> None:
    asked = Asked(floor.fresh(), "player", ("player",), commands.data_of(command))
    answer = await floor.house.do(table, asked)
    assert isinstance(answer, Done), answer
