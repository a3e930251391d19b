"""Commands of play at a live table: a round from its opening to the pick-up of its cards."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import drawn_decks, progressive_play
from pitboss.house.live_table.disputes import disputing, picked_up
from pitboss.house.live_table.duty_order import check_order
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import RoundBegun, RoundEnded, SealOpened
from pitboss.house.live_table.idle_table import check_first_wager, check_spread
from pitboss.house.live_table.patron_checks import may_bet
from pitboss.house.live_table.pit_commands import check_stakes
from pitboss.house.live_table.seat_commands import free_given_up
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.tray_commands import send_away
from pitboss.house.money.postings import check_money
from pitboss.round import commands as play
from pitboss.round.events import VOIDED
from pitboss.round.moments import names_of_reached
from pitboss.round.state import DEALING, OVER, SETTLING, WAGERING
from pitboss.rules.irregularity import KEEP, REMOVE, RESHUFFLE
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import CloseRound, OpenRound
from pitboss.table.conditions import is_count_due, stub_count, stub_duty
from pitboss.table.state import LOADED, WITH_DEALER


def begin(writer: EventWriter, command: asked.BeginRound) -> Refusal | None:
    """Open a round, and fix before the first wager which committed order it is dealt from."""
    live, means = writer.live, writer.means
    assert live.terms is not None
    assert live.cards is not None
    if live.in_round:
        return Refusal(f"Round {live.rounds} is still open", live.terms.settings.game.bets.cite)
    refusal = check_spread(live, means.at)
    if refusal:
        return refusal
    loaded = [deck.name for deck in live.cards.decks if deck.stage == LOADED]
    deck = command.deck or (loaded[0] if loaded else "")
    if not deck:
        return Refusal("No deck is loaded. Shuffle, cut and load one first", live.terms.settings.game.bets.cite)
    name = f"{live.table}-{live.rounds + 1}-{means.fresh()}"
    refusal = writer.cards(OpenRound(by=asked.NOBODY, at=0, round=name, deck=deck))
    if refusal:
        return refusal
    writer.house(RoundBegun(round=name, number=live.rounds + 1, deck=deck, key=means.key))
    drawn_decks.follow(writer)
    return None


def place(writer: EventWriter, command: asked.PlaceWagers) -> Refusal | None:
    """Put a player's stakes on one of their positions."""
    state, player = writer.live.play, writer.player_at(command.seat)
    assert state is not None
    stakes, others, coupons = dict(command.stakes), dict(command.other_instruments), dict(command.coupons)
    wagers = play.PlaceWagers(command.seat, player, stakes, command.instrument, others, coupons)
    refusal = check_stakes(writer.live, command) if writer.live.limits else None
    refusal = refusal or check_first_wager(writer.live, writer.means.at)
    refusal = refusal or drawn_decks.check_loaded(writer) or check_money(state.rules, wagers)
    refusal = refusal or writer.play(wagers) or progressive_play.open_play(writer)
    if refusal is None and writer.live.played:  # none at a free-play table
        return may_bet(writer, player)
    return refusal


def withdraw(writer: EventWriter, command: asked.WithdrawWagers) -> Refusal | None:
    """Return a player's stakes before bets are closed."""
    return writer.play(play.WithdrawWagers(command.seat))


def close_bets(writer: EventWriter, command: asked.CloseBets) -> Refusal | None:
    """Call no more bets and feed the meters from the progressive stakes; a repeat is for recounting the chips."""
    state = writer.live.play
    assert state is not None
    is_recount = writer.live.chips_found is not None and state.phase == DEALING and not state.drawn
    assert writer.live.terms is not None
    settings = writer.means.controls.settings
    is_hand_paid = settings.hand_pays and not writer.live.terms.settings.free_play
    hand_pay = (settings.hand_pay_times, settings.hand_pay_cents) if is_hand_paid else None
    limits = writer.live.terms.verification.of_round(is_by_keyboard=writer.live.by_keyboard, hand_pay=hand_pay)
    refusal = None if is_recount else writer.play(play.CloseBets(limits))
    return refusal or progressive_play.count(writer, command.progressive_chips)


