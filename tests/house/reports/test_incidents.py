"""Incidents name their clause and people, and voids are compared with what the rounds would have paid."""

import json

import pytest

from house.floors import Floor, read_terms, run
from house.live_table.staffed import ASKING, DEALER, FLOOR, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house import entry_kinds
from pitboss.house.live_table import commands
from pitboss.house.reports.incidents import DECK_CHANGE, IRREGULARITY, STUB_COUNT, VOID, Incident, Incidents
from pitboss.house.reports.voids import VoidedRound, voided_round, voids_by_person
from pitboss.record.entries import NO_PREVIOUS, Entry
from pitboss.round.state import OVER, SETTLING

WRONG = commands.ReportIrregularity(irregularity="wrong-number-of-cards", seat=1)


async def with_voids(name: str, phases: tuple[str, ...], seed: int = 2) -> Floor:
    table = StaffedTable(Floor(seed), name)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.play_round()
    for phase in phases:
        await table.begin()
        await table.until(phase)
        await table.both(DEALER, FLOOR, WRONG)
        await table.end()
    return table.floor


def voided_rounds(floor: Floor) -> list[VoidedRound]:
    documents = {}
    for entry in floor.store.read("table/t", kinds={"house.SubmissionActivated"}):
        documents[entry.body["version"]] = entry.body["document"]
    return [
        voided_round(floor.store.read("table/t", begun.sequence - 1), begun, read_terms(documents[begun.rules]))
        for begun in incidents_of(floor).voided
    ]


def incidents_of(floor: Floor) -> Incidents:
    incidents = Incidents()
    for entry in floor.store.read("table/t"):
        incidents.add(entry)
    return incidents


@pytest.mark.parametrize("name", game_names())
def test_a_void_names_its_clause_and_both_people(name: str) -> None:
    incidents = incidents_of(run(with_voids(name, (ASKING,))))
    [void] = incidents.of_kind(VOID)
    assert {void.actor, void.second} == {DEALER[0], FLOOR[0]}
    assert (void.dealer, void.game) == (DEALER[0], name)
    assert void.clause
    ruled = incidents.of_kind(IRREGULARITY)[-1]
    assert "wrong number of cards at seat 1" in ruled.says
    assert ruled.clause
    assert incidents.rounds_settled == 1
    received = incidents.of_kind(DECK_CHANGE)
    assert received
    assert all(row.clause and row.actor for row in (*received, *incidents.of_kind(STUB_COUNT)))


@pytest.mark.parametrize("name", game_names())
def test_a_round_voided_after_every_decision_says_what_it_would_have_paid(name: str) -> None:
    floor = run(with_voids(name, (ASKING, SETTLING, SETTLING)))
    found = voided_rounds(floor)
    assert [item.would_have_paid_cents is None for item in found] == [True, False, False]


def test_what_it_would_have_paid_is_what_it_pays_when_nobody_voids_it() -> None:
    name = game_names()[0]

    async def settled() -> int:
        table = StaffedTable(Floor(2), name)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.play_round()
        await table.begin()
        await table.until(OVER)
        play = table.live.play
        assert play is not None
        return sum(result.net for result in play.results.values()) + sum(paid.net for paid in play.envy)

    [void] = voided_rounds(run(with_voids(name, (SETTLING,))))
    assert void.would_have_paid_cents == run(settled()) != 0


def entry(kind: str, **body: object) -> Entry:
    return Entry("table/t", 1, kind, body, None, "dee", "dealer", "c", 0, None, NO_PREVIOUS, "")


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(
    ("irregularity", "place"), [("dealer-card-exposed", "dealer"), ("community-card-exposed", "board")]
)
def test_a_report_of_an_exposed_card_says_where_and_the_highest_ante(name: str, irregularity: str, place: str) -> None:
    incidents = Incidents()
    stakes = ({"ante": 1000, "other": 9000}, {"ante": 2500})
    incidents.add(entry(entry_kinds.SUBMISSION_ACTIVATED, document={"table": {"game": name}}, version="v"))
    incidents.add(entry(entry_kinds.ROUND_BEGUN, round="r1"))
    for seat, placed in enumerate(stakes, 1):
        incidents.add(entry(entry_kinds.WAGERS_PLACED, seat=seat, stakes=placed))
    reported = {"irregularity": irregularity, "seat": None, "incident": "i", "by_clause": None}
    incidents.add(entry(entry_kinds.IRREGULARITY_REPORTED, **reported))
    assert [(row.exposed, row.ante_cents) for row in incidents.rows] == [(place, 2500)]
    incidents.add(entry(entry_kinds.ROUND_BEGUN, round="r2"))
    incidents.add(entry(entry_kinds.IRREGULARITY_REPORTED, **{**reported, "irregularity": "wrong-number-of-cards"}))
    assert (incidents.rows[-1].exposed, incidents.rows[-1].ante_cents) == ("", None)


def void(number: int, actor: str) -> Incident:
    return Incident(
        VOID, "round.RoundVoided", "t", "g", f"r{number}", 1, 1, actor, "dealer", "nobody", "nobody", "1", ""
    )


def test_who_voids_only_what_the_house_would_lose_is_found() -> None:
    incidents = Incidents()
    incidents.rounds_settled, incidents.rounds_lost = 1000, 400
    incidents.rows = [void(number, "crook" if number < 20 else "honest") for number in range(40)]
    would_have = {(f"r{number}", 1): 5_00 if number < 20 or number % 5 < 2 else -5_00 for number in range(40)}
    crook, honest = voids_by_person(incidents, would_have)
    assert (crook.person, crook.house_lost, crook.expected_lost) == ("crook", 20, pytest.approx(8))
    assert crook.is_suspicious
    assert (honest.house_lost, honest.house_won) == (8, 12)
    assert not honest.is_suspicious
    assert not voids_by_person(incidents, dict.fromkeys(would_have))[0].is_suspicious


def test_it_goes_on_from_what_was_kept() -> None:
    floor = run(with_voids(game_names()[0], (ASKING, SETTLING)))
    entries = list(floor.store.read("table/t"))
    for cut in (0, 20, len(entries) - 5):
        first, second = Incidents(), Incidents()
        for entry in entries[:cut]:
            first.add(entry)
        second.restore(json.loads(json.dumps(first.to_data())))
        for entry in entries[cut:]:
            second.add(entry)
        assert second.to_data() == incidents_of(floor).to_data()
