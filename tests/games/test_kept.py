"""Figures that take seconds are cached: a cached figure equals a recomputed one, and the cache may fail."""

from pathlib import Path

import numpy as np
import pytest

from games.second_method import rules_of
from pitboss.games.ultimate_texas_holdem import exact, play
from pitboss.games.ultimate_texas_holdem.chart import chart
from pitboss.games.ultimate_texas_holdem.play import Tables, tables_of
from pitboss.games.ultimate_texas_holdem.strategy_tables import played

pytestmark = pytest.mark.xdist_group("exact")
HOLDEM = rules_of("ultimate-texas-holdem")


def keep_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "cache_folder", lambda: folder)
    monkeypatch.setattr(play, "cache_folder", lambda: folder)


def same(tables: Tables, other: Tables) -> bool:
    return (
        np.array_equal(tables.before, other.before)
        and np.array_equal(tables.raises_flop, other.raises_flop)
        and all(map(np.array_equal, tables.raises_river, other.raises_river))
    )


def test_a_chart_is_the_same_from_the_cache_and_after_a_torn_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_in(tmp_path, monkeypatch)
    anew = chart(HOLDEM)
    (file,) = tmp_path.glob("counts-*/short-rules-*.json")
    whole = file.read_bytes()
    assert chart(HOLDEM) == anew
    file.write_bytes(whole[: len(whole) // 2])
    assert chart(HOLDEM) == anew
    assert file.read_bytes() == whole


def test_tables_are_the_same_from_the_cache_and_after_a_torn_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_in(tmp_path, monkeypatch)
    anew = tables_of(HOLDEM)
    (file,) = tmp_path.glob("play-*/*.npz")
    whole = file.read_bytes()
    assert same(tables_of(HOLDEM), anew)
    file.write_bytes(whole[: len(whole) // 2])
    assert same(tables_of(HOLDEM), anew)
    assert len(file.read_bytes()) == len(whole)


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected_chart, expected_tables = chart(HOLDEM), tables_of(HOLDEM)
    no_folder = tmp_path / "a file"
    no_folder.write_text("")
    keep_in(no_folder, monkeypatch)
    assert chart(HOLDEM) == expected_chart
    assert same(tables_of(HOLDEM), expected_tables)


def test_strategies_that_wait_or_hurry_always_give_the_same_answer() -> None:
    optimal = tables_of(HOLDEM)
    late, play_on, hurry = (played(HOLDEM, name) for name in ("never-early", "always-play", "always-raise"))
    assert all(map(np.array_equal, late.raises_river, optimal.raises_river))
    assert not late.before.any()
    assert not play_on.before.any()
    assert (hurry.before == 4).all()
    assert not any(item.raises_flop.any() for item in (late, play_on, hurry))
