"""Paired rounds: the same moves with different hidden cards; everything anyone is sent is compared byte by byte."""

import random
from collections import Counter
from dataclasses import dataclass, field, fields

from house.live_table.staffed import DEALER, StaffedTable
from house.live_table.test_anything import PEOPLE, anything
from pitboss.cards.deck import Card
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.money.postings import FillNeeded
from pitboss.house.running_tables import Done
from pitboss.round.state import OVER, SETTLING
from pitboss.rules.refusal import Refusal
from secrets_check.worlds import AUDITOR, LOBBY, SEATED, SPECTATOR, STAFF, TABLE, Moment, Move, Worlds

LEAST_CENTS = 1_000_00
TRAY_LEAST = 50_000_00
WRONG_IN_TEN, LOOKS_IN_TEN = 3, 1
MOVES = range(14, 26)  # after how many a comparison ends that does not wait for a phase
ENDS_AT = (None, None, None, (SETTLING, OVER), ())  # the phases that comparisons wait for, the end for none
STEPS_MOST = 500
GOES_ON = 8  # one round in this many is played to its end and followed by the next
# What would take the table away from under the players, or its cards; the simulator does these.
_NOT_HERE = frozenset(
    {
        "ActivateSubmission",
        "ChangeDealing",
        "CloseTable",
        "CountDeck",
        "CountInventory",
        "Credit",
        "DirectShuffle",
        "FailDevice",
        "JamDevice",
        "LeaveSeat",
        "OrderRecut",
        "ReceiveDeck",
        "ReleaseLease",
        "RemoveDeck",
        "SpreadIdle",
        "TakeOutDevice",
        "TakeSeat",
        "WithdrawLease",
    }
)
_WORKING = ("dealer", "floorperson", "pit-manager")


class Leak(AssertionError):
    """Someone was sent something that depends on a card hidden from them."""


