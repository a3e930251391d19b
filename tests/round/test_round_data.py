"""Events and commands survive serialization, and a replayed record rebuilds the round at every step."""

import json
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import Card
from pitboss.round import evolve, open_round
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    BankStakes,
    CloseBets,
    Command,
    CorrectCard,
    DealCards,
    PayMeter,
    PlaceWagers,
    ReportIrregularity,
    Settle,
    TurnCards,
    ValidatePayout,
    WithdrawWagers,
)
from pitboss.round.events import (
    ActionTaken,
    BetsClosed,
    CardCorrected,
    CardsCollected,
    CardsDealt,
    CardsTurned,
    EnvyPaid,
    Event,
    IrregularityRuled,
    MeterAwaited,
    MeterPaid,
    PayoutAwaited,
    PayoutValidated,
    RoundClosed,
    RoundVoided,
    StakesBanked,
    WagerResult,
    WagerReturned,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
    WagersWithdrawn,
)
from pitboss.round.round_data import UnknownRecord, from_data, replay, to_data
from pitboss.round.verification import Verification
from round.played import GAMES, SOME, RandomPlay, table_of

WON = WagerResult(
    "blind", 1001, "win", 1501, "3 to 2", "Ch. 11 §H(3)(b)", "Ch. 12 §B(1)(e)", 1501, "1/2", 3, "Ch. 12 §F"
)
LOST = WagerResult("ante", 500, "lose", -500, None, "Ch. 11 §F(2)", None)
AN_ACE = Card("As")

EVENTS: list[Event] = [
    WagersPlaced(1, "player 1", {"ante": 500, "blind": 500}, "chips", "Ch. 7 §D"),
    WagersPlaced(1, "player 1", {"ante": 500, "bonus": 100}, "plaques", "§6(c)", {"bonus": "chips"}),
    WagersWithdrawn(1, "Ch. 7 §D"),
    BetsClosed("Ch. 7 §D"),
    StakesBanked("progressive", (1, 2), 200, "Ch. 8 §C(4)"),
    WagerReturned(2, "progressive", "Ch. 8 §C(3)"),
    CardsDealt(3, (AN_ACE, Card("Kd")), False, "Ch. 8 §D(2)"),
    CardsDealt("board", (AN_ACE,), True, "Ch. 11 §C(2)"),
    CardCorrected(3, AN_ACE, Card("Kd"), "G-22"),
    CardsTurned("dealer", 2, "Ch. 11 §G(1)"),
    ActionTaken(1, "bet", "played", "bet", 500, AN_ACE, True, "§10(b)(1)"),
    ActionTaken(1, "check", "undecided", None, 0, None, False, "Ch. 11 §B(2)(b)"),
    CardsCollected("burn", "Ch. 11 §K"),
    CardsCollected(4, "Ch. 11 §F(2)"),
    WagersSettled(1, "flush", (WON, LOST)),
    WagersSettled(1, None, ()),
    EnvyPaid(1, 2, "royal flush", 100_000, "Ch. 12 §D(6)(a)(i)"),
    BetsClosed("Ch. 7 §C", Verification(0, 1_000_000, 300, "H-14", "H-30", "G-23")),
    PayoutAwaited(1, "flush", (WON,), (EnvyPaid(1, 2, "royal flush", 1, "Ch. 12"),), True, "Ch. 11 §J(2)(c)", "UT-29"),
    PayoutAwaited(1, "flush", (WON,), (), False, "H-30", None, "§10(b)(3)(i)"),
    PayoutValidated(1, 40_000, "floorperson 1", "H-30", "G-23"),
    MeterAwaited(1, "progressive", "meter", 10, "Ch. 11 §J(2)(d)"),
    MeterPaid(1, "meter", 10, 12_345, "floorperson 1", "Ch. 11 §J(2)(d)"),
    IrregularityRuled("face-up-card", "set-aside", None, AN_ACE, None, None, "kept", (), None, "Ch. 13 §A"),
    IrregularityRuled(
        "player-left", "forfeit", 3, None, "abandoned", "floor 1", "kept", ("trips",), "G", "Ch. 7 §C(2)"
    ),
    WagersReversed(1, (WON,), 30_000, "Ch. 13 §E"),
    RoundVoided("reshuffled", "Ch. 13 §E"),
    RoundClosed((3, 1, "dealer", "board", "burn"), "Ch. 11 §K"),
]
COMMANDS: list[Command] = [
    PlaceWagers(1, "player 1", {"ante": 500}),
    PlaceWagers(1, "player 1", {"ante": 500, "bonus": 100}, "match-play-coupon", {"bonus": "chips"}),
    WithdrawWagers(1),
    CloseBets(),
    BankStakes(),
    DealCards((AN_ACE, Card("Kd"))),
    CorrectCard(3, AN_ACE, Card("Kd")),
    TurnCards(),
    Act(1, "fold"),
    Act(1, "bet", AN_ACE),
    ActForAbsent(2),
    ActForAbsent(2, AN_ACE),
    Settle(),
    CloseBets(Verification(0, 1_000_000, 300, "H-14", "H-30")),
    ValidatePayout(1, "floorperson 1"),
    PayMeter(1, 1_000_000, "floorperson 1"),
    ReportIrregularity("shoe-jam"),
    ReportIrregularity("player-left", 1, AN_ACE, True, "abandoned", "floorperson 1"),
]


