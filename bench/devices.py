"""Card readers and bet sensors at the pace of a real table: the delay and the processor time of their messages.

Run it as `PYTHONPATH=tests python -m bench.devices [TABLES] [SECONDS]`: each table gets 20 messages a second.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cli.sensor import SimulatedSensor
from scenarios.floor import ScenarioFloor, ScenarioTable, unique
from server.running import Client

GAME = "ultimate-texas-holdem"
EVERY_S = 1 / 20
SEATS = (1, 2, 3, 4, 5, 6)


class Device:
    """What one device sends to its table, at its pace, and how long each answer took."""

    def __init__(self, floor: ScenarioFloor, path: str, messages: Iterator[tuple[dict[str, Any], str]]) -> None:
        self.http, self.path, self.messages = Client(floor, None).http, path, messages
        self.delays: list[float] = []
        self.refused = 0
        self.late = 0  # messages whose answer took longer than the pause until the next one

    def run(self, seconds: float) -> None:
        """Send a message every twentieth of a second."""
        begun = sent = time.monotonic()
        for message, taken in self.messages:
            if sent > begun + seconds:
                return
            time.sleep(max(0.0, sent + EVERY_S - time.monotonic()))
            sent = time.monotonic()
            answer = self.http.post(self.path, json=message).raise_for_status().json()
            self.delays.append(time.monotonic() - sent)
            self.late += self.delays[-1] > EVERY_S
            self.refused += not answer[taken]


def seen_chips(floor: ScenarioFloor) -> Device:
    """Return a sensor that sees the chips of six players change while bets are open."""
    table = ScenarioTable(floor, GAME).open(players=())
    for seat in SEATS:
        table.seat_patron(seat, 2_000_00)
    sensor = SimulatedSensor(unique("bets"), table.table, Ed25519PrivateKey.generate())
    table.both("tec", "flo", "EnrollSensor", sensor=sensor.name, key=sensor.key)
    table.begin()
    least = table.least()

    def messages() -> Iterator[tuple[dict[str, Any], str]]:
        number = 0
        while True:
            heap = {wager: cents * (1 + number % 3) for wager, cents in least.items()}
            yield sensor.saw(SEATS[number % len(SEATS)], heap), "is_taken"
            number += 1

    return Device(floor, f"/api/tables/{table.table}/sensor", messages())


def read_cards(floor: ScenarioFloor) -> Device:
    """Return a reader that sees the cards of round after round; who deals them out isn't measured."""
    table = ScenarioTable(floor, GAME).open(players=())
    for seat in SEATS:
        table.seat_patron(seat, 2_400_00)
    reader = table.enroll()

    def messages() -> Iterator[tuple[dict[str, Any], str]]:
        while True:
            if table.phase == "dealing" and not table.live.play.due.is_turned:
                if table.live.play.due.cards > len(table.live.waiting):
                    yield reader.saw(table.deck.pop(0)), "is_read"
                else:
                    table.must(table.dealer, "DealCards")
            elif table.live.in_round:
                table.step()
            else:
                table.begin()

    return Device(floor, f"/api/tables/{table.table}/reader", messages())


def measured(what: str, make: Callable[[ScenarioFloor], Device], tables: int, seconds: float) -> None:
    """Run a device of a kind at each table and print the delays."""
    with tempfile.TemporaryDirectory() as folder:
        floor = ScenarioFloor(Path(folder))
        devices = [make(floor) for _ in range(tables)]
        threads = [threading.Thread(target=device.run, args=(seconds,)) for device in devices]
        cpu = time.process_time()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        cpu = time.process_time() - cpu
        delays = sorted(delay for device in devices for delay in device.delays)
        cuts = quantiles(delays, n=100)
        print(
            f"{what}, {tables} tables: {len(delays) / seconds:.0f} messages/s, {sum(device.late for device in devices)}"
            f" late, {sum(device.refused for device in devices)} refused; median {1000 * cuts[49]:.1f} ms, p99"
            f" {1000 * cuts[98]:.1f} ms; {1000 * cpu / len(delays):.1f} ms CPU a message, with the device itself"
        )
        floor.stop()


def main() -> None:
    """Measure sensors, then readers."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    measured("bet sensors", seen_chips, tables, seconds)
    if tables == 1:  # a dealer works one table, and its rounds have to be dealt
        measured("card readers", read_cards, tables, seconds)


if __name__ == "__main__":
    main()
