"""The exact value of Colorado Hold 'Em, computed a second time in other ways."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from games.second_method import average_stake, dealt_nets, mean, net, rules_of, standard_errors
from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.shuffle import SeededShuffle
from pitboss.games.colorado_holdem import exact
from pitboss.games.colorado_holdem.paytables import CELLS, MAIN
from pitboss.games.colorado_holdem.readings import five_card_cell
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.evaluator_tables import card_number, tables
from pitboss.odds.pricing import net_units
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import payoff
from pitboss.rules.play import DECLARED, FOLDED, PLAYED
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

NAME = "colorado-holdem"
DEALS = comb(52, 3) * comb(49, 3)
REQUIRED = {"version": "required-bet"}
PUSHING = {"version": "permissible-bet", "permissible_tens": "push"}
PAYING = {"version": "permissible-bet", "permissible_tens": "pay"}
LOW_ACE = {"ace_low_three_card": "yes"}
FIGURES = [
    (REQUIRED, Fraction(-2858741, 50896300), Fraction(-4885007, 25448150)),
    (REQUIRED | {"bonus_on_fold": "returned"}, Fraction(-2858741, 50896300), Fraction(-846191, 5089630)),
    (REQUIRED | LOW_ACE, Fraction(-2133, 38675), Fraction(-486011, 2544815)),
    (
        REQUIRED | LOW_ACE | {"bonus_on_fold": "returned"},
        Fraction(-2133, 38675),
        Fraction(-2103029, 12724075),
    ),
    (PUSHING, Fraction(-11099, 363545), Fraction(-493999, 2908360)),
    (PUSHING | LOW_ACE, Fraction(-3009197, 101792600), Fraction(-17190377, 101792600)),
    (PAYING, Fraction(20754, 978775), Fraction(-1338839, 7830200)),
    (PAYING | LOW_ACE, Fraction(9603, 433160), Fraction(-17305319, 101792600)),
]


def hand(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def optimal(rules: RulesInForce, cards: tuple[Card, ...]) -> list[str]:
    """Return the best action as a seat states it."""
    return next(iter(exact.action_worths(rules, cards))).split(", ")


def ends_through_readings(
    rules: RulesInForce, seat: SeatCards, boards: list[tuple[Card, ...]]
) -> Counter[tuple[frozenset[str], str | None]]:
    nobody = DealerReading(0, None, None)
    found: Counter[tuple[frozenset[str], str | None]] = Counter()
    for board in boards:
        reading = rules.game.readings.seat(TableCards(board=board), nobody, seat, rules.options, ("ante", "bet"))
        found[reading.facts, reading.cells.get("ante")] += 1
    return found


def worths_through_readings(rules: RulesInForce, cards: tuple[Card, ...]) -> dict[str, Fraction]:
    """Return what each action is worth by laying out every board."""
    boards: list[tuple[Card, ...]] = list(combinations([card for card in STANDARD_DECK.cards if card not in cards], 3))
    (actions,) = rules.actions.values()
    worths = {}
    for discard in cards:
        ends = ends_through_readings(rules, SeatCards(cards, PLAYED, discard), boards)
        for action in actions.values():
            if action.discards:
                worths[f"{action.name}, discard {discard}"] = priced(rules, ends, bet=bool(action.stakes))
    for name, status in (("declare", DECLARED), ("fold", FOLDED)):
        if name in actions:
            worths[name] = priced(rules, ends_through_readings(rules, SeatCards(cards, status), boards), bet=False)
    return worths


def priced(rules: RulesInForce, ends: Counter[tuple[frozenset[str], str | None]], *, bet: bool) -> Fraction:
    won = sum(
        count * net_units(rules, wager, rules.adjudicate(wager, facts, cell))
        for (facts, cell), count in ends.items()
        for wager in (("ante", "bet") if bet else ("ante",))
    )
    return Fraction(won, comb(49, 3))


@cache
def boards_laid_out() -> list[tuple[tuple[Card, ...], list[list[int]]]]:
    """Return every hand of three suits' patterns, written out, and for each discard its boards by cell."""
    cell_of = np.array([CELLS.index(five_card_cell(int(value))) for value in tables().poker_value])
    drawn = np.array(list(combinations(range(49), 3)))
    found: list[tuple[tuple[Card, ...], list[list[int]]]] = []
    for three in {plain(cards): cards for cards in combinations(STANDARD_DECK.cards, 3)}.values():
        numbers = [card_number(card) for card in three]
        rest = np.array([number for number in range(52) if number not in numbers], np.uint8)[drawn]
        rows = []
        for discard in numbers:
            kept = np.array([number for number in numbers if number != discard], np.uint8)
            hands = np.hstack([np.broadcast_to(kept, (len(rest), 2)), rest])
            rows.append(np.bincount(cell_of[rank_hands(hands)], minlength=len(CELLS)).tolist())
        found.append((three, rows))
    return found


