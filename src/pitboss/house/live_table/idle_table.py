"""Idle tables: when no one has been seated for a while, the cards are spread for the first player who comes."""

from pitboss.house.live_table.state import LiveTable
from pitboss.rules.procedure import IDLE_SPREAD
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty
from pitboss.table.conditions import script_duties, suspension
from pitboss.table.state import IDLE_FACE_DOWN, IDLE_FACE_UP, OPENING

FOR_A_PLAYER = ("turn-up", "look")  # of the duties after the spread: those that need someone there


def is_spread_due(live: LiveTable, at: int) -> bool:
    """Say whether this table's cards must be spread before another round."""
    cards, terms = live.cards, live.terms
    if cards is None or terms is None or not terms.real_cards or not live.is_open or live.in_round:
        return False
    if suspension(cards, IDLE_SPREAD) is not None:
        return False
    if not cards.decks or any(deck.stage == OPENING for deck in cards.decks):
        return False  # the cards are spread already, or will be as they are opened
    stood_idle = not live.seats and at - live.empty_since >= terms.pace.idle_ms
    return live.stood_idle or stood_idle


def check_spread(live: LiveTable, at: int) -> Refusal | None:
    """Return why no round may begin before the cards are spread, or None."""
    if not is_spread_due(live, at):
        return None
    assert live.terms is not None
    idle, waits_s = live.terms.settings.procedures.idle, live.terms.pace.idle_ms // 1000
    reason = f"No one was seated for {waits_s} seconds or more. Spread the cards for the first player to inspect"
    return Refusal(reason, idle.cite)


def check_player(live: LiveTable, command: ConfirmDuty) -> Refusal | None:
    """Return why no player can have inspected idle cards yet, or None."""
    deck = live.cards.deck(command.deck or "") if live.cards is not None else None
    is_idle = deck is not None and deck.stage == OPENING and deck.script in (IDLE_FACE_DOWN, IDLE_FACE_UP)
    if deck is None or live.cards is None or not is_idle or live.seats or command.duty not in FOR_A_PLAYER:
        return None
    due = script_duties(live.cards, deck)[deck.done]
    return Refusal("No one is seated yet. The first player to arrive inspects the cards", due.cite, "duty")
