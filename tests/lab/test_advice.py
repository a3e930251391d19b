"""Every choice's value equals plain enumeration, and the charts agree with the exact values."""

import random
import tomllib
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pitboss.cards.deck import RANKS, STANDARD_DECK, SUITS, Card
from pitboss.cards.poker import CATEGORIES, best, category
from pitboss.games import catalogue, game
from pitboss.games.colorado_holdem import exact as colorado
from pitboss.games.dragon_poker.deck import DECK as DRAGONS
from pitboss.games.dragon_poker.readings import value_of as dragon_value
from pitboss.games.top_five_poker.readings import value_of as top_five_value
from pitboss.games.ultimate_texas_holdem import chart as holdem_chart
from pitboss.games.ultimate_texas_holdem import exact as holdem
from pitboss.games.ultimate_texas_holdem.river_kernels import count_river
from pitboss.games.ultimate_texas_holdem.solution import SHOWDOWNS, by_ranks, by_slot, payoffs, showdowns
from pitboss.lab.advice import WrongCards, advise, chart_of
from pitboss.odds.charts import best_threshold
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.pricing import net_units
from pitboss.odds.symmetry import hole_cards, hole_index, kinds
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatCards, TableCards

pytestmark = pytest.mark.xdist_group("exact")
HOLDEM = RulesInForce(game("ultimate-texas-holdem"))
PUBLISHED = tomllib.loads((catalogue.folders()["ultimate-texas-holdem"] / "published.toml").read_text("utf-8"))


def drawn(seed: int, count: int) -> tuple[Card, ...]:
    return tuple(random.Random(seed).sample(STANDARD_DECK.cards, count))


def number(card: str) -> int:
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


def settled(hole: tuple[Card, ...], board: tuple[Card, ...], raised: int) -> Fraction:
    """Return the mean net of Ante, Blind and Play over every dealer's hand, each read and adjudicated."""
    readings = HOLDEM.game.readings
    total, deals = Fraction(0), 0
    others = [card for card in STANDARD_DECK.cards if card not in (*hole, *board)]
    for dealer in combinations(others, 2):
        table = TableCards(dealer=dealer, board=board)
        seat = SeatCards(hole, PLAYED if raised else FOLDED)
        wagers = {"ante": 1, "blind": 1} | ({"play": raised} if raised else {})
        reading = readings.seat(table, readings.dealer(table, HOLDEM.options), seat, HOLDEM.options, tuple(wagers))
        for wager, units in wagers.items():
            total += units * net_units(HOLDEM, wager, HOLDEM.adjudicate(wager, reading.facts, reading.cells.get(wager)))
        deals += 1
    return total / deals


