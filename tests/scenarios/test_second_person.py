"""Every command that takes two people, proposed over HTTP: who isn't a second person, and who is.

Refused as the second person are the proposer, the proposer in another session, and a person who gave the proposer
access with a link. A new command that takes two people without a stage here fails.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyotp.totp import TOTP

from pitboss.house.people.authorization import takes_two
from pitboss.house.people.roles import PERMISSIONS
from pitboss.house.people.second_factors import STEP_MS
from scenarios.controlled_house import SETTINGS
from scenarios.floor import ScenarioFloor, ScenarioTable, unique
from scenarios.progressive import ROYAL, dealt, progressive_table
from scenarios.test_devices_in_play import drawn
from scenarios.test_giving_access import admit, confirm
from scenarios.test_held import REPORT, WRONG_NUMBER
from scenarios.test_large_payouts import EVERYTHING, limited, until_one_waits
from scenarios.test_one_person import EXPOSED
from server.running import Client

GAME = "top-five-poker"
DEALER, FLOOR, PIT, CAGE, OPERATOR = "dealer", "floorperson", "pit-manager", "cage", "operator"
ADMINISTRATOR, TECHNICIAN = "administrator", "technician"
PROPOSERS = (DEALER, FLOOR, PIT, CAGE, OPERATOR, ADMINISTRATOR, TECHNICIAN)
OTHERS = {FLOOR: "fred", PIT: "pit", CAGE: "cam", OPERATOR: "otto", ADMINISTRATOR: "adam"}  # who gave nobody access
REASON = {"reason": "a test"}
CHIPS = {"2500": 4}
PASSWORD = "a heron on the pier"


class House:
    """A floor where one administrator gave a person of each role access, and changes roles since."""

    def __init__(self, floor: ScenarioFloor) -> None:
        self.floor = floor
        self.giver = self.add("giver", ADMINISTRATOR)
        admit(floor, floor.key_holders_link(self.giver), self.giver)
        self.proposer = {role: self.add("first", role) for role in PROPOSERS}
        self.controlled = self.table().table  # opened now: an open cage keeps money controls on

    def gives_access(self, name: str, role: str) -> None:
        """Have the giver, as an administrator, make a link with another, which a person follows; then give the role."""
        self.giver_is(ADMINISTRATOR)
        link = self.floor.people[self.giver].http.post(f"/api/people/{name}/link").raise_for_status().json()
        answer = confirm(self.floor, "ann", link["proposal"])
        assert answer.status_code == 200, answer.text
        admit(self.floor, link["path"], name)
        self.giver_is(role)

    def add(self, word: str, role: str) -> str:
        name = unique(word)
        assert self.floor.office("adam", {"kind": "AddPerson", "person": name, "roles": [role]}).status_code == 200
        return name

    def giver_is(self, role: str) -> None:
        """Give the giver another role, which two accounts don't become two people by."""
        assert self.floor.floor is not None
        if self.floor.floor.office.people.accounts[self.giver].roles != (role,):
            changed = {"kind": "ChangeRoles", "person": self.giver, "roles": [role]}
            assert self.floor.office("adam", changed).status_code == 200
            admit(self.floor, self.floor.key_holders_link(self.giver), self.giver)  # the change ended the session

    def set(self, **settings: Any) -> None:
        """Put house settings in force, unless they are."""
        assert self.floor.floor is not None
        known = self.floor.floor.house.controls.state.settings
        if any(getattr(known, name) != value for name, value in settings.items()):
            self.floor.both_at_office(
                "olga", "otto", {"kind": "ChangeHouseSettings", "settings": {**SETTINGS, **settings}}
            )

    @property
    def controls(self) -> Any:
        assert self.floor.floor is not None
        return self.floor.floor.house.controls.state

    def done(self, name: str, kind: str, **fields: Any) -> dict[str, Any]:
        """Give a command of the back office that has to be carried out or proposed."""
        answer = self.floor.office(name, {"kind": kind, **fields})
        assert answer.status_code == 200, answer.text
        settled: dict[str, Any] = answer.json()
        return settled

    def proposed(self, name: str, kind: str, **fields: Any) -> str:
        """Propose a command of the back office."""
        found: str = self.done(name, kind, **fields)["proposal"]
        return found

    def new_table(self, game_name: str = GAME, *rest: Any, **changes: Any) -> ScenarioTable:
        self.set(money_controls=False)
        return ScenarioTable(self.floor, game_name, *rest, **changes)

    def table(self, dealer: str = "dana", moment: str = "") -> ScenarioTable:
        """Return an open table of this dealer, in a round at a moment if one is named."""
        table = self.new_table()
        table.dealer = dealer
        table.open(("alice",))
        if moment:
            table.begin()
            table.play_to(moment)
        return table

    def has_cage(self) -> None:
        """Switch money controls on, with money in vault and cage, and an open cage."""
        self.set(money_controls=True)
        if not self.controls.cash.get("cage"):
            stock = {"10000": 100, "2500": 100}
            self.floor.both_at_office("olga", "cay", {"kind": "FundVault", "cash_cents": 100_000_00, "chips": stock})
            self.floor.both_at_office(
                "cay", "cam", {"kind": "MoveVault", "to": "cage", "cash_cents": 50_000_00, "chips": stock}
            )
        if not self.controls.is_cage_open:
            self.count_cage()

    def count_cage(self, over_cents: int = 0) -> None:
        chips = {str(cents): number for cents, number in self.controls.held("cage").items()}
        for name in ("cay", "pit"):
            self.done(name, "CountCage", cash_cents=self.controls.cash["cage"] + over_cents, chips=chips)


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[bool], House]]:
    made: dict[bool, House] = {}

    def house_of(has_money_controls: bool) -> House:
        if has_money_controls not in made:
            floor = ScenarioFloor(tmp_path_factory.mktemp("second-person"))
            ScenarioTable(floor, GAME).open(("alice",))  # a house with real money
            made[has_money_controls] = House(floor)
        return made[has_money_controls]

    yield house_of
    for house in made.values():
        house.floor.stop()


