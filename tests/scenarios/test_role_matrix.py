"""Every command that the server takes, given over HTTP by every role: the wrong role is refused with its clause.

The roles are those of the table that is written separately from the program's (`house.people.test_roles`). A new
command without a row here fails.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from house.people.test_roles import PAIRED, SINGLE
from pitboss.house.back_office import KINDS as AT_THE_OFFICE
from pitboss.house.live_table.commands import KINDS as AT_A_TABLE
from scenarios.floor import EVERYBODY, ScenarioFloor, ScenarioTable

GAME = "top-five-poker"
OWNER, OTHER, DEALER, NOT_DEALING = "alice", "bob", "dana", "dov"
DEVICE_SEAT, PATRON_SEAT = 1, 2
PEOPLE = (OWNER, OTHER, DEALER, NOT_DEALING, "flo", "pit", "cay", "con", "olga", "adam", "sue", "aud", "reg", "tec")
NOBODY, NOTHING = "nobody-of-this-name", "no-such-thing"
SEATED = {"seat": DEVICE_SEAT}
DECK, CHIPS, AMOUNT, COUNT = {"deck": NOTHING}, {"chips": {"500": -1}}, {"cents": 0}, {"tray_cents": -1}
KEY, SIGNED = {"key": "0" * 64}, {"sequence": 1, "signature": "00"}
METER = {"progressive": "No Name", "meter": NOTHING}
TERMS = {"name": NOTHING, "initial_cents": 1, "reset_cents": 1, "rate": "1/10", "clause": "none"}
SLIP, REASON = {"slip": NOTHING}, {"reason": "a test"}


class Row(NamedTuple):
    """The clause that a refusal of the wrong role cites, and what the command says besides its kind.

    What a command says is well formed but can't be done, so that nobody's try changes what the next one meets.
    """

    clause: str
    fields: Mapping[str, Any] = MappingProxyType({})
    granted_as: str = ""  # another command's permission


TABLE: dict[str, Row] = {
    "BeginRound": Row("Ch. 7 §C"),
    "PlaceWagers": Row("Ch. 7 §C", {**SEATED, "stakes": {"ante": 1}}),
    "RepeatWagers": Row("H-15", {"seats": [PATRON_SEAT]}),
    "WithdrawWagers": Row("Ch. 7 §C", SEATED),
    "CloseBets": Row("Ch. 7 §D"),
    "ReadCard": Row("H-15", {"card": "As"}),
    "ReaderSaw": Row("H-32", {"reader": NOTHING, "card": "As", **SIGNED}),
    "SensorSaw": Row("H-38", {"sensor": NOTHING, "stakes": {"ante": 5_00}, **SEATED, **SIGNED}),
    "CorrectRead": Row("H-23", {"right": "As", "was": "Ks"}),
    "DealCards": Row("H-15"),
    "TurnCards": Row("H-15"),
    "Act": Row("H-15", {**SEATED, "action": NOTHING}),
    "ActForAbsent": Row("G-5", SEATED, "RuleAbsence"),  # before anyone is absent, and where people deal
    "Settle": Row("H-15"),
    "ValidateMeter": Row("H-14", SEATED),
    "ValidatePayout": Row("H-30", SEATED),
    "RecordHandPay": Row("H-48", {**SEATED, "sealed": "x"}),
    "GiveTime": Row("H-68", SEATED),
    "ReportIrregularity": Row("H-15", {"irregularity": NOTHING}),
    "EndRound": Row("H-15"),
    "ActivateSubmission": Row("H-5", {"document": {}}),
    "OpenTable": Row("H-15", COUNT),
    "CountTray": Row("H-42", CHIPS),
    "ReceiveFill": Row("H-41", {**SLIP, **CHIPS}),
    "SendCredit": Row("H-41", {**SLIP, **CHIPS}),
    "CloseTable": Row("H-15", COUNT),
    "CountInventory": Row("H-13", COUNT),
    "TakeSeat": Row("Ch. 2 §A(1)", {"seat": 99}),
    "LeaveSeat": Row("H-15", SEATED),
    "BuyIn": Row("H-15", {**AMOUNT, **SEATED}),
    "BringChips": Row("H-33", {**AMOUNT, **SEATED}),
    "ColorUp": Row("H-33", {**CHIPS, **SEATED}),
    "CashOut": Row("H-15", {**AMOUNT, **SEATED}),
    "Tip": Row("H-15", {**AMOUNT, **SEATED}),
    "Fill": Row("H-13", AMOUNT),
    "Credit": Row("H-13", AMOUNT),
    "Correct": Row("H-12", {"entry": 0, **REASON}),
    "EnrollReader": Row("H-32", {"reader": "Not A Name", **KEY}),
    "RetireReader": Row("H-15", {"reader": NOTHING, **REASON}),
    "SwitchKeyboard": Row("H-32", {"is_on": False, "reason": ""}),
    "EnrollSensor": Row("H-38", {"sensor": "Not A Name", **KEY}),
    "RetireSensor": Row("H-15", {"sensor": NOTHING, **REASON}),
    "CallFloor": Row("H-24", {"reason": "x" * 9_999}),
    "AnswerCall": Row("H-24"),
    "ChangeLimits": Row("H-39", {"limits": {NOTHING: [1, 2]}}),
    "ReserveSeat": Row("H-40", {"seat": 99, "player": NOBODY, "minutes": 1}),
    "EndReservation": Row("H-40", {"seat": 99}),
    "NoteShift": Row("H-15", {"text": ""}),
    "ReportDispute": Row("H-27", {"seats": [99], "note": ""}),
    "ResolveDispute": Row("H-27", {"outcome": NOTHING, "note": ""}),
    "Confirm": Row("H-15", {"proposal": NOTHING}),
    "Decline": Row("H-15", {"proposal": NOTHING}),
    "ConfirmDuty": Row("G-6", {"duty": NOTHING}),
    "ReceiveDeck": Row("H-15", {"deck": "", "preinspected": True}),
    "ShuffleDeck": Row("Ch. 5 §A(1)", {**DECK, "way": "manual"}),
    "ReadDeviceCount": Row("Ch. 5 §B(2)", {**DECK, "cards": 52}),
    "CutDeck": Row("Ch. 5 §D", {**DECK, "cards": 26}),
    "OrderRecut": Row("Ch. 5 §E", DECK),
    "DirectShuffle": Row("Ch. 5 §A(3)", DECK),
    "LoadDeck": Row("H-15", DECK),
    "CountDeck": Row("H-15", {**DECK, "cards": 52}),
    "RemoveDeck": Row("H-15", {**DECK, **REASON}),
    "SpreadIdle": Row("Ch. 5 §F", {"face": "up"}),
    "JamDevice": Row("H-15", {"device": NOTHING, **DECK}),
    "FailDevice": Row("H-15", {"device": NOTHING}),
    "TakeOutDevice": Row("H-15", {"device": NOTHING, "how": "marked"}),
    "ReturnDevice": Row("H-15", {"device": NOTHING}),
    "ChangeDealing": Row("H-15", {"method": NOTHING}),
    "RackStub": Row("H-15", {"cards": 1}),
    "CountStub": Row("H-15", {"cards": -1}),
    "FindMisdeal": Row("H-15", {"misdealt": True, "cards_in_deck": 52}),
    "TakeLease": Row("H-16"),
    "RenewLease": Row("H-16", {"token": 0}),
    "ReleaseLease": Row("H-16", {"token": 0}),
    "WithdrawLease": Row("H-16", {"reason": ""}),
}
PROGRESSIVE, FILING = "ChangeProgressive", "SubmitRules"
OFFICE: dict[str, Row] = {
    "IssueMoney": Row("H-13", {"person": NOBODY, **AMOUNT}),
    "RedeemMoney": Row("H-13", {"person": NOBODY, **AMOUNT}),
    "SellChips": Row("H-13", AMOUNT),
    "RedeemChips": Row("H-13", AMOUNT),
    "CollectDrop": Row("H-13", {"table": NOTHING, **AMOUNT}),
    "OpenMeters": Row("H-5", {"progressive": "No Name", "meters": [TERMS]}, PROGRESSIVE),
    "ChangeTerms": Row("H-5", {"progressive": "No Name", "terms": TERMS, **REASON}, PROGRESSIVE),
    "MoveMeter": Row("H-5", {**METER, "to_progressive": NOTHING, "to_meter": NOTHING, **REASON}, PROGRESSIVE),
    "LinkTable": Row("H-5", {"progressive": NOTHING, "table": NOTHING}, PROGRESSIVE),
    "UnlinkTable": Row("H-5", {"progressive": NOTHING, "table": NOTHING}, PROGRESSIVE),
    "SubmitRules": Row("H-5", {"table": NOTHING, "document": {}}),
    "RecordApproval": Row("H-5", {"table": NOTHING, "version": "0" * 64, "approval": "x"}, FILING),
    "PostNotice": Row("H-5", {"table": NOTHING, "version": "0" * 64, "days": 1}, FILING),
    "ChangeHouseSettings": Row("H-45", {"settings": {"time_zone": "Nowhere/At-all"}}),
    "FundVault": Row("H-44", {"cash_cents": -1}),
    "MoveVault": Row("H-44", {"to": "cage", "cash_cents": -1}),
    "CountCage": Row("H-15", {"cash_cents": -1}),
    "ExplainVariance": Row("H-42", {"variance": NOTHING, "explanation": "x"}),
    "RequestFill": Row("H-13", {"table": NOTHING, **CHIPS}),
    "RequestCredit": Row("H-13", {"table": NOTHING, **CHIPS}),
    "PrepareSlip": Row("H-41", SLIP),
    "CarrySlip": Row("H-41", SLIP),
    "AcceptCredit": Row("H-41", {**SLIP, **CHIPS}),
    "VoidSlip": Row("H-41", {**SLIP, **REASON}),
    "PullBox": Row("H-43", {"table": NOTHING}),
    "CountBox": Row("H-43", {"box": NOTHING, "bills": {"100": -1}}),
    "ReadMeter": Row("H-67", {**METER, **AMOUNT}),
    "AddExclusion": Row("H-46", {"person": NOBODY, **REASON}),
    "RemoveExclusion": Row("H-46", {"exclusion": NOTHING, **REASON}),
    "ExcludeSelf": Row("H-46", {"days": 0}),
    "SetOwnLimits": Row("H-47", {"limits": {"deposit_day_cents": -1}}),
    "ResetFactors": Row("H-36", {"person": NOBODY}),
    "DemandSecondFactor": Row("H-36", {"roles": [NOTHING]}),
    "AddPerson": Row("H-15", {"person": "Not A Name", "roles": ["player"]}),
    "ChangeDetails": Row("H-52", {"person": NOBODY, "details": {}}),
    "ChangeRoles": Row("H-15", {"person": NOBODY, "roles": ["player"]}),
    "LockPerson": Row("H-17", {"person": NOBODY, **REASON}),
    "UnlockPerson": Row("H-17", {"person": NOBODY}),
    "ResetPerson": Row("H-17", {"person": NOBODY}),
    "RevokePerson": Row("H-17", {"person": NOBODY, **REASON}),
}
BY_THE_PROPOSAL = {"Confirm", "Decline"}  # the office asks for the role that the proposal takes; see test_second_person
Answer = dict[str, Any] | None  # a refusal


@pytest.fixture(scope="module")
def table(floor: ScenarioFloor) -> ScenarioTable:
    """Return a real-money table in a round, with a player who has a device and one who has none."""
    table = ScenarioTable(floor, GAME).open((OWNER,))
    table.seat_patron(PATRON_SEAT, 500_00)
    table.begin()
    table.play_to("asking")
    assert table.live.play.seat_asked == DEVICE_SEAT
    return table


def at_table(table: ScenarioTable, name: str, kind: str, fields: Mapping[str, Any]) -> Answer:
    """Give a command at the table and return its refusal, which leaves no entry there; a proposal is withdrawn."""
    before = table.sequence
    answer = table.ask(name, kind, **fields)
    if answer.status_code == 200:
        done = answer.json()
        table.token = done["lease"] or table.token
        if done["proposal"] is not None:
            table.must(name, "Decline", proposal=done["proposal"])
        return None
    assert answer.status_code == 409, f"{kind} by {name}: {answer.status_code} {answer.text}"
    assert table.sequence == before, "a refused command leaves no entry"
    refusal: dict[str, Any] = answer.json()["refused"]
    return refusal


def at_office(floor: ScenarioFloor, name: str, kind: str, fields: Mapping[str, Any]) -> Answer:
    """Give a command of the back office and return its refusal; a proposal is withdrawn."""
    answer = floor.office(name, {"kind": kind, **fields})
    if answer.status_code == 200:
        proposal = answer.json()["proposal"]
        if proposal is not None:
            assert floor.office(name, {"kind": "Decline", "proposal": proposal, **REASON}).status_code == 200
        return None
    assert answer.status_code == 409, f"{kind} by {name}: {answer.status_code} {answer.text}"
    refusal: dict[str, Any] = answer.json()["refused"]
    return refusal


def marks(kind: str, name: str) -> set[str]:
    """Return what the separate table asks of a person's role for a command: as the only, first or second person."""
    rows = (SINGLE[kind],) if kind in SINGLE else PAIRED[kind]
    return {row[EVERYBODY[name]] for row in rows} - {"."}


