"""Records for the verifier's tests, written by the house itself: rounds dealt, sealed, opened and paid."""

import io
from collections.abc import Sequence
from typing import Any

from pitboss.cards.deck import Card
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.heads import HeadsExport
from pitboss.record.keys import MasterKey
from pitboss.record.memory_store import MemoryStore
from pitboss.record.seal import RoundSeal
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.store import Batch, Committed, body_digest, export

MASTER = MasterKey(bytes(range(32)))
DECK = tuple(Card(name) for name in ("As", "Kd", "7h", "2c", "Jc", "9s", "Ra7", "Dr"))
STARTED = {"money": 10_000_000}


class Clock:
    def now_ms(self) -> int:
        return 1_700_000_000_000


class Kept:
    """A file that only grows, in memory."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    def is_empty(self) -> bool:
        return not self.text

    def append(self, text: str) -> None:
        self.text += text


class Recorder:
    """Plays made-up rounds into a record."""

    def __init__(self) -> None:
        self.store = MemoryStore(SimulatedDisk())
        self.heads = Kept()
        self.export = HeadsExport({}, MASTER.signer(), self.heads, Clock())
        self._commands = 0

    def write(self, *drafts: Draft) -> None:
        self._commands += 1
        by = Circumstances("ada", "dealer", f"c{self._commands}", Clock().now_ms() + self._commands, "v1")
        batch = Batch(drafts, {draft.stream: None for draft in drafts}, by, body_digest("ada", None))
        (outcome,) = self.store.commit([batch])
        assert isinstance(outcome, Committed), outcome

    def fund(self, table: str) -> None:
        self.write(Draft("money", "money.Moved", {"postings": {"house": -500_000, f"inventory:{table}": 500_000}}))

    def play(self, table: str, number: int, *, shift: int = 0, is_opened: bool = True, real: bool = False) -> None:
        round_id, stream = f"{table}/{number}", f"table/{table}"
        order = DECK[shift:] + DECK[:shift]
        seal = RoundSeal(MASTER, round_id)
        stake = [{"account": f"inventory:{table}", "cents": -500}, {"account": f"felt:{table}", "cents": 500}]
        back = [[f"felt:{table}", -500], [f"inventory:{table}", 500]]
        drafts = [Draft(stream, "house.RoundBegun", {"round": round_id, "number": number})]
        if not real:
            body = {"round": round_id, "commitments": list(seal.commitments(order))}
            drafts.append(Draft(stream, "house.DeckCommitted", {**body, "sealed_order": seal.seal_order(order)}))
        drafts += [
            Draft(stream, "round.WagersPlaced", {"seat": 1, "stakes": {"ante": 500}, "postings": stake}, "Ch. 7 §F(1)"),
            Draft(stream, "round.CardsDealt", dealt(1, hidden(seal, order, (0, 2))), "Ch. 10 §A"),
            Draft(stream, "round.CardsDealt", dealt("board", shown(seal, order, (1, 3))), "Ch. 10 §B"),
            Draft(stream, "round.ActionTaken", {"seat": 1, "discard": hidden(seal, order, (2,))[0]}, "Ch. 11 §B"),
            Draft(stream, "round.WagersSettled", {"seat": 1, "postings": back}, "Ch. 11 §D — é"),
        ]
        if is_opened:
            drafts.append(Draft(stream, "house.SealOpened", {"round": round_id, "dealt_key": seal.dealt_key()}))
        self.write(*drafts, Draft(stream, "house.RoundEnded", {"round": round_id, "outcome": "settled"}))
        self.sign()

    def sign(self) -> None:
        for stream, head in self.store.heads().items():
            self.export.follow(stream, head)
        self.export.export()

    def log(self) -> str:
        out = io.StringIO()
        export(self.store, out)
        return out.getvalue()


def hidden(seal: RoundSeal, order: Sequence[Card], positions: Sequence[int]) -> list[dict[str, Any]]:
    return [{"position": position, "sealed": seal.seal(position, order[position])} for position in positions]


def shown(seal: RoundSeal, order: Sequence[Card], positions: Sequence[int]) -> list[dict[str, Any]]:
    return [{"position": position, "card": order[position], "salt": seal.salt(position)} for position in positions]


def dealt(place: int | str, cards: list[dict[str, Any]]) -> dict[str, Any]:
    return {"place": place, "cards": cards, "face_up": "card" in cards[0]}


def recorded(tables: int = 2, rounds: int = 2) -> Recorder:
    """Return a record with this many tables and rounds per table, every head signed."""
    recorder = Recorder()
    for table in range(tables):
        recorder.fund(f"t{table}")
    for number in range(rounds):
        for table in range(tables):
            recorder.play(f"t{table}", number, shift=(number + table) % len(DECK))
    return recorder
