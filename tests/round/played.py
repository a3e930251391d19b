"""Plays rounds of any game: command by command under a test's control, or at random to the end."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import settings

from pitboss.cards import Card
from pitboss.games import catalogue
from pitboss.round import Round, decide, evolve, legal_actions, open_round
from pitboss.round.commands import (
    Act,
    CloseBets,
    Command,
    DealCards,
    PayMeter,
    PlaceWagers,
    Settle,
    TurnCards,
)
from pitboss.round.events import Event
from pitboss.round.verification import Verification
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import METHODS
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.paytable import Paytable, paytable
from pitboss.rules.refusal import Refusal

GAMES = catalogue.game_names()
# Every run tries the same examples, so that a failure is a change and never chance.
FEW = settings(max_examples=40, derandomize=True, deadline=None, database=None)
SOME = settings(max_examples=120, derandomize=True, deadline=None, database=None)
MANY = settings(max_examples=300, derandomize=True, deadline=None, database=None)

LEAST = {
    name: {wager.name: 1000 for wager in catalogue.game(name).wagers if wager.required}
    for name in catalogue.game_names()
}


def own_table(cells: tuple[str, ...]) -> Paytable:
    """Return a paytable as a submission may define one, with a meter."""
    return paytable(None, "own", dict(zip(cells, ("100 % of jackpot", "10 % of jackpot", "3 for 1"), strict=False)))


@dataclass
class Table:
    """A live round: commands in, events and states kept."""

    rules: RulesInForce
    state: Round = field(init=False)
    events: list[Event] = field(default_factory=list)
    states: list[Round] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    limits: Verification | None = None
    spare: list[Card] = field(init=False)

    def __post_init__(self) -> None:
        self.state = open_round(self.rules)
        self.states.append(self.state)
        self.spare = list(self.rules.game.deck.cards)

    def do(self, command: Command) -> tuple[Event, ...]:
        """Carry out a command that the rules accept."""
        decision = decide(self.state, command)
        assert not isinstance(decision, Refusal), f"{command}: {decision}"
        for event in decision:
            self.state = evolve(self.state, event)
            self.states.append(self.state)
        self.events.extend(decision)
        self.commands.append(command)
        return decision

    def refusal(self, command: Command) -> Refusal:
        """Return the refusal of a command that the rules do not accept."""
        decision = decide(self.state, command)
        assert isinstance(decision, Refusal), f"{command} was accepted: {decision}"
        assert decision.reason
        return decision

    def place(self, seat: int, stakes: Mapping[str, int], player: str = "") -> None:
        """Place wagers for a seat's own player."""
        self.do(PlaceWagers(seat, player or f"player {seat}", stakes))

    def next_cards(self, count: int) -> tuple[Card, ...]:
        """Return cards from the top of what is left."""
        owed = self.state.dealt_next
        spare = [card for card in self.spare if card not in self.state.drawn and card not in owed]
        wanted = (*owed, *(None,) * count)[:count]  # None is any card
        dealt = tuple(card if card is not None else spare.pop(0) for card in wanted)
        self.spare = spare
        return dealt

    def deal_on(self) -> None:
        """Deal or turn up what is due next."""
        assert self.state.due is not None
        due = self.state.due
        self.do(TurnCards() if due.is_turned else DealCards(self.next_cards(due.cards)))

    def deal_until(self, phase: str) -> None:
        """Deal and turn up until another phase begins."""
        while self.state.phase == "dealing":
            self.deal_on()
        assert self.state.phase == phase, self.state.phase

    def act(self, action: str, discard: str | None = None) -> tuple[Event, ...]:
        """Answer for the seat that is asked; its first card goes where a discard is needed and none is named."""
        seat = self.state.cursor
        if discard is None and any(
            legal_action.name == action and legal_action.discards for legal_action in legal_actions(self.state)
        ):
            discard = self.state.cards[seat][0]
        return self.do(Act(seat, action, Card(discard) if discard else None))

    def close(self) -> None:
        """Call no more bets."""
        self.do(CloseBets(self.limits))

    def dealt(self) -> None:
        """Close the bets and deal until a player has to act."""
        self.close()
        self.deal_until("asking")

    def answered(self, *actions: str) -> None:
        """Close, deal and answer, seat by seat, the last answer for all who remain; ready to be settled."""
        self.dealt()
        for action in (*actions, *actions[-1:] * 30):
            if self.state.phase == "asking":
                name, _, discard = action.partition(" discard ")
                self.act(name, discard or None)
            while self.state.phase == "dealing":
                self.deal_on()
        assert self.state.phase == "settling"

    def pay_meter(self, cents: int) -> None:
        """Answer for the meter that is awaited."""
        assert self.state.meter is not None
        self.do(PayMeter(self.state.meter.seat, cents, "floorperson 1"))

    def settle(self, meters: Mapping[str, int] | None = None) -> None:
        """Settle to the end, meters answering with what they show."""
        self.do(Settle())
        while self.state.meter is not None:
            self.pay_meter((meters or {}).get(self.state.meter.meter, 1_000_000))


