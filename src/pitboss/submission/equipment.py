"""Checks what stands on and around a table: positions, the way of dealing, devices, decks, instruments."""

from collections.abc import Iterator

from pitboss.submission.case import Case
from pitboss.submission.choices import settings_of
from pitboss.submission.fault import Fault
from pitboss.table.settings import CONTINUOUS, settings_faults


def equipment_faults(case: Case) -> Iterator[Fault]:
    """Yield what is wrong with the table as furniture."""
    yield from _positions(case)
    for refusal in settings_faults(settings_of(case)):
        yield case.fault(((refusal.field or "").replace("_", "-"),), refusal.reason, refusal.clause)
    if case.decks == 2 and case.shuffler == CONTINUOUS:
        reason = "A device that reshuffles the cards in play cannot keep a second deck; use one deck"
        yield case.fault(("decks",), reason, case.game.procedures.two_decks.cite)


def _positions(case: Case) -> Iterator[Fault]:
    positions, stated = case.game.positions, case.table.positions
    if not positions.least <= case.positions <= positions.most:
        least, most = positions.least, positions.most
        allowed = f"exactly {most}" if least == most else f"{least} to {most}"
        reason = f"A table of {case.game.title} has {allowed} positions, not {case.positions}"
        yield case.fault(("positions",), reason, positions.cite)
        return
    count = positions.count_option
    if count and stated is not None and str(case.table.options.get(count, stated)) != str(stated):
        reason = f"{count} is stated twice and differently; keep the one beside the table's name"
        yield case.fault(("options", count), reason, case.game.options_by_name[count].cite)
    held = positions.per_player_option
    if held and int(case.options[held]) > case.positions:
        reason = f"One player cannot hold {case.options[held]} of {case.positions} positions; lower {held}"
        yield case.fault(("options", held), reason, positions.per_player_cite)