@pytest.mark.parametrize("seed", range(4))
def test_after_the_river_every_choice_is_worth_what_990_settled_hands_average(seed: int) -> None:
    cards = drawn(seed, 7)
    hole, board = cards[:2], cards[2:]
    worths = holdem.action_worths(HOLDEM, hole, board)
    assert worths == {"raise 1x": settled(hole, board, 1), "fold": settled(hole, board, 0)}
    assert list(worths.values()) == sorted(worths.values(), reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_after_the_flop_every_choice_is_worth_what_all_turns_and_rivers_average(seed: int) -> None:
    cards = drawn(10 + seed, 5)
    hole, flop = cards[:2], cards[2:]
    others = [card for card in STANDARD_DECK.cards if card not in cards]
    waited, raised = [], []
    for two in combinations(others, 2):
        at_river = holdem.action_worths(HOLDEM, hole, (*flop, *two))
        waited.append(max(at_river.values()))
        raised.append(at_river["raise 1x"] + _play_units(hole, (*flop, *two)))
    expected = {"raise 2x": sum(raised) / len(raised), "check": sum(waited) / len(waited)}
    assert holdem.action_worths(HOLDEM, hole, flop) == expected


def _play_units(hole: tuple[Card, ...], board: tuple[Card, ...]) -> Fraction:
    # What one more unit of Play wins: hands won less hands lost.
    others = [number(card) for card in STANDARD_DECK.cards if card not in (*hole, *board)]
    dealers = np.array(list(combinations(others, 2)))
    shared = np.tile([number(card) for card in board], (len(dealers), 1))
    against = rank_hands(np.hstack([shared, dealers]).astype(np.uint8)).astype(int)
    own = int(rank_hands(np.array([[number(card) for card in (*board, *hole)]], np.uint8))[0])
    return Fraction(int((own > against).sum() - (own < against).sum()), len(dealers))


def hole_number(cards: tuple[Card, Card]) -> int:
    first, second = map(number, cards)
    return int(hole_index()[52 * first + second])


def classes() -> dict[str, tuple[Card, Card]]:
    found = {rank * 2: (Card(f"{rank}c"), Card(f"{rank}d")) for rank in RANKS}
    for low, high in combinations(RANKS, 2):
        found[f"{high}{low}s"] = Card(f"{high}c"), Card(f"{low}c")
        found[f"{high}{low}o"] = Card(f"{high}c"), Card(f"{low}d")
    return found


def spelled_out(hands: str) -> set[str]:
    found = set()
    for word in hands.split():
        high, low, suits = word[0], word[1], word[2:].rstrip("+")
        if high == low:
            found |= {rank * 2 for rank in RANKS[RANKS.index(low) :]}
            continue
        lows = RANKS[RANKS.index(low) : RANKS.index(high)] if word.endswith("+") else low
        found |= {high + kicker + suit for kicker in lows for suit in suits or "so"}
    return found


def test_the_solved_grid_is_the_published_one() -> None:
    expected = spelled_out(PUBLISHED["raise_before"]["hands"])
    best_actions = {name: next(iter(holdem.action_worths(HOLDEM, cards))) for name, cards in classes().items()}
    assert {name for name, action in best_actions.items() if action == "raise 4x"} == expected
    assert {action for name, action in best_actions.items() if name not in expected} == {"check"}
    grid = holdem_chart.before_the_flop(HOLDEM).grid
    assert grid is not None
    for row, marks in zip(grid.rows, grid.cells, strict=True):
        for column, mark in zip(grid.columns, marks, strict=True):
            suited = RANKS.index(row) > RANKS.index(column)
            name = row * 2 if row == column else f"{row}{column}s" if suited else f"{column}{row}o"
            assert (mark == "4x") == (name in expected), name


def test_best_play_before_the_flop_averages_to_the_published_value_of_the_game() -> None:
    price = holdem.worths_before(HOLDEM)
    worths = [max(price(hole).values()) for hole in range(1326)]
    (figure,) = (row for row in PUBLISHED["figure"] if row["quantity"] == "ev")
    assert sum(worths) / 1326 == Fraction(figure["value"])


@pytest.mark.parametrize("published", PUBLISHED["showdown"], ids=lambda row: row["hand"])
def test_a_hand_wins_and_loses_as_published(published: dict[str, str]) -> None:
    wins, losses = showdowns()
    hole = hole_number(classes()[published["hand"]])
    for ours, value, step in (
        (wins[hole], published["wins"], published["wins_rounded_to"]),
        (losses[hole], published["loses"], published["loses_rounded_to"]),
    ):
        percent = Fraction(100 * int(ours), SHOWDOWNS)
        assert round(percent / Fraction(step)) * Fraction(step) == Fraction(value)


def test_showdowns_agree_with_dealt_hands_and_with_what_a_raise_wins() -> None:
    wins, losses = showdowns()
    held = classes()["K8o"]
    hole = hole_number(held)
    won, lost = Fraction(int(wins[hole]), SHOWDOWNS), Fraction(int(losses[hole]), SHOWDOWNS)
    worths = holdem.action_worths(HOLDEM, held)
    assert worths["raise 4x"] - worths["raise 3x"] == won - lost
    generator = np.random.default_rng(8)
    others = np.array([other for other in range(52) if other not in map(number, held)])
    deals = others[np.argsort(generator.random((100_000, 50)), axis=1)[:, :7]]
    own_cards = np.tile([number(card) for card in held], (len(deals), 1))
    own = rank_hands(np.hstack([own_cards, deals[:, :5]]).astype(np.uint8)).astype(int)
    against = rank_hands(deals.astype(np.uint8)).astype(int)
    for exact, dealt in ((won, (own > against).mean()), (lost, (own < against).mean())):
        assert abs(float(exact) - float(dealt)) < 4 * (0.25 / len(deals)) ** 0.5


def test_a_size_of_raise_is_never_the_best_as_published() -> None:
    published = PUBLISHED["never_best"]
    price = holdem.worths_before(HOLDEM)
    for worths in map(price, range(1326)):
        better = max(worth for name, worth in worths.items() if name != published["action"])
        assert worths[published["action"]] < better
        if worths[published["action"]] > worths["check"]:
            assert worths[published["better"]] > worths[published["action"]]


def test_the_short_rules_cost_a_quarter_of_a_percent() -> None:
    chart = chart_of(HOLDEM)
    assert chart.sections[0].cost == 0
    assert Fraction("0.0024") < chart.cost < Fraction("0.0026")
    assert "at most 20 of the 45 unseen cards" in " ".join(chart.sections[2].rules)


@pytest.mark.slow
@pytest.mark.parametrize("at", [77_777, 133_000, 21_000, 900])  # no flush possible; three, four and five of a suit
def test_gains_after_one_river_are_counted_as_a_person_sees_them(at: int) -> None:
    board_kinds = kinds(5)
    masks = board_kinds.masks[at].tolist()
    board = tuple(Card(RANKS[rank] + SUITS[suit]) for suit in range(4) for rank in range(13) if masks[suit] >> rank & 1)
    pays = payoffs(HOLDEM)
    gained = np.zeros((2, 48, 2), np.int64)
    decided = by_ranks(np.zeros(1326, np.bool_)), by_slot(np.zeros((1755, 1326), np.bool_))
    deals = board_kinds.masks[[at]], np.ones(1, np.int64)
    count_river(0, 1, *deals, *pays.tables(), pays.fold, *decided, gained)
    expected = np.zeros((2, 48, 2), np.int64)
    others = [card for card in STANDARD_DECK.cards if card not in board]
    with_one = {card: best((*board, card)) for card in others}
    for hole in combinations(others, 2):
        worths = holdem.action_worths(HOLDEM, hole, board)
        gain = 10 * 990 * pays.scale * (worths["raise 1x"] - worths["fold"])
        value = best((*board, *hole))
        ranks = {card[0] for card in board}
        paired = hole[0][0] == hole[1][0] or hole[0][0] in ranks or hole[1][0] in ranks
        made = category(value) >= CATEGORIES.index("straight") and value > best(board)
        outs = sum(with_one[card] > value for card in others if card not in hole)
        expected[int(paired or made), outs, int(gain > 0)] += int(gain)
    assert (gained == expected).all()


def test_the_flops_rule_raises_what_its_words_say() -> None:
    raises = holdem_chart._Features().raises(1, RANKS.index("T"))
    masks = kinds(3).masks.tolist()
    first, second = (column.tolist() for column in hole_cards())
    generator = random.Random(3)
    tried = 0
    while tried < 2000:
        flop, hole = generator.randrange(len(masks)), generator.randrange(1326)
        dealt = [RANKS[r] + SUITS[s] for s in range(4) for r in range(13) if masks[flop][s] >> r & 1]
        held = [RANKS[card >> 2] + SUITS[card & 3] for card in (first[hole], second[hole])]
        if set(dealt) & set(held):
            continue
        tried += 1
        pocket = held[0][0] == held[1][0]
        paired = held[0][0] > "2" if pocket else bool({card[0] for card in dealt} & {card[0] for card in held})
        straight = category(best(tuple(map(Card, dealt + held)))) >= CATEGORIES.index("straight")
        suits = [card[1] for card in dealt + held]
        draw = any(suits.count(card[1]) == 4 and card[0] in "TJQKA" for card in held)
        assert raises[flop, hole] == (paired or straight or draw), (dealt, held)


def test_a_threshold_is_the_cheapest_and_says_what_it_costs() -> None:
    plain = [(1, 10, Fraction(-1)), (2, 5, Fraction(1)), (3, 1, Fraction(2))]
    assert best_threshold(plain) == (2, 0)
    crossed = [(1, 3, Fraction(1)), (2, 4, Fraction(-2)), (3, 5, Fraction(1))]
    assert best_threshold(crossed) == (3, 3)


def test_ace_jack_is_the_lowest_hand_to_play_among_seven_cards() -> None:
    rules = RulesInForce(game("top-five-poker"))
    (section,) = chart_of(rules).sections
    assert section.cost == 0
    assert section.rules[0].startswith("Play ace-jack or better")
    assert sum(section.hands.values()) == 133_784_560
    least = top_five_value((Card("Ac"), Card("Jd")))
    for seed in range(60):
        cards = drawn(seed, 7)
        assert (advise(rules, cards).best == "play") == (top_five_value(cards) >= least), cards


@pytest.mark.parametrize("letter", ["A", "B"])
def test_phoenix_panda_rabbit_is_the_lowest_hand_to_play_among_characters(letter: str) -> None:
    rules = RulesInForce(game("dragon-poker"), Choices(paytables={"ante-bonus": letter}))
    (section,) = chart_of(rules).sections
    assert section.cost == 0
    assert section.rules == ("Play phoenix-panda-rabbit or better; fold anything less.",)
    least = dragon_value((Card("Ph"), Card("Pa"), Card("Ra")))
    for seed in range(60):
        cards = tuple(card[:2] for card in random.Random(seed).sample(DRAGONS.cards, 3))
        played = advise(rules, cards).best == "play"
        assert played == (dragon_value(tuple(map(Card, cards))) >= least), cards


@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_three_cards_are_played_by_the_chart(version: str) -> None:
    rules = RulesInForce(game("colorado-holdem"), Choices(options={"version": version}))
    actions, discards = chart_of(rules).sections
    assert actions.cost == 0
    assert sum(actions.hands.values()) == 22_100
    grid = discards.grid
    assert grid is not None
    lost = Fraction(0)
    for seed in range(150):
        worths = advise(rules, cards := drawn(seed, 3)).worths
        action, _, discard = next(iter(worths)).partition(", discard ")
        assert action in actions.hands
        if discard:
            ordered = sorted(cards, key=lambda card: RANKS.index(card[0]))
            goes = max(ordered, key=lambda card: _points(grid, [other for other in cards if other != card]))
            lost += worths[f"{action}, discard {discard}"] - worths[f"{action}, discard {goes}"]
    assert bool(lost) == bool(discards.cost)


def _points(grid: object, kept: list[Card]) -> int:
    high, low = sorted(kept, key=lambda card: RANKS.index(card[0]), reverse=True)
    row, column = (high[0], low[0]) if high[1] == low[1] else (low[0], high[0])
    return int(grid.cells[grid.rows.index(row)][grid.columns.index(column)])  # type: ignore[attr-defined]


def test_the_hands_to_fold_are_all_in_the_chart() -> None:
    rules = RulesInForce(game("colorado-holdem"))
    text = chart_of(rules).sections[0].rules
    assert "Fold 632: any suits." in text
    assert "Fold 543 654 943: three suits." in text
    folded = {"5c 4d 3h": True, "5c 4c 3h": False, "6c 3c 2c": True, "9s 4d 3h": True, "9s 4d 3d": False}
    for cards, fold in folded.items():
        assert (next(iter(colorado.action_worths(rules, tuple(map(Card, cards.split()))))) == "fold") == fold, cards


@pytest.mark.parametrize(
    ("cards", "board", "sentence"),
    [
        ("As As", "", "As appears twice."),
        ("As Kd", "As 2c 3c", "As appears twice."),
        ("As 10d", "", "'10d' is not a card of the 52-card deck."),
        ("As", "", "A hand of Ultimate Texas Hold 'Em has 2 cards, not 1."),
        ("As Kd", "2c", "the board shows none or 3 cards or 5 cards, not 1 card."),
    ],
)
def test_cards_no_player_can_see_are_refused(cards: str, board: str, sentence: str) -> None:
    with pytest.raises(WrongCards) as refused:
        advise(HOLDEM, tuple(cards.split()), tuple(board.split()))
    assert str(refused.value).endswith(sentence)
