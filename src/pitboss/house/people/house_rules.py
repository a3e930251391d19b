"""The house's own rules, by the ids that the record and refusals cite where no rulebook applies."""

from collections.abc import Mapping

VOIDS = "H-2"
SECRETS = "H-3"
SUBMISSIONS = "H-5"
ORDER = "H-6"
RECORD = "H-10"
RECALL = "H-11"
CORRECTIONS = "H-12"
TRAYS = "H-13"
METERS = "H-14"
ROLES = "H-15"
LEASES = "H-16"
SIGN_IN = "H-17"
TABLES = "H-21"
CHIPS = "H-22"
READERS = "H-23"
ALERTS = "H-24"
COACH = "H-25"
PLAY_MONEY = "H-26"
DISPUTES = "H-27"
DEPARTURES = "H-29"
PAYOUTS = "H-30"
COUPONS = "H-31"

HOUSE_RULES: Mapping[str, str] = {
    VOIDS: "A round is voided by two people, under the clause that voids it.",
    SECRETS: "Until a round is over nobody reads the order of its deck; afterwards those who audit may.",
    SUBMISSIONS: "Rules are filed before they are put in force, two people put them in force between rounds, and "
    "meters keep to them; rules for analysis run no table for money.",
    ORDER: "A table takes one command at a time; from the report of an irregularity until somebody rules on it, "
    "declines it or withdraws it, nothing else goes on there.",
    RECORD: "The record is read and checked by people who run no table.",
    RECALL: "The last rounds of a table can be looked up at any time.",
    CORRECTIONS: "A correction reverses what was booked, with a reason and a second person.",
    TRAYS: "Chips go between cage and tray through two people's hands, and the tray is counted.",
    METERS: "A progressive payout from the amount the house sets is claimed by the dealer and validated by a "
    "floorperson or above; the envy bonuses it brings are paid after that.",
    ROLES: "Each act is open to the roles named for it and to nobody else, and every account is one person's.",
    LEASES: "One dealer stands at a table, by a lease whose number only grows; an older number is refused.",
    SIGN_IN: "Three failed sign-ins lock an address out of an account for a growing while, idle sessions end, and a "
    "revoked person is out at once.",
    TABLES: "A table is played while it is open; the floor frees the seat of whoever has gone, and when it closes "
    "nobody's chips stay on it.",
    CHIPS: "Money moves in cents that are there; what a void could take back stays until the round is over.",
    READERS: "At a table on real cards each card is read before it is dealt; at others the program draws them.",
    ALERTS: "What needs a look is held until the floor has looked; so is a win that theory does not expect.",
    COACH: "The coach speaks at tables for free play alone.",
    PLAY_MONEY: "Play money and money are kept apart: in purses and on deposit, at other tables, behind other meters.",
    DEPARTURES: "A seat with wagers in play is given up by its player only, or two people confirm the absence; it is "
    "freed when the round has ended.",
    PAYOUTS: "A payout from the house's verification limit on waits until a floorperson or above has verified it.",
    DISPUTES: "A settlement is disputed until the next round begins; two people resolve it, and only by reversal.",
    COUPONS: "A coupon lies with chips of at least its face, is taken after one decision and is counted apart from "
    "cash; a push, a void or a forfeit is no decision, and the player keeps it.",
}
