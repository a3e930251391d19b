"""A round's money in the ledger: over every game, random rounds and any irregularity, nothing appears or is lost."""

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.booked import DESK, PLENTY, PROGRESSIVE, PROGRESSIVES, TABLE, VOIDED, Books, funded, lucky, transfers_of
from pitboss.games import catalogue
from pitboss.house.money import postings
from pitboss.house.money.ledger import Posting, Transfer, coupons, felt, inventory, pool, stack
from pitboss.house.money.postings import Books as BooksOf
from pitboss.house.money.postings import (
    check_money,
    held_back,
    is_paid_by_meter,
    transfer_of,
)
from pitboss.round import Round, decide, evolve, open_round
from pitboss.round.commands import (
    BankStakes,
    CloseBets,
    PayMeter,
    PlaceWagers,
    ReportIrregularity,
    Settle,
    WithdrawWagers,
)
from pitboss.round.events import (
    CardsTurned,
    EnvyPaid,
    Event,
    MeterPaid,
    RoundClosed,
    WagersPlaced,
    WagersReversed,
    WagersSettled,
)
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import PROGRESSIVE_MISMATCH
from pitboss.rules.play import Ask
from pitboss.rules.refusal import Refusal
from round.played import GAMES, SOME, RandomPlay, Table, table_of
from round.test_nonsense import Fool

pytestmark = pytest.mark.slow

UTH = "ultimate-texas-holdem"
seeds = st.integers(0, 2**20)
every_game = pytest.mark.parametrize("game", GAMES)


def nets(state: Round) -> dict[str, int]:
    """Return what each player gained, as the round's own results say."""
    gained = dict.fromkeys(state.players.values(), 0)
    for (seat, _), result in state.results.items():
        gained[state.players[seat]] += result.net
    for paid in state.envy:
        gained[state.players[paid.seat]] += paid.net
    return gained


def checked(rules: RulesInForce, events: list[Event], books: Books | None = None) -> Books:
    """Book a whole round and check what holds at its end."""
    books = books or Books()
    tray, behind = books.balances.of(inventory(TABLE)), books.balances.of(pool(PROGRESSIVE))
    state = books.book_all(open_round(rules), events)
    assert state.outcome is not None
    assert books.balances.of(felt(TABLE)) == 0
    assert {player: books.gained(player) for player in set(state.players.values())} == nets(state)
    from_meters = sum(result.paid for result in state.results.values() if postings.is_paid_by_meter(result))
    assert behind - books.balances.of(pool(PROGRESSIVE)) == from_meters
    assert books.balances.of(inventory(TABLE)) - tray == -sum(nets(state).values()) + from_meters
    return books


def disturbed(game: str, seed: int) -> Table:
    """Return a random round with irregularities and absences, played to its end."""
    fool = Fool(game, seed)
    fool.play.open()
    while fool.table.state.outcome is None:
        if fool.chance.random() < 0.15:
            command: Any = fool.chance.choice((fool.report, fool.report, fool.absence))()
            if not isinstance(decide(fool.table.state, command), Refusal):
                fool.table.do(command)
        else:
            fool.table.do(fool.play.next_command())
    return fool.table


@every_game
@given(seed=seeds)
@SOME
def test_after_any_round_the_felt_is_empty_and_each_stack_changed_by_the_seats_net(game: str, seed: int) -> None:
    play = RandomPlay(game, seed)
    table = play.play()
    checked(table.rules, table.events)


@every_game
@given(seed=seeds)
@SOME
def test_the_same_holds_with_irregularities_forfeits_and_voids(game: str, seed: int) -> None:
    table = disturbed(game, seed)
    checked(table.rules, table.events)


