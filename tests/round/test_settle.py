"""Settlement: order of seats and wagers, waiting for meters, envy, limits, and picking up the cards."""

from dataclasses import replace
from typing import Any

import pytest

from pitboss.round import legal_actions
from pitboss.round.commands import PayMeter, Settle, ValidatePayout
from pitboss.round.events import (
    CardsCollected,
    EnvyPaid,
    MeterAwaited,
    MeterPaid,
    PayoutAwaited,
    PayoutValidated,
    RoundClosed,
    WagersSettled,
)
from pitboss.round.verification import Verification
from round.played import GAMES, LEAST, Table, table_of

UTH = "ultimate-texas-holdem"
# Seats 1 and 3, dealt one card at a time: seat 3 makes a royal flush with the flop, seat 1 a straight flush.
ROYAL_AND_STRAIGHT_FLUSH = "9h Ah 3d 8h Kh 4c Qh Jh Th 2s 2d"


def ready(game: str, *seats: int, order: str = "", answer: str = "", **choices: Any) -> Table:
    wagers, limits = choices.pop("wagers", {}), choices.pop("limits", None)
    table = table_of(game, order, **choices)
    table.limits = limits
    for seat in seats:
        table.place(seat, LEAST[game] | wagers)
    table.dealt()
    while table.state.phase != "settling":
        if table.state.phase == "asking":
            table.act(answer or legal_actions(table.state)[0].name)
        else:
            table.deal_on()
    return table


def progressive(letter: str = "A", stake: int = 100, **choices: Any) -> Table:
    return ready(
        UTH,
        1,
        3,
        order=ROYAL_AND_STRAIGHT_FLUSH,
        paytables={"progressive": letter},
        wagers={"progressive": stake},
        **choices,
    )


@pytest.mark.parametrize("game", GAMES)
def test_seats_are_settled_counterclockwise_from_the_dealers_right(game: str) -> None:
    table = ready(game, 2, 6, 4)
    events = table.do(Settle())
    assert [event.seat for event in events if isinstance(event, WagersSettled)] == [6, 4, 2]
    assert table.state.outcome == "settled"


def test_a_seats_wagers_are_settled_in_the_rulebooks_order() -> None:
    wagers = {"trips": 100, "ultimate-pairs": 100, "bad-beat": 100, "play-the-board": 100, "progressive": 100}
    table = ready(UTH, 1, wagers=wagers | {"six-card-bonus": 100}, dealing="automated-shoe")
    table.settle()
    settled = [result.wager for event in table.events if isinstance(event, WagersSettled) for result in event.results]
    assert settled == [
        "ante",
        "blind",
        "play",
        "trips",
        "six-card-bonus",
        "ultimate-pairs",
        "bad-beat",
        "play-the-board",
        "progressive",
    ]


def test_dragon_side_wagers_are_settled_before_the_hand_is_compared() -> None:
    table = ready("dragon-poker", 1, wagers={"three-card-bonus": 100, "dragon-bet": 100})
    (settled, _) = table.do(Settle())
    assert isinstance(settled, WagersSettled)
    order = [result.wager for result in settled.results]
    assert order == ["three-card-bonus", "dragon-bet", "ante", "ante-bonus", "play"]


@pytest.mark.parametrize("game", GAMES)
def test_hands_are_picked_up_as_settled_then_what_is_shared_each_once(game: str) -> None:
    table = ready(game, 1, 4, dealing="hand")
    *_, closed = table.do(Settle())
    assert isinstance(closed, RoundClosed)
    shared = [place for place in table.state.cards if isinstance(place, str) and place != "burn"]
    assert list(closed.pickup) == [4, 1, *shared, *(["burn"] if "burn" in table.state.cards else [])]
    assert sorted(map(str, table.state.collected)) == sorted(map(str, table.state.cards))


