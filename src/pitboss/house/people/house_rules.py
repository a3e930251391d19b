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
CARD_READERS = "H-32"
PATRONS = "H-33"

HOUSE_RULES: Mapping[str, str] = {
    VOIDS: "Voiding a round takes two people and cites the clause that voids it.",
    SECRETS: "No one can read the order of a deck until its round is over. After that, auditors and regulators can.",
    SUBMISSIONS: (
        "Rules are filed before they are put in force. Two people put them in force, between rounds, and the table's "
        "meters must match them. Rules for analysis can't run a real-money table."
    ),
    ORDER: (
        "A table takes one command at a time. When an irregularity is reported, the table is on hold until someone "
        "rules on it, declines it or withdraws it."
    ),
    RECORD: "Only people who don't run tables can read and verify the record.",
    RECALL: "A table's recent rounds can be looked up at any time.",
    CORRECTIONS: "A correction reverses an entry, and needs a reason and a second person.",
    TRAYS: "Fills and credits between the cage and a tray take two people, and the tray is counted.",
    METERS: (
        "The dealer claims a progressive payout at or above the house's limit, and a floorperson or above "
        "validates it. Its envy bonuses are paid after that."
    ),
    ROLES: "Each command is open only to the roles listed for it, and each account belongs to one person.",
    LEASES: (
        "A table has one dealer, who holds its lease. Each new lease has a higher token, and an older token is refused."
    ),
    SIGN_IN: (
        "After three failed sign-ins an address is locked out of the account, longer each time. Idle sessions end, "
        "and revoking a person ends their sessions immediately."
    ),
    TABLES: (
        "Rounds are played only while the table is open. The floor frees the seats of players who have left, and "
        "no player's chips stay on a closed table."
    ),
    CHIPS: "No account can be overdrawn, and chips that a void could take back stay until the round is over.",
    READERS: (
        "At a table with physical cards, each card is read before it is dealt. At other tables the program draws "
        "the cards: a device that fails there stops the deal until it works again or is out of service, and voids "
        "nothing."
    ),
    ALERTS: (
        "Alerts stay open until the floor acknowledges them, including alerts about results that theory doesn't expect."
    ),
    COACH: "The coach works only at free-play tables.",
    PLAY_MONEY: (
        "Play money and real money are kept apart, in separate accounts, at separate tables and on separate meters."
    ),
    DEPARTURES: (
        "A seat with wagers in play can be given up only by its player, or by two people who confirm the player is "
        "absent. It is freed when the round ends."
    ),
    PAYOUTS: "A payout at or above the house's verification limit waits until a floorperson or above verifies it.",
    DISPUTES: (
        "A settlement can be disputed until the next round begins. Two people resolve the dispute, and change "
        "results only by reversal."
    ),
    CARD_READERS: (
        "At a real-money table a card reader reads the cards. Two people enroll it, it signs and numbers its messages, "
        "and each counts once and in order. A dealer enters cards only while the floor has keyboard entry switched on; "
        "the record marks them, and payouts and premium hands are then verified from lower amounts, by a floorperson "
        "other than the one who switched it on."
    ),
    PATRONS: (
        "A player without a device plays with chips, and the table's dealer enters their cash, wagers and answers. "
        "Cash goes into the drop box; at or above the house's limit, a floorperson confirms it. Chips that players "
        "take away are outstanding until they are brought to a table or the cage."
    ),
    COUPONS: (
        "A coupon is bet with chips of at least its face value, is taken after one decision and is counted "
        "separately from cash. A push, a void or a forfeit isn't a decision, and the player keeps the coupon."
    ),
}
