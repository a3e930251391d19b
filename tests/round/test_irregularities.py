"""What goes wrong during a round, what the rulebook orders then, and what cannot be reported."""

from dataclasses import replace
from typing import Any

import pytest

from pitboss.cards import Card
from pitboss.round import decide, legal_actions
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    DealCards,
    PlaceWagers,
    ReportIrregularity,
    Settle,
)
from pitboss.round.events import (
    CardsCollected,
    IrregularityRuled,
    RoundClosed,
    RoundVoided,
    WagerReturned,
    WagersReversed,
    WagersSettled,
)
from pitboss.rules.refusal import Refusal
from round.ledger import Ledger
from round.played import LEAST, Table, table_of

UTH, TOP, DRAGON, COLORADO = "ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem"
WRONG_NUMBER = {UTH: "Ch. 13 §E", TOP: "Ch. 13 §C", DRAGON: "Ch. 13 §D", COLORADO: "§14(c)"}
every_game = pytest.mark.parametrize("game", WRONG_NUMBER)


def face_up(card: str = "As") -> ReportIrregularity:
    return ReportIrregularity("face-up-card", card=Card(card))


def left(seat: int, ruling: str | None = "abandoned", by: str | None = "floor 1") -> ReportIrregularity:
    return ReportIrregularity("player-left", seat, ruling=ruling, ruled_by=by)


def closed(game: str, *seats: int, order: str = "", wagers: dict[str, int] | None = None, **choices: Any) -> Table:
    table = table_of(game, order, **choices)
    for seat in seats or (1, 2):
        table.place(seat, LEAST[game] | (wagers or {}))
    table.close()
    return table


def asked(game: str, *seats: int, **more: Any) -> Table:
    table = closed(game, *seats, **more)
    table.deal_until("asking")
    return table


def finish(table: Table) -> None:
    while table.state.outcome is None:
        if table.state.phase == "dealing":
            table.deal_on()
        elif table.state.phase == "asking":
            table.act(legal_actions(table.state)[0].name)
        else:
            table.settle()
    Ledger.of(table.events).check_closed()


def nets(table: Table, seat: int) -> dict[str, int]:
    return {wager: one.net for (number, wager), one in table.state.results.items() if number == seat}


# A card found face up


@pytest.mark.parametrize(("game", "clause"), [(UTH, "Ch. 13 §A"), (DRAGON, "Ch. 13 §A"), (COLORADO, "§14(a)")])
def test_the_first_face_up_card_is_set_aside_and_never_dealt(game: str, clause: str) -> None:
    table = closed(game)
    found = table.spare[-1]
    (ruled,) = table.do(ReportIrregularity("face-up-card", card=found))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.clause, ruled.card) == ("set-aside", clause, found)
    assert "already out" in table.refusal(DealCards((found,))).reason
    finish(table)
    assert table.state.outcome == "settled"
    assert all(found not in cards for cards in table.state.cards.values())


@pytest.mark.parametrize(("game", "clause"), [(UTH, "Ch. 13 §B"), (DRAGON, "Ch. 13 §B"), (COLORADO, "§14(a)")])
def test_the_second_face_up_card_voids_the_round(game: str, clause: str) -> None:
    table = closed(game)
    table.deal_on()
    table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    table.deal_on()
    *_, void = table.do(ReportIrregularity("face-up-card", card=table.spare[-2]))
    assert void == RoundVoided("reshuffled", clause)
    assert set(nets(table, 1).values()) == {0}


def test_one_face_up_card_is_enough_to_void_in_top_five() -> None:
    table = closed(TOP)
    *_, void = table.do(face_up())
    assert void == RoundVoided("reshuffled", "Ch. 13 §A")


@every_game
def test_a_face_up_card_must_be_named_belong_to_the_deck_and_not_be_out_already(game: str) -> None:
    table = closed(game)
    assert table.refusal(ReportIrregularity("face-up-card")).clause is not None
    assert "not a card of this deck" in table.refusal(face_up("Zz")).reason
    table.deal_on()
    (out,) = table.state.drawn
    assert "already out" in table.refusal(ReportIrregularity("face-up-card", card=out)).reason


def test_the_same_card_is_not_found_face_up_twice() -> None:
    table = closed(COLORADO)
    table.do(face_up())
    assert "already out" in table.refusal(face_up()).reason
    assert table.state.face_up_found == 1


@every_game
def test_no_card_is_found_face_up_before_the_deal_or_after_the_last_card(game: str) -> None:
    table = table_of(game, dealing="automated-shoe")
    table.place(1, LEAST[game])
    card = table.spare[-1]
    assert "still being placed" in table.refusal(ReportIrregularity("face-up-card", card=card)).reason
    table.dealt()
    assert "No card of this round" in table.refusal(ReportIrregularity("face-up-card", card=card)).reason


