"""A house with money controls: settings, cage, slips, blind counts and drop boxes, over HTTP and by every person."""

from collections.abc import Iterator

import pytest

from pitboss.server.reports_to_sign import TO_SIGN
from scenarios.controlled_house import SETTINGS, TRAY, TRAY_CENTS, Controlled
from scenarios.floor import ScenarioFloor, ScenarioTable


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controlled]:
    floor = ScenarioFloor(tmp_path_factory.mktemp("controlled"))
    yield Controlled(floor)
    floor.stop()


def relieve(table: ScenarioTable, dealer: str) -> None:
    table.must("fred", "WithdrawLease", reason="relief")
    table.take_over(dealer)


def heap(table: ScenarioTable) -> dict[str, int]:
    return {str(cents): number for cents, number in table.live.tray.items()}


def test_a_fill_takes_four_people_and_a_numbered_slip(house: Controlled) -> None:
    table = house.table(tray=None)
    chips = {"2500": 20, "500": 100}
    assert table.refused("cay", "Fill", cents=1_000_00)["clause"] == "H-41"
    for name in ("cay", "dana", "alice", "olga", "con"):
        assert house.refused(name, "RequestFill", table=table.table, chips=chips)["clause"] in ("H-13", "H-15"), name
    before = house.balances()
    slip = house.slip("Fill", table.table, chips)
    assert house.refused("fred", "CarrySlip", slip=slip)["clause"] == "H-41"  # nothing was prepared
    assert house.refused("flo", "PrepareSlip", slip=slip)["clause"] == "H-41"
    house.office("cay", None, "PrepareSlip", slip=slip)
    assert house.balances()[f"transit:{slip}"] == 1_000_00
    assert house.balances()["chips:cage"] == before["chips:cage"] - 1_000_00
    assert table.refused("dana", "ReceiveFill", slip=slip, chips=chips)["clause"] == "H-41"  # no runner brought it
    assert house.refused("cay", "CarrySlip", slip=slip)["clause"] == "H-41"  # the cashier who prepared it
    assert house.refused("flo", "CarrySlip", slip=slip)["clause"] == "H-41"  # the floorperson who asked for it
    house.office("fred", None, "CarrySlip", slip=slip)
    assert table.refused("dana", "ReceiveFill", slip=slip, chips={"2500": 19, "500": 100})["field"] == "chips"
    assert table.refused("flo", "ReceiveFill", slip=slip, chips=chips)["clause"] == "H-41"
    table.must("dana", "ReceiveFill", slip=slip, chips=chips)
    after = house.balances()
    assert after[f"inventory:{table.table}"] == 1_000_00
    assert after.get(f"transit:{slip}", 0) == 0
    assert table.refused("dana", "ReceiveFill", slip=slip, chips=chips)["clause"] == "H-41"  # only once
    assert heap(table) == chips


def test_one_person_with_every_pit_role_signs_a_slip_once(house: Controlled) -> None:
    table = house.table(tray=None)
    chips = {"500": 10}
    house.office("tri", None, "RequestFill", table=table.table, chips=chips)
    slip = list(house.controls.slips)[-1]
    house.office("cay", None, "PrepareSlip", slip=slip)
    assert house.refused("tri", "CarrySlip", slip=slip)["field"] == "by"
    house.office("fred", None, "CarrySlip", slip=slip)
    relieve(table, "tri")
    assert table.refused("tri", "ReceiveFill", slip=slip, chips=chips)["field"] == "by"
    relieve(table, "dana")
    table.must("dana", "ReceiveFill", slip=slip, chips=chips)


