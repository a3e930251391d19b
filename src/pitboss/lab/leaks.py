"""The leak test: whether the answers or bets of a player, alone or with a dealer or neighbor, follow hidden cards."""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards.deck import Card
from pitboss.lab.answer_lines import Answer, Floats, Lines
from pitboss.lab.shuffle_watch import AS_BEFORE, FREQUENT_AFTER, FREQUENT_AT, IN_ORDER, SAME_PLACE
from pitboss.lab.suspicions import ALL, ALL_HIDDEN, NEIGHBOR, STAKES, SeatPlay, Suspicions, weight_of
from pitboss.lab.wealth import RunningTest, RunningTests
from pitboss.rules.in_force import RulesInForce

PLAYER, DEALER_AND_PLAYER, TWO_PLAYERS, SHUFFLE = "player", "dealer-player", "players", "shuffle"
KINDS = (PLAYER, DEALER_AND_PLAYER, TWO_PLAYERS, SHUFFLE)
STAKE_MEMORY = 20  # rounds over which a player's usual stake is followed
TITLES = {
    "": "",
    ALL_HIDDEN: "all hidden cards",
    STAKES: "stakes",
    NEIGHBOR: "the neighbor's cards",
    FREQUENT_AT: "a card too often in the same place",
    FREQUENT_AFTER: "a card too often after the same card",
    IN_ORDER: "the order of a new deck",
    AS_BEFORE: "the previous round's order",
    SAME_PLACE: "the previous round's places",
}
VERSION = "leaks-1"  # change this whenever the same rounds give different evidence


class PlayedHand(NamedTuple):
    """A seat of a finished round: who held it, its cards, its answers in order and its stake on the main wager."""

    player: str
    cards: tuple[Card, ...]
    answers: tuple[tuple[str, str, Card | None], ...]  # question, action, discard
    stake_cents: int


class FinishedRound(NamedTuple):
    """A round that is over, with every card known; hands are in the order in which seats are asked."""

    name: str
    rules: RulesInForce
    dealer: str  # empty where the program deals
    hands: tuple[PlayedHand, ...]
    table: Mapping[str, tuple[Card, ...]]
    at: str = ""  # the table's name


class Alarm(NamedTuple):
    """A test whose evidence reached its threshold."""

    kind: str
    subject: tuple[str, ...]
    round: str
    log10: float
    threshold: float
    suspicion: str


class Finding(NamedTuple):
    """A line of the report: a test and its evidence, as powers of ten."""

    kind: str
    subject: tuple[str, ...]
    rounds: int
    evidence_log10: float
    peak_log10: float
    threshold_log10: float
    suspicion: str  # the leak that the evidence fits best
    alarm_round: str  # empty without an alarm
    points: tuple[tuple[int, float], ...] = ()


@dataclass(slots=True)
class _Usual:
    rounds: int = 0
    log_stake: float = 0.0

    def departure(self, stake_cents: int) -> float:
        """Return how far a stake is from the usual one, from -1 to 1, and take it in."""
        log = math.log(max(stake_cents, 1))
        off = math.tanh(log - self.log_stake) if self.rounds else 0.0
        self.rounds += 1
        self.log_stake += (log - self.log_stake) / min(self.rounds, STAKE_MEMORY)
        return off


