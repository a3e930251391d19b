"""Incidents: stub counts, deck changes, irregularities and voids, each with its clause and the people involved."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from pitboss.games.catalogue import game, game_names
from pitboss.house import entry_kinds
from pitboss.house.narrator import at_seat, irregularity_title, seats_title
from pitboss.house.reports.table_facts import NOBODY, Followed
from pitboss.house.stream_names import TABLES
from pitboss.record.entries import Entry
from pitboss.round.events import SETTLED, VOIDED
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.irregularity import COMMUNITY_CARD_EXPOSED, DEALER_CARD_EXPOSED, SETTLE_ONLY
from pitboss.rules.plain import plain
from pitboss.table.conditions import deck_title

STUB_COUNT, DECK_CHANGE, IRREGULARITY, VOID = "stub-count", "deck-change", "irregularity", "void"
_EXPOSED = {DEALER_CARD_EXPOSED: DEALER, COMMUNITY_CARD_EXPOSED: BOARD}
KINDS = (STUB_COUNT, DECK_CHANGE, IRREGULARITY, VOID)
_OF_KIND: Mapping[str, str] = {
    entry_kinds.STUB_COUNTED: STUB_COUNT,
    entry_kinds.DECK_COUNTED: STUB_COUNT,
    entry_kinds.DEVICE_COUNTED: STUB_COUNT,
    entry_kinds.WRONG_COUNT_RULED: STUB_COUNT,
    entry_kinds.DECK_RECEIVED: DECK_CHANGE,
    entry_kinds.DECK_REMOVED: DECK_CHANGE,
    entry_kinds.IRREGULARITY_REPORTED: IRREGULARITY,
    entry_kinds.INCIDENT_ANSWERED: IRREGULARITY,
    entry_kinds.DISPUTE_REPORTED: IRREGULARITY,
    entry_kinds.DISPUTE_RESOLVED: IRREGULARITY,
    entry_kinds.IRREGULARITY_RULED: IRREGULARITY,
    entry_kinds.DEVICE_JAMMED: IRREGULARITY,
    entry_kinds.DEVICE_FAILED: IRREGULARITY,
    entry_kinds.ROUND_VOIDED: VOID,
}


class Incident(NamedTuple):
    """A line of the report."""

    kind: str
    event: str
    table: str
    game: str
    round: str
    sequence: int
    at: int
    actor: str
    role: str
    second: str  # who proposed what the actor confirmed; none if one person was enough
    dealer: str
    clause: str | None
    says: str
    players_net_cents: int | None = None  # for a full or partial void: what had been settled and was reversed
    incident: str = ""  # the report that this is, or answers
    exposed: str = ""  # where a card was seen too early, if this reports it: dealer or board
    ante_cents: int | None = None  # then the highest Ante of the round


class Begun(NamedTuple):
    """Where a fully or partly voided round begins, and the rules and dealing method it began under."""

    table: str
    round: str
    sequence: int
    rules: str
    dealing: str  # empty if it is the submitted one
    void: int = 0  # the entry that voids it


@dataclass(slots=True)
class _Open:
    followed: Followed
    command: str = ""  # the last one that confirmed a proposal
    proposed_by: str = NOBODY
    net_cents: int = 0  # the players', in the open round
    taken_back_cents: int | None = None
    begun: int = 0  # the entry that began the open round
    dealing: str = ""
    is_lost: bool | None = None  # whether the house lost the round that ended; a dispute may still change it
    ante_cents: int = 0  # the highest of the round


class Incidents:
    """Follows the tables' streams."""

    def __init__(self) -> None:
        self._tables: dict[str, _Open] = {}
        self.rows: list[Incident] = []
        self.voided: list[Begun] = []
        self.rounds_settled = 0
        self.rounds_lost = 0  # by the house, among those settled

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if not entry.stream.startswith(TABLES):
            return
        table = entry.stream[len(TABLES) :]
        here = self._tables.get(table) or self._tables.setdefault(table, _Open(Followed(table)))
        here.followed.follow(entry)
        body = entry.body
        match entry.kind:
            case entry_kinds.ROUND_BEGUN:
                here.net_cents, here.taken_back_cents, here.begun = 0, None, entry.sequence
                here.is_lost, here.ante_cents = None, 0
            case entry_kinds.WAGERS_PLACED:
                here.ante_cents = max(here.ante_cents, body["stakes"].get(_unit(here.followed.game), 0))
            case entry_kinds.DISPUTE_REPORTED:
                here.taken_back_cents = None  # from here on, the dispute makes the reversals
            case entry_kinds.SUBMISSION_ACTIVATED:
                here.dealing = ""
            case entry_kinds.DEALING_CHANGED:
                here.dealing = body["method"]
            case entry_kinds.CONFIRMED:
                here.command, here.proposed_by = entry.command, body["proposed_by"]
            case entry_kinds.WAGERS_SETTLED:
                here.net_cents += sum(result["net"] for result in body["results"])
            case entry_kinds.ENVY_PAID:
                here.net_cents += body["net"]
            case entry_kinds.WAGERS_REVERSED:
                back = sum(result["net"] for result in body["results"]) + body["envy"]
                here.net_cents -= back
                here.taken_back_cents = (here.taken_back_cents or 0) + back
            case entry_kinds.ROUND_ENDED if body["outcome"] == SETTLED:
                self.rounds_settled += 1
                here.is_lost = False
        if here.is_lost is not None and here.is_lost != (here.net_cents > 0):
            self.rounds_lost += 1 if here.net_cents > 0 else -1
            here.is_lost = here.net_cents > 0
        kind = _OF_KIND.get(entry.kind)
        if kind is not None:
            self.rows.append(self._row(kind, here, entry))
        if _voids(entry):
            followed = here.followed
            if kind != VOID:  # its row of the other kind comes first
                self.rows.append(self._row(VOID, here, entry))
            begun = Begun(table, followed.round, here.begun, followed.rules, here.dealing, entry.sequence)
            self.voided.append(begun)

    def of_kind(self, kind: str) -> tuple[Incident, ...]:
        """Return the lines of one kind, oldest first."""
        return tuple(row for row in self.rows if row.kind == kind)

    def found(self, kind: str = "", *, since_ms: int = 0, until_ms: int | None = None) -> tuple[Incident, ...]:
        """Return the lines of one kind or all, for some time or all, newest first."""
        fits = (
            row
            for row in self.rows
            if kind in ("", row.kind) and since_ms <= row.at and (until_ms is None or row.at < until_ms)
        )
        return tuple(sorted(fits, key=lambda row: (row.at, row.table, row.sequence), reverse=True))

    def to_data(self) -> dict[str, Any]:
        """Return the state as plain data."""
        tables = [
            [
                table.followed.to_data(),
                table.command,
                table.proposed_by,
                table.net_cents,
                table.taken_back_cents,
                table.begun,
                table.dealing,
                table.is_lost,
                table.ante_cents,
            ]
            for table in self._tables.values()
        ]
        return {
            "tables": tables,
            "rows": [plain(row) for row in self.rows],
            "voided": [list(begun) for begun in self.voided],
            "rounds": [self.rounds_settled, self.rounds_lost],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the state from plain data."""
        self._tables = {followed[0]: _Open(Followed.from_data(followed), *rest) for followed, *rest in data["tables"]}
        self.rows = [Incident(**row) for row in data["rows"]]
        self.voided = [Begun(*begun) for begun in data["voided"]]
        self.rounds_settled, self.rounds_lost = data["rounds"]

    def _row(self, kind: str, here: _Open, entry: Entry) -> Incident:
        followed = here.followed
        is_confirmed = bool(here.command) and entry.command == here.command
        return Incident(
            kind,
            entry.kind,
            followed.table,
            followed.game,
            followed.round,
            entry.sequence,
            entry.at,
            entry.actor,
            entry.role,
            here.proposed_by if is_confirmed else NOBODY,
            followed.dealer,
            entry.clause or entry.body.get("clause"),
            _says(entry),
            here.taken_back_cents if kind == VOID else None,
            entry.body.get("incident", ""),
            exposed := _EXPOSED.get(entry.body.get("irregularity", ""), "") if _is_report(entry) else "",
            here.ante_cents if exposed else None,
        )


def _is_report(entry: Entry) -> bool:
    return entry.kind == entry_kinds.IRREGULARITY_REPORTED


@cache
def _unit(name: str) -> str:
    # The wager that every player places and whose stake no other wager decides; a record may be of a game not here.
    if name not in game_names():
        return ""
    return next(wager.name for wager in game(name).wagers if wager.required and wager.equals is None)


def _voids(entry: Entry) -> bool:
    if entry.kind == entry_kinds.IRREGULARITY_RULED:
        return bool(entry.body["remedy"] == SETTLE_ONLY)
    if entry.kind == entry_kinds.DISPUTE_RESOLVED:
        return bool(entry.body["outcome"] == VOIDED)
    return entry.kind == entry_kinds.ROUND_VOIDED


def _says(entry: Entry) -> str:
    body = entry.body
    match entry.kind:
        case entry_kinds.STUB_COUNTED:
            verdict = "correct" if body["cards"] == body["expected"] else f"wrong: {body['expected']} expected"
            return f"{body['cards']} cards counted, {verdict}"
        case entry_kinds.DECK_COUNTED | entry_kinds.DEVICE_COUNTED:
            return (
                f"{deck_title(body['deck'])}: {body['cards']} cards counted, {'correct' if body['right'] else 'wrong'}"
            )
        case entry_kinds.WRONG_COUNT_RULED:
            return f"{_title(body)}: {body['cards_in_deck']} cards in the deck; deck: {body['fate']}"
        case entry_kinds.DECK_RECEIVED:
            return f"{deck_title(body['deck'])} received"
        case entry_kinds.DECK_REMOVED:
            return f"{deck_title(body['deck'])} removed: {body['reason'].replace('-', ' ')}"
        case entry_kinds.IRREGULARITY_REPORTED:
            said = "".join(f"; {body[name]}" for name in ("limb", "note") if body.get(name))
            return f"{_title(body)} reported{_seat(body)}{said}"
        case entry_kinds.INCIDENT_ANSWERED:
            reason = f": {body['reason']}" if body["reason"] else ""
            return f"{_title(body)}{_seat(body)}, reported by {body['reported_by']}, {body['outcome']}{reason}"
        case entry_kinds.DISPUTE_REPORTED:
            return f"settlement disputed at {seats_title(body['seats'])}; {body['note']}"
        case entry_kinds.DISPUTE_RESOLVED:
            where = seats_title(body["seats"])
            return f"dispute at {where}, reported by {body['reported_by']}: {body['outcome']}; {body['note']}"
        case entry_kinds.IRREGULARITY_RULED:
            ruled = f"; {body['ruling'].replace('-', ' ')}, ruled by {body['ruled_by']}" if body["ruled_by"] else ""
            return f"{_title(body)}{_seat(body)}: {body['remedy'].replace('-', ' ')}{ruled}"
        case entry_kinds.ROUND_VOIDED:
            return f"round void; deck: {body['deck']}"
        case _:
            return f"the {body['device']} {entry.kind.partition('.Device')[2].lower()}"


def _title(body: Mapping[str, Any]) -> str:
    return irregularity_title(body["irregularity"])


def _seat(body: Mapping[str, Any]) -> str:
    return at_seat(body["seat"])
