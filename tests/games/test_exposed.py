"""What exposed cards are worth: each game's own counting, compared with the general solver and with plain counting."""

import os
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pitboss.games import game
from pitboss.games.parts import part_of
from pitboss.lab.exposures import exposed_worth, usual_exposures
from pitboss.odds import general_exposure
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.exposure import (
    Estimate,
    Exposed,
    Exposure,
    Moments,
    WrongExposure,
    exact_sums,
    exposable,
    exposure_of,
)
from pitboss.odds.outcomes import Counts
from pitboss.odds.pricing import net_of_stakes
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

IS_WHOLE = bool(os.environ.get("PITBOSS_AGREE"))
LONG = pytest.mark.skipif(not IS_WHOLE, reason="half a minute; `make agree` runs it")
ONE_DECISION = ("colorado-holdem", "dragon-poker", "top-five-poker")


def rules_of(name: str, **options: str) -> RulesInForce:
    return RulesInForce(game(name), Choices(options={key.replace("_", "-"): value for key, value in options.items()}))


def own(rules: RulesInForce, exposure: Exposure) -> Exposed:
    part = part_of(rules.game.name, "exposed")
    assert part is not None
    found: Exposed = part.exposed(rules, exposure)
    return found


def ev_of(rules: RulesInForce, exposed: Exposed) -> Fraction:
    worth = exposed.worth
    if isinstance(worth, Moments):
        return worth.ev
    assert isinstance(worth, Counts)
    nets = (each.count * net_of_stakes(rules, each.stakes, each.facts, each.cells) for each in worth.outcomes)
    return sum(nets, Fraction(0)) / worth.total


@pytest.mark.parametrize("name", ONE_DECISION)
def test_a_player_who_sees_nothing_plays_the_fair_game(name: str) -> None:
    rules = rules_of(name)
    exact: Any = part_of(name, "exact")
    fair = exact.main_counts(rules)
    total = sum(
        (each.count * net_of_stakes(rules, each.stakes, each.facts, each.cells) for each in fair.outcomes), Fraction(0)
    )
    assert ev_of(rules, own(rules, Exposure())) == total / fair.total


@pytest.mark.parametrize(
    ("name", "exposure"),
    [
        ("dragon-poker", Exposure(dealer=1)),
        ("dragon-poker", Exposure(dealer=2)),
        ("dragon-poker", Exposure(dealer=3)),
    ],
)
def test_the_general_solver_agrees(name: str, exposure: Exposure) -> None:
    rules = rules_of(name)
    assert ev_of(rules, general_exposure.exposed(rules, exposure)) == ev_of(rules, own(rules, exposure))


