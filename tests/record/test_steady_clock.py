"""Time that only moves forward, whatever anyone does to the system clock."""

from pitboss.record.steady_clock import SteadyClock
from pitboss.record.system import SystemClock

HOUR_MS = 3_600_000


class Clocks:
    """A wall clock that is set by hand, and what has passed."""

    def __init__(self) -> None:
        self.wall, self.passed = 1_000_000, 50

    def steady(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall, lambda: self.passed)

    def wait(self, ms: int) -> None:
        self.wall += ms
        self.passed += ms


def test_it_is_the_walls_time_as_long_as_nobody_sets_it() -> None:
    clocks = Clocks()
    steady = clocks.steady()
    for ms in (0, 1, 700, HOUR_MS):
        clocks.wait(ms)
        assert steady.now_ms() == clocks.wall


def test_a_clock_set_forward_and_back_makes_nobody_wait() -> None:
    clocks = Clocks()
    steady = clocks.steady()
    clocks.wall += HOUR_MS
    ahead = steady.now_ms()
    assert ahead == clocks.wall
    clocks.wall -= HOUR_MS
    assert steady.now_ms() == ahead
    clocks.wait(700)
    assert steady.now_ms() == ahead + 700
    clocks.wall += 2 * HOUR_MS
    assert steady.now_ms() == clocks.wall


def test_it_goes_on_from_where_the_record_has_come_to() -> None:
    clocks = Clocks()
    steady = clocks.steady()
    steady.at_least(clocks.wall + HOUR_MS)
    clocks.wait(30)
    assert steady.now_ms() == clocks.wall + HOUR_MS
    steady.at_least(5)
    assert steady.now_ms() == clocks.wall + HOUR_MS


def test_the_systems_clock_is_one_and_tells_the_time() -> None:
    clock = SystemClock()
    first = clock.now_ms()
    assert 1_700_000_000_000 < first <= clock.now_ms()
