"""Voids against outcomes: what voided rounds stood at, and whether anybody voids those the house would have lost."""

from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from pitboss.house.desk.evolve import Reading, evolve
from pitboss.house.desk.sealing import Opener
from pitboss.house.desk.state import Desk
from pitboss.house.desk.terms import ReadTerms
from pitboss.house.recall import PublishedKey, published_keys
from pitboss.house.record import Entry
from pitboss.house.reports.incidents import VOID, Incidents
from pitboss.house.reports.tables import NOBODY
from pitboss.round import decide
from pitboss.round import evolve as evolve_play
from pitboss.round.commands import Settle
from pitboss.round.state import OVER, SETTLING, Round
from pitboss.rules.refusal import Refusal

LEAST_VOIDS = 10
SUSPICIOUS_ERRORS = 3
_RULED, _VOIDED, _ENDED = "round.IrregularityRuled", "round.RoundVoided", "house.RoundEnded"


class VoidedRound(NamedTuple):
    """A round that was voided, and what the players would have had from it as it stood; None: still undecided."""

    round: str
    would_have_paid_cents: int | None


class Voids(NamedTuple):
    """A line of the report: the voids a person had a hand in."""

    person: str
    voids: int
    house_lost: int  # of those decided when they were voided
    house_won: int
    undecided: int
    expected_lost: float  # as many, were they voided like any other round
    z: float | None

    @property
    def is_suspicious(self) -> bool:
        """Say whether rounds that the house would have lost are voided too often for chance."""
        decided = self.house_lost + self.house_won
        return decided >= LEAST_VOIDS and self.z is not None and self.z > SUSPICIOUS_ERRORS


def voided_rounds(entries: Iterable[Entry], read_terms: ReadTerms) -> Iterator[VoidedRound]:
    """Yield the voided rounds of a table's whole stream, each opened with the key it published at its end."""
    stream = tuple(entries)
    keys = published_keys(stream)

    def opener(name: str, key: str) -> Opener:
        return PublishedKey(name, keys)

    reading = Reading(read_terms, opener)
    desk: Desk | None = None
    before: dict[str, Round] = {}  # the round as it stood before the ruling that voided it
    for entry in stream:
        desk = desk or Desk(entry.stream.partition("/")[2])
        if entry.kind == "house.RoundBegun" and entry.body["round"] not in keys:
            return  # it is played now, and its cards are sealed
        is_ruling = entry.kind == _RULED or (entry.kind == _VOIDED and desk.round not in before)
        if is_ruling and desk.play is not None:
            before[desk.round] = desk.play
        if entry.kind == _ENDED and entry.body["outcome"] == "void" and entry.body["round"] in before:
            yield VoidedRound(entry.body["round"], _as_it_stood(before[entry.body["round"]]))
        desk = evolve(desk, entry, reading)


def voids_by_person(incidents: Incidents, would_have: Mapping[str, int | None]) -> tuple[Voids, ...]:
    """Return a line for everybody who had a hand in a void: who ruled, who proposed, whose deal it was."""
    hands: dict[str, set[str]] = {}
    for row in incidents.of_kind(VOID):
        for person in {row.actor, row.second, row.dealer} - {NOBODY, ""}:
            hands.setdefault(person, set()).add(row.round)
    share = incidents.rounds_lost / incidents.rounds_settled if incidents.rounds_settled else 0.0
    return tuple(_line(person, rounds, would_have, share) for person, rounds in sorted(hands.items()))


def _line(person: str, rounds: set[str], would_have: Mapping[str, int | None], share: float) -> Voids:
    stood = [would_have.get(one) for one in rounds]
    # A round that stood at nothing neither hurt the house nor helped it.
    lost = sum(1 for one in stood if one is not None and one > 0)
    won = sum(1 for one in stood if one is not None and one < 0)
    decided = lost + won
    error = sqrt(decided * share * (1 - share))
    z = (lost - decided * share) / error if error else None
    return Voids(person, len(rounds), lost, won, len(rounds) - decided, decided * share, z)


def _as_it_stood(state: Round) -> int | None:
    while state.phase == SETTLING:
        answer = decide(state, Settle())
        if isinstance(answer, Refusal):
            return None
        for event in answer:
            state = evolve_play(state, event)
    if state.phase != OVER:
        return None  # cards or decisions were still to come, or a meter had to answer
    return sum(one.net for one in state.results.values()) + sum(one.net for one in state.envy)
