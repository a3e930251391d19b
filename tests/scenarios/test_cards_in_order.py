"""Cards leave the deck when their delivery is due, and every card that left it is accounted for."""

from collections.abc import Callable

import pytest

from pitboss.cards.deck import face
from pitboss.games.catalogue import game, game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]


def dealing_cite(name: str, duty: str, method: str = "manual-shoe") -> str:
    return next(item.cite for item in game(name).procedures.dealing[method] if item.id == duty)


def at_first_card(new_table: NewTable, name: str, **changes: object) -> ScenarioTable:
    """Return a table whose bets are closed and whose first card is due."""
    table = new_table(name, **changes).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    return table


# Nothing is read before "no more bets".


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
@pytest.mark.parametrize("name", game_names())
def test_no_card_is_read_before_no_more_bets(new_table: NewTable, name: str, dealing: str) -> None:
    table = new_table(name, dealing=dealing, deck_hours=4).open()
    table.begin()
    table.wager("alice")
    refused = table.refused("dana", "ReadCard", card=table.deck[0])
    assert refused["clause"] == dealing_cite(name, "no-more-bets", dealing)
    assert not table.live.positions
    stakes = {wager: cents + 5_00 for wager, cents in table.least().items()}
    table.wager("alice", **{wager.replace("-", "_"): cents for wager, cents in stakes.items()})
    table.close_bets()
    table.read()
    seat = {"seat": 1, "stakes": table.least()}
    assert "Bets are closed" in table.refused("alice", "PlaceWagers", **seat)["reason"]


def test_a_card_read_while_wagers_are_placed_is_noted_for_the_floor(new_table: NewTable) -> None:
    table = new_table("colorado-holdem").open()
    table.begin()
    table.wager("alice")
    table.refused("dana", "ReadCard", card=table.deck[0])
    noted = [entry for entry in table.floor.noted("floor.CardReadEarly") if entry.body["table"] == table.table]
    assert [entry.body["phase"] for entry in noted] == ["wagering"]
    assert table.deck[0] not in str(noted[0].body).split("'"), "its face stays sealed until the round is over"


# What was read and not dealt is forgotten when the deck is shuffled or cut again.


@pytest.mark.parametrize("again", ["OrderRecut", "DirectShuffle"])
@pytest.mark.parametrize("name", game_names())
def test_a_deck_prepared_again_forgets_the_cards_that_were_read(new_table: NewTable, name: str, again: str) -> None:
    table = at_first_card(new_table, name, shuffler="none")
    first = table.deck[0]
    table.read()
    table.both("dana", "flo", again, deck=table.live.cards.round.deck)
    assert not table.live.waiting
    assert not table.live.positions
    assert table.entries("house.ReadsForgotten")[-1].body["positions"] == [0]
    table.prepare_in_round()
    table.stack(first)
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert table.verified() is None


@pytest.mark.parametrize("name", game_names())
def test_a_void_round_leaves_no_seen_card_on_a_deck_that_is_dealt(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name, dealing="automated-shoe")
    table.read()
    deck = table.live.cards.round.deck
    table.both("dana", "flo", "ReportIrregularity", irregularity="shoe-jam")
    table.must("dana", "EndRound")
    stage = next((other.stage for other in table.live.cards.decks if other.name == deck), None)
    assert stage in (None, "stacked", "racked"), "a deck whose top card was seen is shuffled before it is dealt"
    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


# Cards that leave the deck reconcile.


def in_error(table: ScenarioTable) -> str:
    """Have a card read that is not due, check that it is on record as drawn in error, and return it."""
    told, ruled = len(table.entries("house.IrregularityReported")), len(table.entries("round.IrregularityRuled"))
    money = table.money()
    table.read()
    reported = table.entries("house.IrregularityReported")[told:]
    assert [entry.body["irregularity"] for entry in reported] == ["card-drawn-in-error"]
    (by_clause,) = table.entries("round.IrregularityRuled")[ruled:]
    assert by_clause.body["remedy"] == "goes-on"
    assert by_clause.clause == table.game.irregularities["card-drawn-in-error"][0].cite
    assert table.money() == money
    assert table.view()["held"] is None
    card = str(table.live.waiting[-1])
    sealed = [entry.body for kind in ("house.CardRead", "house.IrregularityReported") for entry in table.entries(kind)]
    assert face(card) not in str(sealed).replace("'", " ").split(), "its face stays sealed until the round is over"
    return card


