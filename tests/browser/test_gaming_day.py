"""A gaming day of all four games, as every role and by the docs: from the first settings to the signed reports."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.counted import MoneyPages
from browser.hand_figures import CageByHand, TableByHand, counted, worth
from browser.housed import Visit
from browser.seated import Seated
from scenarios.every_irregularity import FORFEITS, LEFT, gone_wrong, kinds_of
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.progressive import CLAUSES, METER_CENTS, ROYAL, WAGERS

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
ULTIMATE, TOP_FIVE, DRAGON, COLORADO = "ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem"
FLOAT = {1000_00: 40, 100_00: 600, 25_00: 500, 5_00: 1200, 1_00: 1500}
LARGE = {1000_00: 20, 100_00: 120, 25_00: 100, 5_00: 200, 1_00: 500}
SMALL = {100_00: 50, 25_00: 40, 5_00: 100, 1_00: 200}
CASH = 1_000_00
STAKES = {"ante": 10_00, "blind": 10_00}
SHOE = {"dealing": "automated-shoe"}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenarioFloor]:
    running = ScenarioFloor(tmp_path_factory.mktemp("day"))
    yield running
    running.stop()


class AtSeat(Seated):
    """A player who has a seat already."""

    def __init__(self, page: Page) -> None:
        self.page = page


class Day:
    """The people of a gaming day, the tables, and the same day on paper."""

    def __init__(self, floor: ScenarioFloor, visit: Visit) -> None:
        self.floor, self.people = floor, MoneyPages(visit, floor)
        self.cage = CageByHand()
        self.paper: dict[str, TableByHand] = {}
        self.forfeited = 0

    def report(self, name: str) -> list[dict[str, Any]]:
        """Return a report's lines as the auditor gets them."""
        made = self.floor.people["aud"].http.get(f"/api/reports/signed/{name}").raise_for_status().json()
        assert made["header"]["Facility"] == "Harbor Casino"
        lines: list[dict[str, Any]] = made["lines"]
        return lines

    def table(self, game: str, **changes: Any) -> ScenarioTable:
        """File rules for a table, which an operator and the pit manager put in force on the page."""
        table = ScenarioTable(self.floor, game, **SHOE, **changes)
        table.document["pace"] = {"idle_ms": 60 * 60_000}  # a slow machine isn't an idle table
        if "progressive" in table.document["table"]["wagers"]:
            table.document["progressive"] = table.table
        filed = {"kind": "SubmitRules", "table": table.table, "document": table.document}
        assert self.floor.office("olga", filed).status_code == 200
        table.must("olga", "ActivateSubmission", document=table.document)
        self.people.confirm("pit", "Put these rules in force", f"/submissions?table={table.table}")
        self.paper[table.table] = TableByHand()
        return table

    def open(self, table: ScenarioTable, dealer: str) -> None:
        """Count an empty tray, over the wire."""
        table.take_over(dealer)
        self.count(table, {})
        assert table.live.is_open

    def count(self, table: ScenarioTable, pieces: dict[int, int]) -> None:
        chips = {str(cents): number for cents, number in pieces.items()}
        table.must("flo", "CountTray", chips=chips)
        table.must(table.dealer, "CountTray", chips=chips)

    def fill(self, table: ScenarioTable, pieces: dict[int, int]) -> None:
        """Fill a tray over the wire."""
        chips = {str(cents): number for cents, number in pieces.items()}
        self.office("flo", "RequestFill", table=table.table, chips=chips)
        slip = list(self.people.controls.slips)[-1]
        self.office("cay", "PrepareSlip", slip=slip)
        self.office("fred", "CarrySlip", slip=slip)
        table.must(table.dealer, "ReceiveFill", slip=slip, chips=chips)
        self.filled(table, pieces)

    def filled(self, table: ScenarioTable, pieces: dict[int, int]) -> None:
        self.paper[table.table].fills.append(worth(pieces))
        self.cage.gives(pieces)

    def office(self, name: str, kind: str, **fields: Any) -> None:
        answer = self.floor.office(name, {"kind": kind, **fields})
        assert answer.status_code == 200, answer.text

    def seat(self, table: ScenarioTable, seat: int) -> str:
        """Seat a player without a device, who buys in with cash."""
        self.paper[table.table].cash.append(CASH)
        return table.seat_patron(seat, CASH)

    def round(self, table: ScenarioTable, hands: dict[Any, str], house_won: int, **stakes: int) -> None:
        """Play a round in seat 1 with these cards, and write down what the house won."""
        patron = table.live.seats[1]
        table.begin()
        table.wager(patron, **stakes)
        table.close_bets()
        table.lay(hands)
        while table.live.in_round:
            table.step()
        self.paper[table.table].house_won.append(house_won)

    def go_wrong(self, table: ScenarioTable) -> None:
        """Let everything happen that can go wrong while a player is there; wagers come back, or are forfeited."""
        for kind in kinds_of(table):
            if kind != LEFT:
                self._wrong(table, kind)

    def left(self, table: ScenarioTable) -> None:
        """Rule that the player left in the middle of a round: the wagers are the house's, the chips the player's."""
        self._wrong(table, LEFT)
        assert table.live.seats == {}

    def _wrong(self, table: ScenarioTable, kind: str) -> None:
        paper = self.paper[table.table]
        paper.voided += gone_wrong(table, kind)
        if kind in FORFEITS:
            stakes = list(table.least().values())
            paper.house_won += stakes
            paper.staked += stakes
            self.forfeited += sum(stakes)


