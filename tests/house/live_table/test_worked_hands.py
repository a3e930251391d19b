"""Every worked hand is played at a table of a running house, and its record and ledger pay as worked."""

from typing import Any

import pytest

from house.live_table.told import played
from pitboss.rules.irregularity import SETTLE_ONLY
from worked import SECOND, hands

REGULAR = [pytest.param(name, hand, id=f"{name}: {hand['name']}") for name, hand in hands(irregular=False)]
IRREGULAR = [pytest.param(name, hand, id=f"{name}: {hand['name']}") for name, hand in hands(irregular=True)]

pytestmark = pytest.mark.xdist_group("matrix")  # the clause matrix looks at the same hands


@pytest.mark.parametrize(("name", "hand"), REGULAR)
def test_a_running_table_pays_as_worked(name: str, hand: dict[str, Any]) -> None:
    table = played(name, hand)
    for seat in hand["seat"]:
        assert table.pays(seat["seat"]) == seat["pays"]
        envy = [
            {"from_seat": paid["from_seat"], "hand": paid["hand"], "net": paid["net"]}
            for paid in table.of_kind("EnvyPaid")
            if paid["seat"] == seat["seat"]
        ]
        assert envy == seat.get("envy", [])
    assert table.net == table.worked_net()
    assert table.seats_settled() == sorted(table.seats_settled(), reverse=True)
    assert table.collected_too_soon() == []
    if "meters_after" in hand:
        shown = table.floor.house.progressive("shared").state.shown()
        assert shown == hand["meters_after"]


@pytest.mark.parametrize(("name", "hand"), IRREGULAR)
def test_a_running_table_remedies_as_worked(name: str, hand: dict[str, Any]) -> None:
    table = played(name, hand)
    for seat in hand["seat"]:
        assert table.pays(seat["seat"]) == seat["pays"]
    assert table.net == table.worked_net()
    assert table.collected_too_soon() == []
    ruled = table.of_kind("IrregularityRuled")[-1]
    assert ruled["irregularity"] == hand["irregularity"].removeprefix(SECOND)
    is_void = bool(table.of_kind("RoundVoided"))
    outcome = "void" if is_void else "partly-void" if ruled["remedy"] == SETTLE_ONLY else "goes-on"
    assert outcome == hand["round"]
    if outcome != "goes-on":
        assert table.deck == hand["deck"]
