"""Every game explains itself in a few short sentences that its rulebook supports at any table."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pitboss.games import game, game_names
from pitboss.games.catalogue import folders
from pitboss.games.clauses import outline
from pitboss.games.how_to_play import OFFERED, how_to_play, played_by
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

LONGEST = 150
FEWEST, MOST = 6, 9


def conditions(name: str) -> dict[str, set[str]]:
    """Return every name that a sentence depends on, with every value it may have at a table."""
    definition = game(name)
    found: dict[str, set[str]] = {option.name: set(option.values) for option in definition.options}
    for wager in definition.wagers:
        found[wager.name] = {OFFERED, *(letter for letter in wager.letters if letter)}
    return found


def every_table(name: str) -> Iterator[RulesInForce]:
    """Return rules in force for every combination of what the sentences depend on."""
    definition = game(name)
    named = {item for sentence in how_to_play(name) for item in sentence.when}
    options = [option for option in definition.options if option.name in named]
    lettered = [wager for wager in definition.wagers if wager.name in named and wager.letters]
    optional = {wager.name for wager in definition.wagers if not wager.required and not wager.by_action}
    for values in product(*(option.values for option in options)):
        for letters in product(*(item.letters for item in lettered)):
            for offered in (optional, set(), *({wager} for wager in optional)):
                choices = Choices(
                    options=dict(zip((option.name for option in options), values, strict=True)),
                    paytables={item.name: letter for item, letter in zip(lettered, letters, strict=True) if letter},
                    offered=frozenset(offered),
                )
                yield RulesInForce(definition, choices)


@pytest.mark.parametrize("name", game_names())
def test_every_cited_clause_is_in_the_rulebook(name: str) -> None:
    known = set(outline(name))
    for sentence in how_to_play(name):
        assert sentence.clauses
        assert [clause for clause in sentence.clauses if clause not in known] == []


@pytest.mark.parametrize("name", game_names())
def test_a_sentence_is_short_and_plain(name: str) -> None:
    for sentence in how_to_play(name):
        assert len(sentence.text) <= LONGEST
        assert sentence.text.endswith(".")
        assert "!" not in sentence.text


@pytest.mark.parametrize("name", game_names())
def test_a_condition_names_an_option_or_a_wager_and_a_value_it_has(name: str) -> None:
    known = conditions(name)
    wrong = [
        sentence.when
        for sentence in how_to_play(name)
        for what, value in sentence.when.items()
        if value not in known[what]
    ]
    assert wrong == []


@pytest.mark.parametrize("name", game_names())
def test_whatever_an_operator_chooses_a_few_sentences_hold_and_none_twice(name: str) -> None:
    said_somewhere: set[str] = set()
    for rules in every_table(name):
        texts = [sentence.text for sentence in played_by(rules)]
        assert FEWEST <= len(texts) <= MOST
        assert len(set(texts)) == len(texts)
        said_somewhere |= set(texts)
    assert said_somewhere == {sentence.text for sentence in how_to_play(name)}


def test_an_option_changes_what_is_said() -> None:
    definition = game("colorado-holdem")
    required, permissible = (
        " ".join(
            sentence.text for sentence in played_by(RulesInForce(definition, Choices(options={"version": version})))
        )
        for version in ("required-bet", "permissible-bet")
    )
    assert "sevens, eights or nines pushes" in required
    assert "nines or tens pushes" in permissible
    assert "fold and lose the Ante" in required
    assert "Nobody folds" in permissible


def test_a_wager_that_is_not_offered_is_not_explained() -> None:
    definition = game("top-five-poker")
    offered, alone = (
        " ".join(sentence.text for sentence in played_by(RulesInForce(definition, Choices(offered=frozenset(names)))))
        for names in (("poker-bonus",), ())
    )
    assert "Poker Bonus" in offered
    assert "Top Five Bonus" not in offered
    assert "Bonus" not in alone


def test_a_game_without_the_file_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(folders(), "from-elsewhere", tmp_path)
    assert how_to_play("from-elsewhere") == ()
