"""The rulings that apply to a table: those on its choices first, then those that affect its wagers' value."""

import re
from collections.abc import Iterator

from pitboss.games.catalogue import rulings
from pitboss.games.clauses import clauses
from pitboss.packet.cells import CLAUSE, Column, Table
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.ruling import Ruling, general_rulings
from pitboss.rules.wager import Wager

TITLE = "Rulings that affect this table"
# How a ruling on wording, citations or procedure says that it changes no figure.
_NO_MONEY = "Moves no money"
# A clause that this code enforces says what a hand is, which of two is higher, when a player decides, and what becomes
# of a wager.
_MARKS = (".readings.", "pitboss.cards.poker.", ".PLAY", ".SETTLEMENT", ".settled_by_fold", ".meter_payment")

_ITEMS = re.compile(r".*?§\w+(?:\(\w+\))*")


def rulings_table(rules: RulesInForce, chosen: frozenset[str], name: str) -> Table:
    """Return the rulings tied to the choices in force, then those on settling, ranking and paying what is offered."""
    known = (*rulings(rules.game.name), *general_rulings())
    first = [ruling for ruling in known if ruling.id in chosen]
    absent = frozenset(cite for wager in rules.game.wagers if wager.name not in rules.offered for cite in _own(wager))
    in_force = frozenset(_settling(rules)) | frozenset(_enforced(rules, absent))
    others = [ruling for ruling in known if ruling.id not in chosen and _decides(ruling, in_force, absent)]
    rows = tuple(
        (ruling.id, ruling.clause, ruling.problem, ruling.reading, ruling.reason, ruling.effect)
        for ruling in (*first, *others)
    )
    columns = (
        Column("ruling", "Ruling"),
        Column("clause", "Clause", CLAUSE),
        Column("problem", "Unclear"),
        Column("reading", "Read as"),
        Column("reason", "Because"),
        Column("effect", "Effect"),
    )
    return Table(f"{name}-rulings", TITLE, columns, rows)


def _decides(ruling: Ruling, in_force: frozenset[str], absent: frozenset[str]) -> bool:
    # An option that affects this table is among its choices, stated or by default, and so is its ruling.
    if ruling.option or ruling.effect.startswith(_NO_MONEY):
        return False
    places = ruling.clause.split("; ")
    if any(_within(place, cite) for place in places for cite in absent):
        return False
    return any(_touch(place, cite) for place in places for cite in in_force)


def _touch(first: str, other: str) -> bool:
    return _within(first, other) or _within(other, first)


def _within(clause: str, section: str) -> bool:
    (place, name), (outer, outer_name) = _split(clause), _split(section)
    return name == outer_name and (place == outer or place.startswith(f"{outer}("))


def _split(clause: str) -> tuple[str, str]:
    # If a rulebook uses a letter twice, the wager's name after the items tells the two sections apart.
    found = _ITEMS.match(clause)
    return (found[0], clause[found.end() :]) if found else (clause, "")


def _settling(rules: RulesInForce) -> Iterator[str]:
    options = rules.option_facts
    for name in rules.settlement_order:
        yield rules.game.wagers_by_name[name].cite
        for row in rules.game.settlement[name]:
            if all(fact in options for fact in row.facts if "=" in fact):
                yield from filter(None, (row.cite, row.odds_cite, row.push_cite, row.lose_cite))
        if table := rules.paytables.get(name):
            yield table.cite
            yield from (line.cite for line in table.lines)


def _enforced(rules: RulesInForce, absent: frozenset[str]) -> Iterator[str]:
    for clause in clauses(rules.game.name):
        bears = any(mark in code for code in clause.code for mark in _MARKS)
        if bears and not any(_touch(clause.id, cite) for cite in absent):
            yield clause.id


def _own(wager: Wager) -> Iterator[str]:
    yield from filter(None, (wager.cite, wager.paytables_cite, wager.dealing_cite))
    yield from (table.cite for table in wager.paytables)
