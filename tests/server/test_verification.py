"""A table's record is checked in every way, and each check can find a fault."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.evolve import Reading
from pitboss.record.entries import Entry, Head, digest, head_of
from pitboss.record.heads import head_line, set_line
from pitboss.record.seal import round_seal
from pitboss.server.record_check import Verification, verify_table
from server.test_round_search import played

CHECKS = ("chain", "heads", "cards", "money", "shuffles", "payouts")


class Kept:
    """A record whose table stream was changed after it was signed."""

    def __init__(self, floor: Floor, change: Callable[[list[Entry]], list[Entry]], *, is_rechained: bool) -> None:
        self._store = floor.store
        entries = change(list(floor.store.read("table/t")))
        self._entries = list(rechained(entries)) if is_rechained else entries

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def heads(self) -> dict[str, Head]:
        return {**self._store.heads(), "table/t": head_of(self._entries[-1])}

    def unchecked_lines(self, stream: str, until: int | None = None) -> Iterator[str]:
        for entry in self._entries[:until]:
            yield json.dumps(entry._asdict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rechained(entries: list[Entry]) -> Iterator[Entry]:
    """Return entries with hashes as an attacker who rewrites the whole chain would make them."""
    previous = Head().hash
    for number, entry in enumerate(entries, 1):
        fields = {**entry._asdict(), "sequence": number, "previous": previous}
        del fields["hash"]
        previous = digest(fields)
        yield Entry(hash=previous, **fields)


@pytest.fixture(scope="module")
def floor() -> Floor:
    found: Floor = run(played(game_names()[-1], 4))
    return found


@pytest.fixture
def signed(floor: Floor, tmp_path: Path) -> Path:
    signer, heads = floor.keyring.current.signer(), floor.store.heads()
    lines = [head_line(stream, head, 1, signer) for stream, head in sorted(heads.items())]
    lines.append(set_line(heads, 1, signer))
    (tmp_path / "heads.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def verified(floor: Floor, signed: Path, store: Any = None, round_id: str | None = None) -> Verification:
    reading = Reading(read_terms, lambda read_term, key: round_seal(floor.keyring, read_term))
    return verify_table(
        store or floor.store, "t", heads=signed, keyring=floor.keyring, reading=reading, round_id=round_id
    )


def faulty(found: Verification) -> set[str]:
    assert tuple(check.name for check in found.checks) == CHECKS
    assert found.is_sound == (not any(check.fault for check in found.checks))
    return {check.name for check in found.checks if check.fault}


@pytest.mark.parametrize("name", game_names())
def test_a_sound_record_passes_every_check_with_its_count(name: str, tmp_path: Path) -> None:
    floor = run(played(name, 3))
    signer, heads = floor.keyring.current.signer(), floor.store.heads()
    (tmp_path / "a.jsonl").write_text(
        "".join(f"{head_line(stream, head, 1, signer)}\n" for stream, head in heads.items())
    )
    found = verified(floor, tmp_path)
    assert faulty(found) == set()
    counts = {check.name: check.count for check in found.checks}
    assert counts["chain"] == found.entries == floor.store.heads()["table/t"].sequence
    assert counts["heads"] == 1
    assert counts["shuffles"] == counts["payouts"] == 3
    assert counts["cards"] > 3
    assert counts["money"] > 3


def test_a_single_round_has_its_shuffle_and_payouts_checked(floor: Floor, signed: Path) -> None:
    begun = [entry.body["round"] for entry in floor.store.read("table/t") if entry.kind == "house.RoundBegun"]
    found = verified(floor, signed, round_id=begun[1])
    counts = {check.name: check.count for check in found.checks}
    assert counts["shuffles"] == counts["payouts"] == 1
    assert faulty(found) == set()


def change_body(kind: str, change: Callable[[dict[str, Any]], None]) -> Callable[[list[Entry]], list[Entry]]:
    def changed(entries: list[Entry]) -> list[Entry]:
        place = max(index for index, entry in enumerate(entries) if entry.kind == kind)
        body = json.loads(json.dumps(entries[place].body))
        change(body)
        return [*entries[:place], entries[place]._replace(body=body), *entries[place + 1 :]]

    return changed


def more_paid(body: dict[str, Any]) -> None:
    body["results"][0]["net"] += 100


def swapped(body: dict[str, Any]) -> None:
    body["commitments"][0], body["commitments"][1] = body["commitments"][1], body["commitments"][0]


def flipped(body: dict[str, Any]) -> None:
    body["commitments"][-1] = "0" + body["commitments"][-1][1:] + ""
    body["commitments"][-1] = body["commitments"][-1][:-1] + ("0" if body["commitments"][-1][-1] != "0" else "1")


def resealed(body: dict[str, Any]) -> None:
    body["sealed_order"] = body["sealed_order"][:-1] + ("0" if body["sealed_order"][-1] != "0" else "1")


def unbalanced(body: dict[str, Any]) -> None:
    account = next(iter(body["postings"]))
    body["postings"][account] += 1


SETTLED, COMMITTED, PLACED = "round.WagersSettled", "house.DeckCommitted", "round.WagersPlaced"


@pytest.mark.parametrize(
    ("kind", "change", "is_rechained", "expected"),
    [
        (SETTLED, more_paid, False, {"chain", "payouts"}),
        (SETTLED, more_paid, True, {"heads", "payouts"}),
        (COMMITTED, swapped, True, {"heads", "cards", "shuffles"}),
        (COMMITTED, flipped, True, {"heads", "cards", "shuffles"}),
        (COMMITTED, resealed, True, {"heads", "shuffles"}),
        (PLACED, unbalanced, True, {"heads", "money"}),
    ],
)
def test_what_was_changed_is_found_by_the_check_that_is_for_it(
    floor: Floor, signed: Path, kind: str, change: Any, is_rechained: bool, expected: set[str]
) -> None:
    store = Kept(floor, change_body(kind, change), is_rechained=is_rechained)
    assert faulty(verified(floor, signed, store)) == expected


def test_a_cut_tail_is_found_by_the_signed_heads(floor: Floor, signed: Path) -> None:
    store = Kept(floor, lambda entries: entries[:-3], is_rechained=True)
    found = verified(floor, signed, store)
    assert faulty(found) == {"heads"}
    assert "reached" in (found.checks[1].fault or "")


def test_a_missing_entry_breaks_the_chain(floor: Floor, signed: Path) -> None:
    store = Kept(floor, lambda entries: [*entries[:5], *entries[6:]], is_rechained=False)
    assert "chain" in faulty(verified(floor, signed, store))


def test_a_head_signed_by_a_stranger_is_found(floor: Floor, signed: Path, tmp_path: Path) -> None:
    stranger = Floor(99).keyring.current.signer()
    head = floor.store.heads()["table/t"]
    (tmp_path / "other.jsonl").write_text(f"{head_line('table/t', head, 2, stranger)}\n")
    assert faulty(verified(floor, signed)) == {"heads"}


def test_another_key_opens_no_shuffle(floor: Floor, signed: Path) -> None:
    reading = Reading(read_terms, lambda read_term, key: round_seal(floor.keyring, read_term))
    found = verify_table(floor.store, "t", heads=signed, keyring=Floor(77).keyring, reading=reading)
    assert faulty(found) == {"heads", "shuffles"}
