"""Every combination of role and command, against a table written separately from the program's.

The table says of each role what it takes besides the role: `y` nothing, `L` the table's lease, `O` that it is one's
own, `S` a free-play table that deals by itself, `D` such a table and its lease, `B` such a table and one's own seat,
`R` that the round is over, `N` that no administrator could do it, `W` that the table's dealer may act no more, `P`
the table's lease and the seat of a player without a device; `.` is a refusal whatever else is true.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from pitboss.games import catalogue
from pitboss.house.live_table.commands import KINDS
from pitboss.house.people import roles
from pitboss.house.people.authorization import (
    Place,
    allowed,
    check_first,
    check_second,
    may_propose,
    role_for,
    takes_two,
)
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.leases import Lease
from pitboss.house.people.roles import PERMISSIONS, ROLES
from pitboss.table.people import Person

COLUMNS = (
    *("player", "dealer", "floorperson", "pit-manager", "cage", "count-team", "operator"),
    *("administrator", "surveillance", "auditor", "regulator", "technician", "automaton"),
)

ONE_PERSON = """
                    pl de fl pm ca co op ad su au re te au
TakeSeat            O  L  .  .  .  .  .  .  .  .  .  .  B
LeaveSeat           O  P  y  y  .  .  .  .  .  .  .  .  B
BuyIn               O  P  .  .  .  .  .  .  .  .  .  .  B
CashOut             O  P  .  .  .  .  .  .  .  .  .  .  B
PlaceWagers         O  P  .  .  .  .  .  .  .  .  .  .  B
WithdrawWagers      O  P  .  .  .  .  .  .  .  .  .  .  B
Act                 O  P  .  .  .  .  .  .  .  .  .  .  B
Tip                 O  P  .  .  .  .  .  .  .  .  .  .  B
BringChips          .  P  .  .  .  .  .  .  .  .  .  .  .
ColorUp             .  P  .  .  .  .  .  .  .  .  .  .  .
RepeatWagers        .  L  .  .  .  .  .  .  .  .  .  .  .
SellChips           .  .  .  .  y  .  .  .  .  .  .  .  .
RedeemChips         .  .  .  .  y  .  .  .  .  .  .  .  .
Watch               y  y  y  y  y  y  y  y  y  y  y  y  .

TakeLease           .  y  .  .  .  .  .  .  .  .  .  .  S
RenewLease          .  L  .  .  .  .  .  .  .  .  .  .  D
ReleaseLease        .  L  .  .  .  .  .  .  .  .  .  .  D
BeginRound          .  L  .  .  .  .  .  .  .  .  .  .  D
CloseBets           .  L  .  .  .  .  .  .  .  .  .  .  D
DealCards           .  L  .  .  .  .  .  .  .  .  .  .  D
TurnCards           .  L  .  .  .  .  .  .  .  .  .  .  D
ReadCard            .  L  .  .  .  .  .  .  .  .  .  .  D
ReaderSaw           .  .  .  .  .  .  .  .  .  .  .  .  C
SensorSaw           .  .  .  .  .  .  .  .  .  .  .  .  C
CallFloor           .  L  .  .  .  .  .  .  .  .  .  .  .
AnswerCall          .  .  y  y  .  .  .  .  .  .  .  .  .
ReserveSeat         .  L  y  y  .  .  .  .  .  .  .  .  .
EndReservation      .  L  y  y  .  .  .  .  .  .  .  .  .
NoteShift           .  L  y  y  .  .  .  .  .  .  .  .  .
GiveTime            .  L  .  .  .  .  .  .  .  .  .  .  .
ActForAbsent        .  L  .  .  .  .  .  .  .  .  .  .  D
Settle              .  L  .  .  .  .  .  .  .  .  .  .  D
EndRound            .  L  .  .  .  .  .  .  .  .  .  .  D
ShuffleDeck         .  L  .  .  .  .  .  .  .  .  .  .  D
ReadDeviceCount     .  L  .  .  .  .  .  .  .  .  .  .  D
CutDeck             .  L  .  .  .  .  .  .  .  .  .  .  D
LoadDeck            .  L  .  .  .  .  .  .  .  .  .  .  D
CountDeck           .  L  .  .  .  .  .  .  .  .  .  .  D
SpreadIdle          .  L  .  .  .  .  .  .  .  .  .  .  D
RackStub            .  L  .  .  .  .  .  .  .  .  .  .  D
CountStub           .  L  .  .  .  .  .  .  .  .  .  .  D
FindMisdeal         .  L  .  .  .  .  .  .  .  .  .  .  D
ReceiveDeck         .  L  y  y  .  .  .  .  .  .  .  .  D
RemoveDeck          .  L  y  y  .  .  .  .  .  .  .  .  D
ReportDispute       .  L  y  y  .  .  .  .  .  .  .  .  D
ReportIrregularity  .  L  y  y  .  .  .  .  .  .  .  .  D
ConfirmDuty         O  L  y  y  .  .  .  .  .  .  .  .  D

