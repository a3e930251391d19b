"""Cards for the first player: spread when no one has been seated for a while, and looked over by someone who is."""

from pitboss.house.live_table.state import LiveTable
from pitboss.rules.procedure import IDLE_SPREAD
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ConfirmDuty, SpreadIdle
from pitboss.table.conditions import check_hours, script_duties, suspension
from pitboss.table.state import OPENING

WAITED = "G-28"  # the ruling on rounds that wait for their first wager
FOR_A_PLAYER = ("turn-up", "look")  # of the duties of spread cards: those that need someone there


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


def check_first_wager(live: LiveTable, at: int) -> Refusal | None:
    """Return why a round that waited too long for its first wager has to be called off, or None."""
    # What was true of the deck when the round began may not be true when somebody bets at last.
    play, cards, terms = live.play, live.cards, live.terms
    if play is None or play.players or cards is None or cards.round is None or terms is None or not terms.real_cards:
        return None
    if live.stood_idle and suspension(cards, IDLE_SPREAD) is None:
        reason = "No one was seated for a while. The dealer calls this round off and spreads the cards first"
        return Refusal(reason, terms.settings.procedures.idle.cite)
    deck = cards.deck(cards.round.deck)
    overdue = check_hours(cards, deck, at) if deck is not None else None
    return overdue and Refusal(f"{overdue.reason}. The dealer calls this round off first", overdue.clause or WAITED)


def check_asked(live: LiveTable, command: SpreadIdle) -> Refusal | None:
    """Return why nobody can have asked for cards face up in this name, or None."""
    asked = command.asked_by
    if asked is None or live.terms is None or asked.name in live.seats.values():
        return None
    reason = f"{asked.name} has no seat here. Only a player at the table asks for the cards face up"
    return Refusal(reason, live.terms.settings.procedures.idle.cite, "asked_by")


def check_player(live: LiveTable, command: ConfirmDuty) -> Refusal | None:
    """Return why no player can have inspected spread cards yet, or None."""
    deck = live.cards.deck(command.deck or "") if live.cards is not None else None
    is_spread = deck is not None and deck.stage == OPENING and command.duty in FOR_A_PLAYER
    if deck is None or live.cards is None or not is_spread or live.seats:
        return None
    due = script_duties(live.cards, deck)[deck.done]
    return Refusal("No one is seated yet. The first player to arrive inspects the cards", due.cite, "duty")