class Leaks:
    """Follows finished rounds and keeps the evidence of every test."""

    def __init__(self) -> None:
        self.rounds = 0
        self.decisions = 0
        self.tests = {kind: RunningTests(len(KINDS)) for kind in KINDS}
        self._usual: dict[tuple[str, str], _Usual] = {}  # by player and table
        self._suspicions: dict[int, tuple[RulesInForce, Lines, Suspicions]] = {}

    def add(self, played: FinishedRound) -> tuple[Alarm, ...]:
        """Take in a finished round, and return the alarms it raises."""
        lines, suspicions = self._read(played.rules)
        if any(len(played.table.get(place, ())) < count for place, count in lines.places.items()):
            return ()  # without a card that was hidden, nobody can have followed it
        plays = list(self._plays(played, lines))
        self.rounds += 1
        self.decisions += sum(len(play.answers) for _, play in plays)
        return (*self._of_players(played, plays, suspicions), *self._of_pairs(played, plays, suspicions))

    def findings(self, *, with_points: bool = False) -> tuple[Finding, ...]:
        """Return every test, the strongest evidence first."""
        found = [
            finding_of(kind, subject, test, with_points=with_points)
            for kind, tests in self.tests.items()
            for subject, test in tests.all.items()
        ]
        return tuple(sorted(found, key=lambda line: (not line.alarm_round, line.threshold_log10 - line.peak_log10)))

    def to_data(self) -> dict[str, Any]:
        """Return all evidence as plain data."""
        return {
            "version": VERSION,
            "rounds": self.rounds,
            "decisions": self.decisions,
            "tests": {kind: tests.to_data() for kind, tests in self.tests.items()},
            "usual": [[*whose, usual.rounds, usual.log_stake] for whose, usual in self._usual.items()],
        }

    def restore(self, data: Mapping[str, Any]) -> bool:
        """Continue from saved evidence, unless another version made it."""
        if data["version"] != VERSION:
            return False
        self.rounds, self.decisions = data["rounds"], data["decisions"]
        for kind, tests in data["tests"].items():
            self.tests[kind].restore(tests)
        self._usual = {(player, table): _Usual(*usual) for player, table, *usual in data["usual"]}
        return True

    def _read(self, rules: RulesInForce) -> tuple[Lines, Suspicions]:
        # Kept by the rules themselves, which are shared by every round of a table; the reference keeps the id unique.
        if id(rules) not in self._suspicions:
            if len(self._suspicions) > 64:
                self._suspicions.clear()
            lines = Lines(rules)
            self._suspicions[id(rules)] = (rules, lines, Suspicions(lines))
        return self._suspicions[id(rules)][1:]

    def _plays(self, played: FinishedRound, lines: Lines) -> Iterator[tuple[int, SeatPlay]]:
        number = lines.numbers
        hands = [[number[card] for card in hand.cards] for hand in played.hands]
        table = {
            place: _row(number[card] for card in played.table[place][:count]) for place, count in lines.places.items()
        }
        for at, hand in enumerate(played.hands):
            answers = tuple(
                Answer(ask, action, hand.cards.index(discard) if discard is not None else None)
                for ask, action, discard in hand.answers
            )
            if lines.line(answers) is None:
                continue  # a seat that left, or lost its hand, before it had answered
            mine = [other for other in range(len(hands)) if other != at and played.hands[other].player == hand.player]
            later = [other for other in range(at + 1, len(hands)) if other not in mine]
            earlier = [other for other in range(at) if other not in mine]
            known = [card for other in mine for card in hands[other]]
            others = tuple(_row(hands[other]) for other in (*later, *earlier))
            seeds = _seed(f"{played.name}/{at}"), 0
            yield at, SeatPlay(_row(hands[at]), _row(known), others, len(later), table, answers, seeds)

    def _of_players(
        self, played: FinishedRound, plays: list[tuple[int, SeatPlay]], suspicions: Suspicions
    ) -> Iterator[Alarm]:
        by_player: dict[str, list[tuple[int, SeatPlay]]] = {}
        for at, play in plays:
            by_player.setdefault(played.hands[at].player, []).append((at, play))
        for player, held in by_player.items():
            usual = self._usual.setdefault((player, played.at), _Usual())
            off = usual.departure(sum(played.hands[at].stake_cents for at, _ in held))
            # Hands of one player share the table's cards: their bets are averaged, which keeps the mean at one.
            each = [suspicions.payoffs(play) for _, play in held]
            names = {name for payoffs in each for name in payoffs}
            payoffs = {name: _mean([paid.get(name) for paid in each]) for name in sorted(names)}
            good = float(np.mean([suspicions.stakes(play)[0] for _, play in held])) if off else 0.0
            payoffs[STAKES] = np.array([1.0 + off * good])
            subjects: list[tuple[str, tuple[str, ...]]] = [(PLAYER, (player,))]
            if played.dealer:
                subjects.append((DEALER_AND_PLAYER, (played.dealer, player)))
            for kind, subject in subjects:
                yield from self._bet(kind, subject, payoffs, played.name)

    def _of_pairs(
        self, played: FinishedRound, plays: list[tuple[int, SeatPlay]], suspicions: Suspicions
    ) -> Iterator[Alarm]:
        found: dict[tuple[str, str], list[Floats]] = {}
        for at, play in plays:
            player = played.hands[at].player
            later = [hand for hand in played.hands[at + 1 :] if hand.player != player]
            for which, other in enumerate(later):
                found.setdefault((player, other.player), []).append(suspicions.neighbor(play, which)[0])
        for pair, payoffs in found.items():
            yield from self._bet(TWO_PLAYERS, pair, {NEIGHBOR: _mean(list(payoffs))}, played.name)

    def _bet(
        self, kind: str, subject: tuple[str, ...], payoffs: Mapping[str, Floats], round_name: str
    ) -> Iterator[Alarm]:
        test = self.tests[kind].of(subject)
        if test.add(payoffs, weight_of, round_name):
            yield alarm_of(kind, subject, test)


def title_of(suspicion: str) -> str:
    """Return a suspicion as people call it."""
    if suspicion in TITLES:
        return TITLES[suspicion]
    place, _, card = suspicion.partition(":")
    return f"the {place}'s cards" if card == ALL else f"{place} card {card}"


def alarm_of(kind: str, subject: tuple[str, ...], test: RunningTest) -> Alarm:
    """Return the alarm of a test."""
    return Alarm(kind, subject, test.alarm_round, test.log / math.log(10), test.threshold, test.leading)


def finding_of(kind: str, subject: tuple[str, ...], test: RunningTest, *, with_points: bool = False) -> Finding:
    """Return a test as a line of the report."""
    ten = math.log(10)
    points = tuple((rounds, log / ten) for rounds, log in test.points) if with_points else ()
    return Finding(
        kind,
        subject,
        test.rounds,
        test.log / ten,
        test.peak / ten,
        math.log10(test.threshold),
        test.leading,
        test.alarm_round,
        points,
    )


def _mean(payoffs: list[Floats | None]) -> Floats:
    # A bet that a hand doesn't allow is not made, which pays one.
    shape = next(len(paid.ravel()) for paid in payoffs if paid is not None)
    found: Floats = np.mean([np.ones(shape) if paid is None else paid.ravel() for paid in payoffs], axis=0)
    return found


def _row(cards: Iterable[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.array(list(cards), np.uint8)[None, :]


def _seed(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
