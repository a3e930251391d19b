"""Floor routes: every table as a tile, the people who work here, and who may do what."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

from fastapi import APIRouter, Response

from pitboss.house.live_table.console import waits_for_floor
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.tray_commands import is_count_begun, is_tray_hidden
from pitboss.house.narrator import irregularity_title, seats_title
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import Account, check_standing
from pitboss.house.people.details import NO_DETAILS
from pitboss.house.people.events import FAILURES
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.roles import DEPARTMENTS, PERMISSIONS, ROLES, Grants, Permission
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.hold import GAMING_DAY_BEGINS_HOUR, TABLE
from pitboss.house.reports.raised_alert import Alert
from pitboss.round.disputed import RULING
from pitboss.rules.procedure import PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.channels import Channel, Message
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.cluster.peers import Link, NotReached
from pitboss.server.live.views import HOUR_MS, table_summary
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.alerts import alert_shown
from pitboss.server.routes.equipment import may_count, tray_low_cents
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import ReportsHere
from pitboss.server.routes.tables import NOT_SIGNED_IN, REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas import reports as shown
from pitboss.table.commands import SHOE, SHUFFLER
from pitboss.table.conditions import deck_due_at, deck_hours, round_duties
from pitboss.table.people import Person as Somebody
from pitboss.table.state import TableState

router = APIRouter(prefix="/api")
NOT_STAFF = Refusal("Only the staff can list the staff", rule.ROLES)
STANDS, LOCKED, REVOKED = "stands", "locked", "revoked"
DISPUTE = "dispute"  # the kind of trouble that isn't an irregularity
TILES = "floor tiles"
DAY_MS = 24 * HOUR_MS
NOTHING = shown.Takings(handle_cents=0, drop_cents=0, win_cents=0)


@router.get("/floor", responses=REFUSED, response_model=shown.FloorShown)
async def the_floor(floor: Floor, person: Person, reports: ReportsHere) -> Response:
    """Show every table as a tile, with the items that need attention."""
    may(floor, person, "SeeFloor")
    now, stopped = floor.clock.now_ms(), floor.house.wagering_stopped()
    no_wagers = stopped.reason if stopped else floor.house.halted
    elsewhere = await _tiles_elsewhere(floor)
    live_tables = [running.live for table, running in floor.house.tables.items() if table not in elsewhere]
    began = day_began_at(now)

    def built(reported: AllReports) -> str:
        held, taken = reported.alerts.held(now), _takings(reported, began)
        own = {live.table: tile(floor, live, held, taken.get(live.table, NOTHING)) for live in live_tables}
        others = {
            table: described.model_copy(
                update={"alerts": _alerts_at(table, held), "today": taken.get(table, NOTHING)},
            )
            for table, described in elsewhere.items()
        }
        found = own | others
        tiles = [_blinded(floor, person, found[table]) for table in floor.house.tables if table in found]
        away = [alert_shown(alert) for alert in reversed(held) if alert.table not in found]
        floor_shown = shown.FloorShown(tables=tiles, alerts=away, day_began_at=began, no_wagers=no_wagers)
        return floor_shown.model_dump_json()

    # Floor pages request this every few seconds, so all of it is built off the event loop.
    return Response(await reports.ask(built), media_type="application/json")


@router.get("/people", responses=REFUSED)
async def people(floor: Floor, person: Person, reports: ReportsHere) -> list[shown.PersonShown]:
    """List every account with its roles, standing and last sign-in."""
    may(floor, person, "ListPeople")
    arrived = await reports.ask(lambda live: dict(live.arrivals.last))
    known = floor.office.people
    inside = {session.person for session in known.sessions.values()}
    return [
        shown.PersonShown(
            name=name,
            full_name=account.details.full_name,
            badge=account.details.badge,
            license=account.details.license,
            roles=list(account.roles),
            standing=_standing(account, floor.clock.now_ms()),
            locked_because=account.locked or (FAILURES if account.is_slowed(floor.clock.now_ms()) else None),
            failures=account.failures,
            has_password=account.credential is not None,
            has_second_factor=bool(account.factors),
            is_signed_in=name in inside,
            last_sign_in=arrived[name].at if name in arrived else None,
        )
        for name, account in sorted(known.accounts.items())
    ]


@router.get("/people/staff", responses=REFUSED)
async def staff(floor: Floor, person: Person) -> list[shown.StaffName]:
    """List the staff by name, badge and license number, for those who work with them."""
    if set(person.roles) <= {PLAYER}:
        raise RefusedHere(NOT_STAFF)
    return [
        shown.StaffName(
            name=name,
            full_name=account.details.full_name,
            badge=account.details.badge,
            license=account.details.license,
            roles=list(account.roles),
        )
        for name, account in sorted(floor.office.people.accounts.items())
        if account.roles != (PLAYER,)
    ]


@router.get("/roles", responses=NOT_SIGNED_IN)
async def roles(floor: Floor, person: Person) -> shown.RoleTable:
    """Return the full table of roles and commands, each with the rule it rests on."""
    return shown.RoleTable(
        roles=list(ROLES),
        departments=[list(department) for department in DEPARTMENTS],
        second_factor=list(floor.office.people.needs_factor),
        commands=[
            shown.CommandGranted(
                command=permission.kind,
                says=permission.reason,
                clause=permission.clause,
                grants=_needs(permission.grants),
                second=_needs(permission.second) if permission.second is not None else None,
            )
            for permission in PERMISSIONS.values()
        ],
        rules=dict(HOUSE_RULES),
    )


@router.get("/me/can", responses=NOT_SIGNED_IN)
async def can(floor: Floor, person: Person) -> list[shown.CommandOpen]:
    """List what the caller may do, in which role, and what else each command requires."""
    return [
        command
        for role in person.roles
        if check_standing(floor.office.people, Somebody(person.name, role)) is None
        for permission in PERMISSIONS.values()
        for command in _open_to(role, permission)
    ]


def day_began_at(now_ms: int) -> int:
    """Return when the current gaming day began."""
    begins = GAMING_DAY_BEGINS_HOUR * HOUR_MS
    return (now_ms - begins) // DAY_MS * DAY_MS + begins


def tile(floor: OpenFloor, live: LiveTable, held: tuple[Alert, ...], today: shown.Takings) -> shown.Tile:
    """Return a table as the floor page shows it, without any cards."""
    summary = table_summary(floor, live)
    trouble, account = live.trouble, floor.office.people.accounts.get(live.lease.holder or "")
    dealer = account.details if account is not None else NO_DETAILS
    where = f" at seat {trouble.seat}" if trouble is not None and trouble.seat is not None else ""
    return shown.Tile(
        summary=summary,
        dealer=live.lease.holder,
        dealer_name=dealer.full_name,
        dealer_badge=dealer.badge,
        phase=summary.phase,
        sequence=live.head.sequence,
        rules=live.terms.version if live.terms else None,
        decks=_decks(live.cards) if live.cards is not None else [],
        devices=_devices(live.cards) if live.cards is not None else {},
        tray_cents=None if is_tray_hidden(floor.house.controls.state, live) else live.tray_cents,
        tray_low_cents=tray_low_cents(floor, live),
        today=today,
        proposals=len(live.proposals),
        todo=[duty.text for duty in waits_for_floor(live, floor.clock.now_ms())],
        alerts=_alerts_at(live.table, held),
        trouble=f"{irregularity_title(trouble.irregularity)}{where}" if trouble is not None else _disputed(live),
        trouble_kind=trouble.irregularity if trouble is not None else DISPUTE if live.dispute is not None else None,
        trouble_seats=_troubled_seats(live),
        trouble_clause=trouble.clause if trouble is not None else RULING if live.dispute is not None else None,
        unconfirmed=_unconfirmed(live.cards) if live.cards is not None else [],
    )


def _blinded(floor: OpenFloor, person: Person, described: shown.Tile) -> shown.Tile:
    # From the win and the drop, a person who counts a tray could work out what it should hold.
    is_hidden, summary = described.tray_cents is None, described.summary
    is_due = is_count_begun(floor.house.controls.state, summary.table) or not summary.is_open
    if not (may_count(person) and is_hidden and is_due):
        return described
    today = shown.Takings(handle_cents=described.today.handle_cents, drop_cents=None, win_cents=None)
    return described.model_copy(update={"today": today})


def _alerts_at(table: str, held: tuple[Alert, ...]) -> list[shown.AlertShown]:
    return [alert_shown(alert) for alert in reversed(held) if alert.table == table]


def answer_tiles(floor: OpenFloor, door: PeerDoor) -> None:
    """Describe this process's tables to the floor pages at other processes, which add alerts and takings."""

    def asked(channel: Channel, header: Message, body: bytes) -> None:
        own = [running.live for running in floor.house.tables.values() if running.is_here]
        tiles = [tile(floor, live, (), NOTHING).model_dump(mode="json") for live in own]
        channel.send({"re": header["n"], TILES: True}, json.dumps(tiles).encode())

    door.answerers[TILES] = asked


