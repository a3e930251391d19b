"""The built page as the server sends it: compressed once, cached forever if its name has the version."""

import re
from pathlib import Path

import pytest

from pitboss.server.routes import page
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")


def test_every_page_that_the_browser_knows_can_be_opened_by_its_address(running: Running) -> None:
    written = (Path(__file__).parents[3] / "web" / "src" / "pages.ts").read_text("utf-8")
    places = re.findall(r"\bat: '([^']+)'", written)
    assert len(places) > 5
    for place in places:
        answer = Client(running, None).http.get(f"/{place}")
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/html"), place


def test_every_address_of_the_page_gives_its_first_file(running: Running) -> None:
    http = Client(running, None).http
    first = http.get("/")
    assert first.headers["cache-control"] == "no-cache"
    for address in page.ADDRESSES:
        assert http.get(f"/{address}/something").text == first.text
    assert http.get("/elsewhere").status_code == 404


def test_assets_are_cached_forever_and_sent_compressed(running: Running) -> None:
    http = Client(running, None).http
    script = re.search(r'src="(/assets/[^"]+\.js)"', http.get("/").text)
    assert script is not None
    plain = http.get(script[1], headers={"accept-encoding": "identity"})
    small = http.get(script[1], headers={"accept-encoding": "gzip"})
    assert "immutable" in plain.headers["cache-control"]
    assert small.headers["content-encoding"] == "gzip"
    assert small.text == plain.text
    assert int(small.headers["content-length"]) < len(plain.content) / 2


def test_no_made_up_name_reaches_the_disk(running: Running) -> None:
    http = Client(running, None).http
    for name in ("..%2findex.html", "%2e%2e%2fapp.py", "index.html.gz%00", "missing.js"):
        assert http.get(f"/assets/{name}").status_code == 404


def test_without_a_built_page_the_server_says_so(
    running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(page.ELSEWHERE, str(tmp_path))
    assert "doesn't include the page" in Client(running, None).http.get("/").text
