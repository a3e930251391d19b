"""At a real-money table no dealer alone chooses the cards: a reader signs them, or the floor looks twice."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cli.reader import SimulatedReader
from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, ScenarioFloor, ScenarioTable
from scenarios.progressive import ROYAL, dealt, progressive_table
from scenarios.test_large_payouts import until_one_waits

NewTable = Callable[..., ScenarioTable]
GAME = game_names()[0]
BROKEN = "the reader's lens is broken"


@pytest.fixture(autouse=True)
def required(floor: ScenarioFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Require readers, as a floor does that is opened without `--keyboard-entry`."""
    assert floor.floor is not None
    monkeypatch.setattr(floor.floor.house, "requires_readers", True)


def closed_bets(table: ScenarioTable) -> ScenarioTable:
    """Return a table whose players have wagered and wait for the first card."""
    table.begin()
    for player in list(table.live.seats.values()):
        table.wager(player)
    table.close_bets()
    return table


def test_a_dealer_alone_enters_no_card_at_a_real_money_table(new_table: NewTable) -> None:
    table = closed_bets(new_table(GAME).open())
    before = table.money()
    refusal = table.refused("dana", "ReadCard", card=table.deck[0])
    assert refusal["clause"] == "H-32"
    found = {"irregularity": "face-up-card", "card": table.deck[0]}
    assert table.refused("dana", "ReportIrregularity", **found)["clause"], "nor by reporting that one was found"
    assert table.refused("dana", "SwitchKeyboard", is_on=True, reason=BROKEN)["clause"] == "H-32"
    assert table.refused("dana", "EnrollReader", reader="mine", key="0" * 64)["clause"] == "H-32"
    forged = SimulatedReader("mine", table.table, Ed25519PrivateKey.generate()).saw(table.deck[0])
    assert table.sent(forged).status_code == 409
    as_reader = {key: forged[key] for key in ("reader", "sequence", "card", "signature")}
    assert table.refused("dana", "ReaderSaw", **as_reader)["clause"] == "H-32"
    assert table.money() == before
    assert table.live.drawn == 0


def test_a_console_asks_the_reader_for_cards_and_says_what_is_missing(new_table: NewTable) -> None:
    table = closed_bets(new_table(GAME).open())

    def to_read() -> tuple[Any, str, dict[str, Any]]:
        shown = table.console()
        duty = next(duty for duty in shown["duties"] if duty["id"] == "read")
        return duty["roles"], duty["command"]["kind"], shown["card_source"]

    nothing = {"by": "reader", "readers": [], "missing": "not-enrolled"}
    assert to_read() == (["reader"], "ReaderSaw", nothing)
    reader = table.enroll()
    assert to_read()[2] == {"by": "reader", "readers": [reader.name], "missing": "not-heard"}
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    assert to_read() == (["dealer"], "ReadCard", {"by": "keyboard", "readers": [reader.name], "missing": None})
    table.must("flo", "SwitchKeyboard", is_on=False, reason="mended")
    assert table.sent(reader.saw(table.deck.pop(0))).json()["is_read"]
    assert table.console()["card_source"]["missing"] is None
    drawn = new_table(GAME, DRAWN).open()
    assert drawn.console()["card_source"] is None


def test_the_floors_page_of_readers_lists_tables_with_physical_cards_for_those_who_work_there(
    new_table: NewTable,
) -> None:
    table, drawn = new_table(GAME).open(()), new_table(GAME, DRAWN).open(())
    reader = table.enroll()
    people = table.floor.people
    for name in ("tec", "flo", "pit", "dana", "sue"):
        shown = {row["table"]: row for row in people[name].http.get("/api/floor/readers").raise_for_status().json()}
        assert shown[table.table]["readers"] == [{"reader": reader.name, "key": reader.key, "sequence": 0}]
        assert drawn.table not in shown
    assert {people[name].http.get("/api/floor/readers").status_code for name in ("alice", "cay", "olga")} == {409}


