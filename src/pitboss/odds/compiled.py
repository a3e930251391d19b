"""How kernels are compiled: once, kept in a user cache whose name changes with anything a kernel rests on.

numba freezes global tables into what it caches and looks only at the source file of the kernel itself, so a
changed table would silently give the old answer. The digest in the folder's name prevents that.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parents[1]
WATCHED = ("rules/*.py", "odds/*.py", "odds/*.npz", "games/*/*.py", "cards/*.py", "lab/*.py")


@cache
def digest() -> str:
    """Return a name for everything the kernels rest on."""
    found = hashlib.sha256(numba.__version__.encode())
    for pattern in WATCHED:
        for path in sorted(PACKAGE.glob(pattern)):
            found.update(path.relative_to(PACKAGE).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder that belongs to the user and may be thrown away at any time."""
    if chosen := os.environ.get("PITBOSS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "pitboss" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pitboss"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pitboss"


def kernel(function: Function) -> Function:
    """Compile a plain loop."""
    return _compiled(function, parallel=False)


def parallel_kernel(function: Function) -> Function:
    """Compile a loop whose `prange` runs on every thread."""
    return _compiled(function, parallel=True)


def inlined(function: Function) -> Function:
    """Compile a step of a loop into whatever calls it."""
    return cast(Function, numba.njit(inline="always")(function))


def _compiled(function: Function, *, parallel: bool) -> Function:
    setattr(numba.config, "CACHE_DIR", str(cache_folder() / f"kernels-{digest()}"))  # noqa: B010  unknown to its types
    return cast(Function, numba.njit(cache=True, parallel=parallel, nogil=True)(function))
