"""Bet sensor routes: the signed messages of sensors, and what tables have enrolled."""

from fastapi import APIRouter

from pitboss.house import entry_kinds
from pitboss.house.live_table.bet_sensors import UNSIGNED, SignedBets, actor_of
from pitboss.house.live_table.device_keys import is_signed
from pitboss.house.people.authorization import role_for
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.server.live.views import table_summary
from pitboss.server.routes.readers import LOOKS
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now
from pitboss.server.schemas import sensors as schemas
from pitboss.table.people import AUTOMATON

router = APIRouter(prefix="/api")


@router.post("/tables/{table}/sensor", responses=REFUSED)
async def message(floor: Floor, table: str, asked: schemas.SensorMessage) -> schemas.SensorTaken:
    """Take a bet sensor's signed message; the signature replaces the session, and a repeated message counts once."""
    sensor = floor.house.live(table).sensors.get(asked.sensor)
    signed = SignedBets(table, asked.sensor, asked.sequence, asked.seat, asked.stakes)
    # Anyone can send here, so a message that the sensor didn't sign gets no further: one whose number was used before
    # would otherwise be noted in the record each time.
    if sensor is None or not is_signed(sensor, asked.signature, signed.message):
        raise RefusedHere(UNSIGNED)
    body = {"kind": "SensorSaw", **asked.model_dump()}
    # The key is part of the id, because a sensor that is enrolled again begins at one. No person's id has a slash.
    name = f"sensor/{table}/{asked.sensor}/{sensor.key[:16]}/{asked.sequence}"
    answer = await floor.do(table, Asked(name, actor_of(asked.sensor), (AUTOMATON,), body))
    if isinstance(answer, Refusal):
        raise RefusedHere(answer)
    heard = next(entry.body for entry in answer.entries if entry.kind == entry_kinds.SENSOR_HEARD)
    return schemas.SensorTaken(
        sequence=asked.sequence, is_taken=heard["is_taken"], clause=heard["by_clause"] or None, again=answer.again
    )


@router.get("/floor/sensors", responses=REFUSED)
async def sensors_of_all(floor: Floor, person: Person) -> list[schemas.TableSensors]:
    """List every table with a dealer, and its bet sensors."""
    if not any(role_for(roles_now(floor, person), kind) for kind in LOOKS):
        raise RefusedHere(Refusal("Only people who work at tables or oversee them can see the bet sensors"))
    await floor.read_other_tables()
    return [
        schemas.TableSensors(
            table=running.live.table,
            title=table_summary(floor, running.live).title,
            sensors=[
                schemas.SensorShown(sensor=name, key=sensor.key, sequence=sensor.sequence)
                for name, sensor in running.live.sensors.items()
            ],
            proposals=len(running.live.proposals),
        )
        for running in floor.house.tables.values()
        if running.live.terms is not None and running.live.terms.is_dealt_by_people
    ]
