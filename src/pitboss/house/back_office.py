"""The back office: commands about the cage, the meters, submissions and people rather than a table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, get_args

from pitboss.house import chip_counter, entry_kinds
from pitboss.house.chip_counter import OfChips
from pitboss.house.compliance.facility import NOTICE_RULING
from pitboss.house.compliance.filed_meters import check_agreement, check_change, check_opening, check_wager, drawing_on
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.stream_balances import by_stream
from pitboss.house.live_table.table_terms import AUTOMATIC_SUPERVISOR, TableTerms, version_of
from pitboss.house.money import transfers
from pitboss.house.money.ledger import Transfer, drop, purse
from pitboss.house.people import commands as of_people
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import NAME, check_standing
from pitboss.house.people.authorization import Place, allowed, may_propose, role_for, takes_two
from pitboss.house.people.decide import decide as decide_people
from pitboss.house.people.people_entries import drafts as people_drafts
from pitboss.house.people.people_office import Office
from pitboss.house.people.two_people import digest_of
from pitboss.house.progressive import MeterTerms, drafts_of, link_of
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.progressive import evolve as evolve_meters
from pitboss.house.progressive.events import MoneyMoved
from pitboss.house.running_tables import (
    Answer,
    Asked,
    Decided,
    Done,
    House,
)
from pitboss.house.stream_names import FLOOR, MONEY
from pitboss.record.entries import Draft
from pitboss.record.shared_streams import SharedStream
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import KIND, Malformed, made, of_kind
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueMoney:
    """Take a person's deposit, or give play money; if all tables are free play it is play money."""

    person: str
    cents: int
    free_play: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeemMoney:
    """Pay out a person's deposit, or take play money back; if all tables are free play it is play money."""

    person: str
    cents: int
    free_play: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectDrop:
    """Empty a table's drop box into the cage."""

    table: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitRules:
    """File a table's rules, so that they can be put in force there; the approval is the commission's reference."""

    table: str
    document: Mapping[str, Any]
    approval: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordApproval:
    """Record the commission's approval of a version filed for a table."""

    table: str
    version: str
    approval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostNotice:
    """Record that players get notice of a version filed for a table, this many days before it takes effect."""

    table: str
    version: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMeters:
    """Open a progressive with these meters."""

    progressive: str
    meters: tuple[MeterTerms, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTerms:
    """Run a meter by different terms from now on."""

    progressive: str
    terms: MeterTerms
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMeter:
    """Move what a meter has grown by to another meter, or all its money if it retires."""

    progressive: str
    meter: str
    to_progressive: str
    to_meter: str
    reason: str
    retires: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTable:
    """Let a table's progressive wagers feed the meters its submission names."""

    progressive: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkTable:
    """Unlink a table from a progressive."""

    progressive: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Confirm a proposal as the second person; the digest identifies what was read before agreeing."""

    proposal: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Decline a proposal, or withdraw your own."""

    proposal: str
    reason: str


OfMoney = IssueMoney | RedeemMoney | OfChips | CollectDrop
OfMeters = OpenMeters | ChangeTerms | MoveMeter | LinkTable | UnlinkTable
OfFilings = SubmitRules | RecordApproval | PostNotice
OfHouse = OfMoney | OfMeters | OfFilings
OfPeople = (
    of_people.AddPerson
    | of_people.ChangeRoles
    | of_people.LockPerson
    | of_people.UnlockPerson
    | of_people.ResetPerson
    | of_people.RevokePerson
)
Command = OfHouse | Confirm | Decline | OfPeople

CHANGE_PROGRESSIVE = "ChangeProgressive"
APPROVAL_LONGEST = 200
NOTICE_DAYS_MOST = 365
_OF_HOUSE: dict[str, type] = {kind.__name__: kind for kind in (*get_args(OfHouse), Confirm, Decline)}
_OF_PEOPLE: dict[str, type] = {kind.__name__: kind for kind in get_args(OfPeople)}
_GRANTED_AS = {
    **{command.__name__: CHANGE_PROGRESSIVE for command in get_args(OfMeters)},
    **{command.__name__: SubmitRules.__name__ for command in get_args(OfFilings)},
}
KINDS: tuple[str, ...] = (*_OF_HOUSE, *_OF_PEOPLE)
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
        terms = [table.live.terms for table in self._house.tables.values()]
        return all(table_terms is None or table_terms.settings.free_play for table_terms in terms)

    def _place(self) -> Place:
        # The program acts for people only if every table is an automatic free-play table.
        terms = [table.live.terms for table in self._house.tables.values()]
        free = bool(terms) and all(table_terms is None or table_terms.automatic for table_terms in terms)
        return Place(is_self_dealing=free)

    async def _with_one_or_two(self, asked: Asked, command: OfHouse, person: Person) -> Answer:
        kind, place = permission_of(command), self._place()
        refusal = check_standing(self._people.people, person)
        if not takes_two(kind):
            refusal = refusal or allowed(person, kind, place)
        else:
            refusal = refusal or may_propose(person, kind, place)
        if refusal:
            return refusal
        streams = self._streams(command)
        if not takes_two(kind) or person.role == AUTOMATON:
            second = AUTOMATIC_SUPERVISOR if person.role == AUTOMATON else ""
            return await self._house.at_streams(
                streams, lambda at: self._decided(command, at, person.name, second), asked
            )
        return await self._house.at_streams(
            [self._people.stream, *streams], lambda at: self._proposed(asked, command, person, at), asked
        )

    def _proposed(self, asked: Asked, command: OfHouse, person: Person, at: int) -> Decided:
        # A command that would be refused in the end isn't proposed; the second person will be someone else.
        trial = self._decided(command, at, person.name, f"not {person.name}")
        if isinstance(trial, Refusal):
            return trial
        proposed = of_people.Propose(
            by=person, at=at, proposal=asked.id, kind=permission_of(command), body=dict(asked.body), place=self._place()
        )
        return self._of_people(proposed)

    async def _confirm(self, asked: Asked, command: Confirm, person: Person) -> Answer:
        waiting = self._people.people.proposals.get(command.proposal)
        proposed = self._read(waiting.body, person) if waiting is not None else None
        streams = self._streams(proposed) if isinstance(proposed, OfHouse) else []

        def decided(at: int) -> Decided:
            still = self._people.people.proposals.get(command.proposal)
            if still is None or still is not waiting or not isinstance(proposed, OfHouse):
                return _NOT_WAITING
            confirm = of_people.Confirm(
                by=person, at=at, proposal=command.proposal, digest=command.digest, place=self._place()
            )
            confirmed = self._of_people(confirm)
            if isinstance(confirmed, Refusal):
                return confirmed
            done = self._decided(proposed, at, still.by, person.name)
            return done if isinstance(done, Refusal) else (*confirmed, *done)

        return await self._house.at_streams([self._people.stream, *streams], decided, asked)

    def _of_people(self, command: of_people.OfPairs) -> Decided:
        decision = decide_people(self._people.people, command)
        return decision if isinstance(decision, Refusal) else people_drafts(decision)

    def _streams(self, command: OfHouse) -> list[SharedStream[Any]]:
        if isinstance(command, OfMoney):
            return [self._house.money]
        if not isinstance(command, OfMeters):
            return []
        names = (command.progressive, command.to_progressive if isinstance(command, MoveMeter) else command.progressive)
        return [self._house.progressive(name) for name in dict.fromkeys(names)]

    def _decided(self, command: OfHouse, at: int, by: str, second: str) -> Decided:
        match command:
            case IssueMoney() | RedeemMoney():
                return self._at_the_cage(command, second)
            case chip_counter.SellChips() | chip_counter.RedeemChips():
                free = self._is_play_money(command.free_play)
                held = self._house.money.state
                return free if isinstance(free, Refusal) else chip_counter.decided(command, held, free_play=free)
            case CollectDrop():
                return self._collected(command)
            case SubmitRules():
                return self._submitted(command)
            case RecordApproval() | PostNotice():
                return self._of_a_filing(command)
            case _:
                return self._at_the_meters(command, at, by, second)

    def _at_the_cage(self, command: IssueMoney | RedeemMoney, second: str) -> Decided:
        if not second and command.person not in self._people.people.accounts:
            return Refusal(f"There is no account named {command.person!r}", rule.ROLES, "person")
        if command.cents <= 0:
            return _not_an_amount(command.cents)
        free = self._is_play_money(command.free_play)
        if isinstance(free, Refusal):
            return free
        if second and not free:
            return Refusal("The program can issue play money only", rule.PLAY_MONEY, "free_play")
        body = {"person": command.person, "cents": command.cents, "free_play": free}
        if isinstance(command, IssueMoney):
            return _moved("MoneyIssued", transfers.issue(command.person, command.cents, free_play=free), body)
        held = self._house.money.state.get(purse(command.person, free_play=free), 0)
        if command.cents > held:
            where = "play-money account" if free else "deposit account"
            return Refusal(f"{command.person}'s {where} holds only {dollars(held)}", rule.TRAYS, "cents")
        return _moved("MoneyRedeemed", transfers.redemption(command.person, command.cents, free_play=free), body)

    def _is_play_money(self, stated: bool | None) -> bool | Refusal:
        if stated is not None or any(table.live.terms for table in self._house.tables.values()):
            return self.is_free_play if stated is None else stated
        reason = "Choose real money or play money, because no table has rules in force yet"
        return Refusal(reason, rule.PLAY_MONEY, "free_play")

    def _collected(self, command: CollectDrop) -> Decided:
        held = self._house.money.state.get(drop(command.table), 0)
        if command.cents <= 0:
            return _not_an_amount(command.cents)
        if command.cents > held:
            return Refusal(f"The drop box at {command.table} holds only {dollars(held)}", rule.TRAYS, "cents")
        body = {"table": command.table, "cents": command.cents}
        return _moved("DropCollected", transfers.drop_collected(command.table, command.cents), body)

    def _submitted(self, command: SubmitRules) -> Decided:
        if not NAME.fullmatch(command.table):
            return Refusal(
                "A table name can have lowercase letters, digits, dots and dashes only", rule.SUBMISSIONS, "table"
            )
        try:
            terms = self._house.reading.read_terms(command.document)
        except ValueError as unsound:
            return Refusal(str(unsound), rule.SUBMISSIONS, "document")
        if terms.refusal:
            return terms.refusal
        body = {"table": command.table, "version": version_of(command.document), "document": dict(command.document)}
        if command.approval is not None:
            body["approval"] = command.approval
        refusal = _no_reference(command.approval) if command.approval is not None else None
        return refusal or (Draft(FLOOR, entry_kinds.RULES_SUBMITTED, body, rule.SUBMISSIONS),)

    def _of_a_filing(self, command: RecordApproval | PostNotice) -> Decided:
        if self._house.filings.of(command.table, command.version) is None:
            reason = f"Version {command.version} isn't filed for {command.table}. File it with SubmitRules first"
            return Refusal(reason, rule.SUBMISSIONS, "version")
        body = {"table": command.table, "version": command.version}
        if isinstance(command, RecordApproval):
            approved = Draft(
                FLOOR, entry_kinds.APPROVAL_RECORDED, {**body, "approval": command.approval}, rule.SUBMISSIONS
            )
            return _no_reference(command.approval) or (approved,)
        if not 1 <= command.days <= NOTICE_DAYS_MOST:
            return Refusal(f"Enter a notice period of 1 to {NOTICE_DAYS_MOST} days", NOTICE_RULING, "days")
        return (Draft(FLOOR, entry_kinds.NOTICE_POSTED, {**body, "days": command.days}, NOTICE_RULING),)

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

    def _free(self, progressive: str) -> set[bool]:
        links = self._house.progressive(progressive).state.links
        linked = {self._house.tables[table].live.free_play for table in links if table in self._house.tables}
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


def _moved(kind: str, transfer: Transfer, body: Mapping[str, Any]) -> Decided:
    postings = dict(by_stream(transfer.postings)[MONEY])
    return (Draft(MONEY, f"money.{kind}", {**body, POSTINGS: postings}, rule.TRAYS),)


def _no_reference(approval: str) -> Refusal | None:
    if approval.strip() and len(approval) <= APPROVAL_LONGEST:
        return None
    reason = f"Enter the commission's approval reference, up to {APPROVAL_LONGEST} characters"
    return Refusal(reason, rule.SUBMISSIONS, "approval")


def _not_an_amount(cents: int) -> Refusal:
    return Refusal(f"Enter an amount of at least 1 cent, not {cents}", None, "cents")
