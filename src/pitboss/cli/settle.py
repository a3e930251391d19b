"""`pitboss settle`: settles finished hands, one line at a time."""

import json
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from pitboss.cli.output import Failure, console, show_table
from pitboss.cli.submissions import table_choices
from pitboss.games import UnknownGame, game
from pitboss.round.finished import rules_for, settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars, signed
from pitboss.rules.refusal import Refusal

KEPT_RULES = 256


def settle_command(file: Path | None, *, submission: Path | None, table: str | None, as_json: bool) -> None:
    """Settle every hand of a file or of standard input; exit with a failure if any was refused."""
    if table and not submission:
        raise Failure("--table chooses one of a submission's tables. Add --submission.", 2)
    settler = Settler(table_choices(submission, table) if submission else None)
    hands = refused = 0
    with _opened(file) as source:
        for line, text in _texts(source):
            hands += 1
            result = settler.settle(text)
            if isinstance(result, Refusal):
                refused += 1
            _write(line, result, as_json=as_json)
    if not hands:
        raise Failure("There are no hands to settle. Provide a JSON object, or one on each line.")
    if refused:
        sys.stdout.flush()
        raise Failure(f"{refused} of {hands} hand{'s were' if hands > 1 else ' was'} refused.")


class Settler:
    """Settles texts, and caches the rules in force for the last choices."""

    def __init__(self, submitted: Mapping[str, Choices] | None = None) -> None:
        self._submitted = submitted
        self._rules = lru_cache(maxsize=KEPT_RULES)(self._rules_for)

    def settle(self, text: str) -> dict[str, Any] | Refusal:
        """Return the result of one hand, or why it is refused."""
        try:
            given = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        except (ValueError, RecursionError) as wrong:
            return Refusal(f"This is not valid JSON: {str(wrong).rstrip('.')}", None, None)
        if not isinstance(given, dict):
            return Refusal("A hand must be a JSON object with game, cards and seats", None, None)
        name = given.get("game")
        if not isinstance(name, str):
            return Refusal("The hand does not name its game; add game", None, "game")
        choices = given.get("choices")
        try:
            rules = self._rules(name, json.dumps(choices))
        except UnknownGame as unknown:
            return Refusal(str(unknown.args[0]).rstrip("."), None, "game")
        return rules if isinstance(rules, Refusal) else settle_hand(rules, given)

    def _rules_for(self, name: str, choices: str) -> RulesInForce | Refusal:
        definition = game(name)
        given = json.loads(choices)
        if self._submitted is None:
            return rules_for(definition, given)
        base = self._submitted.get(name)
        if base is None:
            return Refusal(f"The submission has no table for {name}", None, "game")
        rules = rules_for(definition, given, base)
        if isinstance(rules, RulesInForce) and rules.choices != base:
            for key, value in given.items():
                changed = rules_for(definition, {key: value}, base)
                if isinstance(changed, RulesInForce) and changed.choices != base:
                    return Refusal(f"The submission already sets {key}; remove it here", None, f"choices.{key}")
        return rules


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"{twice!r} appears twice in one object")
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number")


def _opened(file: Path | None) -> TextIO:
    if file is None or str(file) == "-":
        return open(sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=False)
    try:
        return file.open(encoding="utf-8", errors="replace")
    except OSError as wrong:
        raise Failure(f"{file} cannot be read: {wrong.strerror}.") from None


def _texts(source: TextIO) -> Iterator[tuple[int, str]]:
    # A file whose first line isn't valid JSON may hold one object written over several lines.
    lines = ((number, line) for number, line in enumerate(source, 1) if line.strip())
    number, first = next(lines, (0, ""))
    if not first:
        return
    if not _is_json(first):
        rest = source.read()
        if _is_json(first + rest):
            yield number, first + rest
            return
        lines = ((number + index, line) for index, line in enumerate(rest.splitlines(), 1) if line.strip())
    yield number, first
    yield from lines


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _write(line: int, result: dict[str, Any] | Refusal, *, as_json: bool) -> None:
    if as_json:
        if isinstance(result, Refusal):
            refused = {"field": result.field, "reason": result.reason, "clause": result.clause}
            print(json.dumps({"line": line, "refused": refused}, ensure_ascii=False))
        else:
            print(json.dumps(result, ensure_ascii=False))
        return
    out = console()
    if isinstance(result, Refusal):
        where = f" at {result.field}" if result.field else ""
        out.print(f"Line {line} refused{where}: {result}.", markup=False)
        return
    rows = [row for seat in result["seats"] for row in _rows(seat)]
    dealer = result["dealer"]
    title = f"Hand on line {line}"
    if dealer:
        qualifies = {True: ", qualifies", False: ", does not qualify", None: ""}[dealer["qualifies"]]
        title += f": dealer has {dealer['hand']}{qualifies}"
    show_table(title, ("seat", "wager", "stake", "result", "odds", "net", "clause"), rows, out)
    if "meters" in result:
        out.print("Meters after: " + ", ".join(f"{name} {dollars(cents)}" for name, cents in result["meters"].items()))


def _rows(seat: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    number = str(seat["seat"])
    for wager, row in seat["wagers"].items():
        clause = ", ".join(filter(None, (row["clause"], row["odds_clause"])))
        yield number, wager, dollars(row["stake"]), row["result"], row["odds"] or "", signed(row["net"]), clause
        if "limit" in row:
            yield number, "", "", "cut", "", signed(-row["limit"]["cut"]), row["limit"]["clause"]
    for bonus in seat["envy"]:
        yield number, "envy", "", bonus["hand"], "", signed(bonus["net"]), f"seat {bonus['from_seat']}"
    yield number, "total", "", seat["hand"], "", signed(seat["net"]), ""