def test_a_credit_goes_back_to_the_cage_and_voided_slips_keep_their_number(house: Controlled) -> None:
    table = house.table()
    chips = {"10000": 10}
    first = house.slip("Credit", table.table, chips)
    house.office("cay", "flo", "VoidSlip", slip=first, reason="written for the wrong table")
    slip = house.slip("Credit", table.table, chips)
    assert int(slip.rpartition("-")[2]) == int(first.rpartition("-")[2]) + 1
    before = house.balances()
    house.office("cay", None, "PrepareSlip", slip=slip)
    table.must("dana", "SendCredit", slip=slip, chips=chips)
    assert house.balances()[f"transit:{slip}"] == 1_000_00
    assert house.refused("cam", "AcceptCredit", slip=slip, chips=chips)["clause"] == "H-41"  # no runner yet
    house.office("fred", None, "CarrySlip", slip=slip)
    assert house.refused("cam", "AcceptCredit", slip=slip, chips={"10000": 9})["field"] == "chips"
    house.office("cam", None, "AcceptCredit", slip=slip, chips=chips)
    after = house.balances()
    assert after["chips:cage"] == before["chips:cage"] + 1_000_00
    assert after[f"inventory:{table.table}"] == before[f"inventory:{table.table}"] - 1_000_00
    assert after.get(f"transit:{slip}", 0) == 0
    answer = house.floor.office("cay", {"kind": "VoidSlip", "slip": slip, "reason": "too late"})
    assert answer.status_code == 409


def test_a_finished_slip_is_not_undone_by_a_correction(house: Controlled) -> None:
    table = house.table()
    slip = house.slip("Credit", table.table, {"500": 10})
    house.office("cay", None, "PrepareSlip", slip=slip)
    table.must("dana", "SendCredit", slip=slip, chips={"500": 10})
    for kind in ("house.TrayFilled", "house.TrayCredited"):
        wrong = {"entry": table.entries(kind)[-1].sequence, "reason": "it never came"}
        assert table.refused("cay", "Correct", **wrong)["clause"] == "H-41"
    house.office("fred", None, "CarrySlip", slip=slip)
    house.office("cam", None, "AcceptCredit", slip=slip, chips={"500": 10})


def test_a_fill_voided_on_its_way_returns_to_the_cage(house: Controlled) -> None:
    table = house.table(tray=None)
    before = house.balances()["chips:cage"]
    slip = house.slip("Fill", table.table, {"500": 20})
    house.office("cay", None, "PrepareSlip", slip=slip)
    house.office("fred", None, "CarrySlip", slip=slip)
    house.office("cay", "flo", "VoidSlip", slip=slip, reason="the table is closing")
    assert house.balances()["chips:cage"] == before
    assert house.balances().get(f"transit:{slip}", 0) == 0


def test_the_closer_is_the_next_opener(house: Controlled) -> None:
    table = house.table()
    assert table.refused("flo", "CloseTable", tray_cents=TRAY_CENTS)["clause"] == "H-42"
    for name in ("flo", "cay"):  # one person can't set the books to what they say they counted
        assert table.refused(name, "CountInventory", tray_cents=0)["clause"] == "H-42"
    house.count(table, TRAY)
    assert not table.live.is_open
    closed = table.entries("house.TableClosed")[-1].body
    assert (closed["closing_cents"], closed["credits_cents"], closed["fills_cents"]) == (TRAY_CENTS, 0, TRAY_CENTS)
    assert house.balances()[f"locked:{table.table}"] == TRAY_CENTS
    assert table.refused("flo", "OpenTable", tray_cents=TRAY_CENTS)["clause"] == "H-42"
    house.count(table, TRAY)
    assert table.live.is_open
    assert table.live.tray_cents == TRAY_CENTS
    assert house.balances().get(f"locked:{table.table}", 0) == 0


def test_a_held_table_takes_a_fill_and_a_disputed_one_is_not_counted_to_close(house: Controlled) -> None:
    table = house.table()
    table.seat_patron(1, 1_000_00)
    table.play_round()
    table.must("dana", "ReportDispute", seats=[1], note="the player asks for another look")
    for name in ("flo", "dana"):  # players would leave with what is in dispute
        assert "in dispute" in table.refused(name, "CountTray", chips=heap(table))["reason"]
    table.both("flo", "dana", "ResolveDispute", outcome="stands", note="as the rack shows it")
    table.begin()
    table.must("dana", "PlaceWagers", seat=1, stakes=table.least())
    table.close_bets()
    table.must("dana", "ReportIrregularity", irregularity="other-misdeal", note="two cards stuck")
    tray = house.balances()[f"inventory:{table.table}"]
    house.fill(table, {"500": 20})  # the void that is ruled next may need the chips
    assert house.balances()[f"inventory:{table.table}"] == tray + 100_00


