"""The roles, and for every command of the house who may give it, where, and with whom."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.house.people import house_rules as rule
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.table.people import AUTOMATON, PIT_MANAGER, TECHNICIAN

CAGE = "cage"
OPERATOR = "operator"
ADMINISTRATOR = "administrator"
SURVEILLANCE = "surveillance"
AUDITOR = "auditor"
REGULATOR = "regulator"

# A person's roles are all in one department, so that no one checks or pays out their own work. No person is an
# automaton: that role is the program's own, and no account can have it.
DEPARTMENTS: tuple[tuple[str, ...], ...] = (
    (PLAYER,),
    (DEALER, FLOORPERSON, PIT_MANAGER),
    (CAGE,),
    (OPERATOR,),
    (ADMINISTRATOR,),
    (SURVEILLANCE,),
    (AUDITOR, REGULATOR),
    (TECHNICIAN,),
)
ROLES: tuple[str, ...] = (*(role for department in DEPARTMENTS for role in department), AUTOMATON)

# Requirements in addition to the role.
LEASE = "lease"  # the table's lease, with its latest token
OWN = "own"  # a person's own seat, chips, session or password
SELF_DEALING = "self-dealing"  # at an automatic free-play table
ROUND_OVER = "round-over"
DEALER_OUT = "dealer out"  # the holder of the table's lease was revoked, locked or is no longer a dealer
FOUNDING = "founding"  # while no administrator can do it

Grants = Mapping[str, tuple[str, ...]]  # role to its further requirements


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may give one kind of command, in a sentence, by which rule, and with which second person."""

    kind: str
    grants: Grants
    reason: str
    clause: str = rule.ROLES
    second: Grants | None = None  # None: one person is enough
    rulebook: str | None = None  # where a game's definition has the rulebook's own clause


_PEOPLE: Grants = {role: () for department in DEPARTMENTS for role in department}
_SEATED: Grants = {PLAYER: (OWN,), AUTOMATON: (OWN, SELF_DEALING)}
_DEALING: Grants = {DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)}
_FLOOR: Grants = {FLOORPERSON: (), PIT_MANAGER: ()}
_HANDLING: Grants = {**_DEALING, **_FLOOR}
_DEVICES: Grants = {DEALER: (LEASE,), **_FLOOR, TECHNICIAN: ()}
_OVERSIGHT: Grants = {SURVEILLANCE: (), AUDITOR: (), REGULATOR: ()}
_STANDS_IN: Grants = {AUTOMATON: (SELF_DEALING,)}
_INSTALLS: Grants = {ADMINISTRATOR: (), AUTOMATON: (FOUNDING,)}

