"""Finds the system's Chromium for the browser tests, and installs it if possible."""

import os
import shutil
import subprocess
import sys
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SENTENCE = (
    "The browser tests need Chromium: install it with `apt-get install chromium`, or put a `chromium` on the path."
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)


def found() -> str | None:
    """Return the path of a Chromium that is there."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def ensure() -> str:
    """Return the path of a Chromium, installed now where there was none and the system lets us."""
    path = found()
    if path is None and shutil.which("apt-get") and os.geteuid() == 0:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
        if subprocess.run(install, check=False, **quiet).returncode:
            subprocess.run(["apt-get", "update"], check=False, **quiet)
            subprocess.run(install, check=False, **quiet)
        path = found()
    if path is None:
        raise SystemExit(SENTENCE)
    return path


if __name__ == "__main__":
    sys.exit(0 if ensure() else 1)