@pytest.mark.parametrize("stage", ["before the flop", "at the flop", "after the flop", "before the last two"])
def test_a_face_up_card_after_the_first_two_settles_trips_alone_on_the_completed_board(stage: str) -> None:
    # Seat 1: a pair of aces made three by the board. Seat 2 has no Trips.
    table = table_of(UTH, "Ac 2d 9s Ad 3h 9d Ah 7c 8d Jc Qs")
    table.place(1, LEAST[UTH] | {"trips": 100, "progressive": 100, "ultimate-pairs": 100})
    table.place(2, LEAST[UTH])
    table.dealt()
    if stage != "before the flop":
        table.act("raise 4x")
        table.act("check")
    if stage in ("after the flop", "before the last two"):
        table.deal_until("asking")
    if stage == "before the last two":
        table.act("check")
    events = table.do(face_up("2s"))
    assert isinstance(events[-1], IrregularityRuled)
    assert (events[-1].remedy, events[-1].clause, events[-1].settles) == ("settle-only", "Ch. 13 §C", ("trips",))
    assert legal_actions(table.state) == ()
    finish(table)
    expected = {"ante": 0, "blind": 0, "trips": 300, "progressive": 0, "ultimate-pairs": 0}
    assert nets(table, 1) == expected | ({} if stage == "before the flop" else {"play": 0})
    assert set(nets(table, 2).values()) == {0}
    assert table.state.results[1, "trips"].clause == "Ch. 13 §C"
    assert table.state.cards["board"] == ("Ah", "7c", "8d", "Jc", "Qs")
    assert not table.state.face_up.get("dealer")
    assert (table.state.outcome, table.state.deck) == ("settled", "reshuffled")


def test_a_face_up_card_after_the_first_two_with_no_trips_on_the_table_is_a_void() -> None:
    table = asked(UTH, wagers={"progressive": 100})
    *_, void = table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    assert void == RoundVoided("reshuffled", "Ch. 13 §C")
    assert set(nets(table, 1).values()) == {0}


def test_more_trouble_while_the_board_is_completed_returns_nothing_twice() -> None:
    table = asked(UTH, wagers={"trips": 100})
    table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    table.do(ReportIrregularity("face-up-card", card=table.spare[-2]))
    table.do(ReportIrregularity("dealer-card-exposed"))
    finish(table)
    assert table.state.outcome == "settled"
    assert (nets(table, 1)["ante"], nets(table, 1)["blind"]) == (0, 0)


def test_a_face_up_card_among_dealers_cards_left_in_the_shuffler_is_set_aside() -> None:
    # The dealer has not received two cards yet, so the first two paragraphs still rule.
    table = closed(UTH, wagers={"trips": 100}, dealing="automated-shoe", options={"dealer-cards": "in-shuffler"})
    table.deal_until("asking")
    while table.state.phase != "dealing" or table.state.due[0] != "dealer":  # type: ignore[index]
        if table.state.phase == "dealing":
            table.deal_on()
        else:
            table.act("raise 4x")
    (ruled,) = table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.clause) == ("set-aside", "Ch. 13 §A")
    *_, void = table.do(ReportIrregularity("face-up-card", card=table.spare[-2]))
    assert void == RoundVoided("reshuffled", "Ch. 13 §B")


# A card drawn in error, a wrong number, an exposed card


@pytest.mark.parametrize(
    ("game", "clause"), [(UTH, "Ch. 13 §D"), (TOP, "Ch. 13 §B"), (DRAGON, "Ch. 13 §C"), (COLORADO, "§14(b)")]
)
def test_a_card_drawn_in_error_is_still_the_next_card(game: str, clause: str) -> None:
    table = closed(game)
    (card,) = table.next_cards(1)
    (ruled,) = table.do(ReportIrregularity("card-drawn-in-error", card=card))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.clause) == ("goes-on", clause)
    table.do(DealCards((card,)))
    finish(table)
    assert table.state.outcome == "settled"


@every_game
def test_a_wrong_number_of_cards_voids_and_undoes_a_fold(game: str) -> None:
    table = asked(game, 1, 2)
    first = legal_actions(table.state)[-1].name
    table.act(first)
    settled = [key for key in table.state.results if key[0] == 1]  # a fold that waits has nothing to be undone
    events = table.do(ReportIrregularity("wrong-number-of-cards", seat=2))
    assert events[-1] == RoundVoided("reshuffled", WRONG_NUMBER[game])
    undone = [event for event in events if isinstance(event, WagersReversed)]
    assert [event.seat for event in undone] == ([1] if settled else [])
    assert set(nets(table, 1).values()) == {0}


def test_a_void_takes_back_a_declared_winner() -> None:
    table = asked(COLORADO, 1, 2, order="Ac 2d Ks Ad 3h Qs Ah 7c Js", wagers={"bonus": 100})
    table.act("declare")
    assert nets(table, 1) == {"ante": 5000, "bonus": 500}
    events = table.do(ReportIrregularity("wrong-number-of-cards"))
    (undone,) = [event for event in events if isinstance(event, WagersReversed)]
    assert {one.wager: one.net for one in undone.results} == {"ante": 5000, "bonus": 500}
    assert nets(table, 1) == {"ante": 0, "bonus": 0}


