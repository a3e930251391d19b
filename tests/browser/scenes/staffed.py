"""The staff's desks at work: the dealer's console, the floor with alerts and an open tile, cage, people and meters."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.dealt import stacked
from browser.scenes.album import Album, Visitors
from browser.scenes.played import HELD
from browser.seated import Seated
from browser.worked import DRAWN, READ, Dealing, StaffedStage
from pitboss.games.catalogue import game_names
from pitboss.server.demonstration import demo_documents

TEXAS = "ultimate-texas-holdem"
TABLES = (TEXAS, *(name for name in game_names() if name != TEXAS))
ROYAL = {1: ["As", "Ks"], "dealer": ["Kh", "Qd"], "board": ["Qs", "Js", "Ts", "2d", "3c"]}
CARDS = ("2c", "3d", "4h", "5s", "7c", "9d", "Jh", "Kc", "2d", "3h", "4s", "5c", "6d", "8h", "Ts", "Qs")
GIVE = """async ([at, body]) => (await fetch(`/api/${at}/commands`, {
    method: 'POST', headers: {'content-type': 'application/json'},
    body: JSON.stringify({id: crypto.randomUUID(), body})})).status"""
WORKED = ("dealer", "irregularity", "devices", "floor", "tile", "cage", "people", "meters")


def worked(album: Album, browser: Browser, folder: Path) -> None:
    """Take the console in the middle of a round, and the floor while something waits for an answer."""
    stage = StaffedStage(folder, TABLES, HELD)
    with Visitors(browser, stage) as visitors:
        _hit_a_meter(stage, visitors)
        cage = _deposited(visitors, "bob", "carol")
        bob = Seated(visitors.come("bob"), READ, 2)
        carol = Seated(visitors.come("carol"), READ, 4)
        dealer = Dealing(visitors.come("dea"), READ, CARDS)
        dealer.work_to(re.compile("inspected and shuffled"))  # which the floor confirms
        live = visitors.come("flo").goto("/floor")
        ready = {"kind": "ConfirmDuty", "duty": "confirm-ready", "deck": "deck-1"}
        assert live.evaluate(GIVE, [f"tables/{READ}", ready]) == 200
        dealer.work_to(re.compile("Take bets"))
        for player in (bob, carol):
            player.bet({"ante": 10_00, "trips": 5_00})
        dealer.work_to(re.compile("for seat 4"))
        dealer.now.get_by_test_id("field-card").fill("8h")
        album.take(dealer.page, "dealer")
        dealer.now.get_by_test_id("field-card").fill("")
        dealer.page.get_by_test_id("irregularity").click()
        form = dealer.page.get_by_role("dialog")
        form.get_by_label("What happened?").select_option("wrong-number-of-cards")
        form.get_by_role("button", name="Send report").wait_for()
        album.take(dealer.page, "irregularity")
        form.get_by_role("button", name="Send report").click()
        dealer.page.get_by_test_id("proposal").wait_for()
        _fail_a_device(album, visitors)
        page = live
        page.reload()
        page.get_by_test_id("alert-device-out").wait_for()
        page.get_by_test_id(f"tile-{READ}").wait_for()
        album.take(page, "floor")
        page.get_by_test_id(f"tile-{READ}").get_by_role("button").click()
        page.get_by_test_id("confirm").wait_for()
        album.take(page, "tile", about=page.get_by_test_id(f"opened-{READ}"))
        _office(album, visitors, cage)


def _hit_a_meter(stage: StaffedStage, visitors: Visitors) -> None:
    stakes = {"ante": 10_00, "blind": 10_00, "progressive": 1_00}
    stage.stacked = stacked(demo_documents()[TEXAS], {1: stakes}, ROYAL)
    alice = Seated(visitors.come("alice"), TEXAS, 1)
    alice.bet({"ante": 10_00, "progressive": 1_00})
    alice.act("raise 4x")
    alice.comes_to(re.compile(r"^\+"))
    stage.stacked = []


def _fail_a_device(album: Album, visitors: Visitors) -> None:
    page = visitors.come("tec").goto("/floor")
    page.get_by_test_id(f"tile-{DRAWN}").wait_for()
    given = page.evaluate(GIVE, [f"tables/{DRAWN}", {"kind": "FailDevice", "device": "shuffler"}])
    assert given == 200, f"the device was not reported: {given}"
    expect(page.get_by_text("out of order", exact=True).first).to_be_visible()
    album.take(page, "devices")


def _deposited(visitors: Visitors, *names: str) -> Page:
    page = visitors.come("cay").goto("/floor/cage")
    page.get_by_test_id("cage-IssueMoney").wait_for()
    for name in names:
        given = page.evaluate(GIVE, ["office", {"kind": "IssueMoney", "person": name, "cents": 1_000_00}])
        assert given == 200, f"{name} was not paid: {given}"
    return page


def _office(album: Album, visitors: Visitors, cage: Page) -> None:
    form = cage.get_by_test_id("cage-IssueMoney")
    form.get_by_label("Person").fill("carol")
    form.get_by_label("Amount").fill("250")
    album.take(cage, "cage")
    page = visitors.come("adam").goto("/floor/people")
    page.get_by_test_id("person-dea").get_by_role("button").first.click()
    album.take(page, "people")
    page = visitors.come("olga").goto("/floor/meters")
    page.get_by_test_id("move-meter").first.wait_for()
    album.take(page, "meters")