@every_game
@given(seed=seeds, after=st.integers(0, 40))
@SOME
def test_a_void_leaves_every_account_as_it_was_and_asks_no_stack_for_more_than_it_has(
    game: str, seed: int, after: int
) -> None:
    play = lucky(game, seed) if game in PROGRESSIVES else RandomPlay(game, seed)
    table = play.open()
    for _ in range(after):
        if table.state.outcome is not None:
            return
        table.do(play.next_command())
    if table.state.outcome is not None or not any(table.state.cards.values()):
        return
    # Each player gets no more chips than the round needs up to the void.
    books = Books(stack_cents=PLENTY)
    state = books.book_all(open_round(table.rules), table.events)
    lowest = {player: lowest_of(books, player) for player in books.stacks}
    tight = Books(balances=funded())
    for player, least in lowest.items():
        tight.seat(player, PLENTY - least)
    begun = tight.balances
    assert tight.book_all(open_round(table.rules), table.events) == state
    voided = decide(state, ReportIrregularity(VOIDED))
    assert not isinstance(voided, Refusal)
    tight.book_all(state, voided)
    assert tight.balances == begun


def lowest_of(books: Books, player: str) -> int:
    held, account = 0, stack(TABLE, player)
    found = PLENTY
    for transfer in books.transfers:
        held += sum(cents for name, cents in transfer.postings if name == account)
        if held:
            found = min(found, held)
    return found


def test_lucky_rounds_draw_on_meters_and_are_voided_after_it_too() -> None:
    paid, voided = set(), 0
    for game, seed in itertools.product(PROGRESSIVES, range(150)):
        play = lucky(game, seed)
        table = play.open()
        while table.state.outcome is None:
            hit = any(isinstance(event, MeterPaid) for event in table.events)
            if hit and table.state.meter is not None and seed % 2:
                table.do(ReportIrregularity(VOIDED))
                voided += 1
            else:
                table.do(play.next_command())
            if any(isinstance(event, MeterPaid) for event in table.events):
                paid.add((game, seed))
        checked(table.rules, table.events)
    assert {game for game, _ in paid} == set(PROGRESSIVES)
    assert len(paid) > 20
    assert voided > 3


def answer(table: Table, cents: int) -> PayMeter:
    """Return the command that answers for the meter a seat waits for."""
    assert table.state.meter is not None
    return PayMeter(table.state.meter.seat, cents, "floor 1")


