"""The back office over HTTP: money, meters and people by their roles, two people where two are needed."""

import itertools
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from pitboss.games.catalogue import games
from pitboss.house.back_office import KINDS
from pitboss.server.demonstration import demo_documents
from pitboss.server.live.sockets import SESSION_OVER
from pitboss.server.table_documents import meters_of
from server.running import PEOPLE, Client, Running, frames_until

pytestmark = pytest.mark.xdist_group("server")

DRAWING = next(game.name for game in games() if game.progressive and demo_documents()[game.name]["progressive"])
METER = meters_of(demo_documents()[DRAWING])[0]


def terms(reset: int) -> dict[str, Any]:
    return {
        "name": METER.name,
        "initial_cents": METER.initial_cents,
        "reset_cents": reset,
        "rate": str(METER.rate),
        "clause": METER.clause,
    }


EXAMPLES: dict[str, dict[str, Any]] = {
    "IssueMoney": {"person": "bob", "cents": 100},
    "RedeemMoney": {"person": "bob", "cents": 100},
    "CollectDrop": {"table": DRAWING, "cents": 1},
    "SubmitRules": {"table": "new-table", "document": demo_documents()[DRAWING]},
    "RecordApproval": {"table": "new-table", "version": "0" * 16, "approval": "a test"},
    "PostNotice": {"table": "new-table", "version": "0" * 16, "days": 1},
    "OpenMeters": {"progressive": "another", "meters": [terms(METER.reset_cents)]},
    "ChangeTerms": {"progressive": DRAWING, "terms": terms(METER.reset_cents), "reason": "a test"},
    "MoveMeter": {
        "progressive": DRAWING,
        "meter": METER.name,
        "to_progressive": "nowhere",
        "to_meter": METER.name,
        "reason": "a test",
    },
    "LinkTable": {"progressive": DRAWING, "table": DRAWING},
    "UnlinkTable": {"progressive": "nowhere", "table": DRAWING},
    "Confirm": {"proposal": "none", "digest": "none"},
    "Decline": {"proposal": "none", "reason": "none"},
    "SellChips": {"cents": 100_00},
    "RedeemChips": {"cents": 100_00},
    "ChangeHouseSettings": {"settings": {"facility": "Harbor Casino"}},
    "FundVault": {"cash_cents": 100},
    "MoveVault": {"to": "cage", "cash_cents": 100},
    "CountCage": {"cash_cents": 100},
    "ExplainVariance": {"variance": "VARIANCE-000001", "explanation": "counted twice"},
    "RequestFill": {"table": DRAWING, "chips": {"500": 10}},
    "RequestCredit": {"table": DRAWING, "chips": {"500": 10}},
    "PrepareSlip": {"slip": "FILL-000001"},
    "CarrySlip": {"slip": "FILL-000001"},
    "AcceptCredit": {"slip": "CREDIT-000001", "chips": {"500": 10}},
    "VoidSlip": {"slip": "FILL-000001", "reason": "a test"},
    "PullBox": {"table": DRAWING},
    "ReadMeter": {"progressive": "one", "meter": "meter", "cents": 100},
    "CountBox": {"box": "BOX-000001", "bills": {"10000": 1}},
    "AddExclusion": {"person": "bob", "reason": "a test"},
    "RemoveExclusion": {"exclusion": "EXCLUSION-000001", "reason": "a test"},
    "ExcludeSelf": {"days": 30},
    "SetOwnLimits": {"limits": {"deposit_day_cents": 100_00}},
    "AddPerson": {"person": "somebody", "roles": ["player"]},
    "ChangeDetails": {"person": "nobody-here", "details": {"full_name": "No Body"}},
    "ChangeRoles": {"person": "nobody-here", "roles": ["player"]},
    "LockPerson": {"person": "nobody-here", "reason": "a test"},
    "UnlockPerson": {"person": "nobody-here"},
    "ResetPerson": {"person": "nobody-here"},
    "RevokePerson": {"person": "nobody-here", "reason": "a test"},
    "ResetFactors": {"person": "nobody-here"},
    "DemandSecondFactor": {"roles": []},
}
ROLE_RULES = {
    "H-5",
    "H-13",
    "H-15",
    "H-17",
    "H-36",
    "H-41",
    "H-42",
    "H-43",
    "H-44",
    "H-45",
    "H-46",
    "H-47",
    "H-52",
    "H-67",
}
# Who may give each: everyone else is refused by a rule of roles, whatever else is wrong.
GRANTED: dict[str, set[str]] = {
    **{key: {"cay"} for key in ("IssueMoney", "RedeemMoney", "SellChips", "RedeemChips", "CollectDrop")},
    **{key: {"olga"} for key in ("SubmitRules", "RecordApproval", "PostNotice")},
    **{key: {"olga", "pit"} for key in ("OpenMeters", "ChangeTerms", "MoveMeter", "LinkTable", "UnlinkTable")},
    **{key: {"olga", "pit"} for key in ("ChangeHouseSettings",)},
    **{key: {"olga", "cay"} for key in ("FundVault",)},
    **{key: {"cay", "pit"} for key in ("MoveVault", "CountCage")},
    **{key: {"cay", "pit", "olga", "aud", "sue"} for key in ("ExplainVariance",)},
    **{key: {"flo", "fred", "pit"} for key in ("RequestFill", "RequestCredit")},
    **{key: {"cay"} for key in ("PrepareSlip", "AcceptCredit")},
    **{key: {"cay", "dea", "flo", "fred", "pit"} for key in ("CarrySlip",)},
    **{key: {"cay", "flo", "fred", "pit"} for key in ("VoidSlip",)},
    **{key: {"dea", "flo", "fred", "pit"} for key in ("PullBox",)},
    **{key: {"flo", "fred", "pit", "sue", "aud"} for key in ("ReadMeter",)},
    **{key: set() for key in ("CountBox",)},
    **{key: {"pit", "olga"} for key in ("AddExclusion", "RemoveExclusion")},
    **{key: {"alice", "bob"} for key in ("ExcludeSelf", "SetOwnLimits")},
    **{key: set(PEOPLE) for key in ("Confirm", "Decline")},  # which proposal it is comes first
    **{key: {"adam"} for key in ("ResetFactors", "DemandSecondFactor")},
    **{
        key: {"adam"}
        for key in (
            *("AddPerson", "ChangeDetails", "ChangeRoles", "LockPerson"),
            *("UnlockPerson", "ResetPerson", "RevokePerson"),
        )
    },
}


