"""What makes the page an app of its own: its manifest, its outline, and a page for when the house can't be reached."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]
GAME = game_names()[0]
MANIFEST = """async () => {
  const link = document.querySelector('link[rel="manifest"]')
  const manifest = await (await fetch(link.href)).json()
  const sizes = await Promise.all(manifest.icons.map(async (icon) => {
    const image = new Image()
    image.src = icon.src
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }))
  const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content
  return {manifest, sizes, theme: meta('theme-color'), viewport: meta('viewport'), description: meta('description')}
}"""
HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter((heading) => heading.checkVisibility())
  .map((heading) => [Number(heading.tagName[1]), heading.textContent.trim()])"""


def outline_faults(page: Page, path: str) -> list[str]:
    """Return what is wrong with the headings of a page: it has a single first one, and no level is left out."""
    headings: list[tuple[int, str]] = page.evaluate(HEADINGS)
    faults = [] if [level for level, _ in headings].count(1) == 1 else [f"{path}: first headings: {headings}"]
    for (level, _), (after, title) in pairwise(headings):
        if after > level + 1:
            faults.append(f"{path}: {title!r} is of level {after} after {level}")
    return faults + [f"{path}: a heading of level {level} is empty" for level, title in headings if not title]


def test_the_manifest_has_what_an_installation_needs(staged: Staged, visit: Visit) -> None:
    page = visit(staged([GAME]), None).goto("/")
    found: dict[str, Any] = page.evaluate(MANIFEST)
    manifest = found["manifest"]
    assert manifest["name"]
    assert len(manifest["short_name"]) <= 12
    assert manifest["start_url"].startswith(manifest["scope"])
    assert manifest["display"] == "standalone"
    assert manifest["theme_color"] == found["theme"]
    assert re.fullmatch(r"#[0-9a-f]{6}", manifest["background_color"])
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert all(icon["sizes"] == "any" for icon in manifest["icons"])  # drawn at any size, so at 192 and 512 too
    assert all(width == height > 0 for width, height in found["sizes"])
    assert "width=device-width" in found["viewport"]
    assert "user-scalable" not in found["viewport"]
    assert found["description"]


def test_a_page_of_its_own_is_shown_while_the_house_cannot_be_reached(chromium: Browser, staged: Staged) -> None:
    stage = staged([GAME])
    context = chromium.new_context()  # with its service worker, which other tests do without
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(stage.address)
    page.get_by_test_id(f"table-{GAME}").wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto(f"{stage.address}/history")
    expect(page.get_by_role("heading", level=1)).to_have_text("You’re offline")
    expect(page.get_by_text("Su asiento y sus apuestas están a salvo")).to_be_visible()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    assert outline_faults(page, "offline") == []
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    page.get_by_test_id(f"table-{GAME}").wait_for()
    context.close()


def test_every_page_has_an_outline(staged: Staged, visit: Visit) -> None:
    stage, faults = staged([GAME]), []
    for name, paths in {
        None: ("/", "/sign-in", f"/tables/{GAME}", f"/lab/{GAME}/paytable", f"/practice/{GAME}", "/no-such-page"),
        "alice": ("/history", "/password"),
        "pit": ("/floor", "/floor/reports", "/floor/meters", "/floor/money"),
        "cay": ("/floor/cage",),
        "adam": ("/floor/people",),
        "aud": ("/audit",),
        "olga": ("/submissions",),
        "dea": ("/dealer",),
    }.items():
        visitor = visit(stage, name)
        visitor.forgive()  # the unknown address
        for path in paths:
            page = visitor.goto(path)
            page.locator("h1").first.wait_for()
            page.wait_for_load_state("networkidle")
            faults += outline_faults(page, path)
    assert not faults, "\n".join(faults)