def test_one_person_cannot_count_for_both(house: Controlled) -> None:
    table = house.table()
    table.must("flo", "CountTray", chips=TRAY)
    assert table.refused("flo", "CountTray", chips=TRAY)["field"] == "by"
    assert table.refused("fred", "CountTray", chips=TRAY)["field"] == "by"  # a second floorperson isn't the dealer
    table.must("dana", "CountTray", chips={**TRAY, "100": 1})  # not the same: both count again
    relieve(table, "tri")
    table.must("tri", "CountTray", chips=TRAY)
    assert table.refused("tri", "CountTray", chips=TRAY)["field"] == "by"  # the same person in another role
    table.must("fred", "CountTray", chips=TRAY)
    assert not table.live.is_open
    assert table.entries("house.TableClosed")[-1].body["closing_cents"] == TRAY_CENTS


def test_a_dealer_who_counts_alone_cannot_keep_a_table_from_its_fills(house: Controlled) -> None:
    table, chips = house.table(), {"500": 10}
    table.must("dana", "CountTray", chips=TRAY)
    assert house.refused("flo", "RequestFill", table=table.table, chips=chips)["clause"] == "H-42"
    table.must("flo", "CountTray", chips=chips)  # it differs, so neither counts
    house.fill(table, chips)


def test_counts_that_differ_are_done_again_and_nobody_sees_them(house: Controlled) -> None:
    table = house.table()
    short = {**TRAY, "500": 390}
    table.must("flo", "CountTray", chips=short)
    table.must("dana", "CountTray", chips=TRAY)
    assert table.live.is_open
    assert house.controls.trays[table.table].counts == {}
    house.count(table, TRAY)
    assert not table.live.is_open
    assert not any(found.table == table.table for found in house.controls.variances.values())


def test_a_difference_is_counted_again_on_a_new_slip_and_stays_unexplained(house: Controlled) -> None:
    table = house.table()
    short = {**TRAY, "500": 380}  # $100 is missing
    house.count(table, short)
    assert table.live.is_open, "a difference is counted again first"
    house.count(table, short)
    assert not table.live.is_open
    number, found = next(
        (name, found) for name, found in house.controls.variances.items() if found.table == table.table
    )
    assert (found.what, found.over_cents) == ("closer", -100_00)
    slips = [
        entry.body
        for entry in house.floor.floor.store.read("controls")
        if entry.kind == "controls.InventorySlipWritten" and entry.body["table"] == table.table
    ]
    assert [slip["is_final"] for slip in slips[-2:]] == [False, True]
    assert slips[-1]["form"] != slips[-2]["form"]
    said = "The dealer paid a $100 color-up twice, seen on video"
    assert house.refused("aud", "ExplainVariance", variance="VARIANCE-999999", explanation=said)["field"] == "variance"
    house.office("pit", "aud", "ExplainVariance", variance=number, explanation=said)
    assert number not in house.controls.variances


def test_an_opener_that_differs_from_the_closer_is_the_houses_loss(house: Controlled) -> None:
    table = house.table()
    house.count(table, TRAY)
    less = {**TRAY, "100": 490}
    house.count(table, less)
    assert not table.live.is_open
    house.count(table, less)
    assert table.live.is_open
    assert table.live.tray_cents == TRAY_CENTS - 10_00
    found = [found for found in house.controls.variances.values() if found.table == table.table]
    assert [(variance.what, variance.over_cents) for variance in found] == [("opener", -10_00)]
    assert house.balances().get(f"locked:{table.table}", 0) == 0


def test_the_cage_never_falls_below_zero(house: Controlled) -> None:
    house.office("cay", None, "IssueMoney", person="gus", cents=1_000_00, free_play=False)
    held = house.balances()
    assert held["cash:cage"] == house.controls.cash["cage"]
    table = house.table(tray=None)
    slip = house.slip("Fill", table.table, {"100000": 51})
    assert house.refused("cay", "PrepareSlip", slip=slip)["clause"] == "H-44"
    house.office("cay", "flo", "VoidSlip", slip=slip, reason="the cage doesn't have them")
    answer = house.floor.office("cay", {"kind": "MoveVault", "to": "vault", "cash_cents": 10**9})
    assert answer.json()["refused"]["clause"] == "H-44"
    house.office("cay", None, "RedeemMoney", person="gus", cents=400_00, free_play=False)
    assert house.balances()["cash:cage"] == held["cash:cage"] - 400_00
    assert house.balances()["deposit:gus"] == 600_00


