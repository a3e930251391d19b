"""A definition under an operator's choices: what is offered, priced, dealt and settled."""

from dataclasses import replace
from typing import Any

import pytest

from pitboss.games import catalogue
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits
from pitboss.rules.payoff import For, To
from pitboss.rules.paytable import paytable
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.settlement import BY_PAYTABLE, When
from pitboss.rules.soundness import UnsoundDefinition
from pitboss.rules.wager import meter_payment

UTH, DRAGON = catalogue.game("ultimate-texas-holdem"), catalogue.game("dragon-poker")
COLORADO = catalogue.game("colorado-holdem")


def under(game: GameDefinition, **choices: Any) -> RulesInForce:
    return RulesInForce(game, Choices(**choices))


@pytest.mark.parametrize(
    ("meter", "reset", "percent", "paid", "after"),
    [
        (1_500_000, 1_000_000, 100, 1_500_000, 1_000_000),
        (1_000_000, 1_000_000, 100, 1_000_000, 1_000_000),
        (2_000_000, 1_000_000, 10, 200_000, 1_800_000),
        (1_050_000, 1_000_000, 10, 105_000, 1_000_000),
        (1_000_000, 1_000_000, 10, 100_000, 1_000_000),
        (1_234_567, 1_000_000, 10, 123_456, 1_111_111),
        (1_111_119, 1_000_000, 10, 111_111, 1_000_008),
        (9, 0, 10, 0, 9),
        (0, 0, 100, 0, 0),
    ],
)
def test_a_hit_pays_its_share_rounded_down_and_the_meter_never_falls_below_its_reset(
    meter: int, reset: int, percent: int, paid: int, after: int
) -> None:
    assert meter_payment(meter, reset, percent) == (paid, after)


def test_everything_priced_is_offered_unless_the_operator_says_otherwise() -> None:
    assert under(UTH).offered == set(UTH.wagers_by_name)
    assert under(UTH, offered=frozenset({"trips"})).offered == {"ante", "blind", "play", "trips"}
    assert under(UTH, offered=frozenset()).settlement_order == ("ante", "blind", "play")


def test_an_open_wager_is_offered_only_with_a_table_of_its_own() -> None:
    own = {"progressive": paytable(None, "own", {"three-dragons": "100 % of pot", "three-phoenix": "9 to 1"})}
    assert "progressive" not in under(DRAGON).offered
    assert "progressive" not in under(DRAGON, offered=frozenset({"progressive"})).offered
    assert "progressive" not in under(DRAGON, offered=frozenset(), own_tables=own).offered
    rules = under(DRAGON, offered=frozenset({"progressive"}), own_tables=own)
    assert "progressive" in rules.offered
    assert rules.draws_on_meter("progressive")
    assert rules.paytables["progressive"].by_cell["three-phoenix"].payoff == For(9)
    assert not rules.stake_returned_on_meter("progressive")


def test_a_progressive_stake_is_kept_unless_the_option_returns_it_on_its_table() -> None:
    kept = under(UTH).paytables["progressive"]
    assert kept.by_cell["flush"].payoff == For(40)
    back = under(UTH, options={"progressive-odds": "to"})
    assert back.paytables["progressive"].by_cell["flush"].payoff == To(40)
    assert back.stake_returned_on_meter("progressive")
    other = under(UTH, options={"progressive-odds": "to"}, paytables={"progressive": "B"})
    assert other.paytables["progressive"].by_cell["flush"].payoff == For(40)
    assert not other.stake_returned_on_meter("progressive")
    assert not back.stake_returned_on_meter("trips")
    assert back.draws_on_meter("progressive")
    assert not back.draws_on_meter("trips")
    assert not back.draws_on_meter("ante")


def test_the_paytable_follows_letter_and_option() -> None:
    assert under(UTH, paytables={"trips": "D"}).paytables["trips"].letter == "D"
    assert under(COLORADO).paytables["ante"].cite == "§12(b)"
    assert under(COLORADO, options={"version": "permissible-bet"}).paytables["ante"].cite == "§13(b)"
    assert "ante" not in under(UTH).paytables


