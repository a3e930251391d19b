"""A real server with a person in every role, and tables that scenarios drive over HTTP as those people would."""

import asyncio
import itertools
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from house.stacking import shuffle_by, stacked
from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card, face
from pitboss.cli.reader import SimulatedReader
from pitboss.games.catalogue import folders, game
from pitboss.house.live_table.duty_order import blocking
from pitboss.house.patrons import is_patron
from pitboss.house.people.commands import AddPerson
from pitboss.house.people.decide import SignInRules
from pitboss.record.entries import line_of
from pitboss.round.state import deliveries
from pitboss.rules.dealing import Deal
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import SUPERVISOR, OpenFloor
from pitboss.table.people import AUTOMATON, Person
from pitboss_verify import verify
from server.running import AWAKE, Client, Running

PLAYERS = ("alice", "bob", "carol", "dave", "erin", "fay", "gus")
PASSER_BY = PLAYERS[-1]
EVERYBODY = {
    **dict.fromkeys(PLAYERS, "player"),
    "dana": "dealer",
    "dov": "dealer",
    "flo": "floorperson",
    "fred": "floorperson",
    "pit": "pit-manager",
    "cay": "cage",
    "cam": "cage",
    "con": "count-team",
    "cou": "count-team",
    "olga": "operator",
    "otto": "operator",
    "sue": "surveillance",
    "aud": "auditor",
    "reg": "regulator",
    "tec": "technician",
    "ann": "administrator",
    "adam": "administrator",  # last: once there is one, no program adds people
}
SEVERAL_ROLES = {"tri": ("dealer", "floorperson", "pit-manager")}  # one person, whatever hats they wear
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
READER, DRAWN = "reader", "drawn"  # real cards that a reader reports, or cards that the program draws
KEEPER = Person(SUPERVISOR, AUTOMATON)
BUY_IN, TRAY = 2_000_00, 500_000_00
_names = itertools.count(1)

Refused = dict[str, Any]


def unique(word: str) -> str:
    """Return a name that no other scenario of this floor has."""
    return f"{word}-{next(_names)}"


class ScenarioFloor(Running):
    """A server without tables of its own; its clock can be moved forward, and the next deck shuffled can be stacked."""

    def __init__(self, data: Path, *, requires_readers: bool = False, rules: SignInRules = AWAKE) -> None:
        self.data = data
        self.ahead_ms = 0
        self.stacked: list[Card] = []
        self._chance = SeededShuffle(12)
        super().__init__(data, rules=rules, requires_readers=requires_readers)
        self.people = {name: Client(self, name) for name in (*EVERYBODY, *SEVERAL_ROLES)}

    async def _opening(self, floor: OpenFloor) -> None:
        self.floor, self.loop = floor, asyncio.get_running_loop()
        wall = floor.clock._wall_ms
        floor.clock._wall_ms = lambda: wall() + self.ahead_ms
        shuffle_by(floor.house, self._order)
        for name, roles in (SEVERAL_ROLES | {name: (role,) for name, role in EVERYBODY.items()}).items():
            await floor.office.put(AddPerson(by=KEEPER, at=floor.clock.now_ms(), person=name, roles=roles))
            link = await floor.office.issue_link(KEEPER, name)
            assert not isinstance(link, Refusal), link
            self.links[name] = link.token

    def _order(self, live: Any, deck: Any) -> tuple[Any, ...]:
        return stacked(live, [card for card in self.stacked if card in deck], self._chance.order(deck))

    def pass_time(self, milliseconds: int) -> None:
        """Move the house's clock on."""
        self.ahead_ms += milliseconds

    def noted(self, kind: str) -> list[Any]:
        """Return what the floor's own stream notes of one kind."""
        assert self.floor is not None
        return list(self.floor.store.read("floor", kinds=(kind,)))

    def office(self, name: str, body: dict[str, Any]) -> Any:
        """Give a command of the back office and return the answer."""
        client = self.people[name]
        client.number += 1
        asked = {"id": f"{name}-office-{client.number}-{next(_names)}", "body": body}
        return client.http.post("/api/office/commands", json=asked)

    def both_at_office(self, first: str, second: str, body: dict[str, Any]) -> None:
        """Have one person propose a command of the back office and another confirm it."""
        answer = self.office(first, body)
        assert answer.status_code == 200, answer.text
        waiting = self.people[second].http.get("/api/office/proposals").raise_for_status().json()
        own = next(proposal for proposal in waiting if proposal["proposal"] == answer.json()["proposal"])
        confirm = {"kind": "Confirm", "proposal": own["proposal"], "digest": own["digest"]}
        answer = self.office(second, confirm)
        assert answer.status_code == 200, answer.text