def test_a_cashier_needs_a_second_person_from_the_limit_on(house: Controlled) -> None:
    before = house.balances().get("deposit:fay", 0)
    body = {"kind": "IssueMoney", "person": "fay", "cents": 3_000_00, "free_play": False}
    answer = house.floor.office("cay", body)
    assert answer.json()["proposal"] is not None
    assert house.balances().get("deposit:fay", 0) == before
    waiting = house.floor.people["cay"].http.get("/api/office/proposals").json()
    own = next(row for row in waiting if row["proposal"] == answer.json()["proposal"])
    alone = house.floor.office("cay", {"kind": "Confirm", "proposal": own["proposal"], "digest": own["digest"]})
    assert alone.status_code == 409
    done = house.floor.office("pit", {"kind": "Confirm", "proposal": own["proposal"], "digest": own["digest"]})
    assert done.status_code == 200, done.text
    assert house.balances()["deposit:fay"] == before + 3_000_00


def test_chips_are_sold_and_redeemed_from_the_cages_own(house: Controlled) -> None:
    before = house.balances()
    house.office("cay", None, "SellChips", cents=500_00, free_play=False, chips={"2500": 20})
    sold = house.balances()
    assert sold["cash:cage"] - before["cash:cage"] == before["chips:cage"] - sold["chips:cage"] == 500_00
    assert house.refused("cay", "SellChips", cents=500_00, free_play=False, chips={"2500": 19})["field"] == "chips"
    house.office("cay", None, "RedeemChips", cents=500_00, free_play=False, chips={"500": 100})
    after = house.balances()
    assert {name: after[name] for name in ("cash:cage", "chips:cage")} == {
        name: before[name] for name in ("cash:cage", "chips:cage")
    }


def test_the_count_team_counts_a_box_blind(house: Controlled) -> None:
    table = house.table()
    table.seat_patron(1, 1_000_00)
    table.seat_patron(2, 500_00)
    assert house.refused("cay", "CollectDrop", table=table.table, cents=1_500_00)["clause"] == "H-43"
    house.office("flo", "dov", "PullBox", table=table.table)
    box = list(house.controls.boxes)[-1]
    held = house.balances()
    assert held.get(f"drop:{table.table}", 0) == 0
    assert held[f"box:{box}"] == 1_500_00
    assert house.refused("flo", "CountBox", box=box, bills={"10000": 15})["clause"] == "H-43"
    assert house.refused("cay", "CountBox", box=box, bills={"10000": 15})["clause"] == "H-43"
    house.office("con", None, "CountBox", box=box, bills={"10000": 15})
    assert house.refused("con", "CountBox", box=box, bills={"10000": 15})["field"] == "by"
    house.office("cou", None, "CountBox", box=box, bills={"10000": 14})  # not the same: both count again
    assert house.controls.boxes[box].counts == {}
    house.office("con", None, "CountBox", box=box, bills={"10000": 14, "5000": 1})
    house.office("cou", None, "CountBox", box=box, bills={"10000": 14, "5000": 1})
    after = house.balances()
    assert after.get(f"box:{box}", 0) == 0
    assert after["cash:vault"] - held["cash:vault"] == 1_450_00
    found = [found for found in house.controls.variances.values() if found.table == table.table]
    assert [(variance.what, variance.over_cents) for variance in found] == [("drop", -50_00)]


def test_the_cage_is_counted_by_two_before_it_closes(house: Controlled) -> None:
    cash = house.controls.cash["cage"]
    chips = {str(cents): number for cents, number in house.controls.held("cage").items()}
    house.office("cay", None, "CountCage", cash_cents=cash - 20_00, chips=chips)
    assert house.refused("cay", "CountCage", cash_cents=cash - 20_00, chips=chips)["field"] == "by"
    house.office("pit", None, "CountCage", cash_cents=cash - 20_00, chips=chips)
    assert not house.controls.is_cage_open
    assert house.balances()["cash:cage"] == cash - 20_00
    assert [found.over_cents for found in house.controls.variances.values() if found.what == "cage"] == [-20_00]
    closed = house.refused("cay", "IssueMoney", person="gus", cents=100, free_play=False)
    assert closed["clause"] == "H-44"
    house.count_cage()
    assert house.controls.is_cage_open


