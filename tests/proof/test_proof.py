"""The proof at scale: what was done is not done again, a failure is kept with its seed, and the page says what ran."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from proof import __main__ as proof
from proof.figures import page
from proof.progress import Chunk, Code, Progress
from proof.suites import Suite, suites


def made_up(name: str, total: int) -> Suite:
    return Suite(name, f"{name} repeated", total, 10, lambda seed, units: Counter())


def chunk(seed: int, counts: dict[str, int] | None = None, *, commit: str = "c0ffee", units: int = 10) -> Chunk:
    return Chunk(seed, seed, units, counts or {"rounds": 7}, 6.0, commit, "7ee7ee", "2026-01-02")


def ran(calls: list[tuple[str, int]], failing: set[int]) -> Callable[[Suite, int, Code], Chunk]:
    def run(suite: Suite, seed: int, code: Code) -> Chunk:
        calls.append((suite.name, seed))
        made = chunk(seed, commit=code.commit)
        return replace(made, units=0, counts={}, fault="AssertionError: a cent is missing") if seed in failing else made

    return run


def test_a_run_goes_on_where_it_was_and_repeats_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []
    chosen, progress = [made_up("floors", 40), made_up("kills", 20)], Progress(tmp_path)
    monkeypatch.setattr(proof, "_ran", ran(calls, {2}))
    assert proof.run(chosen, progress, 1, None) == 1
    assert sorted(calls) == [("floors", seed) for seed in (1, 2, 3, 4)] + [("kills", 1), ("kills", 2)]
    assert calls[:2] == [("floors", 1), ("kills", 1)], "what is furthest behind comes first"
    assert "| floors | floors repeated | 40 | 30 | 1, 3-4 | 2026-01-02 | 0.3 |" in page(chosen, progress)
    assert "`AssertionError: a cent is missing` It hasn't passed since." in page(chosen, progress)
    with (tmp_path / "floors.jsonl").open("a") as file:
        file.write('{"seed": 9, "uni')  # cut short by a kill
    calls.clear()
    monkeypatch.setattr(proof, "_ran", ran(calls, set()))
    assert proof.run(chosen, progress, 2, None) == 0
    assert sorted(calls) == [("floors", 2), ("kills", 2)]
    written = page(chosen, progress)
    assert "| floors | floors repeated | 40 | 40 | 1-4 |" in written
    assert "- rounds: 28" in written
    assert "seed 2" in written, "a failure stays on the page"
    assert "hasn't passed since" not in written
    assert proof.run(chosen, progress, 1, None) == 0
    assert len(calls) == 2


def test_ten_thousand_chunks_are_a_few_lines(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    for seed in (2, 1, 4, 3, 6):
        progress.add("floors", chunk(seed))
    progress.add("floors", chunk(5, commit="b0bca7"))
    progress.add("floors", Chunk(7, 10_006, 100_000, {"rounds": 70_000}, 60_000, "c0ffee", "7ee7ee", "2026-01-02"))
    lines = (tmp_path / "floors.jsonl").read_text().splitlines()
    assert [json.loads(line)["seeds"] for line in lines] == [[1, 4], [5, 5], [6, 10_006]]
    assert progress.done("floors", 10) == set(range(1, 10_007))
    assert [kept.counts["rounds"] for kept in progress.chunks("floors", 10)] == [28, 7, 70_007]


def test_a_seed_of_two_machines_counts_once_and_one_of_another_size_not_at_all(tmp_path: Path) -> None:
    here, there = Progress(tmp_path / "here"), Progress(tmp_path / "there")
    for seed in (1, 2, 3):
        here.add("floors", chunk(seed))
    for seed in (3, 4):
        there.add("floors", chunk(seed))
    with (tmp_path / "here" / "floors.jsonl").open("a") as file:
        file.write((tmp_path / "there" / "floors.jsonl").read_text())
    assert here.done("floors", 10) == {1, 2, 3}, "seed 4 runs again"
    here.add("cells", chunk(1, units=102))
    assert here.done("cells", 102) == {1}
    assert here.done("cells", 132) == set()


def test_a_chunk_whose_code_changed_meanwhile_isnt_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter([Code("a", "a"), Code("b", "b"), Code("b", "b"), Code("b", "b")])
    monkeypatch.setattr(proof, "_code", lambda: next(codes))
    monkeypatch.setattr(proof, "_ran", ran([], set()))
    progress = Progress(tmp_path)
    proof.run([made_up("floors", 20)], progress, 1, None)
    assert progress.done("floors", 10) == {2}
    assert "| b | 7ee7ee | 2026-01-02 | floors 2 |" in page([made_up("floors", 20)], progress)


def test_a_chunk_names_its_code_its_processor_time_and_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    code = proof._code()
    assert len(code.commit.rstrip("+")) == 10
    edits = next(suite for suite in suites() if suite.name == "edits")
    made = proof._ran(edits, 1, code)
    assert made is not None
    assert made.fault is None
    assert made.cpu_s > 0.1
    broken = proof._ran(replace(edits, name="nothing"), 1, code)
    assert broken is not None
    assert (broken.units, broken.counts) == (0, {})
    assert "KeyError: 'nothing'" in (broken.fault or "")


def test_the_page_is_written_from_what_is_committed(tmp_path: Path) -> None:
    assert proof.PAGE.read_text("utf-8") == page(suites(), Progress(proof.FOLDER)), "run `make proof`"
    finished = "".join(path.read_text("utf-8") for path in proof.FOLDER.glob("*.jsonl"))
    assert str(proof.ROOT) not in finished


def test_nothing_new_begins_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []
    monkeypatch.setattr(proof, "_ran", ran(calls, set()))
    assert proof.run([made_up("floors", 40)], Progress(tmp_path), 1, 0) == 0
    assert calls == []


def test_the_suites_are_as_large_as_promised() -> None:
    wanted = {suite.name: suite.total for suite in suites()}
    assert wanted["floors"] == wanted["kills-sqlite"] == 10_000
    assert wanted["kills-postgresql"] == 2_000
    assert wanted["commands"] == 10**7
    assert wanted["edits"] + wanted["rows"] + wanted["witnessed"] == wanted["pairs"] == 10**5
    assert wanted["frames"] == 10**6


@pytest.mark.parametrize(("name", "units"), [("edits", 40), ("rows", 13), ("pairs", 4), ("frames", 300)])
def test_a_small_part_of_a_suite_holds(name: str, units: int) -> None:
    suite = next(suite for suite in suites() if suite.name == name)
    assert suite.run(1, units).total() >= units


def test_a_change_that_isnt_found_fails_its_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    from proof import tampers

    monkeypatch.setattr(tampers, "CLASSES", {"nothing at all": lambda hand, draw: None})
    with pytest.raises(AssertionError, match="nothing at all, number 0, wasn't found"):
        tampers.rows(1, 1)


def test_an_edit_that_the_database_refuses_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from proof import tampers

    # Most entries have neighbors with the next numbers, and no database takes a number twice.
    monkeypatch.setattr(tampers, "CLASSES", {"another number": tampers._alters("entries", "position", ("sequence",))})
    assert tampers.rows(1, 4) == {"found: another number": 4}
