"""Every paytable of every definition against its rulebook's numbers, which were written down independently."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.games import catalogue
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import dollars, payoff
from pitboss.rules.paytable import Paytable
from pitboss.rules.wager import Wager

PRINTED = Path(__file__).with_name("paytables")
NAMES = catalogue.game_names()
Odds = dict[str, str]  # clause to odds
MAIN, ENVY, RESETS = "-", "envy-", "minimum-reset"


def printed(name: str) -> dict[tuple[str, str], Odds]:
    """Return the rulebook's numbers by wager and paytable, or by version and wager where a book has versions."""
    with (PRINTED / f"{name}.toml").open("rb") as file:
        read = tomllib.load(file)
    return {
        (first, second): {clause: line["odds"] for clause, line in lines.items()}
        for first, inner in read.items()
        for second, lines in inner.items()
    }


def plainly(odds: str) -> str:
    return str(payoff(odds))


def lines_of(table: Paytable) -> Odds:
    assert len({line.cite for line in table.lines}) == len(table.lines), "each line has a clause of its own"
    return {line.cite: str(line.payoff) for line in table.lines}


def version_of(table: Paytable, names: set[str]) -> str:
    version = str(table.when).partition("=")[2]
    assert version in names
    return version


def defined(game: GameDefinition, keys: set[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], Odds]]:
    """Yield what the definition pays under the keys that the rulebook's numbers use."""
    versions = {first for first, second in keys if second in game.wagers_by_name}
    for wager in game.wagers:
        for table in wager.paytables:
            if versions:
                yield (version_of(table, versions), wager.name), lines_of(table)
            else:
                assert table.letter is not None
                yield (wager.name, table.letter), lines_of(table)
        if not wager.paytables and not wager.defined_by_submission:
            yield (wager.name, MAIN), fixed_odds(game, wager)
    if game.progressive:
        for stake, by_letter in game.progressive.envy_cents.items():
            for letter, lines in by_letter.items():
                key = (f"{ENVY}{stake // 100}", letter)
                yield key, {clause: dollars(cents) for cents, clause in lines.values()}
        for letter, meters in game.progressive.meters.items():
            yield (RESETS, letter), {meter.cite: dollars(meter.minimum_cents) for meter in meters}


def fixed_odds(game: GameDefinition, wager: Wager) -> Odds:
    return {str(row.odds_cite): str(row.odds) for row in game.settlement[wager.name] if row.odds}


@pytest.mark.parametrize("name", NAMES)
def test_every_paytable_pays_what_the_rulebook_prints(name: str) -> None:
    game = catalogue.game(name)
    numbers = printed(name)
    found: dict[tuple[str, str], Odds] = {}
    for key, odds in defined(game, set(numbers)):
        # A table under several readings is one table in the book: each reading has to pay the same odds.
        assert found.setdefault(key, odds) == odds, key
    assert set(found) == set(numbers)
    for key, lines in numbers.items():
        expected = {clause: plainly(odds) for clause, odds in lines.items()}
        got = found[key]
        if key[1] == "bet":
            # An instant winner has no Bet, so the numbers leave its lines out of the Bet's table.
            got = {clause: odds for clause, odds in got.items() if not clause.endswith("(Instant Winner)")}
        assert got == expected, key


@pytest.mark.parametrize("name", NAMES)
def test_no_number_of_the_rulebook_is_listed_under_a_clause_it_does_not_have(name: str) -> None:
    outline = set((catalogue.folders()[name] / "outline.txt").read_text("utf-8").splitlines())
    for key, lines in printed(name).items():
        assert set(lines) <= outline, key


@pytest.mark.parametrize("name", NAMES)
def test_lines_are_in_the_rulebooks_order_so_that_the_highest_pays(name: str) -> None:
    game = catalogue.game(name)
    numbers = printed(name)
    for key, odds in defined(game, set(numbers)):
        order = [clause for clause in odds if clause in numbers[key]]
        assert order == list(numbers[key]), key


@pytest.mark.parametrize("name", NAMES)
def test_every_line_covers_a_cell_that_no_line_before_it_has_taken(name: str) -> None:
    for wager in catalogue.game(name).wagers:
        for table in wager.paytables:
            taken: set[str] = set()
            for line in table.lines:
                assert set(line.cells) - taken, f"{wager.name} {table.letter}: {line.hand} can never pay"
                taken.update(line.cells)
