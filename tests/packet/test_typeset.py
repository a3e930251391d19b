"""The pages of a packet: figures equal the JSON, words are lawful, nothing leaves the sheet, bytes stay the same."""

import json
import re
import warnings
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from packet.made import EXAMPLES, FINGERPRINT, NAMES, document, packet, pages, plain
from pitboss.packet.contents import packet_of
from pitboss.packet.table_files import write_tables
from pitboss.packet.typeset import pdf_of
from pitboss.submission.read import read_submission

pytestmark = [pytest.mark.xdist_group("exact"), pytest.mark.slow]
PLACES = {"probability": 8, "units": 8, "number": 4, "percent": 4, "share": 2, "count": 0}


def shown(kind: str, value: Any) -> str:
    """Return an exact value of the JSON as a page should print it, worked out by another way than the packet's."""
    if value is None:
        return ""
    if kind in ("text", "clause", "odds", "exact") or value == "total":
        return str(value)
    number = Fraction(value)
    if kind == "money":
        if number.denominator > 1:
            return f"${number.numerator / number.denominator / 100:,.4f}"
        dollars, cents = divmod(int(number), 100)
        return f"${dollars:,}.{cents:02}" if cents else f"${dollars:,}"
    if kind == "net":
        return f"{'+' if number > 0 else ''}{float(number):,.10g}"
    number *= 100 if kind in ("percent", "share") else 1
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    text = f"{exact.quantize(Decimal(1).scaleb(-PLACES[kind]), ROUND_HALF_EVEN):,.{PLACES[kind]}f}"
    text = text.removeprefix("-") if not re.search("[1-9]", text) else text
    sign = "+" if kind == "units" and number > 0 else ""
    return f"{sign}{text}{'%' if kind in ('percent', 'share') else ''}"


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_on_the_pages_equal_the_json(name: str, tmp_path: Path) -> None:
    whole = " ".join(pages(name))
    write_tables(packet(name).tables(), tmp_path)
    compared = 0
    for path in sorted(tmp_path.glob("*.json")):
        table = json.loads(path.read_text("utf-8"))
        kinds = {column["name"]: column["kind"] for column in table["columns"]}
        for row in [*table["rows"], *([table["totals"]] if table["totals"] else [])]:
            for cell in (shown(kinds[key], value) for key, value in row.items()):
                if cell and cell != ".":
                    assert plain(cell) in whole, f"{path.name}: {cell!r} is on no page"
                    compared += 1
    assert compared > 300


@pytest.mark.parametrize("name", NAMES)
def test_a_line_of_a_sheet_is_never_split_across_pages(name: str, tmp_path: Path) -> None:
    write_tables(packet(name).tables(), tmp_path)
    sheets = sorted(tmp_path.glob("*-par-*.json"))
    assert sheets
    for path in sheets:
        table = json.loads(path.read_text("utf-8"))
        kinds = [(column["name"], column["kind"]) for column in table["columns"]]
        rows = [*table["rows"], table["totals"]]
        lines = [plain(" ".join(filter(None, (shown(kind, row[key]) for key, kind in kinds)))) for row in rows]
        assert any(all(line in page for line in lines) for page in pages(name)), path.name


@pytest.mark.parametrize("name", NAMES)
def test_the_same_submission_gives_the_same_bytes(name: str) -> None:
    assert pdf_of(packet(name)) == document(name)


@pytest.mark.parametrize("name", NAMES)
def test_only_fonts_of_the_typesetter_are_used_and_all_are_inside(name: str) -> None:
    with pymupdf.open(stream=document(name)) as opened:
        used = {(font[0], font[3]) for page in opened for font in page.get_fonts(full=True)}
        inside = {name: opened.extract_font(number)[3] for number, name in used}
    assert inside
    assert all("LibertinusSerif" in name for name in inside)
    assert all(inside.values())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_leaves_the_sheet_or_lies_on_the_margin(name: str) -> None:
    with pymupdf.open(stream=document(name)) as opened:
        for page in opened:
            inside = pymupdf.Rect(40, 30, page.rect.width - 40, page.rect.height - 30)
            for *box, word, _, _, _ in page.get_text("words"):
                assert pymupdf.Rect(box) in inside, f"page {page.number + 1}: {word}"


@pytest.mark.parametrize("name", NAMES)
def test_words_do_not_lie_on_one_another(name: str) -> None:
    with pymupdf.open(stream=document(name)) as opened:
        for page in opened:
            if page.rect.width > page.rect.height:
                continue  # the felt's words run along arcs, and so do their boxes
            words = sorted((round(word[1]), word[0], word[2], word[4]) for word in page.get_text("words"))
            for (top, _, right, word), (other, left, _, after) in pairwise(words):
                assert top != other or left >= right - 0.6, f"page {page.number + 1}: {word} {after}"


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_numbered_and_headed_by_its_table(name: str) -> None:
    found, made = pages(name), packet(name)
    current = ""
    for number, page in enumerate(found[1:], 2):
        assert f"{number} of {len(found)}" in page
        assert FINGERPRINT in page
        opened = next(
            (part for part in made.parts if part.table.upper() in page and "Choices in this submission" in page), None
        )
        if opened and number > 2:
            current = f"{opened.table} · {opened.game.title}"
        elif number > 2:
            assert current in page