def test_a_gaming_day_of_all_four_games_adds_up_to_the_cent(floor: ScenarioFloor, visit: Visit) -> None:
    day = Day(floor, visit)
    people = day.people
    begin_the_day(day)
    ultimate = play_ultimate(day)
    others = [play_top_five(day), play_dragon(day), play_colorado(day)]
    close_the_day(day, [ultimate, *others])
    check_the_reports(day, ultimate)
    assert people.controls.variances == {}


def begin_the_day(day: Day) -> None:
    people, floor = day.people, day.floor
    # The administrator adds a person; everyone else is known from the day before.
    page = people.at("adam", "/floor/people")
    form = page.get_by_test_id("add-person")
    form.get_by_label(re.compile("^Name")).fill("dee")
    form.get_by_label("dealer", exact=True).check()
    form.get_by_role("button").last.click()
    expect(page.get_by_role("status").filter(has_text="dee was added")).to_be_visible()
    assert floor.floor is not None
    assert "dee" in floor.floor.office.people.accounts

    people.change_settings("olga", "otto", facility="Harbor Casino", time_zone="America/New_York", money_controls=True)
    people.vault("FundVault", "olga", "cay", "160000", FLOAT)
    people.vault("MoveVault", "cay", "cam", "60000", FLOAT, to="cage")
    day.cage.cash = 60_000_00
    day.cage.gets(FLOAT)
    people.count_cage("cay", {100_00: 600}, FLOAT)
    opened = people.count_cage("pit", {100_00: 600}, FLOAT)
    expect(opened.get_by_test_id("count-cage").get_by_role("status")).to_contain_text("open")


