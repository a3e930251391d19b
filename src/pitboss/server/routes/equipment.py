"""Equipment routes: the cards and devices of a table, for the people who work there."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.controls.decide import hidden
from pitboss.house.controls.events import CLOSER, OPENER
from pitboss.house.live_table.card_readers import CardSource, card_source
from pitboss.house.live_table.pit_view import PitShown, pit_view
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.tray_commands import is_tray_hidden
from pitboss.house.money.ledger import drop
from pitboss.house.money.shift import TRAY_LOW_PART
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import role_for
from pitboss.rules.refusal import Refusal
from pitboss.server.live.views import table_summary
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now
from pitboss.server.schemas.controls import MoneyAtTable, slip_shown
from pitboss.server.schemas.tables import TableSummary
from pitboss.table.commands import SHOE, SHUFFLER
from pitboss.table.conditions import (
    cards_of,
    deck_due_at,
    deck_hours,
    devices_cite,
    is_count_due,
    rounds_uncounted,
    stub_count,
)
from pitboss.table.state import ABSENT, IN_SERVICE, TableDeck, TableState

router = APIRouter(prefix="/api")
WORKING = ("ReportIrregularity", "ReturnDevice", "Fill")  # a person who takes part in one of these works at tables


class DeckAtTable(BaseModel):
    """A deck at the table and how long it may stay in use."""

    deck: str = Field(examples=["deck-1"])
    stage: str = Field(examples=["loaded"])
    in_play: bool
    received_at: int
    due_at: int | None = Field(description="when it has to be replaced, if anything requires it")
    clause: str | None


class DeviceAtTable(BaseModel):
    """A device of the table and its state."""

    device: str = Field(examples=["shuffler"])
    state: str = Field(examples=["in-service"])
    clause: str | None = Field(description="the clause that governs a device that is out of service")


class StubRule(BaseModel):
    """When the stub of the deck is counted."""

    every_rounds: int
    rounds_since: int
    due: bool = Field(description="whether the stub of the current round is counted")
    clause: str


class Equipment(BaseModel):
    """The equipment a table is dealt with."""

    method: str | None = Field(examples=["automated-shoe"])
    cards: int = Field(description="how many cards a complete deck has")
    dealt: int = Field(description="how many cards have left the deck in this round")
    decks: list[DeckAtTable]
    devices: list[DeviceAtTable]
    stub: StubRule | None
    dealer: str | None
    lease_until: int | None
    tray_cents: int | None = Field(description="null where the tray is counted blind")
    drop_cents: int
    card_source: CardSource | None = Field(description="who reports the cards; none where the program draws them")
    money: MoneyAtTable | None = Field(description="counts and slips; none where money controls don't apply")
    pit: PitShown = Field(description="limits, reserved seats, the dealer's call for the floor, notes and bet sensors")


class TableEquipped(BaseModel):
    """A table's equipment, tray and box, for the people who look after them."""

    summary: TableSummary
    equipment: Equipment
    tray_low_cents: int | None = Field(description="the tray is low below this amount; null where it's counted blind")
    proposals: int = Field(description="how many requests are waiting for a second person")


@router.get("/floor/equipment", responses=REFUSED)
async def equipment_of_all(floor: Floor, person: Person) -> list[TableEquipped]:
    """Show every table's cards, devices, tray and box to the people who work with them."""
    _must_work_there(floor, person)
    await floor.read_other_tables()
    return [
        TableEquipped(
            summary=table_summary(floor, running.live),
            equipment=_equipment(floor, running.live),
            tray_low_cents=tray_low_cents(floor, running.live),
            proposals=len(running.live.proposals),
        )
        for running in floor.house.tables.values()
    ]


@router.get("/tables/{table}/equipment", responses=REFUSED)
async def equipment(floor: Floor, person: Person, table: str) -> Equipment:
    """Show a table's cards, devices and tray to the people who work with them."""
    _must_work_there(floor, person)
    return _equipment(floor, floor.house.live(table))


def tray_low_cents(floor: OpenFloor, live: LiveTable) -> int | None:
    """Return the amount below which a table's tray is low, unless it would tell the opener of a tray counted blind."""
    if is_tray_hidden(floor.house.controls.state, live):
        return None
    return (live.shift.opening_cents if live.shift is not None else 0) // TRAY_LOW_PART


def may_count(person: Guest) -> bool:
    """Say whether a person may count trays, and so can't see what one should hold while its count is due."""
    return role_for(person.roles, "CountTray") is not None


def _must_work_there(floor: OpenFloor, person: Guest) -> None:
    if not any(role_for(roles_now(floor, person), kind) for kind in WORKING):
        raise RefusedHere(Refusal("Only people who work at the table can see its cards and devices", rule.ROLES, "by"))


def _equipment(floor: OpenFloor, live: LiveTable) -> Equipment:
    cards, lease = live.cards, live.lease
    is_held = lease.is_held(floor.clock.now_ms())
    return Equipment(
        method=cards.method if cards else None,
        cards=cards_of(cards) if cards else 0,
        dealt=cards.round.dealt if cards and cards.round else 0,
        decks=_decks(cards) if cards else [],
        devices=[_device(cards, device) for device in (SHUFFLER, SHOE)] if cards else [],
        stub=_stub(cards) if cards else None,
        dealer=lease.holder if is_held else None,
        lease_until=lease.until if is_held else None,
        tray_cents=None if is_tray_hidden(floor.house.controls.state, live) else live.tray_cents,
        drop_cents=floor.house.money.state.get(drop(live.table), 0),
        card_source=card_source(live, requires_readers=floor.house.requires_readers),
        money=_money(floor, live),
        pit=pit_view(live, floor.clock.now_ms()),
    )


def _money(floor: OpenFloor, live: LiveTable) -> MoneyAtTable | None:
    controls = floor.house.controls.state
    if not is_tray_hidden(controls, live):
        return None
    tray = controls.trays.get(live.table)
    return MoneyAtTable(
        moment=CLOSER if live.is_open else OPENER,
        counted_by=list(hidden(tray.counts)) if tray else [],
        is_recount=tray is not None and tray.is_recount,
        has_differed=tray is not None and not tray.counts and not tray.is_recount,
        slips=[slip_shown(number, slip) for number, slip in controls.slips.items() if slip.table == live.table],
    )


def _device(cards: TableState, name: str) -> DeviceAtTable:
    state, cites = cards.device(name), cards.settings.procedures.devices.cites
    clause = None if state in (IN_SERVICE, ABSENT) else cites.get(state) or devices_cite(cards)
    return DeviceAtTable(device=name, state=state, clause=clause)


def _decks(cards: TableState) -> list[DeckAtTable]:
    hours = deck_hours(cards)
    playing = cards.round.deck if cards.round else None
    return [
        DeckAtTable(
            deck=deck.name,
            stage=deck.stage,
            in_play=deck.name == playing,
            received_at=deck.received_at,
            due_at=deck_due_at(cards, deck),
            clause=(hours[1] or None) if hours else None,
        )
        for deck in cards.decks
    ]


def _deck_counted_next(cards: TableState) -> TableDeck | None:
    playing = cards.deck(cards.round.deck) if cards.round else None
    return playing or max(cards.decks, key=lambda deck: deck.rounds_since_count, default=None)


def _stub(cards: TableState) -> StubRule:
    count = stub_count(cards)
    return StubRule(
        every_rounds=count.every_rounds,
        rounds_since=rounds_uncounted(cards, _deck_counted_next(cards)),
        due=is_count_due(cards),
        clause=count.cite,
    )
