"""The state of patron controls after an event; no rule is checked here."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pitboss.house.patron_controls import events as happened
from pitboss.house.patron_controls.state import Exclusion, OwnLimits, PatronRules
from pitboss.house.stream_names import PATRONS
from pitboss.record.entries import Draft, Entry
from pitboss.record.snapshots import Fold
from pitboss.rules.plain import made, plain


def evolve(rules: PatronRules, event: happened.Event, at: int) -> PatronRules:
    """Return what is in force after an event."""
    match event:
        case happened.ExclusionAdded():
            kept = Exclusion(
                event.person, event.full_name, event.identifier, event.is_self, event.reason, at, event.until, event.by
            )
            listed = {**rules.exclusions, event.exclusion: kept}
            return replace(rules, exclusions=listed, numbers=_counted(rules, event.exclusion))
        case happened.ExclusionRemoved():
            left = {number: kept for number, kept in rules.exclusions.items() if number != event.exclusion}
            return replace(rules, exclusions=left)
        case happened.LimitsSet():
            own = OwnLimits(event.limits, event.later, event.later_from)
            return replace(rules, limits={**rules.limits, event.person: own})
        case happened.HandPayRecorded():
            held = (*rules.held, event.held) if event.held and event.held not in rules.held else rules.held
            return replace(rules, held=held, numbers=_counted(rules, event.form))
        case happened.HandPaid():
            return rules


def _counted(rules: PatronRules, number: str) -> Mapping[str, int]:
    series, _, count = number.rpartition("-")
    return {**rules.numbers, series: int(count)}


def draft_of(event: happened.Event) -> Draft:
    """Return an event as a draft."""
    return Draft(PATRONS, f"{PATRONS}.{type(event).__name__}", plain(event), event.clause)


def _evolve_entry(rules: PatronRules, entry: Entry) -> PatronRules:
    event: happened.Event = made(happened.KINDS[entry.kind.partition(".")[2]], entry.body)
    return evolve(rules, event, entry.at)


def _of_data(data: Any) -> PatronRules:
    rules: PatronRules = made(PatronRules, data)
    return rules


PATRONS_FOLD: Fold[PatronRules] = Fold("patrons 1", PatronRules, _evolve_entry, plain, _of_data)