@pytest.mark.parametrize("when", ["during the deal", "before the first answer", "before the last answer"])
def test_an_exposed_dealers_card_returns_all_but_trips_in_hold_em(when: str) -> None:
    table = closed(UTH, 1, 2, order="Ac 2d 9s Ad 3h 9d Ah 7c 8d Jc Qs", wagers={"trips": 100, "bad-beat": 100})
    for _ in range(3):
        table.deal_on()
    if when != "during the deal":
        table.deal_until("asking")
    if when == "before the last answer":
        table.act("check")
        table.act("raise 4x")
        table.deal_until("asking")
        table.act("check")
        table.deal_until("asking")
    table.do(ReportIrregularity("dealer-card-exposed"))
    finish(table)
    assert nets(table, 1)["trips"] == 300
    assert nets(table, 2)["trips"] == -100
    for seat in (1, 2):
        assert all(net == 0 for wager, net in nets(table, seat).items() if wager != "trips")
    assert table.state.results[1, "trips"].clause == "Ch. 13 §G"
    assert table.state.results[1, "ante"].clause == "Ch. 13 §F"


def test_a_fold_is_undone_but_its_trips_still_settled_when_a_dealers_card_shows_too_early() -> None:
    table = asked(UTH, 1, 2, order="Ac 2d 9s Ad 3h 9d Ah 7c 8d Jc Qs", wagers={"trips": 100})
    for _ in range(2):
        table.act("check")
        table.act("check")
        table.deal_until("asking")
    table.act("fold")
    table.do(ReportIrregularity("dealer-card-exposed"))
    finish(table)
    assert nets(table, 1) == {"ante": 0, "blind": 0, "trips": 300}


def test_an_exposed_dealers_card_voids_in_dragon_until_the_dealer_reveals() -> None:
    table = asked(DRAGON)
    table.act("play")
    early = replace(table, events=list(table.events), states=list(table.states), commands=list(table.commands))
    early.state = table.state
    *_, void = early.do(ReportIrregularity("dealer-card-exposed"))
    assert void == RoundVoided("reshuffled", "Ch. 13 §E")
    table.act("play")
    table.deal_until("settling")
    assert "turned up by the rules" in table.refusal(ReportIrregularity("dealer-card-exposed")).reason


# Reports that cannot be true


@every_game
def test_nothing_can_be_misdealt_before_a_card_is_out(game: str) -> None:
    table = closed(game)
    wrong = ReportIrregularity("wrong-number-of-cards")
    refusal = table.refusal(wrong)
    assert "No card of this round is out yet" in refusal.reason
    assert refusal.clause == WRONG_NUMBER[game]
    if game != TOP:
        table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
        assert "No card of this round is out yet" in table.refusal(wrong).reason, "a card set aside is nobody's"
    table.deal_on()
    assert isinstance(table.do(wrong)[-1], RoundVoided)


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
@pytest.mark.parametrize("game", [UTH, TOP, DRAGON])
def test_a_dealers_card_is_exposed_only_while_it_lies_face_down(game: str, dealing: str) -> None:
    table = closed(game, 1, 2, dealing=dealing, wagers={"trips": 100} if game == UTH else None)
    exposed = ReportIrregularity("dealer-card-exposed", ruling="void", ruled_by="floor 1")
    seen = set()
    while table.state.outcome is None:
        lies, shown = len(table.state.cards.get("dealer", ())), table.state.face_up.get("dealer", 0)
        answer = decide(table.state, exposed)
        if isinstance(answer, Refusal):
            assert answer.clause
            seen.add(answer.reason)
            assert not lies or lies == shown
        else:
            assert lies > shown
        if table.state.phase == "dealing":
            table.deal_on()
        elif table.state.phase == "asking":
            table.act(legal_actions(table.state)[0].name)
        else:
            table.settle()
    assert len(seen) == 2, "before the dealer has a card, and after the reveal"


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
def test_a_community_card_is_exposed_only_while_it_lies_face_down(dealing: str) -> None:
    table = closed(COLORADO, 1, 2, dealing=dealing)
    exposed = ReportIrregularity("community-card-exposed", ruling="void", ruled_by="floor 1", note="shown")
    assert "No community card is on the table" in table.refusal(exposed).reason
    table.deal_until("asking")
    assert not isinstance(decide(table.state, exposed), Refusal)
    table.act("bet")
    table.act("bet")
    table.deal_until("settling")
    assert "turned up by the rules" in table.refusal(exposed).reason


@every_game
def test_no_card_is_drawn_in_error_once_every_card_is_out(game: str) -> None:
    table = asked(game, dealing="automated-shoe")
    assert "every one is out" in table.refusal(ReportIrregularity("card-drawn-in-error")).reason


# A card drawn in error is the next card


@every_game
def test_only_the_card_drawn_in_error_is_dealt_next(game: str) -> None:
    table = closed(game)
    drawn, other, third = table.next_cards(3)
    (ruled,) = table.do(ReportIrregularity("card-drawn-in-error", card=drawn))
    refusal = table.refusal(DealCards((other,)))
    assert "drawn in error is dealt next" in refusal.reason
    assert isinstance(ruled, IrregularityRuled)
    assert refusal.clause == ruled.clause
    assert "Deal it first" in table.refusal(ReportIrregularity("face-up-card", card=other)).reason
    assert "already out" in table.refusal(ReportIrregularity("card-drawn-in-error", card=drawn)).reason
    table.do(DealCards((drawn,)))
    table.do(DealCards((other,)))
    assert third not in table.state.drawn


