"""What must hold of limits, reserved seats, bet sensors and the controls, followed from the record only."""

from collections import Counter
from collections.abc import Iterator, Mapping

from pitboss.house.controls.evolve import CONTROLS_FOLD
from pitboss.house.controls.state import CAGE, VAULT
from pitboss.house.live_table.absent_players import is_left
from pitboss.house.live_table.hand_pays import due
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.chips import total
from pitboss.house.money.ledger import box, cash_at, chips_at, inventory, transit
from pitboss.house.patron_controls.evolve import PATRONS_FOLD
from pitboss.house.patrons import account_of_patron
from pitboss.house.stream_names import CONTROLS, PATRONS
from pitboss.record.entries import Entry, Head, head_of
from pitboss.round.state import ASKING
from pitboss.rules.procedure import DEALER

BY_SLIP = ("house.TrayFilled", "house.TrayCredited")


class FollowedControls:
    """The controls as their record has them, and the chips that slips moved at each end."""

    def __init__(self) -> None:
        self.state, self.head = CONTROLS_FOLD.empty(), Head()
        self.patrons, self.patrons_head = PATRONS_FOLD.empty(), Head()
        self._on_slips: Counter[str] = Counter()  # by command: cents that a slip gave to a tray, less what it got

    def follow(self, entry: Entry, *, is_free: bool) -> None:
        """Take an entry of the controls or of a table."""
        moved = entry.body.get(POSTINGS, {})
        if entry.stream == CONTROLS:
            self.state, self.head = CONTROLS_FOLD.evolve(self.state, entry), head_of(entry)
            if entry.kind == "controls.SlipAtTable":
                self._on_slips[entry.command] += moved[transit(entry.body["slip"])]
        elif entry.stream == PATRONS:
            self.patrons, self.patrons_head = PATRONS_FOLD.evolve(self.patrons, entry), head_of(entry)
        elif entry.kind in BY_SLIP and not is_free and self.state.settings.money_controls:
            self._on_slips[entry.command] += moved[inventory(entry.stream.partition("/")[2])]

    def wrong(self, balances: Mapping[str, int]) -> Iterator[str]:
        """Yield where the money differs from what cage, vault, slips and boxes hold."""
        state = self.state
        held = {cash_at(place): state.cash.get(place, 0) for place in (CAGE, VAULT)}
        held |= {chips_at(place): total(state.held(place)) for place in (CAGE, VAULT)}
        held |= {box(name): found.booked_cents for name, found in state.boxes.items()}
        for account, cents in balances.items():
            kind = account.partition(":")[0]
            if kind in ("cash", "chips", "box") and cents != held.get(account, 0):
                yield f"{account} holds {cents}, and by its counts {held.get(account, 0)}"
            if kind == "transit" and cents and account.partition(":")[2] not in state.slips:
                yield f"{cents} cents are on their way on {account}, which is finished"
        yield from (f"{command} moved chips without a slip, or a slip without chips" for command in +self._on_slips)
        yield from (f"{command} took chips without a slip, or a slip without chips" for command in -self._on_slips)


def wrong_in_the_pit(before: LiveTable, entry: Entry) -> Iterator[str]:
    """Yield what an entry of a table does that its limits, its reserved seats or its sensors forbid."""
    body = entry.body
    match entry.kind:
        case "house.LimitsChanged":
            if before.in_round and before.play is not None and before.play.players:
                yield f"the limits of {before.table} changed with bets down"
            if body["second"] in ("", entry.actor):
                yield f"one person changed the limits of {before.table}"
        case "round.WagersPlaced":
            for wager, (least, most) in before.limits.items():
                cents = body["stakes"].get(wager)
                if cents is not None and not least <= cents <= most:
                    yield f"{cents} were staked on {wager} at {before.table}, where {least} to {most} are taken"
        case "house.TimeGiven":
            play = before.play
            if play is None or play.phase != ASKING or play.seat_asked != body["seat"]:
                yield f"seat {body['seat']} at {before.table} was given time without a question"
            if entry.role != DEALER:
                yield f"{entry.actor} gave a player of {before.table} time and doesn't deal there"
        case "round.ActionTaken" if body["absent"] and before.terms is not None and before.play is not None:
            is_there = not is_left(before, body["seat"])
            if is_there and entry.at < before.asked_at + before.terms.pace.decision_ms:
                yield f"seat {body['seat']} at {before.table} was answered for before its time was over"
        case "round.PayoutValidated":
            missing = [pay.seat for pay in due(before, {}) if pay.form is None]
            if missing:
                yield f"a hand pay to {missing} at {before.table} was paid without a form"
        case "house.SeatTaken":
            kept, player = before.reserved.get(body["seat"]), body["player"]
            is_kept = kept is not None and kept.player and entry.at < kept.until
            if is_kept and kept is not None and kept.player != (account_of_patron(player) or player):
                yield f"{player} took seat {body['seat']} at {before.table}, which is kept for {kept.player}"
        case "house.SensorHeard":
            sensor = before.sensors.get(body["sensor"])
            if sensor is None or body["sequence"] != sensor.sequence + 1:
                yield f"message {body['sequence']} of {body['sensor']} at {before.table} came after {sensor}"
            if body.get(POSTINGS):
                yield f"a sensor's message moved money by itself at {before.table}"
