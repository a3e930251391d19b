"""`pitboss sensor`: a bet sensor in software, for demonstrations and tests; it knows only the documented format."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from pitboss.cli.output import Failure, show_json
from pitboss.cli.simulated_device import SimulatedDevice, device_secret, posted

_SEEN = re.compile(r"(\d+):((?:[a-z0-9-]+=\d+(?:\.\d\d)?(?:,|$))*)")


@dataclass(slots=True)
class SimulatedSensor(SimulatedDevice):
    """A sensor that sends the chips it sees."""

    def saw(self, seat: int, stakes: Mapping[str, int]) -> dict[str, Any]:
        """Return the next message, about the chips at a seat."""
        chips = ",".join(f"{wager}={stakes[wager]}" for wager in sorted(stakes))
        signature = self.signed_next("pitboss-sensor-1", str(seat), chips)
        return {
            "sensor": self.name,
            "sequence": self.sequence,
            "seat": seat,
            "stakes": dict(stakes),
            "signature": signature,
        }


def send_command(
    path: Path, name: str, table: str, seen: list[str], address: str, after: int, *, as_json: bool
) -> None:
    """Send the chips at seats as a sensor sees them, one seat after another."""
    sensor = SimulatedSensor(name, table, device_secret(path), after)
    bets = [_bets(text) for text in seen]
    answers = [posted(address, f"/api/tables/{table}/sensor", sensor.saw(seat, stakes)) for seat, stakes in bets]
    if as_json:
        show_json(answers)
        return
    for (seat, _), answer in zip(bets, answers, strict=True):
        taken = "was accepted" if answer["is_taken"] else f"was not accepted ({answer['clause']})"
        print(f"{answer['sequence']}: seat {seat} {taken}.")


def _bets(text: str) -> tuple[int, dict[str, int]]:
    found = _SEEN.fullmatch(text)
    if found is None:
        raise Failure(f"{text} isn't a seat with its chips. Write it as 2:ante=10, or 2: for none.")
    stakes = dict(part.split("=") for part in found[2].split(",") if part)
    return int(found[1]), {wager: int(Decimal(dollars) * 100) for wager, dollars in stakes.items()}
