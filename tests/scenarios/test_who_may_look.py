"""What a real-money floor shows to whom: tables, the lab, submissions, metrics, the schema, and hidden cards never."""

from collections.abc import Callable

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable, unique
from server.running import Client

NewTable = Callable[..., ScenarioTable]
GAME = game_names()[0]


def test_strangers_see_no_real_money_table_no_metrics_and_no_schema(new_table: NewTable) -> None:
    table = new_table(GAME).open(())
    stranger, player = Client(table.floor, None).http, table.floor.people["bob"].http
    for path in (f"/api/tables/{table.table}", "/metrics", "/api/openapi.json", "/api/submissions/blank?game=x"):
        assert stranger.get(path).status_code == 401, path
    assert player.get(f"/api/tables/{table.table}").status_code == 200
    assert player.get("/api/openapi.json").status_code == 200
    assert player.get("/metrics").status_code == 409
    assert player.get(f"/api/submissions/blank?game={GAME}").json()["refused"]["clause"] == "H-5"
    assert table.floor.people["tec"].http.get("/metrics").status_code == 200
    assert table.floor.people["olga"].http.get(f"/api/submissions/blank?game={GAME}").status_code == 200


def test_the_lab_answers_no_player_who_is_seated_at_a_real_money_table(new_table: NewTable) -> None:
    table = new_table(GAME).open(())
    floor, name = table.floor, unique("pat")
    assert floor.office("adam", {"kind": "AddPerson", "person": name, "roles": ["player"]}).status_code == 200
    floor.people[name] = Client(floor, None)
    http = floor.people[name].http
    assert http.get(floor.key_holders_link(name)).status_code == 303
    assert http.get("/api/lab/games").status_code == 200
    table.must(name, "TakeSeat", seat=1)
    for path in ("/api/lab/games", f"/api/lab/chart/{GAME}", f"/api/lab/practice?game={GAME}&seed=1"):
        assert http.get(path).json()["refused"]["clause"] == "H-25", path
    cards = {"game": GAME, "cards": ["As", "Ks"]}
    assert http.post("/api/lab/strategy", json=cards).json()["refused"]["clause"] == "H-25"
    table.must(name, "LeaveSeat", seat=1)
    assert http.get("/api/lab/games").status_code == 200


def test_surveillance_gets_neither_the_key_nor_the_pickup_of_cards_that_nobody_turned(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    table.play_round()
    sue, aud = table.floor.people["sue"].http, table.floor.people["aud"].http
    path = f"/api/audit/events?stream=table/{table.table}"
    seen, whole = sue.get(path).json()["events"], aud.get(path).json()["events"]
    assert any("dealt_key" in event["body"] for event in whole)
    assert any("pickup" in event["body"] for event in whole)
    assert not any({"dealt_key", "pickup"} & set(event["body"]) for event in seen)
    played = table.live.round
    assert sue.get(f"/api/audit/rounds/{played}/bundle").json()["refused"]["clause"] == "H-10"
    assert aud.get(f"/api/audit/rounds/{played}/bundle").status_code == 200
    assert all(step["cards"] is None for step in sue.get(f"/api/audit/rounds/{played}").json()["steps"])
