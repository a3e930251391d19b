"""Books rounds that other tests play: each event's transfer applied to balances that are checked after every one."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitboss.house.ledger import CAGE, HOUSE, Balances, Posting, Transfer, apply, felt, inventory, pool, stack
from pitboss.house.postings import Desk, transfer_of
from pitboss.round import Round, evolve
from pitboss.round.events import Event
from pitboss.rules.refusal import Refusal

TABLE, PROGRESSIVE = "one", "linked"
DESK = Desk(TABLE, PROGRESSIVE)
PLENTY = 10**12
STACK = 10**9


def sound(balances: Balances) -> None:
    """Check what holds after every event."""
    assert balances.total() == 0
    assert all(cents >= 0 for account, cents in balances if account != HOUSE)


def funded(tray: int = PLENTY, behind_meters: int = PLENTY) -> Balances:
    """Return a house with a table, a progressive and a cage."""
    held = {CAGE: PLENTY, inventory(TABLE): tray, pool(PROGRESSIVE): behind_meters}
    return Balances({**held, HOUSE: -sum(held.values())})


@dataclass
class Books:
    """The money of one table; players buy in when they first wager."""

    balances: Balances = field(default_factory=funded)
    stacks: dict[str, int] = field(default_factory=dict)  # what each player began with
    transfers: list[Transfer] = field(default_factory=list)
    stack_cents: int = STACK

    def seat(self, player: str, cents: int | None = None) -> None:
        """Give a player chips, once."""
        if player not in self.stacks:
            self.stacks[player] = self.stack_cents if cents is None else cents
            self.move(
                Transfer(
                    "given", (Posting(HOUSE, -self.stacks[player]), Posting(stack(TABLE, player), self.stacks[player]))
                )
            )

    def move(self, transfer: Transfer) -> None:
        """Make a transfer that must be possible."""
        after = self.try_move(transfer)
        assert after is None, f"{transfer}: {after}"

    def try_move(self, transfer: Transfer) -> Refusal | None:
        """Make a transfer, or return why it is refused."""
        after = apply(self.balances, transfer.postings)
        if isinstance(after, Refusal):
            return after
        self.balances = after
        self.transfers.append(transfer)
        sound(after)
        return None

    def book(self, before: Round, event: Event) -> Round:
        """Book one event and return the round after it; the felt holds what is staked and not settled."""
        player = getattr(event, "player", None)
        if player is not None:
            self.seat(player)
        transfer = transfer_of(DESK, before, event)
        if transfer is not None:
            self.move(transfer)
        after = evolve(before, event)
        staked = sum(cents for key, cents in after.stakes.items() if key not in after.results)
        assert self.balances.of(felt(TABLE)) == staked
        return after

    def book_all(self, before: Round, events: Iterable[Event]) -> Round:
        """Book a row of events."""
        for event in events:
            before = self.book(before, event)
        return before

    def gained(self, player: str) -> int:
        """Return what a player has more than at the beginning."""
        return self.balances.of(stack(TABLE, player)) - self.stacks[player]