def written(value: Any) -> dict[str, Any]:
    data = json.loads(json.dumps(to_data(value)))
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("value", [*EVENTS, *COMMANDS], ids=lambda value: type(value).__name__)
def test_every_event_and_command_is_read_back_as_it_was_written(value: Event | Command) -> None:
    read = from_data(written(value))
    assert read == value
    assert type(read) is type(value)


def test_no_kind_of_event_or_command_is_left_out_here() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert {type(command) for command in COMMANDS} == set(get_args(Command))


def test_a_result_read_back_is_a_result_and_not_a_bare_row() -> None:
    read = from_data(written(WagersSettled(1, None, (WON,))))
    assert isinstance(read.results[0], WagerResult)
    assert read.results[0].returned == WON.returned


@pytest.mark.parametrize("value", [*EVENTS, *COMMANDS], ids=lambda value: type(value).__name__)
def test_a_field_of_the_wrong_kind_is_refused_and_never_kept(value: Event | Command) -> None:
    several: tuple[Any, ...] = (2.5, {"a": [1]}, [[]], object)
    for name in get_type_hints(type(value)):
        for wrong in several:
            data = written(value) | {name: wrong}
            with pytest.raises(UnknownRecord):
                from_data(data)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": None},
        {"kind": "Round"},
        {"kind": ["Act"]},
        {"kind": "WagerResult", "wager": "ante"},
        {"kind": "Act"},
        {"kind": "Act", "seat": 1},
        {"kind": "Act", "seat": 1, "action": "fold", "hidden": 1},
        {"kind": "Act", "seat": True, "action": "fold"},
        {"kind": "Act", "seat": "1", "action": "fold"},
        {"kind": "Act", "seat": 1, "action": None},
        {"kind": "PlaceWagers", "seat": 1, "player": "a", "stakes": {"ante": "500"}},
        {"kind": "PlaceWagers", "seat": 1, "player": "a", "stakes": {"ante": True}},
        {"kind": "PlaceWagers", "seat": 1, "player": "a", "stakes": [["ante", 500]]},
        {"kind": "DealCards", "cards": "As"},
        {"kind": "DealCards", "cards": [1]},
        {"kind": "CardsDealt", "place": None, "cards": [], "face_up": False, "clause": ""},
        {"kind": "CardsDealt", "place": 1, "cards": [], "face_up": 0, "clause": ""},
        {"kind": "WagersSettled", "seat": 1, "hand": None, "results": [[1, 2]]},
        {"kind": "WagersSettled", "seat": 1, "hand": None, "results": [{"wager": "ante"}]},
        {"kind": "PayMeter", "seat": 1, "meter_cents": 1e9, "validated_by": "floor"},
        [],
        "Act",
        None,
    ],
)
def test_data_that_is_not_a_record_is_refused_by_name(data: Any) -> None:
    with pytest.raises(UnknownRecord):
        from_data(data)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**20))
@SOME
def test_a_record_rebuilds_an_equal_state_at_every_step(game: str, seed: int) -> None:
    table = RandomPlay(game, seed).play()
    state = open_round(table.rules)
    assert state == table.states[0]
    for event, reached in zip(table.events, table.states[1:], strict=True):
        state = evolve(state, from_data(written(event)))
        assert state == reached
    assert replay(table.rules, table.events) == table.state


def test_an_event_keeps_its_stakes_when_the_command_is_changed_afterwards() -> None:
    stakes = {"ante": 500}
    table = table_of("top-five-poker")
    (placed,) = table.do(PlaceWagers(1, "player 1", stakes))
    stakes["ante"] = 1
    assert isinstance(placed, WagersPlaced)
    assert placed.stakes == {"ante": 500}
