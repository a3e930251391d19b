"""Irregularities at a table run by people: reported, ruled on by the right people, voided by two, in every game."""

from dataclasses import replace
from typing import Any

import pytest

from house.floors import read_terms, run
from house.live_table.staffed import BY, CAGE, DEALER, FLOOR, OPERATOR, PIT, StaffedTable, in_phase, last, seated
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.house.people import leases
from pitboss.house.running_tables import Done
from pitboss.round.state import ASKING, DEALING, OVER, SETTLING, WAGERING
from pitboss.rules import irregularity as wrong
from pitboss.rules.irregularity import FLOOR_RULES, FORFEIT, SET_ASIDE, SETTLE_ONLY, UNLISTED, VOID
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table import next_duties
from pitboss.table.state import LOADED, SHUFFLED, STACKED

GAMES = game_names()
LINKED = [name for name in GAMES if read_terms({"game": name}).progressive]


def kinds_of(name: str) -> list[str]:
    return list(read_terms({"game": name}).settings.game.irregularities)


def report(kind: str, **rest: Any) -> commands.ReportIrregularity:
    return commands.ReportIrregularity(irregularity=kind, **rest)


CASES = [(name, kind) for name in GAMES for kind in kinds_of(name) if kind != wrong.PROGRESSIVE_MISMATCH]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_irregularity_is_ruled_by_those_it_takes(name: str, kind: str) -> None:
    async def ruled() -> None:
        table = await in_phase(name, DEALING)
        if kind not in (wrong.FACE_UP_CARD, wrong.DRAWN_IN_ERROR):
            await table.until(ASKING)
        felt = table.live.balances["felt:t"]
        assert table.live.play is not None
        seat = 1 if kind in (wrong.PLAYER_LEFT, wrong.PLAYER_VIOLATION) else None
        card = table.order.pop(0) if kind == wrong.FACE_UP_CARD else None
        if card is not None:
            await table.must(DEALER, commands.ReadCard(card=card))
        limb = "touched" if kind == wrong.PLAYER_VIOLATION else None
        said = report(kind, seat=seat, card=card, limb=limb)
        for stranger in (CAGE, ("alice", "player"), ("tess", "technician")):
            assert isinstance(await table.ask(stranger, said), Refusal)
        done = await table.must(DEALER, said)
        reported = done.entries[0]
        assert (reported.kind, reported.actor) == ("house.IrregularityReported", "dana")
        assert (reported.body["irregularity"], reported.body["seat"]) == (kind, seat)
        if table.live.proposals:
            assert table.live.play.outcome is None
            assert isinstance(await table.ask(DEALER, commands.DealCards()), Refusal)
            await table.must(FLOOR, commands.Confirm(proposal=next(iter(table.live.proposals))))
        elif table.live.trouble is not None:
            await floor_rules(table, said)
        event = last(table, "round.IrregularityRuled")
        assert event.clause
        answered = last(table, "house.IncidentAnswered").body
        assert (answered["incident"], answered["outcome"]) == (reported.body["incident"], "ruled")
        assert answered["reported_by"] == "dana"
        assert table.live.trouble is None
        if event.body["remedy"] == VOID:
            assert table.live.play.outcome == "void"
            assert "felt:t" not in table.live.balances
        elif event.body["remedy"] == FORFEIT:
            assert table.live.balances.get("felt:t", 0) < felt
        while table.live.in_round:
            await table.next()
        await table.play_round()

    run(ruled())


