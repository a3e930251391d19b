"""How a bot plays any game: it deals the unseen cards at random many times and takes the action that did best."""

import random
from collections.abc import Mapping
from typing import NamedTuple

from pitboss.cards.deck import Card
from pitboss.round.money import settle_wagers
from pitboss.round.stakes import linked, opening_stakes, placed
from pitboss.round.state import Round
from pitboss.rules.dealing import BURN, Deal, TurnUp
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, Action, Ask
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

WORLDS = 160
WORLDS_WHEN_WAITING = 32  # each of them is played to the end
FEWEST_WORLDS = 4
NARROWING = 6
MOST_SIDE_WAGERS = 2
SIDE_WAGERS_IN_TEN = 3
TIMES_THE_MINIMUM = (1, 1, 2, 2, 3, 5)

Shared = Mapping[str, tuple[Card, ...]]  # the cards of each place that all seats share


class Answer(NamedTuple):
    """An action with its discard, if it has one."""

    action: Action
    discard: Card | None = None


class World(NamedTuple):
    """One possible arrangement of the unseen cards."""

    shared: Shared
    table: TableCards
    dealer: DealerReading


def bot_name(number: int, table: str) -> str:
    """Return a bot's name; it contains a space, which account names can't, so no person can have it."""
    return f"bot {number} at {table}"


def bot_account(number: int, table: str) -> str:
    """Return the account a bot plays under where people deal."""
    return f"bot-{number}-{table}"


def bot_number(player: str, table: str) -> int | None:
    """Return which of a table's bots this player is, counted from 1; None for a person."""
    for before, after in (("bot ", f" at {table}"), ("bot-", f"-{table}")):
        number = player.removeprefix(before).removesuffix(after)
        if player == f"{before}{number}{after}" and number.isascii() and number.isdigit():
            return int(number) + 1
    return None


def bot_stakes(
    rules: RulesInForce, chance: random.Random, stake_cents: int | None, bankroll_cents: int
) -> dict[str, int]:
    """Return a bot's wagers: a few times the minimum, and sometimes a side wager whose prerequisites are met."""
    main = next(wager for wager in placed(rules) if wager.required)
    stakes = opening_stakes(rules, stake_cents or rules.limits(main.name).least * chance.choice(TIMES_THE_MINIMUM))
    side = [wager for wager in placed(rules) if not wager.required]
    chance.shuffle(side)
    left = MOST_SIDE_WAGERS
    for wager in side:
        if left and chance.randrange(10) < SIDE_WAGERS_IN_TEN and all(needed in stakes for needed in wager.needs):
            stakes[wager.name] = rules.limits(wager.name).least
            left -= 1
    stakes = linked(rules, stakes)
    fits = sum(stakes.values()) <= bankroll_cents and rules.check_stakes(stakes) is None
    return stakes if fits else opening_stakes(rules, stake_cents)


