"""Someone with write access to the database, but without the house's keys, forges money, roles, sign-ins and state."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pitboss.house.people.accounts import People
from pitboss.house.people.passwords import Password
from pitboss.house.people.sessions import KeptSession, token_digest
from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.raised_alert import Alert
from pitboss.house.running_tables import Asked, Done
from pitboss.rules.refusal import Refusal
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.round_search import Wanted, search
from pitboss.server.table_documents import read_terms
from pitboss.table.people import AUTOMATON, Person
from pitboss_verify import verify
from server.foreign_hand import ForeignHand

EVES_PURSE = "money/purse:eve"
TABLE = "one"
STREAM = f"table/{TABLE}"
PURSE = 1_000_000
FORGED = {"postings": {"house": -PURSE, "purse:eve": PURSE}}
SUPERVISOR = Person("automatic supervisor", AUTOMATON)
SECRET = Password("correct horse battery")
STILL = {"wagers_ms": 3_600_000, "decision_ms": 0, "step_ms": 3_600_000, "between_rounds_ms": 3_600_000}


class Floor:
    """A floor that can be opened, looked at and closed, again and again."""

    def __init__(self, data: Path, url: str) -> None:
        self.settings = FloorSettings(data, database=url)
        self.hand = ForeignHand(url)

    def opened(self, work: Callable[[OpenFloor], Awaitable[Any]]) -> Any:
        """Open the floor, do something, and close it."""

        async def run() -> Any:
            floor = make_floor(self.settings)
            await floor.start()
            try:
                return await work(floor)
            finally:
                await floor.stop()

        return asyncio.run(run())


async def set_up(floor: OpenFloor) -> None:
    document = {**next(iter(demo_documents().values())), "pace": STILL}
    for table in (TABLE, "two"):
        await floor.open_free_play(table, document, 500_000_00)
    seated = {f"player-{number}": "player" for number in range(1, 5)}
    for name, role in {"eve": "player", "bob": "player", "cay": "cage", **seated}.items():
        await link_for(floor, name, role)
    assert not isinstance(await floor.office.set_password(SUPERVISOR, "bob", SECRET), Refusal)
    assert isinstance(await seat(floor, TABLE, 1), Done)
    assert isinstance(await issue(floor), Done)


@pytest.fixture
def floor(tmp_path: Path, database_url: str) -> Iterator[Floor]:
    found = Floor(tmp_path / "floor", database_url)
    found.opened(set_up)
    yield found
    found.hand.close()


async def seat(floor: OpenFloor, table: str, number: int, command_id: str = "") -> Any:
    """Sit down at a table, which writes to its stream and to no other."""
    body = {"kind": "TakeSeat", "seat": number}
    asked = Asked(command_id or floor.fresh(), f"player-{number}", ("player",), body)
    return await floor.do(table, asked)


async def issue(floor: OpenFloor) -> Any:
    """Issue play money, which writes to the stream of the purse."""
    body = {"kind": "IssueMoney", "person": "eve", "cents": 100, "free_play": True}
    return await floor.back_office.do(Asked(floor.fresh(), SUPERVISOR.name, (AUTOMATON,), body))


async def alerted(floor: OpenFloor) -> list[Alert]:
    """Return the alerts about the record, once what the floor noted is on disk."""
    await floor.export_heads()
    await floor.note_alterations()
    kept = AllReports(read_terms)
    kept.catch_up(floor.store)
    return [alert for alert in kept.alerts.held(floor.clock.now_ms()) if alert.kind == "record-altered"]


async def stops_only(floor: OpenFloor, stream: str, naming: str) -> None:
    """Check that an alert names what was found, that the stream takes nothing, and that another table goes on."""
    says = [alert.says for alert in await alerted(floor)]
    assert any(stream in said and naming in said.lower() for said in says), says
    others = {STREAM: "two"}.get(stream, TABLE)
    answer = await seat(floor, others, 3)
    assert isinstance(answer, Done), answer
    stopped = await (seat(floor, TABLE, 4) if stream == STREAM else issue(floor))
    assert isinstance(stopped, Refusal), stopped
    assert "altered" in stopped.reason


def test_forged_money_is_not_adopted_while_the_floor_is_open(floor: Floor) -> None:
    async def attack(open_floor: OpenFloor) -> None:
        before = dict(open_floor.house.money.state)
        sequence = floor.hand.append(EVES_PURSE, "money.MoneyIssued", FORGED, "cay", "cage")
        await issue(open_floor)  # finds that the stream has grown
        await open_floor.house.catch_up()
        assert dict(open_floor.house.money.state) == before
        await stops_only(open_floor, EVES_PURSE, f"entry {sequence}")

    floor.opened(attack)


def test_forged_money_is_not_adopted_at_the_next_start_and_never_signed(floor: Floor) -> None:
    before = floor.opened(purse)
    sequence = floor.hand.append(EVES_PURSE, "money.MoneyIssued", FORGED, "cay", "cage")

    async def look(open_floor: OpenFloor) -> None:
        assert await purse(open_floor) == before
        await stops_only(open_floor, EVES_PURSE, f"entry {sequence}")

    floor.opened(look)
    heads = (floor.settings.data / "heads" / "heads.jsonl").read_text().splitlines()
    signed = [json.loads(line) for line in heads if line]
    assert max(line["sequence"] for line in signed if line.get("stream") == EVES_PURSE) == sequence - 1


async def purse(floor: OpenFloor) -> int:
    """Return what eve has."""
    return floor.house.money.state["purse:eve"]


def test_a_forged_role_is_not_adopted(floor: Floor) -> None:
    role = {"person": "eve", "roles": ["administrator"], "before": ["player"]}

    async def attack(open_floor: OpenFloor) -> None:
        sequence = floor.hand.append("people", "people.RolesChanged", role, "adam", "administrator")
        answer = await open_floor.office.issue_link(SUPERVISOR, "bob")
        assert open_floor.office.people.accounts["eve"].roles == ("player",)
        assert isinstance(answer, Refusal)
        assert any(f"entry {sequence} of people" in alert.says.lower() for alert in await alerted(open_floor))
        assert isinstance(await seat(open_floor, TABLE, 3), Done)

    async def look(open_floor: OpenFloor) -> People:
        return open_floor.office.people

    floor.opened(attack)
    assert floor.opened(look).accounts["eve"].roles == ("player",)


def test_an_altered_entry_is_refused_though_every_later_one_is_hashed_again(floor: Floor) -> None:
    found = next(row for row in floor.hand.rows("entries", stream=EVES_PURSE) if "purse:eve" in row["line"])

    def richer(data: dict[str, Any]) -> None:
        data["body"]["postings"] = {account: cents * 100 for account, cents in data["body"]["postings"].items()}

    floor.hand.rewrite(EVES_PURSE, found["sequence"], richer)

    async def look(open_floor: OpenFloor) -> None:
        await stops_only(open_floor, EVES_PURSE, f"entry {found['sequence']} of {EVES_PURSE}")

    floor.opened(look)


def test_an_altered_entry_of_a_table_stops_that_table_only(floor: Floor) -> None:
    def another_seat(data: dict[str, Any]) -> None:
        data["actor"] = "eve"

    last = floor.hand.head(STREAM).sequence
    floor.hand.rewrite(STREAM, last, another_seat)

    async def look(open_floor: OpenFloor) -> None:
        await stops_only(open_floor, STREAM, f"entry {last} of {STREAM}")

    floor.opened(look)


def test_a_valid_entry_in_another_place_is_refused(floor: Floor) -> None:
    entries = floor.hand.table("entries")
    rows = {row["sequence"]: row for row in floor.hand.rows("entries", stream=EVES_PURSE)}
    last = max(rows)
    earlier = {name: value for name, value in rows[1].items() if name not in ("position", "sequence")}
    floor.hand.run(sa.update(entries).where(entries.c.position == rows[last]["position"]).values(**earlier))

    async def look(open_floor: OpenFloor) -> None:
        await stops_only(open_floor, EVES_PURSE, f"entry {last} of {EVES_PURSE}")

    floor.opened(look)


def test_an_entry_that_is_hidden_from_queries_is_found_by_the_check_of_all_rows(floor: Floor) -> None:
    entries = floor.hand.table("entries")
    hidden = entries.c.kind == "floor.RulesSubmitted"
    row = floor.hand.rows("entries", kind="floor.RulesSubmitted")[0]
    floor.hand.run(sa.update(entries).where(hidden).values(kind="floor.Nothing"))

    async def look(open_floor: OpenFloor) -> None:
        await open_floor.check_rows()
        assert any(f"entry {row['sequence']} of floor" in alert.says.lower() for alert in await alerted(open_floor))

    floor.opened(look)


def test_a_replaced_password_verifier_signs_nobody_in(floor: Floor) -> None:
    async def verifier(open_floor: OpenFloor) -> str:
        from pitboss.house.people.password_hash import ArgonHasher

        return ArgonHasher(open_floor.randomness).verifier(Password("eve's own password"))

    credentials = floor.hand.table("credentials")
    floor.hand.run(sa.update(credentials).values(verifier=floor.opened(verifier)))

    async def attack(open_floor: OpenFloor) -> None:
        answer = await open_floor.office.sign_in("bob", Password("eve's own password"))
        assert isinstance(answer, Refusal)
        assert any("credential" in alert.says for alert in await alerted(open_floor))
        assert isinstance(await seat(open_floor, TABLE, 3), Done)

    floor.opened(attack)


@pytest.mark.parametrize("altered", ["person", "digest", "seen"])
def test_an_altered_session_lets_nobody_in(floor: Floor, altered: str) -> None:
    async def attack(open_floor: OpenFloor) -> None:
        admitted = await open_floor.office.sign_in("bob", SECRET)
        assert not isinstance(admitted, Refusal)
        sessions = floor.hand.table("sessions")
        others = token_digest("a token that eve knows")
        values: dict[str, str | int] = {"person": "cay"} if altered == "person" else {"digest": others}
        values = {"seen": open_floor.clock.now_ms() + 1_000} if altered == "seen" else values
        floor.hand.run(sa.update(sessions).values(**values))
        token = "a token that eve knows" if altered == "digest" else admitted.token
        found = open_floor.office.sessions.check(open_floor.office.people, token)
        assert not isinstance(found, KeptSession)
        assert any("session" in alert.says for alert in await alerted(open_floor))
        assert isinstance(await seat(open_floor, TABLE, 3), Done)

    floor.opened(attack)


def test_a_forged_command_id_doesnt_swallow_a_command(floor: Floor) -> None:
    async def attack(open_floor: OpenFloor) -> None:
        done = await seat(open_floor, TABLE, 2, command_id="first")
        assert isinstance(done, Done)
        row = floor.hand.rows("commands", id="first")[0]
        other = floor.hand.rows("entries", stream=STREAM)[0]["sequence"]
        commands = floor.hand.table("commands")
        places = json.dumps([[STREAM, other, other]])
        floor.hand.run(sa.update(commands).where(commands.c.id == "first").values(places=places))
        again = await seat(open_floor, TABLE, 2, command_id="first")
        assert isinstance(again, Refusal), (row, again)
        assert any("command first" in alert.says for alert in await alerted(open_floor))
        assert isinstance(await seat(open_floor, "two", 3), Done)

    floor.opened(attack)


@pytest.mark.parametrize("is_used_again", [False, True])
def test_a_deleted_command_id_is_found_by_the_check_of_all_rows(floor: Floor, is_used_again: bool) -> None:
    async def attack(open_floor: OpenFloor) -> None:
        await open_floor.check_rows()
        assert not await alerted(open_floor)
        assert isinstance(await seat(open_floor, TABLE, 2, command_id="first"), Done)
        commands = floor.hand.table("commands")
        floor.hand.run(sa.delete(commands).where(commands.c.id == "first"))
        if is_used_again:  # by the same person, who could have sent it under a new id too
            body = {"kind": "LeaveSeat", "seat": 2}
            again = await open_floor.do(TABLE, Asked("first", "player-2", ("player",), body))
            assert isinstance(again, Done)
            assert not again.again
        await open_floor.check_rows()
        assert [alert.says for alert in await alerted(open_floor) if "command first" in alert.says]
        assert isinstance(await seat(open_floor, TABLE, 3), Done), "the table goes on"

    floor.opened(attack)


def test_an_altered_snapshot_is_named_and_the_entries_are_read_instead(floor: Floor) -> None:
    async def keep(open_floor: OpenFloor) -> dict[str, int]:
        for number in range(300):
            await open_floor.note("Tested", {"number": number})
        live = open_floor.house.live(TABLE)
        from pitboss.house.live_table.table_snapshot import fold_of

        open_floor.house.snapshots.keep(STREAM, live.head, fold_of(TABLE, open_floor.house.reading), live)
        return {"tray": live.tray_cents}

    before = floor.opened(keep)
    snapshots = floor.hand.table("snapshots")
    row = floor.hand.rows("snapshots", stream=STREAM)[0]
    state = bytes([row["state"][0] ^ 1]) + row["state"][1:]
    floor.hand.run(sa.update(snapshots).where(snapshots.c.stream == STREAM).values(state=state))

    async def look(open_floor: OpenFloor) -> dict[str, int]:
        assert any(f"snapshot of {STREAM}" in alert.says for alert in await alerted(open_floor))
        assert isinstance(await seat(open_floor, TABLE, 3), Done)
        return {"tray": open_floor.house.live(TABLE).tray_cents}

    assert floor.opened(look) == before


def test_a_cut_tail_is_found_while_the_floor_is_open(floor: Floor) -> None:
    async def attack(open_floor: OpenFloor) -> None:
        await issue(open_floor)
        last = floor.hand.head(EVES_PURSE).sequence
        floor.hand.cut(EVES_PURSE, 1)
        await stops_only(open_floor, EVES_PURSE, f"entry {last}")

    floor.opened(attack)


def test_a_cut_tail_is_found_at_the_next_start(floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    last = floor.hand.head(EVES_PURSE).sequence
    floor.hand.cut(EVES_PURSE, 1)

    async def look(open_floor: OpenFloor) -> None:
        assert any(f"ends at entry {last - 1}" in said for said in open_floor.store.alterations.all())
        await stops_only(open_floor, EVES_PURSE, f"entry {last}")

    floor.opened(look)


def test_a_replayed_old_database_is_found_at_the_next_start(floor: Floor) -> None:
    old = floor.hand.copied()

    async def go_on(open_floor: OpenFloor) -> None:
        assert isinstance(await issue(open_floor), Done)
        assert isinstance(await seat(open_floor, TABLE, 2), Done)

    floor.opened(go_on)
    floor.hand.put_back(old)

    async def look(open_floor: OpenFloor) -> None:
        says = open_floor.store.alterations.all()
        assert any(EVES_PURSE in said for said in says)
        assert any(STREAM in said for said in says)
        assert isinstance(await issue(open_floor), Refusal)
        assert isinstance(await seat(open_floor, TABLE, 2), Refusal)
        assert isinstance(await seat(open_floor, "two", 3), Done)  # whose stream has not gone back

    floor.opened(look)


def test_an_old_copy_put_back_within_the_minute_between_heads_is_found_by_the_checkpoint(floor: Floor) -> None:
    old = floor.hand.copied()
    heads = floor.settings.data / "heads" / "heads.jsonl"
    signed = heads.read_bytes()

    async def go_on(open_floor: OpenFloor) -> None:
        assert isinstance(await issue(open_floor), Done)
        await open_floor.checkpoint()

    floor.opened(go_on)
    heads.write_bytes(signed)  # as if the process had been killed before it signed heads again
    floor.hand.put_back(old)

    async def look(open_floor: OpenFloor) -> None:
        assert any(EVES_PURSE in said and "checkpoint" in said for said in open_floor.store.alterations.all())
        assert isinstance(await issue(open_floor), Refusal)

    floor.opened(look)


def test_an_altered_index_of_rounds_raises_an_alert_and_stops_nothing(floor: Floor) -> None:
    forged = {"stream": STREAM, "sequence": 1, "player": "eve", "round": "x", "at": 1}
    rounds = floor.hand.table("rounds")
    floor.hand.run(sa.insert(rounds).values(**forged, outcome="settled", tag="a.b.c"))

    async def look(open_floor: OpenFloor) -> None:
        assert not search(open_floor.store, open_floor.rounds, Wanted(player="eve"), 5).rounds
        says = [alert.says for alert in await alerted(open_floor)]
        assert any("index of rounds" in said and STREAM in said for said in says), says
        assert isinstance(await seat(open_floor, TABLE, 2), Done)

    floor.opened(look)


def test_wiping_every_tag_doesnt_make_a_record_an_old_one(floor: Floor) -> None:
    steps = []
    for name in ("entries", "heads", "commands", "credentials", "sessions"):
        table = floor.hand.table(name)
        if "tag" in table.c:
            steps.append(sa.update(table).values(tag=""))
    version = floor.hand.table("alembic_version")
    floor.hand.run(*steps)
    assert len(floor.hand.rows("alembic_version")) == 1, version
    floor.hand.append(EVES_PURSE, "money.MoneyIssued", FORGED, "cay", "cage")

    async def look(open_floor: OpenFloor) -> None:
        assert open_floor.house.money.state.get("purse:eve", 0) == 0  # nothing there is the house's
        assert isinstance(await issue(open_floor), Refusal)

    floor.opened(look)


def test_what_verifies_is_what_the_house_wrote(floor: Floor, tmp_path: Path) -> None:
    floor.opened(lambda opened: issue(opened))
    if floor.settings.url.startswith("sqlite"):
        found = verify(tmp_path / "record.db", heads=[floor.settings.data / "heads" / "heads.jsonl"])
        assert found.is_sound, found.fault