@every_game
def test_a_second_card_drawn_in_error_comes_after_the_first(game: str) -> None:
    table = closed(game)
    first, second = table.next_cards(2)
    table.do(ReportIrregularity("card-drawn-in-error", card=first))
    (ruled,) = table.do(ReportIrregularity("card-drawn-in-error", card=second))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.after == 1
    table.refusal(DealCards((second,)))
    table.do(DealCards((first,)))
    table.refusal(DealCards((first,)))
    table.do(DealCards((second,)))
    assert table.state.dealt_next == ()
    finish(table)


@every_game
def test_cards_drawn_before_the_one_drawn_in_error_are_dealt_before_it(game: str) -> None:
    table = closed(game, dealing="automated-shoe")
    count = table.state.due[1]  # type: ignore[index]
    cards = table.next_cards(2 * count)
    table.do(ReportIrregularity("card-drawn-in-error", card=cards[count], after=count))
    table.do(DealCards(cards[:count]))
    refusal = table.refusal(ReportIrregularity("face-up-card", card=cards[-1]))
    assert "Deal it first" in refusal.reason
    assert table.state.dealt_next == (cards[count],)


def test_a_card_drawn_in_error_is_shuffled_with_the_rest_when_the_shuffler_jams() -> None:
    table = closed(DRAGON)
    drawn, other = table.next_cards(2)
    table.do(ReportIrregularity("card-drawn-in-error", card=drawn))
    table.do(ReportIrregularity("shuffler-jam", other_deck=True))
    table.refusal(DealCards((other,)))
    table.do(ReportIrregularity("shuffler-jam"))
    table.do(DealCards((other,)))


# A dealer's card exposed in mid-deal leaves the order of the deck as it is


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand", "automated-shoe"])
@pytest.mark.parametrize("dealt", range(8))
def test_the_board_is_the_same_cards_with_and_without_an_exposed_dealers_card(dealing: str, dealt: int) -> None:
    boards = []
    for is_exposed in (False, True):
        table = closed(UTH, 1, 2, dealing=dealing, wagers={"trips": 100})
        done = 0
        while table.state.outcome is None:
            if done == dealt and is_exposed and not table.state.only:
                if isinstance(decide(table.state, ReportIrregularity("dealer-card-exposed")), Refusal):
                    return  # the dealer has no card at this moment
                table.do(ReportIrregularity("dealer-card-exposed"))
            if table.state.phase == "dealing":
                table.deal_on()
                done += 1
            elif table.state.phase == "asking":
                table.act("check" if "check" in [one.name for one in legal_actions(table.state)] else "raise 1x")
            else:
                table.settle()
        boards.append((table.state.cards["board"], table.state.cards[1], table.state.cards[2]))
        assert len(table.state.cards["dealer"]) == 2, "the deal is completed, the dealer's second card too"
        assert is_exposed != bool(table.state.face_up.get("dealer")), "nobody shows down after a partial void"
    assert boards[0] == boards[1]


def test_trips_settles_on_the_right_five_cards_after_an_exposure_in_mid_deal() -> None:
    # With the dealer left out the 9d and not the last card would lie on the board, and seat 2 would hold three nines.
    table = closed(UTH, 1, 2, order="Ac 9c 2s Ad 9h 9d Ks 7c 8d Jc Ah", wagers={"trips": 100})
    for _ in range(3):
        table.deal_on()
    table.do(ReportIrregularity("dealer-card-exposed"))
    finish(table)
    assert table.state.cards["board"] == ("Ks", "7c", "8d", "Jc", "Ah")
    assert (nets(table, 1)["trips"], nets(table, 2)["trips"]) == (300, -100)


# What no clause lists


