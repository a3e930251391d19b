"""Reports after the last decision hold the table like any other: at settlement, and while a payout waits."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable
from scenarios.progressive import ROYAL, dealt, progressive_table
from scenarios.test_held import CASES, PATRON, REPORT, WRONG_NUMBER, Case, is_held
from scenarios.test_large_payouts import EVERYTHING, limited, until_one_waits

NewTable = Callable[..., ScenarioTable]


def ruled_by_two(table: ScenarioTable) -> None:
    """Report a wrong number of cards, find the table held, and have all wagers returned by two people."""
    name = table.game.name
    case = next(case for case in CASES if (case.game, case.kind) == (name, WRONG_NUMBER))
    table.seat_patron(PATRON)  # for whom nothing is entered either
    proposal = table.must("dana", REPORT, irregularity=WRONG_NUMBER, seat=1)["proposal"]
    is_held(table, Case(name, WRONG_NUMBER, case.clause), table.money())
    table.refused("dana", "Confirm", proposal=proposal)
    table.must("flo", "Confirm", proposal=proposal)
    assert table.live.play.outcome == "void"
    assert not any(account.startswith("felt:") and cents for account, cents in table.money().items())
    while table.live.in_round:
        table.step()


@pytest.mark.parametrize("name", game_names())
def test_a_report_at_the_settlement_holds_the_table(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("settling")
    ruled_by_two(table)


@pytest.mark.parametrize("name", game_names())
def test_a_report_while_a_payout_waits_to_be_verified_holds_the_table(new_table: NewTable, name: str) -> None:
    table = limited(new_table, name, **EVERYTHING)
    until_one_waits(table)
    ruled_by_two(table)


def test_a_report_while_a_progressive_payout_waits_holds_the_table(new_table: NewTable) -> None:
    table = dealt(progressive_table(new_table), ROYAL)
    table.validate()  # the Blind's payout
    assert table.phase == "awaiting-meter"
    ruled_by_two(table)
