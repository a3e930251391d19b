"""A hash of everything that decides what a table's wagers pay and how often."""

import hashlib
import json
from typing import Any

from pitboss.games.catalogue import sources_digest
from pitboss.rules.in_force import RulesInForce


def configuration_of(rules: RulesInForce) -> dict[str, Any]:
    """Return the configuration as plain data: the game and its definition, options, odds, stakes and meters."""
    choices, book = rules.choices, rules.game.rulebook
    return {
        "game": rules.game.name,
        "rulebook": [book.title, book.authority, book.version],
        "definition": sources_digest(rules.game.name),
        "options": dict(sorted(rules.options.items())),
        "amounts": dict(sorted(choices.amounts.items())),
        "wagers": sorted(rules.offered),
        "paytables": {
            wager: [[line.hand, str(line.payoff)] for line in table.lines]
            for wager, table in sorted(rules.paytables.items())
            if wager in rules.offered
        },
        "stakes": {
            wager: [limits.least, limits.maximum, list(limits.fixed)]
            for wager in sorted(rules.offered)
            if (limits := rules.limits(wager))
        },
        "resets": dict(sorted(choices.resets.items())),
        "envy": choices.envy,
        "dealing": choices.dealing,
        "seats": rules.seats_most,
    }


def configuration_hash(rules: RulesInForce) -> str:
    """Return the SHA-256 of the configuration, in hexadecimal."""
    text = json.dumps(configuration_of(rules), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
