"""What the verifier says about sound records and each kind of fault, from a log, a database and a heads file."""

import ast
import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pitboss_verify
from pitboss.record.entries import Circumstances, Draft, canonical
from pitboss.record.seal import RoundSeal
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, Committed
from pitboss_verify import Report, UnusableFile, verify
from pitboss_verify.command import main
from verify.recorded import DECK, MASTER, Recorder, hidden, recorded, shown


class Files:
    """A log and its heads on disk."""

    def __init__(self, folder: Path) -> None:
        self.log, self.heads, self.key = folder / "log.jsonl", folder / "heads.jsonl", folder / "heads.pub"
        self.key.write_text(f"# of this house\n{MASTER.signer().public}\n")

    def write(self, recorder: Recorder) -> "Files":
        self.log.write_text(recorder.log(), "utf-8")
        self.heads.write_text(recorder.heads.text, "utf-8")
        return self

    def verify(self, **more: Any) -> Report:
        return verify(self.log, heads=[self.heads], key=self.key, **more)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def fault_of(log: str, folder: Path) -> str:
    path = folder / "changed.jsonl"
    path.write_text(log, "utf-8")
    return verify(path).fault or ""


def rehashed(line: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Return a line changed by an attacker who knows how hashes are made."""
    data = json.loads(line)
    change(data)
    del data["hash"]
    return canonical({**data, "hash": hashlib.sha256(canonical(data).encode()).hexdigest()})


def test_a_sound_record_is_sound_and_says_what_was_checked(files: Files) -> None:
    report = files.write(recorded(2, 3)).verify()
    assert report.fault is None
    assert (report.streams, report.entries, report.rounds) == (3, 2 + 2 * 3 * 9, 6)
    assert (report.opened, report.sealed, report.uncommitted) == (6 * 5, 0, 0)
    assert report.transfers == 2 + 2 * 6
    assert report.heads == 7
    assert report.keys == [MASTER.signer().public]
    told = " ".join(report.sentences())
    assert "56 entries in 3 streams" in told
    assert "as required" in told


def test_without_heads_a_report_says_what_it_cannot_see(files: Files) -> None:
    files.write(recorded(1, 1))
    assert "a missing end or a rewritten record can't be detected" in " ".join(verify(files.log).sentences())
    assert "Use --key" in " ".join(verify(files.log, heads=[files.heads]).sentences())


def test_cards_of_a_round_that_still_runs_stay_sealed(files: Files) -> None:
    recorder = recorded(1, 1)
    recorder.play("t0", 1, is_opened=False)
    report = files.write(recorder).verify()
    assert (report.fault, report.sealed, report.opened) == (None, 3, 7)


def test_real_cards_are_opened_without_a_commitment(files: Files) -> None:
    recorder = recorded(1, 1)
    recorder.play("t0", 1, real=True)
    report = files.write(recorder).verify()
    assert (report.fault, report.uncommitted) == (None, 5)


def test_an_empty_log_is_sound_until_a_head_says_otherwise(files: Files) -> None:
    files.write(recorded(1, 1))
    files.log.write_text("")
    assert verify(files.log).is_sound
    assert (
        files.verify().fault
        == "Stream money is missing, but the signed head on line 1 of heads.jsonl says it reached entry 1."
    )


def test_each_kind_of_fault_is_reported_with_its_place(tmp_path: Path) -> None:
    log = recorded(2, 1).log()
    lines = log.splitlines()
    changed = log.replace('"number":0', '"number":1', 1)
    assert fault_of(changed, tmp_path) == "Line 3 was changed: its hash doesn't match."
    spaced = log.replace('"number":0', '"number": 0', 1)
    assert fault_of(spaced, tmp_path) == "Line 3 isn't in canonical form."
    assert fault_of("\n".join(lines[:3]), tmp_path) == "Line 3 is cut short."
    assert fault_of("\n".join([*lines[:3], *lines[4:]]) + "\n", tmp_path).startswith(
        "Line 4 is entry 3 of table/t0, but entry 2 was expected"
    )
    moved = "\n".join([*lines[2:], *lines[:2]]) + "\n"
    assert "belongs to money, which should come before" in fault_of(moved, tmp_path)
    forged = rehashed(lines[3], lambda data: data.update(actor="eve"))
    assert fault_of("\n".join([*lines[:3], forged, *lines[4:]]) + "\n", tmp_path).startswith(
        "Line 5 doesn't follow entry 2 of table/t0"
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "7",
        '"text"',
        "{}",
        "null",
        '{"a":1,"a":1}',
        '{"a":NaN}',
        '{"a":1.5}',
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"a":"\\ud800"}',
        "9" * 5_000,
    ],
)
def test_any_nonsense_is_a_fault_and_no_crash(line: str, tmp_path: Path) -> None:
    assert fault_of(line + "\n", tmp_path).startswith("Line 1 ")


def test_bytes_that_are_not_text_are_a_fault(files: Files) -> None:
    files.write(recorded(1, 1))
    files.log.write_bytes(files.log.read_bytes().replace("é".encode(), b"\xe9x"))
    assert files.verify().fault == "Line 8 isn't text."
    files.heads.write_bytes(b"\xff\n")
    assert files.verify().fault == "heads.jsonl isn't text."


SEAL = RoundSeal(MASTER, "t9/1")
BEGUN = Draft("table/t9", "house.RoundBegun", {"round": "t9/1"})
COMMITTED = Draft(
    "table/t9",
    "house.DeckCommitted",
    {"round": "t9/1", "commitments": list(SEAL.commitments(DECK)), "sealed_order": SEAL.seal_order(DECK)},
)
OPENED = Draft("table/t9", "house.SealOpened", {"round": "t9/1", "dealt_key": SEAL.dealt_key()})
SWAPPED = (DECK[1], DECK[0], *DECK[2:])


def cards(*objects: dict[str, Any]) -> Draft:
    return Draft("table/t9", "round.CardsDealt", {"cards": list(objects)})


@pytest.mark.parametrize(
    ("drafts", "sentence"),
    [
        ([BEGUN, COMMITTED, cards(*shown(SEAL, SWAPPED, (0,)))], "opens position 0 of round t9/1 as Kd"),
        ([BEGUN, COMMITTED, cards(*hidden(SEAL, SWAPPED, (0,))), OPENED], "opens position 0 of round t9/1 as Kd"),
        ([BEGUN, COMMITTED, cards(*hidden(RoundSeal(MASTER, "x"), DECK, (0,))), OPENED], "doesn't open position 0"),
        ([BEGUN, COMMITTED, cards(*shown(SEAL, DECK, (0, 0)))], "deals position 0 of round t9/1 a second time"),
        ([BEGUN, COMMITTED, cards({"position": 8, "card": "As", "salt": "00"})], "opens position 8"),
        ([BEGUN, COMMITTED, cards({"position": -1, "card": "Dr", "salt": SEAL.salt(7)})], "opens position -1"),
        ([BEGUN, COMMITTED, cards({"position": 0, "card": "As"})], "opens position 0"),
        ([BEGUN, COMMITTED, cards({"position": 0, "card": 7, "salt": "00"})], "a different card than before"),
        ([BEGUN, COMMITTED, COMMITTED], "commits to a second deck for round t9/1"),
        ([BEGUN, cards(*shown(SEAL, DECK, (0,))), COMMITTED], "commits to a second deck for round t9/1"),
        ([cards(*shown(SEAL, DECK, (0,)))], "shows cards outside any round"),
        ([BEGUN, cards({"position": 0, "card": "As"}, {"position": 1, "card": "As"})], "from two positions"),
        ([OPENED], "opens a round other than the current one"),
        ([BEGUN._replace(body={"round": "t9/0"}), OPENED], "opens a round other than the current one"),
        ([Draft("table/t9", "house.RoundBegun", {})], "begins a round without a name"),
        (
            [BEGUN, cards(*hidden(SEAL, DECK, (0,))), OPENED._replace(body={"round": "t9/1", "dealt_key": 5})],
            "doesn't open position",
        ),
        ([Draft("money", "money.Moved", {"postings": {"house": -5, "cage": 4}})], "adds up to -1 cents"),
        ([Draft("money", "money.Moved", {"postings": {"purse:ada": -5, "cage": 5}})], "ends below zero, at -5"),
        (
            [
                Draft("money", "money.Moved", {"postings": {"purse:ada": 5, "cage": -5}}),
                Draft("money/purse:ada", "money.Moved", {"postings": {"purse:ada": -6, "house": 6}}),
                Draft("money/purse:ada", "money.Moved", {"postings": {"purse:ada": 9, "house": -9}}),
            ],
            "purse:ada falls below zero, to -1 cents",
        ),
        (
            [Draft("money/purse:ada", "money.Moved", {"postings": {"purse:bob": 5, "house": -5}})],
            "moves account purse:bob outside the stream money/purse:bob",
        ),
        (
            [Draft("money/purse:ada", "money.Moved", {"postings": {"stack:t:ada": 5, "house": -5}})],
            "moves account stack:t:ada in the stream of another account",
        ),
        (
            [Draft("table/t9", "house.Moved", {"postings": {"deposit:ada": 5, "house": -5}})],
            "moves account deposit:ada outside the stream money/deposit:ada",
        ),
        ([Draft("money", "money.Moved", {"postings": [["house", True]]})], "cannot be read"),
        ([Draft("money", "money.Moved", {"postings": 5})], "cannot be read"),
        ([Draft("money", "money.Moved", {"postings": [["house"]]})], "cannot be read"),
    ],
)
def test_what_a_record_says_wrongly_of_cards_and_money_is_found(
    drafts: list[Draft], sentence: str, files: Files
) -> None:
    recorder = Recorder()
    recorder.write(*drafts)
    recorder.sign()
    assert sentence.lower() in (files.write(recorder).verify().fault or "").lower()


def test_a_void_round_may_be_followed_by_another_deck(files: Files) -> None:
    recorder = Recorder()
    recorder.write(BEGUN, COMMITTED, cards(*hidden(SEAL, DECK, (0,))))
    recorder.fund("t9")
    recorder.play("t9", 2)
    report = files.write(recorder).verify()
    assert (report.fault, report.sealed, report.rounds) == (None, 1, 2)


def test_heads_signed_by_another_key_are_refused(files: Files) -> None:
    files.write(recorded(1, 1))
    files.key.write_text("ab" * 32 + "\n")
    assert "which isn't a key you gave" in (files.verify().fault or "")


@pytest.mark.parametrize("content", ["", "short\n", "zz" * 32, "# only a remark\n"])
def test_a_key_file_without_a_key_is_wrong_usage(content: str, files: Files) -> None:
    files.write(recorded(1, 1)).key.write_text(content)
    with pytest.raises(UnusableFile, match="must contain public keys"):
        files.verify()


def test_each_process_may_have_a_heads_file_of_its_own(files: Files) -> None:
    recorder = recorded(1, 1)
    files.write(recorder)
    other = files.heads.with_name("other.jsonl")
    recorder.play("t0", 1)
    later = type(recorder.heads)()
    type(recorder.export)(recorder.store.heads(), MASTER.signer(), later, recorder.export._clock).export()
    files.log.write_text(recorder.log(), "utf-8")
    other.write_text(later.text)
    report = verify(files.log, heads=[files.heads, other])
    assert (report.fault, report.heads) == (None, 4)
    assert "heads.jsonl, other.jsonl" in " ".join(report.sentences())
    files.log.write_text("".join(recorder.log().splitlines(keepends=True)[:-1]), "utf-8")
    assert "of other.jsonl says" in (verify(files.log, heads=[files.heads, other]).fault or "")


def test_a_line_of_heads_cut_short_by_a_crash_is_skipped(files: Files) -> None:
    recorder = recorded(1, 1)
    whole = recorder.heads.text
    recorder.heads.text = whole + whole.splitlines()[0][:50]
    assert files.write(recorder).verify().torn_heads == 1
    recorder.export = type(recorder.export)(
        recorder.store.heads(), MASTER.signer(), recorder.heads, recorder.export._clock
    )
    recorder.play("t0", 1)
    report = files.write(recorder).verify()
    assert (report.fault, report.torn_heads) == (None, 1)


def test_a_heads_file_that_lost_a_line_is_found(files: Files) -> None:
    files.write(recorded(2, 1))
    lines = files.heads.read_text().splitlines(keepends=True)
    for missing in range(len(lines)):
        files.heads.write_text("".join(lines[:missing] + lines[missing + 1 :]))
        is_set = '"heads"' in lines[missing]
        assert (files.verify().fault is None) == is_set, missing


def test_heads_that_contradict_each_other_are_found(files: Files) -> None:
    first, other = recorded(1, 1), recorded(1, 1)
    other.play("t0", 1, shift=3)
    first.play("t0", 1, shift=4)
    files.write(first)
    files.heads.write_text(first.heads.text + other.heads.text)
    assert "a different hash than line" in (files.verify().fault or "")


def signed(fields: dict[str, Any], **changes: Any) -> str:
    signer = MASTER.signer()
    named = {**fields, "key": signer.public}
    return canonical({**named, "signature": signer.sign(canonical(named)), **changes})


HEAD = {"stream": "money", "sequence": 1, "hash": "f" * 64, "at": 5}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (signed({**HEAD, "more": 1}), "doesn't have the fields of a head"),
        (signed({**HEAD, "stream": 7}), "doesn't have the fields of a head"),
        (signed({**HEAD, "sequence": "1"}), "doesn't have the fields of a head"),
        (signed(HEAD, key="short"), "doesn't name a valid key"),
        (signed(HEAD, key=5), "doesn't name a valid key"),
        (signed(HEAD, key="F" * 64), "doesn't name a valid key"),
        (signed(HEAD, signature="ab" * 64), "isn't signed by the key it names"),
        (signed(HEAD, signature=5), "isn't signed by the key it names"),
        (signed(HEAD, signature="xy"), "isn't signed by the key it names"),
        (signed(HEAD).replace('"at":5', '"at":6'), "isn't signed by the key it names"),
        (signed(HEAD).replace('"at":5', '"at": 5'), "isn't in canonical form"),
        (signed({"streams": 1, "heads": "f" * 64, "at": 5}), "counts 1 streams, but 0"),
        (signed({"streams": 0, "heads": "f" * 64, "at": 5}), "doesn't match the heads before it"),
        ("{}", "doesn't have the fields of a head"),
        ("[]", "isn't in canonical form"),
    ],
)
def test_an_invalid_head_is_reported(line: str, sentence: str, files: Files) -> None:
    files.write(recorded(1, 1)).heads.write_text(f"{line}\n")
    assert (files.verify().fault or "").startswith(f"Line 1 of heads.jsonl {sentence}")


def test_an_entry_that_differs_from_its_head_is_reported(files: Files) -> None:
    files.write(recorded(1, 1)).heads.write_text(signed(HEAD) + "\n")
    assert files.verify().fault == "Line 1 doesn't match the signed head on line 1 of heads.jsonl."


def test_a_long_check_says_how_far_it_is(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss_verify.checking.SEEN_EVERY", 4)
    seen: list[int] = []
    assert files.write(recorded(1, 1)).verify(seen=seen.append).is_sound
    assert seen == [4, 8]


def test_an_empty_heads_file_is_a_fault(files: Files) -> None:
    files.write(recorded(1, 1)).heads.write_text("\n")
    assert files.verify().fault == "heads.jsonl contains no heads."


def test_part_of_a_record_is_checked_as_an_excerpt(files: Files) -> None:
    files.write(recorded(2, 3))
    lines = files.log.read_text().splitlines(keepends=True)
    files.log.write_text("".join(lines[2 + 9 : 2 + 27]))
    assert files.verify(is_excerpt=True).fault is None
    assert "but entry 1 was expected" in (files.verify().fault or "")
    files.log.write_text("".join(lines[2 + 9 : 2 + 26]))
    assert "ends at entry 26, which no signed head confirms" in (files.verify(is_excerpt=True).fault or "")
    files.log.write_text("".join(lines[2 + 9 : 2 + 18]))
    assert files.verify(is_excerpt=True).fault is None


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "record.db"
    store = SqlStore(f"sqlite:///{path}")
    recorder = recorded(2, 2)
    for number, (stream, _) in enumerate(sorted(recorder.store.heads().items())):
        for entry in recorder.store.read(stream):
            draft = Draft(stream, entry.kind, entry.body, entry.clause)
            by = Circumstances(entry.actor, entry.role, f"{entry.command} {number} {entry.sequence}", entry.at)
            assert isinstance(store.commit([Batch((draft,), {stream: None}, by, "d")])[0], Committed)
    store.close()
    return path


def changed(path: Path, statement: str) -> str:
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()
    return verify(path).fault or ""


def test_a_database_is_checked_directly(database: Path) -> None:
    report = verify(database)
    assert (report.fault, report.entries, report.streams) == (None, 38, 3)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE entries SET kind = 'house.Other' WHERE position = 5", "Row 5 has columns that don't match its line"),
        ("UPDATE entries SET line = replace(line, 'ada', 'eve') WHERE position = 5", "Row 5 was changed"),
        ("UPDATE entries SET line = x'00' WHERE position = 5", "Row 5 isn't text"),
        ("DELETE FROM entries WHERE position = 5", "is entry"),
        ("DELETE FROM entries WHERE position = 38", "a head for table/t1 that doesn't match"),
        ("DELETE FROM entries WHERE stream = 'money'", "a head for money that doesn't match"),
        ("UPDATE heads SET sequence = sequence - 1 WHERE stream = 'money'", "a head for money that doesn't match"),
    ],
)
def test_a_changed_database_is_found(statement: str, sentence: str, database: Path) -> None:
    assert sentence in changed(database, statement)


def test_a_foreign_or_damaged_database_is_reported(tmp_path: Path, database: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE letters (text)")
    connection.close()
    assert "The database cannot be read: no such table: entries" in (verify(other).fault or "")
    content = bytearray(database.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    database.write_bytes(content)
    assert "The database" in (verify(database).fault or "")


def test_the_command_says_it_and_ends_with_its_status(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.write(recorded(1, 1))
    assert main([str(files.log), "--heads", str(files.heads), "--key", str(files.key)]) == 0
    assert "in canonical form, in order and hash-chained" in capsys.readouterr().out
    assert main([str(files.log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sound"] is True
    files.log.write_text(files.log.read_text()[:-1])
    assert main([str(files.log)]) == 1
    assert capsys.readouterr().err == "Line 10 is cut short.\n"
    assert main([str(files.log.with_name("nowhere"))]) == 2
    assert "No such file" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2


def test_it_runs_as_a_module(files: Files) -> None:
    files.write(recorded(1, 1))
    command = [sys.executable, "-m", "pitboss_verify", str(files.log)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_verifier_imports_nothing_of_the_program_it_checks() -> None:
    folder = Path(pitboss_verify.__file__).parent
    allowed = {"pitboss_verify", "cryptography", *sys.stdlib_module_names}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, path