@pytest.fixture
def house(request: pytest.FixtureRequest, houses: Callable[[bool], House]) -> House:
    """Return a house of its own for what needs money controls, which an open cage keeps on."""
    return houses(request.node.callspec.params["kind"] in OF_MONEY_CONTROLS)


Waits = tuple[ScenarioTable | None, str]  # a table, or the office, and the proposal that waits there
Stage = Callable[[House, str], Waits]


def at_table(
    kind: str, fields: dict[str, Any], *, moment: str = "", is_dealer: bool = False, seats_patron: bool = False
) -> Stage:
    """Return the stage of a command at a table, by a person of the pit or by the table's dealer."""

    def stage(house: House, first: str) -> Waits:
        table = house.table(first if is_dealer else "dana", moment)
        if seats_patron:
            table.seat_patron(2)
        return table, str(table.must(first, kind, **fields)["proposal"])

    return stage


def at_office(kind: str, *, has_cage: bool = False, **fields: Any) -> Stage:
    """Return the stage of a command of the back office."""

    def stage(house: House, first: str) -> Waits:
        if has_cage:
            house.has_cage()
        return None, house.proposed(first, kind, **fields)

    return stage


def draw_again(house: House, first: str) -> Waits:
    table = drawn(house.new_table, GAME, shuffler="none")
    return table, str(table.must(first, "OrderRecut", deck=table.live.cards.round.deck)["proposal"])


def resolve(house: House, first: str) -> Waits:
    table = house.table()
    table.play_round()
    table.must("flo", "ReportDispute", seats=[1], note="the hand was misread")
    fields = {"outcome": "void", "note": "as the rack has it"}
    return table, str(table.must(first, "ResolveDispute", **fields)["proposal"])


def unlisted(house: House, first: str) -> Waits:
    table = house.new_table("colorado-holdem").open(("alice",))
    table.begin()
    table.play_to("asking")
    fields = {"irregularity": "other-misdeal", "ruling": "continue", "note": "a card fell"}
    return table, str(table.must(first, REPORT, **fields)["proposal"])


def absence(house: House, first: str) -> Waits:
    table = house.table(first, "asking")
    house.floor.pass_time(table.live.terms.pace.decision_ms + 5_000)
    return table, str(table.must(first, "ActForAbsent", seat=table.live.play.seat_asked)["proposal"])


def meter(house: House, first: str) -> Waits:
    table = dealt(progressive_table(house.new_table), ROYAL)
    while table.phase != "awaiting-meter":
        table.step()
    table.must("fred", "WithdrawLease", reason="relief")
    table.take_over(first)
    return table, str(table.must(first, "ValidateMeter", seat=1)["proposal"])


def payout(house: House, first: str) -> Waits:
    table = limited(house.new_table, GAME, **EVERYTHING)
    until_one_waits(table)
    table.must("fred", "WithdrawLease", reason="relief")
    table.take_over(first)
    return table, str(table.must(first, "ValidatePayout", seat=table.live.play.payout.seat)["proposal"])


def misread(house: House, first: str) -> Waits:
    table = house.table(first)
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.read()
    was = str(table.live.waiting[-1])
    return table, str(table.must(first, "CorrectRead", was=was, right=table.deck[0])["proposal"])


