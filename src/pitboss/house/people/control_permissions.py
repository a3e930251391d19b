"""Who may give the commands of the house's controls: settings, cage, slips, counts and drop boxes."""

from pitboss.house.people import house_rules as rule
from pitboss.house.people.role_names import (
    AUDITOR,
    CAGE,
    COUNT,
    FLOOR,
    LEASE,
    OPERATOR,
    OVERSIGHT,
    SURVEILLANCE,
    Permission,
)
from pitboss.rules.procedure import DEALER
from pitboss.table.people import PIT_MANAGER

OF_CONTROLS: tuple[Permission, ...] = (
    Permission(
        "ChangeHouseSettings",
        {OPERATOR: ()},
        "An operator and a second person change the house settings",
        rule.SETTINGS,
        second={OPERATOR: (), PIT_MANAGER: ()},
    ),
    Permission(
        "FundVault",
        {OPERATOR: ()},
        "An operator and the cage bring the house's money into the vault",
        rule.CAGE_BOOKS,
        second={CAGE: ()},
    ),
    Permission(
        "MoveVault",
        {CAGE: ()},
        "The cage and a second person move money between the vault and the cage",
        rule.CAGE_BOOKS,
        second={CAGE: (), PIT_MANAGER: ()},
    ),
    Permission("CountCage", {CAGE: (), PIT_MANAGER: ()}, "Only the cage or a pit manager can count the cage"),
    Permission(
        "MoveMuchMoney",
        {CAGE: ()},
        "A cashier needs a second person at or above the house's limit",
        rule.CAGE_BOOKS,
        second={CAGE: (), PIT_MANAGER: ()},
    ),
    Permission(
        "ExplainVariance",
        {CAGE: (), PIT_MANAGER: (), COUNT: ()},
        "Someone who works with the money explains a difference, and someone who doesn't agrees",
        rule.TRAY_COUNTS,
        second={OPERATOR: (), AUDITOR: (), SURVEILLANCE: ()},
    ),
    Permission("PrepareSlip", {CAGE: ()}, "Only the cage can prepare a slip", rule.SLIPS),
    Permission(
        "CarrySlip",
        {DEALER: (), **FLOOR, CAGE: ()},
        "Only someone from the pit or the cage can carry a slip",
        rule.SLIPS,
    ),
    Permission("AcceptCredit", {CAGE: ()}, "Only the cage can accept a credit", rule.SLIPS),
    Permission("VoidSlip", {CAGE: ()}, "The cage and the floor together void a slip", rule.SLIPS, second=FLOOR),
    Permission("ReceiveFill", {DEALER: (LEASE,)}, "Only the table's dealer can receive a fill", rule.SLIPS),
    Permission("SendCredit", {DEALER: (LEASE,)}, "Only the table's dealer can send a credit", rule.SLIPS),
    Permission(
        "CountTray",
        {DEALER: (LEASE,), **FLOOR},
        "Only the table's dealer and the floor can count a tray",
        rule.TRAY_COUNTS,
    ),
    Permission(
        "PullBox",
        FLOOR,
        "A floorperson or above and a second person from the pit take a drop box away",
        rule.DROP_COUNT,
        second={DEALER: (), **FLOOR},
    ),
    Permission(
        "ReadMeter",
        {**FLOOR, SURVEILLANCE: (), AUDITOR: ()},
        "Only the floor, surveillance and auditors can read a progressive's display",
        rule.METER_READINGS,
    ),
    Permission("CountBox", {COUNT: ()}, "Only the count team can count a drop box", rule.DROP_COUNT),
    Permission(
        "SeeControls",
        {**FLOOR, CAGE: (), COUNT: (), OPERATOR: (), **OVERSIGHT},
        "Only the floor, the cage, the count team, operators and those who oversee them can see the controls",
        rule.SETTINGS,
    ),
)
