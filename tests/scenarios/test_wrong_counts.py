"""A wrong count stops the table, and no single person can turn it into a void or a new deal."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
REPORT = "ReportIrregularity"
DECK_COUNT = "deck-count-wrong"
EVERY = pytest.mark.parametrize("name", game_names())


def settling(new_table: NewTable, name: str, dealing: str = "manual-shoe") -> ScenarioTable:
    """Return a table whose cards are all out and whose wagers wait to be settled."""
    table = new_table(name, dealing=dealing, deck_hours=4).open()
    table.begin()
    table.play_to("settling")
    return table


def left(table: ScenarioTable) -> int:
    """Return how many cards the stub should have."""
    return len(table.game.deck) - int(table.live.cards.round.dealt)


def explained(table: ScenarioTable, *, misdealt: bool = True, missing: int = 0) -> str:
    """Have the dealer count the stub wrong and explain it, and return what is proposed."""
    table.must("dana", "CountStub", cards=left(table) - 1)
    table.must("dana", "FindMisdeal", misdealt=misdealt, cards_in_deck=len(table.game.deck) - missing)
    (proposal,) = table.live.proposals
    return str(proposal)


# The stub


@EVERY
def test_a_dealer_alone_cannot_void_a_round_by_a_wrong_count(new_table: NewTable, name: str) -> None:
    table = settling(new_table, name)
    money = table.money()
    proposal = explained(table)
    for kind, said in (("Confirm", {}), ("Decline", {"reason": "a slip"})):
        assert table.refused("dana", kind, proposal=proposal, **said)["clause"]
    for kind in ("Settle", "EndRound", "CountStub", "RackStub"):
        fields = {"cards": left(table)} if kind == "CountStub" else {}
        assert "The table is on hold" in table.refused("dana", kind, **fields)["reason"]
    assert table.money() == money
    assert table.live.play.outcome is None


@EVERY
def test_the_floor_has_a_count_taken_again_and_the_round_goes_on_when_it_is_right(
    new_table: NewTable, name: str
) -> None:
    table = settling(new_table, name)
    money, count = table.money(), table.game.procedures.stub["manual-shoe"]
    proposal = explained(table, misdealt=False, missing=1)
    incident = table.console("flo")["held"]["incident"]
    assert table.refused("flo", "Decline", proposal=proposal)["field"] == "reason"
    table.must("flo", "Decline", proposal=proposal, reason="two cards stuck together; count it again")
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"], answered.body["incident"]) == ("flo", "declined", incident)
    reopened = table.entries("table.CountReopened")[-1]
    assert (reopened.clause, reopened.body["by"]["name"]) == (count.check_cite, "flo")
    for kind in ("Settle", "EndRound", "RackStub"):
        assert table.refused("dana", kind)["clause"] == count.check_cite
    assert {duty["command"]["kind"] for duty in table.console()["duties"]} == {"CountStub", "FindMisdeal"}
    assert table.money() == money
    table.must("dana", "CountStub", cards=left(table))
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert table.live.cards.removed == ()
    assert table.verified() is None


@EVERY
@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
@pytest.mark.parametrize(("misdealt", "missing", "fate"), [(True, 0, "reshuffled"), (False, 1, "removed")])
def test_a_count_that_stays_wrong_voids_the_round_once_a_second_person_confirmed_it(
    new_table: NewTable, name: str, dealing: str, misdealt: bool, missing: int, fate: str
) -> None:
    table = settling(new_table, name, dealing)
    count = table.game.procedures.stub[dealing]
    first = explained(table, misdealt=not misdealt, missing=1 - missing)
    table.must("flo", "Decline", proposal=first, reason="count it again while I watch")
    proposal = explained(table, misdealt=misdealt, missing=missing)
    deck = table.live.cards.round.deck
    table.must("flo", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["deck"]) == ("void", fate)
    assert ruled.clause == (count.misdealt_cite if misdealt else count.wrong_cite)
    assert not any(account.startswith("felt:") and cents for account, cents in table.money().items())
    table.end()
    assert (deck in table.live.cards.removed) is (fate == "removed")
    table.play_round()


@EVERY
def test_a_wrong_count_is_declined_by_the_floor_only(new_table: NewTable, name: str) -> None:
    table = settling(new_table, name)
    proposal = explained(table)
    table.must("flo", "WithdrawLease", reason="her shift is over")
    table.take_over("dov")
    for nobody in ("dov", "dana", "tec", "alice"):
        table.refused(nobody, "Decline", proposal=proposal, reason="it was right")
    table.must("fred", "Decline", proposal=proposal, reason="Count it again")
    table.must("dov", "CountStub", cards=left(table))
    assert table.live.cards.round.stub == "racked"


def test_a_mistyped_count_is_taken_again_before_anything_follows(new_table: NewTable) -> None:
    table = settling(new_table, "colorado-holdem")
    table.must("dana", "CountStub", cards=left(table) - 5)
    table.must("dana", "CountStub", cards=left(table))
    assert [entry.body["cards"] - entry.body["expected"] for entry in table.entries("table.StubCounted")] == [-5, 0]
    while table.live.in_round:
        table.step()


# The deck, before its first card


def wagered(new_table: NewTable, name: str, *, closed: bool = True, **changes: object) -> ScenarioTable:
    """Return a table with wagers on its layout and no card out."""
    table = new_table(name, **changes).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    if closed:
        table.close_bets()
    return table


def miscounted(table: ScenarioTable) -> str:
    """Have the dealer count the deck in play wrong, and return its name."""
    deck = str(table.live.cards.round.deck)
    table.must("dana", "CountDeck", deck=deck, cards=len(table.game.deck) - 1)
    return deck


def load_another(table: ScenarioTable) -> None:
    """Bring a deck to replace the one that left, and prepare it with wagers on the layout."""
    for _ in range(60):
        deck = table.live.cards.deck(table.live.cards.round.deck)
        if deck is not None and deck.stage == "loaded":
            return
        table.do(next(duty for duty in table.console()["duties"] if duty["command"]["kind"] in PREPARES))
    raise AssertionError(f"no deck was ready: {table.console()['duties']}")


PREPARES = ("ReceiveDeck", "ConfirmDuty", "ShuffleDeck", "ReadDeviceCount", "CutDeck", "LoadDeck")


@EVERY
@pytest.mark.parametrize("closed", [True, False])
def test_a_deck_counted_wrong_before_the_deal_holds_the_table(new_table: NewTable, name: str, closed: bool) -> None:
    table = wagered(new_table, name, closed=closed)
    money = table.money()
    deck = miscounted(table)
    assert table.view()["held"]["irregularity"] == DECK_COUNT
    reported = table.entries("house.IrregularityReported")[-1]
    assert (reported.actor, reported.body["irregularity"], reported.clause) == ("dana", DECK_COUNT, "G-26")
    assert table.console("flo")["held"]["rulings"] == ["continue", "void"]
    for who, kind, fields in (
        ("dana", "CloseBets", {}),
        ("dana", "DealCards", {}),
        ("dana", "EndRound", {}),
        ("dana", "CountDeck", {"deck": deck, "cards": len(table.game.deck)}),
        ("dana", "ReceiveDeck", {"deck": "another"}),
        ("alice", "WithdrawWagers", {"seat": 1}),
        ("flo", "CloseTable", {"tray_cents": 0}),
    ):
        assert "The table is on hold" in table.refused(who, kind, **fields)["reason"]
    table.refused("dana", "Decline", proposal=reported.body["incident"], reason="a slip")
    table.refused("dana", REPORT, irregularity=DECK_COUNT, ruling="continue")
    assert table.money() == money
    assert deck not in table.live.cards.removed, "nobody has confirmed the count yet"


@EVERY
def test_a_round_goes_on_with_another_deck_when_the_floor_rules_so(new_table: NewTable, name: str) -> None:
    table = wagered(new_table, name)
    money = table.money()
    deck = miscounted(table)
    table.must("flo", REPORT, irregularity=DECK_COUNT, ruling="continue", note="a card is missing")
    ruled = table.entries("round.IrregularityRuled")[-1].body
    assert (ruled["remedy"], ruled["deck"], ruled["ruled_by"], ruled["rests_on"]) == (
        *("goes-on", "removed", "flo"),
        ["G-26"],
    )
    assert deck in table.live.cards.removed
    assert table.money() == money
    table.refused("dana", "ReadCard", card=table.deck[0])
    load_another(table)
    table.stack()
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert table.verified() is None
    table.play_round()


@EVERY
def test_a_round_is_called_off_for_its_deck_by_two_people(new_table: NewTable, name: str) -> None:
    table = wagered(new_table, name)
    deck = miscounted(table)
    said = {"irregularity": DECK_COUNT, "ruling": "void", "note": "a card is missing"}
    proposal = table.must("flo", REPORT, **said)["proposal"]
    assert proposal is not None, "one person voids nothing"
    table.refused("flo", "Confirm", proposal=proposal)
    table.must("dana", "Confirm", proposal=proposal)
    assert table.live.play.outcome == "void"
    assert not any(account.startswith("felt:") and cents for account, cents in table.money().items())
    table.end()
    assert deck in table.live.cards.removed
    table.play_round()


@EVERY
def test_a_deck_is_counted_again_when_the_floor_declines_the_count(new_table: NewTable, name: str) -> None:
    table = wagered(new_table, name)
    deck = miscounted(table)
    incident = table.console("flo")["held"]["incident"]
    table.must("flo", "Decline", proposal=incident, reason="two cards stuck together")
    assert "Count it again" in table.refused("dana", "ShuffleDeck", deck=deck, way="device")["reason"]
    assert [duty["command"]["kind"] for duty in table.console()["duties"]] == ["CountDeck"]
    table.must("dana", "CountDeck", deck=deck, cards=len(table.game.deck))
    table.prepare_in_round()
    while table.live.in_round:
        table.step()
    assert table.live.cards.removed == ()


def test_a_deck_that_the_shuffler_counts_wrong_in_a_round_holds_the_table_too(new_table: NewTable) -> None:
    table = wagered(new_table, "ultimate-texas-holdem", shuffler="counting")
    deck = table.live.cards.round.deck
    table.must("flo", "DirectShuffle", deck=deck)
    table.must("dana", "ShuffleDeck", deck=deck, way="device")
    table.must("dana", "ReadDeviceCount", deck=deck, cards=51)
    assert table.view()["held"]["irregularity"] == DECK_COUNT
    table.must("flo", "Decline", proposal=table.console("flo")["held"]["incident"], reason="read it again")
    table.must("dana", "ReadDeviceCount", deck=deck, cards=52)
    table.prepare_in_round()
    while table.live.in_round:
        table.step()


def test_a_deck_counted_wrong_before_the_first_wager_leaves_and_another_is_brought(new_table: NewTable) -> None:
    table = new_table("colorado-holdem").open()
    table.begin()
    deck = miscounted(table)
    assert table.view()["held"] is None
    assert deck in table.live.cards.removed
    load_another(table)
    table.stack()
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_a_wrong_count_of_the_deck_is_reported_by_counting_it(new_table: NewTable) -> None:
    table = wagered(new_table, "colorado-holdem")
    assert table.refused("flo", REPORT, irregularity=DECK_COUNT, ruling="void")["clause"]
