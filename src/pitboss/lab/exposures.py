"""What exposed cards are worth under the rules in force: counted or estimated once, then kept in the user's cache."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.games.parts import part_or
from pitboss.lab.exact_counts import MAIN, NotAnalysed, kept_at, key_of, write_json
from pitboss.lab.worth import letter_of
from pitboss.odds.exposure import (
    BOARD,
    DEALER,
    EXACT,
    NEIGHBOURS,
    SIMULATION,
    Estimate,
    Exposed,
    Exposure,
    Moments,
    exposable,
)
from pitboss.odds.outcomes import Counts, NotCountable
from pitboss.odds.pricing import net_of_stakes
from pitboss.rules.in_force import RulesInForce

GENERAL = "pitboss.odds.general_exposure"
DIGITS = 10**6  # an estimate is given to so many parts of a unit


@dataclass(frozen=True)
class ExposedWorth:
    """The main game's value to a player who has seen some cards, per unit of Ante, under best play."""

    game: str
    paytable: str | None
    seen: tuple[str, ...]
    ev: Fraction
    method: str
    average_wager: Fraction | None
    hit_frequency: Fraction | None
    standard_deviation: float | None
    standard_error: float | None = None
    situations: int | None = None
    answers: Mapping[str, Fraction] = field(default_factory=dict)  # to the first question
    rule: tuple[str, ...] = ()  # a short rule that a cheat could remember
    rule_cost: Fraction | None = None  # compared with best play
    options: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, exact ones as fractions in lowest terms."""
        row: dict[str, Any] = {
            "game": self.game,
            "wager": MAIN,
            "paytable": self.paytable,
            "options": dict(self.options),
            "seen": list(self.seen),
            "ev": str(self.ev),
            "house_edge": float(-self.ev),
            "hit_frequency": None if self.hit_frequency is None else str(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            "element_of_risk": None if self.average_wager is None else float(-self.ev / self.average_wager),
            "average_wager": None if self.average_wager is None else float(self.average_wager),
            "method": self.method,
            "answers": {name: str(share) for name, share in self.answers.items()},
            "situations": self.situations,
        }
        if self.rule_cost is not None:
            row |= {"rule": list(self.rule), "rule_cost": str(self.rule_cost)}
        if self.standard_error is not None:
            row["standard_error"] = self.standard_error
        return row


def exposed_worth(
    rules: RulesInForce,
    exposure: Exposure,
    *,
    ties: str = "more",
    options: Mapping[str, Any] | None = None,
    recompute: bool = False,
    announce: Callable[[str], None] = lambda _: None,
) -> ExposedWorth:
    """Return what the main game is worth to a player who sees these cards before the first decision."""
    path = kept_at(key_of(rules, f"{MAIN} seen {' '.join(exposure.words)}", ties))
    kept = None
    if not recompute:
        try:
            kept = _read(json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            kept = None
    if kept is None:
        part = part_or(rules.game.name, "exposed", GENERAL)
        try:
            kept = _figures(rules, part.exposed(rules, exposure, ties, announce))
        except NotCountable as beyond:
            raise NotAnalysed(str(beyond)) from None
        write_json(path, _written(kept))
    return ExposedWorth(rules.game.name, letter_of(rules, MAIN), exposure.words, options=options or {}, **kept)


def usual_exposures(rules: RulesInForce) -> Iterator[Exposure]:
    """Yield what a vulnerability sheet lists: each word by itself, then the pairs that are seen together."""
    most = exposable(rules)
    for word in (DEALER, BOARD, NEIGHBOURS):
        for count in range(1, most.get(word, 0) + 1):
            yield Exposure(**{word: count})
    for one_card in (Exposure(flop=1), Exposure(turn_river=1)):
        if set(one_card.counts) <= set(most):
            yield one_card
            if DEALER in most:
                yield Exposure(dealer=1, flop=one_card.flop, turn_river=one_card.turn_river)


def _figures(rules: RulesInForce, exposed: Exposed) -> dict[str, Any]:
    found: dict[str, Any] = {"situations": exposed.situations, "answers": dict(exposed.answers), "method": EXACT}
    if exposed.rule:
        found |= {"rule": exposed.rule.lines, "rule_cost": exposed.rule.cost}
    worth = exposed.worth
    if isinstance(worth, Estimate):
        return found | {
            "method": SIMULATION,
            "ev": Fraction(round(worth.ev * DIGITS), DIGITS),
            "standard_error": worth.standard_error,
            "average_wager": Fraction(round(worth.average_wager * DIGITS), DIGITS),
            "hit_frequency": None,
            "standard_deviation": None,
        }
    moments = _moments(rules, worth) if isinstance(worth, Counts) else worth
    spread = None if moments.square is None else math.sqrt(moments.square - moments.ev**2)
    return found | {
        "ev": moments.ev,
        "average_wager": moments.average_wager,
        "hit_frequency": moments.hit_frequency,
        "standard_deviation": spread,
    }


def _moments(rules: RulesInForce, counts: Counts) -> Moments:
    net, square, wins, staked = Fraction(0), Fraction(0), 0, 0
    for outcome in counts.outcomes:
        units = net_of_stakes(rules, outcome.stakes, outcome.facts, outcome.cells)
        net += outcome.count * units
        square += outcome.count * units**2
        wins += outcome.count * (units > 0)
        staked += outcome.count * sum(placed for _, placed in outcome.stakes)
    total = counts.total
    return Moments(net / total, Fraction(staked, total), Fraction(wins, total), square / total)


FRACTIONS = ("ev", "average_wager", "hit_frequency", "rule_cost")


def _written(figures: Mapping[str, Any]) -> dict[str, Any]:
    whole = {name: str(figures[name]) for name in FRACTIONS if figures.get(name) is not None}
    return {**figures, **whole, "answers": {name: str(share) for name, share in figures["answers"].items()}}


def _read(kept: Mapping[str, Any]) -> dict[str, Any]:
    whole: dict[str, Any] = {name: Fraction(kept[name]) for name in FRACTIONS if kept.get(name) is not None}
    whole |= {"rule": tuple(kept.get("rule", ()))}
    return {**kept, **whole, "answers": {name: Fraction(share) for name, share in kept["answers"].items()}}
