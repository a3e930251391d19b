"""A floor in one process for tests: simulated disk, a clock set by hand, repeatable randomness."""

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pitboss.cards import SeededShuffle
from pitboss.games.catalogue import game
from pitboss.house.compliance.filings import Filing, Filings
from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.stream_balances import account_drafts
from pitboss.house.live_table.table_terms import (
    AUTOMATON,
    HOUSE_DEALER,
    LEAST_DECISION_MS,
    Pace,
    PayoutLimits,
    ReadTerms,
    TableTerms,
)
from pitboss.house.money import transfers
from pitboss.house.money.ledger import purse
from pitboss.house.people.people_office import PeopleStream
from pitboss.house.progressive import MeterTerms, drafts_of, link_of
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.running_tables import Answer, Asked, BestDiscard, Done, House, Outside
from pitboss.record.group_commit import GroupCommit, InlineRunner
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person
from pitboss.table.settings import PLAIN, SHUFFLE, TableSettings

TRAY = 100_000_00
PURSE = 50_000_00
PROGRESSIVE = "shared"


def choices_for(name: str, **changes: Any) -> Choices:
    """Return choices that offer everything the rulebook prices, each in whole dollars."""
    definition = game(name)
    offered = [wager for wager in definition.wagers if not wager.defined_by_submission]
    free = [wager for wager in offered if not wager.by_action and not wager.stakes_cents]
    return Choices(
        offered=frozenset(wager.name for wager in offered),
        limits={wager.name: Limits(1_00, 500_00) for wager in free},
        stakes={wager.name: wager.stakes_cents[0] for wager in offered if wager.stakes_cents},
        dealing=AUTOMATED_SHOE,
        **changes,
    )


def read_terms(document: Mapping[str, Any]) -> TableTerms:
    """Return the terms of a test's document: a game, and who deals it."""
    name = str(document["game"])
    choices = replace(choices_for(name), dealing=str(document.get("dealing", AUTOMATED_SHOE)))
    rules = RulesInForce(game(name), choices)
    settings = TableSettings(
        game=game(name),
        choices=rules.choices,
        shuffler=str(document.get("shuffler", PLAIN)),
        decks=int(document.get("decks", 1)),
        cards=str(document.get("cards", SHUFFLE)),
        electronic=bool(document.get("electronic", False)),
        self_dealing=bool(document.get("automatic", True)),
        free_play=bool(document.get("free_play", True)),
    )
    link = link_of("any", rules)
    clause = settings.game.bets.cite
    meters = (
        tuple(MeterTerms(meter, 10_000_00, 10_000_00, Fraction(1, 7), clause) for meter in link.meters) if link else ()
    )
    progressive = str(document.get("progressive", PROGRESSIVE)) if link else None
    decision_ms = int(document.get("pace", 0 if settings.free_play else LEAST_DECISION_MS))
    limits = PayoutLimits(**document.get("verification", {}))
    pace = Pace(0, decision_ms, 0, 0)
    return TableTerms(document, settings, progressive, pace, meters=meters, verification=limits)


class AnythingFiled(Filings):
    """Filings with every version, for a house that is tested without the office where rules are filed."""

    def of(self, table: str, version: str) -> Filing:
        """Return a version as filed."""
        found = super().of(table, version)
        if found is None:
            found = Filing(table, version, 0, "nobody", {})
            self._known = {**self._known, (table, version): found}  # it may be approved and announced from now on
        return found

    def every(self) -> tuple[Filing, ...]:
        """Return what was filed at the office: the others have no document to read."""
        return tuple(filing for filing in super().every() if filing.document)


class Everyone(PeopleStream):
    """People who may all act, except those a test names with the reason."""

    def __init__(self) -> None:
        super().__init__()
        self.barred: dict[str, Refusal] = {}

    def standing(self, person: Person) -> Refusal | None:
        """Return why a person may not act, if the test said so."""
        return self.barred.get(person.name)


class Clock:
    """A clock that moves only when it is set."""

    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def now_ms(self) -> int:
        """Return the time that was set."""
        return self.now


