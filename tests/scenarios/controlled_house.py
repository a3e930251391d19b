"""A floor with money controls for tests: an open cage and a table with a filled tray."""

from typing import Any

from scenarios.floor import ScenarioFloor, ScenarioTable

GAME = "top-five-poker"
TRAY = {"10000": 100, "2500": 200, "500": 400, "100": 500}  # $17,500
TRAY_CENTS = 17_500_00
STOCK = {"100000": 50, "10000": 5000, "2500": 9000, "500": 20000, "100": 20000}
STOCK_CENTS = sum(int(cents) * number for cents, number in STOCK.items())
CAGE_CASH, VAULT_CASH = 60_000_00, 100_000_00
SETTINGS = {
    "facility": "Harbor Casino",
    "time_zone": "America/New_York",
    "day_begins_minutes": 360,
    "money_controls": True,
    "cashier_limit_cents": 3_000_00,
}


class Controlled:
    """A floor whose cage is open and whose table has a filled tray."""

    def __init__(self, floor: ScenarioFloor) -> None:
        self.floor = floor
        self.office("olga", "otto", "ChangeHouseSettings", settings=SETTINGS)
        self.office("olga", "cay", "FundVault", cash_cents=CAGE_CASH + VAULT_CASH, chips=STOCK)
        self.office("cay", "cam", "MoveVault", to="cage", cash_cents=CAGE_CASH, chips=STOCK)
        self.count_cage()

    def office(self, name: str, second: str | None, kind: str, **fields: Any) -> None:
        body = {"kind": kind, **fields}
        if second is not None:
            self.floor.both_at_office(name, second, body)
            return
        answer = self.floor.office(name, body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["proposal"] is None, "this takes one person"

    def refused(self, name: str, kind: str, **fields: Any) -> dict[str, Any]:
        before = dict(self.balances())
        answer = self.floor.office(name, {"kind": kind, **fields})
        assert answer.status_code == 409, f"{kind} by {name} was not refused: {answer.text}"
        assert self.balances() == before, "a refusal moves no money"
        found: dict[str, Any] = answer.json()["refused"]
        return found

    @property
    def controls(self) -> Any:
        assert self.floor.floor is not None
        return self.floor.floor.house.controls.state

    def balances(self) -> dict[str, int]:
        """Return every account of every stream, added up from the record."""
        assert self.floor.floor is not None
        store = self.floor.floor.store
        sums: dict[str, int] = {}
        for stream in store.heads():
            for entry in store.read(stream):
                moved = entry.body.get("postings", {})
                assert sum(moved.values()) == 0, entry.kind
                for account, cents in moved.items():
                    sums[account] = sums.get(account, 0) + cents
        assert sum(sums.values()) == 0
        return sums

    def count_cage(self) -> None:
        cash = self.controls.cash.get("cage", 0)
        chips = {str(cents): number for cents, number in self.controls.held("cage").items()}
        for name in ("cay", "pit"):
            self.office(name, None, "CountCage", cash_cents=cash, chips=chips)

    def slip(self, kind: str, table: str, chips: dict[str, int]) -> str:
        self.office("flo", None, f"Request{kind}", table=table, chips=chips)
        return list(self.controls.slips)[-1]

    def fill(self, table: ScenarioTable, chips: dict[str, int]) -> str:
        slip = self.slip("Fill", table.table, chips)
        self.office("cay", None, "PrepareSlip", slip=slip)
        self.office("fred", None, "CarrySlip", slip=slip)
        table.must(table.dealer, "ReceiveFill", slip=slip, chips=chips)
        return slip

    def table(self, tray: dict[str, int] | None = TRAY) -> ScenarioTable:
        """Return a real-money table whose first opener was empty, with a filled tray."""
        table = ScenarioTable(self.floor, GAME)
        submit = {"kind": "SubmitRules", "table": table.table, "document": table.document}
        assert self.floor.office("olga", submit).status_code == 200
        table.both("olga", "pit", "ActivateSubmission", document=table.document)
        table.take_over("dana")
        self.count(table, {})
        assert table.live.is_open
        if tray:
            self.fill(table, tray)
        return table

    def count(self, table: ScenarioTable, chips: dict[str, int]) -> None:
        table.must("flo", "CountTray", chips=chips)
        table.must(table.dealer, "CountTray", chips=chips)
