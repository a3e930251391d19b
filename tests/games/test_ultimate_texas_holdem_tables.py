"""Whole tables read at once: each raise has the highest value, each seat is settled as a table settles it."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from pitboss.cards.deck import STANDARD_DECK, Card, face
from pitboss.games import game
from pitboss.games.ultimate_texas_holdem import exact
from pitboss.games.ultimate_texas_holdem.play import Tables, gains_of, tables_of
from pitboss.games.ultimate_texas_holdem.raise_kernels import RANKS as RANK_COUNT
from pitboss.games.ultimate_texas_holdem.raise_kernels import Raises, river_raises, suited_row
from pitboss.games.ultimate_texas_holdem.whole_tables import WholeTables
from pitboss.odds.deciding import Meant
from pitboss.odds.evaluator_tables import card_at
from pitboss.odds.streams import deal
from pitboss.odds.symmetry import kinds
from pitboss.round.finished import settle_hand
from pitboss.round.money import settle_wagers
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.refusal import Refusal
from worked import rules_of as rules_of_worked
from worked import worked

pytestmark = pytest.mark.xdist_group("exact")
NAME = "ultimate-texas-holdem"
GAME = game(NAME)
PLACE = {card: at for at, card in enumerate(STANDARD_DECK.cards)}
CHECKS = np.zeros(1326, np.int64)
FLOPS = (len(kinds(3).key), 1326)
ACTIONS = {
    None: ("check", "check", "fold"),
    1: ("check", "check", "raise 1x"),
    2: ("check", "raise 2x"),
    3: ("raise 3x",),
    4: ("raise 4x",),
}


@cache
def rules_with(blind: str = "A") -> RulesInForce:
    return RulesInForce(GAME, Choices(paytables={"blind": blind}))


@cache
def river(blind: str, ties: str) -> Raises:
    return river_raises(np.array(gains_of(rules_with(blind)), np.int64), equal_raises=ties == "more")


def waiting(raises: Raises) -> Tables:
    """Return the play of a player who decides only on the river."""
    return Tables(CHECKS, np.zeros(FLOPS, np.bool_), raises)


def dealt(cards: Sequence[Card]) -> list[int]:
    return [PLACE[card] for card in cards]


def draws(count: int, seed: int) -> Iterator[list[Card]]:
    """Draw thirteen cards, from decks short of ranks or suits too, where pairs and flushes are many."""
    rng = random.Random(seed)
    decks = (
        STANDARD_DECK.cards,
        [card for card in STANDARD_DECK.cards if card[1] in "cd"],
        [card for card in STANDARD_DECK.cards if card[1] == "h" or card[0] == "A"],
        [card for card in STANDARD_DECK.cards if card[0] in "2579"],
        [card for card in STANDARD_DECK.cards if card[0] in "9TJQKA"],
    )
    for at in range(count):
        yield rng.sample(list(decks[at % len(decks)]), 13)


@pytest.mark.slow
@pytest.mark.parametrize("blind", ["A", "B"])
def test_every_bit_of_the_river_is_the_action_of_higher_value(blind: str) -> None:
    rules = rules_with(blind)
    drawn = list(draws(2_500, seed=11))
    deals = np.array([dealt(cards) for cards in drawn], np.uint8)
    gains = []
    for cards in drawn:
        worths = exact.action_worths(rules, tuple(cards[:2]), tuple(cards[4:9]))
        gains.append(worths["raise 1x"] - worths["fold"])
    assert 100 < sum(gain >= 0 for gain in gains) < 2_400
    for ties, expected in (("more", [gain >= 0 for gain in gains]), ("less", [gain > 0 for gain in gains])):
        whole = WholeTables(rules, waiting(river(blind, ties)))
        raised = [whole.meaning(code).status != FOLDED for code in whole.codes(deals, 1)[:, 0].tolist()]
        assert raised == expected


def level() -> Iterator[tuple[list[Card], list[Card]]]:
    """Yield a board and a holding for each bit of suited boards that two ways with ties do not share."""
    differ = np.unpackbits(river("A", "more").suited ^ river("A", "less").suited, axis=1, bitorder="little")
    bits = {high * (high + 1) // 2 + low: (high, low) for high in range(2 * RANK_COUNT) for low in range(high + 1)}
    row_of: Any = suited_row
    boards = {}
    for mask in range(1 << RANK_COUNT):
        size = mask.bit_count()
        for first in range(RANK_COUNT) if 3 <= size <= 4 else (-1,) if size == 5 else ():
            for second in range(first + 1) if size == 3 else (-1,):
                boards[int(row_of.py_func(mask, first, second))] = (mask, first, second)
    assert len(boards) == len(differ)
    for row, bit in np.argwhere(differ).tolist():
        mask, *outside = boards[row]
        others = {rank: iter((1, 2, 3)) for rank in range(RANK_COUNT)}
        board = [4 * rank for rank in range(RANK_COUNT) if mask >> rank & 1]
        board += [4 * rank + next(others[rank]) for rank in outside if rank >= 0]
        held = [4 * kind if kind < RANK_COUNT else 4 * (kind - 13) + next(others[kind - 13]) for kind in bits[bit]]
        yield [card_at(place) for place in board], [card_at(alert) for alert in held]


@pytest.mark.slow
def test_the_river_s_bits_for_more_and_less_differ_where_two_actions_are_level_and_only_there() -> None:
    rules, found = rules_with(), 0
    for board, held in level():
        worths = exact.action_worths(rules, tuple(held), tuple(board))
        assert worths["raise 1x"] == worths["fold"], (board, held)
        found += 1
    assert found == 1_851


def test_raises_before_the_river_are_those_of_highest_value() -> None:
    rules = rules_with()
    whole = WholeTables(rules)
    drawn = list(draws(60, seed=12))
    codes = whole.codes(np.array([dealt(cards) for cards in drawn], np.uint8), 1)
    answers = set()
    for cards, code in zip(drawn, codes[:, 0].tolist(), strict=True):
        actions = actions_of(whole.meaning(code))
        before = exact.action_worths(rules, tuple(cards[:2]))
        assert before[actions[0]] == max(before.values())
        if len(actions) > 1:
            after = exact.action_worths(rules, tuple(cards[:2]), tuple(cards[4:7]))
            assert after[actions[1]] == max(after.values()), " ".join(cards)
        answers.add(actions[:2])
    assert answers == {("raise 4x",), ("check", "raise 2x"), ("check", "check")}


def test_of_level_raises_the_tables_kept_are_those_solved() -> None:
    kept, solved = tables_of(rules_with()), exact.solve(rules_with())
    assert np.array_equal(kept.before, solved.before)
    assert np.array_equal(kept.raises_flop, solved.raises_flop)
    for name, bits in river("A", "more")._asdict().items():
        assert np.array_equal(getattr(kept.raises_river, name), bits)


def actions_of(meant: Meant) -> tuple[str, ...]:
    return ACTIONS[meant.placed.times if meant.placed else None]


def meters_of(rules: RulesInForce) -> dict[str, int]:
    progressive = rules.game.progressive
    assert progressive is not None
    letter = rules.paytables[progressive.wager].letter
    assert letter is not None
    return {meter.name: meter.minimum_cents for meter in progressive.meters[letter]}


def stakes_of(rules: RulesInForce, unit_cents: int) -> dict[str, int]:
    return {
        wager.name: wager.stakes_cents[0] if wager.stakes_cents else unit_cents
        for wager in rules.game.wagers
        if wager.name in rules.offered and not wager.by_action
    }


def assert_settled_alike(rules: RulesInForce, whole: WholeTables, deals: Any, seats: int, unit_cents: int) -> None:
    """Settle what was read at once and what the table reads from the cards, wager by wager."""
    stakes = stakes_of(rules, unit_cents)
    cards = STANDARD_DECK.cards
    for drawn, codes in zip(deals.tolist(), whole.codes(deals, seats).tolist(), strict=True):
        faces = [face(cards[place]) for place in drawn]
        rest = faces[2 * seats :]
        meant = [whole.meaning(code) for code in codes]
        hand: dict[str, Any] = {"dealer": rest[:2], "board": rest[2:7], "box": rest[7:], "meters": meters_of(rules)}
        hand["seats"] = [
            {
                "seat": at + 1,
                "cards": faces[2 * at : 2 * at + 2],
                "wagers": stakes,
                "actions": list(actions_of(item)),
            }
            for at, item in enumerate(meant)
        ]
        if "six-card-bonus" not in stakes:
            del hand["box"]
        if "progressive" not in stakes:
            del hand["meters"]
        result = settle_hand(rules, hand)
        assert not isinstance(result, Refusal), result
        for item, row in zip(meant, result["seats"], strict=True):
            played = stakes | ({item.placed.wager: stakes[item.placed.of] * item.placed.times} if item.placed else {})
            results, claim = settle_wagers(rules, item.reading, played)
            theirs = {
                wager: (of["stake"], of["result"], of["net"], of["odds"], of["clause"], of["odds_clause"])
                for wager, of in row["wagers"].items()
            }
            ours = {of.wager: (of.stake, of.result, of.net, of.odds, of.clause, of.odds_clause) for of in results}
            if claim:
                wager, share, verdict = claim
                assert theirs.pop(wager)[3:] == (str(share), verdict.cite, verdict.odds_cite), faces
            assert ours == theirs, faces


def varied() -> list[Any]:
    """Return every paytable of every wager and every option's values, in as few tables as hold them all."""
    wagers = {
        wager.name: [table.letter for table in wager.paytables] for wager in GAME.wagers if len(wager.paytables) > 1
    }
    options = {option.name: list(option.values) for option in GAME.options if option.values}
    count = max(map(len, (*wagers.values(), *options.values())))
    found = []
    for at in range(count):
        paytables = {name: letters[at % len(letters)] for name, letters in wagers.items()}
        chosen = {name: values[at % len(values)] for name, values in options.items()}
        found.append(pytest.param(Choices(paytables=paytables, options=chosen), id=str(at)))
    found.append(pytest.param(Choices(amounts={"payout-limit": 5_000_000}), id="payout limit"))
    return found