class ScenarioTable:
    """One table of a scenario: open, with a dealer at work and players who have chips."""

    def __init__(self, floor: ScenarioFloor, game_name: str, cards: str = READER, **changes: Any) -> None:
        self.floor = floor
        self.game = game(game_name)
        self.table = f"{game_name}-{next(_names)}"
        self.cards = cards
        self.token: int | None = None
        self.dealer = "dana"
        self.deck: list[str] = []
        self.reader: SimulatedReader | None = None
        self.document = document_for(game_name, cards, **changes)

    # Giving commands.

    def ask(self, name: str, kind: str, **fields: Any) -> Any:
        """Send a command as a person and return the raw answer."""
        token: dict[str, Any] = {"token": self.token} if name == self.dealer and self.token is not None else {}
        return self.floor.people[name].command(self.table, {"kind": kind, **fields}, **token)

    def must(self, name: str, kind: str, **fields: Any) -> dict[str, Any]:
        """Give a command that has to be carried out; the dealer first confirms what comes before it."""
        if name == self.dealer and kind in ("Settle", "TurnCards"):
            self.confirm_first(kind)
        answer = self.ask(name, kind, **fields)
        assert answer.status_code == 200, f"{kind} by {name}: {answer.text}"
        done: dict[str, Any] = answer.json()
        return done

    def confirm_first(self, kind: str) -> None:
        """Have the dealer confirm the duty that a command waits for, where one does."""
        duty = blocking(self.live, kind)
        if duty is not None:
            self.must(self.dealer, "ConfirmDuty", duty=duty.id)

    def refused(self, name: str, kind: str, **fields: Any) -> Refused:
        """Give a command that has to be refused, and return the refusal: reason, clause and field."""
        before = self.sequence
        answer = self.ask(name, kind, **fields)
        assert answer.status_code == 409, f"{kind} by {name} was not refused: {answer.status_code} {answer.text}"
        assert self.sequence == before, "a refused command leaves no entry in its table's stream"
        found: Refused = answer.json()["refused"]
        return found

    def both(self, first: str, second: str, kind: str, **fields: Any) -> dict[str, Any]:
        """Have one person propose and another confirm."""
        proposal = self.must(first, kind, **fields)["proposal"]
        assert proposal is not None, f"{kind} by {first} took no second person"
        return self.must(second, "Confirm", proposal=proposal)

    # Looking.

    def view(self, name: str = "alice") -> dict[str, Any]:
        """Return the table as a person sees it."""
        return self.floor.people[name].view(self.table)

    @property
    def sequence(self) -> int:
        """Return the number of the table's last entry."""
        assert self.floor.floor is not None
        return self.floor.floor.house.live(self.table).head.sequence

    @property
    def live(self) -> Any:
        """Return the server's own state of this table, for assertions that no page shows."""
        assert self.floor.floor is not None
        return self.floor.floor.house.live(self.table)

    def entries(self, kind: str | None = None) -> list[Any]:
        """Return the table's recorded entries, those of one kind where it is named (`round.WagersSettled`)."""
        assert self.floor.floor is not None
        every = self.floor.floor.store.read(f"table/{self.table}")
        return [entry for entry in every if kind is None or entry.kind == kind]

    def verified(self) -> Any:
        """Check this table's stream with the independent verifier and return the fault it finds, or None."""
        with TemporaryDirectory() as folder:
            log = Path(folder) / "record.jsonl"
            log.write_text("".join(f"{line_of(entry)}\n" for entry in self.entries()))
            return verify(log, is_excerpt=True).fault

    def console(self, name: str | None = None) -> dict[str, Any]:
        """Return the dealer's console as a person sees it."""
        client = self.floor.people[name or self.dealer]
        shown: dict[str, Any] = client.http.get(f"/api/tables/{self.table}/console").raise_for_status().json()
        return shown["console"]

    def money(self) -> dict[str, int]:
        """Return every balance of the table, so that a scenario can show that none of it moved."""
        return dict(self.live.balances)

    @property
    def phase(self) -> str | None:
        """Return the round's phase."""
        return self.live.play.phase if self.live.in_round else None

    # Getting ready.

    def open(self, players: tuple[str, ...] = PLAYERS[:2]) -> "ScenarioTable":
        """Put the rules in force, open the table, have the dealer take it and the players sit down with chips."""
        submit = {"kind": "SubmitRules", "table": self.table, "document": self.document}
        answer = self.floor.office("olga", submit)
        assert answer.status_code == 200, answer.text
        self.both("olga", "pit", "ActivateSubmission", document=self.document)
        self.must("flo", "OpenTable", tray_cents=TRAY)
        self.take_over(self.dealer)
        for seat, name in enumerate(players, 1):
            self.sit(name, seat)
        return self

    def take_over(self, dealer: str) -> None:
        """Have a dealer take the place behind the table, from any other table first."""
        assert self.floor.floor is not None
        for other, running in self.floor.floor.house.tables.items():
            lease = running.live.lease
            if lease.holder == dealer and other != self.table:
                self.floor.people["flo"].must(other, {"kind": "WithdrawLease", "reason": "a scenario is over"})
        self.dealer, self.token = dealer, None
        self.token = self.must(dealer, "TakeLease")["lease"]

    def sit(self, name: str, seat: int, cents: int = BUY_IN) -> None:
        """Pay money in for a player, who sits down and buys chips with it."""
        free = bool(self.document["table"].get("free-play"))
        paid = self.floor.office("cay", {"kind": "IssueMoney", "person": name, "cents": cents, "free_play": free})
        assert paid.status_code == 200, paid.text
        self.must(name, "TakeSeat", seat=seat)
        self.must(name, "BuyIn", cents=cents)

    def seat_patron(self, seat: int, cents: int = 0, player: str = "") -> str:
        """Have the dealer seat a player without a device, who buys in with cash, and return the patron's name."""
        self.must(self.dealer, "TakeSeat", seat=seat, player=player)
        if cents:
            self.must(self.dealer, "BuyIn", seat=seat, cents=cents)
        patron: str = self.live.seats[seat]
        return patron

    def speaks_for(self, player: str) -> str:
        """Return who enters what a player does: the player, or the dealer where the player has no device."""
        return self.dealer if is_patron(player) else player

    def prepare(self) -> None:
        """Follow the console until a round can begin."""
        for _ in range(120):
            duties = self._still_to_prepare()
            if not duties:
                return
            self.do(duties[0])
        raise AssertionError(f"no deck was ready: {self.console()['duties']}")

    def _still_to_prepare(self) -> list[dict[str, Any]]:
        later = ("BeginRound", "SpreadIdle", "RemoveDeck", "Confirm")
        return [duty for duty in self.console()["duties"] if duty["command"]["kind"] not in later]

    def prepare_in_round(self) -> None:
        """Make the deck of the open round ready again, after another cut or shuffle."""
        deck = self.live.cards.round.deck
        while self.live.cards.deck(deck).stage != "loaded":
            self.do(next(duty for duty in self.console()["duties"] if duty["command"].get("deck") == deck))

    def do(self, duty: dict[str, Any]) -> None:
        """Do what the console asks for, as the person it names."""
        command = dict(duty["command"])
        kind, whole = command["kind"], len(self.game.deck)
        if kind == "ReceiveDeck":
            command.setdefault("deck", f"deck-{len(self.live.cards.decks) + len(self.live.cards.removed) + 1}")
        elif kind == "ShuffleDeck":
            command.setdefault("way", "device" if self.live.cards.shuffler == "in-service" else "manual")
        elif kind in ("ReadDeviceCount", "CountDeck"):
            command.setdefault("cards", whole)
        elif kind == "CutDeck":
            command.setdefault("cards", whole // 2)
        seated = self.speaks_for(next(iter(self.live.seats.values()), self.dealer))
        by = {"floorperson": "flo", "player": seated}.get(duty["by"], self.dealer)
        if duty["id"] == "look" and not self.live.seats:
            self._looked_over(command)
            return
        self.must(by, **command)

    def _looked_over(self, command: dict[str, Any]) -> None:
        # Somebody sits down for the first look, and doesn't play.
        self.must(PASSER_BY, "TakeSeat", seat=1)
        self.must(PASSER_BY, **command)
        self.must(PASSER_BY, "LeaveSeat", seat=1)

    # A round.

    def begin(self, cards: str = "") -> None:
        """Begin a round; cards named here leave the deck first, in this order, then the rest as shuffled."""
        self.prepare()
        self.must(self.dealer, "BeginRound")
        self.stack(cards)

    def stack(self, cards: str = "") -> None:
        """Lay out the real cards: the named faces on top, the others behind them."""
        rest = [face(card) for card in SeededShuffle(next(_names)).order(self.game.deck)]
        first = cards.split()
        for card in first:
            rest.remove(card)
        self.deck = [*first, *rest]

    def lay(self, hands: dict[Any, str]) -> None:
        """Lay out the real cards by the places that get them, once bets are closed; the others as they come."""
        play = self.live.play
        wanted = {place: cards.split() for place, cards in hands.items()}
        named = [card for cards in wanted.values() for card in cards]
        rest = list(self.deck)
        for card in named:
            rest.remove(card)
        laid: list[str] = []
        for step, here in enumerate(play.rules.play):
            for due in deliveries(play, step) if isinstance(here, Deal) else ():
                own = wanted.get(due.place, [])
                laid.extend(own.pop(0) if own else rest.pop(0) for _ in range(0 if due.is_turned else due.cards))
        self.deck = [*laid, *rest]

    def wager(self, name: str, **stakes: int) -> dict[str, Any]:
        """Place a player's wagers; underscores stand for hyphens. With none named, the required ones at the minimum."""
        seat = next(seat for seat, player in self.live.seats.items() if player == name)
        named = {wager.replace("_", "-"): cents for wager, cents in stakes.items()}
        return self.must(self.speaks_for(name), "PlaceWagers", seat=seat, stakes=named or self.least())

    def least(self) -> dict[str, int]:
        """Return the required wagers at the table's minimum."""
        minimum = self.document["table"]["minimum"]
        return {wager.name: minimum for wager in self.game.wagers if wager.required and not wager.by_action}

    def close_bets(self, **fields: Any) -> None:
        """Call no more bets."""
        self.must(self.dealer, "CloseBets", **fields)

    def enroll(self) -> SimulatedReader:
        """Have a technician and a floorperson enroll a reader, which reads this table's cards from now on."""
        self.reader = SimulatedReader(unique("reader"), self.table, Ed25519PrivateKey.generate())
        self.both("tec", "flo", "EnrollReader", reader=self.reader.name, key=self.reader.key)
        return self.reader

    def sent(self, message: dict[str, Any]) -> Any:
        """Send a reader's message and return the answer."""
        return self.floor.people["alice"].http.post(f"/api/tables/{self.table}/reader", json=message)

    def read(self, count: int = 1) -> None:
        """Let the reader see the next cards of the deck, or have the dealer enter them."""
        for _ in range(count):
            card = self.deck.pop(0)
            if self.reader is None:
                self.must(self.dealer, "ReadCard", card=card)
            else:
                assert self.sent(self.reader.saw(card)).json()["is_read"]

    def deal_one(self) -> None:
        """Deal or turn what is due."""
        due = self.live.play.due
        if due.is_turned:
            self.must(self.dealer, "TurnCards")
            return
        if self.cards == READER:
            self.read(due.cards - len(self.live.waiting))
        self.must(self.dealer, "DealCards")

    def deal(self) -> None:
        """Deal until a player has to act or wagers can be settled."""
        while self.phase == "dealing":
            self.deal_one()

    def answer(self, action: str, seat: int | None = None) -> None:
        """Have the seat that is asked give an answer; a discard is its last card where one is needed."""
        play = self.live.play
        seat = seat or play.seat_asked
        player = play.players[seat]
        ask = play.rules.play[play.step]
        needs = play.rules.actions[ask.name][action].discards
        discard = {"discard": face(play.cards[seat][-1])} if needs else {}
        self.must(self.speaks_for(player), "Act", seat=seat, action=action, **discard)

    def least_answer(self) -> None:
        """Have the seat that is asked answer with the least that stays in."""
        play = self.live.play
        ask = play.rules.play[play.step]
        names = list(play.rules.actions[ask.name])
        wanted = next((name for name in ("check", "play", "bet", "raise 1x") if name in names), names[0])
        self.answer(wanted)

    def play_to(self, phase: str) -> None:
        """Play on until the round reaches a phase, with everyone staying in for the minimum."""
        for _ in range(200):
            if self.phase == phase:
                return
            self.step()
        raise AssertionError(f"the round never came to {phase}")

    def step(self) -> None:
        """Do what the round waits for."""
        match self.phase:
            case "wagering":
                for player in self.live.seats.values():
                    self.wager(player)
                self.close_bets()
            case "dealing":
                self.deal_one()
            case "asking":
                self.least_answer()
            case "settling":
                self.put_stub_away()
                self.must(self.dealer, "Settle")
            case "awaiting-meter" | "awaiting-verification":
                self.validate()
            case _:
                self.end()

    def validate(self, name: str = "flo") -> None:
        """Have a floorperson validate the payout that waits, by the command the console offers."""
        duty = next(duty for duty in self.console(name)["duties"] if duty["id"] == "validate")
        self.must(name, **duty["command"])

    def put_stub_away(self) -> None:
        """Count the stub where the console asks for it, else rack it."""
        played = self.live.cards.round
        if not played.dealt or played.stub != "with-dealer":
            return
        if any(row["command"] == "RackStub" for row in self.console()["refused"]):
            self.must(self.dealer, "CountStub", cards=len(self.game.deck) - played.dealt)
        else:
            self.must(self.dealer, "RackStub")

    def end(self) -> None:
        """Pick up the cards and end the round."""
        if self.live.play.outcome == "settled":
            self.put_stub_away()
        self.must(self.dealer, "EndRound")

    def play_round(self) -> None:
        """Play a whole round, with everyone staying in for the minimum."""
        self.begin()
        while self.live.in_round:
            self.step()


def document_for(game_name: str, cards: str = READER, **changes: Any) -> dict[str, Any]:
    """Return the document of a table: real cards for money, drawn cards on an electronic table or for free play."""
    example = EXAMPLES / f"{game_name}.toml"
    # A game from elsewhere brings its submission in its own folder.
    written = tomllib.loads((example if example.exists() else folders()[game_name] / "submission.toml").read_text())
    table = dict(written["table"][0])
    table["name"] = f"{game_name} {next(_names)}"
    table["shuffler"], table["decks"] = "plain", 1
    table["dealing"] = "manual-shoe"
    table["options"] = {key: value for key, value in table.get("options", {}).items() if value != "in-shuffler"}
    table["wagers"] = {
        name: stated for name, stated in table["wagers"].items() if name not in ("progressive", "six-card-bonus")
    }
    if cards == DRAWN:
        electronic = game(game_name).procedures.electronic_cite is not None
        table |= {"electronic": True} if electronic else {"free-play": True}
    progressive = changes.pop("progressive_name", None)
    # Every table is a facility's own, so that scenarios of one floor are not bound to one version of a game.
    facility = {**written["facility"], "name": changes.pop("facility", f"Facility {next(_names)}")}
    for key, value in changes.items():
        name = key.replace("_", "-")
        table[name] = {**table.get(name, {}), **value} if isinstance(value, dict) else value
    if "envy-needs-wager" in table["options"] and "progressive" not in table["wagers"]:
        table["options"] = {key: value for key, value in table["options"].items() if key != "envy-needs-wager"}
    return {"facility": facility, "table": table, "dealer": "people", "progressive": progressive}


__all__ = ["DRAWN", "EVERYBODY", "PLAYERS", "READER", "ScenarioFloor", "ScenarioTable", "document_for", "unique"]