OpenTable           .  .  y  y  .  .  .  .  .  .  .  .  S
CloseTable          .  .  y  y  .  .  .  .  .  .  .  .  S
WithdrawLease       .  .  y  y  .  .  .  .  .  .  .  .  W
OrderRecut          .  .  y  y  .  .  .  .  .  .  .  .  .
DirectShuffle       .  .  y  y  .  .  .  .  .  .  .  .  .
RuleIrregularity    .  .  y  y  .  .  .  .  .  .  .  .  .
RetireReader        .  .  y  y  .  .  .  .  .  .  .  y  .
RetireSensor        .  .  y  y  .  .  .  .  .  .  .  y  .
SwitchKeyboard      .  .  y  y  .  .  .  .  .  .  .  .  .
ChangeDealing       .  .  y  y  .  .  .  .  .  .  .  .  .
AcknowledgeAlert    .  .  y  y  .  .  .  .  .  .  .  .  .
RequestFill         .  .  y  y  .  .  .  .  .  .  .  .  S
RequestCredit       .  .  y  y  .  .  .  .  .  .  .  .  S
JamDevice           .  L  y  y  .  .  .  .  .  .  .  y  .
FailDevice          .  L  y  y  .  .  .  .  .  .  .  y  .
TakeOutDevice       .  L  y  y  .  .  .  .  .  .  .  y  .
ReturnDevice        .  .  y  y  .  .  .  .  .  .  .  y  .

IssueMoney          .  .  .  .  y  .  .  .  .  .  .  .  S
RedeemMoney         .  .  .  .  y  .  .  .  .  .  .  .  .
CountInventory      .  .  y  y  y  .  .  .  .  .  .  .  S
CollectDrop         .  .  .  .  y  .  .  .  .  .  .  .  .

CountCage           .  .  .  y  y  .  .  .  .  .  .  .  .
PrepareSlip         .  .  .  .  y  .  .  .  .  .  .  .  .
CarrySlip           .  y  y  y  y  .  .  .  .  .  .  .  .
AcceptCredit        .  .  .  .  y  .  .  .  .  .  .  .  .
ReceiveFill         .  L  .  .  .  .  .  .  .  .  .  .  .
SendCredit          .  L  .  .  .  .  .  .  .  .  .  .  .
CountTray           .  L  y  y  .  .  .  .  .  .  .  .  .
ReadMeter           .  .  y  y  .  .  .  .  y  y  .  .  .
CountBox            .  .  .  .  .  y  .  .  .  .  .  .  .
SeeControls         .  .  y  y  y  y  y  .  y  y  y  .  .

AddExclusion        .  .  .  y  .  .  y  .  .  .  .  .  .
SeeExclusions       .  y  y  y  y  .  y  .  y  y  y  .  .
ExcludeSelf         y  .  .  .  .  .  .  .  .  .  .  .  .
SetOwnLimits        y  .  .  .  .  .  .  .  .  .  .  .  .
RecordHandPay       .  .  y  y  y  .  .  .  .  .  .  .  .
ReadTaxForms        .  .  .  .  y  .  .  .  .  y  y  .  .
ReadStatements      .  .  .  .  y  .  .  .  .  y  y  .  .
ReadOwnStatement    y  .  .  .  .  .  .  .  .  .  .  .  .