def test_a_folded_hand_already_collected_is_not_picked_up_again() -> None:
    table = table_of("top-five-poker")
    for seat in (1, 2):
        table.place(seat, LEAST["top-five-poker"])
    table.answered("fold", "play")
    *_, closed = table.do(Settle())
    assert isinstance(closed, RoundClosed)
    assert closed.pickup == (2, "dealer")
    assert [event.place for event in table.events if isinstance(event, CardsCollected)] == [1]


def test_settlement_stops_for_the_meter_and_goes_on_when_it_answers() -> None:
    table = progressive("B")
    events = table.do(Settle())
    assert [type(event) for event in events] == [WagersSettled, MeterAwaited], "envy comes after the payout"
    assert events[-1] == MeterAwaited(3, "progressive", "major", 100, "Ch. 11 §J(2)(d)")
    assert table.state.phase == "awaiting-meter"
    assert (3, "progressive") not in table.state.results
    assert all(key[0] == 3 for key in table.state.results)
    paid, settled, *rest = table.do(PayMeter(3, 123_456, "floor 1"))
    assert paid == MeterPaid(3, "major", 100, 123_456, "floor 1", "Ch. 11 §J(2)(d)")
    assert isinstance(settled, WagersSettled)
    assert [type(event) for event in rest] == [EnvyPaid, WagersSettled, MeterAwaited]
    table.pay_meter(25_000)
    assert table.state.outcome == "settled"
    won = {seat: table.state.results[seat, "progressive"] for seat in (1, 3)}
    assert (won[3].net, won[3].paid, won[3].odds) == (123_356, 123_456, "100 % of major")
    assert (won[1].net, won[1].paid, won[1].odds_clause) == (24_900, 25_000, "Ch. 12 §D(1)(b)(ii)")


@pytest.mark.parametrize(
    ("odds", "royal", "straight_flush"), [("for", 999_999 - 100, 99_999 - 100), ("to", 999_999, 99_999)]
)
def test_a_tenth_of_the_meter_rounds_down_and_to_returns_the_stake_on_paytable_a(
    odds: str, royal: int, straight_flush: int
) -> None:
    table = progressive("A", options={"progressive-odds": odds})
    table.settle({"meter": 999_999})
    assert table.state.results[3, "progressive"].net == royal
    assert table.state.results[1, "progressive"].net == straight_flush


def test_to_returns_nothing_on_another_paytable() -> None:
    table = progressive("B", options={"progressive-odds": "to"})
    table.settle({"major": 200_000, "minor": 50_000})
    assert table.state.results[3, "progressive"].net == 199_900


def test_a_meter_is_answered_for_the_seat_that_waits_with_a_name_and_no_less_than_nothing() -> None:
    table = progressive()
    assert "No progressive payout is waiting" in table.refusal(PayMeter(3, 1, "floor 1")).reason
    table.do(Settle())
    assert table.refusal(PayMeter(1, 1_000_000, "floor 1")).clause == "Ch. 11 §J(2)(d)"
    assert table.refusal(PayMeter(3, 1_000_000, "")).clause == "Ch. 11 §J(2)(c)"
    assert table.refusal(PayMeter(3, -1, "floor 1")).clause == "Ch. 11 §J(2)(d)"
    assert "is waiting for its meter" in table.refusal(Settle()).reason
    table.do(PayMeter(3, 0, "floor 1"))
    assert table.state.results[3, "progressive"].net == -100


@pytest.mark.parametrize(("stake", "royal", "straight_flush"), [(100, 100_000, 30_000), (500, 500_000, 150_000)])
@pytest.mark.parametrize("letter", "ABCD")
def test_envy_is_paid_to_the_others_by_their_own_stake(
    letter: str, stake: int, royal: int, straight_flush: int
) -> None:
    table = progressive(letter, stake)
    table.settle()
    assert [(paid.seat, paid.from_seat, paid.net) for paid in table.state.envy] == [
        (1, 3, royal),
        (3, 1, straight_flush),
    ]
    clauses = [paid.clause for paid in table.state.envy]
    item = 6 if stake == 100 else 7
    assert clauses == [f"Ch. 12 §D({item})({letter.lower()})({line})" for line in ("i", "ii")]


