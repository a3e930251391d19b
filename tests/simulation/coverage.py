"""What a run has tried of reports, remedies, disputes and departures, counted from its record."""

from collections.abc import Iterator

from pitboss.house.live_table.state import LiveTable
from pitboss.record.entries import Entry
from pitboss.round.state import Round


def counted(before: LiveTable, entry: Entry) -> Iterator[str]:
    """Yield the names that an entry of a table is counted under."""
    if before.terms is None:
        return
    dealt = "reader" if before.terms.real_cards else "automatic" if before.terms.automatic else "drawn"
    phase = before.play.phase if before.play is not None and before.in_round else "between rounds"
    match entry.kind:
        case "house.IrregularityReported":
            yield f"report: {dealt}, {phase}"
            if before.in_round and waits_for_progressive(before.play):
                yield "report: a progressive payout waits"
            yield f"report: {before.terms.settings.game.name}, {entry.body['irregularity']}"
        case "house.IncidentAnswered":
            yield f"answer: {entry.body['outcome']}"
        case "round.IrregularityRuled":
            yield f"remedy: {entry.body['remedy']}"
        case "house.DisputeReported":
            yield f"dispute: {dealt}, {phase}"
        case "house.DisputeResolved":
            yield f"resolved: {entry.body['outcome']}"
        case "house.SeatGivenUp" | "house.ReadCorrected" | "round.CardCorrected":
            yield entry.kind.partition(".")[2]
        case "table.DeviceFailed" | "table.DeviceJammed" if before.in_round:
            yield f"{entry.kind.partition('.')[2]} in a round"


def waits_for_progressive(play: Round | None) -> bool:
    """Say whether a round waits for a floorperson to validate a progressive payout."""
    return play is not None and (play.meter is not None or (play.payout is not None and play.payout.progressive))


def progressive_chips(live: LiveTable) -> int | None:
    """Return how many progressive chips lie on the layout where the dealer counts them: where people play for money."""
    assert live.play is not None
    progressive = live.play.rules.game.progressive
    if live.free_play or progressive is None or not live.play.rules.draws_on_meter(progressive.wager):
        return None
    return sum(wager == progressive.wager for _, wager in live.play.stakes)
