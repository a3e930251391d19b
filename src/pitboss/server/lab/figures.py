"""The lab's figures as plain data: edges, edited paytables, PAR sheets and distributions."""

from collections.abc import Mapping
from typing import Any

from pitboss.lab.arguments import WrongTerms
from pitboss.lab.edges import stake_of
from pitboss.lab.exact_counts import MAIN, counts_of, main_wagers
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.in_force import RulesInForce
from pitboss.server.lab.questions import Body, Data, case_for, rules_of
from pitboss.sheets.spreadsheet_cell import csv_of
from pitboss.submission.fault import Fault, Note
from pitboss.submission.odds import odds_findings

# How the main game is played against edited odds: as against the printed odds, or solved again.
KEPT, BEST = "kept", "best"


def staked_terms(body: Body, rules: RulesInForce, wager: str) -> dict[str, Any]:
    """Return the terms a wager is priced with: its stake, the meters and the other players."""
    stake_cents = stake_of(rules, wager, body.get("stake_cents"))
    return {"stake_cents": stake_cents, "meters": body.get("meters") or {}, "others": body.get("others") or 0}


def priced_as(rules: RulesInForce, wager: str) -> str:
    """Return the name a wager is priced under: `main` for wagers that are played together."""
    return MAIN if wager in (MAIN, *main_wagers(rules)) else wager


def _known_wager(rules: RulesInForce, wager: str) -> str:
    if wager != MAIN and wager not in rules.offered:
        names = ", ".join((MAIN, *(offered.name for offered in rules.game.wagers if offered.name in rules.offered)))
        raise WrongTerms(f"{rules.game.name} has no wager called {wager!r}. It has {names}.")
    return priced_as(rules, wager)


def figures_of(worth: Worth) -> Data:
    """Return a wager's figures: exact ones as fractions in lowest terms, with the values a page prints."""
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


def exposures(body: Body) -> list[list[str]]:
    """Return what may be seen too early in a game, as the vulnerability sheet lists it."""
    from pitboss.lab.exposures import usual_exposures

    return [list(exposure.words) for exposure in usual_exposures(rules_of(body))]


def exposure(body: Body) -> Data:
    """Return a row of the vulnerability sheet."""
    from pitboss.lab.exposures import exposed_worth
    from pitboss.lab.vulnerability import HANDS_AN_HOUR, MAXIMUM_CENTS, MINIMUM_CENTS, SheetRow
    from pitboss.odds.exposure import WrongExposure, exposure_of

    rules = rules_of(body)
    try:
        worth = exposed_worth(rules, exposure_of(rules, body["seen"]))
    except WrongExposure as wrong:
        raise WrongTerms(str(wrong)) from None
    gain = worth.ev - worth_of(rules, MAIN).ev
    row = SheetRow(worth, gain, HANDS_AN_HOUR, MINIMUM_CENTS, MAXIMUM_CENTS).as_dict()
    return {**row, "gain": float(gain), "rule": list(worth.rule), "rule_cost": float(worth.rule_cost or 0)}


def incident(body: Body) -> Data:
    """Return what a card seen too early adds to fair play, where a card of the dealer or the board was reported."""
    from pitboss.lab.exposures import exposed_worth
    from pitboss.odds.exposure import Exposure, exposable

    rules = rules_of(body)
    # Nobody says which card of a board that is shown in steps was seen; the last ones are worth the most.
    words = ("dealer",) if body["place"] == "dealer" else ("board", "turn_river")
    word = next((word for word in words if word.replace("_", "-") in exposable(rules)), None)
    if word is None:
        return {"gain": None}
    return {"gain": float(exposed_worth(rules, Exposure(**{word: 1})).ev - worth_of(rules, MAIN).ev)}


def edges(body: Body) -> list[Data]:
    """Return the rows that `pitboss edge` prints."""
    from pitboss.api.calls import edge

    terms = {key: body[key] for key in ("paytables", "options", "stake_cents", "meters", "wager") if body.get(key)}
    found = edge(body["game"], ties=body.get("ties", "more"), others=body.get("others", 0), **terms)
    return [row.as_dict() for row in found]


def paytable(body: Body) -> Data:
    """Return the value of a wager with edited odds, the rulebook's value, and whether the odds are lawful."""
    wager, odds = body["wager"], body.get("odds") or {}
    letter = {wager: body["letter"]} if body.get("letter") else {}
    terms = {"game": body["game"], "options": body.get("options"), "paytables": {**body.get("paytables", {}), **letter}}
    printed = rules_of(terms)
    priced = _known_wager(printed, wager)
    if wager not in printed.paytables:
        raise WrongTerms(f"{printed.game.wagers_by_name[wager].title} doesn't have a paytable.")
    edited = rules_of({**terms, "odds": {wager: odds}}) if odds else printed
    kept = priced == MAIN and body.get("play") == KEPT and bool(odds)
    staked = staked_terms(body, printed, priced)
    worth = worth_of(edited, priced, played_as=printed if kept else None, **staked)
    findings = list(odds_findings(case_for(printed.game, printed.choices, {wager: odds}))) if odds else []
    return {
        **figures_of(worth),
        "wager": wager,
        "priced_as": priced,
        "letter": printed.paytables[wager].letter,
        "play": KEPT if kept else BEST,
        "printed": figures_of(worth_of(printed, priced, **staked)),
        "is_lawful": not findings,
        "findings": [_finding(finding) for finding in findings],
        "lines": _par_lines(edited, wager, priced, printed if kept else edited, staked),
    }


def _finding(found: Fault | Note) -> Data:
    hand = found.where.rpartition("odds.")[2].strip('"') or None
    return {"reason": found.reason, "clause": found.clause, "hand": hand}


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
    names = [column.name for column in table.columns]
    rows = (dict(zip(names, row, strict=True)) for row in table.rows)
    return [
        {
            "hand": row["hand"],
            "units": row.get("units", 1),
            "pays": row["pays"],
            "clause": row["clause"],
            "combinations": row["combinations"],
            "probability": _number(row["probability"]),
            "contribution": _number(row["contribution"]),
        }
        for row in rows
    ]


def _number(cell: Any) -> float:
    return float(cell)


def _shown_meters(rules: RulesInForce, wager: str, staked: Data) -> Mapping[str, int]:
    from pitboss.lab.meters import meters_at

    return meters_at(rules, wager, staked["meters"]) if wager != MAIN else {}


def par(body: Body) -> Data:
    """Return the PAR sheet of a wager, or of all wagers played together for the main game."""
    rules = rules_of(body)
    priced = _known_wager(rules, body.get("wager") or MAIN)
    staked = staked_terms(body, rules, priced)
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
    """Return the PAR sheets as one table in CSV: a line for each outcome of each wager, in plain numbers."""
    return csv_of([{"wager": sheet["wager"], **line} for sheet in par(body)["sheets"] for line in sheet["lines"]])


def distribution(body: Body) -> Data:
    """Return the distribution of a round's net, and the band of the house's result after many rounds."""
    from pitboss.lab.risk import clear_rounds, house_range, risk_of

    rules = rules_of(body)
    priced = _known_wager(rules, body.get("wager") or MAIN)
    worth = worth_of(rules, priced, **staked_terms(body, rules, priced))
    nets = sorted(worth.distribution.items())
    clear = clear_rounds(worth)
    most = body.get("rounds") or min(10**7, max(10_000, 2 * (clear or 50_000)))
    at = sorted({max(1, most * step * step // 900) for step in range(1, 31)})
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
            for rounds, (low, high) in ((count, house_range(worth, count)) for count in at)
        ],
        "clear_rounds": clear,
        "risk": risk_of(worth),
    }
