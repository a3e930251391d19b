"""Who acts when, which actions are available and what they stake."""

import pytest

from pitboss.cards import Card
from pitboss.round import least_action, legal_actions
from pitboss.round.commands import Act, ActForAbsent
from pitboss.round.events import ActionTaken, CardsCollected, WagersSettled
from round.played import GAMES, LEAST, Table, table_of

UTH, TOP, DRAGON, COLORADO = "ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem"


def asked(game: str, *seats: int, order: str = "", options: dict[str, str] | None = None, **more: int) -> Table:
    table = table_of(game, order, options=options or {})
    for seat in seats or (1,):
        table.place(seat, LEAST[game] | {name.replace("_", "-"): cents for name, cents in more.items()})
    table.dealt()
    return table


@pytest.mark.parametrize("game", GAMES)
def test_seats_are_asked_clockwise_from_the_dealers_left(game: str) -> None:
    table = asked(game, 5, 1, 3)
    order = []
    step = table.state.step
    while table.state.phase == "asking" and table.state.step == step:
        order.append(table.state.seat_asked)
        table.act(legal_actions(table.state)[0].name)
    assert order == [1, 3, 5]
    assert table.state.seat_asked is None


@pytest.mark.parametrize(
    ("game", "clause"), [(UTH, "Ch. 11 §B"), (TOP, "Ch. 11 §B"), (DRAGON, "Ch. 11 §B"), (COLORADO, "§10(b)")]
)
def test_acting_out_of_turn_is_refused(game: str, clause: str) -> None:
    table = asked(game, 2, 4)
    for seat in (4, 1, 9):
        for command in (Act(seat, legal_actions(table.state)[0].name), ActForAbsent(seat)):
            refusal = table.refusal(command)
            assert (refusal.clause, "seat 2's turn" in refusal.reason) == (clause, True)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_acts_before_or_after_being_asked(game: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game])
    assert "No player has a decision" in table.refusal(Act(1, "fold")).reason
    table.close()
    assert "No player has a decision" in table.refusal(ActForAbsent(1)).reason
    table.deal_until("asking")
    assert legal_actions(table.state) != ()
    while table.state.phase in ("asking", "dealing"):
        if table.state.phase == "asking":
            table.act(legal_actions(table.state)[0].name)
        else:
            table.deal_on()
    assert "No player has a decision" in table.refusal(Act(1, "fold")).reason
    assert legal_actions(table.state) == ()


@pytest.mark.parametrize(
    ("checks", "action", "clause"),
    [
        (0, "raise 2x", "Ch. 11 §B(1)"),
        (0, "raise 1x", "Ch. 11 §B(1)"),
        (0, "raise 5x", "Ch. 11 §B(1)"),
        (0, "fold", "Ch. 11 §B(1)"),
        (0, "", "Ch. 11 §B(1)"),
        (1, "raise 4x", "Ch. 11 §D(1)"),
        (1, "raise 1x", "Ch. 11 §D(1)"),
        (1, "fold", "Ch. 11 §D(1)"),
        (2, "raise 2x", "Ch. 11 §F"),
        (2, "check", "Ch. 11 §F"),
    ],
)
def test_a_raise_of_the_wrong_size_is_refused_at_each_point(checks: int, action: str, clause: str) -> None:
    table = asked(UTH)
    for _ in range(checks):
        table.act("check")
        table.deal_until("asking")
    assert table.refusal(Act(1, action)).clause == clause


@pytest.mark.parametrize(
    ("checks", "action", "times", "clause"),
    [
        (0, "raise 4x", 4, "Ch. 11 §B(1)"),
        (0, "raise 3x", 3, "Ch. 11 §B(1)"),
        (1, "raise 2x", 2, "Ch. 11 §D(1)"),
        (2, "raise 1x", 1, "Ch. 11 §F(1)"),
    ],
)
def test_a_raise_stakes_its_multiple_of_the_ante_and_the_seat_is_not_asked_again(
    checks: int, action: str, times: int, clause: str
) -> None:
    table = asked(UTH)
    for _ in range(checks):
        table.act("check")
        table.deal_until("asking")
    (taken,) = table.act(action)
    assert taken == ActionTaken(1, action, "played", "play", 1000 * times, None, False, clause)
    table.deal_until("settling")
    assert table.state.stakes[1, "play"] == 1000 * times


