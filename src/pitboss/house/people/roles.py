"""The roles, and for every command of the house who may give it, where, and with whom."""

from collections.abc import Mapping

from pitboss.house.people import house_rules as rule
from pitboss.house.people.control_permissions import OF_CONTROLS
from pitboss.house.people.patron_permissions import OF_PATRONS
from pitboss.house.people.role_names import ADMINISTRATOR as ADMINISTRATOR
from pitboss.house.people.role_names import AUDITOR as AUDITOR
from pitboss.house.people.role_names import CAGE as CAGE
from pitboss.house.people.role_names import CHIPS as CHIPS
from pitboss.house.people.role_names import COUNT as COUNT
from pitboss.house.people.role_names import DEALER_OUT as DEALER_OUT
from pitboss.house.people.role_names import DEPARTMENTS as DEPARTMENTS
from pitboss.house.people.role_names import FLOOR, OVERSIGHT
from pitboss.house.people.role_names import FOUNDING as FOUNDING
from pitboss.house.people.role_names import LEASE as LEASE
from pitboss.house.people.role_names import OPERATOR as OPERATOR
from pitboss.house.people.role_names import OWN as OWN
from pitboss.house.people.role_names import READER as READER
from pitboss.house.people.role_names import REGULATOR as REGULATOR
from pitboss.house.people.role_names import ROLES as ROLES
from pitboss.house.people.role_names import ROUND_OVER as ROUND_OVER
from pitboss.house.people.role_names import SELF_DEALING as SELF_DEALING
from pitboss.house.people.role_names import SURVEILLANCE as SURVEILLANCE
from pitboss.house.people.role_names import Grants as Grants
from pitboss.house.people.role_names import Permission as Permission
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.table.people import AUTOMATON, PIT_MANAGER, TECHNICIAN

_PEOPLE: Grants = {role: () for department in DEPARTMENTS for role in department}
_SEATED: Grants = {PLAYER: (OWN,), AUTOMATON: (OWN, SELF_DEALING)}
_DEALING: Grants = {DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)}
_FOR_PATRONS: Grants = {DEALER: (LEASE, CHIPS)}
_FLOOR: Grants = FLOOR
_HANDLING: Grants = {**_DEALING, **_FLOOR}
_SEATING: Grants = {DEALER: (LEASE,), **_FLOOR}
_DEVICES: Grants = {DEALER: (LEASE,), **_FLOOR, TECHNICIAN: ()}
_OVERSIGHT: Grants = OVERSIGHT
_STANDS_IN: Grants = {AUTOMATON: (SELF_DEALING,)}
_INSTALLS: Grants = {ADMINISTRATOR: (), AUTOMATON: (FOUNDING,)}

