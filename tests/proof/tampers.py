"""Tampers: edits of an exported record, of the rows of a database, and of a whole folder with all its keys."""

import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pitboss.rules.refusal import Refusal
from pitboss_verify import checking
from pitboss_verify.entries import read_entry

Counts = Counter[str]
EARLIER = "earlier.db"


def edits(seed: int, units: int) -> Counts:
    """Edit and cut a record's export; the verifier must find each change against the signed heads."""
    from verify.recorded import recorded
    from verify.test_tamper import FREQUENT, Tampered, forge

    # A line that is the same is read the same; remembering it leaves time for more edits.
    vars(checking)["read_entry"] = lru_cache(10_000)(read_entry)
    draw = random.Random(seed)
    record = Tampered(recorded(2 + seed % 3, 3 + seed % 5))
    counts: Counts = Counter()
    while counts.total() < units:
        edit = forge if counts.total() % 50 == 0 else draw.choice(FREQUENT)
        changed = edit(record.log, draw)
        if changed != record.log:
            assert record.is_found(changed), (edit.__name__, counts.total())
            counts[f"found: {edit.__name__.replace('_', ' ')}"] += 1
    return counts


def rows(seed: int, units: int) -> Counts:
    """Alter rows of a closed floor's database; the floor must say so when it opens and checks its rows."""
    from server.test_foreign_rows import Floor

    draw = random.Random(seed)
    counts: Counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        floor = _floor_at(made, Floor)
        floor.opened(_opened)
        shutil.copy(made / "record.db", made / EARLIER)
        floor.opened(_played_on)
        floor.hand.close()
        names = sorted(CLASSES)
        for number in range(units):
            name = names[number % len(names)]
            tried = Path(folder) / "tried"
            shutil.copytree(made, tried)
            floor = _floor_at(tried, Floor)
            CLASSES[name](floor.hand, draw)
            floor.hand.close()
            says = floor.opened(_found)
            assert says, f"{name}, number {number}, wasn't found"
            counts[f"found: {name}"] += 1
            shutil.rmtree(tried)
    return counts


def _floor_at(folder: Path, floor: Any) -> Any:
    return floor(folder / "floor", f"sqlite:///{folder / 'record.db'}")


async def _opened(floor: Any) -> None:
    from pitboss.house.live_table.table_snapshot import fold_of
    from server.test_foreign_rows import SECRET, STREAM, TABLE, set_up

    await set_up(floor)
    assert not isinstance(await floor.office.sign_in("bob", SECRET), Refusal)
    live = floor.house.live(TABLE)
    floor.house.snapshots.keep(STREAM, live.head, fold_of(TABLE, floor.house.reading), live)


async def _played_on(floor: Any) -> None:
    from server.test_foreign_rows import TABLE, issue, seat

    assert not isinstance(await issue(floor), Refusal)
    assert not isinstance(await seat(floor, TABLE, 2), Refusal)


async def _found(floor: Any) -> tuple[str, ...]:
    await floor.check_rows()
    tuple(floor.office.sessions._table.all())
    for account in floor.office.people.accounts.values():
        if account.credential is not None:
            floor.office._door._credentials.verifier(account.credential)
    return tuple(floor.store.alterations.all())


def _any_row(hand: Any, table: str, draw: random.Random) -> dict[str, Any]:
    return draw.choice(hand.rows(table))


def _alters(table: str, key: str, columns: tuple[str, ...]) -> Callable[[Any, random.Random], None]:
    def altered(hand: Any, draw: random.Random) -> None:
        # A number that another entry of the stream has is refused by the database: nothing was altered yet.
        while not is_altered(hand, draw):
            pass

    def is_altered(hand: Any, draw: random.Random) -> bool:
        row, column = _any_row(hand, table, draw), draw.choice(columns)
        value = row[column]
        if isinstance(value, int):
            value += draw.choice((-1, 1, 1_000))
        elif isinstance(value, bytes):
            at = draw.randrange(len(value))
            value = value[:at] + bytes([value[at] ^ draw.randrange(1, 256)]) + value[at + 1 :]
        else:
            at = draw.randrange(len(value))
            other = chr(ord(value[at]) ^ draw.randrange(1, 8))
            value = value[:at] + (other if other.isprintable() else "~") + value[at + 1 :]
        made = hand.table(table)
        try:
            hand.run(sa.update(made).where(made.c[key] == row[key]).values({column: value}))
        except sa.exc.IntegrityError:
            return False
        return True

    return altered


def _forges_money(hand: Any, draw: random.Random) -> None:
    cents = draw.randrange(1, 10**9)
    hand.append(
        "money/purse:eve", "money.MoneyIssued", {"postings": {"house": -cents, "purse:eve": cents}}, "cay", "cage"
    )


