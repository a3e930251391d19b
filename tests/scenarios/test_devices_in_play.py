"""Shoes and shufflers that jam or fail at every moment of a round, in all four games, over HTTP."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
CO, DP, TF, UT = "colorado-holdem", "dragon-poker", "top-five-poker", "ultimate-texas-holdem"
REPORT = "ReportIrregularity"
OUT = {CO: "removed"}
SHOE_CLAUSES = {TF: "Ch. 13 §D", DP: "Ch. 13 §G", UT: "Ch. 13 §I(1)", CO: "§14(f)"}
MID_DEAL = {TF: "TF-14", DP: "Ch. 13 §F", UT: "Ch. 13 §H(2)", CO: "§14(e)"}
EVERY = pytest.mark.parametrize("name", game_names())


def dealing(new_table: NewTable, name: str, method: str = "manual-shoe", **changes: object) -> ScenarioTable:
    """Return a table in the middle of its deal."""
    table = new_table(name, dealing=method, **changes).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.deal_one()
    assert table.phase == "dealing"
    return table


def fail(table: ScenarioTable, who: str, how: str) -> str | None:
    """Have a person report that the shoe has stopped dealing, and return the proposal about it."""
    said = {
        "FailDevice": {"device": "shoe"},
        "JamDevice": {"device": "shoe", "deck": table.live.cards.round.deck},
        "TakeOutDevice": {"device": "shoe", "how": OUT.get(table.game.name, "covered")},
        REPORT: {"irregularity": "shoe-jam"},
    }[how]
    proposal: str | None = table.must(who, how, **said)["proposal"]
    return proposal


@EVERY
@pytest.mark.parametrize(
    ("who", "how"),
    [("dana", REPORT), ("dana", "JamDevice"), ("flo", "FailDevice"), ("tec", "FailDevice"), ("tec", "TakeOutDevice")],
)
def test_a_shoe_that_fails_during_the_deal_voids_the_round(new_table: NewTable, name: str, who: str, how: str) -> None:
    table = dealing(new_table, name, "automated-shoe")
    money = table.money()
    proposal = fail(table, who, how)
    reported = table.entries("house.IrregularityReported")[-1]
    assert (reported.body["irregularity"], reported.actor) == ("shoe-jam", who)
    if table.live.cards.shoe != "in-service":
        table.must("tec", "ReturnDevice", device="shoe")
    for kind in ("DealCards", "Settle", "EndRound"):
        assert "The table is on hold" in table.refused("dana", kind)["reason"], "the shoe is back, and the round is not"
    assert table.money() == money
    if proposal is None:  # a technician says what happened, and no more
        proposal = table.must("dana", REPORT, irregularity="shoe-jam")["proposal"]
    table.refused("tec", "Confirm", proposal=proposal)
    table.must("fred", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause) == ("void", SHOE_CLAUSES[name])
    assert table.live.play.outcome == "void"
    assert not any(account.startswith("felt:") and cents for account, cents in table.money().items())
    table.end()
    table.play_round()


@EVERY
def test_a_shoe_that_fails_after_the_last_card_leaves_the_round(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name, "automated-shoe")
    table.play_to("settling")
    table.must("tec", "FailDevice", device="shoe")
    assert table.view()["held"] is None
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@EVERY
def test_a_deck_that_jams_on_its_way_from_the_rack_is_shuffled_again(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.play_round()
    (deck,) = table.live.cards.decks
    assert deck.stage == "racked"
    table.must("dana", "JamDevice", device="shuffler", deck=deck.name)
    (jammed,) = table.live.cards.decks
    assert (jammed.stage, jammed.reason) == ("stacked", "jammed")
    assert table.live.cards.rack == ()
    for kind in ("LoadDeck", "CutDeck"):
        fields = {"cards": 20} if kind == "CutDeck" else {}
        table.refused("dana", kind, deck=deck.name, **fields)
    table.refused("dana", "BeginRound")
    table.play_round()


@pytest.mark.parametrize("name", [DP, CO])
def test_a_jam_before_the_deal_reshuffles_the_deck_and_the_wagers_stay(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    money = table.money()
    table.must("dana", "JamDevice", device="shuffler", deck=table.live.cards.round.deck)
    assert table.entries("house.IncidentAnswered")[-1].body["outcome"] == "ruled"
    assert table.entries("round.IrregularityRuled")[-1].clause == MID_DEAL[name]
    assert table.money() == money
    not_dealt_before_it_is_shuffled(table)


@pytest.mark.parametrize("said", ["JamDevice", REPORT])
def test_a_jam_that_no_clause_covers_waits_for_the_floor_and_never_deals_unshuffled(
    new_table: NewTable, said: str
) -> None:
    table = new_table(TF).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    deck = table.live.cards.round.deck
    fields = {"device": "shuffler", "deck": deck} if said == "JamDevice" else {"irregularity": "shuffler-jam"}
    table.must("dana", said, **fields)
    assert "The table is on hold" in table.refused("dana", "CloseBets")["reason"]
    assert table.refused("flo", REPORT, irregularity="shuffler-jam", ruling="continue")["field"] == "note"
    table.must("flo", REPORT, irregularity="shuffler-jam", ruling="continue", note="no card was touched")
    not_dealt_before_it_is_shuffled(table)


def not_dealt_before_it_is_shuffled(table: ScenarioTable) -> None:
    """Check that the deck in play is shuffled before a card of it is dealt, and that the round then ends as usual."""
    deck = table.live.cards.deck(table.live.cards.round.deck)
    assert (deck.stage, deck.reason) == ("stacked", "jammed")
    table.close_bets()
    for kind, fields in (("ReadCard", {"card": table.deck[0]}), ("DealCards", {})):
        answer = table.ask("dana", kind, **fields)
        assert answer.status_code == 409 or not table.entries("round.CardsDealt")
    assert not table.entries("round.CardsDealt")
    table.prepare_in_round()
    table.stack()
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@EVERY
@pytest.mark.parametrize("who", ["dana", "tec"])
def test_a_shuffler_that_jams_on_the_deck_during_the_deal_returns_all_wagers(
    new_table: NewTable, name: str, who: str
) -> None:
    table = dealing(new_table, name)
    money = table.money()
    proposal = table.must(who, "JamDevice", device="shuffler", deck=table.live.cards.round.deck)["proposal"]
    assert "The table is on hold" in table.refused("dana", "DealCards")["reason"]
    assert table.money() == money
    if proposal is None:
        proposal = table.must("flo", REPORT, irregularity="shuffler-jam")["proposal"]
        table.must("dana", "Confirm", proposal=proposal)
    else:
        table.must("flo", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["deck"], ruled.clause) == ("void", "reshuffled", MID_DEAL[name])
    assert table.live.play.outcome == "void"
    table.end()
    table.play_round()


@EVERY
@pytest.mark.parametrize(
    ("who", "how"),
    [("dana", REPORT), ("dana", "JamDevice"), ("flo", "FailDevice"), ("tec", "FailDevice"), ("tec", "TakeOutDevice")],
)
def test_no_single_person_withdraws_a_device_failure_during_the_deal(
    new_table: NewTable, name: str, who: str, how: str
) -> None:
    table = dealing(new_table, name, "automated-shoe")
    money = table.money()
    proposal = fail(table, who, how)
    incident = table.console("flo")["held"]["incident"]
    for waiting in (incident, *((proposal,) if proposal else ())):
        assert table.refused(who, "Decline", proposal=waiting, reason="it works again")["clause"] == "G-17"
    if table.live.cards.shoe != "in-service":
        table.must("tec", "ReturnDevice", device="shoe")
    assert table.refused(who, "Decline", proposal=incident, reason="it works again")["clause"] == "G-17"
    for nobody in {"dana", "tec", "alice", "cay"} - {who}:
        table.refused(nobody, "Decline", proposal=incident, reason="it works again")
    assert "The table is on hold" in table.refused("dana", "DealCards")["reason"]
    assert table.money() == money
    assert table.refused("fred", "Decline", proposal=incident)["field"] == "reason"
    table.must("fred", "Decline", proposal=incident, reason="a wire was loose, and no card was lost")
    answered = table.entries("house.IncidentAnswered")[-1]
    assert (answered.actor, answered.body["outcome"], answered.body["reported_by"]) == ("fred", "declined", who)
    assert answered.body["reason"] == "a wire was loose, and no card was lost"
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


# Cards that were drawn for the first delivery


def drawn(new_table: NewTable, name: str, **changes: object) -> ScenarioTable:
    """Return a table whose first delivery is drawn and not given out."""
    table = new_table(name, **changes).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.read(table.live.play.due.cards)
    return table


@EVERY
@pytest.mark.parametrize(
    ("who", "how"), [("dana", "JamDevice"), ("flo", "JamDevice"), ("tec", "JamDevice"), ("dana", REPORT)]
)
def test_a_jam_after_the_first_cards_were_drawn_returns_all_wagers_by_two_people(
    new_table: NewTable, name: str, who: str, how: str
) -> None:
    table = drawn(new_table, name)
    waiting, money = table.live.waiting, table.money()
    deck = table.live.cards.round.deck
    fields = {"device": "shuffler", "deck": deck} if how == "JamDevice" else {"irregularity": "shuffler-jam"}
    proposal = table.must(who, how, **fields)["proposal"]
    assert table.live.waiting == waiting, "nobody has confirmed that these cards are forgotten"
    for kind, said in (("DealCards", {}), ("ReadCard", {"card": table.deck[0]}), ("ShuffleDeck", {"deck": deck})):
        way = {"way": "device"} if kind == "ShuffleDeck" else {}
        assert "The table is on hold" in table.refused("dana", kind, **said, **way)["reason"]
    assert table.money() == money
    if proposal is None:
        proposal = table.must("dana", REPORT, irregularity="shuffler-jam")["proposal"]
    confirms = "fred" if who != "flo" else "dana"
    table.must(confirms, "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.body["deck"], ruled.clause) == ("void", "reshuffled", MID_DEAL[name])
    assert not any(account.startswith("felt:") and cents for account, cents in table.money().items())
    table.end()
    assert table.live.cards.deck(deck).stage in ("stacked", "racked")
    table.play_round()


@EVERY
def test_cards_that_were_drawn_stay_drawn_when_the_floor_declines_a_jam(new_table: NewTable, name: str) -> None:
    table = drawn(new_table, name)
    waiting = table.live.waiting
    table.must("dana", "JamDevice", device="shuffler", deck=table.live.cards.round.deck)
    incident = table.console("flo")["held"]["incident"]
    table.refused("dana", "Decline", proposal=incident, reason="it runs again")
    table.must("flo", "Decline", proposal=incident, reason="the shuffler was empty")
    assert table.live.waiting == waiting
    place = table.live.play.due.place
    table.must("dana", "DealCards")
    assert table.live.play.cards[place] == waiting
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@EVERY
@pytest.mark.parametrize("again", ["OrderRecut", "DirectShuffle"])
def test_one_person_alone_cannot_redraw_a_drawn_card(new_table: NewTable, name: str, again: str) -> None:
    table = drawn(new_table, name, shuffler="none")
    deck, waiting = table.live.cards.round.deck, table.live.waiting
    proposal = table.must("flo", again, deck=deck)["proposal"]
    assert proposal is not None, "this takes a second person"
    assert table.live.waiting == waiting
    assert table.refused("flo", "Confirm", proposal=proposal)["clause"] == "G-25"
    table.refused("alice", "Confirm", proposal=proposal)
    table.must("dana", "Confirm", proposal=proposal)
    ordered = table.entries(f"table.{'RecutOrdered' if again == 'OrderRecut' else 'ShuffleDirected'}")[-1]
    assert ordered.body["by"] == {"name": "flo", "role": "floorperson"}
    assert table.live.waiting == ()
    table.prepare_in_round()
    table.stack()
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@EVERY
def test_a_deck_is_not_counted_once_a_card_of_it_was_drawn(new_table: NewTable, name: str) -> None:
    table = drawn(new_table, name)
    waiting, deck = table.live.waiting, table.live.cards.round.deck
    for cards in (len(table.game.deck), len(table.game.deck) - 1):
        assert table.refused("dana", "CountDeck", deck=deck, cards=cards)["clause"] == "G-25"
    assert table.live.waiting == waiting


@pytest.mark.parametrize(("how", "fields"), [("FailDevice", {}), ("TakeOutDevice", {"how": "removed"})])
def test_a_deck_in_a_shuffler_that_fails_before_the_deal_is_shuffled_again(
    new_table: NewTable, how: str, fields: dict[str, str]
) -> None:
    table = new_table(DP, shuffler="continuous").open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.must("dana", how, device="shuffler", **fields)
    deck = table.live.cards.deck(table.live.cards.round.deck)
    assert (deck.stage, deck.reason) == ("stacked", "jammed")
    (ruled,) = table.entries("round.IrregularityRuled")
    assert (ruled.body["remedy"], ruled.clause) == ("goes-on", MID_DEAL[DP])


# Jams that cannot have happened


def says_nothing_jammed(table: ScenarioTable) -> None:
    """Check that nobody can say that the deck in play jammed in the shuffler."""
    money, deck = table.money(), table.live.cards.round.deck
    for who in ("dana", "flo"):
        for kind, fields in (
            (REPORT, {"irregularity": "shuffler-jam"}),
            ("JamDevice", {"device": "shuffler", "deck": deck}),
        ):
            assert table.refused(who, kind, **fields)["clause"], (who, kind)
    assert table.live.trouble is None
    assert table.money() == money
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def of_one_deck(new_table: NewTable, name: str) -> tuple[ScenarioTable, str]:
    """Return a table whose only deck is ready to be shuffled once more."""
    table = new_table(name).open()
    table.prepare()
    deck = table.live.cards.decks[0].name
    table.must("flo", "DirectShuffle", deck=deck)
    return table, deck


def dealt_first(table: ScenarioTable) -> ScenarioTable:
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.deal_one()
    return table


@EVERY
def test_a_shuffler_that_is_out_of_the_way_jams_on_nothing(new_table: NewTable, name: str) -> None:
    table, _ = of_one_deck(new_table, name)
    table.must("tec", "FailDevice", device="shuffler")
    table.must("tec", "TakeOutDevice", device="shuffler", how=OUT.get(name, "covered"))
    says_nothing_jammed(dealt_first(table))


@pytest.mark.parametrize("name", [DP, TF, UT])
def test_a_deck_that_was_shuffled_by_hand_did_not_jam_in_the_shuffler(new_table: NewTable, name: str) -> None:
    table, deck = of_one_deck(new_table, name)
    table.must("dana", "ShuffleDeck", deck=deck, way="manual")
    table.must("dana", "CutDeck", deck=deck, cards=20)
    says_nothing_jammed(dealt_first(table))


@EVERY
def test_a_jam_is_ruled_on_though_the_shuffler_was_taken_out_meanwhile(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name)
    proposal = table.must("dana", REPORT, irregularity="shuffler-jam")["proposal"]
    table.must("tec", "FailDevice", device="shuffler")
    table.must("tec", "TakeOutDevice", device="shuffler", how=OUT.get(name, "covered"))
    table.must("flo", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause) == ("void", MID_DEAL[name])
    assert table.live.play.outcome == "void"


@pytest.mark.parametrize("said", ["JamDevice", REPORT])
@pytest.mark.parametrize("is_back", [False, True])
def test_the_floor_lets_a_round_continue_whose_shuffler_was_taken_out_after_the_report(
    new_table: NewTable, said: str, is_back: bool
) -> None:
    table = new_table(TF).open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    money, deck = table.money(), table.live.cards.round.deck
    fields = {"device": "shuffler", "deck": deck} if said == "JamDevice" else {"irregularity": "shuffler-jam"}
    table.must("dana", said, **fields)
    table.must("tec", "FailDevice", device="shuffler")
    table.must("dana", "TakeOutDevice", device="shuffler", how="covered")
    if is_back:
        table.must("tec", "ReturnDevice", device="shuffler")
    table.must("flo", REPORT, irregularity="shuffler-jam", ruling="continue", note="no card was touched")
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause) == ("goes-on", "TF-14")
    (jammed,) = table.entries("table.DeviceJammed")
    assert (jammed.body["deck"], jammed.body["in_play"], jammed.clause) == (deck, True, "TF-14")
    assert table.money() == money
    if not is_back:
        assert table.refused("dana", "ShuffleDeck", deck=deck, way="device")["clause"] == "Ch. 13 §E(1)"
    not_dealt_before_it_is_shuffled(table)
    assert table.entries("table.DeckShuffled")[-1].body["way"] == ("device" if is_back else "manual")


@pytest.mark.parametrize("name", [CO, DP, UT])
def test_a_shuffler_that_jams_after_the_last_card_voids_nothing(new_table: NewTable, name: str) -> None:
    table = dealing(new_table, name)
    table.play_to("settling")
    table.put_stub_away()
    stakes = dict(table.live.play.stakes)
    table.must("dana", REPORT, irregularity="shuffler-jam")
    ruled = table.entries("round.IrregularityRuled")[-1].body
    assert (ruled["remedy"], table.live.play.outcome, table.live.play.stakes) == ("goes-on", None, stakes)
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


@pytest.mark.parametrize("name", [CO, DP, TF])
def test_a_round_that_can_no_longer_be_dealt_by_hand_is_voided_by_two_people(new_table: NewTable, name: str) -> None:
    table = new_table(name, dealing="hand", deck_hours=4).open()
    before = {account: cents for account, cents in table.money().items() if cents}
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    deck = table.live.cards.round.deck
    table.must("dana", "JamDevice", device="shuffler", deck=deck)
    table.must("flo", "TakeOutDevice", device="shuffler", how=OUT.get(name, "covered"))
    if table.live.trouble is not None:
        table.must("flo", REPORT, irregularity="shuffler-jam", ruling="continue", note="no card was touched")
    # Shuffled by hand it couldn't be dealt, so the dealer is told so before shuffling.
    refused = table.refused("dana", "ShuffleDeck", deck=deck, way="manual")
    assert refused["clause"] == table.game.procedures.hand_needs_shuffler_cite
    assert "void the round as another misdeal (G-18)" in refused["reason"]
    assert "between rounds" in table.refused("flo", "ChangeDealing", method="manual-shoe")["reason"]
    said = {"irregularity": "other-misdeal", "note": "the shuffler broke down before the deal"}
    table.must("dana", REPORT, **said)
    proposal = table.must("flo", REPORT, **said, ruling="void")["proposal"]
    table.must("fred", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert (ruled.body["remedy"], ruled.clause) == ("void", "G-18")
    table.end()
    assert {account: cents for account, cents in table.money().items() if cents} == before
    table.must("flo", "ChangeDealing", method="manual-shoe")
    table.play_round()
    assert table.entries("table.DeckShuffled")[-1].body["way"] == "manual"
    assert table.verified() is None