def plain(cards: tuple[Card, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the ranks held in each suit, whichever suit it is."""
    return tuple(sorted(tuple(sorted(card[0] for card in cards if card[1] == suit)) for suit in "cdhs"))


@pytest.mark.parametrize(("options", "main", "bonus"), FIGURES)
def test_both_wagers_are_worth_their_figures(options: dict[str, str], main: Fraction, bonus: Fraction) -> None:
    rules = rules_of(NAME, **options)
    for ties in ("more", "less"):
        counts = exact.main_counts(rules, ties)
        assert counts.total == sum(outcome.count for outcome in counts.outcomes) == DEALS
        assert mean(rules, counts) == main
    counts = exact.wager_counts(rules, "bonus")
    assert counts.total == sum(outcome.count for outcome in counts.outcomes) == DEALS
    assert mean(rules, counts) == bonus


def test_paying_tens_favors_the_player() -> None:
    pushing, paying = rules_of(NAME, **PUSHING), rules_of(NAME, **PAYING)
    assert mean(pushing, exact.main_counts(pushing)) < 0 < mean(paying, exact.main_counts(paying))


def test_tens_are_paid_in_the_required_version_whatever_the_option() -> None:
    rules = rules_of(NAME, **REQUIRED | {"permissible_tens": "pay"})
    assert mean(rules, exact.main_counts(rules)) == FIGURES[0][1]


@pytest.mark.parametrize("options", [REQUIRED, PUSHING, PAYING | LOW_ACE])
def test_values_equal_a_plain_enumeration_through_the_readings(options: dict[str, str]) -> None:
    rules = rules_of(NAME, **options)
    for cards in (SeededShuffle(len(str(options))).order(STANDARD_DECK)[:3], hand("2h Ah 3h")):
        assert exact.action_worths(rules, cards) == worths_through_readings(rules, cards), cards


@pytest.mark.slow
@pytest.mark.parametrize(("options", "main", "bonus"), FIGURES)
def test_every_board_of_every_hand_laid_out_gives_the_same_value(
    options: dict[str, str], main: Fraction, bonus: Fraction
) -> None:
    rules = rules_of(NAME, **options)
    ways = Counter(map(plain, combinations(STANDARD_DECK.cards, 3)))
    (actions,) = rules.actions.values()

    def units(wager: str, facts: frozenset[str], cell: str | None) -> Fraction:
        return net_units(rules, wager, rules.adjudicate(wager, facts, cell))

    ante, bet, extra = ([units(wager, frozenset({cell}), cell) for cell in CELLS] for wager in ("ante", "bet", "bonus"))
    won = won_bonus = Fraction(0)
    for three, rows in boards_laid_out():
        choices = []
        for row in rows:
            alone = sum(count * item for count, item in zip(row, ante, strict=True))
            raised = alone + sum(count * item for count, item in zip(row, bet, strict=True))
            on_bonus = sum(count * item for count, item in zip(row, extra, strict=True))
            choices += [(raised, on_bonus)] + [(alone, on_bonus)] * ("check" in actions)
        folded = frozenset({"folded"})
        if "fold" in actions:
            choices.append((units("ante", folded, None) * comb(49, 3), units("bonus", folded, None) * comb(49, 3)))
        ranks = sorted("A23456789TJQK".index(card[0]) for card in three)
        suited = len({card[1] for card in three}) == 1
        runs = [[n, n + 1, n + 2] for n in range(1, 11)] + [[0, 11, 12]]
        runs += [[0, 1, 2]] if rules.options["ace-low-three-card"] == "yes" else []
        if ranks[0] == ranks[2] or (suited and ranks in runs):
            choices.append((5 * Fraction(comb(49, 3)), 5 * Fraction(comb(49, 3))))
        best = max(worth for worth, _ in choices)
        tied = {on_bonus for worth, on_bonus in choices if worth == best}
        assert len(tied) == 1, f"a tie over {three} would leave the bonus open"
        won += ways[plain(three)] * best
        won_bonus += ways[plain(three)] * tied.pop()
    assert (won / DEALS, won_bonus / DEALS) == (main, bonus)


@pytest.mark.slow
@pytest.mark.parametrize("options", [REQUIRED, PUSHING])
def test_dealt_rounds_settle_within_four_standard_errors(options: dict[str, str]) -> None:
    rounds, rules = 3_000, rules_of(NAME, **options)
    won = dealt_nets(rules, ("bonus",), lambda cards: optimal(rules, cards), rounds, seed=52)
    assert standard_errors(rules, exact.main_counts(rules), won["main"], rounds) < 4
    assert standard_errors(rules, exact.wager_counts(rules, "bonus"), won["bonus"], rounds) < 4


@pytest.mark.parametrize("options", [REQUIRED, PAYING])
def test_facts_and_cells_are_those_of_the_readings(options: dict[str, str]) -> None:
    rules = rules_of(NAME, **options)
    main = {(outcome.stakes, outcome.facts, outcome.cells) for outcome in exact.main_counts(rules).outcomes}
    bonus = {(outcome.facts, outcome.cells) for outcome in exact.wager_counts(rules, "bonus").outcomes}
    (actions,) = rules.actions.values()
    shuffle = SeededShuffle(3)
    seen = set()
    for _ in range(1_500):
        order = shuffle.order(STANDARD_DECK)
        name, *discarded = optimal(rules, order[:3])
        discard = Card(discarded[0].removeprefix("discard ")) if discarded else None
        seat = SeatCards(order[:3], actions[name].becomes, discard)
        table = TableCards(board=order[3:6])
        reading = rules.game.readings.seat(table, DealerReading(0, None, None), seat, rules.options, ())
        wagers = ("ante", "bet") if name == "bet" else ("ante",)
        stakes = tuple((wager, 1) for wager in wagers)
        seen.add(
            (stakes, reading.facts, tuple((wager, reading.cells[wager]) for wager in wagers if wager in reading.cells))
        )
        assert (reading.facts, tuple((item, cell) for item, cell in reading.cells.items() if item == "bonus")) in bonus
    assert seen <= main
    assert len(seen) > len(main) // 2


def test_the_best_actions_of_all_hands_add_up_to_the_main_game() -> None:
    rules = rules_of(NAME, **PUSHING)
    ways = Counter(map(plain, combinations(STANDARD_DECK.cards, 3)))
    hands = {plain(cards): cards for cards in combinations(STANDARD_DECK.cards, 3)}
    won = sum(count * max(exact.action_worths(rules, hands[kind]).values()) for kind, count in ways.items())
    assert won / comb(52, 3) == Fraction(-11099, 363545)


def test_actions_come_best_first_and_of_equal_ones_the_larger_wager() -> None:
    worths = exact.action_worths(rules_of(NAME, **PUSHING), hand("Qc 8d Jc"))
    assert list(worths.values()) == sorted(worths.values(), reverse=True)
    assert list(worths)[:2] == ["bet, discard 8d", "check, discard 8d"]
    assert worths["bet, discard 8d"] == worths["check, discard 8d"] == 0


def test_equal_choices_change_only_the_average_wager() -> None:
    rules = rules_of(NAME, **PUSHING)
    more, less = exact.main_counts(rules, "more"), exact.main_counts(rules, "less")
    # Eight with queen and jack of another suit is the one hand whose Bet is worth nothing: twelve deals.
    assert average_stake(more) - average_stake(less) == Fraction(12, comb(52, 3))


def test_instant_winners_are_declared_and_nothing_else_is() -> None:
    for options, hands in ((REQUIRED, 96), (PUSHING | LOW_ACE, 100)):
        outcomes = exact.main_counts(rules_of(NAME, **options)).outcomes
        declared = [outcome for outcome in outcomes if outcome.facts == {"declared"}]
        assert sum(item.count for item in declared) == hands * comb(49, 3)
        assert not [outcome for outcome in outcomes if "declared-wrongly" in outcome.facts]


def test_a_hopeless_hand_is_folded_and_not_declared_wrongly() -> None:
    worths = exact.action_worths(rules_of(NAME), hand("2h 3d 4c"))
    assert list(worths)[:2] == ["fold", "declare"]
    assert worths["fold"] == worths["declare"] == -1


def test_nobody_folds_where_the_bet_is_permissible() -> None:
    rules = rules_of(NAME, **PUSHING)
    assert "fold" not in exact.action_worths(rules, hand("2h 3d 4c"))
    assert frozenset({"folded"}) not in {outcome.facts for outcome in exact.main_counts(rules).outcomes}


@pytest.mark.parametrize(
    ("cards", "discard"),
    [
        ("2h Kd Kc", "2h"),  # a pair is kept
        ("Kc Kd 7s", "7s"),
        ("Ts 9c Qs", "9c"),
        ("7h 8d 9c", "7h"),  # worth the same without the nine: the lowest goes
        ("9c 7h 8d", "7h"),
    ],
)
def test_the_discard_of_highest_value_is_found(cards: str, discard: str) -> None:
    rules = rules_of(NAME)
    assert exact.best_discard(rules, hand(cards), "bet") == discard
    worths = exact.action_worths(rules, hand(cards))
    assert worths[f"bet, discard {discard}"] == max(worth for name, worth in worths.items() if "bet" in name)


@pytest.mark.parametrize("cards", ["9s Kd 9d", "9d Kd 9s"])
def test_of_equal_cards_the_one_goes_that_leaves_two_of_a_suit(cards: str) -> None:
    # Where no hand earns by its suits the two nines are worth the same.
    flat = MAIN[0].with_odds(dict.fromkeys(("royal-flush", "straight-flush"), payoff("5 to 1")))
    flat = replace(flat, lines=tuple(line for line in flat.lines if line.hand != "flush"))
    rules = rules_of(NAME, own_tables={"ante": flat, "bet": flat})
    worths = exact.action_worths(rules, hand(cards))
    assert worths["bet, discard 9s"] == worths["bet, discard 9d"]
    assert [name for name in worths if "discard 9" in name] == ["bet, discard 9s", "bet, discard 9d"]


def test_raised_odds_are_worth_more_and_change_the_play() -> None:
    raised = MAIN[0].with_odds({"flush": payoff("401 to 2"), "royal-flush": payoff("1000000000000 to 1")})
    rules = rules_of(NAME, own_tables={"ante": raised})
    cards = hand("Ks 3h 9h")
    assert exact.action_worths(rules, cards) == worths_through_readings(rules, cards)
    assert exact.best_discard(rules_of(NAME), cards, "bet") == "3h"
    assert exact.best_discard(rules, cards, "bet") == "Ks"
    counts = exact.main_counts(rules)
    assert mean(rules, counts) > FIGURES[0][1]
    assert Fraction(401, 2) + 8 in {net(rules, outcome) for outcome in counts.outcomes}