@pytest.mark.parametrize("kind", ["misplaced-card", "other-misdeal"])
@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
@every_game
def test_people_rule_on_what_no_clause_lists(game: str, kind: str, ruling: str, outcome: str) -> None:
    table = closed(game)
    table.deal_on()
    said = ReportIrregularity(kind, ruling=ruling, ruled_by="floor 1")
    assert (table.refusal(said).clause, table.refusal(said).field) == ("G-18", "note")
    assert table.refusal(replace(said, note=" ")).field == "note"
    assert table.refusal(replace(said, note="x" * 501)).field == "note"
    assert "has to rule" in table.refusal(replace(said, ruling=None, note="why")).reason
    ruled, *_ = table.do(replace(said, note="a card lay on the floor"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.clause, ruled.rests_on, ruled.note) == ("G-18", ("G-18",), "a card lay on the floor")
    finish(table)
    assert table.state.outcome == outcome
    assert table.state.deck == ("reshuffled" if outcome == "void" else "kept")


def test_a_community_card_exposed_early_is_ruled_on_where_there_are_community_cards() -> None:
    table = asked(UTH, dealing="automated-shoe")
    said = ReportIrregularity("community-card-exposed", ruling="void", ruled_by="floor 1", note="the turn was seen")
    table.do(said)
    assert table.state.outcome == "void"
    assert "no rule" in asked(TOP).refusal(said).reason
    flop = asked(UTH)
    assert "No community card is on the table" in flop.refusal(said).reason


@every_game
def test_a_deck_misdealt_and_short_voids_the_round_and_leaves_the_table(game: str) -> None:
    table = asked(game)
    ruled, *_ = table.do(ReportIrregularity("stub-count-misdealt-and-short"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.deck, ruled.rests_on) == ("void", "removed", ("G-18",))
    assert table.state.deck == "removed"


# Which duty a player broke


@pytest.mark.parametrize(
    ("limb", "clause"),
    [
        ("own-hand", "Ch. 11 §A(1)"),
        ("touched", "Ch. 11 §A(2)"),
        ("out-of-view", "Ch. 11 §A(3)"),
        ("talked", "Ch. 11 §A(4)"),
    ],
)
def test_a_violation_says_which_duty_was_broken(limb: str, clause: str) -> None:
    table = asked(TOP)
    for wrong in (None, "other"):
        refusal = table.refusal(ReportIrregularity("player-violation", 1, limb=wrong))
        assert (refusal.field, refusal.clause) == ("limb", "Ch. 11 §A(5)")
    ruled, *_ = table.do(ReportIrregularity("player-violation", 1, limb=limb))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.limb, ruled.limb_clause, ruled.clause) == (limb, clause, "Ch. 11 §A(5)")


def test_nobody_breaks_a_duty_about_cards_not_dealt_or_already_shown() -> None:
    table = closed(TOP)
    assert "no cards yet" in table.refusal(ReportIrregularity("player-violation", 1, limb="touched")).reason
    table.deal_until("asking")
    table.act("play")
    table.act("play")
    table.deal_until("settling")
    assert table.refusal(ReportIrregularity("player-violation", 1, limb="talked")).clause == "Ch. 11 §A(4)"
    table.do(ReportIrregularity("player-violation", 1, limb="touched"))


@every_game
def test_only_what_lists_limbs_takes_one(game: str) -> None:
    assert asked(game).refusal(ReportIrregularity("wrong-number-of-cards", limb="touched")).field == "limb"


# Readings are named where they were applied


def test_a_face_up_card_while_the_dealers_cards_wait_names_its_reading() -> None:
    table = closed(UTH, wagers={"trips": 100}, dealing="automated-shoe", options={"dealer-cards": "in-shuffler"})
    table.deal_until("asking")
    (ruled,) = table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.clause, ruled.rests_on) == ("set-aside", "Ch. 13 §A", ("UT-30",))
    again, *_ = table.do(ReportIrregularity("face-up-card", card=table.spare[-2]))
    assert isinstance(again, IrregularityRuled)
    assert (again.remedy, again.clause, again.rests_on) == ("void", "Ch. 13 §B", ("UT-30",))


@pytest.mark.parametrize(("game", "reading"), [(UTH, "UT-28"), (TOP, "TF-18"), (DRAGON, "DP-15")])
def test_a_complete_deck_that_was_misdealt_names_its_reading(game: str, reading: str) -> None:
    table = asked(game)
    ruled, *_ = table.do(ReportIrregularity("stub-count-misdealt"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.rests_on, ruled.deck) == ((reading,), "reshuffled")


@every_game
def test_a_void_that_takes_something_back_names_its_reading(game: str) -> None:
    table = asked(game, 1, 2)
    table.act(legal_actions(table.state)[-1].name)
    ruled, *rest = table.do(ReportIrregularity("wrong-number-of-cards", seat=2))
    assert isinstance(ruled, IrregularityRuled)
    assert ("G-7" in ruled.rests_on) == any(isinstance(event, WagersReversed) for event in rest)


@pytest.mark.parametrize(
    "kind",
    [
        "dealer-card-exposed",
        "community-card-exposed",
        "wrong-number-of-cards",
        "player-violation",
        "player-left",
        "stub-count-misdealt",
        "stub-count-wrong",
    ],
)
@every_game
def test_what_needs_cards_on_the_table_cannot_be_reported_while_wagers_are_placed(game: str, kind: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game] | ({"trips": 100} if game == UTH else {}))
    refusal = table.refusal(ReportIrregularity(kind, 1, ruling="abandoned", ruled_by="floor 1"))
    known = kind in table.rules.game.irregularities or kind.startswith("stub")
    assert ("still being placed" in refusal.reason) == known
    assert refusal.clause != ""


