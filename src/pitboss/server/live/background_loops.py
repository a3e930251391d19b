"""Background loops: the house dealer and the bots, at the table's pace."""

import asyncio
import logging
import random
from collections.abc import Callable

from pitboss.house.bots import Bot, bot_stakes
from pitboss.house.house_dealer import Step, next_step
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON
from pitboss.house.money.postings import FillNeeded
from pitboss.house.running_tables import Answer, Asked, NotHere
from pitboss.record.entries import Entry
from pitboss.record.store import StoreBusy
from pitboss.round import least_action
from pitboss.round.state import ASKING, WAGERING
from pitboss.rules.refusal import Refusal
from pitboss.server.live.best_discard import best_discard, needs_discard
from pitboss.server.open_floor import OpenFloor

log = logging.getLogger("pitboss.tables")
RETRY_S = 2.0
FILL_CENTS = 50_000_00
BOT_BUY_IN_CENTS = 2_000_00
BOT_PURSE_CENTS = 1_000_000_00
BOT_THINKS_S = (0.6, 2.2)


class DealerLoops:
    """The house dealers of a floor, one for each table, each woken by events at its table."""

    def __init__(self, floor: OpenFloor) -> None:
        self._floor = floor
        self._changed: dict[str, asyncio.Event] = {}

    def run(self, table: str) -> None:
        """Start dealing at a table, whenever the rules in force say that the house deals."""
        self._changed[table] = asyncio.Event()
        self._floor.spawn(self._deal(table, self._changed[table]))

    def stop(self, table: str) -> None:
        """Stop dealing at a table that another process now runs."""
        if table in self._changed:
            self._changed.pop(table).set()

    def wake(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        """Look at a table again after a change there."""
        if live.table in self._changed:
            self._changed[live.table].set()

    def prepare_discard(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        """Compute the discard of a seat off the event loop while it has time, to have it when the time runs out."""
        play = live.play
        if play is not None and live.in_round and self._floor.house.runs(live.table) and needs_discard(play):
            action = least_action(play).name
            self._floor.spawn(self._floor.beside(lambda: best_discard(play, play.cursor, action)))

    async def _deal(self, table: str, changed: asyncio.Event) -> None:
        floor = self._floor
        began = floor.clock.now_ms()
        while self._changed.get(table) is changed:
            changed.clear()
            try:
                live = floor.house.live(table)
                floor.clock.at_least(live.at)  # regardless of the clock when that was recorded
                now = floor.clock.now_ms()
                step = _after_coming_back(next_step(live, now), live, began)
                if step is None or step.at > now:
                    await _changed_within(changed, None if step is None else (step.at - now) / 1000)
                    continue
                answer = await floor.automatic(table, step.command)
                if isinstance(answer, FillNeeded):
                    answer = await floor.automatic(table, commands.Fill(cents=answer.fill_cents + FILL_CENTS))
            except NotHere:
                return  # another process runs the table now
            except StoreBusy as fault:  # nothing was recorded, so the table must not be left without its dealer
                log.warning("house dealer command not recorded", extra={"table": table}, exc_info=fault)
                await _changed_within(changed, RETRY_S)
                continue
            if isinstance(answer, Refusal):
                kind = type(step.command).__name__
                log.warning(
                    "house dealer command refused", extra={"table": table, "kind": kind, "clause": answer.clause}
                )
                await _changed_within(changed, RETRY_S)


class BotLoop:
    """Plays for the bots of one table, using only what a seat may see."""

    def __init__(
        self, floor: OpenFloor, table: str, chance: random.Random, has_company: Callable[[LiveTable], bool]
    ) -> None:
        self._floor, self._table, self._chance, self._has_company = floor, table, chance, has_company

    async def play(self, name: str, seat: int) -> None:
        """Play for a bot: sit, buy in, wager, and answer after a short pause."""
        while True:
            await asyncio.sleep(self._chance.uniform(*BOT_THINKS_S))
            live = self._floor.house.live(self._table)
            try:
                command = await self._command(live, name, seat)
                if command is None:
                    await asyncio.sleep(self._chance.uniform(*BOT_THINKS_S))
                    continue
                answer = await self._as_bot(name, command)
            except StoreBusy as fault:  # nothing was recorded, and the bot tries again
                log.warning("bot command not recorded", extra={"table": self._table}, exc_info=fault)
                await asyncio.sleep(RETRY_S)
                continue
            if isinstance(answer, Refusal):
                await asyncio.sleep(RETRY_S)

    async def _command(self, live: LiveTable, name: str, seat: int) -> commands.Command | None:
        if not live.is_open or live.terms is None:
            return None
        if seat not in live.seats:
            return commands.TakeSeat(seat=seat)
        if live.seats[seat] != name:
            return None  # the seat is taken
        play, rules = live.play, live.terms.settings.rules
        if live.stack_cents(name) < BOT_BUY_IN_CENTS // 4:
            if self._floor.house.money.state.get(f"purse:{name}", 0) < BOT_BUY_IN_CENTS:
                await self._floor.issue(name, BOT_PURSE_CENTS)
            return commands.BuyIn(cents=BOT_BUY_IN_CENTS)
        if play is None or not live.in_round:
            return None
        if play.phase == WAGERING and seat not in play.players:
            # Bots play only with people: they don't start a round when nobody plays or watches.
            if not self._has_company(live):
                return None
            stakes = bot_stakes(rules, self._chance, None, live.stack_cents(name) // 4)
            return commands.PlaceWagers(seat=seat, stakes=stakes)
        if play.phase == ASKING and play.seat_asked == seat:
            stack = live.stack_cents(name)
            answer = await asyncio.to_thread(Bot(rules, self._chance).answer, play, stack)
            return commands.Act(seat=seat, action=answer.action.name, discard=answer.discard)
        return None

    async def _as_bot(self, name: str, command: commands.Command) -> Answer:
        asked = Asked(self._floor.fresh(), name, (AUTOMATON,), commands.data_of(command))
        return await self._floor.do(self._table, asked)


async def _changed_within(changed: asyncio.Event, seconds: float | None) -> None:
    # A timer that sets the event is much cheaper than a task that waits for it.
    timer = asyncio.get_running_loop().call_later(seconds, changed.set) if seconds is not None else None
    try:
        await changed.wait()
    finally:
        if timer is not None:
            timer.cancel()


def _after_coming_back(step: Step | None, live: LiveTable, began: int) -> Step | None:
    # A player who was asked before the house dealer arrived couldn't answer, so their time starts again.
    if step is None or not isinstance(step.command, commands.ActForAbsent) or live.asked_at >= began:
        return step
    assert live.terms is not None
    return step._replace(at=max(step.at, began + live.terms.pace.decision_ms))
