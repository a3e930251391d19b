"""The page's colors can be told apart: the tokens of both themes, by the contrast that WCAG 2.2 AA asks for."""

import re
from itertools import product
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "web" / "src"
CSS = (PAGE / "app.css").read_text("utf-8")
TEXT, SHAPE = 4.5, 3.0
GROUNDS = ("room", "panel", "panel-2")
WRITTEN = ("text", "text-soft", "accent-text", "win-text", "loss-text", "push-text")
FELTS = ("felt", "felt-deep", "felt-bright")
ON_FELT = ("felt-text", "felt-link")
SETTLED = ("felt-win", "felt-loss", "felt-push")  # around the amount of a wager that is settled
INKS = ("card-ink", "card-red", "card-blue", "card-green")
FAINT_ON_FELT = 0.82  # how opaque the faintest text is: a printed line, a vacant seat's number
WON = 0.34  # how much of the color a winning amount lies on

Color = tuple[float, float, float]


def tokens(theme: str) -> dict[str, tuple[Color, float]]:
    """Return the colors of a theme with their opacity; the light theme overrides the dark one."""
    blocks = re.findall(r":root(\[data-theme='light'\])? \{(.*?)\n\}", CSS, re.DOTALL)
    assert len(blocks) >= 2
    found: dict[str, tuple[Color, float]] = {}
    for is_light, block in blocks:
        if is_light and theme != "light":
            continue
        for name, red, green, blue in re.findall(r"--([\w-]+): #(\w\w)(\w\w)(\w\w);", block):
            found[name] = (int(red, 16) / 255, int(green, 16) / 255, int(blue, 16) / 255), 1.0
        for name, red, green, blue, part in re.findall(r"--([\w-]+): rgb\((\d+) (\d+) (\d+) / ([\d.]+)\);", block):
            found[name] = (int(red) / 255, int(green) / 255, int(blue) / 255), float(part)
    return found


def over(color: tuple[Color, float], ground: Color) -> Color:
    """Return what is seen when a color lies on a ground."""
    (red, green, blue), part = color
    return (
        red * part + ground[0] * (1 - part),
        green * part + ground[1] * (1 - part),
        blue * part + ground[2] * (1 - part),
    )


def luminance(color: Color) -> float:
    """Return the relative luminance."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: tuple[Color, float], ground: Color) -> float:
    """Return the contrast of a color on a ground, from 1 to 21."""
    low, high = sorted((luminance(over(color, ground)), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_right() -> None:
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    assert contrast((black, 1.0), white) == pytest.approx(21)
    assert contrast(((119 / 255,) * 3, 1.0), white) == pytest.approx(4.48, abs=0.01)
    assert contrast((black, 0.0), white) == 1


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_kind_of_text_is_readable_on_every_ground(theme: str) -> None:
    known = tokens(theme)
    pairs = [*product(WRITTEN, GROUNDS), ("on-accent", "accent"), *product(ON_FELT, FELTS), *product(INKS, ("card",))]
    weak = {pair: found for pair in pairs if (found := contrast(known[pair[0]], known[pair[1]][0])) < TEXT}
    assert not weak
    faint = (known["felt-text"][0], FAINT_ON_FELT)
    assert min(contrast(faint, known[felt][0]) for felt in FELTS) >= TEXT
    assert contrast(known["felt-text"], over((known["win"][0], WON), known["felt-deep"][0])) >= TEXT


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_edges_of_controls_and_printed_lines_can_be_seen(theme: str) -> None:
    known = tokens(theme)
    pairs = [*product(("line-strong",), GROUNDS), *product(("felt-line", "accent", *SETTLED), FELTS)]
    weak = {pair: found for pair in pairs if (found := contrast(known[pair[0]], known[pair[1]][0])) < SHAPE}
    assert not weak


def test_the_felt_is_drawn_only_in_colors_that_were_tested_on_it() -> None:
    drawn = "\n".join(path.read_text("utf-8") for path in (PAGE / "felt").glob("*.svelte"))
    assert not re.findall(r"stroke: var\(--(?:win|loss|push)(?:-text)?\)", drawn)
    assert all(float(part) >= FAINT_ON_FELT for part in re.findall(r"text[^{}]*\{[^}]*[^-]opacity: ([\d.]+)", drawn))
    everywhere = "\n".join(path.read_text("utf-8") for path in PAGE.rglob("*.svelte"))
    assert not re.findall(r"color-mix\([^()]*var\(--felt\)[^()]*white", everywhere)  # the light has its own token
