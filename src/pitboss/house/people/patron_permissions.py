"""Who may give the commands about patrons: exclusions, limits, hand pays and statements."""

from pitboss.house.people import house_rules as rule
from pitboss.house.people.role_names import AUDITOR, CAGE, FLOOR, OPERATOR, OVERSIGHT, REGULATOR, Permission
from pitboss.rules.procedure import DEALER, PLAYER
from pitboss.table.people import PIT_MANAGER

OF_PATRONS: tuple[Permission, ...] = (
    Permission(
        "AddExclusion",
        {PIT_MANAGER: (), OPERATOR: ()},
        "Only a pit manager or an operator can exclude a person",
        rule.EXCLUSIONS,
    ),
    Permission(
        "RemoveExclusion",
        {OPERATOR: ()},
        "Ending an exclusion takes an operator and a second person",
        rule.EXCLUSIONS,
        second={OPERATOR: (), PIT_MANAGER: ()},
    ),
    Permission(
        "PayExcluded",
        {CAGE: ()},
        "Paying an excluded person takes the cage and a second person",
        rule.EXCLUSIONS,
        second={OPERATOR: (), PIT_MANAGER: ()},
    ),
    Permission(
        "SeeExclusions",
        {DEALER: (), **FLOOR, CAGE: (), OPERATOR: (), **OVERSIGHT},
        "Only the pit, the cage, operators and those who oversee them can see the exclusion list",
        rule.EXCLUSIONS,
    ),
    Permission("ExcludeSelf", {PLAYER: ()}, "Only players can exclude themselves", rule.EXCLUSIONS),
    Permission("SetOwnLimits", {PLAYER: ()}, "Only players can set limits for themselves", rule.PLAYER_LIMITS),
    Permission(
        "RecordHandPay",
        {**FLOOR, CAGE: ()},
        "Only the floor or the cage can record the identity and tax data for a hand pay",
        rule.HAND_PAYS,
    ),
    Permission(
        "ReadTaxForms",
        {CAGE: (), AUDITOR: (), REGULATOR: ()},
        "Only the cage, auditors and regulators can read tax data",
        rule.HAND_PAYS,
    ),
    Permission(
        "ReadStatements",
        {CAGE: (), AUDITOR: (), REGULATOR: ()},
        "Only the cage, auditors and regulators can read another person's statement",
        rule.STATEMENTS,
    ),
    Permission("ReadOwnStatement", {PLAYER: ()}, "Only players have a statement", rule.STATEMENTS),
)
