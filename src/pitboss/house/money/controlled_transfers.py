"""Transfers of the cage, the vault, slips on their way, locked trays and drop boxes; cash and chips are kept apart."""

from pitboss.house.money.ledger import (
    HOUSE,
    Posting,
    Transfer,
    box,
    cash_at,
    chips_at,
    drop,
    inventory,
    locked,
    netted,
    transit,
)
from pitboss.house.money.transfers import CREDIT, DROP_COLLECTED, FILL, FUNDING

VAULT_MOVED = "vault-moved"
CASH_IN = "cash-in"
CASH_OUT = "cash-out-of-cage"
CAGE_COUNT = "cage-count"
SLIP_PREPARED = "slip-prepared"
SLIP_VOIDED = "slip-voided"
BOX_COUNT = "box-count"
OPENER = "opener"
CLOSER = "closer"


def vault_funded(cash_cents: int, chips_cents: int) -> Transfer:
    """Bring the house's own cash and chips into the vault."""
    return _transfer(
        FUNDING, (cash_at("vault"), cash_cents), (chips_at("vault"), chips_cents), (HOUSE, -cash_cents - chips_cents)
    )


def vault_moved(giver: str, taker: str, cash_cents: int, chips_cents: int) -> Transfer:
    """Move cash and chips between the vault and the cage."""
    cash = ((cash_at(giver), -cash_cents), (cash_at(taker), cash_cents))
    return _transfer(VAULT_MOVED, *cash, (chips_at(giver), -chips_cents), (chips_at(taker), chips_cents))


def cash_in(cents: int, chips_cents: int = 0) -> Transfer:
    """Take cash at the cage's window; chips given for it leave the cage."""
    parts = ((cash_at("cage"), cents), (chips_at("cage"), -chips_cents))
    return _transfer(CASH_IN, *parts, (HOUSE, chips_cents - cents))


def cash_out(cents: int, chips_cents: int = 0) -> Transfer:
    """Pay cash at the cage's window; chips taken for it come into the cage."""
    parts = ((cash_at("cage"), -cents), (chips_at("cage"), chips_cents))
    return _transfer(CASH_OUT, *parts, (HOUSE, cents - chips_cents))


def cage_counted(cash_over_cents: int, chips_over_cents: int) -> Transfer:
    """Set the cage's accounts to what was counted; the house bears the difference."""
    parts = ((cash_at("cage"), cash_over_cents), (chips_at("cage"), chips_over_cents))
    return _transfer(CAGE_COUNT, *parts, (HOUSE, -cash_over_cents - chips_over_cents))


def slip_prepared(slip: str, cents: int) -> Transfer:
    """Count a fill's chips out of the cage."""
    return _transfer(SLIP_PREPARED, (chips_at("cage"), -cents), (transit(slip), cents))


def fill_received(slip: str, table: str, cents: int) -> Transfer:
    """Put a fill's chips into the tray."""
    return _transfer(FILL, (transit(slip), -cents), (inventory(table), cents))


def credit_sent(slip: str, table: str, cents: int) -> Transfer:
    """Take a credit's chips out of the tray."""
    return _transfer(CREDIT, (inventory(table), -cents), (transit(slip), cents))


def chips_accepted(slip: str, cents: int, *, is_void: bool = False) -> Transfer:
    """Take a slip's chips into the cage: a credit that arrives, or a fill that comes back."""
    return _transfer(SLIP_VOIDED if is_void else CREDIT, (transit(slip), -cents), (chips_at("cage"), cents))


def box_pulled(table: str, number: str, cents: int) -> Transfer:
    """Take a table's drop box away."""
    return _transfer(DROP_COLLECTED, (drop(table), -cents), (box(number), cents))


def box_counted(number: str, booked_cents: int, counted_cents: int) -> Transfer:
    """Move a counted box's cash to the vault; the house bears the difference."""
    over = counted_cents - booked_cents
    return _transfer(BOX_COUNT, (box(number), -booked_cents), (cash_at("vault"), counted_cents), (HOUSE, -over))


def tray_opened(table: str, locked_cents: int, counted_cents: int) -> Transfer:
    """Unlock a tray as counted; the house bears a difference from the last closer."""
    over = counted_cents - locked_cents
    return _transfer(OPENER, (locked(table), -locked_cents), (inventory(table), counted_cents), (HOUSE, -over))


def tray_locked(table: str, cents: int) -> Transfer:
    """Lock a closed table's tray; its chips stay at the table."""
    return _transfer(CLOSER, (inventory(table), -cents), (locked(table), cents))


def _transfer(cause: str, *parts: tuple[str, int]) -> Transfer:
    return Transfer(cause, netted(Posting(account, cents) for account, cents in parts))
