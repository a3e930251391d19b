"""Players who don't answer: a floorperson rules with the dealer, and the clock counts only if no person deals."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import DECLINED, Declined, PlayerReturned, TimeGiven
from pitboss.house.live_table.holds import answer
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.round import commands as play
from pitboss.round import least_action
from pitboss.round.state import ASKING
from pitboss.rules.irregularity import PLAYER_LEFT
from pitboss.rules.refusal import Refusal

ABSENCE = "G-5"


def is_left(live: LiveTable, seat: int) -> bool:
    """Say whether a seat's player left it: gave it up, or was ruled gone."""
    player = live.play.players.get(seat) if live.play is not None else None
    return seat in live.given_up or player in live.gone


def needs_ruling(live: LiveTable, seat: int) -> bool:
    """Say whether only a floorperson may order an answer for a seat: a dealer deals, and its player hasn't left."""
    return live.terms is not None and live.terms.is_dealt_by_people and not is_left(live, seat)


def act_for_absent(writer: EventWriter, command: asked.ActForAbsent) -> Refusal | None:
    """Answer for a player whose time ran out or who has left."""
    live, state = writer.live, writer.live.play
    assert state is not None
    assert live.terms is not None
    discard = None
    if state.phase == ASKING and state.seat_asked == command.seat:
        left = live.asked_at + live.terms.pace.decision_ms - writer.means.at
        if left > 0 and not is_left(live, command.seat):
            reason = f"Seat {command.seat} still has {-(-left // 1000)} seconds to decide"
            return Refusal(reason, ABSENCE, "seat")
        action = least_action(state)
        if action.discards:
            best = writer.means.best_discard
            discard = best(state, command.seat, action.name) if best else state.cards[command.seat][-1]
    ruled = (writer.supervisor, writer.dealer.name) if needs_ruling(live, command.seat) else (None, None)
    return writer.play(play.ActForAbsent(command.seat, discard, ABSENCE, *ruled))


def give_time(writer: EventWriter, command: asked.GiveTime) -> Refusal | None:
    """Give the player who is asked the decision time again."""
    live, state = writer.live, writer.live.play
    assert state is not None
    if state.phase != ASKING or state.seat_asked != command.seat:
        return Refusal(f"Seat {command.seat} isn't asked for a decision now", rule.TIME_REQUESTS, "seat")
    if is_left(live, command.seat):
        return Refusal(f"The player of seat {command.seat} has left", rule.TIME_REQUESTS, "seat")
    return writer.house(TimeGiven(seat=command.seat, player=state.players[command.seat]))


def needs_absence(live: LiveTable, seat: int | None) -> bool:
    """Say whether a dealer and a floorperson must confirm an absence because the seat is still the player's."""
    return live.terms is not None and not live.terms.automatic and seat is not None and not is_left(live, seat)


def note_presence(writer: EventWriter) -> None:
    """Decline reports that a player is absent when that player gives a command: they are at the table."""
    play, actor, trouble = writer.live.play, writer.means.actor, writer.live.trouble
    if play is None or actor not in writer.live.seats.values():
        return
    reported = trouble.seat if trouble is not None and trouble.irregularity == PLAYER_LEFT else None
    # Such a report covers all of the player's positions, so any that wasn't given up shows that the player is there.
    held = [seat for seat, player in play.players.items() if player == actor and needs_absence(writer.live, seat)]
    if reported is not None and play.players.get(reported) == actor and held:
        answer(writer, DECLINED, f"{actor} is at the table")
    if actor in writer.live.gone:
        writer.house(PlayerReturned(player=actor))
    for name, waiting in writer.live.proposals.items():
        kind, seat = waiting.command["kind"], waiting.command.get("seat")
        if kind == asked.ActForAbsent.__name__ and play.players.get(seat or 0) == actor:
            writer.house(Declined(proposal=name, reason=f"{actor} is at the table"), clause=ABSENCE)
