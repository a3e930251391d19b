"""The wheel runs anywhere: installed into an empty environment it has its page, its commands and a demonstration."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from architecture.terminal import Terminal
from architecture.tree import ROOT

pytestmark = pytest.mark.xdist_group("server")


@pytest.mark.slow
def test_the_wheel_has_the_page_and_runs_without_a_checkout(tmp_path: Path) -> None:
    wheel = built(tmp_path / "dist")
    assert re.fullmatch(r"pitboss-[\d.]+-py3-none-any\.whl", wheel.name)
    assert wheel.name in (ROOT / "README.md").read_text("utf-8")
    home = tmp_path / "installed"
    venv.create(home, with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    into = ["--target", str(packages), "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *into, str(wheel)], check=True, cwd=tmp_path)
    # What the wheel needs is what the tests run with; the program itself comes only from the wheel.
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    program = packages / "bin" / "pitboss"
    program.write_text(program.read_text("utf-8").replace(sys.executable, str(home / "bin" / "python"), 1), "utf-8")

    terminal = Terminal(tmp_path, tools=())
    terminal.environment["PATH"] = f"{program.parent}{os.pathsep}{terminal.environment['PATH']}"
    terminal.environment.pop("PYTHONPATH", None)
    terminal.run("pitboss --version")
    terminal.run(f"test $(command -v pitboss) = {program}")
    with terminal.opened("pitboss demo --data demo --port 8000"):
        terminal.run("curl --fail --silent http://127.0.0.1:8000/ | grep --quiet assets/")


def built(folder: Path) -> Path:
    """Build the wheel around the page that is built already."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--quiet", "-w", folder, ROOT],
        env={**os.environ, "PITBOSS_SKIP_PAGE": "1"},
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel
