"""Commands about who is at a live table and under which submission it runs."""

from collections.abc import Collection
from dataclasses import replace

from pitboss.games.catalogue import rulings
from pitboss.house.compliance.facility import IN_FORCE, bound, check_notice, notice_left, played_before
from pitboss.house.compliance.filed_meters import check_still_linked
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.chip_commands import carry_away
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import SeatGivenUp, SeatLeft, SeatTaken, SubmissionActivated
from pitboss.house.live_table.patron_checks import may_sit
from pitboss.house.live_table.pit_commands import check_reserved
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER, version_of
from pitboss.house.patrons import account_of_patron, is_patron, patron_of, unnamed_patron
from pitboss.house.people import house_rules as rule
from pitboss.house.people import leases
from pitboss.round.state import WAGERING
from pitboss.rules.procedure import DEALER, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import general_rulings
from pitboss.table import Person


def activate(writer: EventWriter, command: asked.ActivateSubmission) -> Refusal | None:
    """Put a submission in force, never during a round: a round keeps the rules and paytables it began with."""
    live = writer.live
    if live.in_round:
        reason = "Rules and paytables can't change during a round. Wait until it has ended"
        return Refusal(reason, rule.SUBMISSIONS)
    if live.terms is not None and live.cards is not None and live.cards.decks:
        reason = "Decks prepared under the current rules are on the table. Remove them first"
        return Refusal(reason, rule.SUBMISSIONS)
    try:
        terms = writer.means.reading.read_terms(command.document)
    except ValueError as unsound:
        return Refusal(str(unsound), rule.SUBMISSIONS, "document")
    version = version_of(command.document)
    filing = writer.means.filing(version)
    refusal = terms.refusal or (_never_filed(version) if filing is None else None) or writer.means.beside_others(terms)
    if refusal:
        return refusal
    assert filing is not None
    activated = writer.means.activated()
    before = played_before(live.terms, terms, activated, writer.means.reading.read_terms)
    refusal = check_notice(before, terms, notice_left(filing, activated), writer.means.at)
    refusal = refusal or check_still_linked(live.table, live.terms, terms, writer.meters)
    if refusal:
        return refusal
    if live.terms is not None and live.free_play != terms.settings.free_play:
        reason = "A table can't switch between free play and real money. Open another table instead"
        return Refusal(reason, rule.PLAY_MONEY, "document")
    fault = terms.pace.fault(free_play=terms.settings.free_play) or terms.verification.fault()
    if fault:
        return Refusal(fault, rule.SUBMISSIONS, "document")
    seats = terms.settings.rules.seats_most
    if any(seat > seats for seat in live.seats):
        reason = f"A player is in a seat that this submission doesn't have. It has {seats} seats"
        return Refusal(reason, rule.SUBMISSIONS)
    assert writer.means.second is not None, "an activation takes two people"
    for told in bound(live.table, terms, IN_FORCE):
        writer.other(told)
    readings = tuple(ruling.id for ruling in (*rulings(terms.settings.game.name), *general_rulings()))
    was = writer.live.terms.version if writer.live.terms is not None else ""
    return writer.house(
        SubmissionActivated(
            document=command.document,
            version=version,
            second=writer.means.second,
            rests_on=readings,
            before=was,
        )
    )


def _never_filed(version: str) -> Refusal:
    reason = f"Version {version} isn't filed for this table. File it with SubmitRules first"
    return Refusal(reason, rule.SUBMISSIONS, "document")


def lease(writer: EventWriter, command: leases.Command) -> Refusal | None:
    """Give the dealer's place to one person at a time."""
    live = writer.live
    automatic = live.terms is not None and live.terms.automatic
    # A dealer who took the place under other rules may still leave, or be relieved.
    is_leaving = isinstance(command, leases.ReleaseLease | leases.WithdrawLease) and live.lease.holder != HOUSE_DEALER
    if automatic and writer.means.role != AUTOMATON and not (is_leaving and getattr(command, "dealer", None) is None):
        return Refusal("This is an automatic free-play table. It has no human dealer", rule.LEASES)
    command = replace(command, by=writer.person, at=writer.means.at)
    if isinstance(command, leases.TakeLease):
        # The program deals at many tables; a person at one.
        is_person = writer.means.role != AUTOMATON
        command = replace(command, elsewhere=writer.means.deals_at(writer.person.name) if is_person else None)
    elif isinstance(command, leases.WithdrawLease) and command.dealer is not None:
        refusal = writer.means.standing(Person(command.dealer, DEALER)) or _deals_elsewhere(writer, command.dealer)
        if refusal:
            return refusal.at("dealer")
    answer = leases.decide(live.lease, command)
    if isinstance(answer, Refusal):
        return answer
    for event in answer:
        writer.house(event, clause=event.clause)
    return None


def _deals_elsewhere(writer: EventWriter, dealer: str) -> Refusal | None:
    table = writer.means.deals_at(dealer)
    return Refusal(f"{dealer} is dealing at table {table} and has to leave it first", rule.LEASES) if table else None


