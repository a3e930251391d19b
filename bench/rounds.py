"""Whole rounds through decide and evolve, every event kept, beside PokerKit's six-player hands in the same run."""

import random
import time
from collections.abc import Callable
from typing import Any

from pitboss.cards import Card, SeededShuffle
from pitboss.games import game
from pitboss.round import decide, evolve, legal_actions, open_round
from pitboss.round.commands import Act, CloseBets, Command, DealCards, PayMeter, PlaceWagers, Settle, TurnCards
from pitboss.round.events import Event
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal

SEATS = 6
STAKES = {"ante": 1000, "blind": 1000, "trips": 500}


def play_round(rules: RulesInForce, order: tuple[Card, ...], choose: Callable[[int], int]) -> list[Event]:
    """Play one round with every seat wagering, and return all its events."""
    state = open_round(rules)
    events: list[Event] = []
    deck = iter(order)

    def apply(command: Command) -> None:
        nonlocal state
        decision = decide(state, command)
        assert not isinstance(decision, Refusal), decision
        for event in decision:
            state = evolve(state, event)
        events.extend(decision)

    for seat in range(1, SEATS + 1):
        apply(PlaceWagers(seat, f"player {seat}", STAKES))
    apply(CloseBets())
    while state.outcome is None:
        due = state.due
        if due is not None:
            count = due[1]
            apply(TurnCards() if count < 0 else DealCards(tuple(next(deck) for _ in range(count))))
        elif state.meter is not None:
            apply(PayMeter(state.meter.seat, 1_000_000, "floorperson"))
        elif state.phase == "asking":
            actions = legal_actions(state)
            apply(Act(state.cursor, actions[choose(len(actions))].name))
        else:
            apply(Settle())
    return events


def pitboss_rounds(seconds: float) -> tuple[float, float]:
    """Return rounds and events per second of processor time."""
    rules = RulesInForce(game("ultimate-texas-holdem"), Choices(dealing="manual-shoe"))
    shuffle, chooser = SeededShuffle(1), random.Random(2)
    orders = [shuffle.order(rules.game.deck) for _ in range(500)]
    for order in orders[:50]:
        play_round(rules, order, chooser.randrange)
    rounds = events = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        for order in orders:
            events += len(play_round(rules, order, chooser.randrange))
        rounds += len(orders)
    spent = time.process_time() - start
    return rounds / spent, events / spent


def pokerkit_hands(seconds: float) -> float:
    """Return PokerKit's six-player fixed-limit hold 'em hands per second of processor time, all players calling."""
    from pokerkit import Automation, FixedLimitTexasHoldem

    automations = tuple(Automation)
    hands = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        state: Any = FixedLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 4, 200, SEATS)
        while state.status:
            state.check_or_call()
        hands += 1
    return hands / (time.process_time() - start)


def main() -> dict[str, float]:
    """Measure both, alternating, and keep the best of each."""
    ours: tuple[float, float] = (0.0, 0.0)
    theirs = 0.0
    for _ in range(3):
        ours = max(ours, pitboss_rounds(2.0))
        theirs = max(theirs, pokerkit_hands(2.0))
    return {
        "pitboss six-seat rounds/s": round(ours[0], 1),
        "pitboss events/s": round(ours[1], 1),
        "PokerKit six-player hands/s": round(theirs, 1),
        "ratio": round(ours[0] / theirs, 1),
    }


if __name__ == "__main__":
    print(main())