def play_ultimate(day: Day) -> ScenarioTable:
    people, floor = day.people, day.floor
    wager = {**WAGERS[ULTIMATE], "rate": "0.20", "initial": METER_CENTS, "reset": METER_CENTS}
    table = day.table(ULTIMATE, wagers={"progressive": wager}, options={"envy-needs-wager": "yes"})
    meter = {"name": "meter", "initial_cents": METER_CENTS, "reset_cents": METER_CENTS, "rate": "1/5"}
    opened = {"kind": "OpenMeters", "progressive": table.table, "meters": [{**meter, "clause": CLAUSES[ULTIMATE]}]}
    floor.both_at_office("olga", "pit", opened)
    floor.both_at_office("olga", "pit", {"kind": "LinkTable", "progressive": table.table, "table": table.table})
    paper = day.paper[table.table]

    # The opener, at the console and on the tile; then a fill by four people, each on their own page.
    console = people.at("dana", f"/dealer/{table.table}")
    console.get_by_test_id("do").click()
    held(table, "dana")
    people.count_at_console("dana", table.table, {})
    people.count_on_tile("flo", table.table, {})
    slip = people.request("flo", "RequestFill", table.table, LARGE)
    people.sign("cay", slip, "PrepareSlip")
    people.sign("fred", slip, "CarrySlip")
    people.sign_at_table("dana", table.table, slip, LARGE)
    day.filled(table, LARGE)

    # Alice deposits at the cage and plays on her own device; seat 1 plays with chips and cash.
    cage = people.at("cay", "/floor/cage")
    form = cage.get_by_test_id("cage-IssueMoney")
    form.get_by_label("Person").fill("alice")
    form.get_by_label("Amount").fill("500")
    form.get_by_role("button", name="Deposit").click()
    expect(form.get_by_role("status")).to_contain_text("$500")
    day.cage.cash += 500_00
    patron = day.seat(table, 1)
    table.must("alice", "TakeSeat", seat=2)
    table.must("alice", "BuyIn", cents=500_00)
    paper.bought.append(500_00)

    # The relief: the floor takes the place from one dealer, and the other takes it at the console.
    table.prepare()
    tile = people.at("fred", f"/floor?open={table.table}").get_by_test_id(f"opened-{table.table}")
    tile.get_by_test_id("choose-WithdrawLease").click()
    tile.get_by_test_id("act-WithdrawLease").get_by_label("Reason").fill("Relief")
    tile.get_by_test_id("act-WithdrawLease").get_by_role("button", name="Relieve the dealer").click()
    people.at("dov", f"/dealer/{table.table}").get_by_test_id("do").click()
    held(table, "dov")

    # A royal flush with the progressive: blind 500 to 1, play 1 to 1, the ante a push because the dealer has nothing;
    # the meter pays all it holds, which is the seed and a fifth of the stake. Alice's queen high loses blind and play.
    table.begin()
    table.wager(patron, **STAKES, progressive=5_00)
    player = AtSeat(people.at("alice", f"/tables/{table.table}"))
    before = table.sequence
    player.bet({"ante": 10_00})
    until(table, before)
    table.close_bets(progressive_chips=1)
    table.lay(ROYAL)
    while table.phase in ("dealing", "asking"):
        play = table.live.play
        if table.phase == "asking" and play.seat_asked == 2:
            asked = table.sequence
            is_last = play.face_up.get("board", 0) == 5
            player.act("raise 1x" if is_last else "check")
            until(table, asked)
        else:
            table.step()
    while table.live.in_round:
        table.step()
    paper.house_won += [-10 * 500_00, -10_00, 10_00 + 10_00, 5_00]
    paper.staked += [10_00, 10_00, 10_00, 5_00, 10_00, 10_00, 10_00]
    paper.contributed = 1_00
    table.must("alice", "LeaveSeat", seat=2)
    day.go_wrong(table)
    day.left(table)
    return table


def play_top_five(day: Day) -> ScenarioTable:
    table = day.table(TOP_FIVE)
    day.open(table, "dana")
    day.fill(table, SMALL)
    day.seat(table, 1)
    # The dealer shows queen-ten and doesn't qualify; three cards win the Play at 1 to 1.
    hands = {1: "Tc 7d 7s 7c Th 8d Jc", "dealer": "Ts 8c 5s 5d 6d Qc 3d"}
    day.round(table, hands, -15_00, ante=15_00)
    day.paper[table.table].staked += [15_00, 15_00]
    day.go_wrong(table)
    # The deck is changed, and play goes on with another.
    before = [deck.name for deck in table.live.cards.decks]
    table.must("flo", "RemoveDeck", deck=before[0], reason="set-apart")
    table.prepare()
    assert not set(before) & {deck.name for deck in table.live.cards.decks}
    # A credit: the cage, the dealer, a runner and another cashier, each on their own page.
    people = day.people
    slip = people.request("flo", "RequestCredit", table.table, {100_00: 5})
    people.sign("cay", slip, "PrepareSlip")
    people.sign_at_table("dana", table.table, slip, {100_00: 5})
    people.sign("fred", slip, "CarrySlip")
    people.sign("cam", slip, "AcceptCredit", {100_00: 5})
    day.paper[table.table].credits.append(500_00)
    day.cage.gets({100_00: 5})
    day.left(table)
    return table


def play_dragon(day: Day) -> ScenarioTable:
    table = day.table(DRAGON)
    day.open(table, "dov")
    day.fill(table, SMALL)
    day.seat(table, 1)
    # Three tigers beat three pandas: Ante and Play 1 to 1, Ante Bonus 6 to 1, Three Card Bonus 15 to 1.
    stakes = {"ante": 10_00, "ante_bonus": 10_00, "three_card_bonus": 5_00}
    day.round(table, {1: "Ti Ti Ti", "dealer": "Pa Pa Pa"}, -(10_00 + 10_00 + 60_00 + 75_00), **stakes)
    day.paper[table.table].staked += [10_00, 10_00, 10_00, 5_00]
    day.go_wrong(table)
    day.left(table)
    return table


def play_colorado(day: Day) -> ScenarioTable:
    table = day.table(COLORADO)
    day.open(table, "dana")
    day.fill(table, SMALL)
    day.seat(table, 1)
    # A pair of sixes is one short of a push: Ante and Bet lose.
    day.round(table, {1: "6s 2d Jc", "board": "6c 9d Kh"}, 10_00 + 10_00, ante=10_00)
    day.paper[table.table].staked += [10_00, 10_00]
    day.go_wrong(table)
    day.left(table)
    return table


