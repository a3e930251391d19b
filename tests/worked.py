"""Reads worked hands and plays them, through a live round command by command."""

import pickle
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pitboss.cards import Card
from pitboss.games import catalogue
from pitboss.round import Round, decide, evolve, open_round
from pitboss.round.commands import (
    Act,
    ActForAbsent,
    CloseBets,
    Command,
    DealCards,
    PayMeter,
    PlaceWagers,
    ReportIrregularity,
    Settle,
    TurnCards,
)
from pitboss.round.events import Event, WagerReturned
from pitboss.rules.choices import choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import meter_payment

SECOND = "second-"


def worked(name: str, table: str) -> list[dict[str, Any]]:
    """Return the entries of a game's worked_hands.toml."""
    path = catalogue.folders()[name] / "worked_hands.toml"
    entries: list[dict[str, Any]] = pickle.loads(_read(path, path.stat().st_mtime_ns, table))
    return entries


@cache  # a dozen test files look through them, in every process of the tests; a copy this way is the quickest
def _read(path: Path, changed_ns: int, table: str) -> bytes:
    return pickle.dumps(_document(path, changed_ns).get(table, []))


@cache
def _document(path: Path, changed_ns: int) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def hands(*, irregular: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every game's worked hands, the regular ones or those stopped by an irregularity."""
    for name in catalogue.game_names():
        for hand in worked(name, "hand"):
            if ("irregularity" in hand) == irregular:
                yield name, hand


def settle_input(name: str, hand: dict[str, Any]) -> dict[str, Any]:
    """Return a worked hand as the command line's settle reads it."""
    given: dict[str, Any] = {"game": name, "choices": hand.get("choices", {})}
    given |= {place: hand[place].split() for place in ("dealer", "board", "box") if place in hand}
    given |= {amounts: hand[amounts] for amounts in ("meters", "resets") if amounts in hand}
    given["seats"] = [
        {
            "seat": seat["seat"],
            "cards": seat["cards"].split(),
            "wagers": seat["wagers"],
            "actions": seat["actions"],
        }
        for seat in hand["seat"]
    ]
    return given


def rules_of(game: GameDefinition, hand: dict[str, Any]) -> RulesInForce:
    """Return the rules in force for a worked hand."""
    choices = choices_from(game, hand.get("choices", {}))
    assert not isinstance(choices, Refusal), choices
    dealing = hand.get("dealing_method", "automated-shoe" if "box" in hand else "manual-shoe")
    offered = {wager.name for wager in game.wagers if not wager.defined_by_submission}
    if "box" not in hand:
        offered -= {wager.name for wager in game.wagers if wager.dealing}
    return RulesInForce(game, replace(choices, dealing=dealing, offered=frozenset(offered)))


@dataclass
class Player:
    """Plays one worked hand to its end and keeps every event."""

    game: GameDefinition
    hand: dict[str, Any]
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = rules_of(self.game, self.hand)
        self.state: Round = open_round(self.rules)
        taken: set[Card] = set()
        pick = self.game.deck.pick
        self.waiting: dict[int | str, list[Card]] = {
            place: list(pick(self.hand[place].split(), taken))
            for place in ("dealer", "board", "box")
            if place in self.hand
        }
        self.actions: dict[int, list[str]] = {}
        for seat in self.hand["seat"]:
            self.waiting[seat["seat"]] = list(pick(seat["cards"].split(), taken))
            self.actions[seat["seat"]] = list(seat["actions"])
        self.spare = [card for card in self.game.deck.cards if card not in taken]
        self.meters = dict(self.hand.get("meters", {}))
        self.reported = "irregularity" not in self.hand
        self.first_found = not self.hand.get("irregularity", "").startswith(SECOND)
        self.absent: set[int] = set()

    def do(self, command: Command) -> None:
        """Apply a command that must be accepted."""
        decision = decide(self.state, command)
        assert not isinstance(decision, Refusal), f"{command}: {decision}"
        for event in decision:
            self.state = evolve(self.state, event)
        self.events.extend(decision)

    def play(self) -> Round:
        """Play the hand out."""
        for seat in self.hand["seat"]:
            self.do(PlaceWagers(seat["seat"], f"player {seat['seat']}", seat["wagers"]))
        self.do(CloseBets())
        while self.state.outcome is None:
            if not self.reported and self._at_point():
                self.reported = True
                self.do(self._report())
            else:
                self._step()
        return self.state

    def _step(self) -> None:
        state = self.state
        if state.due is not None:
            due = state.due
            self.do(TurnCards() if due.is_turned else DealCards(self._draw(due.place, due.cards)))
            if not self.first_found and state.step == 1:
                self.first_found = True
                self.do(ReportIrregularity("face-up-card", card=self.spare.pop()))
        elif state.meter is not None:
            reset = next(
                meter.minimum_cents
                for meter in self.game.progressive.meters[str(self.rules.paytables[state.meter.wager].letter)]
                if meter.name == state.meter.meter
            )
            reset = self.hand.get("resets", {}).get(state.meter.meter, reset)
            shown = self.meters[state.meter.meter]
            _, self.meters[state.meter.meter] = meter_payment(shown, reset, state.meter.percent)
            self.do(PayMeter(state.meter.seat, shown, "floorperson 1"))
        elif state.phase == "asking":
            self._answer(state.cursor)
        else:
            self.do(Settle())

    def _draw(self, place: int | str, count: int) -> tuple[Card, ...]:
        if place not in self.waiting:
            return tuple(self.spare.pop() for _ in range(count))
        drawn, self.waiting[place] = self.waiting[place][:count], self.waiting[place][count:]
        return tuple(drawn)

    def _answer(self, seat: int) -> None:
        action = self.actions[seat].pop(0)
        discard = None
        if self.actions[seat] and self.actions[seat][0].startswith("discard "):
            discard = Card(self.actions[seat].pop(0).removeprefix("discard "))
        self.do(ActForAbsent(seat, discard) if seat in self.absent else Act(seat, action, discard))

    def _at_point(self) -> bool:
        state, at = self.state, self.hand["at"]
        asks = [index for index, step in enumerate(self.rules.play) if isinstance(step, Ask)]
        if at == "wagers-placed":
            return True
        if at == "dealing":
            return state.step == 1 and state.cursor >= max(len(state.pending) // 2, 1)
        if at.startswith("community-"):
            return state.phase == "dealing" and state.step == asks[int(at.removeprefix("community-")) - 1] + 1
        if at == "settling":
            return state.step > asks[-1]
        return state.phase == "asking" and state.step == asks[int(at.removeprefix("decision-")) - 1]

    def _report(self) -> ReportIrregularity:
        kind = self.hand["irregularity"].removeprefix(SECOND)
        offender = self.hand.get("offender")
        if self.hand.get("ruling") == "played-out":
            self.absent.add(offender)
        return ReportIrregularity(
            kind,
            seat=offender,
            card=self.spare.pop() if kind == "face-up-card" else None,
            other_deck=kind == "shuffler-jam" and self.hand["at"] != "wagers-placed",
            ruling=self.hand.get("ruling"),
            ruled_by="floorperson 1" if "ruling" in self.hand else None,
            limb=self.hand.get("limb"),
            note=self.hand.get("note"),
        )

    def pays(self, seat: int) -> dict[str, list[Any]]:
        """Return what became of a seat's wagers, in the notation of the worked hands."""
        rows = {
            wager: [result.result, result.net, result.odds or "", result.clause, result.odds_clause or ""]
            for (number, wager), result in self.state.results.items()
            if number == seat
        }
        for event in self.events:
            if isinstance(event, WagerReturned) and event.seat == seat:
                rows[event.wager] = ["push", 0, "", event.clause, ""]
        return rows