@pytest.mark.parametrize("choices", varied())
def test_seats_read_at_once_are_settled_as_the_table_settles_them(choices: Choices) -> None:
    rules = RulesInForce(GAME, choices)
    whole = WholeTables(rules, tables_of(rules_with()))
    assert_settled_alike(rules, whole, deal(7, 0, 150, cards=52, drawn=23), 6, 100)
    rare = np.array([dealt(cards) for cards in draws(400, seed=13)], np.uint8)
    assert_settled_alike(rules, whole, rare, 1, 1_000_000)


@pytest.mark.slow
def test_a_hundred_thousand_seats_read_at_once_are_settled_as_the_table_settles_them() -> None:
    rules = rules_with()
    assert_settled_alike(rules, WholeTables(rules), deal(8, 0, 16_700, cards=52, drawn=23), 6, 100)


def played_so(actions: Sequence[str]) -> Tables:
    """Return tables by which a player takes just these actions."""
    times = int(actions[-1][-2]) if actions[-1] != "fold" else 0
    raised_before = len(actions) == 1
    bits = river("A", "more")
    on_river = np.uint8(255 if times == 1 else 0)
    return Tables(
        np.full(1326, times if raised_before else 0, np.int64),
        np.full(FLOPS, times == 2 and not raised_before, np.bool_),
        Raises(np.full_like(bits.plain, on_river), np.full_like(bits.suited, on_river)),
    )


