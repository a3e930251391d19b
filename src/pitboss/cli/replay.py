"""`pitboss replay`: a recorded round step by step, and whether the rules still give the same result."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.text import Text

from pitboss.cli.output import Failure, console, show_json, signed
from pitboss.cli.play.faces import CardFaces, glyphs_for
from pitboss.cli.play.settlement import WORDS, net_of, settlement_table
from pitboss.cli.play.words import counted, meter_title, place_title, telling
from pitboss.cli.waiting import waiting
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.replay import DamagedRecord, Recalled, Step, StillSealed, checked, recall
from pitboss.record.entries import Entry, MalformedEntry, entry_of
from pitboss.record.evidence import ROUND_BEGUN, TABLES, UnknownRound, find_round
from pitboss.record.seal import SealBroken
from pitboss.record.store import StoreFault
from pitboss.round import events as happened
from pitboss.round import view
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import Malformed, plain

NAMED_HERE = "--data, --database and --log each name a record; give one of them."
STREAM_HEAD = f'"stream":"{TABLES}'  # an entry of a table, before its line is parsed


def replay_command(round_id: str, *, data: Path | None, database: str | None, log: Path | None, as_json: bool) -> None:
    """Print a round as it was recorded, or exit with what the rules now decide differently."""
    if sum(place is not None for place in (data, database, log)) > 1:
        raise Failure(NAMED_HERE, 2)
    with waiting(f"Reading round {round_id}"):
        found = _recalled(round_id, data, database, log)
    telling_it = _Telling(found)
    if as_json:
        show_json(telling_it.data())
    else:
        telling_it.show()
    if found.disagreements:
        first = found.disagreements[0]
        raise Failure(f"The rules decide this round otherwise than it was recorded: {first.says}.")


def _recalled(round_id: str, data: Path | None, database: str | None, log: Path | None) -> Recalled:
    from pitboss.server.table_documents import UnsoundDocument, read_terms

    try:
        entries = _of_log(log, round_id) if log else _of_store(data, database, round_id)
        return recall(checked(entries), round_id, read_terms)
    except (UnknownRound, StillSealed) as fault:
        raise Failure(str(fault)) from None
    except DamagedRecord as fault:
        raise Failure(
            f"{fault} A round is replayed from its table's whole stream; `pitboss verify` says more."
        ) from None
    except StoreFault as fault:
        raise Failure(str(fault)) from None
    except (Malformed, UnsoundDocument, SealBroken, KeyError, AssertionError) as fault:
        # The hashes are right, so someone wrote a record that no table can have written.
        raise Failure(f"The record of this round cannot be followed: {fault}.") from None


def _of_store(data: Path | None, database: str | None, round_id: str) -> tuple[Entry, ...]:
    from pitboss.cli.serve import data_folder
    from pitboss.record.sql_store import SqlStore

    if database is None:
        file = (data or data_folder("floor")) / "record.db"
        if not file.is_file():
            raise Failure(f"There is no record at {file}; name its folder with --data.", 2)
        database = f"sqlite:///{file}"
    store = SqlStore(database)
    try:
        return tuple(store.read(find_round(store, round_id).stream))
    finally:
        store.close()


def _of_log(log: Path, round_id: str) -> tuple[Entry, ...]:
    streams: dict[str, list[Entry]] = {}
    found = ""
    try:
        with log.open(encoding="utf-8") as lines:
            for line in lines:
                if STREAM_HEAD not in line:
                    continue
                entry = entry_of(line)
                streams.setdefault(entry.stream, []).append(entry)
                if entry.kind == ROUND_BEGUN and entry.body.get("round") == round_id:
                    found = entry.stream
    except OSError as fault:
        raise Failure(f"{log} cannot be read: {fault.strerror or fault}.", 2) from None
    except (MalformedEntry, UnicodeDecodeError) as fault:
        raise Failure(f"{log} is no record: {fault}.", 2) from None
    if not found:
        raise UnknownRound(f"No table of {log} has played a round {round_id}.")
    return tuple(streams[found])


class _Telling:
    def __init__(self, found: Recalled) -> None:
        self._found = found
        first, last = found.steps[0], found.steps[-1]
        assert first.live.play is not None
        assert last.live.play is not None
        self._first, self._last, self._end = first, last, last.live.play
        self._rules: RulesInForce = first.live.play.rules
        self._out = console()
        self._faces = CardFaces(self._rules.game.deck, glyphs_for(self._out.encoding))

    def show(self) -> None:
        """Print the round as a table of steps, its settlement, and whether the rules agree."""
        entry, say = self._first.entry, self._out.print
        say(Text(f"Round {self._found.round} at table {self._first.live.table}: {self._rules.game.title}"))
        say(Text(f"{_moment(entry.at)} UTC, under version {entry.rules} of the table's submission"))
        for step in self._found.steps:
            said = self._says(step)
            who = f"{step.entry.actor} ({step.entry.role})"
            say(Text(f"{step.entry.sequence:>7}  {_moment(step.entry.at)[11:]}  {who}: {said}"), soft_wrap=True)
        envy = [step.event for step in self._found.steps if isinstance(step.event, happened.EnvyPaid)]
        seats = self._seats()
        for seat in seats:
            cards = self._faces.line(seat.cards).plain
            say(
                Text(
                    f"Seat {seat.seat} · {seat.player} · {cards} · {seat.hand or seat.status} · {signed(net_of(seat))}"
                )
            )
            say(settlement_table(self._rules, [seat], () if self._is_void else envy))
        if not self._found.disagreements:
            say(Text(f"{self._verdict} Outcome: {self._last.entry.body['outcome']}."), soft_wrap=True)

    def data(self) -> dict[str, Any]:
        """Return the round as JSON data, with cards opened."""
        found, entry = self._found, self._first.entry
        return {
            "round": found.round,
            "table": self._first.live.table,
            "game": self._rules.game.name,
            "rules": entry.rules,
            "at": entry.at,
            "outcome": self._last.entry.body["outcome"],
            "agrees": not found.disagreements,
            "disagreements": [disagreement._asdict() for disagreement in found.disagreements],
            "steps": [self._step(step) for step in found.steps],
            "seats": [{**plain(seat), "net": net_of(seat)} for seat in self._seats()],
        }

    @property
    def _is_void(self) -> bool:
        return self._end.outcome == "void"

    @property
    def _verdict(self) -> str:
        events = sum(step.event is not None for step in self._found.steps)
        return f"Decided again by the rules: {events} events of play, the same money and clauses."

    def _seats(self) -> Iterator[Any]:
        return reversed(view(self._end, self._end.seats).seats)

    def _step(self, step: Step) -> dict[str, Any]:
        entry = step.entry
        body = plain(step.event) if step.event is not None else entry.body
        return {
            "sequence": entry.sequence,
            "at": entry.at,
            "actor": entry.actor,
            "role": entry.role,
            "kind": entry.kind,
            "clause": entry.clause,
            "says": self._says(step),
            "event": {name: value for name, value in body.items() if name != POSTINGS},
            "money": entry.body.get(POSTINGS, {}),
            "public": plain(step.public.table),
        }

    def _says(self, step: Step) -> str:
        event = step.event
        if event is None:
            return _of_the_house(step.entry)
        assert step.live.play is not None
        seen = view(step.live.play)
        return self._of_play(event) or telling(self._rules, event, seen, self._faces) or _sentence(step.entry)

    def _of_play(self, event: happened.Event) -> str | None:
        match event:
            case happened.CardsDealt():
                how = "face up" if event.face_up else "face down"
                return f"{_place(event.place)} is dealt {self._cards(event.cards)} {how} ({event.clause})."
            case happened.CardCorrected():
                was, right = self._cards((event.was,)), self._cards((event.card,))
                return f"{_place(event.place)}: {was} was read wrongly; it is {right} ({event.clause})."
            case happened.WagerReturned():
                return f"Seat {event.seat}: {self._wager(event.wager)} is returned ({event.clause})."
            case happened.StakesBanked():
                return f"{self._wager(event.wager)}: {dollars(event.cents)} in chips go to the tray ({event.clause})."
            case happened.ActionTaken() if event.discard is not None:
                thrown = f"{event.action}, discarding {self._cards((event.discard,))}"
                return f"Seat {event.seat}: {thrown} ({event.clause})."
            case happened.WagersSettled():
                return f"Seat {event.seat}: {self._results(event.results)}."
            case happened.WagersReversed():
                return f"Seat {event.seat}: taken back, {self._results(event.results)} ({event.clause})."
            case happened.PayoutAwaited():
                paid = sum(result.paid for result in event.results)
                return f"Seat {event.seat}: {dollars(paid)} for {event.hand} waits for a floorperson ({event.clause})."
            case happened.PayoutValidated():
                return f"Seat {event.seat}: payout verified by {event.validated_by} ({event.clause})."
            case happened.MeterAwaited():
                share = f"{event.percent} % of {meter_title(event.meter)}"
                return f"Seat {event.seat}: {self._wager(event.wager)} waits for {share} ({event.clause})."
            case happened.IrregularityRuled():
                where = f" at seat {event.seat}" if event.seat is not None else ""
                by = f", ruled {event.ruling} by {event.ruled_by}" if event.ruled_by else ""
                return f"Irregularity {event.irregularity}{where}: {event.remedy}{by} ({event.clause})."
            case _:
                return None

    def _results(self, results: Iterable[happened.WagerResult]) -> str:
        return "; ".join(
            f"{self._wager(row.wager)} {dollars(row.stake)} {WORDS[row.result]} {signed(row.net)} ({_clauses(row)})"
            for row in results
        )

    def _wager(self, name: str) -> str:
        return self._rules.game.wagers_by_name[name].title

    def _cards(self, cards: tuple[Any, ...]) -> str:
        return self._faces.line(tuple(card[:2] for card in cards)).plain


def _clauses(result: happened.WagerResult) -> str:
    return ", ".join(filter(None, (result.clause, result.odds_clause, result.cut_clause)))


def _place(place: happened.Place) -> str:
    return f"Seat {place}" if isinstance(place, int) else place_title(place)


def _of_the_house(entry: Entry) -> str:
    body = entry.body
    match entry.kind:
        case "house.DeckCommitted":
            said = f"The deck's order is fixed: {len(body['commitments'])} commitments"
        case "house.OrderFixed":
            said = f"The deck's order is the one its shuffle fixed, cut by {counted(body['cut_cards'], 'card')}"
        case "house.ContributionPaid":
            said = f"{signed(body['cents'])} to the progressive {body['progressive']}"
        case "house.SealOpened":
            said = "The key to the dealt cards is published"
        case "table.CardsLeftDeck":
            said = f"{counted(body['cards'], 'card')} left the deck"
        case "table.RoundClosed":
            said = "The cards are picked up"
        case "house.IrregularityReported":
            said = f"{entry.actor} reports {_report(body)}; the table is held"
        case "house.IncidentAnswered":
            reason = f": {body['reason']}" if body["reason"] else ""
            said = f"The report of {_report(body)} is {body['outcome']} by {entry.actor}{reason}"
        case _:
            return _sentence(entry)
    return _cited(said, entry)


def _report(body: Mapping[str, Any]) -> str:
    where = f" at seat {body['seat']}" if body["seat"] is not None else ""
    said = "".join(f", {body[name]}" for name in ("limb", "note") if body.get(name))
    return f"{body['irregularity']}{where}{said}"


def _sentence(entry: Entry) -> str:
    name = entry.kind.partition(".")[2]
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().capitalize()
    return _cited(f"{words}, {_place(entry.body['place'])}" if "place" in entry.body else words, entry)


def _cited(said: str, entry: Entry) -> str:
    return f"{said} ({entry.clause})." if entry.clause else f"{said}."


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(" ", "milliseconds").removesuffix("+00:00")
