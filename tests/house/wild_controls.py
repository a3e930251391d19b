"""A real-money house with money controls, asked for anything at its back office and at its tables by everybody."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from house.checked_office import Office
from house.floors import read_terms
from house.test_back_office import METERED
from pitboss.games.catalogue import game_names
from pitboss.house.back_office import agreed_on
from pitboss.house.controls.evolve import CONTROLS_FOLD
from pitboss.house.controls.state import AT_TABLE, CAGE, CARRIED, PREPARED, REQUESTED, VAULT, Controls
from pitboss.house.live_table import commands
from pitboss.house.money.chips import fewest, total
from pitboss.house.patron_controls.evolve import PATRONS_FOLD
from pitboss.house.people import leases
from pitboss.house.people.control_permissions import OF_CONTROLS
from pitboss.house.people.patron_permissions import OF_PATRONS
from pitboss.house.progressive import commands as of_meters
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.rules.refusal import Refusal

DOCUMENT = {"game": game_names()[0], "automatic": False, "cards": "reader", "free_play": False}
TABLES = {"t": "dana", "u": "dov"}  # and who deals there
CASHIERS = ("cay", "cam", "cat")
ROLES = {
    **dict.fromkeys(("olga", "otto"), "operator"),
    **dict.fromkeys(CASHIERS, "cage"),
    **dict.fromkeys(("flo", "fred"), "floorperson"),
    **dict.fromkeys(("dana", "dov"), "dealer"),
    **dict.fromkeys(("con", "cou"), "count-team"),
    "pit": "pit-manager",
    "aud": "auditor",
    "pat": "player",
}
STOCK = {1_000_00: 20, 100_00: 400, 25_00: 400, 5_00: 1000, 1_00: 1000}
SHIFT_MS = 8 * 60 * 60_000
STEPS = 900
REAL = "real"  # a progressive that no free-play table draws on
Asking = tuple[str, dict[str, Any]]


class ControlledHouse(Office):
    """A house whose controls are held against its ledger after every event."""

    def __init__(self) -> None:
        super().__init__()
        self.accepted_at_tables: Counter[str] = Counter()
        for table in TABLES:
            self.floor.house.open(table)

    @property
    def controls(self) -> Controls:
        return self.floor.house.controls.state

    async def ask(self, name: str, body: dict[str, Any], command: str | None = None) -> Answer:
        """Give a command of the back office twice, and compare the controls with the ledger."""
        answer = await super().ask(name, body, command)
        self.compare()
        return answer

    async def at_table(self, table: str, name: str, body: Any) -> Answer:
        """Give a command at a table twice, and compare the controls with the ledger."""
        self.floor.clock.now += 1
        house, data = self.floor.house, body if isinstance(body, dict) else commands.data_of(body)
        token = house.live(table).lease.token if ROLES[name] == "dealer" else None
        asked = Asked(self.floor.command_id(), name, (ROLES[name],), data, token=token)
        answer = await house.do(table, asked)
        self.checker.follow(self.floor.store)
        if isinstance(answer, Done):
            self.accepted_at_tables[data["kind"]] += 1
            assert await house.do(table, asked) == Done(answer.entries, again=True), data
            self.checker.follow(self.floor.store)
        self.compare()
        return answer

    async def together(self, first: str, second: str, body: dict[str, Any]) -> None:
        """Have one person propose and another confirm."""
        command = self.floor.command_id()
        answer = await self.ask(first, body, command)
        assert isinstance(answer, Done), (body, answer)
        proposed = self.people.people.proposals[command]
        confirm = {"kind": "Confirm", "proposal": command, "digest": agreed_on(proposed.kind, proposed.body)}
        answer = await self.ask(second, confirm)
        assert isinstance(answer, Done), answer

    def compare(self) -> None:
        """Hold what the controls say is where against the accounts of the ledger."""
        controls, held = self.controls, self.checker.balances
        expected: Counter[str] = Counter()
        for place in (CAGE, VAULT):
            expected[f"cash:{place}"] = controls.cash.get(place, 0)
            expected[f"chips:{place}"] = total(controls.held(place))
            assert all(number > 0 for number in controls.held(place).values()), controls.held(place)
        for number, slip in controls.slips.items():
            is_out = slip.stage in ((PREPARED, CARRIED) if slip.kind == "fill" else (AT_TABLE, CARRIED))
            expected[f"transit:{number}"] = total(slip.chips) if is_out else 0
            assert len(set(slip.signed.values())) == len(slip.signed), slip
        for number, box in controls.boxes.items():
            expected[f"box:{number}"] = box.booked_cents
        for table in TABLES:
            live = self.floor.house.live(table)
            expected[f"locked:{table}"] = total(controls.closers.get(table, {}))
            expected[f"inventory:{table}"] = total(live.tray) if live.is_open else 0
            assert not (live.is_open and held[f"locked:{table}"]), f"{table} is open, and its old tray is still locked"
            self.checker.compare(live)
        kept = ("cash", "chips", "transit", "box", "locked", "inventory")
        found = Counter({name: cents for name, cents in held.items() if name.partition(":")[0] in kept})
        assert +found == +expected, ((+found) - (+expected), (+expected) - (+found))

    def read_again(self) -> None:
        """Hold the controls against the fold of their record, and against themselves from a snapshot."""
        state = CONTROLS_FOLD.empty()
        for entry in self.floor.store.read("controls"):
            state = CONTROLS_FOLD.evolve(state, entry)
        assert state == self.controls
        assert CONTROLS_FOLD.from_data(CONTROLS_FOLD.to_data(state)) == state
        patrons = PATRONS_FOLD.empty()
        for entry in self.floor.store.read("patrons"):
            patrons = PATRONS_FOLD.evolve(patrons, entry)
        assert patrons == self.floor.house.patrons.state
        assert PATRONS_FOLD.from_data(PATRONS_FOLD.to_data(patrons)) == patrons

    async def open(self, chance: random.Random) -> None:
        """Activate rules at two tables, one open with a tray before money controls are on, one closed."""
        await self.hire()
        await self.add(*((name, role) for name, role in ROLES.items() if name not in self.people.people.accounts))
        for table, dealer in TABLES.items():
            await self.at_table(table, "olga", commands.ActivateSubmission(document=DOCUMENT))
            proposal = list(self.floor.house.live(table).proposals)[-1]
            await self.at_table(table, "otto", commands.Confirm(proposal=proposal))
            await self.at_table(table, dealer, leases.TakeLease(by=commands.NOBODY, at=0))
        opened = of_meters.OpenMeters(at=0, meters=read_terms(METERED).meters, by="olga", second="otto")
        await self.floor.meters(opened, REAL)
        await self.at_table("t", "flo", commands.OpenTable(tray_cents=2_000_00))
        await self.ask("cay", {"kind": "IssueMoney", "person": "pat", "cents": 5_000_00, "free_play": False})
        await self.together("olga", chance.choice(("otto", "pit")), settings(chance))
        stock = {"cash_cents": 90_000_00, "chips": _sent(STOCK)}
        await self.together("olga", "cay", {"kind": "FundVault", **stock})
        await self.together("cay", "cam", {"kind": "MoveVault", "to": CAGE, **stock})
        await self.count_cage()

    async def count_cage(self, *names: str) -> None:
        """Have people count the cage as its books have it; two of them open or close it."""
        counted = {"cash_cents": self.controls.cash[CAGE], "chips": _sent(self.controls.held(CAGE))}
        for name in names or ("cay", "pit"):
            await self.ask(name, {"kind": "CountCage", **counted})

    async def finish(self) -> None:
        """Finish slips, counts and boxes, close the cage, and switch money controls off for a while."""
        for number, slip in self.controls.slips.items():
            if slip.kind == "fill" or slip.stage in (REQUESTED, PREPARED):
                await self.together("cay", "pit", {"kind": "VoidSlip", "slip": number, "reason": "the day ends"})
                continue
            for name in ("fred", "pit"):
                await self.ask(name, {"kind": "CarrySlip", "slip": number})
            for name in CASHIERS:
                await self.ask(name, {"kind": "AcceptCredit", "slip": number, "chips": _sent(slip.chips)})
        for table in TABLES:
            for name in ("flo", TABLES[table]) * 4:
                if table in self.controls.trays:
                    await self.count_tray(table, name)
        for number in self.controls.boxes:
            for name in ("con", "cou", "con", "cou"):
                await self.ask(name, {"kind": "CountBox", "box": number, "bills": {}})
        for name in ("cay", "pit") * 4:
            if self.controls.is_cage_open:
                await self.count_cage(name)
        for number in self.controls.variances:
            said = {"variance": number, "explanation": "A bill was stuck in the box, seen on video"}
            await self.together("pit", "aud", {"kind": "ExplainVariance", **said})

    async def count_tray(self, table: str, *names: str) -> None:
        """Have the floor, the dealer or both count a tray as the books have it."""
        for name in names or ("flo", TABLES[table]):
            await self.at_table(table, name, {"kind": "CountTray", "chips": _sent(self.expected_at(table))})

    def expected_at(self, table: str) -> Mapping[int, int]:
        """Return the chips that a tray should hold."""
        live = self.floor.house.live(table)
        return live.tray if live.is_open else self.controls.closers.get(table, {})


def settings(chance: random.Random, *, is_on: bool = True) -> dict[str, Any]:
    """Return house settings, with money controls on or off."""
    limit, zone = chance.choice((500_00, 2_500_00)), chance.choice(("UTC", "America/New_York"))
    chosen = {"money_controls": is_on, "cashier_limit_cents": limit, "time_zone": zone}
    chosen |= {"exclusions": chance.random() < 0.8, "player_limits": chance.random() < 0.8}
    return {"kind": "ChangeHouseSettings", "settings": {**chosen, "facility": f"House {chance.randrange(10**6)}"}}


def _sent(chips: Mapping[int, int]) -> dict[str, int]:
    return {str(cents): number for cents, number in chips.items()}


def office_anything(house: ControlledHouse, chance: random.Random) -> Asking:
    """Return a person and a command of the back office, valid or not."""
    controls, waiting = house.controls, house.people.people.proposals
    cents = chance.choice((-5, 0, 1, 3_50, 100_00, 700_00, 4_000_00, 10**9, 2**60))
    wrong: dict[str, int] = chance.choice(({}, {"500": -1}, {"300": 2}, {"2500": 0}, {"100": 10**7}))
    some = chance.choice(({"500": 20}, {"2500": 4, "100": 5}, {"10000": 3}, {"100000": 1}, wrong))
    table = chance.choice((*TABLES, "nowhere"))
    meters = house.floor.house.progressive(REAL).state.meters
    meter = _known(chance, meters, "none")
    shown = meters[meter].shown_cents if meter in meters else 0
    exclusion = _known(chance, house.floor.house.patrons.state.exclusions, "EXCLUSION-000000")
    soon = house.floor.clock.now + chance.choice((-1, SHIFT_MS, 3 * SHIFT_MS))
    slip = _known(chance, controls.slips, "FILL-000000")
    box = _known(chance, controls.boxes, "BOX-000000")
    variance = _known(chance, controls.variances, "VARIANCE-000000")
    explained = chance.choice(("no", "seen on video"))
    on_slip = _sent(controls.slips[slip].chips) if slip in controls.slips else some
    on_slip = chance.choice((on_slip, on_slip, on_slip, some))
    booked = controls.boxes[box].booked_cents if box in controls.boxes else 0
    bills = chance.choice((booked, booked, booked, booked - booked % 100_00, 20_00))
    cash = controls.cash.get(CAGE, 0) + chance.choice((0, 0, 0, 0, 0, -20_00))
    cage = {**_sent(controls.held(CAGE))} if chance.random() < 0.9 else some
    proposal = _known(chance, waiting, "none")
    proposed = waiting.get(proposal)
    digest = agreed_on(proposed.kind, proposed.body) if proposed else "none"
    confirm = {"kind": "Confirm", "proposal": proposal, "digest": chance.choice((digest, digest, digest, "none"))}
    heap = {"cash_cents": chance.choice((cents, 0, 500_00)), "chips": some}
    much = {"cents": cents, "free_play": chance.choice((False, False, False, True, None))}
    body: dict[str, Any] = chance.choice(
        (
            settings(chance, is_on=chance.random() < 0.8),
            {"kind": "FundVault", **heap},
            {"kind": "MoveVault", "to": chance.choice((CAGE, CAGE, VAULT, "t")), **heap},
            *[{"kind": "CountCage", "cash_cents": cash, "chips": cage}] * 2,
            *[{"kind": "RequestFill", "table": table, "chips": some}] * 3,
            *[{"kind": "RequestCredit", "table": table, "chips": _in_tray(house, table) or some}] * 4,
            *[{"kind": "PrepareSlip", "slip": slip}] * 4,
            *[{"kind": "CarrySlip", "slip": slip}] * 4,
            *[{"kind": "AcceptCredit", "slip": slip, "chips": on_slip}] * 2,
            {"kind": "VoidSlip", "slip": slip, "reason": chance.choice(("", "written for the wrong table"))},
            {"kind": "PullBox", "table": table},
            {
                "kind": "ReadMeter",
                "progressive": REAL,
                "meter": meter,
                "cents": chance.choice((-1, shown, cents)),
            },
            *[{"kind": "CountBox", "box": box, "bills": _sent(fewest_bills(bills))}] * 4,
            *[{"kind": "ExplainVariance", "variance": variance, "explanation": explained}] * 3,
            {"kind": "CollectDrop", "table": table, "cents": cents},
            {"kind": "IssueMoney", "person": "pat", **much},
            {"kind": "RedeemMoney", "person": "pat", **much},
            {"kind": "SellChips", **much, "chips": chance.choice(({}, some))},
            {"kind": "RedeemChips", **much, "chips": chance.choice(({}, some))},
            {"kind": "AddExclusion", "person": chance.choice(("pat", "nobody", "")), "reason": "barred", "until": soon},
            *[{"kind": "RemoveExclusion", "exclusion": exclusion, "reason": "appeal"}] * 2,
            {"kind": "ExcludeSelf", "days": chance.choice((0, 1))},
            {"kind": "SetOwnLimits", "limits": {"deposit_day_cents": chance.choice((None, -1, 400_00, 9_000_00))}},
            {"kind": "Decline", "proposal": proposal, "reason": "no"},
            *[confirm] * 12,
        )
    )
    kind = proposed.kind if proposed and body["kind"] == "Confirm" else ""
    return _by(chance, body["kind"], kind), body


OF_CASHIERS = ("MoveVault", "PrepareSlip", "AcceptCredit", "VoidSlip", "IssueMoney", "RedeemMoney", "SellChips")
MOSTLY: dict[str, tuple[str, ...]] = {
    "olga": ("ChangeHouseSettings", "FundVault", "AddExclusion", "RemoveExclusion"),
    "pat": ("ExcludeSelf", "SetOwnLimits"),
    **dict.fromkeys(CASHIERS, (*OF_CASHIERS, "RedeemChips", "CountCage", "ExplainVariance")),
    "pit": ("CountCage", "ExplainVariance"),
    "flo": ("RequestFill", "RequestCredit", "PullBox", "ReadMeter"),
    **dict.fromkeys(("con", "cou"), ("CountBox",)),
}


def _in_tray(house: ControlledHouse, table: str) -> dict[str, int]:
    largest = max(house.expected_at(table), default=None) if table in TABLES else None
    return {str(largest): 1} if largest else {}


def _known(chance: random.Random, known: Mapping[str, object], other: str) -> str:
    return chance.choice(list(known)) if known and chance.random() < 0.9 else other


def _by(chance: random.Random, kind: str, proposed: str) -> str:
    seconds = next((rule.second for rule in (*OF_CONTROLS, *OF_PATRONS) if rule.kind == proposed), None)
    if seconds and chance.random() < 0.8:
        return chance.choice([name for name, role in ROLES.items() if role in seconds])
    usual = [name for name, kinds in MOSTLY.items() if kind in kinds]
    return chance.choice(usual if usual and chance.random() < 0.8 else list(ROLES))


def fewest_bills(cents: int) -> dict[int, int]:
    """Return an amount in bills and coin."""
    found: dict[int, int] = {}
    for bill in (100_00, 20_00, 1_00, 25, 1):
        number, cents = divmod(cents, bill)
        found |= {bill: number} if number else {}
    return found


def next_of_slip(house: ControlledHouse, chance: random.Random) -> tuple[str, Any, str | None] | None:
    """Return who does the next step of a slip, the command, and its table if it is done there."""
    slips = house.controls.slips
    if not slips:
        return None
    number = chance.choice(list(slips))
    slip = slips[number]
    step, counted = {"slip": number}, {"slip": number, "chips": _sent(slip.chips)}
    is_fill = slip.kind == "fill"
    if slip.stage == REQUESTED:
        return chance.choice(CASHIERS), {"kind": "PrepareSlip", **step}, None
    if slip.stage == (PREPARED if is_fill else AT_TABLE):
        return chance.choice(("fred", "pit", "cay")), {"kind": "CarrySlip", **step}, None
    if is_fill or slip.stage == PREPARED:
        return TABLES[slip.table], {"kind": "ReceiveFill" if is_fill else "SendCredit", **counted}, slip.table
    return chance.choice(CASHIERS), {"kind": "AcceptCredit", **counted}, None


def table_anything(house: ControlledHouse, chance: random.Random) -> tuple[str, str, Any]:
    """Return a table, a person and a command there, valid or not."""
    table = chance.choice(list(TABLES))
    live, controls = house.floor.house.live(table), house.controls
    counted = house.expected_at(table) if chance.random() < 0.85 else fewest(chance.choice((0, 100_00, 2_000_00)))
    slip = _known(chance, controls.slips, "FILL-000000")
    chips = dict(controls.slips[slip].chips) if slip in controls.slips else {5_00: 1}
    cents = chance.choice((1, 50_00, 300_00, live.tray_cents))
    proposal = chance.choice([*live.proposals, "none"])
    dealer = TABLES[table]
    who, body = chance.choice(
        (
            *[(chance.choice(("flo", dealer)), {"kind": "CountTray", "chips": _sent(counted)})] * 2,
            *[(dealer, {"kind": "ReceiveFill", "slip": slip, "chips": _sent(chips)})] * 4,
            *[(dealer, {"kind": "SendCredit", "slip": slip, "chips": _sent(chips)})] * 4,
            ("flo", commands.OpenTable(tray_cents=2_000_00)),
            ("flo", commands.CloseTable(tray_cents=live.tray_cents)),
            ("flo", commands.CountInventory(tray_cents=cents)),
            ("cay", commands.Fill(cents=cents)),
            ("flo", commands.Credit(cents=cents)),
            (chance.choice(("flo", "cay", "pit")), commands.Confirm(proposal=proposal)),
            ("pat", commands.TakeSeat(seat=1)),
            ("pat", commands.BuyIn(cents=cents)),
            ("pat", commands.BuyIn(cents=cents)),
            ("pat", commands.LeaveSeat(seat=1)),
        )
    )
    return table, who, body


async def anything(house: ControlledHouse, chance: random.Random) -> None:
    """Ask for the next step of a slip, or for anything at a table or in the back office."""
    if not house.controls.is_cage_open and chance.random() < 0.05:
        await house.count_cage()
    due = next_of_slip(house, chance) if chance.random() < 0.35 else None
    if due is not None and due[2] is not None:
        await house.at_table(due[2], due[0], due[1])
    elif due is not None:
        await house.ask(due[0], due[1])
    elif chance.random() < 0.35:
        await house.at_table(*table_anything(house, chance))
    else:
        await house.ask(*office_anything(house, chance))


async def switched_off(house: ControlledHouse, chance: random.Random) -> None:
    """Ask for anything while money controls are off, and switch them on again."""
    off = {"kind": "ChangeHouseSettings", "settings": {"facility": f"House {house.floor.number}"}}
    if isinstance(await house.ask("otto", off), Refusal):  # chips are locked in a closed table's tray
        for table in [table for table, chips in house.controls.closers.items() if chips]:
            await house.count_tray(table)
    await house.together("olga", "otto", off)
    assert not house.controls.settings.money_controls
    for _ in range(50):
        await anything(house, chance)
    if not house.controls.settings.money_controls:
        await house.together("olga", "pit", settings(chance))


async def next_shift(house: ControlledHouse) -> None:
    """Let a shift pass, and have the dealers take their places again."""
    house.floor.clock.now += SHIFT_MS
    for table, dealer in TABLES.items():
        await house.at_table(table, dealer, leases.TakeLease(by=commands.NOBODY, at=0))


async def asked_of_controls(seeds: int = 5, steps: int = STEPS) -> Counter[str]:
    """Return how often each command was accepted in houses with money controls, asked for anything."""
    accepted: Counter[str] = Counter()
    at_tables: Counter[str] = Counter()
    for seed in range(seeds):
        house, chance = ControlledHouse(), random.Random(seed)
        await house.open(chance)
        for number in range(steps):
            if number % 300 == 299:
                await house.finish()
                await switched_off(house, chance)
                await next_shift(house)
            await anything(house, chance)
        house.read_again()
        accepted += house.accepted
        at_tables += house.accepted_at_tables
    # A table's part of every slip and count happened too, with money controls on and with them off.
    assert {"ReceiveFill", "SendCredit", "CountTray", "Fill", "OpenTable", "BuyIn"} <= set(at_tables), at_tables
    return accepted
