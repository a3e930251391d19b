"""The submission desk over HTTP: faults as you type, drawings, packets, and two people who put it in force."""

import time
from typing import Any
from xml.etree import ElementTree

import pytest

from pitboss.games.catalogue import game, game_names, games
from pitboss.lab.worth import worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from server.lab_ready import until_answered
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")


@pytest.fixture
def olga(people: dict[str, Client]) -> Client:
    return people["olga"]


def blank(client: Client, name: str) -> dict[str, Any]:
    answer = client.http.get("/api/submissions/blank", params={"game": name}).raise_for_status().json()
    document: dict[str, Any] = answer["document"]
    return document


def checked(client: Client, document: dict[str, Any]) -> dict[str, Any]:
    answer = client.http.post("/api/submissions/check", json={"document": document}).raise_for_status().json()
    found: dict[str, Any] = answer
    return found


@pytest.mark.parametrize("name", game_names())
def test_a_document_to_start_from_has_no_fault(olga: Client, name: str) -> None:
    document = blank(olga, name)
    assert document["dealer"] == "people"
    found = checked(olga, document)
    assert found["faults"] == []
    assert found["version"]
    assert found["choices"]
    assert all(choice["sentence"] for choice in found["choices"])


def test_a_document_for_an_unknown_game_is_refused(olga: Client) -> None:
    assert olga.http.get("/api/submissions/blank", params={"game": "whist"}).status_code == 404


@pytest.mark.parametrize("name", game_names())
def test_a_fault_is_listed_with_its_field_and_clause(olga: Client, name: str) -> None:
    document = blank(olga, name)
    document["table"]["positions"] = 99
    document["table"]["minimum"] = "ten"
    found = checked(olga, document)
    assert found["version"] is None
    faults = {fault["field"]: fault for fault in found["faults"]}
    assert faults["table[0].positions"]["clause"]
    assert faults["table[0].positions"]["path"] == ["table", "positions"]
    assert faults["table[0].minimum"]["path"] == ["table", "minimum"]
    document["facility"]["name"] = " "
    document["table"]["wagers"]["no such wager"] = True
    paths = [fault["path"] for fault in checked(olga, document)["faults"]]
    assert ["facility", "name"] in paths
    assert ["table", "wagers", "no such wager"] in paths


def test_what_comes_with_the_submission_is_checked_too(olga: Client) -> None:
    document = {**blank(olga, game_names()[0]), "dealer": "house"}
    found = checked(olga, document)
    assert [fault["field"] for fault in found["faults"]] == ["document"]
    assert "Only a free-play table can deal by itself" in found["faults"][0]["reason"]


def test_a_check_is_quick_enough_for_typing(olga: Client) -> None:
    documents = [blank(olga, name) for name in game_names()]
    for document in documents:
        checked(olga, document)
    begun = time.process_time()
    for document in documents:
        checked(olga, document)
    assert (time.process_time() - begun) / len(documents) < 0.05


@pytest.mark.parametrize("name", game_names())
def test_layout_and_sign_are_drawn(olga: Client, name: str) -> None:
    document = blank(olga, name)
    document["facility"]["name"] = "The Gilded Goose"
    shown = olga.http.post("/api/submissions/preview", json={"document": document}).raise_for_status().json()
    for drawing in ("layout", "position", "sign"):
        assert ElementTree.fromstring(shown[drawing]).tag.endswith("svg")
        assert " style=" not in shown[drawing], "the page may not take inline styles"
    assert shown["posted"]["facility"] == "The Gilded Goose"
    assert shown["posted"]["odds"]
    document["table"]["name"] = "Another"
    again = olga.http.post("/api/submissions/preview", json={"document": document}).json()
    assert again["sign"] != shown["sign"]


def test_a_document_with_a_fault_is_not_drawn(olga: Client) -> None:
    document = blank(olga, game_names()[0])
    document["table"]["dealing"] = "by drone"
    for path in ("preview", "packet"):
        answer = olga.http.post(f"/api/submissions/{path}", json={"document": document})
        assert answer.status_code == 409
        assert answer.json()["refused"]["field"] == "table[0].dealing"


def test_two_documents_are_compared(olga: Client) -> None:
    old = blank(olga, game_names()[0])
    new = {**old, "table": {**old["table"], "minimum": 10_00}}
    found = olga.http.post("/api/submissions/compare", json={"old": old, "new": new}).raise_for_status().json()
    assert [(row["what"], row["before"], row["after"]) for row in found] == [("minimum", "$5", "$10")]
    assert [row["path"] for row in found] == [["minimum"]]
    assert olga.http.post("/api/submissions/compare", json={"old": old, "new": old}).json() == []
    wrong = {**new, "table": {"game": "whist"}}
    assert olga.http.post("/api/submissions/compare", json={"old": old, "new": wrong}).status_code == 409