def test_every_kind_of_command_has_an_example() -> None:
    assert set(EXAMPLES) == set(GRANTED) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_roles_are_kept_apart_over_http(office: Any, kind: str) -> None:
    for name in PEOPLE:
        if name in GRANTED[kind]:
            continue
        answer = office(name, {"kind": kind, **EXAMPLES[kind]})
        assert answer.status_code == 409, (name, answer.text)
        assert answer.json()["refused"]["clause"] in ROLE_RULES, (name, answer.text)
        assert answer.json()["refused"]["field"] in ("by", "kind"), (name, answer.text)


def test_a_person_has_twenty_requests_waiting_at_most(office: Any, people: dict[str, Client]) -> None:
    pairs = itertools.combinations(("player", "dealer", "cage", "operator", "auditor", "surveillance", "technician"), 2)
    asked = [office("adam", {"kind": "DemandSecondFactor", "roles": roles}) for roles in pairs]
    assert [answer.status_code for answer in asked] == [200] * 20 + [409]
    waiting = people["adam"].http.get("/api/office/proposals").json()
    for proposal in waiting:
        office("adam", {"kind": "Decline", "proposal": proposal["proposal"], "reason": "a test"})


def test_the_cage_pays_in_and_out_to_the_cent(office: Any, people: dict[str, Client]) -> None:
    def held() -> int:
        return int(people["bob"].http.get("/api/me").json()["purse_cents"])

    def at_cage(kind: str, cents: int, person: str = "bob") -> int:
        # Which money is meant is said: another test may have filed a table for real money.
        return int(office("cay", {"kind": kind, "person": person, "cents": cents, "free_play": True}).status_code)

    before = held()
    assert at_cage("IssueMoney", 12_345) == 200
    assert held() == before + 12_345
    assert at_cage("RedeemMoney", 12_345) == 200
    assert held() == before
    assert at_cage("RedeemMoney", before + 1) == 409
    assert held() == before
    for cents in (0, -5):
        assert at_cage("IssueMoney", cents) == 409
    assert at_cage("IssueMoney", 5, "nobody") == 409


def test_an_office_command_counts_once(office: Any, people: dict[str, Client]) -> None:
    before = people["bob"].http.get("/api/me").json()["purse_cents"]
    body = {"kind": "IssueMoney", "person": "bob", "cents": 700, "free_play": True}
    first, again = office("cay", body, "paid-once"), office("cay", body, "paid-once")
    assert (first.json()["again"], again.json()["again"]) == (False, True)
    assert people["bob"].http.get("/api/me").json()["purse_cents"] == before + 700
    other = office("cay", {**body, "cents": 800}, "paid-once")
    assert other.json()["refused"]["field"] == "id"


