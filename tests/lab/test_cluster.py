"""A cluster gives one process's result, carries meters over, can be stopped, and reports in a sentence if missing."""

import builtins
import socket
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from distributed import LocalCluster

from pitboss.games import game
from pitboss.lab import cluster as clusters
from pitboss.lab.cluster import ClusterFailed
from pitboss.lab.simulate import simulate
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import MeterShare, payoff
from pitboss.rules.paytable import Line, Paytable

pytestmark = [pytest.mark.xdist_group("exact"), pytest.mark.slow]
SEED = 2026
NAME = "dragon-poker"
HITS = {"fewer-dragons": "10 % of meter", "pair-of-dragons": "100 % of meter", "gold-dragon": "3 for 1"}


def plain() -> RulesInForce:
    return RulesInForce(game(NAME))


def with_meter() -> RulesInForce:
    """Return rules with a progressive of which nearly every hand draws on its meter."""
    lines = tuple(Line(hand, (hand,), payoff(pays), "§1") for hand, pays in HITS.items())
    assert any(isinstance(line.payoff, MeterShare) for line in lines)
    own = {"progressive": Paytable(None, "§1", lines)}
    choices = Choices(own_tables=own, own_hands={"progressive": "dragons"}, resets={"meter": 5_000})
    return RulesInForce(game(NAME), choices)


def started() -> LocalCluster:
    # Two processes, spawned, with a scheduler that nobody outside this machine can reach.
    return LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with started() as running:
        yield running.scheduler_address


def test_a_cluster_finds_what_one_process_finds(cluster: str) -> None:
    assert simulate(plain(), 9_500, 3, SEED, cluster=cluster) == simulate(plain(), 9_500, 3, SEED)


def test_meters_are_carried_across_what_different_workers_played(cluster: str) -> None:
    terms: dict[str, Any] = {"rates": {"meter": Fraction(1, 7)}, "meters": {"meter": 9_999}}
    here, there = (simulate(with_meter(), 9_500, 2, SEED, cluster=item, **terms) for item in (None, cluster))
    assert len(here.meters_paid) > 10_000
    assert here.meters_paid == there.meters_paid
    assert here == there
    assert here.meter_runs[0].contributed == Fraction(1, 7) * 100 * 2 * 9_500


def test_progress_is_reported_in_order_and_an_interrupt_ends_it_with_what_was_reached(cluster: str) -> None:
    told: list[int] = []

    def progress(done: int, asked: int) -> None:
        told.append(done)
        if done >= 8_000:
            raise KeyboardInterrupt

    stopped = simulate(plain(), 500_000, 1, SEED, cluster=cluster, progress=progress)
    assert told == sorted(told)
    assert 8_000 <= stopped.rounds < stopped.asked == 500_000
    assert stopped.wagers == simulate(plain(), stopped.rounds, 1, SEED).wagers
    # The workers are free again, and another plan is another table.
    assert simulate(plain(), 500, 1, 5, cluster=cluster) == simulate(plain(), 500, 1, 5)


def test_a_lost_cluster_is_reported() -> None:
    with started() as running:

        def lose(done: int, asked: int) -> None:
            running.close()

        with pytest.raises(ClusterFailed, match=r"was lost|failed") as lost:
            simulate(plain(), 500_000, 1, SEED, cluster=running.scheduler_address, progress=lose)
    assert str(lost.value).endswith(".")


def test_workers_of_another_version_are_refused(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.__version__", "0.0.0")
    with pytest.raises(ClusterFailed, match="runs a different version of Pitboss"):
        simulate(plain(), 100, 1, SEED, cluster=cluster)


def test_a_cluster_without_workers_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "WORKERS_SECONDS", 0.5)
    with (
        LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0") as running,
        pytest.raises(ClusterFailed, match="has no workers"),
    ):
        simulate(plain(), 100, 1, SEED, cluster=running.scheduler_address)


def test_an_address_without_a_scheduler_is_reported_within_ten_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        with pytest.raises(ClusterFailed, match="No cluster answers"):
            simulate(plain(), 100, 1, SEED, cluster=f"tcp://127.0.0.1:{port}")
    with pytest.raises(ClusterFailed, match="No cluster answers"):
        simulate(plain(), 100, 1, SEED, cluster=f"tcp://127.0.0.1:{port}")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("address", ["", "nonsense", "127.0.0.1", "http://127.0.0.1:8786", "tcp://127.0.0.1:99999"])
def test_an_invalid_address_is_reported(address: str) -> None:
    with pytest.raises(ClusterFailed, match="looks like tcp://host:8786"):
        simulate(plain(), 100, 1, SEED, cluster=address)


def test_a_missing_package_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "distributed":
            raise ModuleNotFoundError(name)
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ClusterFailed, match=r"pitboss\[cluster\]"):
        simulate(plain(), 100, 1, SEED, cluster="tcp://127.0.0.1:8786")
