"""Takes the pictures of docs/pictures: every page at three widths, light and dark, from servers with real rounds."""

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.chromium import ARGUMENTS, ensure
from browser.scenes import counted, played, shown, staffed
from browser.scenes.album import Album, Scenes

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SCENES: dict[tuple[str, ...], Scenes] = {
    shown.OPENED: shown.opened,
    played.TABLES: played.tables,
    played.WON: played.won,
    ("coach",): played.coach,
    counted.LAB: counted.lab,
    counted.SUBMITTED: counted.submitted,
    staffed.WORKED: staffed.worked,
}
NAMES = tuple(name for names in SCENES for name in names)


def main(arguments: Sequence[str] | None = None) -> None:
    """Take all pictures, or those that are named."""
    parser = argparse.ArgumentParser(prog="browser.pictures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to take: {', '.join(NAMES)}")
    parser.add_argument("--into", type=Path, default=FOLDER, help="the folder they are put into")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"there is no picture called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    album = Album(given.into, given.names)
    failed: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=list(ARGUMENTS))
        for names, scenes in SCENES.items():
            if album.wants(*names):
                begun = time.monotonic()
                try:
                    with tempfile.TemporaryDirectory() as folder:
                        scenes(album, browser, Path(folder))
                except Exception:  # the other pictures are taken all the same
                    traceback.print_exc()
                    failed += names
                print(f"{', '.join(names)}: {time.monotonic() - begun:.0f} s", flush=True)
        browser.close()
    taken = album.close()
    size = sum(path.stat().st_size for path in given.into.glob("*.png"))
    print(f"{taken} pictures taken; {given.into} holds {size / 1e6:.1f} MB")
    if failed:
        sys.exit(f"Not all of these could be taken: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
