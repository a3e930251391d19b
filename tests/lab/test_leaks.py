"""Planted leaks are found where they are: hole-carders, a colluding pair, a signaling dealer, bets on a known deck."""

from collections.abc import Iterator

import numpy as np
import pytest

from pitboss.cards.deck import Card
from pitboss.games.catalogue import game, game_names
from pitboss.lab.answer_lines import Lines
from pitboss.lab.leaks import DEALER_AND_PLAYER, PLAYER, TWO_PLAYERS, FinishedRound, Leaks, PlayedHand
from pitboss.lab.planted_leaks import Player, evidence, simulated
from pitboss.odds.hand_codes import Cards
from pitboss.rules.in_force import RulesInForce

LINES = {name: Lines(RulesInForce(game(name))) for name in game_names()}
WITH_FLOP = next(name for name, lines in LINES.items() if len(lines.asks) > 1)
WITH_BOARD_ONLY = next(name for name, lines in LINES.items() if "dealer" not in lines.places)
BY_COUNT = next(name for name, lines in LINES.items() if lines.rules.game.cards_each == 7)


def rounds_of(
    name: str, player: Player, count: int, seed: int, dealer: str = "", stake: int = 500
) -> list[FinishedRound]:
    """Return rounds of a player called eve and of bob, who acts after her and always gives the first answer."""
    lines = LINES[name]
    deck = lines.rules.game.deck.cards

    def named(cards: Cards) -> tuple[Card, ...]:
        return tuple(deck[number] for number in cards.tolist())

    found: dict[int, FinishedRound] = {}
    for answered in simulated(lines, player, count, seed):
        play = answered.play
        for row, number in enumerate(answered.rounds.tolist()):
            own, other = named(play.own[row]), named(play.others[0][row])
            hands = tuple(
                PlayedHand(
                    who,
                    cards,
                    tuple(
                        (answer.ask, answer.action, None if answer.discard is None else cards[answer.discard])
                        for answer in answers
                    ),
                    stake,
                )
                for who, cards, answers in (("eve", own, play.answers), ("bob", other, lines.all[0].answers))
            )
            table = {place: named(cards[row]) for place, cards in play.table.items()}
            found[number] = FinishedRound(f"{dealer}-{seed}-{number}", lines.rules, dealer, hands, table, "t")
    return [found[number] for number in range(count)]


def examined(rounds: list[FinishedRound]) -> Leaks:
    leaks = Leaks()
    for finished in rounds:
        leaks.add(finished)
    return leaks


def alarmed(leaks: Leaks) -> set[tuple[str, tuple[str, ...]]]:
    return {(line.kind, line.subject) for line in leaks.findings() if line.alarm_round}


def test_a_hole_carder_is_found_by_the_card_that_is_seen() -> None:
    leaks = examined(rounds_of(WITH_FLOP, Player(sees=(("dealer", 1),)), 130, 3))
    assert alarmed(leaks) == {(PLAYER, ("eve",))}
    assert leaks.findings()[0].suspicion == "dealer:2"


def test_a_player_who_sees_a_board_card_is_found() -> None:
    leaks = examined(rounds_of(WITH_BOARD_ONLY, Player(sees=(("board", 0),)), 220, 3))
    assert alarmed(leaks) == {(PLAYER, ("eve",))}


def test_a_signaling_dealer_is_found_with_the_player() -> None:
    together = rounds_of(WITH_FLOP, Player(sees=(("dealer", 0), ("dealer", 1))), 70, 5, dealer="dan")
    apart = rounds_of(WITH_FLOP, Player(), 70, 6, dealer="ann")
    leaks = examined([finished for pair in zip(together, apart, strict=True) for finished in pair])
    assert (DEALER_AND_PLAYER, ("dan", "eve")) in alarmed(leaks)
    assert (DEALER_AND_PLAYER, ("ann", "eve")) not in alarmed(leaks)
    assert not [subject for _, subject in alarmed(leaks) if "bob" in subject]


@pytest.mark.slow
def test_a_colluding_pair_is_found() -> None:
    rounds = 900
    lines = LINES[BY_COUNT]
    log = evidence(lines, list(simulated(lines, Player(sees_neighbor=True), rounds, 7)), rounds, of_pair=True)
    assert log.max() > np.log(800)


def with_stakes(rounds: list[FinishedRound], stakes: Iterator[int]) -> list[FinishedRound]:
    return [
        finished._replace(hands=(finished.hands[0]._replace(stake_cents=next(stakes)), finished.hands[1]))
        for finished in rounds
    ]


def test_bets_that_follow_the_deck_are_found_and_a_system_is_not() -> None:
    rounds = rounds_of(WITH_FLOP, Player(), 130, 9)
    lines = LINES[WITH_FLOP]
    good = []
    for finished in rounds:
        own = np.array([[lines.numbers[card] for card in finished.hands[0].cards]], np.uint8)
        table = {
            place: np.array([[[lines.numbers[card] for card in cards]]], np.uint8)
            for place, cards in finished.table.items()
        }
        good.append(lines.nets(own, table).max() > 0)
    knowing = examined(with_stakes(rounds, iter([2500 if wins else 500 for wins in good])))
    assert (PLAYER, ("eve",)) in alarmed(knowing)
    assert knowing.findings()[0].suspicion == "stakes"
    doubled = [500]
    for wins in good[:-1]:  # more after each loss: as foolish as it is honest
        doubled.append(500 if wins else min(2 * doubled[-1], 100_000))
    assert alarmed(examined(with_stakes(rounds, iter(doubled)))) == set()


def test_evidence_kept_by_a_test_is_that_of_the_simulation() -> None:
    name, count, player = BY_COUNT, 40, Player(sees=(("dealer", 0),))
    leaks = examined(rounds_of(name, player, count, 4))
    lines = LINES[name]
    held = leaks.tests[PLAYER].all[("eve",)].held
    log = evidence(lines, list(simulated(lines, player, count, 4)), count)
    singles = [
        bettors.log for suspicion, bettors in held.items() if suspicion.startswith("dealer:") and suspicion[-1] != "l"
    ]
    assert len(singles) == 7
    assert max(singles) - np.log(40) < log[-1] + np.log(2)
    data = leaks.to_data()
    again = Leaks()
    assert again.restore(data)
    assert again.to_data() == data
    assert set(leaks.tests[TWO_PLAYERS].all) == {("eve", "bob")}


def test_a_player_with_two_hands_makes_one_bet() -> None:
    [finished] = rounds_of(BY_COUNT, Player(), 1, 2)
    both = finished._replace(hands=tuple(hand._replace(player="eve") for hand in finished.hands))
    leaks = examined([both])
    assert leaks.tests[PLAYER].all[("eve",)].rounds == 1
    assert leaks.tests[TWO_PLAYERS].all == {}


@pytest.mark.slow
def test_honest_players_of_mixed_skill_raise_no_more_alarms_than_the_bound() -> None:
    # A small part of `make leaks`: the evidence of each of 40 players ever reaching 20 has at most one chance in 20.
    kinds = (Player(), Player(skill=0.0), Player(skill=2.0, habit=1.0), Player(skill=1.0))
    reached = 0
    for number in range(40):
        lines = LINES[game_names()[number % len(LINES)]]
        played = list(simulated(lines, kinds[number // len(LINES) % len(kinds)], 250, 31, first=250 * number))
        reached += bool(evidence(lines, played, 250).max() >= np.log(20))
    assert reached <= 2 + 4 * np.sqrt(2)