def test_settings_take_two_people_and_keep_the_value_before(house: Controlled) -> None:
    assert house.floor.office("cay", {"kind": "ChangeHouseSettings", "settings": SETTINGS}).status_code == 409
    wrong = {**SETTINGS, "time_zone": "Mars/Olympus"}
    assert house.refused("olga", "ChangeHouseSettings", settings=wrong)["clause"] == "H-45"
    house.office("olga", "otto", "ChangeHouseSettings", settings={**SETTINGS, "comp_percent": 25})
    changed = list(house.floor.floor.store.read("controls", kinds=("controls.SettingsChanged",)))[-1].body
    assert (changed["before"]["comp_percent"], changed["settings"]["comp_percent"]) == (20, 25)
    house.office("olga", "otto", "ChangeHouseSettings", settings=SETTINGS)


def write_every_form(house: Controlled) -> None:
    """Write at least one form of every series, and void one of them."""
    table = house.table()  # its first count and its fill are written; the vault's and the cage's are since the opening
    voided = house.slip("Credit", table.table, {"500": 10})
    house.office("cay", "flo", "VoidSlip", slip=voided, reason="written for the wrong table")
    house.office("cay", None, "IssueMoney", person="dave", cents=1_00, free_play=False)
    table.seat_patron(1, 1_000_00)
    house.office("flo", "dov", "PullBox", table=table.table)
    box = list(house.controls.boxes)[-1]
    for name in ("con", "cou"):  # $50 less than the table reported
        house.office(name, None, "CountBox", box=box, bills={"5000": 19})


def test_the_state_is_the_same_read_again_from_the_record(house: Controlled) -> None:
    from pitboss.house.controls.evolve import CONTROLS_FOLD

    write_every_form(house)
    state = CONTROLS_FOLD.empty()
    assert house.floor.floor is not None
    for entry in house.floor.floor.store.read("controls"):
        state = CONTROLS_FOLD.evolve(state, entry)
    assert state == house.controls
    assert CONTROLS_FOLD.from_data(CONTROLS_FOLD.to_data(state)) == state
    held = house.balances()
    assert {place: held.get(f"cash:{place}", 0) for place in ("cage", "vault")} == dict(state.cash)
    assert all(cents >= 0 for account, cents in held.items() if account != "house" and account != "cage")


def test_every_form_prints_with_its_number(house: Controlled) -> None:
    write_every_form(house)
    auditor = house.floor.people["aud"].http
    lines = auditor.get("/api/controls/forms").json()
    series = {line["number"].partition("-")[0] for line in lines}
    assert series == {"FILL", "CREDIT", "VAULT", "CAGE", "RECEIPT", "TRAY", "BOX", "COUNT", "VARIANCE"}
    for name in series:
        number = next(line["number"] for line in lines if line["number"].startswith(name))
        printed = auditor.get(f"/api/controls/forms/{number}.pdf")
        assert printed.status_code == 200, number
        assert printed.content.startswith(b"%PDF"), number
    voided = [line for line in lines if line["status"] == "void"]
    assert voided
    assert all(line["note"] for line in voided)
    assert auditor.get("/api/controls/forms/FILL-999999.pdf").status_code == 404
    assert house.floor.people["alice"].http.get("/api/controls/forms").status_code == 409


def test_every_report_carries_its_header_and_says_when_nothing_happened(house: Controlled) -> None:
    auditor = house.floor.people["aud"].http
    for name, (title, _) in TO_SIGN.items():
        made = auditor.get(f"/api/reports/signed/{name}").json()
        assert made["header"]["Facility"] == "Harbor Casino"
        assert made["header"]["Report"] == title
        assert made["header"]["Made by"] == "aud"
        assert made["header"]["Keep for"] == "5 years"
        assert made["header"]["Interval"].startswith("the first entry to 20")
        csv = auditor.get(f"/api/reports/signed/{name}?format=csv").text
        assert csv.startswith("Facility,Harbor Casino\r\n"), name
        assert len(csv.splitlines()) >= len(made["lines"]) + len(made["header"]) + 2
    none = auditor.get("/api/reports/signed/slips?from=1&to=2").json()
    assert (none["lines"], none["note"]) == ([], "No activity")
    assert "No activity" in auditor.get("/api/reports/signed/slips?from=1&to=2&format=csv").text
    for name in ("shifts", "sole-decisions", "slips"):
        assert auditor.get(f"/api/reports/signed/{name}?format=pdf").content.startswith(b"%PDF")
    assert house.floor.people["dana"].http.get("/api/reports/signed/shifts").status_code == 409


