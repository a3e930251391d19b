"""What the page gets about games and tables comes from the definitions, for any game."""

import time
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names, games
from pitboss.games.clauses import clauses
from pitboss.rules.dealing import AUTOMATED_SHOE, MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.server.demonstration import demo_documents
from pitboss.server.schemas.rules import TableRules
from pitboss.server.table_documents import PEOPLE, read_terms
from pitboss.server.table_rules import table_rules
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")


@pytest.fixture(scope="module")
def anybody(running: Running) -> Client:
    return Client(running, None)


def rules_of(name: str, **changed: Any) -> TableRules:
    document = demo_documents()[name]
    table = {**document["table"], **{key.replace("_", "-"): value for key, value in changed.items()}}
    return table_rules(name, read_terms({**document, "table": table, "dealer": PEOPLE}))


def test_the_catalog_has_every_game_with_wagers_and_options(anybody: Client) -> None:
    told = {game["name"]: game for game in anybody.http.get("/api/games").raise_for_status().json()}
    assert set(told) == set(game_names())
    for other in games():
        shown = told[other.name]
        assert shown == anybody.http.get(f"/api/games/{other.name}").raise_for_status().json()
        assert [wager["name"] for wager in shown["wagers"]] == [wager.name for wager in other.wagers]
        assert {option["name"] for option in shown["options"]} == {
            *other.options_by_name,
            *(amount.name for amount in other.money_options),
        }
        for wager, defined in zip(shown["wagers"], other.wagers, strict=True):
            odds = [[line["odds"] for line in table["lines"]] for table in wager["paytables"]]
            assert odds == [[str(line.payoff) for line in table.lines] for table in defined.paytables]
            for table, printed in zip(wager["paytables"], defined.paytables, strict=True):
                assert printed.when == (
                    f"{table['under']['option']}={table['under']['value']}" if table["under"] else None
                )
        for option in shown["options"]:
            under = option["concerns_option"]
            assert option["concerns"] == (option["concerns_wager"] or (under and f"{under['option']}={under['value']}"))


def test_clauses_and_rulings_are_given_in_words(anybody: Client) -> None:
    for name in game_names():
        told = anybody.http.get(f"/api/games/{name}/clauses").raise_for_status().json()
        assert {item: told[item]["status"] for item in told} == {clause.id: clause.status for clause in clauses(name)}
        rulings = anybody.http.get(f"/api/games/{name}/rulings").raise_for_status().json()
        assert all(ruling["question"] and ruling["reading"] and ruling["reason"] for ruling in rulings)
        assert {"G-1", "G-2"} < {ruling["id"] for ruling in rulings}


def test_an_unknown_game_is_not_found(anybody: Client) -> None:
    for path in ("", "/clauses", "/rulings"):
        answer = anybody.http.get(f"/api/games/whist{path}")
        assert answer.status_code == 404
        assert "whist" in answer.json()["refused"]["reason"]


@pytest.mark.parametrize("name", game_names())
def test_a_tables_rules_say_what_its_definition_says(anybody: Client, name: str) -> None:
    told = anybody.http.get(f"/api/tables/{name}/rules").raise_for_status().json()
    definition = game(name)
    assert (told["game"], told["game_title"]) == (definition.name, definition.title)
    assert (told["free_play"], told["is_automatic"], told["real_cards"]) == (True, True, False)
    assert told["version"] == anybody.view(name)["rules"]
    assert told["seats"] >= definition.positions.least
    assert len(told["deck"]) == len(definition.deck)
    assert set(told["deck"]) == set(told["card_titles"])
    assert {place["place"]: place["cards"] for place in told["places"]} == dict(definition.table_cards)
    assert all(sum(place["groups"]) == place["cards"] for place in told["places"])
    asked = {action["name"] for action in told["actions"]}
    assert asked <= {action.name for step in definition.play for action in getattr(step, "actions", ())}
    areas = {area.name: area for area in definition.layout.areas}
    for wager in told["wagers"]:
        defined = definition.wagers_by_name[wager["name"]]
        assert wager["cite"] == defined.cite
        assert wager["inscription"] == areas[defined.name].inscription
        assert wager["inscribed_name"] == areas[defined.name].title
        assert wager["after_equals"] == wager["inscription"].startswith("= ")
        assert wager["equals"] == defined.equals
        if not defined.by_action:
            assert wager["fixed_stakes"] or (wager["minimum_cents"] and wager["maximum_cents"])
        assert wager["paytable"]["lines"]
        assert all(line["clause"] for line in wager["paytable"]["lines"])
    known = {ruling["id"] for ruling in anybody.http.get(f"/api/games/{name}/rulings").json()}
    assert told["rulings"]
    assert set(told["rulings"]) <= known


def test_what_an_action_stakes_is_listed(anybody: Client) -> None:
    for name in game_names():
        told = anybody.http.get(f"/api/tables/{name}/rules").json()
        staking = [action for action in told["actions"] if action["wager"]]
        assert staking
        for action in staking:
            wager = next(wager for wager in told["wagers"] if wager["name"] == action["wager"])
            assert wager["by_action"]
            assert action["multiple"] >= 1