def progressive_table(**choices: Any) -> Table:
    # Seat 3 holds a royal flush with the flop, seat 1 a straight flush.
    table = table_of(UTH, "9h Ah 3d 8h Kh 4c Qh Jh Th 2s 2d", **choices)
    for seat in (1, 3):
        table.place(seat, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.answered("raise 4x")
    return table


@pytest.mark.parametrize(("odds", "returned"), [("for", 0), ("to", 100)])
def test_a_meter_pays_from_the_pool_and_keeps_the_stake_unless_the_odds_return_it(odds: str, returned: int) -> None:
    table = progressive_table(options={"progressive-odds": odds})
    table.do(Settle())
    before = table.state
    paid, settled, *_ = table.do(answer(table, 1_000_000))
    assert transfer_of(DESK, before, paid) == Transfer(
        postings.METER_PAYOUT, (Posting("pool:linked", -1_000_000), Posting("stack:one:player 3", 1_000_000))
    )
    kept = Posting("inventory:one", 100) if not returned else Posting("stack:one:player 3", 100)
    assert transfer_of(DESK, before, settled) == Transfer(postings.SETTLEMENT, (Posting("felt:one", -100), kept))


@pytest.mark.parametrize(("odds", "returned"), [("for", 0), ("to", 100)])
def test_chips_that_lie_in_the_tray_are_returned_from_it_and_lost_without_a_move(odds: str, returned: int) -> None:
    # Seat 3 holds a royal flush, seat 1 a straight flush, seat 2 nothing.
    table = table_of(UTH, "9h 3d Ah 5s 8h 4c Kh 6s Qh Jh Th 2s 2d", options={"progressive-odds": odds})
    for seat in (1, 2, 3):
        table.place(seat, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.do(CloseBets())
    before = table.state
    (banked,) = table.do(BankStakes())
    assert transfer_of(DESK, before, banked) == Transfer(
        postings.BANKED, (Posting("felt:one", -300), Posting("inventory:one", 300))
    )
    assert table.refusal(BankStakes()).clause == "Ch. 8 §C(4)"
    table.deal_until("asking")
    while table.state.phase != "settling":
        table.act("raise 4x") if table.state.phase == "asking" else table.deal_on()
    table.do(Settle())
    while table.state.meter is not None:
        table.do(answer(table, 1_000_000))
    booked = {"win": returned, "lose": 0}
    state = table.states[0]
    for event in table.events:
        settled = event if isinstance(event, WagersSettled) else None
        for result in settled.results if settled is not None else ():
            if result.wager == "progressive" and is_paid_by_meter(result) | (result.result == "lose"):
                assert settled is not None
                alone = replace(settled, results=(result,))
                moved = transfer_of(DESK, state, alone)
                assert dict(moved.postings if moved else ()).get("inventory:one", 0) == -booked[result.result]
                assert "felt:one" not in dict(moved.postings if moved else ())
        state = evolve(state, event)
    checked(table.rules, table.events)


def test_envy_is_paid_from_the_tray() -> None:
    table = progressive_table()
    table.do(Settle())
    envy = next(event for event in table.do(answer(table, 1_000_000)) if isinstance(event, EnvyPaid))
    assert transfer_of(DESK, table.state, envy) == Transfer(
        postings.ENVY, (Posting("inventory:one", -100_000), Posting("stack:one:player 1", 100_000))
    )


def test_a_void_after_a_meters_payment_puts_it_back_behind_the_meter_and_the_envy_into_the_tray() -> None:
    table = progressive_table()
    table.do(Settle())
    table.do(answer(table, 1_000_000))
    before = table.state
    first = next(event for event in table.do(ReportIrregularity(VOIDED)) if isinstance(event, WagersReversed))
    assert first.seat == 3
    transfer = transfer_of(DESK, before, first)
    assert transfer is not None
    assert dict(transfer.postings)["pool:linked"] == 1_000_000
    checked(table.rules, table.events)


def test_wagers_that_replace_others_move_only_the_difference() -> None:
    table = table_of("top-five-poker")
    table.place(2, {"ante": 1500, "poker-bonus": 500})
    before = table.state
    (placed,) = table.do(PlaceWagers(2, "player 2", {"ante": 1000}))
    assert transfer_of(DESK, before, placed) == Transfer(
        postings.WAGER, (Posting("stack:one:player 2", 1000), Posting("felt:one", -1000))
    )
    (same,) = table.do(PlaceWagers(2, "player 2", {"ante": 1000}))
    assert transfer_of(DESK, table.state, same) is None


def test_wagers_withdrawn_or_returned_go_from_the_felt_to_the_stack() -> None:
    table = table_of("top-five-poker")
    table.place(2, {"ante": 1500, "poker-bonus": 500})
    before = table.state
    (withdrawn,) = table.do(WithdrawWagers(2))
    assert transfer_of(DESK, before, withdrawn) == Transfer(
        postings.WITHDRAWAL, (Posting("felt:one", -2000), Posting("stack:one:player 2", 2000))
    )
    table = table_of(UTH)
    table.place(1, {"ante": 1000, "blind": 1000, "progressive": 100})
    table.close()
    before = table.state
    _, returned = table.do(ReportIrregularity(PROGRESSIVE_MISMATCH, 1))
    assert transfer_of(DESK, before, returned) == Transfer(
        postings.RETURN, (Posting("felt:one", -100), Posting("stack:one:player 1", 100))
    )


def test_events_that_move_no_money_have_no_transfer() -> None:
    state = open_round(RulesInForce(catalogue.game(GAMES[0])))
    for event in (CardsTurned("dealer", 2, "x"), RoundClosed((), "x")):
        assert transfer_of(DESK, state, event) is None


def test_a_table_without_a_progressive_cannot_draw_on_a_pool() -> None:
    table = progressive_table()
    table.do(Settle())
    paid, *_ = decide(table.state, answer(table, 5))  # type: ignore[misc]
    with pytest.raises(AssertionError, match="has no progressive"):
        transfer_of(BooksOf(TABLE), table.state, paid)


def needed_from_tray(moved: Iterable[Transfer]) -> int:
    changes = [sum(cents for account, cents in transfer.postings if account == inventory(TABLE)) for transfer in moved]
    return -min(itertools.accumulate(changes, initial=0))


@every_game
@given(seed=seeds)
@SOME
def test_a_tray_that_holds_what_is_needed_pays_everything_and_one_cent_less_does_not(game: str, seed: int) -> None:
    table = RandomPlay(game, seed).play()
    moved = transfers_of(open_round(table.rules), table.events)
    needed = needed_from_tray(moved)
    books = Books(balances=funded(tray=needed))
    books.book_all(open_round(table.rules), table.events)
    if needed:
        poor = Books(balances=funded(tray=needed - 1))
        for player in set(table.state.players.values()):
            poor.seat(player)
        refusals = [poor.try_move(transfer) for transfer in moved]
        refused = next(refusal for refusal in refusals if refusal is not None)
        assert refused.field == inventory(TABLE)


def test_what_a_void_could_take_back_is_held_until_the_round_is_over() -> None:
    table = progressive_table()
    assert held_back(table.state, "player 3") == 0
    table.do(Settle())
    ante, blind, play = (table.state.results[3, wager] for wager in ("ante", "blind", "play"))
    won = sum(item.paid + item.returned for item in (ante, blind, play))
    assert won > 0
    assert held_back(table.state, "player 3") == won
    assert held_back(table.state, "player 1") == 0
    table.do(answer(table, 1_000_000))
    assert held_back(table.state, "player 3") == won + 1_000_000
    own = sum(result.paid + result.returned for (seat, _), result in table.state.results.items() if seat == 1)
    assert held_back(table.state, "player 1") == own + 100_000, "its envy bonus"
    table.pay_meter(900_000)
    assert table.state.outcome == "settled"
    assert held_back(table.state, "player 3") == 0


def test_a_coupon_is_not_money_and_its_refusal_has_the_clause_that_allows_it() -> None:
    found = 0
    for name in GAMES:
        game = catalogue.game(name)
        for instrument, clause in game.procedures.instruments.if_submitted.items():
            rules = RulesInForce(game, Choices(instruments=frozenset({instrument})))
            refusal = check_money(rules, WagersPlaced(1, "ann", {"ante": 100}, instrument, "x"))
            assert refusal is not None
            assert refusal.clause == clause
            assert check_money(rules, WagersPlaced(1, "ann", {"ante": 100}, "chips", "x")) is None
            mixed = WagersPlaced(1, "ann", {"ante": 100}, "chips", "x", {"ante": instrument})
            assert check_money(rules, mixed) == refusal
            found += 1
    assert found


def test_coupons_are_booked_apart_and_money_is_conserved_with_them() -> None:
    for name in GAMES:
        for coupon in catalogue.game(name).procedures.instruments.beside_chips:
            ends = set()
            for seed in range(40):
                table = table_of(name, instruments=frozenset({coupon}))
                random.Random(seed).shuffle(table.spare)
                table.do(PlaceWagers(1, "player 1", {"ante": 1000}, coupons={"ante": 700}))
                table.answered(legal_answer(table))
                table.settle()
                result = table.state.results[1, "ante"]
                assert result.coupon == (700 if result.result != "push" else 0)
                books = checked(table.rules, table.events)
                assert books.balances.of(coupons(TABLE)) == sum(
                    result.coupon for result in table.state.results.values()
                )
                ends.add(result.result)
            assert {"win", "lose"} <= ends


def legal_answer(table: Table) -> str:
    """Return the first answer that the game's first question takes, with a discard where it needs one."""
    ask = next(step for step in table.rules.play if isinstance(step, Ask))
    return next(iter(table.rules.actions[ask.name]))
