"""Money controls on the page: every role's forms, counts that differ, voids and explanations."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.counted import MoneyPages
from browser.housed import Visit
from browser.test_barriers import barriers
from scenarios.floor import ScenarioFloor, ScenarioTable

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
GAME = "top-five-poker"
CHIPS = {100_00: 100, 25_00: 200, 5_00: 400, 1_00: 500}  # $17,500


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("money"))
    yield running
    running.stop()


def test_every_role_works_the_money_controls_on_the_page(floor: ScenarioFloor, visit: Visit) -> None:
    people = MoneyPages(visit, floor)
    people.change_settings("olga", "pit", facility="Harbor Casino", time_zone="America/New_York", money_controls=True)
    assert people.controls.settings.money_controls
    changed = people.at("aud", "/floor/money/settings")
    expect(changed.get_by_test_id("settings-change")).to_contain_text("not set → Harbor Casino")
    expect(changed.get_by_test_id("propose-settings")).to_have_count(0)
    assert barriers(changed) == []

    # The vault is funded and a float moved; the cage opens when two counts agree.
    people.vault("FundVault", "olga", "cay", "160000", {100_00: 500, 25_00: 500, 5_00: 1000, 1_00: 1000})
    people.vault("MoveVault", "cay", "cam", "60000", {100_00: 300, 25_00: 400, 5_00: 800, 1_00: 1000}, to="cage")
    held = {100_00: 300, 25_00: 400, 5_00: 800, 1_00: 1000}
    cage = people.count_cage("cay", {100_00: 600}, {**held, 1_00: 999})
    expect(cage.get_by_test_id("cage-waits")).to_be_visible()
    other = people.count_cage("pit", {100_00: 600}, held)
    for page in (cage, other):  # neither saw the other's count, and both learn that they differ
        expect(page.get_by_test_id("count-cage").get_by_role("status")).to_contain_text("differ")
    assert not people.controls.is_cage_open
    people.count_cage("cay", {100_00: 600}, held)
    people.count_cage("pit", {100_00: 500, 50_00: 200}, held)
    expect(other.get_by_test_id("count-cage").get_by_role("status")).to_contain_text("open")
    assert people.controls.is_cage_open
    expect(cage.get_by_test_id("held-cage")).to_contain_text("you don’t see what the books say")
    expect(people.at("olga", "/floor/money/cage").get_by_test_id("held-cage")).to_contain_text("Cash $60,000")
    assert barriers(cage) == []

    # An empty tray is counted twice, and the table is open.
    table = ScenarioTable(floor, GAME)
    table.document["pace"] = {"idle_ms": 60 * 60_000}
    filed = {"kind": "SubmitRules", "table": table.table, "document": table.document}
    assert floor.office("olga", filed).status_code == 200
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    table.take_over("dana")
    console = people.count_at_console("dana", table.table, {})
    assert barriers(console) == []
    tile = people.count_on_tile("flo", table.table, {})
    expect(tile.get_by_test_id(f"opened-{table.table}").get_by_test_id("choose-RequestFill")).to_be_visible()
    assert table.live.is_open

    # A fill by four people, a credit by five, and a slip that is voided.
    fill = people.request("flo", "RequestFill", table.table, CHIPS)
    people.sign("cay", fill, "PrepareSlip")
    expect(people.at("cay", "/floor/money/slips").get_by_test_id(f"slip-{fill}")).to_contain_text(
        "You already signed this slip"
    )
    people.sign("fred", fill, "CarrySlip")
    people.sign_at_table("dana", table.table, fill, CHIPS)
    assert table.live.tray_cents == 17_500_00
    credit = people.request("flo", "RequestCredit", table.table, {100_00: 10})
    people.sign("cay", credit, "PrepareSlip")
    people.sign_at_table("dana", table.table, credit, {100_00: 10})
    people.sign("fred", credit, "CarrySlip")
    people.sign("cam", credit, "AcceptCredit", {100_00: 10})
    assert table.live.tray_cents == 16_500_00
    spoiled = people.request("flo", "RequestFill", table.table, {1_00: 5})
    slips = people.at("cay", "/floor/money/slips")
    card = slips.get_by_test_id(f"slip-{spoiled}")
    card.get_by_test_id("void").click()
    card.get_by_test_id("void-reason").fill("Requested for the wrong table")
    assert barriers(slips) == []
    card.get_by_test_id("do-VoidSlip").click()
    people.confirm("flo", "Void a slip", "/floor/money/slips", says="wrong table")
    expect(card).to_have_count(0)

    # The drop: a box that is $50 short when it is counted, and explained by two people.
    table.seat_patron(1, 1_500_00)
    table.must("dana", "LeaveSeat", seat=1)
    left = {str(cents): number for cents, number in table.live.tray.items()}
    box = people.pull_box("flo", "dana", table.table, f"/dealer/{table.table}")
    first = people.count_box("con", box, {100_00: 15})
    expect(first.get_by_test_id(f"box-{box}")).to_contain_text("Your count is in")
    assert "$1,500" not in (first.text_content("main") or ""), "what was counted isn't shown"
    people.count_box("cou", box, {100_00: 14, 50_00: 1})
    expect(first.get_by_test_id(f"box-{box}").get_by_role("alert")).to_contain_text("differ")
    people.count_box("con", box, {100_00: 14, 50_00: 1})
    second = people.count_box("cou", box, {100_00: 14, 50_00: 1})
    expect(second.get_by_test_id("box-result")).to_contain_text("in the vault")
    assert barriers(second) == []
    (variance,) = people.controls.variances
    page = people.at("pit", "/floor/money/differences")
    shown = page.get_by_test_id(f"variance-{variance}")
    expect(shown).to_contain_text("$50 less than the books")
    shown.get_by_test_id("explain").click()
    shown.get_by_test_id("explanation").fill("A $50 bill was found under the box, seen on video")
    shown.get_by_test_id("propose-ExplainVariance").click()
    people.confirm("aud", "Explain a variance", "/floor/money/differences", says="found under the box")
    expect(shown).to_have_count(0)
    assert barriers(page) == []

    # The closer differs from the books: nobody learns by how much before both have counted again.
    short = {int(cents): number for cents, number in left.items()}
    short[5_00] -= 4
    people.count_at_console("dana", table.table, short)
    people.count_on_tile("flo", table.table, short)
    expect(people.at("dana", f"/dealer/{table.table}").get_by_test_id("count-tray")).to_contain_text("once more")
    told = floor.people["pit"].http.get("/api/alerts").json()
    (alert,) = [alert["text"] for alert in told if "recount" in alert["text"]]
    assert "$" not in alert
    slip = next(line for line in floor.people["flo"].http.get("/api/controls/forms?series=TRAY").json())
    assert (slip["status"], slip["expected_cents"], slip["over_cents"]) == ("counted again", None, 0)
    people.count_at_console("dana", table.table, short)
    people.count_on_tile("flo", table.table, short)
    expect(people.at("dana", f"/dealer/{table.table}").get_by_test_id("count-tray")).to_have_attribute(
        "data-moment", "opener"
    )
    assert not table.live.is_open
    lines = floor.people["aud"].http.get("/api/controls/forms?series=TRAY").json()
    assert [(line["status"], line["over_cents"]) for line in lines[:2]] == [("done", -20_00), ("counted again", -20_00)]
    kinds = {alert["kind"] for alert in floor.people["pit"].http.get("/api/alerts").json()}
    assert "tray-off" not in kinds, "the difference has an alert already"

    # Every form prints, and the reports have their header.
    forms = people.at("aud", "/floor/money/forms")
    with forms.expect_download() as printed:
        forms.get_by_test_id(f"form-{credit}").get_by_role("link").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    forms.get_by_test_id("series").select_option("VARIANCE")
    expect(forms.get_by_test_id(f"form-{credit}")).to_have_count(0)
    expect(forms.get_by_test_id(f"form-{variance}")).to_contain_text("explained")
    assert barriers(forms) == []
    reports = people.at("aud", "/floor/reports/signed/slips")
    expect(reports.get_by_test_id("signed-header")).to_contain_text("Harbor Casino")
    expect(reports.get_by_role("table")).to_contain_text(fill)
    assert barriers(reports) == []
    for file in ("csv", "json", "pdf"):
        with reports.expect_download() as made:
            reports.get_by_test_id(f"signed-{file}").click()
        assert made.value.suggested_filename == f"slips.{file}"
    reports.get_by_test_id("from-day").fill("2001-01-01")
    reports.get_by_test_id("to-day").fill("2001-01-01")
    expect(reports.get_by_test_id("no-activity")).to_be_visible()
