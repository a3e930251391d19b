"""Commands that take two people: one proposes, another reads the proposal and confirms it."""

from collections.abc import Mapping
from typing import Any

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.access import GIVE_ACCESS, check_two
from pitboss.house.people.accounts import People, Proposal, check_standing
from pitboss.house.people.authorization import allowed, clause_of, may_propose
from pitboss.house.people.events import Event
from pitboss.record.entries import digest
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

PROPOSALS_MOST = 20  # of one person, at a time
LAPSED = "nobody answered in time"
Decision = tuple[Event, ...] | Refusal


def digest_of(kind: str, body: Mapping[str, Any]) -> str:
    """Return the digest of what a second person agrees to."""
    return digest([kind, body])


def decide_pair(people: People, command: asked.OfPairs, open_ms: int) -> Decision:
    """Return what a proposal or an answer to one leads to, or why it is refused."""
    if refusal := check_standing(people, command.by):
        return refusal
    if isinstance(command, asked.Propose):
        return _propose(people, command, open_ms)
    proposal = people.proposals.get(command.proposal)
    if proposal is None:
        return Refusal("This request was already answered or doesn't exist", rule.ROLES, "proposal")
    if isinstance(command, asked.Confirm):
        return _confirm(people, command, proposal)
    return _decline(command, proposal)


def _propose(people: People, command: asked.Propose, open_ms: int) -> Decision:
    if refusal := may_propose(command.by, command.kind, command.place):
        return refusal
    if command.proposal in people.proposals:
        return Refusal("A request with this name is already waiting for an answer", rule.ROLES, "proposal")
    if any(_is_same(kept, command) for kept in people.proposals.values()):
        reason = "Your request is already waiting for a second person. Have it answered first"
        return Refusal(reason, rule.ROLES, "proposal")
    waiting = [kept for kept in people.proposals.values() if kept.by == command.by.name and command.at < kept.until]
    if len(waiting) >= PROPOSALS_MOST:
        reason = f"{PROPOSALS_MOST} of your requests are waiting for a second person. Have them answered first"
        return Refusal(reason, rule.ROLES, "proposal")
    lapsed = [
        happened.Declined(proposal=name, by=asked.THE_DOOR.name, reason=LAPSED, clause=proposal.clause)
        for name, proposal in people.proposals.items()
        if command.at >= proposal.until
    ]
    proposed = happened.Proposed(
        proposal=command.proposal,
        kind=command.kind,
        body=command.body,
        by=command.by.name,
        role=command.by.role,
        until=command.at + open_ms,
        clause=clause_of(command.kind, command.place),
    )
    return (*lapsed, proposed)


def _is_same(kept: Proposal, command: asked.Propose) -> bool:
    is_own = (kept.by, kept.role) == (command.by.name, command.by.role) and command.at < kept.until
    return is_own and digest_of(kept.kind, kept.body) == digest_of(command.kind, command.body)


def _confirm(people: People, command: asked.Confirm, proposal: Proposal) -> Decision:
    first = Person(proposal.by, proposal.role)
    if command.at >= proposal.until:
        return Refusal("This request expired. Send it again", proposal.clause, "proposal")
    if command.digest != digest_of(proposal.kind, proposal.body):
        return Refusal(
            "The request you confirmed isn't the one that was made. Reload it and try again", proposal.clause, "digest"
        )
    # The proposer may have been revoked or lost the role since.
    refusal = check_standing(people, first) or allowed(first, proposal.kind, command.place, command.by)
    refusal = refusal or check_two(
        people,
        proposal.by,
        command.by.name,
        has_money=command.has_money or proposal.kind == GIVE_ACCESS,
        proposed_with=proposal.access_from,
    )
    if refusal:
        return refusal
    return (
        happened.Confirmed(
            proposal=command.proposal,
            by=command.by.name,
            role=command.by.role,
            proposed_by=first.name,
            proposed_as=first.role,
            clause=proposal.clause,
        ),
    )


def _decline(command: asked.Decline, proposal: Proposal) -> Decision:
    own = command.by.name == proposal.by
    if not own and (refusal := may_propose(command.by, proposal.kind, command.place)):
        return refusal
    declined = happened.Declined(
        proposal=command.proposal, by=command.by.name, reason=command.reason, clause=proposal.clause
    )
    return (declined,)
