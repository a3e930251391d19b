"""A card found face up in the shoe or the stub while players decide is reported then, and its clause remedies it."""

from collections.abc import Callable

import pytest

from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
REPORT, FACE_UP = "ReportIrregularity", "face-up-card"
CO, DP, TF, UT = "colorado-holdem", "dragon-poker", "top-five-poker", "ultimate-texas-holdem"
IN_SHUFFLER = {"dealing": "automated-shoe", "options": {"dealer-cards": "in-shuffler"}}


def deciding(new_table: NewTable, name: str, question: int = 1, **changes: object) -> ScenarioTable:
    """Return a table whose players are being asked, for the first time or a later one."""
    table = new_table(name, **changes).open()
    table.begin()
    stakes = {**table.least(), "trips": 5_00} if name == UT else table.least()
    for player in table.live.seats.values():
        table.wager(player, **stakes)
    table.close_bets()
    table.deal()
    for _ in range(question - 1):
        while table.phase == "asking":
            table.least_answer()
        table.deal()
    assert table.phase == "asking"
    return table


def found(table: ScenarioTable) -> str:
    """Take the card that lies face up on top of the stub."""
    return table.deck.pop(0)


def played_out(table: ScenarioTable) -> None:
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@pytest.mark.parametrize("question", [1, 2])
@pytest.mark.parametrize("dealing", ["manual-shoe", "hand"])
def test_only_trips_is_settled_when_a_card_is_found_face_up_while_players_decide(
    new_table: NewTable, dealing: str, question: int
) -> None:
    table = deciding(new_table, UT, question, dealing=dealing, deck_hours=4)
    card = found(table)
    proposal = table.must("dana", REPORT, irregularity=FACE_UP, card=card)["proposal"]
    assert table.view()["held"]["irregularity"] == FACE_UP
    assert "The table is on hold" in table.refused("alice", "Act", seat=1, action="check")["reason"]
    table.must("flo", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause, ruled.body["card"]) == ("settle-only", "Ch. 13 §C", card)
    assert not table.entries("house.IrregularityReported")[1:], "it was found face up, and not drawn in error"
    played_out(table)
    assert len(table.live.play.cards["board"]) == 5
    assert card not in {face(dealt) for held in table.live.play.cards.values() for dealt in held}
    settled = [result for entry in table.entries("round.WagersSettled") for result in entry.body["results"]]
    given_back = {result["wager"] for result in settled if (result["result"], result["net"]) == ("push", 0)}
    assert given_back == {"ante", "blind"}
    assert {result["result"] for result in settled if result["wager"] == "trips"} <= {"win", "lose"}
    assert {result["clause"] for result in settled} == {"Ch. 13 §C"}
    voids = table.floor.people["aud"].http.get("/api/reports/signed/voids").raise_for_status().json()["lines"]
    (line,) = (line for line in voids if line["table"] == table.table)
    assert (line["clause"], {line["by"], line["second"]}) == ("Ch. 13 §C", {"dana", "flo"})


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        (UT, ("set-aside", "Ch. 13 §A"), ("void", "Ch. 13 §B")),
        (DP, ("set-aside", "Ch. 13 §A"), ("void", "Ch. 13 §B")),
        (TF, ("void", "Ch. 13 §A"), None),
    ],
    ids=[UT, DP, TF],
)
def test_a_card_is_found_face_up_while_players_decide_and_the_dealers_cards_wait(
    new_table: NewTable, name: str, first: tuple[str, str], second: tuple[str, str] | None
) -> None:
    table = deciding(new_table, name, **IN_SHUFFLER)
    for remedy in filter(None, (first, second)):
        proposal = table.must("dana", REPORT, irregularity=FACE_UP, card=found(table))["proposal"]
        assert (proposal is None) == (remedy[0] == "set-aside"), "a void takes two people"
        if proposal is not None:
            table.must("flo", "Confirm", proposal=proposal)
        ruled = table.entries("round.IrregularityRuled")[-1]
        assert (ruled.body["remedy"], ruled.clause) == remedy
    assert table.live.play.outcome == "void"
    played_out(table)


