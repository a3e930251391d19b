"""Simulation: what a table of players wins and loses over many rounds, compared with what it should."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from pitboss.lab.block_sums import SHIFT_ROUNDS, Ledger, Meter, Shifts
from pitboss.lab.local_workers import uninterrupted, worked
from pitboss.lab.plan import Plan, Play
from pitboss.lab.plan import work_of as work_of
from pitboss.lab.played import groups_of, opening_stakes, unit_of
from pitboss.lab.players import strategy_of
from pitboss.lab.result import Hold as Hold
from pitboss.lab.result import LineHits, MeterRun
from pitboss.lab.result import Simulation as Simulation
from pitboss.lab.simulation_theory import Theory, theory_of
from pitboss.lab.worth import meters_at
from pitboss.odds.streams import SEEDS
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL

CLUSTER_BLOCKS = 4  # blocks sent to a cluster are larger by this factor, to make up for the transfer

Progress = Callable[[int, int], None]  # rounds done, rounds asked for


def simulate(
    rules: RulesInForce,
    rounds: int,
    seats: int = 1,
    seed: int = 1,
    strategy: str = OPTIMAL,
    workers: int = 1,
    progress: Progress = lambda done, asked: None,
    *,
    cluster: str | None = None,
    rates: Mapping[str, Fraction] | None = None,
    meters: Mapping[str, int] | None = None,
    shift_rounds: int = SHIFT_ROUNDS,
) -> Simulation:
    """Play whole tables with every wager offered, at its minimum; an interrupt ends it with the rounds played so far.

    A rate is the share of each progressive stake that feeds a meter; a meter without a rate does not grow.
    """
    assert rounds > 0, "at least one round is played"
    assert 1 <= seats <= rules.seats_most, "the table has that many seats"
    assert 0 <= seed < SEEDS, "a seed has 64 bits"
    strategy_of(rules.game.name, strategy)
    plan = Plan(rules.game.name, rules.choices, seats, seed, strategy)
    ledger = ledger_of(rules, seats, rates=rates, meters=meters, shift_rounds=shift_rounds)
    began = {name: meter.amount for name, meter in ledger.meters.items()}
    try:
        with _played(plan, workers, cluster) as play:
            size = plan.block_rounds * (1 if cluster is None else CLUSTER_BLOCKS)
            for block in play(work_of(rounds, size)):
                with uninterrupted():
                    ledger.add(block)
                progress(ledger.rounds, rounds)
    except KeyboardInterrupt:
        if not ledger.rounds:
            raise
    return result_of(rules, ledger, seats=seats, seed=seed, strategy=strategy, asked=rounds, began=began)


@contextmanager
def _played(plan: Plan, workers: int, cluster: str | None) -> Iterator[Play]:
    if cluster is None:
        with worked(plan, workers) as play:
            yield play
        return
    from pitboss.lab.cluster import clustered

    with clustered(plan, cluster) as play:
        yield play


def ledger_of(
    rules: RulesInForce,
    seats: int,
    *,
    rates: Mapping[str, Fraction] | None = None,
    meters: Mapping[str, int] | None = None,
    shift_rounds: int = SHIFT_ROUNDS,
) -> Ledger:
    """Return an empty account with the meters at their starting amounts."""
    stakes = opening_stakes(rules)
    progressive = rules.game.progressive
    carried: dict[str, Meter] = {}
    if progressive and progressive.wager in stakes:
        stake = stakes[progressive.wager]
        resets = meters_at(rules, progressive.wager, {})
        begin = meters_at(rules, progressive.wager, meters or {})
        for name, reset in resets.items():
            growth = Fraction((rates or {}).get(name, 0)) * stake * seats
            carried[name] = Meter(reset, growth, Fraction(begin[name]))
    return Ledger(tuple(groups_of(rules)), stakes, carried, seats, Shifts(shift_rounds))


def result_of(
    rules: RulesInForce,
    ledger: Ledger,
    *,
    seats: int,
    seed: int,
    strategy: str = OPTIMAL,
    asked: int | None = None,
    began: Mapping[str, Fraction] | None = None,
) -> Simulation:
    """Return an account's result compared with the exact value of each wager."""
    means = {name: int(meter.mean(ledger.rounds)) for name, meter in ledger.meters.items()}
    known = {
        group: theory_of(rules, group, ledger.stakes, strategy=strategy, meters=means, others=seats - 1)
        for group in ledger.groups
    }
    hands = ledger.rounds * seats
    holds = tuple(
        Hold(
            group,
            hands,
            ledger.rounds,
            unit_of(ledger.stakes, rules, group),
            ledger.sums[group],
            known[group],
            tuple(_lines(rules, ledger, wagers, known[group])),
        )
        for group, wagers in groups_of(rules).items()
    )
    return Simulation(
        game=rules.game.name,
        strategy=strategy,
        seed=seed,
        seats=seats,
        rounds=ledger.rounds,
        asked=asked or ledger.rounds,
        stakes=dict(ledger.stakes),
        wagers=holds,
        house=ledger.house,
        worst_round=ledger.worst_round,
        best_round=ledger.best_round,
        house_lost=ledger.house_rows.lost,
        house_won=ledger.house_rows.won,
        seat_lost=ledger.seat_rows.lost,
        seat_won=ledger.seat_rows.won,
        shifts=ledger.shifts,
        meter_runs=tuple(_meter_runs(rules, ledger, seats, began or {}, known)),
        meters_paid=tuple(ledger.paid),
        envy_cents=ledger.envy_cents,
        envies=ledger.envies,
    )


def _lines(rules: RulesInForce, ledger: Ledger, wagers: tuple[str, ...], theory: Theory | None) -> Iterator[LineHits]:
    # By wager: the lines of its paytable in printed order, then the other ways it ended.
    chances = theory.lines if theory else {}
    for wager in wagers:
        table = rules.paytables.get(wager)
        printed = [line.title for line in table.lines] if table else []
        known = {line for name, line in (*chances, *ledger.lines) if name == wager}
        for line in dict.fromkeys([*(line for line in printed if line in known), *sorted(known)]):
            chance = chances.get((wager, line), Fraction(0)) if chances else None
            yield LineHits(wager, line, ledger.lines[wager, line], chance)


def _meter_runs(
    rules: RulesInForce,
    ledger: Ledger,
    seats: int,
    began: Mapping[str, Fraction],
    known: Mapping[str, Theory | None],
) -> Iterator[MeterRun]:
    progressive = rules.game.progressive
    if progressive is None:
        return
    theory = known.get(progressive.wager)
    for name, meter in ledger.meters.items():
        yield MeterRun(
            name=name,
            began_cents=int(began.get(name, meter.reset_cents)),
            reset_cents=meter.reset_cents,
            growth=meter.growth,
            contributed=meter.growth * ledger.rounds,
            shows=meter.at(ledger.rounds),
            paid=tuple(payment for payment in ledger.paid if payment.meter == name),
            rounds=ledger.rounds,
            chance=theory.meters.get(name, Fraction(0)) if theory else None,
            seats=seats,
        )
