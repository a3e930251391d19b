"""Where cards come from, and what no table accepts."""

from typing import get_type_hints

import pytest

from pitboss.cards import Card, SeededShuffle, TableShuffle
from pitboss.cards.deck import face
from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal
from pitboss.table.cut import cut_with_cover_card
from pitboss.table.source import (
    CardRead,
    CardsMissing,
    CardSource,
    ForeignCard,
    ReaderSource,
    RepeatedCard,
    ScriptedSource,
    ShuffleSource,
    table_source,
)


def test_a_shuffled_deck_gives_each_card_once(game: GameDefinition) -> None:
    source = ShuffleSource(TableShuffle(), game.deck)
    order = source.order
    drawn = (*source.draw(1), *source.draw(4), *source.draw(source.remaining))
    assert drawn == order
    assert sorted(drawn) == sorted(game.deck.cards)
    assert source.remaining == 0
    with pytest.raises(CardsMissing, match="1 cards were requested, but 0 are available"):
        source.draw(1)


def test_a_seeded_shuffle_is_refused_at_run_time(game: GameDefinition) -> None:
    with pytest.raises(TypeError, match="not by SeededShuffle"):
        ShuffleSource(SeededShuffle(1), game.deck)  # type: ignore[arg-type]


def test_a_seeded_shuffle_is_refused_by_its_type() -> None:
    assert get_type_hints(ShuffleSource.__init__)["shuffle"] is TableShuffle
    assert not issubclass(SeededShuffle, TableShuffle)


def test_a_shuffle_that_only_claims_to_be_the_tables_is_refused(game: GameDefinition) -> None:
    class Stacked(TableShuffle):
        pass

    with pytest.raises(TypeError, match="not by Stacked"):
        ShuffleSource(Stacked(), game.deck)


def test_the_cut_moves_the_top_cards_to_the_bottom_before_any_is_drawn(game: GameDefinition) -> None:
    source = ShuffleSource(TableShuffle(), game.deck)
    before = source.order
    assert source.cut(15, game.procedures.cutting) is None
    assert source.order == cut_with_cover_card(before, 15)
    assert source.draw(2) == before[15:17]
    late = source.cut(15, game.procedures.cutting)
    assert isinstance(late, Refusal)
    assert late.clause == game.procedures.cutting.cite


def test_a_cut_of_nine_cards_leaves_the_order_as_it_was(game: GameDefinition) -> None:
    source = ShuffleSource(TableShuffle(), game.deck)
    before = source.order
    assert isinstance(source.cut(9, game.procedures.cutting), Refusal)
    assert source.order == before


def test_a_reader_gives_cards_in_the_order_they_were_reported(game: GameDefinition) -> None:
    source = ReaderSource(game.deck)
    first, second = game.deck.cards[0], game.deck.cards[-1]
    assert source.report(second) == CardRead(second)
    assert source.report(first) == CardRead(first)
    assert source.waiting == 2
    assert source.draw(2) == (second, first)
    with pytest.raises(CardsMissing):
        source.draw(1)


def test_a_repeated_and_a_foreign_card_are_named_and_never_drawn(game: GameDefinition) -> None:
    source = ReaderSource(game.deck)
    card = game.deck.cards[5]
    source.report(card)
    assert source.report(card) == RepeatedCard(card)
    assert source.report("10h") == ForeignCard("10h")
    assert source.waiting == 1


def test_faces_that_repeat_take_one_physical_copy_each(game: GameDefinition) -> None:
    source = ReaderSource(game.deck)
    for name in game.deck.titles:
        copies = game.deck.of_face(name)
        read = [source.report(name) for _ in copies]
        assert {entry.card for entry in read if isinstance(entry, CardRead)} == set(copies)
        assert source.report(name) == RepeatedCard(name)
    assert sorted(source.draw(len(game.deck))) == sorted(game.deck.cards)


def test_a_deck_with_repeated_faces_is_in_the_catalogue() -> None:
    repeats = [game for game in catalogue.games() if len(game.deck.titles) < len(game.deck)]
    assert repeats
    for repeat in repeats:
        many = next(card for card in repeat.deck.cards if len(repeat.deck.of_face(face(card))) > 1)
        source = ReaderSource(repeat.deck)
        assert source.report(many) == CardRead(many)
        other = source.report(face(many))
        assert isinstance(other, CardRead)
        assert other.card != many


def test_a_script_is_not_for_tables(game: GameDefinition) -> None:
    script = ScriptedSource([Card("As"), Card("Kd")])
    assert script.draw(2) == ("As", "Kd")
    with pytest.raises(CardsMissing):
        script.draw(1)
    with pytest.raises(TypeError, match="ScriptedSource is not for tables"):
        table_source(script)
    for fit in (ShuffleSource(TableShuffle(), game.deck), ReaderSource(game.deck)):
        checked: CardSource = table_source(fit)
        assert checked is fit


def test_less_than_no_cards_cannot_be_drawn() -> None:
    with pytest.raises(CardsMissing):
        ScriptedSource([Card("As")]).draw(-1)
