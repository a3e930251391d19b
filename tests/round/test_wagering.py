"""What may be wagered, where and until when, and the clause of every refusal."""

from typing import Any

import pytest

from pitboss.round.commands import CloseBets, PlaceWagers, WithdrawWagers
from pitboss.round.events import BetsClosed, WagersPlaced, WagersWithdrawn
from pitboss.rules.limits import Limits
from round.played import LEAST, Table, table_of

BETS = {
    "ultimate-texas-holdem": ("Ch. 7 §D", "Ch. 7 §E"),
    "top-five-poker": ("Ch. 7 §C", "Ch. 7 §D"),
    "dragon-poker": ("Ch. 7 §D", "Ch. 7 §E"),
    "colorado-holdem": ("§6(c)", "§6(c)"),
}
every_game = pytest.mark.parametrize("game", BETS)


def placed(game: str, seat: int = 1, **choices: Any) -> Table:
    table = table_of(game, **choices)
    table.place(seat, LEAST[game])
    return table


def refused(game: str, wagers: dict[str, Any], **choices: Any) -> tuple[str | None, str | None]:
    refusal = table_of(game, **choices).refusal(PlaceWagers(1, "player 1", wagers))
    return refusal.clause, refusal.field


@every_game
def test_wagers_lie_on_their_seat_and_cite_when_they_may_be_placed(game: str) -> None:
    table = table_of(game)
    (event,) = table.do(PlaceWagers(2, "somebody", LEAST[game]))
    assert event == WagersPlaced(2, "somebody", LEAST[game], "chips", BETS[game][0])
    assert table.state.players == {2: "somebody"}
    assert table.state.stakes == {(2, wager): cents for wager, cents in LEAST[game].items()}


@every_game
def test_placing_again_takes_the_place_of_what_lay_there(game: str) -> None:
    table = placed(game)
    table.place(1, dict.fromkeys(LEAST[game], 700))
    assert set(table.state.stakes.values()) == {700}


@every_game
def test_no_wager_is_placed_or_withdrawn_after_no_more_bets(game: str) -> None:
    table = placed(game)
    assert table.do(CloseBets()) == (BetsClosed(BETS[game][0]),)
    for command in (PlaceWagers(2, "late", LEAST[game]), PlaceWagers(1, "player 1", {"ante": 1}), WithdrawWagers(1)):
        assert table.refusal(command).clause == BETS[game][1]


@every_game
def test_no_more_bets_is_called_once_and_not_to_an_empty_table(game: str) -> None:
    table = table_of(game)
    assert table.refusal(CloseBets()).clause == BETS[game][0]
    table.place(1, LEAST[game])
    table.do(CloseBets())
    assert table.refusal(CloseBets()).clause == BETS[game][1]


@every_game
def test_wagers_withdrawn_leave_nothing_behind(game: str) -> None:
    table = placed(game)
    assert table.do(WithdrawWagers(1)) == (WagersWithdrawn(1, BETS[game][0]),)
    assert table.state == table_of(game).state._replace(rules=table.rules)
    assert table.refusal(WithdrawWagers(1)).clause is None


@pytest.mark.parametrize(
    ("game", "stakes", "clause", "field"),
    [
        ("ultimate-texas-holdem", {"ante": 1000}, "Ch. 7 §F(1)", "blind"),
        ("ultimate-texas-holdem", {"blind": 1000}, "Ch. 7 §F(1)", "ante"),
        ("ultimate-texas-holdem", {}, "Ch. 7 §F(1)", "ante"),
        ("top-five-poker", {"poker-bonus": 500}, "Ch. 1 §B(1)", "ante"),
        ("dragon-poker", {"ante": 1000}, "Ch. 7 §F(1)", "ante-bonus"),
        ("dragon-poker", {"dragon-bet": 1000}, "Ch. 7 §F(1)", "ante"),
        ("colorado-holdem", {"bonus": 100}, "§6(d)", "ante"),
    ],
)
def test_a_missing_required_wager_is_refused(game: str, stakes: dict[str, int], clause: str, field: str) -> None:
    assert refused(game, stakes) == (clause, field)


