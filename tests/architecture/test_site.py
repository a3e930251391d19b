"""The documentation site: it builds, every link in it leads somewhere, and it loads nothing from elsewhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from architecture.tree import ROOT

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Html(HTMLParser):
    """A page as built: the anchors it has, where its links lead, and what a browser loads with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif given.get(LOADS.get(tag, "")):
            self.loads.append(given[LOADS[tag]])


def broken(pages: dict[Path, Html]) -> Iterator[str]:
    """Yield each link or file of a page that isn't there."""
    for path, page in pages.items():
        for target in page.links + page.loads:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if found.is_dir():
                found /= "index.html"
            anchor = unquote(parts.fragment)
            if not found.is_file() or (anchor and found in pages and anchor not in pages[found].anchors):
                yield f"{path.name}: {target}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Html]:
    """The pages of the site, built as `make docs` builds it, where a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert built.returncode == 0, built.stderr
    # The page for a missing address is served at any depth, and so names its files from the root.
    return {path: Html(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html")) if path.name != "404.html"}


@pytest.mark.slow
def test_every_link_of_the_site_leads_somewhere(site: dict[Path, Html]) -> None:
    assert len(site) > 60
    assert list(broken(site)) == []


@pytest.mark.slow
def test_no_page_of_the_site_loads_anything_from_elsewhere(site: dict[Path, Html]) -> None:
    loaded = {target for page in site.values() for target in page.loads}
    assert [target for target in loaded if urlsplit(target).scheme not in ("", "data") or urlsplit(target).netloc] == []
    folder = next(path.parent for path in site if path.name == "index.html")
    assert [sheet.name for sheet in folder.rglob("*.css") if "url(http" in sheet.read_text("utf-8")] == []


@pytest.mark.slow
def test_the_references_name_every_command_route_and_event(site: dict[Path, Html]) -> None:
    anchors = {path.stem: page.anchors for path, page in site.items() if path.parent.name == "reference"}
    assert {"pitboss-edge", "pitboss-people-link"} <= anchors["commands"]
    assert {"get-apitables", "wagersshown"} & anchors["http"]
    assert {"roundwagersplaced", "housesubmissionactivated"} <= anchors["events"]
    assert {"placewagers", "act", "correctread"} <= anchors["table-commands"]
    assert "pitboss.api.calls.edge" in anchors["python"]


def test_a_link_that_leads_nowhere_would_be_found(tmp_path: Path) -> None:
    page, other = tmp_path / "page.html", tmp_path / "other.html"
    other.write_text("")
    pages = {page: Html('<a href="other.html#here"><a href="gone.html"><a href="#top">'), other: Html('<h1 id="here">')}
    assert list(broken(pages)) == ["page.html: gone.html", "page.html: #top"]
