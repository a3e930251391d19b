"""Whole tables read at once, in every game that has them: each seat decides and is settled as at a live table."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

from pitboss.cards.deck import Card, face
from pitboss.games import game, game_names
from pitboss.games.parts import has_part
from pitboss.lab.blocks import Block
from pitboss.lab.played import PlayedSeat, Table, opening_stakes
from pitboss.lab.players import player_of, strategies_of, whole_tables_of
from pitboss.odds.streams import deal
from pitboss.round.finished import settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.paytable import paytable
from pitboss.rules.reading import TableCards
from pitboss.rules.refusal import Refusal

ULTIMATE = "ultimate-texas-holdem"  # its tables have tests of their own
NAMES = [name for name in game_names() if has_part(name, "whole_tables") and name != ULTIMATE]
SEED = 4_711
IS_WHOLE = bool(os.environ.get("PITBOSS_AGREE"))
ROUNDS = 3_000 if IS_WHOLE else 300  # full tables for each paytable and option
SETTLED_AGAIN = 300 if IS_WHOLE else 20  # of them, as finished hands


def varied(name: str) -> Iterator[Any]:
    """Yield every paytable and every value of every option, together and one by one; seating options aside."""
    definition = game(name)
    wagers = {wager.name: wager.letters for wager in definition.wagers if wager.letters}
    seating = {definition.positions.count_option, definition.positions.per_player_option}
    options = {option.name: option.values for option in definition.options if option.name not in seating}
    for at in range(max(map(len, (*wagers.values(), *options.values())))):
        paytables = {wager: letters[at % len(letters)] for wager, letters in wagers.items()}
        chosen = {option: values[at % len(values)] for option, values in options.items()}
        yield pytest.param(name, Choices(paytables=paytables, options=chosen), id=f"{name} {at + 1}")
        for option, values in options.items():
            if at and at < len(values):
                yield pytest.param(name, Choices(options={option: values[at]}), id=f"{name} {option}={values[at]}")
    if definition.payout_limit:
        limited = Choices(amounts={definition.payout_limit.option: 5_000_000})
        yield pytest.param(name, limited, id=f"{name} payout limit")
        high = replace(limited, stakes={wager.name: 100_000 for wager in definition.wagers if wager.required})
        yield pytest.param(name, high, id=f"{name} payout limit reached")


def progressive_rules(reads: str) -> RulesInForce:
    definition = game("dragon-poker")
    wager = definition.wagers_by_name["progressive"]
    assert wager.hands is not None
    best, *others = wager.hands[reads]
    lines = {best: "100 % of meter", others[0]: "10 % of meter", others[1]: "50 for 1"}
    choices = Choices(
        own_tables={"progressive": paytable(None, "Ch. 7 §F(4)", lines)},
        own_hands={"progressive": reads},
        offered=frozenset(wager.name for wager in definition.wagers),
        stakes={"progressive": 100},
        resets={"meter": 250_000},
    )
    return RulesInForce(definition, choices)


def both(rules: RulesInForce, seats: int, strategy: str = "optimal") -> tuple[Table, Table]:
    """Return a table read at once and one played card by card."""
    whole = whole_tables_of(rules, strategy)
    assert whole is not None
    return Table(rules, seats, player_of(rules, strategy), whole), Table(rules, seats, player_of(rules, strategy))


def assert_blocks_equal(fast: Block, slow: Block) -> None:
    assert fast.sums == slow.sums
    assert np.array_equal(fast.house, slow.house)
    assert np.array_equal(fast.signs, slow.signs)
    assert fast.claims == slow.claims
    assert fast.lines == slow.lines
    assert (fast.envy_cents, fast.envies) == (slow.envy_cents, slow.envies)


def settled(rules: RulesInForce, table: TableCards, seats: list[PlayedSeat]) -> list[dict[str, Any]]:
    hand: dict[str, Any] = {place: list(map(face, getattr(table, place))) for place in rules.game.table_cards}
    hand["seats"] = [
        {
            "seat": at,
            "cards": list(map(face, seat.held.cards)),
            "wagers": opening_stakes(rules),
            "actions": list(seat.actions),
        }
        for at, seat in enumerate(seats, 1)
    ]
    result = settle_hand(rules, hand)
    assert not isinstance(result, Refusal), result
    rows: list[dict[str, Any]] = result["seats"]
    return rows


@pytest.mark.parametrize(("name", "choices"), [case for name in NAMES for case in varied(name)])
def test_a_table_read_at_once_ends_as_the_cards_say(name: str, choices: Choices) -> None:
    rules = RulesInForce(game(name), choices)
    seats = rules.seats_most
    fast, slow = both(rules, seats)
    assert_blocks_equal(fast.block(SEED, 5, ROUNDS), slow.block(SEED, 5, ROUNDS))
    deals = deal(SEED, 5, SETTLED_AGAIN, cards=len(rules.game.deck), drawn=slow.drawn)
    endings, which = fast.endings(deals)
    for drawn, numbers in zip(deals.tolist(), which.tolist(), strict=True):
        table, played = slow.play(drawn)
        assert [endings[number] for number in numbers] == [seat.ending for seat in played]
        for row, number in zip(settled(rules, table, played), numbers, strict=True):
            nets = dict(zip(fast.wagers, endings[number].nets, strict=True))
            staked = dict(zip(fast.wagers, endings[number].staked, strict=True))
            live = {wager: (result["stake"], result["net"]) for wager, result in row["wagers"].items()}
            assert {wager: (staked[wager], nets[wager]) for wager in live} == live
            assert sum(nets.values()) == row["net"]


@pytest.mark.parametrize("reads", ["three-card", "dragons"])
def test_a_progressive_read_at_once_claims_its_meter_as_the_cards_say(reads: str) -> None:
    rules = progressive_rules(reads)
    fast, slow = both(rules, 6)
    block = fast.block(SEED, 0, 6_000)
    assert_blocks_equal(block, slow.block(SEED, 0, 6_000))
    assert block.claims


@pytest.mark.parametrize(
    ("name", "strategy"), [(name, strategy.name) for name in NAMES for strategy in strategies_of(name)]
)
def test_a_named_strategy_read_at_once_plays_as_it_is_written(name: str, strategy: str) -> None:
    rules = RulesInForce(game(name))
    fast, slow = both(rules, 3, strategy)
    assert_blocks_equal(fast.block(SEED, 0, 1_000), slow.block(SEED, 0, 1_000))


def test_every_two_hands_of_dragon_poker_end_as_the_cards_say() -> None:
    rules = RulesInForce(game("dragon-poker"))
    deck = rules.game.deck.cards
    copies = {
        name: [at for at, card in enumerate(deck) if face(card) == name] for name in dict.fromkeys(map(face, deck))
    }
    hands = list(combinations_with_replacement(copies, 3))
    drawn = []
    for player, dealer in product(hands, repeat=2):
        needed = Counter(player + dealer)
        if all(count <= len(copies[name]) for name, count in needed.items()):
            left = {name: iter(places) for name, places in copies.items()}
            drawn.append([next(left[name]) for name in player + dealer])
    assert len(drawn) == 11_526
    fast, slow = both(rules, 1)
    endings, which = fast.endings(np.array(drawn, np.uint8))
    for cards, (number,) in zip(drawn, which.tolist(), strict=True):
        assert slow.play(cards)[1][0].ending == endings[number], [deck[card] for card in cards]


def test_a_third_of_the_hands_of_colorado_hold_em_are_played_as_the_best_player_plays_them() -> None:
    rules = RulesInForce(game("colorado-holdem"))
    deck = rules.game.deck.cards
    board = [deck.index(card) for card in map(Card, ("Ah", "Th", "9c"))]
    others = [card for card in range(52) if card not in board]
    drawn = [
        [third, first, second, *board]
        for first in others
        for second in others
        for third in others
        if first < second < third
    ]
    fast, slow = both(rules, 1)
    endings, which = fast.endings(np.array(drawn, np.uint8))
    for cards, (number,) in list(zip(drawn, which.tolist(), strict=True))[::3]:
        assert slow.play(cards)[1][0].ending == endings[number], [deck[card] for card in cards]


@pytest.mark.parametrize(("strategy", "ends"), [("optimal", 6), ("always-play", 9)])
def test_every_kind_of_hand_of_top_five_poker_ends_as_the_cards_say(strategy: str, ends: int) -> None:
    from pitboss.games.top_five_poker.exact import hands

    rules = RulesInForce(game("top-five-poker"))
    deck = rules.game.deck.cards
    low = [card for card in deck if card[0] in "23456789"]
    rng = random.Random(SEED)
    drawn = []
    for cards, _ in hands():
        player = [*cards, *low[: 7 - len(cards)]]
        others = [card for card in deck if card not in player]
        few = [card for card in others if card in low or card[0] in "TJ"]  # a dealer who rarely qualifies
        drawn += [[deck.index(card) for card in (*player, *rng.sample(spare, 7))] for spare in (others, few, few)]
    fast, slow = both(rules, 1, strategy)
    whole = whole_tables_of(rules, strategy)
    assert whole is not None
    facts = {whole.meaning(code).reading.facts for code in whole.codes(np.array(drawn, np.uint8), 1)[:, 0].tolist()}
    assert len(facts - {frozenset({"folded"})}) == ends
    endings, which = fast.endings(np.array(drawn, np.uint8))
    for places, (number,) in zip(drawn, which.tolist(), strict=True):
        assert slow.play(places)[1][0].ending == endings[number], [deck[place] for place in places]
