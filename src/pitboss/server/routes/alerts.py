"""Alert routes: the open alerts, those acknowledged, and acknowledging one."""

from typing import Annotated, Any

from fastapi import APIRouter, Path

from pitboss.house import entry_kinds
from pitboss.house.reports.alerts import PERMISSION
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.raised_alert import Alert
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.server.routes.office import may
from pitboss.server.routes.reports import ReportsHere
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas import reports as shown
from pitboss.server.schemas.tables import Settled

READ_ALERTS = "ReadAlerts"
ANSWERED_MOST = 200

router = APIRouter(prefix="/api")


@router.get("/alerts", responses=REFUSED)
async def alerts(floor: Floor, person: Person, reports: ReportsHere) -> list[shown.AlertShown]:
    """List the open alerts, newest first."""
    may(floor, person, READ_ALERTS)
    now = floor.clock.now_ms()
    return [alert_shown(alert) for alert in reversed(await reports.ask(lambda kept: kept.alerts.held(now)))]


@router.get("/alerts/answered", responses=REFUSED)
async def answered_alerts(floor: Floor, person: Person, reports: ReportsHere) -> list[shown.AnsweredAlert]:
    """List recently acknowledged alerts and who acknowledged them, newest first."""
    may(floor, person, READ_ALERTS)
    both = await reports.ask(lambda kept: kept.alerts.answered())
    newest = sorted(both, key=lambda pair: -pair[1].at)[:ANSWERED_MOST]
    return [shown.AnsweredAlert(alert=alert_shown(alert), **by._asdict()) for alert, by in newest]


@router.post("/alerts/{alert}/acknowledge", responses=REFUSED)
async def acknowledge(
    floor: Floor,
    person: Person,
    reports: ReportsHere,
    alert: Annotated[str, Path(max_length=200)],
    asked: shown.Acknowledge,
) -> Settled:
    """Acknowledge an alert with a note, recording who and when; a repeated id counts once."""
    may(floor, person, PERMISSION)
    now = floor.clock.now_ms()

    def held(kept: AllReports) -> Any:
        return kept.alerts.acknowledge(alert, asked.note, now, person.name)

    draft = await reports.ask(held)
    body = {"kind": PERMISSION, "alert": alert, "note": asked.note}
    answer = await floor.house.at_streams(
        (),
        lambda at: draft if isinstance(draft, Refusal) else (draft,),
        Asked(asked.id, person.name, person.roles, body),
    )
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    assert answer.again or answer.entries[0].kind == entry_kinds.ALERT_ACKNOWLEDGED, "an acknowledgement was recorded"
    return Settled(id=asked.id, again=answer.again)


def alert_shown(alert: Alert) -> shown.AlertShown:
    """Return an alert in its wire form."""
    return shown.AlertShown(
        id=alert.id,
        kind=alert.kind,
        table=alert.table,
        since=alert.at,
        text=alert.says[:1].upper() + alert.says[1:].removesuffix("."),
        clause=alert.clause,
        cause_gone_at=alert.over_at,
    )
