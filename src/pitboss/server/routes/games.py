"""Game routes: the catalog, clauses, rulings, and the rules the page draws for a table."""

from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path

from pitboss.games.catalogue import UnknownGame, game, game_names, rulings
from pitboss.games.clauses import clauses
from pitboss.house.live_table.table_terms import TableTerms, UnsoundDocument
from pitboss.rules.game import GameDefinition
from pitboss.rules.paytable import Paytable
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import general_rulings
from pitboss.rules.wager import Wager
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas import rules as shown
from pitboss.server.table_documents import read_terms
from pitboss.server.table_rules import book, option_value, rules_kept, submission_of, table_rules, within
from pitboss.submission.check import check
from pitboss.submission.fault import Fault

router = APIRouter(prefix="/api")
GameName = Annotated[str, Path(max_length=80, examples=list(game_names()[:1]))]
NO_RULES = Refusal("No rules are in force at this table yet", None, "table")


@router.get("/games")
async def all_games() -> list[shown.GameShown]:
    """List the games with their rulebooks, wagers, paytables and options."""
    return [_shown(name) for name in game_names()]


@router.get("/games/{name}", responses=REFUSED)
async def one_game(name: GameName) -> shown.GameShown:
    """Show one game."""
    return _shown(_known(name).name)


@router.get("/games/{name}/clauses", responses=REFUSED)
async def game_clauses(name: GameName) -> dict[str, shown.ClauseShown]:
    """Map every clause of a game's rulebook to a one-sentence summary."""
    return _clauses(_known(name).name)


@router.get("/games/{name}/rulings", responses=REFUSED)
async def game_rulings(name: GameName) -> list[shown.RulingShown]:
    """List how unclear clauses of a game's rulebook are read, and why; rulings for all games come last."""
    return _rulings(_known(name).name)


@router.get("/tables/{table}/rules", responses=REFUSED)
async def rules_at_table(floor: Floor, table: str) -> shown.TableRules:
    """Show the rules in force at a table: its layout, the wagers it takes and the payouts."""
    live = floor.house.live(table)
    terms = live.terms
    if terms is None:
        raise RefusedHere(NO_RULES, 404)
    return within(await floor.beside(lambda: rules_kept(table, terms)), live.limits)


@router.post("/rules/preview", responses=REFUSED)
async def preview(floor: Floor, person: Person, asked: shown.RulesDocument) -> shown.TableRules:
    """Show the rules of a document that isn't in force."""
    return await floor.beside(lambda: _preview(asked), person.share)


def _preview(asked: shown.RulesDocument) -> shown.TableRules:
    terms = sound_terms(asked)
    return table_rules(submission_of(terms.document).tables[0].name or "", terms)


def sound_terms(asked: shown.RulesDocument) -> TableTerms:
    """Return the terms of a document, or refuse with its first fault."""
    faults = check(submission_of(asked.document))
    if faults:
        raise RefusedHere(refusal_of(faults[0]))
    try:
        return read_terms(asked.document)
    except (UnsoundDocument, Malformed) as wrong:  # for the rest of the document: who deals, and at what pace
        raise RefusedHere(Refusal(str(wrong), None, "document")) from None


def refusal_of(fault: Fault) -> Refusal:
    """Return a fault as a refusal."""
    return Refusal(fault.reason, fault.clause, fault.where)


def _known(name: str) -> GameDefinition:
    try:
        return game(name)
    except UnknownGame as unknown:
        raise RefusedHere(Refusal(str(unknown), None, "game"), 404) from None


@cache
def _clauses(name: str) -> dict[str, shown.ClauseShown]:
    return {clause.id: shown.ClauseShown(summary=clause.summary, status=clause.status) for clause in clauses(name)}


@cache
def _rulings(name: str) -> list[shown.RulingShown]:
    return [
        shown.RulingShown(
            id=ruling.id,
            clause=ruling.clause,
            clauses=list(ruling.clauses),
            question=ruling.problem,
            reading=ruling.reading,
            reason=ruling.reason,
            effect=ruling.effect,
            option=ruling.option,
        )
        for ruling in (*rulings(name), *general_rulings())
    ]


@cache
def _shown(name: str) -> shown.GameShown:
    definition = game(name)
    instruments = definition.procedures.instruments
    return shown.GameShown(
        name=definition.name,
        title=definition.title,
        rulebook=book(definition.rulebook),
        cards=len(definition.deck),
        positions=definition.positions.most,
        dealing=list(definition.procedures.dealing),
        wagers=[_wager(definition, wager) for wager in definition.wagers],
        options=[*_options(definition), *_amounts(definition)],
        instruments=[
            shown.InstrumentShown(name=name, clause=clause, is_beside_chips=name in instruments.beside_chips)
            for name, clause in instruments.if_submitted.items()
        ],
    )


def _wager(definition: GameDefinition, wager: Wager) -> shown.WagerShown:
    progressive = (
        definition.progressive if definition.progressive and definition.progressive.wager == wager.name else None
    )
    envy = {letter: None for tables in progressive.envy_cents.values() for letter in tables} if progressive else {}
    return shown.WagerShown(
        name=wager.name,
        title=wager.title,
        required=wager.required,
        by_action=wager.by_action,
        equals=wager.equals,
        needs=list(wager.needs),
        nature=wager.nature,
        fixed_stakes=list(wager.stakes_cents),
        defined_by_submission=wager.defined_by_submission,
        hands={name: list(cells) for name, cells in wager.hands.items()},
        dealing=wager.dealing,
        minimum_odds=wager.minimum_odds,
        is_progressive=progressive is not None,
        meters={
            letter: [shown.MeterShown(name=meter.name, minimum_cents=meter.minimum_cents) for meter in meters]
            for letter, meters in (progressive.meters if progressive else {}).items()
        },
        envy=list(envy),
        paytables=[_paytable(table) for table in wager.paytables],
        cite=wager.cite,
    )


def _paytable(table: Paytable) -> shown.PaytableShown:
    lines = [
        shown.PaytableLine(hand=line.hand, title=line.title, odds=str(line.payoff), clause=line.cite)
        for line in table.lines
    ]
    return shown.PaytableShown(letter=table.letter, when=table.when, under=option_value(table.when), lines=lines)


def _options(definition: GameDefinition) -> list[shown.OptionShown]:
    return [
        shown.OptionShown(
            name=option.name,
            values=list(option.values),
            meaning=dict(option.meaning),
            minimum_cents=None,
            concerns=option.concerns or None,
            concerns_wager=option.concerns if option.concerns in definition.wagers_by_name else None,
            concerns_option=option_value(option.concerns),
            counts_positions=option.name == definition.positions.count_option,
            must_state=option.must_state,
            ruling=option.ruling,
            cite=option.cite,
        )
        for option in definition.options
    ]


def _amounts(definition: GameDefinition) -> list[shown.OptionShown]:
    return [
        shown.OptionShown(
            name=amount.name,
            values=None,
            meaning={},
            minimum_cents=amount.minimum_cents,
            concerns=None,
            concerns_wager=None,
            concerns_option=None,
            counts_positions=False,
            must_state=None,
            ruling=amount.ruling,
            cite=next(iter(amount.cites.values())),
        )
        for amount in definition.money_options
    ]
