"""The luck-and-skill split: a seat's result as house edge, the cost of its decisions and the luck of each card.

A round is a sequence of conditional expectations under the best play. Before the cards it is the house edge. What the
cards change it by is luck, what an answer changes it by is the cost of a decision, and the last one is the money.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import NamedTuple

from pitboss.games.parts import part_of
from pitboss.lab.exact_counts import MAIN, NotAnalysed, exact_of, main_wagers
from pitboss.lab.meters import meters_at
from pitboss.lab.worth import worth_of
from pitboss.odds.deciding import DISCARDING
from pitboss.odds.expectations import OfAnyGame, OfOneDecision, Situations
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.pricing import required_stakes, stakes_after
from pitboss.odds.seen import questions
from pitboss.round.events import WagerResult
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, MeterShare, Prize, To, payoff
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import SeatCards, TableCards
from pitboss.rules.settlement import WIN

NOTHING = Fraction(0)


class SettledSeat(NamedTuple):
    """A seat of a round that is over, and the final result of each wager that wasn't just given back."""

    held: SeatCards
    answers: tuple[str, ...]  # in order, with the card discarded
    table: TableCards
    results: tuple[WagerResult, ...]
    others: int = 0  # the hands that could bring this seat an envy bonus
    envy_cents: int = 0


@dataclass(frozen=True, slots=True)
class SideParts:
    """A side wager's result: its house edge, what the player's decisions changed it by, and luck."""

    edge: Fraction
    decisions: Fraction
    luck: Fraction

    @property
    def total(self) -> Fraction:
        return self.edge + self.decisions + self.luck


@dataclass(frozen=True, slots=True)
class Parts:
    """Where a seat's money came from, in cents from the player's point of view; `total` is the money, exactly."""

    edge: Fraction = NOTHING  # of the main game, before any card
    decisions: Fraction = NOTHING  # what the player's answers cost compared with the best; never above zero
    cards: Fraction = NOTHING  # luck of the player's own cards
    board: Fraction = NOTHING
    dealer: Fraction = NOTHING
    sides: Mapping[str, SideParts] = field(default_factory=dict)
    rounding: Fraction = NOTHING  # fractions of a cent that aren't paid
    limit: Fraction = NOTHING  # what a payout limit cut
    coupons: Fraction = NOTHING  # what coupons won
    meters: Fraction = NOTHING  # what meters paid more than they were priced at
    ruling: Fraction = NOTHING  # what a ruling decided instead of the cards

    @property
    def total(self) -> Fraction:
        """Return the sum of all parts: what the seat won or lost, in cents."""
        return exact_sum((*self._theoretical, *self._skill, *self._luck, *self._besides))

    @property
    def theoretical(self) -> Fraction:
        """Return the house edge on everything staked, the side wagers included."""
        return exact_sum(self._theoretical)

    @property
    def skill(self) -> Fraction:
        """Return what all decisions cost, their effect on side wagers included."""
        return exact_sum(self._skill)

    @property
    def expected(self) -> Fraction:
        """Return what this player, playing like this, could expect: edge and decisions without luck."""
        return exact_sum((*self._theoretical, *self._skill))

    @property
    def luck(self) -> Fraction:
        """Return all luck: of the cards, the board, the dealer and the side wagers."""
        return exact_sum(self._luck)

    @property
    def besides(self) -> Fraction:
        """Return what isn't in the odds: rounding, limit, coupons, meters and rulings."""
        return exact_sum(self._besides)

    @property
    def _theoretical(self) -> tuple[Fraction, ...]:
        return self.edge, *(side.edge for side in self.sides.values())

    @property
    def _skill(self) -> tuple[Fraction, ...]:
        return self.decisions, *(side.decisions for side in self.sides.values())

    @property
    def _luck(self) -> tuple[Fraction, ...]:
        return self.cards, self.board, self.dealer, *(side.luck for side in self.sides.values())

    @property
    def _besides(self) -> tuple[Fraction, ...]:
        return self.rounding, self.limit, self.coupons, self.meters, self.ruling

    def flat(self) -> dict[str, Fraction]:
        """Return every part by name, those of side wagers under `WAGER edge`, `WAGER decisions` and `WAGER luck`."""
        found = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "sides"}
        for wager, side in self.sides.items():
            found |= {f"{wager} {part.name}": getattr(side, part.name) for part in fields(side)}
        return found


