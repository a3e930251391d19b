"""Rounds written straight to a store, without a table: quick to make by the thousand."""

from collections.abc import Iterable, Mapping, Sequence

from pitboss.house import entry_kinds
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.store import Batch, Committed, Store, body_digest


def drafts_of(stream: str, name: str, number: int, players: Mapping[int, str], fillers: int = 0) -> list[Draft]:
    """Return a settled round's entries, with some that no search reads."""
    placed = [
        Draft(stream, entry_kinds.WAGERS_PLACED, {"seat": seat, "player": player, "stakes": {"ante": 500}})
        for seat, player in players.items()
    ]
    settled = [
        Draft(stream, entry_kinds.WAGERS_SETTLED, {"seat": seat, "results": [{"wager": "ante", "net": 100}]})
        for seat in players
    ]
    return [
        Draft(stream, entry_kinds.ROUND_BEGUN, {"round": name, "number": number, "key": "k"}),
        *placed,
        *(Draft(stream, entry_kinds.CARDS_DEALT, {"count": place}) for place in range(fillers)),
        *settled,
        Draft(stream, entry_kinds.ROUND_ENDED, {"round": name, "outcome": "settled"}),
    ]


def write_rounds(
    store: Store, table: str, numbers: Iterable[int], players: Mapping[int, str], *, fillers: int = 0, at: int = 0
) -> Sequence[str]:
    """Write rounds of a table in one transaction, a second apart, and return their names."""
    stream, names, batches = f"table/{table}", [], []
    for number in numbers:
        name = f"{table}/{number}"
        by = Circumstances("dealer", "dealer", f"{name} played", at + number * 1_000, "v1")
        drafts = tuple(drafts_of(stream, name, number, players, fillers))
        batches.append(Batch(drafts, {stream: None}, by, body_digest("dealer", name)))
        names.append(name)
    assert all(isinstance(outcome, Committed) for outcome in store.commit(batches))
    return names
