"""What a rulebook orders when something goes wrong, reported over HTTP as people at a table would."""

import re
from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table.irregularities import OF_REAL_CARDS
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
UTH = "ultimate-texas-holdem"
WITH_DEALER = [name for name in game_names() if "dealer" in game(name).table_cards]
WITH_BOARD = [name for name in game_names() if "board" in game(name).table_cards]
REPORT = "ReportIrregularity"


def wagered(table: ScenarioTable, cards: str = "", **stakes: int) -> ScenarioTable:
    """Begin a round with everyone's wagers down and no more bets called."""
    table.begin(cards)
    for player in table.live.seats.values():
        table.wager(player, **{**table.least(), **stakes})
    table.close_bets()
    return table


# Reports that cannot be true


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_number_is_refused_before_a_card_is_out(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    refused = table.refused("dana", REPORT, irregularity="wrong-number-of-cards", seat=1)
    assert "No card of this round is out yet" in refused["reason"]
    assert refused["clause"]


@pytest.mark.parametrize("name", WITH_DEALER)
def test_a_dealers_card_is_not_exposed_before_it_is_dealt_nor_after_the_reveal(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    early = table.refused("dana", REPORT, irregularity="dealer-card-exposed")
    assert "No dealer's card is on the table yet" in early["reason"]
    table.play_to("settling")
    late = table.refused("flo", REPORT, irregularity="dealer-card-exposed")
    assert "turned up at the right time" in late["reason"]
    assert early["clause"]
    assert late["clause"]
    assert table.live.play.outcome is None


@pytest.mark.parametrize("name", game_names())
def test_no_card_is_found_face_up_or_drawn_in_error_once_every_card_is_out(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    table.play_to("settling")
    for kind in ("face-up-card", "card-drawn-in-error"):
        assert table.refused("dana", REPORT, irregularity=kind)["clause"]


@pytest.mark.parametrize("name", game_names())
def test_nothing_is_wrong_with_cards_that_the_program_draws(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN).open()
    table.begin()
    table.play_to("asking")
    for kind in OF_REAL_CARDS:
        refused = table.refused("dana", REPORT, irregularity=kind, note="seen by all")
        assert (refused["clause"], refused["field"]) == ("H-23", "irregularity"), kind
    assert table.view()["held"] is None


# A dealer's card exposed in mid-deal


def test_an_exposure_during_the_deal_leaves_the_board_and_trips_as_the_deck_has_them(new_table: NewTable) -> None:
    # Seat 1 holds a pair of aces, seat 2 nines; the dealer gets 2s and 9d. The board is Ks 7c 8d Jc Ah.
    table = new_table(UTH, READER).open()
    stakes = {"trips": 500}
    wagered(table, "Ac 9c 2s Ad 9h 9d Ks 7c 8d Jc Ah", **stakes)
    for _ in range(3):
        table.deal_one()
    table.both("dana", "flo", REPORT, irregularity="dealer-card-exposed")
    while table.live.in_round:
        table.step()
    dealt: dict[int | str, int] = {}
    for entry in table.entries("round.CardsDealt"):
        dealt[entry.body["place"]] = dealt.get(entry.body["place"], 0) + len(entry.body["cards"])
    assert dealt == {1: 2, 2: 2, "dealer": 2, "board": 5}
    (ruled,) = table.entries("round.IrregularityRuled")
    assert (ruled.body["remedy"], ruled.body["rests_on"], ruled.clause) == ("settle-only", ["UT-10"], "Ch. 13 §F")
    assert table.live.play.cards["board"] == ("Ks", "7c", "8d", "Jc", "Ah")
    won = {entry.body["seat"]: entry.body["results"] for entry in table.entries("round.WagersSettled")}
    trips = {seat: [result["net"] for result in results if result["wager"] == "trips"] for seat, results in won.items()}
    assert trips == {1: [1500], 2: [-500]}, "three aces, and only a pair of nines"


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
def test_the_deal_is_completed_after_an_exposure_whichever_way_cards_are_dealt(
    new_table: NewTable, dealing: str
) -> None:
    table = wagered(new_table(UTH, READER, dealing=dealing, deck_hours=4).open(), trips=500)
    table.lay({1: "Ac Ad", 2: "9c 9h", "dealer": "2s 9d", "board": "Ks 7c 8d Jc Ah"})
    while not table.live.play.cards.get("dealer"):
        table.deal_one()
    assert any(len(table.live.play.cards.get(seat, ())) < 2 for seat in (1, 2)), "hands are still being dealt"
    table.both("dana", "flo", REPORT, irregularity="dealer-card-exposed")
    while table.live.in_round:
        table.step()
    assert table.live.play.cards["dealer"] == ("2s", "9d")
    assert table.live.play.cards["board"] == ("Ks", "7c", "8d", "Jc", "Ah")
    won = {entry.body["seat"]: entry.body["results"] for entry in table.entries("round.WagersSettled")}
    assert {seat: [(result["wager"], result["net"]) for result in results] for seat, results in won.items()} == {
        1: [("trips", 1500)],
        2: [("trips", -500)],
    }


# A card drawn in error


@pytest.mark.parametrize("name", game_names())
def test_a_card_drawn_in_error_is_the_next_card_dealt(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    table.deal_one()
    table.read(1)  # a card comes out too soon, face down
    drawn = table.live.waiting[-1]
    named = table.refused("dana", REPORT, irregularity="card-drawn-in-error", card=drawn[:2])
    assert "without naming the card" in named["reason"]
    table.must("dana", REPORT, irregularity="card-drawn-in-error")
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["card"], ruled.body["after"]) == ("goes-on", None, 0)
    reported = str([entry.body for entry in table.entries("house.IrregularityReported")])
    assert not re.search(rf"\b{re.escape(drawn)}\b", reported)  # a word: two digits of an id are no card
    aside = table.refused("dana", REPORT, irregularity="face-up-card", card=drawn[:2])
    assert "Deal it first" in aside["reason"]
    assert aside["clause"]
    place = table.live.play.due.place
    table.must("dana", "DealCards")
    assert table.live.play.cards[place][-1] == drawn
    while table.live.in_round:
        table.step()


@pytest.mark.parametrize("name", game_names())
def test_a_card_drawn_in_error_before_it_was_read_is_the_next_one_read(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    table.must("dana", REPORT, irregularity="card-drawn-in-error")
    assert table.live.play.dealt_next == (None,)
    table.read(1)
    drawn = table.live.waiting[0]
    assert "Deal it first" in table.refused("flo", REPORT, irregularity="face-up-card", card=drawn[:2])["reason"]
    table.must("dana", REPORT, irregularity="card-drawn-in-error")
    assert table.live.play.dealt_next == (None, None), "a second one comes after the first"
    place = table.live.play.due.place
    table.must("dana", "DealCards")
    assert table.live.play.cards[place][-1] == drawn
    table.read(1)
    second = table.live.waiting[0]
    assert "Deal it first" in table.refused("flo", REPORT, irregularity="face-up-card", card=second[:2])["reason"]
    place = table.live.play.due.place
    table.must("dana", "DealCards")
    assert table.live.play.cards[place][-1] == second
    assert table.live.play.dealt_next == ()


# What no clause lists


@pytest.mark.parametrize("kind", ["misplaced-card", "other-misdeal"])
@pytest.mark.parametrize("name", game_names())
def test_what_no_clause_lists_is_ruled_on_by_two_people_with_a_reason(
    new_table: NewTable, name: str, kind: str
) -> None:
    table = wagered(new_table(name, READER).open())
    table.deal_one()
    before = table.money()
    table.must("dana", REPORT, irregularity=kind)
    table.refused("dana", "DealCards")
    silent = table.refused("flo", REPORT, irregularity=kind, ruling="continue")
    assert (silent["field"], silent["clause"]) == ("note", "G-18")
    table.both("flo", "dana", REPORT, irregularity=kind, ruling="continue", note="The card was put back unseen")
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["ruled_by"], ruled.body["note"]) == ("flo", "The card was put back unseen")
    assert (ruled.clause, ruled.body["rests_on"], ruled.body["remedy"]) == ("G-18", ["G-18"], "goes-on")
    table.must("flo", REPORT, irregularity=kind)
    table.both("flo", "fred", REPORT, irregularity=kind, ruling="void", note="It happened again")
    assert table.live.play.outcome == "void"
    assert table.money().get(f"felt:{table.table}", 0) == 0
    assert sum(table.money().values()) == sum(before.values())


@pytest.mark.parametrize("name", WITH_BOARD)
def test_a_community_card_exposed_early_is_ruled_on_by_two_people(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER, dealing="automated-shoe").open())
    kind = "community-card-exposed"
    assert "No community card is on the table" in table.refused("dana", REPORT, irregularity=kind)["reason"]
    table.deal()
    table.must("dana", REPORT, irregularity=kind)
    proposal = table.must("flo", REPORT, irregularity=kind, ruling="continue", note="Only the dealer saw it")[
        "proposal"
    ]
    assert proposal, "going on takes two people as well"
    assert not table.entries("round.IrregularityRuled")
    table.must("fred", "Confirm", proposal=proposal)
    (ruled,) = table.entries("round.IrregularityRuled")
    assert ruled.body["rests_on"] == ["G-18"]
    table.play_to("settling")
    assert "turned up at the right time" in table.refused("dana", REPORT, irregularity=kind)["reason"]


@pytest.mark.parametrize("name", game_names())
def test_a_deck_misdealt_and_short_voids_the_round_and_leaves_the_table(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, READER).open())
    table.play_to("settling")
    whole, dealt = len(table.game.deck), table.live.cards.round.dealt
    deck = table.live.cards.round.deck
    table.must("dana", "CountStub", cards=whole - dealt - 2)
    table.must("dana", "FindMisdeal", misdealt=True, cards_in_deck=whole - 1)
    counted = table.entries("table.WrongCountRuled")[-1]
    assert (counted.body["ruling"], counted.body["fate"]) == ("G-18", "removed")
    proposal = next(iter(table.live.proposals))
    table.must("flo", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["rests_on"][:1]) == ("void", ["G-18"])
    table.end()
    assert deck in table.live.cards.removed


def test_the_record_names_the_reading_of_a_complete_deck_that_was_misdealt(new_table: NewTable) -> None:
    for name, reading in ((UTH, "UT-28"), ("top-five-poker", "TF-18"), ("dragon-poker", "DP-15")):
        table = wagered(new_table(name, READER).open())
        table.play_to("settling")
        whole, dealt = len(table.game.deck), table.live.cards.round.dealt
        table.must("dana", "CountStub", cards=whole - dealt - 1)
        table.must("dana", "FindMisdeal", misdealt=True, cards_in_deck=whole)
        table.must("flo", "Confirm", proposal=next(iter(table.live.proposals)))
        assert table.entries("table.WrongCountRuled")[-1].body["ruling"] == reading
        assert reading in table.entries("round.IrregularityRuled")[-1].body["rests_on"]


def test_the_record_names_the_reading_of_a_card_found_face_up_while_the_dealers_wait(new_table: NewTable) -> None:
    options = {"dealer-cards": "in-shuffler"}
    table = wagered(new_table(UTH, READER, dealing="automated-shoe", options=options).open())
    table.play_to("settling")
    assert "dealer" in table.live.play.cards
    table = wagered(new_table(UTH, READER, dealing="automated-shoe", options=options).open())
    while table.phase != "dealing" or table.live.play.due.place != "dealer":
        table.step()
    table.read(1)
    table.both("dana", "flo", REPORT, irregularity="face-up-card", card=table.live.waiting[0][:2])
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause, ruled.body["rests_on"]) == ("set-aside", "Ch. 13 §A", ["UT-30"])


# Which duty a player broke


@pytest.mark.parametrize("limb", ["touched", "out-of-view", "talked"])
def test_a_violation_is_recorded_with_the_duty_that_was_broken(new_table: NewTable, limb: str) -> None:
    clause = {"touched": "Ch. 11 §A(2)", "out-of-view": "Ch. 11 §A(3)", "talked": "Ch. 11 §A(4)"}[limb]
    table = wagered(new_table("top-five-poker", READER).open())
    table.deal()
    unsaid = table.refused("dana", REPORT, irregularity="player-violation", seat=1)
    assert (unsaid["field"], unsaid["clause"]) == ("limb", "Ch. 11 §A(5)")
    table.both("dana", "flo", REPORT, irregularity="player-violation", seat=1, limb=limb, note="seen by the dealer")
    (ruled,) = table.entries("round.IrregularityRuled")
    assert (ruled.body["limb"], ruled.body["limb_clause"], ruled.clause) == (limb, clause, "Ch. 11 §A(5)")
    assert ruled.body["note"] == "seen by the dealer"
    assert table.entries("house.IrregularityReported")[-1].body["limb"] == limb
