"""What must hold whatever happened: ten checks over every entry as it appears on the simulated disk."""

import io
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from pitboss.cards.deck import Card, face
from pitboss.house.live_table.events import WITHDRAWN
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.sealed_events import POSTINGS, opened
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.stream_balances import by_stream
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.live_table.table_view import LiveTableView, view
from pitboss.house.money.ledger import felt, pool
from pitboss.house.money.postings import Books, transfer_of
from pitboss.house.progressive import ProgressiveState, after_entry
from pitboss.house.progressive.meter import balances
from pitboss.record.entries import Entry, Head, head_of, line_of
from pitboss.record.keys import Keyring
from pitboss.record.seal import RoundSeal
from pitboss.record.store import Store, export
from pitboss.round.state import ASKING, AWAITING_METER, AWAITING_VERIFICATION, DEALING, OVER, SETTLING, WAGERING, Round
from pitboss.rules.dealing import BURN
from pitboss_verify import Report, verify
from simulation.coverage import counted
from simulation.held_tables import HeldTables, Tell
from simulation.pit_checks import FollowedControls, wrong_in_the_pit

MAY_OWE = ("house", "cage")
PLAYING = (DEALING, ASKING, SETTLING, AWAITING_METER, AWAITING_VERIFICATION, OVER)
FOLLOWS = {WAGERING: (WAGERING, *PLAYING), OVER: (OVER, SETTLING, DEALING), None: (WAGERING,)}
EXPOSING = (
    "round.IrregularityRuled",
    "house.IrregularityReported",
    "house.Proposed",
    "house.SealOpened",
    "table.RoundClosed",
)


