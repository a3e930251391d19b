"""Money controls in some seeds: blind counts of a tray, slips, a cage and drop boxes at the one real-money table."""

import asyncio
import json
import random
from typing import Any

from pitboss.house.controls.decide import BILLS
from pitboss.house.controls.events import FILL
from pitboss.house.controls.state import AT_TABLE, CARRIED, PREPARED, REQUESTED, Chips, Controls, Slip
from pitboss.house.live_table import commands
from pitboss.house.live_table.hand_pays import due, sealing_name, shown_meters
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import House
from simulation.counted_people import EXCLUDED, ROLES, TABLE, TRAY, confirming
from simulation.people import Person
from simulation.staff import Staff

LOW_CENTS = 40_000_00
ODD = 0.15  # of the counts: somebody counts one chip or bill too few
SECOND = {"VoidSlip": "flo", "PullBox": "fred"}


class CountedMoney:
    """The cage, the runner, the count team, and those who count the tray of the real-money table."""

    def __init__(self, staff: Staff) -> None:
        self.staff, self.world = staff, staff.world
        self.chance = random.Random(f"money of seed {self.world.seed}")
        self.people = {name: Person(self.world, TABLE, name, role) for name, role in ROLES.items()}

    async def work(self) -> None:
        """Do what the controls require next, until the world ends."""
        while TABLE not in self.world.done:
            await asyncio.sleep(self.chance.uniform(0.1, 0.4))
            live, process = self.world.live(TABLE), self.world.owner(TABLE)
            if live is None or process is None or live.terms is None:
                continue
            controls, proposals = process.house.controls.state, process.house.people.state.proposals
            if proposals:
                name, waiting = next(iter(proposals.items()))
                await self.people[SECOND[waiting.kind]].ask(confirming(name, waiting))
                continue
            next_step = self._form(live, process.house) or self._next(live, controls)
            if next_step is not None:
                await next_step[0].ask(next_step[1], live.lease.token)

    def _next(self, live: LiveTable, controls: Controls) -> tuple[Person, Any] | None:
        quiet = self.world.finishing
        if not controls.is_cage_open or controls.cage_counts:
            return self._cage(controls)
        slip = next(((name, slip) for name, slip in controls.slips.items()), None)
        if slip is not None:
            return self._slip(live, *slip)
        if not live.is_open or TABLE in controls.trays:
            return self._tray(live, controls)
        if live.tray_cents < LOW_CENTS or self.staff.lacks_chips:
            self.staff.lacks_chips = False
            return self.people["flo"], {"kind": "RequestFill", "table": TABLE, "chips": TRAY}
        if controls.boxes:
            return self._box(controls)
        if quiet or self.chance.random() > 0.12:
            return None
        chips = self.chance.choice(({"500": 10}, {"2500": 4, "500": 20}, {"100000": 60}))  # the last it hasn't got
        return self.chance.choice(
            (
                (self.people["flo"], {"kind": "RequestCredit", "table": TABLE, "chips": chips}),
                (self.people["flo"], {"kind": "RequestFill", "table": TABLE, "chips": {"500": 100}}),
                (self.people["flo"], {"kind": "PullBox", "table": TABLE}),
                self._cage(controls),
                *[self._tray(live, controls)] * 4,
            )
        )

    def _form(self, live: LiveTable, house: House) -> tuple[Person, Any] | None:
        # A payout that reaches the hand pay's limits waits until the cage or the floor has taken down who won.
        name = live.terms.progressive if live.terms is not None else None
        meters = shown_meters(house.progressive(name).state if name else None)
        seat = next((pay.seat for pay in due(live, meters) if pay.form is None), None)
        if seat is None:
            return None
        winner = EXCLUDED if self.chance.random() < ODD else "Wanda Winner"
        data = {"full_name": winner, "address": "here", "taxpayer_id": "1", "first_document": "2"}
        text = json.dumps({**data, "second_document": "3"})
        sealed = house.sealed_text(sealing_name(TABLE, live.round, seat), text)
        return self.people[self.chance.choice(("cathy", "flo"))], commands.RecordHandPay(seat=seat, sealed=sealed)

    def _slip(self, live: LiveTable, number: str, slip: Slip) -> tuple[Person, Any]:
        people, dealer = self.people, self.staff.holder(live)
        chips = {str(cents): count for cents, count in slip.chips.items()}
        void = people["carl"], {"kind": "VoidSlip", "slip": number, "reason": "not needed any more"}
        ready = CARRIED if slip.kind == FILL else PREPARED
        is_short = any(live.tray.get(cents, 0) < count for cents, count in slip.chips.items())
        is_useless = not live.is_open or (slip.kind != FILL and is_short)
        if slip.stage == REQUESTED:
            return people["cathy"], {"kind": "PrepareSlip", "slip": number}
        if slip.stage == ready:
            if is_useless or (not self.world.finishing and self.chance.random() < 0.05):
                return void
            counted = {**chips, "500": chips.get("500", 0) + 1} if self._is_odd() else chips  # refused: count again
            done = commands.ReceiveFill if slip.kind == FILL else commands.SendCredit
            return dealer, done(slip=number, chips={int(cents): count for cents, count in counted.items()})
        if slip.stage in (PREPARED, AT_TABLE):
            return people["fred"], {"kind": "CarrySlip", "slip": number}
        return people["carl"], {"kind": "AcceptCredit", "slip": number, "chips": chips}

    def _tray(self, live: LiveTable, controls: Controls) -> tuple[Person, Any] | None:
        # The dealer and the floor each count; a wrong count is found by the other one's, or by counting again.
        if live.in_round or not live.lease.is_held(live.at):
            return None
        before = controls.trays.get(TABLE)
        counted = set(before.roles.values()) if before is not None else set()
        sides = [side for side in ("dealer", "floorperson") if side not in counted]
        person = self.staff.holder(live) if self.chance.choice(sides) == "dealer" else self.people["flo"]
        chips = live.tray if live.is_open else controls.closers.get(TABLE, {})
        return person, commands.CountTray(chips=self._counted(chips))

    def _cage(self, controls: Controls) -> tuple[Person, Any]:
        name = next(name for name in ("cathy", "pete") if name not in controls.cage_counts)
        chips = {str(cents): number for cents, number in controls.held("cage").items()}
        return self.people[name], {"kind": "CountCage", "cash_cents": controls.cash.get("cage", 0), "chips": chips}

    def _box(self, controls: Controls) -> tuple[Person, Any]:
        number, box = next(iter(controls.boxes.items()))
        left, bills = box.booked_cents, {}
        for bill in BILLS:
            bills[bill], left = divmod(left, bill)
        found = self._counted({bill: count for bill, count in bills.items() if count})
        name = next(name for name in ("con", "cou") if name not in box.counts)
        counted = {str(bill): count for bill, count in found.items()}
        return self.people[name], {"kind": "CountBox", "box": number, "bills": counted}

    def _is_odd(self) -> bool:
        return not self.world.finishing and self.chance.random() < ODD

    def _counted(self, right: Chips) -> dict[int, int]:
        many = [cents for cents, number in right.items() if number > 1]
        if not many or not self._is_odd():
            return dict(right)
        return {**right, many[-1]: right[many[-1]] - 1}