def test_the_operator_may_designate_another_envy_table() -> None:
    table = progressive("A", envy="C")
    table.settle()
    assert table.state.envy[0].clause == "Ch. 12 §D(6)(c)(i)"


@pytest.mark.parametrize(("needs", "bonuses"), [("no", [(1, 3)]), ("yes", [])])
def test_a_royal_flush_without_the_wager_brings_envy_only_where_none_is_required(
    needs: str, bonuses: list[tuple[int, int]]
) -> None:
    table = table_of(UTH, ROYAL_AND_STRAIGHT_FLUSH.replace("8h", "8s"), options={"envy-needs-wager": needs})
    table.place(1, LEAST[UTH] | {"progressive": 100})
    table.place(3, LEAST[UTH])
    table.answered("raise 4x")
    table.settle()
    assert [(paid.seat, paid.from_seat) for paid in table.state.envy] == bonuses


@pytest.mark.parametrize(
    ("needs", "wagers", "bonuses"),
    [
        ("no", {}, 0),
        ("no", {"trips": 100}, 1),
        ("no", {"progressive": 100}, 1),
        ("yes", {"trips": 100}, 0),
        ("yes", {"progressive": 100}, 1),
    ],
)
def test_a_folded_royal_flush_brings_envy_while_its_cards_lie_on_the_table(
    needs: str, wagers: dict[str, int], bonuses: int
) -> None:
    table = table_of(UTH, ROYAL_AND_STRAIGHT_FLUSH.replace("8h", "8s"), options={"envy-needs-wager": needs})
    table.place(1, LEAST[UTH] | {"progressive": 100})
    table.place(3, LEAST[UTH] | wagers)
    table.answered("raise 4x", "check", "check", "fold")
    table.settle()
    assert [paid.seat for paid in table.state.envy] == [1] * bonuses


def test_nobody_without_a_progressive_wager_is_paid_envy() -> None:
    table = ready(UTH, 1, 3, order=ROYAL_AND_STRAIGHT_FLUSH)
    table.settle()
    assert table.state.envy == ()


def limited(limit: int, covers: str = "main-and-trips") -> Table:
    # Seat 1 makes a royal flush against a pair.
    table = table_of(
        UTH,
        "Ah 3d Kh 3c Qh Jh Th 2s 2d",
        amounts={"payout-limit": limit},
        options={"payout-limit-covers": covers},
    )
    table.place(1, {"ante": 10_000, "blind": 10_000, "trips": 10_000, "play-the-board": 10_000})
    table.answered("raise 4x")
    table.settle()
    return table


@pytest.mark.parametrize(
    ("limit", "nets"),
    [
        (5_560_000, {"ante": 10_000, "blind": 5_000_000, "play": 40_000, "trips": 500_000}),
        (5_550_000, {"ante": 10_000, "blind": 5_000_000, "play": 40_000, "trips": 500_000}),
        (5_549_999, {"ante": 10_000, "blind": 5_000_000, "play": 40_000, "trips": 499_999}),
        (5_030_000, {"ante": 10_000, "blind": 5_000_000, "play": 20_000, "trips": 0}),
        (5_000_000, {"ante": 10_000, "blind": 4_990_000, "play": 0, "trips": 0}),
    ],
)
def test_the_payment_that_crosses_the_limit_is_cut_and_later_ones_pay_nothing(limit: int, nets: dict[str, int]) -> None:
    results = {wager: result for (_, wager), result in limited(limit).state.results.items()}
    assert {wager: results[wager].net for wager in nets} == nets
    assert all(results[wager].result == "win" for wager in nets)
    assert all(results[wager].returned == results[wager].stake for wager in nets)
    owed = {"ante": 10_000, "blind": 5_000_000, "play": 40_000, "trips": 500_000}
    for wager, result in results.items():
        if wager in owed:
            assert result.cut == owed[wager] - result.net
            assert result.cut_clause == ("Ch. 12 §F" if result.cut else None)


