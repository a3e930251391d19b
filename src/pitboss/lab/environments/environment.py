"""One seat's round as an episode: it runs the round's own commands and shows only what the seat may see."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import index
from typing import Any

import gymnasium
from gymnasium.error import ResetNeeded

from pitboss.cards.deck import Card, UnknownCard
from pitboss.games.catalogue import game as game_of
from pitboss.lab.arguments import WrongTerms, chosen
from pitboss.lab.environments.encoding import Encoding
from pitboss.lab.worth import meters_at
from pitboss.round import Round, decide, evolve, least_action, open_round, view
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    CloseBets,
    Command,
    DealCards,
    PayMeter,
    PlaceWagers,
    Settle,
    TurnCards,
)
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask
from pitboss.rules.refusal import Refusal

SEAT = 1
UNIT_CENTS = 100
AGENT, FLOORPERSON = "agent", "floorperson"


class RoundEnvironment(gymnasium.Env[dict[str, Any], Any]):
    """A table with one seat; the reward is the round's net in units of the Ante, given when it is over."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        game: GameDefinition | str,
        *,
        paytables: Mapping[str, str] | None = None,
        options: Mapping[str, str | int] | None = None,
        side_wagers: Mapping[str, int] | None = None,
        stake_cents: int = UNIT_CENTS,
        meters: Mapping[str, int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        definition = game_of(game) if isinstance(game, str) else game
        choices = chosen(definition, paytables or {}, options or {})
        stakes = _stakes(definition, stake_cents, side_wagers or {})
        self.rules = RulesInForce(definition, _offering(choices, stakes))
        self.encoding = Encoding(self.rules)
        self.action_space = self.encoding.action_space
        self.observation_space = self.encoding.observation_space
        self.render_mode = render_mode
        self.stake_cents = stake_cents
        self._meters = _meters(self.rules, meters or {})
        # Every round begins with the same wagers placed, so they are placed once.
        self._begun = self._place(stakes)
        self._round = self._begun
        self._hand: tuple[Card, ...] = ()
        self._deck: Iterator[Card] = iter(())

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Shuffle and deal until the first question; `options` may name the first cards of the deck as `cards`."""
        super().reset(seed=seed)
        self._deck = self._shuffled((options or {}).get("cards", ()))
        self._round, self._hand = self._begun, ()
        self._go_on()
        self._hand = self.encoding.in_order(self._round.cards[SEAT])
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Answer the question; an illegal answer counts as none, and the dealer acts as for an absent player."""
        if self._round.seat_asked is None:
            raise ResetNeeded("The round is over. Reset the environment to deal the next one.")
        answer = self.encoding.answers[self._number(action)]
        discard = None if answer.discards is None else self._hand[answer.discards]
        refusal = self._apply(Act(SEAT, answer.action, discard))
        if refusal is not None:
            held = self._hand[0] if least_action(self._round).discards else None
            taken = self._apply(ActForAbsent(SEAT, held))
            assert taken is None, "the least action is always legal"
        self._go_on()
        over = self._round.outcome is not None
        info = self._info() | ({} if refusal is None else {"refusal": str(refusal)})
        return self._observation(), self._net_cents() / self.stake_cents if over else 0.0, over, False, info

    def render(self) -> str | None:
        """Return the table as the seat sees it, as text."""
        if self.render_mode != "ansi":
            return None
        seen = view(self._round, (SEAT,))
        hand = " ".join(map(str, self.encoding.seen(self._observation()["hand"])))
        lines = [f"{self.rules.game.title}: {self._asked() or 'the round is over'}", f"hand: {hand}"]
        lines += [f"{place}: {' '.join(card or '??' for card in cards)}" for place, cards in seen.table.items()]
        if seen.actions:
            lines.append(f"open: {', '.join(seen.actions)}")
        lines += [
            f"{result.wager}: {result.result} {result.net} cents ({result.clause})" for result in seen.seats[0].results
        ]
        return "\n".join(lines)

    def _number(self, action: Any) -> int:
        most = len(self.encoding.answers) - 1
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number <= most:
            raise WrongTerms(f"An action must be a whole number from 0 to {most}, not {action!r}.")
        return number

    def _place(self, stakes: Mapping[str, int]) -> Round:
        self._round = open_round(self.rules)
        for command in (PlaceWagers(SEAT, AGENT, stakes), CloseBets()):
            refusal = self._apply(command)
            if refusal is not None:
                raise WrongTerms(f"{refusal}.")
        return self._round

    def _shuffled(self, first: Sequence[str]) -> Iterator[Card]:
        deck = self.rules.game.deck
        drawn = map(deck.cards.__getitem__, self.np_random.permutation(len(deck)).tolist())
        if not first:
            return drawn
        taken: set[Card] = set()
        try:
            stacked = deck.pick(first, taken)
        except UnknownCard as wrong:
            raise WrongTerms(f"{wrong}.") from None
        return chain(stacked, (card for card in drawn if card not in taken))

    def _apply(self, command: Command) -> Refusal | None:
        decision = decide(self._round, command)
        if isinstance(decision, Refusal):
            return decision
        for event in decision:
            self._round = evolve(self._round, event)
        return None

    def _go_on(self) -> None:
        while self._round.outcome is None and self._round.seat_asked is None:
            refusal = self._apply(self._next())
            assert refusal is None, refusal

    def _next(self) -> Command:
        due, meter = self._round.due, self._round.meter
        if due is not None:
            return TurnCards() if due.is_turned else DealCards(tuple(next(self._deck) for _ in range(due.cards)))
        if meter is not None:
            return PayMeter(SEAT, self._meters[meter.meter], FLOORPERSON)
        return Settle()

    def _asked(self) -> str | None:
        step = self.rules.play[self._round.step]
        return step.name if self._round.seat_asked is not None and isinstance(step, Ask) else None

    def _observation(self) -> dict[str, Any]:
        # The table's cards come from the view, which contains no face-down cards.
        found: dict[str, Any] = self.encoding.observation(self._asked(), self._hand, view(self._round).table)
        return found

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.encoding.mask(self._asked())}
        if self._round.outcome is not None:
            results = self._round.results.values()
            info["net_cents"] = self._net_cents()
            info["wagers"] = {result.wager: result.net for result in results}
            info["clauses"] = {result.wager: result.clause for result in results}
        return info

    def _net_cents(self) -> int:
        return sum(result.net for result in self._round.results.values())


def _stakes(game: GameDefinition, stake_cents: int, side_wagers: Mapping[str, int]) -> dict[str, int]:
    required = {wager.name: stake_cents for wager in game.wagers if wager.required}
    for name in side_wagers:
        if name in required:
            raise WrongTerms(
                f"{name} is not a side wager; it is staked in every round. Set its stake with stake_cents."
            )
    return required | dict(side_wagers)


def _offering(choices: Choices, stakes: Mapping[str, int]) -> Choices:
    # Only staked wagers are offered, so no cards are dealt for wagers nobody made. A shoe that deals by the pack
    # takes the fewest commands and changes no probability.
    return replace(choices, offered=frozenset(stakes), dealing=AUTOMATED_SHOE)


def _meters(rules: RulesInForce, given: Mapping[str, int]) -> dict[str, int]:
    progressive = rules.game.progressive
    shown = meters_at(rules, progressive.wager, given) if progressive and progressive.wager in rules.offered else {}
    for name in given:
        if name not in shown:
            raise WrongTerms(f"No staked wager has a meter called {name!r}. The meters: {', '.join(shown) or 'none'}.")
    return shown
