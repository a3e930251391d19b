"""A table under test: commands in, events kept, and a refusal raised unless it is expected."""

from dataclasses import dataclass, field
from typing import Any

from pitboss.games.catalogue import game_names
from pitboss.round.events import SETTLED
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person, TableSettings, TableState, decide, evolve, new_table
from pitboss.table.commands import (
    DEVICE,
    MANUAL,
    CloseRound,
    Command,
    ConfirmDuty,
    CountStub,
    CutDeck,
    LoadDeck,
    OpenRound,
    RackStub,
    ReadDeviceCount,
    ReceiveDeck,
    ReportDealt,
    ShuffleDeck,
)
from pitboss.table.conditions import awaits_count, awaits_cut, cards_of, is_count_due, script_duties
from pitboss.table.events import Event
from pitboss.table.people import AUTOMATON, PIT_MANAGER, TECHNICIAN
from pitboss.table.rack import Racked
from pitboss.table.settings import NO_SHUFFLER
from pitboss.table.state import OPENING, RACKED, STACKED

GAMES = game_names()
THE_DEALER = Person("dealer one", DEALER)
THE_FLOOR = Person("floor one", FLOORPERSON)
THE_PIT = Person("pit one", PIT_MANAGER)
THE_TECHNICIAN = Person("technician one", TECHNICIAN)
A_PLAYER = Person("player one", PLAYER)
THE_AUTOMATON = Person("table", AUTOMATON)
BY_ROLE = {DEALER: THE_DEALER, FLOORPERSON: THE_FLOOR, PLAYER: A_PLAYER}
PICKUP = (Racked("board", 5), Racked(1, 4))


def settings_of(
    game: GameDefinition, *, dealing: str = MANUAL_SHOE, shuffler: str = NO_SHUFFLER, decks: int = 1, **rest: Any
) -> TableSettings:
    return TableSettings(game, Choices(dealing=dealing), shuffler=shuffler, decks=decks, **rest)


@dataclass
class Driver:
    state: TableState
    events: list[Event] = field(default_factory=list)
    clock: int = 1_000

    @property
    def procedures(self) -> Any:
        return self.state.settings.procedures

    def do(self, kind: type, by: Person = THE_DEALER, **fields: Any) -> tuple[Event, ...]:
        """Carry a command out; it must not be refused."""
        answer = self.ask(kind, by, **fields)
        assert not isinstance(answer, Refusal), str(answer)
        for event in answer:
            self.state = evolve(self.state, event)
            self.events.append(event)
        return answer

    def refused(self, kind: type, by: Person = THE_DEALER, **fields: Any) -> Refusal:
        """Return the refusal a command meets; it must meet one."""
        answer = self.ask(kind, by, **fields)
        assert isinstance(answer, Refusal), f"{kind.__name__} was allowed"
        return answer

    def ask(self, kind: type, by: Person = THE_DEALER, **fields: Any) -> tuple[Event, ...] | Refusal:
        command: Command = kind(by=by, at=fields.pop("at", self.clock), **fields)
        return decide(self.state, command)

    def wait(self, milliseconds: int) -> None:
        self.clock += milliseconds

    def open_deck(self, deck: str = "A") -> None:
        """Receive a deck and confirm every duty up to the shuffle."""
        self.do(ReceiveDeck, deck=deck)
        self.finish_duties(deck)

    def finish_duties(self, deck: str) -> None:
        while (opened := self.state.deck(deck)) is not None and opened.stage == OPENING:
            duty = script_duties(self.state, opened)[opened.done]
            self.do(ConfirmDuty, BY_ROLE[duty.by], duty=duty.id, deck=deck)

    def prepare(self, deck: str = "A") -> None:
        """Bring an opened deck to the point of being loaded."""
        opened = self.state.deck(deck)
        assert opened is not None
        if opened.stage in (STACKED, RACKED):
            way = DEVICE if self.state.shuffler == "in-service" else MANUAL
            self.do(ShuffleDeck, deck=deck, way=way)
        if awaits_count(self.state, self.deck(deck)):
            self.do(ReadDeviceCount, deck=deck, cards=cards_of(self.state))
        if awaits_cut(self.state, self.deck(deck)):
            self.do(CutDeck, deck=deck, cards=20)

    def load(self, deck: str = "A") -> None:
        self.prepare(deck)
        self.do(LoadDeck, deck=deck)

    def deck(self, name: str = "A") -> Any:
        return self.state.deck(name)

    def deal(self, deck: str = "A", name: str = "r") -> None:
        """Open a round and deal nine cards."""
        self.do(OpenRound, round=name, deck=deck)
        self.do(ReportDealt, cards=9)

    def play(self, deck: str = "A", name: str = "r") -> None:
        """Play a whole round on a loaded deck."""
        self.deal(deck, name)
        if is_count_due(self.state):
            self.do(CountStub, cards=cards_of(self.state) - 9)
        else:
            self.do(RackStub)
        self.do(CloseRound, ended=SETTLED, pickup=PICKUP)


def table(game: GameDefinition, **settings: Any) -> Driver:
    return Driver(new_table(settings_of(game, **settings)))


def ready(game: GameDefinition, **settings: Any) -> Driver:
    """Return a table with one deck loaded."""
    driver = table(game, **settings)
    driver.open_deck()
    driver.load()
    return driver
