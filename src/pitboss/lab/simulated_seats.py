"""Simulated rounds as settled seats: dealt, played and settled like a table's, for results that are split."""

from collections.abc import Iterator

from pitboss.lab.meters import meters_at
from pitboss.lab.played import PlayedSeat, Table
from pitboss.lab.split import SettledSeat
from pitboss.odds.deciding import Decide, answer_name
from pitboss.odds.streams import deal
from pitboss.round.money import meter_result, settle_wagers
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

AT_ONCE = 10_000  # rounds dealt together


class SimulatedSeats:
    """A table whose seats make every wager offered and play alike; meters show their resets."""

    def __init__(self, rules: RulesInForce, seats: int, decide: Decide) -> None:
        self._rules, self._table = rules, Table(rules, seats, decide)
        progressive = rules.game.progressive
        offered = progressive is not None and progressive.wager in rules.offered
        self._meters = meters_at(rules, progressive.wager, {}) if progressive and offered else {}

    def rounds(self, seed: int, first: int, rounds: int) -> Iterator[tuple[SettledSeat, ...]]:
        """Play the rounds from number `first` on, and yield the seats of each."""
        cards, drawn = len(self._rules.game.deck), self._table.drawn
        for start in range(first, first + rounds, AT_ONCE):
            count = min(AT_ONCE, first + rounds - start)
            for row in deal(seed, start, count, cards=cards, drawn=drawn).tolist():
                table, seats = self._table.play(row)
                envied = sum(seat.ending.envied_cents for seat in seats)
                yield tuple(self._settled(table, seat, len(seats) - 1, envied) for seat in seats)

    def _settled(self, table: TableCards, seat: PlayedSeat, others: int, envied_cents: int) -> SettledSeat:
        rules, readings = self._rules, self._rules.game.readings
        stakes = {name: stake for name, stake in zip(self._table.wagers, seat.ending.staked, strict=True) if stake}
        dealer = readings.dealer(table, rules.options)
        reading = readings.seat(table, dealer, seat.held, rules.options, stakes)
        results, claim = settle_wagers(rules, reading, stakes)
        if claim:
            wager, share, verdict = claim
            paid = self._meters[share.meter] * share.percent // 100
            back = rules.stake_returned_on_meter(wager)
            results.append(meter_result(wager, stakes[wager], verdict, paid, stake_returned=back))
        answers = seat.actions
        if seat.held.discard is not None:
            answers = (*answers[:-2], answer_name(answers[-2], seat.held.discard))
        return SettledSeat(seat.held, answers, table, tuple(results), others, envied_cents - seat.ending.envied_cents)