@pytest.mark.parametrize(
    ("game", "stakes", "field"),
    [
        ("ultimate-texas-holdem", {"ante": 1000, "blind": 999}, "blind"),
        ("ultimate-texas-holdem", {"ante": 1000, "blind": 2000}, "blind"),
        ("dragon-poker", {"ante": 1000, "ante-bonus": 1001}, "ante-bonus"),
    ],
)
def test_wagers_that_must_be_equal_are_refused_when_they_differ(game: str, stakes: dict[str, int], field: str) -> None:
    assert refused(game, stakes) == ("Ch. 7 §F(1)", field)


def test_a_six_card_bonus_needs_a_trips_wager() -> None:
    stakes = LEAST["ultimate-texas-holdem"] | {"six-card-bonus": 500}
    assert refused("ultimate-texas-holdem", stakes, dealing="automated-shoe") == ("Ch. 7 §F(4)(b)", "six-card-bonus")


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand"])
def test_a_six_card_bonus_needs_the_dealing_that_fills_its_box(dealing: str) -> None:
    stakes = LEAST["ultimate-texas-holdem"] | {"trips": 500, "six-card-bonus": 500}
    assert refused("ultimate-texas-holdem", stakes, dealing=dealing) == ("Ch. 10 §B(1)", "six-card-bonus")
    table_of("ultimate-texas-holdem", dealing="automated-shoe").place(1, stakes)


@pytest.mark.parametrize(
    ("game", "wager", "clause"),
    [
        ("ultimate-texas-holdem", "play", "Ch. 7 §F(1)"),
        ("top-five-poker", "play", "Ch. 11 §B(1)(a)"),
        ("dragon-poker", "play", "Ch. 7 §F(1)"),
        ("colorado-holdem", "bet", "§1 Bet wager"),
    ],
)
def test_a_wager_that_follows_from_an_action_is_not_placed_before_the_deal(game: str, wager: str, clause: str) -> None:
    assert refused(game, LEAST[game] | {wager: 1000}) == (clause, wager)


@every_game
def test_a_wager_no_rulebook_knows_is_refused_without_a_clause(game: str) -> None:
    assert refused(game, LEAST[game] | {"insurance": 500}) == (None, "insurance")


@pytest.mark.parametrize(
    ("game", "wager", "clause"),
    [
        ("ultimate-texas-holdem", "trips", "Ch. 7 §F(2)"),
        ("top-five-poker", "poker-bonus", "Ch. 7 §E(2)(b)"),
        ("dragon-poker", "dragon-bet", "Ch. 7 §F(3)"),
        ("colorado-holdem", "bonus", "§6a(a)"),
    ],
)
def test_a_wager_this_table_does_not_offer_is_refused(game: str, wager: str, clause: str) -> None:
    assert refused(game, LEAST[game] | {wager: 100}, offered=frozenset()) == (clause, wager)


def test_a_progressive_nobody_defined_cannot_be_wagered_on_even_where_it_is_offered() -> None:
    stakes = LEAST["dragon-poker"] | {"progressive": 100}
    for choices in ({}, {"offered": frozenset({"progressive"})}):
        assert refused("dragon-poker", stakes, **choices) == ("Ch. 7 §F(4)", "progressive")


@pytest.mark.parametrize("cents", [0, -1, True, False, "1000", 10.0, None])
@every_game
def test_a_stake_is_a_positive_whole_number_of_cents(game: str, cents: object) -> None:
    clause, field = refused(game, LEAST[game] | {"ante": cents})
    assert clause is not None
    assert field == "ante"


@pytest.mark.parametrize("cents", [499, 10_001])
@every_game
def test_a_stake_outside_the_tables_limits_is_refused(game: str, cents: int) -> None:
    table = table_of(game, limits={"ante": Limits(500, 10_000)})
    stakes = dict.fromkeys(LEAST[game], cents)
    refusal = table.refusal(PlaceWagers(1, "player 1", stakes))
    assert refusal.field == "ante"
    assert refusal.clause is not None
    for allowed in (500, 10_000):
        table.place(1, dict.fromkeys(LEAST[game], allowed))


@pytest.mark.parametrize(
    ("game", "wager", "cents", "clause"),
    [
        ("ultimate-texas-holdem", "progressive", 200, "Ch. 12 §D(6)"),
        ("ultimate-texas-holdem", "progressive", 1, "Ch. 12 §D(6)"),
        ("colorado-holdem", "bonus", 200, "§6a(b)"),
        ("colorado-holdem", "bonus", 99, "§6a(b)"),
    ],
)
def test_a_stake_the_rulebook_fixes_is_refused_at_any_other_amount(
    game: str, wager: str, cents: int, clause: str
) -> None:
    assert refused(game, LEAST[game] | {wager: cents}) == (clause, wager)