SubmitRules         .  .  .  .  .  .  y  .  .  .  .  .  S

AddPerson           .  .  .  .  .  .  .  y  .  .  .  .  N
ChangeRoles         .  .  .  .  .  .  .  y  .  .  .  .  .
SetPassword         .  .  .  .  .  .  .  y  .  .  .  .  N
ChangeDetails       .  .  .  .  .  .  .  y  .  .  .  .  .
IssueLink           .  .  .  .  .  .  .  y  .  .  .  .  N
LockPerson          .  .  .  .  .  .  .  y  .  .  .  .  .
UnlockPerson        .  .  .  .  .  .  .  y  .  .  .  .  N
ResetPerson         .  .  .  .  .  .  .  y  .  .  .  .  N
RevokePerson        .  .  .  .  .  .  .  y  .  .  .  .  .
RotateKeys          .  .  .  .  .  .  .  y  .  .  .  .  .
ListPeople          .  .  .  .  .  .  .  y  .  .  .  .  .

SeeFloor            .  .  y  y  .  .  .  .  y  y  y  .  .
ReadAlerts          .  .  y  y  .  .  .  .  y  y  y  .  .
RecallRounds        .  .  y  y  .  .  .  .  y  y  y  .  .
RebuildHands        .  .  y  y  .  .  .  .  y  y  y  .  .
ReadRecord          .  .  .  .  .  .  .  .  y  y  y  .  .
ReadSealed          .  .  .  .  .  .  .  .  .  R  R  .  .
ExportEvidence      .  .  .  .  .  .  .  .  .  y  y  .  .
ReadSubmissions     .  .  y  y  .  .  y  y  y  y  y  .  .
ReadMetrics         .  .  .  y  .  .  .  y  y  y  y  y  .
VerifyRecord        .  .  .  .  .  .  .  .  y  y  y  .  .
ReadReports         .  .  .  y  y  .  y  .  y  y  y  .  .

AddFactor           O  O  O  O  O  O  O  O  O  O  O  O  .
RemoveFactor        O  O  O  O  O  O  O  O  O  O  O  O  .
MakeRecoveryCodes   O  O  O  O  O  O  O  O  O  O  O  O  .
ChangeOwnPassword   O  O  O  O  O  O  O  O  O  O  O  O  .
SetPin              O  O  O  O  O  O  O  O  O  O  O  O  .
UnlockConsole       O  O  O  O  O  O  O  O  O  O  O  O  .
SignOut             O  O  O  O  O  O  O  O  O  O  O  O  .
Confirm             .  y  y  y  y  .  y  y  y  y  .  .  y
Decline             .  y  y  y  y  y  y  y  y  y  .  y  y
"""
TWO_PEOPLE = """
                    pl de fl pm ca co op ad su au re te au
GiveAccess          .  .  .  .  .  .  .  y  .  .  .  .  .
 and                .  .  .  .  .  .  .  y  .  .  .  .  .
ResetFactors        .  .  .  .  .  .  .  y  .  .  .  .  .
 and                .  .  .  .  .  .  .  y  .  .  .  .  .
DemandSecondFactor  .  .  .  .  .  .  .  y  .  .  .  .  .
 and                .  .  .  .  .  .  .  y  .  .  .  .  .
TakeMuchCash        .  P  .  .  .  .  .  .  .  .  .  .  .
 and                .  .  y  y  .  .  .  .  .  .  .  .  .
DrawAgain           .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  y  y  .  .  .  .  .  .  .  .  .
ResolveDispute      .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  y  y  .  .  .  .  .  .  .  .  .
RuleOwnReport       .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  y  y  .  .  .  .  .  .  .  .  .
RuleUnlisted        .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  y  y  .  .  .  .  .  .  .  .  .
VoidRound           .  .  y  y  .  .  .  .  .  .  .  .  S
 and                .  L  y  y  .  .  .  .  .  .  .  .  S
