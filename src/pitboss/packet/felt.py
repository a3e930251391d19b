"""Draws a table's layout as SVG: the whole felt with its inscriptions, and one betting position enlarged."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from pitboss.rules.game import GameDefinition
from pitboss.submission.printed import Printed, PrintedArea

FONT = "Libertinus Serif"
FELT, DEEP, LINE, RAIL, BRASS, IVORY = "#0f3d33", "#0b2e27", "#cfe3d6", "#2b1d14", "#c9a24b", "#fbf8f1"
_WIDTH, _HEIGHT = 1120, 600
_CENTRE_X, _CENTRE_Y = 560, 36
_RADIUS = 524  # of the felt; the rail lies around it
_RAIL = 24
_FIRST_SEAT, _LAST_SEAT = 18, 162  # degrees, seat 1 at the dealer's left, which is the reader's right
_SEAT_DEPTH = 204  # how far a position reaches from the rail toward the dealer
_MOST_PITCH = 60  # between rows of a position
_CARD_WIDTH, _CARD_HEIGHT = 27, 38
_TRAY_WIDTH = 250
_TEXT_OUTSIDE, _TEXT_INSIDE = 292, 176  # between which the inscriptions run
_TEXT_DEGREES = 128  # the part of an arc that a line may take
_LETTER = 0.47  # a letter's mean width in its own size
_MOST_IN_ROW = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """An area of a position: its title, where it lies and what is put there."""

    title: str
    column: float  # from the middle of the position, in places
    row: int  # from the player
    is_card: bool
    after_equals: bool = False


def spots_of(printed: Printed, game: GameDefinition) -> tuple[Spot, ...]:
    """Return the areas of one position: nearest the player what an action places, then what all place, then others."""
    wagers = game.wagers_by_name
    cards: list[PrintedArea] = []
    acted: list[PrintedArea] = []
    required: list[PrintedArea] = []
    rest: list[PrintedArea] = []
    for area in (area for area in printed.areas if area.each_seat):
        wager = wagers.get(area.name)
        (cards if wager is None else acted if wager.by_action else required if wager.required else rest).append(area)
    rows = [cards, acted, required]
    rows += [rest[start : start + _MOST_IN_ROW] for start in range(0, len(rest), _MOST_IN_ROW)]
    return tuple(
        Spot(area.inscribed_name, place - (len(row) - 1) / 2, number, area.name not in wagers, area.after_equals)
        for number, row in enumerate(filter(None, rows))
        for place, area in enumerate(row)
    )


def felt(printed: Printed, game: GameDefinition) -> str:
    """Return the whole felt: rail, positions, places for cards and inscriptions along the arcs."""
    parts = [*_ground(), *_tray(), *_places(printed, game), *_inscriptions(printed)]
    spots = spots_of(printed, game)
    for seat in range(1, printed.positions + 1):
        parts += _position(seat, printed.positions, spots)
    return _svg(_WIDTH, _HEIGHT, parts)


def position(printed: Printed, game: GameDefinition) -> str:
    """Return one position large enough to read."""
    spots = spots_of(printed, game)
    columns = max(abs(spot.column) for spot in spots) * 2 + 1
    rows = max(spot.row for spot in spots) + 1
    # At least as wide as three areas, so that every position is drawn to one scale.
    width, height = 112 * max(columns, 3) + 30, 104 * rows + 40
    parts = [f'<rect width="{width:g}" height="{height}" rx="10" fill="url(#felt)"/>']
    for spot in spots:
        parts += _spot(spot, width / 2 + 112 * spot.column, height - 34 - 104 * spot.row - 50, 46, 112)
    parts.append(_text("player", width / 2, height - 12, 14, LINE, style="italic"))
    return _svg(width, height, parts)


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    light = (
        '<defs><radialGradient id="felt" cx="0.5" cy="0.1" r="0.9">'
        f'<stop offset="0" stop-color="{FELT}"/><stop offset="1" stop-color="{DEEP}"/></radialGradient></defs>'
    )
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{light}{"".join(parts)}</svg>'


def _ground() -> Iterator[str]:
    for radius, fill in ((_RADIUS + _RAIL, RAIL), (_RADIUS, "url(#felt)")):
        left, right = _CENTRE_X - radius, _CENTRE_X + radius
        top = _CENTRE_Y - (0 if radius == _RADIUS else 12)
        yield (
            f'<path d="M{left} {top} V{_CENTRE_Y} A{radius} {radius} 0 0 0 {right} {_CENTRE_Y} V{top} Z" '
            f'fill="{fill}"/>'
        )


def _tray() -> Iterator[str]:
    left = _CENTRE_X - _TRAY_WIDTH / 2
    size = f'width="{_TRAY_WIDTH}" height="30" rx="4"'
    yield f'<rect x="{left:g}" y="{_CENTRE_Y}" {size} fill="{RAIL}" stroke="{BRASS}"/>'
    yield _text("chip tray", _CENTRE_X, _CENTRE_Y + 20, 14, BRASS, style="italic")


def _places(printed: Printed, game: GameDefinition) -> Iterator[str]:
    # The board is in the middle in front of the tray, with other places for cards beside it.
    shared = [area for area in printed.areas if not area.each_seat]
    shared.sort(key=lambda area: "tray" in area.where, reverse=True)
    middles = {1: (0,), 2: (0, -1), 3: (0, -1, 1)}.get(len(shared), tuple(range(len(shared))))
    for area, middle in zip(shared, middles, strict=False):
        cards = max(game.table_cards.get(area.name, 1), 1)
        width = cards * (_CARD_WIDTH + 5) - 5
        x = _CENTRE_X + middle * 205
        top = _CENTRE_Y + 50
        for card in range(cards):
            left = x - width / 2 + card * (_CARD_WIDTH + 5)
            yield (
                f'<rect x="{left:g}" y="{top}" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="3" fill="none" '
                f'stroke="{LINE}" stroke-opacity="0.7"/>'
            )
        yield _text(area.title, x, top + _CARD_HEIGHT + 16, 14, LINE, style="italic")


def _inscriptions(printed: Printed) -> Iterator[str]:
    # The longest line goes outermost, where an arc has the most room; a name is larger than a rule.
    texts = sorted((inscription.text for inscription in printed.inscriptions), key=len)
    step = min(26, (_TEXT_OUTSIDE - _TEXT_INSIDE) / max(len(texts), 1))
    for number, text in enumerate(reversed(texts)):
        radius = _TEXT_OUTSIDE - 4 - step * number
        is_name = text == printed.facility
        color, most = (BRASS, 24) if is_name else (IVORY, 17)
        radius -= 8 * is_name
        size = min(most, radius * math.radians(_TEXT_DEGREES) / (len(text) * _LETTER))
        near, far = (radius * math.cos(math.radians(15)), radius * math.sin(math.radians(15)))
        path = (
            f"M{_CENTRE_X - near:g} {_CENTRE_Y + far:g} "
            f"A{radius:g} {radius:g} 0 0 0 {_CENTRE_X + near:g} {_CENTRE_Y + far:g}"
        )
        yield f'<path id="line{number}" d="{path}" fill="none"/>'
        yield (
            f'<text font-family="{FONT}" font-size="{size:.2f}" fill="{color}" text-anchor="middle">'
            f'<textPath href="#line{number}" startOffset="50%">{_set(text)}</textPath></text>'
        )


def _position(seat: int, positions: int, spots: Sequence[Spot]) -> Iterator[str]:
    step = (_LAST_SEAT - _FIRST_SEAT) / max(positions - 1, 1)
    angle = 90 if positions == 1 else _FIRST_SEAT + step * (seat - 1)
    rows, columns = max(spot.row for spot in spots) + 1, 2 * max(abs(spot.column) for spot in spots) + 1
    pitch = min(_MOST_PITCH, _SEAT_DEPTH / rows)
    # The row nearest the dealer has the least room between its neighbors.
    room = math.radians(step) * (_RADIUS - 16 - pitch * (rows - 0.5)) if positions > 1 else _RADIUS
    across = min(pitch + 4, room / columns)
    radius = min(pitch / 2, across / 2) - 3.5
    yield f'<g transform="translate({_CENTRE_X} {_CENTRE_Y}) rotate({angle - 90:g})">'
    for spot in spots:
        yield from _spot(spot, spot.column * across, _RADIUS - 16 - pitch * (spot.row + 0.5), radius, across)
    yield _text(str(seat), 0, _RADIUS + 17, 15, BRASS)
    yield "</g>"


def _spot(spot: Spot, x: float, y: float, radius: float, across: float) -> Iterator[str]:
    line = f'fill="none" stroke="{LINE}" stroke-opacity="0.7" stroke-width="{radius / 32:.2f}"'
    if spot.is_card:
        width, height = radius * 1.5, radius * 1.9
        place = (
            f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="{radius / 12:g}"'
        )
        yield f"<rect {place} {line}/>"
    else:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {line}/>'
    if spot.after_equals:
        yield _text("=", x - across / 2, y + radius * 0.16, radius * 0.5, LINE)
    words = _wrapped(spot.title)
    wide = 1.3 if spot.is_card else 1.8
    size = min(radius * 0.42, radius * wide / (_LETTER * max(map(len, words))))
    top = y + size * (0.33 - 0.53 * (len(words) - 1))
    for number, word in enumerate(words):
        yield _text(word, x, top + 1.06 * size * number, size, IVORY)


def _text(words: str, x: float, y: float, size: float, color: str, style: str = "normal") -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-family="{FONT}" font-size="{size:.2f}" font-style="{style}" '
        f'fill="{color}" text-anchor="middle">{_set(words)}</text>'
    )


def _set(words: str) -> str:
    # A name from a file may contain control characters; a drawing may not.
    return escape("".join(letter for letter in words.replace("'", "’") if letter.isprintable()))


def _wrapped(title: str) -> list[str]:
    # Each word of a title gets its own line unless two fit on one.
    lines: list[str] = []
    for word in title.split():
        if lines and len(lines[-1]) + len(word) < 9:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