def test_a_table_that_fixed_its_progressive_stake_takes_no_other() -> None:
    stakes = LEAST["ultimate-texas-holdem"]
    fixed = {"progressive": 500}
    assert refused("ultimate-texas-holdem", stakes | {"progressive": 100}, stakes=fixed)[0] == "Ch. 12 §D(6)"
    table_of("ultimate-texas-holdem", stakes=fixed).place(1, stakes | fixed)


def test_two_seats_cannot_wager_different_stakes_on_one_meter() -> None:
    table = table_of("ultimate-texas-holdem")
    stakes = LEAST["ultimate-texas-holdem"]
    table.place(1, stakes | {"progressive": 100})
    refusal = table.refusal(PlaceWagers(2, "player 2", stakes | {"progressive": 500}))
    assert (refusal.clause, refusal.field) == ("Ch. 12 §D(6)", "progressive")
    table.place(2, stakes)
    table.place(1, stakes | {"progressive": 500})


@pytest.mark.parametrize("seat", [-1, 0, 7, 100])
@every_game
def test_a_seat_the_table_does_not_have_is_refused(game: str, seat: int) -> None:
    table = table_of(game)
    assert table.refusal(PlaceWagers(seat, "player 1", LEAST[game])).clause == table.rules.game.positions.cite


def test_the_operator_may_set_fewer_positions_or_the_option_that_counts_them() -> None:
    few = table_of("ultimate-texas-holdem", positions=2)
    assert few.refusal(PlaceWagers(3, "player 3", LEAST["ultimate-texas-holdem"])).clause == "Ch. 2 §A"
    seven = table_of("colorado-holdem", options={"positions": "7"})
    seven.place(7, LEAST["colorado-holdem"])
    assert seven.refusal(PlaceWagers(8, "player 8", LEAST["colorado-holdem"])).clause == "§6(b)"


@every_game
def test_a_seat_taken_by_somebody_else_is_refused(game: str) -> None:
    table = placed(game)
    assert "taken" in table.refusal(PlaceWagers(1, "another", LEAST[game])).reason


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("ultimate-texas-holdem", "Ch. 7 §G"),
        ("top-five-poker", "Ch. 7 §F"),
        ("dragon-poker", "Ch. 7 §G"),
        ("colorado-holdem", "§6(e)"),
    ],
)
def test_one_player_on_two_positions_is_refused_unless_the_submission_allows_it(game: str, clause: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game], "one player")
    refusal = table.refusal(PlaceWagers(2, "one player", LEAST[game]))
    assert refusal.clause == clause
    assert "one position" in refusal.reason


@pytest.mark.parametrize(
    ("game", "option", "clause"),
    [
        ("top-five-poker", "adjacent-boxes", "Ch. 7 §F"),
        ("dragon-poker", "adjacent-areas", "Ch. 7 §G"),
        ("colorado-holdem", "adjacent-positions", "§6(e)"),
    ],
)
def test_two_positions_must_be_adjacent_and_no_more_than_two(game: str, option: str, clause: str) -> None:
    table = table_of(game, options={option: "2"})
    table.place(2, LEAST[game], "one player")
    apart = table.refusal(PlaceWagers(4, "one player", LEAST[game]))
    assert (apart.clause, "adjacent" in apart.reason) == (clause, True)
    table.place(3, LEAST[game], "one player")
    third = table.refusal(PlaceWagers(4, "one player", LEAST[game]))
    assert (third.clause, "2 adjacent positions" in third.reason) == (clause, True)
    table.place(4, LEAST[game], "another")


