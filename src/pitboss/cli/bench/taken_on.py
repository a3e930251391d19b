"""The environment of a measurement: the processor, the system and the versions of everything involved."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pitboss import __version__
from pitboss.cli.bench.peers import PACKAGES

OURS = ("numpy", "numba")


def machine() -> dict[str, Any]:
    """Return the processor's model, the number available, and the system."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processor": _model(), "cores": usable, "system": f"{platform.system()} {platform.machine()}"}


def versions() -> dict[str, str]:
    """Return the versions of Python, of this package and of everything it was measured with."""
    found = {"python": platform.python_version(), "pitboss": __version__}
    for name in (*OURS, *PACKAGES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"
