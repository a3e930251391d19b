"""An incident says what an exposed card could have been worth, as far as the lab knows."""

import asyncio
from types import SimpleNamespace
from typing import Any

from pitboss.house.reports.incidents import IRREGULARITY, Incident
from pitboss.rules.refusal import Refusal
from pitboss.server.exposed_incidents import could_gain
from pitboss.server.lab.worker_pool import Unanswered


def incident(table: str, exposed: str, ante_cents: int | None) -> Incident:
    return Incident(
        IRREGULARITY,
        "house.IrregularityReported",
        table,
        "g",
        "r",
        1,
        1,
        "dee",
        "dealer",
        "nobody",
        "dee",
        None,
        "",
        exposed=exposed,
        ante_cents=ante_cents,
    )


class Lab:
    def __init__(self, gain: float | None) -> None:
        self.gain = gain
        self.asked: list[Any] = []

    async def answer(self, kind: str, body: Any, *, rests_on: str = "") -> Any:
        self.asked.append((kind, body["place"], rests_on))
        if self.gain is None:
            raise Unanswered(Refusal("not yet"), 202)
        return {"gain": self.gain}


def gains(lab: Lab, *rows: Incident) -> list[int | None]:
    terms = SimpleNamespace(settings=SimpleNamespace(game=SimpleNamespace(name="g")), document={}, version="v1")
    house = SimpleNamespace(tables={"t": None}, live=lambda table: SimpleNamespace(terms=terms))
    floor: Any = SimpleNamespace(house=house)
    asking: Any = lab
    return asyncio.run(could_gain(floor, asking, rows))


def test_the_labs_figure_is_multiplied_with_the_ante() -> None:
    lab = Lab(0.157773)
    rows = (incident("t", "dealer", 2500), incident("t", "dealer", 10_000), incident("t", "", None))
    assert gains(lab, *rows) == [394, 1578, None]
    assert lab.asked == [("incident", "dealer", "v1 dealer")]


def test_what_the_lab_does_not_know_is_left_out() -> None:
    assert gains(Lab(None), incident("t", "board", 2500)) == [None]
    assert gains(Lab(0.1), incident("closed", "dealer", 2500)) == [None]
