"""Tables run by people: every procedure by the right person, voids and meters by two, stale dealers refused."""

import pytest

from house.floors import TRAY, Floor, run
from house.live_table.staffed import ASKING, BY, CAGE, DEALER, FLOOR, OPERATOR, PIT, SECOND_OPERATOR, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import HOUSE_DEALER
from pitboss.house.people import leases
from pitboss.house.running_tables import Done
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table import next_duties

GAMES = game_names()


async def staffed(name: str, seed: int = 1) -> StaffedTable:
    table = StaffedTable(Floor(seed), name)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


@pytest.mark.parametrize("name", GAMES)
def test_a_dealer_runs_rounds_on_real_cards(name: str) -> None:
    async def run_rounds() -> StaffedTable:
        table = await staffed(name)
        for _ in range(3):
            await table.play_round()
        return table

    table = run(run_rounds())
    assert table.live.rounds == 3
    actors = {entry.actor for entry in table.floor.store.read("table/t")}
    assert {"dana", "flo", "alice", "bob"} <= actors


@pytest.mark.parametrize("name", GAMES)
def test_a_void_takes_two_people_and_gives_every_wager_back(name: str) -> None:
    async def voided() -> StaffedTable:
        table = await staffed(name)
        before = dict(table.live.balances)
        await table.begin()
        await table.until(ASKING)
        assert table.live.balances["felt:t"] > 0
        report = commands.ReportIrregularity(irregularity="wrong-number-of-cards", seat=1)
        answer = await table.ask(DEALER, report)
        assert isinstance(answer, Done)
        assert table.live.play is not None
        assert table.live.play.outcome is None, "one person voids nothing"
        proposal = next(iter(table.live.proposals))
        alone = await table.ask(DEALER, commands.Confirm(proposal=proposal))
        assert isinstance(alone, Refusal)
        player = await table.ask(("alice", "player"), commands.Confirm(proposal=proposal))
        assert isinstance(player, Refusal)
        await table.must(FLOOR, commands.Confirm(proposal=proposal))
        await table.end()
        assert table.live.balances == before
        return table

    table = run(voided())
    kinds = [entry.kind for entry in table.floor.store.read("table/t")]
    assert "round.RoundVoided" in kinds
    assert kinds.index("house.Confirmed") < kinds.index("round.RoundVoided")


def test_a_stale_dealer_is_refused() -> None:
    async def relieved() -> None:
        table = await staffed(GAMES[0])
        await table.prepare()
        stale = table.live.lease.token
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        answer = await table.floor.ask("t", "dana", "dealer", commands.BeginRound(), token=stale)
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-16"
        await table.must(("dora", "dealer"), commands.BeginRound())

    run(relieved())


def test_the_floor_puts_only_a_dealer_in_the_dealers_place() -> None:
    async def relieved() -> None:
        table = await staffed(GAMES[0])
        nobody = Refusal("There is no account named 'ghost'", "H-1", "by")
        table.floor.people.barred.update({"dana": nobody, "ghost": nobody})
        relief = leases.WithdrawLease(by=BY, at=0, reason="break", dealer="ghost")
        assert await table.ask(FLOOR, relief) == nobody.at("dealer")
        assert table.live.lease.holder == "dana"
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        assert table.live.lease.holder == "dora"

    run(relieved())


@pytest.mark.parametrize("pace", [-1, 9_999, 10**12])
def test_nobody_is_hurried_out_of_a_hand_for_money(pace: int) -> None:
    async def activated() -> Refusal | Done:
        table = StaffedTable(Floor(), GAMES[0], free_play=False, pace=pace)
        table.floor.house.open("t")
        document = {"game": table.name, **table.document}
        answer = await table.ask(OPERATOR, commands.ActivateSubmission(document=document))
        assert table.live.terms is None
        return answer

    answer = run(activated())
    assert isinstance(answer, Refusal)
    assert "milliseconds" in answer.reason


def test_the_program_deals_at_many_tables() -> None:
    async def dealt() -> set[str | None]:
        floor = Floor()
        for number, name in enumerate(GAMES):
            await floor.open(f"t{number}", name)
            while floor.house.live(f"t{number}").lease.holder is None:
                await floor.step(f"t{number}")
        return {floor.house.live(f"t{number}").lease.holder for number in range(len(GAMES))}

    assert run(dealt()) == {HOUSE_DEALER}