def take_seat(writer: EventWriter, command: asked.TakeSeat) -> Refusal | None:
    """Give a player a free position, in addition to those already held."""
    live = writer.live
    if live.terms is None or not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    rules = live.terms.settings.rules
    positions = rules.game.positions
    if not 1 <= command.seat <= rules.seats_most:
        return Refusal(f"There is no seat {command.seat}. This table has seats 1 to {rules.seats_most}", positions.cite)
    if command.seat in live.seats:
        return Refusal(f"Seat {command.seat} is taken", rule.TABLES, "seat")
    player = _patron(writer, command) if writer.means.role == DEALER else _sitter(writer, command)
    if isinstance(player, Refusal):
        return player
    refusal = check_reserved(writer, command, player) or may_sit(writer, player)
    if refusal:
        return refusal
    held = sorted((*live.seats_of(player), command.seat))
    if len(held) > rules.per_player() or held[-1] - held[0] >= len(held):
        most = rules.per_player()
        many = "one position" if most == 1 else f"{most} positions, side by side"
        return Refusal(f"A player may hold {many}", positions.per_player_cite, "seat")
    return writer.house(SeatTaken(seat=command.seat, player=player))


def _sitter(writer: EventWriter, command: asked.TakeSeat) -> str | Refusal:
    if command.player:
        return Refusal("You can take a seat only under your own name", rule.PATRONS, "player")
    if patron_of(writer.means.actor) in writer.live.seats.values():
        return Refusal("You already play here with chips. Ask the dealer to free that seat first", rule.PATRONS, "seat")
    return writer.means.actor


def _patron(writer: EventWriter, command: asked.TakeSeat) -> str | Refusal:
    live, name = writer.live, command.player
    assert live.terms is not None
    if not live.terms.is_dealt_by_people:
        reason = "This table deals by itself. A player without a device needs a table with a dealer"
        return Refusal(reason, rule.PATRONS, "seat")
    if not name:
        return unnamed_patron(live.head.sequence)
    if is_patron(name):
        if name not in live.seats.values():
            return Refusal(f"{name} has no other seat here", rule.PATRONS, "player")
        refusal = check_account(writer, name)
        return refusal.at("player") if refusal else name
    refusal = writer.means.standing(Person(name, PLAYER))
    if refusal:
        return refusal.at("player")
    if name in live.seats.values():
        return Refusal(f"{name} already has a seat here, with a device", rule.PATRONS, "player")
    return patron_of(name)


def check_account(writer: EventWriter, patron: str) -> Refusal | None:
    """Return why the account of a patron the house knows may no longer play, or None."""
    account = account_of_patron(patron)
    return writer.means.standing(Person(account, PLAYER)) if account is not None else None


def leave_seat(writer: EventWriter, command: asked.LeaveSeat) -> Refusal | None:
    """Free a position without a wager in play; with the last one the player's chips go to their balance."""
    live = writer.live
    player = live.seats.get(command.seat)
    if player is None:
        return Refusal(f"Seat {command.seat} is empty", rule.TABLES, "seat")
    in_play = live.in_round and live.play is not None and command.seat in live.play.players
    refusal = _stays(writer, command, player) if in_play else None
    if refusal:
        return refusal
    others = [seat for seat in live.seats_of(player) if seat not in (command.seat, *live.given_up)]
    if others and others[-1] - others[0] >= len(others):
        positions = live.terms.settings.game.positions.per_player_cite if live.terms else rule.TABLES
        return Refusal("Your positions must stay side by side. Leave an outer one first", positions, "seat")
    if in_play:
        return writer.house(SeatGivenUp(seat=command.seat, player=player))
    return _freed(writer, command.seat, player)


def free_given_up(writer: EventWriter, waiting: Collection[str] = ()) -> Refusal | None:
    """Free the seats given up during the round that ended, except those of players who wait."""
    for seat in writer.live.given_up:
        player = writer.live.seats.get(seat)
        refusal = _freed(writer, seat, player) if player is not None and player not in waiting else None
        if refusal:
            return refusal
    return None


def _stays(writer: EventWriter, command: asked.LeaveSeat, player: str) -> Refusal | None:
    live = writer.live
    assert live.play is not None
    if live.play.phase == WAGERING:
        return Refusal("This seat has wagers in play. Withdraw them first", rule.TABLES, "seat")
    if writer.means.actor != player:
        reason = (
            "This seat has wagers in play. If the player has left, report that together with the dealer, or wait "
            "for the round to end"
        )
        return Refusal(reason, rule.DEPARTURES, "seat")
    if command.seat in live.given_up:
        return Refusal("You already gave up this seat. It will be free when the round ends", rule.DEPARTURES, "seat")
    if not command.give_up:
        reason = "This seat has wagers in play. Withdraw them, or wait until the round ends"
        return Refusal(
            f"{reason}. To leave now, give up the seat; the house will play out your hand", rule.TABLES, "seat"
        )
    return None


def _freed(writer: EventWriter, seat: int, player: str) -> Refusal | None:
    writer.house(SeatLeft(seat=seat, player=player))
    cents = writer.live.stack_cents(player)
    return carry_away(writer, player, cents) if cents and not writer.live.seats_of(player) else None
