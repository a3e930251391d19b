"""What comes before the application: headers, origins, sizes, rates; and the server's health and metrics."""

import asyncio
import contextlib
import io
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitboss.games.catalogue import game_names
from pitboss.record.entries import Head
from pitboss.record.group_commit import Health
from pitboss.server import file_integrity, request_limits
from pitboss.server.app import make_floor
from pitboss.server.logs import FIELDS, start_logging
from pitboss.server.open_floor import FloorSettings, FloorUnusable
from pitboss.server.request_limits import BODY_BYTES_MOST, CLIENT, Bucket, Rates
from pitboss.server.routes import audit
from server.running import Client, Running, frames_until

pytestmark = pytest.mark.xdist_group("server")
TABLE = game_names()[0]


def test_a_change_names_its_origin_or_carries_the_clients_header(running: Running) -> None:
    client = Client(running, None)
    del client.http.headers[CLIENT]
    assert client.http.get("/api/tables").status_code == 200
    bare = client.http.post("/api/links", json={"token": "0" * 64})
    assert bare.status_code == 403
    named = client.http.post("/api/links", json={"token": "0" * 64}, headers={"origin": running.address})
    assert named.status_code == 401
    null = client.http.post("/api/links", json={"token": "0" * 64}, headers={"origin": "null"})
    assert null.status_code == 403


def test_a_large_body_is_refused_whether_or_not_it_states_its_length(running: Running) -> None:
    client = Client(running, None)
    text = json.dumps({"token": "x" * BODY_BYTES_MOST})
    assert client.http.post("/api/links", content=text).status_code == 413
    pieces = (text[start : start + 1000].encode() for start in range(0, len(text), 1000))
    assert client.http.post("/api/links", content=pieces).status_code in (400, 413, 422)


def test_a_body_that_comes_too_slowly_is_not_waited_for(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "BODY_SECONDS_MOST", 0.2)

    def dripping() -> Iterator[bytes]:
        yield b'{"token": "'
        time.sleep(1.5)
        yield b'x"}'

    started = time.monotonic()
    with contextlib.suppress(httpx.WriteError, httpx.RemoteProtocolError):  # the server may hang up meanwhile
        assert Client(running, None).http.post("/api/links", content=dripping()).status_code in (400, 408, 422)
    assert time.monotonic() - started < 5
    whole = Client(running, None).http.post("/api/links", json={"token": "0" * 64})
    assert whole.status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(running: Running, people: dict[str, Client]) -> None:
    path = running.key_holders_link("bob")
    answer = Client(running, None).http.get(path)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    people["bob"].http.get(running.key_holders_link("bob"))