@dataclass
class Found:
    """What was compared."""

    rounds: int = 0
    texts: int = 0
    refusals: int = 0
    hidden_dealt: int = 0  # cards dealt and hidden that lay otherwise in the second world
    viewers: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)  # where the comparison ended

    def with_more(self, other: "Found") -> "Found":
        """Return what was compared here and there together."""
        return Found(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def __str__(self) -> str:
        """Say it in a sentence."""
        ended = ", ".join(f"{phase} {count:,}" for phase, count in sorted(self.phases.items()))
        return (
            f"{self.rounds:,} paired rounds, {self.texts:,} texts equal byte for byte, {self.refusals:,} refusals, "
            f"{self.hidden_dealt:,} dealt cards otherwise; compared up to {ended}"
        )


class Pairs:
    """A table of one game on which every round is played twice."""

    def __init__(self, name: str, seed: int, *, real_cards: bool = False) -> None:
        self.name = name
        self.worlds = Worlds(seed)
        self.chance = random.Random(seed + 7)
        self.staffed = StaffedTable(self.worlds, name, TABLE) if real_cards else None
        self.found = Found()

    async def open(self) -> None:
        """Open the table and seat everyone."""
        if self.staffed is not None:
            self.staffed.shuffle = lambda: None  # type: ignore[method-assign]  # the worlds lay out the cards
            await self.staffed.open()
        else:
            await self.worlds.open(TABLE, self.name)
        await self._seat_everybody()

    async def compare(self, rounds: int) -> Found:
        """Play this many rounds twice, and raise Leak if anyone could tell the two worlds apart."""
        for number in range(rounds):
            await self._seat_everybody()
            await self._pair((SPECTATOR, *SEATED)[number % 4])
        return self.found

    async def _pair(self, viewer: str) -> None:
        worlds = self.worlds
        worlds.order = self._laid_out()
        worlds.viewers = tuple(dict.fromkeys((SPECTATOR, viewer)))
        worlds.begin_again()
        mark = worlds.mark()
        worlds.moves = []
        await self._play(self.chance.choice(ENDS_AT), with_others=True)
        moves, worlds.moves = worlds.moves, None
        moment, first = worlds.moment(), worlds.sent
        drawn = worlds.house.live(TABLE).drawn
        worlds.rewind(mark)
        changed = self._other_order(worlds.order, moment.known.get(viewer, set()))
        for move in moves:
            await self._move(move)
        self._compare(viewer, moment, first)
        play = worlds.house.live(TABLE).play
        self.found.hidden_dealt += sum(place < drawn for place in changed)
        self.found.phases[play.phase if play is not None else "none"] += 1
        if self.found.rounds % GOES_ON:
            worlds.rewind(mark)
        else:
            worlds.viewers = ()
            await self._play(())

    def _compare(self, viewer: str, moment: Moment, first: dict[str, list[str]]) -> None:
        worlds, found = self.worlds, self.found
        compared = {viewer, SPECTATOR, LOBBY, *(set(first) - set(SEATED) - {AUDITOR})}
        if not moment.opened:
            compared.add(AUDITOR)
        for item in sorted(compared):
            before, after = first[item][: moment.sent.get(item, 0)], worlds.sent[item]
            if before != after:
                raise Leak(_told(item, viewer, before, after))
            found.texts += len(before)
            found.viewers[item] += bool(before)
        found.rounds += 1

    def _laid_out(self) -> tuple[Card, ...]:
        terms = self.worlds.house.live(TABLE).terms
        assert terms is not None
        order = list(terms.settings.game.deck.cards)
        self.chance.shuffle(order)
        return tuple(order)

    def _other_order(self, order: tuple[Card, ...], known: set[int]) -> set[int]:
        hidden = [place for place in range(len(order)) if place not in known]
        cards = [order[place] for place in hidden]
        self.chance.shuffle(cards)
        other = list(order)
        for place, card in zip(hidden, cards, strict=True):
            other[place] = card
        self.worlds.order = tuple(other)
        if self.staffed is not None:
            self.staffed.order = []
        return {place for place in hidden if other[place] != order[place]}

    async def _play(self, phases: tuple[str, ...] | None, *, with_others: bool = False) -> None:
        worlds, most = self.worlds, self.chance.choice(MOVES)
        has_begun = worlds.house.live(TABLE).in_round
        for _ in range(STEPS_MOST):
            if phases is None and len(worlds.moves or ()) >= most:
                return
            if with_others and has_begun:
                await self._others()
            await self._one()
            live = worlds.house.live(TABLE)
            if has_begun and not live.in_round:
                return
            has_begun = live.in_round
            if has_begun and phases and live.play is not None and live.play.phase in phases:
                return
        raise AssertionError("the round does not come to its end")

    async def _one(self) -> None:
        worlds, live = self.worlds, self.worlds.house.live(TABLE)
        if self.staffed is not None:
            if live.in_round:
                self.staffed.order = list(worlds.order[live.drawn :])
                await self.staffed.next()
            else:
                await self.staffed.begin()
        elif not await worlds.act(TABLE):
            answer = await worlds.step(TABLE)
            if isinstance(answer, FillNeeded):
                await self._house(commands.Fill(cents=answer.fill_cents + TRAY_LEAST))

    async def _others(self) -> None:
        worlds, chance = self.worlds, self.chance
        if chance.randrange(10) < LOOKS_IN_TEN:
            head = worlds.house.live(TABLE).head.sequence
            await self._move(Move("", "", {}, seen=chance.choice((0, head, head - 1, head - 4, head + 3))))
        if chance.randrange(10) < WRONG_IN_TEN:
            await self._move(self._anything())

    def _anything(self) -> Move:
        worlds, chance = self.worlds, self.chance
        live = worlds.house.live(TABLE)
        people = [(name, "player") for name in SEATED]
        people += [person for person in PEOPLE if self.staffed is None or person[1] not in _WORKING]
        while True:
            body = anything(chance, live)
            person, role = chance.choice(people)
            if body.get("discard") and role == "player":
                continue  # whether they hold it is theirs to know
            if body["kind"] == "ReportIrregularity" and chance.randrange(5):
                continue  # most of what goes wrong ends the round
            if body["kind"] not in _NOT_HERE:
                seen = chance.choice((None, live.head.sequence, 1))
                return Move(person, role, body, chance.choice((None, live.lease.token)), seen)

    async def _move(self, move: Move) -> None:
        if move.person:
            answer = await self.worlds.perform(move)
            self.found.refusals += isinstance(answer, Refusal)
            return
        self.worlds.look(move)

    async def _house(self, command: commands.Command) -> None:
        if self.staffed is not None:
            await self.staffed.both(("cathy", "cage"), (STAFF, "floorperson"), command)
        else:
            token = self.worlds.house.live(TABLE).lease.token
            assert isinstance(await self.worlds.ask(TABLE, HOUSE_DEALER, AUTOMATON, command, token=token), Done)

    async def _seat_everybody(self) -> None:
        worlds = self.worlds
        for person, seat in SEATED.items():
            live = worlds.house.live(TABLE)
            if seat not in live.seats:
                await worlds.must(TABLE, person, "player", commands.TakeSeat(seat=seat))
            if live.stack_cents(person) < LEAST_CENTS:
                await worlds.issue(person)
                await worlds.must(TABLE, person, "player", commands.BuyIn(cents=5 * LEAST_CENTS))
        if worlds.house.live(TABLE).tray_cents < TRAY_LEAST:
            await self._house(commands.Fill(cents=2 * TRAY_LEAST))


def _told(recipient: str, viewer: str, before: list[str], after: list[str]) -> str:
    pairs = list(zip(before, after, strict=False))
    place = next((index for index, (item, two) in enumerate(pairs) if item != two), len(pairs))
    if place == len(pairs):
        return f"{recipient} was sent {len(before)} texts in one world and {len(after)} in the other"
    text, two = pairs[place]
    at = next((index for index, (left, right) in enumerate(zip(text, two, strict=False)) if left != right), 0)
    start = max(0, at - 120)
    return f"{recipient} can tell what is hidden from {viewer}:\n  {text[start : at + 120]}\n  {two[start : at + 120]}"


async def compared(name: str, rounds: int, seed: int, *, real_cards: bool = False) -> Found:
    """Return what was compared over this many paired rounds of a game."""
    pairs = Pairs(name, seed, real_cards=real_cards)
    await pairs.open()
    return await pairs.compare(rounds)


__all__ = ["DEALER", "Found", "Leak", "Pairs", "compared"]
