"""A recalled round's page shows each reader what they may see and refuses everybody else."""

import json
from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from house.test_replay import in_play, played
from pitboss.games.catalogue import game_names
from pitboss.house.replay import Recalled, recall, rounds_of
from pitboss.house.reports.round_page import page_of
from pitboss.record.seal import round_seal
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person


def last(floor: Floor) -> Recalled:
    entries = tuple(floor.store.read("table/t"))
    return recall(entries, rounds_of(entries, 1)[0], read_terms, lambda one, key: round_seal(floor.keyring, one))


def page(found: Recalled, role: str) -> dict[str, Any]:
    shown = page_of(found, Person("somebody", role))
    assert not isinstance(shown, Refusal), shown
    return shown


@pytest.mark.parametrize("name", game_names())
def test_the_floor_sees_public_cards_and_an_auditor_all_of_them_once_the_round_is_over(name: str) -> None:
    found = last(run(played(name, 2)))
    floor, auditor = page(found, "floorperson"), page(found, "auditor")
    assert json.loads(json.dumps(auditor)) == auditor
    assert all("all_cards" not in step for step in floor["steps"])
    assert all(step["actor"] and step["at"] for step in floor["steps"])
    dealt = auditor["steps"][-1]["all_cards"]
    for seat in auditor["steps"][-1]["seats"]:
        assert len(dealt[str(seat["seat"])]) == len(seat["cards"])
        assert None not in dealt[str(seat["seat"])]
    without = [{name: value for name, value in step.items() if name != "all_cards"} for step in auditor["steps"]]
    assert without == floor["steps"]


@pytest.mark.parametrize("name", game_names())
def test_while_a_round_is_played_nobody_is_shown_a_hidden_card(name: str) -> None:
    found = last(run(in_play(name)))
    play = found.steps[-1].live.play
    assert play is not None
    for role in ("floorperson", "surveillance", "auditor", "regulator"):
        shown = page(found, role)
        assert not shown["is_over"]
        assert all("all_cards" not in step for step in shown["steps"])
        seats = shown["steps"][-1]["seats"]
        assert seats
        assert all(card is None for seat in seats for card in seat["cards"])
        assert "sealed" not in json.dumps(shown)


@pytest.mark.parametrize("role", ["player", "dealer", "cage", "operator", "technician"])
def test_others_are_refused(role: str) -> None:
    assert isinstance(page_of(last(run(played(game_names()[0], 1))), Person("somebody", role)), Refusal)
