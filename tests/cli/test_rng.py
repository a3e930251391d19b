"""`pitboss rng`: a report as text, JSON and PDF, and a sentence where decks can't be tested."""

import json
from pathlib import Path

import pymupdf
import pytest
from typer.testing import CliRunner

from pitboss.cards.deck import STANDARD_DECK
from pitboss.cards.shuffle import SeededShuffle
from pitboss.cli.app import app


def written(path: Path, decks: int, *, sticks: bool = False) -> Path:
    shuffle = SeededShuffle(4)
    lines = ["# decks of a shuffler, the top card first"]
    for _ in range(decks):
        order = list(shuffle.order(STANDARD_DECK))
        if sticks:
            order.insert(0, order.pop(order.index(STANDARD_DECK.cards[0])))
        lines.append(" ".join(order))
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_the_report_is_the_same_as_text_as_data_and_on_paper(tmp_path: Path) -> None:
    decks, paper = written(tmp_path / "decks.txt", 300), tmp_path / "report.pdf"
    text = CliRunner().invoke(app, ["rng", "--observed", str(decks), "-o", str(paper)])
    assert text.exit_code == 0, text.output
    found = json.loads(CliRunner().invoke(app, ["rng", "--observed", str(decks), "--json"]).stdout)
    assert (found["decks"], found["result"], found["confidence"]) == (300, "pass", 0.99)
    with pymupdf.open(paper) as opened:
        page = " ".join(opened[0].get_text().split())
    for test in found["tests"]:
        assert f"{test['p']:.4f}" in text.stdout
        assert test["test"] in page
        assert f"{test['p']:.4f}" in page
    assert found["sha256"] in text.stdout
    assert found["sha256"] in page


def test_a_biased_file_fails_with_status_one(tmp_path: Path) -> None:
    decks = written(tmp_path / "decks.txt", 300, sticks=True)
    found = CliRunner().invoke(app, ["rng", "--observed", str(decks)])
    assert found.exit_code == 1
    assert "top card" in str(found.exception)


@pytest.mark.parametrize(
    ("line", "says"), [("As As", "As appears twice"), ("10h", "not a card"), ("As Kd", "a whole deck has 52")]
)
def test_a_line_that_is_no_deck_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "decks.txt"
    path.write_text(f"# nothing\n{line}\n", "utf-8")
    found = CliRunner().invoke(app, ["rng", "--observed", str(path)])
    assert found.exit_code == 1
    assert "line 2" in str(found.exception)
    assert says in str(found.exception)


def test_too_few_decks_are_refused() -> None:
    found = CliRunner().invoke(app, ["rng", "--decks", "100"])
    assert "at least 260 decks" in str(found.exception)
