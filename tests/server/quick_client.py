"""A client for tests that ask thousands of small questions: httpx takes longer for each than the server does."""

import json as json_form
import socket
import time
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Any

import httpx

# The server closes an idle connection after five seconds; one that is dropped before is never closed under us.
KEPT_S = 2.0
LEFT_OUT = ("accept-encoding", "connection")


class Answer:
    """What a server answered, with the names that httpx gives its parts."""

    def __init__(self, url: str, status_code: int, headers: Any, content: bytes) -> None:
        self.url = url
        self.status_code = status_code
        self.headers = headers
        self.content = content

    @property
    def text(self) -> str:
        """Return the body as text."""
        return self.content.decode()

    def json(self) -> Any:
        """Return the body as data."""
        return json_form.loads(self.content)

    def raise_for_status(self) -> "Answer":
        """Fail unless the answer is one of success."""
        assert 200 <= self.status_code < 300, f"{self.url}: {self.status_code} {self.text}"
        return self


class QuickClient(httpx.Client):
    """An httpx client whose plain questions go over a kept connection with little ado."""

    def __init__(self, *, local_address: str = "", **settings: Any) -> None:
        if local_address:
            settings["transport"] = httpx.HTTPTransport(local_address=local_address, verify=settings["verify"])
        super().__init__(**settings)
        self._source = (local_address, 0) if local_address else None
        self._idle: list[tuple[socket.socket, float]] = []  # the last used at the end; a thread takes one out

    def get(self, url: Any, **rest: Any) -> Any:
        """Ask for a page, quickly if nothing special is asked for."""
        return super().get(url, **rest) if rest else self._asked("GET", url, None)

    def post(self, url: Any, **rest: Any) -> Any:
        """Send data, quickly if it is JSON."""
        return super().post(url, **rest) if rest.keys() - {"json"} else self._asked("POST", url, rest.get("json"))

    def _asked(self, method: str, url: str, body: Any) -> Any:
        if not url.startswith("/") or not url.isascii() or " " in url:
            return super().request(method, url, json=body)
        lines = [f"{method} {url} HTTP/1.1", f"host: {self.base_url.netloc.decode()}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items() if name not in LEFT_OUT]
        if cookies := "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies.jar):
            lines.append(f"cookie: {cookies}")
        sent = b"" if body is None else json_form.dumps(body).encode()
        if sent:
            lines.append("content-type: application/json")
        if method != "GET":
            lines.append(f"content-length: {len(sent)}")
        connection = self._connection()
        try:
            connection.sendall("\r\n".join((*lines, "", "")).encode() + sent)
            status, headers, content, is_kept = _answer(connection)
        except BaseException:
            connection.close()
            raise
        if is_kept:
            self._idle.append((connection, time.monotonic()))
        else:
            connection.close()
        for line in headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies.delete(name) if morsel["max-age"] == "0" else self.cookies.set(name, morsel.value)
        return Answer(url, status, headers, content)

    def _connection(self) -> socket.socket:
        with suppress(IndexError):
            kept, used_at = self._idle.pop()
            if time.monotonic() - used_at < KEPT_S:
                return kept
            kept.close()
        made = socket.create_connection((self.base_url.host, self.base_url.port or 80), 240, self._source)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop()[0].close()
        super().close()


def _answer(connection: socket.socket) -> tuple[int, httpx.Headers, bytes, bool]:
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        data += _received(connection)
    first, *lines = data[:end].split(b"\r\n")
    data = data[end + 4 :]
    headers = httpx.Headers([(name, value) for name, _, value in (line.partition(b": ") for line in lines)])
    status = int(first.split(b" ", 2)[1])
    if headers.get("transfer-encoding") == "chunked":
        content = b""
        while True:
            while b"\r\n" not in data:
                data += _received(connection)
            size_line, data = data.split(b"\r\n", 1)
            size = int(size_line, 16)
            while len(data) < size + 2:
                data += _received(connection)
            content, data = content + data[:size], data[size + 2 :]
            if not size:
                break
    else:
        size = int(headers.get("content-length", 0))
        while len(data) < size:
            data += _received(connection)
        content = data
    return status, headers, content, headers.get("connection") != "close"


def _received(connection: socket.socket) -> bytes:
    received = connection.recv(1 << 16)
    if not received:
        raise httpx.RemoteProtocolError("the server closed the connection")
    return received
