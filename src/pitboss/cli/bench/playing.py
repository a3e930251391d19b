"""Benchmarks of whole tables through decide and evolve, with every event kept, compared with PokerKit's hands."""

import random
from collections.abc import Callable, Iterator
from functools import partial

from pitboss.cards import Card, SeededShuffle
from pitboss.cli.bench.measure import Effort, Measure, best, rate
from pitboss.cli.bench.peers import PLAYERS, pokerkit_hand
from pitboss.games import game, game_names
from pitboss.round import decide, evolve, legal_actions, open_round
from pitboss.round.commands import Act, CloseBets, Command, DealCards, PayMeter, PlaceWagers, Settle, TurnCards
from pitboss.round.events import Event
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce

SEATS = 6
STAKE_CENTS = 1000
METER_CENTS = 1_000_000
ORDERS = 100

Choose = Callable[[int], int]  # which one, out of how many


def rounds(effort: Effort) -> Iterator[Measure]:
    """Measure rounds of six seats that answer at random, with the required wagers and one side wager."""
    for name in game_names():
        rules = RulesInForce(game(name))
        shuffle, chooser = SeededShuffle(1), random.Random(2)
        orders = [shuffle.order(rules.game.deck) for _ in range(ORDERS)]
        ours = partial(rate, partial(_play, rules, orders, chooser.randrange), effort.seconds)
        hand = pokerkit_hand()
        what = f"{rules.game.title}: {seats_of(rules)} seats, every event kept"
        if hand is None:
            yield Measure("rounds", what, ours(), "rounds/s")
            continue
        mine, theirs = best((ours, partial(rate, hand, effort.seconds)), effort.repeats)
        yield Measure("rounds", what, mine, "rounds/s", f"PokerKit, hands of {PLAYERS} players", theirs)


def seats_of(rules: RulesInForce) -> int:
    """Return six seats, or all seats of a smaller table."""
    return min(SEATS, rules.seats_most)


def stakes(game: GameDefinition) -> dict[str, int]:
    """Return a stake on every required wager, and on the first side wager that any table can offer."""
    required = [wager.name for wager in game.wagers if wager.required]
    side = [
        wager.name
        for wager in game.wagers
        if not (wager.required or wager.by_action or wager.stakes_cents or wager.dealing)
    ]
    return dict.fromkeys((*required, *side[:1]), STAKE_CENTS)


def play_round(rules: RulesInForce, order: tuple[Card, ...], choose: Choose) -> list[Event]:
    """Play one round with every seat wagering, and return all its events."""
    state = open_round(rules)
    events: list[Event] = []
    drawn = 0

    def apply(command: Command) -> None:
        nonlocal state
        decision = decide(state, command)
        assert type(decision) is tuple, decision
        for event in decision:
            state = evolve(state, event)
        events.extend(decision)

    wagered = stakes(rules.game)
    for seat in range(1, seats_of(rules) + 1):
        apply(PlaceWagers(seat, f"player {seat}", wagered))
    apply(CloseBets())
    while state.outcome is None:
        due = state.due
        if due is not None:
            if due.is_turned:
                apply(TurnCards())
            else:
                apply(DealCards(order[drawn : drawn + due.cards]))
                drawn += due.cards
        elif state.meter is not None:
            apply(PayMeter(state.meter.seat, METER_CENTS, "floorperson"))
        elif state.phase == "asking":
            actions = legal_actions(state)
            action = actions[choose(len(actions))]
            apply(Act(state.cursor, action.name, state.cards[state.cursor][0] if action.discards else None))
        else:
            apply(Settle())
    return events


def _play(rules: RulesInForce, orders: list[tuple[Card, ...]], choose: Choose) -> int:
    for order in orders:
        play_round(rules, order, choose)
    return len(orders)