def is_for_role(refusal: dict[str, Any]) -> bool:
    """Say whether a refusal says that the role can't do this."""
    return str(refusal["reason"]).endswith("can't do this")


def check(refusal: Answer, wanted: set[str], row: Row, name: str) -> None:
    """Check an answer against what the separate table asks of the person's role."""
    if not wanted:
        assert refusal is not None, f"{name} did it"
        role = EVERYBODY[name].replace("-", " ")
        assert refusal["reason"].endswith(f". The role {role} can't do this"), refusal
        assert (refusal["clause"], refusal["field"]) == (row.clause, "by"), refusal
    elif refusal is not None:
        assert not is_for_role(refusal), f"{name} has the role: {refusal}"


def test_every_command_has_a_row() -> None:
    assert sorted(TABLE) == sorted(AT_A_TABLE)
    assert sorted([*OFFICE, *BY_THE_PROPOSAL]) == sorted(AT_THE_OFFICE)
    assert {EVERYBODY[name] for name in PEOPLE} == {*EVERYBODY.values()}


@pytest.mark.parametrize("kind", TABLE)
def test_a_command_at_a_table_is_for_its_roles(table: ScenarioTable, kind: str) -> None:
    row = TABLE[kind]
    for name in PEOPLE:
        asked = row.granted_as or kind
        wanted = marks(asked, name)
        refusal = at_table(table, name, kind, row.fields)
        if wanted and wanted <= {"L", "P"} and name == NOT_DEALING:
            assert refusal is not None, "a dealer of another table did it"
            cited = ("H-16", "token") if asked in SINGLE else (row.clause, "by")
            assert (refusal["clause"], refusal["field"]) == cited, refusal
            continue
        check(refusal, wanted, row, name)
        if wanted == {"P"} and name == DEALER and row.fields.get("seat") == DEVICE_SEAT:
            assert refusal is not None, "the dealer did it for a player with a device"
            assert (refusal["clause"], refusal["field"]) == ("H-33", "seat"), refusal
            there = at_table(table, name, kind, {**row.fields, "seat": PATRON_SEAT})
            assert there is None or not is_for_role(there), there
            assert there is None or (there["clause"], there["field"]) != ("H-33", "seat"), there
        if wanted == {"O"} and name == OTHER and row.fields.get("seat") in (None, DEVICE_SEAT):
            assert refusal is not None, "another player did it"
            assert (refusal["reason"], refusal["clause"]) == ("This isn't yours", row.clause)


@pytest.mark.parametrize("kind", OFFICE)
def test_a_command_of_the_office_is_for_its_roles(floor: ScenarioFloor, table: ScenarioTable, kind: str) -> None:
    row = OFFICE[kind]
    assert table.live.in_round, "a house with real money"
    for name in PEOPLE:
        check(at_office(floor, name, kind, row.fields), marks(row.granted_as or kind, name), row, name)
