"""An irregularity holds the table from its report to its answer, and the record keeps the outcome."""

import contextlib
import io
import json
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from pitboss.cli import _run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.commands import KINDS
from pitboss.house.live_table.holds import WHILE_HELD
from pitboss.rules.irregularity import FORFEIT, SETTLE_ONLY, VOID
from scenarios.floor import DRAWN, EVERYBODY, READER, ScenarioTable
from server.running import frames_until

PATRON = 5  # the seat of a player without a device, for whom the dealer acts
NewTable = Callable[..., ScenarioTable]
REPORT = "ReportIrregularity"
CO, DP, TF, UT = "colorado-holdem", "dragon-poker", "top-five-poker", "ultimate-texas-holdem"
FACE_UP, WRONG_NUMBER, EXPOSED = "face-up-card", "wrong-number-of-cards", "dealer-card-exposed"
SHOE_JAM, SHUFFLER_JAM, VIOLATION = "shoe-jam", "shuffler-jam", "player-violation"
SHOE = {"dealing": "automated-shoe"}


class Case(NamedTuple):
    """Something that goes wrong at a moment of a round, and what two people make of it."""

    game: str
    kind: str
    clause: str
    remedy: str = VOID
    moment: str = "asking"  # a phase, or "second": a card was found face up before this one
    setup: Mapping[str, Any] = MappingProxyType({})


CASES = (
    Case(TF, FACE_UP, "Ch. 13 §A", moment="dealing"),
    Case(TF, WRONG_NUMBER, "Ch. 13 §C"),
    Case(TF, SHOE_JAM, "Ch. 13 §D", moment="dealing", setup=SHOE),
    Case(TF, VIOLATION, "Ch. 11 §A(5)", FORFEIT),
    Case(TF, EXPOSED, "TF-14"),
    Case(TF, SHUFFLER_JAM, "TF-14", moment="wagering"),
    Case(DP, FACE_UP, "Ch. 13 §B", moment="second"),
    Case(DP, WRONG_NUMBER, "Ch. 13 §D"),
    Case(DP, EXPOSED, "Ch. 13 §E"),
    Case(DP, SHOE_JAM, "Ch. 13 §G", moment="dealing", setup=SHOE),
    Case(UT, FACE_UP, "Ch. 13 §B", moment="second"),
    Case(UT, FACE_UP, "Ch. 13 §C", SETTLE_ONLY, "hands"),
    Case(UT, WRONG_NUMBER, "Ch. 13 §E"),
    Case(UT, EXPOSED, "Ch. 13 §F", SETTLE_ONLY),
    Case(UT, SHUFFLER_JAM, "Ch. 13 §H(2)"),
    Case(UT, SHOE_JAM, "Ch. 13 §I(1)", moment="dealing", setup=SHOE),
    Case(CO, FACE_UP, "§14(a)", moment="second"),
    Case(CO, WRONG_NUMBER, "§14(c)"),
    Case(CO, SHOE_JAM, "§14(f)", moment="dealing", setup=SHOE),
    Case(CO, "community-card-exposed", "CH-12"),
)
EVERY = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.kind}-{case.moment}")
ONE_EACH = [next(case for case in CASES if case.game == name) for name in game_names()]


def brought(new_table: NewTable, case: Case) -> ScenarioTable:
    """Return a table whose round has come to the moment of a case, everyone with a side wager where there is one."""
    table = new_table(case.game, **case.setup).open()
    table.begin()
    stakes = {**table.least(), "trips": 500} if case.game == UT else table.least()
    for player in table.live.seats.values():
        table.wager(player, **stakes)
    table.seat_patron(PATRON, 500_00)
    if case.moment == "wagering":
        return table
    table.close_bets()
    table.deal_one()
    if case.moment == "second":
        table.both("dana", "flo", REPORT, irregularity=FACE_UP, card=next_card(table))
    elif case.moment == "hands":
        table.play_to("asking")
        table.least_answer()
        table.least_answer()
        assert table.phase == "dealing"
    else:
        table.play_to(case.moment)
    return table


def next_card(table: ScenarioTable) -> str:
    table.read()
    return str(table.live.waiting[-1][:2])


