"""The order of the cards after a cut, both ways of cutting."""

from collections.abc import Sequence

import pytest

from pitboss.rules.game import GameDefinition
from pitboss.table.cut import check_cut, cut_with_cover_card

STACK = ("As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s", "4s", "3s", "2s")


def cut_onto_cover_card(stack: Sequence[str], cards: int) -> tuple[str, ...]:
    """Lift the top cards onto the cover card on the table, then put the rest of the stack on them, card by card."""
    pile = list(stack[:cards])
    for card in reversed(stack[cards:]):
        pile.insert(0, card)
    return tuple(pile)


@pytest.mark.parametrize("cut", [cut_with_cover_card, cut_onto_cover_card])
def test_the_card_below_the_cut_becomes_the_top_card(cut) -> None:  # type: ignore[no-untyped-def]
    assert cut(STACK, 10) == ("4s", "3s", "2s", "As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "5s")
    assert cut(STACK, 12) == ("2s", *STACK[:12])


def test_both_ways_of_cutting_leave_the_same_order(game: GameDefinition) -> None:
    cards = game.deck.cards
    for count in range(10, len(cards)):
        assert cut_with_cover_card(cards, count) == cut_onto_cover_card(cards, count)


def test_a_cut_loses_no_card_and_two_halves_make_a_whole(game: GameDefinition) -> None:
    cards = game.deck.cards
    once = cut_with_cover_card(cards, 20)
    assert sorted(once) == sorted(cards)
    assert once[len(cards) - 20 :] == cards[:20]
    assert cut_with_cover_card(once, len(cards) - 20) == cards


def test_ten_cards_at_least_and_one_left_below(game: GameDefinition) -> None:
    cutting, size = game.procedures.cutting, len(game.deck)
    for count in (10, size - 1):
        assert check_cut(cutting, size, count) is None
    for count in (-1, 0, 9, size, size + 1):
        refusal = check_cut(cutting, size, count)
        assert refusal is not None
        assert refusal.clause == cutting.cite