@pytest.mark.parametrize(
    ("game", "action", "wager", "clause"),
    [
        (TOP, "play", "play", "Ch. 11 §B(1)(a)"),
        (DRAGON, "play", "play", "Ch. 11 §B"),
        (COLORADO, "bet", "bet", "§10(b)(1)"),
    ],
)
def test_playing_stakes_as_much_as_the_ante(game: str, action: str, wager: str, clause: str) -> None:
    table = asked(game)
    (taken,) = table.act(action)
    assert isinstance(taken, ActionTaken)
    assert (taken.wager, taken.stake, taken.clause) == (wager, 1000, clause)


@pytest.mark.parametrize("game", [TOP, DRAGON])
def test_play_and_fold_are_the_only_answers(game: str) -> None:
    table = asked(game)
    assert [action.name for action in legal_actions(table.state)] == ["play", "fold"]
    assert table.refusal(Act(1, "check")).clause is not None


@pytest.mark.parametrize(
    ("version", "open_now", "closed", "clause"),
    [
        ("required-bet", ["bet", "declare", "fold"], "check", "§10(b)"),
        ("permissible-bet", ["bet", "check", "declare"], "fold", "§11(b)"),
    ],
)
def test_each_version_of_colorado_opens_its_own_answers(
    version: str, open_now: list[str], closed: str, clause: str
) -> None:
    table = asked(COLORADO, options={"version": version})
    assert [action.name for action in legal_actions(table.state)] == open_now
    assert table.refusal(Act(1, closed)).clause == clause


def test_a_bet_needs_one_of_the_seats_own_cards_to_discard() -> None:
    table = asked(COLORADO, 1, 2, order="Ac Kd 2c 3h 4h 5h")
    assert table.state.cards[1] == ("Ac", "3h", table.state.cards[1][2])
    assert table.refusal(Act(1, "bet")).clause == "§10(b)(1)"
    for card in ("Kd", "2c", "Zz"):
        assert "doesn't hold" in table.refusal(Act(1, "bet", Card(card))).reason
    assert "doesn't take a discard" in table.refusal(Act(1, "fold", Card("Ac"))).reason
    assert "doesn't take a discard" in table.refusal(Act(1, "declare", Card("Ac"))).reason
    table.act("bet", "Ac")
    assert table.state.discards == {1: "Ac"}


@pytest.mark.parametrize(
    ("game", "wagers", "lost"),
    [
        (TOP, {}, ["ante"]),
        (COLORADO, {"bonus": 100}, ["ante", "bonus"]),
    ],
)
def test_a_fold_loses_at_once_and_the_cards_go_where_nothing_is_left(
    game: str, wagers: dict[str, int], lost: list[str]
) -> None:
    table = asked(game, 1, 2, **wagers)
    taken, settled, collected = table.act("fold")
    assert isinstance(taken, ActionTaken)
    assert isinstance(settled, WagersSettled)
    assert [result.wager for result in settled.results] == lost
    assert all(result.result == "lose" for result in settled.results)
    assert settled.hand is None
    assert isinstance(collected, CardsCollected)
    assert collected.place == 1


def test_a_fold_that_waits_is_collected_when_the_last_has_answered() -> None:
    table = asked(DRAGON, 1, 2, 3)
    (first,) = table.act("fold")
    assert isinstance(first, ActionTaken)
    table.act("play")
    assert not table.state.results
    _, third, its_cards, settled, collected = table.act("fold")
    for seat, lost, cards in ((3, third, its_cards), (1, settled, collected)):
        assert isinstance(lost, WagersSettled)
        assert (lost.seat, lost.hand) == (seat, None)
        assert [(result.wager, result.result) for result in lost.results] == [("ante", "lose"), ("ante-bonus", "lose")]
        assert cards == CardsCollected(seat, "Ch. 11 §D(1)")
    assert not table.state.face_up.get("dealer")