def said(table: ScenarioTable, case: Case) -> dict[str, Any]:
    """Return the report of a case."""
    fields: dict[str, Any] = {"irregularity": case.kind}
    if case.kind == FACE_UP:
        fields["card"] = next_card(table)
    if case.kind in (VIOLATION, WRONG_NUMBER):
        fields["seat"] = 1
    remedy = table.live.play.rules.game.irregularities[case.kind][0]
    if getattr(remedy, "limbs", ()):
        fields["limb"] = remedy.limbs[0].name
    if getattr(remedy, "needs_note", False):
        fields["note"] = "seen by everybody at the table"
    return fields


def reported(table: ScenarioTable, case: Case) -> tuple[dict[str, Any], str | None]:
    fields = said(table, case)
    return fields, table.must("dana", REPORT, **fields)["proposal"]


def forbidden(table: ScenarioTable) -> list[tuple[str, str, dict[str, Any]]]:
    """Return what nobody may do while a report waits, each with the person who otherwise could."""
    deck, whole = table.live.cards.decks[0].name, len(table.game.deck)
    return [
        ("alice", "PlaceWagers", {"seat": 1, "stakes": table.least()}),
        ("alice", "WithdrawWagers", {"seat": 1}),
        ("alice", "Act", {"seat": 1, "action": "fold"}),
        ("alice", "Tip", {"cents": 100}),
        ("alice", "BuyIn", {"cents": 100}),
        ("alice", "CashOut", {"cents": 100}),
        ("alice", "LeaveSeat", {"seat": 1}),
        ("dana", "BringChips", {"seat": PATRON, "cents": 100}),
        ("dana", "ColorUp", {"seat": PATRON, "chips": {"100": 5}}),
        ("dana", "RepeatWagers", {}),
        ("dana", "CloseBets", {}),
        ("dana", "ReadCard", {"card": table.deck[0]}),
        ("dana", "DealCards", {}),
        ("dana", "TurnCards", {}),
        ("dana", "ActForAbsent", {"seat": 1}),
        ("dana", "GiveTime", {"seat": 1}),
        ("dana", "Settle", {}),
        ("flo", "ValidateMeter", {"seat": 1}),
        ("dana", "RackStub", {}),
        ("dana", "CountStub", {"cards": 1}),
        ("dana", "FindMisdeal", {"misdealt": True, "cards_in_deck": whole}),
        ("dana", "EndRound", {}),
        ("dana", "BeginRound", {}),
        ("dana", "ShuffleDeck", {"deck": deck, "way": "device"}),
        ("dana", "ReadDeviceCount", {"deck": deck, "cards": whole}),
        ("dana", "CutDeck", {"deck": deck, "cards": 20}),
        ("dana", "LoadDeck", {"deck": deck}),
        ("dana", "CountDeck", {"deck": deck, "cards": whole}),
        ("dana", "SpreadIdle", {}),
        ("dana", "ReceiveDeck", {"deck": "another"}),
        ("dana", "ConfirmDuty", {"duty": "burn"}),
        ("flo", "RemoveDeck", {"deck": deck}),
        ("flo", "OrderRecut", {"deck": deck}),
        ("flo", "DirectShuffle", {"deck": deck}),
        ("flo", "ChangeDealing", {"method": "hand"}),
        ("flo", "CloseTable", {"tray_cents": 0}),
        ("cay", "Credit", {"cents": 100}),
        ("cay", "CountInventory", {"tray_cents": 0}),
        ("cay", "Correct", {"entry": 1, "reason": "a slip"}),
        ("olga", "ActivateSubmission", {"document": table.document}),
        ("flo", "ValidatePayout", {"seat": 1}),
        ("flo", "RecordHandPay", {"seat": 1, "sealed": "00"}),
        ("flo", "OpenTable", {"tray_cents": 100}),
        ("dana", "CorrectRead", {"was": table.deck[0], "right": table.deck[1]}),
        ("dana", "ReportDispute", {"seats": [1], "note": "misread"}),
        ("flo", "ResolveDispute", {"outcome": "stands", "note": "as dealt"}),
        ("tec", "EnrollReader", {"reader": "another", "key": "0" * 64}),
        ("tec", "RetireReader", {"reader": "another", "reason": "broken"}),
        ("flo", "SwitchKeyboard", {"is_on": True, "reason": "a dirty lens"}),
        ("tec", "EnrollSensor", {"sensor": "another", "key": "0" * 64}),
        ("flo", "ChangeLimits", {"limits": {next(iter(table.least())): [500, 1000]}}),
        ("flo", "CountTray", {"chips": {"100": 1}}),
        ("dana", "SendCredit", {"slip": "CREDIT-000001", "chips": {"100": 1}}),
    ]


