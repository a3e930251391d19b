"""Plays worked hands at a running house's tables with real cards and staff, many hands at each table."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from house.floors import PROGRESSIVE, Floor
from house.live_table.staffed import BY, DEALER, FLOOR, OPERATOR, SECOND_OPERATOR, StaffedTable
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import LEAST_DECISION_MS, Pace, TableTerms
from pitboss.house.money.ledger import purse
from pitboss.house.people import leases
from pitboss.house.progressive import MeterTerms, link_of
from pitboss.house.progressive import commands as of_meters
from pitboss.house.running_tables import Answer, Done
from pitboss.record.entries import Entry
from pitboss.round.state import ASKING, DEALING, Round
from pitboss.rules import irregularity as wrong
from pitboss.rules.play import Ask
from pitboss.rules.refusal import Refusal
from pitboss.server.live.best_discard import best_discard
from pitboss.table import commands as of_cards
from pitboss.table import next_duties
from pitboss.table.conditions import cards_of
from pitboss.table.settings import PLAIN, READER, TableSettings
from pitboss.table.state import LOADED
from worked import SECOND, rules_of

TRAY, PURSE, BUY_IN = 10**11, 10**10, 10**9
A_TRICKLE = Fraction(1, 10**9)  # what a stake adds to a meter stays below a cent
MOST_STEPS = 300
Watch = Callable[[StaffedTable], object]  # looks on before every step of a round
COUNTS = (wrong.STUB_COUNT_MISDEALT, wrong.STUB_COUNT_WRONG)


def document_of(name: str, hand: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of the table that a worked hand is played at."""
    document: dict[str, Any] = {"game": name, "decks": 2 if _is_other_deck(hand) else 1}
    document |= {key: hand[key] for key in ("choices", "dealing_method", "meters", "resets") if key in hand}
    return document | ({"box": ""} if "box" in hand else {})


def _is_other_deck(hand: Mapping[str, Any]) -> bool:
    return hand.get("irregularity") == wrong.SHUFFLER_JAM and hand["at"] != "wagers-placed"


def read_terms(document: Mapping[str, Any]) -> TableTerms:
    """Return the terms of the table that a worked hand is played at: for money, on real cards."""
    definition = game(str(document["game"]))
    choices = rules_of(definition, dict(document)).choices
    settings = TableSettings(definition, choices, shuffler=PLAIN, decks=int(document["decks"]), cards=READER)
    progressive = PROGRESSIVE if "meters" in document else None
    pace = Pace(0, LEAST_DECISION_MS, 0, 0)
    return TableTerms(document, settings, progressive, pace, meters=_meters(document, settings) if progressive else ())


def _meters(document: Mapping[str, Any], settings: TableSettings) -> tuple[MeterTerms, ...]:
    rules = settings.rules
    progressive = rules.game.progressive
    assert progressive is not None
    least = {meter.name: meter for meter in progressive.meters[str(rules.paytables[progressive.wager].letter)]}
    resets = document.get("resets", {})
    return tuple(
        MeterTerms(name, cents, resets.get(name, least[name].minimum_cents), A_TRICKLE, least[name].cite)
        for name, cents in document["meters"].items()
    )


def _nothing(table: StaffedTable) -> None:
    """Look at nothing."""