def test_meters_open_with_two_people(office: Any, people: dict[str, Client]) -> None:
    document = {**demo_documents()[DRAWING], "progressive": "big"}
    assert office("olga", {"kind": "SubmitRules", "table": "big-table", "document": document}).status_code == 200
    meters = [{**terms(meter.reset_cents), "name": meter.name} for meter in meters_of(document)]
    body = {"kind": "OpenMeters", "progressive": "big", "meters": meters}
    proposed = office("olga", body, "open-big").json()
    assert proposed["proposal"] == "open-big"
    assert "open-big" not in str(people["alice"].http.get("/api/office/proposals").json())
    waiting = people["pit"].http.get("/api/office/proposals").json()
    own = next(waits for waits in waiting if waits["proposal"] == "open-big")
    assert own["body"] == body
    confirm = {"kind": "Confirm", "proposal": "open-big", "digest": own["digest"]}
    alone = office("olga", confirm)
    assert alone.status_code == 409
    assert alone.json()["refused"]["clause"] == "H-5"
    wrong = office("pit", {**confirm, "digest": "0" * 64})
    assert wrong.json()["refused"]["field"] == "digest"
    assert office("pit", confirm).status_code == 200
    assert office("pit", confirm).status_code == 409
    changed = {"kind": "ChangeTerms", "progressive": "big", "terms": terms(METER.reset_cents - 1), "reason": "less"}
    assert office("pit", changed).json()["refused"]["clause"] == METER.clause  # less than was filed
    changed["terms"] = terms(METER.reset_cents)
    assert office("pit", changed, "less-big").json()["proposal"] == "less-big"
    declined = office("olga", {"kind": "Decline", "proposal": "less-big", "reason": "no"})
    assert declined.status_code == 200
    assert not [
        proposal
        for proposal in people["pit"].http.get("/api/office/proposals").json()
        if proposal["proposal"] == "less-big"
    ]


def test_an_unsound_proposal_is_refused_before_anybody_confirms_it(office: Any) -> None:
    nothing = office("olga", {"kind": "OpenMeters", "progressive": "none", "meters": []})
    assert nothing.status_code == 409
    assert nothing.json()["refused"]["field"] == "meters"


def test_a_table_is_submitted_activated_opened_dealt_and_closed_by_people(
    office: Any, people: dict[str, Client], running: Running
) -> None:
    document = {**demo_documents()[DRAWING], "dealer": "people", "progressive": None}
    document["table"] = {**document["table"], "free-play": False}
    broken = office("olga", {"kind": "SubmitRules", "table": "staffed", "document": {"table": {}}})
    assert broken.status_code == 409
    assert office("olga", {"kind": "SubmitRules", "table": "staffed", "document": document}).status_code == 200
    activated = people["olga"].must("staffed", {"kind": "ActivateSubmission", "document": document})
    assert activated["proposal"]
    waiting = people["pit"].http.get("/api/tables/staffed/proposals").json()
    assert [waits["proposal"] for waits in waiting] == [activated["proposal"]]
    people["pit"].must("staffed", {"kind": "Confirm", "proposal": activated["proposal"]})
    people["flo"].must("staffed", {"kind": "OpenTable", "tray_cents": 100_000_00})
    lease = people["dea"].must("staffed", {"kind": "TakeLease"})["lease"]
    assert lease == 1
    shown = people["dea"].http.get("/api/tables/staffed/console").json()
    assert shown["lease"] == lease
    assert shown["console"]["duties"]
    assert people["flo"].http.get("/api/tables/staffed/console").json()["lease"] is None
    assert people["alice"].http.get("/api/tables/staffed/console").status_code == 409
    without = people["dea"].command("staffed", {"kind": "BeginRound"})
    assert without.json()["refused"]["clause"] == "H-16"
    people["dea"].must("staffed", {"kind": "ReleaseLease", "token": lease}, token=lease)
    people["flo"].must("staffed", {"kind": "CloseTable", "tray_cents": 100_000_00})


def test_revoking_somebody_ends_their_session_and_sockets(
    office: Any, people: dict[str, Client], running: Running
) -> None:
    assert office("adam", {"kind": "AddPerson", "person": "rex", "roles": ["player"]}).status_code == 200
    rex = Client(running, None)
    rex.http.get(running.key_holders_link("rex"))
    with rex.live(DRAWING) as socket:
        frames_until(socket, lambda frame: "view" in frame)
        assert office("adam", {"kind": "RevokePerson", "person": "rex", "reason": "a test"}).status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            frames_until(socket, lambda frame: False, 10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == SESSION_OVER
    assert rex.http.get("/api/me").status_code == 401


def test_recall_is_for_those_who_oversee(people: dict[str, Client]) -> None:
    rounds = people["flo"].http.get(f"/api/tables/{DRAWING}/rounds")
    assert rounds.status_code == 200
    assert people["alice"].http.get(f"/api/tables/{DRAWING}/rounds").status_code == 409
    assert people["aud"].http.get(f"/api/tables/{DRAWING}/rounds/none").status_code == 404
