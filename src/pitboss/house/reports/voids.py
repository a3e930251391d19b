"""Voids against outcomes: what voided rounds would have paid, and whether anyone voids those the house would lose."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from math import sqrt
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.replay import PlayedUnder, PublishedKey, published_keys, steps_of
from pitboss.house.reports.incidents import VOID, Begun, Incidents
from pitboss.house.reports.table_facts import NOBODY
from pitboss.record.entries import Entry
from pitboss.round import decide, evolve
from pitboss.round.commands import Settle
from pitboss.round.state import OVER, SETTLING, Round
from pitboss.rules.refusal import Refusal

LEAST_VOIDS = 10
SUSPICIOUS_ERRORS = 3
Stood = Mapping[tuple[str, int], int | None]  # by round and the entry that voids it, as in VoidedRound


class VoidedRound(NamedTuple):
    """A voided round, and what players would have won from the voided part; None: still undecided."""

    round: str
    would_have_paid_cents: int | None
    is_known: bool = True  # whether the round has ended, so that its cards can be read


class Voids(NamedTuple):
    """A line of the report: the voids a person was involved in."""

    person: str
    voids: int
    house_lost: int  # of those already decided when they were voided
    house_won: int
    undecided: int
    expected_lost: float  # if voiding didn't depend on the result
    z: float | None

    @property
    def is_suspicious(self) -> bool:
        """Say whether rounds that the house would have lost are voided too often for chance."""
        decided = self.house_lost + self.house_won
        return decided >= LEAST_VOIDS and self.z is not None and self.z > SUSPICIOUS_ERRORS


def voided_round(entries: Iterable[Entry], begun: Begun, terms: TableTerms) -> VoidedRound:
    """Return a voided round from its entries, starting with its first, opened with the key published at its end."""
    of_round = list(_until_next(entries))
    keys = published_keys(of_round)
    if not keys:
        return VoidedRound(begun.round, None, is_known=False)
    under = PlayedUnder(terms, begun.dealing or terms.settings.dealing)
    void = next(entry for entry in of_round if entry.sequence == begun.void)
    # Reversals are written before the event that causes them, by the same command.
    before = takewhile(lambda entry: entry.command != void.command, of_round)
    stood = [step.play for step in steps_of(before, under, lambda name, key: PublishedKey(name, keys))]
    return VoidedRound(begun.round, _as_it_stood(stood[-1], void))


def _until_next(entries: Iterable[Entry]) -> Iterator[Entry]:
    for number, entry in enumerate(entries):
        if number and entry.kind == entry_kinds.ROUND_BEGUN:
            return
        yield entry


def voids_by_person(incidents: Incidents, would_have: Stood) -> tuple[Voids, ...]:
    """Return a line for each person involved in a void: who ruled, who proposed, whose deal it was."""
    hands: dict[str, set[tuple[str, int]]] = {}
    for row in incidents.of_kind(VOID):
        for person in {row.actor, row.second, row.dealer} - {NOBODY, ""}:
            hands.setdefault(person, set()).add((row.round, row.sequence))
    share = incidents.rounds_lost / incidents.rounds_settled if incidents.rounds_settled else 0.0
    return tuple(_line(person, rounds, would_have, share) for person, rounds in sorted(hands.items()))


def _line(person: str, rounds: set[tuple[str, int]], would_have: Stood, share: float) -> Voids:
    stood = [would_have.get(void) for void in rounds]
    # A round that would have broken even counts neither way.
    lost = sum(1 for net in stood if net is not None and net > 0)
    won = sum(1 for net in stood if net is not None and net < 0)
    decided = lost + won
    error = sqrt(decided * share * (1 - share))
    z = (lost - decided * share) / error if error else None
    return Voids(person, len(rounds), lost, won, len(rounds) - decided, decided * share, z)


def _as_it_stood(state: Round, void: Entry) -> int | None:
    while state.phase == SETTLING:
        answer = decide(state, Settle())
        if isinstance(answer, Refusal):
            return None
        for event in answer:
            state = evolve(state, event)
    if state.phase != OVER:
        return None  # cards or decisions were still to come, or a meter had to answer
    kept = (
        void.body["settles"] if void.kind == entry_kinds.IRREGULARITY_RULED else ()
    )  # wagers that the ruling leaves in place
    seats = void.body["seats"] if void.kind == entry_kinds.DISPUTE_RESOLVED else state.seats
    paid = sum(result.net for (seat, wager), result in state.results.items() if seat in seats and wager not in kept)
    return paid + sum(bonus.net for bonus in state.envy if bonus.seat in seats and not kept)
