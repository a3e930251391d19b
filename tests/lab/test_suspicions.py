"""Bets on hidden cards have mean one whatever a seat answers, and pay those who follow the cards."""

from typing import Any

import numpy as np
import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.lab.answer_lines import Lines
from pitboss.lab.planted_leaks import Player, evidence, simulated
from pitboss.lab.suspicions import ALL_HIDDEN, NEIGHBOR, SeatPlay, Suspicions, weight_of
from pitboss.odds.hand_codes import ReadHandCodes
from pitboss.odds.streams import deal
from pitboss.rules.in_force import RulesInForce

LINES = {name: Lines(RulesInForce(game(name))) for name in game_names()}


def one_play(lines: Lines, line: int, seed: int) -> SeatPlay:
    """Return a round in which a seat played a line, with one neighbor."""
    size = lines.rules.game.cards_each
    drawn = 2 * size + sum(lines.places.values())
    cards = deal(seed, 0, 1, cards=len(lines.rules.game.deck), drawn=drawn)
    table, at = {}, 2 * size
    for place, count in lines.places.items():
        table[place], at = cards[:, at : at + count], at + count
    own = cards[:, :size]
    answers = lines.all[line].answers
    return SeatPlay(own, own[:, :0], (cards[:, size : 2 * size],), 1, table, answers, (seed, 0))


@pytest.mark.parametrize("name", game_names())
def test_many_hands_are_read_as_the_game_reads_each(name: str) -> None:
    lines, slow = LINES[name], Lines(RulesInForce(game(name)))
    slow._hands = ReadHandCodes(slow.rules)
    size, places = lines.rules.game.cards_each, lines.places
    cards = deal(3, 0, 600, cards=len(lines.rules.game.deck), drawn=size + sum(places.values()))
    table, at = {}, size
    for place, count in places.items():
        table[place], at = cards[:, None, at : at + count], at + count
    assert np.array_equal(lines.nets(cards[:, :size], table), slow.nets(cards[:, :size], table))


@pytest.mark.parametrize("name", game_names())
def test_a_bet_on_one_card_has_mean_one_over_the_cards_that_could_lie_there(name: str) -> None:
    lines = LINES[name]
    suspicions = Suspicions(lines)
    for line in {0, len(lines.all) - 2}:
        play = one_play(lines, line, 11 + line)
        for last, slots in suspicions._groups(len(play.answers)):
            place, number = slots[0]
            pool = suspicions._pool(play, last, play.others)[0]
            total = np.zeros(2)
            for card in pool:
                moved = {where: cards.copy() for where, cards in play.table.items()}
                true = moved[place][0, number]
                for cards in moved.values():
                    cards[cards == card] = true
                moved[place][0, number] = card
                total += suspicions.payoffs(play._replace(table=moved))[f"{place}:{number + 1}"][0]
            assert total / len(pool) == pytest.approx([1, 1])


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(
    "player", [Player(), Player(skill=0.0), Player(skill=2.0, habit=1.5)], ids=["good", "random", "poor"]
)
def test_honest_players_of_any_skill_keep_the_mean(name: str, player: Player) -> None:
    lines, rounds = LINES[name], 300
    suspicions = Suspicions(lines)
    paid: dict[str, list[Any]] = {}
    pairs: list[Any] = []
    for answered in simulated(lines, player, rounds, seed=5):
        for suspicion, each in suspicions.payoffs(answered.play).items():
            paid.setdefault(suspicion, []).append(each)
        pairs.append(suspicions.neighbor(answered.play, 0))
    paid[NEIGHBOR] = pairs
    for suspicion, payoffs in paid.items():
        # Payoffs are skewed: few rounds miss the rare large ones, so only a mean above one would show a fault.
        values = np.concatenate(payoffs)
        error = values.std(axis=0) / np.sqrt(len(values))
        assert (values.mean(axis=0) < 1 + 4 * error).all(), suspicion


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_knows_every_hidden_card_is_found(name: str) -> None:
    lines = LINES[name]
    player = Player(sees=tuple(Suspicions(lines).hidden_slots(0)))
    log = evidence(lines, list(simulated(lines, player, 100, seed=2)), 100)
    assert log.max() > np.log(10_000)


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_knows_one_hidden_card_is_found(name: str) -> None:
    lines = LINES[name]
    card = next(Suspicions(lines).hidden_slots(0))
    log = evidence(lines, list(simulated(lines, Player(sees=(card,)), 500, seed=2)), 500)
    assert log.max() > np.log(10_000)
    honest = evidence(lines, list(simulated(lines, Player(), 500, seed=2)), 500)
    assert honest.max() < np.log(100)


def test_the_weights_of_a_test_add_up_to_one_at_most() -> None:
    cards = [f"{place}:{number}" for place in ("dealer", "board") for number in range(1, 9)]
    names = [*cards, "dealer:all", "board:all", ALL_HIDDEN, "stakes"]
    assert sum(map(weight_of, names)) == pytest.approx(1)