def test_every_command_that_a_held_table_refuses_is_tried(new_table: NewTable) -> None:
    allowed = {kind.__name__ for kind in WHILE_HELD} | {"Confirm", "Decline"}
    table = brought(new_table, CASES[1])
    # No person gives these: `test_a_held_table_takes_no_card_from_a_reader` and `.._no_chips_from_a_sensor` try them.
    by_a_device = {"ReaderSaw", "SensorSaw"}
    assert {kind for _, kind, _ in forbidden(table)} == KINDS.keys() - allowed - by_a_device


def is_held(table: ScenarioTable, case: Case, money: dict[str, int]) -> None:
    """Check that nothing continues, no matter who tries."""
    phase = table.phase
    for who, kind, fields in forbidden(table):
        refused = table.refused(who, kind, **fields)
        assert f"on hold until the report ({case.kind.replace('-', ' ')}) is" in refused["reason"], kind
        assert refused["clause"] == case.clause, kind
    of_real_cards = "card-drawn-in-error" if case.kind != "card-drawn-in-error" else WRONG_NUMBER
    other = of_real_cards if table.cards == READER else "player-left"
    assert "There is an earlier report" in table.refused("flo", REPORT, irregularity=other, seat=1)["reason"]
    assert (table.money(), table.phase) == (money, phase)
    assert table.view()["held"]["irregularity"] == case.kind
    assert table.view()["actions"] == []


def voided_by_two(table: ScenarioTable, fields: dict[str, Any], proposal: str | None) -> None:
    """Have the dealer's report confirmed by the floor, or a floor's ruling by the dealer; nobody can do it alone."""
    if proposal is None:
        assert table.console()["held"]["rulings"] == ["continue", "void"]
        ruling = {"note": "as everybody saw", **fields, "ruling": "void"}
        proposal = table.must("flo", REPORT, **ruling)["proposal"]
        assert proposal is not None, "one person voids nothing"
        table.refused("flo", "Confirm", proposal=proposal)
        table.must("dana", "Confirm", proposal=proposal)
        return
    for nobody in ("dana", "alice", "tec", "cay"):
        table.refused(nobody, "Confirm", proposal=proposal)
    table.must("flo", "Confirm", proposal=proposal)


@EVERY
def test_every_void_kind_holds_the_table_until_two_people_rule(new_table: NewTable, case: Case) -> None:
    table = brought(new_table, case)
    stacks = {name: cents for name, cents in table.money().items() if name.startswith("stack:")}
    fields, proposal = reported(table, case)
    money = table.money()
    is_held(table, case, money)
    voided_by_two(table, fields, proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["irregularity"], ruled.body["remedy"], ruled.clause) == (case.kind, case.remedy, case.clause)
    (first, *_) = table.entries("house.IrregularityReported")[-1:]
    answered = table.entries("house.IncidentAnswered")[-1].body
    assert (answered["incident"], answered["outcome"]) == (first.body["incident"], "ruled")
    assert answered["reported_by"] == first.actor == "dana"
    assert table.view()["held"] is None
    if case.remedy == VOID:
        assert table.live.play.outcome == "void"
        assert not any(name.startswith("felt:") and cents for name, cents in table.money().items())
        returned = {name: cents + staked(table, name) for name, cents in stacks.items()}
        assert {name: table.money()[name] for name in stacks} == returned, "every wager went back"
    while table.live.in_round:
        table.step()
    is_among_incidents(table, case)
    table.play_round()


def is_among_incidents(table: ScenarioTable, case: Case) -> None:
    """Find a report that was ruled on among the incidents, the alerts and the steps of the round's replay."""
    incident = table.entries("house.IncidentAnswered")[-1].body["incident"]
    http = table.floor.people["pit"].http
    lines = http.get("/api/reports/incidents", params={"kind": "irregularity"}).raise_for_status().json()
    kinds = {line["event"] for line in lines if line["incident"] == incident}
    assert kinds >= {"house.IncidentAnswered", "house.IrregularityReported"}
    alerts = http.get("/api/alerts").raise_for_status().json()
    disputes = [alert for alert in alerts if (alert["table"], alert["kind"]) == (table.table, "dispute")]
    assert disputes
    assert all(alert["cause_gone_at"] is not None for alert in disputes)
    steps = table.floor.people["aud"].http.get(f"/api/audit/rounds/{table.live.round}").raise_for_status().json()
    told = " ".join(step["told"] for step in steps["steps"])
    assert f"reports {case.kind.replace('-', ' ')}" in told


