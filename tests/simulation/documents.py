"""The tables of a simulated floor: every game, dealt by the house or by people, with drawn or real cards."""

from collections.abc import Mapping
from typing import Any

from house.floors import PROGRESSIVE, choices_for
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table.table_terms import LEAST_DECISION_MS, Pace, PayoutLimits, TableTerms
from pitboss.house.progressive import link_of
from pitboss.rules.in_force import RulesInForce
from pitboss.table.settings import COUNTING, PLAIN, READER, SHUFFLE, TableSettings
from simulation.counted_people import is_counted

_READ: dict[str, TableTerms] = {}


def read_terms(document: Mapping[str, Any]) -> TableTerms:
    """Return the terms of a document: a game, who deals it, from which cards, with which shuffler."""
    key = repr(sorted(document.items()))
    if key not in _READ:
        name, is_free = str(document["game"]), bool(document.get("free_play", True))
        rules = RulesInForce(game(name), choices_for(name))
        settings = TableSettings(
            game=game(name),
            choices=rules.choices,
            shuffler=str(document["shuffler"]),
            decks=int(document["decks"]),
            cards=str(document["cards"]),
            self_dealing=bool(document["automatic"]),
            free_play=is_free,
        )
        progressive = PROGRESSIVE if link_of("any", rules) else None
        decision_ms = 3_000 if is_free else LEAST_DECISION_MS
        pace, limits = Pace(2_000, decision_ms, 100, 500), PayoutLimits(payout_from_cents=30_00)
        _READ[key] = TableTerms(dict(document), settings, progressive, pace, verification=limits)
    return _READ[key]


def tables_of(seed: int) -> dict[str, dict[str, Any]]:
    """Return three tables of a seed: a self-dealing one, one with a reader, one that people deal from drawn cards."""
    names = game_names()
    first, second, third = (names[(seed + place) % len(names)] for place in range(3))
    decks = 2 if seed % 5 == 0 else 1
    shuffler = COUNTING if seed // 2 % 2 else PLAIN
    money = {"free_play": False} if is_counted(seed) else {}
    return {
        "a": {"game": first, "automatic": True, "cards": SHUFFLE, "shuffler": PLAIN, "decks": 1},
        "b": {"game": second, "automatic": False, "cards": READER, "shuffler": shuffler, "decks": decks, **money},
        "c": {"game": third, "automatic": False, "cards": SHUFFLE, "shuffler": PLAIN, "decks": 1},
    }
