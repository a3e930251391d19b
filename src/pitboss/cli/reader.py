"""`pitboss reader`: a card reader in software, for demonstrations and tests; it knows only the documented format."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.cli.output import show_json
from pitboss.cli.simulated_device import SimulatedDevice, device_secret, posted


@dataclass(slots=True)
class SimulatedReader(SimulatedDevice):
    """A reader that sends the cards it sees."""

    def saw(self, card: str) -> dict[str, Any]:
        """Return the next message, about a card."""
        signature = self.signed_next("pitboss-reader-1", card)
        return {"reader": self.name, "sequence": self.sequence, "card": card, "signature": signature}


def send_command(
    path: Path, name: str, table: str, cards: list[str], address: str, after: int, *, as_json: bool
) -> None:
    """Send cards as a reader sees them, one after another."""
    reader = SimulatedReader(name, table, device_secret(path), after)
    answers = [posted(address, f"/api/tables/{table}/reader", reader.saw(card)) for card in cards]
    if as_json:
        show_json(answers)
        return
    for card, answer in zip(cards, answers, strict=True):
        print(f"{answer['sequence']}: {card} {'was read' if answer['is_read'] else 'was not due'}.")
