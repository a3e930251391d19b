"""What a run has tried of reports, remedies, disputes and departures, counted from its record."""

from collections.abc import Iterator

from pitboss.house.live_table.state import LiveTable
from pitboss.record.entries import Entry


def counted(before: LiveTable, entry: Entry) -> Iterator[str]:
    """Yield the names that an entry of a table is counted under."""
    if before.terms is None:
        return
    dealt = "reader" if before.terms.real_cards else "automatic" if before.terms.automatic else "drawn"
    phase = before.play.phase if before.play is not None and before.in_round else "between rounds"
    match entry.kind:
        case "house.IrregularityReported":
            yield f"report: {dealt}, {phase}"
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
