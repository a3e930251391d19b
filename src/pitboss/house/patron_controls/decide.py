"""What a command about patrons leads to, or why it is refused."""

from typing import NamedTuple

from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.controls.play_limits import stricter
from pitboss.house.patron_controls import commands as asked
from pitboss.house.patron_controls import events as happened
from pitboss.house.patron_controls.evolve import draft_of
from pitboss.house.patron_controls.state import PatronRules
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

Decided = tuple[Draft, ...] | Refusal
EXCLUSION_SERIES, HAND_PAY_SERIES = "EXCLUSION", "HANDPAY"
DAY_MS, HOUR_MS = 24 * 3_600_000, 3_600_000
SELF_DAYS_LEAST, SELF_DAYS_MOST = 1, 100 * 365
TEXT_LONGEST = 500
NAME_LONGEST = 120


class Given(NamedTuple):
    """Who gives a command, when, and the house settings."""

    by: str
    second: str
    at: int
    settings: HouseSettings
    has_account: bool  # whether the account that the command names exists


def decide(rules: PatronRules, command: asked.Command, given: Given) -> Decided:
    """Return what a command leads to, or why it is refused."""
    match command:
        case asked.AddExclusion():
            return _exclusions_off(given) or _add(rules, command, given)
        case asked.RemoveExclusion():
            return _remove(rules, command, given)
        case asked.ExcludeSelf():
            return _exclusions_off(given) or _exclude_self(rules, command, given)
        case asked.SetOwnLimits():
            return _limits(rules, command, given)


def _exclusions_off(given: Given) -> Refusal | None:
    if given.settings.exclusions:
        return None
    reason = "The exclusion list is off. An operator can switch it on in the house settings"
    return Refusal(reason, rule.SETTINGS, "exclusions")


def _add(rules: PatronRules, command: asked.AddExclusion, given: Given) -> Decided:
    texts = {"full_name": command.full_name, "identifier": command.identifier}
    if command.person and not given.has_account:
        return Refusal(f"There is no account named {command.person!r}", rule.EXCLUSIONS, "person")
    if not command.person and not (command.full_name.strip() and command.identifier.strip()):
        reason = "Enter the account, or the full name and the number of an identity document"
        return Refusal(reason, rule.EXCLUSIONS, "person")
    too_long = next((name for name, text in texts.items() if len(text) > NAME_LONGEST), None)
    if too_long:
        return Refusal(f"Enter at most {NAME_LONGEST} characters", rule.EXCLUSIONS, too_long)
    if not command.reason.strip() or len(command.reason) > TEXT_LONGEST:
        return Refusal(f"Enter a reason of up to {TEXT_LONGEST} characters", rule.EXCLUSIONS, "reason")
    if command.until is not None and command.until <= given.at:
        return Refusal("The exclusion must end in the future, or have no end", rule.EXCLUSIONS, "until")
    added = happened.ExclusionAdded(
        exclusion=rules.next_number(EXCLUSION_SERIES),
        person=command.person,
        full_name=command.full_name.strip(),
        identifier=command.identifier.strip(),
        is_self=False,
        reason=command.reason.strip(),
        until=command.until,
        by=given.by,
    )
    return (draft_of(added),)


def _remove(rules: PatronRules, command: asked.RemoveExclusion, given: Given) -> Decided:
    kept = rules.exclusions.get(command.exclusion)
    if kept is None:
        return Refusal(f"There is no exclusion {command.exclusion}", rule.EXCLUSIONS, "exclusion")
    if kept.is_self and kept.is_in_force(given.at):
        return Refusal("A self-exclusion can't be ended early", rule.EXCLUSIONS, "exclusion")
    if not command.reason.strip() or len(command.reason) > TEXT_LONGEST:
        return Refusal(f"Enter a reason of up to {TEXT_LONGEST} characters", rule.EXCLUSIONS, "reason")
    if kept.person and kept.person in (given.by, given.second):
        return Refusal("You can't decide about your own exclusion. Ask someone else", rule.EXCLUSIONS, "by")
    removed = happened.ExclusionRemoved(
        exclusion=command.exclusion, reason=command.reason.strip(), by=given.by, second=given.second
    )
    return (draft_of(removed),)


def _exclude_self(rules: PatronRules, command: asked.ExcludeSelf, given: Given) -> Decided:
    if not SELF_DAYS_LEAST <= command.days <= SELF_DAYS_MOST:
        return Refusal(f"Choose from {SELF_DAYS_LEAST} to {SELF_DAYS_MOST:,} days", rule.EXCLUSIONS, "days")
    until = given.at + command.days * DAY_MS
    own = (kept for kept in rules.exclusions.values() if kept.is_self and kept.person == given.by)
    if any(kept.until is None or until < kept.until + DAY_MS for kept in own if kept.is_in_force(given.at)):
        reason = "You are already excluded for this long. To exclude yourself for longer, choose more days"
        return Refusal(reason, rule.EXCLUSIONS, "days")
    added = happened.ExclusionAdded(
        exclusion=rules.next_number(EXCLUSION_SERIES),
        person=given.by,
        full_name="",
        identifier="",
        is_self=True,
        reason="self-exclusion",
        until=until,
        by=given.by,
    )
    return (draft_of(added),)


def _limits(rules: PatronRules, command: asked.SetOwnLimits, given: Given) -> Decided:
    if not given.settings.player_limits:
        reason = "Player limits are off. An operator can switch them on in the house settings"
        return Refusal(reason, rule.SETTINGS, "player_limits")
    fault = command.limits.fault()
    if fault is not None:
        return Refusal(fault[1], rule.PLAYER_LIMITS, fault[0])
    before = rules.own_limits(given.by, given.at)
    at_once = stricter(before, command.limits)
    is_loosened = at_once != command.limits
    if at_once == before and not is_loosened and given.by not in rules.limits:
        return Refusal("Enter at least one limit", rule.PLAYER_LIMITS, "limits")
    changed = happened.LimitsSet(
        person=given.by,
        limits=at_once,
        later=command.limits if is_loosened else None,
        later_from=given.at + given.settings.loosening_hours * HOUR_MS if is_loosened else 0,
        before=before,
    )
    return (draft_of(changed),)
