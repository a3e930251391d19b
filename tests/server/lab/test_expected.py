"""What theory expects of a table: the lab's own value, no alert at a fair table, an alert at a rigged one."""

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.reports.alerts import HOLD_OUT
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.raised_alert import Alert
from pitboss.house.reports.theory import Theory
from pitboss.lab.exact_counts import MAIN
from pitboss.lab.played import PlayedSeat, Table, groups_of, player_of
from pitboss.lab.worth import meters_at, worth_of
from pitboss.odds.streams import deal
from pitboss.record.entries import NO_PREVIOUS, Entry
from pitboss.round.events import WagerResult
from pitboss.server.demonstration import demo_documents
from pitboss.server.lab.expected import NotWorkedOut, Reckoner, theories_of
from pitboss.server.table_documents import read_terms

pytestmark = [pytest.mark.xdist_group("exact"), pytest.mark.slow]
ROUNDS, SEATS = 3_500, 1


@cache
def theories(name: str) -> tuple[Theory, ...]:
    return theories_of(demo_documents()[name])


@pytest.mark.parametrize("name", game_names())
def test_theory_is_the_labs_exact_value(name: str) -> None:
    rules = read_terms(demo_documents()[name]).settings.rules
    groups = groups_of(rules)
    found = {theory.wager: theory for theory in theories(name)}
    assert set(found) == {wagers[0] for wagers in groups.values()}
    for group, wagers in groups.items():
        theory, stake = found[wagers[0]], 5_00
        dry = dict.fromkeys(meters_at(rules, group, {}), 0)
        worth = worth_of(rules, group, stake_cents=stake, meters=dry)
        assert theory.expected + theory.expected_cents / stake == worth.ev
        assert theory.together == wagers[1:]
        assert theory.counted is not None
        assert theory.counted.expected <= theory.expected
        assert theory.counted.variance <= worth.variance
        if not theory.variance_cents:
            assert theory.variance == worth.variance


def test_it_is_worked_out_in_a_process_of_its_own() -> None:
    name = game_names()[0]
    reckoner = Reckoner()
    assert asyncio.run(reckoner.theories(demo_documents()[name])) == theories(name)
    with pytest.raises(NotWorkedOut):
        asyncio.run(reckoner.theories({"table": "none"}))
    reckoner.close()


def entry(sequence: int, kind: str, body: dict[str, Any]) -> Entry:
    return Entry("table/t", sequence, kind, body, None, "x", "dealer", "c", sequence, None, NO_PREVIOUS, "")


def played(name: str, seed: int, *, rigged: bool) -> Iterator[list[dict[str, Any]]]:
    """Give each round's results by seat; at a rigged table now and then the better of two deals for the players."""
    rules = read_terms(demo_documents()[name]).settings.rules
    table = Table(rules, SEATS, player_of(rules))
    deals = deal(seed, 0, 2 * ROUNDS, cards=len(rules.game.deck), drawn=table.drawn).tolist()
    for number in range(ROUNDS):
        seats = table.play(deals[2 * number])[1]
        if rigged and number % 3 == 0:
            seats = max(seats, table.play(deals[2 * number + 1])[1], key=net)
        yield [results(table, seat) for seat in seats]


def net(seats: list[PlayedSeat]) -> int:
    return sum(sum(seat.ending.nets) for seat in seats)


def results(table: Table, seat: PlayedSeat) -> Any:
    columns = zip(table.wagers, seat.ending.staked, seat.ending.nets, strict=True)
    return [
        WagerResult(wager, stake, "win" if won > 0 else "lose", won, None, "1", None)._asdict()
        for wager, stake, won in columns
        if stake
    ]


def held_after(name: str, seed: int, *, rigged: bool) -> list[Alert]:
    live = AllReports(read_terms)
    document = demo_documents()[name]
    happened: list[tuple[str, dict[str, Any]]] = [("house.SubmissionActivated", {"document": document, "version": "v"})]
    for number, seats in enumerate(played(name, seed, rigged=rigged)):
        happened.append(("house.RoundBegun", {"round": f"r{number}"}))
        happened += [("round.WagersSettled", {"seat": seat, "results": other}) for seat, other in enumerate(seats, 1)]
        happened.append(("house.RoundEnded", {"round": f"r{number}", "outcome": "settled"}))
    for sequence, (kind, body) in enumerate(happened, 1):
        live.add(entry(sequence, kind, body))
    assert live.alerts.awaited() == ("v",)
    live.learn("v", theories(name))
    lines = [line for line in live.against_theory() if line.table and line.wager]
    assert {line.wager for line in lines} == {theory.wager for theory in theories(name)}
    assert all(line.rounds == ROUNDS for line in lines)
    return [alert for alert in live.alerts.held(0) if alert.kind == HOLD_OUT]


@pytest.mark.parametrize("name", game_names())
def test_thousands_of_fair_rounds_raise_no_alert(name: str) -> None:
    assert held_after(name, 11, rigged=False) == []


@pytest.mark.parametrize("name", game_names())
def test_a_table_whose_players_are_dealt_better_cards_raises_an_alert(name: str) -> None:
    raised = held_after(name, 12, rigged=True)
    assert raised
    main = next(theory.wager for theory in theories(name))
    assert any(f":{main}:" in alert.id and "standard errors off" in alert.says for alert in raised)
    assert len({alert.id for alert in raised}) == len(raised)


def test_the_main_game_is_counted_in_units_of_its_first_wager() -> None:
    for name in game_names():
        rules = read_terms(demo_documents()[name]).settings.rules
        main = theories(name)[0]
        assert (main.wager, *main.together) == groups_of(rules)[MAIN]
        assert main.expected < 0
        assert main.expected_cents == Fraction(0)
