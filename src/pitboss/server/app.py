"""The composition root: every part of a running floor is built here, and gets what it needs as an argument."""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, closing

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from pitboss.cards import Card, Deck, TableShuffle
from pitboss.house.access_desk import AccessDesk
from pitboss.house.back_office import BackOffice
from pitboss.house.compliance.filings import Filings
from pitboss.house.people.credential_store import TAGGED
from pitboss.house.people.people_office import HASHES_AT_ONCE
from pitboss.house.round_index import RoundIndex
from pitboss.house.running_tables import House, Outside
from pitboss.record.adoption import adopt_once, mark_of
from pitboss.record.alterations import Alterations
from pitboss.record.group_commit import GATHER_S, GroupCommit
from pitboss.record.heads import HeadsExport
from pitboss.record.keys import KeysUnusable, read_keys
from pitboss.record.row_tags import RowTags
from pitboss.record.signing_keys import trusted_publics
from pitboss.record.snapshots import Snapshots
from pitboss.record.sql_engine import make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.start_check import check_ends, last_signed_heads, sound_ends
from pitboss.record.steady_clock import SteadyClock
from pitboss.record.store import StoreFault
from pitboss.record.system import AppendedFile, DiskSpace, SystemClock, SystemRandomness, ThreadRunner
from pitboss.record.system_interface import Randomness
from pitboss.record.tree_log import TreeLog, last_note
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.cluster.peers import Peers
from pitboss.server.cluster.processes import Processes
from pitboss.server.data_folder import Hold, make_folders, open_keys, open_signing_keys
from pitboss.server.lab.jobs import Jobs
from pitboss.server.lab.packets import Packets
from pitboss.server.lab.worker_pool import Laboratory
from pitboss.server.live.asked_elsewhere import AskedElsewhere, answer_requests
from pitboss.server.live.background_loops import DealerLoops
from pitboss.server.live.best_discard import best_discard
from pitboss.server.live.elsewhere import Elsewhere
from pitboss.server.live.relief import Relief
from pitboss.server.live.sockets import Hub, LiveDoor
from pitboss.server.live.table_reactions import Reactions
from pitboss.server.live.tiles import Tiles
from pitboss.server.open_floor import RESERVE_BYTES, FloorSettings, FloorUnusable, OpenFloor
from pitboss.server.record_office import make_office
from pitboss.server.record_watch import LEAKS, LUCK, RecordWatch
from pitboss.server.report_keeper import Reports
from pitboss.server.request_limits import Guard, Rates
from pitboss.server.routes import (
    alerts,
    audit,
    bookings,
    coach,
    controls,
    equipment,
    filings,
    floor,
    games,
    guests,
    health,
    lab,
    leaks,
    links,
    luck,
    meters,
    office,
    own_factors,
    page,
    patrons,
    reactions,
    readers,
    reports,
    rounds,
    sensors,
    shared_rounds,
    statistics,
    submissions,
    tables,
)
from pitboss.server.routes.callers import Tickets
from pitboss.server.routes.floor import answer_tiles
from pitboss.server.slow_reads import Questions
from pitboss.server.table_documents import read_terms
from pitboss.server.witnesses import Witnesses, read_witnesses

# The page router comes last because it matches any address the other routers don't.
ROUTERS = (
    tables,
    reactions,
    office,
    own_factors,
    rounds,
    shared_rounds,
    statistics,
    equipment,
    readers,
    sensors,
    bookings,
    meters,
    filings,
    games,
    guests,
    audit,
    leaks,
    submissions,
    lab,
    coach,
    controls,
    reports,
    alerts,
    floor,
    health,
    links,
    luck,
    patrons,
    page,
)
Opening = Callable[[OpenFloor], Awaitable[None]]


def make_app(
    settings: FloorSettings, origins: frozenset[str], opening: Opening | None = None, rates: Rates | None = None
) -> FastAPI:
    """Return the application for a floor; the startup work finishes before the first request is served."""
    floor = make_floor(settings)
    add_dealers(floor)
    return make_web(floor, origins, opening, rates)


