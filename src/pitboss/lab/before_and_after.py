"""How a change of choices changes the value of a table's wagers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pitboss.lab.edges import cases, stake_of
from pitboss.lab.exact_counts import main_wagers
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.in_force import RulesInForce


@dataclass(frozen=True)
class Moved:
    """A wager whose value changed; None for before or after if it was not offered then."""

    wager: str
    before: Worth | None
    after: Worth | None


def moved(
    old: RulesInForce | None, new: RulesInForce | None, announce: Callable[[str], None] = lambda _: None
) -> Iterator[Moved]:
    """Yield every wager that is priced differently by a table's old and new rules; None for no such table."""
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
    # Everything a value can depend on; if none of it changed, nothing needs to be counted.
    tables = {name: rules.paytables.get(name) for name in (*main_wagers(rules), wager)}
    offered = wager in _priced(rules)
    stake_cents = stake_of(rules, wager)
    return offered, tables, rules.options, stake_cents, rules.choices.resets
