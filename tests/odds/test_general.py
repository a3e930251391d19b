"""The general solver, compared with the hand-written kernels and with plain listing, and its limits.

`PITBOSS_AGREE=1` also follows a hand from a flop, which takes half a minute; `make agree` runs it so.
"""

import os
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from odds.made_up import made_up, plainly, read_dealer, read_seat
from pitboss.cards.deck import Card
from pitboss.games import game
from pitboss.lab.edges import cases, with_paytable
from pitboss.lab.exact_counts import MAIN, counts_of, exact_of
from pitboss.lab.nets import net_of
from pitboss.odds import general
from pitboss.odds.effort import PATIENCE, effort_of
from pitboss.odds.enumerated import Enumeration, Seen
from pitboss.odds.outcomes import Counts, NotCountable
from pitboss.odds.pricing import main_wagers
from pitboss.odds.tried import suits_read_alike
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import Readings

DRAGON, TOP_FIVE, COLORADO, UTH = (
    game(name) for name in ("dragon-poker", "top-five-poker", "colorado-holdem", "ultimate-texas-holdem")
)


def worth(rules: RulesInForce, counts: Counts) -> Fraction:
    nets = (outcome.count * net_of(rules, outcome, stake_cents=100, meters={}) for outcome in counts.outcomes)
    return sum(nets, Fraction(0)) / counts.total


def spread(rules: RulesInForce, counts: Counts) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for outcome in counts.outcomes:
        net = net_of(rules, outcome, stake_cents=100, meters={})
        found[net] = found.get(net, Fraction(0)) + Fraction(outcome.count, counts.total)
    return found


def agrees(rules: RulesInForce, wager: str) -> None:
    counts = general.main_counts(rules) if wager == MAIN else general.wager_counts(rules, wager)
    assert spread(rules, counts) == spread(rules, counts_of(rules, wager))


@pytest.mark.parametrize(("wager", "letter"), list(cases(DRAGON, Choices())))
def test_dragon_poker_is_what_its_kernels_count(wager: str, letter: str | None) -> None:
    agrees(with_paytable(DRAGON, Choices(), wager, letter), wager)


def test_the_value_of_dragon_poker_is_found_from_its_definition() -> None:
    rules = RulesInForce(DRAGON)
    assert worth(rules, general.main_counts(rules)) == Fraction(-581289, 18365984)


@pytest.mark.slow
@pytest.mark.parametrize("wager", ["main", "top-five-bonus", "poker-bonus"])
def test_top_five_poker_is_what_its_kernels_count(wager: str) -> None:
    agrees(RulesInForce(TOP_FIVE), wager)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_colorado_holdem_is_what_its_kernels_count(version: str) -> None:
    rules = RulesInForce(COLORADO, Choices(options={"version": version}))
    together = general.counts_together["bonus"](rules, "more")
    for wager, stakes in ((MAIN, lambda name: name != "bonus"), ("bonus", lambda name: name == "bonus")):
        own = tuple(
            replace(outcome, stakes=tuple((name, units) for name, units in outcome.stakes if stakes(name)))
            for outcome in together.outcomes
        )
        assert spread(rules, replace(together, outcomes=own)) == spread(rules, counts_of(rules, wager))


@pytest.mark.parametrize("name", ["dragon-poker", "top-five-poker", "colorado-holdem"])
def test_what_an_action_is_worth_agrees_hand_by_hand(name: str) -> None:
    rules, chance = RulesInForce(game(name)), random.Random(4)
    for _ in range(3):
        cards = tuple(chance.sample(rules.game.deck.cards, rules.game.cards_each))
        assert general.action_worths(rules, cards) == exact_of(name).action_worths(rules, cards)


def test_the_last_question_of_ultimate_texas_holdem_agrees_hand_by_hand() -> None:
    rules, chance = RulesInForce(UTH), random.Random(5)
    for _ in range(4):
        cards = tuple(chance.sample(rules.game.deck.cards, 7))
        expected = exact_of(UTH.name).action_worths(rules, cards[:2], cards[2:])
        assert general.action_worths(rules, cards[:2], cards[2:]) == expected


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PITBOSS_AGREE"), reason="half a minute; `make agree` runs it")
def test_a_flop_of_ultimate_texas_holdem_agrees_through_both_questions_that_follow() -> None:
    rules = RulesInForce(UTH)
    own, flop = tuple(map(Card, ("Kc", "7d"))), tuple(map(Card, ("Kh", "9s", "2c")))
    found = general.action_worths(rules, own, flop)
    assert found == exact_of(UTH.name).action_worths(rules, own, flop)
    assert found["check"] == Fraction(184367, 178365)


def test_what_would_take_too_long_is_reported_and_not_started() -> None:
    with pytest.raises(
        NotCountable,
        match=r"Ultimate Texas Hold 'Em has about 2.78 trillion deals .* would need about .* limit is 10 minutes",
    ):
        general.main_counts(RulesInForce(UTH))


def test_patience_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATIENCE, "0")
    with pytest.raises(NotCountable, match="limit is 0 seconds"):
        general.main_counts(RulesInForce(DRAGON))


def test_hands_too_many_to_hold_are_refused_with_their_number() -> None:
    blind = replace(TOP_FIVE, readings=replace(TOP_FIVE.readings, alike=()))
    with pytest.raises(NotCountable, match=r"Top Five Poker has|133,784,560 different hands"):
        general.main_counts(RulesInForce(blind))


