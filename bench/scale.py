"""A long record: searches for rounds, and the start of a house with many money entries.

`python bench/scale.py 1000000` writes that many entries straight to an SQLite store, in rounds of twenty entries at
forty tables, and a tenth as many money entries for ten thousand accounts; times are the process's own CPU time.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.money.money_balances import Accounts
from pitboss.house.round_index import RoundIndex
from pitboss.house.stream_names import account_stream
from pitboss.record.alterations import Alterations
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.snapshots import Snapshots
from pitboss.record.sql_engine import make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.start_check import check_ends
from pitboss.record.store import Batch, body_digest
from pitboss.server.round_search import Wanted, search

TABLES, SEATS, ENTRIES_A_ROUND = 40, 6, 20
ACCOUNTS, BATCHES_AT_ONCE = 10_000, 500
PAGE = 50
ACCOUNTS_READ = 1_000
KEY = bytes(32)


def drafts_of(table: int, number: int) -> tuple[Draft, ...]:
    """Return a round's entries; its players change with its number."""
    stream, name = f"table/t{table}", f"t{table}/{number}"
    players = {seat: f"player-{(table * 7 + number * SEATS + seat) % 300}" for seat in range(1, SEATS + 1)}
    begun = Draft(stream, entry_kinds.ROUND_BEGUN, {"round": name, "number": number, "key": "k"})
    placed = [
        Draft(stream, entry_kinds.WAGERS_PLACED, {"seat": seat, "player": player, "stakes": {"ante": 500}})
        for seat, player in players.items()
    ]
    dealt = [Draft(stream, entry_kinds.CARDS_DEALT, {"count": place}) for place in range(SEATS)]
    settled = [
        Draft(stream, entry_kinds.WAGERS_SETTLED, {"seat": seat, "results": [{"wager": "ante", "net": 100}]})
        for seat in players
    ]
    return (
        begun,
        *placed,
        *dealt,
        *settled,
        Draft(stream, entry_kinds.ROUND_ENDED, {"round": name, "outcome": "settled"}),
    )


def fill(store: SqlStore, entries: int) -> None:
    """Write rounds at every table in turn, and money for every account in turn."""
    batches: list[Batch] = []
    for number in range(entries // ENTRIES_A_ROUND):
        table, own = number % TABLES, number // TABLES
        drafts = drafts_of(table, own)
        batches.append(_batch(f"round {number}", drafts, number))
        for part in range(2):
            account = f"purse:player-{(2 * number + part) % ACCOUNTS}"
            moved = Draft(account_stream(account), "money.MoneyIssued", {"postings": {account: 100, "house": -100}})
            batches.append(_batch(f"money {number} {part}", (moved,), number))
        if len(batches) >= BATCHES_AT_ONCE:
            store.commit(batches)
            batches = []
    store.commit(batches)


def _batch(command: str, drafts: tuple[Draft, ...], at: int) -> Batch:
    by = Circumstances("dealer", "dealer", command, at, "v1")
    return Batch(drafts, {draft.stream: None for draft in drafts}, by, body_digest("dealer", command))


def measured(name: str, work: Callable[[], Any]) -> Any:
    """Do something, and print its CPU time."""
    began = time.process_time()
    found = work()
    print(f"{name}: {time.process_time() - began:.3f} s", flush=True)
    return found


def main(entries: int) -> None:
    """Print what each search and each start costs."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'record.db'}"
        store = SqlStore(url)
        measured(f"{entries:,} entries of tables written", lambda: fill(store, entries))
        index = RoundIndex(make_engine(url), store)
        measured("their rounds indexed for the first time", index.catch_up)
        page = measured("a page of all rounds", lambda: search(store, index, Wanted(), PAGE))
        assert len(page.rounds) == PAGE
        oldest = Wanted(until=entries // ENTRIES_A_ROUND // 2)
        assert measured("a page from the middle", lambda: search(store, index, oldest, PAGE)).rounds
        own = measured("a player's last rounds", lambda: search(store, index, Wanted(player="player-7"), 20))
        print(f"  {len(own.rounds)} rounds found")
        heads = measured("the ends of all streams", store.heads)
        measured(f"{len(heads):,} ends checked at the start", lambda: check_ends(store, heads, Alterations()))
        money = measured("the accounts at the start", lambda: Accounts(store, Snapshots(store, KEY)))
        names = [f"purse:player-{number}" for number in range(ACCOUNTS_READ)]
        held = measured(f"{ACCOUNTS_READ:,} accounts read", lambda: [money.of(name).state for name in names])
        assert sum(held) == sum(len(list(store.lines(account_stream(name)))) for name in names) * 100
        store.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
