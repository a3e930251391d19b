"""Every language of the page has a text for every key, with the same parameters, and no text left untranslated."""

import json
import re
from pathlib import Path
from typing import TypedDict

import pytest

from architecture.tree import ROOT, loaded

# Texts that are the same in another language: names, units, symbols and words the languages share.
SHARED = {
    "es": {
        "controls.forms.total",
        "controls.settings.no",
        "controls.signed.columns.drop_cents",
        "controls.signed.columns.hold_percent",
        "controls.signed.columns.total_cents",
        "controls.signed.files.csv",
        "controls.signed.files.json",
        "controls.total",
        "dealer.enter",
        "floor.people.roles",
        "floor.reports.columns.drop",
        "floor.reports.columns.hold",
        "floor.reports.columns.z",
        "floor.reports.kinds.hold",
        "floor.spelled.no",
        "lab.csv",
        "lab.json",
        "lab.together",
        "shell.languages.en",
        "shell.languages.es",
        "shell.name",
        "shell.roles.auditor",
        "signIn.lock.pin",
        "table.felt.bot",
        "table.round.total",
        "table.seconds",
    }
}


class Text(TypedDict):
    text: str
    takes: list[str]
    uses: list[str]


Catalogues = dict[str, dict[str, Text]]


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Catalogues:
    file: Path = tmp_path_factory.mktemp("catalogues") / "texts.json"
    build = loaded(ROOT / "hatch_build.py")
    build.install()
    build.npm("exec", "--", "node", "catalogues.mjs", str(file))
    found: Catalogues = json.loads(file.read_text("utf-8"))
    return found


def test_english_and_spanish_are_complete(catalogues: Catalogues) -> None:
    assert set(catalogues) == {"en", "es"}
    english = catalogues["en"]
    assert len(english) > 1_000, "the catalog was not read to its end"
    for language, texts in catalogues.items():
        assert sorted(set(english) - set(texts)) == [], f"texts that {language} lacks"
        assert sorted(set(texts) - set(english)) == [], f"texts of {language} that English lacks"


def test_a_text_takes_and_uses_the_same_parameters_in_every_language(catalogues: Catalogues) -> None:
    english = catalogues["en"]
    for language, texts in catalogues.items():
        for part in ("takes", "uses"):
            assert {key: text[part] for key, text in texts.items() if text[part] != english[key][part]} == {}, language


def test_no_text_is_empty_or_left_in_english(catalogues: Catalogues) -> None:
    english = catalogues["en"]
    for language, texts in catalogues.items():
        assert [key for key, text in texts.items() if not text["text"] and not text["takes"]] == [], language
        if language == "en":
            continue
        words = {key for key, text in texts.items() if re.search("[A-Za-z]", text["text"])}
        same = {key for key in words if texts[key]["text"].strip() == english[key]["text"].strip()}
        assert sorted(same - SHARED[language]) == [], f"texts of {language} that are still English"
        assert sorted(SHARED[language] - same) == [], f"texts of {language} that need no exception"
