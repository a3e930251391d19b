"""The question a player is asked: the key of each action, and the card to discard if one is required."""

from rich.console import RenderableType
from rich.text import Text

from pitboss.cards.deck import face
from pitboss.cli.play.faces import CardFaces
from pitboss.cli.play.felt import keys_line
from pitboss.cli.play.keys import one_key_each
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.words import refusal_words
from pitboss.house.bots import affordable, cost
from pitboss.round import offered_actions
from pitboss.round.commands import Act
from pitboss.rules.payoff import dollars
from pitboss.rules.play import Action, Ask
from pitboss.rules.refusal import Refusal


class Answering:
    """Reads one answer from what the player types."""

    def __init__(self, table: FreePlayTable, seat: int, faces: CardFaces) -> None:
        self._table, self._seat, self._faces = table, seat, faces
        state = table.state
        here = state.rules.play[state.step]
        assert isinstance(here, Ask), "a player is asked"
        self.ask = here
        self.taken = False
        self._stakes = state.seat_stakes(seat)
        self._actions = offered_actions(state)
        self._open = affordable(self._actions, self._stakes, table.bankroll_cents(seat))
        self._keys = one_key_each({action.name: action.name for action in self._actions})
        self._discards_for: Action | None = None

    def prompt(self, width: int) -> RenderableType:
        """Return the prompt with the available keys."""
        if self._discards_for is not None:
            cards = self._table.state.cards[self._seat]
            keys = [(str(index), self._faces.label(face(card))) for index, card in enumerate(cards, 1)]
            asked = Text(f" {self._title(self._discards_for)}: which card do you discard?\n")
            return asked + keys_line([*keys, ("Enter", "back"), ("?", "rules"), ("q", "leave")], width)
        keys = [(self._keys[action.name], self._priced(action)) for action in self._open]
        line = keys_line([*keys, ("?", "rules"), ("q", "leave")], width)
        for action in self._actions:
            if action not in self._open:
                line.append(f"\n {self._priced(action)} is more than you have.", style="dim")
        return line

    def take(self, typed: str) -> str:
        """Take the typed answer, or return what is wrong with it."""
        if self._discards_for is not None:
            action, rest = self._discards_for, typed
            self._discards_for = None
            return self._discard(action, rest) if rest else ""
        action_or_none, rest = self._named(typed)
        if action_or_none is None:
            known = ", ".join(f"{self._keys[each.name]} for {self._title(each)}" for each in self._open)
            return f"Type {known}."
        if action_or_none.discards:
            return self._discard(action_or_none, rest)
        return (
            f"Type only {self._keys[action_or_none.name]} for {self._title(action_or_none)}."
            if rest
            else self._act(action_or_none, None)
        )

    def _named(self, typed: str) -> tuple[Action | None, str]:
        for action in self._open:
            if typed == action.name:
                return action, ""
            key = self._keys[action.name]
            if typed[:1] == key and typed[1:].strip().isdigit() == bool(typed[1:].strip()):
                return action, typed[1:].strip()
        return None, ""

    def _discard(self, action: Action, typed: str) -> str:
        cards = self._table.state.cards[self._seat]
        if not typed:
            self._discards_for = action
            return ""
        if not (typed.isascii() and typed.isdigit() and len(typed) < 3 and 1 <= int(typed) <= len(cards)):
            self._discards_for = action
            return f"Type a number from 1 to {len(cards)}."
        return self._act(action, int(typed) - 1)

    def _act(self, action: Action, discard: int | None) -> str:
        card = None if discard is None else self._table.state.cards[self._seat][discard]
        answer = self._table.do(Act(self._seat, action.name, card))
        self.taken = not isinstance(answer, Refusal)
        return refusal_words(answer) if isinstance(answer, Refusal) else ""

    def _priced(self, action: Action) -> str:
        staked = cost(action, self._stakes)
        return f"{self._title(action)} {dollars(staked)}" if staked else self._title(action)

    def _title(self, action: Action) -> str:
        return action.title or action.name
