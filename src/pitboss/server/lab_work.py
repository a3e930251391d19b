"""What the lab is asked, answered in plain data; everything here runs in the lab's own processes."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pitboss.games.catalogue import UnknownGame, game, rulings
from pitboss.lab.edges import stake_of
from pitboss.lab.exact import MAIN, NotAnalysed, counts_of, main_wagers
from pitboss.lab.practice import fitting_line, hard_hand, score_of, squares_of
from pitboss.lab.strategy import Advice, WrongCards, advise, asked_at, chart_of
from pitboss.lab.worth import Worth, worth_of
from pitboss.odds.charts import Chart
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import general_rulings
from pitboss.submission.case import Case
from pitboss.submission.choices import choices_for
from pitboss.submission.document import SubmittedTable, SubmittedWager
from pitboss.submission.fault import Fault, Note
from pitboss.submission.odds import odds_findings
from pitboss.terms import WrongTerms, chosen

Body = Mapping[str, Any]
Data = dict[str, Any]
KEPT, BEST = "kept", "best"  # how the main game is played against edited odds: as against the printed ones, or anew
Tell = Callable[[Data], bool]  # hands over what is known so far, and says whether anybody still waits for the rest


class NotAnswered(Exception):
    """A question the lab cannot answer, with what is wrong in it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def rules_of(body: Body) -> RulesInForce:
    """Return the rules a question is about: those of a table's document, or a game's with what was chosen."""
    named = {key: body[key] for key in ("game", "paytables", "options", "odds", "document") if body.get(key)}
    return _rules(json.dumps(named, sort_keys=True))


def answered(kind: str, body: Body, tell: Tell = lambda _: True) -> Any:
    """Return the answer to a question, or raise NotAnswered."""
    try:
        return LONG_WORK[kind](body, tell) if kind in LONG_WORK else WORK[kind](body)
    except (WrongTerms, NotAnalysed, WrongCards) as wrong:
        raise NotAnswered(Refusal(str(wrong).rstrip("."))) from None
    except UnknownGame as unknown:
        raise NotAnswered(Refusal(str(unknown.args[0]).rstrip("."), None, "game")) from None


@lru_cache(maxsize=256)
def _rules(named: str) -> RulesInForce:
    body = json.loads(named)
    if document := body.get("document"):
        from pitboss.server.terms import submitted

        table = submitted(document)
        return RulesInForce(game(table.game or ""), choices_for(table))
    definition = game(body["game"])
    base = chosen(definition, body.get("paytables", {}), body.get("options", {}))
    odds = body.get("odds", {})
    if not odds:
        return RulesInForce(definition, base)
    case = _case(definition, base, odds)
    for finding in odds_findings(case):
        if isinstance(finding, Fault):
            raise NotAnswered(Refusal(finding.reason, finding.clause, finding.where.partition(".")[2]))
    own = {name: table for name in odds if (table := case.paytable(definition.wagers_by_name[name])) is not None}
    return RulesInForce(definition, replace(base, own_tables=own))


def _case(definition: GameDefinition, base: Choices, odds: Mapping[str, Mapping[str, str]]) -> Case:
    # Odds that no table may pay are answered all the same; the case is for analysis and notes what is unlawful.
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


def _terms_of(body: Body, rules: RulesInForce, wager: str) -> dict[str, Any]:
    stake_cents = stake_of(rules.game, rules.choices, wager, body.get("stake_cents"))
    return {"stake_cents": stake_cents, "meters": body.get("meters") or {}, "others": body.get("others") or 0}


def _priced_as(rules: RulesInForce, wager: str) -> str:
    return MAIN if wager in (MAIN, *main_wagers(rules)) else wager


def _known_wager(rules: RulesInForce, wager: str) -> str:
    if wager != MAIN and wager not in rules.offered:
        names = ", ".join((MAIN, *(one.name for one in rules.game.wagers if one.name in rules.offered)))
        raise WrongTerms(f"{rules.game.name} has no wager called {wager!r}; it has {names}.")
    return _priced_as(rules, wager)


def figures_of(worth: Worth) -> Data:
    """Return a wager's figures, the exact ones as fractions in lowest terms beside what a page prints."""
    return {
        "ev": str(worth.ev),
        "house_edge": float(worth.house_edge),
        "hit_frequency": float(worth.hit_frequency),
        "standard_deviation": worth.standard_deviation,
        "element_of_risk": float(worth.element_of_risk),
        "average_wager": float(worth.average_wager),
        "break_even_meter_cents": worth.break_even_meter,
        "combinations": worth.total,
        "notes": list(worth.notes),
    }


