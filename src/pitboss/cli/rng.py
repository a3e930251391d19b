"""`pitboss rng`: the statistical battery of a shuffle, of the program's own or of decks that were observed."""

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.cards.deck import STANDARD_DECK, Card, Deck, UnknownCard
from pitboss.cards.shuffle import TableShuffle
from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table

if TYPE_CHECKING:
    from pitboss.lab.shuffle_battery import Battery, Orders

COLUMNS = ("test", "statistic", "degrees", "p", "corrected", "result")


def rng_command(game: str | None, *, decks: int, observed: Path | None, out: Path | None, as_json: bool) -> None:
    """Test a shuffle, print the report and write it as PDF if a file is named."""
    from pitboss.lab.shuffle_battery import battery, drawn, least_decks

    deck = known_game(game).deck if game else STANDARD_DECK
    if out is not None and not out.absolute().parent.is_dir():
        raise Failure(f"{out} cannot be written: there is no folder {out.parent}.")
    least = least_decks(deck)
    if observed is not None:
        orders, source = _observed(deck, observed), f"decks observed in {observed.name}"
    elif decks < least:
        raise Failure(f"The battery needs at least {least} decks of {len(deck)} cards, not {decks}.", 2)
    else:
        orders, source = drawn(deck, TableShuffle().order, decks), "the program's own shuffle"
    if len(orders) < least:
        raise Failure(f"{observed} has {len(orders)} decks; the battery needs at least {least} of {len(deck)} cards.")
    found = battery(deck, orders, source)
    if out is not None:
        _write(found, out)
    if as_json:
        show_json(found.as_dict() | ({"report": str(out)} if out else {}))
    else:
        _show(found, out)
    if not found.passes:
        failed = ", ".join(test.name for test in found.tests if not test.passes)
        raise Failure(f"These decks are not uniformly shuffled: {failed}.")


def _observed(deck: Deck, file: Path) -> "Orders":
    from pitboss.lab.shuffle_battery import numbered

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise Failure(f"{file} cannot be read: {wrong}.") from None
    orders = []
    for number, line in enumerate(text.splitlines(), 1):
        faces = line.partition("#")[0].split()
        if not faces:
            continue
        try:
            picked = deck.pick(faces, set())
        except UnknownCard as wrong:
            raise Failure(f"{file}, line {number}: {wrong}.") from None
        if len(picked) != len(deck):
            raise Failure(f"{file}, line {number}: {len(picked)} cards; a whole deck has {len(deck)}.")
        orders.append(tuple(map(Card, faces)))
    return numbered(deck, orders)


def _show(found: "Battery", out: Path | None) -> None:
    from pitboss.lab.shuffle_battery import CONFIDENCE

    said = console()
    title = f"Shuffle battery: {found.decks:,} decks of {found.cards} cards, {found.source}"
    rows = [
        (
            test.name,
            f"{test.statistic:,.3f}",
            "" if test.degrees is None else f"{test.degrees:,}",
            f"{test.p:.4f}",
            f"{test.corrected:.4f}",
            "pass" if test.passes else "fail",
        )
        for test in found.tests
    ]
    show_table(title, COLUMNS, rows, said)
    result = "pass" if found.passes else "fail"
    said.print(f"At {CONFIDENCE:.0%} confidence, corrected for {len(found.tests)} tests: {result}.", markup=False)
    said.print(f"SHA-256 of the sample: {found.sha256}", markup=False)
    if out:
        said.print(f"{out}: the report.", markup=False)


def _write(found: "Battery", out: Path) -> None:
    from pitboss.packet.shuffle_report import report_pdf

    try:
        out.write_bytes(report_pdf(found))
    except OSError as wrong:
        raise Failure(f"{out} cannot be written: {wrong.strerror or wrong}.") from None
