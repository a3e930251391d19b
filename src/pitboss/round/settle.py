"""The settling pass: seats from the highest down, wagers in order, pending payouts, and envy bonuses last."""

from collections.abc import Sequence

from pitboss.round.commands import PayMeter, ValidatePayout
from pitboss.round.events import (
    CardsCollected,
    EnvyPaid,
    Event,
    MeterAwaited,
    MeterPaid,
    PayoutAwaited,
    PayoutValidated,
    Place,
    RoundClosed,
    WagerResult,
    WagersSettled,
)
from pitboss.round.money import meter_result, settle_wagers
from pitboss.round.state import Round
from pitboss.round.verification import Verification
from pitboss.rules.dealing import BURN
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, MeterShare, Payoff, Prize, To
from pitboss.rules.play import OUT, SeatStatus
from pitboss.rules.reading import DealerReading, SeatReading, TableCards

NO_DEALER = DealerReading(0, None, None)


def settle_seats(state: Round) -> tuple[Event, ...]:
    """Return the events that settle every open seat, up to one whose payout has to be validated."""
    rules = state.rules
    table = state.table_cards()
    dealer = NO_DEALER if state.only is not None else rules.game.readings.dealer(table, rules.options)
    envied = state.only is None and bool(progressive_seats(state))
    events: list[Event] = []
    for seat in reversed(state.seats):
        stakes = open_stakes(state, seat)
        if not stakes:
            continue
        reading = rules.game.readings.seat(table, dealer, state.seat_cards(seat), rules.options, stakes)
        results, claim = settle_wagers(
            rules, reading, stakes, clause=state.only_clause, coupons=state.seat_coupons(seat)
        )
        bonuses = envy_paid(state, seat, dealer) if envied and claim is None else []
        waits, at_once = None, tuple(results)
        if state.verification is not None:
            is_premium = _is_premium(state, state.verification, seat, table, dealer)
            waits = payout_awaited(state, seat, reading.hand, results, bonuses, is_premium=is_premium)
            if waits is not None:
                at_once = tuple([result for result in results if result not in waits.results])
        if at_once or seat not in state.hands:
            events.append(WagersSettled(seat, reading.hand, at_once))
        if waits:
            return (*events, waits)
        events.extend(bonuses)
        if claim:
            wager, share, verdict = claim
            events.append(MeterAwaited(seat, wager, share.meter, share.percent, verdict.cite))
            return tuple(events)
    events.append(RoundClosed(_pickup(state), rules.settle.pickup_cite))
    return tuple(events)


def payout_awaited(
    state: Round,
    seat: int,
    hand: str,
    results: Sequence[WagerResult],
    bonuses: Sequence[EnvyPaid],
    *,
    is_premium: bool = False,
) -> PayoutAwaited | None:
    """Return which of a hand's payouts must be verified before they are paid, or None."""
    limits, progressive = state.verification, state.rules.game.progressive
    if limits is None:
        return None
    paid = [result for result in results if result.paid]
    own = [result for result in paid if progressive is not None and result.wager == progressive.wager]
    of_progressive = [result for result in own if result.paid >= limits.progressive_from_cents]
    is_large = (
        is_premium
        or any(limits.is_hand_pay(result.paid, staked(state, seat, result)) for result in paid)
        or sum(result.paid for result in paid) >= limits.payout_from_cents
        or any(
            result.paid >= limits.payout_from_times * (staked(state, seat, result) + result.coupon) for result in paid
        )
    )
    waiting = paid if is_large and paid else of_progressive
    # Where the hand's own progressive wager is validated, so are the bonuses it brings the others.
    is_envied = any(
        bonus.net >= limits.progressive_from_cents or is_envy_hand_pay(state, limits, bonus) for bonus in bonuses
    )
    if not waiting and not is_envied:
        return None
    is_progressive = bool(of_progressive) or is_envied
    clause, ruling = limits.payout_clause, limits.payout_ruling
    if is_progressive and progressive is not None:
        clause, ruling = progressive.validation_cite or limits.progressive_clause, progressive.validation_ruling
    return PayoutAwaited(seat, hand, tuple(waiting), tuple(bonuses), is_progressive, clause, ruling)


def _is_premium(state: Round, limits: Verification, seat: int, table: TableCards, dealer: DealerReading) -> bool:
    """Say whether any wager of the table pays these cards at long odds, whether or not this seat bet on it."""
    times, rules = limits.premium_from_times, state.rules
    if times is None or state.only is not None:
        return False
    reading = rules.game.readings.seat(table, dealer, state.seat_cards(seat), rules.options, rules.offered)
    return any(
        _pays_times(
            rules.adjudicate(wager, reading.facts, reading.cells.get(wager)).payoff, times, rules.limits(wager).least
        )
        for wager in rules.settlement_order
        if rules.decides(wager, reading.facts)
    )


def _pays_times(payoff: Payoff | None, times: int, least_stake: int) -> bool:
    if isinstance(payoff, To | For):
        return payoff.win >= times * payoff.per
    return isinstance(payoff, MeterShare) or (isinstance(payoff, Prize) and payoff.cents >= times * least_stake)


def is_envy_hand_pay(state: Round, limits: Verification, bonus: EnvyPaid) -> bool:
    """Say whether a bonus that another seat's hand brings waits for identity and a tax form."""
    progressive = state.rules.game.progressive
    return progressive is not None and limits.is_hand_pay(bonus.net, state.stakes[bonus.seat, progressive.wager])


