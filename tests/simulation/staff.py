"""The staff of a simulated table: dealers who follow the procedure, a floor that intervenes, a cage, operators."""

import asyncio
import random
from collections import defaultdict
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card
from pitboss.cli.reader import SimulatedReader
from pitboss.house.live_table import commands
from pitboss.house.live_table.card_readers import actor_of
from pitboss.house.live_table.duty_order import blocking
from pitboss.house.live_table.idle_table import check_first_wager, is_spread_due
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.postings import FillNeeded
from pitboss.house.people import leases
from pitboss.house.running_tables import Done
from pitboss.round.state import ASKING, AWAITING_METER, AWAITING_VERIFICATION, DEALING, OVER, SETTLING, WAGERING
from pitboss.rules.dealing import BOARD, HAND, MANUAL_SHOE
from pitboss.rules.irregularity import PLAYER_LEFT
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table import next_duties
from pitboss.table.conditions import cards_of, is_count_due
from pitboss.table.duties_now import DutyNow
from pitboss.table.people import AUTOMATON
from pitboss.table.state import ABSENT, FAILED, IN_SERVICE, LOADED, STUB_DISPUTED, WITH_DEALER
from simulation import forbidden, patrons, reports
from simulation.counted_people import TABLE, is_counted
from simulation.coverage import progressive_chips, waits_for_progressive
from simulation.forbidden import BY, hold_on
from simulation.people import Person
from simulation.world import World

TRAY_CENTS = 100_000_00
# How often the staff of a round report something instead of what is due: the shorter a phase, the likelier.
REPORTS = {WAGERING: 0.03, DEALING: 0.04, ASKING: 0.08, SETTLING: 0.12, AWAITING_METER: 0.8, AWAITING_VERIFICATION: 0.5}
TRIES = 0.4  # of what the staff of a held table do
DISPUTES = 0.25  # the same, of a settled round before its cards are picked up
LATE_DISPUTES = 0.17
MISREADS = 0.04  # of what the staff of a table with a reader do
UNCOUNTED = (commands.OpenTable, commands.CloseTable, commands.Fill, commands.Credit, commands.CountInventory)
Due = tuple[Person, commands.Command]


