"""An evidence bundle holds one round, can be checked by itself, and reveals nothing about undealt cards."""

import io
import json
import sys
import zipfile
from pathlib import Path

import polars
import pytest

from pitboss.record.entries import Draft
from pitboss.record.evidence import Segment, UnknownRound, find_round, history_parquet, write_evidence
from pitboss_verify import verify
from verify.recorded import MASTER, Recorder, recorded


def unpacked(path: Path) -> Path:
    folder = path.with_suffix("")
    with zipfile.ZipFile(path) as bundle:
        bundle.extractall(folder)
    return folder


def heads_of(recorder: Recorder) -> list[str]:
    return recorder.heads.text.splitlines()


def test_a_round_is_found_wherever_it_was_played() -> None:
    recorder = recorded(2, 3)
    assert find_round(recorder.store, "t1/1") == Segment("table/t1", 10, 18)
    with pytest.raises(UnknownRound, match="has no round t9/9"):
        find_round(recorder.store, "t9/9")


def test_a_round_that_still_runs_reaches_to_the_end_of_its_stream() -> None:
    recorder = recorded(1, 1)
    recorder.write(Draft("table/t0", "house.RoundBegun", {"round": "t0/1"}))
    recorder.write(Draft("table/t0", "house.SeatTaken", {"seat": 1}))
    assert find_round(recorder.store, "t0/1") == Segment("table/t0", 10, 11)


def test_a_bundle_is_checked_without_the_rest_of_the_record(tmp_path: Path) -> None:
    recorder = recorded(2, 3)
    recorder.play("t1", 3)
    recorder.write(Draft("table/t1", "house.SeatTaken", {"seat": 2}))
    write_evidence(recorder.store, "t1/1", tmp_path / "bundle.zip", head_lines=heads_of(recorder))
    folder = unpacked(tmp_path / "bundle.zip")
    entries, heads, key = folder / "entries.jsonl", folder / "heads.jsonl", tmp_path / "heads.pub"
    key.write_text(MASTER.signer().public)
    report = verify(entries, heads=[heads], key=key, is_excerpt=True)
    assert (report.fault, report.entries, report.opened) == (None, 9, 5)
    entries.write_text(entries.read_text().replace('"seat":1', '"seat":2', 1))
    assert verify(entries, heads=[heads], key=key, is_excerpt=True).fault


def test_a_bundle_is_checked_as_it_is_handed_out(tmp_path: Path) -> None:
    recorder = recorded(2, 3)
    bundle = tmp_path / "bundle.zip"
    write_evidence(recorder.store, "t1/1", bundle, head_lines=heads_of(recorder))
    report = verify(bundle)
    assert report.is_sound
    assert report.heads_files == ["heads.jsonl"]
    changed = unpacked(bundle)
    lines = (changed / "entries.jsonl").read_text().splitlines()
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("entries.jsonl", "\n".join(lines[1:2] + lines[:1] + lines[2:]))
    assert not verify(tmp_path / "other.zip").is_sound