async def _tiles_elsewhere(floor: OpenFloor) -> dict[str, shown.Tile]:
    found: dict[str, shown.Tile] = {}
    if floor.processes is None:
        return found

    async def ask(link: Link) -> None:
        with suppress(NotReached):
            said, body = await link.answer({"kind": TILES})
            for described in json.loads(body) if TILES in said else ():
                told = shown.Tile(**described)
                found[told.summary.table] = told

    await asyncio.gather(*map(ask, floor.processes.peers.all_open()))
    for table in tuple(floor.house.tables):  # what nobody describes is read
        if table not in found and not floor.house.runs(table):
            await floor.house.bring_up(table)
    return {table: described for table, described in found.items() if not floor.house.runs(table)}


def _troubled_seats(live: LiveTable) -> list[int]:
    if live.trouble is not None:
        return [live.trouble.seat] if live.trouble.seat is not None else []
    return list(live.dispute.seats) if live.dispute is not None else []


def _disputed(live: LiveTable) -> str | None:
    return f"dispute at {seats_title(live.dispute.seats)}" if live.dispute is not None else None


def _takings(reported: AllReports, since_ms: int) -> dict[str, shown.Takings]:
    return {
        row.of[TABLE]: shown.Takings(
            handle_cents=row.handle_cents or 0, drop_cents=row.drop_cents or 0, win_cents=row.win_cents
        )
        for row in reported.hold.rows(TABLE, since_ms=since_ms)
    }


