"""Commands of play at a running table: a round from its opening to the pick-up of its cards."""

from pitboss.house.desk import commands as asked
from pitboss.house.desk import meters
from pitboss.house.desk.events import DeckCommitted, RoundBegun, RoundEnded, SealOpened
from pitboss.house.desk.pen import Pen
from pitboss.house.desk.state import Desk
from pitboss.house.desk.tray import send_away
from pitboss.house.people import house_rules as rule
from pitboss.house.postings import check_money
from pitboss.round import commands as play
from pitboss.round import least_action
from pitboss.round.events import WagersPlaced
from pitboss.round.state import ASKING, DEALING, OVER, WAGERING, Round
from pitboss.rules.irregularity import RESHUFFLE
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import SETTLED, CloseRound, OpenRound
from pitboss.table.conditions import is_count_due, stub_count
from pitboss.table.rack import Racked
from pitboss.table.state import LOADED, STUB_DISPUTED

VOID = "void"
ABSENCE = "G-5"


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


def stopped(desk: Desk) -> Refusal | None:
    """Return why the round may not go on before something is ruled on, or None."""
    cards = desk.cards
    assert cards is not None
    if desk.trouble is not None:
        reason = f"{desk.trouble.irregularity} was reported; it is ruled on before the round goes on"
        return Refusal(reason, desk.trouble.clause or rule.ORDER, "irregularity")
    if cards.round is not None and cards.round.stub == STUB_DISPUTED and not cards.round.irregularity:
        reason = "The count of the stub is wrong; find out first whether cards were misdealt"
        return Refusal(reason, stub_count(cards).check_cite)
    return None


def place(pen: Pen, command: asked.PlaceWagers) -> Refusal | None:
    """Put a player's stakes on a position that is theirs."""
    state, player = pen.desk.play, pen.means.actor
    assert state is not None
    stakes, others = dict(command.stakes), dict(command.other_instruments)
    cite = state.rules.game.bets.cite
    refusal = check_money(state.rules, WagersPlaced(command.seat, player, stakes, command.instrument, cite, others))
    refusal = refusal or pen.play(play.PlaceWagers(command.seat, player, stakes, command.instrument, others))
    return refusal or meters.open_play(pen)


def withdraw(pen: Pen, command: asked.WithdrawWagers) -> Refusal | None:
    """Give a player's stakes back before bets are closed."""
    return pen.play(play.WithdrawWagers(command.seat))


def close_bets(pen: Pen, command: asked.CloseBets) -> Refusal | None:
    """Call no more bets, and feed the meters with what was staked on them; again where their chips are recounted."""
    state = pen.desk.play
    assert state is not None
    is_recount = pen.desk.chips_found is not None and state.phase == DEALING and not state.drawn
    refusal = None if is_recount else pen.play(play.CloseBets())
    return refusal or meters.count(pen, command.progressive_chips)


def act(pen: Pen, command: asked.Act) -> Refusal | None:
    """Take a player's answer for a position that is theirs."""
    state = pen.desk.play
    assert state is not None
    held = state.cards.get(command.seat, ())
    named = command.discard
    if named is not None and named not in held:  # what a player sees of a card is its face
        named = next((card for card in held if card.startswith(named)), named) if named else named
    return pen.play(play.Act(command.seat, command.action, named))


def act_for_absent(pen: Pen, command: asked.ActForAbsent) -> Refusal | None:
    """Answer for a player whose time ran out or who has left."""
    desk, state = pen.desk, pen.desk.play
    assert state is not None
    assert desk.terms is not None
    discard = None
    if state.phase == ASKING and state.seat_asked == command.seat:
        left = desk.asked_at + desk.terms.pace.decision_ms - pen.means.at
        if left > 0 and state.players[command.seat] not in desk.gone:
            reason = f"Seat {command.seat} has {-(-left // 1000)} seconds left to answer"
            return Refusal(reason, ABSENCE, "seat")
        action = least_action(state)
        if action.discards:
            best = pen.means.best_discard
            discard = best(state, command.seat, action.name) if best else state.cards[command.seat][-1]
    return pen.play(play.ActForAbsent(command.seat, discard))


def settle(pen: Pen) -> Refusal | None:
    """Settle the seats still open, once no count of the stub can void them any more."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    assert desk.play is not None
    if desk.terms.real_cards and is_count_due(desk.cards):
        count = stub_count(desk.cards)
        return Refusal("The stub of this round is counted before its wagers are settled", count.how_cite or count.cite)
    known = len(desk.play.envy)
    return pen.play(play.Settle()) or meters.note_envy(pen, known)


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
    if called_off and desk.positions:
        fate = fate or RESHUFFLE  # cards were drawn, and may have been seen
    close = CloseRound(by=asked.NOBODY, at=0, ended=ended, pickup=_pickup(desk.play), fate=fate or desk.play.deck)
    refusal = pen.cards(close, by=pen.dealer) or meters.close_play(pen)
    if refusal:
        return refusal
    pen.house(SealOpened(round=desk.round, dealt_key=pen.seal.dealt_key()))
    pen.house(RoundEnded(round=desk.round, outcome=outcome))
    return send_away(pen, desk.gone)


def call_off(pen: Pen) -> Refusal | None:
    """End a round that nobody has wagered in, so that its table may close; another stays as it is."""
    play = pen.desk.play
    is_idle = pen.desk.in_round and play is not None and play.phase == WAGERING and not play.players
    return end(pen) if is_idle else None


def _pickup(state: Round) -> tuple[Racked, ...]:
    places = dict.fromkeys((*state.collected, *state.cards))
    picked = [Racked(place, len(held), held) for place in places if (held := state.cards.get(place, ()))]
    aside = tuple(sorted(card for card in state.drawn if not any(card in one.cards for one in picked)))
    return (*picked, Racked("set-aside", len(aside), aside)) if aside else tuple(picked)