def staked(state: Round, seat: int, result: WagerResult) -> int:
    """Return the stake that a result's odds are paid on."""
    base = state.rules.bonuses.get(result.wager)
    return result.stake if base is None else state.stakes[seat, base]


def pay_payout(state: Round, command: ValidatePayout) -> tuple[Event, ...]:
    """Return the events that pay a hand's pending payout, then the bonuses it earns other players."""
    waiting = state.payout
    assert waiting is not None
    seat = waiting.seat
    cents = sum(result.paid for result in waiting.results)
    events: list[Event] = [PayoutValidated(seat, cents, command.validated_by, waiting.clause, waiting.ruling)]
    if waiting.results:
        events.append(WagersSettled(seat, None, waiting.results))
    if waiting.collect_clause is not None:
        events.append(CardsCollected(seat, waiting.collect_clause))
    if waiting.envy:
        events.extend(
            envy_paid(state, seat, state.rules.game.readings.dealer(state.table_cards(), state.rules.options))
        )
    return tuple(events)


def pay_meter(state: Round, command: PayMeter) -> tuple[Event, ...]:
    """Return the events of a meter's payment to the seat that waits for it."""
    waiting, rules = state.meter, state.rules
    assert waiting is not None
    seat, wager = waiting.seat, waiting.wager
    table = state.table_cards()
    dealer = rules.game.readings.dealer(table, rules.options)
    reading = rules.game.readings.seat(table, dealer, state.seat_cards(seat), rules.options, (wager,))
    verdict = rules.adjudicate(wager, reading.facts, reading.cells[wager])
    paid = command.meter_cents * waiting.percent // 100
    result = meter_result(
        wager, state.stakes[seat, wager], verdict, paid, stake_returned=rules.stake_returned_on_meter(wager)
    )
    return (
        MeterPaid(seat, waiting.meter, waiting.percent, paid, command.validated_by, waiting.clause),
        WagersSettled(seat, None, (result,)),
        *envy_after_meter(state, dealer),
    )


def envy_after_meter(state: Round, dealer: DealerReading) -> list[EnvyPaid]:
    """Return the envy bonuses that are paid together with the meter that a seat waits for."""
    waiting = state.meter
    assert waiting is not None
    # A round that was recorded when bonuses came first has paid them already.
    is_envied = bool(progressive_seats(state)) and all(bonus.from_seat != waiting.seat for bonus in state.envy)
    return envy_paid(state, waiting.seat, dealer) if is_envied else []


def open_stakes(state: Round, seat: int) -> dict[str, int]:
    """Return a seat's undecided stakes."""
    if state.status[seat] == OUT:
        return {}
    stakes, results, only = state.stakes, state.results, state.only
    return {
        wager: stakes[key]
        for wager in state.rules.settlement_order
        if (key := (seat, wager)) in stakes and key not in results and (only is None or wager in only)
    }


def envy_paid(state: Round, holder: int, dealer: DealerReading) -> list[EnvyPaid]:
    """Return the envy bonuses that one seat's hand earns other players."""
    reading = envy_reading(state.rules, state, holder, dealer)
    progressive = state.rules.game.progressive
    if reading is None or progressive is None:
        return []
    cell = reading.cells[progressive.wager]
    paid = []
    for seat in progressive_seats(state):
        if seat != holder:
            cents, clause = envy_amount(state.rules, state.stakes[seat, progressive.wager], cell)
            paid.append(EnvyPaid(seat, holder, cell.replace("-", " "), cents, clause))
    return paid


def progressive_seats(state: Round) -> tuple[int, ...]:
    """Return the seats that an envy bonus may be paid to, from the highest down."""
    progressive = state.rules.game.progressive
    if progressive is None or not progressive.envy_cells:
        return ()
    return tuple(
        seat
        for seat in reversed(state.seats)
        if (seat, progressive.wager) in state.stakes and state.status[seat] != OUT
    )


def envy_reading(rules: RulesInForce, state: Round, holder: int, dealer: DealerReading) -> SeatReading | None:
    """Return the holder's reading when its hand counts for envy and qualifies."""
    progressive = rules.game.progressive
    assert progressive is not None
    staked = state.seat_stakes(holder)
    if not envy_counts(rules, state.status[holder], staked):
        return None
    cards = state.seat_cards(holder)
    reading = rules.game.readings.seat(state.table_cards(), dealer, cards, rules.options, (progressive.wager,))
    return reading if reading.cells[progressive.wager] in progressive.envy_cells else None


def envy_counts(rules: RulesInForce, status: SeatStatus, staked: dict[str, int]) -> bool:
    """Say whether a seat's hand may earn other players an envy bonus."""
    progressive = rules.game.progressive
    assert progressive is not None
    if rules.options[progressive.envy_option] == "yes":
        return progressive.wager in staked
    return rules.hand_stays(status, staked)


def envy_amount(rules: RulesInForce, stake: int, cell: str) -> tuple[int, str]:
    """Return what an envy bonus pays on a progressive stake, with its clause."""
    progressive = rules.game.progressive
    assert progressive is not None
    letter = rules.choices.envy or rules.paytables[progressive.wager].letter
    assert letter is not None
    return progressive.envy_cents[stake][letter][cell]


def _pickup(state: Round) -> tuple[Place, ...]:
    # Hands first, counterclockwise as they were settled, then the shared cards: each hand is
    # whole in the rack, so it can be reconstructed.
    order: list[Place] = [*reversed(state.seats), *(p for p in state.cards if isinstance(p, str) and p != BURN), BURN]
    return tuple(place for place in order if place in state.cards and place not in state.collected)