REGULAR = [pytest.param(hand, id=hand["name"]) for hand in worked(NAME, "hand") if "irregularity" not in hand]


@pytest.mark.parametrize("hand", REGULAR)
def test_a_worked_hand_read_at_once_pays_as_worked(hand: dict[str, Any]) -> None:
    rules = rules_of_worked(GAME, hand)
    given = {
        place: [Card(name) for name in hand[place].split()] for place in ("dealer", "board", "box") if place in hand
    }
    owned = {row["seat"]: [Card(name) for name in row["cards"].split()] for row in hand["seat"]}
    taken = {card for cards in (*given.values(), *owned.values()) for card in cards}
    spare = [card for card in STANDARD_DECK.cards if card not in taken]
    rest = given["dealer"] + given["board"] + given.get("box", spare[:4])
    for row in hand["seat"]:
        whole = WholeTables(rules, played_so(row["actions"]))
        (code,) = whole.codes(np.array([dealt(owned[row["seat"]] + rest)], np.uint8), 1)[0].tolist()
        meant = whole.meaning(code)
        assert list(actions_of(meant)) == row["actions"]
        stakes = dict(row["wagers"])
        if meant.placed:
            stakes[meant.placed.wager] = stakes[meant.placed.of] * meant.placed.times
        results, claim = settle_wagers(rules, meant.reading, stakes)
        ours = {of.wager: [of.result, of.net, of.odds or "", of.clause, of.odds_clause or ""] for of in results}
        pays = dict(row["pays"])
        if claim:
            wager, share, verdict = claim
            assert pays.pop(wager)[2:] == [str(share), verdict.cite, verdict.odds_cite or ""]
        assert ours == pays
