"""Actual against theory: bands as wide as they should be, and alerts for real faults only."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from math import exp, factorial
from typing import Any

import pytest

from pitboss.house.reports.theory import ALERT_ROUNDS, Actual, Compared, Counted, Key, NetResult, Theory, compared
from pitboss.record.entries import NO_PREVIOUS, Entry
from pitboss.round.events import WagerResult
from pitboss.server.lab.expected import chance_of, range_of

# An even-money wager that the player wins 49 times of 100, and a long shot of 500 to 1.
_EVEN = (Fraction(-2, 100), 1 - Fraction(4, 10_000))
EVEN = Theory("even", *_EVEN, Counted(*_EVEN, Fraction(1)))
LONG = Theory(
    "long",
    Fraction(-1, 2),
    Fraction(501 * 501, 1000) - Fraction(1, 4),
    Counted(Fraction(-979, 1000), Fraction(21 * 21, 1000) - Fraction(21, 1000) ** 2, Fraction(20)),
)


def entry(kind: str, table: str = "t", **body: Any) -> Entry:
    return Entry(f"table/{table}", 1, kind, body, None, "x", "dealer", "c", 0, None, NO_PREVIOUS, "")


def settled(seat: int, *results: tuple[str, int, int]) -> Entry:
    told = [
        WagerResult(wager, stake, "win" if net > 0 else "lose", net, None, "1", None)._asdict()
        for wager, stake, net in results
    ]
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


def lines_of(actual: Actual, *theories: Theory) -> tuple[Compared, ...]:
    return compared(actual.results, {"v1": theories})


def followed(*entries: Entry) -> Actual:
    actual = Actual()
    actual.add(entry("house.SubmissionActivated", document={"game": "coin"}, version="v1"))
    for other in entries:
        actual.add(other)
    return actual


def test_a_fair_table_stays_in_its_band_and_a_rigged_one_leaves_it() -> None:
    [fair] = [line for line in lines_of(followed(*rounds(4000, 0.49)), EVEN) if line.table]
    assert (fair.rounds, fair.handle_cents) == (4000, 4000 * 10_00)
    assert fair.expected_cents == 4000 * 10_00 * Fraction(2, 100)
    assert fair.z is not None
    assert abs(fair.z) < 3
    assert not fair.is_outside
    [crooked] = [line for line in lines_of(followed(*rounds(4000, 0.56)), EVEN) if line.table]
    assert crooked.is_outside
    assert crooked.z is not None
    assert crooked.z < -4


@pytest.mark.parametrize("seats", [1, 6])
def test_the_band_holds_the_win_95_times_of_100_even_where_seats_win_together(seats: int) -> None:
    inside = 0
    for seed in range(200):
        [line] = [line for line in lines_of(followed(*rounds(150, 0.49, seats, seed)), EVEN) if line.table]
        low, high = line.band_cents
        inside += low <= line.win_cents <= high
    assert 182 <= inside <= 199  # binomial, 200 at 0.95: four deviations below


def test_few_rounds_and_long_shots_raise_no_alert() -> None:
    few = lines_of(followed(*rounds(ALERT_ROUNDS - 1, 0.9)), EVEN)[0]
    assert few.z is not None
    assert few.z < -4
    assert not few.is_outside
    hit = [settled(1, ("long", 1_00, 500_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    missed = [settled(1, ("long", 1_00, -1_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    lucky = lines_of(followed(*missed * 9_990, *hit * 10), LONG)[0]
    assert not lucky.is_outside
    line = lines_of(followed(*missed * 2_979, *hit * 21), LONG)[0]
    assert line.counted_z is not None
    assert line.counted_z < -4
    assert not line.is_enough  # one hit is a whole error
    crooked = lines_of(followed(*missed * 19_940, *hit * 60), LONG)[0]
    assert crooked.is_outside


@pytest.mark.parametrize(
    ("misses", "hits", "is_outside"),
    [
        (2_990, 10, False),  # four errors above: once in 900 fair tables
        (2_986, 14, True),
        (19_997, 3, True),  # not four errors below, but once in 300,000 fair tables
        (19_992, 8, False),
    ],
)
def test_an_alert_takes_the_exact_chance_of_capped_wins(misses: int, hits: int, is_outside: bool) -> None:
    hit = [settled(1, ("long", 1_00, 500_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    missed = [settled(1, ("long", 1_00, -1_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    assert LONG.counted is not None
    nets = ((Fraction(-1), Fraction(999, 1000)), (Fraction(20), Fraction(1, 1000)))
    theory = LONG._replace(counted=LONG.counted._replace(nets=nets))
    actual = followed(*missed * misses, *hit * hits)
    line = compared(actual.results, {"v1": (theory,)}, chance_of=chance_of)[0]
    rate = (misses + hits) / 1000
    poisson = [exp(-rate) * rate**count / factorial(count) for count in range(hits + 1)]
    exact = sum(poisson) if hits < rate else 1 - sum(poisson[:-1])
    assert line.counted_chance == pytest.approx(exact, rel=0.05)
    assert line.is_outside is is_outside


def test_voided_rounds_are_not_results() -> None:
    actual = followed(*rounds(50, 0.49), *rounds(50, 1.0, outcome="void"))
    assert actual.rounds == {"t": 50}
    assert actual.results[Key("t", "coin", "v1", "even")].rounds == 50


def test_wagers_played_together_are_one_line_and_tables_are_pooled() -> None:
    both = Theory("even", Fraction(-1, 10), Fraction(4), None, together=("raise",))
    played = [settled(1, ("even", 5_00, -5_00), ("raise", 10_00, 10_00)), entry("house.RoundEnded", outcome="settled")]
    two = [each._replace(stream="table/u") for each in played]
    actual = followed(*played)
    actual.add(entry("house.SubmissionActivated", "u", document={"table": {"game": "coin"}}, version="v2"))
    for each in two * 3:
        actual.add(each)
    theories = {"v1": (both,), "v2": (both,)}
    lines = {(line.table, line.wager): line for line in compared(actual.results, theories)}
    assert set(lines) == {("t", "even"), ("u", "even"), ("", "even")}
    assert lines["t", "even"].win_cents == -5_00
    assert lines["t", "even"].error_cents == pytest.approx(10_00)
    assert lines["", "even"].win_cents == -20_00
    assert lines["", "even"].error_cents == pytest.approx(20_00)
    assert {line.table for line in compared(actual.of("u", "v2"), theories, tables_together=False)} == {"u"}
    assert {line.table for line in lines_of(actual, both)} == {"t", ""}


def test_prizes_that_do_not_grow_with_the_stake_are_expected_each_time() -> None:
    # One time of ten $50 whatever was staked, else the stake is lost.
    prize = Theory(
        "even",
        Fraction(-9, 10),
        Fraction(9, 100),
        None,
        expected_cents=Fraction(5_00),
        variance_cents=Fraction(50_00 * 50_00 * 9, 100),
    )
    luck = random.Random(4)
    inside = 0
    for _ in range(200):
        entries = []
        for _ in range(120):
            stake = luck.choice((1_00, 5_00, 25_00))
            entries.append(settled(1, ("even", stake, 50_00 if luck.random() < 0.1 else -stake)))
            entries.append(entry("house.RoundEnded", round="r", outcome="settled"))
        line = lines_of(followed(*entries), prize)[0]
        low, high = line.band_cents
        inside += low <= line.win_cents <= high
        assert not line.is_enough
    assert inside >= 182  # the band adds the deviations of both parts, and may be too wide


def test_what_a_meter_paid_and_what_a_limit_cut_is_no_part_of_the_win() -> None:
    told = [
        WagerResult("even", 1_00, "win", 9_999_00, "100 % of meter", "1", None, paid=10_000_00)._asdict(),
        WagerResult("even", 1_00, "win", 40_00, "50 to 1", "1", None, paid=40_00, cut=10_00)._asdict(),
    ]
    ended = entry("house.RoundEnded", round="r", outcome="settled")
    actual = followed(entry("round.WagersSettled", seat=1, results=told), ended)
    assert actual.results[Key("t", "coin", "v1", "even")].net_cents == -1_00 + 50_00


def test_it_goes_on_from_what_was_kept() -> None:
    entries = list(rounds(20, 0.5, 2))
    for cut in (1, 2, 30):
        first, second = followed(*entries[:cut]), Actual()
        second.restore(json.loads(json.dumps(first.to_data())))
        for other in entries[cut:]:
            second.add(other)
        assert second.to_data() == followed(*entries).to_data()


LONG_NETS = (
    NetResult(Fraction(-1), Fraction(0), Fraction(999, 1000)),
    NetResult(Fraction(499), Fraction(0), Fraction(1, 1000)),
)


def test_the_range_of_a_rare_prize_holds_no_impossible_win() -> None:
    missed = [settled(1, ("long", 1_00, -1_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    actual = followed(*missed * 100)
    [normal, _] = compared(actual.results, {"v1": (LONG,)})
    assert normal.band_cents[1] > 100_00, "a normal band has the house win more than was staked"
    [line, pooled] = compared(actual.results, {"v1": (LONG._replace(nets=LONG_NETS),)}, range_of=range_of)
    for found in (line, pooled):
        low, high = found.band_cents
        assert high == pytest.approx(100_00)  # nobody hit: nine times of ten
        assert low == pytest.approx(100_00 - 500_00)  # one hit or none: 99.5 times of 100
        assert low <= found.win_cents <= high


def test_the_range_of_a_fixed_prize_follows_the_average_stake() -> None:
    # A thousand dollars one time of a thousand, whatever was staked; otherwise the stake is lost.
    nets = (
        NetResult(Fraction(-1), Fraction(0), Fraction(999, 1000)),
        NetResult(Fraction(0), Fraction(1000_00), Fraction(1, 1000)),
    )
    prize = Theory("long", Fraction(-999, 1000), Fraction(1), None, expected_cents=Fraction(100), nets=nets)
    missed = [settled(1, ("long", 5_00, -5_00)), entry("house.RoundEnded", round="r", outcome="settled")]
    line = compared(followed(*missed * 40).results, {"v1": (prize,)}, range_of=range_of)[0]
    low, high = line.band_cents
    assert high == pytest.approx(40 * 5_00)
    assert low == pytest.approx(39 * 5_00 - 1000_00, rel=0.01)


@pytest.mark.parametrize("seats", [1, 3])
def test_the_exact_range_holds_the_win_95_times_of_100(seats: int) -> None:
    nets = (
        NetResult(Fraction(-1), Fraction(0), Fraction(51, 100)),
        NetResult(Fraction(1), Fraction(0), Fraction(49, 100)),
    )
    inside = 0
    for seed in range(200):
        results = followed(*rounds(150, 0.49, seats, seed)).results
        line = compared(results, {"v1": (EVEN._replace(nets=nets),)}, range_of=range_of)[0]
        low, high = line.band_cents
        inside += low <= line.win_cents <= high
    assert 182 <= inside <= 199
