"""The FastAPI application: one open floor served over HTTP and WebSocket."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from pitboss.record.keys import KeysUnusable
from pitboss.record.store import StoreFault
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.peers import PeerDoor
from pitboss.server.live import sockets
from pitboss.server.live.background_loops import DealerLoops
from pitboss.server.open_floor import FloorSettings, FloorUnusable, OpenFloor
from pitboss.server.request_limits import Guard, Rates
from pitboss.server.routes import (
    audit,
    bookings,
    coach,
    equipment,
    filings,
    floor,
    games,
    health,
    lab,
    links,
    meters,
    office,
    page,
    reports,
    rounds,
    submissions,
    tables,
)
from pitboss.server.routes.callers import Tickets

# The page router comes last because it matches any address the other routers don't.
ROUTERS = (
    tables,
    office,
    rounds,
    equipment,
    bookings,
    meters,
    filings,
    games,
    audit,
    submissions,
    lab,
    coach,
    reports,
    floor,
    health,
    links,
    page,
)
Opening = Callable[[OpenFloor], Awaitable[None]]


def make_app(
    settings: FloorSettings, origins: frozenset[str], opening: Opening | None = None, rates: Rates | None = None
) -> FastAPI:
    """Return the application for a floor; the startup work finishes before the first request is served."""
    floor = OpenFloor(settings)
    DealerLoops(floor)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await floor.start()
            floor.spawn(app.state.hub.beat())
            if opening is not None:
                await opening(floor)
        except (FloorUnusable, StoreFault, KeysUnusable) as fault:
            app.state.failed = fault  # the caller that runs the server reports it in a sentence
            raise
        app.state.is_ready = True
        yield
        app.state.is_ready = False
        await floor.stop()

    app = FastAPI(
        title="Pitboss",
        version="1",
        description="Tables that run, money that balances, a record that proves it.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.floor = floor
    app.state.is_ready = False
    app.state.failed = None
    app.state.tickets = Tickets(floor.clock, floor.randomness)
    app.state.hub = sockets.Hub(floor)
    for module in ROUTERS:
        app.include_router(module.router)
    for kind, handler in tables.HANDLERS:
        app.add_exception_handler(kind, handler)
    app.add_exception_handler(RequestValidationError, _on_malformed)
    app.add_middleware(sockets.LiveDoor)
    app.add_middleware(Guard, origins=origins, clock=floor.clock, rates=rates or Rates())
    if floor.processes is not None:
        app.add_middleware(PeerDoor, house=floor.house, envelope=floor.processes.envelope)
    return app


async def _on_malformed(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, RequestValidationError)
    first = fault.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return tables.refused(Refusal(f"{where or 'The body'}: {first['msg']}", None, where or None), 422)
