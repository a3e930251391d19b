"""Checks meters against filings: their opening and changed amounts and rates, and what linked tables share."""

from collections.abc import Iterator, Mapping, Sequence

from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.people.house_rules import SUBMISSIONS
from pitboss.house.progressive import MeterTerms, ProgressiveState
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import Meter

Filed = Sequence[TableTerms]  # filed terms, newest last


def drawing_on(progressive: str, filed: Filed) -> list[TableTerms]:
    """Return the filed rules whose wager draws on a progressive's meters, newest last."""
    return [terms for terms in filed if terms.progressive == progressive and terms.meters and terms.refusal is None]


def check_opening(progressive: str, meters: Sequence[MeterTerms], filed: Filed) -> Refusal | None:
    """Return why a progressive can't open with these meters, or None; they must match filed rules."""
    drawing = drawing_on(progressive, filed)
    if not drawing:
        return _nothing_filed(progressive)
    if any(_terms(meters) == _terms(terms.meters) for terms in drawing):
        return None
    newest = drawing[-1]
    for meter in newest.meters:
        if meter.name not in _terms(meters):
            return Refusal(
                f"{progressive} was filed with a meter {meter.name}. Open that one too", meter.clause, "meters"
            )
    return next(refusal for meter in meters for refusal in _differences(meter, newest))


def check_change(progressive: str, meter: MeterTerms, filed: Filed) -> Refusal | None:
    """Return why a meter can't be run by these terms, or None; they must match filed rules."""
    drawing = drawing_on(progressive, filed)
    if not drawing:
        return _nothing_filed(progressive)
    if any(_terms((meter,)).items() <= _terms(terms.meters).items() for terms in drawing):
        return None
    return next(_differences(meter, drawing[-1]))


def check_agreement(table: str, terms: TableTerms, state: ProgressiveState) -> Refusal | None:
    """Return why the meters don't match what a table's rules state, or None."""
    for meter in terms.meters:
        running = state.meters.get(meter.name)
        if running is not None and _key(running.terms) != _key(meter):
            reason = (
                f"The rules of {table} have {_told(meter)} for the meter {meter.name}, which runs with "
                f"{_told(running.terms)}. Tables that share a meter must have the same terms"
            )
            return Refusal(reason, meter.clause, "table")
    return None


def check_wager(table: str, terms: TableTerms, others: Mapping[str, TableTerms]) -> Refusal | None:
    """Return why a table can't share meters with the tables already linked, or None; all must take the same wager."""
    for name, other in others.items():
        if _wager(other) != _wager(terms):
            reason = (
                f"{name} offers {_wager_told(other)} and {table} offers {_wager_told(terms)}. Tables that "
                "share a meter must offer the same wager"
            )
            progressive = terms.settings.game.progressive
            return Refusal(reason, progressive.rate_cite if progressive else SUBMISSIONS, "table")
    return None


def check_still_linked(
    table: str, before: TableTerms | None, after: TableTerms, state: ProgressiveState | None
) -> Refusal | None:
    """Return why a linked table's rules can't change, or None; its wager must stay as it was when it was linked."""
    if before is None or state is None or table not in state.links:
        return None
    if (after.progressive, _wager(after)) == (before.progressive, _wager(before)):
        return None
    progressive = before.settings.game.progressive
    reason = (
        f"{table} is linked to {state.name} with {_wager_told(before)}, which these rules change. Unlink the table "
        "first"
    )
    return Refusal(reason, progressive.rate_cite if progressive else SUBMISSIONS, "document")


def _nothing_filed(progressive: str) -> Refusal:
    reason = f"No filed rules use {progressive}. File some with SubmitRules first"
    return Refusal(reason, SUBMISSIONS, "progressive")


def _differences(meter: MeterTerms, filed: TableTerms) -> Iterator[Refusal]:
    known = {filed_meter.name: filed_meter for filed_meter in filed.meters}
    if meter.name not in known:
        yield Refusal(
            f"No meter {meter.name} was filed. The filed meters are {', '.join(known)}", SUBMISSIONS, "meters"
        )
        return
    was = known[meter.name]
    least = _least(meter.name, filed)
    for field, cents in (("initial", meter.initial_cents), ("reset", meter.reset_cents)):
        if least is not None and cents < least.minimum_cents:
            reason = f"The {field} amount of the meter {meter.name} must be at least {dollars(least.minimum_cents)}"
            yield Refusal(f"{reason}, not {dollars(cents)}", least.cite, field)
    if _key(meter) != _key(was):
        reason = f"The meter {meter.name} was filed with {_told(was)}, not {_told(meter)}. File new rules first"
        yield Refusal(reason, was.clause, "meters")


def _least(name: str, filed: TableTerms) -> Meter | None:
    rules = filed.settings.rules
    progressive = rules.game.progressive
    table = rules.paytables.get(progressive.wager) if progressive else None
    laid_down = progressive.meters.get(table.letter or "", ()) if progressive and table else ()
    return next((meter for meter in laid_down if meter.name == name), None)


def _terms(meters: Sequence[MeterTerms]) -> dict[str, tuple[object, ...]]:
    return {meter.name: _key(meter) for meter in meters}


def _key(meter: MeterTerms) -> tuple[object, ...]:
    return meter.initial_cents, meter.reset_cents, meter.rate, meter.reserve_rate, meter.limit_cents


def _told(meter: MeterTerms) -> str:
    told = (
        f"{dollars(meter.initial_cents)} to start, {dollars(meter.reset_cents)} after a win, {meter.rate} of each stake"
    )
    if meter.reserve_rate:
        told += f", {meter.reserve_rate} to a reserve"
    return told if meter.limit_cents is None else f"{told}, at most {dollars(meter.limit_cents)}"


def _wager(terms: TableTerms) -> tuple[object, ...]:
    rules = terms.settings.rules
    progressive = rules.game.progressive
    if progressive is None:
        return ()
    table = rules.paytables.get(progressive.wager)
    return rules.game.name, progressive.wager, rules.choices.stakes.get(progressive.wager), table and table.letter


def _wager_told(terms: TableTerms) -> str:
    game, wager, stake, letter = (*_wager(terms), None, None, None, None)[:4]
    at = f" at {dollars(stake)}" if isinstance(stake, int) else ""
    return f"{wager} of {game}{at}" + (f" by paytable {letter}" if letter else "")