def table_of(game: str, order: str = "", **choices: object) -> Table:
    """Return a table of a game under these choices, its cards beginning with `order`."""
    table = Table(RulesInForce(catalogue.game(game), Choices(**choices)))
    first = table.rules.game.deck.pick(order.split(), set())
    table.spare = [*first, *(card for card in table.spare if card not in first)]
    return table


def random_choices(game: GameDefinition, chance: random.Random, dealing: str | None = None) -> Choices:
    """Return lawful choices for a table, picked at random."""
    amounts = {
        money_option.name: money_option.minimum_cents + chance.randrange(3) * 100_000
        for money_option in game.money_options
        if chance.random() < 0.6
    }
    own_hands = {
        wager.name: chance.choice(list(wager.hands))
        for wager in game.wagers
        if wager.defined_by_submission and chance.random() < 0.5
    }
    fixed = {wager.name: chance.choice(wager.stakes_cents) for wager in game.wagers if len(wager.stakes_cents) > 1}
    fixed |= dict.fromkeys(own_hands, 500)
    return Choices(
        paytables={wager.name: chance.choice(wager.letters) for wager in game.wagers if wager.letters},
        options={option.name: chance.choice(option.values) for option in game.options},
        amounts=amounts,
        own_hands=own_hands,
        own_tables={name: own_table(game.wagers_by_name[name].hands[hand]) for name, hand in own_hands.items()},
        stakes=fixed,
        dealing=dealing or chance.choice(METHODS),
    )


def random_stakes(rules: RulesInForce, chance: random.Random) -> dict[str, int]:
    """Return stakes that a seat may place, side wagers by the toss of a coin."""
    stakes: dict[str, int] = {}
    for wager in rules.game.wagers:
        if wager.by_action or wager.name not in rules.offered or wager.dealing not in (None, rules.choices.dealing):
            continue
        if not wager.required and (chance.random() < 0.4 or not all(needed in stakes for needed in wager.needs)):
            continue
        fixed = rules.limits(wager.name).fixed
        if wager.equals:
            stakes[wager.name] = stakes[wager.equals]
        else:
            stakes[wager.name] = chance.choice(fixed or (1, 7, 500, 1001, chance.randrange(1, 3_000_000)))
    return stakes


def random_order(game: GameDefinition, chance: random.Random) -> list[Card]:
    """Return a deck in random order, often with cards of one suit, or of a few ranks, nearer the top."""
    favoured: set[Card] = set()
    tilt = chance.random()
    if tilt < 0.35:
        suit = chance.choice(sorted({card[1] for card in game.deck.cards}))
        high = chance.random() < 0.5
        favoured = {card for card in game.deck.cards if card[1] == suit and (not high or card[0] in "9TJQKA")}
    elif tilt < 0.6:
        ranks = chance.sample(sorted({card[0] for card in game.deck.cards}), 3)
        favoured = {card for card in game.deck.cards if card[0] in ranks}
    pull = chance.choice((0.4, 0.15, 0.05))
    place = {card: chance.random() * (pull if card in favoured else 1) for card in game.deck.cards}
    return sorted(game.deck.cards, key=place.__getitem__)


@dataclass
class RandomPlay:
    """One round of a game with random lawful choices, wagers, cards and actions."""

    game: str
    seed: int
    dealing: str | None = None

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.game} {self.seed}")
        game = catalogue.game(self.game)
        self.rules = RulesInForce(game, random_choices(game, self.chance, self.dealing))
        self.table = Table(self.rules)
        self.table.spare = random_order(game, self.chance)
        self.meters = {
            name: self.chance.randrange(1_000_000, 9_000_000)
            for table in self.rules.paytables.values()
            for name in table.meters
        }

    def open(self) -> Table:
        """Place wagers at some seats and close the bets."""
        seats = self.rules.seats_most
        for seat in sorted(self.chance.sample(range(1, seats + 1), self.chance.randint(1, min(seats, 4)))):
            self.table.place(seat, random_stakes(self.rules, self.chance))
        self.table.do(CloseBets())
        return self.table

    def next_command(self) -> Command:
        """Return a lawful command that carries the round on."""
        state = self.table.state
        if state.due is not None:
            return TurnCards() if state.due.is_turned else DealCards(self.table.next_cards(state.due.cards))
        if state.phase == "asking":
            action = self.chance.choice(legal_actions(state))
            discard = self.chance.choice(state.cards[state.cursor]) if action.discards else None
            return Act(state.cursor, action.name, discard)
        if state.meter is not None:
            return PayMeter(state.meter.seat, self.meters[state.meter.meter], "floorperson 1")
        return Settle()

    def play(self) -> Table:
        """Play the round to its end."""
        self.open()
        while self.table.state.outcome is None:
            self.table.do(self.next_command())
        return self.table
