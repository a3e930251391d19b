"""Every question the lab answers, by name; all of it runs in the lab's worker processes."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pitboss.games.catalogue import UnknownGame, game, rulings
from pitboss.lab.advice import WrongCards, advise, asked_at
from pitboss.lab.arguments import WrongTerms
from pitboss.lab.exact_counts import MAIN, NotAnalysed
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import general_rulings
from pitboss.server.lab.figures import (
    distribution,
    edges,
    exposure,
    exposures,
    incident,
    par,
    par_csv,
    paytable,
    priced_as,
    staked_terms,
)
from pitboss.server.lab.own_results import own_results, round_parts
from pitboss.server.lab.play_advice import (
    Tell,
    advice_data,
    chart,
    practice,
    practised,
    simulated,
    strategies,
    strategy,
)
from pitboss.server.lab.questions import Body, Data, NotAnswered, rules_of, title_of


def answered(kind: str, body: Body, tell: Tell = lambda _: True) -> Any:
    """Return the answer to a question, or raise NotAnswered."""
    try:
        return LONG_WORK[kind](body, tell) if kind in LONG_WORK else WORK[kind](body)
    except (WrongTerms, NotAnalysed, WrongCards) as wrong:
        raise NotAnswered(Refusal(str(wrong).rstrip("."))) from None
    except UnknownGame as unknown:
        raise NotAnswered(Refusal(str(unknown.args[0]).rstrip("."), None, "game")) from None


def warm(body: Body) -> Data:
    """Load, compile or solve whatever the quick answers about these rules depend on."""
    rules = rules_of(body)
    if "document" not in body:
        edges(body)
    for wager in (MAIN, *(offered.name for offered in rules.game.wagers if offered.name in rules.offered)):
        worth_of(rules, priced_as(rules, wager), **staked_terms(body, rules, priced_as(rules, wager)))
    deck = [card[:2] for card in rules.game.deck.cards]
    each = rules.game.cards_each
    for size in asked_at(rules):
        advice_data(rules, advise(rules, tuple(deck[:each]), tuple(deck[each : each + size])))
    return {}


def rulings_priced(body: Body) -> list[Data]:
    """Return a game's rulings, each with the value of every reading."""
    from pitboss.lab.effects import effects

    definition = game(body["game"])
    found = []
    for ruling in (*rulings(definition.name), *general_rulings()):
        moved = (
            effects(definition, ruling.option) if ruling.option in definition.options_by_name and ruling.option else ()
        )
        found.append({**asdict(ruling), "effects": [effect.as_dict() for effect in moved]})
    return found


def compared(body: Body) -> list[Data]:
    """Return every wager whose value differs between two documents of a table."""
    from pitboss.lab.before_and_after import moved

    old, new = rules_of({"document": body["old"]}), rules_of({"document": body["new"]})
    return [
        {
            "wager": edge.wager,
            "title": title_of(new if edge.after else old, edge.wager),
            "before": edge.before and _worth(edge.before),
            "after": edge.after and _worth(edge.after),
        }
        for edge in moved(old, new)
    ]


def _worth(worth: Worth) -> Data:
    return {"paytable": worth.paytable, "ev": str(worth.ev), "house_edge": float(worth.house_edge)}


def packet(body: Body) -> Data:
    """Return the packet of one table with everything its rulebook prices, as a PDF."""
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


WORK: Mapping[str, Callable[[Body], Any]] = {
    "warm": warm,
    "edges": edges,
    "exposures": exposures,
    "exposure": exposure,
    "incident": incident,
    "paytable": paytable,
    "par": par,
    "par-csv": par_csv,
    "distribution": distribution,
    "strategy": strategy,
    "chart": chart,
    "practice": practice,
    "practised": practised,
    "strategies": strategies,
    "rulings": rulings_priced,
    "packet": packet,
    "compared": compared,
    "own-results": own_results,
    "round-parts": round_parts,
}
LONG_WORK: Mapping[str, Callable[[Body, Tell], Data]] = {"simulate": simulated}
