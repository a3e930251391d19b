"""Health routes: liveness, readiness and metrics."""

import secrets

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from pitboss.record.group_commit import Health
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import is_free_play
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import signed_in

router = APIRouter()


@router.get("/api/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> JSONResponse:
    """Return the schema of all routes, on a real-money floor only to people who are signed in."""
    if not is_free_play(request.app.state.floor):
        await signed_in(request)
    return JSONResponse(request.app.openapi())


def _has_token(request: Request, token: str | None) -> bool:
    given = request.headers.get("authorization", "")
    return token is not None and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


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


@router.get("/metrics", responses={401: {"description": "Neither the token nor a session"}})
async def metrics(request: Request) -> Response:
    """Return metrics in the Prometheus text format, to a scraper with the token or a person who may read them."""
    floor: OpenFloor = request.app.state.floor
    if not (is_free_play(floor) or _has_token(request, floor.settings.metrics_token)):
        may(floor, await signed_in(request), "ReadMetrics")
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