def act(writer: EventWriter, command: asked.Act) -> Refusal | None:
    """Take a player's answer for one of their positions."""
    state = writer.live.play
    assert state is not None
    held = state.cards.get(command.seat, ())
    named = command.discard
    if named is not None and named not in held:  # a player sees only a card's face
        named = next((card for card in held if card.startswith(named)), named) if named else named
    return writer.play(play.Act(command.seat, command.action, named))


def awaits_stub(live: LiveTable) -> bool:
    """Say whether the dealer still has the stub of real cards."""
    played = live.cards.round if live.cards is not None else None
    if live.terms is None or not live.terms.real_cards or played is None:
        return False
    return played.dealt > 0 and played.stub == WITH_DEALER


def settle(writer: EventWriter) -> Refusal | None:
    """Settle the open seats, once no count of the stub can void them."""
    live = writer.live
    assert live.terms is not None
    assert live.cards is not None
    assert live.play is not None
    if live.terms.real_cards and is_count_due(live.cards):
        count = stub_count(live.cards)
        return Refusal("Count the stub before settling the wagers", count.how_cite or count.cite)
    if awaits_stub(live):
        return Refusal("Rack the stub before settling the wagers", stub_duty(live.cards).cite)
    refusal = check_order(live, "Settle") if live.play.phase == SETTLING else None
    if refusal:
        return refusal
    known = len(live.play.envy)
    return writer.play(play.Settle()) or progressive_play.note_envy(writer, known)


def end(writer: EventWriter) -> Refusal | None:
    """Pick up the cards in order, publish the key to those that were dealt, and end the round."""
    live = writer.live
    assert live.play is not None
    called_off = live.play.phase == WAGERING and not live.play.players
    if live.play.phase != OVER and not called_off:
        return Refusal("The round isn't settled yet. Settle it first", live.play.rules.settle.pickup_cite)
    outcome = live.play.outcome or VOIDED
    # What a wrong count means for the deck still applies, whatever else the round was voided for.
    fate = live.cards.round.fate if live.cards is not None and live.cards.round is not None else ""
    if live.waiting and live.play.deck != REMOVE:
        fate = fate or RESHUFFLE  # cards were drawn, and may have been seen
    fate = fate or live.play.deck
    if live.order is not None and not live.play.drawn and fate == KEEP:
        fate = RESHUFFLE  # a committed order serves one round, even one in which nothing was dealt
    pickup, moments = picked_up(live.play), names_of_reached(live.play)
    close = CloseRound(by=asked.NOBODY, at=0, ended=outcome, pickup=pickup, fate=fate, moments=moments)
    refusal = writer.cards(close, by=writer.dealer) or progressive_play.close_play(writer)
    if refusal:
        return refusal
    writer.house(SealOpened(round=live.round, dealt_key=writer.seal.dealt_key()))
    writer.house(RoundEnded(round=live.round, outcome=outcome))
    return see_off(writer)


def see_off(writer: EventWriter) -> Refusal | None:
    """Free the seats of players who left and move their chips to balances; those in dispute stay until it ends."""
    live = writer.live
    if live.in_round or live.play is None:
        return None
    waiting = disputing(live)
    # Chips that a dispute returned to a player without a seat don't stay on the table either.
    unseated = (player for player in live.play.players.values() if not live.seats_of(player))
    leaving = tuple(player for player in dict.fromkeys((*live.gone, *unseated)) if player not in waiting)
    return send_away(writer, leaving) or free_given_up(writer, waiting)


def call_off(writer: EventWriter) -> Refusal | None:
    """End a round without wagers, so that its table may close; any other round stays open."""
    play = writer.live.play
    is_idle = writer.live.in_round and play is not None and play.phase == WAGERING and not play.players
    return end(writer) if is_idle else None
