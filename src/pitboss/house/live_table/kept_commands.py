"""Stores a command until its second person confirms it."""

from collections.abc import Mapping
from typing import Any

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import Declined, Proposed
from pitboss.house.live_table.holds import about_report
from pitboss.house.live_table.state import Proposal
from pitboss.house.people import house_rules as rule
from pitboss.house.people.two_people import PROPOSALS_MOST
from pitboss.record.entries import canonical
from pitboss.rules.refusal import Refusal

OPEN_MS = 10 * 60_000  # how long a proposal waits
HELD_MS = 365 * 24 * 60 * 60_000  # one that rules on a report doesn't expire: the table is held for it


def propose(writer: EventWriter, command: asked.Command) -> Refusal | None:
    """Keep a command until a second person confirms it, replacing any that expired or ruled on the same report."""
    means, is_report, body = writer.means, isinstance(command, asked.ReportIrregularity), asked.data_of(command)
    waiting = _waiting(writer)
    own = {name: kept for name, kept in waiting.items() if _is_same(kept.command, body)}
    is_kept = any((kept.role, kept.token) == (means.role, means.token) for kept in own.values())
    if is_kept and not is_report:  # a repeated report replaces the first
        reason = "Your request is already waiting for a second person. Have it answered first"
        return Refusal(reason, rule.ROLES, "proposal")
    if len(waiting) - len(own) >= PROPOSALS_MOST and not is_report:
        reason = f"{PROPOSALS_MOST} of your requests here are waiting for a second person. Have them answered first"
        return Refusal(reason, rule.ROLES, "proposal")
    # The same command in another role or under another lease is replaced: a lease that is over can't be confirmed.
    replaced = (*own, *(about_report(writer.live) if is_report else ()))
    for name, proposal in writer.live.proposals.items():
        if means.at >= proposal.until or name in replaced:
            writer.house(Declined(proposal=name, has_lapsed=True))
    until = means.at + (HELD_MS if is_report else OPEN_MS)
    return writer.house(Proposed(proposal=means.fresh(), command=body, token=means.token, until=until))


def _waiting(writer: EventWriter) -> dict[str, Proposal]:
    means = writer.means
    kept = writer.live.proposals.items()
    return {name: proposal for name, proposal in kept if proposal.by == means.actor and means.at < proposal.until}


def _is_same(kept: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    return canonical(kept) == canonical(body)
