"""Benchmarks of solving every game exactly and simulating optimal play, compared with what peers would need."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from pitboss.cards import SeededShuffle
from pitboss.cards.deck import STANDARD_DECK, face
from pitboss.cli.bench.forgetting import EVERYTHING, MAIN_GAME, solved
from pitboss.cli.bench.measure import Effort, Measure, rate, spent
from pitboss.cli.bench.peers import BESIDE, Ranker, player_hands_per_second, rankers
from pitboss.games import game, game_names
from pitboss.rules.dealing import BOARD
from pitboss.rules.in_force import RulesInForce

PART = "exact"
SEED = 1
FEWEST_ROUNDS = 1000


def exact(effort: Effort) -> Iterator[Measure]:
    """Measure the exact analysis with kernels compiled: solving, pricing, and evaluating one situation."""
    names = _analysed()
    if effort.everything:
        took = solved(EVERYTHING, names, compiled=True)
        yield Measure(PART, "every wager and paytable of all games, from scratch", took.seconds, "CPU s")
        if took.peak_megabytes is not None:
            yield Measure(PART, "the same, peak memory", took.peak_megabytes, "MB")
    speed, ranker = max(
        ((_speed(peer, effort), peer) for peer in rankers()), default=(0.0, None), key=lambda pair: pair[0]
    )
    for name in names:
        definition, took = game(name), solved(MAIN_GAME, (name,), compiled=effort.everything)
        what = f"{definition.title}: main game solved"
        if ranker and definition.deck is STANDARD_DECK:
            beside = f"{ranker.name}, {took.outcomes:.0e} hands ranked"
            yield Measure(PART, what, took.seconds, "CPU s", beside, took.outcomes / speed)
        else:
            yield Measure(PART, what, took.seconds, "CPU s")
    for name in names:
        rules = RulesInForce(game(name))
        yield Measure(PART, f"{rules.game.title}: side wager priced again", _repriced(rules), "CPU s")
        yield Measure(PART, f"{rules.game.title}: actions evaluated", _weighed(rules), "CPU s")


def simulation(effort: Effort) -> Iterator[Measure]:
    """Measure seat-rounds of optimal play with every wager, for one seat and a whole table, in one process."""
    from pitboss.lab.played import NotPlayed
    from pitboss.lab.simulate import simulate

    theirs = player_hands_per_second(effort)
    for name in game_names():
        rules = RulesInForce(game(name))
        try:
            simulate(rules, 1, 1, SEED)  # solves what isn't cached
        except NotPlayed:
            continue
        for seats in (1, rules.seats_most):
            rounds, took = FEWEST_ROUNDS, 0.0
            while took < effort.seconds:
                # Longer and longer runs, to spread the fixed cost of a run over its rounds.
                rounds *= 2
                took = spent(partial(simulate, rules, rounds, seats, SEED))
            what = f"{rules.game.title}: {seats} seat{'s' * (seats > 1)}"
            beside = BESIDE if theirs else None
            yield Measure("simulation", what, rounds * seats / took, "seat-rounds/s", beside, theirs)


def _analysed() -> list[str]:
    from pitboss.lab.exact_counts import NotAnalysed, exact_of

    found = []
    for name in game_names():
        with suppress(NotAnalysed):
            exact_of(name)
            found.append(name)
    return found


def _repriced(rules: RulesInForce) -> float:
    # The slowest of the side wagers and paytables.
    from pitboss.lab.edges import edges
    from pitboss.lab.exact_counts import MAIN

    slowest = 0.0
    for worth in list(edges(rules.game)):
        if worth.wager != MAIN:
            again = edges(rules.game, wager=worth.wager, paytable=worth.paytable)
            slowest = max(slowest, spent(partial(list, again)))
    return slowest


def _weighed(rules: RulesInForce) -> float:
    # The slowest of the questions; a different hand first, so that only the situation itself is new.
    from pitboss.lab.advice import WrongCards, advise

    slowest = 0.0
    held, most = rules.game.cards_each, rules.game.table_cards.get(BOARD, 0)
    shuffle = SeededShuffle(SEED)
    for shown in range(most + 1):
        first, second = (tuple(map(face, shuffle.order(rules.game.deck)[: held + shown])) for _ in range(2))
        try:
            advise(rules, first[:held], first[held:])
        except WrongCards:  # no question is asked with that many cards on the board
            continue
        slowest = max(slowest, spent(partial(advise, rules, second[:held], second[held:])))
    return slowest


def _speed(ranker: Ranker, effort: Effort) -> float:
    hand = ranker.prepare(STANDARD_DECK.cards[::8])

    def work() -> int:
        for _ in range(FEWEST_ROUNDS):
            ranker.rank(hand)
        return FEWEST_ROUNDS

    return rate(work, effort.seconds / 4)
