"""Checks a table's record again: links, signed heads, committed cards, full shuffles, money, and payouts recomputed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.evolve import Reading
from pitboss.house.live_table.table_terms import UnsoundDocument
from pitboss.house.replay import CONDITIONS, PlayedUnder, played_under, replay_round
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Body, Entry, Head, MalformedEntry, canonical, sound_entry
from pitboss.record.keys import Keyring, KeysUnusable
from pitboss.record.seal import SealBroken, round_seal
from pitboss.record.start_check import last_signed_heads
from pitboss.record.store import Store
from pitboss.rules.plain import Malformed
from pitboss_verify.cards import Cards
from pitboss_verify.entries import Chain, read_entry
from pitboss_verify.entries import Entry as CheckedEntry
from pitboss_verify.heads import Heads
from pitboss_verify.money import Money
from pitboss_verify.report import Report, Unsound

CHECKPOINTS = "checkpoints.jsonl"
CHAIN, HEADS, CARDS, SHUFFLES, MONEY, PAYOUTS = "chain", "heads", "cards", "shuffles", "money", "payouts"
_CANNOT_FOLLOW = (MalformedEntry, Malformed, SealBroken, UnsoundDocument, KeyError, AssertionError)


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its count, its unit, and the first fault, if there is one."""

    name: str
    count: int
    of: str
    fault: str | None


@dataclass(slots=True)
class _Going:
    name: str
    of: str
    count: int = 0
    fault: str | None = None

    def told(self) -> Check:
        return Check(self.name, self.count, self.of, self.fault)


class Verification(NamedTuple):
    """The results of checking a table's record."""

    table: str
    round: str | None
    entries: int
    checks: tuple[Check, ...]

    @property
    def is_sound(self) -> bool:
        """Return whether no fault was found."""
        return all(check.fault is None for check in self.checks)


def verify_table(
    store: Store,
    table: str,
    *,
    heads: Path,
    keyring: Keyring,
    reading: Reading,
    trusted: Collection[str] = (),
    round_id: str | None = None,
) -> Verification:
    """Check a table's whole stream, with the shuffles and payouts of all rounds or of the named one."""
    stream = stream_of(table)
    # The signed heads first: the streams must contain everything they say was on disk.
    signed = _Going(HEADS, "signed heads")
    publics = frozenset((*trusted, *(key.signer().public for key in keyring.keys)))
    known, last = _signed_heads(heads, stream, publics, signed)
    ends = store.heads()
    checker = _Checker(stream, known, signed)
    rounds = _Rounds(keyring, reading, round_id)
    for place, line in enumerate(store.unchecked_lines(stream, ends[stream].sequence), 1):
        loose = sound_entry(line)
        checker.take(place, line, loose)
        if loose is not None:
            rounds.take(loose)
    checker.finish(ends, last)
    checks = (*checker.checks(), rounds.shuffles, rounds.payouts)
    return Verification(table, round_id, checker.chain.count, tuple(check.told() for check in checks))


class _Checker:
    """Follows a stream line by line; a check that has found a fault isn't run again."""

    def __init__(self, stream: str, known: Sequence[Heads], signed: _Going) -> None:
        self.stream, self.known, self.heads = stream, known, signed
        self.report = Report(stream)
        self.chain, self.cards, self.money = (
            _Going(CHAIN, "entries"),
            _Going(CARDS, "cards"),
            _Going(MONEY, "transfers"),
        )
        self._links, self._cards = Chain(is_excerpt=False), Cards(self.report, is_excerpt=False)
        self._money = Money(self.report)

    def take(self, place: int, line: str, loose: Entry | None) -> None:
        sound = _attempt(self.chain, place, lambda: read_entry(line))
        self.chain.count += sound is not None
        entry = sound or _checked_form(loose)
        if entry is None:
            return
        _attempt(self.chain, place, lambda: self._links.take(entry))
        _attempt(self.heads, place, lambda: self._meet(entry))
        _attempt(self.cards, place, lambda: self._cards.take(entry))
        _attempt(self.money, place, lambda: self._money.take(entry))

    def finish(self, ends: Mapping[str, Head], last: Mapping[str, Head]) -> None:
        self._cards.finish()
        self.cards.count, self.money.count = self.report.opened, self.report.transfers
        ended = self._links.ends.get(self.stream, (0, ""))
        if ended != tuple(ends[self.stream]):
            said = f"The stream ends at entry {ended[0]}, but the store says entry {ends[self.stream].sequence}."
            self.chain.fault = self.chain.fault or said
        unmet = [heads.unmet({self.stream: ended}) for heads in self.known]
        unmet += [_unreached(name, head, ends) for name, head in sorted(last.items()) if name != self.stream]
        self.heads.fault = self.heads.fault or next((_sentence(said) for said in unmet if said), None)

    def _meet(self, entry: CheckedEntry) -> None:
        for heads in self.known:
            heads.meet(entry)
            self.heads.count += heads.vouches_for(entry.stream, entry.sequence)

    def checks(self) -> tuple[_Going, ...]:
        return self.chain, self.heads, self.cards, self.money