_OF_PLAYERS = (
    Permission("TakeSeat", _SEATED, "A player takes a seat for themselves alone", rulebook="positions.cite"),
    Permission("LeaveSeat", {**_SEATED, **_FLOOR}, "A player leaves their own seat; the floor frees anybody's"),
    Permission("BuyIn", _SEATED, "A player buys chips from their own purse"),
    Permission("CashOut", _SEATED, "A player carries away their own chips"),
    Permission("PlaceWagers", _SEATED, "A player wagers at their own seat", rulebook="bets.cite"),
    Permission("WithdrawWagers", _SEATED, "A player takes back their own wagers", rulebook="bets.cite"),
    Permission("Act", _SEATED, "A player answers for their own hand"),
    Permission("Tip", _SEATED, "A player tips with their own chips"),
    Permission("Watch", _PEOPLE, "Whoever has signed in may watch a table"),
)
_OF_DEALERS = (
    Permission("TakeLease", {DEALER: (), **_STANDS_IN}, "A dealer takes the place behind a table", rule.LEASES),
    Permission("RenewLease", _DEALING, "The table's dealer keeps the place", rule.LEASES),
    Permission("ReleaseLease", _DEALING, "The table's dealer leaves the place", rule.LEASES),
    Permission("BeginRound", _DEALING, "The table's dealer begins a round", rulebook="bets.cite"),
    Permission("CloseBets", _DEALING, "The table's dealer calls no more bets", rulebook="bets.closed_cite"),
    Permission("DealCards", _DEALING, "The table's dealer deals"),
    Permission("TurnCards", _DEALING, "The table's dealer turns the cards"),
    Permission("ReadCard", _DEALING, "Cards are read under the table's dealer"),
    Permission(
        "CorrectRead",
        {**_FLOOR},
        "The floor and the table's dealer together correct a card that was read wrongly",
        rule.READERS,
        second={DEALER: (LEASE,)},
    ),
    Permission("ActForAbsent", _DEALING, "The table's dealer acts for a player who is not there", "G-5"),
    Permission("Settle", _DEALING, "The table's dealer settles"),
    Permission("EndRound", _DEALING, "The table's dealer picks up the cards"),
    Permission("ReportDispute", _HANDLING, "The table's dealer or the floor reports a dispute", rule.DISPUTES),
    Permission("ReportIrregularity", _HANDLING, "The table's dealer or the floor reports what went wrong"),
    Permission("ConfirmDuty", {PLAYER: (OWN,), **_HANDLING}, "A duty is confirmed by the one who does it", "G-6"),
    Permission("ReceiveDeck", _HANDLING, "The table's dealer or the floor takes cards to a table"),
    Permission(
        "ShuffleDeck", _DEALING, "The table's dealer shuffles", rulebook="procedures.shuffling.before_play_cite"
    ),
    Permission(
        "ReadDeviceCount",
        _DEALING,
        "The table's dealer reads the shuffler's count",
        rulebook="procedures.shuffling.wrong_count_cite",
    ),
    Permission("CutDeck", _DEALING, "The table's dealer records the cut", rulebook="procedures.cutting.cite"),
    Permission("LoadDeck", _DEALING, "The table's dealer puts the cards where they are dealt from"),
    Permission("CountDeck", _DEALING, "The table's dealer counts the deck"),
    Permission("SpreadIdle", _DEALING, "The table's dealer spreads idle cards", rulebook="procedures.idle.cite"),
    Permission("RackStub", _DEALING, "The table's dealer racks the stub"),
    Permission("CountStub", _DEALING, "The table's dealer counts the stub"),
    Permission("FindMisdeal", _DEALING, "The table's dealer determines whether cards were misdealt"),
)
_OF_THE_FLOOR = (
    Permission("OpenTable", {**_FLOOR, **_STANDS_IN}, "A floorperson or above opens a table"),
    Permission("CloseTable", {**_FLOOR, **_STANDS_IN}, "A floorperson or above closes a table"),
    Permission(
        "WithdrawLease",
        {**_FLOOR, AUTOMATON: (DEALER_OUT,)},
        "A floorperson or above relieves a dealer",
        rule.LEASES,
    ),
    Permission(
        "OrderRecut",
        _FLOOR,
        "A floorperson or above has the cards cut again",
        rulebook="procedures.cutting.recut_cite",
    ),
    Permission(
        "DirectShuffle",
        _FLOOR,
        "A floorperson or above has the cards shuffled again",
        rulebook="procedures.shuffling.directed_cite",
    ),
    Permission(
        "DrawAgain",
        _FLOOR,
        "Once a card of the round was drawn, a floorperson or above has the cards cut or shuffled again with a second "
        "person of the pit",
        "G-25",
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission("RemoveDeck", _HANDLING, "The table's dealer or the floor takes cards from a table"),
    Permission("RuleIrregularity", _FLOOR, "A floorperson or above rules where the rulebook leaves it open", "G-4"),
    Permission(
        "ResolveDispute",
        _FLOOR,
        "A floorperson or above resolves a dispute with a second person of the pit",
        rule.DISPUTES,
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission(
        "RuleUnlisted",
        _FLOOR,
        "Where no clause covers what went wrong, a floorperson or above rules with a second person of the pit",
        "G-18",
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission(
        "VoidRound",
        {**_FLOOR, **_STANDS_IN},
        "A floorperson or above voids a round with a second person of the pit",
        rule.VOIDS,
        second={DEALER: (LEASE,), **_FLOOR, **_STANDS_IN},
    ),
    Permission(
        "RuleAbsence",
        _FLOOR,
        "At a dealer's table a floorperson or above rules with the dealer that a player is absent",
        "G-5",
        second={DEALER: (LEASE,)},
    ),
    Permission(
        "ValidateMeter",
        {**_FLOOR, **_STANDS_IN},
        "A floorperson or above validates a progressive payout that the table's dealer claims",
        rule.METERS,
        second={DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)},
        rulebook="progressive.validation_cite",
    ),
    Permission(
        "ValidatePayout",
        {**_FLOOR, **_STANDS_IN},
        "A floorperson or above verifies a large payout before the table's dealer pays it",
        rule.PAYOUTS,
        second={DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)},
    ),
    Permission("JamDevice", _DEVICES, "The table's dealer, the floor or a technician reports a jam"),
    Permission("FailDevice", _DEVICES, "The table's dealer, the floor or a technician reports a failure"),
    Permission("TakeOutDevice", _DEVICES, "The table's dealer, the floor or a technician takes a device out of use"),
    Permission("ReturnDevice", {TECHNICIAN: (), **_FLOOR}, "A technician or the floor puts a device back into use"),
    Permission("ChangeDealing", _FLOOR, "A floorperson or above changes the way of dealing"),
    Permission("AcknowledgeAlert", _FLOOR, "A floorperson or above answers an alert", rule.ALERTS),
    Permission("RequestFill", {**_FLOOR, **_STANDS_IN}, "A floorperson or above asks for chips", rule.TRAYS),
    Permission("RequestCredit", {**_FLOOR, **_STANDS_IN}, "A floorperson or above sends chips back", rule.TRAYS),
)
_OF_THE_CAGE = (
    Permission(
        "Fill",
        {CAGE: (), **_STANDS_IN},
        "The cage fills a tray, and the floor receives it",
        rule.TRAYS,
        second={**_FLOOR, **_STANDS_IN},
    ),
    Permission(
        "Credit",
        {CAGE: (), **_STANDS_IN},
        "The cage takes chips back, and the floor hands them over",
        rule.TRAYS,
        second={**_FLOOR, **_STANDS_IN},
    ),
    Permission("IssueMoney", {CAGE: (), **_STANDS_IN}, "The cage pays money into a purse", rule.TRAYS),
    Permission("RedeemMoney", {CAGE: ()}, "The cage pays money out of a purse", rule.TRAYS),
    Permission("CountInventory", {CAGE: (), **_FLOOR, **_STANDS_IN}, "The cage or the floor counts a tray", rule.TRAYS),
    Permission("CollectDrop", {CAGE: ()}, "The cage collects the drop", rule.TRAYS),
    Permission(
        "Correct",
        {CAGE: (), PIT_MANAGER: (), **_STANDS_IN},
        "The cage or a pit manager reverses what was booked, with a second person",
        rule.CORRECTIONS,
        second={CAGE: (), **_FLOOR, **_STANDS_IN},
    ),
)
_OF_OPERATORS = (
    Permission("SubmitRules", {OPERATOR: (), **_STANDS_IN}, "An operator submits rules", rule.SUBMISSIONS),
    Permission(
        "ActivateSubmission",
        {OPERATOR: (), **_STANDS_IN},
        "An operator puts a submission in force with a second person",
        rule.SUBMISSIONS,
        second={OPERATOR: (), PIT_MANAGER: (), **_STANDS_IN},
    ),
    Permission(
        "ChangeProgressive",
        {OPERATOR: (), **_STANDS_IN},
        "An operator opens or changes a meter with a second person",
        rule.SUBMISSIONS,
        second={OPERATOR: (), PIT_MANAGER: (), **_STANDS_IN},
    ),
)
_OF_ADMINISTRATORS = (
    Permission("AddPerson", _INSTALLS, "An administrator adds people"),
    Permission("ChangeRoles", {ADMINISTRATOR: ()}, "An administrator changes roles"),
    Permission("SetPassword", _INSTALLS, "An administrator sets another's password", rule.SIGN_IN),
    Permission("IssueLink", _INSTALLS, "An administrator issues sign-in links", rule.SIGN_IN),
    Permission("LockPerson", {ADMINISTRATOR: ()}, "An administrator locks an account", rule.SIGN_IN),
    Permission("UnlockPerson", _INSTALLS, "An administrator unlocks an account", rule.SIGN_IN),
    Permission("RevokePerson", {ADMINISTRATOR: ()}, "An administrator revokes a person", rule.SIGN_IN),
    Permission("RotateKeys", {ADMINISTRATOR: ()}, "An administrator rotates keys", rule.SECRETS),
    Permission("ListPeople", {ADMINISTRATOR: ()}, "An administrator lists people"),
)
_OF_OVERSIGHT = (
    Permission("SeeFloor", {**_FLOOR, **_OVERSIGHT}, "The floor and those who watch it see how every table stands"),
    Permission(
        "ReadAlerts", {**_FLOOR, **_OVERSIGHT}, "The floor and those who watch it read what needs a look", rule.ALERTS
    ),
    Permission(
        "RecallRounds", {**_FLOOR, **_OVERSIGHT}, "The floor and those who watch it look up rounds", rule.RECALL
    ),
    Permission(
        "RebuildHands",
        {**_FLOOR, **_OVERSIGHT},
        "The floor and those who watch it put the hands of a disputed round together again",
        rule.DISPUTES,
    ),
    Permission("ReadRecord", _OVERSIGHT, "Surveillance, auditors and regulators read the record", rule.RECORD),
    Permission(
        "ReadSealed",
        {AUDITOR: (ROUND_OVER,), REGULATOR: (ROUND_OVER,)},
        "Auditors and regulators read the order of a deck once its round is over",
        rule.SECRETS,
    ),
    Permission("ExportEvidence", _OVERSIGHT, "Surveillance, auditors and regulators export evidence", rule.RECORD),
    Permission("VerifyRecord", _OVERSIGHT, "Surveillance, auditors and regulators verify the record", rule.RECORD),
    Permission(
        "ReadReports",
        {PIT_MANAGER: (), CAGE: (), OPERATOR: (), **_OVERSIGHT},
        "Pit managers, the cage, operators and those who oversee them read reports",
        rule.RECORD,
    ),
)
_OF_EVERYBODY = (
    Permission("ChangeOwnPassword", dict.fromkeys(_PEOPLE, (OWN,)), "People change their own password", rule.SIGN_IN),
    Permission("SignOut", dict.fromkeys(_PEOPLE, (OWN,)), "People end their own sessions", rule.SIGN_IN),
)
_ASKED = (
    *_OF_PLAYERS,
    *_OF_DEALERS,
    *_OF_THE_FLOOR,
    *_OF_THE_CAGE,
    *_OF_OPERATORS,
    *_OF_ADMINISTRATORS,
    *_OF_OVERSIGHT,
    *_OF_EVERYBODY,
)
_SECONDS: Grants = {role: () for permission in _ASKED for role in permission.second or ()}
_FIRSTS: Grants = {role: () for permission in _ASKED if permission.second for role in permission.grants}
# Which proposal, and therefore which of these people, is checked again when the proposal is known.
_OF_PAIRS = (
    Permission("Confirm", _SECONDS, "A proposal is confirmed by one who may be its second person"),
    Permission(
        "Decline",
        {**_SECONDS, **_FIRSTS, TECHNICIAN: ()},
        "A proposal is declined by one of the two it takes, and a report is withdrawn by its reporter",
    ),
)

PERMISSIONS: Mapping[str, Permission] = {permission.kind: permission for permission in (*_ASKED, *_OF_PAIRS)}
