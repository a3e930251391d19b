"""The dealer's lease of a table: one holder at a time, and a token that increases each time the lease is taken."""

from dataclasses import dataclass, replace
from typing import ClassVar

from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

LEASE_MS = 30 * 60_000


@dataclass(frozen=True, slots=True)
class Lease:
    """Who deals at a table and until when; the last token stays when the holder leaves."""

    holder: str | None = None
    token: int = 0
    until: int = 0  # UTC milliseconds

    def is_held(self, at: int) -> bool:
        """Say whether anyone holds the lease at this time."""
        return self.holder is not None and at < self.until


NO_LEASE = Lease()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseCommand:
    """What every lease command carries."""

    by: Person
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeLease(LeaseCommand):
    """Become the table's dealer; `elsewhere` names another table the dealer still holds."""

    elsewhere: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewLease(LeaseCommand):
    """Keep the dealer's place."""

    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLease(LeaseCommand):
    """Give up the dealer's place."""

    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawLease(LeaseCommand):
    """Relieve the table's dealer, and put another in the place if one is named."""

    reason: str
    dealer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseTaken:
    """A dealer took the table; a previous dealer whose lease expired is named."""

    dealer: str
    token: int
    until: int
    after: str | None = None
    clause: ClassVar[str] = rule.LEASES


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRenewed:
    dealer: str
    token: int
    until: int
    clause: ClassVar[str] = rule.LEASES


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseReleased:
    dealer: str
    token: int
    clause: ClassVar[str] = rule.LEASES


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseWithdrawn:
    dealer: str
    token: int
    reason: str
    clause: ClassVar[str] = rule.LEASES


Command = TakeLease | RenewLease | ReleaseLease | WithdrawLease
Event = LeaseTaken | LeaseRenewed | LeaseReleased | LeaseWithdrawn


def check_token(lease: Lease, dealer: str, token: int | None, at: int) -> Refusal | None:
    """Return why this token doesn't let a dealer act at the table, or None."""
    if lease.holder is None:
        return Refusal("This table has no dealer. Take the table first", rule.LEASES, "token")
    if token is None:
        return Refusal("Include your lease token for this table with each command", rule.LEASES, "token")
    if token != lease.token:
        return Refusal("Your lease on this table was replaced. Take the table again", rule.LEASES, "token")
    if dealer != lease.holder:
        return Refusal(f"{lease.holder} is dealing at this table", rule.LEASES, "by")
    if not lease.is_held(at):
        return Refusal("Your lease on this table expired. Take the table again", rule.LEASES, "token")
    return None


def decide(lease: Lease, command: Command, *, lease_ms: int = LEASE_MS) -> tuple[Event, ...] | Refusal:
    """Return what a command leads to, or why it is refused; the roles decide who may give it at all."""
    match command:
        case TakeLease():
            return _take(lease, command, lease_ms)
        case WithdrawLease():
            return _withdraw(lease, command, lease_ms)
        case RenewLease() | ReleaseLease():
            if refusal := check_token(lease, command.by.name, command.token, command.at):
                return refusal
            if isinstance(command, ReleaseLease):
                return (LeaseReleased(dealer=command.by.name, token=lease.token),)
            until = max(lease.until, command.at + lease_ms)
            return (LeaseRenewed(dealer=command.by.name, token=lease.token, until=until),)


def evolve(lease: Lease, event: Event) -> Lease:
    """Return the lease after an event."""
    match event:
        case LeaseTaken():
            assert event.token > lease.token, "a lease's token must grow"
            return Lease(event.dealer, event.token, event.until)
        case LeaseRenewed():
            return replace(lease, until=event.until)
        case LeaseReleased() | LeaseWithdrawn():
            return replace(lease, holder=None)


def used(lease: Lease, dealer: str, at: int, *, lease_ms: int = LEASE_MS) -> Lease:
    """Return the lease after its holder acted at the table, which extends it like a renewal."""
    until = at + lease_ms
    return replace(lease, until=until) if dealer == lease.holder and until > lease.until else lease


def _take(lease: Lease, command: TakeLease, lease_ms: int) -> tuple[Event, ...] | Refusal:
    if command.elsewhere is not None:
        reason = f"{command.by.name} is dealing at table {command.elsewhere} and has to leave it first"
        return Refusal(reason, rule.LEASES, "by")
    # The holder may take it again: a lost console keeps a token that is refused from then on.
    if lease.is_held(command.at) and lease.holder != command.by.name:
        return Refusal(f"{lease.holder} is dealing at this table. The floor can relieve them", rule.LEASES, "by")
    return (_taken(lease, command.by.name, command.at + lease_ms),)


def _withdraw(lease: Lease, command: WithdrawLease, lease_ms: int) -> tuple[Event, ...] | Refusal:
    if not command.reason.strip():
        return Refusal("Enter a reason for relieving the dealer", rule.LEASES, "reason")
    if lease.holder is None:
        return Refusal("This table has no dealer", rule.LEASES, "dealer")
    withdrawn = LeaseWithdrawn(dealer=lease.holder, token=lease.token, reason=command.reason)
    if command.dealer is None:
        return (withdrawn,)
    return (withdrawn, _taken(evolve(lease, withdrawn), command.dealer, command.at + lease_ms))


def _taken(lease: Lease, dealer: str, until: int) -> LeaseTaken:
    after = lease.holder if lease.holder != dealer else None
    return LeaseTaken(dealer=dealer, token=lease.token + 1, until=until, after=after)
