"""Commands of play at a running table: a round from its opening to the pick-up of its cards."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import drawn_decks, progressive_play
from pitboss.house.live_table.disputes import disputing, picked_up
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.events import RoundBegun, RoundEnded, SealOpened
from pitboss.house.live_table.idle_table import check_spread
from pitboss.house.live_table.moments import came, check_order
from pitboss.house.live_table.seat_commands import free_given_up
from pitboss.house.live_table.state import Desk
from pitboss.house.live_table.tray_commands import send_away
from pitboss.house.money.postings import check_money
from pitboss.round import commands as play
from pitboss.round.events import WagersPlaced
from pitboss.round.state import DEALING, OVER, SETTLING, WAGERING
from pitboss.rules.irregularity import KEEP, REMOVE, RESHUFFLE
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import SETTLED, CloseRound, OpenRound
from pitboss.table.conditions import is_count_due, stub_count, stub_duty
from pitboss.table.state import LOADED, WITH_DEALER

VOID = "void"


def begin(pen: Pen, command: asked.BeginRound) -> Refusal | None:
    """Open a round, and fix before the first wager which committed order it is dealt from."""
    desk, means = pen.desk, pen.means
    assert desk.terms is not None
    assert desk.cards is not None
    if desk.in_round:
        return Refusal(f"Round {desk.rounds} is still open", desk.terms.settings.game.bets.cite)
    refusal = check_spread(desk, means.at)
    if refusal:
        return refusal
    loaded = [deck.name for deck in desk.cards.decks if deck.stage == LOADED]
    deck = command.deck or (loaded[0] if loaded else "")
    if not deck:
        return Refusal("No deck is loaded; shuffle, cut and load one first", desk.terms.settings.game.bets.cite)
    name = f"{desk.table}-{desk.rounds + 1}-{means.fresh()}"
    refusal = pen.cards(OpenRound(by=asked.NOBODY, at=0, round=name, deck=deck))
    if refusal:
        return refusal
    pen.house(RoundBegun(round=name, number=desk.rounds + 1, deck=deck, key=means.key))
    drawn_decks.follow(pen)
    return None


def place(pen: Pen, command: asked.PlaceWagers) -> Refusal | None:
    """Put a player's stakes on a position that is theirs."""
    state, player = pen.desk.play, pen.means.actor
    assert state is not None
    stakes, others = dict(command.stakes), dict(command.other_instruments)
    cite = state.rules.game.bets.cite
    refusal = drawn_decks.check_loaded(pen) or check_money(
        state.rules, WagersPlaced(command.seat, player, stakes, command.instrument, cite, others)
    )
    coupons = dict(command.coupons)
    refusal = refusal or pen.play(play.PlaceWagers(command.seat, player, stakes, command.instrument, others, coupons))
    return refusal or progressive_play.open_play(pen)


def withdraw(pen: Pen, command: asked.WithdrawWagers) -> Refusal | None:
    """Give a player's stakes back before bets are closed."""
    return pen.play(play.WithdrawWagers(command.seat))


def close_bets(pen: Pen, command: asked.CloseBets) -> Refusal | None:
    """Call no more bets, and feed the meters with what was staked on them; again where their chips are recounted."""
    state = pen.desk.play
    assert state is not None
    is_recount = pen.desk.chips_found is not None and state.phase == DEALING and not state.drawn
    assert pen.desk.terms is not None
    refusal = None if is_recount else pen.play(play.CloseBets(pen.desk.terms.verification.of_round()))
    return refusal or progressive_play.count(pen, command.progressive_chips)


def act(pen: Pen, command: asked.Act) -> Refusal | None:
    """Take a player's answer for a position that is theirs."""
    state = pen.desk.play
    assert state is not None
    held = state.cards.get(command.seat, ())
    named = command.discard
    if named is not None and named not in held:  # what a player sees of a card is its face
        named = next((card for card in held if card.startswith(named)), named) if named else named
    return pen.play(play.Act(command.seat, command.action, named))


def awaits_stub(desk: Desk) -> bool:
    """Say whether the stub of real cards still lies with the dealer."""
    played = desk.cards.round if desk.cards is not None else None
    if desk.terms is None or not desk.terms.real_cards or played is None:
        return False
    return played.dealt > 0 and played.stub == WITH_DEALER


def settle(pen: Pen) -> Refusal | None:
    """Settle the seats still open, once no count of the stub can void them any more."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    assert desk.play is not None
    if desk.terms.real_cards and is_count_due(desk.cards):
        count = stub_count(desk.cards)
        return Refusal("The stub of this round is counted before its wagers are settled", count.how_cite or count.cite)
    if awaits_stub(desk):
        return Refusal("Rack the stub before wagers are settled", stub_duty(desk.cards).cite)
    refusal = check_order(desk, "Settle") if desk.play.phase == SETTLING else None
    if refusal:
        return refusal
    known = len(desk.play.envy)
    return pen.play(play.Settle()) or progressive_play.note_envy(pen, known)


def end(pen: Pen) -> Refusal | None:
    """Pick up the cards in order, publish the key to those that were dealt, and end the round."""
    desk = pen.desk
    assert desk.play is not None
    called_off = desk.play.phase == WAGERING and not desk.play.players
    if desk.play.phase != OVER and not called_off:
        return Refusal("The round is not settled yet", desk.play.rules.settle.pickup_cite)
    outcome = desk.play.outcome or VOID
    ended = SETTLED if outcome == "settled" else VOID
    # What a wrong count says of the deck stands, whatever else the round was voided for.
    fate = desk.cards.round.fate if desk.cards is not None and desk.cards.round is not None else ""
    if desk.waiting and desk.play.deck != REMOVE:
        fate = fate or RESHUFFLE  # cards were drawn, and may have been seen
    fate = fate or desk.play.deck
    if desk.order is not None and not desk.play.drawn and fate == KEEP:
        fate = RESHUFFLE  # a committed order serves one round, also one in which nothing was dealt
    pickup, moments = picked_up(desk.play), came(desk)
    close = CloseRound(by=asked.NOBODY, at=0, ended=ended, pickup=pickup, fate=fate, moments=moments)
    refusal = pen.cards(close, by=pen.dealer) or progressive_play.close_play(pen)
    if refusal:
        return refusal
    pen.house(SealOpened(round=desk.round, dealt_key=pen.seal.dealt_key()))
    pen.house(RoundEnded(round=desk.round, outcome=outcome))
    return see_off(pen)


def see_off(pen: Pen) -> Refusal | None:
    """Free the seats of players who left, and carry their chips away; those in dispute stay until it is resolved."""
    desk = pen.desk
    if desk.in_round or desk.play is None:
        return None
    waiting = disputing(desk)
    # What a dispute gave back to a player without a seat does not stay on the table either.
    unseated = (player for player in desk.play.players.values() if not desk.seats_of(player))
    leaving = tuple(player for player in dict.fromkeys((*desk.gone, *unseated)) if player not in waiting)
    return send_away(pen, leaving) or free_given_up(pen, waiting)


def call_off(pen: Pen) -> Refusal | None:
    """End a round that nobody has wagered in, so that its table may close; another stays as it is."""
    play = pen.desk.play
    is_idle = pen.desk.in_round and play is not None and play.phase == WAGERING and not play.players
    return end(pen) if is_idle else None
