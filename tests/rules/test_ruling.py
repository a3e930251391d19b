"""The recorded rulings: complete, numbered, about clauses and options that exist."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import groupby
from pathlib import Path

import pytest

from pitboss.games import catalogue
from pitboss.rules.ruling import Ruling, general_rulings

NAMES = catalogue.game_names()
GENERAL = {ruling.id for ruling in general_rulings()}
BY_FILE = {"every game": general_rulings(), **{name: catalogue.rulings(name) for name in NAMES}}
ALL = [pytest.param(ruling, id=ruling.id) for rulings in BY_FILE.values() for ruling in rulings]
WHOLE = "whole rulebook"


def ruling_ids_named_in(value: object) -> Iterator[str]:
    """Yield what every field called ruling, or ending so, holds."""
    if isinstance(value, dict):
        for item in value.values():
            yield from ruling_ids_named_in(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from ruling_ids_named_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            held = getattr(value, field.name)
            if field.name.endswith("ruling"):
                if held is not None:
                    yield held
            else:
                yield from ruling_ids_named_in(held)


@pytest.mark.parametrize("name", BY_FILE)
def test_every_file_holds_rulings_of_one_prefix_numbered_without_a_gap(name: str) -> None:
    numbered = [re.fullmatch(r"([A-Z]+)-(\d+)", ruling.id) for ruling in BY_FILE[name]]
    assert numbered
    assert all(numbered), "an id is letters, a hyphen and a number"
    pairs = [(match[1], int(match[2])) for match in numbered if match]
    assert len({prefix for prefix, _ in pairs}) == 1
    assert [number for _, number in pairs] == list(range(1, len(pairs) + 1))


def test_no_two_files_share_a_prefix() -> None:
    ids = [ruling.id for rulings in BY_FILE.values() for ruling in rulings]
    assert len(ids) == len(set(ids))
    prefixes = [prefix for prefix, _ in groupby(name.partition("-")[0] for name in ids)]
    assert len(prefixes) == len(set(prefixes))


@pytest.mark.parametrize("ruling", ALL)
def test_every_field_of_a_ruling_says_something(ruling: Ruling) -> None:
    for name in ("id", "clause", "problem", "reading", "reason", "effect"):
        assert getattr(ruling, name).strip() == getattr(ruling, name) != ""
    assert ruling.option != ""


@pytest.mark.parametrize("ruling", ALL)
def test_every_ruling_is_written_in_sentences(ruling: Ruling) -> None:
    for text in (ruling.problem, ruling.reading, ruling.reason, ruling.effect):
        assert re.match(r"[A-Z]", text)
        assert text.endswith(".")
        assert "\n" not in text


@pytest.mark.parametrize("ruling", ALL)
def test_a_ruling_never_repeats_itself(ruling: Ruling) -> None:
    assert len({ruling.problem, ruling.reading, ruling.reason, ruling.effect}) == 4


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_ruled_on_is_printed_in_the_rulebook(name: str) -> None:
    outline = (catalogue.folders()[name] / "outline.txt").read_text(encoding="utf-8").splitlines()
    for ruling in catalogue.rulings(name):
        if ruling.clause == WHOLE:
            continue
        for clause in ruling.clause.split("; "):
            is_chapter = any(line.startswith(f"{clause} §") for line in outline)
            assert clause in outline or is_chapter, f"{ruling.id}: {clause}"


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_a_ruling_mentions_in_passing_is_printed_too(name: str) -> None:
    outline = (catalogue.folders()[name] / "outline.txt").read_text(encoding="utf-8").splitlines()
    for ruling in catalogue.rulings(name):
        for text in (ruling.problem, ruling.reading, ruling.reason, ruling.effect):
            for clause in re.findall(r"Ch\. \d+ §[A-Z](?:\(\w+\))*", text):
                assert clause in outline, f"{ruling.id}: {clause}"


@pytest.mark.parametrize("name", NAMES)
def test_an_option_offered_by_a_ruling_exists_in_the_game(name: str) -> None:
    game = catalogue.game(name)
    for ruling in catalogue.rulings(name):
        if ruling.option is not None:
            assert ruling.option in game.options_by_name, ruling.id
            assert game.options_by_name[ruling.option].ruling == ruling.id


@pytest.mark.parametrize("name", NAMES)
def test_an_option_that_rests_on_a_ruling_is_offered_by_it(name: str) -> None:
    offered = {ruling.id: ruling.option for ruling in catalogue.rulings(name)}
    for option in catalogue.game(name).options:
        if option.ruling is not None:
            assert offered[option.ruling] == option.name


@pytest.mark.parametrize("name", NAMES)
def test_every_ruling_a_definition_leans_on_is_recorded(name: str) -> None:
    recorded = GENERAL | {ruling.id for ruling in catalogue.rulings(name)}
    leaned_on = set(ruling_ids_named_in(catalogue.game(name)))
    assert leaned_on
    assert leaned_on <= recorded


def test_rulings_for_every_game_have_no_option() -> None:
    assert [ruling.id for ruling in general_rulings() if ruling.option] == []


def test_no_ruling_for_every_game_names_a_game() -> None:
    text = Path(catalogue.HERE.parent / "rules" / "rulings.toml").read_text(encoding="utf-8").lower()
    for name in NAMES:
        assert name not in text
        assert catalogue.game(name).title.lower() not in text
