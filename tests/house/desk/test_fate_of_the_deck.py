"""What a wrong count of the stub says of the deck stands, also where the round is voided for something else."""

import pytest

from house.desk.staffed import BY, DEALER, FLOOR, in_phase
from house.floors import run
from pitboss.games.catalogue import game_names
from pitboss.house.desk import commands
from pitboss.round.state import SETTLING
from pitboss.rules import irregularity as wrong
from pitboss.table import commands as of_cards
from pitboss.table.conditions import cards_of


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("other", [wrong.WRONG_NUMBER, wrong.STUB_COUNT_WRONG])
def test_a_short_deck_leaves_the_table_whatever_voids_the_round(name: str, other: str) -> None:
    async def voided() -> None:
        table = await in_phase(name, SETTLING)
        cards = table.desk.cards
        assert cards is not None
        assert cards.round is not None
        deck, whole = cards.round.deck, cards_of(cards)
        left = whole - cards.round.dealt
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left - 1))
        await table.must(DEALER, of_cards.FindMisdeal(by=BY, at=0, misdealt=True, cards_in_deck=whole - 1))
        seat = min(table.desk.seats) if other == wrong.WRONG_NUMBER else None
        await table.must(DEALER, commands.ReportIrregularity(irregularity=other, seat=seat))
        while table.desk.proposals:
            await table.must(FLOOR, commands.Confirm(proposal=next(iter(table.desk.proposals))))
        assert table.desk.play is not None
        assert table.desk.play.outcome == "void"
        await table.must(DEALER, commands.EndRound())
        assert table.desk.cards is not None
        assert deck in table.desk.cards.removed
        await table.play_round()

    run(voided())