def _forges_a_role(hand: Any, draw: random.Random) -> None:
    role = draw.choice(("administrator", "cage", "auditor", "pit-manager"))
    hand.append(
        "people",
        "people.RolesChanged",
        {"person": "eve", "roles": [role], "before": ["player"]},
        "adam",
        "administrator",
    )


def _rewrites(hand: Any, draw: random.Random) -> None:
    stream = draw.choice(sorted(row["stream"] for row in hand.rows("heads")))
    sequence = draw.randrange(1, hand.head(stream).sequence + 1)
    hand.rewrite(stream, sequence, lambda data: data.update(actor="eve"))


def _cuts(hand: Any, draw: random.Random) -> None:
    streams = sorted(row["stream"] for row in hand.rows("heads") if row["sequence"] > 1)
    stream = draw.choice(streams)
    hand.cut(stream, draw.randrange(1, hand.head(stream).sequence))


def _deletes_an_entry(hand: Any, draw: random.Random) -> None:
    entries = hand.table("entries")
    hand.run(sa.delete(entries).where(entries.c.position == _any_row(hand, "entries", draw)["position"]))


def _swaps_entries(hand: Any, draw: random.Random) -> None:
    entries = hand.table("entries")
    first, second = draw.sample(hand.rows("entries"), 2)
    hand.run(
        sa.update(entries)
        .where(entries.c.position == first["position"])
        .values(line=second["line"], tag=second["tag"]),
        sa.update(entries).where(entries.c.position == second["position"]).values(line=first["line"], tag=first["tag"]),
    )


def _puts_back(hand: Any, draw: random.Random) -> None:
    database = Path(hand.engine.url.database)
    hand.close()
    for path in database.parent.glob("record.db*"):
        path.unlink()
    shutil.copy(database.parent / EARLIER, database)


CLASSES: dict[str, Callable[[Any, random.Random], None]] = {
    "an altered entry": _alters("entries", "position", ("line", "tag", "sequence")),
    "an altered command id": _alters("commands", "id", ("digest", "places", "tag")),
    "an altered head": _alters("heads", "stream", ("sequence", "hash")),
    "an altered credential": _alters("credentials", "credential", ("verifier", "tag")),
    "an altered session": _alters("sessions", "digest", ("person", "begun", "seen", "tag", "seen_tag")),
    "an altered snapshot": _alters("snapshots", "stream", ("state",)),
    "an old database put back": _puts_back,
    "forged money": _forges_money,
    "a forged role": _forges_a_role,
    "a stream hashed again": _rewrites,
    "a cut stream": _cuts,
    "a deleted entry": _deletes_an_entry,
    "two entries exchanged": _swaps_entries,
}


def witnessed(seed: int, units: int) -> Counts:
    """Cut, halve or rewrite a whole folder with the house's own keys; what a witness holds must show it."""
    from server.test_witnesses import Authority, House, written

    draw = random.Random(seed)
    counts: Counts = Counter()
    names = sorted(WITNESSED)
    for number in range(units):
        with tempfile.TemporaryDirectory() as folder:
            authority = Authority(Path(folder) / "witness")
            try:
                house = House(Path(folder), authority)
                house.introduce()
                name = names[(seed + number) % len(names)]
                assert WITNESSED[name](house, draw, written), f"{name}, number {number}, wasn't found"
                counts[f"found: {name}"] += 1
            finally:
                authority.stop()
    return counts


def _write(house: Any, draw: random.Random, written: Any) -> None:
    for _ in range(draw.randrange(1, 4)):
        house.opened(written)


def _cut_together(house: Any, draw: random.Random, written: Any) -> Any:
    _write(house, draw, written)
    copy = house.copied("earlier")
    _write(house, draw, written)
    house.put_back(copy)
    return house.verified()


def _halved(house: Any, draw: random.Random, written: Any) -> Any:
    _write(house, draw, written)
    _write(house, draw, written)
    path = house.data / "heads" / "checkpoints.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: draw.randrange(1, len(lines))]))
    return house.verified()


def _rewritten(house: Any, draw: random.Random, written: Any) -> Any:
    copy = house.copied("beginning")
    _write(house, draw, written)
    house.put_back(copy)

    async def other(floor: Any) -> None:
        for number in range(draw.randrange(40, 90)):
            await floor.note("Tested", {"another": number})
        await written(floor)

    house.opened(other)
    return house.verified()


def _another_key(house: Any, draw: random.Random, written: Any) -> Any:
    _write(house, draw, written)
    path = house.data / "keys" / "signing.keys"
    text = path.read_text().splitlines()
    path.write_text("\n".join([*text[:-1], draw.randbytes(32).hex()]) + "\n")
    return [alert.says for alert in house.opened(written) if "doesn't trust the key" in alert.says]


WITNESSED: dict[str, Callable[[Any, random.Random, Any], Any]] = {
    "rounds and heads cut together": _cut_together,
    "a shortened file of checkpoints": _halved,
    "a record rewritten with every key": _rewritten,
    "another signing key": _another_key,
}