def test_a_dealer_holds_one_table() -> None:
    async def held() -> None:
        table = await staffed(GAMES[0])
        other = StaffedTable(table.floor, GAMES[0], "u")
        table.floor.house.open("u")
        take = leases.TakeLease(by=BY, at=0)
        assert str(await other.ask(DEALER, take)) == "dana is dealing at table t and has to leave it first (H-16)"
        await other.must(("dora", "dealer"), take)
        relief = leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dana")
        assert "has to leave it first" in str(await other.ask(FLOOR, relief))
        assert other.live.lease.holder == "dora"

    run(held())


def test_rules_do_not_change_during_a_round() -> None:
    async def swapped() -> None:
        table = await staffed(GAMES[0])
        await table.begin()
        other = commands.ActivateSubmission(document={"game": GAMES[1], "automatic": False, "cards": "reader"})
        answer = await table.ask(OPERATOR, other)
        assert isinstance(answer, Refusal)
        assert "during a round" in answer.reason

    run(swapped())


def test_fills_and_credits_go_through_the_hands_of_cage_and_floor() -> None:
    async def filled() -> None:
        table = await staffed(GAMES[0])
        before = table.live.tray_cents
        for wrong in (DEALER, OPERATOR, ("alice", "player")):
            assert isinstance(await table.ask(wrong, commands.Fill(cents=100_00)), Refusal)
        await table.both(CAGE, FLOOR, commands.Fill(cents=100_00))
        assert table.live.tray_cents == before + 100_00
        await table.both(CAGE, PIT, commands.Credit(cents=60_00))
        assert table.live.tray_cents == before + 40_00

    run(filled())


def test_a_table_opens_and_closes_with_a_count() -> None:
    async def closed() -> None:
        table = await staffed(GAMES[0])
        await table.play_round()
        await table.must(("alice", "player"), commands.Tip(cents=7_00))
        held = {person: table.live.stack_cents(person) for person in ("alice", "bob")}
        purses = {person: table.floor.house.money.state[f"purse:{person}"] for person in held}
        counted = table.live.tray_cents - 5_00
        done = await table.must(FLOOR, commands.CloseTable(tray_cents=counted))
        assert not table.live.is_open
        assert not table.live.seats
        assert table.live.balances == {}, "nobody's chips and no tips stay"
        for person, cents in held.items():
            assert table.floor.house.money.state[f"purse:{person}"] == purses[person] + cents
        by_kind = {entry.kind: entry for entry in done.entries}
        assert by_kind["house.TrayCounted"].body["postings"] == {"inventory:t": -5_00, "house": 5_00}
        assert by_kind["house.TrayCredited"].body["postings"] == {"inventory:t": -counted, "cage": counted}
        shift = by_kind["house.TableClosed"].body
        assert shift["opening_cents"] == TRAY
        assert shift["counted_over_cents"] == -5_00
        assert (shift["closing_cents"], shift["credits_cents"]) == (counted, 0)
        assert counted + shift["drop_cents"] - shift["opening_cents"] == shift["won_cents"] - 5_00

    run(closed())


def test_a_submission_is_put_in_force_by_two_people() -> None:
    async def activated() -> None:
        floor = Floor()
        table = StaffedTable(floor, GAMES[0])
        floor.house.open("t")
        document = commands.ActivateSubmission(document={"game": GAMES[0], "automatic": False, "cards": "reader"})
        await table.must(OPERATOR, document)
        assert table.live.terms is None
        proposal = next(iter(table.live.proposals))
        assert isinstance(await table.ask(OPERATOR, commands.Confirm(proposal=proposal)), Refusal)
        await table.must(SECOND_OPERATOR, commands.Confirm(proposal=proposal))
        assert table.live.terms is not None

    run(activated())


@pytest.mark.parametrize("name", GAMES)
def test_what_players_do_is_confirmed_by_those_who_sit_there(name: str) -> None:
    async def looked() -> list[str]:
        table = await staffed(name)
        asked = []
        for _ in range(80):
            assert table.live.cards is not None
            duties = [duty for duty in next_duties(table.live.cards) if duty.command not in ("OpenRound", "SpreadIdle")]
            if not duties:
                break
            if duties[0].command == "ConfirmDuty" and duties[0].by == "player":
                look = of_cards.ConfirmDuty(by=BY, at=0, duty=duties[0].id, deck=duties[0].deck)
                assert isinstance(await table.ask(("oscar", "player"), look), Refusal)
                await table.must(("alice", "player"), look)
                asked.append(duties[0].id)
            else:
                await table.do(duties[0])
        return asked

    assert run(looked()) == ["look"]
