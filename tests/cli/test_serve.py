"""`pitboss serve` and `pitboss demo` as processes: they open, print links, close on Ctrl-C, and say what is wrong."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("server")
COMMAND = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())"]


def started(*arguments: str) -> tuple[subprocess.Popen[str], list[str]]:
    """Start a floor and return it with the lines it prints until it is open."""
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    wanted = 7 if arguments[0] == "demo" else 2
    while len(lines) < wanted and lines[-1]:
        lines.append(process.stdout.readline())
    return process, lines


@pytest.fixture(scope="module")
def closed_floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a floor that was open once."""
    data = tmp_path_factory.mktemp("closed") / "data"
    process, _ = started("serve", "--data", str(data))
    assert closed(process)[0] == 0
    return data


@pytest.fixture
def data(closed_floor: Path, tmp_path: Path) -> Path:
    """A copy of that folder, for a test to change."""
    return Path(shutil.copytree(closed_floor, tmp_path / "data"))


def closed(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Interrupt a floor and return how it ended and what it said besides."""
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    return process.returncode, said


def failed(*arguments: str) -> str:
    """Run a command that cannot open its floor, and return its one sentence."""
    ended = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=240, check=False)
    assert ended.returncode == 1, ended
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
    return ended.stderr


def test_a_demonstration_opens_prints_four_links_and_closes(tmp_path: Path) -> None:
    process, lines = started("demo", "--data", str(tmp_path))
    links = dict(re.findall(r"^ +(\S+) +(http\S+)$", "".join(lines), re.MULTILINE))
    assert list(links) == ["player", "dealer", "floorperson", "auditor"]
    tokens = {link.rpartition("/")[2] for link in links.values()}
    assert len(tokens) == 4
    assert all(re.fullmatch(r"[0-9a-f]{64}", token) for token in tokens)
    with urllib.request.urlopen(links["player"]) as answer:
        assert "player" in answer.read().decode() or answer.status == 200
    code, said = closed(process)
    assert code == 0
    assert "Traceback" not in said
    assert (tmp_path / "heads" / "heads.jsonl").stat().st_size > 0
    assert (tmp_path / "keys" / "master.keys").stat().st_mode & 0o077 == 0


def test_a_floor_without_an_administrator_prints_the_link_of_the_first(tmp_path: Path) -> None:
    process, lines = started("serve", "--data", str(tmp_path), "--administrator", "ada")
    assert re.search(r"One-time sign-in link for ada: http://127\.0\.0\.1:\d+/links/[0-9a-f]{64}", lines[1])
    code, said = closed(process)
    assert code == 0
    assert '"event": "floor open"' in said
    assert lines[1].rpartition("/")[2].strip() not in said


def test_fresh_forgets_the_last_demonstration_and_leaves_other_files(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    process, _ = started("demo", "--data", str(tmp_path))
    closed(process)
    before = (tmp_path / "keys" / "master.keys").read_text()
    process, _ = started("demo", "--data", str(tmp_path), "--fresh")
    closed(process)
    assert (tmp_path / "keys" / "master.keys").read_text() != before
    assert (tmp_path / "mine.txt").read_text() == "keep"


def test_a_port_in_use_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = failed("demo", "--data", str(tmp_path), "--port", str(port))
    assert f"Port {port} is in use" in said


def test_an_unwritable_folder_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written to" in failed("serve", "--data", str(tmp_path / "file" / "data"), "--port", "0")


def test_a_key_file_open_to_others_is_reported_in_a_sentence(data: Path) -> None:
    (data / "keys" / "master.keys").chmod(0o644)
    assert "can be read by other users" in failed("serve", "--data", str(data), "--port", "0")


def test_a_newer_database_is_reported_in_a_sentence(data: Path) -> None:
    with sqlite3.connect(data / "record.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    assert "newer version" in failed("serve", "--data", str(data), "--port", "0")


def test_a_second_server_on_one_folder_is_reported_in_a_sentence(tmp_path: Path) -> None:
    process, _ = started("serve", "--data", str(tmp_path))
    try:
        assert "Another process" in failed("serve", "--data", str(tmp_path), "--port", "0")
    finally:
        closed(process)


def test_a_full_disk_is_reported_in_a_sentence(data: Path) -> None:
    # The database may not grow by a single page: the same answer that a full disk gives.
    script = (
        "import sqlalchemy as sa\n"
        "from pitboss.record import sql_engine\n"
        "make = sql_engine._sqlite_engine\n"
        "def small(address):\n"
        "    engine = make(address)\n"
        "    sa.event.listen(engine, 'connect', lambda connection, _: connection.execute('PRAGMA max_page_count=1'))\n"
        "    return engine\n"
        "sql_engine._sqlite_engine = small\n"
        "from pitboss.cli import main\n"
        "raise SystemExit(main())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, "demo", "--data", str(data), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ended.returncode == 1
    assert "Storage is full" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


def test_a_killed_floor_opens_again(tmp_path: Path) -> None:
    process, _ = started("demo", "--data", str(tmp_path))
    time.sleep(1)
    process.kill()
    process.communicate(timeout=240)
    process, lines = started("demo", "--data", str(tmp_path))
    assert len(lines) == 7
    assert closed(process)[0] == 0