class Staff:
    """Everyone who works at one table."""

    def __init__(self, world: World, table: str) -> None:
        self.world, self.table = world, table
        self.chance: random.Random = world.chance
        self.dealer = self._person(f"dana-{table}", "dealer")
        self.relief = self._person(f"dora-{table}", "dealer")
        self.floor = self._person("flo", "floorperson")
        self.pit = self._person("pete", "pit-manager")
        self.cage = self._person("cathy", "cage")
        self.operator = self._person("olga", "operator")
        self.technician = self._person("tom", "technician")
        self.second_operator = self._person("otto", "operator")
        secret = Ed25519PrivateKey.from_private_bytes(f"reader of {table}".encode().ljust(32)[:32])
        self.reader = SimulatedReader("reader", table, secret)
        self.device = self._person(actor_of(self.reader.name), AUTOMATON)
        self.told: dict[str, set[str]] = defaultdict(set)  # by phase: what was reported in it
        self.is_counted, self.lacks_chips = is_counted(world.seed) and table == TABLE, False  # under money controls
        self.told_late: set[str] = set()  # the rounds in which something was reported

    def _person(self, name: str, role: str) -> Person:
        return Person(self.world, self.table, name, role)

    async def work(self) -> None:
        """Do what is due, and now and then something else, until the world ends."""
        while self.table not in self.world.done:
            live = self.world.live(self.table)
            if live is not None and not await self._tried(live):
                due = self._due(live)
                if not self.world.finishing and self.chance.random() < 0.1:
                    due = self.chance.choice(self._whims(live)) or due
                due = self._noticed(live) or self._entered(live) or due
                if due is not None:
                    await self._do(live, *due)
            await asyncio.sleep(self.chance.uniform(0.02, 0.1))

    def _entered(self, live: LiveTable) -> Due | None:
        if self.world.seed % patrons.EVERY_SEEDS or not live.lease.is_held(live.at):
            return None  # whoever enters it takes the table first
        command = patrons.entered(live, self.chance, quiet=self.world.finishing)
        return None if command is None else (self.holder(live), command)

    async def oversee(self) -> None:
        """Be the floor of a table that deals by itself: report, rule and resolve, and leave the rest to the house."""
        while self.table not in self.world.done:
            live = self.world.live(self.table)
            if live is not None and live.is_open and not await self._tried(live):
                due = self._answered(live) or self._noticed(live)
                if due is not None:
                    await self._do(live, *due)
            await asyncio.sleep(self.chance.uniform(0.1, 0.3))

    async def _tried(self, live: LiveTable) -> bool:
        # Someone gives a command that must wait for the answer to a report, a count or a dispute.
        hold = hold_on(live)
        is_over = self.world.finishing and not waits_for_progressive(live.play)
        if hold is None or is_over or self.chance.random() > TRIES:
            return False
        who, command = forbidden.for_staff(live, hold, self.chance, self._booked(live))
        person = {forbidden.FLOOR: self.floor, forbidden.CAGE: self.cage}.get(who, self.holder(live))
        await person.try_held(hold, command, live.lease.token)
        return True

    def holder(self, live: LiveTable) -> Person:
        """Return the dealer who holds the table, or would take it."""
        return self.dealer if live.lease.holder == self.dealer.name else self.relief

    async def _do(self, live: LiveTable, person: Person, command: commands.Command) -> None:
        was_in_round, rounds = live.in_round, live.rounds
        answer = await person.ask(command, live.lease.token)
        if self.is_counted and isinstance(answer, Done) and isinstance(command, UNCOUNTED):
            self.world.tell(f"{type(command).__name__} was accepted under money controls")
        if isinstance(answer, FillNeeded) and self.is_counted:
            self.lacks_chips = True
        elif isinstance(answer, FillNeeded):
            await self.cage.ask(commands.Fill(cents=answer.fill_cents + 1_000_00))
        elif isinstance(command, commands.Confirm) and isinstance(answer, Refusal):
            await self._turned_down(live, command.proposal)
        if isinstance(command, commands.ActivateSubmission) and was_in_round:
            now = self.world.live(self.table)
            if now is not None and now.rounds == rounds and now.in_round:
                self.world.happened["submission swapped in a round"] += 1

    async def _turned_down(self, live: LiveTable, proposal: str) -> None:
        # The proposer left the table meanwhile. Nobody declines what they found; the floor proposes it again.
        declined = await self.floor.ask(commands.Decline(proposal=proposal, reason="it came too late"))
        if isinstance(declined, Refusal) and live.trouble is not None:
            await self.floor.ask(reports.ruled(live, self.chance, live.trouble.irregularity, live.trouble.seat))

    def _noticed(self, live: LiveTable) -> Due | None:
        # Someone reports that something went wrong, at any moment of a round, the untried moments first.
        if not live.in_round or live.play is None or hold_on(live) is not None:
            return None
        if self.world.finishing and not self._is_last_chance(live):
            return None
        phase = live.play.phase
        people = [self.floor] if self._is_automatic else [self.holder(live), self.floor]
        if phase == OVER:
            dispute = reports.disputed(live, self.chance) if self.chance.random() < DISPUTES else None
            return (self.chance.choice(people), dispute) if dispute is not None else None
        if self.chance.random() > REPORTS[phase] and not self.world.finishing:
            return None
        report = reports.reported(live, self.chance, self.told[phase], self._face_up(live))
        if report is None:
            return None
        self.told[phase].add(report.irregularity)
        self.told_late.add(live.round)
        return people[0] if report.card is not None else self.chance.choice(people), report

    def _is_last_chance(self, live: LiveTable) -> bool:
        # Most rounds that come to a progressive payout are the last of a run, when nothing else goes wrong any more.
        return waits_for_progressive(live.play) and live.round not in self.told_late

    @property
    def _is_automatic(self) -> bool:
        return bool(self.world.tables[self.table]["automatic"])

    def _face_up(self, live: LiveTable) -> Card | None:
        if live.waiting:
            return live.waiting[-1]
        is_dealing = live.play is not None and live.play.due is not None and live.play.due[1] > 0
        is_read = live.terms is not None and live.terms.real_cards
        return self._top_card(live) if is_read and is_dealing else None

    def _answered(self, live: LiveTable) -> Due | None:
        if live.proposals:
            return self._second(live)
        if live.trouble is not None:
            return self._held(live)
        return self._resolved(live) if live.dispute is not None else None

    def _resolved(self, live: LiveTable) -> Due:
        if self.world.finishing:
            return self.floor, commands.ResolveDispute(outcome="stands", note="as the rack shows it")
        return self.floor, reports.resolved(live, self.chance)

    def _held(self, live: LiveTable) -> Due:
        # A report without a proposal: the floor rules, another person declines it, or its reporter withdraws it.
        trouble = live.trouble
        assert trouble is not None
        everybody = (self.dealer, self.relief, self.floor, self.pit, self.technician)
        reporter = next(person for person in everybody if person.name == trouble.by)
        if not self.world.finishing and self.chance.random() < 0.3:
            person = self.chance.choice((self.pit, reporter))
            return person, commands.Decline(proposal=trouble.incident, reason="it was not so")
        return self.floor, reports.ruled(live, self.chance, trouble.irregularity, trouble.seat)

    async def rival(self) -> None:
        """Be a second dealer who gives commands without holding the place."""
        while True:
            await asyncio.sleep(self.chance.uniform(2, 5))
            live = self.world.live(self.table)
            if live is None or self.world.finishing or live.lease.holder is None:
                continue
            rival = self.relief if live.lease.holder == self.dealer.name else self.dealer
            due = self._due(live)
            of_dealer = due is not None and due[0].roles == rival.roles
            command = due[1] if due is not None and of_dealer else leases.TakeLease(**BY)
            answer = await rival.ask(command, live.lease.token)
            if not isinstance(answer, Done):
                self.world.happened["two dealers"] += 1

    def _due(self, live: LiveTable) -> Due | None:
        if live.proposals:
            return self._second(live)
        if live.terms is None:
            return self.operator, commands.ActivateSubmission(document=self.world.tables[self.table])
        if not live.is_open and not self.is_counted:
            return self.floor, commands.OpenTable(tray_cents=TRAY_CENTS)
        if not live.lease.is_held(live.at):
            return self.dealer, leases.TakeLease(**BY)
        if not live.is_open:
            return None  # its tray is counted first
        is_low = live.shift is not None and live.shift.is_tray_low  # as an alert says; else nobody could buy chips
        if is_low and not self.is_counted and (self.world.finishing or self.chance.random() < 0.3):
            return self.cage, commands.Fill(cents=TRAY_CENTS)
        dealer = self.holder(live)
        return self._in_round(live, dealer) if live.in_round else self._between(live, dealer)

    def _second(self, live: LiveTable) -> Due:
        name, waiting = next(iter(live.proposals.items()))
        kind = waiting.command["kind"]
        if not self.world.finishing and self.chance.random() < 0.2:
            return self.chance.choice((self.floor, self.pit)), commands.Decline(proposal=name, reason="it was not so")
        if kind == "ActivateSubmission":
            return self.second_operator, commands.Confirm(proposal=name)
        if waiting.role == "automaton":
            return self.floor, commands.Decline(proposal=name, reason="nobody is there to confirm it")
        if kind == "ActForAbsent" and (live.play is None or live.play.seat_asked != waiting.command["seat"]):
            return self.floor, commands.Decline(proposal=name)
        by_floor = waiting.by == self.floor.name
        of_two = ("ValidateMeter", "ValidatePayout", "ActForAbsent", "CorrectRead")  # of the floor and its dealer
        is_of_two = kind in of_two or waiting.command.get("irregularity") == PLAYER_LEFT
        if waiting.by in (self.floor.name, self.pit.name) and is_of_two and not self._is_automatic:
            return self.holder(live), commands.Confirm(proposal=name)
        if kind in ("ValidateMeter", "ValidatePayout") and not by_floor:
            return self._verifier(live), commands.Confirm(proposal=name)
        return (self.pit if by_floor else self.floor), commands.Confirm(proposal=name)

    def _verifier(self, live: LiveTable) -> Person:
        """Return who verifies a payout: not the floorperson who let the dealer enter the cards (H-32)."""
        return self.pit if self.floor.name in live.keyboard_by else self.floor

    def _between(self, live: LiveTable, dealer: Person) -> Due | None:
        cards = live.cards
        assert cards is not None
        if live.dispute is not None:
            return self._resolved(live)
        if (
            not self.world.finishing
            and self.chance.random() < LATE_DISPUTES
            and (said := reports.disputed(live, self.chance))
        ):
            return self.chance.choice((dealer, self.floor)), said
        if is_spread_due(live, self.world.clock.now_ms()):
            return dealer, of_cards.SpreadIdle(**BY)
        duties = [duty for duty in next_duties(cards) if duty.command != "SpreadIdle"]
        ready = next((duty for duty in duties if duty.command == "OpenRound"), None)
        others = [duty for duty in duties if duty.command not in ("OpenRound", "RemoveDeck")]
        cut = next((deck for deck in cards.decks if deck.cut_cards), None)
        if cut is not None and not self.world.finishing and self.chance.random() < 0.6:
            return self.floor, of_cards.OrderRecut(**BY, deck=cut.name)
        if cards.shuffler not in (IN_SERVICE, ABSENT) and (self.chance.random() < 0.3 or self.world.finishing):
            return self.technician, of_cards.ReturnDevice(**BY, device=of_cards.SHUFFLER)
        if cards.shoe not in (IN_SERVICE, ABSENT, FAILED) and not self.world.finishing and self.chance.random() < 0.5:
            return self.floor, of_cards.ChangeDealing(**BY, method=self.chance.choice((MANUAL_SHOE, HAND)))
        if cards.shoe not in (IN_SERVICE, ABSENT) and (self.chance.random() < 0.3 or self.world.finishing):
            return self.technician, of_cards.ReturnDevice(**BY, device=of_cards.SHOE)
        if ready is not None and not others:
            return (dealer, commands.BeginRound()) if live.seats else None
        if others and (ready is None or self.chance.random() < 0.5):
            return self._duty(live, self.chance.choice(others), dealer)
        return (dealer, commands.BeginRound()) if live.seats and ready else None

    def _duty(self, live: LiveTable, duty: DutyNow, dealer: Person) -> Due | None:
        cards = live.cards
        assert cards is not None
        deck, whole = duty.deck or "", cards_of(cards)
        way = of_cards.DEVICE if cards.shuffler == IN_SERVICE else of_cards.MANUAL
        device, _, how = duty.id.partition("-")
        made: Any = {
            "ConfirmDuty": lambda: of_cards.ConfirmDuty(**BY, duty=duty.id, deck=duty.deck),
            "ReceiveDeck": lambda: of_cards.ReceiveDeck(**BY, deck=f"deck {len(cards.decks) + len(cards.removed) + 1}"),
            "ShuffleDeck": lambda: of_cards.ShuffleDeck(**BY, deck=deck, way=way),
            "ReadDeviceCount": lambda: of_cards.ReadDeviceCount(**BY, deck=deck, cards=self._counted(whole)),
            "CutDeck": lambda: of_cards.CutDeck(**BY, deck=deck, cards=whole // 2),
            "CountDeck": lambda: of_cards.CountDeck(**BY, deck=deck, cards=self._counted(whole)),
            "LoadDeck": lambda: of_cards.LoadDeck(**BY, deck=deck),
            "TakeOutDevice": lambda: of_cards.TakeOutDevice(**BY, device=device, how=how),
        }.get(duty.command)
        return (self.floor if duty.by == "floorperson" else dealer, made()) if made else None

    def _counted(self, right: int, wrongly: float = 0.05) -> int:
        return right - 1 if not self.world.finishing and self.chance.random() < wrongly else right

    def _in_round(self, live: LiveTable, dealer: Person) -> Due | None:
        play, cards = live.play, live.cards
        assert play is not None
        assert cards is not None
        assert cards.round is not None
        if live.trouble is not None:
            return self._held(live)
        if live.dispute is not None and (self.world.finishing or self.chance.random() < 0.3):
            return self._resolved(live)  # else the cards are picked up first
        if cards.round.miscounted:  # the floor declined the count, and counting again takes a while
            again = of_cards.CountDeck(**BY, deck=cards.round.deck, cards=self._counted(cards_of(cards)))
            return (dealer, again) if self.world.finishing or self.chance.random() < 0.2 else None
        if cards.round.irregularity and play.outcome != "void":
            return self.floor, reports.ruled(live, self.chance, cards.round.irregularity, None)
        if cards.round.stub == STUB_DISPUTED and not cards.round.irregularity:
            return dealer, self._disputed(live)
        if live.positions and play.phase != OVER and not self.world.finishing and self.chance.random() < MISREADS:
            return self.chance.choice((dealer, self.floor)), reports.misread(live, self.chance)
        if play.phase == WAGERING:
            return self._wagers(live, dealer)
        if play.phase == DEALING:
            return self._dealing(live, dealer)
        if play.phase == ASKING:
            is_there = live.seats.get(play.cursor) and play.cursor not in live.given_up
            if self.chance.random() < (0.05 if is_there else 0.5):
                return (dealer if self.chance.random() < 0.7 else self.floor), commands.ActForAbsent(seat=play.cursor)
            return None
        if play.phase == SETTLING:
            if self._counts_stub(live):
                left = cards_of(cards) - cards.round.dealt
                is_wrong = not self.world.finishing and self.chance.random() < 0.5
                return dealer, of_cards.CountStub(**BY, cards=left - is_wrong)
            if live.terms is not None and live.terms.real_cards and cards.round.stub == WITH_DEALER:
                return dealer, of_cards.RackStub(**BY)
            return dealer, self._first(live, "Settle") or commands.Settle()
        if play.phase == AWAITING_METER:
            assert play.meter is not None
            return self._verifier(live), commands.ValidateMeter(seat=play.meter.seat)
        if play.phase == AWAITING_VERIFICATION:
            assert play.payout is not None
            return self._verifier(live), commands.ValidatePayout(seat=play.payout.seat)
        assert play.phase == OVER
        if cards.round.dealt and cards.round.stub == WITH_DEALER and not cards.round.irregularity:
            if is_count_due(cards) or self.chance.random() < 0.1:
                return dealer, of_cards.CountStub(**BY, cards=self._counted(cards_of(cards) - cards.round.dealt))
            return dealer, of_cards.RackStub(**BY)
        return dealer, commands.EndRound()

    def _first(self, live: LiveTable, kind: str) -> commands.Command | None:
        duty = blocking(live, kind)
        return of_cards.ConfirmDuty(**BY, duty=duty.id) if duty is not None else None

    def _counts_stub(self, live: LiveTable) -> bool:
        assert live.terms is not None
        assert live.cards is not None
        assert live.cards.round is not None
        if not live.terms.real_cards or live.cards.round.stub != WITH_DEALER:
            return False
        return is_count_due(live.cards) or (not self.world.finishing and self.chance.random() < 0.6)

    def _disputed(self, live: LiveTable) -> commands.Command:
        cards = live.cards
        assert cards is not None
        assert cards.round is not None
        if self.world.finishing or self.chance.random() < 0.15:
            return of_cards.CountStub(**BY, cards=cards_of(cards) - cards.round.dealt)
        whole = cards_of(cards)
        is_misdealt = self.chance.random() < 0.6
        short = whole - 1
        found = self.chance.choice((whole, short)) if is_misdealt else short
        return of_cards.FindMisdeal(**BY, misdealt=is_misdealt, cards_in_deck=found)

    def _wagers(self, live: LiveTable, dealer: Person) -> Due | None:
        assert live.play is not None
        assert live.cards is not None
        assert live.cards.round is not None
        deck = live.cards.deck(live.cards.round.deck)
        if deck is not None and deck.stage != LOADED:  # recut or shuffled again: some tables take no wager until then
            return self._deck_in_play(live, dealer)
        if not live.play.players:
            is_late = check_first_wager(live, self.world.clock.now_ms()) is not None
            return (dealer, commands.EndRound()) if is_late or not live.seats else None
        if deck is not None and live.terms is not None and live.terms.real_cards and self.chance.random() < 0.1:
            return dealer, of_cards.CountDeck(**BY, deck=deck.name, cards=self._counted(cards_of(live.cards), 0.7))
        waited = set(live.seats) <= set(live.play.players) or self.chance.random() < 0.2
        return (dealer, commands.CloseBets(progressive_chips=progressive_chips(live))) if waited else None

    def _dealing(self, live: LiveTable, dealer: Person) -> Due:
        assert live.play is not None
        assert live.terms is not None
        due = live.play.due
        assert due is not None
        if live.chips_found is not None:  # a wager came while the chips were counted
            return dealer, commands.CloseBets(progressive_chips=progressive_chips(live))
        if due.is_turned:
            return dealer, self._first(live, "TurnCards") or commands.TurnCards()
        mended = self._deck_in_play(live, dealer)
        if mended is not None:
            return mended
        if live.terms.real_cards and len(live.waiting) < due.cards:
            card = self._top_card(live)
            enrolled = live.readers.get(self.reader.name)
            if enrolled is not None and self.chance.random() < 0.1:
                self.reader.sequence = enrolled.sequence
                return self.device, commands.ReaderSaw(**self.reader.saw(card))
            return dealer, commands.ReadCard(card=card)
        return dealer, commands.DealCards()

    def _deck_in_play(self, live: LiveTable, dealer: Person) -> Due | None:
        cards = live.cards
        assert cards is not None
        assert cards.round is not None
        for device, stands in ((of_cards.SHUFFLER, cards.shuffler), (of_cards.SHOE, cards.shoe)):
            if stands not in (IN_SERVICE, ABSENT) and self.chance.random() < 0.5:
                return self.technician, of_cards.ReturnDevice(**BY, device=device)
        deck = cards.deck(cards.round.deck)
        if deck is not None and deck.stage == LOADED:
            return None
        found = [duty for duty in next_duties(cards) if duty.command != "RemoveDeck"]
        if deck is None:  # counted wrong before its first card: another one is brought
            duties = [duty for duty in found if duty.deck is not None or duty.command == "ReceiveDeck"]
        else:
            duties = [duty for duty in found if duty.deck == deck.name]
        return self._duty(live, self.chance.choice(duties), dealer) if duties else None

    def _top_card(self, live: LiveTable) -> Card:
        # The pack of a round lies as it lies, whatever of it was read before a crash.
        assert live.play is not None
        assert live.terms is not None
        seed = int.from_bytes(live.round.encode()[-6:], "big")
        order = SeededShuffle(seed).order(live.terms.settings.game.deck)
        left = [card for card in order if card not in live.positions and card not in live.play.drawn]
        return self._lucky(live, left) if live.terms.progressive else left[0]

    def _lucky(self, live: LiveTable, left: list[Card]) -> Card:
        # A meter is hit once in a hundred thousand hands; here the first seat has the luck of a lifetime every day.
        assert live.play is not None
        assert live.play.due is not None
        of_place = {min(live.play.players): "AK", BOARD: "QJT"}.get(live.play.due.place, "")
        best = [card for card in left if card[1:2] == "s" and card[0] in "AKQJT"]
        theirs = [card for card in best if card[0] in of_place]
        return (theirs or [card for card in left if card not in best])[0]

    def _booked(self, live: LiveTable) -> int:
        process = self.world.owner(self.table)
        assert process is not None
        kinds = ("house.TrayFilled", "house.TrayCredited", "house.TipGiven", "house.ChipsBought")
        found = [entry.sequence for entry in process.store.read(live.stream, kinds=kinds)]
        return self.chance.choice(found) if found else 1

    def _whims(self, live: LiveTable) -> list[Due | None]:
        if live.terms is None or live.cards is None or not live.is_open:
            return [None]
        holder = self.holder(live)
        other = self.relief if holder is self.dealer else self.dealer
        chance, deck = self.chance, live.cards.decks[0].name if live.cards.decks else "none"
        device = chance.choice((of_cards.SHUFFLER, of_cards.SHOE))
        how = chance.choice(live.terms.settings.procedures.devices.failed or ("covered",))
        irregular = chance.choice(sorted(live.terms.settings.game.irregularities))
        seat = chance.choice((None, *live.seats))
        swapped = {**self.world.tables[self.table], "decks": 1}
        if live.terms.real_cards and chance.random() < 0.15:
            return self._reader_whims(live)
        return [
            (self.cage, commands.Fill(cents=500_00)),
            (self.cage, commands.Credit(cents=chance.choice((100_00, 10**12)))),
            (self.operator, commands.ActivateSubmission(document=swapped)),
            (holder, leases.RenewLease(**BY, token=live.lease.token)),
            (holder, leases.ReleaseLease(**BY, token=live.lease.token)),
            (self.floor, leases.WithdrawLease(**BY, reason="break", dealer=other.name)),
            (self.floor, of_cards.OrderRecut(**BY, deck=deck)),
            (self.floor, of_cards.DirectShuffle(**BY, deck=deck)),
            (self.floor, of_cards.RemoveDeck(**BY, deck=deck, reason=of_cards.DEFECT)),
            (holder, of_cards.SpreadIdle(**BY)),
            (holder, of_cards.CountDeck(**BY, deck=deck, cards=cards_of(live.cards))),
            (holder, of_cards.CutDeck(**BY, deck=deck, cards=20)),
            (self.floor, of_cards.JamDevice(**BY, device=device, deck=deck)),
            (self.technician, of_cards.FailDevice(**BY, device=device)),
            (self.technician, of_cards.TakeOutDevice(**BY, device=device, how=how)),
            (self.technician, of_cards.ReturnDevice(**BY, device=device)),
            (self.floor, of_cards.ChangeDealing(**BY, method=chance.choice((MANUAL_SHOE, HAND, live.cards.method)))),
            (self.floor, commands.ReportIrregularity(irregularity=irregular, seat=seat)),
            (holder, commands.ReportIrregularity(irregularity=irregular, seat=seat)),
            (self.floor, commands.CloseTable(tray_cents=live.tray_cents)),
            (holder, commands.ActForAbsent(seat=seat or 1)),
            (holder, reports.misread(live, self.chance)),
            (self.floor, commands.CountInventory(tray_cents=live.tray_cents - chance.choice((0, 5_00)))),
            (self.cage, commands.Correct(entry=self._booked(live), reason="counted wrongly")),
        ]

    def _reader_whims(self, live: LiveTable) -> list[Due | None]:
        return [
            (self.technician, commands.EnrollReader(reader=self.reader.name, key=self.reader.key)),
            (self.technician, commands.RetireReader(reader=self.reader.name, reason="cleaned")),
            (self.floor, commands.SwitchKeyboard(is_on=not live.by_keyboard, reason="a dirty lens")),
        ]
