"""Every definition in the catalog is sound: cited, priced, settled and dealt without a gap."""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import product
from types import FunctionType

import pytest

from pitboss.cards import Card
from pitboss.games import catalogue
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import METHODS, SEATS, Deal, Deliver, TurnUp
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import FLOOR_RULES, FORFEIT, GOES_ON, RETURN_WAGER, SET_ASIDE, SETTLE_ONLY, VOID
from pitboss.rules.play import DECLARED, FOLDED, PLAYED, Ask, Bets, Settle
from pitboss.rules.reading import SeatCards, SeatReading, TableCards
from pitboss.rules.ruling import general_rulings
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH
from round.played import random_choices, random_order

NAMES = catalogue.game_names()
every_game = pytest.mark.parametrize("game", [pytest.param(catalogue.game(name), id=name) for name in NAMES])
# The files that say what a game is; any other file of its folder counts outcomes and may use the odds room.
THE_BOOK = ("__init__.py", "deck.py", "definition.py", "layout.py", "paytables.py", "procedures.py", "readings.py")
A_CLAUSE = re.compile(r"(Ch\. \d|§\d)")


def strings(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string of a definition with the name of the field that holds it."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings(item, f"{field}[{key}]")
    elif isinstance(value, tuple | frozenset | list):
        for item in value:
            yield from strings(item, field)
    elif is_dataclass(value):
        for other in fields(value):
            yield from strings(getattr(value, other.name), other.name)
    else:
        assert value is None or isinstance(value, bool | int | FunctionType), value


def option_facts(game: GameDefinition) -> set[str]:
    return {f"{option.name}={value}" for option in game.options for value in option.values}


def statuses(rules: RulesInForce) -> list[str]:
    open_now = {action.becomes for ask in rules.asks for action in rules.actions[ask.name].values()}
    return sorted(open_now & {PLAYED, FOLDED, DECLARED})


def random_readings(rules: RulesInForce, chance: random.Random, deals: int) -> Iterator[tuple[str, SeatReading]]:
    """Yield what seats of random deals hold, with what became of each."""
    game = rules.game
    wagers = [wager.name for wager in game.wagers if wager.name in rules.paytables]
    for _ in range(deals):
        order = random_order(game, chance)

        def take(count: int, order: list[Card] = order) -> tuple[Card, ...]:
            return tuple(order.pop() if chance.random() < 0.1 else order.pop(0) for _ in range(count))

        places = {place: take(count) for place, count in game.table_cards.items()}
        table = TableCards(**places)
        dealer = game.readings.dealer(table, rules.options)
        for status in statuses(rules):
            cards = take(game.cards_each)
            seat = SeatCards(cards, status, chance.choice(cards))
            yield status, game.readings.seat(table, dealer, seat, rules.options, wagers)


def combinations(game: GameDefinition, most: int) -> list[dict[str, str]]:
    """Return every combination of option values, or a sample where there are too many."""
    names = [option.name for option in game.options]
    every = [dict(zip(names, values, strict=True)) for values in product(*(option.values for option in game.options))]
    return random.Random(game.name).sample(every, min(most, len(every)))


@every_game
def test_every_clause_a_definition_cites_is_printed_in_its_rulebook(game: GameDefinition) -> None:
    outline = set((catalogue.folders()[game.name] / "outline.txt").read_text("utf-8").splitlines())
    rulings = {ruling.id for ruling in (*general_rulings(), *catalogue.rulings(game.name))}
    cited = 0
    for field, text in strings(game):
        if A_CLAUSE.match(text):
            assert text in outline, f"{field}: {text}"
            cited += 1
        elif "cite" in field and text:
            assert text in rulings, f"{field}: {text}"
    assert cited > 100


@every_game
def test_every_ruling_named_is_recorded(game: GameDefinition) -> None:
    rulings = {ruling.id for ruling in (*general_rulings(), *catalogue.rulings(game.name))}
    assert {text for field, text in strings(game) if field.endswith("ruling") and text} <= rulings


@every_game
def test_every_cell_a_reading_produces_is_one_its_wager_knows(game: GameDefinition) -> None:
    chance = random.Random(game.name)
    produced: dict[str, set[str]] = {}
    for _ in range(40):
        rules = RulesInForce(game, random_choices(game, chance))
        for _, reading in random_readings(rules, chance, 40):
            for name, cell in reading.cells.items():
                wager = game.wagers_by_name[name]
                known = wager.hands[rules.choices.own_hands[name]] if wager.defined_by_submission else wager.cells
                assert cell in known, f"{name}: {cell}"
                produced.setdefault(name, set()).add(cell)
    assert set(produced) == {wager.name for wager in game.wagers if wager.paytables or wager.defined_by_submission}
    # Cells with no line of their own would be a mistake: nearly all of them must turn up.
    for name, cells in produced.items():
        assert len(cells) >= len(game.wagers_by_name[name].cells) * 0.6, name


@every_game
def test_every_wager_has_a_row_for_whatever_can_happen_under_any_options(game: GameDefinition) -> None:
    chance = random.Random(game.name)
    for options in combinations(game, 64):
        letters = {wager.name: chance.choice(wager.letters) for wager in game.wagers if wager.letters}
        rules = RulesInForce(game, Choices(options=options, paytables=letters))
        by_action = {wager.name for wager in game.wagers if wager.by_action}
        for status, reading in random_readings(rules, chance, 25):
            for wager in rules.settlement_order:
                if wager in by_action and status != PLAYED:
                    continue
                verdict = rules.adjudicate(wager, reading.facts, reading.cells.get(wager))
                assert verdict.result in ("win", "lose", "push")
                assert verdict.cite
                assert (verdict.payoff is None) == (verdict.result != "win")


@every_game
def test_no_row_of_a_settlement_is_out_of_reach(game: GameDefinition) -> None:
    chance = random.Random(game.name)
    reached: set[tuple[str, int]] = set()
    for options in combinations(game, 24):
        rules = RulesInForce(game, Choices(options=options))
        for status, reading in random_readings(rules, chance, 120):
            for wager, rows in game.settlement.items():
                if game.wagers_by_name[wager].by_action and status != PLAYED:
                    continue
                known = reading.facts | rules.option_facts
                reached.add((wager, next(i for i, row in enumerate(rows) if set(row.facts) <= known)))
    every = {(wager, index) for wager, rows in game.settlement.items() for index in range(len(rows))}
    # A wager that an action places is never lost by a fold or a declaration, though it shares the others' rows.
    shared = {
        (wager, index)
        for wager, index in every
        if game.wagers_by_name[wager].by_action
        and {"folded", "declared", "declared-wrongly"} & set(game.settlement[wager][index].facts)
    }
    assert every - reached <= shared


@every_game
def test_every_deal_gives_each_place_its_cards_under_each_method_and_option(game: GameDefinition) -> None:
    for method, options in product(METHODS, combinations(game, 40)):
        rules = RulesInForce(game, Choices(dealing=method, options=options))
        given: dict[str, int] = {}
        up: dict[str, int] = {}
        for step in rules.play:
            for move in rules.moves(step) if isinstance(step, Deal) else ():
                if isinstance(move, Deliver):
                    given[move.place] = given.get(move.place, 0) + move.cards
                    up[move.place] = up.get(move.place, 0) + (move.cards if move.face_up else 0)
                else:
                    assert isinstance(move, TurnUp)
                    assert move.cards <= given[move.place], "cards are turned after they are dealt"
                    up[move.place] = move.cards
        given.pop("burn", None)
        assert given.pop(SEATS) == game.cards_each
        served = {wager.dealing for wager in game.wagers if wager.dealing}
        optional = {place: wager for place, wager in rules.optional_places.items() if served - {method}}
        assert {**{place: game.table_cards[place] for place in optional}, **given} == dict(game.table_cards)
        assert {place: up[place] for place in given} == given, "at the end every shared card lies face up"
        assert up[SEATS] == 0


@every_game
def test_what_a_definition_refers_to_is_there(game: GameDefinition) -> None:
    wagers = set(game.wagers_by_name)
    for wager in game.wagers:
        assert {wager.equals, *wager.needs} - {None} <= wagers
        assert not (wager.required and wager.needs)
    facts = option_facts(game)
    for step in game.play:
        if isinstance(step, Deal):
            assert set(step.moves) == set(METHODS)
            assert {move.if_offered for moves in step.moves.values() for move in moves} - {None} <= wagers
            assert {move.when for moves in step.moves.values() for move in moves} - {None} <= facts
        if isinstance(step, Ask):
            for action in step.actions:
                assert action.title
                assert action.when is None or action.when in facts
                if action.stakes:
                    assert game.wagers_by_name[action.stakes.wager].by_action
                    assert game.wagers_by_name[action.stakes.of].required
        if not isinstance(step, Bets):
            assert step.when is None or step.when in facts
    if game.payout_limit:
        assert {name for covered in game.payout_limit.covers.values() for name in covered} <= wagers
        assert game.payout_limit.option in {money_option.name for money_option in game.money_options}


@every_game
def test_a_round_runs_from_bets_to_settlement_whatever_the_options(game: GameDefinition) -> None:
    for options in combinations(game, 64):
        play = RulesInForce(game, Choices(options=options)).play
        assert isinstance(play[0], Bets)
        assert isinstance(play[-1], Settle)
        assert sum(isinstance(step, Settle) for step in play) == 1
        assert any(isinstance(step, Ask) for step in play)


@every_game
def test_an_answer_that_wagers_nothing_more_is_open_at_every_question(game: GameDefinition) -> None:
    for options in combinations(game, 64):
        rules = RulesInForce(game, Choices(options=options))
        for ask in rules.asks:
            assert any(
                action.stakes is None and not action.settles_at_once for action in rules.actions[ask.name].values()
            )


@every_game
def test_every_irregularity_has_a_remedy_in_every_situation(game: GameDefinition) -> None:
    words = {GOES_ON, SET_ASIDE, VOID, SETTLE_ONLY, FORFEIT, FLOOR_RULES, RETURN_WAGER}
    for kind, remedies in game.irregularities.items():
        by_method = {method for method in METHODS for remedy in remedies if remedy.facts == (method,)}
        assert remedies[-1].facts == () or by_method == set(METHODS), kind
        for remedy in remedies:
            assert remedy.then in words
            assert remedy.cite
            assert bool(remedy.rulings) == (remedy.then == FLOOR_RULES)
            assert set(remedy.settles) <= set(game.wagers_by_name)
            assert bool(remedy.settles) == (remedy.then == SETTLE_ONLY)
            assert (remedy.wager in game.wagers_by_name) == (remedy.then == RETURN_WAGER)


@every_game
def test_settlement_rows_use_the_words_there_are(game: GameDefinition) -> None:
    for wager, rows in game.settlement.items():
        for row in rows:
            assert row.then in (LOSE, PUSH, PAY, BY_PAYTABLE)
            assert (row.odds is not None) == (row.then == PAY)
            assert (row.odds_cite is not None) == (row.then == PAY)
            if row.then == BY_PAYTABLE:
                chosen = game.wagers_by_name[wager]
                assert chosen.paytables or chosen.defined_by_submission


@every_game
def test_a_wager_outlives_a_fold_exactly_where_it_says_so(game: GameDefinition) -> None:
    rules = RulesInForce(game)
    for wager in game.wagers:
        if not wager.by_action:
            assert wager.survives_fold != rules.settled_by_fold(wager.name), wager.name


# Decision 34: what several rulebooks ask for alike.
SHARED = ("pitboss.games.maryland", "pitboss.games.shared_duties")


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_imports_nothing_but_cards_rules_its_own_folder_and_what_games_share(name: str) -> None:
    folder = catalogue.folders()[name]
    own = f"pitboss.games.{folder.name}"
    others = [other for other in NAMES if other != name]
    for path in sorted(folder.glob("*.py")):
        source = path.read_text("utf-8")
        counting = () if path.name in THE_BOOK else ("pitboss.odds",)
        for node in ast.walk(ast.parse(source)):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                modules = [str(node.module)]
                if node.module == "pitboss.games":
                    modules = [f"pitboss.games.{alias.name}" for alias in node.names]
            for module in modules:
                if module.startswith("pitboss") and module not in SHARED:
                    assert module.startswith(("pitboss.cards", "pitboss.rules", own, *counting)), (
                        f"{path.name}: {module}"
                    )
        for other in others:
            assert other not in source
            assert other.replace("-", "_") not in source


@every_game
def test_readings_belong_to_the_games_own_folder(game: GameDefinition) -> None:
    own = f"pitboss.games.{game.name.replace('-', '_')}"
    for read in (game.readings.dealer, game.readings.seat):
        assert isinstance(read, FunctionType)
        assert read.__module__.startswith(own)