def limits(house: House, first: str) -> Waits:
    table = house.table()
    raised = {wager: [2 * cents, 10 * cents] for wager, cents in table.least().items()}
    return table, str(table.must(first, "ChangeLimits", limits=raised)["proposal"])


def correct(house: House, first: str) -> Waits:
    table = house.table()
    table.both("cay", "flo", "Fill", cents=500_00)
    [filled, *_] = house.floor.people["flo"].http.get(f"/api/tables/{table.table}/bookings").json()
    return table, str(table.must(first, "Correct", entry=filled["entry"], **REASON)["proposal"])


def activate(house: House, first: str) -> Waits:
    table = house.new_table()
    house.done("olga", "SubmitRules", table=table.table, document=table.document)
    return table, str(table.must(first, "ActivateSubmission", document=table.document)["proposal"])


def give_access(house: House, first: str) -> Waits:
    link = house.floor.people[first].http.post("/api/people/tec/link").raise_for_status().json()
    return None, link["proposal"]


def reset_factors(house: House, first: str) -> Waits:
    assert house.floor.floor is not None
    name, clock = house.add("phone", TECHNICIAN), house.floor.floor.clock
    http = Client(house.floor, None).http
    assert http.get(house.floor.key_holders_link(name)).status_code == 303
    assert http.post("/api/me/password", json={"old": "", "password": PASSWORD}).status_code == 204
    assert http.post("/api/sign-in", json={"name": name, "password": PASSWORD}).status_code == 200
    begun = http.post("/api/me/factors/code").json()
    code = TOTP(begun["secret"]).generate_otp(clock.now_ms() // STEP_MS)
    body = {"label": "Phone", "password": PASSWORD, "ticket": begun["ticket"], "new_code": code}
    assert http.post("/api/me/factors", json=body).status_code == 200
    return None, house.proposed(first, "ResetFactors", person=name)


def explain(house: House, first: str) -> Waits:
    house.has_cage()
    house.count_cage(-20_00)
    number = list(house.controls.variances)[-1]
    return None, house.proposed(first, "ExplainVariance", variance=number, explanation="a roll of coins")


def controlled_table(house: House) -> str:
    """Return the name of a real-money table where money controls are on."""
    house.has_cage()
    return house.controlled


def void_slip(house: House, first: str) -> Waits:
    name = controlled_table(house)
    house.done("flo", "RequestFill", table=name, chips=CHIPS)
    return None, house.proposed(first, "VoidSlip", slip=list(house.controls.slips)[-1], **REASON)


def pull_box(house: House, first: str) -> Waits:
    return None, house.proposed(first, "PullBox", table=controlled_table(house))


def excluded(house: House, number_of_cents: int = 0) -> tuple[str, str]:
    """Return a player who is on the exclusion list, and the number of the entry there."""
    house.set(money_controls=False, exclusions=True)
    name = house.add("barred", "player")
    if number_of_cents:
        house.done("cay", "IssueMoney", person=name, cents=number_of_cents, free_play=False)
    house.done("pit", "AddExclusion", person=name, **REASON)
    listed = house.floor.people["pit"].http.get("/api/patrons/exclusions").json()
    return name, listed[0]["exclusion"]


def end_exclusion(house: House, first: str) -> Waits:
    return None, house.proposed(first, "RemoveExclusion", exclusion=excluded(house)[1], **REASON)


def pay_excluded(house: House, first: str) -> Waits:
    name, _ = excluded(house, 100_00)
    return None, house.proposed(first, "RedeemMoney", person=name, cents=100_00, free_play=False)


def much_money(house: House, first: str) -> Waits:
    house.has_cage()
    cents = house.controls.settings.cashier_limit_cents
    return None, house.proposed(first, "IssueMoney", person="alice", cents=cents, free_play=False)


def unlink(house: House, first: str) -> Waits:
    table = progressive_table(house.new_table)
    return None, house.proposed(first, "UnlinkTable", progressive=table.table, table=table.table)


NEW_SETTINGS = {**SETTINGS, "facility": "Another Name"}
ENROLLED = {"key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"}
CASH = {"cents": 2_500_00, "seat": 2}
STAGES: dict[str, tuple[str, str, Stage]] = {  # the proposer's role, the second person's, and how it is proposed
    "GiveAccess": (ADMINISTRATOR, ADMINISTRATOR, give_access),
    "ResetFactors": (ADMINISTRATOR, ADMINISTRATOR, reset_factors),
    "DemandSecondFactor": (ADMINISTRATOR, ADMINISTRATOR, at_office("DemandSecondFactor", roles=["regulator"])),
    "TakeMuchCash": (DEALER, PIT, at_table("BuyIn", CASH, is_dealer=True, seats_patron=True)),
    "DrawAgain": (FLOOR, PIT, draw_again),
    "ResolveDispute": (FLOOR, PIT, resolve),
    "RuleOwnReport": (FLOOR, PIT, at_table(REPORT, {**EXPOSED, "ruling": "continue"}, moment="asking")),
    "RuleUnlisted": (FLOOR, PIT, unlisted),
    "VoidRound": (FLOOR, PIT, at_table(REPORT, {"irregularity": WRONG_NUMBER, "seat": 1}, moment="asking")),
    "RuleAbsence": (DEALER, PIT, absence),
    "ValidateMeter": (DEALER, PIT, meter),
    "ValidatePayout": (DEALER, PIT, payout),
    "CorrectRead": (DEALER, PIT, misread),
    "EnrollReader": (TECHNICIAN, PIT, at_table("EnrollReader", {"reader": "arm", **ENROLLED})),
    "EnrollSensor": (TECHNICIAN, PIT, at_table("EnrollSensor", {"sensor": "felt", **ENROLLED})),
    "ChangeLimits": (FLOOR, PIT, limits),
    "Fill": (CAGE, PIT, at_table("Fill", {"cents": 500_00})),
    "Credit": (CAGE, PIT, at_table("Credit", {"cents": 500_00})),
    "Correct": (CAGE, PIT, correct),
    "ActivateSubmission": (OPERATOR, PIT, activate),
    "ChangeProgressive": (OPERATOR, PIT, unlink),
    "RemoveExclusion": (OPERATOR, PIT, end_exclusion),
    "PayExcluded": (CAGE, PIT, pay_excluded),
    "ChangeHouseSettings": (OPERATOR, PIT, at_office("ChangeHouseSettings", settings=NEW_SETTINGS)),
    "FundVault": (OPERATOR, CAGE, at_office("FundVault", has_cage=True, cash_cents=1_000_00)),
    "MoveVault": (CAGE, PIT, at_office("MoveVault", has_cage=True, to="cage", cash_cents=1_000_00)),
    "MoveMuchMoney": (CAGE, PIT, much_money),
    "ExplainVariance": (CAGE, OPERATOR, explain),
    "VoidSlip": (CAGE, PIT, void_slip),
    "PullBox": (FLOOR, PIT, pull_box),
}


OF_MONEY_CONTROLS = ("FundVault", "MoveVault", "MoveMuchMoney", "ExplainVariance", "VoidSlip", "PullBox")


def answers(house: House, name: str, waits: Waits) -> Any:
    """Have a person confirm what waits, having read it, and return the answer."""
    table, proposal = waits
    if table is not None:
        return table.ask(name, "Confirm", proposal=proposal)
    assert house.floor.floor is not None
    kept = house.floor.floor.office.people.proposals[proposal]
    listed = house.floor.people["adam" if kept.role == ADMINISTRATOR else kept.by].http.get("/api/office/proposals")
    digest = next(own["digest"] for own in listed.json() if own["proposal"] == proposal)
    return house.floor.office(name, {"kind": "Confirm", "proposal": proposal, "digest": digest})


def waiting(house: House, waits: Waits) -> Any:
    """Return everything that waits where a proposal does."""
    table, proposal = waits
    assert house.floor.floor is not None
    found = table.live.proposals if table is not None else house.floor.floor.office.people.proposals
    return found.get(proposal)


def test_every_command_of_two_people_has_a_stage() -> None:
    assert sorted(STAGES) == sorted(kind for kind in PERMISSIONS if takes_two(kind))


@pytest.mark.parametrize("kind", STAGES)
def test_who_is_a_second_person(house: House, kind: str) -> None:
    role, other, stage = STAGES[kind]
    first = house.proposer[role]
    house.gives_access(first, other)
    waits = stage(house, first)
    kept = waiting(house, waits)
    assert kept is not None, "it takes a second person"
    for name in (first, house.giver, first):
        refused = answers(house, name, waits)
        assert refused.status_code == 409, f"{name} is a second person: {refused.text}"
        told = refused.json()["refused"]
        assert told["clause"], told
        if name == house.giver:
            assert (told["clause"], told["field"]) == ("H-50", "by"), told
            assert told["reason"].startswith(f"{house.giver} gave {first} access"), told
            admit(house.floor, house.floor.key_holders_link(first), first)  # and the proposer again, in a new session
        assert waiting(house, waits) == kept, "a refusal changes nothing"
    done = answers(house, OTHERS[other], waits)
    assert done.status_code == 200, done.text
    assert waiting(house, waits) is None
