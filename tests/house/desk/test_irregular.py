"""What goes wrong at a table run by people: reported, ruled by the ones who may, voided by two, at every game."""

from typing import Any

import pytest

from house.desk.staffed import BY, CAGE, DEALER, FLOOR, PIT, StaffedTable
from house.floors import Floor, read_terms, run
from pitboss.games.catalogue import game_names
from pitboss.house.desk import commands
from pitboss.house.desk.console import console
from pitboss.house.people import leases
from pitboss.house.progressive import Stake
from pitboss.house.progressive import commands as of_meters
from pitboss.house.running import Done
from pitboss.round.state import ASKING, DEALING, OVER, SETTLING, WAGERING
from pitboss.rules import irregularity as wrong
from pitboss.rules.irregularity import FLOOR_RULES, FORFEIT, SETTLE_ONLY, VOID
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards

GAMES = game_names()
LINKED = [name for name in GAMES if read_terms({"game": name}).progressive]


async def seated(name: str, seed: int = 1, **document: Any) -> StaffedTable:
    table = StaffedTable(Floor(seed), name, **document)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


async def in_phase(name: str, phase: str, seed: int = 1, **document: Any) -> StaffedTable:
    table = await seated(name, seed, **document)
    await table.begin()
    await table.until(phase)
    return table


def kinds_of(name: str) -> list[str]:
    return list(read_terms({"game": name}).settings.game.irregularities)


def report(kind: str, **rest: Any) -> commands.ReportIrregularity:
    return commands.ReportIrregularity(irregularity=kind, **rest)


CASES = [(name, kind) for name in GAMES for kind in kinds_of(name) if kind != wrong.PROGRESSIVE_MISMATCH]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_irregularity_is_ruled_by_those_it_takes(name: str, kind: str) -> None:
    async def ruled() -> None:
        table = await in_phase(name, DEALING)
        if kind != wrong.FACE_UP_CARD:
            await table.until(ASKING)
        felt = table.desk.balances["felt:t"]
        assert table.desk.play is not None
        seat = 1 if kind in (wrong.PLAYER_LEFT, wrong.PLAYER_VIOLATION) else None
        card = table.order.pop(0) if kind == wrong.FACE_UP_CARD else None
        said = report(kind, seat=seat, card=card)
        for stranger in (CAGE, ("alice", "player"), ("tess", "technician")):
            assert isinstance(await table.ask(stranger, said), Refusal)
        done = await table.must(DEALER, said)
        entry = next((one for one in done.entries if one.kind == "house.IrregularityReported"), None)
        if entry is not None:
            await floor_rules(table, said)
        elif table.desk.proposals:
            assert table.desk.play.outcome is None
            await table.must(FLOOR, commands.Confirm(proposal=next(iter(table.desk.proposals))))
        event = last(table, "round.IrregularityRuled")
        assert event.clause
        if event.body["remedy"] == VOID:
            assert table.desk.play.outcome == "void"
            assert "felt:t" not in table.desk.balances
        elif event.body["remedy"] == FORFEIT:
            assert table.desk.balances.get("felt:t", 0) < felt
        while table.desk.in_round:
            await table.next()
        await table.play_round()

    run(ruled())


def last(table: StaffedTable, kind: str) -> Any:
    return [entry for entry in table.floor.store.read("table/t") if entry.kind == kind][-1]


