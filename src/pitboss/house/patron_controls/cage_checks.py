"""The exclusion list at the cage: it takes no cash from an excluded person, and two people pay what it holds."""

from pitboss.house.chip_counter import SellChips
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.live_table.patron_checks import excluded
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.office_commands import IssueMoney, OfCash
from pitboss.house.patron_controls.state import PatronRules
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

_IN = (IssueMoney, SellChips)


def pays_excluded(rules: PatronRules, settings: HouseSettings, command: OfCash, at: int) -> bool:
    """Say whether a command pays real money to an excluded person."""
    return settings.exclusions and not isinstance(command, _IN) and _number(rules, command, at) is not None


def check_patron(rules: PatronRules, settings: HouseSettings, command: OfCash, at: int) -> Refusal | None:
    """Return why real money may not come from a person, or why the cage needs a name, or None."""
    if settings.exclusions and isinstance(command, _IN):
        number = _number(rules, command, at)
        if number is not None:
            return excluded(command.person, number, "deposit" if isinstance(command, IssueMoney) else "buy chips")
    if settings.money_controls and not command.person and command.cents > settings.cash_report_cents:
        reason = f"Enter the patron's name: cash above {dollars(settings.cash_report_cents)} is reported"
        return Refusal(reason, rule.CAGE_BOOKS, "person")
    return None


def tried(rules: PatronRules, command: object, at: int) -> tuple[Draft, ...]:
    """Return the entry that alerts the floor to an excluded person who claims a payout, which is held."""
    assert isinstance(command, OfCash)
    refusal = excluded(command.person, _number(rules, command, at) or "", "claim a payout")
    assert isinstance(refusal, NotedRefusal)
    return (refusal.note,)


def _number(rules: PatronRules, command: OfCash, at: int) -> str | None:
    person = command.person
    if not person:
        return None
    if person in rules.held:
        return person
    return rules.exclusion_of(person, at) or rules.exclusion_like(person, "", at)