def test_a_bundle_reaches_to_the_next_head(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.fund("t0")
    recorder.play("t0", 0)
    recorder.write(Draft("table/t0", "house.RoundBegun", {"round": "r"}))
    recorder.write(Draft("table/t0", "house.RoundEnded", {"round": "r"}))
    recorder.write(Draft("table/t0", "house.SeatTaken", {"seat": 2}))
    recorder.sign()
    recorder.write(Draft("table/t0", "house.SeatLeft", {"seat": 2}))
    for heads, last in ((heads_of(recorder), 12), ([*heads_of(recorder)[:3], "half a li"], 13), ([], 13)):
        write_evidence(recorder.store, "r", tmp_path / "bundle.zip", head_lines=heads)
        entries = unpacked(tmp_path / "bundle.zip") / "entries.jsonl"
        assert [json.loads(line)["sequence"] for line in entries.read_text().splitlines()] == list(range(10, last + 1))


def test_the_readme_says_what_is_inside_and_how_to_check_it(tmp_path: Path) -> None:
    recorder = recorded(1, 2)
    write_evidence(recorder.store, "t0/1", tmp_path / "bundle.zip")
    folder = unpacked(tmp_path / "bundle.zip")
    text = (folder / "README.txt").read_text()
    assert text.startswith("Evidence of round t0/1\n======================\n")
    assert "Entries 10 to 18 of the stream table/t0" in text
    for path in folder.iterdir():
        assert path.name in text or path.name == "README.txt"


def test_entries_of_the_same_commands_in_other_streams_are_there(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.write(Draft("money", "money.Moved", {"unrelated": True}))
    recorder.write(Draft("table/t0", "house.RoundBegun", {"round": "r"}), Draft("money", "money.Moved", {"cents": 5}))
    recorder.write(Draft("table/t0", "house.RoundEnded", {"round": "r"}))
    write_evidence(recorder.store, "r", tmp_path / "bundle.zip")
    related = (unpacked(tmp_path / "bundle.zip") / "related.jsonl").read_text().splitlines()
    assert [json.loads(line)["body"] for line in related] == [{"cents": 5}]


def test_the_history_is_a_table(tmp_path: Path) -> None:
    recorder = recorded(1, 1)
    write_evidence(recorder.store, "t0/0", tmp_path / "bundle.zip")
    table = polars.read_parquet(unpacked(tmp_path / "bundle.zip") / "history.parquet")
    assert table["sequence"].to_list() == list(range(1, 10))
    assert table["kind"][0] == "house.RoundBegun"
    assert json.loads(table["body"][2])["stakes"] == {"ante": 500}
    assert polars.read_parquet(io.BytesIO(history_parquet([]) or b"")).is_empty()


def test_without_polars_the_bundle_is_made_without_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    recorder = recorded(1, 1)
    write_evidence(recorder.store, "t0/0", tmp_path / "bundle.zip")
    assert not (unpacked(tmp_path / "bundle.zip") / "history.parquet").exists()


def test_the_same_round_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.zip", "other.zip"):
        write_evidence(recorded(1, 1).store, "t0/0", tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_a_bundle_holds_no_half_written_head(tmp_path: Path) -> None:
    recorder = recorded(2, 3)
    bundle = tmp_path / "bundle.zip"
    write_evidence(recorder.store, "t1/1", bundle, head_lines=['{"stream":"table', "", *heads_of(recorder)])
    assert verify(bundle).fault is None


def test_a_bundle_holds_the_heads_of_its_own_entries_and_one_with_all_heads_still_verifies(tmp_path: Path) -> None:
    recorder = recorded(2, 3)
    for number in range(3, 60):
        recorder.play("t1", number)
        recorder.sign()
    bundle, older = tmp_path / "bundle.zip", tmp_path / "older.zip"
    write_evidence(recorder.store, "t1/1", bundle, head_lines=iter(heads_of(recorder)))
    report = verify(bundle)
    assert (report.fault, report.heads) == (None, 1)
    with zipfile.ZipFile(bundle) as made, zipfile.ZipFile(older, "w") as written:
        for name in made.namelist():
            written.writestr(name, recorder.heads.text if name == "heads.jsonl" else made.read(name))
    report = verify(older)
    assert report.fault is None
    assert report.heads > 50


def test_a_bundle_of_a_round_in_play_reaches_to_the_last_head(tmp_path: Path) -> None:
    recorder = recorded(1, 1)
    recorder.write(Draft("table/t0", "house.RoundBegun", {"round": "t0/1"}))
    recorder.sign()
    recorder.write(Draft("table/t0", "house.SeatTaken", {"seat": 1}))
    bundle = tmp_path / "bundle.zip"
    write_evidence(recorder.store, "t0/1", bundle, head_lines=heads_of(recorder))
    report = verify(bundle)
    assert (report.fault, report.entries) == (None, 1)


def test_a_changed_entry_of_another_stream_is_found_in_a_bundle(tmp_path: Path) -> None:
    recorder = recorded(2, 3)
    bundle, other = tmp_path / "bundle.zip", tmp_path / "other.zip"
    write_evidence(recorder.store, "t1/1", bundle, head_lines=heads_of(recorder))
    line = next(line for line in recorder.store.lines("money", 0, 1))
    for text, fault in ((line, None), (line.replace('"at":', '"at":1', 1), "Line 1 of related.jsonl was changed")):
        with zipfile.ZipFile(bundle) as made, zipfile.ZipFile(other, "w") as copied:
            for name in made.namelist():
                copied.writestr(name, f"{text}\n" if name == "related.jsonl" else made.read(name))
        found = verify(other).fault
        assert (found or "").startswith(fault or "")
        assert bool(found) is bool(fault)
