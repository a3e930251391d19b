"""Health routes: liveness, readiness and metrics."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from pitboss.record.group_commit import Health
from pitboss.server.open_floor import OpenFloor

router = APIRouter()


@router.get("/health")
async def health() -> dict[str, str]:
    """Report that the process is alive."""
    return {"status": "alive"}


@router.get("/ready", responses={503: {"description": "Not ready, with the reason"}})
async def ready(request: Request, response: Response) -> dict[str, str]:
    """Report whether commands are accepted."""
    floor: OpenFloor = request.app.state.floor
    state = floor.writer.health
    is_ready = request.app.state.is_ready and state is Health.OPEN and floor.house.halted is None
    response.status_code = 200 if is_ready else 503
    return {"status": "ready" if is_ready else "not ready", "record": state.value}


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return metrics in the Prometheus text format."""
    floor: OpenFloor = request.app.state.floor
    registry = CollectorRegistry()
    live_tables = [table.live for table in floor.house.tables.values() if table.is_here]
    measures = {
        "pitboss_sockets": ("Open sockets", len(floor.sockets)),
        "pitboss_tables": ("Tables run by this process", len(live_tables)),
        "pitboss_rounds": ("Rounds begun at these tables", sum(live_table.rounds for live_table in live_tables)),
        "pitboss_entries": (
            "Entries in these tables' streams",
            sum(live_table.head.sequence for live_table in live_tables),
        ),
        "pitboss_record_open": ("1 while the record accepts entries", int(floor.writer.health is Health.OPEN)),
    }
    for name, (title, value) in measures.items():
        Gauge(name, title, registry=registry).set(value)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
