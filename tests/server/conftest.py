"""One server for all tests of a process, and people who have signed in there."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from server.running import PEOPLE, Client, Running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    found = Running(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()


@pytest.fixture(scope="session")
def people(running: Running) -> dict[str, Client]:
    return {name: Client(running, name) for name in PEOPLE}


@pytest.fixture(autouse=True)
def cleared_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    """Free the seats that a test left held at a server it shares: the next one must not meet what failed before it."""
    yield
    for shared in request.node.funcargs.values():
        if isinstance(shared, Running):
            shared.clear_tables()


@pytest.fixture
def alice(people: dict[str, Client]) -> Client:
    return people["alice"]


@pytest.fixture
def office(people: dict[str, Client]) -> Any:
    return partial(give, people)


def give(people: dict[str, Client], name: str, body: dict[str, Any], command_id: str | None = None) -> Any:
    """Give a command of the back office and return the answer."""
    client = people[name]
    client.number += 1
    asked = {"id": command_id or f"{name}-office-{client.number}", "body": body}
    return client.http.post("/api/office/commands", json=asked)
