"""The submission desk in a browser: a form, faults as you type, drawings, and two people who put it in force."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Route, expect

from browser.axe import violations
from browser.entered import Sessions
from browser.staged import TRAY_CENTS, Stage, Visitor
from pitboss.games.catalogue import game, game_names
from pitboss.lab.worth import worth_of
from pitboss.rules.in_force import RulesInForce
from server.running import Client

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
CHECK_S = 0.6  # a check that an Enter overtakes
COUNTED_MS = 180_000  # where nothing was compiled before


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    stage = Stage(tmp_path_factory.mktemp("submitted"), game_names()[:2])
    yield Sessions(stage)
    stage.stop()


@pytest.mark.parametrize("name", game_names())
def test_every_games_form_begins_without_a_fault_and_is_drawn(sessions: Sessions, visit: Visit, name: str) -> None:
    page = sessions.enter(visit, "olga").goto(f"/submissions?game={name}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_test_id("layout").wait_for()
    for wager in game(name).wagers:
        assert page.get_by_test_id(f"wager-{wager.name}").is_visible()
    assert violations(page) == []
    for tab, drawing in (("Betting position", "position"), ("Sign", "sign")):
        page.get_by_role("tab", name=tab).click()
        image = page.get_by_test_id(drawing)
        image.wait_for()
        assert image.evaluate("one => one.complete && one.naturalWidth > 100")


def test_a_fault_shows_at_its_field_with_its_clause_as_you_type(sessions: Sessions, visit: Visit) -> None:
    name = game_names()[-1]
    page = sessions.enter(visit, "olga").goto(f"/submissions?game={name}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    positions = page.get_by_test_id("positions")
    positions.fill("9")
    expect(page.get_by_test_id("faults")).to_contain_text("1 error to fix")
    expect(positions).to_have_attribute("aria-invalid", "true")
    said = page.locator("#field-positions-said")
    expect(said).to_contain_text(game(name).positions.cite)
    assert page.get_by_test_id("packet").is_disabled()
    assert page.get_by_test_id("submit").is_disabled()
    page.get_by_test_id("faults").get_by_role("button").first.click()
    assert positions.evaluate("one => one === document.activeElement")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("5")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    expect(positions).to_have_attribute("aria-invalid", "false")


def test_two_people_put_a_submission_in_force(sessions: Sessions, visit: Visit) -> None:
    name = game_names()[0]
    page = sessions.enter(visit, "olga").goto(f"/submissions?game={name}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_test_id("table-name").fill("Harbor 7")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_test_id("table-id").fill("harbour-7")
    page.get_by_test_id("submit").click()
    expect(page.get_by_test_id("said")).to_contain_text("Submitted as version")
    page.get_by_test_id("propose").click()
    expect(page.get_by_test_id("said")).to_contain_text("Proposed")
    second = sessions.enter(visit, "pit").goto("/submissions?table=harbour-7")
    second.get_by_test_id("proposal").get_by_test_id("confirm").click()
    expect(second.get_by_test_id("versions")).to_contain_text("✓ in force")
    rules = Client(sessions.stage, None).http.get("/api/tables/harbour-7/rules").raise_for_status().json()
    assert rules["title"] == "Harbor 7"
    assert not rules["is_automatic"]
    page.reload()
    page.goto(f"{sessions.stage.address}/submissions?table=harbour-7")
    expect(page.get_by_test_id("versions")).to_contain_text("✓ in force")
    page.get_by_role("tab", name="Changes").click()
    expect(page.get_by_text("No changes from the rules in force.")).to_be_visible()


def test_enter_in_a_new_tables_name_is_not_lost_while_the_draft_is_checked(sessions: Sessions, visit: Visit) -> None:
    page = sessions.enter(visit, "olga").goto(f"/submissions?game={game_names()[0]}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    table, name = page.get_by_test_id("table-id"), page.get_by_test_id("table-name")
    table.fill("harbour-8")
    page.route("**/api/submissions/check", check_slowly)
    page.get_by_test_id("positions").fill("99")
    table.press("Enter")
    expect(page.get_by_test_id("faults")).to_contain_text("1 error to fix")
    assert page.get_by_test_id("submit").is_disabled()
    page.get_by_test_id("positions").fill("")
    name.fill("Harbor 8")
    table.press("Enter")
    table.press("Enter")  # an impatient hand sends it once
    expect(page.get_by_test_id("said")).to_contain_text("Submitted as version")
    page.unroute("**/api/submissions/check")
    found = (
        sessions.client("olga").http.get("/api/submissions", params={"table": "harbour-8"}).raise_for_status().json()
    )
    assert [version["document"]["table"]["name"] for version in found["submitted"]] == ["Harbor 8"]


def check_slowly(route: Route) -> None:
    time.sleep(CHECK_S)
    route.continue_()


def test_a_comparison_shows_each_edge_before_and_after_and_what_has_to_be_done_first(
    sessions: Sessions, visit: Visit
) -> None:
    table = game_names()[1]  # whose bonus may be withdrawn without notice
    definition = game(table)
    wager = next(wager for wager in definition.wagers if wager.paytables and not (wager.required or wager.by_action))
    olga = sessions.enter(visit, "olga")
    page = olga.goto(f"/submissions?table={table}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_test_id(f"wager-{wager.name}").get_by_role("checkbox").uncheck()
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_role("tab", name="Changes").click()
    edges = page.get_by_test_id("edges")
    exact = worth_of(RulesInForce(definition), wager.name)
    expect(edges).to_contain_text(f"{100 * abs(float(exact.house_edge)):.4f}%", timeout=COUNTED_MS)
    expect(edges).to_contain_text(str(exact.ev).replace("-", "−"))
    expect(edges).to_contain_text("not offered")
    assert violations(page) == []
    page.get_by_test_id("submit").click()
    # The table deals by itself and has a deck: both are shown, with their clauses, until they are done.
    first = page.get_by_test_id("first")
    expect(first).to_contain_text("Close the table")
    expect(first).to_contain_text("H-21")
    expect(first).to_contain_text("deck-1")
    expect(first).to_contain_text(definition.procedures.two_decks.cite)
    page.get_by_test_id("propose").click()
    expect(page.get_by_text("Remove them first")).to_be_visible()
    olga.forgive()  # the browser notes the refusal
    floor = sessions.client("flo")
    floor.must(table, {"kind": "CloseTable", "tray_cents": TRAY_CENTS})
    floor.must(table, {"kind": "RemoveDeck", "deck": "deck-1", "reason": "set-apart"})
    expect(first).to_have_count(0)
    page.get_by_test_id("propose").click()
    expect(page.get_by_test_id("said")).to_contain_text("Proposed")
    sessions.enter(visit, "pit").goto(f"/submissions?table={table}").get_by_test_id("confirm").click()
    expect(page.get_by_test_id("versions")).to_contain_text("✓ in force")


def test_typed_text_is_kept_and_a_proposal_that_is_gone_is_reported(sessions: Sessions, visit: Visit) -> None:
    table, olga = "harbour-9", sessions.client("olga")
    document = olga.http.get("/api/submissions/blank", params={"game": game_names()[0]}).json()["document"]
    body = {"kind": "SubmitRules", "table": table, "document": document}
    olga.http.post("/api/office/commands", json={"id": "harbour", "body": body}).raise_for_status()
    proposed = olga.must(table, {"kind": "ActivateSubmission", "document": document})["proposal"]

    def withdraw_first(route: Route) -> None:
        olga.must(table, {"kind": "Decline", "proposal": proposed})
        route.continue_()

    pit = sessions.enter(visit, "pit")
    page = pit.goto(f"/submissions?table={table}")
    asked: list[str] = []

    def dismiss(request: Dialog) -> None:
        asked.append(request.message)
        request.dismiss()

    page.on("dialog", dismiss)
    page.get_by_test_id("table-name").fill("Half filled in")
    page.get_by_role("button", name="Open", exact=True).click()
    assert len(asked) == 1
    expect(page.get_by_test_id("table-name")).to_have_value("Half filled in")
    page.route("**/api/tables/*/commands", withdraw_first)
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("proposal")).to_have_count(0)
    expect(page.get_by_test_id("late")).to_contain_text("Put these rules in force")
    expect(page.get_by_test_id("late").get_by_role("alert")).not_to_be_empty()
    pit.forgive()  # the browser notes the refusal


def test_a_packet_that_cannot_be_had_says_why(sessions: Sessions, visit: Visit) -> None:
    olga = sessions.enter(visit, "olga")
    page = olga.goto(f"/submissions?game={game_names()[1]}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.route("**/api/submissions/packet", lambda route: route.abort())
    page.get_by_test_id("packet").click()
    expect(page.get_by_text("The server isn’t responding")).to_be_visible()
    olga.forgive()  # the browser notes the lost answer


def test_the_packet_is_printed_from_the_desk(sessions: Sessions, visit: Visit, tmp_path: Path) -> None:
    name = game_names()[1]
    page = sessions.enter(visit, "olga").goto(f"/submissions?game={name}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    with page.expect_download(timeout=120_000) as given:
        page.get_by_test_id("packet").click()
    given.value.save_as(tmp_path / "packet.pdf")
    assert (tmp_path / "packet.pdf").read_bytes().startswith(b"%PDF-")


def test_the_desk_fits_a_telephone(sessions: Sessions, visit: Visit) -> None:
    name = game_names()[-1]
    page = sessions.enter(visit, "olga", viewport={"width": 360, "height": 740}).goto(f"/submissions?game={name}")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    page.get_by_test_id("layout").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_a_new_table_is_the_target_after_starting_from_a_game_and_instruments_are_filed(
    sessions: Sessions, visit: Visit
) -> None:
    shown = game_names()[0]
    taking = next(name for name in game_names() if game(name).procedures.instruments.if_submitted)
    page = sessions.enter(visit, "olga").goto(f"/submissions?table={shown}")
    target = page.locator("#in-force-table")
    expect(target).to_have_value(shown)
    page.get_by_test_id("start").select_option(f"game {taking}")
    expect(target).to_have_value("")
    expect(page.get_by_test_id("faults")).to_contain_text("No errors")
    boxes = page.get_by_test_id("instruments").get_by_role("checkbox")
    boxes.first.check()
    named = str(boxes.first.get_attribute("data-testid")).removeprefix("instrument-")
    page.get_by_test_id("table-id").fill("with-instruments")
    page.clock.install()
    page.get_by_test_id("submit").click()
    said = page.get_by_test_id("said")
    expect(said).to_contain_text("Submitted as version")
    page.clock.fast_forward(15_000)
    expect(said).to_be_empty()  # a status line never outlives its action
    filed = sessions.stage.floor.house.filings.newest("with-instruments")
    assert filed.document["table"]["instruments"] == [named]
