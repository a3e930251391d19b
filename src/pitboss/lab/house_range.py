"""The range of the house's total at a simulated table, all wagers together: approximate, but always possible."""

import math

from pitboss.lab.result import Simulation
from pitboss.lab.session_spread import range_95

POINTS = 24
WINDOW = 1 << 12


def house_points(simulation: Simulation, points: int = POINTS) -> list[dict[str, float]]:
    """Return the expected total and its 95% range after several numbers of rounds, in cents; empty without theory.

    Each wager has the exact range of its own results, below and above its mean. The wagers of a table share cards, so
    the parts are put together as independent ones and widened by what the shifts show beyond that, but never beyond
    what all wagers can win or lose together.
    """
    if simulation.theoretical_cents is None or any(
        not (hold.theory and hold.theory.nets) for hold in simulation.wagers
    ):
        return []
    wider = _wider(simulation)
    counts = sorted({max(1, simulation.rounds * at * at // points**2) for at in range(1, points + 1)})
    return [_point(simulation, rounds, wider) for rounds in counts]


def _point(simulation: Simulation, rounds: int, wider: float) -> dict[str, float]:
    below = above = worst = best = 0.0
    expected = simulation.theoretical_cents or 0.0
    for hold in simulation.wagers:
        assert hold.theory is not None
        nets, hands, stake = hold.theory.nets, rounds * simulation.seats, hold.stake_cents
        low, high = (end * stake for end in range_95(nets, hands, window=WINDOW))
        mean = float(sum(net * chance for net, chance in nets)) * hands * stake
        below, above = math.hypot(below, high - mean), math.hypot(above, mean - low)
        worst += float(nets[-1][0]) * hands * stake - mean
        best += mean - float(nets[0][0]) * hands * stake
    middle = expected / simulation.rounds * rounds
    return {
        "rounds": rounds,
        "expected": middle,
        "low": middle - min(wider * below, worst),
        "high": middle + min(wider * above, best),
    }


def _wider(simulation: Simulation) -> float:
    # Seats and wagers of a round win and lose together; shifts show by how much, once there are some.
    shifts = simulation.shifts
    alone = sum(
        float(hold.theory.variance) * hold.stake_cents**2 * simulation.seats * shifts.rounds
        for hold in simulation.wagers
        if hold.theory and hold.theory.variance
    )
    return max(1.0, math.sqrt(float(shifts.variance) / alone)) if shifts.variance and alone else 1.0
