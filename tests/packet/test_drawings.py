"""Drawings carry every area, inscription and figure, and are the same each time they are made."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from packet.made import EXAMPLES, NAMES, packet
from pitboss.games import game
from pitboss.packet.felt import felt, position, spots_of
from pitboss.packet.plots import band, outcomes
from pitboss.submission.printed import printed
from pitboss.submission.read import read_submission

pytestmark = pytest.mark.xdist_group("exact")
PATHS = [pytest.param(path, id=path.stem) for path in sorted(EXAMPLES.glob("*.toml"))]
SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """Return every text of a drawing."""
    return ["".join(element.itertext()).replace("’", "'") for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("path", PATHS)
def test_the_felt_carries_every_inscription_and_area(path: Path) -> None:
    submission = read_submission(path)
    for table in submission.tables:
        posted = printed(submission, table)
        played = game(table.game or "")
        told = words(felt(posted, played))
        assert {inscription.text for inscription in posted.inscriptions} <= set(told)
        assert {area.title for area in posted.areas if not area.each_seat} <= set(told)
        together = " ".join(told)
        for area in posted.areas:
            last = area.title.split()[-1]
            assert together.count(last) >= (posted.positions if area.each_seat else 1)
        assert {str(seat) for seat in range(1, posted.positions + 1)} <= set(told)


@pytest.mark.parametrize("path", PATHS)
def test_a_position_holds_each_of_its_areas_once_and_apart(path: Path) -> None:
    submission = read_submission(path)
    for table in submission.tables:
        posted, played = printed(submission, table), game(table.game or "")
        spots = spots_of(posted, played)
        assert sorted(spot.title for spot in spots) == sorted(
            area.inscribed_name for area in posted.areas if area.each_seat
        )
        assert len({(spot.column, spot.row) for spot in spots}) == len(spots)
        drawn = ElementTree.fromstring(position(posted, played))
        circles = [(float(element.get("cx", 0)), float(element.get("cy", 0))) for element in drawn.iter(f"{SVG}circle")]
        for place, (x, y) in enumerate(circles):
            for other_x, other_y in circles[place + 1 :]:
                assert (x - other_x) ** 2 + (y - other_y) ** 2 >= 92**2
        width, height = float(drawn.get("width", 0)), float(drawn.get("height", 0))
        assert all(46 <= x <= width - 46 and 46 <= y <= height - 46 for x, y in circles)


def test_an_equals_sign_is_printed_between_two_areas_where_the_rulebook_requires_it() -> None:
    submission = read_submission(EXAMPLES / "ultimate-texas-holdem.toml")
    posted = printed(submission, submission.tables[0])
    (blind,) = (area for area in posted.areas if area.title.startswith("="))
    told = words(position(posted, game(submission.tables[0].game or "")))
    assert "=" in told
    assert blind.title.removeprefix("= ") in told


def test_a_name_made_of_anything_leaves_the_drawing_sound() -> None:
    text = (EXAMPLES / "top-five-poker.toml").read_text("utf-8")
    submission = read_submission(text.replace("Harbor Casino", "<A & \\u0001 'B'>" * 8))
    posted = printed(submission, submission.tables[0])
    assert "<A &  'B'>" * 8 in words(felt(posted, game(submission.tables[0].game or "")))


@pytest.mark.parametrize("name", NAMES)
def test_plots_are_the_same_each_time_and_leave_their_words_as_words(name: str) -> None:
    for part in packet(name).parts:
        for draw in (outcomes, band):
            svg = draw(part.main)
            assert svg == draw(part.main)
            assert "Libertinus Serif" in svg
            assert "DejaVu" not in svg
            assert not re.search(r"<dc:date>|matplotlib\.org", svg.split("<defs>")[0])
            assert words(svg)


def test_a_plot_s_shares_are_those_of_the_game() -> None:
    (part,) = packet("dragon-poker").parts
    told = words(outcomes(part.main))
    chances = {"loses": 0, "pushes": 0, "wins": 0}
    for net, count in part.main.distribution.items():
        chances["wins" if net > 0 else "loses" if net < 0 else "pushes"] += count
    for word, count in chances.items():
        assert f"{word} {100 * count / part.main.total:.2f}%" in told


def test_the_band_names_the_rounds_from_which_the_house_is_ahead() -> None:
    (part,) = packet("dragon-poker").parts
    assert any(word.startswith("from about 38,000 rounds on") for word in words(band(part.main)))
