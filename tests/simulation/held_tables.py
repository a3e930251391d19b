"""What a held table must not do: the reports, disputes and counts that hold it, followed from the record only."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pitboss.house.entry_kinds import BOX_COUNTED, BOX_PULLED, DROP_COLLECTED
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.ledger import CAGE, HOUSE, inventory, stack
from pitboss.record.entries import Entry
from pitboss.table.state import RACKED, STUB_DISPUTED

OF_THE_BOX = (DROP_COLLECTED, BOX_PULLED, BOX_COUNTED)
# Everything that may happen while a report holds a table; only a fill moves money, and only into the tray.
WHILE_REPORTED = (
    "house.IncidentAnswered",
    "house.Proposed",
    "house.Confirmed",
    "house.Declined",
    "house.LeaseTaken",
    "house.LeaseRenewed",
    "house.LeaseReleased",
    "house.LeaseWithdrawn",
    "house.SeatTaken",
    "house.TrayFilled",
    "house.FloorCalled",
    "house.CallAnswered",
    "house.ShiftNoted",
    "house.SeatReserved",
    "house.ReservationEnded",
    "house.SensorRetired",
    "house.SensorHeard",  # its number is used up, and its chips are not taken
    "table.DeviceJammed",
    "table.DeviceFailed",
    "table.DeviceTakenOut",
    "table.DeviceReturned",
)
WHILE_STUB_IS_WRONG = (*WHILE_REPORTED, "house.IrregularityReported", "table.StubCounted", "table.WrongCountRuled")
WHILE_DECK_IS_WRONG = (
    *WHILE_REPORTED,
    "house.IrregularityReported",
    "table.DeckCounted",
    "table.DeviceCounted",
    "table.DeckRemoved",
    "house.ReadsForgotten",  # cards drawn from it are back in it
)
NEVER_IN_DISPUTE = ("house.RoundBegun", "house.TableClosed", "house.SubmissionActivated", "table.CardsSpread")

Tell = Callable[[str], None]


class _Report(NamedTuple):
    incident: str
    balances: Mapping[str, int]  # of the table's accounts when the report was made, and of fills since


class HeldTables:
    """Follows what holds each table, and says what happened there that had to wait."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._reports: dict[str, _Report] = {}  # by table: the one that nobody has answered
        self._ruled: dict[str, str] = {}  # by table: the last command that ruled, and so may move money
        self._disputes: dict[str, dict[str, int]] = {}  # by table: the cents in dispute, by player
        self._elsewhere: list[Entry] = []  # entries of other streams that moved money for a table
        self._is_reported: dict[tuple[str, str], bool] = {}  # by command and table: whether a report waited after it

    def follow(self, before: LiveTable, entry: Entry) -> None:
        """Check an entry of a table against what held the table before it."""
        table, report = before.table, self._reports.get(before.table)
        if (before.trouble.incident if before.trouble is not None else None) != (report and report.incident):
            self._tell(f"{table} is held by {before.trouble}, and its record by {report}")
        if (before.dispute is not None) != (table in self._disputes):
            self._tell(f"{table} is in dispute over {before.dispute}, and its record over {self._disputes.get(table)}")
        if report is not None:
            self._waits(before, entry, WHILE_REPORTED, "a report waited for its answer")
        elif entry.command != self._ruled.get(table) and (wrong := _wrong_count(before)):
            self._waits(before, entry, *wrong)
        if table in self._disputes:
            self._disputed(before, entry)
        self._reported(before, entry)
        self._in_dispute(before, entry)
        self._is_reported[entry.command, table] = table in self._reports

    def follow_elsewhere(self, entry: Entry) -> None:
        """Remember an entry of the money or a progressive that moved money for a table."""
        # A drop box goes to the count room whatever waits at its table: its contents are no longer anyone's wager.
        if entry.kind not in OF_THE_BOX and entry.body.get("table") and entry.body.get(POSTINGS):
            self._elsewhere.append(entry)

    def check_elsewhere(self) -> None:
        """Check that no purse or meter moved by a command that left its table held."""
        for entry in self._elsewhere:
            if self._is_reported.get((entry.command, entry.body["table"]), True):
                self._tell(f"{entry.kind} moved money of {entry.body['table']} while a report waited, or without it")
        self._elsewhere.clear()
        self._is_reported.clear()

    def _waits(self, before: LiveTable, entry: Entry, allowed: tuple[str, ...], why: str) -> None:
        if entry.kind not in allowed:
            self._tell(f"{entry.kind} happened at {before.table} while {why}")
        moved = entry.body.get(POSTINGS)
        if moved and not _is_fill(before, entry):
            self._tell(f"{entry.kind} moved {dict(moved)} at {before.table} while {why}")

    def _disputed(self, before: LiveTable, entry: Entry) -> None:
        table = before.table
        if entry.kind in NEVER_IN_DISPUTE:
            self._tell(f"{entry.kind} happened at {table} while its last round was in dispute")
        deck = before.cards.deck(str(entry.body.get("deck"))) if before.cards is not None else None
        if entry.kind.startswith("table.") and not before.in_round and deck is not None and deck.stage == RACKED:
            self._tell(f"{entry.kind} took the rack of {table} apart while its last round was in dispute")
        if entry.kind.startswith("round."):
            return  # the resolution itself
        for player, cents in self._disputes[table].items():
            taken = entry.body.get(POSTINGS, {}).get(stack(table, player), 0)
            if taken < 0 and before.stack_cents(player) + taken < cents:
                self._tell(f"{entry.kind} took cents of {player} from {table} that were in dispute")

    def _reported(self, before: LiveTable, entry: Entry) -> None:
        table, report = before.table, self._reports.get(before.table)
        if entry.kind == "house.IrregularityReported":
            self._reports[table] = _Report(entry.body["incident"], before.balances)
        elif entry.kind == "house.TrayFilled" and report is not None:
            filled = Counter(report.balances)
            filled.update({name: cents for name, cents in entry.body[POSTINGS].items() if name in before.balances})
            self._reports[table] = report._replace(balances=filled)
        elif entry.kind == "house.IncidentAnswered":
            if report is None or entry.body["incident"] != report.incident:
                self._tell(f"{entry.body['incident']} was answered at {table}, where {report} waited")
            elif dict(before.balances) != dict(report.balances):
                self._tell(
                    f"{table} holds {before.balances}, and {report.balances} when {report.incident} was reported"
                )
            if entry.body["outcome"] == "declined" and entry.actor == entry.body["reported_by"]:
                self._tell(f"{entry.actor} declined a report of their own")
            self._reports.pop(table, None)
            if entry.body["outcome"] == "ruled":
                self._ruled[table] = entry.command

    def _in_dispute(self, before: LiveTable, entry: Entry) -> None:
        play = before.play
        if entry.kind == "house.DisputeResolved":
            self._disputes.pop(before.table, None)
        elif entry.kind == "house.DisputeReported" and play is not None:
            owed: Counter[str] = Counter()
            for (seat, _), result in play.results.items():
                if seat in entry.body["seats"]:
                    owed[play.players[seat]] += result.paid + result.returned
            for bonus in play.envy:
                if bonus.seat in entry.body["seats"]:
                    owed[play.players[bonus.seat]] += bonus.net
            self._disputes[before.table] = dict(owed)


def _wrong_count(before: LiveTable) -> tuple[tuple[str, ...], str] | None:
    played = before.cards.round if before.cards is not None else None
    if played is None:
        return None
    if played.stub == STUB_DISPUTED and not played.irregularity:
        return WHILE_STUB_IS_WRONG, "a wrong count of the stub waited for its explanation"
    return (WHILE_DECK_IS_WRONG, "a wrong count of the deck waited for another") if played.miscounted else None


def _is_fill(before: LiveTable, entry: Entry) -> bool:
    table, moved = before.table, entry.body[POSTINGS]
    giver = CAGE if before.free_play else HOUSE  # chips on a slip come by way of the controls
    return (
        entry.kind == "house.TrayFilled"
        and moved.get(inventory(table), 0) > 0
        and set(moved) <= {inventory(table), giver}
    )