def test_which_wagers_the_limit_covers_follows_the_option() -> None:
    for covers, covered in (("main-and-trips", False), ("all-but-progressive-and-six-card", True)):
        rules = limited(5_000_000, covers).rules
        assert ("play-the-board" in rules.limit_covers) == covered
        assert {"ante", "blind", "play", "trips"} <= rules.limit_covers
        assert not {"progressive", "six-card-bonus"} & rules.limit_covers


@pytest.mark.parametrize(("version", "clause"), [("required-bet", "§12(c)"), ("permissible-bet", "§13(c)")])
def test_colorado_cuts_ante_then_bet_and_leaves_the_bonus_alone(version: str, clause: str) -> None:
    table = table_of(
        "colorado-holdem",
        "Ah Qh Kh Jh 2c Th",
        amounts={"payout-limit": 5_000_000},
        options={"version": version},
    )
    table.place(1, {"ante": 9_000, "bonus": 100})
    table.answered("bet discard 2c")
    table.settle()
    results = {wager: result for (_, wager), result in table.state.results.items()}
    assert (results["ante"].net, results["ante"].cut) == (4_500_000, 0)
    assert (results["bet"].net, results["bet"].cut, results["bet"].cut_clause) == (500_000, 4_000_000, clause)
    assert (results["bonus"].net, results["bonus"].cut) == (1_000_000, 0)


def test_nothing_is_settled_twice_and_nothing_after_the_end() -> None:
    table = ready("top-five-poker", 1)
    table.do(Settle())
    refusal = table.refusal(Settle())
    assert "over" in refusal.reason
    assert refusal.clause == "Ch. 11 §C"


LIMITS = Verification(0, 1_000_000, 300, "H-14", "H-30", "G-23")


def test_a_payout_above_the_multiple_of_its_stake_waits_at_any_amount() -> None:
    # Seat 3's royal flush wins 500 to 1 on a Blind of ten dollars: the winning wagers of the hand wait together.
    table = progressive("B", limits=LIMITS)
    settled, waits = table.do(Settle())
    assert isinstance(settled, WagersSettled)
    assert isinstance(waits, PayoutAwaited)
    assert (waits.seat, waits.clause, waits.ruling, waits.progressive) == (3, "H-30", "G-23", False)
    assert {result.wager for result in waits.results} == {"ante", "blind", "play"} - {
        result.wager for result in settled.results
    }
    assert "Settle" not in table.refusal(Settle()).reason
    assert table.refusal(ValidatePayout(1, "floor 1")).reason == "Seat 3's payout comes first"
    assert table.refusal(ValidatePayout(3, " ")).clause == "H-30"
    validated, paid, awaited = table.do(ValidatePayout(3, "floor 1"))
    assert validated == PayoutValidated(3, sum(result.paid for result in waits.results), "floor 1", "H-30", "G-23")
    assert paid == WagersSettled(3, None, waits.results)
    assert isinstance(awaited, MeterAwaited)
    assert table.refusal(ValidatePayout(3, "floor 1")).clause


def test_what_waits_is_paid_to_the_cent_as_without_limits() -> None:
    nets = []
    for limits in (None, LIMITS, replace(LIMITS, payout_from_cents=0)):
        table = progressive("A", limits=limits)
        while table.state.outcome is None:
            if table.state.payout is not None:
                table.do(ValidatePayout(table.state.payout.seat, "floor 1"))
            else:
                table.settle({"meter": 999_999}) if table.state.meter is None else table.pay_meter(999_999)
        nets.append((table.state.results, sorted((paid.seat, paid.net) for paid in table.state.envy)))
    assert nets[0] == nets[1] == nets[2]
