"""The dealer and the floor correct a misread card as long as nobody has acted on it."""

from collections.abc import Callable

import pytest

from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from pitboss.house.reports import alerts
from scenarios.floor import DRAWN, ScenarioTable

NewTable = Callable[..., ScenarioTable]
RULING = "G-22"


def dealing(new_table: NewTable, name: str) -> ScenarioTable:
    table = new_table(name).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    return table


def other_face(table: ScenarioTable, card: str) -> str:
    """Return a face, other than this card's, of which some card is still in the deck."""
    return next(left for left in table.deck if left != face(card))


def misread(table: ScenarioTable, place: int | str) -> tuple[str, str]:
    """Return what was read as the first card of a place, and what it really is."""
    was = table.live.play.cards[place][0]
    right = other_face(table, was)
    table.deck.remove(right)
    table.deck.append(face(was))  # which is therefore still in the deck
    return was, right


@pytest.mark.parametrize("name", game_names())
def test_a_waiting_card_is_corrected_before_it_is_dealt(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name)
    was = table.deck[0]
    right = other_face(table, was)
    table.read()
    table.deck.remove(right)
    table.deck.append(was)
    table.both("dana", "flo", "CorrectRead", was=was, right=right)
    assert [face(card) for card in table.live.waiting] == [right]
    (noted,) = table.entries("house.ReadCorrected")
    assert (noted.clause, noted.body["second"]) == (RULING, "dana")
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@pytest.mark.parametrize("name", game_names())
def test_a_dealt_card_is_corrected_until_its_player_has_answered(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name)
    table.deal()
    position = table.live.positions[table.live.play.cards[1][0]]
    was, right = misread(table, 1)
    table.both("flo", "dana", "CorrectRead", position=position, right=right)
    assert face(table.live.play.cards[1][0]) == right
    assert was not in table.live.play.drawn
    own = next(seat for seat in table.view("alice")["seats"] if seat["seat"] == 1)
    assert own["cards"][0] == right
    faces = {face(was), right}
    for entry in (*table.entries("house.Proposed"), *table.entries("round.CardCorrected")):
        assert not faces & set(str(entry.body).split("'")), "no face is on the record before the round is over"
    table.least_answer()
    held = table.live.play.cards[1][0]
    money = table.money()
    refused = table.refused("dana", "CorrectRead", position=position, right=other_face(table, held))
    assert refused["clause"] == RULING
    assert table.money() == money
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@pytest.mark.parametrize("name", game_names())
def test_a_shared_card_stays_once_anybody_has_answered(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name)
    table.deal()
    shared = [place for place in table.live.play.cards if not isinstance(place, int) and place != "burn"]
    assert shared
    position = table.live.positions[table.live.play.cards[shared[0]][0]]
    was, right = misread(table, shared[0])
    table.both("dana", "flo", "CorrectRead", position=position, right=right)
    assert face(table.live.play.cards[shared[0]][0]) == right
    table.least_answer()
    refused = table.refused("flo", "CorrectRead", position=position, right=face(was))
    assert refused["clause"] == RULING


def test_one_person_alone_corrects_nothing(new_table: NewTable) -> None:
    table = dealing(new_table, "colorado-holdem")
    was = table.deck[0]
    table.read()
    proposal = table.must("dana", "CorrectRead", was=was, right=table.deck[0])["proposal"]
    assert proposal is not None
    assert [face(card) for card in table.live.waiting] == [was]
    table.refused("dana", "Confirm", proposal=proposal)
    assert table.ask("alice", "CorrectRead", was=was, right=table.deck[0]).status_code in (403, 409)


def test_every_impossible_correction_gets_the_same_refusal_and_is_noted(new_table: NewTable) -> None:
    table = dealing(new_table, "colorado-holdem")
    table.deal_one()
    dealt = table.live.play.cards[1][0]
    table.read()
    waiting = table.live.waiting[0]
    answers = [
        table.refused("flo", "CorrectRead", was=waiting, right=dealt),
        table.refused("flo", "CorrectRead", was=table.deck[0], right=table.deck[1]),
        table.refused("flo", "CorrectRead", was=waiting, right="Joker"),
    ]
    assert len({answer["reason"] for answer in answers}) == 1
    noted = [entry for entry in table.floor.noted("floor.CorrectionRefused") if entry.body["table"] == table.table]
    assert len(noted) == len(answers)


def test_a_correction_raises_an_alert(new_table: NewTable) -> None:
    table = dealing(new_table, "top-five-poker")
    was = table.deck[0]
    table.read()
    table.both("dana", "flo", "CorrectRead", was=was, right=table.deck[0])
    shown = table.floor.people["flo"].http.get("/api/alerts").raise_for_status().json()
    found = [alert for alert in shown if alert["table"] == table.table]
    assert [alert["kind"] for alert in found] == [alerts.MISREAD]


def test_cards_that_the_program_drew_are_not_corrected(new_table: NewTable) -> None:
    table = new_table("top-five-poker", DRAWN).open()
    table.begin()
    table.wager("alice")
    assert table.refused("flo", "CorrectRead", was="As", right="Ks")["clause"] == "H-23"