@pytest.mark.parametrize("name", game_names())
def test_a_tables_rules_say_how_the_game_is_played(anybody: Client, name: str) -> None:
    told = anybody.http.get(f"/api/tables/{name}/rules").raise_for_status().json()["how_to_play"]
    known = anybody.http.get(f"/api/games/{name}/clauses").raise_for_status().json()
    assert len(told) >= 6
    for row in told:
        assert row["text"]
        assert row["clauses"]
        assert set(row["clauses"]) <= set(known)


def test_how_a_game_is_played_follows_what_the_table_chose() -> None:
    for name in game_names():
        wagers = demo_documents()[name]["table"]["wagers"]
        required = {key: value for key, value in wagers.items() if game(name).wagers_by_name[key].required}
        every, few = rules_of(name).how_to_play, rules_of(name, wagers=required).how_to_play
        assert len(few) < len(every)
        assert [item for item in every if item in few] == few


def test_a_table_that_is_not_there_has_no_rules(anybody: Client) -> None:
    assert anybody.http.get("/api/tables/nowhere/rules").status_code == 404


@pytest.mark.parametrize(("name", "way"), [(game.name, way) for game in games() for way in game.procedures.dealing])
def test_another_way_of_dealing_offers_what_it_can_serve(name: str, way: str) -> None:
    definition = game(name)
    wagers = demo_documents()[name]["table"]["wagers"]
    served = {key: value for key, value in wagers.items() if definition.wagers_by_name[key].dealing in (None, way)}
    told = rules_of(name, dealing=way, wagers=served)
    gone = {wager.name for wager in definition.wagers if wager.dealing not in (None, way)}
    assert not gone & {wager.name for wager in told.wagers}
    assert len(told.places) == len(definition.table_cards) - bool(gone)
    shown = [place.groups for place in told.places]
    assert shown == [place.groups for place in rules_of(name).places][: len(shown)]


@pytest.mark.parametrize("name", game_names())
def test_irregularities_are_those_that_can_happen_there(name: str) -> None:
    definition = game(name)
    drawn = {shown.name for shown in rules_of(name).irregularities}
    read = {shown.name: shown for shown in rules_of(name, free_play=False, dealing=AUTOMATED_SHOE).irregularities}
    assert drawn < set(read) <= set(definition.irregularities)
    assert set(definition.irregularities) == set(read)
    by_shoe = {shown.name for shown in rules_of(name, free_play=False, **by_hand(definition)).irregularities}
    assert "shoe-jam" not in by_shoe
    assert read["face-up-card"].needs.card
    assert not read["face-up-card"].needs.seat
    assert read["player-left"].needs.seat
    assert read["player-left"].rulings == ["abandoned", "played-out"]
    for shown in read.values():
        assert set(shown.clauses) <= {remedy.cite for remedy in definition.irregularities[shown.name]}
        assert shown.clauses


def by_hand(game_definition: GameDefinition) -> dict[str, Any]:
    wagers = demo_documents()[game_definition.name]["table"]["wagers"]
    return {
        "dealing": MANUAL_SHOE,
        "wagers": {key: value for key, value in wagers.items() if game_definition.wagers_by_name[key].dealing is None},
    }


def test_a_preview_shows_the_rules_of_a_document_in_force_nowhere(people: dict[str, Client]) -> None:
    name = game_names()[0]
    document = demo_documents()[name]
    document["table"]["minimum"] = 25_00
    answer = people["olga"].http.post("/api/rules/preview", json={"document": document})
    told = answer.raise_for_status().json()
    assert told["minimum_cents"] == 25_00
    assert told["title"] == document["table"]["name"]
    main = next(wager for wager in told["wagers"] if wager["required"])
    assert main["minimum_cents"] == 25_00


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"table": {"minimum": -5}}, "table[0].minimum"),
        ({"table": {"game": "whist"}}, "table[0].game"),
        ({"dealer": "nobody"}, "document"),
        ({"pace": {"step_ms": "slow"}}, "document"),
    ],
)
def test_a_preview_of_an_unsound_document_says_what_is_wrong(
    people: dict[str, Client], change: dict[str, Any], field: str
) -> None:
    document = demo_documents()[game_names()[0]]
    for key, value in change.items():
        document[key] = {**document[key], **value} if isinstance(value, dict) else value
    answer = people["olga"].http.post("/api/rules/preview", json={"document": document})
    assert answer.status_code == 409
    assert answer.json()["refused"]["field"] == field


def test_a_preview_needs_somebody_signed_in(anybody: Client) -> None:
    assert anybody.http.post("/api/rules/preview", json={"document": {}}).status_code == 401


def test_the_rules_of_a_table_are_worked_out_once(anybody: Client) -> None:
    name = game_names()[-1]
    anybody.http.get(f"/api/tables/{name}/rules").raise_for_status()
    begun = time.process_time()
    for _ in range(5):
        anybody.http.get(f"/api/tables/{name}/rules").raise_for_status()
    assert (time.process_time() - begun) / 5 < 0.05
