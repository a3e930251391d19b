"""Decks: which cards they hold, and how faces become physical cards."""

import pytest

from pitboss.cards import STANDARD_DECK, Card, Deck, UnknownCard
from pitboss.cards.deck import face
from pitboss.games import catalogue

REPEATING = Deck("toy", (Card("Ra1"), Card("Ra2"), Card("Ra3"), Card("Dg1")), {"Ra": "rabbit", "Dg": "gold dragon"})


def test_the_standard_deck_is_thirteen_ranks_of_four_suits() -> None:
    assert len(STANDARD_DECK) == 52
    assert set(STANDARD_DECK.cards) == {rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}
    assert STANDARD_DECK.titles["Th"] == "ten of hearts"
    assert STANDARD_DECK.titles["As"] == "ace of spades"


@pytest.mark.parametrize("foreign", ["1h", "10h", "aS", "Ra", "", "AsX", None, 3])
def test_a_foreign_card_is_not_in_the_deck(foreign: object) -> None:
    assert foreign not in STANDARD_DECK


def test_a_face_is_the_card_without_its_number() -> None:
    assert [face(card) for card in REPEATING.cards] == ["Ra", "Ra", "Ra", "Dg"]
    assert face(Card("As")) == "As"


def test_picking_a_repeated_face_takes_a_card_of_its_own_each_time() -> None:
    taken: set[Card] = set()
    assert REPEATING.pick(("Ra", "Dg", "Ra"), taken) == ("Ra1", "Dg1", "Ra2")
    assert taken == {"Ra1", "Ra2", "Dg1"}
    assert REPEATING.pick(["Ra"], taken) == ("Ra3",)


def test_a_copy_already_taken_is_passed_over() -> None:
    taken = {Card("Ra1")}
    assert REPEATING.pick(["Ra"], taken) == ("Ra2",)


def test_one_card_too_many_of_a_face_is_refused_with_how_many_there_are() -> None:
    with pytest.raises(UnknownCard, match="Ra appears more than 3 times"):
        REPEATING.pick(["Ra"] * 4, set())
    with pytest.raises(UnknownCard, match="As appears twice"):
        STANDARD_DECK.pick(["As", "Kd", "As"], set())


@pytest.mark.parametrize("spelling", ["10h", "as", "Ra1", "", "Zz"])
def test_a_spelling_that_no_face_has_is_refused(spelling: str) -> None:
    with pytest.raises(UnknownCard, match="is not a card of the toy deck"):
        REPEATING.pick([spelling], set())


def test_the_cards_of_a_face_are_all_found_and_none_of_another() -> None:
    assert REPEATING.of_face("Ra") == ("Ra1", "Ra2", "Ra3")
    assert REPEATING.of_face("Ph") == ()


def test_a_deck_that_holds_a_card_twice_or_a_face_without_title_cannot_be_made() -> None:
    with pytest.raises(AssertionError):
        Deck("double", (Card("Ra1"), Card("Ra1")), {"Ra": "rabbit"})
    with pytest.raises(AssertionError):
        Deck("untitled", (Card("Ra1"),), {})


def test_the_dragon_deck_is_the_53_cards_of_its_third_chapter() -> None:
    deck = catalogue.game("dragon-poker").deck
    copies = {"Dr": 3, "Db": 3, "Dg": 1, "Ph": 7, "Ti": 8, "Pa": 9, "Mo": 10, "Ra": 12}
    assert {name: len(deck.of_face(name)) for name in deck.titles} == copies
    assert len(deck) == len(set(deck.cards)) == 53
    assert sum(copies[name] for name in ("Dr", "Db", "Dg")) == 7
    assert all(face(card) in copies and card not in STANDARD_DECK for card in deck.cards)
    assert deck.titles["Dg"] == "gold dragon"


@pytest.mark.parametrize("name", [name for name in catalogue.game_names() if name != "dragon-poker"])
def test_the_other_games_play_with_the_standard_deck(name: str) -> None:
    assert catalogue.game(name).deck is STANDARD_DECK
