"""A spreadsheet never runs what somebody typed."""

import pytest

from pitboss.sheets.spreadsheet_cell import safe_text


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "-2+3+cmd()", "@SUM(A1)", "\t=1", "-a"])
def test_a_formula_is_marked_as_text(text: str) -> None:
    assert safe_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-593/11713", "-$5.00", "-2.19%", "+1.5", "As", "ante", "", "1 to 1", "−4.2 %"])
def test_numbers_and_words_stay_as_they_are(text: str) -> None:
    assert safe_text(text) == text