def staked(table: ScenarioTable, account: str) -> int:
    """Return what the holder of a stack had wagered in the round."""
    stakes = table.live.play.stakes
    players = table.live.play.players
    return sum(cents for (seat, _), cents in stakes.items() if account.endswith(f":{players[seat]}"))


def test_no_role_gets_a_held_table_to_go_on(new_table: NewTable) -> None:
    case = CASES[1]
    table = brought(new_table, case)
    _, proposal = reported(table, case)
    money, sequence = table.money(), table.sequence
    for name in EVERYBODY:
        for _, kind, fields in forbidden(table):
            answer = table.ask(name, kind, **fields)
            assert answer.status_code == 409, f"{kind} by {name}: {answer.text}"
    assert (table.money(), table.sequence) == (money, sequence)
    table.must("fred", "Confirm", proposal=proposal)


@pytest.mark.parametrize("case", ONE_EACH, ids=lambda case: case.game)
def test_a_declined_report_stays_on_the_record_and_play_goes_on(new_table: NewTable, case: Case) -> None:
    table = brought(new_table, case)
    _, proposal = reported(table, case)
    incident = table.console("flo")["held"]["incident"]
    name = proposal or incident
    for nobody in ("alice", "cay", "tec", "olga"):
        table.refused(nobody, "Decline", proposal=name, reason="it was not so")
    refused = table.refused("flo", "Decline", proposal=name)
    assert (refused["field"], refused["clause"]) == ("reason", "G-17")
    table.must("flo", "Decline", proposal=incident, reason="looked at, and right")
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"]) == ("flo", "declined")
    assert answered.body["reason"] == "looked at, and right"
    assert table.live.proposals == {}
    on_the_record(table, case, "declined", "flo", "looked at, and right")


@pytest.mark.parametrize("case", ONE_EACH, ids=lambda case: case.game)
def test_a_withdrawn_report_stays_on_the_record_and_play_goes_on(new_table: NewTable, case: Case) -> None:
    table = brought(new_table, case)
    _, proposal = reported(table, case)
    name = proposal or table.console()["held"]["incident"]
    assert table.refused("dana", "Decline", proposal=name, reason="  ")["field"] == "reason"
    table.must("dana", "Decline", proposal=name, reason="I misread the hand")
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"]) == ("dana", "withdrawn")
    on_the_record(table, case, "withdrawn", "dana", "I misread the hand")


def on_the_record(table: ScenarioTable, case: Case, outcome: str, by: str, reason: str) -> None:
    """Play on to the settlement and find the report and its answer in incidents, alerts and replays."""
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    incident = table.entries("house.IncidentAnswered")[-1].body["incident"]
    http = table.floor.people["pit"].http
    lines = http.get("/api/reports/incidents", params={"kind": "irregularity"}).raise_for_status().json()
    mine = [line for line in lines if line["incident"] == incident]
    assert [line["event"] for line in mine] == ["house.IncidentAnswered", "house.IrregularityReported"]
    assert mine[0]["says"].endswith(f"reported by dana, {outcome}: {reason}")
    alerts = http.get("/api/alerts").raise_for_status().json()
    disputes = [alert for alert in alerts if (alert["table"], alert["kind"]) == (table.table, "dispute")]
    assert any(alert["text"].endswith(f"; {outcome} by {by}: {reason}") for alert in disputes)
    assert all(alert["cause_gone_at"] is not None for alert in disputes)
    steps = table.floor.people["aud"].http.get(f"/api/audit/rounds/{table.live.round}").raise_for_status().json()
    told = [step["told"] for step in steps["steps"]]
    assert any(f"reports {case.kind.replace('-', ' ')}" in sentence for sentence in told)
    assert any(sentence.endswith(f"is {outcome} by {by}: {reason}") for sentence in told)