class Splitter:
    """Splits seats' results under the rules of a table; what it computes for a situation is remembered."""

    def __init__(self, rules: RulesInForce, meters: Mapping[str, int] | None = None) -> None:
        # Payout limits are left out of expectations: what they cut has a part of its own.
        self.rules = RulesInForce(rules.game, replace(rules.choices, amounts={}))
        self._situations = situations_of(self.rules)
        self._asks = tuple(questions(self.rules))
        self._main = frozenset(main_wagers(self.rules))
        self._required = required_stakes(self.rules)
        self._table_cards = self.rules.game.table_cards
        progressive = self.rules.game.progressive
        self._progressive = progressive.wager if progressive else None
        offered = self._progressive if self._progressive in self.rules.offered else None
        self._meters = meters_at(self.rules, offered, meters or {}) if offered else {}
        self._edge_of_main = cache(lambda: worth_of(self.rules, MAIN).ev)
        self._edge_of_side = lru_cache(maxsize=4096)(self._side_edge)

    def split(self, seat: SettledSeat) -> Parts:
        """Return where a seat's money came from; raise NotAnalysed for a game that can't be computed."""
        try:
            return self._split(seat)
        except NotCountable as beyond:
            raise NotAnalysed(str(beyond)) from None

    def _split(self, seat: SettledSeat) -> Parts:
        main: list[_Priced] = []
        sides: dict[str, _Priced] = {}
        money = seat.envy_cents
        for result in seat.results:
            priced = self._priced(result)
            money += result.net
            if result.wager in self._main or self.rules.bonuses.get(result.wager) in self._main:
                main.append(priced)
            else:
                sides[result.wager] = priced
        every = (*main, *sides.values())
        parts = self._of_main(seat, main)
        found = replace(
            parts,
            sides={wager: self._of_side(seat, wager, priced) for wager, priced in sides.items()},
            rounding=-exact_sum(priced.rounding for priced in every),
            limit=-exact_sum(priced.cut for priced in every),
            coupons=exact_sum(priced.coupon for priced in every),
            meters=exact_sum(priced.meter for priced in every),
        )
        assert found.total == money, "the parts add up to the money"
        return found

    def _of_main(self, seat: SettledSeat, results: list["_Priced"]) -> Parts:
        net = exact_sum(priced.net for priced in results)
        stakes = {priced.wager: priced.stake for priced in results}
        unit = stakes.get(self._required[0][0], 0)
        if not unit or any(wager not in stakes for wager, _ in self._required):
            return Parts(ruling=net)  # only part of the main game was decided, which no rule but a ruling does
        walk = self._walked(seat, net / unit)
        return Parts(
            edge=unit * walk.edge,
            decisions=unit * walk.decisions,
            cards=unit * walk.luck[_OWN],
            board=unit * walk.luck[BOARD],
            dealer=unit * walk.luck[DEALER],
            ruling=unit * walk.ruling,
        )

    def _walked(self, seat: SettledSeat, net: Fraction) -> "_Walk":
        edge = value = self._edge_of_main()
        decisions = NOTHING
        luck = {_OWN: NOTHING, BOARD: NOTHING, DEALER: NOTHING}
        seen: Mapping[str, int] = {}
        stakes, becomes = self._required, None
        for (ask, up), answer in zip(self._asks, seat.answers, strict=False):
            worths = self._situations.worths(ask, seat.held.cards, _shown(seat.table, up))
            best = next(iter(worths.values()))
            luck[_turned(seen, up) if becomes else _OWN] += best - value
            value = worths[answer]
            decisions += value - best
            action = self.rules.actions[ask][answer.partition(DISCARDING)[0]]
            stakes, becomes, seen = stakes_after(stakes, action), action.becomes, up
        if becomes != seat.held.status:  # a seat that forfeited or left was never asked to the end
            return _Walk(edge, decisions, luck, net - value)
        if becomes == FOLDED and net == value:
            return _Walk(edge, decisions, luck)
        board_to_come, dealer_to_come = (
            self._table_cards.get(place, 0) > seen.get(place, 0) for place in (BOARD, DEALER)
        )
        if board_to_come and dealer_to_come:
            expected = self._situations.expected(seat.held, stakes, seat.table)
            luck[BOARD] += expected - value
            luck[DEALER] += net - expected
        else:
            luck[BOARD if board_to_come else DEALER] += net - value
        return _Walk(edge, decisions, luck)

    def _of_side(self, seat: SettledSeat, wager: str, priced: "_Priced") -> SideParts:
        envied = wager == self._progressive
        edge = self._edge_of_side(wager, priced.stake, seat.others if envied else 0)
        net = priced.net + (seat.envy_cents if envied else 0)
        decisions = NOTHING
        if seat.answers:
            worths = self._situations.side_worths(wager, priced.stake, seat.held.cards)
            if worths is not None:
                decisions = priced.stake * (worths[seat.answers[0]] - next(iter(worths.values())))
        return SideParts(edge, decisions, exact_sum((net, -edge, -decisions)) if decisions else net - edge)

    def _side_edge(self, wager: str, stake_cents: int, others: int) -> Fraction:
        known = worth_of(self.rules, wager, stake_cents=stake_cents, meters=self._meters, others=others)
        return known.ev * stake_cents

    def _priced(self, result: WagerResult) -> "_Priced":
        wager, stake = result.wager, result.stake
        if result.result != WIN or result.odds is None:
            return _Priced(wager, stake, Fraction(result.net))
        odds, rounding = _payoff(result.odds), Fraction(result.remainder)
        if isinstance(odds, MeterShare):
            shown = self._meters[odds.meter] * odds.percent // 100
            kept = 0 if self.rules.stake_returned_on_meter(wager) else stake
            return _Priced(wager, stake, Fraction(shown - kept), meter=Fraction(result.paid - shown))
        if isinstance(odds, Prize):
            return _Priced(wager, stake, Fraction(odds.cents), cut=Fraction(result.cut))
        paid = result.paid + result.cut + rounding
        if wager in self.rules.bonuses:  # it pays on another wager's stake and has none of its own
            return _Priced(wager, stake, paid, rounding, Fraction(result.cut))
        assert isinstance(odds, To | For), "a win has odds"
        due = stake * odds.units
        net = due - (stake if isinstance(odds, For) else 0)
        return _Priced(wager, stake, net, rounding, Fraction(result.cut), paid - due)


