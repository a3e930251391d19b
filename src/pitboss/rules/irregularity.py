"""What a rulebook requires when something goes wrong with the cards, a device or a person."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

FACE_UP_CARD = "face-up-card"
DRAWN_IN_ERROR = "card-drawn-in-error"
WRONG_NUMBER = "wrong-number-of-cards"
DEALER_CARD_EXPOSED = "dealer-card-exposed"
SHUFFLER_JAM = "shuffler-jam"
SHOE_JAM = "shoe-jam"
PLAYER_VIOLATION = "player-violation"
PLAYER_LEFT = "player-left"
PROGRESSIVE_MISMATCH = "progressive-mismatch"
STUB_COUNT_MISDEALT = "stub-count-misdealt"
STUB_COUNT_WRONG = "stub-count-wrong"
STUB_COUNT_MISDEALT_AND_SHORT = "stub-count-misdealt-and-short"
DECK_COUNT_WRONG = "deck-count-wrong"  # before the first card of the round
COMMUNITY_CARD_EXPOSED = "community-card-exposed"
MISPLACED_CARD = "misplaced-card"  # a boxed card, or one that lies where it does not belong
OTHER_MISDEAL = "other-misdeal"

# Remedies. `then` says what happens to the round; `deck` what happens to the cards.
GOES_ON = "goes-on"
SET_ASIDE = "set-aside"  # the card is not used in this round and goes to the discard rack
VOID = "void"  # every wager is returned; collections and payments are reversed
SETTLE_ONLY = "settle-only"  # the board is completed, the named wagers are settled, the rest are returned
FORFEIT = "forfeit"  # the offender loses every wager of the round
FLOOR_RULES = "floor-rules"  # a floorperson decides between the named rulings
RETURN_WAGER = "return-wager"  # one wager is returned before the deal

# What happens to the deck.
DeckFate = Literal["reshuffled", "removed", "kept"]
RESHUFFLE: Final = "reshuffled"
REMOVE: Final = "removed"
KEEP: Final = "kept"

# Facts about a round that a remedy may depend on; the dealing method is one too, by its name.
ANOTHER = "another-before"  # a card was found face up earlier in this round
HANDS_DEALT = "hands-dealt"  # every seat and the dealer hold their first cards
DEALER_WAITS = "dealer-waits"  # every seat holds its first cards, the dealer's are still in the shuffler
ALL_DECIDED = "all-decided"  # nobody is left to be asked
CARDS_DEALT = "cards-dealt"  # a card of the round has left the deck
CARDS_OUT = "cards-out"  # no card of the round is left to be dealt
OTHER_DECK = "other-deck"  # the problem is with the deck that is not in play


@dataclass(frozen=True, slots=True)
class Limb:
    """One of the duties a clause lists, with a penalty for breaking it."""

    name: str
    cite: str
    title: str
    until_revealed: bool = False  # it cannot be broken once the dealer's cards are shown


@dataclass(frozen=True, slots=True)
class Remedy:
    """What one clause requires under the facts it names."""

    facts: tuple[str, ...]
    then: str
    cite: str
    deck: DeckFate = KEEP
    settles: tuple[str, ...] = ()  # SETTLE_ONLY: these wagers are settled
    settles_cite: str | None = None
    wager: str | None = None  # RETURN_WAGER: this one
    rulings: tuple[str, ...] = ()  # FLOOR_RULES: what the floorperson may decide
    ruling: str | None = None  # the reading this rests on
    several_ruling: str | None = None  # the reading by which it covers every position of a player who holds several
    late_ruling: str | None = None  # the reading by which it covers wagers that were settled before it was seen
    limbs: tuple[Limb, ...] = ()  # the report must say which of these was broken
    needs_note: bool = False  # the person who rules must say why


Irregularities = Mapping[str, tuple[Remedy, ...]]

# A deck that counts wrong with wagers on the layout and no card out: the clauses on counts are about hands.
MISCOUNTED = Remedy((), FLOOR_RULES, "G-26", REMOVE, rulings=("continue", "void"), ruling="G-26", needs_note=True)

# What no clause lists: two people rule, and the one who rules says why.
UNLISTED = "G-18"
_PEOPLE_RULE = (
    Remedy((), FLOOR_RULES, UNLISTED, RESHUFFLE, rulings=("continue", "void"), ruling=UNLISTED, needs_note=True),
)


def completed(listed: Irregularities, *, has_board: bool) -> Irregularities:
    """Return a rulebook's remedies, plus the one for everything no rulebook lists."""
    unlisted = (MISPLACED_CARD, OTHER_MISDEAL, *((COMMUNITY_CARD_EXPOSED,) if has_board else ()))
    return {**listed, **{kind: _PEOPLE_RULE for kind in unlisted if kind not in listed}}
