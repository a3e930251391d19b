"""The first day of a house, from an empty folder, by what the operating guide says and nothing else."""

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from browser.staged import Visitor
from cli.test_serve import COMMAND
from patience import WAIT_S

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Visit = Callable[..., Visitor]
UNBUFFERED = {**os.environ, "PYTHONUNBUFFERED": "1"}
PASSWORD, PIN = "seven herons on the pier", "4071"
STAFF = {
    "olga": "operator",
    "pat": "pit manager",
    "flo": "floorperson",
    "fay": "floorperson",
    "dan": "dealer",
}


@dataclass
class House:
    """A house that `pitboss serve` opened, and the browsers of its people."""

    data: Path
    address: str
    first_link: str
    visit: Visit
    pages: dict[str, Page] = field(default_factory=dict)

    def follow(self, name: str, link: str) -> Page:
        """Have a person follow their link in a browser of their own."""
        server = SimpleNamespace(address=self.address, server=SimpleNamespace(should_exit=False))
        # Each comes from an address of their own, as behind a proxy: what one address may ask for is limited.
        own = {"X-Forwarded-For": f"10.0.0.{len(self.pages) + 1}"}
        visitor = self.visit(server, None, extra_http_headers=own)
        visitor.forgive()  # a table without rules has none to show, which the browser notes
        page: Page = visitor.page
        page.goto(link)
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
        self.pages[name] = page
        return page

    def at(self, name: str, path: str) -> Page:
        """Return a person's page at a path."""
        page = self.pages[name]
        page.goto(self.address + path)
        return page

    def printed_link(self, name: str) -> str:
        """Return the link that `pitboss people link` prints on the machine that holds the keys."""
        asked = ["people", "link", name, "--data", str(self.data), "--address", self.address]
        printed = subprocess.run([*COMMAND, *asked], capture_output=True, text=True, timeout=240, check=True).stdout
        found = re.search(r"http\S+/links/[0-9a-f]{64}", printed)
        assert found is not None, printed
        return found[0]


@pytest.fixture
def house(tmp_path: Path, visit: Visit) -> Iterator[House]:
    data, log = tmp_path / "data", tmp_path / "log"
    asked = ["serve", "--data", str(data), "--administrator", "ada", "--port", "0", "--proxy", "127.0.0.1"]
    with log.open("w") as said:  # a pipe that nobody reads fills up, and the server waits
        process = subprocess.Popen([*COMMAND, *asked], stdout=subprocess.PIPE, stderr=said, text=True, env=UNBUFFERED)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    found = re.search(r"(http://127\.0\.0\.1:\d+)/links/[0-9a-f]{64}", lines[1])
    assert found is not None, lines
    yield House(data, found[1], found[0], visit)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert "Traceback" not in log.read_text()


def set_password_and_pin(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the new password").fill(PASSWORD)
    page.get_by_role("button", name="Save password").click()
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=name, exact=True).click()
    form = page.get_by_test_id("own-pin")
    form.get_by_label("Confirm with your password").fill(PASSWORD)
    form.get_by_label("New PIN").fill(PIN)
    form.get_by_label("Repeat the PIN").fill(PIN)
    form.get_by_role("button", name="Save PIN").click()
    expect(form.get_by_role("status")).to_have_text("Your PIN is set.")


def add_person(page: Page, name: str, role: str) -> None:
    add = page.get_by_test_id("add-person")
    add.get_by_label(re.compile("^Name")).fill(name)
    add.get_by_label(role, exact=True).check()
    add.get_by_role("button", name="Add a person").click()
    expect(page.get_by_test_id(f"person-{name}")).to_be_visible()


def confirm(page: Page, said: str) -> None:
    proposal = page.get_by_test_id("proposal").filter(has_text=said)
    proposal.get_by_test_id("confirm").click()
    expect(proposal).to_have_count(0)


def test_a_house_is_set_up_by_the_operating_guide(house: House) -> None:
    # 1. The first administrator opens the link, and sets a password and a PIN.
    set_password_and_pin(house.follow("ada", house.first_link), "ada")

    # 2. A second administrator, whose link is printed on the machine that holds the keys.
    add_person(house.at("ada", "/floor/people"), "bea", "administrator")
    set_password_and_pin(house.follow("bea", house.printed_link("bea")), "bea")

    # 3. The two of them add everyone else and give them their links.
    for name, role in STAFF.items():
        people = house.at("ada", "/floor/people")
        add_person(people, name, role)
        row = people.get_by_test_id(f"person-{name}")
        row.get_by_role("button", name=f"Manage {name}").click()
        row.get_by_role("button", name="Create sign-in link").click()
        link = row.locator("code").inner_text()
        confirm(house.at("bea", "/floor/people"), name)
        set_password_and_pin(house.follow(name, link), name)

    # 4. The operator's house settings, which a pit manager confirms.
    settings = house.at("olga", "/floor/money/settings")
    settings.get_by_test_id("setting-facility").fill("Harbor Casino")
    settings.get_by_test_id("setting-console_lock_minutes").fill("60")  # a busy machine may take five for what follows
    settings.get_by_test_id("propose-settings").click()
    confirm(house.at("pat", "/floor/money/settings"), "Change the house settings")

    # 5. The rules of a table are submitted, and put in force by two people.
    desk = house.at("olga", "/submissions?game=ultimate-texas-holdem")
    expect(desk.get_by_test_id("faults")).to_contain_text("No errors")
    desk.get_by_test_id("table-name").fill("Harbor 1")
    desk.get_by_test_id("table-id").fill("harbor-1")
    expect(desk.get_by_test_id("faults")).to_contain_text("No errors")
    desk.get_by_test_id("submit").click()
    expect(desk.get_by_test_id("said")).to_contain_text("Submitted as version")
    desk.get_by_test_id("propose").click()
    expect(desk.get_by_test_id("said")).to_contain_text("Proposed")
    confirm(house.at("pat", "/floor?open=harbor-1"), "rules")

    # 7. The table is opened on its tile, and the dealer takes it and follows the console.
    tile = house.at("flo", "/floor?open=harbor-1")
    tile.get_by_test_id("choose-OpenTable").click()
    form = tile.get_by_test_id("act-OpenTable")
    form.get_by_test_id("amount").fill("200000")
    form.get_by_role("button", name="Open the table").click()
    expect(tile.get_by_test_id("tile-harbor-1")).to_contain_text("Needs a dealer")

    # 6. Nobody has a card reader yet, so a floorperson switches keyboard entry on.
    tile.get_by_test_id("choose-KeyboardOn").click()
    switch = tile.get_by_test_id("act-KeyboardOn")
    switch.get_by_label("Reason").fill("the reader is not here yet")
    switch.get_by_role("button", name="Switch keyboard entry on").click()
    expect(switch).to_have_count(0)

    chosen = house.at("dan", "/dealer")
    chosen.get_by_test_id("deal-harbor-1").get_by_role("link").click()
    expect(chosen.get_by_test_id("console")).to_be_visible()
    expect(chosen.get_by_test_id("do")).to_be_visible()
