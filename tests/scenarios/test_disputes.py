"""A settled round that is disputed: held, rebuilt from the rack, and resolved by two people through reversals."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card, face
from pitboss.games.catalogue import game_names
from pitboss.round import Round
from pitboss.round.disputed import settled_again
from pitboss.round.events import WagersSettled
from pitboss.rules.refusal import Refusal
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
EVERY = pytest.mark.parametrize("name", game_names())
KEPT = 200_00  # for the next round
NOTE = "The player says the hand was misread"


def settled(table: ScenarioTable, *, ended: bool = True, cards: str = "") -> ScenarioTable:
    """Play a round to its settlement, and pick up the cards unless told otherwise."""
    table.begin(cards)
    table.step()
    while table.live.play.phase != "over":
        table.step()
    if ended:
        table.end()
    return table


def nets(table: ScenarioTable, seat: int) -> int:
    return sum(result.net for (number, _), result in table.live.play.results.items() if number == seat)


def another_result(play: Round) -> tuple[Card, ...]:
    """Return a hand from the rest of the deck with which seat 1 would have won or lost another amount."""
    chance = random.Random(1)
    spare = [card for card in play.rules.game.deck.cards if card not in play.drawn]
    before = {wager: result.net for (seat, wager), result in play.results.items() if seat == 1}
    for _ in range(500):
        hand = tuple(chance.sample(spare, len(play.cards[1])))
        events = settled_again(play, (1,), {1: hand})
        if isinstance(events, Refusal):
            continue
        (again,) = (event for event in events if isinstance(event, WagersSettled))
        if sum(result.net - before[result.wager] for result in again.results):
            return hand
    raise AssertionError("no hand of the rest of the deck changes this result")


def replayed(table: ScenarioTable) -> dict[str, Any]:
    path = f"/api/tables/{table.table}/rounds/{table.live.round}"
    found: dict[str, Any] = table.floor.people["aud"].http.get(path).raise_for_status().json()
    return found


@EVERY
def test_nothing_is_disputed_before_the_settlement_or_once_the_next_round_has_begun(
    new_table: NewTable, name: str
) -> None:
    table = new_table(name, READER).open()
    assert table.refused("flo", "ReportDispute", seats=[1], note=NOTE)["clause"] == "G-19"
    table.begin()
    table.step()
    table.refused("dana", "ReportDispute", seats=[1], note=NOTE)
    while table.live.in_round:
        table.step()
    assert table.refused("flo", "ReportDispute", seats=[5], note=NOTE)["field"] == "seats"
    assert table.refused("flo", "ReportDispute", seats=[1], note=" ")["field"] == "note"
    assert table.refused("flo", "ResolveDispute", outcome="stands", note=NOTE)["clause"] == "G-19"
    table.begin()
    table.refused("flo", "ReportDispute", seats=[1], note=NOTE)


@EVERY
@pytest.mark.parametrize("cards", [READER, DRAWN])
def test_a_dispute_holds_the_next_round_the_rack_the_table_and_what_was_paid(
    new_table: NewTable, name: str, cards: str
) -> None:
    table = settled(new_table(name, cards).open())
    table.must("dana", "ReportDispute", seats=[1, 2], note=NOTE)
    reported = table.entries("house.DisputeReported")[-1]
    assert (reported.body["ruling"], reported.body["seats"], reported.actor) == ("G-19", [1, 2], "dana")
    assert reported.clause == table.live.play.rules.settle.pickup_cite
    rack = table.live.cards.rack
    deck = table.live.cards.decks[0].name
    way = "device" if table.live.cards.shuffler == "in-service" else "manual"
    waits = [
        table.refused("dana", "BeginRound"),
        table.refused("dana", "ShuffleDeck", deck=deck, way=way),
        table.refused("flo", "RemoveDeck", deck=deck, reason="defect"),
        table.refused("flo", "CloseTable", tray_cents=1),
        table.refused("dana", "ReportDispute", seats=[1], note=NOTE),
    ]
    assert {refusal["clause"] for refusal in waits} == {"G-19"}
    assert table.live.cards.rack == rack
    for seat, player in ((1, "alice"), (2, "bob")):
        paid = sum(
            result.paid + result.returned for (held, _), result in table.live.play.results.items() if held == seat
        )
        stack = table.live.stack_cents(player)
        if paid:
            assert "dispute" in table.refused(player, "CashOut", cents=stack)["reason"]
            table.refused(player, "LeaveSeat", seat=seat)
        table.must(player, "CashOut", cents=stack - paid - KEPT)
    assert table.console()["duties"][0]["command"]["kind"] == "ResolveDispute"
    money = table.money()
    table.both("flo", "dana", "ResolveDispute", outcome="stands", note="The hand was read right")
    assert table.money() == money
    resolved = table.entries("house.DisputeResolved")[-1]
    assert (resolved.body["outcome"], resolved.body["second"], resolved.body["reported_by"]) == (
        "stands",
        "flo",
        "dana",
    )
    table.play_round()


@EVERY
@pytest.mark.parametrize("ended", [True, False])
def test_two_people_void_one_seat_by_reversal_and_leave_the_other(new_table: NewTable, name: str, ended: bool) -> None:
    table = new_table(name, READER).open()
    before = {player: table.live.stack_cents(player) for player in ("alice", "bob")}
    whole = sum(table.money().values())
    settled(table, ended=ended)
    after = {player: table.live.stack_cents(player) for player in ("alice", "bob")}
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.refused("dana", "ResolveDispute", outcome="nothing", note=NOTE)
    proposal = table.must("flo", "ResolveDispute", outcome="void", note="Nobody saw the first card")["proposal"]
    assert proposal
    assert table.live.stack_cents("alice") == after["alice"], "one person moves no money"
    table.refused("flo", "Confirm", proposal=proposal)
    table.must("fred", "Confirm", proposal=proposal)
    assert table.live.stack_cents("alice") == before["alice"]
    assert table.live.stack_cents("bob") == after["bob"]
    assert sum(table.money().values()) == whole
    assert nets(table, 1) == 0
    reversed_ = table.entries("round.WagersReversed")[-1]
    assert (reversed_.body["seat"], reversed_.clause) == (1, table.live.play.rules.settle.pickup_cite)
    resolved = table.entries("house.DisputeResolved")[-1]
    assert (resolved.body["outcome"], resolved.body["ruling"], resolved.body["seats"]) == ("void", "G-19", [1])
    if not ended:
        table.end()
    shown = replayed(table)
    assert shown["agrees"], shown["disagrees"]
    kinds = [step["kind"] for step in shown["steps"]]
    assert "house.DisputeReported" in kinds
    assert "house.DisputeResolved" in kinds
    table.play_round()


@EVERY
def test_the_floor_puts_the_hands_together_again_from_the_rack(new_table: NewTable, name: str) -> None:
    table = settled(new_table(name, READER).open())
    path = f"/api/tables/{table.table}/hands"
    people = table.floor.people
    assert people["flo"].http.get(path).status_code != 200, "only while a dispute is open"
    table.must("dana", "ReportDispute", seats=[2], note=NOTE)
    for stranger in ("alice", "dov", "cay"):
        assert people[stranger].http.get(path).status_code != 200
    shown = people["flo"].http.get(path).raise_for_status().json()
    assert (shown["ruling"], shown["seats"]) == ("G-19", [2])
    assert [hand["place"] for hand in shown["hands"]] == [str(hand.place) for hand in table.live.cards.rack]
    held = {hand["place"]: hand["cards"] for hand in shown["hands"]}
    for place, cards in table.live.play.cards.items():
        assert held[str(place)] == [card[:2] for card in cards]
    assert held["stub"] == []


@EVERY
def test_a_misread_card_is_settled_again_by_the_cards_in_the_rack(new_table: NewTable, name: str) -> None:
    table = new_table(name, READER).open()
    whole = sum(table.money().values())
    settled(table, cards=" ".join(map(face, SeededShuffle(5).order(table.game.deck))))
    play = table.live.play
    table.must("dana", "ReportDispute", seats=[1], note=NOTE)
    table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE)
    bad = table.refused(
        "flo", "ResolveDispute", outcome="resettle", note=NOTE, cards={"1": ["Zz"] * len(play.cards[1])}
    )
    assert bad["field"] == "cards"
    table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE, cards={"1": ["As"]})
    table.refused(
        "flo", "ResolveDispute", outcome="stands", note=NOTE, cards={"1": [card[:2] for card in play.cards[1]]}
    )
    before, tray = nets(table, 1), table.live.tray_cents
    hand = another_result(play)
    cards = {"1": [face(card) for card in hand]}
    proposal = table.must("flo", "ResolveDispute", outcome="resettle", note="Read from the rack", cards=cards)[
        "proposal"
    ]
    assert nets(table, 1) == before, "one person moves no money"
    table.must("fred", "Confirm", proposal=proposal)
    assert nets(table, 1) != before
    assert table.live.tray_cents - tray == before - nets(table, 1)
    assert sum(table.money().values()) == whole
    resolved = table.entries("house.DisputeResolved")[-1]
    assert [face(card) for card in resolved.body["cards"]["1"]] == cards["1"]
    again = table.entries("round.WagersSettled")[-1]
    assert all(result["clause"] for result in again.body["results"])
    assert replayed(table)["agrees"]
    table.play_round()


@EVERY
def test_cards_that_the_program_drew_are_not_corrected(new_table: NewTable, name: str) -> None:
    table = settled(new_table(name, DRAWN).open())
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    own = [card[:2] for card in table.live.play.cards[1]]
    refused = table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE, cards={"1": own})
    assert refused["clause"] == "H-23"
    table.both("flo", "fred", "ResolveDispute", outcome="void", note="The screen froze")
    assert nets(table, 1) == 0
    table.play_round()


def discarded(new_table: NewTable) -> ScenarioTable:
    """Play a round in which seat 1 keeps 2c 3d, discards what was read as Kh, and the board is Kc 7s 9h."""
    table = new_table("colorado-holdem", READER).open(players=("alice",))
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.lay({1: "2c 3d Kh", "board": "Kc 7s 9h"})
    while table.live.play.phase != "over":
        table.step()
    table.end()
    assert face(table.live.play.discards[1]) == "Kh"
    table.must("dana", "ReportDispute", seats=[1], note=NOTE)
    return table


def test_a_discard_that_was_misread_stays_out_of_the_hand(new_table: NewTable) -> None:
    table = discarded(new_table)
    money = table.money()
    cards = {"1": ["2c", "3d", "Ks"]}
    refused = table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE, cards=cards)
    assert "don't change any result" in refused["reason"], "six cards would have a pair of kings"
    cards = {"1": ["Kh", "2c", "3d"]}
    refused = table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE, cards=cards)
    assert (refused["clause"], "order they were dealt" in refused["reason"]) == ("G-19", True)
    assert table.money() == money
    table.both("flo", "fred", "ResolveDispute", outcome="stands", note="The hand was read right")


def test_a_hand_is_settled_again_by_five_cards_where_its_discard_was_misread_too(new_table: NewTable) -> None:
    table = discarded(new_table)
    before = nets(table, 1)
    cards = {"1": ["7c", "3d", "Ks"]}
    table.both("flo", "fred", "ResolveDispute", outcome="resettle", note="Read from the rack", cards=cards)
    again = table.entries("round.WagersSettled")[-1]
    assert "sevens" in again.body["hand"], "not two pair, kings and sevens"
    assert nets(table, 1) != before
    assert replayed(table)["agrees"]


def test_a_second_dispute_begins_with_the_cards_that_the_first_one_found(new_table: NewTable) -> None:
    table = discarded(new_table)
    found = {"1": ["7c", "3d", "Ks"]}
    table.both("flo", "fred", "ResolveDispute", outcome="resettle", note="Read from the rack", cards=found)
    after, money = nets(table, 1), table.money()
    table.must("dana", "ReportDispute", seats=[1], note="The board is asked about too")
    path = f"/api/tables/{table.table}/hands"
    shown = table.floor.people["flo"].http.get(path).raise_for_status().json()["hands"]
    assert next(hand["cards"] for hand in shown if hand["place"] == "1") == found["1"]
    board = {"board": ["Kc", "7s", "9d"]}  # it still makes the pair of sevens, and no other
    refused = table.refused("flo", "ResolveDispute", outcome="resettle", note=NOTE, cards=board)
    assert "don't change any result" in refused["reason"]
    assert (nets(table, 1), table.money()) == (after, money)


def paid(table: ScenarioTable, seat: int) -> int:
    results = table.live.play.results.items()
    return sum(result.paid + result.returned for (number, _), result in results if number == seat)


def given_up(new_table: NewTable, name: str) -> ScenarioTable:
    """Play until a round pays seat 1, whose player gives the seat up and disputes it before the cards are picked up."""
    table = new_table(name, READER).open()
    for _ in range(40):
        settled(table, ended=False)
        if paid(table, 1):
            break
        table.end()
    table.must("alice", "LeaveSeat", seat=1, give_up=True)
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    return table


@EVERY
def test_a_seat_that_was_given_up_waits_for_its_dispute_and_not_the_round(new_table: NewTable, name: str) -> None:
    table = given_up(new_table, name)
    whole = sum(table.money().values())
    table.end()
    assert table.live.seats[1] == "alice", "what it was paid stays at the table until the dispute is resolved"
    assert table.live.stack_cents("alice") > 0
    stack, before = table.live.stack_cents("alice"), nets(table, 1)
    cards = {"1": [face(card) for card in another_result(table.live.play)]}
    table.both("flo", "fred", "ResolveDispute", outcome="resettle", note="Read from the rack", cards=cards)
    assert 1 not in table.live.seats
    assert table.live.stack_cents("alice") == 0
    carried = table.entries("house.ChipsCarriedAway")[-1].body
    assert carried["cents"] == stack + nets(table, 1) - before
    assert sum(table.money().values()) == whole - carried["cents"]
    assert table.verified() is None
    table.play_round()


@EVERY
@pytest.mark.parametrize("outcome", ["stands", "void"])
def test_a_seat_that_was_given_up_is_freed_when_its_dispute_is_resolved(
    new_table: NewTable, name: str, outcome: str
) -> None:
    table = given_up(new_table, name)
    table.end()
    table.both("flo", "fred", "ResolveDispute", outcome=outcome, note="Looked at")
    assert 1 not in table.live.seats
    assert table.live.stack_cents("alice") == 0
    table.sit("carol", 1)
    table.must("flo", "ReportDispute", seats=[1, 2], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="stands", note="Looked at again")
    assert table.live.seats[1] == "carol", "who gave the seat up is another player"
    table.play_round()


def test_what_a_dispute_gives_back_to_a_player_who_left_does_not_stay_on_the_table(new_table: NewTable) -> None:
    table = new_table("top-five-poker", READER).open()
    for _ in range(40):
        settled(table)
        if nets(table, 1) < 0:
            break
    lost = -nets(table, 1)
    table.must("alice", "LeaveSeat", seat=1)
    table.must("flo", "ReportDispute", seats=[1], note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome="void", note="Nobody saw the first card")
    assert table.live.stack_cents("alice") == 0
    assert table.entries("house.ChipsCarriedAway")[-1].body["cents"] == lost
