"""A table with real cards run by people: a dealer who follows the procedure, a floor, an operator, a cage."""

from typing import Any

from house.floors import TRAY, Floor
from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card
from pitboss.house.live_table import commands
from pitboss.house.live_table.duty_order import blocking
from pitboss.house.live_table.events import Proposed
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import leases
from pitboss.house.running_tables import Done
from pitboss.round.state import ASKING, AWAITING_METER, AWAITING_VERIFICATION, DEALING, OVER, SETTLING, WAGERING
from pitboss.table import commands as of_cards
from pitboss.table import next_duties
from pitboss.table.conditions import cards_of, is_count_due
from pitboss.table.duties_now import DutyNow
from pitboss.table.state import WITH_DEALER

DEALER, FLOOR, PIT, CAGE = ("dana", "dealer"), ("flo", "floorperson"), ("pete", "pit-manager"), ("cathy", "cage")
OPERATOR, SECOND_OPERATOR = ("olga", "operator"), ("otto", "operator")
PASSER_BY = ("pasco", "player")
BY = commands.NOBODY


class StaffedTable:
    """One table with its people."""

    def __init__(self, floor: Floor, name: str, table: str = "t", **document: Any) -> None:
        self.floor, self.name, self.table = floor, name, table
        self.document = {"automatic": False, "cards": "reader", **document}
        self.order: list[Card] = []

    @property
    def live(self) -> LiveTable:
        return self.floor.house.live(self.table)

    async def ask(self, person: tuple[str, str], body: Any) -> Any:
        token = self.live.lease.token if person[1] == "dealer" else None
        return await self.floor.ask(self.table, *person, body, token=token)

    async def must(self, person: tuple[str, str], body: Any) -> Done:
        if person[1] == "dealer":
            await self.confirm_first(person, type(body).__name__)
        answer = await self.ask(person, body)
        assert isinstance(answer, Done), f"{body} by {person[0]} was refused: {answer}"
        return answer

    async def confirm_first(self, dealer: tuple[str, str], kind: str) -> None:
        """Let the dealer confirm what the rulebook puts before a command, where it does."""
        duty = blocking(self.live, kind)
        if duty is not None:
            await self.must(dealer, of_cards.ConfirmDuty(by=BY, at=0, duty=duty.id))

    async def both(self, first: tuple[str, str], second: tuple[str, str], body: Any) -> Done:
        """Let one person propose and another confirm."""
        await self.must(first, body)
        proposal = list(self.live.proposals)[-1]
        return await self.must(second, commands.Confirm(proposal=proposal))

    async def open(self, dealer: tuple[str, str] = DEALER) -> None:
        self.floor.house.open(self.table)
        await self.both(
            OPERATOR, SECOND_OPERATOR, commands.ActivateSubmission(document={"game": self.name, **self.document})
        )
        await self.floor.link(self.table, self.name)
        await self.must(FLOOR, commands.OpenTable(tray_cents=TRAY))
        await self.must(dealer, leases.TakeLease(by=BY, at=0))

    async def prepare(self) -> None:
        """Go through every duty until a deck is loaded."""
        for _ in range(80):
            assert self.live.cards is not None
            duties = next_duties(self.live.cards)
            to_do = [duty for duty in duties if duty.command not in ("OpenRound", "SpreadIdle")]
            if not to_do:
                return
            await self.do(to_do[0])
        raise AssertionError(f"no deck was ready: {duties}")

    async def do(self, duty: DutyNow) -> None:
        """Do one duty as the procedure has it."""
        assert self.live.cards is not None
        deck = duty.deck or ""
        command: Any = {
            "ConfirmDuty": lambda: of_cards.ConfirmDuty(by=BY, at=0, duty=duty.id, deck=duty.deck),
            "ReceiveDeck": lambda: of_cards.ReceiveDeck(by=BY, at=0, deck=self._name()),
            "ShuffleDeck": lambda: of_cards.ShuffleDeck(by=BY, at=0, deck=deck, way=self._way()),
            "ReadDeviceCount": lambda: of_cards.ReadDeviceCount(
                by=BY, at=0, deck=deck, cards=cards_of(self.live.cards)
            ),
            "CutDeck": lambda: of_cards.CutDeck(by=BY, at=0, deck=deck, cards=cards_of(self.live.cards) // 2),
            "CountDeck": lambda: of_cards.CountDeck(by=BY, at=0, deck=deck, cards=cards_of(self.live.cards)),
            "LoadDeck": lambda: of_cards.LoadDeck(by=BY, at=0, deck=deck),
        }[duty.command]()
        if duty.id == "look" and not self.live.seats:  # somebody sits down for the first look, and doesn't play
            for body in (commands.TakeSeat(seat=1), command, commands.LeaveSeat(seat=1)):
                await self.must(PASSER_BY, body)
            return
        await self.must(FLOOR if duty.by == "floorperson" else DEALER, command)

    def _way(self) -> str:
        cards = self.live.cards
        assert cards is not None
        return of_cards.DEVICE if cards.shuffler == "in-service" else of_cards.MANUAL

    def _name(self) -> str:
        cards = self.live.cards
        assert cards is not None
        return f"deck {len(cards.decks) + len(cards.removed) + 1}"

    async def begin(self) -> None:
        await self.prepare()
        await self.must(DEALER, commands.BeginRound())
        self.shuffle()

    def shuffle(self) -> None:
        """Lay out the real cards of the round."""
        assert self.live.terms is not None
        shuffled = SeededShuffle(self.floor.seed * 1000 + self.live.rounds)
        self.order = list(shuffled.order(self.live.terms.settings.game.deck))

    async def read(self, count: int = 1) -> None:
        for _ in range(count):
            await self.must(DEALER, commands.ReadCard(card=self.order.pop(0)))

    async def next(self) -> None:
        """Do what the round waits for; players answer at random."""
        play = self.live.play
        assert play is not None
        if await self.floor.act(self.table):
            return
        if play.phase == WAGERING:
            await self.must(DEALER, commands.CloseBets())
        elif play.phase == DEALING:
            assert play.due is not None
            if play.due.is_turned:
                await self.must(DEALER, commands.TurnCards())
            else:
                if self.document["cards"] == "reader":
                    await self.read(play.due.cards - len(self.live.waiting))
                await self.must(DEALER, commands.DealCards())
        elif play.phase == SETTLING:
            await self.put_stub_away()
            await self.must(DEALER, commands.Settle())
        elif play.phase == AWAITING_METER:
            assert play.meter is not None
            await self.must(FLOOR, commands.ValidateMeter(seat=play.meter.seat))
        elif play.phase == AWAITING_VERIFICATION:
            assert play.payout is not None
            await self.must(FLOOR, commands.ValidatePayout(seat=play.payout.seat))
        else:
            assert play.phase == OVER, play.phase
            await self.end()

    async def until(self, phase: str) -> None:
        """Play on until the round reaches a phase."""
        while self.live.play is None or self.live.play.phase != phase:
            await self.next()

    async def put_stub_away(self) -> None:
        """Count the stub where it is due, else rack it."""
        cards = self.live.cards
        assert cards is not None
        assert cards.round is not None
        if cards.round.dealt and cards.round.stub == WITH_DEALER:
            if is_count_due(cards):
                left = cards_of(cards) - cards.round.dealt
                await self.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=left))
            else:
                await self.must(DEALER, of_cards.RackStub(by=BY, at=0))

    async def end(self) -> None:
        """Pick up the cards and end the round."""
        assert self.live.play is not None
        if self.live.play.outcome == "settled":
            await self.put_stub_away()
        await self.must(DEALER, commands.EndRound())

    async def play_round(self) -> None:
        await self.begin()
        while self.live.in_round:
            await self.next()


async def seated(name: str, seed: int = 1, **document: Any) -> StaffedTable:
    table = StaffedTable(Floor(seed), name, **document)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


async def in_phase(name: str, phase: str, seed: int = 1, **document: Any) -> StaffedTable:
    table = await seated(name, seed, **document)
    await table.begin()
    await table.until(phase)
    return table


def last(table: StaffedTable, kind: str) -> Any:
    return [entry for entry in table.floor.store.read("table/t") if entry.kind == kind][-1]


def proposals(done: Done) -> list[str]:
    """Return the names of what was proposed."""
    return [entry.body["proposal"] for entry in done.entries if entry.kind == f"house.{Proposed.__name__}"]


__all__ = [
    "ASKING",
    "CAGE",
    "DEALER",
    "FLOOR",
    "OPERATOR",
    "PIT",
    "SECOND_OPERATOR",
    "StaffedTable",
    "in_phase",
    "last",
    "proposals",
    "seated",
]
