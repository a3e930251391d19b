"""No sequence of commands crashes a round or moves money wrongly, and a refusal changes nothing."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import Card
from pitboss.games import catalogue
from pitboss.round import Round, decide, evolve, view
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    CloseBets,
    Command,
    DealCards,
    PayMeter,
    PlaceWagers,
    ReportIrregularity,
    Settle,
    TurnCards,
    WithdrawWagers,
)
from pitboss.round.events import Event
from pitboss.round.round_data import from_data, to_data
from pitboss.rules import irregularity
from pitboss.rules.refusal import Refusal
from round.ledger import Ledger
from round.played import GAMES, MANY, RandomPlay, random_stakes

pytestmark = pytest.mark.slow

KINDS = [
    irregularity.FACE_UP_CARD,
    irregularity.DRAWN_IN_ERROR,
    irregularity.WRONG_NUMBER,
    irregularity.DEALER_CARD_EXPOSED,
    irregularity.SHUFFLER_JAM,
    irregularity.SHOE_JAM,
    irregularity.PLAYER_VIOLATION,
    irregularity.PLAYER_LEFT,
    irregularity.PROGRESSIVE_MISMATCH,
    irregularity.STUB_COUNT_MISDEALT,
    irregularity.STUB_COUNT_WRONG,
    irregularity.STUB_COUNT_MISDEALT_AND_SHORT,
    irregularity.COMMUNITY_CARD_EXPOSED,
    irregularity.MISPLACED_CARD,
    irregularity.OTHER_MISDEAL,
    "earthquake",
]
# Void ends a round at once, so kinds that mostly void are tried less often.
LIKELY = [
    irregularity.FACE_UP_CARD,
    irregularity.PLAYER_LEFT,
    irregularity.PLAYER_VIOLATION,
    irregularity.DEALER_CARD_EXPOSED,
    irregularity.PROGRESSIVE_MISMATCH,
    irregularity.DRAWN_IN_ERROR,
]


class Fool:
    """Makes up commands, some lawful, most of them not."""

    def __init__(self, game: str, seed: int) -> None:
        self.play = RandomPlay(game, seed)
        self.table = self.play.table
        self.chance = self.play.chance
        self.deck = catalogue.game(game).deck.cards

    def command(self) -> Command:
        """Return a command: the right one a third of the time once bets are closed."""
        if self.table.state.players and self.table.state.phase != "wagering" and self.chance.random() < 0.4:
            return self.play.next_command()
        makers = (self.wagers, self.withdrawal, self.cards, self.act, self.absence, self.meter, self.report, self.plain)
        return self.chance.choices(makers, (5, 1, 2, 3, 2, 2, 4, 2))[0]()

    def seat(self) -> int:
        return self.chance.choice((-1, 0, 1, 2, 3, 4, 6, 7, 99, self.table.state.cursor))

    def card(self) -> Card:
        held = [card for cards in self.table.state.cards.values() for card in cards]
        return self.chance.choice((Card("Zz"), Card(""), *self.chance.sample(self.deck, 4), *held[:8]))

    def wagers(self) -> Command:
        stakes: dict[str, Any] = random_stakes(self.play.rules, self.chance)
        if self.chance.random() < 0.3:
            names = [*stakes, "play", "bet", "side", "progressive", "six-card-bonus"]
            amounts = (0, -5, 1, 100, 500, 999_999_999, True, "5", None, 2.5)
            stakes[self.chance.choice(names)] = self.chance.choice(amounts)
        if self.chance.random() < 0.1:
            stakes.pop(self.chance.choice(list(stakes)))
        instrument = self.chance.choice(("chips",) * 5 + ("plaques", "verbal-cash", "coupon", "cash", ""))
        return PlaceWagers(self.seat(), f"player {self.chance.randint(1, 3)}", stakes, instrument)

    def withdrawal(self) -> Command:
        return WithdrawWagers(self.seat())

    def cards(self) -> Command:
        return DealCards(tuple(self.card() for _ in range(self.chance.randint(0, 4))))

    def act(self) -> Command:
        names = ("check", "fold", "play", "bet", "declare", "raise 4x", "raise 1x", "", "all in")
        return Act(self.seat(), self.chance.choice(names), self.card() if self.chance.random() < 0.3 else None)

    def absence(self) -> Command:
        return ActForAbsent(self.seat(), self.card() if self.chance.random() < 0.3 else None)

    def meter(self) -> Command:
        seat = self.table.state.meter.seat if self.table.state.meter else self.seat()
        return PayMeter(seat, self.chance.choice((-1, 0, 10**9)), self.chance.choice(("", "floor 1")))

    def report(self) -> Command:
        return ReportIrregularity(
            self.chance.choice(LIKELY if self.chance.random() < 0.85 else KINDS),
            self.chance.choice((None, self.seat(), *self.table.state.seats)),
            self.card() if self.chance.random() < 0.7 else None,
            self.chance.random() < 0.3,
            self.chance.choice((None, "abandoned", "played-out", "continue", "void", "nonsense")),
            self.chance.choice((None, "", "floor 1", "floor 2")),
            self.chance.choice((None, None, "touched", "talked", "nonsense")),
            self.chance.choice((None, "", "as it was seen")),
            self.chance.choice((0, 0, 1)),
        )

    def plain(self) -> Command:
        return self.chance.choice((CloseBets(), TurnCards(), Settle()))


def snapshot(state: Round) -> str:
    return repr(state[1:])


def check(state: Round, events: list[Event]) -> None:
    books = Ledger.of(events)
    assert books.staked == dict(state.stakes)
    assert books.settled == dict(state.results)
    for seat in state.seats:
        view(state, (seat,))
    if state.outcome:
        books.check_closed()
        assert books.ended == state.outcome
    assert [from_data(to_data(event)) for event in events] == events


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@MANY
def test_foolish_commands_never_crash_and_refusals_change_nothing(game: str, seed: int) -> None:
    fool = Fool(game, seed)
    for _ in range(70):
        before = snapshot(fool.table.state)
        command = fool.command()
        decision = decide(fool.table.state, command)
        assert snapshot(fool.table.state) == before
        if isinstance(decision, Refusal):
            assert decision.reason
            assert decision.clause != ""
            continue
        assert decision
        fool.table.do(command)
    check(fool.table.state, fool.table.events)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@MANY
def test_a_round_with_any_irregularity_still_ends_with_every_stake_accounted_for(game: str, seed: int) -> None:
    fool = Fool(game, seed)
    fool.play.open()
    while fool.table.state.outcome is None:
        if fool.chance.random() < 0.15:
            command = fool.chance.choice((fool.report, fool.report, fool.absence))()
            if not isinstance(decide(fool.table.state, command), Refusal):
                fool.table.do(command)
        else:
            fool.table.do(fool.play.next_command())
    check(fool.table.state, fool.table.events)


@pytest.mark.parametrize("game", GAMES)
def test_the_fool_gets_far_enough_to_matter(game: str) -> None:
    outcomes: set[str] = set()
    remedies: set[str] = set()
    for seed in range(400):
        fool = Fool(game, seed)
        fool.play.open()
        while fool.table.state.outcome is None:
            command = fool.report() if fool.chance.random() < 0.25 else fool.play.next_command()
            if not isinstance(decision := decide(fool.table.state, command), Refusal):
                fool.table.do(command)
                remedies.update(event.remedy for event in decision if hasattr(event, "remedy"))
        outcomes.add(fool.table.state.outcome)
    assert outcomes == {"settled", "void"}
    assert {"forfeit", "goes-on", "void"} <= remedies


@pytest.mark.parametrize("game", GAMES)
def test_nothing_at_all_is_accepted_once_a_round_is_over(game: str) -> None:
    chance = random.Random(5)
    play = RandomPlay(game, 1)
    play.play()
    fool = Fool(game, 2)
    fool.table = play.table
    fool.play.table = play.table
    for _ in range(300):
        makers = (fool.wagers, fool.withdrawal, fool.cards, fool.act, fool.absence, fool.meter, fool.report, fool.plain)
        assert isinstance(decide(play.table.state, chance.choice(makers)()), Refusal)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@MANY
def test_events_of_an_accepted_command_never_mention_a_seat_that_is_not_there(game: str, seed: int) -> None:
    fool = Fool(game, seed)
    for _ in range(40):
        command = fool.command()
        if not isinstance(decision := decide(fool.table.state, command), Refusal):
            state = fool.table.state
            fool.table.do(command)
            for event in decision:
                seat = getattr(event, "seat", None)
                if isinstance(seat, int) and not isinstance(command, PlaceWagers):
                    assert seat in state.players
                state = evolve(state, event)