class Chance:
    """Bytes that repeat for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def token(self, count: int) -> bytes:
        """Return the next bytes of this seed."""
        return self._random.randbytes(count)


class Floor:
    """A house with one table a game, people who sit there, and everything that happened on a simulated disk."""

    def __init__(
        self,
        seed: int = 1,
        disk: SimulatedDisk | None = None,
        terms: ReadTerms | None = None,
        best_discard: BestDiscard | None = None,
        reread_keys: Callable[[], Keyring] | None = None,
    ) -> None:
        self.seed = seed
        self.disk = disk or SimulatedDisk()
        self.clock = Clock()
        self.chance = random.Random(seed)
        self.store = MemoryStore(self.disk)
        self.keyring = Keyring((MasterKey(random.Random(seed).randbytes(32)),))
        outside = Outside(self.clock, Chance(seed + 1), SeededShuffle(seed + 2).order)
        writer = GroupCommit(self.store, InlineRunner())
        self.people = Everyone()
        self.house = House(
            self.store,
            writer,
            outside,
            self.keyring,
            terms or read_terms,
            people=self.people,
            filings=AnythingFiled(self.store),
            best_discard=best_discard,
            reread_keys=reread_keys,
        )
        self.number = 0

    def command_id(self) -> str:
        """Return an id that no command of this floor has had."""
        self.number += 1
        return f"command-{self.number}"

    async def ask(self, table: str, person: str, role: str, body: Any, **rest: Any) -> Answer:
        """Give a command at a table."""
        self.clock.now += 1
        data = body if isinstance(body, Mapping) else commands.data_of(body)
        return await self.house.do(table, Asked(self.command_id(), person, (role,), data, **rest))

    async def must(self, table: str, person: str, role: str, body: Any, **rest: Any) -> Done:
        """Give a command that has to be carried out."""
        answer = await self.ask(table, person, role, body, **rest)
        assert isinstance(answer, Done), f"{body} was refused: {answer}"
        return answer

    async def shared(self, stream: Any, decide: Any) -> Done:
        """Write to a shared stream, as the supervisor of a free-play floor."""
        asked = Asked(self.command_id(), "supervisor", (AUTOMATON,), {"kind": "Shared"})
        answer = await self.house.at_streams((stream,), lambda at: decide(stream.state, at), asked)
        assert isinstance(answer, Done), answer
        return answer

    async def issue(self, person: str, cents: int = PURSE, *, free_play: bool = True) -> None:
        """Give a person money to play with."""
        moved = transfers.issue(person, cents, free_play=free_play)
        issued = account_drafts("money.MoneyIssued", {"person": person, "cents": cents}, moved.postings, None)
        await self.shared(self.house.money.of(purse(person, free_play=free_play)), lambda state, at: issued)

    async def meters(self, command: Any, progressive: str = PROGRESSIVE) -> None:
        """Give a command to a progressive, usually the one that all tables share."""

        def decided(state: Any, at: int) -> Any:
            answer = decide_meters(state, replace(command, at=at))
            return answer if isinstance(answer, Refusal) else drafts_of(state, answer)

        await self.shared(self.house.progressive(progressive), decided)

    async def open(self, table: str, name: str, **document: Any) -> LiveTable:
        """Open a table of a game that deals by itself."""
        self.house.open(table)
        activated = commands.ActivateSubmission(document={"game": name, **document})
        await self.must(table, HOUSE_DEALER, AUTOMATON, activated)
        await self.link(table, name)
        await self.must(table, HOUSE_DEALER, AUTOMATON, commands.OpenTable(tray_cents=TRAY))
        return self.house.live(table)

    async def link(self, table: str, name: str) -> None:
        """Link a table to the meters that all tables share, where its game draws on any."""
        terms = read_terms({"game": name})
        link = link_of(table, terms.settings.rules)
        if link is not None:
            if not self.house.progressive(PROGRESSIVE).state.meters:
                await self.meters(of_meters.OpenMeters(at=0, meters=terms.meters, by="one", second="two"))
            await self.meters(of_meters.LinkTable(at=0, link=link))

    async def sit(self, table: str, person: str, seat: int, cents: int = 10_000_00) -> None:
        """Seat a person with chips."""
        await self.issue(person, free_play=self.house.live(table).free_play)
        await self.must(table, person, "player", commands.TakeSeat(seat=seat))
        await self.must(table, person, "player", commands.BuyIn(cents=cents))

    def stakes(self, live: LiveTable) -> dict[str, int]:
        """Return stakes that the table takes, side wagers at random."""
        assert live.terms is not None
        rules = live.terms.settings.rules
        main = self.chance.choice((5_00, 10_00, 25_00))
        found: dict[str, int] = {}
        for wager in rules.game.wagers:
            if wager.by_action or wager.name not in rules.offered:
                continue
            if wager.required:
                found[wager.name] = found[wager.equals] if wager.equals else main
            elif self.chance.random() < 0.5 and all(needed in found for needed in wager.needs):
                found[wager.name] = rules.choices.stakes.get(wager.name, 5_00)
        assert rules.check_stakes(found) is None
        return found

    async def act(self, table: str) -> bool:
        """Let a player whose turn it is wager or act at random, and return whether anyone did."""
        live = self.house.live(table)
        play = live.play
        if play is None or not live.in_round:
            return False
        if play.phase == WAGERING:
            for seat, person in live.seats.items():
                if seat not in play.players:
                    placed = commands.PlaceWagers(seat=seat, stakes=self.stakes(live))
                    await self.must(table, person, "player", placed)
                    return True
        if play.phase == ASKING:
            seat = play.cursor
            action = self.chance.choice(legal_actions(play))
            discard = self.chance.choice(play.cards[seat]) if action.discards else None
            answered = commands.Act(seat=seat, action=action.name, discard=discard)
            await self.must(table, live.seats[seat], "player", answered)
            return True
        return False

    async def step(self, table: str) -> Answer | None:
        """Let the house dealer do what is due next."""
        live = self.house.live(table)
        due = next_step(live, self.clock.now)
        if due is None:
            return None
        self.clock.now = max(self.clock.now, due.at)
        return await self.ask(table, HOUSE_DEALER, AUTOMATON, due.command, token=live.lease.token)

    async def rounds(self, table: str, count: int) -> None:
        """Play this many rounds to their end."""
        end = self.house.live(table).rounds + count
        while self.house.live(table).rounds < end or self.house.live(table).in_round:
            if not await self.act(table):
                answer = await self.step(table)
                assert isinstance(answer, Done), answer


def run(work: Any) -> Any:
    """Run a test's coroutine."""
    return asyncio.run(work)