def warm(body: Body) -> Data:
    """Load, compile or solve whatever the quick answers about these rules rest on."""
    rules = rules_of(body)
    for wager in (MAIN, *(one.name for one in rules.game.wagers if one.name in rules.offered)):
        worth_of(rules, _priced_as(rules, wager), **_terms_of(body, rules, _priced_as(rules, wager)))
    _chart(rules)
    deck = [card[:2] for card in rules.game.deck.cards]
    each = rules.game.cards_each
    for size in asked_at(rules):
        fitting_line(rules, advise(rules, tuple(deck[:each]), tuple(deck[each : each + size])))
    return {}


def edges(body: Body) -> list[Data]:
    """Return the rows that the command of the same name prints."""
    from pitboss.front import edge

    terms = {key: body[key] for key in ("paytables", "options", "stake_cents", "meters", "wager") if body.get(key)}
    found = edge(body["game"], ties=body.get("ties", "more"), others=body.get("others", 0), **terms)
    return [one.as_dict() for one in found]


def paytable(body: Body) -> Data:
    """Return what a wager is worth with some odds of its paytable edited, beside the rulebook's, and if it is lawful."""
    wager, odds = body["wager"], body.get("odds") or {}
    letter = {wager: body["letter"]} if body.get("letter") else {}
    terms = {"game": body["game"], "options": body.get("options"), "paytables": {**body.get("paytables", {}), **letter}}
    printed = rules_of(terms)
    priced = _known_wager(printed, wager)
    if wager not in printed.paytables:
        raise WrongTerms(f"{printed.game.wagers_by_name[wager].title} is paid by no paytable.")
    edited = rules_of({**terms, "odds": {wager: odds}}) if odds else printed
    kept = priced == MAIN and body.get("play") == KEPT and bool(odds)
    staked = _terms_of(body, printed, priced)
    worth = worth_of(edited, priced, played_as=printed if kept else None, **staked)
    findings = list(odds_findings(_case(printed.game, printed.choices, {wager: odds}))) if odds else []
    return {
        **figures_of(worth),
        "wager": wager,
        "priced_as": priced,
        "letter": printed.paytables[wager].letter,
        "play": KEPT if kept else BEST,
        "printed": figures_of(worth_of(printed, priced, **staked)),
        "is_lawful": not findings,
        "findings": [_finding(one) for one in findings],
        "lines": _par_lines(edited, wager, priced, printed if kept else edited, staked),
    }


def _finding(found: Fault | Note) -> Data:
    reason = found.reason if isinstance(found, Fault) else found.remark
    return {"reason": reason, "clause": found.clause, "hand": found.where.rpartition("odds.")[2].strip('"') or None}


def _par_lines(rules: RulesInForce, wager: str, priced: str, played: RulesInForce, staked: Data) -> list[Data]:
    from pitboss.packet.par import lines_of

    table = lines_of(
        rules,
        wager,
        counts_of(played, priced),
        wager,
        stake_cents=staked["stake_cents"],
        meters=_shown_meters(rules, priced, staked),
    )
    names = [one.name for one in table.columns]
    rows = (dict(zip(names, row, strict=True)) for row in table.rows)
    return [
        {
            "hand": row["hand"],
            "units": row.get("units", 1),
            "pays": row["pays"],
            "clause": row["clause"],
            "combinations": row["combinations"],
            "probability": float(row["probability"]),
            "contribution": float(row["contribution"]),
        }
        for row in rows
    ]


def _shown_meters(rules: RulesInForce, wager: str, staked: Data) -> Mapping[str, int]:
    from pitboss.lab.meters import meters_at

    return meters_at(rules, wager, staked["meters"]) if wager != MAIN else {}


def par(body: Body) -> Data:
    """Return the PAR sheet of a wager, of every wager played together for the main game."""
    rules = rules_of(body)
    priced = _known_wager(rules, body.get("wager") or MAIN)
    staked = _terms_of(body, rules, priced)
    worth = worth_of(rules, priced, **staked)
    names = main_wagers(rules) if priced == MAIN else (priced,)
    return {
        "wager": priced,
        "paytable": worth.paytable,
        "figures": figures_of(worth),
        "sheets": [
            {
                "wager": name,
                "title": rules.game.wagers_by_name[name].title,
                "lines": _par_lines(rules, name, priced, rules, staked),
            }
            for name in names
        ],
    }