@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
def test_a_floorperson_rules_on_an_exposed_community_card_in_colorado(ruling: str, outcome: str) -> None:
    table = asked(COLORADO)
    exposed = ReportIrregularity("community-card-exposed", card=table.state.cards["board"][0])
    assert table.refusal(exposed).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling=ruling)).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling="abandoned", ruled_by="floor 1")).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling=ruling, ruled_by="floor 1")).field == "note"
    ruled, *_ = table.do(replace(exposed, ruling=ruling, ruled_by="floor 1", note="one card, seen by nobody"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.ruling, ruled.ruled_by, ruled.clause, ruled.rests_on) == (ruling, "floor 1", "CH-12", ("G-18",))
    assert ruled.note == "one card, seen by nobody"
    finish(table)
    assert table.state.outcome == outcome
    assert table.state.deck == ("reshuffled" if outcome == "void" else "kept")


@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
def test_a_floorperson_rules_on_an_exposed_dealers_card_in_top_five(ruling: str, outcome: str) -> None:
    table = asked(TOP)
    table.do(ReportIrregularity("dealer-card-exposed", ruling=ruling, ruled_by="floor 1"))
    finish(table)
    assert table.state.outcome == outcome


# Devices


@pytest.mark.parametrize("game", WRONG_NUMBER)
def test_a_shuffler_that_jams_on_the_other_deck_leaves_the_round_alone(game: str) -> None:
    table = asked(game)
    before = table.state
    (ruled,) = table.do(ReportIrregularity("shuffler-jam", other_deck=True))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.deck) == ("goes-on", "reshuffled")
    assert table.state == before
    finish(table)
    assert (table.state.outcome, table.state.deck) == ("settled", "kept")


