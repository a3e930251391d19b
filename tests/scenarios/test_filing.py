"""Only rules filed for a table are put in force there: one version per facility, notice before a reduction."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pitboss.games.catalogue import game_names, games
from scenarios.floor import DRAWN, READER, TRAY, ScenarioTable, unique

NewTable = Callable[..., ScenarioTable]
HOUSE_RULE = "H-5"
DAY_MS = 24 * 60 * 60_000
ONE_VERSION = next(game for game in games() if game.one_version_option)
LIMITED = next(game for game in games() if game.payout_limit and game.payout_limit.decrease_takes_notice)
WITHDRAWN = next(wager for wager in LIMITED.wagers if wager.withdrawal_cite)
VERSIONS = ONE_VERSION.options_by_name[ONE_VERSION.one_version_option or ""]


def file(table: ScenarioTable, document: dict[str, Any], **fields: Any) -> Any:
    body = {"kind": "SubmitRules", "table": table.table, "document": document, **fields}
    return table.floor.office("olga", body)


def filed(table: ScenarioTable, document: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    answer = file(table, document or table.document, **fields)
    assert answer.status_code == 200, answer.text
    return on_record(table)[0]


def on_record(table: ScenarioTable) -> list[dict[str, Any]]:
    http = table.floor.people["olga"].http
    found: list[dict[str, Any]] = http.get(f"/api/tables/{table.table}/submitted").raise_for_status().json()
    return found


def changed(document: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {**document, "table": {**document["table"], **keys}}


def office(table: ScenarioTable, kind: str, **fields: Any) -> Any:
    return table.floor.office("olga", {"kind": kind, "table": table.table, **fields})


@pytest.mark.parametrize("cards", [READER, DRAWN])
@pytest.mark.parametrize("name", game_names())
def test_rules_that_were_never_filed_for_a_table_are_not_put_in_force_there(
    new_table: NewTable, name: str, cards: str
) -> None:
    table, other = new_table(name, cards), new_table(name, cards)
    filed(table)
    dearer = changed(table.document, maximum=table.document["table"]["maximum"] * 2)
    filed(other, dearer)  # filed, but for another table
    refused = table.refused("olga", "ActivateSubmission", document=dearer)
    assert "isn't filed" in refused["reason"]
    assert refused["clause"] == HOUSE_RULE
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    assert [row["in_force"] for row in on_record(table)] == [True]


def test_a_filing_says_when_by_whom_and_which_version_and_may_carry_the_approval(new_table: NewTable) -> None:
    table = new_table(game_names()[0])
    first = filed(table)
    assert (first["by"], first["approval"], first["notice"]) == ("olga", None, None)
    assert first["at"] > 0
    approved = office(table, "RecordApproval", version=first["version"], approval="MGC 2026-114")
    assert approved.status_code == 200, approved.text
    assert on_record(table)[0]["approval"] == "MGC 2026-114"
    again = changed(table.document, maximum=table.document["table"]["maximum"] * 2)
    assert filed(table, again, approval="MGC 2026-115")["approval"] == "MGC 2026-115"
    unknown = office(table, "RecordApproval", version="0" * 16, approval="MGC 2026-116")
    assert unknown.status_code == 409
    assert unknown.json()["refused"]["clause"] == HOUSE_RULE
    blank = office(table, "RecordApproval", version=first["version"], approval=" ")
    assert blank.json()["refused"]["field"] == "approval"


def version_document(new_table: NewTable, version: str, facility: str) -> ScenarioTable:
    return new_table(ONE_VERSION.name, options={VERSIONS.name: version}, facility=facility)


def test_a_second_version_in_one_facility_is_refused_when_it_is_activated(new_table: NewTable) -> None:
    first = version_document(new_table, VERSIONS.values[0], "Two Versions")
    second = version_document(new_table, VERSIONS.values[1], "Two Versions")
    filed(first)
    first.both("olga", "pit", "ActivateSubmission", document=first.document)
    filed(second)
    refused = second.refused("olga", "ActivateSubmission", document=second.document)
    assert refused["clause"] == ONE_VERSION.one_version_cite
    assert first.table in refused["reason"]
    elsewhere = version_document(new_table, VERSIONS.values[1], "Another House")
    filed(elsewhere)
    elsewhere.both("olga", "pit", "ActivateSubmission", document=elsewhere.document)


def test_a_facility_spelled_differently_is_the_same_facility(new_table: NewTable) -> None:
    house = unique("Grand Hotel")
    first = version_document(new_table, VERSIONS.values[0], house)
    filed(first)
    first.both("olga", "pit", "ActivateSubmission", document=first.document)
    for spelled in (house.upper(), f" {house.replace(' ', '  ')} "):
        second = version_document(new_table, VERSIONS.values[1], spelled)
        filed(second)
        refused = second.refused("olga", "ActivateSubmission", document=second.document)
        assert refused["clause"] == ONE_VERSION.one_version_cite


def test_two_versions_confirmed_at_the_same_moment_are_not_both_put_in_force(new_table: NewTable) -> None:
    tables = [version_document(new_table, version, "Hasty House") for version in VERSIONS.values[:2]]
    for table in tables:
        filed(table)
    put = [table.must("olga", "ActivateSubmission", document=table.document)["proposal"] for table in tables]
    with ThreadPoolExecutor(2) as threads:
        asked = zip(tables, put, strict=True)
        answers = list(threads.map(lambda said: said[0].ask("pit", "Confirm", proposal=said[1]), asked))
    assert sorted(answer.status_code for answer in answers) == [200, 409], [answer.text for answer in answers]
    refused = next(answer.json()["refused"] for answer in answers if answer.status_code == 409)
    assert refused["clause"] == ONE_VERSION.one_version_cite
    told = tables[0].floor.floor.store.read("facility")
    assert [entry.body["facility"] for entry in told].count("Hasty House") == 1


def test_a_facility_changes_its_version_while_its_tables_are_closed(new_table: NewTable) -> None:
    old, new = VERSIONS.values[0], VERSIONS.values[1]
    tables = [version_document(new_table, old, "Changing House") for _ in range(2)]
    for table in tables:
        filed(table)
        table.both("olga", "pit", "ActivateSubmission", document=table.document)
    turned = [
        changed(table.document, options={**table.document["table"]["options"], VERSIONS.name: new}) for table in tables
    ]
    for table, document in zip(tables, turned, strict=True):
        filed(table, document)
    tables[1].must("flo", "OpenTable", tray_cents=TRAY)
    refused = tables[0].refused("olga", "ActivateSubmission", document=turned[0])
    assert refused["clause"] == ONE_VERSION.one_version_cite
    tables[1].must("flo", "CloseTable", tray_cents=TRAY)
    tables[0].both("olga", "pit", "ActivateSubmission", document=turned[0])
    tables[0].must("flo", "OpenTable", tray_cents=TRAY)
    refused = tables[1].refused("flo", "OpenTable", tray_cents=TRAY)
    assert refused["clause"] == ONE_VERSION.one_version_cite
    tables[1].both("olga", "pit", "ActivateSubmission", document=turned[1])
    tables[1].must("flo", "OpenTable", tray_cents=TRAY)


def without(document: dict[str, Any], wager: str) -> dict[str, Any]:
    wagers = {name: stated for name, stated in document["table"]["wagers"].items() if name != wager}
    return changed(document, wagers=wagers)


def test_withdrawing_a_wager_waits_for_the_notice_it_takes(new_table: NewTable) -> None:
    table = new_table(LIMITED.name, wagers={WITHDRAWN.name: True})
    filed(table)
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    less = without(table.document, WITHDRAWN.name)
    version = filed(table, less)["version"]
    refused = table.refused("olga", "ActivateSubmission", document=less)
    assert refused["clause"] == WITHDRAWN.withdrawal_cite
    assert "notice" in refused["reason"]
    assert "G-24" in refused["reason"]
    assert office(table, "PostNotice", version=version, days=0).json()["refused"]["field"] == "days"
    posted = office(table, "PostNotice", version=version, days=3)
    assert posted.status_code == 200, posted.text
    notice = on_record(table)[0]["notice"]
    assert (notice["by"], notice["days"], notice["until"] - notice["at"]) == ("olga", 3, 3 * DAY_MS)
    assert table.refused("olga", "ActivateSubmission", document=less)["clause"] == WITHDRAWN.withdrawal_cite


def test_lowering_a_payout_limit_waits_for_its_notice_and_goes_on_when_it_was_given(
    new_table: NewTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LIMITED.payout_limit is not None
    option = LIMITED.payout_limit.option
    table = new_table(LIMITED.name, options={option: 80_000_00})
    filed(table)
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    options = table.document["table"]["options"]
    higher, lower = (changed(table.document, options={**options, option: cents}) for cents in (90_000_00, 60_000_00))
    filed(table, higher)
    table.both("olga", "pit", "ActivateSubmission", document=higher)  # more for players needs no notice
    version = filed(table, lower)["version"]
    refused = table.refused("olga", "ActivateSubmission", document=lower)
    assert refused["clause"] in LIMITED.payout_limit.cites.values()
    assert "$60,000" in refused["reason"]
    assert office(table, "PostNotice", version=version, days=1).status_code == 200
    # The notice's day goes by in the record of filings, not on the clock that other scenarios share.
    monkeypatch.setattr("pitboss.house.compliance.filings.DAY_MS", 0)
    table.both("olga", "pit", "ActivateSubmission", document=lower)


def limits(new_table: NewTable) -> tuple[ScenarioTable, dict[str, Any], str]:
    """Return a table with a payout limit in force, and a version of its rules with a lower one."""
    assert LIMITED.payout_limit is not None
    option = LIMITED.payout_limit.option
    table = new_table(LIMITED.name, options={option: 80_000_00})
    filed(table)
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    lower = changed(table.document, options={**table.document["table"]["options"], option: 60_000_00})
    return table, lower, filed(table, lower)["version"]


def test_another_game_between_two_versions_does_not_avoid_a_notice(new_table: NewTable) -> None:
    table, lower, _ = limits(new_table)
    between = new_table(next(name for name in game_names() if name != LIMITED.name)).document
    filed(table, between)
    table.both("olga", "pit", "ActivateSubmission", document=between)
    assert "needs notice" in table.refused("olga", "ActivateSubmission", document=lower)["reason"]
    table.both("olga", "pit", "ActivateSubmission", document=table.document)


def test_a_notice_serves_one_change(new_table: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table, lower, version = limits(new_table)
    monkeypatch.setattr("pitboss.house.compliance.filings.DAY_MS", 0)
    assert office(table, "PostNotice", version=version, days=1).status_code == 200
    table.both("olga", "pit", "ActivateSubmission", document=lower)
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    assert "needs notice" in table.refused("olga", "ActivateSubmission", document=lower)["reason"]
    table.floor.pass_time(1)
    assert office(table, "PostNotice", version=version, days=1).status_code == 200
    table.both("olga", "pit", "ActivateSubmission", document=lower)
