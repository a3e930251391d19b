"""Only rules meant for a table can run it: no document for analysis, one version in one facility."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game_names, games
from pitboss.rules.game import GameDefinition
from pitboss.rules.wager import Wager
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
HOUSE_RULE = "H-5"


def submit(table: ScenarioTable) -> Any:
    body = {"kind": "SubmitRules", "table": table.table, "document": table.document}
    return table.floor.office("olga", body)


@pytest.mark.parametrize("name", game_names())
def test_rules_for_analysis_are_never_put_in_force_at_a_table_for_money(new_table: NewTable, name: str) -> None:
    table = new_table(name, analysis=True)
    answer = submit(table)
    assert answer.status_code == 409, answer.text
    refused = answer.json()["refused"]
    assert "analysis" in refused["reason"]
    assert refused["clause"] == HOUSE_RULE
    # The table exists through another document; the one for analysis is refused there as well.
    table.document["table"].pop("analysis")
    assert submit(table).status_code == 200
    table.document["table"]["analysis"] = True
    refused = table.refused("olga", "ActivateSubmission", document=table.document)
    assert "analysis" in refused["reason"]
    assert refused["clause"] == HOUSE_RULE


@pytest.mark.parametrize("name", game_names())
def test_free_play_takes_rules_for_analysis_only_where_the_document_says_so_and_every_view_does(
    new_table: NewTable, name: str
) -> None:
    table = new_table(name, analysis=True, free_play=True)
    answer = submit(table)
    assert answer.status_code == 409, answer.text
    assert answer.json()["refused"]["clause"] == HOUSE_RULE
    table.document["analysis"] = True
    table.open()
    http = table.floor.people["alice"].http
    assert table.view()["analysis"] is True
    assert http.get(f"/api/tables/{table.table}/rules").raise_for_status().json()["analysis"] is True
    lobby = {table["table"]: table for table in http.get("/api/tables").raise_for_status().json()}
    assert lobby[table.table]["analysis"] is True


def test_other_tables_are_not_marked_for_analysis(new_table: NewTable) -> None:
    table = new_table(game_names()[0]).open(players=())
    http = table.floor.people["alice"].http
    assert table.view()["analysis"] is False
    assert http.get(f"/api/tables/{table.table}/rules").raise_for_status().json()["analysis"] is False
    lobby = {table["table"]: table for table in http.get("/api/tables").raise_for_status().json()}
    assert lobby[table.table]["analysis"] is False


ALWAYS_OFFERED = [(game, wager) for game in games() for wager in game.wagers if wager.always_offered_cite]
HELD_BACK = [game.name for game in games() if "dealer-cards" in game.options_by_name]
ELECTRONIC = next(game for game in games() if game.procedures.electronic_cite)


@pytest.mark.parametrize(("game", "wager"), ALWAYS_OFFERED, ids=lambda name: name.name)
def test_a_table_that_leaves_out_a_wager_every_table_offers_is_refused(
    new_table: NewTable, game: GameDefinition, wager: Wager
) -> None:
    table = new_table(game.name)
    wagers = table.document["table"]["wagers"]
    table.document["table"]["wagers"] = {name: stated for name, stated in wagers.items() if name != wager.name}
    answer = submit(table)
    assert answer.status_code == 409, answer.text
    assert answer.json()["refused"]["clause"] == wager.always_offered_cite
    assert wager.title in answer.json()["refused"]["reason"]


@pytest.mark.parametrize("name", HELD_BACK)
def test_the_dealers_cards_stay_in_the_shuffler_only_with_an_automated_shoe(new_table: NewTable, name: str) -> None:
    by_hand = new_table(name, dealing="manual-shoe", options={"dealer-cards": "in-shuffler"})
    answer = submit(by_hand)
    assert answer.status_code == 409, answer.text
    assert answer.json()["refused"]["clause"] == by_hand.game.options_by_name["dealer-cards"].cite


@pytest.mark.parametrize("name", HELD_BACK)
def test_the_dealers_cards_leave_the_shuffler_once_all_players_have_acted(new_table: NewTable, name: str) -> None:
    table = new_table(name, dealing="automated-shoe", options={"dealer-cards": "in-shuffler"}).open()
    table.begin()
    while table.phase != "asking":
        table.step()
    assert not table.live.play.cards.get("dealer"), "no card of the dealer's is out while players decide"
    table.play_to("settling")
    dealt = table.live.play.cards["dealer"]
    assert len(dealt) == table.game.table_cards["dealer"]
    assert all(card is not None for card in table.view()["cards"]["dealer"])
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_an_electronic_table_runs_on_real_cards(new_table: NewTable) -> None:
    table = new_table(ELECTRONIC.name, electronic=True)
    table.document["table"]["cards"] = "reader"
    table.open()
    rules = table.floor.people["alice"].http.get(f"/api/tables/{table.table}/rules").raise_for_status().json()
    assert rules["real_cards"] is True
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    refused = table.refused(table.dealer, "DealCards")  # no card was read, and the program draws none
    assert refused["clause"]
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert not table.live.commitments, "nothing was drawn that could have been committed to"


@pytest.mark.parametrize("name", game_names())
def test_lobby_rules_sign_and_felt_show_only_what_was_submitted(new_table: NewTable, name: str) -> None:
    table = new_table(name, progressive_name="of-other-tables")
    wagers = table.document["table"]["wagers"]
    needed = {
        wager.name for wager in table.game.wagers if wager.required or wager.by_action or wager.always_offered_cite
    }
    table.document["table"]["wagers"] = {wager: stated for wager, stated in wagers.items() if wager in needed}
    table.open(players=())
    http = table.floor.people["alice"].http
    left_out = {wager.name: wager.title for wager in table.game.wagers if wager.name not in needed}
    summary = next(row for row in http.get("/api/tables").raise_for_status().json() if row["table"] == table.table)
    assert not left_out.keys() & summary["paytables"].keys()
    assert summary["meters"] == table.view()["meters"] == {}
    rules = http.get(f"/api/tables/{table.table}/rules").raise_for_status().json()
    assert {wager["name"] for wager in rules["wagers"]} == needed
    told = [
        *(sentence["text"] for sentence in rules["how_to_play"]),
        *(inscription["text"] for inscription in rules["inscriptions"]),
    ]
    preview = table.floor.people["olga"].http.post("/api/submissions/preview", json={"document": table.document})
    posted = preview.raise_for_status().json()["posted"]
    told += [inscription["text"] for inscription in posted["inscriptions"]]
    told += [sign["title"] for sign in (*posted["odds"], *posted["limits"])]
    assert not [(title, text) for title in left_out.values() for text in told if title in text]
