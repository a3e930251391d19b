"""A spreadsheet never runs what somebody typed."""

from pathlib import Path

import pytest

import pitboss
from pitboss.cli.explained import _write_csv
from pitboss.sheets.spreadsheet_cell import safe_text


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "-2+3+cmd()", "@SUM(A1)", "\t=1", "-a"])
def test_a_formula_is_marked_as_text(text: str) -> None:
    assert safe_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-593/11713", "-$5.00", "-2.19%", "+1.5", "As", "ante", "", "1 to 1", "−4.2 %"])
def test_numbers_and_words_stay_as_they_are(text: str) -> None:
    assert safe_text(text) == text


def test_a_name_in_an_older_record_is_no_formula_at_the_prompt_either(capsys: pytest.CaptureFixture[str]) -> None:
    _write_csv([{"player": "=HYPERLINK(1)", "net_cents": -500}])
    assert capsys.readouterr().out == "player,net_cents\n'=HYPERLINK(1),-500\n"


def test_every_module_that_writes_csv_marks_formulas() -> None:
    texts = {path.name: path.read_text("utf-8") for path in Path(pitboss.__file__).parent.rglob("*.py")}
    writers = {name for name, text in texts.items() if "csv.writer(" in text or "csv.DictWriter(" in text}
    assert len(writers) > 4
    assert [name for name in sorted(writers) if "safe_text" not in texts[name]] == []
