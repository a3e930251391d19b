"""Draws plots as SVG: the net results of one round, and the 95% range of the house's result over many rounds."""

import io
import logging
import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pitboss.lab.risk import clear_rounds, house_range
from pitboss.lab.worth import Worth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _PALE, _WIN, _LOSS, _PUSH, _BRASS, _FELT = (
    "#1d2421",
    "#6f7b75",
    "#3fb27f",
    "#d0654f",
    "#8aa0b4",
    "#c9a24b",
    "#0f3d33",
)
_WIDTH, _HEIGHT = 6.9, 2.5
_TAIL = Fraction(1, 200)  # a win with a larger chance than this gets its own bar
_USUAL_ROUNDS = 100_000
_STEPS = 60
_MEASURED, _SET = "DejaVu Serif", "Libertinus Serif"
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # the page sets the words in its own type
    "svg.hashsalt": "packet",
    "font.family": _MEASURED,
    "font.size": 8.5,
    "axes.edgecolor": _PALE,
    "axes.labelcolor": _INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _PALE,
    "ytick.color": _PALE,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "text.color": _INK,
}

_ENDS: tuple[tuple[str, str, Callable[[Fraction], bool]], ...] = (
    ("loses", _LOSS, lambda net: net < 0),
    ("pushes", _PUSH, lambda net: net == 0),
    ("wins", _WIN, lambda net: net > 0),
)


def outcomes(worth: Worth) -> str:
    """Return the plot of the net results of one round, with rare large wins in a single bar."""
    return _drawn(lambda axes: _outcomes(axes, worth))


def band(worth: Worth) -> str:
    """Return the band that contains the house's result after a number of rounds 95% of the time."""
    return _drawn(lambda axes: _band(axes, worth))


def _drawn(draw: Callable[["Axes"], None]) -> str:
    # A font list that has to be built, or a home that cannot be written to, doesn't matter to the reader of a plot.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context():
        rcdefaults()  # independent of the user's own settings
        rcParams.update(_STYLE)
        figure = Figure(figsize=(_WIDTH, _HEIGHT))
        FigureCanvasSVG(figure)
        draw(figure.add_axes((0.1, 0.19, 0.865, 0.75)))
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    # Words are measured with a type that comes with the plots and set in that of the page.
    return text.getvalue().replace(_MEASURED, _SET)


def _outcomes(axes: "Axes", worth: Worth) -> None:
    chances = {net: Fraction(count, worth.total) for net, count in sorted(worth.distribution.items())}
    last = _last_bar(chances)
    for net, chance in chances.items():
        if net <= last:
            axes.bar(float(net), float(100 * chance), width=0.42, color=_color(net))
            if chance >= Fraction(1, 100):
                _above(axes, float(net), chance)
    rare = sum((chance for net, chance in chances.items() if net > last), Fraction(0))
    right = float(last)
    ticks = _ticks(math.floor(min(chances)), math.ceil(last))
    labels = [_signed(tick) for tick in ticks]
    if rare:
        right = math.ceil(last) + 2
        ticks, labels = [*ticks, right], [*labels, "more"]
        axes.bar(right, float(100 * rare), width=0.42, color=_WIN)
        axes.text(right, float(100 * rare), f"{float(100 * rare):.2f}", ha="center", va="bottom", fontsize=7.5)
    axes.axvline(0, color=_PALE, linewidth=0.6, linestyle=(0, (2, 3)), zorder=0)
    axes.set_xlim(float(min(chances)) - 0.8, right + 1.2)
    top = float(100 * max(chances.values()))
    axes.set_ylim(0, top * 1.22)
    axes.set_ylabel("probability (%)")
    axes.set_xlabel("net result of a round, in units of the Ante")
    axes.set_xticks(ticks, labels)
    for line, (words, color, holds) in enumerate(_ENDS):
        total = float(100 * sum((chance for net, chance in chances.items() if holds(net)), Fraction(0)))
        at: dict[str, Any] = {"transform": axes.transAxes, "ha": "right", "va": "top"}
        axes.text(0.97, 0.97 - 0.11 * line, f"{words} {total:.2f}%", color=color, fontsize=9.5, **at)


def _ticks(low: int, high: int) -> list[int]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if (high - low) <= 16 * step)
    return [tick for tick in range(low, high + 1) if tick % step == 0]


def _last_bar(chances: dict[Fraction, Fraction]) -> Fraction:
    left = Fraction(1)
    for net, chance in chances.items():
        left -= chance
        if net >= 0 and left < _TAIL:
            return net
    return max(chances)


def _above(axes: "Axes", x: float, chance: Fraction) -> None:
    axes.text(x, float(100 * chance) + 0.15, f"{float(100 * chance):.1f}", ha="center", va="bottom", fontsize=7.5)


def _color(net: Fraction) -> str:
    return _WIN if net > 0 else _LOSS if net < 0 else _PUSH


def _band(axes: "Axes", worth: Worth) -> None:
    clear = clear_rounds(worth)
    most = _round_up(2 * clear) if clear else _USUAL_ROUNDS
    edge = float(worth.house_edge)
    rounds = [0, *sorted({max(1, most * step * step // _STEPS**2) for step in range(1, _STEPS + 1)})]
    middle = [edge * count for count in rounds]
    ranges = [(0.0, 0.0), *(house_range(worth, count) for count in rounds[1:])]
    low, high = [ends[0] for ends in ranges], [ends[1] for ends in ranges]
    axes.fill_between(rounds, low, high, color=_FELT, alpha=0.14, linewidth=0)
    axes.plot(rounds, middle, color=_FELT, linewidth=1.3)
    axes.axhline(0, color=_PALE, linewidth=0.6)
    axes.set_xlim(0, most)
    below = min(*low, -max(high) / 6)
    axes.set_ylim(below, max(high) * 1.04)
    axes.set_xlabel("rounds")
    axes.set_ylabel("house's result, in Antes")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}".replace("-", "−"))
    # Words above the line run ahead of it where it rises and into it where it falls, so they change sides.
    side = 1 if edge >= 0 else -1
    along, further = int(len(rounds) * 0.8), int(len(rounds) * 0.92)
    height = middle[along] - side * (max(high) - below) * 0.03
    axes.text(rounds[along], height, "expected", ha="left", va="top" if side > 0 else "bottom", color=_FELT)
    words, height = "95% of results are in this range", middle[further] + side * (high[further] - middle[further]) * 0.3
    axes.text(rounds[further], height, words, ha="right", va="center", color=_FELT)
    if clear:
        axes.plot([clear], [0], marker="o", markersize=4, color=_BRASS, linewidth=0, zorder=5)
        words = f"from about {clear:,} rounds on, the house is ahead in the whole range"
        axes.text(clear, below * 0.55, words, ha="center", va="center", color=_INK)


def _round_up(rounds: int) -> int:
    unit: int = 10 ** max(len(str(rounds)) - 2, 0)
    return -(-rounds // unit) * unit


def _signed(value: int) -> str:
    return "0" if value == 0 else f"{value:+}".replace("-", "−")
