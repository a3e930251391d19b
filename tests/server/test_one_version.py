"""One version of a game in a facility, kept by two real processes and a real PostgreSQL."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from pitboss.games.catalogue import games
from record.postgres import fresh_schema, server
from scenarios.floor import document_for
from server.beside import Pair, until
from server.conftest import give
from server.running import Client

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.slow]
RACES = 3


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with server() as postgres, fresh_schema(postgres) as url:
        found = Pair(tmp_path_factory.mktemp("versions"), url)
        yield found
        found.end()


def at_once(*asked: Callable[[], Any]) -> list[Any]:
    """Ask everything at the same moment and return the answers."""
    ready = threading.Barrier(len(asked))

    def ask(question: Callable[[], Any]) -> Any:
        ready.wait(240)
        return question()

    with ThreadPoolExecutor(len(asked)) as threads:
        return list(threads.map(ask, asked))


class Versions:
    """A table at each process, one facility, and the two versions of a game of which the facility may play one."""

    def __init__(self, pair: Pair, tables: tuple[str, str], facility: str) -> None:
        self.game = next(game for game in games() if game.one_version_option)
        self.pair, self.tables, self.facility = pair, tables, facility
        self.olga, self.pit, self.flo = (
            [pair.client(pair.owner(table), name) for table in tables] for name in ("olga", "pit", "flo")
        )

    def document(self, version: int) -> dict[str, Any]:
        option = self.game.options_by_name[self.game.one_version_option or ""]
        return document_for(self.game.name, facility=self.facility, options={option.name: option.values[version]})

    def proposed(self, place: int, version: int) -> dict[str, Any]:
        """File a version for a table, propose it and return what confirms it."""
        document, table = self.document(version), self.tables[place]
        filed = {"kind": "SubmitRules", "table": table, "document": document}
        answer = give({"olga": self.olga[0]}, "olga", filed, f"{table} {version} {time.monotonic_ns()}")
        assert answer.status_code == 200, answer.text
        put = {"kind": "ActivateSubmission", "document": document}
        return {"kind": "Confirm", "proposal": self.olga[place].must(table, put)["proposal"]}

    def both(self, people: list[Client], bodies: list[dict[str, Any]]) -> list[int]:
        """Give a command at each table at once and return the places: of the one carried out, then of the refused."""
        answers = at_once(*(partial(people[at].command, self.tables[at], bodies[at]) for at in (0, 1)))
        assert sorted(answer.status_code for answer in answers) == [200, 409], [answer.text for answer in answers]
        done, refused = sorted((0, 1), key=lambda at: answers[at].status_code)
        assert answers[refused].json()["refused"]["clause"] == self.game.one_version_cite
        return [done, refused]


def test_two_processes_do_not_put_two_versions_in_force_or_open_them_at_once(pair: Pair) -> None:
    names = [f"version-{number}" for number in range(4 * RACES)]
    olga = {"olga": pair.client(pair.both[0], "olga")}
    for name in names:
        body = {"kind": "SubmitRules", "table": name, "document": Versions(pair, (), name).document(0)}
        assert give(olga, "olga", body, f"new {name}").status_code == 200
    held = [f"table/{name}" for name in names]
    # Both at once: a table that is moving has no lease for a moment.
    until(lambda: pair.is_shared_out() and {lease.name for lease in pair.store.leases()[1]}.issuperset(held))
    own = [[name for name in names if pair.owner(name) is process] for process in pair.both]
    races = list(zip(*own, strict=False))[:RACES]
    assert len(races) == RACES
    for number, tables in enumerate(races):
        race = Versions(pair, tables, f"House {number}")
        done, refused = race.both(race.pit, [race.proposed(0, 0), race.proposed(1, 1)])
        # The facility changes over: the version of the other table is filed for this one too, which stays closed.
        race.proposed(done, refused)
        race.pit[refused].must(tables[refused], race.proposed(refused, refused))
        race.both(race.flo, [{"kind": "OpenTable", "tray_cents": 100_000_00}] * 2)
    report = pair.verified()
    assert report.is_sound, report.fault
