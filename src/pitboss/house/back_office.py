"""The back office: commands about the cage, the meters, submissions and people rather than a table."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import reduce
from typing import Any, get_args

from pitboss.house import chip_counter
from pitboss.house.cage_accounts import accounts_of
from pitboss.house.compliance.filed_meters import check_agreement, check_change, check_opening, check_wager, drawing_on
from pitboss.house.controls.cash_window import DEPOSIT, PAYOUT, REDEMPTION, SALE, at_window, is_over_limit
from pitboss.house.controls.commands import Command as OfControls
from pitboss.house.controls.commands import PullBox, ReadMeter
from pitboss.house.controls.decide import Given
from pitboss.house.controls.decide import decide as decide_controls
from pitboss.house.live_table.stream_balances import account_drafts
from pitboss.house.live_table.table_terms import AUTOMATIC_SUPERVISOR, TableTerms
from pitboss.house.money import transfers
from pitboss.house.money.ledger import Transfer, drop, purse
from pitboss.house.office_commands import (
    ChangeTerms,
    CollectDrop,
    Confirm,
    Decline,
    IssueMoney,
    LinkTable,
    MoveMeter,
    OfCash,
    OfFilings,
    OfHouse,
    OfMeters,
    OfMoney,
    OpenMeters,
    PostNotice,
    RecordApproval,
    RedeemMoney,
    SubmitRules,
    UnlinkTable,
)
from pitboss.house.patron_controls.cage_checks import check_patron, pays_excluded, tried
from pitboss.house.patron_controls.commands import Command as OfPatrons
from pitboss.house.patron_controls.decide import Given as GivenOfPatrons
from pitboss.house.patron_controls.decide import decide as decide_patrons
from pitboss.house.people import commands as of_people
from pitboss.house.people import house_rules as rule
from pitboss.house.people import second_factor_orders
from pitboss.house.people.access import GIVE_ACCESS, GiveLink, GivePassword, OfAccess
from pitboss.house.people.accounts import NAME, check_standing
from pitboss.house.people.authorization import Place, allowed, may_propose, role_for, takes_two
from pitboss.house.people.decide import decide as decide_people
from pitboss.house.people.people_entries import drafts as people_drafts
from pitboss.house.people.people_office import Office
from pitboss.house.people.two_people import digest_of
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.progressive import drafts_of, link_of
from pitboss.house.progressive import evolve as evolve_meters
from pitboss.house.progressive.events import MoneyMoved
from pitboss.house.progressive.meter_display import shown_now
from pitboss.house.rules_filed import of_a_filing, submitted
from pitboss.house.running_tables import Answer, Asked, Decided, Done, House
from pitboss.record.entries import Draft
from pitboss.record.shared_streams import SharedStream
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import KIND, Malformed, made, of_kind, with_kind
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person

OfPeople = (
    of_people.AddPerson
    | of_people.ChangeDetails
    | of_people.ChangeRoles
    | of_people.LockPerson
    | of_people.UnlockPerson
    | of_people.ResetPerson
    | of_people.RevokePerson
)
Command = OfHouse | Confirm | Decline | OfPeople

CHANGE_PROGRESSIVE, MOVE_MUCH_MONEY, PAY_EXCLUDED = "ChangeProgressive", "MoveMuchMoney", "PayExcluded"
_OF_HOUSE: dict[str, type] = {kind.__name__: kind for kind in (*get_args(OfHouse), Confirm, Decline)}
_OF_PEOPLE: dict[str, type] = {kind.__name__: kind for kind in get_args(OfPeople)}
_GRANTED_AS = {
    **{command.__name__: CHANGE_PROGRESSIVE for command in get_args(OfMeters)},
    **{command.__name__: SubmitRules.__name__ for command in get_args(OfFilings)},
    **{command.__name__: GIVE_ACCESS for command in get_args(OfAccess)},
}
_NOT_SENT = frozenset(command.__name__ for command in get_args(OfAccess))  # the server makes what is in them
KINDS: tuple[str, ...] = (*(kind for kind in _OF_HOUSE if kind not in _NOT_SENT), *_OF_PEOPLE)
_EXCLUDED_SINCE = Refusal("This person was excluded in the meantime. Send this again", rule.EXCLUSIONS, "proposal")
_OTHER_SETTINGS = Refusal("The house settings changed in the meantime. Send this again", rule.SETTINGS)
_BY_ROUTE = Refusal("Give a link or a password under People, or at /api/people", rule.ACCESS, "kind")
_NOT_WAITING = Refusal("This request was already answered or doesn't exist", rule.ROLES, "proposal")


class BackOffice:
    """Handles the house's commands; those that take two people wait for the second."""

    def __init__(self, house: House, people: Office) -> None:
        self._house = house
        self._people = people
        self._read_terms: dict[str, TableTerms] = {}  # of filed terms, by version

    async def do(self, asked: Asked) -> Answer:
        """Carry out a command and return when it is on disk, or keep it until a second person confirms it."""
        person = Person(asked.person, self._role(asked))
        try:
            command = self._read(asked.body, person)
        except Malformed as wrong:
            return Refusal(f"Invalid command: {wrong}", None, "body")
        if isinstance(command, OfAccess):
            return _BY_ROUTE
        if isinstance(command, OfPeople):
            recorded = await self._people.put(command, asked.id)
            return recorded if isinstance(recorded, Refusal) else Done(())
        if isinstance(command, Confirm):
            return await self._confirm(asked, command, person)
        if isinstance(command, Decline):
            declined = of_people.Decline(
                by=person, at=0, proposal=command.proposal, reason=command.reason, place=self._place()
            )
            recorded = await self._people.put(declined, asked.id)
            return recorded if isinstance(recorded, Refusal) else Done(())
        return await self._with_one_or_two(asked, command, person)

    async def order(self, asked: Asked, order: OfAccess) -> Answer:
        """Keep an order for access until a second administrator confirms it."""
        by = Person(asked.person, self._role(asked))
        return await self._with_one_or_two(replace(asked, body=with_kind(order)), order, by)

    def _role(self, asked: Asked) -> str:
        kind = str(asked.body.get(KIND))
        waits = self._people.people.proposals.get(str(asked.body.get("proposal")))
        if waits is not None and kind in (Confirm.__name__, Decline.__name__):
            kind = waits.kind  # the person who answers takes part in the proposed command
        granted = _GRANTED_AS.get(kind, kind)
        return role_for(asked.roles, granted) or (asked.roles[0] if asked.roles else "")

    def _read(self, body: Mapping[str, Any], person: Person) -> Command:
        kind = _OF_PEOPLE.get(str(body.get(KIND)))
        if kind is None:
            command: Command = of_kind(_OF_HOUSE, body)
            return command
        rest = {name: value for name, value in body.items() if name != KIND}
        of_somebody: Command = made(kind, rest, by=person, at=0)
        return of_somebody

    @property
    def is_free_play(self) -> bool:
        """Say whether every table on this floor is free play."""
        return all(not glance.has_rules or glance.free_play for glance in self._house.all_glances())

    @property
    def has_money(self) -> bool:
        """Say whether a table of this floor has rules for real money in force."""
        terms = [table.live.terms for table in self._house.tables.values()]
        return any(table_terms is not None and not table_terms.settings.free_play for table_terms in terms)

    def _place(self) -> Place:
        # The program acts for people only if every table is an automatic free-play table.
        glances = self._house.all_glances()
        free = bool(glances) and all(not glance.has_rules or glance.automatic for glance in glances)
        return Place(is_self_dealing=free)

    async def _with_one_or_two(self, asked: Asked, command: OfHouse, person: Person) -> Answer:
        kind, place = self._permission(command), self._place()
        refusal = check_standing(self._people.people, person)
        if not takes_two(kind):
            refusal = refusal or allowed(person, kind, place)
        else:
            refusal = refusal or may_propose(person, kind, place)
        if refusal:
            return refusal
        if isinstance(command, ReadMeter) and not await self._house.has_progressive(command.progressive):
            return Refusal("There is no progressive with this name", rule.METER_READINGS, "progressive")
        streams = self._streams(command)
        if not takes_two(kind) or person.role == AUTOMATON:
            second = AUTOMATIC_SUPERVISOR if person.role == AUTOMATON else ""
            return await self._house.at_streams(
                streams,
                lambda at: self._changed(command, kind) or self._decided(command, at, person.name, second),
                asked,
            )
        return await self._house.at_streams(
            [self._people.stream, *streams],
            lambda at: self._changed(command, kind) or self._proposed(asked, command, person, at),
            asked,
        )

    def _changed(self, command: OfHouse, kind: str) -> Refusal | None:
        # The house's limit and its controls may have changed while the command waited for its turn.
        return None if self._permission(command) == kind else _OTHER_SETTINGS

    def _proposed(self, asked: Asked, command: OfHouse, person: Person, at: int) -> Decided:
        # A command that would be refused in the end isn't proposed; the second person will be someone else.
        trial = self._decided(command, at, person.name, f"not {person.name}")
        if isinstance(trial, Refusal):
            return trial
        proposed = of_people.Propose(
            by=person,
            at=at,
            proposal=asked.id,
            kind=self._permission(command),
            body=dict(asked.body),
            place=self._place(),
        )
        waits = self._of_people(proposed)
        if isinstance(waits, Refusal) or proposed.kind != PAY_EXCLUDED:
            return waits
        return (*waits, *tried(self._house.patrons.state, command, at))

    async def _confirm(self, asked: Asked, command: Confirm, person: Person) -> Answer:
        waiting = self._people.people.proposals.get(command.proposal)
        proposed = self._read(waiting.body, person) if waiting is not None else None
        streams = self._streams(proposed) if isinstance(proposed, OfHouse) else []

        def decided(at: int) -> Decided:
            still = self._people.people.proposals.get(command.proposal)
            if still is None or still is not waiting or not isinstance(proposed, OfHouse):
                return _NOT_WAITING
            confirm = of_people.Confirm(
                by=person,
                at=at,
                proposal=command.proposal,
                digest=command.digest,
                place=self._place(),
                has_money=self.has_money,
            )
            confirmed = self._of_people(confirm)
            if isinstance(confirmed, Refusal):
                return confirmed
            if still.kind != PAY_EXCLUDED and self._permission(proposed) == PAY_EXCLUDED:
                return _EXCLUDED_SINCE
            done = self._decided(proposed, at, still.by, person.name)
            return done if isinstance(done, Refusal) else (*confirmed, *done)

        return await self._house.at_streams([self._people.stream, *streams], decided, asked)

    def _of_people(self, command: of_people.Command) -> Decided:
        decision = decide_people(self._people.people, command)
        return decision if isinstance(decision, Refusal) else people_drafts(decision)

    def _streams(self, command: OfHouse) -> list[SharedStream[Any]]:
        if isinstance(command, OfMoney | PullBox):
            accounts = [self._house.money.of(account) for account in accounts_of(asdict(command))]
            controls = (self._house.controls, self._house.patrons)
            return [*accounts, *controls] if self._uses_cage(command) else list(accounts)
        if isinstance(command, OfPatrons):
            return [self._house.patrons, self._house.controls]
        if isinstance(command, ReadMeter):
            return [self._house.controls, self._house.progressive(command.progressive)]
        if isinstance(command, OfControls):
            return [self._house.controls]
        if not isinstance(command, OfMeters):
            return []
        names = (command.progressive, command.to_progressive if isinstance(command, MoveMeter) else command.progressive)
        return [self._house.progressive(name) for name in dict.fromkeys(names)]

    def _decided(self, command: OfHouse, at: int, by: str, second: str) -> Decided:
        if isinstance(command, OfControls):
            return decide_controls(self._house.controls.state, command, self._given(at, by, second))
        if isinstance(command, OfPatrons):
            settings = self._house.controls.state.settings
            has_account = getattr(command, "person", "") in self._people.people.accounts
            given = GivenOfPatrons(by, second, at, settings, has_account)
            return decide_patrons(self._house.patrons.state, command, given)
        if isinstance(command, OfMoney) and not isinstance(command, CollectDrop):
            refusal = self._of_patron(command, at)
            if refusal:
                return refusal
        match command:
            case IssueMoney() | RedeemMoney():
                return self._at_the_cage(command, by, second)
            case chip_counter.SellChips() | chip_counter.RedeemChips():
                return self._of_chips(command, by, second)
            case CollectDrop():
                return self._collected(command)
            case SubmitRules():
                return submitted(self._house, command)
            case RecordApproval() | PostNotice():
                return of_a_filing(self._house, command)
            case second_factor_orders.ResetFactors() | second_factor_orders.DemandSecondFactor():
                return self._of_people(command.ordered(by, second, at))
            case GiveLink() | GivePassword():
                return self._of_people(command.ordered(by, second, at, self._people.link_until(at)))
            case _:
                return self._at_the_meters(command, at, by, second)

    def _uses_cage(self, command: OfMoney | PullBox) -> bool:
        # Real money always waits for the controls, on or off: they may be switched on before it is decided.
        if isinstance(command, PullBox):
            return True
        if isinstance(command, CollectDrop):
            return self._real_money_table(command.table) is None
        return self._is_play_money(command.free_play) is not True

    def _permission(self, command: OfHouse) -> str:
        # From the house's limit on, a cashier doesn't move real money without a second person.
        if isinstance(command, OfMoney) and not isinstance(command, CollectDrop):
            free = self._is_play_money(command.free_play)
            now, settings = self._house.outside.clock.now_ms(), self._house.controls.state.settings
            if free is False and pays_excluded(self._house.patrons.state, settings, command, now):
                return PAY_EXCLUDED
            if free is False and is_over_limit(self._house.controls.state, command.cents):
                return MOVE_MUCH_MONEY
        return permission_of(command)

    def _of_patron(self, command: OfCash, at: int) -> Refusal | None:
        if self._is_play_money(command.free_play) is not False:
            return None
        return check_patron(self._house.patrons.state, self._house.controls.state.settings, command, at)

    def _given(self, at: int, by: str, second: str) -> Given:
        return Given(
            by,
            second,
            at,
            lambda table: self._house.money.state.get(drop(table), 0),
            self._real_money_table,
            self._shown_now,
            lambda person, other: self._people.stream.are_two(person, other, has_money=True),
        )

    def _real_money_table(self, table: str) -> Refusal | None:
        running = self._house.tables.get(table)
        if running is None or running.live.terms is None:
            return Refusal(f"There is no table {table} with rules in force", rule.TABLES, "table")
        if running.live.free_play:
            return Refusal("This table is for free play, which needs no slips and no counts", rule.PLAY_MONEY, "table")
        return None

    def _of_chips(self, command: chip_counter.OfChips, by: str, second: str) -> Decided:
        free = self._is_play_money(command.free_play)
        if isinstance(free, Refusal):
            return free
        decided = chip_counter.decided(command, self._house.money.state, free_play=free)
        if isinstance(decided, Refusal) or free:
            return decided
        why = SALE if isinstance(command, chip_counter.SellChips) else REDEMPTION
        beside = at_window(self._house.controls.state, why, command.cents, command.chips, (by, second, command.person))
        return beside if isinstance(beside, Refusal) else (*decided, *beside)

    def _at_the_cage(self, command: IssueMoney | RedeemMoney, by: str, second: str) -> Decided:
        is_program = second == AUTOMATIC_SUPERVISOR
        is_held = command.person in self._house.patrons.state.held  # of an excluded person without an account
        if not (is_program or is_held) and command.person not in self._people.people.accounts:
            return Refusal(f"There is no account named {command.person!r}", rule.ROLES, "person")
        if command.cents <= 0:
            return _not_an_amount(command.cents)
        free = self._is_play_money(command.free_play)
        if isinstance(free, Refusal):
            return free
        if is_program and not free:
            return Refusal("The program can issue play money only", rule.PLAY_MONEY, "free_play")
        why = DEPOSIT if isinstance(command, IssueMoney) else PAYOUT
        who = (by, second, command.person)
        beside = () if free else at_window(self._house.controls.state, why, command.cents, None, who)
        if isinstance(beside, Refusal):
            return beside
        body = {"person": command.person, "cents": command.cents, "free_play": free}
        if isinstance(command, IssueMoney):
            issued = transfers.issue(command.person, command.cents, free_play=free)
            return (*_moved("MoneyIssued", issued, body), *beside)
        held = self._house.money.state.get(purse(command.person, free_play=free), 0)
        if command.cents > held:
            where = "play-money account" if free else "deposit account"
            return Refusal(f"{command.person}'s {where} holds only {dollars(held)}", rule.TRAYS, "cents")
        redeemed = transfers.redemption(command.person, command.cents, free_play=free)
        return (*_moved("MoneyRedeemed", redeemed, body), *beside)

    def _is_play_money(self, stated: bool | None) -> bool | Refusal:
        if stated is not None or any(glance.has_rules for glance in self._house.all_glances()):
            return self.is_free_play if stated is None else stated
        reason = "Choose real money or play money, because no table has rules in force yet"
        return Refusal(reason, rule.PLAY_MONEY, "free_play")

    def _collected(self, command: CollectDrop) -> Decided:
        held = self._house.money.state.get(drop(command.table), 0)
        if self._house.controls.state.settings.money_controls and self._real_money_table(command.table) is None:
            reason = "Money controls are on: two people take the box away, and the count team counts it"
            return Refusal(reason, rule.DROP_COUNT, "table")
        if command.cents <= 0:
            return _not_an_amount(command.cents)
        if command.cents > held:
            return Refusal(f"The drop box at {command.table} holds only {dollars(held)}", rule.TRAYS, "cents")
        body = {"table": command.table, "cents": command.cents}
        return _moved("DropCollected", transfers.drop_collected(command.table, command.cents), body)

    def _at_the_meters(self, command: OfMeters, at: int, by: str, second: str) -> Decided:
        if not NAME.fullmatch(command.progressive):
            reason = "A progressive's name can have lowercase letters, digits, dots and dashes only"
            return Refusal(reason, rule.SUBMISSIONS, "progressive")
        if isinstance(command, MoveMeter):
            decided = self._moved(command, at, by, second)
        else:
            meant = self._meant(command, at, by, second)
            state = self._house.progressive(command.progressive).state
            answer = meant if isinstance(meant, Refusal) else decide_meters(state, meant)
            decided = answer if isinstance(answer, Refusal) else drafts_of(state, answer)
        if isinstance(decided, Refusal) and decided.clause is None:
            return replace(decided, clause=rule.SUBMISSIONS)
        return decided

    def _moved(self, command: MoveMeter, at: int, by: str, second: str) -> Decided:
        if len({free for name in (command.progressive, command.to_progressive) for free in self._free(name)}) > 1:
            return Refusal("Real money and play money can't share a meter", rule.PLAY_MONEY, "to_progressive")
        why = {"reason": command.reason, "by": by, "second": second}
        state = self._house.progressive(command.progressive).state
        to = {"to_progressive": command.to_progressive, "to_meter": command.to_meter}
        given = decide_meters(
            state, of_meters.MoveMoney(at=at, meter=command.meter, retires=command.retires, **to, **why)
        )
        if isinstance(given, Refusal):
            return given
        drafts = drafts_of(state, given)
        after = reduce(evolve_meters, given, state)
        other = after if command.to_progressive == state.name else self._house.progressive(command.to_progressive).state
        cents = sum(event.cents for event in given if isinstance(event, MoneyMoved))
        source = {"from_progressive": command.progressive, "from_meter": command.meter}
        taken = decide_meters(
            other, of_meters.ReceiveMoney(at=at, meter=command.to_meter, cents=cents, **source, **why)
        )
        return taken if isinstance(taken, Refusal) else (*drafts, *drafts_of(other, taken))

    def _shown_now(self, progressive: str, meter: str) -> int | Refusal:
        if True in self._free(progressive):
            return Refusal("Play money has no display that is compared with the books", rule.PLAY_MONEY, "progressive")
        return shown_now(self._house.progressive(progressive).state, meter)

    def _free(self, progressive: str) -> set[bool]:
        links = self._house.progressive(progressive).state.links
        linked = {self._house.glance(table).free_play for table in links if table in self._house.tables}
        return linked | {terms.settings.free_play for terms in drawing_on(progressive, self.filed())}

    def filed(self) -> list[TableTerms]:
        """Return the terms in every filing on record, newest last."""
        for filing in self._house.filings.every():
            if filing.version not in self._read_terms:
                self._read_terms[filing.version] = self._house.reading.read_terms(filing.document)
        return [self._read_terms[filing.version] for filing in self._house.filings.every()]

    def _meant(
        self, command: OpenMeters | ChangeTerms | LinkTable | UnlinkTable, at: int, by: str, second: str
    ) -> of_meters.Command | Refusal:
        name = command.progressive
        match command:
            case OpenMeters():
                refusal = check_opening(name, command.meters, self.filed()) if command.meters else None
                return refusal or of_meters.OpenMeters(at=at, meters=command.meters, by=by, second=second)
            case ChangeTerms():
                refusal = check_change(name, command.terms, self.filed())
                return refusal or of_meters.ChangeTerms(
                    at=at, terms=command.terms, reason=command.reason, by=by, second=second
                )
            case UnlinkTable():
                return of_meters.UnlinkTable(at=at, table=command.table)
            case LinkTable():
                return self._linked(command, at)

    def _linked(self, command: LinkTable, at: int) -> of_meters.Command | Refusal:
        running = self._house.tables.get(command.table)
        terms = running.live.terms if running else None
        link = link_of(command.table, terms.settings.rules) if terms else None
        if link is None or terms is None or terms.progressive != command.progressive:
            reason = f"The rules in force at {command.table} don't use {command.progressive}"
            return Refusal(reason, rule.SUBMISSIONS, "table")
        state = self._house.progressive(command.progressive).state
        others = {
            name: there
            for name in state.links.keys() - {command.table}
            if name in self._house.tables and (there := self._house.live(name).terms) is not None
        }
        if any(there.settings.free_play != terms.settings.free_play for there in others.values()):
            reason = (
                f"{command.progressive} is already used by "
                f"{'real-money' if terms.settings.free_play else 'free-play'} tables"
            )
            return Refusal(reason, rule.PLAY_MONEY, "table")
        refusal = check_agreement(command.table, terms, state) or check_wager(command.table, terms, others)
        return refusal or of_meters.LinkTable(at=at, link=link)


def permission_of(command: OfHouse) -> str:
    """Return the command kind that the permission for a command is listed under."""
    kind = type(command).__name__
    return _GRANTED_AS.get(kind, kind)


def agreed_on(kind: str, body: Mapping[str, Any]) -> str:
    """Return the digest that a second person sends to identify the proposal they read."""
    return digest_of(kind, body)


def _moved(kind: str, transfer: Transfer, body: Mapping[str, Any]) -> tuple[Draft, ...]:
    return account_drafts(f"money.{kind}", body, transfer.postings, rule.TRAYS)


def _not_an_amount(cents: int) -> Refusal:
    return Refusal(f"Enter an amount of at least 1 cent, not {cents}", None, "cents")
