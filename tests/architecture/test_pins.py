"""The installed packages are the pinned versions, so the tests speak for those versions."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = Path(__file__).parents[2] / "pins.txt"


def pinned() -> dict[str, str]:
    lines = [line for line in PINS.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[tuple[str, str]]:
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return
    yield canonicalize_name(name), found.version
    for line in found.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from needed(canonicalize_name(requirement.name), frozenset(requirement.extras), seen)


def test_every_package_the_program_and_its_tests_need_is_the_pinned_one() -> None:
    pins = pinned()
    found = dict(needed("pitboss", frozenset({"dev"}), set()))
    del found["pitboss"]
    assert len(found) > 60, "the walk over what packages need went astray"
    assert {name: version for name, version in found.items() if pins.get(name) != version} == {}


def test_the_makefile_and_the_image_install_by_the_pins() -> None:
    for path, count in {"Makefile": 2, "deploy/Dockerfile": 1}.items():  # to run, and to test
        installs = re.findall(r"pip install[^\n]*-c \S*pins\.txt", (PINS.parent / path).read_text("utf-8"))
        assert len(installs) == count
