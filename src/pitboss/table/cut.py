"""How a stack of cards is cut; a stack is listed from its top card down.

The rulebooks describe two ways of cutting, which differ in what the hands do and where the cover card ends up, not in
the order of the cards: either way the cards above the cut end up below the others, each part in its own order.
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


def check_cut(cutting: Cutting, stack_cards: int, cards: int) -> Refusal | None:
    """Return why a stack may not be cut at this many cards from its top, or None."""
    if cards < cutting.minimum_cards:
        least = cutting.minimum_cards
        return Refusal(f"Cut at least {least} cards from the top, not {cards}", cutting.cite, "cards")
    if cards >= stack_cards:
        return Refusal(f"A cut of {cards} cards leaves no cards below it", cutting.cite, "cards")
    return None
