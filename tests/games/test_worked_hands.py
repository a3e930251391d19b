"""Every worked hand settles as its rulebook says, as a finished hand and through a live round."""

import json
from typing import Any

import pytest

from pitboss.games import catalogue, game
from pitboss.round.finished import rules_for, settle_hand
from pitboss.rules.refusal import Refusal
from worked import Player, hands, settle_input, worked

REGULAR = [pytest.param(name, hand, id=f"{name}: {hand['name']}") for name, hand in hands(irregular=False)]
IRREGULAR = [pytest.param(name, hand, id=f"{name}: {hand['name']}") for name, hand in hands(irregular=True)]
REFUSED = [
    pytest.param(name, entry, id=f"{name}: {entry['name']}")
    for name in catalogue.game_names()
    for entry in worked(name, "refused")
]


def settled(name: str, given: dict[str, Any]) -> Any:
    rules = rules_for(game(name), given.get("choices"))
    return rules if isinstance(rules, Refusal) else settle_hand(rules, given)


@pytest.mark.parametrize(("name", "hand"), REGULAR)
def test_finished_hand_pays_as_worked(name: str, hand: dict[str, Any]) -> None:
    result = settled(name, settle_input(name, hand))
    assert not isinstance(result, Refusal), result
    for worked_seat, seat in zip(hand["seat"], result["seats"], strict=True):
        rows = {
            wager: [row["result"], row["net"], row["odds"] or "", row["clause"], row["odds_clause"] or ""]
            for wager, row in seat["wagers"].items()
        }
        assert rows == worked_seat["pays"]
        assert seat["net"] == worked_seat["net"]
        assert seat["envy"] == worked_seat.get("envy", [])
        assert seat["hand"] == worked_seat.get("hand", seat["hand"])
    if "qualifies" in hand:
        assert result["dealer"]["qualifies"] == hand["qualifies"]
    if "dealer_hand" in hand:
        assert result["dealer"]["hand"] == hand["dealer_hand"]
    if "meters_after" in hand:
        assert result["meters"] == hand["meters_after"]


@pytest.mark.parametrize(("name", "hand"), REGULAR)
def test_live_round_pays_as_worked(name: str, hand: dict[str, Any]) -> None:
    player = Player(game(name), hand)
    state = player.play()
    assert state.outcome == "settled"
    for seat in hand["seat"]:
        assert player.pays(seat["seat"]) == seat["pays"]
        envy = [
            {"from_seat": paid.from_seat, "hand": paid.hand, "net": paid.net}
            for paid in state.envy
            if paid.seat == seat["seat"]
        ]
        assert envy == seat.get("envy", [])
    if "meters_after" in hand:
        assert player.meters == hand["meters_after"]


@pytest.mark.parametrize(("name", "hand"), IRREGULAR)
def test_irregularity_ends_as_ruled(name: str, hand: dict[str, Any]) -> None:
    player = Player(game(name), hand)
    state = player.play()
    assert {seat["seat"]: player.pays(seat["seat"]) for seat in hand["seat"]} == {
        seat["seat"]: seat["pays"] for seat in hand["seat"]
    }
    outcome = "void" if state.outcome == "void" else "partly-void" if state.only is not None else "goes-on"
    assert outcome == hand["round"]
    if outcome != "goes-on":
        assert state.deck == hand["deck"]


@pytest.mark.parametrize(("name", "entry"), REFUSED)
def test_unlawful_hand_is_refused_with_its_clause(name: str, entry: dict[str, Any]) -> None:
    result = settled(name, json.loads(entry["hand"]))
    assert isinstance(result, Refusal)
    assert (result.field, result.clause or "") == (entry["field"], entry["clause"])
    assert result.reason


@pytest.mark.parametrize("name", catalogue.game_names())
def test_each_game_has_worked_hands_enough(name: str) -> None:
    assert len(worked(name, "hand")) >= 30
    cited = {clause for hand in worked(name, "hand") for clause in hand["proves"]}
    outline = (catalogue.folders()[name] / "outline.txt").read_text("utf-8").splitlines()
    assert cited <= set(outline)
