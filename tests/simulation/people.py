"""The people of a simulated floor: players, good and bad, over an unreliable network."""

import asyncio
import random
from typing import Any

from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Asked, Done
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.rules.play import FOLDED
from pitboss.rules.refusal import Refusal
from simulation.forbidden import Hold, for_player, hold_on
from simulation.process import Request
from simulation.world import World

PATIENCE_S = 1.5
TRIES = 4
FLOODED = 40
MISSES_LIMIT = 0.1  # of the players: they stake less than the floor lets them


class Person:
    """A person who sends commands over the network, and resends them until an answer comes."""

    def __init__(self, world: World, table: str, name: str, *roles: str) -> None:
        self.world, self.table, self.name, self.roles = world, table, name, roles

    async def ask(self, command: Any, token: int | None = None, command_id: str | None = None) -> Any:
        """Give a command and return its answer, or None where none came."""
        body = command if isinstance(command, dict) else commands.data_of(command)
        asked = Asked(command_id or self.world.command_id(self.name), self.name, self.roles, body, token)
        for _ in range(TRIES):
            answer = await self._tried(asked)
            if isinstance(answer, Done):
                self.world.acknowledged(asked, answer)
            elif isinstance(answer, Refusal):
                self.world.refused += 1
                kind = body.get("kind")
                self.world.last_refusals[self.table] = f"{kind} by {self.name}: {answer}"
            if answer is not None:
                return answer
        return None

    async def try_held(self, hold: Hold, command: commands.Command, token: int | None = None) -> None:
        """Give a command that must wait for what holds the table; the checks find it where it does not."""
        answer = await self.ask(command, token)
        if isinstance(answer, Refusal) and answer.clause in hold.clauses:
            self.world.tried[f"refused for {hold.name}: {type(command).__name__}"] += 1

    async def _tried(self, asked: Asked) -> Any:
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(answer: Any) -> None:
            if isinstance(answer, Done):
                self.world.acknowledged(asked, answer)  # also the answer that comes a second time
            if not reply.done():
                reply.set_result(answer)

        self.send(asked, answered)
        try:
            return await asyncio.wait_for(reply, PATIENCE_S)
        except TimeoutError:
            return None

    def send(self, asked: Asked, answered: Any) -> None:
        """Send a command off, wherever the table is run when it arrives."""
        request = Request(self.table, asked, answered)

        def arrived(request: Request) -> None:
            process = self.world.owner(self.table) or next(iter(self.world.processes.values()), None)
            if process is not None:
                process.deliver(request)

        self.world.network.send(arrived, request)


