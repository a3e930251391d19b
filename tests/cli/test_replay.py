"""`pitboss replay` as a user calls it: a round printed from the record and decided again."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from house.floors import TRAY, Floor, read_terms, run
from house.live_table.staffed import ASKING, DEALER, FLOOR, StaffedTable
from pitboss.cli import _run
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.progressive import drafts_of, link_of
from pitboss.house.replay import rounds_of
from pitboss.record.entries import Circumstances, Draft, Entry, Head, chain, line_of
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, export
from pitboss.rules.refusal import Refusal
from pitboss.server.demonstration import document_for
from pitboss.server.table_documents import meters_of
from pitboss.server.table_documents import read_terms as submitted_terms

Pitboss = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pitboss:
    def run_it(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, arguments)])
        status = _run()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    # The tests' floor names a game where a house's document is a whole submission.
    monkeypatch.setattr("pitboss.server.table_documents.read_terms", read_terms)
    return run_it


async def played(name: str, rounds: int = 2) -> Floor:
    floor = Floor(4)
    await floor.open("t", name)
    for person, seat in (("alice", 1), ("bob", 3)):
        await floor.sit("t", person, seat)
    await floor.rounds("t", rounds)
    return floor


def log_of(floor: Floor, path: Path) -> Path:
    out = io.StringIO()
    export(floor.store, out)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def last_round(floor: Floor) -> str:
    return rounds_of(floor.store.read("table/t"), 1)[0]


@pytest.mark.parametrize("name", game_names())
def test_a_round_is_described_step_by_step_and_decided_again(name: str, tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(name))
    log, last = log_of(floor, tmp_path / "record.jsonl"), last_round(floor)
    status, out, err = pitboss("replay", last, "--log", log)
    assert (status, err) == (0, "")
    assert out.startswith(f"Round {last} at table t: ")
    assert "alice (player): Seat 1 bets " in out
    assert " face down (" in out
    assert out.rstrip().endswith("the same money and clauses. Outcome: settled.")
    status, out, _ = pitboss("replay", last, "--log", log, "--json")
    data = json.loads(out)
    assert (status, data["agrees"], data["outcome"], data["table"]) == (0, True, "settled", "t")
    assert all(
        step["clause"]
        for step in data["steps"]
        if step["kind"] not in ("round.WagersSettled",) and step["kind"].startswith("round.")
    )
    dealt = [step for step in data["steps"] if step["kind"] == "round.CardsDealt"]
    assert all(isinstance(card, str) for step in dealt for card in step["event"]["cards"])
    won = sum(seat["net"] for seat in data["seats"])
    # Progressive chips go to the tray when bets are closed, the rest as wagers are settled.
    moved = sum(step["money"].get("inventory:t", 0) for step in data["steps"] if step["kind"].startswith("round."))
    pool = sum(step["money"].get("pool:shared", 0) for step in data["steps"])
    assert won == -moved - pool


def test_the_same_round_is_described_from_a_folder_and_a_database(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(game_names()[0], 1))
    last, log = last_round(floor), log_of(floor, tmp_path / "record.jsonl")
    store = SqlStore(f"sqlite:///{tmp_path / 'record.db'}")
    for stream in floor.store.heads():
        rechained(store, tuple(floor.store.read(stream)))
    store.close()
    told = pitboss("replay", last, "--log", log)
    assert told[0] == 0
    assert pitboss("replay", last, "--data", tmp_path) == told
    assert pitboss("replay", last, "--database", f"sqlite:///{tmp_path / 'record.db'}") == told


def rechained(store: SqlStore, entries: tuple[Entry, ...]) -> None:
    head = Head()
    for entry in entries:
        by = Circumstances(entry.actor, entry.role, f"{entry.stream}-{entry.sequence}", entry.at, entry.rules)
        draft = Draft(entry.stream, entry.kind, entry.body, entry.clause)
        [done] = store.commit([Batch((draft,), {entry.stream: head}, by, "x")])
        head = Head(entry.sequence, done.entries[0].hash)


def forged(entries: list[Entry], change: Callable[[Entry], dict[str, Any] | None]) -> str:
    """Return a log whose hashes are right and whose events are not."""
    head, lines = Head(), []
    for entry in entries:
        body = change(entry) or entry.body
        by = Circumstances(entry.actor, entry.role, entry.command, entry.at, entry.rules)
        [made] = chain(head, [Draft(entry.stream, entry.kind, body, entry.clause)], by)
        head = Head(made.sequence, made.hash)
        lines.append(line_of(made) + "\n")
    return "".join(lines)


def test_a_payment_that_the_rules_do_not_give_ends_with_1(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(game_names()[0]))
    entries, last = list(floor.store.read("table/t")), last_round(floor)
    wrong = max(entry.sequence for entry in entries if entry.kind == "round.WagersSettled" and entry.body["results"])

    def change(entry: Entry) -> dict[str, Any] | None:
        if entry.sequence != wrong:
            return None
        first, *rest = entry.body["results"]
        return {**entry.body, "results": [{**first, "net": first["net"] + 100}, *rest]}

    log = tmp_path / "forged.jsonl"
    log.write_text(forged(entries, change), encoding="utf-8")
    status, out, err = pitboss("replay", last, "--log", log)
    assert status == 1
    assert "the same money" not in out
    assert err.startswith("The rules now give a different result than the record: Settle now has a different outcome")
    status, out, _ = pitboss("replay", last, "--log", log, "--json")
    assert (status, json.loads(out)["agrees"]) == (1, False)


def test_an_event_that_no_table_writes_is_one_sentence(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(game_names()[0]))
    entries, number = list(floor.store.read("table/t")), last_round(floor)
    log = tmp_path / "forged.jsonl"
    for field, value in (("place", 99), ("cards", [{"position": 0, "sealed": "00"}]), ("face_up", "perhaps")):
        last = max(entry.sequence for entry in entries if entry.kind == "round.CardsDealt")
        log.write_text(
            forged(entries, lambda entry: {**entry.body, field: value} if entry.sequence == last else None),  # noqa: B023
            encoding="utf-8",
        )
        status, out, err = pitboss("replay", number, "--log", log)
        assert (status, err.count("\n")) == (1, 1), (field, err)
        assert "Something in pitboss itself failed" not in err
        assert "the same money" not in out


def test_a_changed_or_cut_log_is_refused_in_one_sentence(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(game_names()[0]))
    log, last = log_of(floor, tmp_path / "record.jsonl"), last_round(floor)
    lines = log.read_text("utf-8").splitlines(keepends=True)
    table = [line for line in lines if '"stream":"table/t"' in line]
    for damaged in (table[1:], table[:4] + table[5:], [table[0].replace('"at":', '"at":1'), *table[1:]]):
        log.write_text("".join(damaged), encoding="utf-8")
        status, out, err = pitboss("replay", last, "--log", log)
        assert (status, out) == (1, "")
        assert "is missing or invalid" in err
        assert err.count("\n") == 1


def test_what_is_missing_is_reported_in_one_sentence(tmp_path: Path, pitboss: Pitboss) -> None:
    floor = run(played(game_names()[0], 1))
    log, last = log_of(floor, tmp_path / "record.jsonl"), last_round(floor)
    (tmp_path / "other.jsonl").write_text('{"stream":"table/t"}\n')
    for status, arguments in (
        (1, ("nothing", "--log", log)),
        (2, (last, "--log", tmp_path / "nowhere")),
        (2, (last, "--log", tmp_path / "other.jsonl")),
        (2, (last, "--data", tmp_path)),
        (2, (last, "--data", tmp_path, "--log", log)),
        (1, (last, "--database", "mysql://nowhere")),
    ):
        found, out, err = pitboss("replay", *arguments)
        assert (found, out, err.count("\n")) == (status, "", 1), arguments


def test_a_round_in_play_stays_sealed(tmp_path: Path, pitboss: Pitboss) -> None:
    async def begun() -> Floor:
        floor = await played(game_names()[0], 1)
        while floor.house.live("t").play.phase != ASKING:
            if not await floor.act("t"):
                await floor.step("t")
        return floor

    floor = run(begun())
    status, out, err = pitboss("replay", last_round(floor), "--log", log_of(floor, tmp_path / "record.jsonl"))
    assert (status, out) == (1, "")
    assert "sealed until it is over" in err


def test_a_voided_round_says_what_was_ruled(tmp_path: Path, pitboss: Pitboss) -> None:
    async def voided() -> Floor:
        table = StaffedTable(Floor(2), game_names()[0])
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.begin()
        await table.until(ASKING)
        await table.both(DEALER, FLOOR, commands.ReportIrregularity(irregularity="wrong-number-of-cards", seat=1))
        await table.end()
        return table.floor

    floor = run(voided())
    status, out, _ = pitboss("replay", last_round(floor), "--log", log_of(floor, tmp_path / "record.jsonl"))
    assert status == 0
    assert "Irregularity at seat 1, wrong number of cards" in out
    assert "Outcome: void." in out


@pytest.mark.parametrize("name", game_names())
def test_a_round_of_a_submitted_table_is_described_by_the_terms_it_was_played_under(
    name: str, tmp_path: Path, pitboss: Pitboss, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.server.table_documents.read_terms", submitted_terms)
    monkeypatch.setattr("house.floors.read_terms", submitted_terms)
    document = document_for(game(name))

    async def played_by_submission() -> Floor:
        floor = Floor(4)
        floor.house.open("t")
        await floor.must("t", HOUSE_DEALER, AUTOMATON, commands.ActivateSubmission(document=document))
        terms = submitted_terms(document)
        link = link_of("t", terms.settings.rules)
        if link is not None:
            progressive = floor.house.progressive(str(terms.progressive))
            opened = of_meters.OpenMeters(at=0, meters=meters_of(document), by="one", second="two")
            for command in (opened, of_meters.LinkTable(at=0, link=link)):
                await floor.shared(progressive, lambda state, at, command=command: meters_decided(state, at, command))
        await floor.must("t", HOUSE_DEALER, AUTOMATON, commands.OpenTable(tray_cents=TRAY))
        await floor.sit("t", "alice", 1)
        await floor.rounds("t", 2)
        return floor

    floor = run(played_by_submission())
    status, out, err = pitboss("replay", last_round(floor), "--log", log_of(floor, tmp_path / "record.jsonl"))
    assert (status, err) == (0, "")
    assert game(name).title in out
    assert "the same money and clauses" in out


def meters_decided(state: Any, at: int, command: Any) -> Any:
    answer = decide_meters(state, replace(command, at=at))
    return answer if isinstance(answer, Refusal) else drafts_of(state, answer)