async def floor_rules(table: StaffedTable, said: commands.ReportIrregularity) -> None:
    desk = table.desk
    assert desk.play is not None
    assert desk.trouble is not None
    assert [duty.id for duty in console(desk).duties] == ["rule"]
    stopped = await table.ask(DEALER, commands.DealCards())
    assert stopped.clause == desk.trouble.clause
    remedies = desk.play.rules.game.irregularities[said.irregularity]
    rulings = next(one for one in remedies if one.then == FLOOR_RULES).rulings
    ruling = commands.ReportIrregularity(irregularity=said.irregularity, seat=said.seat, ruling=rulings[0])
    assert isinstance(await table.ask(DEALER, ruling), Refusal), "the dealer is a party to the hand"
    await table.must(FLOOR, ruling)
    assert last(table, "round.IrregularityRuled").body["ruled_by"] == "flo"
    assert table.desk.trouble is None


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_misdealt", [True, False])
def test_a_wrong_stub_count_voids_the_round(name: str, is_misdealt: bool) -> None:
    async def counted() -> None:
        table = await seated(name)
        before = dict(table.desk.balances)
        await table.begin()
        await table.until(SETTLING)
        assert table.desk.cards is not None
        assert table.desk.cards.round is not None
        whole = len(table.desk.cards.settings.game.deck)
        left = whole - table.desk.cards.round.dealt
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left - 1))
        assert isinstance(await table.ask(DEALER, commands.Settle()), Refusal)
        found = of_cards.FindMisdeal(
            by=BY, at=0, misdealt=is_misdealt, cards_in_deck=whole if is_misdealt else whole - 1
        )
        await table.must(DEALER, found)
        assert table.desk.trouble is not None
        kind = wrong.STUB_COUNT_MISDEALT if is_misdealt else wrong.STUB_COUNT_WRONG
        assert table.desk.trouble.irregularity == kind
        assert isinstance(await table.ask(DEALER, commands.Settle()), Refusal)
        await table.both(DEALER, PIT, report(kind))
        assert table.desk.play is not None
        assert table.desk.play.outcome == "void"
        assert table.desk.balances == before, "everything went back, what fed the meters too"
        await table.end()
        assert bool(table.desk.cards.decks) == is_misdealt
        assert ("deck 1" in table.desk.cards.removed) == (not is_misdealt)

    run(counted())


@pytest.mark.parametrize("name", GAMES)
def test_the_stub_is_counted_before_wagers_are_settled_and_not_before_the_last_card(name: str) -> None:
    async def counted() -> None:
        table = await seated(name)
        for _ in range(table_rounds(table)):
            await table.play_round()
        await table.begin()
        await table.until(DEALING)
        await table.next()
        early = await table.ask(DEALER, of_cards.CountStub(by=BY, at=0, cards=1))
        assert isinstance(early, Refusal)
        await table.until(SETTLING)
        late = await table.ask(DEALER, commands.Settle())
        assert isinstance(late, Refusal)
        assert "counted before" in late.reason
        assert late.clause

    run(counted())


def table_rounds(table: StaffedTable) -> int:
    cards = table.desk.cards
    assert cards is not None
    return cards.settings.procedures.stub[cards.method].every_rounds - 1


@pytest.mark.parametrize("name", GAMES)
def test_a_jam_in_play_stops_the_round_until_it_is_ruled_on(name: str) -> None:
    async def jammed() -> None:
        table = await in_phase(name, DEALING)
        await table.next()
        if table.desk.play is not None and table.desk.play.phase != DEALING:
            return
        jam = of_cards.JamDevice(by=BY, at=0, device="shoe", deck="deck 1")
        await table.must(("tess", "technician"), jam)
        assert table.desk.trouble is not None
        assert table.desk.trouble.irregularity == wrong.SHOE_JAM
        assert isinstance(await table.ask(DEALER, commands.DealCards()), Refusal)
        await table.both(DEALER, FLOOR, report(wrong.SHOE_JAM))
        assert table.desk.play is not None
        assert table.desk.play.outcome == "void"
        await table.end()
        await table.play_round()

    run(jammed())


def test_nothing_can_go_wrong_with_cards_that_the_program_draws() -> None:
    async def drawn() -> None:
        for name in GAMES:
            table = await in_phase(name, ASKING, cards="shuffle")
            for kind in (wrong.WRONG_NUMBER, wrong.DEALER_CARD_EXPOSED, wrong.SHOE_JAM):
                answer = await table.ask(FLOOR, report(kind))
                assert isinstance(answer, Refusal)
                assert answer.clause == "H-23"
            assert isinstance(await table.ask(DEALER, commands.ReadCard(card="As")), Refusal)
            await table.until(SETTLING)
            assert isinstance(await table.ask(DEALER, of_cards.CountStub(by=BY, at=0, cards=3)), Refusal)

    run(drawn())


