"""What a rulebook requires of all tables in a facility, and the notice it requires before a table's rules change."""

from collections.abc import Iterator, Mapping, Sequence

from pitboss.house.compliance.filings import Filing, Filings, Notice
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import ReadTerms, TableTerms
from pitboss.record.entries import Draft, Entry
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

NOTICE_RULING = "G-24"
# Putting a version in force, or opening a table under it, writes to this stream too. Two processes that do so at
# once conflict at the end of this stream, and the second one decides again with the first one's change applied.
FACILITY = "facility"
IN_FORCE, OPENED = "VersionPutInForce", "TableOpened"


def bound(table: str, terms: TableTerms, kind: str) -> tuple[Draft, ...]:
    """Return the drafts that inform a facility of a table whose game all its tables must play in one version."""
    game = terms.settings.game
    if game.one_version_option is None:
        return ()
    body = {
        "table": table,
        "facility": terms.facility,
        "game": game.name,
        game.one_version_option: terms.settings.rules.options[game.one_version_option],
    }
    return (Draft(FACILITY, f"{FACILITY}.{kind}", body, game.one_version_cite),)


def other_version(
    table: str, terms: TableTerms, live_tables: Mapping[str, LiveTable]
) -> Iterator[tuple[LiveTable, Refusal]]:
    """Yield the facility's other tables that run the game in another version, with the refusal for having both."""
    game = terms.settings.game
    option = game.one_version_option
    if option is None:
        return
    wanted = terms.settings.rules.options[option]
    for name, live in live_tables.items():
        there = live.terms
        if name == table or there is None or there.settings.game.name != game.name:
            continue
        if _spelled_alike(there.facility) != _spelled_alike(terms.facility):
            continue
        plays = there.settings.rules.options[option]
        if plays != wanted:
            reason = (
                f"All {game.title} tables in a facility must use the same {option}, and {name} uses {plays}, "
                f"not {wanted}. Close {name} and file {wanted} for it first"
            )
            yield live, Refusal(reason, game.one_version_cite, "document")


def _spelled_alike(facility: str) -> str:
    # Case and spacing don't make it another facility.
    return " ".join(facility.split()).casefold()


def check_version(
    table: str, terms: TableTerms, live_tables: Mapping[str, LiveTable], filings: Filings, read_terms: ReadTerms
) -> Refusal | None:
    """Return why a version conflicts with those of the facility's other tables, or None."""
    # A facility changes over table by table: a closed table with the new version on file doesn't block it,
    # and can't open before that version is in force there.
    for live, refusal in other_version(table, terms, live_tables):
        newest = filings.newest(live.table)
        if live.is_open or newest is None:
            return refusal
        coming = live._replace(terms=read_terms(newest.document))
        if any(other_version(table, terms, {live.table: coming})):
            return refusal
    return None


def check_open_versions(table: str, terms: TableTerms, live_tables: Mapping[str, LiveTable]) -> Refusal | None:
    """Return why a table can't open alongside the facility's open tables, or None."""
    return next((refusal for live, refusal in other_version(table, terms, live_tables) if live.is_open), None)


def played_before(
    before: TableTerms | None, after: TableTerms, activated: Sequence[Entry], read_terms: ReadTerms
) -> TableTerms | None:
    """Return the terms a table last played the same game by, even if it has played another game since."""
    for entry in reversed(activated):
        if before is None or before.settings.game.name == after.settings.game.name:
            break
        before = read_terms(entry.body["document"])
    return before


def notice_left(filing: Filing, activated: Sequence[Entry]) -> Notice | None:
    """Return the notice of a filed version, unless the announced change has already been made."""
    notice = filing.notice
    if notice is None:
        return None
    is_used = any(entry.body["version"] == filing.version and entry.at >= notice.until for entry in activated)
    return None if is_used else notice


def check_notice(before: TableTerms | None, after: TableTerms, notice: Notice | None, at: int) -> Refusal | None:
    """Return why a change that needs notice to players can't be put in force yet, or None."""
    if before is None or before.settings.game.name != after.settings.game.name:
        return None
    change = next(_to_announce(before.settings.rules, after.settings.rules), None)
    if change is None or (notice is not None and notice.until <= at):
        return None
    what, clause = change
    if notice is None:
        reason = f"{what}, which needs notice to players. Post a notice for this version first ({NOTICE_RULING})"
        return Refusal(reason, clause, "document")
    days = f"{notice.days} day{'s' * (notice.days != 1)}"
    reason = f"{what}, and its notice period of {days} isn't over yet. Wait until it is ({NOTICE_RULING})"
    return Refusal(reason, clause, "document")


def _to_announce(before: RulesInForce, after: RulesInForce) -> Iterator[tuple[str, str]]:
    game = after.game
    for wager in game.wagers:
        if wager.withdrawal_cite and wager.name in before.offered and wager.name not in after.offered:
            yield f"{wager.title} is no longer offered", wager.withdrawal_cite
    limit, was, will_be = game.payout_limit, before.limit_cents, after.limit_cents
    if limit is None or not limit.decrease_takes_notice or will_be is None:
        return
    if was is None or will_be < was:
        former = "none" if was is None else dollars(was)
        yield f"The payout limit falls from {former} to {dollars(will_be)}", after.limit_cite or game.bets.cite
