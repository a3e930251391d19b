"""What each action in a situation is worth, and a game's strategy as a chart."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from pitboss.cards.deck import Card, UnknownCard
from pitboss.games.parts import part_or
from pitboss.lab.exact_counts import NotAnalysed, exact_of
from pitboss.odds.charts import Chart
from pitboss.odds.deciding import DISCARDING as DISCARDING
from pitboss.odds.outcomes import NotCountable
from pitboss.rules.at_once import is_worth_offering
from pitboss.rules.dealing import BOARD, Deal, TurnUp
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask

GENERAL_CHART = "pitboss.odds.general_chart"


class WrongCards(ValueError):
    """Cards that no player could see at a decision in this game."""


@dataclass(frozen=True)
class Advice:
    """The cards a player sees and what each action is worth, in units of the Ante, best first."""

    game: str
    asked: str
    cards: tuple[str, ...]
    board: tuple[str, ...]
    worths: dict[str, Fraction]

    @property
    def best(self) -> str:
        """Return the action with the highest value."""
        return next(iter(self.worths))

    def cost(self, action: str) -> Fraction:
        """Return what an action costs compared with the best one."""
        return self.worths[self.best] - self.worths[action]

    def as_dict(self) -> dict[str, Any]:
        """Return the advice as plain data, with figures as fractions in lowest terms."""
        return {
            "game": self.game,
            "asked": self.asked,
            "cards": list(self.cards),
            "board": list(self.board),
            "best": self.best,
            "actions": [
                {"action": name, "worth": str(worth), "cost": str(self.cost(name))}
                for name, worth in self.worths.items()
            ],
            "method": "exact",
        }


def advise(rules: RulesInForce, cards: tuple[str, ...], board: tuple[str, ...] = ()) -> Advice:
    """Return what each action is worth to a player who sees these cards."""
    game = rules.game
    if len(cards) != game.cards_each:
        raise WrongCards(f"A hand of {game.title} has {_counted(game.cards_each)}, not {len(cards)}.")
    asked = asked_at(rules)
    if len(board) not in asked:
        sizes = " or ".join(_counted(size) if size else "none" for size in asked)
        raise WrongCards(f"When a player decides in {game.title}, the board shows {sizes}, not {_counted(len(board))}.")
    taken: set[Card] = set()
    try:
        held, shown = game.deck.pick(cards, taken), game.deck.pick(board, taken)
    except UnknownCard as wrong:
        raise WrongCards(f"{wrong}.") from None
    try:
        worths = exact_of(game.name).action_worths(rules, held, shown)
    except NotCountable as beyond:
        raise NotAnalysed(str(beyond)) from None
    return Advice(game.name, asked[len(board)], cards, board, _offered(rules, asked[len(board)], held, worths))


def _offered(
    rules: RulesInForce, asked: str, held: tuple[Card, ...], worths: dict[str, Fraction]
) -> dict[str, Fraction]:
    # A claim that the cards contradict isn't offered as a choice.
    actions = rules.actions[asked]
    return {
        name: worth
        for name, worth in worths.items()
        if is_worth_offering(rules, actions[name.partition(DISCARDING)[0]], held)
    }


def chart_of(rules: RulesInForce) -> Chart:
    """Return a strategy to memorize, from the game's own folder or from the general solver."""
    module = part_or(rules.game.name, "chart", GENERAL_CHART)
    try:
        return cast(Chart, module.chart(rules))
    except NotCountable as beyond:
        raise NotAnalysed(str(beyond)) from None


def asked_at(rules: RulesInForce) -> dict[int, str]:
    """Map the number of face-up board cards to the question asked at that point."""
    found, face_up = {}, 0
    for step in rules.play:
        if isinstance(step, Ask):
            found[face_up] = step.name
        elif isinstance(step, Deal):
            for move in rules.moves(step):
                if move.place != BOARD:
                    continue
                if isinstance(move, TurnUp):
                    face_up = max(face_up, move.cards)
                elif move.face_up:
                    face_up += move.cards
    return found


def _counted(cards: int) -> str:
    return f"{cards} {'card' if cards == 1 else 'cards'}"
