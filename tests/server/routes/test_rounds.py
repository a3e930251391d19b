"""A round is shown step by step to each person with what they may see, and nothing that was hidden from them."""

import json

import pytest

from house.floors import run
from house.test_replay import in_play
from pitboss.games.catalogue import game_names
from pitboss.house.replay import Step, replay_recorded, rounds_of
from pitboss.server.routes.rounds import _is_at_the_table, _own_step, _step
from server.test_round_search import PEOPLE, played, reading_of


def with_other_hidden_cards(step: Step, seat: int) -> Step | None:
    """Return a step in which whatever lies face down to a seat is another card, or None where nothing does."""
    play = step.play
    spare = [card for card in play.rules.game.deck.cards if card not in play.drawn]
    cards, discards = dict(play.cards), dict(play.discards)
    for place, held in play.cards.items():
        if place == seat:
            continue
        shown = play.face_up.get(place, 0)
        hidden = list(held[shown:]) if isinstance(place, str) or not shown else []
        if isinstance(place, int) and shown:
            hidden = [card for card in held if card == discards.get(place)]
        swapped = {card: spare.pop() for card in hidden if spare}
        cards[place] = tuple(swapped.get(card, card) for card in held)
        if place in discards:
            discards[place] = swapped.get(discards[place], discards[place])
    if cards == dict(play.cards):
        return None
    return step._replace(play=play._replace(cards=cards, discards=discards))


@pytest.mark.parametrize("name", game_names())
def test_what_a_player_sees_of_a_round_holds_nothing_that_was_hidden(name: str) -> None:
    floor = run(played(name, 3))
    compared = seen_by_another = 0
    for item in rounds_of(floor.store.read("table/t"), 3):
        found = replay_recorded(floor.store, item, reading_of(floor))
        for _, seat in PEOPLE:
            for step in filter(_is_at_the_table, found.steps):
                other = with_other_hidden_cards(step, seat)
                if other is None:
                    continue
                compared += 1
                assert _own_step(found, step, (seat,)) == _own_step(found, other, (seat,))
                rest = [place for place, _ in enumerate(step.play.seats, 1) if place != seat]
                seen_by_another += any(
                    _own_step(found, step, (place,)) != _own_step(found, other, (place,)) for place in rest
                )
    assert compared > 20
    assert seen_by_another > 10, "whoever may see a card that was changed is told of another"


@pytest.mark.parametrize("name", game_names())
def test_while_a_round_is_played_nobody_is_shown_a_hidden_card(name: str) -> None:
    floor = run(in_play(name))
    found = replay_recorded(floor.store, rounds_of(floor.store.read("table/t"), 1)[0], reading_of(floor))
    assert not found.is_over
    shown = [_step(found, step, is_entitled=False).model_dump() for step in found.steps]
    assert shown[-1]["seen"]["seats"]
    assert all(card is None for step in shown for seat in step["seen"]["seats"] for card in seat["cards"])
    assert all(step["cards"] is None for step in shown)
    assert '"sealed"' not in json.dumps(shown)
