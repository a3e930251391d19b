"""A floor with an exclusion list, players' limits and hand pays switched on, for tests."""

from typing import Any

from scenarios.floor import ScenarioFloor, ScenarioTable, unique
from server.running import Client

ULTIMATE = "ultimate-texas-holdem"
HOUR = 3_600_000
SETTINGS: dict[str, Any] = {
    "facility": "Harbor Casino",
    "time_zone": "America/New_York",
    "exclusions": True,
    "player_limits": True,
    "hand_pays": True,
}
WINNER = {
    "full_name": "Wanda Winner",
    "address": "1 Harbor Street, Baltimore MD",
    "taxpayer_id": "123-45-6789",
    "first_document": "MD-111",
    "second_document": "passport 222",
}
HIGH = {"payout_from_cents": 1_000_000_00, "payout_from_times": 100_000, "keyboard_from_cents": 1_000_000_00}


def settle(floor: ScenarioFloor, **changes: Any) -> None:
    """Put settings in force; the same ones again are refused, which changes nothing."""
    answer = floor.office("olga", {"kind": "ChangeHouseSettings", "settings": {**SETTINGS, **changes}})
    if answer.status_code == 200:
        waiting = floor.people["otto"].http.get("/api/office/proposals").json()
        own = next(proposal for proposal in waiting if proposal["proposal"] == answer.json()["proposal"])
        confirmed = {"kind": "Confirm", "proposal": own["proposal"], "digest": own["digest"]}
        assert floor.office("otto", confirmed).status_code == 200


def done(floor: ScenarioFloor, name: str, kind: str, **fields: Any) -> dict[str, Any]:
    answer = floor.office(name, {"kind": kind, **fields})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(floor: ScenarioFloor, name: str, kind: str, **fields: Any) -> dict[str, Any]:
    answer = floor.office(name, {"kind": kind, **fields})
    assert answer.status_code == 409, f"{kind} by {name}: {answer.text}"
    found: dict[str, Any] = answer.json()["refused"]
    return found


def person(floor: ScenarioFloor, word: str = "pat") -> str:
    """Return a new player who can sign in, so that no scenario depends on what another set for them."""
    name = unique(word)
    done(floor, "adam", "AddPerson", person=name, roles=["player"])
    floor.links[name] = floor.key_holders_link(name).removeprefix("/links/")
    floor.people[name] = Client(floor, name)
    return name


def fund(floor: ScenarioFloor, name: str, cents: int) -> None:
    done(floor, "cay", "IssueMoney", person=name, cents=cents, free_play=False)


def exclude(floor: ScenarioFloor, name: str = "", **fields: Any) -> str:
    done(floor, "pit", "AddExclusion", person=name, **{"reason": "barred", **fields})
    listed = floor.people["pit"].http.get("/api/patrons/exclusions").json()
    return str(listed[0]["exclusion"])


def alerts(floor: ScenarioFloor, about: str, kind: str = "excluded") -> list[str]:
    raised = floor.people["flo"].http.get("/api/alerts").raise_for_status().json()
    return [alert["text"].lower() for alert in raised if alert["kind"] == kind and about in alert["text"].lower()]


def own(floor: ScenarioFloor, name: str) -> dict[str, Any]:
    found: dict[str, Any] = floor.people[name].http.get("/api/me/play").raise_for_status().json()
    return found


def limit(floor: ScenarioFloor, name: str, **limits: int | None) -> dict[str, Any]:
    return done(floor, name, "SetOwnLimits", limits=limits)


def royal(table: ScenarioTable, player: str, stake: int = 10_00) -> None:
    """Play until a royal flush waits to be paid: 500 to 1 on Blind."""
    table.begin()
    table.wager(player, ante=stake, blind=stake)
    table.close_bets()
    table.lay({1: "As Ks", "dealer": "2c 7d", "board": "Qs Js Ts 9d 4h"})
    table.deal()
    table.answer("raise 4x")
    table.play_to("settling")
    table.step()


def take_down(table: ScenarioTable, name: str, seat: int = 1, **changes: str) -> Any:
    body = {"id": unique("hand-pay"), "seat": seat, **WINNER, **changes}
    return table.floor.people[name].http.post(f"/api/tables/{table.table}/hand-pays", json=body)


def hand_table(floor: ScenarioFloor) -> ScenarioTable:
    table = ScenarioTable(floor, ULTIMATE)
    table.document["verification"] = HIGH  # so that nothing but the hand pay holds the payout
    return table.open(())