def close_the_day(day: Day, tables: list[ScenarioTable]) -> None:
    people = day.people
    ultimate, top_five = tables[0], tables[1]
    # The closers: at the console and the tile, and over the wire.
    closing = counted(day.paper[ultimate.table].tray)
    ultimate.take_over("dov")
    people.count_at_console("dov", ultimate.table, closing)
    people.count_on_tile("flo", ultimate.table, closing)
    for table in tables[1:]:
        table.take_over("dana")
        day.count(table, counted(day.paper[table.table].tray))
    assert not any(table.live.is_open for table in tables), people.controls.trays

    # A patron's chips are redeemed: $1,000 bought, $15 won.
    cage = people.at("cay", "/floor/cage")
    form = cage.get_by_test_id("cage-RedeemChips")
    form.get_by_label("Amount").fill("1015")
    form.get_by_role("button", name="Redeem").click()
    cage.get_by_test_id("pay-RedeemChips").click()
    expect(form.get_by_role("status")).to_contain_text("$1,015 paid for chips")
    day.cage.cash -= 1_015_00
    day.cage.gets({1000_00: 1, 5_00: 3})

    # The display at the progressive table shows what the books say: it was hit and reset.
    read = people.at("flo", "/floor/money/differences").get_by_test_id("read-display")
    read.get_by_test_id("display-amount").fill(str(METER_CENTS // 100))
    read.get_by_test_id("enter-display").click()
    expect(read.get_by_role("status")).to_contain_text("$10,000 entered")

    # Drop and count: one box on the pages, the others over the wire.
    box = people.pull_box("flo", "pit", top_five.table, "/floor/money/boxes")
    people.count_box("con", box, {100_00: 9, 20_00: 5})
    counted_page = people.count_box("cou", box, {100_00: 9, 20_00: 5})
    expect(counted_page.get_by_test_id("box-result")).to_contain_text("in the vault")
    for table in (table for table in tables if table is not top_five):
        day.floor.both_at_office("flo", "dov", {"kind": "PullBox", "table": table.table})
        number = list(people.controls.boxes)[-1]
        for name in ("con", "cou"):
            day.office(name, "CountBox", box=number, bills={"10000": sum(day.paper[table.table].cash) // 100_00})

    # The cage closes on the count of two people.
    bills = {100_00: day.cage.cash // 100_00, 5_00: day.cage.cash % 100_00 // 5_00}
    assert worth(bills) == day.cage.cash
    people.count_cage("cam", bills, day.cage.held)
    closed = people.count_cage("pit", bills, day.cage.held)
    expect(closed.get_by_test_id("count-cage").get_by_role("status")).to_contain_text("closed")


def check_the_reports(day: Day, ultimate: ScenarioTable) -> None:
    opened = {line["table"]: line for line in day.report("shifts")}
    held_by = {line["table"]: line for line in day.report("hold-by-table")}
    assert set(opened) == set(held_by) == set(day.paper)
    for table, paper in day.paper.items():
        figures = ("opening_cents", "fills_cents", "credits_cents", "drop_cents", "closing_cents", "win_cents")
        by_hand = [0, sum(paper.fills), sum(paper.credits), paper.drop, paper.tray, paper.win]
        assert [opened[table][name] for name in figures] == by_hand, table
        by_hand = [sum(paper.staked), paper.drop, paper.win]
        assert [held_by[table][name] for name in ("handle_cents", "drop_cents", "win_cents")] == by_hand, table
        assert held_by[table]["voided_rounds"] == paper.voided, table
    assert sorted(line["total_cents"] for line in day.report("slips")) == sorted(
        cents for paper in day.paper.values() for cents in (*paper.fills, *paper.credits)
    )
    drops = {line["table"]: line["total_cents"] for line in day.report("drop-counts")}
    assert drops == {table: sum(paper.cash) for table, paper in day.paper.items()}
    closing = day.cage.cash + worth(day.cage.held)
    assert [line["total_cents"] for line in day.report("cage")] == [closing, 60_000_00 + worth(FLOAT)]
    assert day.report("variances") == []
    assert day.report("unexplained") == []
    assert sorted(line["total_cents"] for line in day.report("receipts")) == [500_00, 1_015_00]

    # What is held for players: alice's deposit, the chips that patrons took along, and the meter at its reset.
    bought = 4 * CASH - 1_015_00  # four patrons, one of whom went to the cage
    won = 10 * 500_00 + 10_00 - 5_00 + METER_CENTS + 1_00 + 15_00 + 155_00 - 20_00 - day.forfeited
    liable = {line["held_for_players"]: line["cents"] for line in day.report("liability")}
    assert liable == {
        "deposits": 500_00 - 20_00,
        "chips outstanding": bought + won,
        f"progressive {ultimate.table}": METER_CENTS,
    }
    (meter,) = (line for line in day.report("meters") if line["progressive"] == ultimate.table)
    assert (meter["paid_cents"], meter["shown_cents"], meter["hits"]) == (METER_CENTS + 1_00, METER_CENTS, 1)

    (reading,) = day.report("meter-readings")
    assert [reading[name] for name in ("total_cents", "expected_cents", "over_cents")] == [METER_CENTS, METER_CENTS, 0]
    voided = [line for line in day.report("voids") if line["what"].startswith("round void")]
    assert len(voided) == sum(paper.voided for paper in day.paper.values())
    check_the_papers(day)

    # The auditor reads the same on the page and prints it.
    page = day.people.at("aud", "/floor/reports/signed/shifts")
    for paper in day.paper.values():
        expect(page.get_by_role("table")).to_contain_text(f"${paper.tray // 100:,}")
    with page.expect_download() as printed:
        page.get_by_test_id("signed-pdf").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    choose_the_day(day)
    expect(day.people.at("reg", "/audit").get_by_role("main")).to_contain_text(re.compile("Ultimate", re.IGNORECASE))


def choose_the_day(day: Day) -> None:
    """Choose the gaming day on the page, for the reports that the day's people act on tomorrow."""
    today = day.floor.people["aud"].http.get("/api/controls").raise_for_status().json()["day"]
    yesterday = (date.fromisoformat(today) - timedelta(days=1)).isoformat()  # where the day changed in the meantime
    for name in ("yield", "dealers", "rated-play", "cash-days", "liability"):
        page = day.people.at("aud", f"/floor/reports/signed/{name}")
        page.get_by_test_id("to-day").fill(today)
        page.get_by_test_id("from-day").fill(yesterday)
        expect(page.get_by_test_id("signed-header")).to_contain_text(f"{yesterday} 06:00:00")
        lines = day.report(name)
        assert lines or name == "cash-days", name  # nobody brought as much cash as is logged
        if lines:
            expect(page.get_by_role("table").locator("tbody tr")).to_have_count(len(lines))
        else:
            expect(page.get_by_test_id("no-activity")).to_be_visible()


def check_the_papers(day: Day) -> None:
    """Print every report and the last form of each series: PDF, and the same lines as CSV and as JSON."""
    auditor = day.floor.people["aud"].http
    for name in [report["name"] for report in auditor.get("/api/reports/signed").raise_for_status().json()]:
        as_csv = auditor.get(f"/api/reports/signed/{name}", params={"format": "csv"}).raise_for_status().text
        lines = as_csv.splitlines()[7:]  # six lines of header and an empty one
        assert len(lines) == (len(day.report(name)) + 1 if day.report(name) else 1), name
        assert lines[0] == "No activity" or day.report(name), name
        printed = auditor.get(f"/api/reports/signed/{name}", params={"format": "pdf"}).raise_for_status()
        assert printed.content.startswith(b"%PDF"), name
    forms = {line["number"].partition("-")[0]: line["number"] for line in auditor.get("/api/controls/forms").json()}
    assert set(forms) == {"FILL", "CREDIT", "TRAY", "CAGE", "VAULT", "RECEIPT", "BOX", "COUNT", "READING"}
    for number in forms.values():
        assert auditor.get(f"/api/controls/forms/{number}.pdf").raise_for_status().content.startswith(b"%PDF"), number


def held(table: ScenarioTable, dealer: str) -> None:
    """Wait until a dealer who took the place on the page holds it, and speak for them from now on."""
    console = table.floor.people[dealer].http
    for _ in range(600):
        lease = console.get(f"/api/tables/{table.table}/console").raise_for_status().json()["lease"]
        if lease is not None:
            table.dealer, table.token = dealer, lease
            return
    raise AssertionError(f"{dealer} never took the place")


def until(table: ScenarioTable, sequence: int) -> None:
    """Wait until what a player pressed is in the record."""
    for _ in range(6000):
        if table.sequence > sequence:
            return
        table.floor.people["alice"].http.get("/health")
    raise AssertionError("the player's answer never came")
