"""The proof at scale: what was done is not done again, a failure is kept with its seed, and the page says what ran."""

from collections import Counter
from pathlib import Path

import pytest

from proof import __main__ as proof
from proof.figures import page
from proof.progress import Chunk, Progress
from proof.suites import Suite, suites


def made_up(name: str, total: int) -> Suite:
    return Suite(name, f"{name} repeated", total, 10, lambda seed, units: Counter())


def ran(calls: list[tuple[str, int]], failing: set[int]) -> object:
    def run(suite: Suite, seed: int, commit: str) -> Chunk:
        calls.append((suite.name, seed))
        fault = "AssertionError: a cent is missing" if seed in failing else None
        return Chunk(
            seed, 0 if fault else suite.chunk, {"rounds": 7} if not fault else {}, 6.0, commit, "2026-01-02", fault
        )

    return run


def test_a_run_goes_on_where_it_was_and_repeats_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []
    chosen, progress = [made_up("floors", 40), made_up("kills", 20)], Progress(tmp_path)
    monkeypatch.setattr(proof, "_ran", ran(calls, {2}))
    assert proof.run(chosen, progress, 1, None) == 1
    assert sorted(calls) == [("floors", seed) for seed in (1, 2, 3, 4)] + [("kills", 1), ("kills", 2)]
    assert calls[:2] == [("floors", 1), ("kills", 1)], "what is furthest behind comes first"
    assert "| floors | floors repeated | 40 | 30 | 1 (seeds 2) | 1-4 | 2026-01-02 | 0.4 |" in page(chosen, progress)
    with (tmp_path / "floors.jsonl").open("a") as file:
        file.write('{"seed": 9, "uni')  # cut short by a kill
    calls.clear()
    monkeypatch.setattr(proof, "_ran", ran(calls, set()))
    assert proof.run(chosen, progress, 2, None) == 0
    assert sorted(calls) == [("floors", 2), ("kills", 2)]
    written = page(chosen, progress)
    assert "| floors | floors repeated | 40 | 40 | 0 |" in written
    assert "- rounds: 28" in written
    assert proof.run(chosen, progress, 1, None) == 0
    assert len(calls) == 2


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