def test_raised_odds_of_the_operators_own_are_what_pays() -> None:
    raised = COLORADO.wagers_by_name["ante"].paytables[0].with_odds({"flush": To(9)})
    verdict = under(COLORADO, own_tables={"ante": raised}).adjudicate("ante", frozenset({"flush"}), "flush")
    assert (verdict.result, verdict.payoff, verdict.odds_cite) == ("win", To(9), "§12(b) Flush")


def test_a_folded_hand_stays_only_under_a_wager_that_outlives_the_fold() -> None:
    rules = under(UTH)
    assert rules.hand_stays(PLAYED, {"ante"})
    assert not rules.hand_stays(FOLDED, {"ante", "blind"})
    assert rules.hand_stays(FOLDED, {"ante", "blind", "bad-beat"})
    strict = under(UTH, options={"bad-beat-on-fold": "loses"})
    assert not strict.hand_stays(FOLDED, {"ante", "blind", "bad-beat"})


def test_a_winner_the_paytable_does_not_list_has_its_stake_back_where_the_row_says_so() -> None:
    rows = {"trips": (When((), BY_PAYTABLE, "§1", push_cite="§2", push_without_line=True),)}
    rules = under(replace(UTH, settlement={**UTH.settlement, **rows}))
    verdict = rules.adjudicate("trips", frozenset(), "pair")
    assert (verdict.result, verdict.cite) == ("push", "§2")


def test_a_verdict_is_looked_up_once_and_shared() -> None:
    rules = under(UTH)
    facts = frozenset({"wins", "dealer-has-a-pair"})
    assert rules.adjudicate("blind", facts, "flush") is rules.adjudicate("blind", facts, "flush")


def test_wrong_stub_counts_have_a_remedy_of_the_way_of_dealing() -> None:
    for method, misdealt, wrong in (
        ("manual-shoe", "Ch. 8 §G(1)", "Ch. 8 §G(2)"),
        ("hand", "Ch. 9 §E(1)", "Ch. 9 §E(2)"),
        ("automated-shoe", "Ch. 10 §E(1)", "Ch. 10 §E(2)"),
    ):
        rules = under(UTH, dealing=method)
        first, second = rules.remedy("stub-count-misdealt", ()), rules.remedy("stub-count-wrong", ())
        assert first is not None
        assert second is not None
        assert (first.cite, first.deck, second.cite, second.deck) == (misdealt, "reshuffled", wrong, "removed")


def test_positions_come_from_the_operator_the_option_or_the_rulebook() -> None:
    assert under(UTH).seats_most == 6
    assert under(UTH, positions=3).seats_most == 3
    assert under(COLORADO).seats_most == 6
    assert under(COLORADO, options={"positions": "2"}).seats_most == 2
    assert under(UTH).per_player() == 1
    assert under(COLORADO, options={"adjacent-positions": "2"}).per_player() == 2


def test_limits_left_out_do_not_limit() -> None:
    assert under(UTH).limits("ante") == Limits()
    rules = under(UTH, limits={"ante": Limits(500, None)})
    assert rules.check_stakes({"ante": 10**12, "blind": 10**12}) is None
    refusal = rules.check_stakes({"ante": 499, "blind": 499})
    assert refusal is not None
    assert refusal.field == "ante"


def test_a_payout_limit_covers_what_the_option_says_and_nothing_without_an_amount() -> None:
    assert under(UTH).limit_cents is None
    rules = under(UTH, amounts={"payout-limit": 7_000_000})
    assert (rules.limit_cents, rules.limit_cite) == (7_000_000, "Ch. 12 §F")
    assert rules.limit_covers == {"ante", "blind", "play", "trips"}
    assert under(DRAGON).limit_cents is None


@pytest.mark.parametrize(
    "broken",
    [
        {"settlement": {}},
        {"settlement": {**UTH.settlement, "trips": (When(("version=none",), BY_PAYTABLE, "§1"),)}},
        {"wagers": tuple(replace(wager, cells=()) if wager.name == "trips" else wager for wager in UTH.wagers)},
    ],
)
def test_a_definition_with_a_gap_cannot_be_made(broken: dict[str, Any]) -> None:
    with pytest.raises(UnsoundDefinition):
        replace(UTH, **broken)