@pytest.mark.parametrize(
    ("name", "exposure"),
    [
        pytest.param("dragon-poker", Exposure(neighbours=1), marks=LONG),
        pytest.param("dragon-poker", Exposure(neighbours=5), marks=LONG),
        ("dragon-poker", Exposure(dealer=1, neighbours=4)),
        pytest.param("top-five-poker", Exposure(neighbours=5), marks=pytest.mark.slow),
        pytest.param("colorado-holdem", Exposure(neighbours=1), marks=pytest.mark.slow),
    ],
)
def test_random_situations_solved_one_by_one_agree(
    name: str, exposure: Exposure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_PATIENCE", "40" if IS_WHOLE else "10")
    rules = rules_of(name)
    drawn = general_exposure.exposed(rules, exposure).worth
    assert isinstance(drawn, Estimate)
    assert abs(drawn.ev - float(ev_of(rules, own(rules, exposure)))) < 4 * drawn.standard_error


def test_a_dealers_whole_hand_is_worth_what_plain_counting_gives() -> None:
    # Every pair of hands, by their faces: with the dealer's cards known a hand is played if it nets more than a fold.
    rules = rules_of("dragon-poker")
    exact: Any = part_of("dragon-poker", "exact")
    total, count = Fraction(0), 0
    from pitboss.cards.deck import face
    from pitboss.games.dragon_poker.deck import COPIES
    from pitboss.odds.one_decision import end_of
    from pitboss.odds.pricing import required_stakes, stakes_after
    from pitboss.rules.reading import SeatCards, TableCards

    nets: dict[Any, Fraction] = {}
    for cards, ways in exact.hands_of(COPIES):
        left = {name: copies - [face(card) for card in cards].count(name) for name, copies in COPIES.items()}
        for dealer, more in exact.hands_of(left):
            table = TableCards(dealer=dealer)
            reading = rules.game.readings.dealer(table, rules.options)
            worths = []
            for action in next(iter(rules.actions.values())).values():
                stakes = stakes_after(required_stakes(rules), action)
                wagers = [wager for wager, _ in stakes]
                end = end_of(rules, table, reading, SeatCards(cards, action.becomes), wagers)
                if (stakes, end) not in nets:
                    nets[stakes, end] = net_of_stakes(rules, stakes, *end)
                worths.append(nets[stakes, end])
            total += ways * more * max(worths)
            count += ways * more
    assert ev_of(rules, own(rules, Exposure(dealer=3))) == total / count


@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_a_hand_that_sees_the_board_takes_its_best_answer(version: str) -> None:
    # On one board at a time, for a few hands: every answer and discard, read by the game's own readings.
    from pitboss.cards.deck import STANDARD_DECK
    from pitboss.odds.one_decision import end_of
    from pitboss.odds.pricing import required_stakes, stakes_after
    from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards

    rules = rules_of("colorado-holdem", version=version)
    generator = np.random.default_rng(7)
    part: Any = part_of("colorado-holdem", "exposed")
    answers = part._answers(rules, "more")
    worths = []
    for _ in range(4000):
        cards = [STANDARD_DECK.cards[at] for at in generator.permutation(52)[:6]]
        hand, board = tuple(cards[:3]), tuple(cards[3:])
        found = []
        for action in next(iter(rules.actions.values())).values():
            stakes = stakes_after(required_stakes(rules), action)
            for discard in hand if action.discards else (None,):
                seat = SeatCards(hand, action.becomes, discard)
                end = end_of(rules, TableCards(board=board), NO_DEALER, seat, [wager for wager, _ in stakes])
                found.append(net_of_stakes(rules, stakes, *end))
        worths.append(float(max(found)))
    assert answers.scale >= 1
    exact = float(ev_of(rules, own(rules, Exposure(board=3))))
    error = float(np.std(worths)) / len(worths) ** 0.5
    assert abs(float(np.mean(worths)) - exact) < 4 * error


@pytest.mark.parametrize("name", ONE_DECISION)
def test_the_more_is_seen_the_more_it_is_worth(name: str) -> None:
    rules = rules_of(name)
    word = "dealer" if "dealer" in exposable(rules) else "board"
    most = min(exposable(rules)[word], 3)
    values = [ev_of(rules, own(rules, Exposure(**{word: count}))) for count in range(most + 1)]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_neighbours_of_colorado_hold_em_are_worth_more_the_more_of_them_share(monkeypatch: pytest.MonkeyPatch) -> None:
    part: Any = part_of("colorado-holdem", "exposed")
    monkeypatch.setattr(part, "DRAWS", 64)
    rules = rules_of("colorado-holdem")
    answers = part._answers(rules, "more")
    beside_one, beside_two, beside_five = (part._with_neighbours(answers, count).worth for count in (1, 2, 5))
    alone, exactly_one, whole_board = (
        float(ev_of(rules, own(rules, exposure)))
        for exposure in (Exposure(), Exposure(neighbours=1), Exposure(board=3))
    )
    assert abs(beside_one.ev - exactly_one) < 4 * beside_one.standard_error
    assert alone < exactly_one < beside_two.ev < beside_five.ev < whole_board
    assert 1 < beside_five.average_wager < 2


@pytest.mark.parametrize(("version", "shown"), [("required-bet", 3), ("required-bet", 15), ("permissible-bet", 6)])
def test_boards_without_the_cards_seen_are_the_ones_left(version: str, shown: int) -> None:
    # Every board that is left, one by one, priced by the rules: the kernel subtracts the others from a sum over all.
    from pitboss.games.colorado_holdem import peek_kernels
    from pitboss.games.colorado_holdem.exact import cell_numbers

    rules = rules_of("colorado-holdem", version=version)
    part: Any = part_of("colorado-holdem", "exposed")
    answers = part._answers(rules, "more")
    hands, numbers, _ = part._hands()
    generator = np.random.default_rng(shown)
    for at in generator.choice(len(hands), 4, replace=False).tolist():
        seen = generator.permutation(49)[:shown].astype(np.uint8)[None, :]
        worth, bets = np.empty(1), np.empty(1)
        fixed = answers.fixed[hands[at]][0]
        peek_kernels.worth_without(numbers[at], seen, cell_numbers(), answers.nets, fixed, worth, bets)
        others = [card for card in range(52) if card not in numbers[at].tolist()]
        left = [card for place, card in enumerate(others) if place not in seen[0].tolist()]
        boards = np.array(list(combinations(left, 3)), np.uint8)
        best, staked = fixed, 0
        for kept in combinations(numbers[at].tolist(), 2):
            held = np.broadcast_to(np.array(kept, np.uint8), (len(boards), 2))
            cells = cell_numbers()[rank_hands(np.concatenate([held, boards], axis=1))]
            for number, nets in enumerate(answers.nets):
                if nets[cells].mean() > best:
                    best, staked = nets[cells].mean(), number == 0
        assert worth[0] == pytest.approx(best)
        assert bets[0] == staked


def test_six_seats_that_share_their_cards_beat_top_five_poker() -> None:
    rules = rules_of("top-five-poker")
    assert ev_of(rules, own(rules, Exposure(neighbours=5))) == Fraction(7781663097242702, 66687156621110025)
    assert ev_of(rules, own(rules, Exposure(neighbours=1))) > 0 > ev_of(rules, own(rules, Exposure()))


def test_words_are_read_and_wrong_ones_are_explained() -> None:
    rules = rules_of("ultimate-texas-holdem")
    assert exposable(rules) == {"dealer": 2, "flop": 3, "turn-river": 2, "neighbours": rules.seats_most - 1}
    assert exposure_of(rules, ["flop:1", "dealer:2"]).words == ("dealer:2", "flop:1")
    for words, reason in (
        (["dealer"], "'dealer' is not an exposure"),
        (["hole:1"], "'hole:1' is not an exposure"),
        (["dealer:0"], "'dealer:0' is not an exposure"),
        (["dealer:3"], "at most dealer:2"),
        (["board:1"], "nobody can see board cards too early"),
        (["dealer:1", "dealer:1"], "given twice"),
    ):
        with pytest.raises(WrongExposure, match=reason):
            exposure_of(rules, words)


def test_a_sheet_lists_every_word_a_game_has() -> None:
    for name in (*ONE_DECISION, "ultimate-texas-holdem"):
        rules = rules_of(name)
        listed = [exposure.counts for exposure in usual_exposures(rules)]
        assert {word for counts in listed for word in counts} == set(exposable(rules))
        assert len({tuple(counts.items()) for counts in listed}) == len(listed)


def test_what_was_counted_is_kept(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    rules = rules_of("dragon-poker")
    first = exposed_worth(rules, Exposure(dealer=2))
    monkeypatch.setattr("pitboss.games.dragon_poker.exposed.exposed", None)
    assert exposed_worth(rules, Exposure(dealer=2)) == first
    assert first.as_dict()["seen"] == ["dealer:2"]


def test_sums_of_large_weights_are_exact() -> None:
    weights = [3**30, 7, 10**17]
    counts = np.array([[1 << 40, 2], [5, 6], [7, 1 << 45]], np.int64)
    plain = [sum(weight * int(row[column]) for weight, row in zip(weights, counts, strict=True)) for column in (0, 1)]
    assert exact_sums(weights, counts) == plain


def test_pairs_of_cards_are_told_apart_by_more_than_suits() -> None:
    from pitboss.games.ultimate_texas_holdem.exposed import _kinds_seen

    assert _kinds_seen() == 169
    assert _kinds_seen(singles=1) == 5083
    deck = range(16)  # four ranks are enough to compare the formula for pairs with plain counting
    assert len(list(combinations(deck, 2))) == 120


def test_the_rule_against_a_dealers_card_costs_what_playing_by_its_words_costs() -> None:
    # The printed words, followed hand by hand over every deal by plain counting.
    from pitboss.cards.deck import face
    from pitboss.games.dragon_poker.chart import hand_words
    from pitboss.games.dragon_poker.deck import COPIES, TITLES
    from pitboss.games.dragon_poker.readings import full_name, value_of
    from pitboss.odds.one_decision import end_of
    from pitboss.odds.pricing import required_stakes, stakes_after
    from pitboss.rules.reading import SeatCards, TableCards

    rules = rules_of("dragon-poker")
    exact: Any = part_of("dragon-poker", "exact")
    found = own(rules, Exposure(dealer=1))
    assert found.rule is not None
    order = ("rabbit", "monkey", "panda", "tiger", "phoenix", "dragon", "gold dragon")
    least: dict[str, int] = {}
    hands = sorted((cards for cards, _ in exact.hands_of(COPIES)), key=value_of, reverse=True)
    values = {full_name(value_of(cards), 2): value_of(cards) for cards in hands}
    values |= {hand_words(cards): value_of(cards) for cards in hands}  # the lowest that is called so
    for line in found.rule.lines:
        seen, _, hand = line.removesuffix(" or better.").partition(", play ")
        first, _, last = seen.removeprefix("Against a ").partition(" to a ")
        for name in order[order.index(first) : order.index(last or first) + 1]:
            least[name] = values[hand]
    assert set(least) == set(order)

    nets: dict[Any, Fraction] = {}
    fold, play = sorted(next(iter(rules.actions.values())).values(), key=lambda action: action.name)
    total, count = Fraction(0), 0
    for cards, ways in exact.hands_of(COPIES):
        left = {name: copies - [face(card) for card in cards].count(name) for name, copies in COPIES.items()}
        for dealer, more in exact.hands_of(left):
            table = TableCards(dealer=dealer)
            for shown in dealer:  # each of the three cards is as likely the one seen
                title = TITLES[face(shown)]
                name = title if title == "gold dragon" else title.split()[-1]
                action = play if value_of(cards) >= least[name] else fold
                stakes = stakes_after(required_stakes(rules), action)
                reading = rules.game.readings.dealer(table, rules.options)
                seat = SeatCards(cards, action.becomes)
                end = end_of(rules, table, reading, seat, [wager for wager, _ in stakes])
                if (stakes, end) not in nets:
                    nets[stakes, end] = net_of_stakes(rules, stakes, *end)
                total += ways * more * nets[stakes, end]
                count += ways * more
    assert ev_of(rules, found) - total / count == found.rule.cost


@pytest.mark.parametrize(
    ("name", "exposure"), [("dragon-poker", Exposure(dealer=3)), ("top-five-poker", Exposure(dealer=7))]
)
def test_who_sees_the_dealers_whole_hand_only_has_to_compare(name: str, exposure: Exposure) -> None:
    found = own(rules_of(name), exposure)
    assert found.rule is not None
    assert found.rule.cost == 0
    assert "ties or beats" in found.rule.lines[0]


@pytest.mark.parametrize(
    ("name", "exposure"),
    [
        ("dragon-poker", Exposure(dealer=2)),
        ("dragon-poker", Exposure(neighbours=1)),
        ("top-five-poker", Exposure(dealer=1)),
        ("top-five-poker", Exposure(dealer=2)),
        ("colorado-holdem", Exposure(board=1)),
        ("colorado-holdem", Exposure(board=2)),
    ],
)
def test_a_rule_is_short_and_keeps_most_of_what_the_cards_are_worth(name: str, exposure: Exposure) -> None:
    rules = rules_of(name)
    found = own(rules, exposure)
    assert found.rule is not None
    assert len(found.rule.lines) <= 6
    assert 0 <= found.rule.cost < (ev_of(rules, found) - ev_of(rules, own(rules, Exposure()))) / 2


def test_the_lines_of_a_rule_do_not_overlap() -> None:
    rule = own(rules_of("top-five-poker"), Exposure(neighbours=2)).rule
    assert rule is not None
    ends = [line.removeprefix("With ").split(" unseen")[0].split(" to ") for line in rule.lines[1:]]
    numbers = [number for each in ends for number in range(int(each[0]), int(each[-1]) + 1)]
    assert numbers == list(range(21))
