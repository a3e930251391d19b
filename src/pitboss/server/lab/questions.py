"""Which rules a lab question is about, and what is wrong with a question that has no answer."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pitboss.games.catalogue import game
from pitboss.lab.arguments import WrongTerms, chosen
from pitboss.lab.exact_counts import MAIN
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.submission.case import Case
from pitboss.submission.document import SubmittedTable, SubmittedWager
from pitboss.submission.fault import Fault
from pitboss.submission.odds import odds_findings
from pitboss.submission.table_choices import choices_for

Body = Mapping[str, Any]
Data = dict[str, Any]


class NotAnswered(Exception):
    """A question the lab can't answer, with what is wrong with it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def rules_of(body: Body) -> RulesInForce:
    """Return the rules a question is about: those of a table's document, or a game's with the given choices."""
    named = {key: body[key] for key in ("game", "paytables", "options", "odds", "document") if body.get(key)}
    return _rules(json.dumps(named, sort_keys=True))


@lru_cache(maxsize=256)
def _rules(named: str) -> RulesInForce:
    body = json.loads(named)
    if document := body.get("document"):
        from pitboss.server.table_documents import submitted

        table = submitted(document)
        return RulesInForce(game(table.game or ""), choices_for(table))
    definition = game(body["game"])
    base = chosen(definition, body.get("paytables", {}), body.get("options", {}))
    odds = body.get("odds", {})
    if not odds:
        return RulesInForce(definition, base)
    case = case_for(definition, base, odds)
    for finding in odds_findings(case):
        if isinstance(finding, Fault):
            raise NotAnswered(Refusal(finding.reason, finding.clause, finding.where.partition(".")[2]))
    own = {name: paid for name in odds if (paid := case.paytable(definition.wagers_by_name[name])) is not None}
    return RulesInForce(definition, replace(base, own_tables=own))


def title_of(rules: RulesInForce, wager: str) -> str:
    """Return the title of a wager, or of the wagers that are priced together."""
    return "Main game" if wager == MAIN else rules.game.wagers_by_name[wager].title


def case_for(definition: GameDefinition, base: Choices, odds: Mapping[str, Mapping[str, str]]) -> Case:
    """Return a table that pays these odds, for the submission checker to examine."""
    # Odds that no table may pay are answered too; the case is marked for analysis and notes what is unlawful.
    for name in odds:
        if name not in definition.wagers_by_name:
            raise WrongTerms(f"{definition.name} has no wager called {name!r}.")
    wagers = {}
    for name in {*odds, *base.paytables}:
        letters = definition.wagers_by_name[name].letters
        letter = base.paytables.get(name, letters[0] if letters else None)
        wagers[name] = SubmittedWager(name, frozenset({"paytable", "odds"}), letter, odds=dict(odds.get(name, {})))
    table = SubmittedTable("lab", definition.name, analysis=True, wagers=wagers, options=dict(base.options))
    return Case(definition, table)