RuleAbsence         .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  .  .  .  .  .  .  .  .  .  .  .
ValidateMeter       .  .  y  y  .  .  .  .  .  .  .  .  S
 and                .  L  .  .  .  .  .  .  .  .  .  .  D
ValidatePayout      .  .  y  y  .  .  .  .  y  .  .  .  S
 and                .  L  .  .  .  .  .  .  .  .  .  .  D
CorrectRead         .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  .  .  .  .  .  .  .  .  .  .  .
EnrollReader        .  .  .  y  .  .  .  .  .  .  .  y  .
 and                .  .  y  y  .  .  .  .  .  .  .  .  .
EnrollSensor        .  .  .  y  .  .  .  .  .  .  .  y  .
 and                .  .  y  y  .  .  .  .  .  .  .  .  .
ChangeLimits        .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  L  y  y  .  .  .  .  .  .  .  .  .
Fill                .  .  .  .  y  .  .  .  .  .  .  .  S
 and                .  .  y  y  .  .  .  .  .  .  .  .  S
Credit              .  .  .  .  y  .  .  .  .  .  .  .  S
 and                .  .  y  y  .  .  .  .  .  .  .  .  S
Correct             .  .  .  y  y  .  .  .  .  .  .  .  S
 and                .  .  y  y  y  .  .  .  .  .  .  .  S
ChangeHouseSettings .  .  .  .  .  .  y  .  .  .  .  .  .
 and                .  .  .  y  .  .  y  .  .  .  .  .  .
FundVault           .  .  .  .  .  .  y  .  .  .  .  .  .
 and                .  .  .  .  y  .  .  .  .  .  .  .  .
MoveVault           .  .  .  .  y  .  .  .  .  .  .  .  .
 and                .  .  .  y  y  .  .  .  .  .  .  .  .
RemoveExclusion     .  .  .  .  .  .  y  .  .  .  .  .  .
 and                .  .  .  y  .  .  y  .  .  .  .  .  .
PayExcluded         .  .  .  .  y  .  .  .  .  .  .  .  .
 and                .  .  .  y  .  .  y  .  .  .  .  .  .
MoveMuchMoney       .  .  .  .  y  .  .  .  .  .  .  .  .
 and                .  .  .  y  y  .  .  .  .  .  .  .  .
ExplainVariance     .  .  .  y  y  y  .  .  .  .  .  .  .
 and                .  .  .  .  .  .  y  .  y  y  .  .  .
VoidSlip            .  .  .  .  y  .  .  .  .  .  .  .  .
 and                .  .  y  y  .  .  .  .  .  .  .  .  .
PullBox             .  .  y  y  .  .  .  .  .  .  .  .  .
 and                .  y  y  y  .  .  .  .  .  .  .  .  .
ActivateSubmission  .  .  .  .  .  .  y  .  .  .  .  .  S
 and                .  .  .  y  .  .  y  .  .  .  .  .  S
ChangeProgressive   .  .  .  .  .  .  y  .  .  .  .  .  S
 and                .  .  .  y  .  .  y  .  .  .  .  .  S
