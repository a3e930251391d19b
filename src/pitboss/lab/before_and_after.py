"""What a change of choices does to the worth of a table's wagers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pitboss.lab.edges import cases, stake_of
from pitboss.lab.exact_counts import main_wagers
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.in_force import RulesInForce


@dataclass(frozen=True)
class Moved:
    """A wager whose worth is not what it was; None where it was not, or is no longer, offered."""

    wager: str
    before: Worth | None
    after: Worth | None


def moved(
    old: RulesInForce | None, new: RulesInForce | None, announce: Callable[[str], None] = lambda _: None
) -> Iterator[Moved]:
    """Yield every wager that a table's new rules price otherwise than its old ones; None for no such table."""
    if old and new and old.game is not new.game:
        yield from moved(old, None, announce)
        yield from moved(None, new, announce)
        return
    for wager in dict.fromkeys((*_priced(old), *_priced(new))):
        if old and new and _terms(old, wager) == _terms(new, wager):
            continue
        before, after = (_worth(rules, wager, announce) for rules in (old, new))
        if before is None or after is None or before.ev != after.ev:
            yield Moved(wager, before, after)


def _priced(rules: RulesInForce | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wager for wager, _ in cases(rules.game, rules.choices))) if rules else ()


def _worth(rules: RulesInForce | None, wager: str, announce: Callable[[str], None]) -> Worth | None:
    if rules is None or wager not in _priced(rules):
        return None
    announce(f"{rules.game.title}: {wager}")
    return worth_of(rules, wager, stake_cents=stake_of(rules, wager))


def _terms(rules: RulesInForce, wager: str) -> tuple[Any, ...]:
    # All that a worth can depend on: where none of it changed, nothing needs counting.
    tables = {name: rules.paytables.get(name) for name in (*main_wagers(rules), wager)}
    offered = wager in _priced(rules)
    stake_cents = stake_of(rules, wager)
    return offered, tables, rules.options, stake_cents, rules.choices.resets
