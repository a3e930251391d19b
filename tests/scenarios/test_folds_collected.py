"""When a folded player's wagers leave the layout: at once, or with all others after everyone has acted."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.rules.play import FOLDED, Ask
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]


def _folds(name: str, *, wait: bool) -> bool:
    asks = [step for step in game(name).play if isinstance(step, Ask)]
    return any(step.folds_wait is wait and FOLDED in [action.becomes for action in step.actions] for step in asks)


WAITING = [name for name in game_names() if _folds(name, wait=True)]
AT_ONCE = [name for name in game_names() if _folds(name, wait=False)]


def asked_to_fold(table: ScenarioTable) -> int:
    """Play on until the first player may fold, and return the seat."""
    table.begin()
    table.play_to("asking")
    while "fold" not in table.live.play.rules.actions[table.live.play.rules.play[table.live.play.step].name]:
        table.answer("check")
        table.play_to("asking")
    seat: int = table.live.play.seat_asked
    return seat


def test_dragon_poker_waits_and_the_others_do_not() -> None:
    assert WAITING == ["dragon-poker"]
    assert sorted([*WAITING, *AT_ONCE]) == sorted(game_names())


@pytest.mark.parametrize("cards", [READER, DRAWN])
def test_folds_that_wait_are_collected_when_all_have_answered(new_table: NewTable, cards: str) -> None:
    for name in WAITING:
        table = new_table(name, cards).open(players=("alice", "bob", "carol"))
        seat = asked_to_fold(table)
        before, tray = table.money(), table.live.tray_cents
        table.answer("fold")
        assert table.money() == before, "a fold leaves the chips on the layout"
        assert not table.entries("round.WagersSettled")
        table.least_answer()
        assert not table.entries("round.WagersSettled")
        table.answer("fold")
        settled = table.entries("round.WagersSettled")
        assert [entry.body["seat"] for entry in settled] == [3, seat]
        racked = table.entries("round.CardsCollected")
        assert [(entry.body["place"], entry.clause) for entry in racked] == [
            (3, "Ch. 11 §D(1)"),
            (seat, "Ch. 11 §D(1)"),
        ]
        assert table.live.tray_cents == tray + 2 * sum(table.least().values())
        assert not table.entries("round.CardsTurned"), "the dealer's cards are revealed after that"
        while table.live.in_round:
            table.step()
        assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_a_folded_hand_stays_under_a_side_wager_that_lives(new_table: NewTable) -> None:
    for name in WAITING:
        side = next(
            wager.name for wager in game(name).wagers if wager.survives_fold and not wager.defined_by_submission
        )
        table = new_table(name).open(players=("alice", "bob"))
        table.begin()
        table.wager("alice", **{**table.least(), side: table.document["table"]["minimum"]})
        table.wager("bob")
        table.close_bets()
        table.deal()
        table.answer("fold")
        table.answer("fold")
        assert [entry.body["place"] for entry in table.entries("round.CardsCollected")] == [2]
        while table.live.in_round:
            table.step()
        results = {
            result["wager"] for entry in table.entries("round.WagersSettled") for result in entry.body["results"]
        }
        assert side in results


@pytest.mark.parametrize("name", AT_ONCE)
def test_another_fold_is_collected_at_once(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    seat = asked_to_fold(table)
    table.answer("fold")
    assert table.phase == "asking"
    assert [entry.body["seat"] for entry in table.entries("round.WagersSettled")] == [seat]
    assert [entry.body["place"] for entry in table.entries("round.CardsCollected")] == [seat]


@pytest.mark.parametrize("name", WAITING)
def test_a_void_before_all_have_answered_takes_nothing_from_a_fold(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    before = table.money()
    table.play_to("asking")
    table.answer("fold")
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards", seat=1)
    assert table.live.play.outcome == "void"
    assert table.money() == before
