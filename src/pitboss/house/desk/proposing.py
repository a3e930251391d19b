"""How a command is kept for its second person."""

from pitboss.house.desk import commands as asked
from pitboss.house.desk.events import Declined, Proposed
from pitboss.house.desk.held import about_report
from pitboss.house.desk.pen import Pen
from pitboss.rules.refusal import Refusal

OPEN_MS = 10 * 60_000  # how long a proposal waits
HELD_MS = 365 * 24 * 60 * 60_000  # one that rules on a report does not run out: the table is held for it


def propose(pen: Pen, command: asked.Command) -> Refusal | None:
    """Keep a command until a second person confirms it, in the place of what ran out or ruled on the same report."""
    means, is_report = pen.means, isinstance(command, asked.ReportIrregularity)
    replaced = about_report(pen.desk) if is_report else ()
    for name, proposal in pen.desk.proposals.items():
        if means.at >= proposal.until or name in replaced:
            pen.house(Declined(proposal=name, has_lapsed=True))
    until = means.at + (HELD_MS if is_report else OPEN_MS)
    return pen.house(Proposed(proposal=means.fresh(), command=asked.data_of(command), token=means.token, until=until))