class _Rounds:
    """Follows the rounds of a stream, and checks each one when it is over."""

    def __init__(self, keyring: Keyring, reading: Reading, only: str | None) -> None:
        self.shuffles, self.payouts = _Going(SHUFFLES, "decks"), _Going(PAYOUTS, "rounds")
        self._keyring, self._reading, self._only = keyring, reading, only
        self._conditions: list[Entry] = []
        self._in_force: PlayedUnder | None = None
        self._under: PlayedUnder | None = None  # when the round began
        self._played: list[Entry] = []
        self._shuffled: dict[str, Body] = {}  # the last shuffle of each deck

    def take(self, entry: Entry) -> None:
        try:
            self._take(entry)
        except _CANNOT_FOLLOW as fault:
            self.payouts.fault = self.payouts.fault or f"Entry {entry.sequence} cannot be replayed: {fault}."

    def _take(self, entry: Entry) -> None:
        if entry.kind in CONDITIONS:
            self._conditions.append(entry)
            self._in_force = played_under(self._conditions, self._reading.read_terms)
        elif entry.kind == entry_kinds.DECK_COMMITTED and entry.body.get("shuffle"):
            self._shuffled[entry.body["deck"]] = entry.body
        elif entry.kind == entry_kinds.ROUND_BEGUN:
            self._played, self._under = [entry], self._in_force
        elif self._played:
            self._played.append(entry)
            if entry.kind == entry_kinds.ROUND_ENDED:
                played, self._played = self._played, []
                name = played[0].body["round"]
                if self._under is not None and self._only in (None, name):
                    self._check_shuffle(name, played, self._under)
                    self._check_payouts(name, played, self._under)

    def _check_shuffle(self, name: str, played: Sequence[Entry], under: PlayedUnder) -> None:
        if self.shuffles.fault is not None or (committed := self._committed(played)) is None:
            return
        deck = under.terms.settings.game.deck.cards
        try:
            # The seal depends on the shuffle; in older records, where a round drew its own order, on the round.
            seal = round_seal(self._keyring, committed.get("shuffle") or name, committed["sealed_order"])
            order = seal.open_order(committed["sealed_order"])
            if sorted(order) != sorted(deck):
                self.shuffles.fault = (
                    f"The deck of round {name} doesn't have exactly the {len(deck)} cards of the game."
                )
            elif list(seal.commitments(order)) != committed["commitments"]:
                self.shuffles.fault = f"The deck of round {name} isn't in the order that was committed."
            else:
                self.shuffles.count += 1
        except (*_CANNOT_FOLLOW, KeysUnusable) as fault:
            self.shuffles.fault = f"The deck of round {name} cannot be opened: {fault}."

    def _committed(self, played: Sequence[Entry]) -> Body | None:
        fixed = [entry.body for entry in played if entry.kind == entry_kinds.ORDER_FIXED]
        if not fixed:
            return next((entry.body for entry in played if entry.kind == entry_kinds.DECK_COMMITTED), None)
        shuffled = self._shuffled.get(fixed[-1]["deck"])
        return shuffled if shuffled is not None and shuffled["shuffle"] == fixed[-1]["shuffle"] else None

    def _check_payouts(self, name: str, played: Sequence[Entry], under: PlayedUnder) -> None:
        if self.payouts.fault is not None:
            return
        disagreements = replay_round(played, under, self._reading.opener).disagreements()
        if disagreements:
            self.payouts.fault = f"Round {name} gives a different result now: {disagreements[0].says}."
        else:
            self.payouts.count += 1


def _signed_heads(
    folder: Path, stream: str, trusted: frozenset[str], going: _Going
) -> tuple[list[Heads], dict[str, Head]]:
    # All heads of the stream, and the last one of every other: the files have those of all streams since the start.
    found: list[Heads] = []
    last: dict[str, Head] = {}
    for path in sorted(path for path in folder.glob("*.jsonl") if path.name != CHECKPOINTS):
        try:
            found.append(Heads(_lines_of(path, stream), trusted, path.name))
            for name, head in last_signed_heads(path, trusted).items():
                last[name] = max(head, last.get(name, head))
        except (Unsound, UnicodeDecodeError) as fault:
            going.fault = going.fault or _sentence(str(fault))
        except OSError as fault:
            going.fault = going.fault or f"{path.name} cannot be read: {fault.strerror}."
    return found, last


def _lines_of(path: Path, stream: str) -> str:
    # Each at its place, so that a fault names the line of the file.
    ending = f'"stream":{canonical(stream)}}}\n'
    with path.open(encoding="utf-8", newline="\n") as file:
        return "".join(line if line.endswith(ending) else "\n" for line in file)


def _unreached(stream: str, signed: Head, ends: Mapping[str, Head]) -> str | None:
    reached = ends.get(stream, Head()).sequence
    if reached >= signed.sequence:
        return None
    missing = "is missing" if reached == 0 else f"ends at entry {reached}"
    return f"stream {stream} {missing}, but its last signed head says it reached entry {signed.sequence}"


def _attempt(going: _Going, place: int, check: Callable[[], object]) -> CheckedEntry | None:
    if going.fault is not None and going.name != CHAIN:
        return None
    try:
        found = check()
    except Unsound as fault:
        going.fault = going.fault or f"Entry {place} {fault}."
        return None
    return found if isinstance(found, CheckedEntry) else None


def _checked_form(loose: Entry | None) -> CheckedEntry | None:
    if loose is None:
        return None
    return CheckedEntry(**{name: getattr(loose, name) for name in CheckedEntry._fields})


def _sentence(said: str) -> str:
    return f"{said[0].upper()}{said[1:]}."