def test_each_opening_of_a_table_is_a_line_of_its_own(house: Controlled) -> None:
    table = house.table()
    table.seat_patron(1, 1_000_00)
    table.must("dana", "LeaveSeat", seat=1)
    left = heap(table)
    house.count(table, left)
    house.count(table, left)
    found = house.floor.people["aud"].http.get("/api/reports/signed/shifts").json()["lines"]
    own = [line for line in found if line["table"] == table.table]
    figures = ("opening_cents", "fills_cents", "credits_cents", "drop_cents", "closing_cents", "win_cents")
    assert [[line[name] for name in figures] for line in own] == [
        [0, TRAY_CENTS, 0, 1_000_00, TRAY_CENTS - 1_000_00, 0],
        [TRAY_CENTS - 1_000_00, 0, 0, 0, None, 0],
    ]
    alerts = house.floor.people["pit"].http.get("/api/alerts").json()
    raised = {alert["kind"] for alert in alerts if alert["table"] == table.table}
    assert "tray-low" not in raised


def test_cash_is_added_up_by_person_and_gaming_day_each_way_apart(house: Controlled) -> None:
    for cents in (2_999_00, 2_999_00, 2_999_00):
        house.office("cay", None, "IssueMoney", person="erin", cents=cents, free_play=False)
    house.office("cay", None, "RedeemMoney", person="erin", cents=2_600_00, free_play=False)

    def raised() -> list[str]:
        alerts = house.floor.people["pit"].http.get("/api/alerts").json()
        return [alert["text"] for alert in alerts if alert["kind"] == "cash" and "erin" in alert["text"].lower()]

    assert len(raised()) == 1
    assert "near the limit" in raised()[0]
    house.office("cay", None, "IssueMoney", person="erin", cents=1_003_00, free_play=False)  # $10,000 exactly
    assert len(raised()) == 1
    house.office("cay", None, "IssueMoney", person="erin", cents=1_00, free_play=False)
    assert any("file a currency transaction report" in says for says in raised())
    days = house.floor.people["aud"].http.get("/api/reports/signed/cash-days").json()["lines"]
    own = {line["way"]: (line["cents"], line["is_reportable"]) for line in days if line["person"] == "erin"}
    assert own == {"in": (10_001_00, True), "out": (2_600_00, False)}
    logged = house.floor.people["aud"].http.get("/api/reports/signed/cash-log").json()["lines"]
    assert len([line for line in logged if line["person"] == "erin"]) == 6


def test_changes_of_the_settings_are_listed_with_the_values_before_and_after(house: Controlled) -> None:
    assert house.floor.people["dana"].http.get("/api/controls/settings").status_code == 409
    changes = house.floor.people["reg"].http.get("/api/controls/settings").raise_for_status().json()
    first = changes[-1]
    assert (first["by"], first["second"]) == ("olga", "otto")
    assert (first["before"]["facility"], first["after"]["facility"]) == ("", "Harbor Casino")
    assert [change["at"] for change in changes] == sorted((change["at"] for change in changes), reverse=True)


def test_every_report_has_an_interval_and_says_which(house: Controlled) -> None:
    auditor = house.floor.people["aud"].http
    listed = [row["name"] for row in auditor.get("/api/reports/signed").raise_for_status().json()]
    assert listed == list(TO_SIGN)
    for name in listed:
        header = auditor.get(f"/api/reports/signed/{name}?from=1&to=2").raise_for_status().json()["header"]
        assert header["Interval"] == "1969-12-31 19:00:00 EST to 1969-12-31 19:00:00 EST", name
    assert house.floor.people["flo"].http.get("/api/reports/signed").status_code == 409
