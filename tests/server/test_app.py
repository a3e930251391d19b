"""The composition root: what a floor is built from if a test doesn't bring its own."""

from pathlib import Path

from pitboss.cards import TableShuffle
from pitboss.server.app import make_floor
from pitboss.server.open_floor import FloorSettings


def test_tables_are_shuffled_by_the_operating_systems_generator(tmp_path: Path) -> None:
    floor = make_floor(FloorSettings(tmp_path))
    try:
        shuffle = floor.house.outside.shuffle
        assert type(getattr(shuffle, "__self__", None)) is TableShuffle
        assert getattr(shuffle, "__func__", None) is TableShuffle.order
    finally:
        floor.close()
