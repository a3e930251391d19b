"""What the staff of a simulated table report: made-up irregularities, rulings, disputes and their resolution."""

import random
from collections.abc import Collection

from pitboss.cards.deck import Card, face
from pitboss.house.live_table import commands
from pitboss.house.live_table.holds import STUB_COUNTS
from pitboss.house.live_table.irregularities import OF_REAL_CARDS
from pitboss.house.live_table.state import LiveTable
from pitboss.round.state import AWAITING_METER, AWAITING_VERIFICATION, OVER, WAGERING, facts
from pitboss.rules.irregularity import (
    DECK_COUNT_WRONG,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FORFEIT,
    MISPLACED_CARD,
    OTHER_MISDEAL,
    PROGRESSIVE_MISMATCH,
    RETURN_WAGER,
    SETTLE_ONLY,
    SHOE_JAM,
    SHUFFLER_JAM,
    WRONG_NUMBER,
    Remedy,
)

FOUND_BY_COUNTS = (*STUB_COUNTS, DECK_COUNT_WRONG)
OF_CARDS = 0.8  # of the reports at a table with real cards: only there can cards and devices go wrong
RARE = 0.5  # of those, while a report would leave only some wagers to be settled
TOP_CARD = 0.4  # of those, while a card may have been turned or drawn too soon, which few moments allow
LATE = 0.9  # of the reports while a payout waits: of what can still be true once every card is out
LATE_KINDS = (MISPLACED_CARD, OTHER_MISDEAL, WRONG_NUMBER)
WHILE_WAGERING = (SHUFFLER_JAM, SHOE_JAM, PROGRESSIVE_MISMATCH, DRAWN_IN_ERROR)


def reported(
    live: LiveTable, chance: random.Random, told: Collection[str], card: Card | None
) -> commands.ReportIrregularity | None:
    """Return a report of something that may be wrong now, first one not yet tried at this moment, if any."""
    assert live.terms is not None
    assert live.play is not None
    kinds = [kind for kind in sorted(live.play.rules.game.irregularities) if _may_be(live, kind, card)]
    if not kinds:
        return None
    late = [kind for kind in kinds if kind in LATE_KINDS]
    if live.play.phase in (AWAITING_METER, AWAITING_VERIFICATION) and late and chance.random() < LATE:
        kinds = late
    elif live.terms.real_cards and chance.random() < OF_CARDS:
        kinds = [kind for kind in kinds if kind in OF_REAL_CARDS]
        rare = [kind for kind in kinds if (remedy := _remedy(live, kind)) and remedy.then == SETTLE_ONLY]
        kinds = rare if rare and chance.random() < RARE else kinds
        early = [kind for kind in kinds if kind in (DRAWN_IN_ERROR, FACE_UP_CARD)]
        kinds = early if early and chance.random() < TOP_CARD else kinds
    kind = chance.choice([kind for kind in kinds if kind not in told] or kinds)
    remedy = _remedy(live, kind)
    seats = sorted(live.play.players) or sorted(live.seats) or [1]
    is_of_seat = remedy is not None and (remedy.then in (FORFEIT, RETURN_WAGER) or "abandoned" in remedy.rulings)
    return commands.ReportIrregularity(
        irregularity=kind,
        seat=chance.choice(seats if is_of_seat else [None, *seats]),
        card=card if kind == FACE_UP_CARD else None,
        limb=_limb(remedy, chance),
        note="seen by everybody",
    )


def ruled(live: LiveTable, chance: random.Random, kind: str, seat: int | None) -> commands.ReportIrregularity:
    """Return the floor's ruling on something that went wrong."""
    remedy = _remedy(live, kind)
    ruling = chance.choice(remedy.rulings) if remedy is not None and remedy.rulings else None
    limb = _limb(remedy, chance)
    return commands.ReportIrregularity(irregularity=kind, seat=seat, ruling=ruling, limb=limb, note="as it was seen")


def disputed(live: LiveTable, chance: random.Random) -> commands.ReportDispute | None:
    """Return a dispute about the round just settled, or None where there is nothing to dispute."""
    play = live.play
    if play is None or play.phase != OVER or play.outcome != "settled" or live.dispute is not None:
        return None
    winners = sorted({seat for (seat, _), result in play.results.items() if result.paid})
    seat = chance.choice(winners or sorted(play.players))
    return commands.ReportDispute(seats=(seat,), note="the player asks for another look")


def resolved(live: LiveTable, chance: random.Random) -> commands.ResolveDispute:
    """Return a resolution of the dispute that waits; a hand of real cards may be found to be another."""
    assert live.terms is not None
    assert live.play is not None
    assert live.dispute is not None
    outcomes, cards = ["stands", "void"], {}
    seat = live.dispute.seats[0]
    held = live.play.cards.get(seat, ())
    unseen = [card for card in live.terms.settings.game.deck.cards if card not in live.play.drawn]
    if live.terms.real_cards and not live.in_round and held and len(unseen) >= len(held):
        outcomes += ["resettle"] * 4
        cards = {str(seat): tuple(face(card) for card in chance.sample(unseen, len(held)))}
    outcome = chance.choice(outcomes)
    return commands.ResolveDispute(
        outcome=outcome, note="as the rack shows it", cards=cards if outcome == "resettle" else {}
    )


def misread(live: LiveTable, chance: random.Random) -> commands.CorrectRead:
    """Return a correction of a card that was read, mostly the last: to one still in the deck, or one that cannot be."""
    assert live.terms is not None
    deck = live.terms.settings.game.deck
    right = chance.choice([card for card in deck.cards if card not in live.positions] or list(deck.cards))
    read = sorted(live.positions.values()) or [0]
    position = read[-1] if chance.random() < 0.5 else chance.choice(read)
    return commands.CorrectRead(position=position, right=right)


def _may_be(live: LiveTable, kind: str, card: Card | None) -> bool:
    assert live.terms is not None
    assert live.play is not None
    if kind in FOUND_BY_COUNTS or (kind in OF_REAL_CARDS and not live.terms.real_cards):
        return False
    if kind == FACE_UP_CARD and card is None:
        return False
    return live.play.phase != WAGERING or kind in WHILE_WAGERING


def _remedy(live: LiveTable, kind: str) -> Remedy | None:
    assert live.play is not None
    return live.play.rules.remedy(kind, facts(live.play))


def _limb(remedy: Remedy | None, chance: random.Random) -> str | None:
    return chance.choice(remedy.limbs).name if remedy is not None and remedy.limbs else None
