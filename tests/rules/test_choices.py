"""An operator's choices from a flat mapping, and what is refused."""

from typing import Any

import pytest

from pitboss.games import catalogue
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.refusal import Refusal

UTH, COLORADO = catalogue.game("ultimate-texas-holdem"), catalogue.game("colorado-holdem")


def chosen(given: dict[str, Any], base: Choices | None = None, game: Any = UTH) -> Choices:
    choices = choices_from(game, given, base)
    assert isinstance(choices, Choices), choices
    return choices


def refused(given: dict[str, Any], base: Choices | None = None, game: Any = UTH) -> Refusal:
    refusal = choices_from(game, given, base)
    assert isinstance(refusal, Refusal)
    return refusal


def test_letters_options_and_amounts_go_where_they_belong() -> None:
    choices = chosen({"blind": "B", "bad-beat-pays": "player", "payout-limit": 5_000_000})
    assert choices.paytables == {"blind": "B"}
    assert choices.options == {"bad-beat-pays": "player"}
    assert choices.amounts == {"payout-limit": 5_000_000}
    assert chosen({}) == Choices()


def test_a_whole_number_may_be_an_option_value_and_none_means_no_letter() -> None:
    choices = chosen({"positions": 7, "ante": None}, game=COLORADO)
    assert choices.options == {"positions": "7"}
    assert choices.paytables == {}


def test_what_a_hand_chooses_goes_over_what_the_base_chose() -> None:
    base = Choices(paytables={"blind": "B", "trips": "C"}, options={"bad-beat-pays": "player"}, dealing="hand")
    choices = chosen({"blind": "A"}, base)
    assert choices.paytables == {"blind": "A", "trips": "C"}
    assert (choices.options, choices.dealing) == ({"bad-beat-pays": "player"}, "hand")
    assert base.paytables == {"blind": "B", "trips": "C"}


@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({"blind": "C"}, "Ch. 12 §B"),
        ({"blind": None}, "Ch. 12 §B"),
        ({"blind": 1}, "Ch. 12 §B"),
        ({"ultimate-pairs": "G"}, "Ch. 12 §E Ultimate Pairs"),
        ({"ante": "A"}, "Ch. 7 §F(1)"),
        ({"bad-beat-pays": "dealer"}, "Ch. 7 §F(6)"),
        ({"bad-beat-pays": True}, "Ch. 7 §F(6)"),
        ({"bad-beat-pays": None}, "Ch. 7 §F(6)"),
        ({"bad-beat-pays": 1.0}, "Ch. 7 §F(6)"),
        ({"payout-limit": 4_999_999}, "Ch. 12 §F(1)"),
        ({"payout-limit": True}, "Ch. 12 §F(1)"),
        ({"payout-limit": "5000000"}, "Ch. 12 §F(1)"),
        ({"payout-limit": None}, "Ch. 12 §F(1)"),
        ({"jokers": "wild"}, None),
    ],
)
def test_an_unlawful_choice_is_refused_with_its_clause_and_place(given: dict[str, Any], clause: str | None) -> None:
    (name,) = given
    refusal = refused(given)
    assert (refusal.clause, refusal.field) == (clause, f"choices.{name}")


@pytest.mark.parametrize(
    ("given", "base", "clause"),
    [
        ({"payout-limit": 1}, {}, "§12(c)"),
        ({"payout-limit": 1, "version": "permissible-bet"}, {}, "§13(c)"),
        ({"payout-limit": 1}, {"version": "permissible-bet"}, "§13(c)"),
        ({"payout-limit": 1, "version": "required-bet"}, {"version": "permissible-bet"}, "§12(c)"),
    ],
)
def test_a_limit_too_low_cites_the_clause_of_the_version_in_force(
    given: dict[str, Any], base: dict[str, str], clause: str
) -> None:
    assert refused(given, Choices(options=base), COLORADO).clause == clause