def _unconfirmed(cards: TableState) -> list[shown.DutyLeft]:
    if cards.settings.self_dealing:
        return []  # people have no duties there
    return [
        shown.DutyLeft(duty=duty.id, text=duty.text, by=duty.by, clause=duty.cite)
        for duty in round_duties(cards)
        if duty.id in cards.unconfirmed
    ]


def _decks(cards: TableState) -> list[shown.DeckShown]:
    hours = deck_hours(cards)
    is_handled = not cards.settings.self_dealing  # nobody changes cards that the program draws
    return [
        shown.DeckShown(
            name=deck.name,
            stage=deck.stage,
            since=deck.received_at,
            due_at=deck_due_at(cards, deck) if is_handled else None,
            clause=(hours[1] or None) if hours and is_handled else None,
        )
        for deck in cards.decks
    ]


def _devices(cards: TableState) -> dict[str, str]:
    return {device: cards.device(device) for device in (SHUFFLER, SHOE)}


def _standing(account: Account, at: int) -> str:
    if account.is_revoked:
        return REVOKED
    return LOCKED if account.locked is not None or account.is_slowed(at) else STANDS


def _needs(grants: Grants) -> dict[str, list[str]]:
    return {role: list(asked) for role, asked in grants.items()}


def _open_to(role: str, permission: Permission) -> list[shown.CommandOpen]:
    places: tuple[tuple[Mapping[str, tuple[str, ...]], bool], ...]
    places = ((permission.grants, False), (permission.second or {}, True))
    return [
        shown.CommandOpen(
            command=permission.kind,
            role=role,
            needs=list(grants[role]),
            takes_two=permission.second is not None,
            as_second=as_second,
            says=permission.reason,
            clause=permission.clause,
        )
        for grants, as_second in places
        if role in grants
    ]
