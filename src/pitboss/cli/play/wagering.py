"""Stakes while the player edits them: what is typed, what it changes, and any remaining objections."""

import re
from collections.abc import Mapping
from functools import partial
from string import digits

from rich.table import Table
from rich.text import Text

from pitboss.cli.play.felt import BRASS
from pitboss.cli.play.keys import RESERVED, one_key_each
from pitboss.cli.play.terms import TableTerms
from pitboss.cli.play.words import refusal_words
from pitboss.round.stakes import bounds_words, linked
from pitboss.rules.payoff import dollars
from pitboss.rules.wager import Wager

TAKEN_BETWEEN_ROUNDS = frozenset("we")
NONE_WORDS = ("0", "-", "off", "none")
_AMOUNT = re.compile(r"\$?(\d{1,7}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{2}))?", re.ASCII)
_KEYED = re.compile(r"([a-z])=?(\$?[\d,.]+|-)", re.ASCII)


class NotUnderstood(Exception):
    """The input isn't a wager; the message says what to type instead."""


def wager_keys(terms: TableTerms) -> dict[str, str]:
    """Return the key of each wager that has its own stake."""
    free = {wager.name: wager.title for wager in terms.placed if not wager.equals}
    return one_key_each(free, RESERVED | TAKEN_BETWEEN_ROUNDS | frozenset(digits))


def cents_of(text: str) -> int | None:
    """Return the amount of a text such as 25, $25 or 12.50, in cents."""
    match = _AMOUNT.fullmatch(text)
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0) if match else None


def revised(terms: TableTerms, stakes: Mapping[str, int], typed: str) -> dict[str, int]:
    """Return the stakes after the typed change, or raise NotUnderstood with a sentence."""
    by_key = {key: terms.game.wagers_by_name[name] for name, key in wager_keys(terms).items()}
    main = next(wager for wager in terms.placed if wager.required)
    found = dict(stakes)
    words = typed.split()
    while words:
        word = words.pop(0)
        keyed = _KEYED.fullmatch(word)
        if cents_of(word) is not None:
            _put(terms, found, main, word)
        elif word in by_key and words and (words[0] in NONE_WORDS or cents_of(words[0]) is not None):
            _put(terms, found, by_key[word], words.pop(0))
        elif word in by_key:
            _toggle(terms, found, by_key[word])
        elif keyed and keyed[1] in by_key:
            _put(terms, found, by_key[keyed[1]], keyed[2])
        else:
            raise NotUnderstood(f"{word!r} isn't a wager. Type an amount such as 25, or a wager's key and an amount.")
    return linked(terms.rules, found)


def _toggle(terms: TableTerms, stakes: dict[str, int], wager: Wager) -> None:
    if wager.required:
        raise NotUnderstood(f"{wager.title} is required ({wager.cite}). Type an amount to change it.")
    if wager.name in stakes:
        del stakes[wager.name]
    else:
        stakes[wager.name] = terms.rules.limits(wager.name).least


def _put(terms: TableTerms, stakes: dict[str, int], wager: Wager, word: str) -> None:
    cents = 0 if word in NONE_WORDS else cents_of(word)
    if cents is None:
        raise NotUnderstood(f"{word!r} isn't an amount. Type dollars, such as 25 or 12.50.")
    if cents == 0:
        if wager.required:
            raise NotUnderstood(f"{wager.title} is required ({wager.cite}).")
        stakes.pop(wager.name, None)
        return
    refusal = terms.rules.check_stake(wager.name, cents)
    if refusal:
        raise NotUnderstood(refusal_words(refusal))
    stakes[wager.name] = cents


def objections(terms: TableTerms, stakes: Mapping[str, int], bankroll_cents: int) -> list[str]:
    """Return the objections to these stakes, each with what to do about it."""
    keys = wager_keys(terms)
    found = []
    for broken in terms.rules.broken_links(stakes):
        off = keys.get(broken.field or "", "")
        found.append(f"{refusal_words(broken)} Add it, or type {off} to remove this wager.")
    total = sum(stakes.values())
    if total > bankroll_cents:
        found.append(f"These wagers total {dollars(total)}, and you have {dollars(bankroll_cents)}.")
    return found


def examples(terms: TableTerms) -> list[tuple[str, str]]:
    """Return examples of what to type to change the stakes."""
    keys = wager_keys(terms)
    main = next(wager for wager in terms.placed if wager.required)
    found = [] if _is_fixed(terms, main) else [(_amount(terms, main), f"{main.title} {_amount(terms, main, '$')}")]
    side = sorted(
        (wager for wager in terms.placed if not wager.required and wager.name in keys), key=partial(_is_fixed, terms)
    )
    if side:
        key, title = keys[side[0].name], side[0].title
        found.append((key, f"{title} on or off"))
        if not _is_fixed(terms, side[0]):
            found.append((f"{key} {_amount(terms, side[0])}", "change its stake"))
        found.append((f"?{key}", "what it pays"))
    return found


def _is_fixed(terms: TableTerms, wager: Wager) -> bool:
    return bool(terms.rules.limits(wager.name).fixed)


def _amount(terms: TableTerms, wager: Wager, unit: str = "") -> str:
    limits = terms.rules.limits(wager.name)
    cents = limits.least * 5 if limits.maximum is None or limits.least * 5 <= limits.maximum else limits.least
    return unit + dollars(cents).removeprefix("$")


def wager_table(terms: TableTerms, stakes: Mapping[str, int]) -> Table:
    """Return every wager with its key, stake, limits, the wagers it depends on and its clause."""
    keys = wager_keys(terms)
    titles = {each.name: each.title for each in terms.game.wagers}
    shown = Table(box=None, padding=(0, 1), pad_edge=True, header_style="dim")
    for heading in ("", "wager", "stake", "limits", "needs", "clause"):
        shown.add_column(heading, justify="right" if heading == "stake" else "left")
    for wager in terms.placed:
        key = Text(f"[{keys[wager.name]}]", style=f"bold {BRASS}") if wager.name in keys else Text("")
        stake = dollars(stakes[wager.name]) if wager.name in stakes else "-"
        needs = "required" if wager.required else ", ".join(titles[need] for need in wager.needs)
        clause = wager.needs_cite or wager.cite
        bounds = bounds_words(terms.rules, wager)
        shown.add_row(key, Text(wager.title), Text(stake), Text(bounds), Text(needs), Text(clause, style="dim"))
    return shown
