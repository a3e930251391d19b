"""The coach tells the player whose turn it is what each action is worth, only from that player's view."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.lab.advice import advise
from pitboss.server.demonstration import document_for
from pitboss.server.live.views import table_view
from pitboss.server.routes import coach as coach_room
from pitboss.server.routes.coach import decision_of
from pitboss.server.routes.tables import RefusedHere
from pitboss.server.table_documents import read_terms
from server.at_the_table import asked_to_act
from server.lab_ready import until_answered
from server.running import Client, Running

pytestmark = pytest.mark.xdist_group("server")


@pytest.mark.parametrize("name", game_names())
def test_the_coach_gives_the_labs_values_for_the_players_own_decision(
    running: Running, people: dict[str, Client], name: str
) -> None:
    alice, bob = people["alice"], people["bob"]
    for _ in range(12):  # until the lab knows the table's rules, which may take longer than a decision has time
        with asked_to_act(alice, name, 3) as view:
            answer = until_answered(alice, "GET", f"/tables/{name}/coach")
            assert answer.status_code == 200, answer.text
            found = answer.json()
            board = tuple(card for card in view["cards"].get("board", ()) if card)
            if found["seat"] is None or found["board"] != list(board):  # the time for the decision was over first
                continue
            hidden_cards_do_not_matter(running, name, "alice")
            shown_to_bob = bob.http.get(f"/api/tables/{name}/coach")
            assert shown_to_bob.status_code == 200
            assert shown_to_bob.json()["actions"] == []
            assert shown_to_bob.json()["cards"] == []
            assert Client(running, None).http.get(f"/api/tables/{name}/coach").status_code == 401
            break
    else:
        pytest.fail("the lab was never ready")
    rules = read_terms(document_for(game(name))).settings.rules
    own = next(seat for seat in view["seats"] if seat["seat"] == 3)
    exact = advise(rules, tuple(own["cards"]), board)
    assert found["seat"] == 3
    assert found["cards"] == own["cards"]
    assert found["board"] == list(board)
    assert found["ante_cents"] == 10_00
    assert found["best"] == exact.best
    assert {action["move"] for action in found["actions"]} <= set(view["actions"])
    for action in found["actions"]:
        assert action["worth"] == str(exact.worths[action["action"]])
        assert action["cost_cents"] == round(10_00 * exact.cost(action["action"]))


def hidden_cards_do_not_matter(running: Running, table: str, person: str) -> None:
    """Exchange every card this person may not see for others, and find the same question put to the lab."""
    assert running.floor is not None
    live = running.floor.house.live(table)
    play = live.play
    assert play is not None
    own = live.seats_of(person)
    kept = {card for seat in own for card in play.cards[seat]}
    kept |= {card for place, cards in play.cards.items() for card in cards[: play.face_up.get(place, 0)]}
    others = iter([card for card in reversed(play.rules.game.deck.cards) if card not in kept])
    exchanged = {
        place: tuple(card if card in kept else next(others) for card in cards) for place, cards in play.cards.items()
    }
    assert exchanged != play.cards, "something was hidden"
    real = decision_of(table_view(running.floor, live, person), person)
    changed = live._replace(play=play._replace(cards=exchanged), order=None)
    assert real is not None
    assert decision_of(table_view(running.floor, changed, person), person) == real


def test_somebody_elses_decision_is_nothing_to_the_coach() -> None:
    seat = {"seat": 2, "player": "ann", "cards": ["As", "Kd"], "stakes": {"ante": 500}}
    view = {"seats": [seat], "seat_asked": 2, "cards": {"board": ["2c", None]}, "actions": ["fold"]}
    own = decision_of(view, "ann")
    assert own is not None
    assert (own.cards, own.board, own.actions) == (("As", "Kd"), ("2c",), ("fold",))
    assert decision_of(view, "ben") is None
    assert decision_of({**view, "seat_asked": None}, "ann") is None
    assert decision_of({**view, "seats": [{**seat, "cards": [None, None]}]}, "ann") is None


def test_the_coach_is_silent_where_money_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach_room, "table_view", lambda floor, live, person: {"free_play": False})
    floor: Any = SimpleNamespace(house=SimpleNamespace(live=lambda table: SimpleNamespace(terms=object())))
    person: Any = SimpleNamespace(name="ann")
    nothing: Any = None
    with pytest.raises(RefusedHere) as refused:
        asyncio.run(coach_room.coach(floor, nothing, person, "a table"))
    assert refused.value.refusal.clause in HOUSE_RULES
    assert "only at free-play tables" in refused.value.refusal.reason
