"""Which moment of a round each duty belongs to, and which moments a round has reached."""

from collections.abc import Mapping

from pitboss.house.desk.state import Desk
from pitboss.round.state import AWAITING_METER, OVER, SETTLING, WAGERING, facts
from pitboss.rules.irregularity import ALL_DECIDED, CARDS_OUT, HANDS_DEALT
from pitboss.rules.play import FOLDED
from pitboss.table.procedure import CONFIRM, DutyNow

BEGUN = "begun"
WAGERED = "wagered"
CLOSED = "closed"  # no more bets was called
DEALT = "dealt"  # every hand lies before its player
FOLD = "fold"
DECIDED = "decided"
OUT = "out"  # no card is left to be dealt
PAYING = "paying"
METER = "meter"
DONE = "done"

# By the duty's id, which games share; one that is not named here is shown from the beginning of the round.
MOMENTS: Mapping[str, str] = {
    "accepted": WAGERED,
    **dict.fromkeys(("no-more-bets", "lock-progressive", "count-progressive", "bank-progressive"), WAGERED),
    **dict.fromkeys(("draw", "cover", "face-down", "spread-board", "board-early", "hold-back"), CLOSED),
    **dict.fromkeys(("second-right", "third-right"), CLOSED),
    **dict.fromkeys(("examine", "own-hand", "own-cards", "in-view", "no-talk", "put-back", "discard"), DEALT),
    **dict.fromkeys(("turn-winner", "verify-winner"), DEALT),
    **dict.fromkeys(("fold-down", "fold-rack", "fold-trips", "fold-six-card", "fold-bonus"), FOLD),
    **dict.fromkeys(("show-board", "show-dealer", "set-dealer", "announce-dealer"), DECIDED),
    "take-stub": OUT,
    **dict.fromkeys(("show-player", "set-player", "announce-player", "take-losing", "keep-cards"), PAYING),
    **dict.fromkeys(("rack-winner", "rack-loser", "rack-push", "rack-board"), PAYING),
    **dict.fromkeys(("verify-hit", "verify-light", "validate-hit"), METER),
    "pick-up": DONE,
}
_STUB = ("RackStub", "CountStub")
_ENDING = ("CloseRound",)


def reached(desk: Desk) -> frozenset[str]:
    """Return the moments that the round in play has come to; none where no round is open."""
    play = desk.play
    if not desk.in_round or play is None:
        return frozenset()
    known = facts(play)
    is_closed = play.phase != WAGERING
    found = {
        BEGUN: True,
        WAGERED: bool(play.players),
        CLOSED: is_closed,
        DEALT: is_closed and (HANDS_DEALT in known or bool(play.drawn)),
        FOLD: FOLDED in play.status.values(),
        DECIDED: is_closed and ALL_DECIDED in known,
        OUT: is_closed and (CARDS_OUT in known or play.phase == OVER),
        PAYING: play.phase in (SETTLING, AWAITING_METER, OVER),
        METER: play.phase == AWAITING_METER,
        DONE: play.phase == OVER,
    }
    return frozenset(moment for moment, is_reached in found.items() if is_reached)


def is_due(duty: DutyNow, now: frozenset[str]) -> bool:
    """Say whether a duty of the table belongs to a moment that has come."""
    if not now:
        return True  # between rounds the cards have their own order
    if duty.command in _STUB:
        return OUT in now
    if duty.command in _ENDING:
        return DONE in now
    if duty.command != CONFIRM or duty.deck is not None:
        return True
    return MOMENTS.get(duty.id, BEGUN) in now
