"""What a reader's reports mean: a card of the deck, one that was read before, or one of another deck."""

from pitboss.cards.deck import face
from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition
from pitboss.table.source import CardRead, ForeignCard, ReaderSource, RepeatedCard


def test_a_repeated_and_a_foreign_card_are_named(game: GameDefinition) -> None:
    source = ReaderSource(game.deck)
    card = game.deck.cards[5]
    assert source.report(card) == CardRead(card)
    assert source.report(card) == RepeatedCard(card)
    assert source.report("10h") == ForeignCard("10h")


def test_faces_that_repeat_take_one_physical_copy_each(game: GameDefinition) -> None:
    source = ReaderSource(game.deck)
    for name in game.deck.titles:
        copies = game.deck.of_face(name)
        read = [source.report(name) for _ in copies]
        assert {entry.card for entry in read if isinstance(entry, CardRead)} == set(copies)
        assert source.report(name) == RepeatedCard(name)


def test_a_deck_with_repeated_faces_is_in_the_catalog() -> None:
    repeats = [game for game in catalogue.games() if len(game.deck.titles) < len(game.deck)]
    assert repeats
    for repeat in repeats:
        many = next(card for card in repeat.deck.cards if len(repeat.deck.of_face(face(card))) > 1)
        source = ReaderSource(repeat.deck)
        assert source.report(many) == CardRead(many)
        other = source.report(face(many))
        assert isinstance(other, CardRead)
        assert other.card != many
