"""Tags tell rows that a process with the house's keys wrote from all others."""

import hmac

from house.floors import Chance
from pitboss.record.entries import Head
from pitboss.record.keys import Keyring, MasterKey, derived
from pitboss.record.row_tags import COMMAND, SESSION, RowTags

ONE, TWO = MasterKey(bytes(32)), MasterKey(bytes(31) + b"\1")
LINE = '{"line":1,"sequence":1,"stream":"money"}'


def tags(*keys: MasterKey, seed: int = 1, reread: Keyring | None = None) -> RowTags:
    return RowTags(Keyring(keys or (ONE,)), Chance(seed), (lambda: reread) if reread else None)


def test_a_row_is_known_by_every_process_with_the_key_and_by_no_other() -> None:
    tag = tags(seed=1).entry(LINE)
    assert tags(seed=1).is_entry(LINE, tag)
    assert tags(seed=2).is_entry(LINE, tag)
    assert not tags(TWO).is_entry(LINE, tag)
    assert not tags().is_entry(LINE.replace("1", "2"), tag)


def test_two_processes_tag_the_same_row_differently() -> None:
    assert tags(seed=1).entry(LINE) != tags(seed=2).entry(LINE)


def test_a_row_of_an_older_key_is_known_after_a_rotation_and_of_a_newer_one_once_the_file_is_read_again() -> None:
    older, newer = tags(ONE), tags(ONE, TWO)
    assert newer.is_entry(LINE, older.entry(LINE))
    assert not older.is_entry(LINE, newer.entry(LINE))
    assert tags(ONE, reread=Keyring((ONE, TWO))).is_entry(LINE, newer.entry(LINE))


def test_a_tag_holds_for_its_kind_of_row_and_all_its_values() -> None:
    made = tags()
    tag = made.row(COMMAND, "id", "digest", "[]")
    assert made.is_row(tag, COMMAND, "id", "digest", "[]")
    assert not made.is_row(tag, SESSION, "id", "digest", "[]")
    assert not made.is_row(tag, COMMAND, "id", "digest", "[1]")
    assert not made.is_row(tag, COMMAND, "id,digest", "[]")
    head = made.head("money", Head(3, "ab"))
    assert made.is_head("money", Head(3, "ab"), head)
    assert not made.is_head("money", Head(2, "ab"), head)


def test_what_isnt_a_tag_is_refused() -> None:
    made = tags()
    good = made.entry(LINE)
    key, epoch, code = good.split(".")
    for wrong in (
        "",
        ".",
        "..",
        code,
        f"{key}.{code}",
        f"{key}..{code}",
        f".{epoch}.{code}",
        good[:-1],
        good + "0",
        "é.é.é",
    ):
        assert not made.is_entry(LINE, wrong), wrong


def test_many_foreign_epochs_dont_fill_the_memory() -> None:
    made = tags()
    key, _, code = made.entry(LINE).split(".")
    for number in range(3_000):
        assert not made.is_entry(LINE, f"{key}.{number:012x}.{code}")
    assert len(made._keys) <= 1_024
    assert made.is_entry(LINE, made.entry(LINE))


def test_a_tag_is_what_the_documentation_says() -> None:
    made = tags()
    key_id, epoch, code = made.row(COMMAND, "id", "digest", "[]").split(".")
    key = derived(ONE.secret, f"rows {epoch}")
    assert key_id == ONE.id
    assert code == hmac.digest(key, b"command\n2:id,6:digest,2:[]", "sha256")[:16].hex()
    assert made.entry(LINE).split(".")[2] == hmac.digest(key, f"entry\n{LINE}".encode(), "sha256")[:16].hex()
