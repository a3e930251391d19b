"""Waits for the lab of a running server, and repeats a question until it is answered."""

import time
from typing import Any

import httpx

from patience import WAIT_S
from server.running import Client

NOT_YET = 202


def until_answered(client: Client, method: str, path: str, seconds: float = WAIT_S, **rest: Any) -> httpx.Response:
    """Ask the lab again and again while it says that it is not ready."""
    end = time.monotonic() + seconds
    while True:
        answer = client.http.request(method, f"/api{path}", **rest)
        if answer.status_code != NOT_YET:
            return answer
        assert time.monotonic() < end, answer.text
        time.sleep(0.2)


def asked(client: Client, path: str, body: dict[str, Any]) -> Any:
    """Return what the lab answers to a body."""
    answer = until_answered(client, "POST", f"/lab{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def got(client: Client, path: str, **query: Any) -> Any:
    """Return what the lab answers to a look."""
    answer = until_answered(client, "GET", f"/lab{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()