@pytest.mark.parametrize(
    ("game", "live"),
    [
        (UTH, {"trips": 100}),
        (UTH, {"progressive": 100}),
        (UTH, {"ultimate_pairs": 100}),
        (UTH, {"bad_beat": 100}),
        (UTH, {"play_the_board": 100}),
        (TOP, {"top_five_bonus": 100}),
        (TOP, {"poker_bonus": 100}),
        (DRAGON, {"three_card_bonus": 100}),
        (DRAGON, {"dragon_bet": 100}),
    ],
)
def test_cards_stay_on_the_table_under_a_side_wager_that_outlives_the_fold(game: str, live: dict[str, int]) -> None:
    table = asked(game, **live)
    while table.state.phase == "asking" and "fold" not in [
        legal_action.name for legal_action in legal_actions(table.state)
    ]:
        table.act("check")
        table.deal_until("asking")
    events = table.act("fold")
    assert not any(isinstance(event, CardsCollected) for event in events)
    table.deal_until("settling")
    table.settle()
    (wager,) = live
    assert table.state.results[1, wager.replace("_", "-")].stake == 100
    assert table.state.outcome == "settled"


def test_a_bad_beat_wager_that_a_fold_loses_keeps_no_cards() -> None:
    table = asked(UTH, options={"bad-beat-on-fold": "loses"}, bad_beat=100)
    for _ in range(2):
        table.act("check")
        table.deal_until("asking")
    _, settled, collected = table.act("fold")
    assert isinstance(settled, WagersSettled)
    assert [result.wager for result in settled.results] == ["ante", "blind", "bad-beat"]
    assert isinstance(collected, CardsCollected)


@pytest.mark.parametrize(
    ("cards", "ante", "bonus"),
    [("Ac Ad Ah", 5000, 500), ("7d 8d 9d", 5000, 500), ("Ac Ad 7h", -1000, -100), ("Ad 2d 3d", -1000, -100)],
)
def test_a_declaration_is_settled_at_once_before_any_community_card_shows(cards: str, ante: int, bonus: int) -> None:
    first, two, three = cards.split()
    table = asked(COLORADO, order=f"{first} Ks {two} Qs {three} Js", bonus=100)
    _, settled, collected = table.act("declare")
    assert isinstance(settled, WagersSettled)
    assert {row.wager: row.net for row in settled.results} == {"ante": ante, "bonus": bonus}
    assert isinstance(collected, CardsCollected)
    assert not table.state.face_up.get("board")


def test_the_action_for_an_absent_player_wagers_nothing_more() -> None:
    table = asked(UTH)
    for name in ("check", "check", "fold"):
        assert least_action(table.state).name == name
        (taken, *_) = table.do(ActForAbsent(1))
        assert isinstance(taken, ActionTaken)
        assert (taken.action, taken.absent, taken.wager) == (name, True, None)
        while table.state.phase == "dealing":
            table.deal_on()
    for game in (TOP, DRAGON):
        assert least_action(asked(game).state).name == "fold"


@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_an_absent_player_with_an_instant_winner_declares_it(version: str) -> None:
    table = asked(COLORADO, order="Ac Ks Ad Qs Ah Js", options={"version": version})
    (taken, *_) = table.do(ActForAbsent(1))
    assert isinstance(taken, ActionTaken)
    assert taken.action == "declare"


def test_an_absent_player_without_one_folds_or_checks_with_a_discard() -> None:
    required = asked(COLORADO, order="Ac Ks Ad Qs 7h Js")
    assert least_action(required.state).name == "fold"
    permissible = asked(COLORADO, order="Ac Ks Ad Qs 7h Js", options={"version": "permissible-bet"})
    assert least_action(permissible.state).name == "check"
    assert permissible.refusal(ActForAbsent(1)).clause == "§11(b)(1)"
    permissible.do(ActForAbsent(1, Card("7h")))
    assert permissible.state.discards == {1: "7h"}
    assert (1, "bet") not in permissible.state.stakes


def test_suited_ace_two_three_is_declared_only_where_the_option_makes_it_a_winner() -> None:
    for value, ante in (("no", -1000), ("yes", 5000)):
        table = asked(COLORADO, order="Ad Ks 2d Qs 3d Js", options={"ace-low-three-card": value})
        table.act("declare")
        assert table.state.results[1, "ante"].net == ante