class Bot:
    """Decides for a seat from what that seat may see."""

    def __init__(self, rules: RulesInForce, chance: random.Random) -> None:
        self._rules = rules
        self._chance = chance
        self._asks = tuple(index for index, step in enumerate(rules.play) if isinstance(step, Ask))
        self._shown_at = {index: _shown_before(rules, index) for index in self._asks}

    def answer(self, state: Round, bankroll_cents: int) -> Answer:
        """Return the answer with the highest mean for the seat to act, among those it can pay for."""
        seat = state.cursor
        shown = {
            place: cards[: state.face_up.get(place, 0)]
            for place, cards in state.cards.items()
            if isinstance(place, str) and place != BURN
        }
        turned = [
            card
            for place, cards in state.cards.items()
            if isinstance(place, int) and place != seat and place not in state.discards
            for card in cards[: state.face_up.get(place, 0)]
        ]
        return self._best(state.step, state.cards[seat], shown, state.seat_stakes(seat), turned, bankroll_cents)

    def _best(
        self,
        ask: int,
        own: tuple[Card, ...],
        shown: Shared,
        stakes: Mapping[str, int],
        turned: list[Card],
        bankroll_cents: int | None,
        worlds: int | None = None,
    ) -> Answer:
        answers = self._answers(ask, own, stakes, bankroll_cents)
        if len(answers) == 1:
            return answers[0]
        waits = any(self._waits(ask, answer) for answer in answers)
        count = worlds or (WORLDS_WHEN_WAITING if waits else WORLDS)
        seen = {*own, *turned, *(card for cards in shown.values() for card in cards)}
        unseen = [card for card in self._rules.game.deck.cards if card not in seen]
        dealt = [self._world(shown, unseen) for _ in range(count)]
        later = max(FEWEST_WORLDS, count // NARROWING)
        totals = [sum(self._worth(ask, answer, own, world, stakes, later) for world in dealt) for answer in answers]
        # Of equal answers, one that leaves the hand to the rules is better than one that stakes it on a claim.
        order = sorted(zip(totals, answers, strict=True), key=lambda pair: (-pair[0], pair[1].action.settles_at_once))
        return order[0][1]

    def _answers(
        self, ask: int, own: tuple[Card, ...], stakes: Mapping[str, int], bankroll_cents: int | None
    ) -> list[Answer]:
        here = self._rules.play[ask]
        assert isinstance(here, Ask)
        actions = affordable(tuple(self._rules.actions[here.name].values()), stakes, bankroll_cents)
        return [Answer(action, card) for action in actions for card in (own if action.discards else (None,))]

    def _waits(self, ask: int, answer: Answer) -> bool:
        return answer.action.becomes == UNDECIDED and ask != self._asks[-1]

    def _world(self, shown: Shared, unseen: list[Card]) -> World:
        sizes = self._rules.game.table_cards
        missing = sum(size - len(shown.get(place, ())) for place, size in sizes.items())
        drawn = iter(self._chance.sample(unseen, missing))
        shared = {
            place: (*(known := shown.get(place, ())), *(next(drawn) for _ in range(size - len(known))))
            for place, size in sizes.items()
        }
        table = TableCards(**shared)
        return World(shared, table, self._rules.game.readings.dealer(table, self._rules.options))

    def _worth(
        self, ask: int, answer: Answer, own: tuple[Card, ...], world: World, stakes: Mapping[str, int], later: int
    ) -> int:
        action = answer.action
        staked = {**stakes, action.stakes.wager: cost(action, stakes)} if action.stakes else stakes
        if self._waits(ask, answer):
            following = next(index for index in self._asks if index > ask)
            shown = {place: cards[: self._shown_at[following].get(place, 0)] for place, cards in world.shared.items()}
            # Later decisions are made without knowing this world, then valued in it: no hindsight.
            then = self._best(following, own, shown, staked, [], None, later)
            return self._worth(following, then, own, world, staked, max(FEWEST_WORLDS, later // NARROWING))
        held = SeatCards(own, action.becomes, answer.discard)
        reading = self._rules.game.readings.seat(world.table, world.dealer, held, self._rules.options, staked)
        results, _ = settle_wagers(self._rules, reading, staked)
        return sum(result.net for result in results)


def cost(action: Action, stakes: Mapping[str, int]) -> int:
    """Return what an action stakes."""
    return stakes[action.stakes.of] * action.stakes.times if action.stakes else 0


def affordable(
    actions: tuple[Action, ...], stakes: Mapping[str, int], bankroll_cents: int | None
) -> tuple[Action, ...]:
    """Return the actions that a bankroll can pay for, or all of them if it can pay for none."""
    if bankroll_cents is None:
        return actions
    return tuple(action for action in actions if cost(action, stakes) <= bankroll_cents) or actions


def _shown_before(rules: RulesInForce, ask: int) -> dict[str, int]:
    shown: dict[str, int] = {}
    for step in rules.play[:ask]:
        for move in rules.moves(step) if isinstance(step, Deal) else ():
            if isinstance(move, TurnUp):
                shown[move.place] = move.cards
            elif move.face_up:
                shown[move.place] = shown.get(move.place, 0) + move.cards
    return shown
