"""The state of a round: flat, immutable, and everything in it derived from events."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from pitboss.cards.deck import Card
from pitboss.round.events import EnvyPaid, MeterAwaited, Outcome, PayoutAwaited, Place, WagerResult
from pitboss.round.verification import Verification
from pitboss.rules.dealing import BOARD, BOX, DEALER, Deal, Delivery
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import (
    ALL_DECIDED,
    ANOTHER,
    CARDS_DEALT,
    CARDS_OUT,
    DEALER_WAITS,
    HANDS_DEALT,
    KEEP,
    DeckFate,
)
from pitboss.rules.play import UNDECIDED, Ask, SeatStatus
from pitboss.rules.quick_replace import quick_replace
from pitboss.rules.reading import SeatCards, TableCards

# What a round waits for.
Phase = Literal["wagering", "dealing", "asking", "settling", "awaiting-meter", "awaiting-verification", "over"]
WAGERING: Final = "wagering"
DEALING: Final = "dealing"
ASKING: Final = "asking"
SETTLING: Final = "settling"
AWAITING_METER: Final = "awaiting-meter"
AWAITING_VERIFICATION: Final = "awaiting-verification"
OVER: Final = "over"

_ONLY_FOR_THE_SHOWDOWN = (DEALER, BOX)


@quick_replace
class Round(NamedTuple):
    """One round. Mappings are replaced, never changed."""

    rules: RulesInForce
    step: int = 0  # the current step of the play
    phase: Phase = WAGERING
    cursor: int = 0  # which delivery is due, or which seat is asked
    pending: tuple[Delivery, ...] = ()  # the deliveries of this phase of dealing
    seats: tuple[int, ...] = ()  # in the order they are dealt and asked
    players: Mapping[int, str] = {}
    stakes: Mapping[tuple[int, str], int] = {}
    status: Mapping[int, SeatStatus] = {}
    cards: Mapping[Place, tuple[Card, ...]] = {}
    face_up: Mapping[Place, int] = {}  # how many of a place's cards lie face up, from the first
    discards: Mapping[int, Card] = {}
    acted: Mapping[int, tuple[str, ...]] = {}  # what each seat has answered, in order
    drawn: frozenset[Card] = frozenset()  # every card this round has seen, set aside or dealt
    results: Mapping[tuple[int, str], WagerResult] = {}
    hands: Mapping[int, str] = {}
    envy: tuple[EnvyPaid, ...] = ()
    collected: tuple[Place, ...] = ()
    face_up_found: int = 0
    only: tuple[str, ...] | None = None  # after a partial void: the wagers still to be settled
    only_clause: str | None = None
    meter: MeterAwaited | None = None
    outcome: Outcome | None = None  # once over
    deck: DeckFate = KEEP
    relied_on: frozenset[Card] = frozenset()  # cards that a player has already acted on: their own and the shared ones
    dealt_next: tuple[Card | None, ...] = ()  # what must be dealt next after a draw in error; None is any card
    verification: Verification | None = None
    payout: PayoutAwaited | None = None
    banked: tuple[tuple[int, str], ...] = ()  # the stakes whose chips lie in the tray, by seat and wager
    coupons: Mapping[tuple[int, str], int] = {}  # the faces of coupons that lie with chips
    goes_on: Phase = SETTLING  # the phase that follows once the payout is verified

    @property
    def due(self) -> Delivery | None:
        """Return the delivery or the turning that comes next while dealing."""
        return self.pending[self.cursor] if self.phase == DEALING else None

    @property
    def seat_asked(self) -> int | None:
        """Return the seat whose answer the dealer waits for."""
        return self.cursor if self.phase == ASKING else None

    def seat_stakes(self, seat: int) -> dict[str, int]:
        """Return the stakes on a seat, in the order of settlement."""
        stakes = self.stakes
        return {wager: stakes[key] for wager in self.rules.settlement_order if (key := (seat, wager)) in stakes}

    def seat_coupons(self, seat: int) -> dict[str, int]:
        """Return the faces of the coupons that lie with a seat's chips, by wager."""
        if not self.coupons:
            return {}
        return {wager: face for (other, wager), face in self.coupons.items() if other == seat}

    def table_cards(self) -> TableCards:
        """Return the cards every seat shares."""
        cards = self.cards
        return TableCards(cards.get(DEALER, ()), cards.get(BOARD, ()), cards.get(BOX, ()))

    def seat_cards(self, seat: int) -> SeatCards:
        """Return a seat's cards with its status."""
        return SeatCards(self.cards.get(seat, ()), self.status[seat], self.discards.get(seat))


def counts_for(place: Place, seat: int) -> bool:
    """Say whether the cards of a place are a seat's own or shared by all."""
    return place == seat or not isinstance(place, int)


def open_round(rules: RulesInForce) -> Round:
    """Return a round in which wagers may be placed."""
    return Round(rules)


def deliveries(state: Round, step: int) -> tuple[Delivery, ...]:
    """Return what a phase of dealing still delivers."""
    every = state.rules.deliveries(step, state.seats)
    return every if state.only is None else tuple(due for due in every if is_still_due(state, step, due))


def is_still_due(state: Round, step: int, due: Delivery) -> bool:
    """Say whether a delivery is made: after a partial void the hands are completed without a showdown."""
    # Leaving out a card of the hands would put other cards on the board than the deck has for it.
    return state.only is None or step == first_deal(state.rules) or due.place not in _ONLY_FOR_THE_SHOWDOWN


def first_deal(rules: RulesInForce) -> int:
    """Return the step of the play in which the hands are dealt."""
    return next(index for index, step in enumerate(rules.play) if isinstance(step, Deal))


def facts(state: Round) -> frozenset[str]:
    """Return what a remedy may depend on."""
    play = state.rules.play
    hands = first_deal(state.rules)
    found = {state.rules.choices.dealing}
    if state.face_up_found:
        found.add(ANOTHER)
    if state.drawn:
        found.add(CARDS_DEALT)
    if state.step > hands:
        has_dealer = state.cards.get(DEALER) or DEALER not in state.rules.game.table_cards
        found.add(HANDS_DEALT if has_dealer else DEALER_WAITS)
    if not any(isinstance(step, Ask) for step in play[state.step :]) or (
        state.step > hands and UNDECIDED not in state.status.values()
    ):
        found.add(ALL_DECIDED)
    if state.players and not cards_to_come(state):
        found.add(CARDS_OUT)
    return frozenset(found)


def cards_to_come(state: Round) -> int:
    """Return how many cards of the round are still to be dealt."""
    return sum(
        due.cards
        for index, step in enumerate(state.rules.play[state.step :], state.step)
        if isinstance(step, Deal)
        for due in deliveries(state, index)[state.cursor if index == state.step else 0 :]
        if not due.is_turned
    )