class WorkedTables:
    """A table in a running house for each set of choices that the worked hands ask for."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.free: dict[str, WorkedTable] = {}

    def play(self, name: str, hand: Mapping[str, Any], watch: Watch | None = None) -> "WorkedTable":
        """Play a worked hand to its end at its table, the hands before it having been played there too."""
        return self.runner.run(self._play(name, hand, watch or _nothing))

    async def _play(self, name: str, hand: Mapping[str, Any], watch: Watch) -> "WorkedTable":
        document = document_of(name, hand)
        key = json.dumps(document)
        table = self.free.pop(key, None)  # one at which a hand went wrong is not played at again
        if table is None:
            table = WorkedTable(Floor(terms=read_terms, best_discard=best_discard), name, **document)
            await table.open()
        table.watch = watch
        await table.play(hand)
        if "meters" not in document:  # a meter that was hit shows another amount
            self.free[key] = table
        return table


class WorkedTable(StaffedTable):
    """One table with its people, and the worked hand that is being played at it."""

    def __init__(self, floor: Floor, name: str, **document: Any) -> None:
        super().__init__(floor, name)
        self.document = {**document, "cards": READER}
        self.watch: Watch = _nothing
        self.hand: Mapping[str, Any] = {}
        self.entries: list[Entry] = []
        self.net: dict[str, int] = {}
        self.deck = ""
        self.is_reported = False

    async def open(self, dealer: tuple[str, str] = DEALER) -> None:
        """Put the rules in force, link the table to its meters, and have a dealer take it."""
        self.floor.house.open(self.table)
        activated = commands.ActivateSubmission(document=self.document)
        await self.both(OPERATOR, SECOND_OPERATOR, activated)
        assert self.live.terms is not None
        if self.live.terms.meters:
            link = link_of(self.table, self.live.terms.settings.rules)
            assert link is not None
            opened = of_meters.OpenMeters(at=0, meters=self.live.terms.meters, by="one", second="two")
            await self.floor.meters(opened)
            await self.floor.meters(of_meters.LinkTable(at=0, link=link))
        await self.must(FLOOR, commands.OpenTable(tray_cents=TRAY))
        await self.must(dealer, leases.TakeLease(by=BY, at=0))

    @property
    def play_now(self) -> Round:
        """Return the round that is being played."""
        assert self.live.play is not None
        return self.live.play

    async def play(self, hand: Mapping[str, Any]) -> None:
        """Play one worked hand, and keep what the record has of it and what it did to every player's chips."""
        self.lay_out(hand)
        for seat in hand["seat"]:
            if self.live.seats.get(seat["seat"]) is None:
                assert isinstance(await self.sit(seat["seat"]), Done)
        await self._check_lease()
        await self.prepare()
        before, head = self._chips(), self.live.head.sequence
        await self.must(DEALER, commands.BeginRound())
        for seat in hand["seat"]:
            player = (self.player_of(seat["seat"]), "player")
            await self.must(player, commands.PlaceWagers(seat=seat["seat"], stakes=seat["wagers"]))
        await self._close_bets()
        for _ in range(MOST_STEPS):
            if not self.live.in_round:
                break
            if not self.is_reported and self._is_at_point():
                self.is_reported = True
                await self._go_wrong()
            else:
                await self.next()
        assert not self.live.in_round, f"the round never came to its end: {self.play_now.phase}"
        after = self._chips()
        self.net = {player: after[player] - before[player] for player in before}
        self.entries = list(self.floor.store.read(f"table/{self.table}", head))

    def player_of(self, seat: int) -> str:
        """Return who plays at a seat: one player at all of them where the hand is about adjacent ones."""
        allowed = [cents for name, cents in self.hand.get("choices", {}).items() if name.startswith("adjacent-")]
        return f"player {self.hand['seat'][0]['seat'] if any(count > 1 for count in allowed) else seat}"

    def lay_out(self, hand: Mapping[str, Any]) -> None:
        """Get the cards and the answers of a worked hand ready."""
        self.hand = hand
        deck = game(self.name).deck
        taken: set[Card] = set()
        places = [place for place in ("dealer", "board", "box") if place in self.hand]
        self.waiting: dict[int | str, list[Card]] = {
            place: list(deck.pick(self.hand[place].split(), taken)) for place in places
        }
        self.answers: dict[int, list[str]] = {}
        for seat in self.hand["seat"]:
            self.waiting[seat["seat"]] = list(deck.pick(seat["cards"].split(), taken))
            self.answers[seat["seat"]] = list(seat["actions"])
        self.spare = [card for card in deck.cards if card not in taken]
        self.is_reported = "irregularity" not in self.hand
        self.is_first_found = not self.hand.get("irregularity", "").startswith(SECOND)
        self.absent: set[int] = set()
        self.deck = ""
        self.settles_after = 0

    async def sit(self, seat: int) -> Answer:
        """Have the player of a seat take it and buy chips, or be refused it."""
        player = self.player_of(seat)
        if not self.floor.house.money.state.get(purse(player, free_play=False)):
            await self.floor.issue(player, PURSE, free_play=False)
        taken = await self.ask((player, "player"), commands.TakeSeat(seat=seat))
        if isinstance(taken, Refusal):
            return taken
        return await self.must((player, "player"), commands.BuyIn(cents=BUY_IN))

    async def _check_lease(self) -> None:
        if not self.live.lease.is_held(self.floor.clock.now):
            await self.must(DEALER, leases.TakeLease(by=BY, at=0))

    def _chips(self) -> dict[str, int]:
        # Who has left has their chips on deposit after the round.
        deposits = self.floor.house.money.state
        return {
            player: self.live.stack_cents(player) + deposits.get(purse(player, free_play=False), 0)
            for player in {self.player_of(seat["seat"]) for seat in self.hand["seat"]}
        }

    async def _close_bets(self) -> None:
        chips = None
        if "meters" in self.hand:
            chips = sum("progressive" in seat["wagers"] for seat in self.hand["seat"])
            if self.hand.get("irregularity") == wrong.PROGRESSIVE_MISMATCH:
                chips -= 1
        await self.must(DEALER, commands.CloseBets(progressive_chips=chips or None))

    # What the round waits for.

    async def next(self) -> None:
        """Do what the round waits for, with the cards and the answers of the worked hand."""
        self.watch(self)
        play = self.play_now
        if play.phase == DEALING:
            await self._deal()
        elif play.phase == ASKING:
            await self._try_cards()
            answered = await self.answer(play.seat_asked)
            assert isinstance(answered, Done), answered
        else:
            self.deck = play.deck or self.deck
            self.settles_after = self.settles_after or self.live.head.sequence
            await super().next()
            await self._confirm()

    async def _deal(self) -> None:
        due = self.play_now.due
        assert due is not None
        if due.is_turned:
            await self.must(DEALER, commands.TurnCards())
            return
        await self._load_again()
        step = self.play_now.step
        for _ in range(due.cards - len(self.live.waiting)):
            await self.must(DEALER, commands.ReadCard(card=self._draw(due.place)))
        await self.must(DEALER, commands.DealCards())
        if not self.is_first_found and step == 1:
            self.is_first_found = True
            await self._see_face_up()

    async def _try_cards(self) -> None:
        """Check that no card moves and nothing is paid before everyone has acted."""
        early = (commands.DealCards(), commands.TurnCards(), commands.Settle())
        for command in early:
            assert isinstance(await self.ask(DEALER, command), Refusal), command

    async def _load_again(self) -> None:
        """Make the deck of the open round ready again if it was shuffled again."""
        cards = self.live.cards
        assert cards is not None
        assert cards.round is not None
        deck = cards.round.deck
        while self.live.cards is not None and self.live.cards.deck(deck).stage != LOADED:
            await self.do(next(duty for duty in next_duties(self.live.cards) if duty.deck == deck))

    def _draw(self, place: int | str) -> Card:
        own = self.waiting.get(place)
        return own.pop(0) if own else self.spare.pop()

    async def answer(self, seat: int) -> Answer:
        """Have the player who is asked give the next answer, or others for one who left."""
        if seat in self.absent:
            return await self.ask(DEALER, commands.ActForAbsent(seat=seat))
        action = self.answers[seat].pop(0)
        discard = None
        if self.answers[seat] and self.answers[seat][0].startswith("discard "):
            discard = Card(self.answers[seat].pop(0).removeprefix("discard "))
        return await self.ask((self.player_of(seat), "player"), commands.Act(seat=seat, action=action, discard=discard))

    # What goes wrong.

    def _is_at_point(self) -> bool:
        state, at = self.play_now, self.hand["at"]
        asks = [index for index, step in enumerate(state.rules.play) if isinstance(step, Ask)]
        if at == "wagers-placed":
            return True
        if at == "dealing":
            return state.step == 1 and state.cursor >= max(len(state.pending) // 2, 1)
        if at.startswith("community-"):
            return state.phase == DEALING and state.step == asks[int(at.removeprefix("community-")) - 1] + 1
        if at == "settling":
            return state.step > asks[-1]
        return state.phase == ASKING and state.step == asks[int(at.removeprefix("decision-")) - 1]

    async def _go_wrong(self) -> None:
        kind = self.hand["irregularity"].removeprefix(SECOND)
        if kind == wrong.FACE_UP_CARD:
            await self._see_face_up()
        elif kind in COUNTS:
            await self._count_wrong(is_misdealt=kind == wrong.STUB_COUNT_MISDEALT)
            await self._report(kind)
        elif kind == wrong.DRAWN_IN_ERROR and self.play_now.due is not None:
            await self.must(DEALER, commands.ReadCard(card=self._draw(self.play_now.due.place)))
            await self._report(kind)
        else:
            await self._report(kind)
        if self.hand.get("ruling") == "played-out":
            gone = self.player_of(self.hand["offender"])
            self.absent |= {seat["seat"] for seat in self.hand["seat"] if self.player_of(seat["seat"]) == gone}

    async def _see_face_up(self) -> None:
        card = self.spare.pop()
        if self.play_now.phase == DEALING:
            await self.must(DEALER, commands.ReadCard(card=card))
        await self._report(wrong.FACE_UP_CARD, card)

    async def _count_wrong(self, *, is_misdealt: bool) -> None:
        cards = self.live.cards
        assert cards is not None
        assert cards.round is not None
        whole = cards_of(cards)
        await self.must(DEALER, of_cards.CountStub(by=BY, at=0, cards=whole - cards.round.dealt - 1))
        in_deck = whole if is_misdealt else whole - 1
        await self.must(DEALER, of_cards.FindMisdeal(by=BY, at=0, misdealt=is_misdealt, cards_in_deck=in_deck))

    async def _report(self, kind: str, card: Card | None = None) -> None:
        """Have the dealer report what happened, and a floorperson stand as the second or rule on it."""
        report = commands.ReportIrregularity(
            irregularity=kind,
            seat=self.hand.get("offender"),
            card=card,
            other_deck=_is_other_deck(self.hand),
            limb=self.hand.get("limb"),
        )
        await self.must(DEALER, report)
        if self.live.trouble is not None and not self.live.proposals:
            ruling = self.hand["ruling"]
            await self.must(FLOOR, replace(report, ruling=ruling, note="as everybody saw it"))
        await self._confirm()

    async def _confirm(self) -> None:
        """Have the other of dealer and floorperson confirm what takes two."""
        for proposal in list(self.live.proposals):
            by = self.live.proposals[proposal].by
            await self.must(FLOOR if by == DEALER[0] else DEALER, commands.Confirm(proposal=proposal))

    # What the record has of the hand.

    def of_kind(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the bodies of the hand's entries of one kind."""
        return [entry.body for entry in self.entries if entry.kind == f"round.{kind}"]

    def worked_net(self) -> dict[str, int]:
        """Return what the hand is worked to bring every player."""
        net = dict.fromkeys(self.net, 0)
        for seat in self.hand["seat"]:
            net[self.player_of(seat["seat"])] += seat["net"]
        return net

    def seats_settled(self) -> list[int]:
        """Return the seats that were settled when the dealer began to, in the order of the record."""
        after = [entry for entry in self.entries if entry.sequence > self.settles_after]
        return list(dict.fromkeys(entry.body["seat"] for entry in after if entry.kind == "round.WagersSettled"))

    def collected_too_soon(self) -> list[int]:
        """Return the seats whose cards were picked up while one of their wagers was still to be settled."""
        open_wagers: dict[int, set[str]] = {}
        found: list[int] = []
        for entry in self.entries:
            body = entry.body
            if entry.kind == "round.WagersPlaced":
                open_wagers[body["seat"]] = set(body["stakes"])
            elif entry.kind == "round.ActionTaken" and body["wager"]:
                open_wagers[body["seat"]].add(body["wager"])
            elif entry.kind == "round.WagersSettled":
                open_wagers[body["seat"]] -= {row["wager"] for row in body["results"]}
            elif entry.kind == "round.WagerReturned":
                open_wagers[body["seat"]].discard(body["wager"])
            elif entry.kind == "round.CardsCollected" and open_wagers.get(body["place"]):
                found.append(body["place"])
        return found

    def pays(self, seat: int) -> dict[str, list[Any]]:
        """Return what the record has of a seat's wagers, in the notation of the worked hands."""
        rows: dict[str, list[Any]] = {}
        for entry in self.entries:
            if entry.body.get("seat") != seat:
                continue
            if entry.kind == "round.WagersSettled":
                for row in entry.body["results"]:
                    rows[row["wager"]] = [
                        row["result"],
                        row["net"],
                        row["odds"] or "",
                        row["clause"],
                        row["odds_clause"] or "",
                    ]
            elif entry.kind == "round.WagerReturned":
                rows[entry.body["wager"]] = ["push", 0, "", entry.clause, ""]
        return rows