def par_csv(body: Body) -> str:
    """Return the same as CSV, its cells as a packet prints them."""
    from pitboss.packet.par import lines_of
    from pitboss.packet.tables import as_csv

    rules = rules_of(body)
    priced = _known_wager(rules, body.get("wager") or MAIN)
    staked = _terms_of(body, rules, priced)
    names = main_wagers(rules) if priced == MAIN else (priced,)
    meters = _shown_meters(rules, priced, staked)
    counts, stake_cents = counts_of(rules, priced), staked["stake_cents"]
    sheets = (lines_of(rules, name, counts, name, stake_cents=stake_cents, meters=meters) for name in names)
    return "\n".join(f"{sheet.title}\n{as_csv(sheet)}" for sheet in sheets)


def distribution(body: Body) -> Data:
    """Return how often a round nets how much, and where the house's result lies after many rounds."""
    from pitboss.packet.spread import band_at, clear_rounds

    rules = rules_of(body)
    priced = _known_wager(rules, body.get("wager") or MAIN)
    worth = worth_of(rules, priced, **_terms_of(body, rules, priced))
    nets = sorted(worth.distribution.items())
    clear = clear_rounds(worth)
    most = body.get("rounds") or min(10**7, max(10_000, 2 * (clear or 50_000)))
    at = sorted({max(1, most * step * step // 2500) for step in range(1, 51)})
    return {
        "wager": priced,
        "paytable": worth.paytable,
        "figures": figures_of(worth),
        "results": [
            {"net": str(net), "units": float(net), "combinations": count, "probability": count / worth.total}
            for net, count in nets
        ],
        "band": [
            {"rounds": rounds, "expected": float(worth.house_edge) * rounds, "low": low, "high": high}
            for rounds, (low, high) in ((one, _totals(band_at(worth, one), one)) for one in at)
        ],
        "clear_rounds": clear,
    }


def _totals(ends: tuple[Fraction, Fraction], rounds: int) -> tuple[float, float]:
    return float(ends[0] * rounds), float(ends[1] * rounds)


def strategy(body: Body) -> Data:
    """Return what each action is worth with these cards, and where they stand in the strategy's chart."""
    rules = rules_of(body)
    return advice_data(rules, advise(rules, tuple(body["cards"]), tuple(body.get("board") or ())))


def advice_data(rules: RulesInForce, advice: Advice) -> Data:
    """Return advice as a page shows it: worths exact and as numbers, the line that fits, the squares of the grid."""
    line = fitting_line(rules, advice)
    sections = [_section_data(one, advice) for one in _chart(rules).sections]
    named = [one for one in sections if one["title"].casefold() == advice.asked]
    return {
        "game": advice.game,
        "asked": advice.asked,
        "cards": list(advice.cards),
        "board": list(advice.board),
        "best": advice.best,
        "actions": [
            {
                "action": name,
                "worth": str(worth),
                "units": float(worth),
                "cost": str(advice.cost(name)),
                "cost_units": float(advice.cost(name)),
            }
            for name, worth in advice.worths.items()
        ],
        "line": line and asdict(line),
        "marks": named or sections,
    }


def _section_data(section: Any, advice: Advice) -> Data:
    squares = squares_of(section.grid, advice.cards) if section.grid else ()
    return {"title": section.title, "rules": list(section.rules), "squares": [list(one) for one in squares]}


@lru_cache(maxsize=64)
def _chart(rules: RulesInForce) -> Chart:
    return chart_of(rules)


def chart(body: Body) -> Data:
    """Return a game's chart: for each decision rules in words, a grid where there is one, and its exact cost."""
    rules = rules_of(body)
    found = _chart(rules)
    sections = [{**one.as_dict(), "cost_units": float(one.cost)} for one in found.sections]
    return {
        "game": rules.game.name,
        "sections": sections,
        "cost": str(found.cost),
        "cost_units": float(found.cost),
    }


def practice(body: Body) -> Data:
    """Return the cards of a hard hand and the answers open to it, without saying what they are worth."""
    rules = rules_of(body)
    advice = hard_hand(rules, body["seed"])
    return {
        "game": rules.game.name,
        "seed": body["seed"],
        "asked": advice.asked,
        "cards": list(advice.cards),
        "board": list(advice.board),
        "actions": sorted(advice.worths, key=_order(rules, advice)),
    }


def _order(rules: RulesInForce, advice: Advice) -> Callable[[str], tuple[int, str]]:
    names = list(rules.actions[advice.asked])
    return lambda one: (names.index(one.partition(",")[0]), one)


def practised(body: Body) -> Data:
    """Return what an answer to a hard hand scores, and why."""
    rules = rules_of(body)
    advice = hard_hand(rules, body["seed"])
    action = body["action"]
    if action not in advice.worths:
        raise WrongTerms(f"Answer with one of {'; '.join(advice.worths)}.")
    return {
        **advice_data(rules, advice),
        "action": action,
        "score": score_of(advice, action),
        "is_best": not advice.cost(action),
        "cost_units": float(advice.cost(action)),
    }


def rulings_priced(body: Body) -> list[Data]:
    """Return a game's rulings, each with what every reading of it is worth."""
    from pitboss.lab.effects import effects

    definition = game(body["game"])
    found = []
    for one in (*rulings(definition.name), *general_rulings()):
        moved = effects(definition, one.option) if one.option in definition.options_by_name and one.option else ()
        found.append({**asdict(one), "effects": [effect.as_dict() for effect in moved]})
    return found


def packet(body: Body) -> Data:
    """Return the packet of one table with everything its rulebook prices, as a PDF."""
    import hashlib

    from pitboss.packet.contents import packet_of
    from pitboss.packet.typeset import pdf_of
    from pitboss.server.demonstration import document_for
    from pitboss.submission.check import check
    from pitboss.submission.read import submission_from

    definition = game(body["game"])
    rules_of(body)
    document = document_for(definition)
    table = {**document["table"], "analysis": True, "options": {**document["table"]["options"]}}
    table["options"].update(body.get("options") or {})
    wagers = dict(table["wagers"])
    for name in {*(body.get("paytables") or {}), *(body.get("odds") or {})}:
        stated = dict(wagers[name]) if isinstance(wagers.get(name), dict) else {}
        letters = definition.wagers_by_name[name].letters
        if letter := (body.get("paytables") or {}).get(name, letters[0] if letters else None):
            stated["paytable"] = letter
        if odds := (body.get("odds") or {}).get(name):
            stated["odds"] = odds
        wagers[name] = stated or True
    submission = submission_from({"facility": document["facility"], "table": [{**table, "wagers": wagers}]})
    if faults := check(submission):
        raise NotAnswered(Refusal(faults[0].reason, faults[0].clause, faults[0].where))
    stated_as = hashlib.sha256(json.dumps(table, sort_keys=True, default=str).encode()).hexdigest()[:16]
    return {"pdf": b64encode(pdf_of(packet_of(submission, stated_as))).decode()}


def simulated(body: Body, tell: Tell) -> Data:
    """Play rounds of a table, tell where the house stands as they go, and return what they came to."""
    from pitboss.lab.followed import Followed
    from pitboss.lab.players import NotPlayed

    rules = rules_of(body)
    if not 1 <= body["seats"] <= rules.seats_most:
        raise NotAnswered(Refusal(f"A table of {rules.game.title} has 1 to {rules.seats_most} seats", None, "seats"))
    try:
        run = Followed(rules, body["rounds"], seats=body["seats"], seed=body["seed"], strategy=body["strategy"])
    except NotPlayed as unknown:
        raise NotAnswered(Refusal(str(unknown).rstrip("."), None, "strategy")) from None
    for point in run.points():
        if not tell({"rounds": point.rounds, "house_cents": point.house_cents}):
            break
    return run.result().as_dict()


WORK: Mapping[str, Callable[[Body], Any]] = {
    "warm": warm,
    "edges": edges,
    "paytable": paytable,
    "par": par,
    "par-csv": par_csv,
    "distribution": distribution,
    "strategy": strategy,
    "chart": chart,
    "practice": practice,
    "practised": practised,
    "rulings": rulings_priced,
    "packet": packet,
}
LONG_WORK: Mapping[str, Callable[[Body, Tell], Data]] = {"simulate": simulated}