def make_floor(
    settings: FloorSettings,
    *,
    clock: SteadyClock | None = None,
    randomness: Randomness | None = None,
    shuffle: Callable[[Deck], tuple[Card, ...]] | None = None,
) -> OpenFloor:
    """Build one process of a floor from the ground up: the record, the people, the tables, the other processes."""
    with ExitStack() as resources:
        is_ending = threading.Event()

        def thread(name: str, threads: int = 1) -> ThreadRunner:
            return resources.enter_context(closing(ThreadRunner(name, threads)))

        # What comes from outside: a folder that only this process has open, the time, chance and the keys.
        make_folders(settings.data)
        resources.callback(Hold(settings.data).release)
        clock, randomness = clock or SystemClock(), randomness or SystemRandomness()
        outside = Outside(clock, randomness, shuffle or TableShuffle().order)
        keyring = open_keys(settings.key_file, randomness)

        # The record. Its rows carry tags made with a key that the database doesn't hold.
        alterations = Alterations()
        tags = RowTags(keyring, randomness, lambda: read_keys(settings.key_file))
        store = resources.enter_context(closing(SqlStore(settings.url, tags, alterations, is_ending)))
        adopted = adopt_once(settings.url, tags, TAGGED, mark_of(settings.key_file))
        space = DiskSpace(settings.data)
        writer = GroupCommit(store, thread("record"), space=space, reserve_bytes=RESERVE_BYTES, gather_s=GATHER_S)
        *older, newest = (key.snapshot_key() for key in keyring.keys)
        snapshots = Snapshots(store, newest, older_keys=older, alterations=alterations)
        heads_path = settings.data / "heads" / "heads.jsonl"
        signing = open_signing_keys(settings.signing_file, randomness, settings.signer)
        signed = last_signed_heads(heads_path, trusted_publics(keyring, signing))
        check_ends(store, signed, alterations)
        ends = sound_ends(store, signed, alterations)
        heads = HeadsExport(ends, signing, AppendedFile(heads_path), clock)

        # People, then the tables that ask who may act, then the office that works on both.
        background = thread("beside")
        engine = make_engine(settings.url, gives_up=is_ending)
        resources.callback(engine.dispose)
        checkpoints = settings.data / "heads" / "checkpoints.jsonl"
        exported = last_note(checkpoints)
        tree = TreeLog(engine, store, signing, AppendedFile(checkpoints), alterations, [exported] if exported else [])
        witnesses = Witnesses(read_witnesses(settings.witnesses_file), tree, clock)
        world, hashing = (clock, randomness, background), thread("hashing", HASHES_AT_ONCE)
        office = make_office(
            engine, store, writer, snapshots, world, settings.rules, tags, lambda: read_keys(settings.key_file), hashing
        )
        reader = thread("following")
        house = House(
            store,
            writer,
            outside,
            keyring,
            read_terms,
            snapshots=snapshots,
            people=office.stream,
            filings=Filings(store),
            best_discard=best_discard,
            requires_readers=settings.requires_readers,
            reread_keys=lambda: read_keys(settings.key_file),
            reader=reader,
        )
        back_office = BackOffice(house, office)

        # The other processes, if the record can be shared.
        processes = None
        if store.is_shared:
            peers = Peers(Envelope(lambda: house.keyring, clock, randomness))
            processes = Processes(house, store, peers, reader, database=settings.url, address=settings.address)

        floor = OpenFloor(
            settings=settings,
            clock=clock,
            randomness=randomness,
            store=store,
            writer=writer,
            heads=heads,
            signing=signing,
            tree=tree,
            witnesses=witnesses,
            treeing=thread("tree"),
            office=office,
            house=house,
            back_office=back_office,
            access=AccessDesk(back_office, office),
            processes=processes,
            adopted=adopted,
            rounds=RoundIndex(engine, store, tags, alterations),
            background=background,
            heads_thread=thread("signing"),
            questions=resources.enter_context(closing(Questions())),
            checking=resources.enter_context(closing(Questions("checking"))),
            closing=is_ending,
            resources=resources.pop_all(),
        )
    house.events.changed.append(floor.note_heads)
    return floor