@pytest.mark.parametrize("name", NAMES)
def test_the_outline_leads_to_every_section(name: str) -> None:
    with pymupdf.open(stream=document(name)) as opened:
        outline = opened.get_toc()
    parts = [title for level, title, _ in outline if level == 1]
    assert [part.replace("’", "'") for part in parts] == [
        f"{part.table} · {part.game.title}" for part in packet(name).parts
    ]
    sections = {
        "Choices in this submission",
        "What every wager is worth",
        "Spread of results",
        "The layout",
        "The posted sign",
    }
    for number, part in enumerate(packet(name).parts):
        starts = [place for place, pair in enumerate(outline) if pair[0] == 1] + [len(outline)]
        inside = {title for _, title, _ in outline[starts[number] + 1 : starts[number + 1]]}
        assert sections <= inside
        assert ("The progressive" in inside) == (part.progressive is not None)


def signs(name: str) -> list[str]:
    """Return the pages that hold a sign, one for each table."""
    return [page for page in pages(name) if "The posted sign" in page and "Odds: " in page]


def test_odds_are_never_stated_with_for_where_that_is_forbidden() -> None:
    for part in packet("colorado-holdem").parts:
        assert "for" not in part.posted.odds_words
    (sign,) = signs("colorado-holdem")
    assert re.search(r"\d to \d", sign)
    assert not any(re.search(r"\d for \d", page) for page in pages("colorado-holdem"))
    assert "§12(a)" in sign


@pytest.mark.parametrize("name", NAMES)
def test_the_sign_is_one_page_with_all_odds_limits_and_inscriptions(name: str) -> None:
    for part, sign in zip(packet(name).parts, signs(name), strict=True):
        for other in part.posted.odds:
            assert other.clause is None or other.clause in sign
            for line in other.lines:
                assert line.hand in sign
                assert line.pays in sign
        for limit in part.posted.limits:
            assert limit.title in sign
        for inscription in part.posted.inscriptions:
            assert plain(inscription.text) in sign or inscription.text == packet(name).facility
        assert packet(name).facility.upper() in sign


def test_a_forbidden_word_for_odds_would_be_on_a_page_elsewhere() -> None:
    assert any(re.search(r"\d for \d", page) for page in pages("dragon-poker-progressive"))


def test_the_typesetter_warns_of_nothing_and_dates_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = pdf_of(packet("top-five-poker"))
    with pymupdf.open(stream=made) as opened:
        assert not opened.metadata["creationDate"]
        assert not opened.metadata["modDate"]
        assert opened.metadata["title"] == "Harbor Casino: Rules Submission packet"


def test_long_names_and_many_tables_stay_on_their_pages() -> None:
    text = (EXAMPLES / "top-five-poker.toml").read_text("utf-8")
    head, _, table = text.partition("[[table]]")
    head = head.replace("Harbor Casino", "The Very Grand Harbor Casino and Hotel of the Upper Bay *_#$ [x]")
    tables = "".join(
        f"[[table]]{table}".replace("Top Five 1", f"Top Five in the long hall, number {number}") for number in range(9)
    )
    made = packet_of(read_submission(head + tables))
    with pymupdf.open(stream=pdf_of(made)) as opened:
        assert len(made.parts) == 9
        cover = plain(opened[0].get_text())
        assert "The Very Grand Harbor Casino and Hotel of the Upper Bay *_#$ [x]" in cover
        assert "and 3 more" in cover
        for page in opened:
            assert all(pymupdf.Rect(word[:4]) in page.rect for word in page.get_text("words"))


def test_a_table_of_seven_with_nothing_but_its_main_game_where_the_player_has_the_edge() -> None:
    text = (EXAMPLES / "colorado-holdem.toml").read_text("utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("ante =", "bet =", "bonus")))
    text = text.replace("positions = 6", "positions = 7").replace('"required-bet"', '"permissible-bet"')
    made = packet_of(read_submission(f'{text}\npermissible-tens = "pay"\n'))
    (part,) = made.parts
    assert part.main.ev > 0
    assert part.side_sheets == ()
    assert part.band.rows[0][-1] is None
    with pymupdf.open(stream=pdf_of(made)) as opened:
        titles = [title for _, title, _ in opened.get_toc()]
        words = " ".join(plain(page.get_text()) for page in opened)
        for page in opened:
            assert all(pymupdf.Rect(word[:4]) in page.rect for word in page.get_text("words"))
    assert "PAR sheets of the other wagers" not in titles
    assert "The progressive" not in titles
    assert "the whole band is the house's" not in words