def test_two_questions_with_cards_in_view_agree_with_listing_every_deal() -> None:
    rules = RulesInForce(made_up())
    main, side = plainly(rules)
    counts = general.main_counts(rules)
    assert worth(rules, counts) == main
    assert worth(rules, general.wager_counts(rules, "side")) == side
    assert {(dict(outcome.stakes).get("raise"), "folded" in outcome.facts) for outcome in counts.outcomes} == {
        (3, False),
        (1, False),
        (None, True),
    }


def test_a_side_wager_is_counted_beside_the_main_game() -> None:
    rules = RulesInForce(made_up())
    together = general.counts_together["side"](rules, "more")
    main = sum(outcome.count * net_of(rules, outcome, stake_cents=100, meters={}, wagers=("ante", "raise"))
               for outcome in together.outcomes)  # fmt: skip
    assert Fraction(main, together.total) == worth(rules, general.main_counts(rules))


def names_a_suit(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
    reading = read_seat(table, dealer, seat, options, wagers)
    return reading._replace(cells={"side": "suited" if "Qd" in seat.cards else "other"})


def test_a_reading_that_names_a_suit_is_noticed_and_counted_without_symmetry() -> None:
    rules = RulesInForce(made_up(readings=Readings(read_dealer, names_a_suit)))
    assert not suits_read_alike(rules, ("side",))
    assert suits_read_alike(RulesInForce(made_up()), ("side",))
    assert worth(rules, general.wager_counts(rules, "side")) == plainly(rules)[1]


def test_a_royal_flush_in_one_suit_is_noticed() -> None:
    def spades_only(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
        reading = TOP_FIVE.readings.seat(table, dealer, seat, options, wagers)
        royal = {"As", "Ks", "Qs", "Js", "Ts"} <= set(seat.cards)
        return reading._replace(cells={**reading.cells, "poker-bonus": "royal-flush" if royal else "high-card"})

    rules = RulesInForce(replace(TOP_FIVE, readings=replace(TOP_FIVE.readings, seat=spades_only, alike=())))
    assert not suits_read_alike(rules, ("poker-bonus",))


def by_order(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
    reading = read_seat(table, dealer, seat, options, wagers)
    return reading._replace(cells={"side": "pair" if seat.cards[0][0] == "Q" else "other"})


def test_a_reading_by_the_order_of_the_cards_is_refused() -> None:
    rules = RulesInForce(made_up(readings=Readings(read_dealer, by_order)))
    with pytest.raises(NotCountable, match="in the order they were dealt"):
        general.wager_counts(rules, "side")


def test_cards_wrongly_declared_to_read_alike_are_named() -> None:
    rules = RulesInForce(made_up(readings=Readings(read_dealer, read_seat, alike=((Card("9c"), Card("Qc")),))))
    with pytest.raises(NotCountable, match="declares that 9c and 1 other cards read alike, but"):
        general.main_counts(rules)


def by_name(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
    reading = read_seat(table, dealer, seat, options, wagers)
    if seat.status == "folded":
        return reading
    even = int(dealer.hand) % 2 == 0 and table.dealer[0] != table.board[0]
    return reading._replace(facts=reading.facts if even else frozenset({"ties", "stays"}))


def test_readings_that_look_at_the_dealers_name_and_cards_are_counted_too() -> None:
    rules = RulesInForce(made_up(readings=Readings(read_dealer, by_name)))
    main, side = plainly(rules)
    assert worth(rules, general.main_counts(rules)) == main
    assert worth(rules, general.wager_counts(rules, "side")) == side


def hides(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
    try:
        return read_seat(table, dealer, seat, options, wagers)
    except Exception:
        return read_seat(table, dealer, seat._replace(status="folded"), options, wagers)


def test_a_reading_that_catches_everything_still_shows_what_it_looks_at() -> None:
    rules = RulesInForce(made_up(readings=Readings(read_dealer, hides)))
    assert worth(rules, general.main_counts(rules)) == plainly(rules)[0]


def test_a_discard_that_is_looked_at_is_counted_by_the_whole_hand() -> None:
    looked: list[Card] = []

    def looks(table: Any, dealer: Any, seat: Any, options: Any, wagers: Any) -> Any:
        if seat.discard is not None:
            looked.append(seat.discard[0])
        return COLORADO.readings.seat(table, dealer, seat, options, wagers)

    other = RulesInForce(replace(COLORADO, readings=replace(COLORADO.readings, seat=looks)))
    enumeration = Enumeration(other, main_wagers(other))
    alike = enumeration.alike
    cards = (Card("2c"), Card("7d"), Card("9h"))
    seen = Seen(alike.row(cards))
    ends = enumeration.ends(seen, "played", cards[0])
    same = Enumeration(RulesInForce(COLORADO), main_wagers(other))
    expected = same.ends(seen, "played", cards[0])
    assert {enumeration.outcomes[at]: count for at, count in ends.items()} == {
        same.outcomes[at]: count for at, count in expected.items()
    }
    assert looked


def test_the_player_of_the_general_solver_takes_the_best_action_in_any_suits() -> None:
    rules = RulesInForce(COLORADO)
    decide = general.player(rules)
    from pitboss.rules.reading import TableCards

    for hand in (("Ac", "Ad", "7h"), ("Ah", "As", "7c")):
        cards = tuple(map(Card, hand))
        action, discard = decide(rules.asks[0].name, cards, TableCards())
        assert (action, discard) == ("bet", cards[2])


def test_effort_grows_with_what_is_hidden() -> None:
    enumeration = Enumeration(RulesInForce(DRAGON), main_wagers(RulesInForce(DRAGON)))
    assert effort_of(enumeration).deals == 459_149_600
    assert effort_of(enumeration).seconds < 5
