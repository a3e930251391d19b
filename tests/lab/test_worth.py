"""Counts are priced by the rules in force, for any paytable, option, stake or meter."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cards.poker import CATEGORIES
from pitboss.games import game
from pitboss.games.ultimate_texas_holdem import exact, solution
from pitboss.lab.advice import advise
from pitboss.lab.edges import edges
from pitboss.lab.exact_counts import NotAnalysed, counts_of, counts_with_main
from pitboss.lab.meters import MeterCourse, courses
from pitboss.lab.worth import worth_of
from pitboss.round.money import settle_wagers
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import payoff
from pitboss.rules.paytable import Line, Paytable
from pitboss.rules.reading import SeatReading

HOLDEM = game("ultimate-texas-holdem")
pytestmark = pytest.mark.xdist_group("exact")


def rules(**options: str) -> RulesInForce:
    return RulesInForce(HOLDEM, Choices(options={name.replace("_", "-"): value for name, value in options.items()}))


def test_the_main_game_counted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worth = worth_of(rules(), "main", recompute=True)
    assert worth.ev == Fraction(-607723787676, 27813810024000)
    assert worth.total == 27813810024000
    assert sum(line.combinations for line in worth.lines) == worth.total
    assert sum((line.contribution for line in worth.lines), Fraction(0)) == worth.ev


def test_equal_choices_change_averages_but_not_the_value() -> None:
    more = worth_of(rules(), "main")
    less = worth_of(rules(), "main", ties="less")
    assert more.ev == less.ev
    assert more.average_wager > less.average_wager


@pytest.mark.parametrize(("pays", "points"), [("either", 4.55), ("player", 4.28)])
def test_a_fold_that_loses_bad_beat_costs_points_of_edge(pays: str, points: float) -> None:
    stays = worth_of(rules(bad_beat_pays=pays), "bad-beat")
    loses = worth_of(rules(bad_beat_pays=pays, bad_beat_on_fold="loses"), "bad-beat")
    assert round(100 * float(loses.house_edge - stays.house_edge), 2) == points


def test_bad_beat_on_the_players_hand_only_costs_most_of_the_stake() -> None:
    assert 0.55 < float(worth_of(rules(bad_beat_pays="player"), "bad-beat").house_edge) < 0.65


def test_a_progressive_on_seven_cards_returns_several_times_the_stake() -> None:
    assert worth_of(rules(progressive_hand="best-of-seven"), "progressive").ev > 1


def test_a_meter_breaks_even_where_its_value_crosses_zero() -> None:
    worth = worth_of(rules(), "progressive")
    amount = worth.break_even_meter
    assert amount is not None
    assert worth_of(rules(), "progressive", meters={"meter": amount}).ev >= 0
    assert worth_of(rules(), "progressive", meters={"meter": amount - 1}).ev < 0


def test_each_other_player_adds_the_same_envy() -> None:
    none = worth_of(rules(), "progressive")
    worth = worth_of(rules(), "progressive", others=1)
    five = worth_of(rules(), "progressive", others=5)
    assert worth.ev - none.ev == Fraction(4 * 1000 + 36 * 300, 2598960)
    assert five.ev - none.ev == 5 * (worth.ev - none.ev)


def test_dollar_prizes_shrink_against_a_larger_stake() -> None:
    small, large = (worth_of(rules(), "six-card-bonus", stake_cents=stake) for stake in (100, 500))
    prizes = Fraction(1 * 1_000_000 + 3 * 100_000, 20358520)
    assert small.ev - large.ev == prizes - prizes / 5


def test_a_side_paytable_needs_no_new_count() -> None:
    assert counts_of(rules(), "trips") == counts_of(RulesInForce(HOLDEM, Choices(paytables={"trips": "D"})), "trips")


def test_one_row_for_each_wager_and_paytable() -> None:
    rows = [(worth.wager, worth.paytable) for worth in edges(HOLDEM, wager="trips")]
    assert rows == [("trips", letter) for letter in "ABCDE"]
    row = next(edges(HOLDEM, wager="ultimate-pairs", paytable="A", settings={"x": "y"})).as_dict()
    assert row["ev"] == "-59/663"
    assert row["hit_frequency"] == "21/221"
    assert row["options"] == {"x": "y"}
    assert row["method"] == "exact"


def limited(cents: int, **options: str) -> RulesInForce:
    return RulesInForce(HOLDEM, Choices(options=options, amounts={"payout-limit": cents}))


def test_a_payout_limit_that_no_stake_reaches_changes_nothing() -> None:
    plain, under = worth_of(rules(), "main"), worth_of(limited(5_000_000), "main")
    assert (under.ev, under.variance, under.notes) == (plain.ev, plain.variance, ())


def test_a_payout_limit_cuts_the_main_game_as_a_table_would() -> None:
    in_force = limited(5_000_000)
    worth = worth_of(in_force, "main", stake_cents=100_000)
    plain = worth_of(rules(), "main", stake_cents=100_000)
    assert worth.ev < plain.ev
    assert "payout limit of $50,000 is included, at $1,000 a wager" in worth.notes[0]
    assert worth.as_dict()["notes"] == list(worth.notes)
    # Every outcome again, its wagers settled in cents by the money of the round.
    won = 0
    for outcome in counts_of(in_force, "main").outcomes:
        stakes = {name: 100_000 * units for name, units in outcome.stakes}
        results, _ = settle_wagers(in_force, SeatReading("", outcome.facts, dict(outcome.cells)), stakes)
        won += outcome.count * sum(result.net for result in results)
    assert worth.ev == Fraction(won, 100_000 * worth.total)


def test_a_payout_limit_leaves_a_side_wager_what_the_main_ones_did_not_take() -> None:
    in_force = limited(5_000_000)
    worth = worth_of(in_force, "trips", stake_cents=100_000)
    alone = worth_of(rules(), "trips", stake_cents=100_000)
    # By itself Trips wins 50 units at most, which is the limit: it is what the Blind takes that cuts it.
    assert worth.ev < alone.ev
    assert worth.average_wager == 1
    assert "after the wagers paid earlier use their part of it" in worth.notes[0]
    together = counts_with_main(in_force, "trips")
    assert together is not None
    assert together.total == counts_of(in_force, "main").total
    won = 0
    for outcome in together.outcomes:
        stakes = {name: 100_000 * units for name, units in outcome.stakes}
        results, _ = settle_wagers(in_force, SeatReading("", outcome.facts, dict(outcome.cells)), stakes)
        won += outcome.count * sum(result.net for result in results if result.wager == "trips")
    assert worth.ev == Fraction(won, 100_000 * worth.total)


def test_the_counts_of_a_side_wager_with_the_main_game_are_its_own() -> None:
    together = counts_with_main(rules(), "trips")
    assert together is not None
    for cell in ("royal-flush", "full-house", "high-card"):
        both = sum(outcome.count for outcome in together.outcomes if dict(outcome.cells)["trips"] == cell)
        alone = sum(
            outcome.count for outcome in counts_of(rules(), "trips").outcomes if dict(outcome.cells)["trips"] == cell
        )
        assert Fraction(both, together.total) == Fraction(alone, 133784560)
    assert counts_with_main(rules(), "bad-beat") is None
    assert counts_with_main(RulesInForce(game("dragon-poker")), "dragon-bet") is None


def test_a_whole_distribution_adds_up() -> None:
    worth = worth_of(rules(), "main")
    spread = worth.spread()
    assert sum(line["combinations"] for line in spread) == worth.total == 27813810024000
    assert sum(Fraction(line["net"]) * Fraction(line["probability"]) for line in spread) == worth.ev
    assert [Fraction(line["net"]) for line in spread] == sorted(worth.distribution)
    assert worth.element_of_risk == -worth.ev / worth.average_wager


def test_odds_of_the_operators_own_are_priced_under_the_letter_they_were_chosen_with() -> None:
    printed = HOLDEM.wagers_by_name["trips"].paytables[1]
    raised = printed.with_odds({"flush": payoff("9 to 1")})
    base = Choices(paytables={"trips": "B"}, own_tables={"trips": raised})
    priced = {worth.paytable: worth.ev for worth in edges(HOLDEM, base, wager="trips")}
    usual = {worth.paytable: worth.ev for worth in edges(HOLDEM, wager="trips")}
    (line,) = (line for line in printed.lines if line.hand == "flush")
    assert priced.pop("B") - usual.pop("B") == Fraction(4047644, 133784560) * (9 - line.payoff.units)
    assert priced == usual
    (chosen,) = edges(HOLDEM, base, wager="trips", only_chosen=True)
    assert chosen.paytable == "B"


def test_an_operators_own_paytable_is_added_to_the_lettered_ones() -> None:
    own = Paytable(None, "Ch. 7 §F(2)", (Line("pair", ("pair",), payoff("1 to 1"), "Ch. 7 §F(2)"),))
    base = Choices(own_tables={"trips": own})
    rows = {worth.paytable: worth.ev for worth in edges(HOLDEM, base, wager="trips")}
    assert list(rows) == [None, *"ABCDE"]
    assert rows[None] == Fraction(2 * 58627800, 133784560) - 1
    assert [worth.paytable for worth in edges(HOLDEM, base, wager="trips", only_chosen=True)] == [None]


def test_odds_beyond_counting_are_refused_in_a_sentence() -> None:
    blind = HOLDEM.wagers_by_name["blind"].paytables[0]
    huge = blind.with_odds({"royal-flush": payoff("1,000,000,000,000 to 1")})
    in_force = RulesInForce(HOLDEM, Choices(own_tables={"blind": huge}))
    for ask in (lambda: worth_of(in_force, "main"), lambda: advise(in_force, ("As", "Kd"), ("2c", "3c", "9d"))):
        with pytest.raises(NotAnalysed, match=r"too large to count exactly\.$"):
            ask()


def test_the_largest_odds_that_are_counted_are_counted_right() -> None:
    # Every hand that wins is paid so: what is summed before the flop must come to what is counted after the river.
    units = solution.LARGEST_UNITS - 1
    lines = tuple(Line(cell, (cell,), payoff(f"{units} to 1"), "Ch. 12 §B") for cell in CATEGORIES)
    in_force = RulesInForce(HOLDEM, Choices(own_tables={"blind": Paytable(None, "Ch. 12 §B", lines)}))
    price = exact.worths_before(in_force)
    assert worth_of(in_force, "main").ev == sum(max(price(hole).values()) for hole in range(1326)) / 1326


def test_a_meter_grows_and_is_hit_as_its_rate_and_lines_say() -> None:
    in_force = rules()
    (course,) = courses(
        in_force, "progressive", counts_of(in_force, "progressive"), {"meter": Fraction(1, 5)}, stake_cents=100
    )
    assert course.growth_cents == 20
    assert course.whole_hit == Fraction(4, 2598960)
    assert course.any_hit == Fraction(40, 2598960)
    assert course.wagers_between_hits == 649740
    # A wager takes all with a royal flush, a tenth with a straight flush.
    assert course.mean_cents_at_hit == (Fraction(4, 2598960) * 1_000_000 + 20) / Fraction(4 * 10 + 36, 25989600)
    row = course.as_dict()
    assert (row["meter"], row["rate"], row["wagers_between_hits"]) == ("meter", "1/5", "649740")


def test_a_meter_only_won_in_full_shows_its_reset_and_what_was_added_since() -> None:
    in_force = RulesInForce(HOLDEM, Choices(paytables={"progressive": "B"}))
    counts = counts_of(in_force, "progressive")
    rates = {"major": Fraction(1, 10), "minor": Fraction(0)}
    major, minor = courses(in_force, "progressive", counts, rates, stake_cents=500)
    assert major.wagers_between_hits is not None
    assert major.mean_cents_at_hit == major.reset_cents + 50 * major.wagers_between_hits
    assert minor.mean_cents_at_hit == minor.reset_cents
    assert courses(in_force, "trips", counts_of(in_force, "trips"), rates, stake_cents=500) == ()


def test_the_mean_of_a_meter_is_what_many_hits_average() -> None:
    # Large chances stand in for the small ones: a whole hit in 20, a tenth in 5, fed 7 cents a wager.
    course = MeterCourse("meter", Fraction(7, 100), 0, Fraction(7), Fraction(1, 20), Fraction(1, 4), Fraction(7, 100))
    generator = random.Random(5)
    meter, shown = 0.0, []
    for _ in range(200_000):
        meter += 7
        drawn = generator.random()
        if drawn < 0.05:
            shown.append(meter)
            meter = 0.0
        elif drawn < 0.25:
            meter *= 0.9
    assert course.mean_cents_at_hit is not None
    assert abs(sum(shown) / len(shown) - float(course.mean_cents_at_hit)) < 3
    assert (
        MeterCourse("meter", Fraction(0), 1, Fraction(0), Fraction(0), Fraction(0), Fraction(0)).as_dict()[
            "mean_at_hit"
        ]
        is None
    )
