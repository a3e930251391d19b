"""Compiles kernels once and keeps them in a user cache whose name changes with anything a kernel depends on.

numba freezes global tables into what it caches and looks only at the source file of the kernel itself, so a
changed table would silently give the old answer. The digest in the folder's name prevents that.
"""

import ast
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, event

from pitboss.odds.announcing import tell

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

PACKAGE = Path(__file__).parents[1]
WATCHED = ("rules/*.py", "odds/*.py", "odds/*.npz", "games/*.py", "games/*/*.py", "cards/*.py", "lab/*.py")
KINDS = ("kernels", "counts", "play")
KEPT = 24  # how many folders of a kind are kept, the last used ones
STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")
IN_USE_SECONDS = 3600  # newer folders are kept too, since another process may be writing to them


class _Telling(event.Listener):
    # Kernels from the cache aren't compiled and cause no event. Compiling one kernel may compile others.
    def __init__(self) -> None:
        self._names: list[str] = []

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        inner = self._names and function.__module__.startswith("numba.")  # a part of numpy that the kernel uses
        self._names.append(self._names[-1] if inner else function.__name__.strip("_").replace("_", " "))
        tell(self._names[-1])

    def on_end(self, event: Any) -> None:
        self._names.pop()
        tell(self._names[-1] if self._names else None)


class _Locator(caching.UserProvidedCacheLocator):
    # The folder's name says all that a kernel depends on. numba would also ask where the source file lies and when it
    # was written, and so compile everything again for a second checkout or after a reinstallation.
    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[no-untyped-call]
        self._cache_path = os.path.join(getattr(numba.config, "CACHE_DIR"), py_func.__module__)  # noqa: B009

    def get_source_stamp(self) -> str:
        return ""


class _Found(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  its parent's is a list too


class _Kept(caching.FunctionCache):
    _impl_class = _Found


_register: Callable[[str, event.Listener], None] = event.register
_register("numba:compile", _Telling())


@cache
def digest() -> str:
    """Return a digest of everything that counts depend on."""
    return _digest(path for pattern in WATCHED for path in PACKAGE.glob(pattern))


@cache
def kernels_digest(module: str) -> str:
    """Return a digest of everything a module's kernels depend on: its imports, and the tables next to it."""
    files = _sources(module)
    tables = {table for folder in {file.parent for file in files} for table in folder.glob("*.npz")}
    return _digest(files | tables)


def cache_folder() -> Path:
    """Return the user's cache folder, which may be deleted at any time."""
    if chosen := os.environ.get("PITBOSS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "pitboss" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pitboss"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pitboss"


def prune(folder: Path) -> None:
    """Delete old folders from a cache, except those used last."""
    now = time.time()
    for kind in KINDS:
        found = []
        for path in folder.glob(f"{kind}-*"):
            with suppress(OSError):
                found.append((path.stat().st_mtime, path))
        for used, old in sorted(found, reverse=True)[KEPT:]:
            if now - used > IN_USE_SECONDS:
                shutil.rmtree(old, ignore_errors=True)


def kernel(function: Function) -> Function:
    """Compile a plain loop."""
    folder = cache_folder() / f"kernels-{kernels_digest(function.__module__)}"
    # Without this folder, numba would cache next to the source, under a name that ignores changes to tables.
    kept = _is_ready(folder)
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  unknown to its types
    compiled = numba.njit(nogil=True)(function)
    if kept:
        setattr(compiled, "_cache", _Kept(function))  # type: ignore[no-untyped-call]  # noqa: B010
    return cast(Function, compiled)


def inlined(function: Function) -> Function:
    """Compile a step of a loop into its caller."""
    return cast(Function, numba.njit(inline="always")(function))


def on_every_thread(work: Callable[[int, int], Result]) -> list[Result]:
    """Call `work` once on each thread with the thread's number and the number of threads; return the results."""
    # Kernels release the GIL. Plain threads compile faster than `prange` and survive a fork.
    threads: int = getattr(numba.config, "NUMBA_NUM_THREADS")  # noqa: B009  unknown to its types
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, range(threads), [threads] * threads))


def _digest(paths: Iterator[Path] | frozenset[Path] | set[Path]) -> str:
    found = hashlib.sha256(numba.__version__.encode())
    for path in sorted(paths):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _sources(module: str) -> frozenset[Path]:
    # A module's own imports are done before it compiles anything, so each can be found among those loaded.
    packages = {__name__.partition(".")[0], module.partition(".")[0]}
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or file is None or name.partition(".")[0] not in packages:
            continue
        found[name] = Path(file)
        waiting += _imported(Path(file))
    return frozenset(found.values())


@cache  # the kernels of a game share most of their imports
def _imported(file: Path) -> tuple[str, ...]:
    found: list[str] = []
    waiting: list[ast.AST] = [ast.parse(file.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found += (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += (node.module, *(f"{node.module}.{name.name}" for name in node.names))
        else:  # only a statement can hold another
            waiting += (inner for part in STATEMENTS for inner in getattr(node, part, ()))
    return tuple(found)


@cache
def _is_ready(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return False
    prune(folder.parent)
    return True
