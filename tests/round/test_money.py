"""Money in equals money out: over every game, every dealing method, random cards, wagers and actions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.round import money
from pitboss.round.commands import ReportIrregularity, Settle
from pitboss.round.events import MeterPaid, WagersSettled
from pitboss.rules.dealing import METHODS
from pitboss.rules.in_force import Verdict
from pitboss.rules.payoff import payoff
from round.ledger import Ledger
from round.played import GAMES, MANY, SOME, RandomPlay, table_of

seeds = st.integers(0, 2**20)
every_game = pytest.mark.parametrize("game", GAMES)
VOIDED = "wrong-number-of-cards"


@pytest.mark.parametrize("dealing", METHODS)
@every_game
@given(seed=seeds)
@SOME
def test_every_stake_is_collected_or_returned_and_every_net_adds_up(game: str, dealing: str, seed: int) -> None:
    table = RandomPlay(game, seed, dealing).play()
    books = Ledger.of(table.events)
    books.check_closed()
    assert books.ended == "settled"
    assert books.settled == dict(table.state.results)
    assert books.envy == {paid.seat: books.envy[paid.seat] for paid in table.state.envy}


@every_game
@given(seed=seeds)
@SOME
def test_a_winner_is_never_paid_beyond_the_payout_limit(game: str, seed: int) -> None:
    table = RandomPlay(game, seed).play()
    rules = table.rules
    if rules.limit_cents is None:
        assert not any(result.cut for result in table.state.results.values())
        return
    for seat in table.state.seats:
        paid = [result for (number, _), result in table.state.results.items() if number == seat]
        covered = [payment for payment in paid if payment.wager in rules.limit_covers]
        assert sum(wager.paid for wager in covered) <= rules.limit_cents
        owed = sum(wager.paid + wager.cut for wager in covered)
        assert sum(wager.paid for wager in covered) == min(owed, rules.limit_cents)
        assert all(payment.cut == 0 and payment.cut_clause is None for payment in paid if payment not in covered)
        assert all((wager.cut_clause is None) == (wager.cut == 0) for wager in covered)


@every_game
@given(seed=seeds, after=st.integers(0, 60))
@MANY
def test_a_void_gives_every_stake_back_exactly_whenever_it_comes(game: str, seed: int, after: int) -> None:
    play = RandomPlay(game, seed)
    table = play.open()
    for _ in range(after):
        command = play.next_command()
        if isinstance(command, Settle) and table.rules.game.progressive is None:
            break
        table.do(command)
        if table.state.outcome is not None:
            return
    if not any(table.state.cards.values()):
        assert "nothing can have been misdealt" in table.refusal(ReportIrregularity(VOIDED)).reason
        return
    table.do(ReportIrregularity(VOIDED))
    books = Ledger.of(table.events)
    books.check_closed()
    assert books.ended == "void"
    assert {key: result.returned for key, result in table.state.results.items()} == dict(table.state.stakes)
    assert table.state.envy == ()
    assert table.state.meter is None
    assert books.house() == 0


def test_a_void_takes_back_what_a_meter_and_an_envy_bonus_paid_already() -> None:
    # Seat 3 holds the royal flush and is paid by the meter; then seat 1's straight flush waits for its own.
    table = table_of("ultimate-texas-holdem", "9h Ah 3d 8h Kh 4c Qh Jh Th 2s 2d", paytables={"progressive": "B"})
    for seat in (1, 3):
        table.place(seat, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.answered("raise 4x")
    table.do(Settle())
    assert table.state.meter is not None
    assert (table.state.meter.seat, table.state.meter.meter) == (3, "major")
    table.pay_meter(500_000)
    assert table.state.meter is not None
    assert (table.state.meter.seat, table.state.meter.meter) == (1, "minor")
    assert {paid.seat: paid.net for paid in table.state.envy} == {1: 100_000}, "seat 1's own hand is not paid yet"
    table.do(ReportIrregularity(VOIDED))
    books = Ledger.of(table.events)
    books.check_closed()
    assert books.ended == "void"
    assert [event.paid for event in table.events if isinstance(event, MeterPaid)] == [500_000]
    assert all(result.net == 0 for result in table.state.results.values())


@pytest.mark.parametrize(
    ("odds", "stake", "net", "paid", "returned", "remainder"),
    [
        ("3 to 2", 1000, 1500, 1500, 1000, "0"),
        ("3 to 2", 1001, 1501, 1501, 1001, "1/2"),
        ("3 to 2", 1, 1, 1, 1, "1/2"),
        ("1 to 3", 1, 0, 0, 1, "1/3"),
        ("9 for 1", 100, 800, 900, 0, "0"),
        ("1 for 1", 100, 0, 100, 0, "0"),
        ("1 for 2", 100, -50, 50, 0, "0"),
        ("$1,000,000", 500, 100_000_000, 100_000_000, 500, "0"),
        ("$1,000,000", 1, 100_000_000, 100_000_000, 1, "0"),
        ("10000 to 1", 3, 30_000, 30_000, 3, "0"),
    ],
)
def test_odds_come_to_whole_cents_rounded_down_with_the_rest_listed(
    odds: str, stake: int, net: int, paid: int, returned: int, remainder: str
) -> None:
    result = money.result_of("trips", stake, Verdict("win", payoff(odds), "x", "y"))
    assert (result.net, result.paid, result.returned, result.remainder) == (net, paid, returned, remainder)
    assert result.odds == odds


@pytest.mark.parametrize(("back", "net", "returned"), [(True, 70, 100), (False, -30, 0)])
def test_a_meters_share_returns_the_stake_only_where_an_option_says_so(back: bool, net: int, returned: int) -> None:
    verdict = Verdict("win", payoff("10 % of meter"), "x", "y")
    result = money.meter_result("progressive", 100, verdict, 70, stake_returned=back)
    assert (result.net, result.paid, result.returned) == (net, 70, returned)


def test_a_wager_settled_is_never_settled_again() -> None:
    table = table_of("top-five-poker")
    table.place(2, {"ante": 100, "poker-bonus": 100})
    table.answered("fold")
    table.settle()
    settled = [result.wager for event in table.events if isinstance(event, WagersSettled) for result in event.results]
    assert sorted(settled) == ["ante", "poker-bonus"]
