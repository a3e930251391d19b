"""Cards that are face up, drawn in error, too many, too few or exposed: what the rulebook orders, card by card."""

from dataclasses import replace

import pytest

from pitboss.round import decide, legal_actions
from pitboss.round.commands import (
    DealCards,
    ReportIrregularity,
)
from pitboss.round.events import (
    IrregularityRuled,
    RoundVoided,
    WagersReversed,
)
from pitboss.rules.refusal import Refusal
from round.irregular import (
    COLORADO,
    DRAGON,
    TOP,
    UTH,
    WRONG_NUMBER,
    asked,
    closed,
    every_game,
    face_up,
    finish,
    nets,
)
from round.played import LEAST, table_of

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
    assert "already dealt" in table.refusal(ReportIrregularity("face-up-card", card=card)).reason


@pytest.mark.parametrize("stage", ["before the flop", "at the flop", "after the flop", "before the last two"])
def test_a_face_up_card_after_the_first_two_settles_only_trips_on_the_completed_board(stage: str) -> None:
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
    while table.state.phase != "dealing" or table.state.due.place != "dealer":
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
    assert {result.wager: result.net for result in undone.results} == {"ante": 5000, "bonus": 500}
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
    assert "turned up at the right time" in table.refusal(ReportIrregularity("dealer-card-exposed")).reason


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
    exposed = ReportIrregularity("dealer-card-exposed", ruling="void", ruled_by="floor 1", note="seen by all")
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
    assert "turned up at the right time" in table.refusal(exposed).reason


@every_game
def test_no_card_is_drawn_in_error_once_every_card_is_out(game: str) -> None:
    table = asked(game, dealing="automated-shoe")
    assert (
        "Every card of this round is already dealt" in table.refusal(ReportIrregularity("card-drawn-in-error")).reason
    )


# A card drawn in error is the next card


@every_game
def test_only_the_card_drawn_in_error_is_dealt_next(game: str) -> None:
    table = closed(game)
    drawn, other, third = table.next_cards(3)
    (ruled,) = table.do(ReportIrregularity("card-drawn-in-error", card=drawn))
    refusal = table.refusal(DealCards((other,)))
    assert "Deal the card that was drawn in error next" in refusal.reason
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
    count = table.state.due.cards
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
                table.act(
                    "check"
                    if "check" in [legal_action.name for legal_action in legal_actions(table.state)]
                    else "raise 1x"
                )
            else:
                table.settle()
        boards.append((table.state.cards["board"], table.state.cards[1], table.state.cards[2]))
        assert len(table.state.cards["dealer"]) == 2, "the deal is completed, the dealer's second card too"
        assert is_exposed != bool(table.state.face_up.get("dealer")), "nobody shows down after a partial void"
    assert boards[0] == boards[1]


def test_trips_settles_on_the_right_five_cards_after_an_exposure_during_the_deal() -> None:
    # With the dealer left out the 9d and not the last card would lie on the board, and seat 2 would hold three nines.
    table = closed(UTH, 1, 2, order="Ac 9c 2s Ad 9h 9d Ks 7c 8d Jc Ah", wagers={"trips": 100})
    for _ in range(3):
        table.deal_on()
    table.do(ReportIrregularity("dealer-card-exposed"))
    finish(table)
    assert table.state.cards["board"] == ("Ks", "7c", "8d", "Jc", "Ah")
    assert (nets(table, 1)["trips"], nets(table, 2)["trips"]) == (300, -100)
