"""A bet sensor enters the chips of players without a device: signed, in order, and only as the rules allow."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cli.sensor import SimulatedSensor
from pitboss.games.catalogue import game, game_names
from pitboss.server.file_integrity import CHANGED
from scenarios.floor import READER, ScenarioTable, unique

NewTable = Callable[..., ScenarioTable]
GAME = game_names()[0]
CASH = 1_000_00


def enrolled(table: ScenarioTable) -> SimulatedSensor:
    sensor = SimulatedSensor(unique("bets"), table.table, Ed25519PrivateKey.generate())
    table.both("tec", "flo", "EnrollSensor", sensor=sensor.name, key=sensor.key)
    return sensor


def sent(table: ScenarioTable, message: dict[str, Any]) -> Any:
    return table.floor.people["alice"].http.post(f"/api/tables/{table.table}/sensor", json=message)


def stakes(table: ScenarioTable) -> dict[int, dict[str, int]]:
    return {patron["seat"]: patron["stakes"] for patron in table.console()["patrons"]}


@pytest.mark.parametrize("name", game_names())
def test_a_round_is_played_on_the_wagers_that_a_sensor_saw(new_table: NewTable, name: str) -> None:
    table = new_table(name, READER).open(players=())
    patrons = [table.seat_patron(seat, CASH) for seat in (1, 2)]
    sensor = enrolled(table)
    table.begin()
    for seat in (1, 2):
        assert sent(table, sensor.saw(seat, table.least())).json()["is_taken"]
    assert stakes(table) == {1: table.least(), 2: table.least()}
    placed = table.entries("round.WagersPlaced")
    assert {(entry.actor, entry.body["player"]) for entry in placed} == {
        (f"sensor {sensor.name}", patron) for patron in patrons
    }
    assert sent(table, sensor.saw(2, {})).json()["is_taken"], "the chips were taken back"
    assert stakes(table)[2] == {}
    table.close_bets()
    late = sent(table, sensor.saw(2, table.least())).json()
    assert (late["is_taken"], bool(late["clause"])) == (False, True)
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert table.verified() is None


def test_a_message_counts_once_in_order_at_its_own_table_and_as_it_was_signed(new_table: NewTable) -> None:
    table, other = new_table(GAME).open(players=()), new_table(GAME)
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    least = table.least()
    more = {wager: 2 * cents for wager, cents in least.items()}
    first, second, third = sensor.saw(1, least), sensor.saw(1, more), sensor.saw(1, {})
    assert sent(table, second).status_code == 409, "it comes before the first"
    assert [note.body["expected"] for note in table.floor.noted("floor.SensorOutOfOrder")][-1:] == [1]
    taken = {"sequence": 1, "is_taken": True, "clause": None}
    assert sent(table, first).json() == {**taken, "again": False}
    assert sent(table, first).json() == {**taken, "again": True}, "its answer was lost"
    for change in (
        {"stakes": {**more, next(iter(more)): 999_00}},
        {"seat": 2},
        {"sequence": 3},
        {"signature": "0" * 128},
        {"sensor": "nobody"},
    ):
        assert sent(table, {**second, **change}).status_code == 409, change
    again = SimulatedSensor(sensor.name, table.table, sensor.secret, 0).saw(1, more)
    assert sent(table, again).status_code == 409, "the same number with other chips"
    assert stakes(table)[1] == least
    assert sent(table, second).json()["is_taken"]
    assert stakes(table)[1] == more
    other.open(())
    other.both("pit", "flo", "EnrollSensor", sensor=sensor.name, key=sensor.key)
    moved = SimulatedSensor(sensor.name, table.table, sensor.secret, 0).saw(1, least)
    assert sent(other, moved).status_code == 409, "signed for another table"
    table.must("flo", "RetireSensor", sensor=sensor.name, reason="moved")
    assert sent(table, third).status_code == 409
    assert table.refused("tec", "EnrollSensor", sensor="another", key=sensor.key)["field"] == "key"
    assert table.refused("tec", "EnrollReader", reader="shoe", key=sensor.key)["field"] == "key", (
        "a key is one device's"
    )


def test_a_sensor_is_enrolled_by_two_people_and_nobody_speaks_for_it(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=("alice",))
    table.seat_patron(2, CASH)
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    for name in ("dana", "alice", "cay"):
        assert table.refused(name, "EnrollSensor", sensor="mine", key=key)["clause"] == "H-38", name
    proposal = table.must("tec", "EnrollSensor", sensor="mine", key=key)["proposal"]
    table.refused("tec", "Confirm", proposal=proposal)
    assert not table.live.sensors
    sensor = enrolled(table)
    table.begin()
    for name in ("dana", "flo", "tec"):
        message = sensor.saw(2, table.least())
        sensor.sequence -= 1
        assert table.refused(name, "SensorSaw", **message)["clause"] == "H-38", name
    elsewhere = sent(table, sensor.saw(1, table.least())).json()
    assert (elsewhere["is_taken"], elsewhere["clause"]) == (False, "H-33"), "alice bets with her own device"
    empty = sent(table, sensor.saw(3, table.least())).json()
    assert (empty["is_taken"], empty["clause"]) == (False, "H-33"), "nobody sits there"
    much = sent(table, sensor.saw(2, dict.fromkeys(table.least(), 900_00))).json()
    assert not much["is_taken"], "more than the player's chips"
    assert stakes(table)[2] == {}
    assert sent(table, sensor.saw(2, table.least())).json()["is_taken"]
    table.must("dana", "WithdrawWagers", seat=2)  # what the dealer sees counts
    assert stakes(table)[2] == {}


def test_chips_seen_before_the_round_are_used_up_and_never_wagered_later(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    early = sensor.saw(1, table.least())
    assert not sent(table, early).json()["is_taken"]
    table.begin()
    assert sent(table, early).json() == {"sequence": 1, "is_taken": False, "clause": "H-38", "again": True}
    assert stakes(table)[1] == {}


def test_a_table_takes_twenty_messages_a_second(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    for seat in (1, 2):
        table.seat_patron(seat, CASH)
    sensor = enrolled(table)
    table.begin()
    least = table.least()
    heaps = [{wager: cents * (1 + number % 3) for wager, cents in least.items()} for number in range(30)]
    began = time.process_time()
    for number, heap in enumerate(heaps):
        assert sent(table, sensor.saw(1 + number % 2, heap)).json()["is_taken"]
    assert (time.process_time() - began) / len(heaps) < 1 / 20
    assert stakes(table) == {1: heaps[-2], 2: heaps[-1]}
    assert [entry.body["sequence"] for entry in table.entries("house.SensorHeard")] == list(range(1, 31))


def test_nobody_uses_up_the_id_of_a_devices_next_message(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    dealer, note = table.floor.people["dana"], {"kind": "NoteShift", "text": "the sensor looks odd"}
    for mark, status in ((":", 200), ("/", 422)):
        taken = mark.join(("sensor", table.table, sensor.name, sensor.key[:16], "1"))
        assert dealer.command(table.table, note, taken, token=table.token).status_code == status
    assert sent(table, sensor.saw(1, table.least())).json()["is_taken"]


def test_a_held_table_takes_no_chips_from_a_sensor(new_table: NewTable) -> None:
    table = new_table(GAME, READER).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    assert sent(table, sensor.saw(1, table.least())).json()["is_taken"]
    table.close_bets()
    closed = sent(table, sensor.saw(1, {})).json()["clause"]
    table.must("flo", "ReportIrregularity", irregularity="other-misdeal", note="two cards stuck")
    money, held = table.money(), table.refused("dana", "CloseBets")["clause"]
    assert held != closed, "what refuses it is the report, not that bets are closed"
    for seen in ({}, {wager: 2 * cents for wager, cents in table.least().items()}):
        answer = sent(table, sensor.saw(1, seen)).json()
        assert (answer["is_taken"], answer["clause"]) == (False, held)
    assert (stakes(table), table.money()) == ({1: table.least()}, money)


def test_whoever_has_no_key_writes_nothing_into_the_record(new_table: NewTable) -> None:
    table = new_table(GAME).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    first = sensor.saw(1, table.least())
    assert sent(table, first).json()["is_taken"]
    assert table.floor.floor is not None
    store, streams = table.floor.floor.store, (table.live.stream, "floor")
    before = store.heads(streams)
    changes: tuple[dict[str, Any], ...] = ({"signature": "0" * 128}, {"seat": 2}, {"stakes": {}}, {"sequence": 2})
    for change in changes:
        assert sent(table, {**first, **change}).status_code == 409, change
    assert store.heads(streams) == before


def test_a_coupon_that_the_dealer_entered_stays_when_a_sensor_sees_other_chips(new_table: NewTable) -> None:
    name = next(name for name in game_names() if game(name).procedures.instruments.beside_chips)
    table = new_table(name, instruments=list(game(name).procedures.instruments.beside_chips)).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    table.must("dana", "PlaceWagers", seat=1, stakes={"ante": 20_00}, coupons={"ante": 15_00})
    assert sent(table, sensor.saw(1, {"ante": 30_00})).json()["is_taken"]
    assert table.entries("round.WagersPlaced")[-1].body["coupons"] == {"ante": 15_00}
    short = sent(table, sensor.saw(1, {"ante": 10_00})).json()
    assert (short["is_taken"], short["clause"]) == (False, "§6(a)"), "a coupon needs as much in chips"
    assert (table.live.play.stakes[1, "ante"], table.live.play.coupons[1, "ante"]) == (30_00, 15_00)
    assert sent(table, sensor.saw(1, {})).json()["is_taken"]
    assert not table.live.play.coupons


def test_a_sensor_bets_nothing_while_wagering_is_stopped(new_table: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table(GAME).open(players=())
    table.seat_patron(1, CASH)
    sensor = enrolled(table)
    table.begin()
    least = table.least()
    assert sent(table, sensor.saw(1, least)).json()["is_taken"]
    more = sensor.saw(1, {wager: 2 * cents for wager, cents in least.items()})
    assert table.floor.floor is not None
    with monkeypatch.context() as stopped:
        stopped.setattr(table.floor.floor.house, "no_wagers", CHANGED)
        refused = {"sequence": more["sequence"], "is_taken": False, "clause": CHANGED.clause}
        assert sent(table, more).json() == {**refused, "again": False}
        assert stakes(table)[1] == least
        again = sent(table, sensor.saw(1, least)).json()
        assert again["is_taken"], "it may say again what lies there"
        assert sent(table, sensor.saw(1, {})).json()["is_taken"], "players may take their chips back"
    assert stakes(table)[1] == {}
    assert sent(table, more).json() == {**refused, "again": True}, "it never becomes a wager later"
    assert stakes(table)[1] == {}
    assert sent(table, sensor.saw(1, least)).json()["is_taken"]
