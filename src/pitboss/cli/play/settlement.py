"""The settlement as a table: each wager, its result, odds, money and clause."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from pitboss.round.events import EnvyPaid, WagerResult
from pitboss.round.view import SeatView
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars, signed
from pitboss.rules.settlement import LOSE, PUSH, WIN

STYLES = {WIN: "#3fb27f", LOSE: "#d0654f", PUSH: "#8aa0b4"}
WORDS = {WIN: "wins", LOSE: "loses", PUSH: "push"}


def money_text(cents: int) -> Text:
    """Return an amount with its sign, unit and color."""
    return Text(signed(cents), style=f"bold {STYLES[WIN if cents > 0 else LOSE if cents < 0 else PUSH]}")


def settlement_table(rules: RulesInForce, seats: Iterable[SeatView], envy: Iterable[EnvyPaid] = ()) -> Table:
    """Return the result of every wager of these seats, and their envy bonuses."""
    shown = Table(box=None, padding=(0, 1), header_style="dim")
    for heading in ("wager", "stake", "result", "odds", "money", "clause"):
        shown.add_column(heading, justify="right" if heading in ("stake", "money") else "left", overflow="fold")
    bonuses = tuple(envy)
    for seat in seats:
        results = {result.wager: result for result in seat.results}
        for wager in dict.fromkeys((*seat.stakes, *results)):
            if wager in results:
                shown.add_row(*_row(rules, results[wager]))
        for bonus in bonuses:
            if bonus.seat == seat.seat:
                shown.add_row(*_envy_row(bonus))
        stakes = Text(dollars(sum(seat.stakes.values())), style="bold")
        shown.add_row(Text("total", style="bold"), stakes, "", "", money_text(net_of(seat)), "")
    return shown


def net_of(seat: SeatView) -> int:
    """Return a seat's net for the round, including envy bonuses."""
    return sum(result.net for result in seat.results) + seat.envy_cents


def _row(rules: RulesInForce, result: WagerResult) -> tuple[Text, ...]:
    clause = result.clause if result.odds_clause is None else f"{result.clause}, {result.odds_clause}"
    if result.cut:
        clause += f"; {dollars(result.cut)} over the payout limit, {result.cut_clause}"
    if result.remainder != "0":
        clause += f"; {result.remainder} of a cent rounded down"
    return (
        Text(rules.game.wagers_by_name[result.wager].title),
        Text(dollars(result.stake)),
        Text(WORDS[result.result], style=STYLES[result.result]),
        Text(result.odds or ""),
        money_text(result.net),
        Text(clause, style="dim"),
    )


def _envy_row(bonus: EnvyPaid) -> tuple[Text, ...]:
    whose = f"seat {bonus.from_seat}: {bonus.hand}"
    return (
        Text("Envy bonus"),
        Text(""),
        Text(WORDS[WIN], style=STYLES[WIN]),
        Text(whose),
        money_text(bonus.net),
        Text(bonus.clause, style="dim"),
    )
