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
SECOND_FACTOR = "H-36"
SHARED_ROUNDS = "H-34"
REACTIONS = "H-35"
BET_SENSORS = "H-38"
TABLE_LIMITS = "H-39"
RESERVATIONS = "H-40"
SLIPS = "H-41"
TRAY_COUNTS = "H-42"
DROP_COUNT = "H-43"
CAGE_BOOKS = "H-44"
SETTINGS = "H-45"
EXCLUSIONS = "H-46"
PLAYER_LIMITS = "H-47"
HAND_PAYS = "H-48"
STATEMENTS = "H-49"
ACCESS = "H-50"
CONSOLE_LOCK = "H-51"
DETAILS = "H-52"
LEDGER_DAY = "H-53"
METER_READINGS = "H-67"
TIME_REQUESTS = "H-68"

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
        "Alerts stay open until the floor acknowledges them, including alerts about results that theory doesn't "
        "expect. Nobody acknowledges an alert about something they did themselves."
    ),
    COACH: "The coach works only at free-play tables.",
    PLAY_MONEY: (
        "Play money and real money are kept apart, in separate accounts, at separate tables and on separate meters."
    ),
    DEPARTURES: (
        "A seat with wagers in play can be given up only by its player, or by two people who confirm the player is "
        "absent. It is freed when the round ends."
    ),
    PAYOUTS: (
        "A payout at or above the house's verification limit waits until a floorperson or above, or surveillance, "
        "verifies it."
    ),
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
    SECOND_FACTOR: (
        "A person can add a second factor to the password, and the house can require one for roles. A code "
        "counts once. It takes two administrators to remove a person's second factors."
    ),
    SHARED_ROUNDS: (
        "Where the house allows it, a player may share a link to a finished round. It shows what a spectator saw, "
        "without names."
    ),
    REACTIONS: (
        "Where the house allows it, a seated player may send a reaction from a fixed list, while no cards are in play: "
        "during a hand it could tell others what the player holds."
    ),
    BET_SENSORS: (
        "A bet sensor enters the chips of players without a device as wagers. Two people enroll it, it signs and "
        "numbers its messages, and each counts once and in order. The dealer can correct its wagers until bets close."
    ),
    TABLE_LIMITS: (
        "Two people from the pit change a table's limits while no bets are down, within the limits that its rules "
        "were submitted with. The cards and the rules in force don't change."
    ),
    RESERVATIONS: (
        "The dealer or the floor can reserve a free seat for up to two hours. Nobody else can take it in that time."
    ),
    SLIPS: (
        "With money controls on, chips move between the cage and a real-money table only with a numbered slip: the "
        "floor requests it, the cage prepares it, a runner carries it and the dealer counts it, four different people. "
        "For a credit, a second cashier accepts the chips. A voided slip keeps its number."
    ),
    TRAY_COUNTS: (
        "With money controls on, the dealer and a floorperson each count a tray by denomination to open or close it, "
        "without seeing the expected amount or each other's count. A difference is reported at once and the tray is "
        "counted again. It stays unexplained until two people explain it."
    ),
    DROP_COUNT: (
        "With money controls on, two people take a table's drop box, numbered by table and shift, and two members of "
        "the count team who didn't take it count it, each without seeing the books or the other's count."
    ),
    CAGE_BOOKS: (
        "With money controls on, two people count the cage to open and to close it, its cash and chips never fall "
        "below zero, a cashier needs a second person for a set amount or more, and every transaction has a numbered "
        "receipt."
    ),
    SETTINGS: "Two people change the house settings, and the record keeps the value before and after.",
    EXCLUSIONS: (
        "Where the house keeps an exclusion list, an excluded person can't take a seat, buy in or bet for real money. "
        "It takes two people to pay out what the house holds for them. A self-exclusion starts at once and lasts until "
        "the end the player chose; two people end any other exclusion. Each attempt alerts the floor."
    ),
    PLAYER_LIMITS: (
        "Where the house allows it, players set limits on their buy-ins, losses and time at real-money tables. The "
        "stricter of the player's and the house's limit applies. A stricter limit takes effect at once, a looser limit "
        "after the house's waiting time, and no limit interrupts a round."
    ),
    HAND_PAYS: (
        "Where the house requires it, a payout of at least a set multiple of its wager and a set amount waits until "
        "the cage or the floor has recorded the player's identity and the tax form's data. The data is sealed, and "
        "only the cage, auditors and regulators can read it."
    ),
    STATEMENTS: (
        "Players can read their own statement for a year. The cage, auditors and regulators can read any player's."
    ),
    ACCESS: (
        "It takes two administrators to give another person a sign-in link or a password. One is enough only while the "
        "house has no second administrator, not even a locked one, and no real-money table. A person and someone who "
        "gave them access can't be the two people for anything. With real money, neither can two people who both got "
        "access from the same one person."
    ),
    CONSOLE_LOCK: (
        "At a house with real-money tables, an idle staff session locks after the minutes in the house settings. Until "
        "its owner enters the PIN, it shows nothing and accepts no commands. Three wrong PINs end it."
    ),
    DETAILS: (
        "Each member of the staff has a full name, a badge and a license number on the account, which forms and "
        "reports print. No two accounts have the same badge or license number."
    ),
    LEDGER_DAY: (
        "Only auditors and regulators see the current luck ledger for real money. Others see each line as of a past "
        "gaming day, updated by 20 rounds or more at a time: the difference between two readings could reveal what "
        "hidden cards were worth."
    ),
    METER_READINGS: (
        "With money controls on, the floor, surveillance or an auditor reads a progressive's display between rounds. A "
        "numbered form compares it with the books, and a difference stays unexplained until two people explain it."
    ),
    TIME_REQUESTS: (
        "A player who has to decide may ask for time, and the table's dealer gives it: the decision time starts again, "
        "and nobody answers for the player before it is over. Each request is in the record."
    ),
    COUPONS: (
        "A coupon is bet with chips of at least its face value, is collected after one decision and is counted "
        "separately from cash. A push, a void or a forfeit isn't a decision, and the player keeps the coupon."
    ),
}
