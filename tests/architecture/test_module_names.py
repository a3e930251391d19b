"""A module's name is used once, except in three families where the folder says the rest."""

from collections import defaultdict
from pathlib import Path

from architecture.tree import PACKAGE, modules

FOLD = {"commands", "decide", "events", "evolve", "state"}
# One file for each area or command: the folder says what it is, the file which.
BY_AREA = ("cli", "server/routes", "server/schemas")


def is_in_a_family(path: Path) -> bool:
    """Say whether a module is part of a fold or of a game, or serves one area."""
    place = path.relative_to(PACKAGE).as_posix()
    is_of_a_game = place.startswith("games/") and place.count("/") == 2
    return path.stem in FOLD or is_of_a_game or place.startswith(tuple(f"{folder}/" for folder in BY_AREA))


def test_no_two_modules_share_a_name() -> None:
    places = defaultdict(list)
    for path in modules():
        if path.stem != "__init__" and not is_in_a_family(path):
            places[path.stem].append(path.relative_to(PACKAGE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_a_fold_keeps_its_parts_together() -> None:
    folds = {path.parent for path in modules() if path.stem == "decide"}
    assert folds
    for folder in folds:
        assert {path.stem for path in folder.glob("*.py")} >= {"commands", "decide", "events"}, folder


def test_nothing_lies_loose_at_the_packages_root() -> None:
    assert [path.name for path in PACKAGE.glob("*.py")] == ["__init__.py"]