def printed_replay(table: ScenarioTable, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Return what `pitboss replay` of the table's last round ends with and prints."""
    monkeypatch.setattr(sys, "argv", ["pitboss", "replay", table.live.round, "--data", str(table.floor.data)])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = _run()
    return status, " ".join(printed.getvalue().split())


def test_a_round_that_is_still_played_is_not_replayed(new_table: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(UT).open()
    table.begin()
    status, text = printed_replay(table, monkeypatch)
    assert (status, text) == (1, f"Round {table.live.round} is still being played. Replay it once it has ended.")
    table.play_to("asking")
    status, text = printed_replay(table, monkeypatch)
    assert (status, text) == (1, f"The cards of round {table.live.round} are sealed until it is over.")


def test_the_printed_replay_shows_the_report_and_its_answer(
    new_table: NewTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[1]
    table = brought(new_table, case)
    _, proposal = reported(table, case)
    table.must("fred", "Decline", proposal=proposal, reason="seven cards")
    while table.live.in_round:
        table.step()
    status, text = printed_replay(table, monkeypatch)
    assert status == 0
    assert "dana reports wrong number of cards at seat 1; the table is on hold" in text
    assert "The report of wrong number of cards at seat 1 is declined by fred: seven cards" in text


def test_an_unanswered_report_holds_the_table_for_hours_and_through_a_relief(new_table: NewTable) -> None:
    case = CASES[1]
    table = brought(new_table, case)
    fields, proposal = reported(table, case)
    table.floor.pass_time(11 * 60_000)
    is_held(table, case, table.money())
    table.must("flo", "WithdrawLease", reason="her shift is over")
    table.take_over("dov")
    is_held_by_other = table.refused("dov", "DealCards")
    assert "The table is on hold" in is_held_by_other["reason"]
    # Dana left the table, so her proposal finds no pair; the report stays, and another is made about it.
    table.refused("flo", "Confirm", proposal=proposal)
    again = table.must("dov", REPORT, **fields)["proposal"]
    assert len(table.entries("house.IrregularityReported")) == 1, "one incident, whoever speaks of it"
    table.must("flo", "Confirm", proposal=again)
    assert table.live.play.outcome == "void"


def test_a_report_over_the_live_socket_holds_the_table_too(new_table: NewTable) -> None:
    case = CASES[1]
    table = brought(new_table, case)
    fields = said(table, case)
    dana, alice = table.floor.people["dana"], table.floor.people["alice"]
    with dana.live(table.table) as dealers, alice.live(table.table) as players:
        report = {"id": f"socket-{table.table}", "body": {"kind": REPORT, **fields}, "token": table.token}
        dealers.send(json.dumps(report))
        done = frames_until(dealers, lambda frame: "done" in frame)[-1]["done"]
        assert done["proposal"] is not None
        money = table.money()
        act = {"kind": "Act", "seat": 1, "action": "fold"}
        players.send(json.dumps({"id": f"act-{table.table}", "body": act}))
        refused = frames_until(players, lambda frame: "refused" in frame)[-1]["refused"]
        assert "The table is on hold" in refused["reason"]
        assert table.money() == money
    table.must("flo", "Confirm", proposal=done["proposal"])
    assert table.live.play.outcome == "void"


@pytest.mark.parametrize("name", game_names())
def test_a_table_whose_cards_are_drawn_is_held_by_a_report_too(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN).open()
    table.begin()
    table.play_to("asking")
    table.must("flo", REPORT, irregularity="player-left", seat=2)  # a command of that player would answer the report
    money = table.money()
    for who, kind, fields in (
        ("alice", "Act", {"seat": 1, "action": "fold"}),
        ("dana", "ActForAbsent", {"seat": 1}),
        ("dana", "Settle", {}),
        ("alice", "CashOut", {"cents": 100}),
    ):
        assert "The table is on hold" in table.refused(who, kind, **fields)["reason"]
    assert table.money() == money
    table.must("fred", "Decline", proposal=table.console("flo")["held"]["incident"], reason="bob is at the table")
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_a_violation_at_a_table_whose_cards_are_drawn_takes_two_people(new_table: NewTable) -> None:
    table = new_table(TF, DRAWN).open()
    table.begin()
    table.play_to("asking")
    table.seat_patron(PATRON, 500_00)
    fields = {"irregularity": VIOLATION, "seat": 1, "limb": "touched"}
    proposal = table.must("dana", REPORT, **fields)["proposal"]
    assert proposal is not None
    is_held(table, Case(TF, VIOLATION, "Ch. 11 §A(5)"), table.money())
    table.must("flo", "Confirm", proposal=proposal)
    assert table.entries("round.IrregularityRuled")[-1].body["remedy"] == FORFEIT
    while table.live.in_round:
        table.step()


@pytest.mark.parametrize("name", game_names())
def test_no_card_is_drawn_before_no_more_bets(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    assert table.refused("dana", "DealCards")["clause"]
    assert table.live.play.cards == {}
