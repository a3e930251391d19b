"""Rules that are filed for a table: the filing itself, the commission's approval, and the notice to players."""

from pitboss.house import entry_kinds
from pitboss.house.compliance.facility import NOTICE_RULING
from pitboss.house.live_table.table_terms import version_of
from pitboss.house.office_commands import PostNotice, RecordApproval, SubmitRules
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import NAME
from pitboss.house.running_tables import Decided, House
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

APPROVAL_LONGEST = 200
NOTICE_DAYS_MOST = 365


def submitted(house: House, command: SubmitRules) -> Decided:
    """Return what filing a table's rules leads to, or why they are refused."""
    if not NAME.fullmatch(command.table):
        return Refusal(
            "A table name can have lowercase letters, digits, dots and dashes only", rule.SUBMISSIONS, "table"
        )
    try:
        terms = house.reading.read_terms(command.document)
    except ValueError as unsound:
        return Refusal(str(unsound), rule.SUBMISSIONS, "document")
    if terms.refusal:
        return terms.refusal
    body = {"table": command.table, "version": version_of(command.document), "document": dict(command.document)}
    if command.approval is not None:
        body["approval"] = command.approval
    refusal = _no_reference(command.approval) if command.approval is not None else None
    return refusal or (Draft(FLOOR, entry_kinds.RULES_SUBMITTED, body, rule.SUBMISSIONS),)


def of_a_filing(house: House, command: RecordApproval | PostNotice) -> Decided:
    """Return what an approval or a notice of filed rules leads to, or why it is refused."""
    if house.filings.of(command.table, command.version) is None:
        reason = f"Version {command.version} isn't filed for {command.table}. File it with SubmitRules first"
        return Refusal(reason, rule.SUBMISSIONS, "version")
    body = {"table": command.table, "version": command.version}
    if isinstance(command, RecordApproval):
        approved = Draft(FLOOR, entry_kinds.APPROVAL_RECORDED, {**body, "approval": command.approval}, rule.SUBMISSIONS)
        return _no_reference(command.approval) or (approved,)
    if not 1 <= command.days <= NOTICE_DAYS_MOST:
        return Refusal(f"Enter a notice period of 1 to {NOTICE_DAYS_MOST} days", NOTICE_RULING, "days")
    return (Draft(FLOOR, entry_kinds.NOTICE_POSTED, {**body, "days": command.days}, NOTICE_RULING),)


def _no_reference(approval: str) -> Refusal | None:
    if approval.strip() and len(approval) <= APPROVAL_LONGEST:
        return None
    reason = f"Enter the commission's approval reference, up to {APPROVAL_LONGEST} characters"
    return Refusal(reason, rule.SUBMISSIONS, "approval")