@pytest.mark.parametrize("name", game_names())
def test_a_card_read_beyond_the_delivery_that_is_due_is_the_next_card(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    due = table.live.play.due
    table.read(due.cards)
    drawn = in_error(table)
    table.must("dana", "DealCards")
    assert drawn not in table.live.play.drawn
    place = table.live.play.due.place
    aside = table.refused("dana", "ReportIrregularity", irregularity="face-up-card", card=face(drawn))
    assert "Deal it first" in aside["reason"]
    table.deal_one()
    assert drawn in table.live.play.cards[place]
    while table.live.in_round:
        table.step()
    assert table.verified() is None


UTH = "ultimate-texas-holdem"


@pytest.mark.parametrize("name", [name for name in game_names() if name != UTH])
def test_no_card_is_read_while_players_decide_and_every_card_is_out(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    table.deal()
    assert table.phase == "asking"
    refused = table.refused("dana", "ReadCard", card=table.deck[0])
    assert refused["clause"] == table.game.irregularities["card-drawn-in-error"][0].cite
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand"])
def test_a_card_read_while_players_decide_is_the_next_card(new_table: NewTable, dealing: str) -> None:
    table = at_first_card(new_table, UTH, dealing=dealing, deck_hours=4)
    table.deal()
    assert table.phase == "asking"
    drawn = in_error(table)
    assert table.phase == "asking"
    second = in_error(table)
    while table.phase == "asking":
        table.least_answer()
    while table.live.play.due.is_turned:
        table.deal_one()
    while table.live.waiting:
        table.deal_one()
    dealt = [entry.body["cards"] for entry in table.entries("round.CardsDealt")]
    positions = [card["position"] for cards in dealt for card in cards]
    assert positions == sorted(positions), "cards are dealt in the order they left the deck"
    assert {drawn, second} <= table.live.play.drawn
    while table.live.in_round:
        table.step()
    assert table.verified() is None


@pytest.mark.parametrize("name", game_names())
def test_a_card_that_was_reported_as_drawn_in_error_is_read_at_once(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    table.read(table.live.play.due.cards)
    table.must("dana", "ReportIrregularity", irregularity="card-drawn-in-error")
    reports = len(table.entries("house.IrregularityReported"))
    table.must("dana", "DealCards")
    table.read(table.live.play.due.cards)
    assert len(table.entries("house.IrregularityReported")) == reports


@pytest.mark.parametrize("name", game_names())
def test_a_slip_of_the_keyboard_is_corrected_by_dealer_and_floor(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    table.read(table.live.play.due.cards)
    slip = in_error(table)
    right = next(card for card in table.deck if card != face(slip))
    table.deck.remove(right)
    table.deck.append(face(slip))  # which was never drawn
    proposal = table.must("dana", "CorrectRead", was=face(slip), right=right)["proposal"]
    assert face(table.live.waiting[-1]) == face(slip), "nobody corrects it alone"
    table.must("flo", "Confirm", proposal=proposal)
    assert face(table.live.waiting[-1]) == right
    while table.live.in_round:
        table.step()
    assert right in {face(card) for card in table.live.play.drawn}
    assert table.verified() is None


@pytest.mark.parametrize("name", game_names())
def test_no_card_is_read_once_every_card_of_the_round_is_drawn(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    table.play_to("settling")
    refused = table.refused("dana", "ReadCard", card=table.deck[0])
    assert refused["clause"] == table.game.irregularities["card-drawn-in-error"][0].cite
    noted = [entry for entry in table.floor.noted("floor.CardReadEarly") if entry.body["table"] == table.table]
    assert [entry.body["phase"] for entry in noted] == ["settling"]


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
@pytest.mark.parametrize("name", game_names())
def test_the_stub_is_put_away_before_wagers_are_settled(new_table: NewTable, name: str, dealing: str) -> None:
    table = new_table(name, dealing=dealing, deck_hours=4).open()
    table.begin()
    table.play_to("settling")
    money = table.money()
    refused = table.refused("dana", "Settle")
    assert refused["clause"] == dealing_cite(name, "stub", dealing)
    assert table.money() == money
    table.must("dana", "RackStub", cards=len(table.game.deck) - table.live.cards.round.dealt)
    table.must("dana", "Settle")


@pytest.mark.parametrize("name", game_names())
def test_a_stub_racked_short_is_refused_and_noted(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("settling")
    left = len(table.game.deck) - table.live.cards.round.dealt
    count = table.game.procedures.stub["manual-shoe"]
    refused = table.refused("dana", "RackStub", cards=left - 1)
    assert refused["clause"] == count.check_cite
    noted = [entry for entry in table.floor.noted("floor.StubShort") if entry.body["table"] == table.table]
    assert [(entry.body["cards"], entry.body["expected"]) for entry in noted] == [(left - 1, left)]
    assert "Settle" in {row["command"] for row in table.console()["refused"]}
    table.must("dana", "CountStub", cards=left - 1)
    assert table.refused("dana", "Settle")["clause"] == count.check_cite
    table.must("dana", "CountStub", cards=left)
    table.must("dana", "Settle")


def test_program_drawn_cards_have_no_stub_to_wait_for(new_table: NewTable) -> None:
    table = new_table("top-five-poker", "drawn").open()
    table.begin()
    table.play_to("settling")
    table.must("dana", "Settle")


@pytest.mark.parametrize("name", game_names())
def test_a_card_drawn_in_error_is_read_as_the_next_card(new_table: NewTable, name: str) -> None:
    table = at_first_card(new_table, name)
    table.deal_one()
    table.must("dana", "ReportIrregularity", irregularity="card-drawn-in-error")
    drawn = table.deck[0]
    table.deal_one()
    assert drawn in {face(card) for held in table.live.play.cards.values() for card in held}


@pytest.mark.parametrize(
    ("name", "shown", "copies"),
    [
        ("dragon-poker", "Dr", 3),
        ("dragon-poker", "Db", 3),
        ("dragon-poker", "Dg", 1),
        ("dragon-poker", "Ph", 7),
        *((name, "As", 1) for name in game_names() if name != "dragon-poker"),
    ],
)
def test_no_more_cards_of_a_kind_are_read_than_the_deck_has(
    new_table: NewTable, name: str, shown: str, copies: int
) -> None:
    table = new_table(name).open()
    table.begin(" ".join([shown] * copies))
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    for _ in range(copies):
        table.deal_one()
    before = len(table.floor.noted("floor.CardMisread"))
    assert "was read more times" in table.refused("dana", "ReadCard", card=shown)["reason"]
    assert len(table.floor.noted("floor.CardMisread")) == before + 1
    while table.live.in_round:
        table.step()
    assert table.verified() is None
