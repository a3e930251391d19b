"""Counts of a game's outcomes, from its folder's own kernels or from the user's cache."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

from pitboss.cards.deck import Card
from pitboss.games.catalogue import sources_digest
from pitboss.games.parts import has_part, part_or
from pitboss.odds.outcomes import Counts, NotCountable, Outcome
from pitboss.odds.pricing import main_wagers as main_wagers
from pitboss.rules.in_force import RulesInForce

MAIN = "main"
GENERAL = "pitboss.odds.general"


class Exact(Protocol):
    """What a game's exact.py offers."""

    def main_counts(self, rules: RulesInForce, ties: str = "more") -> Counts: ...

    def wager_counts(self, rules: RulesInForce, wager: str, ties: str = "more") -> Counts: ...

    def action_worths(
        self, rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()
    ) -> dict[str, Any]: ...


class NotAnalysed(LookupError):
    """The outcomes cannot be counted, or not in the time allowed; the message says why."""


def exact_of(name: str) -> Exact:
    """Return a game's exact analysis, its own or the general one; importing it loads the kernels."""
    return cast(Exact, part_or(name, "exact", GENERAL))


def has_own_analysis(name: str) -> bool:
    """Return whether a game's folder has its own exact analysis."""
    return has_part(name, "exact")


def counts_of(rules: RulesInForce, wager: str, ties: str = "more", *, recompute: bool = False) -> Counts:
    """Return how often each outcome of a wager happens; `main` is the wagers played together."""

    def count(exact: Exact) -> Counts:
        return exact.main_counts(rules, ties) if wager == MAIN else exact.wager_counts(rules, wager, ties)

    return _kept(key_of(rules, wager, ties), rules, count, recompute=recompute)


def counts_with_main(rules: RulesInForce, wager: str, ties: str = "more", *, recompute: bool = False) -> Counts | None:
    """Return the joint counts of a side wager and the main game; None if the game doesn't count them."""
    together = getattr(exact_of(rules.game.name), "counts_together", None)
    if together is None or wager not in together:
        return None
    key = key_of(rules, f"{MAIN} and {wager}", ties)
    return _kept(key, rules, lambda _: together[wager](rules, ties), recompute=recompute)


def _kept(key: str, rules: RulesInForce, count: Callable[[Exact], Counts], *, recompute: bool) -> Counts:
    path = kept_at(key)
    if not recompute and (kept := _read(path)) is not None:
        return kept
    try:
        counts = count(exact_of(rules.game.name))
    except NotCountable as beyond:
        raise NotAnalysed(str(beyond)) from None
    _write(path, counts)
    return counts


def key_of(rules: RulesInForce, wager: str, ties: str) -> str:
    """Return the name under which what was counted is kept."""
    # Play depends on what the main wagers pay, so their tables belong to the key; side wagers' own tables do
    # not: they only price what was counted.
    tables = {name: _written(rules, name) for name in main_wagers(rules) if name in rules.paytables}
    whole = [rules.game.name, sources_digest(rules.game.name), wager, ties, sorted(rules.options.items()), tables]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:24]


def _written(rules: RulesInForce, wager: str) -> list[list[str]]:
    return [[line.hand, str(line.payoff)] for line in rules.paytables[wager].lines]


def kept_at(key: str) -> Path:
    """Return the file in the user's cache for a key."""
    from pitboss.odds.compiled import cache_folder, digest

    return cache_folder() / f"counts-{digest()}" / f"{key}.json"


@lru_cache(maxsize=512)
def _read(path: Path) -> Counts | None:
    try:
        kept = json.loads(path.read_text("utf-8"))
        return Counts(
            kept["total"],
            tuple(
                Outcome(
                    tuple((name, units) for name, units in stakes),
                    frozenset(facts),
                    tuple((name, cell) for name, cell in cells),
                    count,
                )
                for stakes, facts, cells, count in kept["outcomes"]
            ),
        )
    except (OSError, ValueError, KeyError, TypeError, AssertionError):
        return None


def _write(path: Path, counts: Counts) -> None:
    # A cache that cannot be written is not an error; the counts are made again next time.
    data = {
        "total": counts.total,
        "outcomes": [
            [outcome.stakes, sorted(outcome.facts), outcome.cells, outcome.count] for outcome in counts.outcomes
        ],
    }
    if write_json(path, data):
        _read.cache_clear()


def write_json(path: Path, data: Any) -> bool:
    """Write plain data to the user's cache; return whether it could be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(data, file)
        os.replace(file.name, path)
    except OSError:
        return False
    return True
