"""Players who leave or break a duty, and progressive chips that do not match."""

import pytest

from pitboss.round.commands import (
    Act,
    ActForAbsent,
    PlaceWagers,
    ReportIrregularity,
    Settle,
)
from pitboss.round.events import (
    CardsCollected,
    IrregularityRuled,
    RoundClosed,
    WagerReturned,
    WagersReversed,
    WagersSettled,
)
from round.irregular import COLORADO, DRAGON, TOP, UTH, asked, closed, every_game, finish, left, nets
from round.ledger import Ledger
from round.played import LEAST, Table, table_of

# People


LEFT = {UTH: "Ch. 7 §C(2)", TOP: "Ch. 7 §B(3)", DRAGON: "Ch. 7 §C(2)", COLORADO: "§6(b)"}


@every_game
def test_abandoned_wagers_are_lost_and_the_next_seat_is_asked(game: str) -> None:
    table = asked(game, 1, 2)
    ruled, settled, collected = table.do(left(1))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.ruling, ruled.ruled_by, ruled.clause) == ("forfeit", "abandoned", "floor 1", LEFT[game])
    assert isinstance(settled, WagersSettled)
    assert all(result.net == -result.stake for result in settled.results)
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


def test_a_report_without_a_seat_and_one_with_an_empty_seat_are_refused_in_words() -> None:
    table = asked(TOP, 1, 2)
    missing = ReportIrregularity("player-left", ruling="abandoned", ruled_by="floor 1")
    assert table.refusal(missing).reason == "Enter the seat this report is about"
    assert table.refusal(left(3)).reason == "Seat 3 is not in this round"


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
    assert {result.result for result in table.state.results.values()} == {"lose"}


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
    assert {paid.seat: paid.net for paid in table.state.envy} == {1: 100_000}
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
    assert {result.wager for result in lost.results} == {"ante", "blind", *wagers} - kept
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