_OF_PLAYERS = (
    Permission(
        "TakeSeat",
        {**_SEATED, DEALER: (LEASE,)},
        "Players can take a seat only for themselves; the table's dealer seats players without a device",
        rulebook="positions.cite",
    ),
    Permission(
        "LeaveSeat",
        {**_SEATED, **_FLOOR, **_FOR_PATRONS},
        "Players can leave only their own seat; the floor can free any seat",
    ),
    Permission("BuyIn", {**_SEATED, **_FOR_PATRONS}, "Players can buy chips only with their own money"),
    Permission("CashOut", {**_SEATED, **_FOR_PATRONS}, "Players can cash out only their own chips"),
    Permission(
        "PlaceWagers", {**_SEATED, **_FOR_PATRONS}, "Players can bet only at their own seat", rulebook="bets.cite"
    ),
    Permission(
        "WithdrawWagers",
        {**_SEATED, **_FOR_PATRONS},
        "Players can withdraw only their own wagers",
        rulebook="bets.cite",
    ),
    Permission("Act", {**_SEATED, **_FOR_PATRONS}, "Players can act only on their own hand"),
    Permission("Tip", {**_SEATED, **_FOR_PATRONS}, "Players can tip only with their own chips"),
    Permission("Watch", _PEOPLE, "Sign in to watch a table"),
)
_OF_DEALERS = (
    Permission("BringChips", _FOR_PATRONS, "Only the table's dealer can record chips brought to it", rule.PATRONS),
    Permission("ColorUp", _FOR_PATRONS, "Only the table's dealer can exchange chips from its tray", rule.PATRONS),
    Permission(
        "RepeatWagers", {DEALER: (LEASE,)}, "Only the table's dealer can enter wagers for players without a device"
    ),
    Permission(
        "TakeMuchCash",
        _FOR_PATRONS,
        "The table's dealer and a floorperson or above together take cash at or above the house's limit",
        rule.PATRONS,
        second={FLOORPERSON: (), PIT_MANAGER: ()},
    ),
    Permission("TakeLease", {DEALER: (), **_STANDS_IN}, "Only a dealer can take a table", rule.LEASES),
    Permission("RenewLease", _DEALING, "Only the table's dealer can stay on at the table", rule.LEASES),
    Permission("ReleaseLease", _DEALING, "Only the table's dealer can leave the table", rule.LEASES),
    Permission("BeginRound", _DEALING, "Only the table's dealer can begin a round", rulebook="bets.cite"),
    Permission("CloseBets", _DEALING, 'Only the table\'s dealer can call "no more bets"', rulebook="bets.closed_cite"),
    Permission("DealCards", _DEALING, "Only the table's dealer can deal"),
    Permission("TurnCards", _DEALING, "Only the table's dealer can turn cards up"),
    Permission("ReadCard", _DEALING, "Cards can be read only for the table's dealer"),
    Permission("ReaderSaw", {AUTOMATON: (READER,)}, "Only a card reader can send this", rule.CARD_READERS),
    Permission("SensorSaw", {AUTOMATON: (READER,)}, "Only a bet sensor can send this", rule.BET_SENSORS),
    Permission("CallFloor", {DEALER: (LEASE,)}, "Only the table's dealer can call the floor", rule.ALERTS),
    Permission(
        "CorrectRead",
        {**_FLOOR},
        "The floor and the table's dealer together correct a misread card",
        rule.READERS,
        second={DEALER: (LEASE,)},
    ),
    Permission("ActForAbsent", _DEALING, "Only the table's dealer can act for an absent player", "G-5"),
    Permission("GiveTime", {DEALER: (LEASE,)}, "Only the table's dealer can give a player time", rule.TIME_REQUESTS),
    Permission("Settle", _DEALING, "Only the table's dealer can settle"),
    Permission("EndRound", _DEALING, "Only the table's dealer can pick up the cards"),
    Permission("ReportDispute", _HANDLING, "Only the table's dealer or the floor can report a dispute", rule.DISPUTES),
    Permission("ReportIrregularity", _HANDLING, "Only the table's dealer or the floor can report an irregularity"),
    Permission(
        "ConfirmDuty", {PLAYER: (OWN,), **_HANDLING}, "A duty must be confirmed by the person who does it", "G-6"
    ),
    Permission("ReceiveDeck", _HANDLING, "Only the table's dealer or the floor can bring a deck to a table"),
    Permission(
        "ShuffleDeck", _DEALING, "Only the table's dealer can shuffle", rulebook="procedures.shuffling.before_play_cite"
    ),
    Permission(
        "ReadDeviceCount",
        _DEALING,
        "Only the table's dealer can enter the shuffler's count",
        rulebook="procedures.shuffling.wrong_count_cite",
    ),
    Permission("CutDeck", _DEALING, "Only the table's dealer can record the cut", rulebook="procedures.cutting.cite"),
    Permission("LoadDeck", _DEALING, "Only the table's dealer can load the deck"),
    Permission("CountDeck", _DEALING, "Only the table's dealer can count the deck"),
    Permission("SpreadIdle", _DEALING, "Only the table's dealer can spread the cards", rulebook="procedures.idle.cite"),
    Permission("RackStub", _DEALING, "Only the table's dealer can rack the stub"),
    Permission("CountStub", _DEALING, "Only the table's dealer can count the stub"),
    Permission("FindMisdeal", _DEALING, "Only the table's dealer can determine whether cards were misdealt"),
)
_OF_THE_FLOOR = (
    Permission("OpenTable", {**_FLOOR, **_STANDS_IN}, "Only a floorperson or above can open a table"),
    Permission("CloseTable", {**_FLOOR, **_STANDS_IN}, "Only a floorperson or above can close a table"),
    Permission(
        "WithdrawLease",
        {**_FLOOR, AUTOMATON: (DEALER_OUT,)},
        "Only a floorperson or above can relieve a dealer",
        rule.LEASES,
    ),
    Permission(
        "OrderRecut",
        _FLOOR,
        "Only a floorperson or above can order another cut",
        rulebook="procedures.cutting.recut_cite",
    ),
    Permission(
        "DirectShuffle",
        _FLOOR,
        "Only a floorperson or above can order another shuffle",
        rulebook="procedures.shuffling.directed_cite",
    ),
    Permission(
        "DrawAgain",
        _FLOOR,
        "After a card of the round is drawn, another cut or shuffle, or another card in its place, needs a floorperson "
        "or above and a second person from the pit",
        "G-25",
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission("RemoveDeck", _HANDLING, "Only the table's dealer or the floor can remove a deck from a table"),
    Permission(
        "RuleIrregularity", _FLOOR, "Only a floorperson or above can rule where the rulebook leaves it open", "G-4"
    ),
    Permission(
        "ResolveDispute",
        _FLOOR,
        "A floorperson or above and a second person from the pit resolve a dispute",
        rule.DISPUTES,
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission(
        "RuleUnlisted",
        _FLOOR,
        (
            "Where no clause covers the irregularity, a floorperson or above rules together with a second person "
            "from the pit"
        ),
        "G-18",
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission(
        "RuleOwnReport",
        _FLOOR,
        "A floorperson or above who reported it rules together with a second person from the pit",
        "G-17",
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission(
        "VoidRound",
        {**_FLOOR, **_STANDS_IN},
        "A floorperson or above and a second person from the pit void a round",
        rule.VOIDS,
        second={DEALER: (LEASE,), **_FLOOR, **_STANDS_IN},
    ),
    Permission(
        "RuleAbsence",
        _FLOOR,
        "At a dealer's table, a floorperson or above and the dealer rule together that a player is absent",
        "G-5",
        second={DEALER: (LEASE,)},
    ),
    Permission(
        "ValidateMeter",
        {**_FLOOR, **_STANDS_IN},
        "The table's dealer claims a progressive payout and a floorperson or above validates it",
        rule.METERS,
        second={DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)},
        rulebook="progressive.validation_cite",
    ),
    Permission(
        "ValidatePayout",
        {**_FLOOR, SURVEILLANCE: (), **_STANDS_IN},
        "A floorperson or above, or surveillance, must verify a large payout before the table's dealer pays it",
        rule.PAYOUTS,
        second={DEALER: (LEASE,), AUTOMATON: (LEASE, SELF_DEALING)},
    ),
    Permission("JamDevice", _DEVICES, "Only the table's dealer, the floor or a technician can report a jam"),
    Permission("FailDevice", _DEVICES, "Only the table's dealer, the floor or a technician can report a failure"),
    Permission(
        "TakeOutDevice", _DEVICES, "Only the table's dealer, the floor or a technician can take a device out of service"
    ),
    Permission(
        "ReturnDevice", {TECHNICIAN: (), **_FLOOR}, "Only a technician or the floor can return a device to service"
    ),
    Permission(
        "EnrollReader",
        {TECHNICIAN: (), PIT_MANAGER: ()},
        "A technician or a pit manager enrolls a card reader together with a second person from the floor",
        rule.CARD_READERS,
        second=_FLOOR,
    ),
    Permission("RetireReader", {TECHNICIAN: (), **_FLOOR}, "Only a technician or the floor can retire a card reader"),
    Permission(
        "SwitchKeyboard",
        _FLOOR,
        "Only a floorperson or above can switch keyboard entry on or off",
        rule.CARD_READERS,
    ),
    Permission(
        "EnrollSensor",
        {TECHNICIAN: (), PIT_MANAGER: ()},
        "A technician or a pit manager enrolls a bet sensor together with a second person from the floor",
        rule.BET_SENSORS,
        second=_FLOOR,
    ),
    Permission("RetireSensor", {TECHNICIAN: (), **_FLOOR}, "Only a technician or the floor can retire a bet sensor"),
    Permission("AnswerCall", _FLOOR, "Only a floorperson or above can answer the dealer's call", rule.ALERTS),
    Permission(
        "ChangeLimits",
        _FLOOR,
        "A floorperson or above and a second person from the pit change a table's limits",
        rule.TABLE_LIMITS,
        second={DEALER: (LEASE,), **_FLOOR},
    ),
    Permission("ReserveSeat", _SEATING, "Only the table's dealer or the floor can reserve a seat", rule.RESERVATIONS),
    Permission(
        "EndReservation", _SEATING, "Only the table's dealer or the floor can end a reservation", rule.RESERVATIONS
    ),
    Permission("NoteShift", _SEATING, "Only the table's dealer or the floor can leave a note for the next shift"),
    Permission("ChangeDealing", _FLOOR, "Only a floorperson or above can change how cards are dealt"),
    Permission("AcknowledgeAlert", _FLOOR, "Only a floorperson or above can acknowledge an alert", rule.ALERTS),
    Permission("RequestFill", {**_FLOOR, **_STANDS_IN}, "Only a floorperson or above can request a fill", rule.TRAYS),
    Permission(
        "RequestCredit", {**_FLOOR, **_STANDS_IN}, "Only a floorperson or above can request a credit", rule.TRAYS
    ),
)
_OF_THE_CAGE = (
    Permission(
        "Fill",
        {CAGE: (), **_STANDS_IN},
        "The cage sends a fill and the floor receives it",
        rule.TRAYS,
        second={**_FLOOR, **_STANDS_IN},
    ),
    Permission(
        "Credit",
        {CAGE: (), **_STANDS_IN},
        "The floor sends a credit and the cage receives it",
        rule.TRAYS,
        second={**_FLOOR, **_STANDS_IN},
    ),
    Permission("IssueMoney", {CAGE: (), **_STANDS_IN}, "Only the cage can deposit money for a player", rule.TRAYS),
    Permission("RedeemMoney", {CAGE: ()}, "Only the cage can pay money out to a player", rule.TRAYS),
    Permission(
        "CountInventory", {CAGE: (), **_FLOOR, **_STANDS_IN}, "Only the cage or the floor can count a tray", rule.TRAYS
    ),
    Permission("SellChips", {CAGE: ()}, "Only the cage can sell chips for cash", rule.TRAYS),
    Permission("RedeemChips", {CAGE: ()}, "Only the cage can pay cash for chips", rule.TRAYS),
    Permission("CollectDrop", {CAGE: ()}, "Only the cage can collect the drop", rule.TRAYS),
    Permission(
        "Correct",
        {CAGE: (), PIT_MANAGER: (), **_STANDS_IN},
        "The cage or a pit manager corrects an entry together with a second person",
        rule.CORRECTIONS,
        second={CAGE: (), **_FLOOR, **_STANDS_IN},
    ),
)
_OF_OPERATORS = (
    Permission("SubmitRules", {OPERATOR: (), **_STANDS_IN}, "Only an operator can submit rules", rule.SUBMISSIONS),
    Permission(
        "ActivateSubmission",
        {OPERATOR: (), **_STANDS_IN},
        "An operator and a second person put a submission in force",
        rule.SUBMISSIONS,
        second={OPERATOR: (), PIT_MANAGER: (), **_STANDS_IN},
    ),
    Permission(
        "ChangeProgressive",
        {OPERATOR: (), **_STANDS_IN},
        "An operator and a second person open or change a meter",
        rule.SUBMISSIONS,
        second={OPERATOR: (), PIT_MANAGER: (), **_STANDS_IN},
    ),
)
_OF_ADMINISTRATORS = (
    Permission("AddPerson", _INSTALLS, "Only an administrator can add people"),
    Permission(
        "ChangeDetails", {ADMINISTRATOR: ()}, "Only an administrator can change a person's details", rule.DETAILS
    ),
    Permission("ChangeRoles", {ADMINISTRATOR: ()}, "Only an administrator can change roles"),
    Permission("SetPassword", _INSTALLS, "Only an administrator can set another person's password", rule.SIGN_IN),
    Permission("IssueLink", _INSTALLS, "Only an administrator can issue sign-in links", rule.SIGN_IN),
    Permission("LockPerson", {ADMINISTRATOR: ()}, "Only an administrator can lock an account", rule.SIGN_IN),
    Permission("UnlockPerson", _INSTALLS, "Only an administrator can unlock an account", rule.SIGN_IN),
    Permission("ResetPerson", _INSTALLS, "Only an administrator can reset an account", rule.SIGN_IN),
    Permission(
        "GiveAccess",
        {ADMINISTRATOR: ()},
        "Giving another person a sign-in link or a password takes two administrators",
        rule.ACCESS,
        second={ADMINISTRATOR: ()},
    ),
    Permission(
        "ResetFactors",
        {ADMINISTRATOR: ()},
        "Two administrators remove a person's second factors",
        rule.SECOND_FACTOR,
        second={ADMINISTRATOR: ()},
    ),
    Permission(
        "DemandSecondFactor",
        {ADMINISTRATOR: ()},
        "Two administrators choose the roles that require a second factor",
        rule.SECOND_FACTOR,
        second={ADMINISTRATOR: ()},
    ),
    Permission("RevokePerson", {ADMINISTRATOR: ()}, "Only an administrator can revoke a person", rule.SIGN_IN),
    Permission("RotateKeys", {ADMINISTRATOR: ()}, "Only an administrator can rotate keys", rule.SECRETS),
    Permission("ListPeople", {ADMINISTRATOR: ()}, "Only an administrator can list people"),
)
_OF_OVERSIGHT = (
    Permission(
        "SeeFloor", {**_FLOOR, **_OVERSIGHT}, "Only the floor and those who oversee it can see the state of every table"
    ),
    Permission(
        "ReadAlerts", {**_FLOOR, **_OVERSIGHT}, "Only the floor and those who oversee it can read alerts", rule.ALERTS
    ),
    Permission(
        "RecallRounds",
        {**_FLOOR, **_OVERSIGHT},
        "Only the floor and those who oversee it can look up rounds",
        rule.RECALL,
    ),
    Permission(
        "RebuildHands",
        {**_FLOOR, **_OVERSIGHT},
        "Only the floor and those who oversee it can reconstruct the hands of a disputed round",
        rule.DISPUTES,
    ),
    Permission("ReadRecord", _OVERSIGHT, "Only surveillance, auditors and regulators can read the record", rule.RECORD),
    Permission(
        "ReadSealed",
        {AUDITOR: (ROUND_OVER,), REGULATOR: (ROUND_OVER,)},
        "Only auditors and regulators can read the order of a deck, after its round is over",
        rule.SECRETS,
    ),
    # A round's evidence holds the key to every card that was dealt, also to hands that nobody turned over.
    Permission(
        "ExportEvidence",
        {AUDITOR: (), REGULATOR: ()},
        "Only auditors and regulators can export evidence",
        rule.RECORD,
    ),
    Permission(
        "ReadSubmissions",
        {**_FLOOR, OPERATOR: (), ADMINISTRATOR: (), **_OVERSIGHT},
        "Only operators, the floor and those who oversee them can work with submissions",
        rule.SUBMISSIONS,
    ),
    Permission(
        "ReadMetrics",
        {PIT_MANAGER: (), ADMINISTRATOR: (), TECHNICIAN: (), **_OVERSIGHT},
        "Only administrators, technicians, pit managers and those who oversee them can read metrics",
    ),
    Permission(
        "VerifyRecord", _OVERSIGHT, "Only surveillance, auditors and regulators can verify the record", rule.RECORD
    ),
    Permission(
        "ReadReports",
        {PIT_MANAGER: (), CAGE: (), OPERATOR: (), **_OVERSIGHT},
        "Only pit managers, the cage, operators and those who oversee them can read reports",
        rule.RECORD,
    ),
)
_OF_EVERYBODY = (
    Permission(
        "ChangeOwnPassword", dict.fromkeys(_PEOPLE, (OWN,)), "You can change only your own password", rule.SIGN_IN
    ),
    *(
        Permission(
            kind, dict.fromkeys(_PEOPLE, (OWN,)), "You can change only your own second factors", rule.SECOND_FACTOR
        )
        for kind in ("AddFactor", "RemoveFactor", "MakeRecoveryCodes")
    ),
    Permission("SetPin", dict.fromkeys(_PEOPLE, (OWN,)), "You can set only your own PIN", rule.CONSOLE_LOCK),
    Permission(
        "UnlockConsole", dict.fromkeys(_PEOPLE, (OWN,)), "You can unlock only your own console", rule.CONSOLE_LOCK
    ),
    Permission("SignOut", dict.fromkeys(_PEOPLE, (OWN,)), "You can end only your own sessions", rule.SIGN_IN),
)
_ASKED = (
    *_OF_PLAYERS,
    *_OF_DEALERS,
    *_OF_THE_FLOOR,
    *_OF_THE_CAGE,
    *OF_CONTROLS,
    *OF_PATRONS,
    *_OF_OPERATORS,
    *_OF_ADMINISTRATORS,
    *_OF_OVERSIGHT,
    *_OF_EVERYBODY,
)
_SECONDS: Grants = {role: () for permission in _ASKED for role in permission.second or ()}
_FIRSTS: Grants = {role: () for permission in _ASKED if permission.second for role in permission.grants}
# Which proposal, and therefore which of these people, is checked again when the proposal is known.
_OF_PAIRS = (
    Permission(
        "Confirm", {**_SECONDS, SURVEILLANCE: ()}, "Only someone who may be its second person can confirm a request"
    ),
    Permission(
        "Decline",
        {**_SECONDS, **_FIRSTS, TECHNICIAN: ()},
        "Only one of the two people it needs can decline a request, and only its reporter can withdraw a report",
    ),
)

PERMISSIONS: Mapping[str, Permission] = {permission.kind: permission for permission in (*_ASKED, *_OF_PAIRS)}