@pytest.mark.parametrize("name", GAMES)
def test_a_player_who_left_frees_the_seat_when_the_round_ends(name: str) -> None:
    async def left() -> None:
        table = await in_phase(name, ASKING)
        purse = table.floor.house.money.state["purse:alice"]
        stack = table.desk.stack_cents("alice")
        await table.must(FLOOR, report(wrong.PLAYER_LEFT, seat=1, ruling="abandoned"))
        assert table.desk.play is not None
        assert table.desk.play.status[1] == "out"
        while table.desk.in_round:
            await table.next()
        assert table.desk.seats == {2: "bob"}
        assert table.floor.house.money.state["purse:alice"] == purse + stack

    run(left())


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_played_out_is_acted_for_at_once(name: str) -> None:
    async def left() -> None:
        table = await in_phase(name, ASKING, pace=60_000)
        assert table.desk.play is not None
        seat = table.desk.play.cursor
        act = commands.ActForAbsent(seat=seat)
        assert isinstance(await table.ask(DEALER, act), Refusal)
        await table.must(FLOOR, report(wrong.PLAYER_LEFT, seat=seat, ruling="played-out"))
        await table.must(DEALER, act)

    run(left())


@pytest.mark.parametrize("name", GAMES)
def test_a_card_that_was_set_aside_is_not_read_again(name: str) -> None:
    async def found() -> None:
        table = await in_phase(name, DEALING)
        card = table.order.pop(0)
        done = await table.must(FLOOR, report(wrong.FACE_UP_CARD, card=card[:2]))
        if any(entry.kind == "house.Proposed" for entry in done.entries):
            return
        answer = await table.ask(DEALER, commands.ReadCard(card=last(table, "round.IrregularityRuled").body["card"]))
        assert isinstance(answer, Refusal)
        left = [entry for entry in done.entries if entry.kind == "table.CardsLeftDeck"]
        assert left[0].body["by"]["name"] == "dana", "the dealer's cards, whoever reports them"
        while table.desk.in_round:
            await table.next()

    run(found())


async def void_proposed(name: str) -> tuple[StaffedTable, str]:
    table = await in_phase(name, ASKING)
    await table.must(DEALER, report(wrong.WRONG_NUMBER, seat=1))
    return table, next(iter(table.desk.proposals))