async def floor_rules(table: StaffedTable, said: commands.ReportIrregularity) -> None:
    live = table.live
    assert live.play is not None
    assert live.trouble is not None
    assert [duty.id for duty in console(live).duties] == ["rule"]
    stopped = await table.ask(DEALER, commands.DealCards())
    assert stopped.clause == live.trouble.clause
    remedies = live.play.rules.game.irregularities[said.irregularity]
    remedy = next(remedy for remedy in remedies if remedy.then == FLOOR_RULES)
    rulings = remedy.rulings
    ruling = commands.ReportIrregularity(irregularity=said.irregularity, seat=said.seat, ruling=rulings[0])
    if remedy.needs_note:
        assert (await table.ask(FLOOR, ruling)).field == "note"
        ruling = replace(ruling, note="seen by everybody")
        if remedy.ruling == UNLISTED:
            await table.both(FLOOR, DEALER, ruling)
        else:
            await table.must(FLOOR, ruling)  # someone else reported it
        body = last(table, "round.IrregularityRuled").body
        assert remedy.ruling in ("G-18", "TF-14")
        assert (body["ruled_by"], body["note"], body["rests_on"]) == ("flo", "seen by everybody", [remedy.ruling])
        return
    if rulings[0] == "abandoned":
        await table.must(FLOOR, ruling)  # the dealer confirmed the absence by reporting it
        assert last(table, "round.IrregularityRuled").body["ruled_by"] == "flo"
        return
    assert isinstance(await table.ask(DEALER, ruling), Refusal), "the dealer is a party to the hand"
    await table.must(FLOOR, ruling)
    assert last(table, "round.IrregularityRuled").body["ruled_by"] == "flo"
    assert table.live.trouble is None


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_misdealt", [True, False])
def test_a_wrong_stub_count_voids_the_round(name: str, is_misdealt: bool) -> None:
    async def counted() -> None:
        table = await seated(name)
        before = dict(table.live.balances)
        await table.begin()
        await table.until(SETTLING)
        assert table.live.cards is not None
        assert table.live.cards.round is not None
        whole = len(table.live.cards.settings.game.deck)
        left = whole - table.live.cards.round.dealt
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left - 1))
        assert isinstance(await table.ask(DEALER, commands.Settle()), Refusal)
        found = of_cards.FindMisdeal(
            by=BY, at=0, misdealt=is_misdealt, cards_in_deck=whole if is_misdealt else whole - 1
        )
        await table.must(DEALER, found)
        assert table.live.trouble is not None
        kind = wrong.STUB_COUNT_MISDEALT if is_misdealt else wrong.STUB_COUNT_WRONG
        assert table.live.trouble.irregularity == kind
        assert isinstance(await table.ask(DEALER, commands.Settle()), Refusal)
        await table.both(DEALER, PIT, report(kind))
        assert table.live.play is not None
        assert table.live.play.outcome == "void"
        assert table.live.balances == before, "everything went back, what fed the meters too"
        await table.end()
        assert bool(table.live.cards.decks) == is_misdealt
        assert ("deck 1" in table.live.cards.removed) == (not is_misdealt)

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
        assert "Count the stub before" in late.reason
        assert late.clause

    run(counted())


def table_rounds(table: StaffedTable) -> int:
    cards = table.live.cards
    assert cards is not None
    return cards.settings.procedures.stub[cards.method].every_rounds - 1


@pytest.mark.parametrize("name", GAMES)
def test_a_jam_in_play_stops_the_round_until_it_is_ruled_on(name: str) -> None:
    async def jammed() -> None:
        table = await in_phase(name, DEALING)
        await table.next()
        if table.live.play is not None and table.live.play.phase != DEALING:
            return
        jam = of_cards.JamDevice(by=BY, at=0, device="shoe", deck="deck 1")
        await table.must(("tess", "technician"), jam)
        assert table.live.trouble is not None
        assert table.live.trouble.irregularity == wrong.SHOE_JAM
        assert isinstance(await table.ask(DEALER, commands.DealCards()), Refusal)
        await table.both(DEALER, FLOOR, report(wrong.SHOE_JAM))
        assert table.live.play is not None
        assert table.live.play.outcome == "void"
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
        stack = table.live.stack_cents("alice")
        await table.both(FLOOR, DEALER, report(wrong.PLAYER_LEFT, seat=1, ruling="abandoned"))
        assert table.live.play is not None
        assert table.live.play.status[1] in ("out", "folded")
        while table.live.in_round:
            await table.next()
        assert table.live.seats == {2: "bob"}
        settled = [result for (seat, _), result in table.live.play.results.items() if seat == 1]
        side = sum(result.stake + result.net for result in settled)  # of wagers whose cards were out
        assert table.floor.house.money.state["purse:alice"] == purse + stack + side

    run(left())


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_played_out_is_acted_for_at_once(name: str) -> None:
    async def left() -> None:
        table = await in_phase(name, ASKING, pace=60_000)
        assert table.live.play is not None
        seat = table.live.play.cursor
        act = commands.ActForAbsent(seat=seat)
        assert isinstance(await table.ask(DEALER, act), Refusal)
        await table.both(FLOOR, DEALER, report(wrong.PLAYER_LEFT, seat=seat, ruling="played-out"))
        await table.must(DEALER, act)

    run(left())


@pytest.mark.parametrize("name", GAMES)
def test_a_card_that_was_set_aside_is_not_read_again(name: str) -> None:
    async def found() -> None:
        table = await in_phase(name, DEALING)
        card = table.order.pop(0)
        await table.must(DEALER, commands.ReadCard(card=card))
        done = await table.both(FLOOR, DEALER, report(wrong.FACE_UP_CARD, card=card[:2]))
        if last(table, "round.IrregularityRuled").body["remedy"] != SET_ASIDE:
            return
        answer = await table.ask(DEALER, commands.ReadCard(card=last(table, "round.IrregularityRuled").body["card"]))
        assert isinstance(answer, Refusal)
        left = [entry for entry in done.entries if entry.kind == "table.CardsLeftDeck"]
        assert left[0].body["by"]["name"] == "dana", "the dealer's cards, whoever reports them"
        while table.live.in_round:
            await table.next()

    run(found())


