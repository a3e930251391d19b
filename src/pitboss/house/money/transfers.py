"""Transfers outside a round: at the cage, at the table, into the box, behind the meters, and corrections."""

from pitboss.house.money.ledger import (
    CAGE,
    HOUSE,
    Posting,
    Transfer,
    drop,
    inventory,
    netted,
    outstanding,
    pool,
    purse,
    stack,
    tips,
)
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

FUNDING = "funding"
ISSUE = "issue"
REDEMPTION = "redemption"
BUY_IN = "buy-in"
CASH_OUT = "cash-out"
CHIPS_BROUGHT = "chips-brought"
CHIPS_TAKEN = "chips-taken"
CHIPS_HELD = "chips-held"
CHIPS_SOLD = "chips-sold"
CHIPS_REDEEMED = "chips-redeemed"
FILL = "fill"
CREDIT = "credit"
CLOSING_COUNT = "closing-count"
DROP_COLLECTED = "drop-collected"
TIP = "tip"
TIPS_COLLECTED = "tips-collected"
CONTRIBUTION = "contribution"
SEED = "seed"
CORRECTION = "correction"


def funding(cents: int) -> Transfer:
    """Put the house's own money into the cage."""
    return _moved(FUNDING, cents, HOUSE, CAGE)


def issue(person: str, cents: int, *, free_play: bool) -> Transfer:
    """Credit a person with money brought to the house, or with play money."""
    return _moved(ISSUE, cents, HOUSE, purse(person, free_play=free_play))


def redemption(person: str, cents: int, *, free_play: bool) -> Transfer:
    """Pay a person money that the house held, or take play money back."""
    return _moved(REDEMPTION, cents, purse(person, free_play=free_play), HOUSE)


def buy_in(table: str, person: str, cents: int, *, free_play: bool, is_boxed: bool = True) -> Transfer:
    """Exchange a person's money for chips from the tray; where boxes are counted, only cash goes into the box."""
    _positive(cents)
    money = (Posting(purse(person, free_play=free_play), -cents), Posting(drop(table) if is_boxed else HOUSE, cents))
    return Transfer(BUY_IN, (*money, Posting(inventory(table), -cents), Posting(stack(table, person), cents)))


def cash_out(table: str, person: str, cents: int, *, free_play: bool) -> Transfer:
    """Redeem a person's chips; this doesn't involve the table's tray."""
    return _moved(CASH_OUT, cents, stack(table, person), purse(person, free_play=free_play))


def cash_buy_in(table: str, patron: str, cents: int) -> Transfer:
    """Exchange cash for chips: the cash comes from outside the books and goes into the box."""
    _positive(cents)
    cash = (Posting(HOUSE, -cents), Posting(drop(table), cents))
    return Transfer(BUY_IN, (*cash, Posting(inventory(table), -cents), Posting(stack(table, patron), cents)))


def chips_brought(table: str, patron: str, cents: int, *, free_play: bool) -> Transfer:
    """Bring outstanding chips to a table."""
    return _moved(CHIPS_BROUGHT, cents, outstanding(free_play=free_play), stack(table, patron))


def chips_taken(table: str, patron: str, cents: int, *, free_play: bool) -> Transfer:
    """Take chips away from a table; they are outstanding from then on."""
    return _moved(CHIPS_TAKEN, cents, stack(table, patron), outstanding(free_play=free_play))


def chips_held(table: str, player: str, holder: str, cents: int) -> Transfer:
    """Move an excluded person's chips at a table to a deposit account, which the house holds."""
    return _moved(CHIPS_HELD, cents, stack(table, player), purse(holder, free_play=False))


def chips_sold(cents: int, *, free_play: bool) -> Transfer:
    """Sell chips for cash at the cage."""
    return _moved(CHIPS_SOLD, cents, HOUSE, outstanding(free_play=free_play))


def chips_redeemed(cents: int, *, free_play: bool) -> Transfer:
    """Pay cash for chips at the cage."""
    return _moved(CHIPS_REDEEMED, cents, outstanding(free_play=free_play), HOUSE)


def fill(table: str, cents: int) -> Transfer:
    """Move chips from the cage to a table."""
    return _moved(FILL, cents, CAGE, inventory(table))


def credit(table: str, cents: int) -> Transfer:
    """Move chips from a table to the cage."""
    return _moved(CREDIT, cents, inventory(table), CAGE)


def closing_count(table: str, counted_cents: int, booked_cents: int) -> Transfer:
    """Set the tray's account to the closing count; the house bears the difference."""
    return _counted(CLOSING_COUNT, table, counted_cents, booked_cents)


def drop_collected(table: str, cents: int) -> Transfer:
    """Empty a table's drop box into the cage."""
    return _moved(DROP_COLLECTED, cents, drop(table), CAGE)


def tip(table: str, person: str, cents: int) -> Transfer:
    """Leave chips for the dealers."""
    return _moved(TIP, cents, stack(table, person), tips(table))


def tips_collected(table: str, cents: int) -> Transfer:
    """Pay a table's tips to the dealers, out of the house's books."""
    return _moved(TIPS_COLLECTED, cents, tips(table), HOUSE)


def contribution(table: str, progressive: str, cents: int) -> Transfer:
    """Move whole cents of progressive stakes from the tray to the pool, or back if negative."""
    return Transfer(CONTRIBUTION, netted((Posting(inventory(table), -cents), Posting(pool(progressive), cents))))


def seed(progressive: str, cents: int) -> Transfer:
    """Put house money behind a meter that opens or resets, or take it back if negative."""
    return Transfer(SEED, netted((Posting(HOUSE, -cents), Posting(pool(progressive), cents))))


def correction(wrong: Transfer, reason: str, ordered_by: str, second_person: str) -> Transfer | Refusal:
    """Reverse a transfer that should not have been made; this takes two people and a reason."""
    if not reason.strip():
        return Refusal("Enter a reason for the correction", None, "reason")
    if not ordered_by.strip() or not second_person.strip() or ordered_by == second_person:
        return Refusal("A correction needs two different people", None, "second_person")
    return Transfer(CORRECTION, tuple(Posting(account, -cents) for account, cents in wrong.postings))


def _counted(cause: str, table: str, counted_cents: int, booked_cents: int) -> Transfer:
    assert counted_cents >= 0, f"a tray can't hold {dollars(counted_cents)}"
    over = counted_cents - booked_cents
    return Transfer(cause, netted((Posting(inventory(table), over), Posting(HOUSE, -over))))


def _moved(cause: str, cents: int, giver: str, taker: str) -> Transfer:
    _positive(cents)
    return Transfer(cause, (Posting(giver, -cents), Posting(taker, cents)))


def _positive(cents: int) -> None:
    assert cents > 0, f"can't transfer {cents} cents"