@pytest.mark.parametrize("name", [UT, DP])
def test_a_card_set_aside_while_players_decide_is_counted_and_never_dealt(new_table: NewTable, name: str) -> None:
    table = deciding(new_table, name, **IN_SHUFFLER)
    out = table.live.cards.round.dealt
    card = found(table)
    table.must("dana", REPORT, irregularity=FACE_UP, card=card)
    assert table.live.cards.round.dealt == out + 1
    again = [copy for copy in table.game.deck.cards if face(copy) == card]
    if len(again) == 1:
        assert "was read more times" in table.refused("dana", "ReadCard", card=card)["reason"]
    played_out(table)
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@pytest.mark.parametrize("name", [CO, DP, UT])
@pytest.mark.parametrize(("first", "second"), [("dana", "flo"), ("flo", "dana"), ("flo", "pit")])
def test_nobody_alone_has_another_card_dealt_in_place_of_a_drawn_one(
    new_table: NewTable, name: str, first: str, second: str
) -> None:
    table = new_table(name).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.deal_one()
    table.read()
    (drawn,) = table.live.waiting
    said = {"irregularity": FACE_UP, "card": face(drawn)}
    proposal = table.must(first, REPORT, **said)["proposal"]
    assert proposal is not None, "this takes a second person"
    assert table.live.waiting == (drawn,)
    for kind in ("DealCards", "ReadCard"):
        fields = {"card": table.deck[0]} if kind == "ReadCard" else {}
        assert "The table is on hold" in table.refused("dana", kind, **fields)["reason"]
    alone = table.refused(first, "Confirm", proposal=proposal)
    assert alone["clause"]
    table.refused("alice", "Confirm", proposal=proposal)
    table.must("fred", "Decline", proposal=proposal, reason="it came out face down")
    assert table.live.waiting == (drawn,), "it is dealt"
    table.both(first, second, REPORT, **said)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["card"]) == ("set-aside", drawn)
    assert table.live.waiting == ()
    played_out(table)
    assert drawn not in {dealt for held in table.live.play.cards.values() for dealt in held}


def test_a_declined_report_leaves_the_card_as_the_next_one(new_table: NewTable) -> None:
    table = deciding(new_table, UT)
    card = found(table)
    proposal = table.must("dana", REPORT, irregularity=FACE_UP, card=card)["proposal"]
    table.must("flo", "Decline", proposal=proposal, reason="it lay face down")
    assert table.phase == "asking"
    table.least_answer()
    table.least_answer()
    table.deal_one()
    assert face(table.live.play.cards["board"][0]) == card
    played_out(table)


@pytest.mark.parametrize("name", [name for name in game_names() if name != UT])
def test_nothing_is_found_face_up_once_every_card_is_out(new_table: NewTable, name: str) -> None:
    table = deciding(new_table, name)
    refused = table.refused("dana", REPORT, irregularity=FACE_UP, card=table.deck[0])
    assert "All cards for this round have been drawn" in refused["reason"]
    assert refused["clause"]
    played_out(table)


def test_only_the_dealer_reports_a_card_that_nobody_has_read(new_table: NewTable) -> None:
    table = deciding(new_table, UT)
    hidden, unread = face(table.live.play.cards[1][0]), table.deck[0]
    answers = [table.refused("flo", REPORT, irregularity=FACE_UP, card=card) for card in (hidden, unread)]
    assert answers[0] == answers[1], "it tells the floor nothing about hidden cards"
    before = len(table.floor.noted("floor.CardMisread"))
    assert "was read more times" in table.refused("dana", REPORT, irregularity=FACE_UP, card=hidden)["reason"]
    (noted,) = table.floor.noted("floor.CardMisread")[before:]
    assert noted.body["table"] == table.table
    assert table.refused("dana", REPORT, irregularity=FACE_UP, card="Zz")["clause"]
    played_out(table)