def test_withdrawing_from_the_middle_of_three_boxes_is_refused() -> None:
    table = table_of("top-five-poker", options={"adjacent-boxes": "3"})
    for box in (1, 2, 3):
        table.place(box, LEAST["top-five-poker"], "one player")
    assert table.refusal(WithdrawWagers(2)).clause == "Ch. 7 §F"
    table.do(WithdrawWagers(3))
    table.do(WithdrawWagers(2))
    table.do(WithdrawWagers(1))
    assert table.state.players == {}


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("ultimate-texas-holdem", "Ch. 7 §B"),
        ("top-five-poker", "Ch. 7 §A"),
        ("dragon-poker", "Ch. 7 §B"),
        ("colorado-holdem", "§6(a)"),
    ],
)
def test_a_verbal_wager_with_cash_is_refused(game: str, clause: str) -> None:
    refusal = table_of(game).refusal(PlaceWagers(1, "player 1", LEAST[game], "verbal-cash"))
    assert refusal.clause == clause


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        ("ultimate-texas-holdem", "Ch. 7 §A"),
        ("top-five-poker", "Ch. 7 §A"),
        ("dragon-poker", "Ch. 7 §A"),
        ("colorado-holdem", "§6(a)"),
    ],
)
def test_an_instrument_no_rulebook_names_is_refused(game: str, clause: str) -> None:
    table = table_of(game)
    assert table.refusal(PlaceWagers(1, "player 1", LEAST[game], "wristwatch")).clause == clause
    for instrument in ("chips", "plaques"):
        table.do(PlaceWagers(1, "player 1", LEAST[game], instrument))


def test_a_match_play_coupon_is_taken_only_where_the_submission_allows_it() -> None:
    game = "colorado-holdem"
    coupon = next(iter(table_of(game).rules.game.procedures.instruments.if_submitted))
    refusal = table_of(game).refusal(PlaceWagers(1, "player 1", LEAST[game], coupon))
    assert (refusal.clause, "submission" in refusal.reason) == ("§6(a)", True)
    allowed = table_of(game, instruments=frozenset({coupon}))
    alone = allowed.refusal(PlaceWagers(1, "player 1", LEAST[game], coupon))
    assert (alone.clause, "with chips" in alone.reason) == ("§6(a)", True)
    allowed.do(PlaceWagers(1, "player 1", LEAST[game], coupons={"ante": LEAST[game]["ante"]}))
    assert table_of("ultimate-texas-holdem").refusal(
        PlaceWagers(1, "player 1", LEAST["ultimate-texas-holdem"], coupon)
    ).clause == ("Ch. 7 §A")


@pytest.mark.parametrize(
    ("game", "wager", "cents", "clause"),
    [
        ("ultimate-texas-holdem", "progressive", 100, "Ch. 7 §F(3)(a)"),
        ("colorado-holdem", "bonus", 100, "§6a(b)"),
    ],
)
def test_a_wager_that_takes_a_chip_takes_nothing_else_whatever_lies_beside_it(
    game: str, wager: str, cents: int, clause: str
) -> None:
    table = table_of(game)
    stakes = LEAST[game] | {wager: cents}
    assert table.refusal(PlaceWagers(1, "player 1", stakes, "plaques")).clause == clause
    assert table.refusal(PlaceWagers(1, "player 1", stakes, "chips", {wager: "plaques"})).clause == clause
    (placed,) = table.do(PlaceWagers(1, "player 1", stakes, "plaques", {wager: "chips"}))
    assert isinstance(placed, WagersPlaced)
    assert (placed.instrument, placed.other_instruments) == ("plaques", {wager: "chips"})


def test_an_instrument_for_a_wager_that_is_not_staked_is_refused() -> None:
    table = table_of("colorado-holdem")
    refusal = table.refusal(PlaceWagers(1, "player 1", {"ante": 1000}, "chips", {"bonus": "chips"}))
    assert refusal.field == "bonus"
    assert table.refusal(PlaceWagers(1, "player 1", {"ante": 1000}, "chips", {"ante": "verbal-cash"})).clause == "§6(a)"


def test_a_stake_between_the_tables_steps_is_refused() -> None:
    table = table_of("top-five-poker", steps={"ante": 500}, limits={"ante": Limits(500, 2000)})
    for cents in (501, 999, 1499):
        refusal = table.refusal(PlaceWagers(1, "player 1", {"ante": cents}))
        assert (refusal.clause, refusal.field) == ("Ch. 1 §B(1)", "ante")
    for cents in (500, 1500):
        table.place(1, {"ante": cents})
    assert table.refusal(PlaceWagers(1, "player 1", {"ante": 2500})).clause == "Ch. 1 §B(1)"


def test_a_refusal_says_its_reason_and_clause_in_one_line() -> None:
    refusal = table_of("ultimate-texas-holdem").refusal(PlaceWagers(1, "player 1", {"ante": 5, "blind": 6}))
    assert str(refusal) == "Blind must equal the Ante: $0.05, not $0.06 (Ch. 7 §F(1))"
    assert str(refusal.at("here")) == str(refusal)
    assert refusal.at("here").field == "here"
