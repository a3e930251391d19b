"""Wrong passwords lock nobody out for good, a floor always opens, and only its owner can read its files."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from pitboss.server.request_limits import CLIENT
from scenarios.floor import ScenarioFloor, unique
from scenarios.test_giving_access import confirm
from server.running import NO_TLS

pytestmark = pytest.mark.xdist_group("server")
COMMAND = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())"]
PASSWORD, WRONG = "a heron by the mill", "not the heron at all"
NAME = "ada"
LOCKED_MS = 61_000  # the first lockout lasts a minute


@contextmanager
def serving(data: Path, *options: str) -> Iterator[tuple[str, list[str]]]:
    """Run `pitboss serve` on a folder, and give its address with the lines it prints."""
    lines: list[str] = []
    process = subprocess.Popen(
        [*COMMAND, "serve", "--data", str(data), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines.append(process.stdout.readline())
        found = re.search(r"http://\S+?(?=\. )", lines[0])
        assert found is not None, f"the floor did not open: {lines}"
        address = found.group()
        end = time.monotonic() + 300
        while httpx.get(f"{address}/ready", timeout=240, verify=NO_TLS).status_code != 200:
            assert time.monotonic() < end, "the floor is not ready"
        yield address, lines
        process.send_signal(signal.SIGINT)
        lines.extend(process.stdout)  # also what came with the first line
        assert process.wait(240) == 0
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def at_machine(*arguments: str) -> str:
    """Run a command of `pitboss people` and return what it prints."""
    ended = subprocess.run([*COMMAND, "people", *arguments], capture_output=True, text=True, timeout=240, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def visitor(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, headers={CLIENT: "tests"}, timeout=240, verify=NO_TLS)


def sign_in(address: str, password: str, name: str = NAME) -> int:
    with visitor(address) as client:
        return client.post("/api/sign-in", json={"name": name, "password": password}).status_code


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Open a floor for the first time, have its administrator set a password by the link it prints, and close it."""
    data = tmp_path_factory.mktemp("founded") / "floor"
    data.mkdir()
    with serving(data, "--administrator", NAME) as (address, _):
        link = at_machine("link", NAME, "--data", str(data), "--address", address)
        with visitor(address) as client:
            token = link.strip().rpartition("/")[2]
            assert client.post("/api/links", json={"token": token}).status_code == 200
            assert client.post("/api/me/password", json={"password": PASSWORD}).status_code == 204
        assert sign_in(address, PASSWORD) == 200
    return data


@pytest.fixture
def data(founded: Path, tmp_path: Path) -> Path:
    """A copy of that floor's data, for a test to open again."""
    return Path(shutil.copytree(founded, tmp_path / "floor"))


def test_three_wrong_passwords_keep_no_floor_from_opening_and_an_unlock_works_beside_it(data: Path) -> None:
    with serving(data) as (address, _):
        assert [sign_in(address, WRONG) for _ in range(3)] == [401] * 3
        assert sign_in(address, PASSWORD) == 401
    with serving(data) as (address, lines):
        assert sign_in(address, PASSWORD) == 401, "a restart ends no lockout"
        assert at_machine("unlock", NAME, "--data", str(data)) == f"{NAME} can sign in again.\n"
        assert sign_in(address, PASSWORD) == 200
    assert not any("/links/" in line for line in lines), "wrong passwords by a stranger found no second administrator"
    refused = subprocess.run(
        [*COMMAND, "people", "unlock", NAME, "--data", str(data)], capture_output=True, text=True, check=False
    )
    assert (refused.returncode, refused.stderr) == (1, f"{NAME} isn't locked (H-17).\n")


def test_a_lockout_ends_by_itself(floor: ScenarioFloor) -> None:
    name = unique("walker")
    assert floor.office("adam", {"kind": "AddPerson", "person": name, "roles": ["player"]}).status_code == 200
    given = floor.people["adam"].http.post(f"/api/people/{name}/password", json={"password": PASSWORD})
    assert given.status_code == 200, given.text
    assert confirm(floor, "ann", given.json()["proposal"]).status_code == 200
    assert [sign_in(floor.address, WRONG, name) for _ in range(3)] == [401] * 3
    assert sign_in(floor.address, PASSWORD, name) == 401
    floor.pass_time(LOCKED_MS)
    assert sign_in(floor.address, PASSWORD, name) == 200, "nobody had to unlock it"


def test_a_reset_beside_an_open_floor_ends_the_old_password_and_starts_again_with_a_link(data: Path) -> None:
    with serving(data) as (address, _):
        said = at_machine("reset", NAME, "--data", str(data), "--address", address)
        assert sign_in(address, PASSWORD) == 401
        with visitor(address) as client:
            token = said.strip().rpartition("/")[2]
            assert client.post("/api/links", json={"token": token}).status_code == 200
            assert client.post("/api/me/password", json={"password": PASSWORD}).status_code == 204
        assert sign_in(address, PASSWORD) == 200


def test_a_floor_opens_whoever_is_named_as_its_administrator(tmp_path: Path) -> None:
    data = tmp_path / "floor"
    with serving(data, "--administrator", "first") as (_, lines):
        pass
    assert "link for first:" in lines[1]
    with serving(data) as (_, lines):
        pass
    assert "link for first:" in lines[1], "nobody has signed in, so it is offered again"
    with serving(data, "--administrator", "Not A Name") as (_, lines):
        pass
    assert "no active administrator" in lines[1], "the server starts and says what is wrong"


def test_every_file_of_a_data_folder_is_its_owners(tmp_path: Path) -> None:
    data = tmp_path / "floor"
    with serving(data):
        open_files = {path.name: path.stat().st_mode & 0o077 for path in data.rglob("*")}
    closed_files = {path.name: path.stat().st_mode & 0o077 for path in (data, *data.rglob("*"))}
    assert {"record.db", "record.db-wal", "master.keys"} <= open_files.keys()
    assert {name for name, mode in {**open_files, **closed_files}.items() if mode} == set()


def test_files_that_an_older_version_left_open_are_closed(tmp_path: Path) -> None:
    data = tmp_path / "floor"
    with serving(data):
        pass
    for name in ("record.db", "heads/heads.jsonl", "floor.lock"):
        (data / name).chmod(0o644)
    with serving(data):
        assert {
            name: (data / name).stat().st_mode & 0o077 for name in ("record.db", "heads/heads.jsonl", "floor.lock")
        } == {
            "record.db": 0,
            "heads/heads.jsonl": 0,
            "floor.lock": 0,
        }