def test_a_reader_is_enrolled_by_two_people_and_plays_a_whole_round(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    proposal = table.must("tec", "EnrollReader", reader="solo", key=key)["proposal"]
    assert table.refused("tec", "Confirm", proposal=proposal)["clause"]
    assert not table.live.readers
    reader = table.enroll()
    closed_bets(table)
    while table.live.in_round:
        table.step()
    read = table.entries("house.CardRead")
    assert [entry.body["sequence"] for entry in read] == list(range(1, len(read) + 1))
    assert {entry.body["source"] for entry in read} == {f"reader {reader.name}"}
    assert {entry.actor for entry in read} == {f"reader {reader.name}"}
    assert table.live.readers[reader.name].sequence == reader.sequence


def test_a_message_counts_once_in_order_at_its_own_table_and_as_it_was_signed(new_table: NewTable) -> None:
    table, other = new_table(GAME).open(), new_table(GAME)
    reader = table.enroll()
    closed_bets(table)
    first, second, third = (reader.saw(card) for card in table.deck[:3])
    assert table.sent(second).status_code == 409, "it comes before the first"
    assert [note.body["expected"] for note in table.floor.noted("floor.ReaderOutOfOrder")][-1:] == [1]
    assert table.sent(first).json() == {"sequence": 1, "is_read": True, "again": False}
    assert table.sent(first).json() == {"sequence": 1, "is_read": True, "again": True}, "its answer was lost"
    for change in ({"card": table.deck[5]}, {"sequence": 3}, {"signature": "0" * 128}, {"reader": "nobody"}):
        assert table.sent({**second, **change}).status_code == 409, change
    again = SimulatedReader(reader.name, table.table, reader.secret, 0).saw(table.deck[7])
    assert table.sent(again).status_code == 409, "the same number with another card"
    assert table.live.drawn == 1
    assert table.sent(second).json()["is_read"]
    other.open(())
    other.both("pit", "flo", "EnrollReader", reader=reader.name, key=reader.key)
    moved = SimulatedReader(reader.name, table.table, reader.secret, 0).saw(other.game.deck.cards[0][:2])
    assert other.sent(moved).status_code == 409, "signed for another table"
    table.must("flo", "RetireReader", reader=reader.name, reason="moved")
    assert table.sent(third).status_code == 409


def test_a_key_is_enrolled_once_so_that_no_number_of_it_comes_twice(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    reader = table.enroll()
    closed_bets(table)
    assert table.sent(reader.saw(table.deck[0])).json()["is_read"]
    table.must("flo", "RetireReader", reader=reader.name, reason="cleaned")
    for name, key in product((reader.name, "shoe-of-another-name"), (reader.key, reader.key.upper())):
        again = table.refused("tec", "EnrollReader", reader=name, key=key)
        assert (again["clause"], again["field"]) == ("H-32", "key")
    renewed = table.enroll()  # with a key of its own
    assert table.refused("tec", "EnrollReader", reader="shoe-9", key=renewed.key.upper())["field"] == "key"
    assert table.sent(renewed.saw(table.deck[1])).json()["is_read"]


def test_a_card_shown_before_it_is_due_is_used_up_and_never_read_later(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    reader = table.enroll()
    table.begin()
    early = reader.saw(table.deck[0])
    assert table.sent(early).json() == {"sequence": 1, "is_read": False, "again": False}
    assert table.entries("house.ReaderIgnored")[-1].body["sequence"] == 1
    assert "card" not in table.entries("house.ReaderIgnored")[-1].body
    for player in list(table.live.seats.values()):
        table.wager(player)
    table.close_bets()
    assert table.sent(early).json()["is_read"] is False, "the answer it had before"
    assert table.live.drawn == 0
    assert table.sent(reader.saw(table.deck[0])).json()["is_read"]


def test_keyboard_entry_is_switched_on_by_the_floor_marked_and_its_payouts_get_a_second_look(
    new_table: NewTable,
) -> None:
    table = new_table(GAME)
    table.document["verification"] = {"keyboard_from_cents": 1}
    table.open()
    assert table.refused("flo", "SwitchKeyboard", is_on=True, reason=" ")["field"] == "reason"
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    raised = table.floor.people["sue"].http.get("/api/alerts").json()
    assert [alert["kind"] for alert in raised if alert["table"] == table.table] == ["keyboard"]
    until_one_waits(table)
    read = table.entries("house.CardRead")
    assert {entry.body["source"] for entry in read} == {"keyboard"}
    before, seat = table.money(), table.live.play.payout.seat
    alone = table.must("dana", "ValidatePayout", seat=seat)["proposal"]
    assert table.refused("dana", "Confirm", proposal=alone)["clause"]
    assert table.money() == before, "nothing is paid before somebody else has looked"
    by_the_same = table.refused("flo", "ValidatePayout", seat=seat)
    assert (by_the_same["clause"], by_the_same["field"]) == ("H-32", "by"), "who let the cards in is no second look"
    assert table.refused("flo", "Confirm", proposal=alone)["clause"] == "H-32"
    table.must("flo", "SwitchKeyboard", is_on=False, reason="mended")
    assert table.refused("flo", "ValidatePayout", seat=seat)["clause"] == "H-32", "nor after switching it off again"
    table.validate("fred")
    assert table.entries("round.PayoutValidated")[-1].body["validated_by"] == "fred"
    cleared = table.floor.people["sue"].http.get("/api/alerts").json()
    assert all(alert["cause_gone_at"] for alert in cleared if alert["table"] == table.table)


def test_a_reader_that_fails_in_mid_round_makes_that_round_verified_too(new_table: NewTable) -> None:
    table = closed_bets(new_table(GAME).open())
    usual = table.live.play.verification
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    strict = table.live.play.verification
    assert (strict.payout_from_cents, strict.payout_from_times) == (500_00, 20)
    assert usual.payout_from_cents > strict.payout_from_cents
    table.read()
    assert table.entries("house.CardRead")[-1].body["source"] == "keyboard"


HOLDEM = "ultimate-texas-holdem"
QUADS = {1: "Ac Ad", "dealer": "2s 9d", "board": "As Ah 8d Jc 3h"}
PAIR = {1: "Kc 9h", "dealer": "2s 4d", "board": "Ks 7c 8d Jc 3h"}


@pytest.mark.parametrize(("hands", "waits"), [(QUADS, True), (PAIR, False)])
def test_a_premium_hand_by_keyboard_waits_however_little_it_is_paid(
    new_table: NewTable, hands: dict[Any, str], waits: bool
) -> None:
    table = new_table(HOLDEM).open(())
    table.sit("alice", 1)
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    table.begin()
    table.wager("alice")  # neither Trips nor anything else that pays this hand at long odds
    table.close_bets()
    table.lay(hands)
    table.deal()
    table.answer("raise 4x")
    table.play_to("settling")
    before = table.money()
    table.step()
    assert table.phase == ("awaiting-verification" if waits else "over")
    if waits:
        assert table.money() == before, "not a cent before the second look"
        assert sum(result.paid for result in table.live.play.payout.results) < 500_00
        table.validate("fred")
        assert table.money() != before


def test_who_let_the_cards_in_validates_no_meter(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    dealt(table, ROYAL)
    table.validate("fred")
    assert table.phase == "awaiting-meter"
    before = table.money()
    assert table.refused("flo", "ValidateMeter", seat=1)["clause"] == "H-32"
    assert table.money() == before
    table.must("fred", "ValidateMeter", seat=1)


def test_who_let_the_cards_in_verifies_nothing_after_somebody_else_switched_again(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    dealt(table, ROYAL)
    table.must("flo", "SwitchKeyboard", is_on=False, reason="mended")
    table.must("fred", "SwitchKeyboard", is_on=True, reason="broken again")
    for name in ("flo", "fred"):
        assert table.refused(name, "ValidatePayout", seat=1)["clause"] == "H-32", name
    table.validate("pit")
    table.must("pit", "ValidateMeter", seat=1)
    table.end()
    table.begin()
    assert table.live.keyboard_by == ("fred",), "the next round's cards are entered because of fred"


@pytest.mark.parametrize("is_off", [False, True])
def test_who_let_the_cards_in_corrects_none_in_a_dispute_with_the_dealer(new_table: NewTable, is_off: bool) -> None:
    table = new_table(HOLDEM).open(())
    table.sit("alice", 1)
    table.must("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.lay(PAIR)
    table.play_to("over")
    table.end()
    if is_off:
        table.must("flo", "SwitchKeyboard", is_on=False, reason="mended")
    table.must("dana", "ReportDispute", seats=[1], note="The hand was read wrong")
    corrected = {"outcome": "resettle", "note": "Read from the rack", "cards": {"dealer": ["7s", "4d"]}}
    before = table.money()
    proposal = table.must("flo", "ResolveDispute", **corrected)["proposal"]
    assert table.refused("dana", "Confirm", proposal=proposal)["clause"] == "H-32"
    assert table.money() == before
    table.must("flo", "Decline", proposal=proposal, reason="somebody else looks")
    table.both("fred", "dana", "ResolveDispute", **corrected)
    assert table.money() != before


def test_a_hand_that_a_reader_read_is_paid_at_once_below_the_usual_limits(new_table: NewTable) -> None:
    table = new_table(HOLDEM).open(())
    table.sit("alice", 1)
    table.enroll()
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.lay(QUADS)
    table.play_to("over")
    assert not table.entries("round.PayoutAwaited")


def test_tables_whose_cards_the_program_draws_have_no_keyboard(new_table: NewTable) -> None:
    table = new_table(GAME, DRAWN).open()
    assert table.refused("flo", "SwitchKeyboard", is_on=True, reason=BROKEN)["clause"] == "H-23"


def test_a_held_table_takes_no_card_from_a_reader(new_table: NewTable) -> None:
    table = closed_bets(new_table(GAME).open())
    reader = table.enroll()
    table.must("flo", "ReportIrregularity", irregularity="other-misdeal", note="two cards stuck")
    assert not table.sent(reader.saw(table.deck[0])).json()["is_read"]
    assert table.live.drawn == 0
    assert not table.live.waiting
    ignored = table.entries("house.ReaderIgnored")[-1].body
    assert (ignored["sequence"], ignored["ruling"], "card" in ignored) == (1, "G-27", False)
    table.must("fred", "Decline", proposal=table.live.trouble.incident, reason="they came apart")
    passed_again = SimulatedReader(reader.name, table.table, reader.secret, 0).saw(table.deck[0])
    assert table.sent(passed_again).json() == {"sequence": 1, "is_read": False, "again": True}, "used up for good"
    assert table.live.drawn == 0
    assert table.sent(reader.saw(table.deck[0])).json() == {"sequence": 2, "is_read": True, "again": False}


def test_whoever_has_no_key_writes_nothing_into_the_record(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    reader = table.enroll()
    closed_bets(table)
    first = reader.saw(table.deck[0])
    assert table.sent(first).json()["is_read"]
    assert table.floor.floor is not None
    store, streams = table.floor.floor.store, (table.live.stream, "floor")
    before = store.heads(streams)
    for change in ({"signature": "0" * 128}, {"card": table.deck[5]}, {"sequence": 2}):
        assert table.sent({**first, **change}).status_code == 409, change
    assert store.heads(streams) == before
