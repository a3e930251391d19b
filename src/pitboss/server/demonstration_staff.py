"""The demonstration table that people deal: each setup step is done in the name of a role that may do it."""

from collections.abc import Mapping
from typing import Any

from pitboss.house.back_office import agreed_on
from pitboss.house.live_table import commands
from pitboss.house.office_commands import LinkTable
from pitboss.house.people.roles import CAGE, OPERATOR
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.rules.plain import with_kind
from pitboss.rules.procedure import FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.server.live.background_loops import BOT_PURSE_CENTS, BotLoop
from pitboss.server.open_floor import FloorUnusable, OpenFloor, chance_of
from pitboss.table.people import PIT_MANAGER


async def open_staffed(floor: OpenFloor, table: str, document: Mapping[str, Any], tray_cents: int) -> None:
    """Open a table that waits for its dealer; each step is done by the account of the role that may do it."""
    if table not in floor.house.tables:
        await _at_office(floor, OPERATOR, {"kind": "SubmitRules", "table": table, "document": document})
    if floor.house.live(table).terms is None:
        await _with_two(floor, table, commands.ActivateSubmission(document=document))
        await _link(floor, table, document["progressive"])
    if not floor.house.live(table).is_open:
        await _at_table(floor, table, FLOORPERSON, commands.OpenTable(tray_cents=tray_cents))


async def seat_bot(floor: OpenFloor, table: str, bot: str, seat: int) -> None:
    """Seat a bot at a table that people deal, as a player whose buy-in the cage pays."""
    if floor.house.money.state.get(f"purse:{bot}", 0) < BOT_PURSE_CENTS // 2:
        await _at_office(
            floor, CAGE, {"kind": "IssueMoney", "person": bot, "cents": BOT_PURSE_CENTS, "free_play": True}
        )
    floor.spawn(PlayersBot(floor, table, chance_of(floor.randomness), lambda live: True).play(bot, seat))


class PlayersBot(BotLoop):
    """A bot under a player's account, because the program sits only where it deals; it plays even if nobody watches."""

    async def _as_bot(self, name: str, command: commands.Command) -> Answer:
        asked = Asked(self._floor.fresh(), name, (PLAYER,), commands.data_of(command))
        return await self._floor.do(self._table, asked)


async def _with_two(floor: OpenFloor, table: str, command: commands.Command) -> None:
    await _at_table(floor, table, OPERATOR, command)
    for proposal in floor.house.live(table).proposals:
        await _at_table(floor, table, PIT_MANAGER, commands.Confirm(proposal=proposal))


async def _link(floor: OpenFloor, table: str, progressive: str | None) -> None:
    if progressive is None or table in floor.house.progressive(progressive).state.links:
        return
    await _at_office(floor, OPERATOR, with_kind(LinkTable(progressive=progressive, table=table)))
    for name, proposal in floor.office.people.proposals.items():
        if proposal.body.get("table") == table:
            confirm = {"kind": "Confirm", "proposal": name, "digest": agreed_on(proposal.kind, proposal.body)}
            await _at_office(floor, PIT_MANAGER, confirm)


async def _at_table(floor: OpenFloor, table: str, role: str, command: commands.Command) -> None:
    # A demonstration account is named after its only role.
    asked = Asked(floor.fresh(), role, (role,), commands.data_of(command))
    _must(await floor.do(table, asked))


async def _at_office(floor: OpenFloor, role: str, body: Mapping[str, Any]) -> None:
    _must(await floor.at_office(Asked(floor.fresh(), role, (role,), dict(body))))


def _must(answer: Answer) -> Done:
    if isinstance(answer, Refusal):
        raise FloorUnusable(f"Couldn't set up the demonstration: {answer}.")
    return answer
