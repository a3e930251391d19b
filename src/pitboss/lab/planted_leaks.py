"""Simulated players with and without a leak, to measure what the leak test finds and how often it is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.answer_lines import Answer, Floats, Lines
from pitboss.lab.suspicions import NEIGHBOR, Care, SeatPlay, Slot, Suspicions, weight_of
from pitboss.lab.wealth import SHARES
from pitboss.odds.hand_codes import Cards
from pitboss.odds.streams import deal

# Players value their answers apart from the test, and with more care: shared luck would make leaks easier to find.
PLAYED_WITH = Care(0xCA5D, 96, 768)


@dataclass(frozen=True, slots=True)
class Player:
    """How a simulated player answers: skill from none to sharp, habits of its own, and what it knows how often."""

    skill: float = 8.0  # how sharply it follows what answers are worth; 0 answers at random
    habit: float = 0.0  # how far it likes or dislikes an answer for no reason, in units
    sees: tuple[Slot, ...] = ()  # the hidden cards it knows
    sees_neighbor: bool = False
    uses: float = 1.0  # the part of its rounds in which it uses what it knows


class Answered(NamedTuple):
    """Rounds answered alike, and which rounds of the simulation they are."""

    play: SeatPlay
    rounds: NDArray[np.int64]
    net: Floats  # of the answers, with the true cards


def simulated(lines: Lines, player: Player, rounds: int, seed: int, first: int = 0) -> Iterator[Answered]:
    """Play a seat of a two-seat table with this player; the other seat acts later."""
    suspicions, chance = Suspicions(lines, PLAYED_WITH), np.random.default_rng((seed, first))
    size = lines.rules.game.cards_each
    drawn = 2 * size + sum(lines.places.values())
    cards = deal(seed, first, rounds, cards=len(lines.rules.game.deck), drawn=drawn)
    own, other, at = cards[:, :size], cards[:, size : 2 * size], 2 * size
    table = {}
    for place, count in lines.places.items():
        table[place] = cards[:, at : at + count]
        at += count
    liking = chance.normal(0, 1, 16) * player.habit
    waiting: list[tuple[tuple[Answer, ...], NDArray[np.int64]]] = [((), np.arange(rounds))]
    knows = chance.random(rounds) < player.uses
    while waiting:
        answers, which = waiting.pop()
        play = _play(own, other, table, which, answers, (seed, first))
        line = lines.line(answers)
        if line is not None:
            for part in _stretches(which):
                mine = _play(own, other, table, part, answers, (_stretch_seed(seed, first + int(part[0])), 0))
                dealt = {place: shown[:, None] for place, shown in mine.table.items()}
                yield Answered(mine, part, lines.nets(mine.own, dealt)[:, 0, line])
            continue
        options = tuple(lines.answers_at(answers))
        chosen = _answers(suspicions, play, player, liking[: len(options)], knows[which], chance)
        for number, option in enumerate(options):
            if (chosen == number).any():
                waiting.append(((*answers, option), which[chosen == number]))


def _play(
    own: Cards,
    other: Cards,
    table: dict[str, Cards],
    which: NDArray[np.int64],
    answers: tuple[Answer, ...],
    seeds: tuple[int, int],
) -> SeatPlay:
    mine = {place: shown[which] for place, shown in table.items()}
    return SeatPlay(own[which], own[which][:, :0], (other[which],), 1, mine, answers, seeds)


def _stretch_seed(seed: int, first: int) -> int:
    # Re-deals of different rounds are independent, and the eight seeds from here on belong to one stretch of rounds.
    return (seed << 40 ^ 8 * first) % (1 << 64)


def _stretches(which: NDArray[np.int64], most: int = 64) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(which), most):
        yield which[start : start + most]


def _answers(
    suspicions: Suspicions,
    play: SeatPlay,
    player: Player,
    liking: Floats,
    knows: NDArray[np.bool_],
    chance: np.random.Generator,
) -> NDArray[np.int64]:
    ask, nothing = len(play.answers), np.empty((len(play.own), 1, 0), np.uint8)
    worths = np.concatenate(
        [
            suspicions.worths(_part(play, part), ask, (), nothing[part])[:, 0]
            for part in _stretches(np.arange(len(play.own)))
        ]
    )
    noise = chance.gumbel(size=worths.shape)
    chosen: NDArray[np.int64] = (player.skill * (worths + liking) + noise).argmax(axis=1)
    hidden = set(suspicions.hidden_slots(ask))
    sees = tuple(slot for slot in player.sees if slot in hidden)
    leaks = knows & bool(sees or (player.sees_neighbor and ask == 0))
    for part in _stretches(np.flatnonzero(leaks)):
        mine = _part(play, part)
        if player.sees_neighbor:
            informed = suspicions.beside(mine, 0, mine.others[0][:, None])
        else:
            true = np.stack([mine.table[place][:, number] for place, number in sees], axis=1)
            informed = suspicions.worths(mine, ask, sees, true[:, None])
        chosen[part] = informed[:, 0].argmax(axis=1)
    return chosen


def _part(play: SeatPlay, part: NDArray[np.int64]) -> SeatPlay:
    return play._replace(
        own=play.own[part],
        known=play.known[part],
        others=tuple(cards[part] for cards in play.others),
        table={place: cards[part] for place, cards in play.table.items()},
    )


def evidence(lines: Lines, played: list[Answered], rounds: int, *, of_pair: bool = False) -> Floats:
    """Return the logarithm of a test's evidence after each round, as `RunningTest` keeps it."""
    suspicions = Suspicions(lines)
    paid: dict[str, Floats] = {}
    for answered in played:
        payoffs = {NEIGHBOR: suspicions.neighbor(answered.play, 0)} if of_pair else suspicions.payoffs(answered.play)
        for name, each in payoffs.items():
            paid.setdefault(name, np.ones((rounds, each.shape[1])))[answered.rounds] = each
    terms, idle = [], 1.0
    for name, each in paid.items():
        gains = np.log1p(np.asarray(SHARES) * (each[:, :, None] - 1)).reshape(rounds, -1)
        terms.append(np.log(weight_of(name)) + _log_mean(np.cumsum(gains, axis=0)))
        idle -= weight_of(name)
    if idle > 1e-9:
        terms.append(np.full(rounds, np.log(idle)))
    found: Floats = np.logaddexp.reduce(np.stack(terms), axis=0)
    return found


def _log_mean(logs: Floats) -> Floats:
    found: Floats = np.logaddexp.reduce(logs, axis=1) - np.log(logs.shape[1])
    return found
