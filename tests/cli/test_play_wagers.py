"""Entering stakes at the prompt, and the meters they feed."""

from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli.play.faces import ASCII, UNICODE, CardFaces, glyphs_for
from pitboss.cli.play.keys import one_key_each
from pitboss.cli.play.meters import Meters
from pitboss.cli.play.terms import MeterTerms, TableTerms, tables_for
from pitboss.cli.play.wagering import NotUnderstood, cents_of, examples, objections, revised, wager_keys
from pitboss.games import game, game_names
from pitboss.round.stakes import least_stakes, opening_stakes

EXAMPLES = Path(__file__).parents[2] / "examples"
START = {"ante": 1000, "blind": 1000}


@pytest.fixture
def holdem() -> TableTerms:
    return tables_for("ultimate-texas-holdem", None, None)[0]


@pytest.mark.parametrize(
    ("typed", "stakes"),
    [
        ("25", {"ante": 2500, "blind": 2500}),
        ("$25", {"ante": 2500, "blind": 2500}),
        ("a 25", {"ante": 2500, "blind": 2500}),
        ("t", {**START, "trips": 100}),
        ("t 5", {**START, "trips": 500}),
        ("t5", {**START, "trips": 500}),
        ("t=$5 25", {"ante": 2500, "blind": 2500, "trips": 500}),
        ("25 t p", {"ante": 2500, "blind": 2500, "trips": 100, "progressive": 100}),
        ("t t", START),
        ("t 5 t 0", START),
        ("t5 t-", START),
        ("t 5 t off", START),
    ],
)
def test_what_is_typed_becomes_stakes(typed: str, stakes: dict[str, int], holdem: TableTerms) -> None:
    assert revised(holdem, START, typed) == stakes
    assert holdem.rules.check_stakes(stakes) is None


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("4", "Ante must be at least $5 at this table, not $4 (Ch. 7 §F(1))."),
        ("501", "Ante must be at most $500 at this table, not $501 (Ch. 7 §F(1))."),
        ("10.50", "Ante must be a multiple of $1"),
        ("p 5", "Progressive must be $1, not $5 (Ch. 12 §D(6))."),
        ("0", "Ante is required (Ch. 7 §F(1))."),
        ("a", "Ante is required (Ch. 7 §F(1)). Type an amount to change it."),
        ("a off", "Ante is required (Ch. 7 §F(1))."),
        ("z", "'z' isn't a wager"),
        ("-5", "'-5' isn't a wager"),
        ("1e9", "'1e9' isn't a wager"),
        ("99999999999999999999", "isn't a wager"),
        ("t5.5.5", "'5.5.5' isn't an amount"),
        ("２５", "isn't a wager"),
    ],
)
def test_an_invalid_stake_is_reported_in_dollars_with_its_clause(typed: str, says: str, holdem: TableTerms) -> None:
    with pytest.raises(NotUnderstood) as wrong:
        revised(holdem, START, typed)
    assert says in str(wrong.value)


def test_amounts_are_read_exactly() -> None:
    assert cents_of("1,250.05") == 125005
    assert cents_of("12.5") is None
    assert cents_of("") is None


def test_a_missing_prerequisite_blocks_the_stakes_until_it_is_added(holdem: TableTerms) -> None:
    alone = revised(holdem, START, "s")
    (said,) = objections(holdem, alone, 1_000_00)
    assert said.startswith("Six Card Bonus needs Trips as well (Ch. 7 §F(4)(b)).")
    assert objections(holdem, revised(holdem, alone, "t"), 1_000_00) == []


@pytest.mark.parametrize("name", game_names())
def test_every_wager_of_every_table_has_a_key_of_its_own(name: str) -> None:
    terms = tables_for(name, None, None)[0]
    keys = wager_keys(terms)
    assert len(set(keys.values())) == len(keys)
    assert set(keys) == {wager.name for wager in terms.placed if not wager.equals}
    assert not set(keys.values()) & set("q?we0123456789")
    for asked in terms.rules.actions.values():
        actions = one_key_each({action: action for action in asked})
        assert len(set(actions.values())) == len(asked)
        assert "q" not in actions.values()


def test_a_key_comes_from_the_digit_then_the_letters_of_a_name() -> None:
    assert one_key_each({"raise 4x": "raise 4x", "check": "check", "call": "call", "q": "q"}) == {
        "raise 4x": "4",
        "check": "c",
        "call": "a",
        "q": "0",
    }


@pytest.mark.parametrize(
    "file", [None, *sorted(EXAMPLES.glob("*.toml"))], ids=lambda file: file.stem if file else "none"
)
def test_what_the_prompt_suggests_is_taken_by_the_table(file: Path | None) -> None:
    for terms in tables_for(None, file, None):
        stakes = opening_stakes(terms.rules)
        assert terms.rules.check_stakes(stakes) is None
        assert terms.rules.check_stakes(least_stakes(terms.rules)) is None
        for typed, _ in examples(terms):
            if not typed.startswith("?"):
                assert terms.rules.check_stakes(revised(terms, stakes, typed)) is None


def test_a_meter_is_kept_to_the_fraction_of_a_cent() -> None:
    meters = Meters((MeterTerms("meter", 1000, 800, Fraction(1, 3)),))
    for _ in range(4):
        meters.feed(100)
    assert meters.exact["meter"] == Fraction(3400, 3)
    assert meters.cents("meter") == 1133
    meters.pay("meter", 10)
    assert meters.exact["meter"] == 1133 - 113 + Fraction(1, 3)
    meters.pay("meter", 100)
    assert meters.exact["meter"] == 800 + Fraction(1, 3)
    meters.pay("meter", 10)
    assert meters.exact["meter"] == 800 + Fraction(1, 3)


def test_meters_start_at_the_rulebooks_reset_and_share_one_rate(holdem: TableTerms) -> None:
    assert [(meter.name, meter.start_cents, meter.reset_cents) for meter in holdem.meters] == [
        ("meter", 1000000, 1000000)
    ]
    assert sum(meter.rate for meter in holdem.meters) == Fraction(1, 5)


def test_cards_are_drawn_with_suits_or_by_their_title() -> None:
    standard = CardFaces(game("top-five-poker").deck)
    assert standard.line(("Ts", "Ah", None)).plain == "10♠ A♥ ▒▒"
    assert [line.plain for line in standard.drawn(("Kd",))] == ["╭───╮ ", "│K♦ │ ", "╰───╯ "]
    plain = CardFaces(game("top-five-poker").deck, ASCII)
    assert plain.line(("Ts", None)).plain == "10s ##"
    dragons = CardFaces(game("dragon-poker").deck)
    assert dragons.line(("Dr", "Ph")).plain == "red dragon, phoenix"
    drawn = "\n".join(line.plain for line in dragons.drawn(("Dr", "Ph", None)))
    assert drawn.count("red") == drawn.count("dragon") == drawn.count("phoenix") == 1
    assert "P" in drawn


def test_red_and_black_suits_differ_in_color() -> None:
    faces = CardFaces(game("top-five-poker").deck)
    inks = {name: faces.line((name,)).spans[0].style for name in ("As", "Ac", "Ah", "Ad")}
    assert inks["As"] == inks["Ac"]
    assert inks["Ah"] == inks["Ad"] != inks["As"]


def test_an_encoding_without_suits_gets_letters() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("latin-1") is ASCII
    assert glyphs_for("no-such-encoding") is ASCII