class Checker:
    """Follows the record entry by entry, independently of the house."""

    def __init__(self, keyring: Keyring, read_terms: ReadTerms, tell: Tell) -> None:
        self._tell = tell
        seal = lru_cache(maxsize=64)(lambda round_id, key: RoundSeal(keyring.by_id(key), round_id))
        self._reading = Reading(read_terms, seal)
        self.heads: dict[str, Head] = {}
        self.hashes: dict[str, list[str]] = defaultdict(list)
        self.balances: Counter[str] = Counter()
        self.live_tables: dict[str, LiveTable] = {}
        self.progressives: dict[str, ProgressiveState] = {}
        self._last_of: dict[tuple[str, str], int] = {}  # by command and stream: its last entry
        self.controls = FollowedControls()
        self._held = HeldTables(tell)
        self.tried: Counter[str] = Counter()
        self.entries = 0

    def follow(self, store: Store) -> None:
        """Read what is new in the record, and check every entry of it."""
        reached = store.heads()
        for stream, head in self.heads.items():
            if reached.get(stream, Head()).sequence < head.sequence:
                self._tell(f"{stream} was at entry {head.sequence} and is now at {reached.get(stream)}")
                return
        for stream in sorted(reached):
            for entry in store.read(stream, self.heads.get(stream, Head()).sequence):
                self._take(entry)
        self._held.check_elsewhere()
        for name, state in self.progressives.items():
            if self.balances[pool(name)] != state.pool_cents:
                self._tell(f"the pool {name} holds {self.balances[pool(name)]}, the meters {state.pool_cents}")
        for wrong in self.controls.wrong(self.balances):
            self._tell(wrong)
        if sum(self.balances.values()):
            self._tell("the ledger does not sum to zero")

    def _take(self, entry: Entry) -> None:
        head = self.heads.get(entry.stream, Head())
        if (entry.sequence, entry.previous) != (head.sequence + 1, head.hash):
            self._tell(f"{entry.stream} {entry.sequence} does not follow the entry before")
        self.heads[entry.stream] = head_of(entry)
        self.hashes[entry.stream].append(entry.hash)
        self.entries += 1
        self._once(entry)
        self._money(entry)
        room, _, name = entry.stream.partition("/")
        self.controls.follow(entry, is_free=name not in self.live_tables or self.live_tables[name].free_play)
        if room != "table":
            self._held.follow_elsewhere(entry)
        if room == "table":
            before = self.live_tables.get(name, LiveTable(name))
            self._lawful(before, entry)
            self._held.follow(before, entry)
            self.tried.update(counted(before, entry))
            self.live_tables[name] = after = evolve(before, entry, self._reading)
            self._phase(before, after, entry)
        elif room == "progressive":
            self.progressives[name] = state = after_entry(self.progressives.get(name, ProgressiveState(name)), entry)
            if not all(map(balances, state.meters.values())):
                self._tell(f"a meter does not balance after {entry.kind}")

    def _once(self, entry: Entry) -> None:
        key = entry.command, entry.stream
        if self._last_of.get(key, entry.sequence - 1) != entry.sequence - 1:
            self._tell(f"the command {entry.command} was carried out twice in {entry.stream}")
        self._last_of[key] = entry.sequence

    def _money(self, entry: Entry) -> None:
        moved = entry.body.get(POSTINGS, {})
        if sum(moved.values()):
            self._tell(f"{entry.kind} moves money that does not sum to zero")
        for account, cents in moved.items():
            self.balances[account] += cents
            if self.balances[account] < 0 and account not in MAY_OWE:
                self._tell(f"{account} holds {self.balances[account]} after {entry.kind}")

    def _lawful(self, before: LiveTable, entry: Entry) -> None:
        room, kind = entry.kind.split(".")
        # A dealer who was relieved may still take back a report of their own; that deals nothing.
        takes_back = kind == "IncidentAnswered" and entry.body["outcome"] == WITHDRAWN
        deals = entry.role == "dealer" and not kind.startswith("Lease") and not takes_back
        if deals and before.lease.holder != entry.actor:
            self._tell(f"{entry.actor} dealt at {before.table} while {before.lease.holder} held the lease")
        for wrong in wrong_in_the_pit(before, entry):
            self._tell(wrong)
        if kind == "SubmissionActivated" and before.in_round:
            self._tell(f"the rules of {before.table} changed during a round")
        if room != "round":
            return
        assert before.play is not None
        assert before.terms is not None
        if entry.rules != before.terms.version:
            self._tell(f"{entry.kind} names other rules than those in force")
        event, dealt = opened(kind, entry.body, lambda: self._reading.opener(before.round, before.key))
        moved = transfer_of(Books(before.table, before.terms.progressive), before.play, event)
        expected = by_stream(moved.postings).get(before.stream, {}) if moved else {}
        if dict(expected) != dict(entry.body.get(POSTINGS, {})):
            self._tell(f"{entry.kind} moved {entry.body.get(POSTINGS)} where the round says {dict(expected)}")
        twice = set(dealt) & before.play.drawn
        if twice or len(dealt) != len(entry.body.get("cards", ())) * (kind == "CardsDealt"):
            self._tell(f"cards were dealt twice: {sorted(twice)}")

    def _phase(self, before: LiveTable, after: LiveTable, entry: Entry) -> None:
        if after.play is None:
            return
        is_new = entry.kind == "house.RoundBegun"
        was = None if is_new or before.play is None else before.play.phase
        if after.play.phase not in FOLLOWS.get(was, PLAYING):
            self._tell(f"{after.table} went from {was} to {after.play.phase} by {entry.kind}")

    def compare(self, live: LiveTable) -> None:
        """Hold a running table against the fold of its record, where it has caught up with it."""
        kept = self.live_tables.get(live.table, LiveTable(live.table))
        if kept.head != live.head:
            return
        if kept.play is not None and live.play is not None:
            kept = kept._replace(play=kept.play._replace(rules=live.play.rules))
        if kept != live:
            differs = [name for name in LiveTable._fields if getattr(kept, name) != getattr(live, name)]
            self._tell(f"{live.table} differs from its record in {', '.join(differs)}")
        if live.in_round != (live.cards is not None and live.cards.round is not None):
            self._tell(f"{live.table} has cards in play without a round, or a round without cards")
        staked = _staked(live.play) if live.play is not None and live.in_round else 0
        if live.balances.get(felt(live.table), 0) != staked:
            self._tell(f"{live.balances.get(felt(live.table), 0)} cents lie on the felt where {staked} are staked")

    def acknowledged(self, entries: Iterable[tuple[str, int, str]], command: str) -> None:
        """Check that what a person was told is in the record, exactly as told."""
        for stream, sequence, hash_ in entries:
            kept = self.hashes[stream]
            if len(kept) < sequence or kept[sequence - 1] != hash_:
                self._tell(f"{command} was acknowledged and entry {sequence} of {stream} is not there")

    def hides(self, live: LiveTable, entries: Iterable[Entry], people: Iterable[str | None]) -> None:
        """Check that neither log lines nor views show a card before its reveal."""
        play = live.play
        if play is None or not live.in_round:
            return
        hidden = {card for place, cards in play.cards.items() for card in _hidden(play, place, cards)}
        for entry in entries:
            if entry.kind not in EXPOSING:
                line = line_of(entry)
                for card in hidden:
                    if f'"{card}"' in line:
                        self._tell(f"{entry.kind} shows {card} before its reveal")
        for person in people:
            self._looked(live, play, person, view(live, person))

    def _looked(self, live: LiveTable, play: Round, person: str | None, seen: LiveTableView) -> None:
        own = live.seats_of(person) if person else ()
        allowed: Counter[str] = Counter()
        for place, cards in play.cards.items():
            kept = () if place in own else _hidden(play, place, cards)
            allowed.update(face(card) for card in cards if card not in kept and (place != BURN or place in own))
        places = (*seen.cards.values(), *(seat.cards for seat in seen.seats))
        shown = Counter(card for cards in places for card in cards if card is not None)
        if shown - allowed:
            self._tell(f"{person} was shown {shown - allowed} at {live.table}")


def _hidden(play: Round, place: int | str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if place == BURN:
        return cards
    shown = play.face_up.get(place, 0)
    discard = play.discards.get(place) if isinstance(place, int) else None
    return tuple(card for index, card in enumerate(cards) if index >= shown or card == discard)


def _staked(play: Round) -> int:
    return sum(cents for key, cents in play.stakes.items() if key not in (*play.results, *play.banked))


def verified(store: Store, heads: Iterable[str]) -> Report:
    """Return what the independent verifier says of a store's export against exported heads."""
    out = io.StringIO()
    export(store, out)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "record.jsonl")
        log.write_text(out.getvalue())
        signed = []
        for number, text in enumerate(heads):
            signed.append(Path(folder, f"heads-{number}.jsonl"))
            signed[-1].write_text(text)
        return verify(log, heads=signed)
