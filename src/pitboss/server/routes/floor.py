"""Floor routes: every table as a tile, the people who work here, and who may do what."""

from collections.abc import Mapping

from fastapi import APIRouter, Response

from pitboss.house.live_table.state import LiveTable
from pitboss.house.narrator import irregularity_title, seats_title
from pitboss.house.people.accounts import Account, check_standing
from pitboss.house.people.events import FAILURES
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.roles import DEPARTMENTS, PERMISSIONS, ROLES, Grants, Permission
from pitboss.house.reports.alerts import Alert
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.hold import GAMING_DAY_BEGINS_HOUR, TABLE
from pitboss.round.disputed import RULING
from pitboss.server.live.views import HOUR_MS, table_summary
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.alerts import alert_shown
from pitboss.server.routes.equipment import tray_low_cents
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import ReportsHere
from pitboss.server.routes.tables import NOT_SIGNED_IN, REFUSED, Floor, Person
from pitboss.server.schemas import reports as shown
from pitboss.table.commands import SHOE, SHUFFLER
from pitboss.table.conditions import deck_due_at, deck_hours, round_duties
from pitboss.table.people import Person as Somebody
from pitboss.table.state import TableState

router = APIRouter(prefix="/api")
STANDS, LOCKED, REVOKED = "stands", "locked", "revoked"
DISPUTE = "dispute"  # the kind of trouble that isn't an irregularity
DAY_MS = 24 * HOUR_MS
NOTHING = shown.Takings(handle_cents=0, drop_cents=0, win_cents=0)


@router.get("/floor", responses=REFUSED, response_model=shown.FloorShown)
async def the_floor(floor: Floor, person: Person, reports: ReportsHere) -> Response:
    """Show every table as a tile, with the items that need attention."""
    may(floor, person, "SeeFloor")
    now, stopped = floor.clock.now_ms(), floor.house.wagering_stopped()
    no_wagers = stopped.reason if stopped else floor.house.halted
    live_tables = [running.live for running in floor.house.tables.values()]
    began = day_began_at(now)

    def built(reported: AllReports) -> str:
        held, taken = reported.alerts.held(now), _takings(reported, began)
        tiles = [tile(floor, live, held, taken.get(live.table, NOTHING)) for live in live_tables]
        return shown.FloorShown(tables=tiles, day_began_at=began, no_wagers=no_wagers).model_dump_json()

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
            roles=list(account.roles),
            standing=_standing(account, floor.clock.now_ms()),
            locked_because=account.locked or (FAILURES if account.is_slowed(floor.clock.now_ms()) else None),
            failures=account.failures,
            has_password=account.credential is not None,
            is_signed_in=name in inside,
            last_sign_in=arrived[name].at if name in arrived else None,
        )
        for name, account in sorted(known.accounts.items())
    ]


@router.get("/roles", responses=NOT_SIGNED_IN)
async def roles(person: Person) -> shown.RoleTable:
    """Return the full table of roles and commands, each with the rule it rests on."""
    return shown.RoleTable(
        roles=list(ROLES),
        departments=[list(department) for department in DEPARTMENTS],
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
    trouble = live.trouble
    where = f" at seat {trouble.seat}" if trouble is not None and trouble.seat is not None else ""
    return shown.Tile(
        summary=summary,
        dealer=live.lease.holder,
        phase=summary.phase,
        sequence=live.head.sequence,
        rules=live.terms.version if live.terms else None,
        decks=_decks(live.cards) if live.cards is not None else [],
        devices=_devices(live.cards) if live.cards is not None else {},
        tray_cents=live.tray_cents,
        tray_low_cents=tray_low_cents(live),
        today=today,
        proposals=len(live.proposals),
        alerts=[alert_shown(alert) for alert in reversed(held) if alert.table == live.table],
        trouble=f"{irregularity_title(trouble.irregularity)}{where}" if trouble is not None else _disputed(live),
        trouble_kind=trouble.irregularity if trouble is not None else DISPUTE if live.dispute is not None else None,
        trouble_seats=_troubled_seats(live),
        trouble_clause=trouble.clause if trouble is not None else RULING if live.dispute is not None else None,
        unconfirmed=_unconfirmed(live.cards) if live.cards is not None else [],
    )


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
