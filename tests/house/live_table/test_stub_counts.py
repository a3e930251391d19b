"""However cards are dealt, a running table settles no fifth round before its stub is counted."""

import pytest

from house.floors import run
from house.live_table.staffed import BY, DEALER, StaffedTable, seated
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table import commands
from pitboss.round.state import SETTLING
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table.conditions import cards_of

WAYS = [(name, way) for name in game_names() for way in game(name).procedures.dealing]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_the_stub_is_counted_once_in_five_rounds(name: str, way: str) -> None:
    count = game(name).procedures.stub[way]

    async def counted() -> None:
        table = await seated(name, dealing=way)
        for _ in range(4):
            await play_on(table)
            await table.must(DEALER, of_cards.RackStub(by=BY, at=0))
            while table.live.in_round:
                await table.next()
        await play_on(table)
        for early in (commands.Settle(), of_cards.RackStub(by=BY, at=0)):
            await table.confirm_first(DEALER, type(early).__name__)
            refused = await table.ask(DEALER, early)
            assert isinstance(refused, Refusal)
            assert refused.clause in (count.cite, count.how_cite)
        cards = table.live.cards
        assert cards is not None
        assert cards.round is not None
        left = cards_of(cards) - cards.round.dealt
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left))
        while table.live.in_round:
            await table.next()

    run(counted())


async def play_on(table: StaffedTable) -> None:
    await table.begin()
    stakes = {wager.name: 10_00 for wager in game(table.name).wagers if wager.required and not wager.by_action}
    for seat, player in table.live.seats.items():
        await table.must((player, "player"), commands.PlaceWagers(seat=seat, stakes=stakes))
    await table.until(SETTLING)
