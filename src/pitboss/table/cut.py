"""How a stack of cards is cut, move by move; a stack is listed from its top card down.

The two ways differ in what the hands do and where the cover card ends, not in the order of the cards:
either way the cards above the cut end below the others, each part in its own order.
"""

from collections.abc import Sequence
from typing import TypeVar

from pitboss.rules.procedure import Cutting
from pitboss.rules.refusal import Refusal

Item = TypeVar("Item")


def cut_with_cover_card(stack: Sequence[Item], cards: int) -> tuple[Item, ...]:
    """Put the cover card under the top cards, then move it and all above it to the bottom."""
    above, below = stack[:cards], stack[cards:]
    return (*below, *above)


def cut_onto_cover_card(stack: Sequence[Item], cards: int) -> tuple[Item, ...]:
    """Lift the top cards onto the cover card on the table, then put the rest of the stack on them."""
    pile = list(stack[:cards])
    for card in reversed(stack[cards:]):
        pile.insert(0, card)
    return tuple(pile)


def check_cut(cutting: Cutting, stack_cards: int, cards: int) -> Refusal | None:
    """Return why a stack may not be cut at this many cards from its top, or None."""
    if cards < cutting.minimum_cards:
        least = cutting.minimum_cards
        return Refusal(f"Cut at least {least} cards from the top, not {cards}", cutting.cite, "cards")
    if cards >= stack_cards:
        return Refusal(f"A cut of {cards} cards leaves no cards below it", cutting.cite, "cards")
    return None
