"""Significant events of the whole house, searchable by kind, person, table, time or words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.reports.table_facts import table_of
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Body, Entry, canonical
from pitboss.rules.plain import plain

# From the other streams: what affects rules, money outside play, devices, decks, people and meters.
KINDS = frozenset(
    {
        entry_kinds.SUBMISSION_ACTIVATED,
        entry_kinds.TABLE_OPENED,
        entry_kinds.TABLE_CLOSED,
        entry_kinds.TRAY_COUNTED,
        entry_kinds.TRAY_FILLED,
        entry_kinds.TRAY_CREDITED,
        entry_kinds.CORRECTED,
        entry_kinds.LEASE_WITHDRAWN,
        entry_kinds.IRREGULARITY_REPORTED,
        entry_kinds.READ_CORRECTED,
        entry_kinds.READER_ENROLLED,
        entry_kinds.READER_RETIRED,
        entry_kinds.SENSOR_ENROLLED,
        entry_kinds.SENSOR_RETIRED,
        entry_kinds.LIMITS_CHANGED,
        entry_kinds.KEYBOARD_SWITCHED,
        entry_kinds.INCIDENT_ANSWERED,
        entry_kinds.DISPUTE_REPORTED,
        entry_kinds.DISPUTE_RESOLVED,
        entry_kinds.DECLINED,
        entry_kinds.IRREGULARITY_RULED,
        entry_kinds.ROUND_VOIDED,
        entry_kinds.METER_PAID,
        entry_kinds.WRONG_COUNT_RULED,
        entry_kinds.DECK_REMOVED,
        entry_kinds.DEVICE_JAMMED,
        entry_kinds.DEVICE_FAILED,
        entry_kinds.DEVICE_TAKEN_OUT,
        entry_kinds.DEVICE_RETURNED,
        entry_kinds.DEALING_CHANGED,
        entry_kinds.MONEY_ISSUED,
        entry_kinds.MONEY_REDEEMED,
        entry_kinds.CHIPS_SOLD,
        entry_kinds.CHIPS_REDEEMED,
        entry_kinds.DROP_COLLECTED,
        entry_kinds.SETTINGS_CHANGED,
        entry_kinds.VAULT_FUNDED,
        entry_kinds.VAULT_MOVED,
        entry_kinds.CAGE_COUNTED,
        entry_kinds.INVENTORY_SLIP_WRITTEN,
        entry_kinds.SLIP_VOIDED,
        entry_kinds.BOX_PULLED,
        entry_kinds.BOX_COUNTED,
        entry_kinds.VARIANCE_FOUND,
        entry_kinds.VARIANCE_EXPLAINED,
        entry_kinds.EXCLUSION_ADDED,
        entry_kinds.EXCLUSION_REMOVED,
        entry_kinds.HAND_PAID,
        entry_kinds.LINK_ISSUED,
        entry_kinds.PASSWORD_SET,
        entry_kinds.METER_OPENED,
        entry_kinds.TERMS_CHANGED,
        entry_kinds.MONEY_MOVED,
        entry_kinds.TABLE_LINKED,
        entry_kinds.TABLE_UNLINKED,
        entry_kinds.METER_HIT,
        entry_kinds.HIT_REVERSED,
        entry_kinds.PERSON_ADDED,
        entry_kinds.PEOPLE_DECLINED,
        entry_kinds.SECOND_FACTOR_DEMANDED,
        entry_kinds.FACTORS_RESET,
    }
)
_LONG = 400  # a submission's document and the like are looked up in the record itself


_EXPECTED = ("expected_chips", "over_cents")


def _changes(body: Body) -> Body:
    # Of settings and terms, only what changed, before and after: the whole would be too long for a line.
    before = body.get("before")
    name = next((name for name in ("settings", "terms", "details") if isinstance(body.get(name), Mapping)), None)
    if name is None or not isinstance(before, Mapping):
        return body
    changed = [part for part, value in body[name].items() if before.get(part) != value]
    return {
        **body,
        name: {part: body[name][part] for part in changed},
        "before": {part: before.get(part) for part in changed},
    }


def _is_recounted(entry: Entry) -> bool:
    # The people who recount the tray blind may read this first; the record has it all.
    return entry.kind == entry_kinds.INVENTORY_SLIP_WRITTEN and not entry.body["is_final"]


class Significant(NamedTuple):
    """A line of the report; its place identifies the entry."""

    at: int
    stream: str
    sequence: int
    kind: str
    table: str
    actor: str
    role: str
    clause: str | None
    says: str

    @property
    def cursor(self) -> str:
        """Return a cursor for this line's place that sorts in the lines' order."""
        return f"{self.at:016d}~{self.stream}~{self.sequence:012d}"


class SignificantEvents:
    """Follows every stream."""

    def __init__(self) -> None:
        self._rows: list[Significant] = []

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if entry.stream != FLOOR and entry.kind not in KINDS:
            return
        left_out = ("postings", "document", "rests_on", *(_EXPECTED if _is_recounted(entry) else ()))
        said = {name: value for name, value in _changes(entry.body).items() if name not in left_out}
        self._rows.append(
            Significant(
                entry.at,
                entry.stream,
                entry.sequence,
                entry.kind,
                table_of(entry),
                entry.actor,
                entry.role,
                entry.clause,
                canonical(said)[:_LONG],
            )
        )

    def found(
        self,
        *,
        kind: str = "",
        person: str = "",
        table: str = "",
        since_ms: int = 0,
        until_ms: int | None = None,
        text: str = "",
        after: str | None = None,
    ) -> tuple[Significant, ...]:
        """Return the events that match every filter, newest first, starting after a cursor."""
        words = text.casefold()

        def fits(row: Significant) -> bool:
            return (
                kind.casefold() in row.kind.casefold()
                and (not table or row.table == table)
                and (not person or row.actor == person or canonical(person) in row.says)
                and since_ms <= row.at
                and (after is None or row.cursor < after)
                and (until_ms is None or row.at < until_ms)
                and (not words or words in f"{row.kind} {row.actor} {row.role} {row.says}".casefold())
            )

        return tuple(sorted(filter(fits, self._rows), key=lambda row: row.cursor, reverse=True))

    def __iter__(self) -> Iterator[Significant]:
        return iter(self._rows)

    def to_data(self) -> list[Any]:
        """Return the state as plain data."""
        return [plain(row) for row in self._rows]

    def restore(self, data: list[Mapping[str, Any]]) -> None:
        """Restore the state from plain data."""
        self._rows = [Significant(**row) for row in data]
