"""What Maryland's rulebooks have in common, apart from the game itself; each game passes its own citations."""

from functools import partial

from pitboss.games import shared_duties
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.game import Rulebook
from pitboss.rules.irregularity import FLOOR_RULES, Remedy
from pitboss.rules.layout import Furniture
from pitboss.rules.procedure import DEALER, Cutting, DeckHours, Duty, Idle, Opening, TwoDecks
from pitboss.rules.wager import Option

# Chapter 2: what every table has.
dealers_place = partial(Furniture, "dealer's place across from the players")
drop_and_tip_box = partial(
    Furniture, "drop box and tip box on the dealer's side of the table, one to the dealer's left and one to the right"
)
discard_rack = partial(Furniture, "discard rack attached to the top of the dealer's side")
manual_shoe = partial(Furniture, "manual dealing shoe in the approved location", dealing=MANUAL_SHOE)


def rulebook(title: str, version: str | None = None) -> Rulebook:
    """Return a document of standard rules that the state's agency publishes."""
    return Rulebook(title, "Maryland State Lottery and Gaming Control Agency", "Maryland", version)


def two_decks(
    cite: str, *, same_design: str, different_backs: str, stored: str, alternate: str, one_in_rack: str
) -> TwoDecks:
    """Chapter 3: two decks of one design and two colors, one stored while the other is in play."""
    return TwoDecks(
        cite=cite,
        duties=(
            Duty("same-design", "Use two decks of the same design.", DEALER, same_design),
            shared_duties.different_backs(different_backs),
            Duty("store", "Keep one deck shuffled in the shuffler while the other is in play.", DEALER, stored),
        ),
        alternate_cite=alternate,
        one_in_rack_cite=one_in_rack,
        device_cite=stored,
    )


def deck_hours(*, by_hand: str, from_shoe: str) -> DeckHours:
    """Chapter 3: four hours for cards dealt by hand, eight for cards dealt from a shoe."""
    return DeckHours(
        hours={HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        cites={HAND: by_hand, MANUAL_SHOE: from_shoe, AUTOMATED_SHOE: from_shoe},
    )


def opening(
    spread: Duty,
    *,
    inspect: str,
    look: str,
    turn: str,
    wash: str,
    stack: str,
    shuffle: str,
    two_decks: str,
    skipped: str,
) -> Opening:
    """Chapter 4: the cards are inspected, spread, shown, turned, washed and stacked."""
    return Opening(
        duties=(
            shared_duties.inspect_cards(inspect),
            shared_duties.verify_inspection(inspect),
            spread,
            shared_duties.look_over_spread(look),
            shared_duties.turn_down(turn),
            shared_duties.wash_cards(wash),
            shared_duties.stack_cards(stack),
        ),
        two_decks_cite=two_decks,
        skipped_cite=skipped,
        shuffle_cite=shuffle,
    )


def cutting(cite: str, *, move_under: str, load: str, recut: str, required: str, uncut: str) -> Cutting:
    """Chapter 5: a cover card at least ten cards deep, and everything above it to the bottom."""
    return Cutting(
        minimum_cards=10,
        cite=cite,
        duties=(
            Duty("cut", "Put the cover card in the stack, at least ten cards from the top.", DEALER, cite),
            Duty("cut-under", "Move the cover card and the cards above it to the bottom.", DEALER, move_under),
            Duty("load", "Put the stack in the dealing shoe.", DEALER, load),
        ),
        recut_cite=recut,
        required_cite=required,
        uncut_cite=uncut,
    )


def idle(cite: str, *, spread: str, turn_up: str, resumes: str, gather: str | None = None) -> Idle:
    """Chapter 5: the cards of an idle table are spread, and shown again when a player arrives."""
    gathering = (shared_duties.gather_idle(gather),) if gather else ()
    return Idle(
        face_down_first=True,
        duties=(
            *gathering,
            Duty("idle-spread", "Spread the cards face down, or face up if a player asks.", DEALER, spread),
        ),
        arrival=(
            Duty("turn-up", "Fan the cards face up for the first player.", DEALER, turn_up, ruling="G-11"),
            shared_duties.look_over_idle(resumes),
        ),
        cite=cite,
        resumes_cite=resumes,
    )


def player_left(cite: str) -> tuple[Remedy, ...]:
    """Chapter 7: the wagers of a player who leaves may be treated as abandoned."""
    rulings = ("abandoned", "played-out")
    return (Remedy((), FLOOR_RULES, cite, rulings=rulings, ruling="G-4", several_ruling="G-16"),)


def dealer_stack(cite: str, ruling: str | None = None) -> Option:
    """Chapters 10 and 11: where an automated shoe deals, the dealer's stack may wait in the shuffler."""
    return Option(
        "dealer-cards",
        ("delivered", "in-shuffler"),
        cite,
        ruling,
        {
            "delivered": "the dealer's stack is delivered after the players'",
            "in-shuffler": "the dealer's cards stay in the shuffler until all players have acted",
        },
        dealing={"in-shuffler": AUTOMATED_SHOE},
    )
