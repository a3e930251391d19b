"""Actual against theory: bands that hold what they should, and alerts for what is wrong and for nothing else."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from pitboss.house.record import NO_PREVIOUS, Entry
from pitboss.house.reports.theory import ALERT_ROUNDS, Actual, Theory, compared

# An even-money wager that the player wins 49 times of 100, and a long shot of 500 to 1.
EVEN = Theory("coin", "even", Fraction(-2, 100), 1 - Fraction(4, 10_000), largest=Fraction(1))
LONG = Theory("coin", "long", Fraction(-1, 2), Fraction(501 * 501, 1000) - Fraction(1, 4), largest=Fraction(500))


def entry(kind: str, table: str = "t", **body: Any) -> Entry:
    return Entry(f"table/{table}", 1, kind, body, None, "x", "dealer", "c", 0, None, NO_PREVIOUS, "")


def settled(seat: int, *results: tuple[str, int, int]) -> Entry:
    told = [{"wager": wager, "stake": stake, "net": net} for wager, stake, net in results]
    return entry("round.WagersSettled", seat=seat, results=told)


def rounds(count: int, chance: float, seats: int = 1, seed: int = 1, outcome: str = "settled") -> Iterator[Entry]:
    """Every seat of a round shares its result, as far from independent as seats can be."""
    luck = random.Random(seed)
    for number in range(count):
        yield entry("house.RoundBegun", round=f"r{number}")
        wins = luck.random() < chance
        for seat in range(seats):
            yield settled(seat, ("even", 10_00, 10_00 if wins else -10_00))
        yield entry("house.RoundEnded", round=f"r{number}", outcome=outcome)


def followed(*entries: Entry) -> Actual:
    actual = Actual()
    actual.add(entry("house.SubmissionActivated", document={"game": "coin"}))
    for one in entries:
        actual.add(one)
    return actual


def test_a_fair_table_stays_in_its_band_and_a_crooked_one_leaves_it() -> None:
    [fair] = [one for one in compared(followed(*rounds(4000, 0.49)), [EVEN]) if one.table]
    assert (fair.rounds, fair.handle_cents) == (4000, 4000 * 10_00)
    assert fair.expected_cents == 4000 * 10_00 * Fraction(2, 100)
    assert fair.z is not None
    assert abs(fair.z) < 3
    assert not fair.is_outside
    [crooked] = [one for one in compared(followed(*rounds(4000, 0.56)), [EVEN]) if one.table]
    assert crooked.is_outside
    assert crooked.z is not None
    assert crooked.z < -4


@pytest.mark.parametrize("seats", [1, 6])
def test_the_band_holds_the_win_95_times_of_100_even_where_seats_win_together(seats: int) -> None:
    inside = 0
    for seed in range(200):
        [line] = [one for one in compared(followed(*rounds(150, 0.49, seats, seed)), [EVEN]) if one.table]
        low, high = line.band_cents
        inside += low <= line.win_cents <= high
    assert 182 <= inside <= 199  # binomial, 200 at 0.95: four deviations below


def test_few_rounds_and_long_shots_raise_no_alert() -> None:
    few = compared(followed(*rounds(ALERT_ROUNDS - 1, 0.9)), [EVEN])[0]
    assert few.z is not None
    assert few.z < -4
    assert not few.is_outside
    hit = [settled(1, ("long", 1_00, 500_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    missed = [settled(1, ("long", 1_00, -1_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    line = compared(followed(*missed * 990, *hit * 10), [LONG])[0]
    assert line.z is not None
    assert abs(line.z) > 4
    assert not line.is_enough


def test_voided_rounds_are_no_results() -> None:
    actual = followed(*rounds(50, 0.49), *rounds(50, 1.0, outcome="void"))
    assert actual.rounds == {"t": 50}
    assert actual.results[("t", "coin", "even")].rounds == 50


def test_wagers_played_together_are_one_line_and_tables_are_pooled() -> None:
    both = Theory("coin", "even", Fraction(-1, 10), Fraction(4), together=("raise",))
    one = [settled(1, ("even", 5_00, -5_00), ("raise", 10_00, 10_00)), entry("house.RoundEnded", outcome="settled")]
    two = [each._replace(stream="table/u") for each in one]
    actual = followed(*one)
    actual.add(entry("house.SubmissionActivated", "u", document={"table": {"game": "coin"}}))
    for each in two * 3:
        actual.add(each)
    lines = {(line.table, line.wager): line for line in compared(actual, [both])}
    assert set(lines) == {("t", "even"), ("u", "even"), ("", "even")}
    assert lines["t", "even"].win_cents == -5_00
    assert lines["t", "even"].error_cents == pytest.approx(10_00)
    assert lines["", "even"].win_cents == -20_00
    assert lines["", "even"].error_cents == pytest.approx(20_00)
    assert {line.table for line in compared(actual, [both], "u")} == {"u"}


def test_it_goes_on_from_what_was_kept() -> None:
    entries = list(rounds(20, 0.5, 2))
    for cut in (1, 2, 30):
        first, second = followed(*entries[:cut]), Actual()
        second.take_up(json.loads(json.dumps(first.to_data())))
        for one in entries[cut:]:
            second.add(one)
        assert second.to_data() == followed(*entries).to_data()
