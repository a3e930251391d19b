"""Builds what docs/add-a-game.md builds: its files, and the results of its commands."""

import os
import subprocess
import sys
from pathlib import Path

from architecture.pages import blocks, commands
from pitboss.server.lab.worker_pool import WARM_UP

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-game.md"
OPTIONAL = ("exact.py", "play.py", "chart.py")
NAME = "three-card-poker"


def build(folder: Path, *, optional: bool = False) -> Path:
    """Write the tutorial's files below a folder and return the one to name in PITBOSS_GAMES."""
    for block in blocks(PAGE):
        if block.directive == "file" and (optional or Path(block.target).name not in OPTIONAL):
            (folder / block.target).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.target).write_text(block.text, "utf-8")
        elif block.language == "console":
            for command in commands(block):
                if "pitboss" not in command.line:
                    subprocess.run(["bash", "-c", command.line], cwd=folder, check=True)
    return folder / "games"


def environment(games: Path) -> dict[str, str]:
    """Return what a command about the tutorial's game needs to find it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PITBOSS_") or name == WARM_UP}
    return kept | {"PITBOSS_GAMES": str(games), "XDG_DATA_HOME": str(games.parent / "data")}


def run(games: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it printed."""
    command = [str(Path(sys.executable).with_name("pitboss")), *arguments]
    return subprocess.run(
        command, cwd=games.parent, env=environment(games), capture_output=True, text=True, check=False
    )
