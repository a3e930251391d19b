"""How cards look in a terminal: suits with glyph and color, other faces by title, and a back for face-down cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from pitboss.cards.deck import Deck
from pitboss.round.view import ShownCards

IVORY = "#fbf8f1"
FELT = "#0f3d33"
RED, BLACK, EDGE = "#b3261e", "#1c1c1c", "#9a9484"
SUITS = {"clubs": ("♣", BLACK), "diamonds": ("♦", RED), "hearts": ("♥", RED), "spades": ("♠", BLACK)}
COLOUR_WORDS = {"red": RED, "blue": "#1f4fa3", "gold": "#8a6510", "green": "#1d6b3a", "black": BLACK}
OTHER_COLOURS = ("#8c2f7a", "#a34b00", "#3c4650", "#6b4a2b", "#2f6f73", "#7a1f3d")
LONGER_RANK = {"T": "10"}


@dataclass(frozen=True, slots=True)
class Face:
    """A card's text, one or two words, and its color."""

    label: str  # short, for a line of text
    rows: tuple[str, ...]  # for a card drawn with edges
    colour: str


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters a terminal can show."""

    top: str
    side: str
    bottom: str
    back: str
    has_suits: bool


UNICODE = Glyphs("╭─╮", "││", "╰─╯", "▒", True)
ASCII = Glyphs("+-+", "||", "+-+", "#", False)


def glyphs_for(encoding: str) -> Glyphs:
    """Return the characters that this encoding supports."""
    try:
        "╭▒♠".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


class CardFaces:
    """Draws the cards of one deck."""

    def __init__(self, deck: Deck, glyphs: Glyphs = UNICODE) -> None:
        self._glyphs = glyphs
        self._faces = {
            name: _face(name, title, index, glyphs) for index, (name, title) in enumerate(deck.titles.items())
        }
        self._height = max(len(face.rows) for face in self._faces.values())
        self._width = max(len(row) for face in self._faces.values() for row in face.rows)

    @property
    def height(self) -> int:
        """Return the height of a drawn card in lines."""
        return self._height + 2

    def label(self, card: str | None) -> str:
        """Return a card in a few letters."""
        return self._glyphs.back * 2 if card is None else self._faces[card].label

    def line(self, cards: ShownCards) -> Text:
        """Return cards side by side in one line of text."""
        wordy = any(len(self.label(card)) > 3 for card in cards)
        parts = [Text(self.label(card), style=self._ink(card)) for card in cards]
        return Text(", " if wordy else " ").join(parts)

    def written(self, cards: tuple[str, ...]) -> str:
        """Return face-up cards as plain text."""
        return self.line(cards).plain

    def drawn(self, cards: ShownCards) -> list[Text]:
        """Return cards side by side, drawn with edges, one text for each line."""
        lines = [Text() for _ in range(self.height)]
        for card in cards:
            for line, (part, style) in zip(lines, self._rows(card), strict=True):
                line.append(part, style)
                line.append(" ")
        return lines

    def _ink(self, card: str | None) -> str:
        if card is None:
            return "dim"
        colour = self._faces[card].colour
        return "bold" if colour == BLACK else f"bold {_on_screen(colour)}"

    def _rows(self, card: str | None) -> list[tuple[str, str]]:
        glyphs, width = self._glyphs, self._width
        edge, ink = (
            (f"{EDGE} on {FELT}", f"#cfe3d6 on {FELT}")
            if card is None
            else (f"{EDGE} on {IVORY}", f"bold {self._faces[card].colour} on {IVORY}")
        )
        words: Sequence[str] = () if card is None else self._faces[card].rows
        inner = [glyphs.back * width] * self._height if card is None else [*words, *[""] * (self._height - len(words))]
        rows = [(glyphs.top[0] + glyphs.top[1] * width + glyphs.top[2], edge)]
        rows += [(f"{glyphs.side[0]}{word:^{width}}{glyphs.side[1]}", ink) for word in inner]
        rows.append((glyphs.bottom[0] + glyphs.bottom[1] * width + glyphs.bottom[2], edge))
        return rows


def _face(name: str, title: str, index: int, glyphs: Glyphs) -> Face:
    _, of, suit = title.partition(" of ")
    if of and suit in SUITS:
        glyph, colour = SUITS[suit]
        label = LONGER_RANK.get(name[0], name[0]) + (glyph if glyphs.has_suits else name[1])
        return Face(label, (label,), colour)
    quality, _, character = title.rpartition(" ")
    colour = COLOUR_WORDS.get(quality) or OTHER_COLOURS[index % len(OTHER_COLOURS)]
    return Face(title, (quality or character[0].upper(), character), colour)


def _on_screen(colour: str) -> str:
    # The colors are chosen for an ivory card; on a terminal's own background, dark or light, they need a middle tone.
    return {
        RED: "#d0654f",
        "#1f4fa3": "#5b8fe0",
        "#8a6510": "#c9a24b",
        "#8c2f7a": "#c774b5",
        "#a34b00": "#d98a45",
        "#3c4650": "#8aa0b4",
        "#6b4a2b": "#b08a62",
        "#2f6f73": "#5aa9ad",
        "#7a1f3d": "#c7607f",
        "#1d6b3a": "#3fb27f",
    }[colour]
