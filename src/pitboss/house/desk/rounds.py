"""Commands of play at a running table: a round from its opening to the pick-up of its cards."""

from pitboss.house.desk import commands as asked
from pitboss.house.desk import meters
from pitboss.house.desk.cards import left_deck
from pitboss.house.desk.events import DeckCommitted, RoundBegun, RoundEnded, SealOpened
from pitboss.house.desk.pen import Pen
from pitboss.house.desk.state import Desk
from pitboss.round import commands as play
from pitboss.round import least_action
from pitboss.round.state import ASKING, OVER, WAGERING
from pitboss.rules.irregularity import DRAWN_IN_ERROR, FACE_UP_CARD, WRONG_NUMBER
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import SETTLED, CloseRound, OpenRound
from pitboss.table.rack import Racked
from pitboss.table.state import LOADED

VOID = "void"
OF_REAL_CARDS = (FACE_UP_CARD, DRAWN_IN_ERROR, WRONG_NUMBER)


def begin(pen: Pen, command: asked.BeginRound) -> Refusal | None:
    """Open a round, and fix the order of the deck before the first wager."""
    desk, means = pen.desk, pen.means
    assert desk.terms is not None
    assert desk.cards is not None
    if desk.in_round:
        return Refusal(f"Round {desk.rounds} is still open", desk.terms.settings.game.bets.cite)
    loaded = [deck.name for deck in desk.cards.decks if deck.stage == LOADED]
    deck = command.deck or (loaded[0] if loaded else "")
    if not deck:
        return Refusal("No deck is loaded; shuffle, cut and load one first", desk.terms.settings.game.bets.cite)
    name = f"{desk.table}-{desk.rounds + 1}-{means.fresh()}"
    refusal = pen.cards(OpenRound(by=asked.NOBODY, at=0, round=name, deck=deck))
    if refusal:
        return refusal
    pen.house(RoundBegun(round=name, number=desk.rounds + 1, deck=deck, key=means.key))
    if not desk.terms.real_cards:
        seal, order = pen.seal, means.shuffle(desk.terms.settings.game.deck)
        pen.house(DeckCommitted(round=name, commitments=seal.commitments(order), sealed_order=seal.seal_order(order)))
    return None


def place(pen: Pen, command: asked.PlaceWagers) -> Refusal | None:
    """Put a player's stakes on a position that is theirs."""
    stakes, others = dict(command.stakes), dict(command.other_instruments)
    return pen.play(play.PlaceWagers(command.seat, pen.means.actor, stakes, command.instrument, others))


def withdraw(pen: Pen, command: asked.WithdrawWagers) -> Refusal | None:
    """Give a player's stakes back before bets are closed."""
    return pen.play(play.WithdrawWagers(command.seat))


def close_bets(pen: Pen, command: asked.CloseBets) -> Refusal | None:
    """Call no more bets, and feed the meters with what was staked on them."""
    return pen.play(play.CloseBets()) or meters.contribute(pen, command.progressive_chips)


def act(pen: Pen, command: asked.Act) -> Refusal | None:
    """Take a player's answer for a position that is theirs."""
    return pen.play(play.Act(command.seat, command.action, command.discard))


def act_for_absent(pen: Pen, command: asked.ActForAbsent) -> Refusal | None:
    """Answer for a player who is not there; where a card must go, the last one dealt goes."""
    state = pen.desk.play
    assert state is not None
    discard = None
    if state.phase == ASKING and state.seat_asked == command.seat and least_action(state).discards:
        discard = state.cards[command.seat][-1]
    return pen.play(play.ActForAbsent(command.seat, discard))


def settle(pen: Pen) -> Refusal | None:
    """Settle the seats still open."""
    return pen.play(play.Settle()) or meters.note_envy(pen)


def report(pen: Pen, command: asked.ReportIrregularity) -> Refusal | None:
    """Rule on an irregularity as the rulebook orders."""
    desk = pen.desk
    assert desk.terms is not None
    if command.irregularity in OF_REAL_CARDS and not desk.terms.real_cards:
        return Refusal("The cards of this table are drawn by the program; none can be misdealt or found face up")
    refusal = pen.play(
        play.ReportIrregularity(
            command.irregularity,
            command.seat,
            command.card,
            command.other_deck,
            command.ruling,
            pen.means.actor if command.ruling else None,
        )
    )
    if refusal is None and command.irregularity == FACE_UP_CARD:
        refusal = left_deck(pen, 1)
    return refusal or meters.take_back(pen)


def end(pen: Pen) -> Refusal | None:
    """Pick up the cards in order, publish the key to those that were dealt, and end the round."""
    desk = pen.desk
    assert desk.play is not None
    called_off = desk.play.phase == WAGERING and not desk.play.players
    if desk.play.phase != OVER and not called_off:
        return Refusal("The round is not settled yet")
    outcome = desk.play.outcome or VOID
    ended = SETTLED if outcome == "settled" else VOID
    close = CloseRound(by=asked.NOBODY, at=0, ended=ended, pickup=_pickup(desk), fate=desk.play.deck)
    refusal = pen.cards(close)
    if refusal:
        return refusal
    refusal = meters.close_play(pen)
    if refusal:
        return refusal
    pen.house(SealOpened(round=desk.round, dealt_key=pen.seal.dealt_key()))
    return pen.house(RoundEnded(round=desk.round, outcome=outcome))


def _pickup(desk: Desk) -> tuple[Racked, ...]:
    assert desk.play is not None
    places = dict.fromkeys((*desk.play.collected, *desk.play.cards))
    picked = [Racked(place, len(held), held) for place in places if (held := desk.play.cards.get(place, ()))]
    aside = tuple(card for card in desk.play.drawn if not any(card in one.cards for one in picked))
    return (*picked, Racked("set-aside", len(aside), aside)) if aside else tuple(picked)
