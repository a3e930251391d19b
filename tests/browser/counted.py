"""People at the pages of money controls: what they type by denomination, and the buttons they press."""

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.housed import Visit, enter
from scenarios.floor import ScenarioFloor

LONG_MS = 120_000  # beside a busy machine


class MoneyPages:
    """A floor whose people work the money controls in their own browsers."""

    def __init__(self, visit: Visit, floor: ScenarioFloor) -> None:
        self.visit, self.floor = visit, floor
        self._open: dict[str, Page] = {}
        expect.set_options(timeout=LONG_MS)

    def at(self, name: str, path: str) -> Page:
        """Return a person's page at a path; each person has one browser."""
        if name not in self._open:
            visitor = enter(self.visit, self.floor, name)
            visitor.context.set_default_timeout(LONG_MS)
            self._open[name] = visitor.page
        page = self._open[name]
        if page.url != self.floor.address + path:
            page.goto(self.floor.address + path)
        return page

    def confirm(self, name: str, title: str, path: str = "/floor/money/forms", says: str = "") -> None:
        """Have a second person confirm what waits, after seeing what it says."""
        page = self.at(name, path)
        proposal = page.get_by_test_id("proposal").filter(has_text=title)
        expect(proposal).to_contain_text(says)
        proposal.get_by_test_id("confirm").click()
        expect(proposal).to_have_count(0)

    @property
    def controls(self) -> Any:
        """Return the server's own state of the controls, for assertions that no page shows."""
        assert self.floor.floor is not None
        return self.floor.floor.house.controls.state

    # Each of these is what one person does at one form.

    def change_settings(self, first: str, second: str, **typed: str | bool) -> None:
        """Propose house settings and have a second person confirm them, who sees the values before and after."""
        page = self.at(first, "/floor/money/settings")
        for name, value in typed.items():
            field = page.get_by_test_id(f"setting-{name}")
            if isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(value)
        expect(page.get_by_test_id("settings").locator('[data-testid^="change-"]')).to_have_count(len(typed))
        page.get_by_test_id("propose-settings").click()
        before = len(self.changes(second))
        self.confirm(second, "Change the house settings", "/floor/money/settings", says="→")
        expect(self.at(second, "/floor/money/settings").get_by_test_id("settings-change")).to_have_count(before + 1)

    def changes(self, name: str) -> list[Any]:
        """Return the changes of the settings so far, as a person may read them."""
        found: list[Any] = self.floor.people[name].http.get("/api/controls/settings").raise_for_status().json()
        return found

    def vault(self, kind: str, first: str, second: str, cash: str, chips: Mapping[int, int], to: str = "") -> None:
        """Fund the vault, or move money between the vault and the cage."""
        page = self.at(first, "/floor/money/cage")
        form = page.get_by_test_id(f"vault-{kind}")
        if to:
            form.get_by_test_id("direction").select_option(to)
        form.get_by_test_id("cash").fill(cash)
        pieces(form, kind, chips)
        form.get_by_test_id(f"propose-{kind}").click()
        self.confirm(second, "vault", "/floor/money/cage", says=f"${int(cash):,}")

    def count_cage(self, name: str, bills: Mapping[int, int], chips: Mapping[int, int]) -> Page:
        """Enter one person's count of the cage."""
        page = self.at(name, "/floor/money/cage")
        form = page.get_by_test_id("count-cage")
        pieces(form, "cage-cash", bills)
        pieces(form, "cage-chips", chips)
        form.get_by_test_id("enter-cage-count").click()
        return page

    def request(self, name: str, kind: str, table: str, chips: Mapping[int, int]) -> str:
        """Request a fill or a credit on the page of slips, and return its number."""
        page = self.at(name, "/floor/money/slips")
        known = set(self.controls.slips)
        form = page.get_by_test_id("request-slip")
        form.get_by_test_id("slip-kind").select_option(kind)
        form.get_by_test_id("slip-table").select_option(table)
        pieces(form, "request", chips)
        form.get_by_test_id("send-request").click()
        expect(form.get_by_test_id(f"request-{next(iter(chips))}")).to_have_value("")
        (number,) = set(self.controls.slips) - known
        return str(number)

    def sign(self, name: str, slip: str, kind: str, chips: Mapping[int, int] | None = None) -> None:
        """Sign the step of a slip that is due, on the page of slips."""
        card = self.at(name, "/floor/money/slips").get_by_test_id(f"slip-{slip}")
        button = card.get_by_test_id(f"do-{kind}")
        button.wait_for()
        stage = card.get_attribute("data-stage")
        if chips is not None:
            pieces(card, "accept", chips)
        button.click()
        expect(card.and_(card.page.locator(f'[data-stage="{stage}"]'))).to_have_count(0)

    def sign_at_table(self, name: str, table: str, slip: str, chips: Mapping[int, int]) -> None:
        """Have the dealer count a slip's chips at the console and sign."""
        page = self.at(name, f"/dealer/{table}")
        card = page.get_by_test_id(f"slip-{slip}")
        card.get_by_test_id("count-slip").click()
        stage = card.get_attribute("data-stage")
        pieces(card, "slip", chips)
        card.get_by_test_id("sign-slip").click()
        expect(card.and_(page.locator(f'[data-stage="{stage}"]'))).to_have_count(0)

    def count_at_console(self, name: str, table: str, chips: Mapping[int, int]) -> Page:
        """Enter the dealer's count of the tray at the console, to open or to close."""
        page = self.at(name, f"/dealer/{table}")
        form = page.get_by_test_id("count-tray")
        expect(form.or_(page.get_by_test_id("close-by-count"))).to_be_visible()
        if not form.count():
            page.get_by_test_id("close-by-count").click()
        pieces(form, "tray", chips)
        form.get_by_test_id("enter-tray-count").click()
        expect(form.get_by_test_id("enter-tray-count")).to_have_count(0)
        return page

    def count_on_tile(self, name: str, table: str, chips: Mapping[int, int]) -> Page:
        """Enter a floorperson's count of the tray on the table's tile."""
        page = self.at(name, f"/floor?open={table}")
        opened = page.get_by_test_id(f"opened-{table}")
        opened.get_by_test_id("choose-CountTray").click()
        form = opened.get_by_test_id("count-tray")
        pieces(form, "tray", chips)
        form.get_by_test_id("enter-tray-count").click()
        expect(form).to_have_count(0)
        return page

    def pull_box(self, name: str, second: str, table: str, path: str) -> str:
        """Take a table's drop box away, and return its number."""
        page = self.at(name, "/floor/money/boxes")
        known = set(self.controls.boxes)
        form = page.get_by_test_id("pull-box")
        form.get_by_test_id("box-table").select_option(table)
        form.get_by_test_id("propose-PullBox").click()
        self.confirm(second, "Pull a drop box", path, says=table)
        (number,) = set(self.controls.boxes) - known
        return str(number)

    def count_box(self, name: str, box: str, bills: Mapping[int, int]) -> Page:
        """Enter one person's count of a drop box."""
        page = self.at(name, "/floor/money/boxes")
        card = page.get_by_test_id(f"box-{box}")
        pieces(card, "box", bills)
        card.get_by_test_id("enter-box-count").click()
        return page


def pieces(form: Locator, prefix: str, counted: Mapping[int, int]) -> None:
    """Type a count by denomination."""
    for cents, number in counted.items():
        form.get_by_test_id(f"{prefix}-{cents}").fill(str(number))