def test_a_proposal_runs_out() -> None:
    async def late() -> None:
        table, proposal = await void_proposed(GAMES[0])
        table.floor.clock.now += 11 * 60_000
        answer = await table.ask(FLOOR, commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        assert "run out" in answer.reason
        assert answer.clause == "H-2"
        await table.must(DEALER, report(wrong.WRONG_NUMBER, seat=1))
        assert proposal not in table.desk.proposals, "what lapsed is dropped"
        assert len(table.desk.proposals) == 1

    run(late())


def test_a_void_that_was_proposed_does_not_fall_upon_the_next_round() -> None:
    async def carried_over() -> None:
        table, proposal = await void_proposed(GAMES[0])
        while table.desk.in_round:
            await table.next()
        assert not table.desk.proposals
        await table.begin()
        await table.until(ASKING)
        assert isinstance(await table.ask(FLOOR, commands.Confirm(proposal=proposal)), Refusal)
        assert table.desk.play is not None
        assert table.desk.play.outcome is None

    run(carried_over())


def test_a_proposer_who_was_revoked_or_relieved_since_stands_behind_nothing() -> None:
    async def revoked() -> None:
        table, proposal = await void_proposed(GAMES[0])
        house, no_more = table.floor.house, Refusal("dana is revoked", "H-17", "by")
        house.standing = lambda person: no_more if person.name == "dana" else None
        assert await table.ask(FLOOR, commands.Confirm(proposal=proposal)) == no_more
        house.standing = lambda person: None
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        answer = await table.ask(FLOOR, commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-16"
        assert table.desk.play is not None
        assert table.desk.play.outcome is None

    run(revoked())


def test_a_partial_void_takes_two_people_too() -> None:
    async def partial() -> int:
        found = 0
        for name in GAMES:
            remedies = read_terms({"game": name}).settings.game.irregularities.get(wrong.DEALER_CARD_EXPOSED, ())
            if not any(one.then == SETTLE_ONLY for one in remedies):
                continue
            for seed in range(1, 4):
                table = await in_phase(name, ASKING, seed)
                await table.must(DEALER, report(wrong.DEALER_CARD_EXPOSED))
                assert table.desk.proposals, "wagers are given back, so one person is not enough"
                await table.must(FLOOR, commands.Confirm(proposal=next(iter(table.desk.proposals))))
                while table.desk.in_round:
                    await table.next()
                assert "felt:t" not in table.desk.balances
                found += 1
        return found

    assert run(partial())


async def wagered(name: str) -> StaffedTable:
    """Return a linked table of real chips where two players made the progressive wager."""
    table = await seated(name, free_play=False)
    await table.begin()
    assert table.desk.terms is not None
    rules = table.desk.terms.settings.rules
    assert rules.game.progressive is not None
    wager = rules.game.progressive.wager
    for seat, person in ((1, "alice"), (2, "bob")):
        main = {one.name: 5_00 for one in rules.game.wagers if one.required and not one.by_action}
        stakes = {**main, wager: rules.choices.stakes[wager]}
        await table.must((person, "player"), commands.PlaceWagers(seat=seat, stakes=stakes))
    return table


@pytest.mark.parametrize("name", LINKED)
def test_progressive_chips_are_counted_and_a_missing_one_is_returned_before_the_deal(name: str) -> None:
    async def counted() -> None:
        table = await wagered(name)
        state = table.floor.house.progressive("shared")
        assert isinstance(await table.ask(DEALER, commands.CloseBets()), Refusal), "chips are counted here"
        assert table.desk.play is not None
        assert table.desk.play.phase == WAGERING
        await table.must(DEALER, commands.CloseBets(progressive_chips=1))
        assert table.desk.play.phase == DEALING, "no more bets was called all the same"
        refused = await table.ask(("alice", "player"), commands.PlaceWagers(seat=1, stakes={}))
        assert isinstance(refused, Refusal)
        due = table.desk.play.due
        assert due is not None
        await table.read(due[1])
        blocked = await table.ask(DEALER, commands.DealCards())
        assert isinstance(blocked, Refusal)
        assert blocked.clause == state.state.links["t"].mismatch_clause
        assert not state.state.plays["t"].is_counted
        stack = table.desk.stack_cents("alice")
        await table.must(DEALER, report(wrong.PROGRESSIVE_MISMATCH, seat=1))
        assert table.desk.stack_cents("alice") > stack
        assert [stake.seat for stake in state.state.plays["t"].stakes] == [2]
        assert table.desk.chips_found is None
        await table.must(DEALER, commands.DealCards())

    run(counted())


@pytest.mark.parametrize("name", LINKED)
def test_a_recount_that_agrees_goes_on_and_a_late_mismatch_gives_the_contribution_back(name: str) -> None:
    async def recounted() -> None:
        table = await wagered(name)
        tray = table.desk.tray_cents
        await table.must(DEALER, commands.CloseBets(progressive_chips=3))
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        state = table.floor.house.progressive("shared")
        assert state.state.plays["t"].is_counted
        pool = state.state.pool_cents
        fed = tray - table.desk.tray_cents
        assert fed > 0
        await table.must(DEALER, report(wrong.PROGRESSIVE_MISMATCH, seat=2))
        assert not state.state.plays["t"].has_wager(2)
        assert pool - state.state.pool_cents in (fed // 2, fed - fed // 2)
        assert tray - table.desk.tray_cents in (fed // 2, fed - fed // 2)

    run(recounted())


@pytest.mark.parametrize("name", LINKED)
def test_a_meters_terms_stand_still_from_the_first_progressive_wager(name: str) -> None:
    async def changed() -> None:
        table = await wagered(name)
        assert table.floor.house.progressive("shared").state.plays["t"].round == table.desk.round
        quiet = await seated(name, seed=2)
        await quiet.begin()
        assert not quiet.floor.house.progressive("shared").state.plays, "rounds without such wagers cost no meter"

    run(changed())


@pytest.mark.parametrize("name", LINKED)
def test_a_void_gives_the_tray_what_it_gave_the_meters(name: str) -> None:
    async def voided() -> None:
        table = await wagered(name)
        before = dict(table.desk.balances)
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        await table.both(DEALER, FLOOR, report(wrong.WRONG_NUMBER))
        assert table.desk.tray_cents == before["inventory:t"]
        await table.end()
        assert table.floor.house.progressive("shared").state.plays == {}

    run(voided())


def test_two_of_the_same_name_are_one_person() -> None:
    async def alone() -> None:
        table, proposal = await void_proposed(GAMES[0])
        answer = await table.ask(("dana", "floorperson"), commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        assert isinstance(await table.ask(FLOOR, commands.Decline(proposal=proposal)), Done)
        assert not table.desk.proposals
        assert table.desk.play is not None
        assert table.desk.play.phase != OVER

    run(alone())


async def hit(name: str) -> StaffedTable:
    """Return a linked table at which a royal flush of seat 1 waits for its meter."""
    table = await wagered(name)
    await table.must(DEALER, commands.CloseBets(progressive_chips=2))
    wanted: dict[Any, list[str]] = {1: ["As", "Ks"], "board": ["Qs", "Js", "Ts", "2d", "3d"]}
    others = [card for card in table.order if not any(card in cards for cards in wanted.values())]
    while table.desk.play is not None and table.desk.play.phase != "awaiting-meter":
        play = table.desk.play
        if play.phase == DEALING and play.due is not None and play.due[1] > 0:
            heap = wanted.get(play.due[0]) or others
            table.order = [heap.pop(0) for _ in range(play.due[1])]  # type: ignore[misc]
        elif play.phase == ASKING:
            await table.must(DEALER, commands.ActForAbsent(seat=play.cursor))
            continue
        await table.next()
    return table


@pytest.mark.parametrize("name", LINKED)
def test_a_meter_is_claimed_by_the_dealer_and_validated_by_the_floor(name: str) -> None:
    async def validated() -> None:
        table = await hit(name)
        state = table.floor.house.progressive("shared")
        shown = next(iter(state.state.shown().values()))
        for stranger in (CAGE, ("alice", "player"), ("olga", "operator")):
            assert isinstance(await table.ask(stranger, commands.ValidateMeter(seat=1)), Refusal)
        await table.must(DEALER, commands.ValidateMeter(seat=1))
        assert not state.state.hits, "the dealer alone pays nothing"
        stack = table.desk.stack_cents("alice")
        await table.must(FLOOR, commands.ValidateMeter(seat=1))
        last_hit = state.state.hits[-1]
        assert (last_hit.claimed_by, last_hit.validated_by) == ("dana", "flo")
        assert last_hit.paid_cents == shown
        assert table.desk.stack_cents("alice") >= stack + shown
        while table.desk.in_round:
            await table.next()

    run(validated())


@pytest.mark.parametrize("name", LINKED)
def test_a_relieved_dealers_claim_is_made_again_by_the_next(name: str) -> None:
    async def validated() -> None:
        table = await hit(name)
        state = table.floor.house.progressive("shared")
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        await table.must(FLOOR, commands.ValidateMeter(seat=1))
        assert not state.state.hits
        await table.must(("dora", "dealer"), commands.Confirm(proposal=next(iter(table.desk.proposals))))
        last_hit = state.state.hits[-1]
        assert (last_hit.claimed_by, last_hit.validated_by) == ("dora", "flo")
        assert last(table, "round.MeterPaid").body["validated_by"] == "flo"

    run(validated())


@pytest.mark.parametrize("name", LINKED)
def test_a_void_after_another_table_hit_the_meter_gives_back_what_this_one_gave(name: str) -> None:
    async def voided() -> None:
        table = await wagered(name)
        before = table.desk.tray_cents
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        fed = before - table.desk.tray_cents
        floor = table.floor
        other = StaffedTable(floor, name, table="u", free_play=False)
        floor.house.open("u")
        await other.open()
        shared = floor.house.progressive("shared")
        pool = shared.state.pool_cents
        await floor.meters(of_meters.OpenPlay(at=0, table="u", round="r"))
        await floor.meters(of_meters.LockOut(at=0, table="u", round="r"))
        await floor.meters(of_meters.TakeContributions(at=0, table="u", round="r", stakes=(Stake(1, 1_00),)))
        meter = next(iter(shared.state.meters))
        paid = of_meters.PayHit(
            at=0,
            table="u",
            round="r",
            seat=1,
            player="carl",
            meter=meter,
            percent=100,
            hand="royal flush",
            claimed_by="one",
            validated_by="two",
            clause="x",
        )
        await floor.meters(paid)
        assert shared.state.pool_cents != pool
        await table.both(DEALER, FLOOR, report(wrong.WRONG_NUMBER))
        assert fed > 0
        assert table.desk.tray_cents == before

    run(voided())
