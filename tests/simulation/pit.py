"""What the pit of a simulated table does around play: calls, limits, reservations, notes, and a bet sensor."""

import asyncio
import random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cli.sensor import SimulatedSensor
from pitboss.house.live_table import commands
from pitboss.house.live_table.bet_sensors import actor_of
from pitboss.house.live_table.state import LiveTable
from pitboss.house.patrons import is_patron
from pitboss.house.running_tables import Done
from pitboss.round.state import ASKING
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON
from simulation.people import Person, stakes_of
from simulation.staff import Due, Staff

SENSOR = "bets"
EXPECTED = ("", "alice", "bob")  # for whom seats are reserved; nobody by name in some
SIGNALS = 0.4  # of what the pit of a table with a sensor does: the sensor sends what it sees
TIMES = 0.2  # of what the pit does while a player is asked: that player asks for time
FLOOR_LIMITS = ((1_00, 5_00, 10_00), (25_00, 100_00, 500_00))  # leasts and mosts that the usual stakes fit into


class Pit:
    """The floor and the devices around one table, apart from its game."""

    def __init__(self, staff: Staff) -> None:
        self.staff, self.world, self.table = staff, staff.world, staff.table
        self.chance = random.Random(f"pit of {self.table}, seed {self.world.seed}")
        self.asking = random.Random(f"time asked for at {self.table}, seed {self.world.seed}")
        self.sensor = self._new_sensor(0)
        self.device = Person(self.world, self.table, actor_of(SENSOR), AUTOMATON)

    async def work(self) -> None:
        """Do something every few seconds; once the faults are over, only free the reserved seats."""
        while self.table not in self.world.done:
            await asyncio.sleep(self.chance.uniform(1, 2.5))
            live = self.world.live(self.table)
            if live is None or not live.is_open or live.terms is None:
                continue
            if self.world.finishing:
                due = self._freed(live)
            elif SENSOR in live.sensors and self.chance.random() < SIGNALS:
                await self._seen(live)
                continue
            else:
                due = self._time(live) or self._next(live)
            if due is not None:
                await due[0].ask(due[1], live.lease.token)

    def _next(self, live: LiveTable) -> Due | None:
        staff, chance = self.staff, self.chance
        dealer = staff.holder(live)
        if live.called_at and chance.random() < 0.5:
            return chance.choice((staff.floor, staff.pit)), commands.AnswerCall()
        somebody = chance.choice((dealer, staff.floor))
        return chance.choice(
            (
                (dealer, commands.CallFloor(reason="a player asks for a supervisor")),
                self._limits(live),
                self._limits(live),
                (somebody, self._reservation(live)),
                self._freed(live),
                (somebody, commands.NoteShift(text="the chair of seat 3 is broken")),
                self._sensor(live),
                self._sensor(live),
            )
        )

    def _time(self, live: LiveTable) -> Due | None:
        # Mostly for the player who has to decide; now and then for one who hasn't.
        play = live.play
        is_asked = play is not None and play.phase == ASKING and play.seat_asked is not None
        if play is None or not is_asked or self.asking.random() > TIMES:
            return None
        seat = play.seat_asked if self.asking.random() < 0.8 else self.asking.choice(sorted(live.seats) or [1])
        return self.staff.holder(live), commands.GiveTime(seat=seat or 1)

    def _limits(self, live: LiveTable) -> Due | None:
        # The second person confirms like any other proposal; bets that are down by then refuse it.
        assert live.terms is not None
        if live.in_round or live.proposals:
            return None
        rules = live.terms.settings.rules
        main = next(wager for wager in rules.game.wagers if wager.required and not wager.equals)
        leasts, mosts = FLOOR_LIMITS
        limits = (
            {}
            if live.limits and self.chance.random() < 0.3
            else {main.name: (self.chance.choice(leasts), self.chance.choice((*mosts, 10**9)))}
        )
        return self.chance.choice((self.staff.floor, self.staff.pit)), commands.ChangeLimits(limits=limits)

    def _reservation(self, live: LiveTable) -> commands.Command:
        assert live.terms is not None
        seats = range(1, live.terms.settings.rules.seats_most + 1)
        free = [seat for seat in seats if seat not in live.seats] or list(seats)
        player = self.chance.choice([name and f"{name}-{self.table}" for name in EXPECTED])
        return commands.ReserveSeat(seat=self.chance.choice(free), player=player, minutes=self.chance.choice((1, 15)))

    def _freed(self, live: LiveTable) -> Due | None:
        kept = sorted(live.reserved)
        if not kept:
            return None
        return self.staff.floor, commands.EndReservation(seat=self.chance.choice(kept))

    def _new_sensor(self, number: int) -> SimulatedSensor:
        secret = Ed25519PrivateKey.from_private_bytes(f"sensor {number} of {self.table}".encode().ljust(32)[:32])
        return SimulatedSensor(SENSOR, self.table, secret)

    def _sensor(self, live: LiveTable) -> Due | None:
        # A retired sensor comes back with another key, because the numbers of the old one's messages are used up.
        if SENSOR in live.sensors:
            if self.chance.random() < 0.7:
                return None
            retired = commands.RetireSensor(sensor=SENSOR, reason="cleaned")
            return self.chance.choice((self.staff.technician, self.staff.floor)), retired
        if live.proposals:
            return None
        self.sensor = self._new_sensor(self.chance.randrange(10**6))
        enrolled = commands.EnrollSensor(sensor=SENSOR, key=self.sensor.key)
        return self.chance.choice((self.staff.technician, self.staff.pit)), enrolled

    async def _seen(self, live: LiveTable) -> None:
        # As the route of the sensors does it: the message's number is its command's, so that it counts once.
        enrolled = live.sensors[SENSOR]
        if enrolled.key != self.sensor.key:
            return  # enrolled by a proposal that was answered late: nobody has this key any more
        self.sensor.sequence = enrolled.sequence
        patrons = [seat for seat, player in live.seats.items() if is_patron(player)]
        seat = self.chance.choice(patrons or [1])
        stakes = stakes_of(live, self.chance) if self.chance.random() < 0.8 else {}
        message = self.sensor.saw(seat, stakes)
        wrong = {**message, "stakes": {**stakes, "ante": 77_00}}
        await self._refused(wrong, "with other chips than it signed")
        name = f"sensor:{self.table}:{SENSOR}:{enrolled.key[:16]}:{message['sequence']}"
        answer = await self.device.ask(commands.SensorSaw(**message), command_id=name)
        if isinstance(answer, Done):
            self.world.tried["sensor: taken" if self._is_taken(answer) else "sensor: not taken"] += 1
            await self._refused(message, "a second time")

    def _is_taken(self, answer: Done) -> bool:
        return any(entry.kind == "house.SensorHeard" and entry.body["is_taken"] for entry in answer.entries)

    async def _refused(self, message: dict[str, object], how: str) -> None:
        answer = await self.device.ask({"kind": "SensorSaw", **message})
        if isinstance(answer, Done):
            self.world.tell(f"a sensor's message was taken {how}")
        elif isinstance(answer, Refusal):
            self.world.tried[f"sensor: refused {how}"] += 1
