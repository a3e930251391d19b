"""Voids against outcomes: what voided rounds stood at, and whether anybody voids those the house would have lost."""

from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from pitboss.house.desk.sealing import opened
from pitboss.house.desk.terms import TableTerms
from pitboss.house.recall import PublishedKey, published_keys
from pitboss.house.record import Entry
from pitboss.house.reports.incidents import VOID, Begun, Incidents
from pitboss.house.reports.tables import NOBODY
from pitboss.round import decide, open_round
from pitboss.round import evolve as evolve_play
from pitboss.round.commands import Settle
from pitboss.round.state import OVER, SETTLING, Round
from pitboss.rules.irregularity import VOID as VOID_ROUND
from pitboss.rules.refusal import Refusal
from pitboss.table.conditions import rules_under

LEAST_VOIDS = 10
SUSPICIOUS_ERRORS = 3
_RULED, _ENDED = "round.IrregularityRuled", "house.RoundEnded"
_VOIDING = ("round.WagersReversed", "round.RoundVoided")  # what was settled is taken back before the round is void


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


def voided_round(entries: Iterable[Entry], begun: Begun, terms: TableTerms) -> VoidedRound:
    """Return a voided round from its entries, the one that began it first, opened with the key its end published."""
    of_round = list(_until_ended(entries))
    keys = published_keys(of_round)
    opener = PublishedKey(begun.round, keys)
    settings = terms.settings
    state: Round = open_round(rules_under(settings, begun.dealing or settings.dealing))
    for entry in of_round:
        room, _, kind = entry.kind.partition(".")
        if entry.kind in _VOIDING or (entry.kind == _RULED and entry.body["remedy"] == VOID_ROUND):
            return VoidedRound(begun.round, _as_it_stood(state) if keys else None)
        if room == "round" and keys:
            state = evolve_play(state, opened(kind, entry.body, opener)[0])
    return VoidedRound(begun.round, None)


def _until_ended(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        if entry.kind == _ENDED:
            return


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