"""
LEASE, OWN, SELF_DEALING, OVER, FOUNDING, DEALER_OUT, READER, CHIPS = range(8)
ASKS: dict[str, set[int]] = {
    "y": set(),
    "L": {LEASE},
    "O": {OWN},
    "S": {SELF_DEALING},
    "D": {SELF_DEALING, LEASE},
    "B": {SELF_DEALING, OWN},
    "R": {OVER},
    "N": {FOUNDING},
    "W": {DEALER_OUT},
    "C": {READER},
    "P": {LEASE, CHIPS},
}
Cells = dict[str, str]


def rows(table: str) -> Iterator[tuple[str, Cells]]:
    """Give each row of a table: its name and a mark for each role."""
    for line in table.strip("\n").splitlines()[1:]:
        if line.strip():
            name, *marks = line.split()
            yield name, dict(zip(COLUMNS, marks, strict=True))


SINGLE = dict(rows(ONE_PERSON))
_PAIRED = list(rows(TWO_PEOPLE))
PAIRED = {kind: (first, second) for (kind, first), (_, second) in zip(_PAIRED[::2], _PAIRED[1::2], strict=True)}
CIRCUMSTANCES = [
    frozenset(number for number, holds in enumerate(item) if holds) for item in product((False, True), repeat=8)
]


@cache  # asked for every pair of roles and every command
def place(person: str, true: frozenset[int]) -> Place:
    """Return a place where exactly these things are true for a person."""
    return Place(
        is_self_dealing=SELF_DEALING in true,
        lease=Lease(person if LEASE in true else "another", 7, 1_000),
        token=7,
        at=999,
        concerns=person if OWN in true else "another",
        is_round_over=OVER in true,
        is_founding=FOUNDING in true,
        is_dealer_out=DEALER_OUT in true,
        is_reader=READER in true,
        is_patrons=CHIPS in true,
    )


def is_open(mark: str, true: frozenset[int]) -> bool:
    """Say whether a cell of the table lets its role act when these things are true."""
    return mark != "." and ASKS[mark] <= true


def test_the_columns_are_the_roles() -> None:
    assert sorted(COLUMNS) == sorted(ROLES)


def test_the_two_tables_have_the_same_commands() -> None:
    assert sorted([*SINGLE, *PAIRED]) == sorted(PERMISSIONS)
    assert sorted(kind for kind in PERMISSIONS if takes_two(kind)) == sorted(PAIRED)


def test_every_command_of_a_running_table_has_a_permission() -> None:
    assert set(KINDS) - set(PERMISSIONS) == set()


@pytest.mark.parametrize("kind", SINGLE)
def test_a_role_may_do_what_the_table_says_and_nothing_else(kind: str) -> None:
    for role, true in product(ROLES, CIRCUMSTANCES):
        refusal = allowed(Person("somebody", role), kind, place("somebody", true))
        assert (refusal is None) == is_open(SINGLE[kind][role], true), (role, true, refusal)


@pytest.mark.parametrize("kind", PAIRED)
def test_two_people_may_do_what_the_table_says_and_nothing_else(kind: str) -> None:
    first, second = PAIRED[kind]
    ones, others = ({role: Person(name, role) for role in ROLES} for name in ("one", "other"))
    # What is asked of both is true of the dealer's place; each of them may be the dealer.
    for role, other, true, dealer in product(ROLES, ROLES, CIRCUMSTANCES, ("one", "other")):
        where = place(dealer, true)
        true_of = {name: true if name == dealer else true - {LEASE, OWN} for name in ("one", "other")}
        fits = is_open(first[role], true_of["one"]) and is_open(second[other], true_of["other"])
        swapped = is_open(first[other], true_of["other"]) and is_open(second[role], true_of["one"])
        refusal = allowed(ones[role], kind, where, others[other])
        assert (refusal is None) == (fits or swapped), (role, other, true, dealer, refusal)


@pytest.mark.parametrize("kind", PAIRED)
def test_each_of_two_is_asked_in_their_own_place(kind: str) -> None:
    for role, true in product(ROLES, CIRCUMSTANCES):
        first, second = PAIRED[kind]
        person, where = Person("somebody", role), place("somebody", true)
        assert (check_first(person, kind, where) is None) == is_open(first[role], true)
        assert (check_second(Person("first", "cage"), person, kind, where) is None) == is_open(second[role], true)


@pytest.mark.parametrize("kind", PAIRED)
def test_one_person_in_two_roles_is_not_two_people(kind: str) -> None:
    everything = frozenset(range(6))
    for role, other in product(ROLES, ROLES):
        both = Person("somebody", role), Person("somebody", other)
        assert allowed(both[0], kind, place("somebody", everything), both[1]) is not None


@pytest.mark.parametrize("kind", PAIRED)
def test_one_person_alone_is_not_enough(kind: str) -> None:
    for role in ROLES:
        assert allowed(Person("somebody", role), kind, place("somebody", frozenset(range(6)))) is not None


def test_what_nobody_was_given_is_refused_to_everybody() -> None:
    for role in (*ROLES, "guest", ""):
        refusal = allowed(Person("somebody", role), "EmptyTheCage", place("somebody", frozenset(range(6))))
        assert refusal is not None
        assert refusal.clause == "H-15"
    assert all(allowed(Person("x", "guest"), kind, place("x", frozenset(range(6)))) is not None for kind in PERMISSIONS)


def test_every_permission_cites_a_rule_that_can_be_looked_up() -> None:
    rulings = {"G-4", "G-5", "G-6", "G-17", "G-18", "G-25"}
    assert {permission.clause for permission in PERMISSIONS.values()} <= HOUSE_RULES.keys() | rulings


def test_the_rulebook_is_cited_where_it_speaks() -> None:
    for game in catalogue.games():
        where = Place(game=game)
        recut = allowed(Person("x", "dealer"), "OrderRecut", where)
        assert recut is not None
        assert recut.clause == game.procedures.cutting.recut_cite
        bets = allowed(Person("x", "cage"), "CloseBets", where)
        assert bets is not None
        assert bets.clause == game.bets.closed_cite
        meter = allowed(Person("x", "cage"), "ValidateMeter", where)
        assert meter is not None
        cite = game.progressive.validation_cite if game.progressive else ""
        assert meter.clause == (cite or "H-14")


@pytest.mark.parametrize("kind", [permission.kind for permission in PERMISSIONS.values() if permission.rulebook])
def test_where_a_rulebook_is_pointed_to_some_game_has_the_clause(kind: str) -> None:
    cited = {
        refusal.clause
        for game in catalogue.games()
        if (refusal := allowed(Person("x", "nobody"), kind, Place(game=game)))
    }
    assert any(clause and not clause.startswith("H-") for clause in cited)


def test_a_refusal_says_who_may_and_under_which_rule() -> None:
    refusal = allowed(Person("somebody", "dealer"), "RotateKeys")
    assert str(refusal) == "Only an administrator can rotate keys. The role dealer can't do this (H-3)"


def test_departments_share_no_role() -> None:
    named = [role for department in roles.DEPARTMENTS for role in department]
    assert sorted(named) == sorted(set(ROLES) - {"automaton"})


def test_a_person_of_several_roles_acts_in_the_one_a_command_is_open_to() -> None:
    assert role_for(("dealer", "floorperson"), "OrderRecut") == "floorperson"
    assert role_for(("dealer", "floorperson"), "ReportIrregularity") == "dealer"
    assert role_for(("dealer",), "VoidRound") == "dealer"  # as the second person
    assert role_for(("player",), "OrderRecut") is None
    assert role_for(("player",), "EmptyTheCage") is None


@pytest.mark.parametrize("kind", ["OrderRecut", "EmptyTheCage"])
def test_nobody_is_second_where_one_is_enough_or_nobody_is(kind: str) -> None:
    pit = Person("second", "pit-manager")
    refusal = check_second(Person("first", "floorperson"), pit, kind)
    assert str(refusal) == f"{kind!r} doesn't take a second person (H-15)"
    assert str(may_propose(pit, kind)) == f"{kind!r} doesn't take two people (H-15)"


def test_the_refusal_says_whether_the_first_or_the_second_person_is_the_problem() -> None:
    alone = allowed(Person("x", "pit-manager"), "Correct")
    assert alone is not None
    assert alone.reason.endswith("A second person is needed")
    wrong = allowed(Person("x", "player"), "Correct")
    assert wrong is not None
    assert wrong.reason.endswith("The role player can't do this")
    assert may_propose(Person("x", "player"), "Correct") == wrong
    assert may_propose(Person("x", "pit-manager"), "Correct") is None
    assert may_propose(Person("x", "floorperson"), "Correct") is None  # as the second


def test_what_is_asked_besides_the_role_cites_its_own_rule_or_the_commands() -> None:
    lease = allowed(Person("x", "dealer"), "DealCards")
    assert str(lease) == "This table has no dealer. Take the table first (H-16)"
    own = allowed(Person("x", "player"), "SignOut")
    assert str(own) == "This isn't yours (H-17)"
    sealed = allowed(Person("x", "auditor"), "ReadSealed")
    assert str(sealed) == "The round isn't over yet (H-3)"
