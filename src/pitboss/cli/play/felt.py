"""The table on the screen: header, dealer and board, the other seats, and the player's own."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pitboss.cli.play.faces import CardFaces
from pitboss.cli.play.settlement import money_text, net_of
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.words import dealer_words, place_title, stakes_words, status_word
from pitboss.round.stakes import bounds_words
from pitboss.round.view import RoundView, SeatView
from pitboss.rules.dealing import BOARD, BOX, DEALER
from pitboss.rules.payoff import dollars

BRASS = "#c9a24b"
WIDTH = 80
PLACES_APART = 3
LEFT_TO_RIGHT = (DEALER, BOARD, BOX)


def header(table: FreePlayTable) -> RenderableType:
    """Return the line above the table: game, limits, meters, free play, and the rule below it."""
    top = Table.grid(expand=True)
    top.add_column(justify="left")
    top.add_column(justify="right")
    main = next(wager for wager in table.terms.placed if wager.required)
    meters = " · ".join(f"{name} {dollars(table.meters.cents(name))}" for name in table.meters.exact)
    limits = f"{main.title} {bounds_words(table.terms.rules, main)}"
    top.add_row(Text(table.terms.title, style="bold"), Text(meters or limits))
    kind = "Free play" if table.seed is None else f"Free play, a repeatable demonstration (seed {table.seed})"
    top.add_row(Text(kind, style=BRASS), _purse(table))
    return Group(top, Rule(style="dim"))


def felt(table: FreePlayTable, seen: RoundView, faces: CardFaces, width: int = WIDTH) -> RenderableType:
    """Return the cards and stakes that this view may see."""
    own = [seat for seat in seen.seats if seat.seat == table.human]
    parts: list[RenderableType] = [_shared(seen, faces, width)]
    said = dealer_words(table.terms.rules, seen) if seen.outcome else ""
    parts.append(Text(f" The dealer's hand: {said}." if said else ""))
    if len(seen.seats) > len(own):
        parts += [_others(table, seen, faces, width), Text()]
    parts.extend(_own(table, seat, faces, width) for seat in own)
    return Group(*parts)


def keys_line(keys: Iterable[tuple[str, str]], width: int = WIDTH) -> Text:
    """Return the available keys, each in brass before its meaning, with line breaks only between choices."""
    line, used = Text(), 0
    for key, meaning in keys:
        length = len(key) + len(meaning) + 3
        if used and used + 2 + length > width:
            line.append("\n")
            used = 0
        line.append("  " if used else " ")
        line.append(f"[{key}]", style=f"bold {BRASS}")
        line.append(f" {meaning}")
        used += length + (2 if used else 1)
    return line


def paragraph(sentence: str, style: str = "") -> RenderableType:
    """Return a sentence indented on all its lines."""
    return Padding(Text(sentence, style=style), (0, 1))


def _purse(table: FreePlayTable) -> Text:
    if table.human is None:
        return Text()
    number = table.rounds + (table.state.outcome is None)
    text = Text(f"round {number} · you have {dollars(table.bankroll_cents(table.human))}, net ")
    return text + money_text(table.net_cents(table.human))


def _shared(seen: RoundView, faces: CardFaces, width: int) -> RenderableType:
    places = sorted(seen.table, key=lambda place: LEFT_TO_RIGHT.index(place) if place in LEFT_TO_RIGHT else 9)
    rows: list[list[list[Text]]] = [[]]
    used = 0
    for place in places:
        drawn = [Text(" ") + line for line in faces.drawn(seen.table[place])]
        if rows[-1] and used + len(drawn[0]) > width:
            rows.append([])
            used = 0
        rows[-1].append([Text(f" {place_title(place)}", style="bold"), *drawn])
        used += len(drawn[0]) + PLACES_APART
    return Group(*(_side_by_side(blocks) for blocks in rows if blocks))


def _side_by_side(blocks: list[list[Text]]) -> Table:
    grid = Table.grid(padding=(0, PLACES_APART, 0, 0))
    for _ in blocks:
        grid.add_column(no_wrap=True)
    for lines in zip(*blocks, strict=True):
        grid.add_row(*lines)
    return grid


def _others(table: FreePlayTable, seen: RoundView, faces: CardFaces, width: int) -> RenderableType:
    others = [seat for seat in reversed(seen.seats) if seat.seat != table.human]
    rows = [
        (
            Text(f" Seat {seat.seat}"),
            Text(dollars(table.bankroll_cents(seat.seat)), style="dim"),
            faces.line(seat.cards),
        )
        for seat in others
    ]
    # Columns that must not be cut keep their width; the description of a seat takes the rest and wraps.
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = width - sum(widths) - 2 * len(widths)
    grid = Table.grid(padding=(0, 2, 0, 0))
    for index, least in enumerate(widths):
        grid.add_column(justify="right" if index == 1 else "left", min_width=least, no_wrap=True)
    grid.add_column()
    for seat, row in zip(others, rows, strict=True):
        grid.add_row(*row, _standing(table, seen, seat, room))
    return grid


def _standing(table: FreePlayTable, seen: RoundView, seat: SeatView, room: int) -> Text:
    if seen.outcome is not None:
        words = Text(f"{seat.hand}  " if seat.hand else f"{status_word(seat.status)}  ")
        return words + money_text(net_of(seat))
    status = (status_word(seat.status),) if status_word(seat.status) else ()
    return Text(stakes_words(table.terms.rules, seat.stakes, room, status))


def _own(table: FreePlayTable, own: SeatView, faces: CardFaces, width: int) -> RenderableType:
    drawn = faces.drawn(own.cards)
    room = width - 4 - len(drawn[0])
    hand = own.hand if own.results else None
    status = hand or status_word(own.status)
    if own.discard is not None:
        status += f"{', ' if status else ''}{faces.label(own.discard)} discarded"
    said = Text(f"You, seat {own.seat}", style=f"bold {BRASS}")
    if not hand:  # because the settlement below lists them
        said.append(f"\n{stakes_words(table.terms.rules, own.stakes, room)}", style="not bold default")
    said.append(f"\n{status}" if status else "", style="not bold default")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_row(Text("\n").join(Text(" ") + line for line in drawn), said)
    return grid