@pytest.mark.parametrize("name", GAMES)
def test_reporting_a_card_that_was_not_read_tells_nothing_about_hidden_ones(name: str) -> None:
    async def asked() -> None:
        table = await in_phase(name, DEALING)
        await table.next()
        play = table.live.play
        assert play is not None
        answers = {await table.ask(FLOOR, report(wrong.FACE_UP_CARD, card=card)) for card in play.rules.game.deck.cards}
        assert play.drawn or table.live.waiting
        told = {str(answer) for answer in answers if isinstance(answer, Refusal)}
        assert len(told) == 1
        assert "Have the dealer read it first" in told.pop()

    run(asked())


async def void_proposed(name: str) -> tuple[StaffedTable, str]:
    table = await in_phase(name, ASKING)
    await table.must(DEALER, report(wrong.WRONG_NUMBER, seat=1))
    return table, next(iter(table.live.proposals))


def test_a_proposal_expires() -> None:
    async def late() -> None:
        table = await seated(GAMES[0])
        await table.must(CAGE, commands.Fill(cents=100_00))
        (proposal,) = table.live.proposals
        table.floor.clock.now += 11 * 60_000
        answer = await table.ask(FLOOR, commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        assert "expired" in answer.reason
        assert answer.clause == "H-13"
        await table.must(CAGE, commands.Fill(cents=100_00))
        assert proposal not in table.live.proposals, "what lapsed is dropped"
        assert len(table.live.proposals) == 1

    run(late())


def test_a_report_does_not_run_out_and_holds_its_table_until_somebody_answers() -> None:
    async def late() -> None:
        table, proposal = await void_proposed(GAMES[0])
        table.floor.clock.now += 25 * 60_000
        assert isinstance(await table.ask(("alice", "player"), commands.Act(seat=1, action="fold")), Refusal)
        await table.must(FLOOR, commands.Confirm(proposal=proposal))
        assert table.live.play is not None
        assert table.live.play.outcome == "void"

    run(late())


def test_a_report_made_again_takes_the_place_of_the_first() -> None:
    async def again() -> None:
        table, proposal = await void_proposed(GAMES[0])
        incident = table.live.trouble
        await table.must(FLOOR, report(wrong.WRONG_NUMBER, seat=1))
        (newer,) = table.live.proposals
        assert newer != proposal
        assert table.live.trouble == incident, "one incident, whoever speaks of it"
        await table.must(DEALER, commands.Confirm(proposal=newer))
        assert table.live.play is not None
        assert table.live.play.outcome == "void"

    run(again())


def test_a_report_of_something_else_waits_for_the_first() -> None:
    async def other() -> None:
        table, _ = await void_proposed(GAMES[0])
        for said in (report(wrong.WRONG_NUMBER, seat=2), report(wrong.PLAYER_LEFT, seat=1)):
            answer = await table.ask(FLOOR, said)
            assert isinstance(answer, Refusal)
            assert "There is an earlier report" in answer.reason

    run(other())


def test_a_proposer_who_was_revoked_or_relieved_cannot_be_confirmed() -> None:
    async def revoked() -> None:
        table, proposal = await void_proposed(GAMES[0])
        barred, no_more = table.floor.people.barred, Refusal("dana is revoked", "H-17", "by")
        barred["dana"] = no_more
        assert await table.ask(FLOOR, commands.Confirm(proposal=proposal)) == no_more
        barred.clear()
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        answer = await table.ask(FLOOR, commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-16"
        assert table.live.play is not None
        assert table.live.play.outcome is None

    run(revoked())


def test_a_partial_void_takes_two_people_too() -> None:
    async def partial() -> int:
        found = 0
        for name in GAMES:
            remedies = read_terms({"game": name}).settings.game.irregularities.get(wrong.DEALER_CARD_EXPOSED, ())
            if not any(remedy.then == SETTLE_ONLY for remedy in remedies):
                continue
            for seed in range(1, 4):
                table = await in_phase(name, ASKING, seed)
                await table.must(DEALER, report(wrong.DEALER_CARD_EXPOSED))
                assert table.live.proposals, "wagers are given back, so one person is not enough"
                await table.must(FLOOR, commands.Confirm(proposal=next(iter(table.live.proposals))))
                while table.live.in_round:
                    await table.next()
                assert "felt:t" not in table.live.balances
                found += 1
        return found

    assert run(partial())


def test_no_single_person_takes_a_players_wagers_away() -> None:
    async def forfeited() -> int:
        found = 0
        for name in GAMES:
            remedies = read_terms({"game": name}).settings.game.irregularities.get(wrong.PLAYER_VIOLATION, ())
            if not any(remedy.then == FORFEIT for remedy in remedies):
                continue
            table = await in_phase(name, SETTLING)
            for person in (DEALER, FLOOR):
                await table.must(person, report(wrong.PLAYER_VIOLATION, seat=1, limb="touched"))
            assert len(table.live.proposals) == 1
            assert "round.IrregularityRuled" not in [entry.kind for entry in table.floor.store.read("table/t")]
            found += 1
        return found

    assert run(forfeited())


def test_a_proposal_is_declined_only_by_its_maker_or_one_whom_it_takes() -> None:
    async def declined() -> None:
        table, proposal = await void_proposed(GAMES[0])
        for stranger in (CAGE, OPERATOR, ("dora", "dealer")):
            answer = await table.floor.ask("t", *stranger, commands.Decline(proposal=proposal))
            assert isinstance(answer, Refusal), stranger
        assert proposal in table.live.proposals
        for person in (DEALER, FLOOR):
            answer = await table.ask(person, commands.Decline(proposal=proposal, reason=" "))
            assert isinstance(answer, Refusal)
            assert (answer.clause, answer.field) == ("G-17", "reason")
        await table.must(DEALER, commands.Decline(proposal=proposal, reason="counted again, seven cards"))
        assert not table.live.proposals
        answered = last(table, "house.IncidentAnswered").body
        assert (answered["outcome"], answered["reason"]) == ("withdrawn", "counted again, seven cards")
        while table.live.in_round:
            await table.next()

    run(declined())


def test_two_of_the_same_name_are_one_person() -> None:
    async def alone() -> None:
        table, proposal = await void_proposed(GAMES[0])
        answer = await table.ask(("dana", "floorperson"), commands.Confirm(proposal=proposal))
        assert isinstance(answer, Refusal)
        declined = await table.ask(FLOOR, commands.Decline(proposal=proposal, reason="the hand is right"))
        assert isinstance(declined, Done)
        assert last(table, "house.IncidentAnswered").body["outcome"] == "declined"
        assert not table.live.proposals
        assert table.live.play is not None
        assert table.live.play.phase != OVER

    run(alone())


@pytest.mark.parametrize("name", ["dragon-poker", "colorado-holdem"])
def test_a_deck_that_jammed_before_the_deal_is_shuffled_before_it_is_dealt(name: str) -> None:
    async def jammed() -> None:
        table = await in_phase(name, WAGERING, dealing="manual-shoe")
        await table.must(DEALER, report(wrong.SHUFFLER_JAM))
        await table.until(DEALING)
        assert table.live.play is not None
        card = table.live.play.rules.game.deck.cards[0]
        refused = await table.ask(DEALER, commands.ReadCard(card=card))
        assert isinstance(refused, Refusal)
        assert "Load it before drawing a card" in refused.reason
        assert table.live.cards is not None
        while (deck := table.live.cards.decks[0]).stage != LOADED:
            await table.do(next(duty for duty in next_duties(table.live.cards) if duty.deck == deck.name))
        await table.until(ASKING)

    run(jammed())


@pytest.mark.parametrize("name", GAMES)
def test_the_other_deck_that_jammed_is_shuffled_again(name: str) -> None:
    async def jammed() -> None:
        table = await in_phase(name, ASKING, dealing="manual-shoe", decks=2)
        assert table.live.cards is not None
        (other,) = (deck for deck in table.live.cards.decks if deck.name != table.live.cards.round.deck)
        await table.must(DEALER, report(wrong.SHUFFLER_JAM, other_deck=True))
        now = table.live.cards.deck(other.name)
        assert now is not None
        assert (other.stage, now.stage) == (SHUFFLED, STACKED)
        while table.live.in_round:
            await table.next()
        await table.play_round()

    run(jammed())


@pytest.mark.parametrize("name", GAMES)
def test_a_shuffler_or_a_deck_that_is_not_there_cannot_have_jammed(name: str) -> None:
    async def jammed() -> None:
        without = await in_phase(name, ASKING, shuffler="none", dealing="manual-shoe")
        assert str(await without.ask(DEALER, report(wrong.SHUFFLER_JAM))).startswith("This table has no shuffler")
        live = await in_phase(name, ASKING, dealing="manual-shoe")
        answer = await live.ask(DEALER, report(wrong.SHUFFLER_JAM, other_deck=True))
        assert str(answer).startswith("This table has no other deck")

    run(jammed())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("person", [DEALER, FLOOR, PIT])
def test_a_jam_of_a_shuffler_that_failed_since_is_still_ruled_on(name: str, person: tuple[str, str]) -> None:
    async def jammed() -> None:
        table = await in_phase(name, ASKING, dealing="manual-shoe", decks=2)
        for state in ("in service", "failed"):
            await table.must(person, report(wrong.SHUFFLER_JAM, other_deck=True))
            assert table.live.trouble is None, state
            if state == "in service":
                await table.must(FLOOR, of_cards.FailDevice(by=BY, at=0, device="shuffler"))

    run(jammed())
