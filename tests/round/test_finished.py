"""A written-down finished hand settles exactly as the live round did, and a wrong one is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards.deck import face
from pitboss.games import catalogue, game
from pitboss.round.commands import Act, PayMeter
from pitboss.round.finished import rules_for, settle_hand, written
from pitboss.round.money import result_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce, Verdict
from pitboss.rules.payoff import payoff
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import meter_payment
from round.played import GAMES, MANY, SOME, RandomPlay, Table


def written_hand(table: Table, meters: dict[str, int]) -> dict[str, Any]:
    """Return a completed live round as a finished hand is written."""
    state = table.state
    actions: dict[int, list[str]] = {seat: [] for seat in state.seats}
    for command in table.commands:
        if isinstance(command, Act):
            actions[command.seat].append(command.action)
            if command.discard:
                actions[command.seat].append(f"discard {command.discard}")
    by_action = {wager.name for wager in table.rules.game.wagers if wager.by_action}
    hand: dict[str, Any] = {
        "game": table.rules.game.name,
        "seats": [
            {
                "seat": seat,
                "cards": [face(card) for card in state.cards[seat]],
                "wagers": {name: cents for name, cents in state.seat_stakes(seat).items() if name not in by_action},
                "actions": actions[seat],
            }
            for seat in state.seats
        ],
    }
    for place in table.rules.game.table_cards:
        if place in state.cards:
            hand[place] = [face(card) for card in state.cards[place]]
    if meters:
        hand["meters"] = meters
        hand["resets"] = dict.fromkeys(meters, 1_000_000)
    return hand


class Metered(RandomPlay):
    """Answers for meters as the house does: a hit lowers the meter for the next."""

    def next_command(self) -> Any:
        command = super().next_command()
        if isinstance(command, PayMeter):
            meter = self.table.state.meter
            assert meter is not None
            _, self.meters[meter.meter] = meter_payment(command.meter_cents, 1_000_000, meter.percent)
        return command


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**20))
@MANY
def test_the_live_round_and_the_finished_hand_agree_wager_for_wager(name: str, seed: int) -> None:
    play = Metered(name, seed)
    shown = dict(play.meters)
    table = play.play()
    result = settle_hand(table.rules, json.loads(json.dumps(written_hand(table, shown))))
    assert not isinstance(result, Refusal), result
    state = table.state
    for seat in result["seats"]:
        number = seat["seat"]
        live = {wager: written(result) for (where, wager), result in state.results.items() if where == number}
        assert seat["wagers"] == live
        envy: list[dict[str, Any]] = [
            {"from_seat": paid.from_seat, "hand": paid.hand, "net": paid.net}
            for paid in state.envy
            if paid.seat == number
        ]
        assert seat["envy"] == envy
        assert seat["net"] == sum(row["net"] for row in live.values()) + sum(paid["net"] for paid in envy)
    if shown:
        assert result["meters"] == play.meters


PLAIN = {
    "game": "ultimate-texas-holdem",
    "dealer": ["Ah", "Kd"],
    "board": ["2c", "7d", "9h", "Js", "Qc"],
    "seats": [{"seat": 1, "cards": ["As", "Ad"], "wagers": {"ante": 1000, "blind": 1000}, "actions": ["raise 4x"]}],
}
UTH = RulesInForce(catalogue.game("ultimate-texas-holdem"))


def refused(**changed: Any) -> Refusal:
    given = json.loads(json.dumps(PLAIN))
    given |= changed
    result = settle_hand(UTH, given)
    assert isinstance(result, Refusal), result
    return result


def seat_with(**changed: Any) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(PLAIN))["seats"][0] | changed]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"dealt_by": "hand"}, "dealt_by"),
        ({"dealer": "Ah Kd"}, "dealer"),
        ({"dealer": None}, "dealer"),
        ({"dealer": ["Ah"]}, "dealer"),
        ({"dealer": ["Ah", 7]}, "dealer[1]"),
        ({"dealer": ["Ah", "10h"]}, "dealer[1]"),
        ({"board": ["2c", "7d", "9h", "Js", "Ah"]}, "board[4]"),
        ({"box": ["2d"]}, "box"),
        ({"seats": []}, "seats"),
        ({"seats": {}}, "seats"),
        ({"seats": [7]}, "seats[0]"),
        ({"seats": seat_with(colour="red")}, "seats[0].colour"),
        ({"seats": seat_with(seat=0)}, "seats[0].seat"),
        ({"seats": seat_with(seat=7)}, "seats[0].seat"),
        ({"seats": seat_with(seat=True)}, "seats[0].seat"),
        ({"seats": seat_with(seat="1")}, "seats[0].seat"),
        ({"seats": [*seat_with(), *seat_with(cards=["3c", "3d"])]}, "seats[1].seat"),
        ({"seats": seat_with(cards=["As"])}, "seats[0].cards"),
        ({"seats": seat_with(wagers=[])}, "seats[0].wagers"),
        ({"seats": seat_with(wagers={"ante": 5})}, "seats[0].wagers.blind"),
        ({"seats": seat_with(wagers={"ante": 5, "blind": 6})}, "seats[0].wagers.blind"),
        ({"seats": seat_with(wagers={"ante": 5, "blind": 5, "play": 20})}, "seats[0].wagers.play"),
        ({"seats": seat_with(wagers={"ante": 0, "blind": 0})}, "seats[0].wagers.ante"),
        ({"seats": seat_with(actions="raise 4x")}, "seats[0].actions"),
        ({"seats": seat_with(actions=[1])}, "seats[0].actions"),
        ({"seats": seat_with(actions=[])}, "seats[0].actions"),
        ({"seats": seat_with(actions=["check"])}, "seats[0].actions"),
        ({"seats": seat_with(actions=["fold"])}, "seats[0].actions[0]"),
        ({"seats": seat_with(actions=["check", "raise 4x"])}, "seats[0].actions[1]"),
        ({"seats": seat_with(actions=["raise 4x", "check"])}, "seats[0].actions[1]"),
        ({"meters": 7}, "meters"),
        ({"meters": {"mega": 1}}, "meters.mega"),
        ({"meters": {"meter": -1}}, "meters.meter"),
        ({"meters": {"meter": True}}, "meters.meter"),
        ({"resets": {"meter": 1}}, "resets.meter"),
        ({"meters": {"meter": 999_999}}, "meters.meter"),
    ],
)
def test_a_hand_written_wrongly_is_refused_at_its_place(changed: dict[str, Any], field: str) -> None:
    assert refused(**changed).field == field


def test_a_progressive_wager_needs_the_meters() -> None:
    wagers = {"ante": 1000, "blind": 1000, "progressive": 100}
    assert refused(seats=seat_with(wagers=wagers)).field == "meters"
    rules = RulesInForce(UTH.game, Choices(paytables={"progressive": "B"}))
    given = PLAIN | {"seats": seat_with(wagers=wagers), "meters": {"major": 100_000}}
    missing = settle_hand(rules, given)
    assert isinstance(missing, Refusal)
    assert (missing.field, missing.clause) == ("meters.minor", "Ch. 12 §D(3)(b)(ii)(2)")


def test_a_reset_of_the_tables_submission_stands_where_the_hand_names_none() -> None:
    rules = RulesInForce(UTH.game, Choices(resets={"meter": 2_000_000}))
    result = settle_hand(rules, PLAIN | {"meters": {"meter": 1_500_000}})
    assert isinstance(result, Refusal)
    assert "2000000" in result.reason


def test_two_progressive_stakes_at_one_table_are_refused() -> None:
    stakes = {"ante": 1000, "blind": 1000, "progressive": 100}
    seats = [
        *seat_with(wagers=stakes),
        *seat_with(seat=2, cards=["3c", "3d"], wagers=stakes | {"progressive": 500}),
    ]
    refusal = refused(seats=seats, meters={"meter": 1_000_000})
    assert (refusal.field, refusal.clause) == ("seats[1].wagers.progressive", "Ch. 12 §D(6)")


@pytest.mark.parametrize(
    ("royal_seat", "royal", "straight_flush", "after"),
    [
        (3, 5_000_000, 100_000, 1_000_000),  # the royal flush empties the meter before the other's tenth
        (1, 4_500_000, 500_000, 1_000_000),  # the tenth is taken first
    ],
)
def test_two_winners_of_one_meter_are_paid_from_the_highest_seat_down(
    royal_seat: int, royal: int, straight_flush: int, after: int
) -> None:
    wagers = {"ante": 1000, "blind": 1000, "progressive": 100}
    hands = {royal_seat: ["Ah", "Kh"], 4 - royal_seat: ["9h", "8h"]}
    seats = [{"seat": seat, "cards": hands[seat], "wagers": wagers, "actions": ["raise 4x"]} for seat in sorted(hands)]
    dealt = {"dealer": ["3d", "4c"], "board": ["Qh", "Jh", "Th", "2s", "2d"], "meters": {"meter": 5_000_000}}
    result = settle_hand(UTH, dealt | {"seats": seats})
    assert not isinstance(result, Refusal)
    nets = {seat["seat"]: seat["wagers"]["progressive"]["net"] for seat in result["seats"]}
    assert nets == {royal_seat: royal - 100, 4 - royal_seat: straight_flush - 100}
    assert result["meters"] == {"meter": after}


def test_a_six_card_bonus_needs_its_box() -> None:
    wagers = {"ante": 1000, "blind": 1000, "trips": 500, "six-card-bonus": 500}
    refusal = refused(seats=seat_with(wagers=wagers))
    assert (refusal.field, refusal.clause) == ("box", "Ch. 10 §B(1)")


def test_a_box_nobody_wagered_on_is_accepted_and_its_cards_are_out_of_the_deck() -> None:
    result = settle_hand(UTH, PLAIN | {"box": ["3c", "3d", "3h", "3s"]})
    assert not isinstance(result, Refusal)
    twice = settle_hand(UTH, PLAIN | {"box": ["As", "3d", "3h", "3s"]})
    assert isinstance(twice, Refusal)
    assert twice.field == "seats[0].cards[0]"


@pytest.mark.parametrize("name", [name for name in GAMES if not game(name).progressive])
def test_a_game_without_a_progressive_has_no_meters(name: str) -> None:
    result = settle_hand(RulesInForce(game(name)), {"meters": {}})
    assert isinstance(result, Refusal)
    assert result.field == "meters"


@pytest.mark.parametrize("field", ["meters", "resets"])
def test_a_progressive_nobody_defined_has_no_meters_either(field: str) -> None:
    dealt = {
        "dealer": ["Ra", "Ra", "Mo"],
        "seats": [
            {"seat": 1, "cards": ["Dr", "Dr", "Dr"], "wagers": {"ante": 5, "ante-bonus": 5}, "actions": ["play"]},
        ],
    }
    rules = RulesInForce(game("dragon-poker"))
    assert not isinstance(settle_hand(rules, dealt), Refusal)
    result = settle_hand(rules, dealt | {field: {}})
    assert isinstance(result, Refusal)
    assert result.field == field


@pytest.mark.parametrize(
    ("actions", "place"),
    [(["bet"], ""), (["bet", "fold"], "[1]"), (["bet", "discard 2c"], "[1]"), (["declare", "discard Ac"], "[1]")],
)
def test_a_discard_is_one_of_the_cards_held_and_follows_the_action(actions: list[str], place: str) -> None:
    seat = {"seat": 1, "cards": ["Ac", "Kd", "9h"], "wagers": {"ante": 500}, "actions": actions}
    result = settle_hand(RulesInForce(game("colorado-holdem")), {"board": ["2d", "7d", "Js"], "seats": [seat]})
    assert isinstance(result, Refusal)
    assert result.field == f"seats[0].actions{place}"


def test_choices_that_are_not_a_mapping_are_refused() -> None:
    refusal = rules_for(UTH.game, ["blind", "A"])
    assert isinstance(refusal, Refusal)
    assert refusal.field == "choices"
    assert isinstance(rules_for(UTH.game, None), RulesInForce)


def test_a_cut_and_a_rounded_fraction_are_listed_only_where_there_is_one() -> None:
    plain = written(result_of("blind", 1000, Verdict("win", payoff("3 to 2"), "a", "b")))
    assert set(plain) == {"stake", "result", "net", "odds", "clause", "odds_clause"}
    odd = written(result_of("blind", 1001, Verdict("win", payoff("3 to 2"), "a", "b")))
    assert odd["remainder"] == "1/2"


scalars = st.one_of(st.none(), st.booleans(), st.integers(-5, 9), st.sampled_from(["As", "Kd", "Ra", "Dg", "fold", ""]))
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=7),
        st.dictionaries(
            st.sampled_from(["seat", "cards", "wagers", "actions", "ante", "blind", "progressive", "meter", "x"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("name", GAMES)
@given(changed=st.dictionaries(st.sampled_from(["dealer", "board", "box", "seats", "meters", "resets", "y"]), anything))
@SOME
def test_any_json_is_settled_or_refused_and_never_breaks(name: str, changed: dict[str, Any]) -> None:
    rules = RulesInForce(game(name))
    result = settle_hand(rules, PLAIN | changed)
    assert isinstance(result, dict | Refusal)


@given(field=st.sampled_from(["seat", "cards", "wagers", "actions"]), changed=anything)
@MANY
def test_any_json_in_a_seat_is_settled_or_refused_and_never_breaks(field: str, changed: Any) -> None:
    result = settle_hand(UTH, PLAIN | {"seats": seat_with(**{field: changed})})
    assert isinstance(result, dict | Refusal)