class Player(Person):
    """A player who mostly follows the rules."""

    def __init__(self, world: World, table: str, name: str, seat: int) -> None:
        super().__init__(world, table, name, "player")
        self.seat = seat

    async def play(self) -> None:
        """Play until the world ends."""
        chance = self.world.chance
        while True:
            if self.table in self.world.done:
                return
            live = self.world.live(self.table)
            command = self._next(live) if live is not None else None
            hold = hold_on(live) if live is not None and not self.world.finishing else None
            if not self.world.finishing and chance.random() < 0.06:
                await self._misbehave(live)
            elif live is not None and hold is not None and self.name in live.seats.values() and chance.random() < 0.3:
                await self.try_held(hold, for_player(live, self.name, self.seat, chance))
            elif command is not None:
                await self.ask(command)
            await asyncio.sleep(chance.uniform(0.05, 0.6))

    def _next(self, live: LiveTable) -> commands.Command | None:
        chance, quiet = self.world.chance, self.world.finishing
        if not live.is_open or live.terms is None:
            return None
        if self.name not in live.seats.values():
            return commands.TakeSeat(seat=self.seat) if self.seat not in live.seats else None
        if live.stack_cents(self.name) < 500_00:
            return commands.BuyIn(cents=2_000_00)
        play = live.play
        if not quiet and chance.random() < 0.08:
            return self._whim(live)
        if play is None or not live.in_round:
            return None
        if play.phase == WAGERING and self.seat not in play.players:
            return commands.PlaceWagers(seat=self.seat, stakes=stakes_of(live, self.world.chance))
        if play.phase == ASKING and play.cursor == self.seat:
            legal = legal_actions(play)
            staying = [action for action in legal if action.becomes != FOLDED]  # most people came to play
            action = chance.choice(staying if staying and chance.random() < 0.7 else legal)
            discard = chance.choice(play.cards[self.seat]) if action.discards else None
            return commands.Act(seat=self.seat, action=action.name, discard=discard)
        return None

    def _whim(self, live: LiveTable) -> commands.Command:
        chance = self.world.chance
        return chance.choice(
            (
                commands.Tip(cents=chance.choice((1_00, 5_00, 1_000_000_00))),
                commands.CashOut(cents=chance.choice((10_00, 300_00, live.stack_cents(self.name)))),
                commands.WithdrawWagers(seat=self.seat),
                commands.LeaveSeat(seat=self.seat, give_up=chance.random() < 0.5),
                commands.BuyIn(cents=chance.choice((100_00, 10_000_000_00))),
            )
        )

    async def _misbehave(self, live: LiveTable | None) -> None:
        chance, seat = self.world.chance, self.seat
        bad: tuple[Any, ...] = (
            commands.PlaceWagers(seat=seat, stakes={"nothing": -5}),
            commands.PlaceWagers(seat=seat + 1, stakes={}),
            commands.Act(seat=seat, action="win"),
            commands.Act(seat=seat + 1, action="fold"),
            commands.Settle(),
            commands.EndRound(),
            commands.DealCards(),
            commands.ReadCard(card="As"),
            commands.Confirm(proposal="any"),
            {"kind": "Steal"},
            {"kind": "BuyIn", "cents": "all"},
            {"kind": "BuyIn", "cents": 1.5},
            {},
            commands.BuyIn(cents=-100),
        )
        what = chance.randrange(4)
        if what == 0:
            await self._reuse()
        elif what == 1:
            answer = await self.ask(commands.Tip(cents=1), command_id=f"broken\0{chance.random()}")
            if isinstance(answer, Done):
                self.world.tell("a command with a broken id was accepted")
        else:
            answer = await self.ask(chance.choice(bad))
            if isinstance(answer, Done):
                self.world.tell(f"{self.name} was allowed what nobody may: {answer.entries[0].kind}")

    async def _reuse(self) -> None:
        told = [text for text in self.world.told if text.startswith(f"{self.name}-")]
        if told:
            again = self.world.chance.choice(told)
            answer = await self.ask({"kind": "BuyIn", "cents": 77_77}, command_id=again)
            if isinstance(answer, Done):
                self.world.tell(f"{again} was accepted with another content")
            elif answer is not None:
                self.world.happened["command id reused"] += 1

    def flood(self) -> None:
        """Send a great many commands at once and wait for none."""
        self.world.happened["flood"] += 1
        for number in range(FLOODED):
            command = commands.Tip(cents=1) if number % 3 else commands.TakeSeat(seat=self.seat)
            asked = Asked(self.world.command_id(self.name), self.name, self.roles, commands.data_of(command))
            self.send(asked, lambda answer, asked=asked: self._noted(asked, answer))

    def _noted(self, asked: Asked, answer: Any) -> None:
        if isinstance(answer, Done):
            self.world.acknowledged(asked, answer)


def stakes_of(live: LiveTable, chance: random.Random) -> dict[str, int]:
    """Return stakes that the table's rules allow: the required ones, and some of the others."""
    assert live.terms is not None
    rules = live.terms.settings.rules
    usual = (5_00, 10_00, 25_00)
    least = max((limits[0] for limits in live.limits.values()), default=0)  # as the floor set it
    fitting = [cents for cents in usual if cents >= least or chance.random() < MISSES_LIMIT]
    main = chance.choice(fitting)
    found: dict[str, int] = {}
    for wager in rules.game.wagers:
        if wager.by_action or wager.name not in rules.offered:
            continue
        if wager.required:
            found[wager.name] = found[wager.equals] if wager.equals else main
        elif chance.random() < (0.9 if wager.name in rules.choices.stakes else 0.5) and all(
            needed in found for needed in wager.needs
        ):
            found[wager.name] = rules.choices.stakes.get(wager.name, 5_00)
    return found
