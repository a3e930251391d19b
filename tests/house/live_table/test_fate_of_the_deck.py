"""A wrong stub count decides what happens to the deck, and nothing else is ruled on before it."""

import pytest

from house.floors import run
from house.live_table.staffed import BY, DEALER, FLOOR, in_phase
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.round.state import SETTLING
from pitboss.rules import irregularity as wrong
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table.conditions import cards_of


@pytest.mark.parametrize("name", game_names())
def test_a_short_deck_leaves_the_table_and_nothing_is_ruled_on_before_its_count(name: str) -> None:
    async def voided() -> None:
        table = await in_phase(name, SETTLING)
        cards = table.live.cards
        assert cards is not None
        assert cards.round is not None
        deck, whole = cards.round.deck, cards_of(cards)
        left = whole - cards.round.dealt
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left - 1))
        await table.must(DEALER, of_cards.FindMisdeal(by=BY, at=0, misdealt=True, cards_in_deck=whole - 1))
        other = commands.ReportIrregularity(irregularity=wrong.WRONG_NUMBER, seat=min(table.live.seats))
        assert isinstance(await table.ask(DEALER, other), Refusal)
        (proposal,) = table.live.proposals
        declined = await table.ask(DEALER, commands.Decline(proposal=proposal, reason="it was right"))
        assert isinstance(declined, Refusal), "what was counted and checked is not talked away"
        await table.must(FLOOR, commands.Decline(proposal=proposal, reason="count it again while I watch"))
        for command in (commands.Settle(), commands.EndRound()):
            assert isinstance(await table.ask(DEALER, command), Refusal), "the count is taken again first"
        await table.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left - 1))
        await table.must(DEALER, of_cards.FindMisdeal(by=BY, at=0, misdealt=True, cards_in_deck=whole - 1))
        (proposal,) = table.live.proposals
        await table.must(FLOOR, commands.Confirm(proposal=proposal))
        assert table.live.play is not None
        assert table.live.play.outcome == "void"
        await table.must(DEALER, commands.EndRound())
        assert table.live.cards is not None
        assert deck in table.live.cards.removed
        await table.play_round()

    run(voided())