def test_a_comparison_shows_the_exact_value_before_and_after(olga: Client) -> None:
    definition, wager, letters = next(
        (game, wager, wager.letters)
        for game in games()
        for wager in game.wagers
        if len(wager.letters) > 1 and not (wager.required or wager.by_action or wager.stakes_cents)
    )
    old = blank(olga, definition.name)
    stated = {**old["table"]["wagers"][wager.name], "paytable": letters[1]}
    new = {**old, "table": {**old["table"], "wagers": {**old["table"]["wagers"], wager.name: stated}}}
    found = edges(olga, old, new)
    assert [(row["wager"], row["title"]) for row in found] == [(wager.name, wager.title)]
    for side, letter in (("before", letters[0]), ("after", letters[1])):
        exact = worth_of(RulesInForce(definition, Choices({wager.name: letter})), wager.name)
        assert found[0][side] == {"paytable": letter, "ev": str(exact.ev), "house_edge": float(exact.house_edge)}
    gone = {**old, "table": {**old["table"], "wagers": {**old["table"]["wagers"]}}}
    del gone["table"]["wagers"][wager.name]
    assert [edge["after"] for edge in edges(olga, old, gone)] == [None]
    assert edges(olga, old, {**old, "table": {**old["table"], "minimum": 10_00}}) == []


def edges(client: Client, old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, Any]]:
    answer = until_answered(client, "POST", "/submissions/compare/edges", json={"old": old, "new": new})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_the_value_of_a_document_with_a_fault_is_not_computed(olga: Client) -> None:
    old = blank(olga, game_names()[0])
    wrong = {**old, "table": {**old["table"], "dealing": "by drone"}}
    answer = olga.http.post("/api/submissions/compare/edges", json={"old": old, "new": wrong})
    assert answer.status_code == 409
    assert answer.json()["refused"]["field"] == "table[0].dealing"


def test_what_blocks_other_rules_is_shown_before_anyone_proposes_them(olga: Client) -> None:
    seen = olga.http.get("/api/submissions", params={"table": game_names()[0]}).raise_for_status().json()
    told = [(row["text"].split(".")[0].partition("deck-")[0], row["by"], row["clause"]) for row in seen["first"]]
    # A table that deals by itself has a deck all the time, and takes a new one while it is open.
    assert told[-2:] == [
        ("Close the table", ["floorperson"], "H-21"),
        ("Remove ", ["dealer", "floorperson"], game(game_names()[0]).procedures.two_decks.cite),
    ]
    assert {row["text"] for row in seen["first"][:-2]} <= {"Wait for the current round to end."}
    unknown = olga.http.get("/api/submissions", params={"table": "nowhere"}).raise_for_status().json()
    assert unknown["first"] == []


def test_a_packet_is_printed(olga: Client) -> None:
    document = blank(olga, game_names()[1])
    answer = olga.http.post("/api/submissions/packet", json={"document": document}, timeout=240)
    assert answer.status_code == 200, answer.text
    assert answer.content[:5] == b"%PDF-"
    assert "attachment" in answer.headers["content-disposition"]


def test_two_people_put_a_submission_in_force(people: dict[str, Client], office: Any) -> None:
    olga, pit = people["olga"], people["pit"]
    document = blank(olga, game_names()[0])
    assert office("olga", {"kind": "SubmitRules", "table": "new-desk", "document": document}).status_code == 200
    listed = olga.http.get("/api/submissions", params={"table": "new-desk"}).raise_for_status().json()
    assert listed["in_force"] is None
    assert [row["by"] for row in listed["submitted"]] == ["olga"]
    proposed = olga.must("new-desk", {"kind": "ActivateSubmission", "document": listed["submitted"][0]["document"]})
    assert proposed["proposal"]
    waiting = pit.http.get("/api/tables/new-desk/proposals").raise_for_status().json()
    assert waiting[0]["body"]["document"] == document
    pit.must("new-desk", {"kind": "Confirm", "proposal": proposed["proposal"]})
    listed = olga.http.get("/api/submissions", params={"table": "new-desk"}).json()
    assert listed["in_force"] == listed["submitted"][0]["version"]
    rules = olga.http.get("/api/tables/new-desk/rules").raise_for_status().json()
    assert (rules["version"], rules["real_cards"], rules["is_automatic"]) == (listed["in_force"], True, False)


def test_the_desk_is_for_people_who_have_signed_in(running: Running) -> None:
    nobody = Client(running, None).http
    assert nobody.get("/api/submissions/blank", params={"game": game_names()[0]}).status_code == 401
    for path in ("check", "preview", "packet"):
        assert nobody.post(f"/api/submissions/{path}", json={"document": {}}).status_code == 401


def test_a_document_of_thousands_of_entries_is_refused_before_it_is_looked_at(olga: Client) -> None:
    wagers = {f"wager-{number}": "A" for number in range(3_000)}
    document = {"facility": {"name": "Harbor", "jurisdiction": "Maryland"}, "table": {"name": "1", "wagers": wagers}}
    answer = olga.http.post("/api/submissions/check", json={"document": document})
    assert answer.status_code == 200
    assert [fault["reason"] for fault in answer.json()["faults"]] == [
        "This document is too large. It can have at most 1,000 entries."
    ]
