"""Card reader routes: the signed messages of readers, and what a table has enrolled."""

from fastapi import APIRouter

from pitboss.house import entry_kinds
from pitboss.house.live_table.card_readers import UNSIGNED, SignedCard, actor_of, card_source
from pitboss.house.live_table.device_keys import is_signed
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people.authorization import role_for
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.server.live.views import table_summary
from pitboss.server.open_floor import OpenFloor
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now
from pitboss.server.schemas import readers as schemas
from pitboss.table.people import AUTOMATON

router = APIRouter(prefix="/api")
LOOKS = ("RetireReader", "SeeFloor", "RenewLease")  # a role that may do one of these may see a table's readers


@router.post("/tables/{table}/reader", responses=REFUSED)
async def message(floor: Floor, table: str, asked: schemas.ReaderMessage) -> schemas.ReaderTaken:
    """Take a card reader's signed message; the signature replaces the session, and a repeated message counts once."""
    reader = floor.house.live(table).readers.get(asked.reader)
    signed = SignedCard(table, asked.reader, asked.sequence, asked.card)
    # Anyone can send here, so a message that the reader didn't sign gets no further: one whose number was used before
    # would otherwise be noted in the record each time.
    if reader is None or not is_signed(reader, asked.signature, signed.message):
        raise RefusedHere(UNSIGNED)
    body = {"kind": "ReaderSaw", **asked.model_dump()}
    # The key is part of the id, because a reader that is enrolled again begins at one. No person's id has a slash.
    name = f"reader/{table}/{asked.reader}/{reader.key[:16]}/{asked.sequence}"
    answer = await floor.do(table, Asked(name, actor_of(asked.reader), (AUTOMATON,), body))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    taken = any(entry.kind == entry_kinds.CARD_READ for entry in answer.entries)
    return schemas.ReaderTaken(sequence=asked.sequence, is_read=taken, again=answer.again)


@router.get("/tables/{table}/readers", responses=REFUSED)
async def readers(floor: Floor, person: Person, table: str) -> schemas.Readers:
    """List a table's card readers with the number of their last message, and say whether cards are entered by hand."""
    live = floor.house.live(table)
    _must_look(floor, person)
    return schemas.Readers(
        required=floor.house.requires_readers and not live.free_play,
        by_keyboard=live.by_keyboard,
        readers=_readers(live),
    )


@router.get("/floor/readers", responses=REFUSED)
async def readers_of_all(floor: Floor, person: Person) -> list[schemas.TableReaders]:
    """List every table with physical cards: its card readers, and where its cards come from now."""
    _must_look(floor, person)
    await floor.read_other_tables()
    found = []
    for running in floor.house.tables.values():
        live = running.live
        source = card_source(live, requires_readers=floor.house.requires_readers)
        if source is not None:
            found.append(
                schemas.TableReaders(
                    table=live.table,
                    title=table_summary(floor, live).title,
                    source=source,
                    readers=_readers(live),
                    proposals=len(live.proposals),
                )
            )
    return found


def _must_look(floor: OpenFloor, person: Guest) -> None:
    if not any(role_for(roles_now(floor, person), kind) for kind in LOOKS):
        raise RefusedHere(Refusal("Only people who work at tables or oversee them can see the card readers"))


def _readers(live: LiveTable) -> list[schemas.ReaderShown]:
    return [
        schemas.ReaderShown(reader=name, key=reader.key, sequence=reader.sequence)
        for name, reader in live.readers.items()
    ]
