"""Accounts and balances: every transfer sums to zero, and only the house's equity may fall below zero."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

HOUSE = "house"  # equity: what the house put into all other accounts, so never above zero while they hold money
CAGE = "cage"

_SHARDS = 256  # a change copies one shard, so that ten thousand accounts cost no more than a few


class Posting(NamedTuple):
    """An amount in cents into an account, or out of it if negative."""

    account: str
    cents: int


class Transfer(NamedTuple):
    """Postings that sum to zero, with their cause."""

    cause: str
    postings: tuple[Posting, ...]


def purse(person: str, *, free_play: bool) -> str:
    """Return the account of what a person holds with the house: play money in a purse, money on deposit."""
    return f"{'purse' if free_play else 'deposit'}:{_part(person)}"


def stack(table: str, person: str) -> str:
    """Return the account of a person's chips at a table."""
    return f"stack:{_part(table)}:{_part(person)}"


def stack_holder(account: str) -> str | None:
    """Return whose chips at a table an account holds, or None for any other account."""
    kind, _, rest = account.partition(":")
    return rest.partition(":")[2] if kind == "stack" else None


def felt(table: str) -> str:
    """Return the account of the stakes in play at a table."""
    return f"felt:{_part(table)}"


def inventory(table: str) -> str:
    """Return the account of the chips in a table's tray."""
    return f"inventory:{_part(table)}"


def drop(table: str) -> str:
    """Return the account of the money in a table's drop box."""
    return f"drop:{_part(table)}"


def tips(table: str) -> str:
    """Return the account of the tips left at a table."""
    return f"tips:{_part(table)}"


def coupons(table: str) -> str:
    """Return the account of the face values of the coupons a table has taken; they aren't money."""
    return f"coupons:{_part(table)}"


def outstanding(*, free_play: bool) -> str:
    """Return the account of the house's chips that patrons hold away from its tables."""
    return f"outstanding:{'play' if free_play else 'money'}"


def pool(progressive: str) -> str:
    """Return the account of the money behind a progressive's meters."""
    return f"pool:{_part(progressive)}"


def cash_at(place: str) -> str:
    """Return the account of the cash in the cage or the vault of a house with money controls."""
    return f"cash:{_part(place)}"


def chips_at(place: str) -> str:
    """Return the account of the chips in the cage or the vault of a house with money controls."""
    return f"chips:{_part(place)}"


def transit(slip: str) -> str:
    """Return the account of the chips on their way between the cage and a table."""
    return f"transit:{_part(slip)}"


def box(number: str) -> str:
    """Return the account of the cash in a drop box on its way to the count."""
    return f"box:{_part(number)}"


def locked(table: str) -> str:
    """Return the account of the chips locked in a closed table's tray."""
    return f"locked:{_part(table)}"


class Balances:
    """The balance of every account; immutable: a change makes a new value that shares what didn't change."""

    __slots__ = ("_shards",)

    def __init__(self, held: Mapping[str, int] | None = None) -> None:
        shards: list[dict[str, int]] = [{} for _ in range(_SHARDS)]
        for account, cents in (held or {}).items():
            if cents:
                shards[hash(account) % _SHARDS][account] = cents
        self._shards = tuple(shards)

    def of(self, account: str) -> int:
        """Return an account's balance, zero if it was never used."""
        return self._shards[hash(account) % _SHARDS].get(account, 0)

    def changed(self, held: Mapping[str, int]) -> "Balances":
        """Return the balances with these accounts set to these amounts."""
        shards = list(self._shards)
        for account, cents in held.items():
            place = hash(account) % _SHARDS
            shard = dict(shards[place])
            if cents:
                shard[account] = cents
            else:
                shard.pop(account, None)
            shards[place] = shard
        made = Balances.__new__(Balances)
        made._shards = tuple(shards)
        return made

    def total(self) -> int:
        """Return the sum of all accounts, which is zero in a sound ledger."""
        return sum(sum(shard.values()) for shard in self._shards)

    def to_data(self) -> dict[str, int]:
        """Return every account with a nonzero balance, sorted by name."""
        return dict(self)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(sorted(item for shard in self._shards for item in shard.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Balances) and self._shards == other._shards

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Balances({dict(self)!r})"


def netted(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Return one posting per changed account, in the order they are first named."""
    sums: dict[str, int] = {}
    for account, cents in postings:
        sums[account] = sums.get(account, 0) + cents
    return tuple(Posting(account, cents) for account, cents in sums.items() if cents)


def apply(balances: Balances, postings: Iterable[Posting]) -> Balances | Refusal:
    """Return the balances after a transfer, or why an account can't cover it."""
    sums: dict[str, int] = {}
    total = 0
    for account, cents in postings:
        total += cents
        sums[account] = sums.get(account, 0) + cents
    assert total == 0, f"postings don't sum to zero: {sums}"
    held: dict[str, int] = {}
    for account, cents in sums.items():
        before = balances.of(account)
        held[account] = after = before + cents
        if after < 0 and cents < 0 and account != HOUSE:
            return Refusal(f"{title(account)} holds only {dollars(before)}; {dollars(-cents)} is needed", None, account)
    return balances.changed(held)


def title(account: str) -> str:
    """Return an account's name as the start of a sentence."""
    kind, _, rest = account.partition(":")
    if kind == "stack":
        table, _, person = rest.partition(":")
        return f"{person}'s stack at {table}"
    return _TITLES[kind].format(rest)


def is_part(name: str) -> bool:
    """Say whether a name can be part of an account's name."""
    return bool(name) and ":" not in name


def _part(name: str) -> str:
    assert name, "an account needs an owner"
    assert ":" not in name, f"{name!r} contains the separator used in account names"
    return name


_TITLES = {
    "purse": "{}'s play-money account",
    "deposit": "{}'s deposit account",
    "outstanding": "The account of outstanding chips ({})",
    "felt": "The layout at {}",
    "inventory": "The tray at {}",
    "drop": "The drop box at {}",
    "tips": "The tip box at {}",
    "pool": "The pool of {}",
    "coupons": "The coupons at {}",
    "cash": "The cash in the {}",
    "chips": "The chips in the {}",
    "transit": "Slip {}",
    "box": "Drop box {}",
    "locked": "The locked tray at {}",
    CAGE: "The cage",
    HOUSE: "The house",
}