def test_health_readiness_and_measures(
    running: Running, people: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    http = Client(running, None).http
    assert http.get("/health").json() == {"status": "alive"}
    assert http.get("/ready").status_code == 200
    text = people["aud"].http.get("/metrics").text
    assert "pitboss_tables" in text
    assert "pitboss_sockets" in text
    monkeypatch.setattr(type(running.app.state.floor.writer), "health", Health.NEARLY_FULL)
    assert http.get("/ready").status_code == 503


def test_nothing_is_wagered_while_the_record_is_nearly_full(
    people: dict[str, Client], running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(running.app.state.floor.writer), "health", Health.NEARLY_FULL)
    answer = people["alice"].command(TABLE, {"kind": "PlaceWagers", "seat": 1, "stakes": {}})
    assert "Storage is full" in answer.json()["refused"]["reason"]


def test_a_flood_from_one_visitor_is_slowed_and_doors_sooner(tmp_path: Path) -> None:
    slow = Running(tmp_path, rates=Rates(0.0, 5.0, 0.0, 2.0))
    http = Client(slow, None).http
    statuses = [http.get("/health").status_code for _ in range(8)]
    tried = [http.post("/api/links", json={"token": "0" * 64}).status_code for _ in range(4)]
    slow.stop()
    assert statuses == [200] * 5 + [429] * 3
    assert tried == [401, 401, 429, 429]


def test_tokens_come_back_with_time_and_never_for_a_clock_that_jumps_back() -> None:
    class Clock:
        now = 1_000

        def now_ms(self) -> int:
            return self.now

    clock = Clock()
    bucket = Bucket(2.0, 1.0, clock)
    assert [bucket.take(), bucket.take()] == [True, False]
    clock.now -= 900
    assert not bucket.take()
    clock.now += 500
    assert bucket.take()


def test_logs_are_lines_of_json_with_listed_fields_only() -> None:
    out = io.StringIO()
    handler = start_logging(logging.INFO, out)
    log = logging.getLogger("pitboss.tests")
    log.info("command done", extra={"table": "one", "kind": "Act", "card": "As", "token": "secret"})
    try:
        raise ValueError("As Kd")
    except ValueError:
        log.exception("broken")
    for name in ("pitboss", "uvicorn"):
        logging.getLogger(name).removeHandler(handler)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert lines[0] == {"at": lines[0]["at"], "level": "info", "event": "command done", "table": "one", "kind": "Act"}
    assert lines[1]["fault"] == "ValueError"
    assert lines[1]["where"].startswith(f"{Path(__file__).name}:")
    assert "As" not in out.getvalue()
    assert "secret" not in out.getvalue()
    assert not {"card", "cards", "token", "reason", "body"} & set(FIELDS)


def test_no_log_line_of_play_holds_a_link_a_ticket_or_a_cookie(running: Running, people: dict[str, Client]) -> None:
    out = io.StringIO()
    handler = start_logging(logging.INFO, out)
    path = running.key_holders_link("aud")
    people["aud"].http.get(path)
    people["aud"].http.get(f"/api/tables/{TABLE}")
    with people["aud"].live(TABLE) as socket_:
        frames_until(socket_, lambda frame: "view" in frame)
    for name in ("pitboss", "uvicorn"):
        logging.getLogger(name).removeHandler(handler)
    assert '"route": "/links/{token}"' in out.getvalue()
    assert path.rpartition("/")[2] not in out.getvalue()
    assert "ticket=" not in out.getvalue()
    assert people["aud"].http.cookies["pitboss_session"] not in out.getvalue()


def test_a_fault_of_our_own_says_nothing_of_itself(people: dict[str, Client], monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: Any) -> None:
        raise RuntimeError("the hole card is As")

    monkeypatch.setattr(audit, "search", faulty)
    answer = people["aud"].http.get("/api/audit/rounds")
    assert answer.status_code == 500
    assert answer.json()["refused"]["reason"].startswith("Something went wrong")
    assert "As" not in answer.text
    assert "Traceback" not in answer.text


def test_a_changed_byte_of_the_program_stops_wagering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program"
    program.mkdir()
    (program / "rules.py").write_text("pays = 1")
    original = file_integrity.software_digest
    monkeypatch.setattr(file_integrity, "software_digest", lambda: original(program))

    async def run() -> tuple[Any, ...]:
        floor = make_floor(FloorSettings(tmp_path / "data"))
        await floor.start()
        await floor.check_software()
        sound = floor.house.wagering_stopped()
        (program / "rules.py").write_text("pays = 2")
        await floor.check_software()
        changed = floor.house.wagering_stopped()
        kinds = [entry.kind for entry in floor.store.read("floor")]
        await floor.stop()
        return sound, changed, kinds

    sound, changed, kinds = asyncio.run(run())
    assert sound is None
    assert changed == file_integrity.CHANGED
    assert kinds == ["floor.SoftwareHashed", "floor.SoftwareChanged"]


def test_the_digest_covers_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    first = file_integrity.software_digest(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert file_integrity.software_digest(tmp_path) != first
    assert file_integrity.software_digest() == file_integrity.software_digest()


def test_one_process_holds_a_data_folder(tmp_path: Path) -> None:
    floor = make_floor(FloorSettings(tmp_path))
    with pytest.raises(FloorUnusable, match="Another process"):
        make_floor(FloorSettings(tmp_path))
    floor.close()
    make_floor(FloorSettings(tmp_path)).close()


def test_heads_that_could_not_be_exported_are_exported_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.server.open_floor.RETRY_S", 0.01)
    monkeypatch.setattr("pitboss.server.open_floor.MINUTE_S", 0.01)
    tried = 0

    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        await floor.start()
        append = floor.heads._file.append

        def full(text: str) -> None:
            nonlocal tried
            tried += 1
            if tried <= 6:  # both by the round and by the minute
                raise OSError(28, "No space left on device")
            append(text)

        monkeypatch.setattr(floor.heads._file, "append", full)
        try:
            for _ in range(400):
                floor.heads.follow("money", Head(tried + 2, "1" * 64))
                floor._heads_due.set()
                await asyncio.sleep(0.01)
                if tried > 7:
                    break
        finally:
            monkeypatch.setattr(floor.heads._file, "append", append)
            await floor.stop()

    asyncio.run(run())
    assert tried > 7
    assert '"stream":"money"' in (tmp_path / "heads" / "heads.jsonl").read_text()


def test_each_person_and_each_address_has_its_own_share_of_what_is_costly(tmp_path: Path) -> None:
    slow = Running(tmp_path, rates=Rates(1e9, 1e9, 0.0, 4.0, 0.0, 3.0))
    person, stranger = Client(slow, "aud"), Client(slow, None).http  # the link takes a token of the door's four
    assert [person.http.get("/api/reports/shifts").status_code for _ in range(4)] == [200] * 3 + [429]
    assert stranger.get("/api/tables").status_code == 200
    assert stranger.get("/api/reports/shifts").status_code == 429, "the same address"
    wrong = {"old": "x", "password": "y"}
    tried = [person.http.post("/api/me/password", json=wrong).status_code for _ in range(4)]
    slow.stop()
    assert tried == [409] * 3 + [429]


def test_pins_cost_a_slow_hash_too_and_are_limited_like_passwords(tmp_path: Path) -> None:
    slow = Running(tmp_path, rates=Rates(1e9, 1e9, 0.0, 4.0, 0.0, 3.0))
    person = Client(slow, "aud")  # the link takes a token of the door's four
    asked = [("/api/me/pin", {"password": "x", "pin": "2580"}), ("/api/unlock", {"pin": "2580"})] * 2
    tried = [person.http.post(path, json=body).status_code for path, body in asked]
    slow.stop()
    assert tried == [204, 200, 204, 429]


def test_a_session_is_limited_wherever_it_comes_from() -> None:
    class Clock:
        def now_ms(self) -> int:
            return 0

    async def app(scope: Any, receive: Any, send: Any) -> None:
        statuses.append(200)

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.append(message["status"])

    statuses: list[int] = []
    guard = request_limits.Guard(app, frozenset(), Clock(), Rates(1.0, 100.0, 1.0, 2.0))
    asked = {"type": "http", "method": "GET", "path": "/links/x", "scheme": "http"}
    asked["headers"] = [(b"cookie", b"a=b; pitboss_session=feed")]  # type: ignore[assignment]

    async def run() -> None:
        for number in range(4):
            await guard({**asked, "client": (f"192.0.2.{number}", 1)}, None, send)

    asyncio.run(run())
    assert statuses == [200, 200, 429, 429]


def test_a_forwarded_address_counts_only_from_a_named_proxy(tmp_path: Path) -> None:
    def sources(proxies: frozenset[str], folder: str) -> set[str]:
        running = Running(tmp_path / folder, rates=Rates(1e9, 1e9, 0.0, 2.0), proxies=proxies)
        http = Client(running, None).http
        for number in range(3):
            forged = {"x-forwarded-for": f"192.0.2.{number}", "x-forwarded-proto": "https"}
            answer = http.post("/api/links", json={"token": "0" * 64}, headers=forged)
            said.add((folder, answer.status_code, "strict-transport-security" in answer.headers))
        running.stop()
        return said

    said: set[Any] = set()
    sources(frozenset(), "none")
    sources(frozenset({"127.0.0.1"}), "named")
    assert said == {("none", 401, False), ("none", 429, False), ("named", 401, True)}


def test_over_tls_the_cookie_is_bound_to_its_host_and_no_other_cookie_counts(tmp_path: Path) -> None:
    running = Running(tmp_path, proxies=frozenset({"127.0.0.1"}))
    over_tls = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1"}
    http = Client(running, None).http
    answer = http.post("/api/links", json={"token": running.links["bob"]}, headers=over_tls)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-pitboss_session=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    token = cookie.partition("=")[2].partition(";")[0]
    planted = {"cookie": f"pitboss_session={token}", **over_tls}
    own = {"cookie": f"__Host-pitboss_session={token}", **over_tls}
    http.cookies.clear()
    assert http.get("/api/me", headers=planted).status_code == 401
    assert http.get("/api/me", headers=own).status_code == 200
    running.stop()
