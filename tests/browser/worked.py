"""A table that people deal, and a dealer who works it through the console: one large button and what it asks for."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from browser.staged import PATIENT, TRAY_CENTS, Stage, Visitor
from pitboss.games.catalogue import game_names
from pitboss.house.people.roles import OPERATOR
from pitboss.rules.procedure import FLOORPERSON
from pitboss.server.demonstration import link_for, staffed_document
from pitboss.server.floor import OpenFloor
from pitboss.server.staffed import open_staffed
from pitboss.table.people import PIT_MANAGER

TABLE = "dealers-table"
STEPS_AT_MOST = 60
SETTLED_MS = 300  # the console takes no press that may have been meant for the step before


def document() -> dict[str, Any]:
    """Return the table's document, without meters: they are tested elsewhere and take the office's work to open."""
    found = staffed_document()
    wagers = {name: one for name, one in found["table"]["wagers"].items() if name != found["progressive"]}
    wagers.pop("progressive", None)
    return {**found, "progressive": None, "table": {**found["table"], "wagers": wagers, "options": {}}}


class StaffedStage(Stage):
    """A stage with the table that waits for a dealer beside the tables that deal themselves."""

    def __init__(self, data: Path, tables: Sequence[str] | None = None, pace: Mapping[str, int] | None = None) -> None:
        # One table deals itself: only beside such a table does a program pay players their first money.
        self.document = document()
        super().__init__(data, tables or game_names()[-1:], pace or PATIENT)

    async def _opening(self, floor: OpenFloor) -> None:
        for role in (OPERATOR, PIT_MANAGER, FLOORPERSON):
            await link_for(floor, role, role)
        await super()._opening(floor)
        await open_staffed(floor, TABLE, self.document, TRAY_CENTS)


class Dealing:
    """A dealer at the console of the table."""

    def __init__(self, visitor: Visitor) -> None:
        self.page: Page = visitor.goto(f"/dealer/{TABLE}")
        self.done: list[str] = []

    @property
    def button(self) -> Any:
        """The one large button."""
        return self.page.get_by_test_id("do")

    def kind(self) -> str:
        """Return what the button would do now."""
        return self.button.get_attribute("data-kind") or ""

    def work_to(self, wanted: str, **typed: str) -> None:
        """Press the button through every step until the wanted one is next."""
        for _ in range(STEPS_AT_MOST):
            self.button.wait_for()
            if self.kind() == wanted:
                return
            self.press(**typed)
        raise AssertionError(f"{wanted} never came: {self.done}")

    def press(self, **typed: str) -> None:
        """Fill in what the step asks for and press the button."""
        self.page.wait_for_timeout(SETTLED_MS)
        for field, text in typed.items():
            if self.page.get_by_test_id(f"field-{field}").count():
                self.page.get_by_test_id(f"field-{field}").fill(text)
        before = self._shown()
        self.done.append(self.kind())
        self.button.click()
        expect(self.page.get_by_role("region", name="Now")).not_to_have_text(before, timeout=10_000)

    def _shown(self) -> re.Pattern[str]:
        return re.compile("^" + re.escape(self.page.get_by_role("region", name="Now").inner_text()) + "$")
