"""Takes a page's pictures: three widths, light and dark, once everything on it has come to rest."""

import io
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Self

from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from browser.staged import Visitor
from server.running import Running

SIZES = {390: 844, 1280: 800, 1920: 1080}
NARROW = (390,)
WIDE = (1280, 1920)
THEMES = ("dark", "light")
COLOURS = 256
AT_REST = """async () => {
    const frame = () => new Promise(requestAnimationFrame)
    await document.fonts.ready
    await frame(); await frame()
    const ends = one => one.effect && Number.isFinite(one.effect.getComputedTiming().endTime)
    // A colour that is inherited may begin to change when the one it is inherited from has changed.
    for (let waits = 0; waits < 20; waits++) {
        const moving = document.getAnimations().filter(one => ends(one) && one.playState === 'running')
        if (!moving.length) break
        await Promise.allSettled(moving.map(one => one.finished))
        await frame(); await frame()
    }
    await Promise.allSettled([...document.images].map(one => one.decode()))
    await frame(); await frame()
}"""
TO_THE_TOP = "() => { for (const one of document.querySelectorAll('*')) if (one.scrollTop) one.scrollTop = 0 }"
IN_VIEW = """one => {
    const box = one.getBoundingClientRect()
    if (box.top >= 0 && box.bottom <= innerHeight) return
    one.scrollIntoView({block: box.height > innerHeight ? 'start' : 'center', behavior: 'instant'})
}"""
UNTOUCHED = "() => document.querySelector('dialog[open]') || document.activeElement?.blur()"


class Album:
    """A folder of pictures, of which some or all are wanted."""

    def __init__(self, folder: Path, wanted: Sequence[str] = ()) -> None:
        self.folder, self.wanted = folder, wanted
        self._keeping = ProcessPoolExecutor(1, get_context("spawn"))  # the server runs in this process
        self._kept: list[Future[None]] = []
        folder.mkdir(parents=True, exist_ok=True)

    def wants(self, *names: str) -> bool:
        """Say whether any of these pictures is to be taken."""
        return not self.wanted or any(name in self.wanted for name in names)

    def take(self, page: Page, name: str, widths: Sequence[int] = tuple(SIZES), about: Locator | None = None) -> None:
        """Save a page as it is, from its top or scrolled to its subject."""
        if not self.wants(name):
            return
        before = page.viewport_size
        page.evaluate(UNTOUCHED)
        page.mouse.move(0, 0)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            for width in widths:
                page.set_viewport_size({"width": width, "height": SIZES[width]})
                page.evaluate(TO_THE_TOP)
                page.evaluate(AT_REST)
                if about is not None:
                    about.evaluate(IN_VIEW)
                file = self.folder / f"{name}-{width}-{theme}.png"
                self._kept.append(self._keeping.submit(keep, page.screenshot(), file))
        if before is not None:
            page.set_viewport_size(before)
        page.evaluate(AT_REST)

    def close(self) -> int:
        """Wait until every picture is saved, and return how many they are."""
        for item in self._kept:
            item.result()
        self._keeping.shutdown()
        return len(self._kept)


def keep(picture: bytes, file: Path) -> None:
    """Save a picture with few colours, in few bytes."""
    # Without the second look at its colours a small patch of brass takes on those of the cards.
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, kmeans=1)
    image.save(file, optimize=True)


class Visitors:
    """Everyone who comes while a stage is open, each with a browser of their own in which nothing moves."""

    def __init__(self, browser: Browser, stage: Running) -> None:
        self.browser, self.stage = browser, stage
        self._come: list[Visitor] = []

    def come(self, name: str | None) -> Visitor:
        """Open a visitor's browser and sign in."""
        self._come.append(Visitor(self.browser, self.stage, name, reduced_motion="reduce"))
        self._come[-1].context.set_default_timeout(120_000)  # of a machine that is busy with other things
        return self._come[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        # Everyone goes and the server is closed, whatever came of the pictures.
        for item in self._come:
            item.context.close()
        self.stage.stop()


Scenes = Callable[[Album, Browser, Path], None]
