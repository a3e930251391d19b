"""Procedures and layouts of every game: each citation printed, each duty complete and in order."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import product

import pytest

from pitboss.games import catalogue
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, METHODS
from pitboss.rules.game import GameDefinition
from pitboss.rules.procedure import (
    CUT,
    DEALER,
    FLOORPERSON,
    IDLE_SPREAD,
    PLAYER,
    RECUT,
    Duty,
    duties_in_force,
)

NAMES = catalogue.game_names()
LOOKS_LIKE_A_CLAUSE = re.compile(r"Ch\. \d|§\d")
every_game = pytest.mark.parametrize("game", [pytest.param(catalogue.game(name), id=name) for name in NAMES])


def strings_in(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string with the name of the field that holds it."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings_in(item, field)
    elif isinstance(value, tuple):
        for item in value:
            yield from strings_in(item, field)
    elif is_dataclass(value):
        for other in fields(value):
            yield from strings_in(getattr(value, other.name), other.name)


def duties_in(value: object) -> Iterator[Duty]:
    """Yield every duty, wherever it is."""
    if isinstance(value, Duty):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from duties_in(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from duties_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from duties_in(getattr(value, field.name))


def option_facts(game: GameDefinition) -> set[str]:
    return {f"{option.name}={value}" for option in game.options for value in option.values}


def lists_of_duties(game: GameDefinition) -> list[tuple[Duty, ...]]:
    told = game.procedures
    assert told.cards is not None
    return [
        told.cards.duties,
        told.opening.duties,
        told.cutting.duties,
        told.idle.duties,
        told.idle.arrival,
        told.two_decks.duties,
        told.round,
        *told.dealing.values(),
    ]


@every_game
def test_every_clause_of_procedures_and_layout_is_printed_in_the_rulebook(game: GameDefinition) -> None:
    outline = set((catalogue.folders()[game.name] / "outline.txt").read_text(encoding="utf-8").splitlines())
    cited = {
        text
        for field, text in (*strings_in(game.procedures), *strings_in(game.layout))
        if LOOKS_LIKE_A_CLAUSE.match(text) or (text and re.search(r"cites?$", field))
    }
    assert len(cited) > 40
    assert cited <= outline, sorted(cited - outline)


@every_game
def test_every_way_of_dealing_has_its_clause_duties_and_stub_count(game: GameDefinition) -> None:
    told = game.procedures
    assert set(told.methods) == set(told.dealing) == set(told.stub) == set(METHODS)
    for method in METHODS:
        assert told.stub[method].every_rounds == 5
        ids = [duty.id for duty in told.dealing[method]]
        assert "no-more-bets" in ids
        assert ids[-1] == "stub", "what is left of the deck is dealt with last"
        assert ids.index("no-more-bets") < min(ids.index(name) for name in ids if name in ("draw", "take-stub", "stub"))


@every_game
def test_dealing_from_the_hand_asks_for_a_shuffler_one_hand_and_the_tray(game: GameDefinition) -> None:
    assert game.procedures.hand_needs_shuffler_cite
    ids = [duty.id for duty in game.procedures.dealing[HAND]]
    assert ids[:3] == ["hold", "same-hand", "over-tray"]


@every_game
def test_opening_goes_from_inspection_through_verification_and_look_to_the_stack(game: GameDefinition) -> None:
    opening = game.procedures.opening
    assert [(duty.id, duty.by) for duty in opening.duties] == [
        ("inspect", DEALER),
        ("verify", FLOORPERSON),
        ("spread", DEALER),
        ("look", PLAYER),
        ("turn", DEALER),
        ("wash", DEALER),
        ("stack", DEALER),
    ]
    assert opening.shuffle_cite


@every_game
def test_cut_moves_at_least_ten_cards_and_is_left_out_after_a_device(game: GameDefinition) -> None:
    cutting = game.procedures.cutting
    assert cutting.minimum_cards == 10
    assert next(duty.cite for duty in cutting.duties if duty.id == "cut") == cutting.cite
    ids = [duty.id for duty in cutting.duties]
    assert ids.index("cut") < ids.index("cut-under")
    assert {cutting.required_cite, cutting.uncut_cite, cutting.recut_cite} & {""} == set()


@every_game
def test_idle_table_shows_its_cards_to_the_next_player_before_they_are_turned(game: GameDefinition) -> None:
    idle = game.procedures.idle
    assert idle.duties[-1].id == "idle-spread"
    assert (idle.arrival[-1].id, idle.arrival[-1].by) == ("look", PLAYER)
    assert idle.resumes_at in [duty.id for duty in game.procedures.opening.duties]


@every_game
def test_each_remedy_for_a_failed_device_has_its_own_clause(game: GameDefinition) -> None:
    devices = game.procedures.devices
    assert tuple(devices.cites) == devices.failed
    assert set(devices.failed) <= {"covered", "marked", "removed"}
    assert len(set(devices.cites.values())) == len(devices.failed)


@every_game
def test_deck_hours_name_every_way_of_dealing(game: GameDefinition) -> None:
    told = game.procedures.deck_hours
    if told is not None:
        assert set(told.hours) == set(told.cites) == set(METHODS)
        assert told.hours[HAND] < told.hours[MANUAL_SHOE] == told.hours[AUTOMATED_SHOE]


@every_game
def test_chips_and_plaques_are_taken_and_verbal_cash_is_not(game: GameDefinition) -> None:
    instruments = game.procedures.instruments
    assert set(instruments.allowed) == {"chips", "plaques"}
    assert instruments.verbal_cash_cite
    assert not set(instruments.if_submitted) & set(instruments.allowed)
    assert set(instruments.chips_only) <= set(game.wagers_by_name)


@every_game
def test_every_duty_is_a_sentence_for_someone_under_facts_the_game_knows(game: GameDefinition) -> None:
    duties = list(duties_in(game.procedures))
    assert len(duties) > 30
    for duty in duties:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", duty.id)
        assert re.fullmatch(r"[A-Z].+[.]", duty.text), duty.id
        assert len(duty.text) <= 130
        assert duty.by in (DEALER, FLOORPERSON, PLAYER)
        assert duty.when is None or duty.when in option_facts(game)
        assert duty.if_offered is None or duty.if_offered in game.wagers_by_name


@every_game
def test_no_duty_is_asked_twice_whatever_the_options(game: GameDefinition) -> None:
    named = {duty.when.partition("=")[0] for duty in duties_in(game.procedures) if duty.when}
    choices = [[f"{name}={value}" for value in game.options_by_name[name].values] for name in sorted(named)]
    for facts in product(*choices):
        for duties in lists_of_duties(game):
            ids = [duty.id for duty in duties_in_force(duties, facts, game.wagers_by_name)]
            assert len(ids) == len(set(ids)), facts


@every_game
def test_cards_are_picked_up_so_that_hands_can_be_put_together_again(game: GameDefinition) -> None:
    cites = {duty.cite for duty in game.procedures.round if duty.id == "pick-up"}
    assert cites == {step.pickup_cite for step in game.play if hasattr(step, "pickup_cite")}


@every_game
def test_layout_has_an_area_for_every_wager_and_every_place_for_cards(game: GameDefinition) -> None:
    areas = {area.name: area for area in game.layout.areas}
    assert len(areas) == len(game.layout.areas)
    for wager in game.wagers:
        if wager.pays_on:
            assert wager.name not in areas, "no chip is ever placed on it"
            continue
        assert areas[wager.name].each_seat
        assert areas[wager.name].if_offered in (None, wager.name)
        if wager.required or wager.by_action:
            assert areas[wager.name].if_offered is None
    for place in game.table_cards:
        assert not areas[place].each_seat


@every_game
def test_inscriptions_and_furniture_depend_only_on_what_the_game_knows(game: GameDefinition) -> None:
    letters = {f"{wager.name} {letter}" for wager in game.wagers for letter in wager.letters}
    amounts = {option.name for option in game.money_options}
    for inscription in game.layout.inscriptions:
        assert {inscription.when, inscription.also} <= option_facts(game) | letters | amounts | {None}
        assert set(re.findall(r"{(.*?)}", inscription.text)) <= amounts | {"facility"}
    for piece in game.layout.furniture:
        assert piece.if_offered is None or piece.if_offered in game.wagers_by_name
        assert piece.dealing is None or piece.dealing in METHODS
    assert any("discard rack" in piece.name for piece in game.layout.furniture)


# What each rulebook says, written down apart from the definitions.
SAID = {
    "ultimate-texas-holdem": {
        "cover_cards": 2,
        "hours": {HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        "failed": ("covered", "marked"),
        "directed": "Ch. 5 §A(3)",
        "suspends": (CUT, RECUT),
        "face_down_first": True,
        "if_submitted": set(),
        "electronic": "Ch. 11 §L",
        "odds_words": ("to", "for"),
    },
    "top-five-poker": {
        "cover_cards": 1,
        "hours": {HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        "failed": ("covered", "marked"),
        "directed": "Ch. 5 §A(3)",
        "suspends": (CUT, RECUT, IDLE_SPREAD),
        "face_down_first": True,
        "if_submitted": {"approved-instrument"},
        "electronic": None,
        "odds_words": ("to", "for"),
    },
    "dragon-poker": {
        "cover_cards": 1,
        "hours": {HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        "failed": ("covered", "removed", "marked"),
        "directed": "Ch. 5 §A(3)",
        "suspends": (CUT, RECUT, IDLE_SPREAD),
        "face_down_first": True,
        "if_submitted": {"approved-instrument"},
        "electronic": None,
        "odds_words": ("to", "for"),
    },
    "colorado-holdem": {
        "cover_cards": 1,
        "hours": None,
        "failed": ("removed",),
        "directed": None,
        "suspends": (),
        "face_down_first": False,
        "if_submitted": {"match-play-coupon"},
        "electronic": None,
        "odds_words": ("to", "win"),
    },
}


@pytest.mark.parametrize("name", SAID)
def test_procedures_differ_between_rulebooks_as_the_rulebooks_do(name: str) -> None:
    told = catalogue.game(name).procedures
    assert told.cards is not None
    assert SAID[name] == {
        "cover_cards": told.cards.cover_cards,
        "hours": told.deck_hours and told.deck_hours.hours,
        "failed": told.devices.failed,
        "directed": told.shuffling.directed_cite,
        "suspends": told.shuffling.self_shuffling_suspends,
        "face_down_first": told.idle.face_down_first,
        "if_submitted": set(told.instruments.if_submitted),
        "electronic": told.electronic_cite,
        "odds_words": catalogue.game(name).layout.odds_words,
    }


def test_lifting_cut_takes_four_steps_each_with_its_clause() -> None:
    cutting = catalogue.game("colorado-holdem").procedures.cutting
    assert [(duty.id, duty.cite) for duty in cutting.duties] == [
        ("cover-card", "§5(c)(1)(i)"),
        ("cut", "§5(c)(1)(ii)"),
        ("cut-under", "§5(c)(1)(iii)"),
        ("uncover", "§5(c)(1)(iv)"),
    ]


@pytest.mark.parametrize(("version", "section"), [("required-bet", "§10"), ("permissible-bet", "§11")])
def test_duties_of_a_round_follow_the_version_in_force(version: str, section: str) -> None:
    told = catalogue.game("colorado-holdem").procedures
    duties = duties_in_force(told.round, {f"version={version}"}, ())
    assert {duty.cite.partition("(")[0] for duty in duties} == {"§6", section}
    assert ("fold-rack" in [duty.id for duty in duties]) == (version == "required-bet")


def test_progressive_duties_fall_away_where_the_wager_is_not_offered() -> None:
    dealing = catalogue.game("ultimate-texas-holdem").procedures.dealing[MANUAL_SHOE]
    kept = [duty.id for duty in duties_in_force(dealing, (), ())]
    assert [duty.id for duty in dealing if duty.id not in kept] == [
        "lock-progressive",
        "count-progressive",
        "bank-progressive",
    ]


def test_cards_left_in_the_shuffler_are_a_duty_only_under_that_option() -> None:
    dealing = catalogue.game("dragon-poker").procedures.dealing[AUTOMATED_SHOE]
    ids = {
        value: [duty.id for duty in duties_in_force(dealing, {f"dealer-cards={value}"}, ())]
        for value in ("delivered", "in-shuffler")
    }
    assert "hold-back" in ids["in-shuffler"]
    assert "hold-back" not in ids["delivered"]


def test_automated_shoe_is_counted_by_the_clause_of_the_manual_one_where_its_chapter_is_silent() -> None:
    count = catalogue.game("top-five-poker").procedures.stub[AUTOMATED_SHOE]
    assert (count.cite, count.right_cite, count.ruling) == ("Ch. 8 §E", "Ch. 10 §C(1)", "TF-13")
