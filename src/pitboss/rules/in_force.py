"""A definition with an operator's choices applied: the rules in force at one table."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from pitboss.rules.choices import Choices
from pitboss.rules.dealing import BURN, SEATS, Deal, Delivery, Move, TurnUp
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import (
    DECK_COUNT_WRONG,
    MISCOUNTED,
    REMOVE,
    RESHUFFLE,
    STUB_COUNT_MISDEALT,
    STUB_COUNT_MISDEALT_AND_SHORT,
    STUB_COUNT_WRONG,
    UNLISTED,
    VOID,
    Remedy,
)
from pitboss.rules.limits import Limits
from pitboss.rules.payoff import For, MeterShare, Payoff, Push, To, dollars
from pitboss.rules.paytable import Line, Paytable
from pitboss.rules.play import FOLDED, Action, Ask, Bets, SeatStatus, Settle
from pitboss.rules.refusal import Refusal
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PUSH, WIN, Result, When
from pitboss.rules.wager import Wager

FOLD_FACTS = frozenset({FOLDED})


class Verdict:
    """How one wager ends, in units and clauses, with no money."""

    __slots__ = ("cite", "odds_cite", "payoff", "result")

    def __init__(self, result: Result, payoff: Payoff | None, cite: str, odds_cite: str | None) -> None:
        self.result = result
        self.payoff = payoff
        self.cite = cite
        self.odds_cite = odds_cite


class RulesInForce:
    """Looks everything up once; immutable after that and shared by every round of the table."""

    def __init__(self, game: GameDefinition, choices: Choices | None = None) -> None:
        self.game = game
        self.choices = choices = choices or Choices()
        self.deck_cards = frozenset(game.deck.cards)
        self.taken_anywhere = self._taken_anywhere()  # the instruments that need no check for each wager
        self.dealt_otherwise = {w.name for w in game.wagers if w.dealing not in (None, choices.dealing)}
        chosen = {option.name: choices.options.get(option.name, option.default) for option in game.options}
        self.option_facts = frozenset(f"{name}={value}" for name, value in chosen.items())
        self.options: Mapping[str, str] = chosen | {f"{name}-reads": hand for name, hand in choices.own_hands.items()}
        offered = choices.offered
        self.offered = frozenset(
            wager.name
            for wager in game.wagers
            if (
                (not wager.defined_by_submission or wager.name in choices.own_tables)
                and (offered is None or wager.required or wager.by_action or wager.name in offered)
            )
        )
        self.play = tuple(
            step for step in game.play if isinstance(step, Bets) or step.when is None or step.when in self.option_facts
        )
        self.bonuses = {wager.name: wager.pays_on for wager in game.wagers if wager.pays_on}
        self.asks = tuple(step for step in self.play if isinstance(step, Ask))
        self.settle = next(step for step in self.play if isinstance(step, Settle))
        self.paytables = {wager.name: table for wager in game.wagers if (table := self._paytable(wager))}
        self._rows: dict[str, tuple[tuple[frozenset[str], When], ...]] = {
            name: tuple(
                (frozenset(f for f in row.facts if "=" not in f), row)
                for row in rows
                if all("=" not in fact or fact in self.option_facts for fact in row.facts)
            )
            for name, rows in game.settlement.items()
        }
        self._settled_by_fold = {name: self._is_settled_by_fold(name) for name in self._rows}
        self._verdicts: dict[tuple[str, frozenset[str], str | None], Verdict] = {}
        self.settlement_order = tuple(name for name in game.settlement if name in self.offered)
        # The wagers in that order, each with the one whose stake it pays on.
        self.paid_on = tuple((name, self.bonuses.get(name, name)) for name in self.settlement_order)
        self._required = tuple(wager for wager in game.wagers if wager.required)
        self._limits = {wager.name: self._limits_of(wager) for wager in game.wagers}
        self._ranges = {wager.name: limits for wager in game.wagers if (limits := self._range_of(wager))}
        self.seats_most = self._seats_most()
        self.optional_places = {
            move.place: move.if_offered
            for step in self.play
            if isinstance(step, Deal)
            for moves in step.moves.values()
            for move in moves
            if move.if_offered
        }
        self.deliveries = lru_cache(maxsize=256)(self._deliveries)
        self.actions = {ask.name: self._actions(ask) for ask in self.asks}
        self.limit_cents, self.limit_covers, self.limit_cite = self._payout_limit()

    def lies(self, wager: str, stakes: Collection[str]) -> bool:
        """Say whether a wager is in play when these are staked: it is one of them, or a bonus that pays on one."""
        return wager in stakes or self.bonuses.get(wager) in stakes

    def settled_by_fold(self, wager: str) -> bool:
        """Say whether a fold decides this wager at once; otherwise it stays live."""
        return self._settled_by_fold[wager]

    def decided_by(self, wager: str) -> Mapping[str, int] | None:
        """Return how many cards of which place decide a wager; None where all cards of the round do."""
        stated = self.game.wagers_by_name[wager].decided_by
        fitting = (cards for fact, cards in stated.items() if not fact or fact in self.option_facts)
        return next(fitting, None)

    def hand_stays(self, status: SeatStatus, wagers: Collection[str]) -> bool:
        """Say whether a seat's cards are still on the table: a folded hand only under a live wager."""
        return status != FOLDED or not all(map(self.settled_by_fold, wagers))

    def remedy(self, kind: str, facts: Collection[str]) -> Remedy | None:
        """Return this rulebook's remedy for an irregularity under these facts."""
        count = self.game.procedures.stub.get(self.choices.dealing)
        if count and kind == STUB_COUNT_MISDEALT:
            return Remedy((), VOID, count.misdealt_cite, RESHUFFLE, ruling=count.misdealt_ruling)
        if count and kind == STUB_COUNT_MISDEALT_AND_SHORT:
            return Remedy((), VOID, count.wrong_cite, REMOVE, ruling=UNLISTED)
        if count and kind == STUB_COUNT_WRONG:
            return Remedy((), VOID, count.wrong_cite, REMOVE)
        if kind == DECK_COUNT_WRONG:
            return MISCOUNTED
        remedies = self.game.irregularities.get(kind, ())
        return next((remedy for remedy in remedies if all(fact in facts for fact in remedy.facts)), None)

    def check_instrument(self, instrument: str, wager: str | None = None) -> Refusal | None:
        """Return why a wager may not be made with this, or None."""
        instruments = self.game.procedures.instruments
        only = instruments.chips_only.get(wager or "")
        if only and instrument != "chips":
            return Refusal(
                f"Bet the {self.game.wagers_by_name[wager or ''].title} with a chip, not {instrument}", only, wager
            )
        if instrument in instruments.allowed or (
            instrument in instruments.if_submitted and instrument in self.choices.instruments
        ):
            return None
        if instrument in instruments.if_submitted:
            return Refusal(f"This table's submission doesn't allow {instrument}", instruments.if_submitted[instrument])
        allowed = " or ".join(instruments.allowed)
        if instrument == "verbal-cash":
            return Refusal(f"Verbal cash bets aren't accepted. Bet with {allowed}", instruments.verbal_cash_cite)
        return Refusal(f"Bet with {allowed}, not {instrument!r}", next(iter(instruments.allowed.values())))

    def check_coupons(self, stakes: Mapping[str, int], coupons: Mapping[str, int]) -> Refusal | None:
        """Return why these coupons may not be placed with these stakes, or None."""
        instruments = self.game.procedures.instruments
        coupon = next(iter(instruments.beside_chips), None)
        for wager, face_cents in coupons.items():
            if coupon is None:
                allowed = " or ".join(instruments.allowed)
                cite = next(iter(instruments.allowed.values()))
                return Refusal(f"Coupons aren't accepted in this game. Bet with {allowed}", cite, wager)
            clause = instruments.if_submitted[coupon]
            refusal = self.check_instrument(coupon, wager)
            if refusal:
                return refusal
            if wager not in stakes:
                return Refusal(f"A coupon must be bet together with chips. Place chips on {wager} first", clause, wager)
            title = self.game.wagers_by_name[wager].title
            if self.choices.coupon_wagers is not None and wager not in self.choices.coupon_wagers:
                return Refusal(f"This table's submission doesn't allow coupons on {title}", clause, wager)
            most = self.choices.coupon_most
            if most is not None and face_cents > most:
                return Refusal(
                    f"A coupon can be worth at most {dollars(most)} at this table, not {dollars(face_cents)}",
                    clause,
                    wager,
                )
            if not 0 < face_cents <= stakes[wager]:
                staked = dollars(stakes[wager])
                reason = f"A {dollars(face_cents)} coupon needs at least that much in chips; {title} has {staked}"
                return Refusal(reason, clause, wager)
        return None

    def adjudicate(self, wager: str, facts: frozenset[str], cell: str | None) -> Verdict:
        """Return how a wager ends under these facts, priced by the cell of its hand."""
        key = (wager, facts, cell)
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._verdicts[key] = self._adjudicate(wager, facts, cell)
        return verdict

    def decides(self, wager: str, facts: frozenset[str]) -> bool:
        """Say whether a wager ends under these facts; a Play wager doesn't where the player folded."""
        return any(needed <= facts for needed, _ in self._rows[wager])

    def limits(self, wager: str) -> Limits:
        """Return what may be staked on a wager at this table."""
        return self._limits[wager]

    def per_player(self) -> int:
        """Return how many adjacent positions one player may hold."""
        option = self.game.positions.per_player_option
        return int(self.options[option]) if option else 1

    def check_stakes(self, stakes: Mapping[str, int]) -> Refusal | None:
        """Return why these stakes may not be placed together before the deal, or None."""
        for name, cents in stakes.items():
            low, high = self._ranges.get(name, (1, 0))
            if type(cents) is not int or not low <= cents <= high:
                refusal = self.check_stake(name, cents)
                if refusal:
                    return refusal
        for wager in self._required:
            if wager.name not in stakes:
                return Refusal(
                    f"{wager.title} is missing. Every player in the round must place it", wager.cite, wager.name
                )
        return next(self.broken_links(stakes), None)

    def check_stake(self, name: str, cents: object) -> Refusal | None:
        """Return why a stake may not be placed on a wager before the deal, or None."""
        wager = self.game.wagers_by_name.get(name)
        if wager is None:
            return Refusal(f"{self.game.name} has no wager called {name!r}", None, name)
        if wager.by_action:
            reason = f"{wager.title} is placed by a player's action during the round, not before the deal"
        elif name not in self.offered:
            reason = f"{wager.title} is not offered at this table"
        elif isinstance(cents, bool) or not isinstance(cents, int) or cents <= 0:
            reason = f"{wager.title} must be a positive whole number of cents, not {cents!r}"
        else:
            limits = self._limits[name]
            objection = limits.objection(wager.title, cents)
            cite = wager.stakes_cite if limits.fixed else None
            return Refusal(objection, cite or wager.cite, name) if objection else None
        return Refusal(reason, wager.cite, name)

    def broken_links(self, stakes: Mapping[str, int]) -> Iterator[Refusal]:
        """Yield a refusal for each wager that doesn't equal the one it must, or lacks one that it needs."""
        titles = self.game.wagers_by_name
        for name in stakes:
            wager = titles[name]
            if wager.equals and stakes[name] != stakes[wager.equals]:
                due, placed = dollars(stakes[wager.equals]), dollars(stakes[name])
                reason = f"{wager.title} must equal the {titles[wager.equals].title}: {due}, not {placed}"
                yield Refusal(reason, wager.equals_cite or wager.cite, name)
            for needed in wager.needs:
                if needed not in stakes:
                    reason = f"{wager.title} needs {titles[needed].title} as well"
                    yield Refusal(reason, wager.needs_cite or wager.cite, name)

    def check_progressive_stake(self, stakes: Mapping[str, int], others: Iterable[Mapping[str, int]]) -> Refusal | None:
        """Return why a seat's progressive stake may not be placed beside the other seats' stakes, or None."""
        # A meter's share does not grow with the stake, so a table takes one progressive stake.
        progressive = self.game.progressive
        if progressive is None or progressive.wager not in stakes:
            return None
        wager, mine = self.game.wagers_by_name[progressive.wager], stakes[progressive.wager]
        for other in others:
            cents = other.get(wager.name, mine)
            if cents != mine:
                reason = f"Every {wager.title} wager at a table must be the same: {dollars(cents)}, not {dollars(mine)}"
                return Refusal(reason, wager.stakes_cite or wager.cite, wager.name)
        return None

    def _is_settled_by_fold(self, wager: str) -> bool:
        # None where no row fits a fold: such a wager isn't placed by a seat that may still fold.
        return next((needed for needed, _ in self._rows[wager] if needed <= FOLD_FACTS), None) == FOLD_FACTS

    def _taken_anywhere(self) -> frozenset[str]:
        instruments = self.game.procedures.instruments
        return frozenset(
            instrument
            for instrument in instruments.allowed
            if instrument not in instruments.beside_chips and (instrument == "chips" or not instruments.chips_only)
        )

    def _limits_of(self, wager: Wager) -> Limits:
        choices, name = self.choices, wager.name
        stated = choices.limits.get(name, Limits())
        fixed = (choices.stakes[name],) if name in choices.stakes else wager.stakes_cents
        return Limits(stated.minimum, stated.maximum, choices.steps.get(name), fixed)

    def _range_of(self, wager: Wager) -> tuple[int, float] | None:
        # Most stakes need no more than a comparison with these two; the others take the whole check.
        limits = self._limits[wager.name]
        if wager.by_action or wager.name not in self.offered or limits.fixed or limits.step:
            return None
        return max(limits.minimum or 1, 1), math.inf if limits.maximum is None else limits.maximum

    def _paytable(self, wager: Wager) -> Paytable | None:
        if wager.name in self.choices.own_tables:
            return self._stake_kept(wager, self.choices.own_tables[wager.name])
        letter = self.choices.paytables.get(wager.name, wager.letters[0] if wager.letters else None)
        for table in wager.paytables:
            if table.letter == letter and (table.when is None or table.when in self.option_facts):
                return self._stake_kept(wager, table)
        return None

    def stake_returned_on_meter(self, wager: str) -> bool:
        """Say whether a winning progressive wager gets its stake back."""
        progressive = self.game.progressive
        return bool(
            progressive
            and progressive.wager == wager
            and progressive.stake_returned_when in self.option_facts
            and self.paytables[wager].letter == progressive.stake_returned_letter
        )

    def _stake_kept(self, wager: Wager, table: Paytable) -> Paytable:
        # A progressive stake is collected before the deal: printed "to" odds are read as "for"
        # unless the option that returns the stake is chosen.
        progressive = self.game.progressive
        if not progressive or progressive.wager != wager.name:
            return table
        if progressive.stake_returned_when in self.option_facts and table.letter == progressive.stake_returned_letter:
            return table
        lines = tuple(
            Line(line.hand, line.cells, For(line.payoff.win, line.payoff.per), line.cite)
            if isinstance(line.payoff, To)
            else line
            for line in table.lines
        )
        return Paytable(table.letter, table.cite, lines, table.when)

    def _adjudicate(self, wager: str, facts: frozenset[str], cell: str | None) -> Verdict:
        row = next(row for needed, row in self._rows[wager] if needed <= facts)
        if row.then == LOSE:
            return Verdict(LOSE, None, row.cite, None)
        if row.then == PUSH:
            return Verdict(PUSH, None, row.cite, None)
        if row.then == BY_PAYTABLE:
            line = self.paytables[wager].by_cell.get(cell) if cell else None
            if line is None:
                if row.push_without_line:
                    return Verdict(PUSH, None, row.push_cite or row.cite, None)
                return Verdict(LOSE, None, row.lose_cite or row.cite, None)
            if isinstance(line.payoff, Push):
                return Verdict(PUSH, None, row.push_cite or row.cite, line.cite)
            return Verdict(WIN, line.payoff, row.cite, line.cite)
        return Verdict(WIN, row.odds, row.cite, row.odds_cite)

    def _seats_most(self) -> int:
        positions = self.game.positions
        if self.choices.positions is not None:
            return self.choices.positions
        return int(self.options[positions.count_option]) if positions.count_option else positions.most

    def moves(self, deal: Deal) -> tuple[Move, ...]:
        """Return what this phase of dealing does under the method and options chosen."""
        return tuple(
            move
            for move in deal.moves[self.choices.dealing]
            if (move.when is None or move.when in self.option_facts)
            and (move.if_offered is None or move.if_offered in self.offered)
        )

    def _deliveries(self, step: int, seats: tuple[int, ...]) -> tuple[Delivery, ...]:
        deal = self.play[step]
        assert isinstance(deal, Deal)
        found: list[Delivery] = []
        for move in self.moves(deal):
            if isinstance(move, TurnUp):
                found.append(Delivery(move.place, move.cards, True, move.cite, is_turned=True))
            elif move.place == SEATS:
                for seat in seats:
                    cite = move.first_cite if move.first_cite and seat == seats[0] else move.cite
                    found.append(Delivery(seat, move.cards, move.face_up, cite))
            else:
                found.append(Delivery(move.place, move.cards, move.face_up and move.place != BURN, move.cite))
        return tuple(found)

    def _actions(self, ask: Ask) -> dict[str, Action]:
        return {
            action.name: action for action in ask.actions if action.when is None or action.when in self.option_facts
        }

    def _payout_limit(self) -> tuple[int | None, frozenset[str], str]:
        limit = self.game.payout_limit
        cents = self.choices.amounts.get(limit.option) if limit else None
        if limit is None or cents is None:
            return None, frozenset(), ""
        fact = next(fact for fact in limit.covers if not fact or fact in self.option_facts)
        cite = next(cite for fact, cite in limit.cites.items() if not fact or fact in self.option_facts)
        return cents, frozenset(limit.covers[fact]), cite

    def draws_on_meter(self, wager: str) -> bool:
        """Say whether a line of this wager's paytable pays a share of a meter."""
        table = self.paytables.get(wager)
        return bool(table and any(isinstance(line.payoff, MeterShare) for line in table.lines))
