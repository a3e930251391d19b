"""Accounts away from the tables: each has its own stream, so commands about different accounts never conflict."""

from collections import deque
from collections.abc import Iterator, Mapping

from pitboss.house.stream_names import ACCOUNTS, MONEY, account_stream
from pitboss.record.entries import Entry
from pitboss.record.shared_streams import SharedStream
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import Store

POSTINGS = "postings"
SEEN_KEPT = 16
Held = dict[str, int]  # cents by account


def balances_after(held: Held, entry: Entry) -> Held:
    """Return the balances after an entry of an older record's one stream of money; they are changed in place."""
    postings = entry.body.get(POSTINGS, {})
    after = {account: held.get(account, 0) + cents for account, cents in postings.items()}
    for account, cents in after.items():  # all of them before any is changed: half an entry would be counted twice
        is_kept = account.startswith(("purse:", "deposit:", "outstanding:"))
        assert cents >= 0 or not is_kept, f"{account} fell below zero"
    held.update(after)
    return held


MONEY_FOLD: Fold[Held] = Fold("money 1", dict, balances_after, dict, dict)


def fold_of_account(account: str, opening_cents: int = 0) -> Fold[int]:
    """Return how an account's balance follows from its entries, starting from what an older record left in it."""

    def moved(held: int, entry: Entry) -> int:
        after = held + int(entry.body.get(POSTINGS, {}).get(account, 0))
        assert after >= 0, f"{account} fell below zero"
        return after

    return Fold("account 1", lambda: opening_cents, moved, int, int)


class Accounts:
    """The accounts away from the tables, each read when it is first asked for."""

    def __init__(self, store: Store, snapshots: Snapshots) -> None:
        self._store, self._snapshots = store, snapshots
        self.before: SharedStream[Held] = SharedStream(MONEY, MONEY_FOLD, size=len)
        self.before.restore(snapshots)
        self._streams: dict[str, SharedStream[int]] = {}  # by stream
        self.state = SeenBalances(self)
        self._grown: set[str] = set()  # streams that another process wrote to; they are read when they are needed

    def of(self, account: str) -> SharedStream[int]:
        """Return an account's stream, read to where it is known to end."""
        name = account_stream(account)
        stream = self._streams.get(name)
        if stream is None:
            stream = SharedStream(name, fold_of_account(account, self.before.state.get(account, 0)))
            stream.restore(self._snapshots)
            self._streams[name] = stream
        elif name in self._grown:
            stream.catch_up(self._store)
        self._grown.discard(name)
        return stream

    def last_read(self, name: str) -> int | None:
        """Return the last entry of an account's stream that is known here, or None if nothing here needs it."""
        stream = self._streams.get(name)
        return stream.head.sequence if stream is not None else None

    def note_grown(self, name: str) -> None:
        """Note that another process wrote to an account's stream."""
        if name in self._streams:
            self._grown.add(name)

    def names(self) -> list[str]:
        """Return every account that was ever used."""
        own = {*self._streams, *(name for name in self._store.heads() if name.startswith(ACCOUNTS))}
        before = {account for account in self.before.state if ":" in account}
        return sorted(before | {name.removeprefix(ACCOUNTS) for name in own})


class SeenBalances(Mapping[str, int]):
    """Balances by account that remember which ones the last decision looked at."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self.seen: deque[str] = deque(maxlen=SEEN_KEPT)  # their streams, more than any decision looks at

    def __getitem__(self, account: str) -> int:
        stream = self._accounts.of(account)
        self.seen.append(stream.stream)
        return stream.state

    def __iter__(self) -> Iterator[str]:
        return iter(self._accounts.names())

    def __len__(self) -> int:
        return len(self._accounts.names())
