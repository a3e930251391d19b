"""The bots play any game, see only what their seat sees, and take an action that is clearly best."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.seated import stack
from pitboss.cards import Card
from pitboss.cli.play.record import NoRecord
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.terms import TableTerms, tables_for
from pitboss.games import game_names
from pitboss.house.bots import Bot, bot_stakes
from pitboss.round import Round, decide
from pitboss.round.commands import Act
from pitboss.round.events import ActionTaken
from pitboss.round.state import ASKING, OVER
from pitboss.rules.refusal import Refusal

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"


def terms_of(name: str) -> TableTerms:
    return tables_for(name, None, None)[0]


def table_of(name: str, seed: int, seats: int = 3) -> FreePlayTable:
    return FreePlayTable(terms_of(name), seats=seats, human=None, stake_cents=None, seed=seed, record=NoRecord())


def asked(table: FreePlayTable) -> Iterator[Round]:
    """Yield the state at each question of a round, answered by the bots."""
    table.begin()
    while table.state.phase != OVER:
        if table.state.phase == ASKING:
            yield table.state
        table._must(table._next())


@pytest.mark.parametrize("name", game_names())
def test_rounds_of_bots_end_and_money_is_conserved(name: str) -> None:
    table = table_of(name, seed=1, seats=5)
    for _ in range(12):
        before = {seat: table.net_cents(seat) for seat in table.seats}
        assert table.begin() is None
        table.run()
        assert table.state.outcome == "settled"
        for seat in table.seats:
            assert table.net_cents(seat) - before[seat] == table.net_of_round(seat)
            assert table.bankroll_cents(seat) >= 0
    assert table.rounds == 12


@pytest.mark.parametrize("name", game_names())
def test_a_bots_answer_does_not_depend_on_cards_it_cannot_see(name: str) -> None:
    rules = terms_of(name).rules
    compared = 0
    for seed in range(4):
        for state in asked(table_of(name, seed)):
            other = _with_other_hidden_cards(state)
            assert other.cards != state.cards
            answers = [Bot(rules, random.Random(99)).answer(item, 1_000_00) for item in (state, other)]
            assert answers[0] == answers[1]
            compared += 1
    assert compared >= 12


def _with_other_hidden_cards(state: Round) -> Round:
    held = state.cards[state.cursor]
    seen = {*held}
    for place, cards in state.cards.items():
        seen.update(cards[: state.face_up.get(place, 0)])
    spare = iter([card for card in reversed(state.rules.game.deck.cards) if card not in seen])

    def exchanged(place: int | str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if place == state.cursor:
            return cards
        return tuple(card if index < state.face_up.get(place, 0) else next(spare) for index, card in enumerate(cards))

    return state._replace(cards={place: exchanged(place, cards) for place, cards in state.cards.items()})


@pytest.mark.parametrize("name", game_names())
def test_every_answer_of_a_bot_is_legal(name: str) -> None:
    bot = Bot(terms_of(name).rules, random.Random(3))
    for state in asked(table_of(name, seed=8)):
        answer = bot.answer(state, 1_000_00)
        assert not isinstance(decide(state, Act(state.cursor, answer.action.name, answer.discard)), Refusal)


@pytest.mark.parametrize(
    ("name", "top", "actions"),
    [
        ("ultimate-texas-holdem", "2c 3c 4c 5c 9h 8d 4s Jc 2d 7h 3d As Ad", {"raise 4x"}),
        ("dragon-poker", "Dr Dr Dr Ra Ra Mo", {"play"}),
        ("dragon-poker", "Ra Mo Pa Ra Ra Mo", {"fold"}),
        ("top-five-poker", "As Ad Ks Kd Qs Qd Jc 2c 3c 4c 5c 6c 7c 8c", {"play"}),
        ("top-five-poker", "2s 3d 4s 5d 6s 7d 8h 2c 3c 4c 5c 6c 7c 8c", {"fold"}),
        ("colorado-holdem", "9s 9h 9d 2c 5h 7d", {"declare"}),
        ("colorado-holdem", "As Ad 2c 5h 7d 9c", {"bet"}),
    ],
)
def test_a_plain_hand_is_played_plainly(
    name: str, top: str, actions: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, top)
    table = table_of(name, seed=4, seats=1)
    table.begin()
    table.run()
    taken = [event for _, events in table.news() for event in events if isinstance(event, ActionTaken)]
    assert {event.action for event in taken} == actions
    assert [event.discard for event in taken if event.discard] in ([], ["2c"])


def test_a_bot_never_declares_a_hand_that_is_not_an_instant_winner() -> None:
    table = table_of("colorado-holdem", seed=2, seats=6)
    for _ in range(25):
        table.begin()
        table.run()
        assert "no instant winner" not in table.state.hands.values()


def test_a_bot_that_cannot_pay_for_a_raise_does_not_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    stack(monkeypatch, "2c 3c 4c 5c 9h 8d 4s Jc 2d 7h 3d As Ad")
    table = table_of("ultimate-texas-holdem", seed=4, seats=1)
    state = next(asked(table))
    bot = Bot(table.terms.rules, random.Random(1))
    ante = state.stakes[1, "ante"]
    assert bot.answer(state, 4 * ante).action.name == "raise 4x"
    assert bot.answer(state, 4 * ante - 1).action.name == "raise 3x"
    assert bot.answer(state, 3 * ante - 1).action.name == "check"


@pytest.mark.parametrize(
    "file", [None, *sorted(EXAMPLES.glob("*.toml"))], ids=lambda file: file.stem if file else "none"
)
def test_bots_wager_only_what_the_table_takes(file: Path | None) -> None:
    chance = random.Random(5)
    sides = set()
    for terms in tables_for(None, file, None):
        for _ in range(200):
            stakes = bot_stakes(terms.rules, chance, None, 1_000_00)
            assert terms.rules.check_stakes(stakes) is None
            assert all(cents % (terms.rules.limits(name).step or 1) == 0 for name, cents in stakes.items())
            sides |= {wager for wager in stakes if not terms.game.wagers_by_name[wager].required}
    assert sides


def test_a_bot_without_money_buys_in_again() -> None:
    table = table_of("dragon-poker", seed=3, seats=2)
    table._banked[2] = 0
    table.begin()
    table.run()
    assert table._bought == {1: 1_000_00, 2: 2_000_00}