@pytest.mark.parametrize(
    ("game", "outcome", "clause"),
    [(UTH, "void", "Ch. 13 §H(2)"), (DRAGON, None, "Ch. 13 §F"), (COLORADO, None, "§14(e)")],
)
def test_a_shuffler_that_jams_before_the_deal(game: str, outcome: str | None, clause: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game])
    ruled, *_ = table.do(ReportIrregularity("shuffler-jam"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.clause == clause
    assert table.state.outcome == outcome


def test_a_floorperson_rules_on_a_jammed_shuffler_in_top_five() -> None:
    table = closed(TOP)
    assert table.refusal(ReportIrregularity("shuffler-jam")).clause == "TF-14"
    table.do(ReportIrregularity("shuffler-jam", ruling="void", ruled_by="floor 1"))
    assert table.state.outcome == "void"


SHOE = {UTH: "Ch. 13 §I(1)", TOP: "Ch. 13 §D", DRAGON: "Ch. 13 §G", COLORADO: "§14(f)"}


@every_game
def test_an_automated_shoe_that_jams_voids_the_round_until_the_last_card_is_out(game: str) -> None:
    table = closed(game, dealing="automated-shoe")
    table.deal_on()
    *_, void = table.do(ReportIrregularity("shoe-jam"))
    assert void == RoundVoided("reshuffled", SHOE[game])
    late = asked(game, dealing="automated-shoe")
    (ruled,) = late.do(ReportIrregularity("shoe-jam"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.remedy == "goes-on"
    finish(late)


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand"])
@every_game
def test_no_automated_shoe_jams_where_none_is_used(game: str, dealing: str) -> None:
    table = closed(game, dealing=dealing)
    refusal = table.refusal(ReportIrregularity("shoe-jam"))
    assert refusal.clause == SHOE[game]
    assert "automated shoe" in refusal.reason


@pytest.mark.parametrize(("kind", "deck"), [("stub-count-misdealt", "reshuffled"), ("stub-count-wrong", "removed")])
@every_game
def test_a_wrong_stub_count_voids_and_says_what_becomes_of_the_deck(game: str, kind: str, deck: str) -> None:
    table = asked(game)
    *_, void = table.do(ReportIrregularity(kind))
    count = table.rules.game.procedures.stub["manual-shoe"]
    clause = count.misdealt_cite if deck == "reshuffled" else count.wrong_cite
    assert void == RoundVoided(deck, clause)
    assert table.state.deck == deck


# People


LEFT = {UTH: "Ch. 7 §C(2)", TOP: "Ch. 7 §B(3)", DRAGON: "Ch. 7 §C(2)", COLORADO: "§6(b)"}


@every_game
def test_abandoned_wagers_are_lost_and_the_next_seat_is_asked(game: str) -> None:
    table = asked(game, 1, 2)
    ruled, settled, collected = table.do(left(1))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.ruling, ruled.ruled_by, ruled.clause) == ("forfeit", "abandoned", "floor 1", LEFT[game])
    assert isinstance(settled, WagersSettled)
    assert all(one.net == -one.stake for one in settled.results)
    assert collected == CardsCollected(1, LEFT[game])
    assert table.state.seat_asked == 2
    assert "seat 2's turn" in table.refusal(Act(1, "fold")).reason
    finish(table)
    assert set(nets(table, 1).values()) == {-1000}


@every_game
def test_a_seat_that_lost_everything_cannot_lose_it_again(game: str) -> None:
    table = asked(game, 1, 2)
    table.do(left(1))
    for again in (left(1), left(1, "played-out")):
        refusal = table.refusal(again)
        assert (refusal.clause, "nothing left" in refusal.reason) == (LEFT[game], True)


@every_game
def test_a_player_who_leaves_needs_a_seat_a_ruling_and_a_name(game: str) -> None:
    table = asked(game, 1, 2)
    for report in (
        left(3),
        ReportIrregularity("player-left", ruling="abandoned", ruled_by="floor 1"),
        left(1, None),
        left(1, "void"),
        left(1, by=None),
        left(1, by=""),
    ):
        assert table.refusal(report).clause == LEFT[game]


@every_game
def test_a_hand_played_out_takes_the_actions_that_wager_nothing_more(game: str) -> None:
    table = asked(game, 1)
    (ruled,) = table.do(left(1, "played-out"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.remedy == "goes-on"
    staked = dict(table.state.stakes)
    while table.state.phase in ("asking", "dealing"):
        if table.state.phase == "asking":
            table.do(ActForAbsent(1))
        else:
            table.deal_on()
    table.settle()
    assert table.state.stakes == staked


@every_game
def test_a_round_everybody_left_runs_out_and_closes(game: str) -> None:
    table = asked(game, 1, 2)
    table.do(left(2))
    table.do(left(1))
    finish(table)
    assert table.state.outcome == "settled"
    assert {one.result for one in table.state.results.values()} == {"lose"}


@every_game
def test_a_player_who_leaves_during_the_deal_has_the_whole_hand_picked_up_at_the_end(game: str) -> None:
    table = closed(game, 1, 2)
    for _ in range(4):
        table.deal_on()
    assert table.state.phase == "dealing"
    events = table.do(left(1))
    assert not any(isinstance(event, CardsCollected) for event in events)
    finish(table)
    closing = table.events[-1]
    assert isinstance(closing, RoundClosed)
    assert 1 in closing.pickup
    assert len(table.state.cards[1]) == table.rules.game.cards_each


@pytest.mark.parametrize(
    ("game", "option", "report"),
    [
        (TOP, "adjacent-boxes", ReportIrregularity("player-violation", 2, limb="touched")),
        (TOP, "adjacent-boxes", left(2)),
        (DRAGON, "adjacent-areas", left(2)),
        (COLORADO, "adjacent-positions", left(2)),
    ],
)
def test_a_forfeit_takes_every_position_of_the_player(game: str, option: str, report: ReportIrregularity) -> None:
    table = table_of(game, options={option: "2"})
    table.place(1, LEAST[game], "offender")
    table.place(2, LEAST[game], "offender")
    table.place(3, LEAST[game], "other")
    table.dealt()
    events = table.do(report)
    assert [event.seat for event in events if isinstance(event, WagersSettled)] == [1, 2]
    assert [event.seat for event in events if isinstance(event, IrregularityRuled)] == [1, 2]
    assert table.state.seat_asked == 3
    finish(table)
    for seat in (1, 2):
        assert set(nets(table, seat).values()) == {-1000}


def test_a_violation_forfeits_what_is_left_after_a_fold_and_after_playing() -> None:
    table = asked(TOP, 1, 2, wagers={"poker-bonus": 500})
    table.act("fold")
    table.do(ReportIrregularity("player-violation", 1, limb="out-of-view"))
    assert nets(table, 1) == {"ante": -1000, "poker-bonus": -500}
    table.act("play")
    ruled, *_ = table.do(ReportIrregularity("player-violation", 2, limb="touched"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.clause == "Ch. 11 §A(5)"
    assert nets(table, 2) == {"ante": -1000, "play": -1000, "poker-bonus": -500}
    finish(table)


@pytest.mark.parametrize("game", [UTH, DRAGON, COLORADO])
def test_only_top_five_knows_a_players_violation(game: str) -> None:
    refusal = asked(game).refusal(ReportIrregularity("player-violation", 1, limb="out-of-view"))
    assert refusal.clause is None
    assert "no rule" in refusal.reason


def royal_waiting(order: str = "9d Ah 3d 8s Kh 4c Qh Jh Th 2s 2d") -> Table:
    # Seat 3's royal flush waits for its meter.
    table = closed(UTH, 1, 3, order=order, wagers={"progressive": 100})
    table.deal_until("asking")
    while table.state.phase != "settling":
        table.act("raise 4x") if table.state.phase == "asking" else table.deal_on()
    table.do(Settle())
    assert table.state.phase == "awaiting-meter"
    return table


def test_a_player_who_leaves_while_the_meter_is_awaited_has_won_it() -> None:
    table = royal_waiting()
    (ruled,) = table.do(left(3))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.ruling) == ("goes-on", "abandoned")
    table.pay_meter(1_000_000)
    assert table.state.results[3, "progressive"].net == 999_900
    finish(table)


def test_a_void_takes_back_envy_from_a_seat_that_was_not_settled_yet() -> None:
    table = royal_waiting("9h Ah 3d 8h Kh 4c Qh Jh Th 2s 2d")  # seat 1 holds a straight flush and waits in its turn
    table.pay_meter(1_000_000)
    assert {one.seat: one.net for one in table.state.envy} == {1: 100_000}
    assert "progressive" not in nets(table, 1)
    events = table.do(ReportIrregularity("wrong-number-of-cards"))
    undone = {event.seat: event.envy for event in events if isinstance(event, WagersReversed)}
    assert undone == {3: 0, 1: 100_000}
    assert table.state.envy == ()
    Ledger.of(table.events).check_closed()


def test_another_player_leaving_does_not_stop_the_meter() -> None:
    table = royal_waiting()
    table.do(left(1))
    assert table.state.phase == "awaiting-meter"
    table.pay_meter(1_000_000)
    assert table.state.results[3, "progressive"].net == 999_900
    assert set(nets(table, 1).values()) == {1000, 2900, 4000}, "every card was out when the player left"


@pytest.mark.parametrize(
    ("flops", "kept"),
    [(0, {"ultimate-pairs"}), (1, {"ultimate-pairs", "progressive"}), (2, {"ultimate-pairs", "progressive", "trips"})],
)
def test_a_wager_whose_cards_are_out_is_settled_although_the_player_left(flops: int, kept: set[str]) -> None:
    wagers = {"trips": 100, "ultimate-pairs": 100, "progressive": 100}
    table = closed(UTH, 1, 2, order="9d 8c 3d 9s 8d 4c 9h 8h 2c 3s 4s", wagers=wagers)
    table.deal_until("asking")
    for _ in range(flops):
        table.act("check")
        table.act("check")
        table.deal_until("asking")
    ruled, lost, *_ = table.do(left(1))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.becomes == "folded"
    assert isinstance(lost, WagersSettled)
    assert {one.wager for one in lost.results} == {"ante", "blind", *wagers} - kept
    assert table.state.seat_asked == 2
    finish(table)
    for wager in kept:
        assert table.state.results[1, wager].clause != LEFT[UTH], f"{wager} is settled by its own clause"


def test_a_player_who_abandoned_the_wagers_is_paid_no_envy() -> None:
    table = closed(UTH, 1, 3, order="9d Ah 3d 8s Kh 4c Qh Jh Th 2s 2d", wagers={"progressive": 100})
    table.deal_until("asking")
    table.do(left(1))
    table.act("raise 4x")
    finish(table)
    assert table.state.envy == ()


def test_a_hand_that_was_abandoned_brings_nobody_envy() -> None:
    table = closed(UTH, 1, 3, order="9d Ah 3d 8s Kh 4c Qh Jh Th 2s 2d", wagers={"progressive": 100})
    table.deal_until("asking")
    table.act("raise 4x")
    table.do(left(3))
    finish(table)
    assert table.state.envy == ()


# Chips that do not match


MISMATCH = [("manual-shoe", "Ch. 8 §C(3)"), ("hand", "Ch. 9 §A(3)(b)"), ("automated-shoe", "Ch. 10 §A(2)(b)(ii)")]


@pytest.mark.parametrize(("dealing", "clause"), MISMATCH)
def test_an_unaccepted_progressive_goes_back_before_the_deal_and_not_after(dealing: str, clause: str) -> None:
    table = closed(UTH, 1, 2, wagers={"progressive": 100}, dealing=dealing)
    _, returned = table.do(ReportIrregularity("progressive-mismatch", 1))
    assert returned == WagerReturned(1, "progressive", clause)
    assert (1, "progressive") not in table.state.stakes
    assert (2, "progressive") in table.state.stakes
    refusal = table.refusal(ReportIrregularity("progressive-mismatch", 1))
    assert (refusal.clause, "no progressive wager" in refusal.reason) == (clause, True)
    table.deal_on()
    refusal = table.refusal(ReportIrregularity("progressive-mismatch", 2))
    assert (refusal.clause, "before the deal" in refusal.reason) == (clause, True)
    finish(table)
    assert (1, "progressive") not in table.state.results


def test_a_progressive_may_be_placed_again_while_wagers_are_still_placed() -> None:
    table = table_of(UTH)
    table.place(1, LEAST[UTH] | {"progressive": 100})
    table.do(ReportIrregularity("progressive-mismatch", 1))
    table.do(PlaceWagers(1, "player 1", LEAST[UTH] | {"progressive": 100}))
    assert table.state.stakes[1, "progressive"] == 100


def test_a_mismatch_needs_a_seat_that_is_in_the_round() -> None:
    table = closed(UTH, 1, wagers={"progressive": 100})
    for seat in (None, 2):
        assert table.refusal(ReportIrregularity("progressive-mismatch", seat)).clause == "Ch. 8 §C(3)"


# What cannot be


@every_game
def test_an_irregularity_no_rulebook_names_is_refused(game: str) -> None:
    refusal = asked(game).refusal(ReportIrregularity("earthquake"))
    assert (refusal.clause, "no rule" in refusal.reason) == (None, True)


@every_game
def test_nothing_is_reported_once_the_round_is_over(game: str) -> None:
    table = asked(game)
    finish(table)
    assert "over" in table.refusal(ReportIrregularity("wrong-number-of-cards")).reason


@every_game
def test_a_floor_ruling_nobody_asked_for_does_not_stand_in_the_record(game: str) -> None:
    table = closed(game)
    ruled, *_ = table.do(ReportIrregularity("card-drawn-in-error", ruling="void", ruled_by="floor 1"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.remedy == "goes-on"
    assert ruled.ruling is None
