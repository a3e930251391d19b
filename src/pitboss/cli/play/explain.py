"""Explains the current rules: the available actions, the clauses behind them in short, and the rulings on them."""

from collections.abc import Iterable
from functools import cache

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pitboss.cli.play.terms import TableTerms
from pitboss.games.catalogue import rulings
from pitboss.games.clauses import clauses
from pitboss.round.stakes import bounds_words
from pitboss.round.view import SeatView
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask
from pitboss.rules.procedure import PLAYER, duties_in_force
from pitboss.rules.ruling import Ruling
from pitboss.rules.wager import Wager


def wager_rules(terms: TableTerms) -> RenderableType:
    """Explain the wagers that may be placed."""
    cites = [terms.game.bets.cite]
    rows = [("No more bets", "", terms.game.bets.cite)]
    for wager in terms.placed:
        rows.append((wager.title, bounds_words(terms.rules, wager), wager.cite))
        cites += [cite for cite in (wager.cite, wager.needs_cite, wager.stakes_cite) if cite]
    return Group(_clause_rows(terms.rules, rows), _rulings(terms.rules, cites))


def paytable_rules(terms: TableTerms, wager: Wager) -> RenderableType:
    """Explain one wager: the clause that allows it and its paytable."""
    rules = terms.rules
    table = rules.paytables.get(wager.name)
    parts: list[RenderableType] = [_clause_rows(rules, [(wager.title, bounds_words(terms.rules, wager), wager.cite)])]
    cites = [wager.cite, *((wager.needs_cite,) if wager.needs_cite else ())]
    if table is not None:
        name = f"Paytable {table.letter}" if table.letter else "Paytable"
        lines = Table(
            title=f" {name} ({table.cite})", title_justify="left", title_style="bold", box=None, padding=(0, 2)
        )
        lines.add_column(no_wrap=True)
        lines.add_column(no_wrap=True)
        lines.add_column(style="dim")
        for line in table.lines:
            lines.add_row(Text(line.title), Text(str(line.payoff)), Text(line.cite))
        parts.append(lines)
        cites.append(table.cite)
    else:
        rows = {row.odds_cite or row.cite: str(row.odds) for row in terms.game.settlement[wager.name] if row.odds}
        parts.append(_clause_rows(rules, [("Pays", odds, cite) for cite, odds in rows.items()]))
        cites += rows
    return Group(*parts, _rulings(rules, cites))


def ask_rules(terms: TableTerms, ask: Ask) -> RenderableType:
    """Explain the question a player is asked and every possible answer."""
    actions = terms.rules.actions[ask.name].values()
    rows = [(ask.name.capitalize(), "", ask.cite)]
    rows += [(action.title or action.name, _effect(terms, action.name, ask), action.cite) for action in actions]
    cites = dict.fromkeys((ask.cite, ask.answers_cite, *(action.cite for action in actions)))
    return Group(_clause_rows(terms.rules, rows), _duties(terms), _rulings(terms.rules, cites))


def settlement_rules(terms: TableTerms, own: SeatView, cites_besides: Iterable[str] = ()) -> RenderableType:
    """Explain why each wager of a seat ended as it did."""
    rows = []
    for result in own.results:
        title = terms.game.wagers_by_name[result.wager].title
        rows.append((title, "", result.clause))
        if result.odds_clause:
            rows.append(("", result.odds or "", result.odds_clause))
        if result.cut_clause:
            rows.append(("", "cut", result.cut_clause))
    rows += [("Envy bonus", "", cite) for cite in cites_besides]
    return Group(_clause_rows(terms.rules, rows), _rulings(terms.rules, [cite for _, _, cite in rows]))


def _effect(terms: TableTerms, name: str, ask: Ask) -> str:
    action = terms.rules.actions[ask.name][name]
    titles = terms.game.wagers_by_name
    if action.stakes is None:
        return "discards a card" if action.discards else ""
    times = "equal to" if action.stakes.times == 1 else f"{action.stakes.times} times"
    also = ", discards a card" if action.discards else ""
    return f"{titles[action.stakes.wager].title}: {times} the {titles[action.stakes.of].title}{also}"


def _clause_rows(rules: RulesInForce, rows: Iterable[tuple[str, str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    told: set[str] = set()
    for title, note, cite in rows:
        # A clause behind several rows is listed once.
        summary = "" if cite in told else _summaries(rules.game.name).get(cite, "")
        told.add(cite)
        said = Text(note)
        said.append(f"{'  ' if note else ''}{cite}", style="dim")
        said.append(f"  {summary}" if summary else "")
        table.add_row(Text(f" {title}"), said)
    return table


def _duties(terms: TableTerms) -> RenderableType:
    rules = terms.rules
    duties = duties_in_force(terms.game.procedures.round, rules.option_facts, rules.offered)
    yours = [duty for duty in duties if duty.by == PLAYER]
    if not yours:
        return Text()
    return Text("\n".join([" Your duties at the table", *(f"   {duty.text} ({duty.cite})" for duty in yours)]))


def _rulings(rules: RulesInForce, cites: Iterable[str]) -> RenderableType:
    wanted = tuple(cites)
    found = [ruling for ruling in _rulings_of(rules.game.name) if any(_concerns(ruling, cite) for cite in wanted)]
    if not found:
        return Text()
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for ruling in found:
        said = Text(ruling.clause, style="dim")
        said.append(f"  {ruling.problem} {ruling.reading}", style="not dim default")
        table.add_row(Text(f" {ruling.id}"), said)
    return Group(Text(" Rulings on these clauses"), table)


def _concerns(ruling: Ruling, cite: str) -> bool:
    return any(
        cite == part or cite.startswith(f"{part}(") or part.startswith(f"{cite}(") for part in ruling.clause.split("; ")
    )


@cache
def _rulings_of(name: str) -> tuple[Ruling, ...]:
    return rulings(name)


@cache
def _summaries(name: str) -> dict[str, str]:
    return {clause.id: clause.summary for clause in clauses(name)}