def add_dealers(floor: OpenFloor) -> DealerLoops:
    """Let the house deal at the floor's tables, and relieve dealers who may no longer act."""
    dealers, relief, events = DealerLoops(floor), Relief(floor), floor.house.events
    events.opened.extend((dealers.run, relief.check))
    events.changed.extend((dealers.wake, dealers.prepare_discard))
    events.left.append(dealers.stop)
    floor.office.stream.followers.append(relief.follow)
    return dealers


def make_web(
    floor: OpenFloor, origins: frozenset[str], opening: Opening | None = None, rates: Rates | None = None
) -> FastAPI:
    """Build what serves a floor over HTTP and WebSocket: screens, lab, reports, routes and the checks before them."""
    hub = Hub(floor)
    floor.house.events.changed.append(hub.changed)
    reports, packets, lab = Reports(floor), Packets(), Laboratory(warms_up=floor.settings.lab_warms_up)
    jobs = Jobs(lab.simulating, floor.fresh)
    leak_watch, luck_watch = RecordWatch(floor, reports, LEAKS), RecordWatch(floor, reports, LUCK)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await floor.start()
            floor.spawn(hub.beat())
            if opening is not None:
                await opening(floor)
        except (FloorUnusable, StoreFault, KeysUnusable) as fault:
            app.state.failed = fault  # the caller that runs the server reports it in a sentence
            raise
        reports.begin()
        leak_watch.begin()
        luck_watch.begin()
        floor.spawn(lab.warm_up_later())
        app.state.is_ready = True
        yield
        app.state.is_ready = False
        floor.closing.set()
        if app.state.peer_door is not None:
            app.state.peer_door.close()
        for close in (packets.close, jobs.close, lab.close, leak_watch.end, luck_watch.end, reports.end, floor.stop):
            await close()

    app = FastAPI(
        title="Pitboss",
        version="1",
        description="Runs casino poker tables, with money that balances and a record that proves it.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # served by routes/health.py, to those who may read it
    )
    app.state.floor, app.state.hub = floor, hub
    app.state.tickets = Tickets(Envelope(lambda: floor.house.keyring, floor.clock, floor.randomness))
    app.state.reports, app.state.packets, app.state.lab, app.state.jobs = reports, packets, lab, jobs
    app.state.leak_watch, app.state.luck_watch = leak_watch, luck_watch
    app.state.reactions = Reactions(floor, hub)
    app.state.is_ready, app.state.failed = False, None
    app.state.peer_door, app.state.sockets_elsewhere = None, None
    for module in ROUTERS:
        app.include_router(module.router)
    for kind, handler in tables.HANDLERS:
        app.add_exception_handler(kind, handler)
    app.add_exception_handler(RequestValidationError, _on_malformed)
    # The middleware added last sees a request first.
    app.add_middleware(LiveDoor)
    if floor.processes is not None:
        processes = floor.processes
        door = PeerDoor(processes.name, processes.do_here, processes.peers.envelope)
        app.state.peer_door, app.state.sockets_elsewhere = door, Elsewhere(floor, processes, hub, door)
        Tiles(floor, door)
        answer_tiles(floor, door)
        answer_requests(door, app)
        app.add_middleware(AskedElsewhere, processes=processes)
    app.add_middleware(Guard, origins=origins, clock=floor.clock, rates=rates or Rates())
    return app


async def _on_malformed(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, RequestValidationError)
    first = fault.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return tables.refused(Refusal(f"{where or 'Request body'}: {first['msg']}", None, where or None), 422)