def exact_sum(parts: Iterable[Fraction]) -> Fraction:
    """Add fractions, most of them zero or over the same denominator, and reduce the sum once."""
    above, below = 0, 1
    for part in parts:
        if not part:
            continue
        if part.denominator != below:
            common = lcm(below, part.denominator)
            above, below = above * (common // below), common
        above += part.numerator * (below // part.denominator)
    return Fraction(above, below) if above else NOTHING


def situations_of(rules: RulesInForce) -> Situations:
    """Return a game's conditional expectations: its own, those of its one decision, or the general solver's."""
    name = rules.game.name
    if module := part_of(name, "situations"):
        own: Situations = module.situations(rules)
        return own
    solver = getattr(exact_of(name), "SOLVER", None)
    return OfOneDecision(rules, solver) if solver else OfAnyGame(rules)


class _Priced(NamedTuple):
    wager: str
    stake: int
    net: Fraction  # by the odds, to a fraction of a cent
    rounding: Fraction = NOTHING
    cut: Fraction = NOTHING
    coupon: Fraction = NOTHING
    meter: Fraction = NOTHING


class _Walk(NamedTuple):
    edge: Fraction
    decisions: Fraction
    luck: Mapping[str, Fraction]  # of own cards, board and dealer
    ruling: Fraction = NOTHING


_OWN = "own"
_payoff = lru_cache(maxsize=1024)(payoff)


def _turned(before: Mapping[str, int], now: Mapping[str, int]) -> str:
    # What was turned up between two questions; the board if it was both.
    return BOARD if now.get(BOARD, 0) > before.get(BOARD, 0) or DEALER not in now else DEALER


def _shown(table: TableCards, up: Mapping[str, int]) -> TableCards:
    return TableCards(**{place: getattr(table, place)[:count] for place, count in up.items()})
