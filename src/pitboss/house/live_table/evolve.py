"""What an entry does to a live table; entries are applied here without checking any rule."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from pitboss.cards.deck import Card
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.commands import ActForAbsent, BuyIn, OfPlay, ResolveDispute
from pitboss.house.live_table.deck_order import IN_ORDER, Order
from pitboss.house.live_table.pit_evolve import after_pit
from pitboss.house.live_table.sealed_events import POSTINGS, Opener, opened
from pitboss.house.live_table.state import ROUNDS_TIMED, Dispute, LiveTable, Proposal, SigningDevice, Trouble
from pitboss.house.live_table.table_accounts import moved
from pitboss.house.live_table.table_terms import ReadTerms, TableTerms
from pitboss.house.patron_controls.play_totals import after_leaving, after_sitting
from pitboss.house.people import leases
from pitboss.record.entries import Entry, Head, head_of
from pitboss.round import evolve as evolve_play
from pitboss.round import open_round
from pitboss.round.disputed import with_named_cards
from pitboss.round.events import (
    ActionTaken,
    IrregularityRuled,
    MeterAwaited,
    MeterPaid,
    PayoutAwaited,
    PayoutValidated,
    WagersPlaced,
)
from pitboss.round.events import Event as PlayEvent
from pitboss.round.stakes import placed
from pitboss.round.state import ASKING, OVER, Round
from pitboss.rules.irregularity import FACE_UP_CARD, PLAYER_LEFT
from pitboss.rules.play import OUT
from pitboss.table import evolve as evolve_cards
from pitboss.table import new_table
from pitboss.table.conditions import rules_now
from pitboss.table.events import CardsSpread, DeckCut, DeckShuffled
from pitboss.table.events import Event as CardsEvent
from pitboss.table.state import OPENING
from pitboss.table.table_data import event_from_dict

HOUSE, TABLE, ROUND = "house", "table", "round"
OF_PLAY = frozenset(kind.__name__ for kind in get_args(OfPlay))


class Reading(NamedTuple):
    """What reading a record needs: submissions turned into terms, and each round's keys by its name and key id."""

    read_terms: ReadTerms
    opener: Callable[[str, str], Opener]


def evolve(live: LiveTable, entry: Entry, reading: Reading) -> LiveTable:
    """Return the table after an entry of its stream."""
    assert entry.stream == live.stream, "entry belongs to another stream"
    assert entry.sequence == live.head.sequence + 1, "entries are out of order"
    room, kind = entry.kind.split(".")
    live = with_head(live, head_of(entry), entry.actor, entry.at)
    body = {name: value for name, value in entry.body.items() if name != POSTINGS}
    if room == ROUND:
        event, positions = opened(kind, entry.body, lambda: reading.opener(live.round, live.key))
        live = after_play(live, event, positions, entry.actor)
    elif room == TABLE:
        live = after_cards(live, event_from_dict({"kind": kind, **body}))
    else:
        live = after_house(live, happened.event_of(kind, body), reading, entry.actor, entry.role)
    return moved(live, entry.kind, entry.body, entry.body.get(POSTINGS, {}))


def with_head(live: LiveTable, head: Head, actor: str, at: int) -> LiveTable:
    """Return the table with the head of its next entry, before what the entry says is applied."""
    return live._replace(head=head, at=at, lease=leases.used(live.lease, actor, at))


def after_play(live: LiveTable, event: PlayEvent, positions: Mapping[Card, int], actor: str) -> LiveTable:
    """Return the table after an event of its round."""
    assert live.play is not None, "a round is open"
    play = evolve_play(live.play, event)
    changed: dict[str, Any] = {"play": play}
    if positions:
        dealt = set(positions)
        changed["positions"] = {**live.positions, **positions}
        changed["drawn"] = max(live.drawn, *(position + 1 for position in positions.values()))
        changed["waiting"] = tuple(card for card in live.waiting if card not in dealt)
    elif isinstance(event, IrregularityRuled) and event.irregularity == FACE_UP_CARD and event.card is not None:
        changed["waiting"] = tuple(card for card in live.waiting if card != event.card)
    if isinstance(event, ActionTaken):  # a proposal for this question must not answer the next one
        changed["proposals"] = _without(live, ActForAbsent, event.seat)
    if isinstance(event, WagersPlaced) and not live.play.players:
        changed["wagered_at"] = live.at
        changed["is_order_fixed"] = live.order is not None
    if play.phase == ASKING and play.seat_asked != live.play.seat_asked:
        changed["asked_at"] = live.at
    if play.phase == OVER:
        changed["ended_at"] = live.at
    if isinstance(event, MeterAwaited | PayoutAwaited):
        # A payout that comes up when the floor validates another is still claimed by the dealer who settled.
        changed["claimed_by"] = actor if actor == live.lease.holder else live.claimed_by
    if isinstance(event, MeterPaid | PayoutValidated) and live.forms:
        changed["forms"] = {}  # a seat that two hands bring a bonus needs a form for each
    if isinstance(event, IrregularityRuled) and event.irregularity == PLAYER_LEFT and event.seat is not None:
        player = live.play.players[event.seat]
        changed["gone"] = live.gone if player in live.gone else (*live.gone, player)
    if live.trouble is not None and not live.trouble.incident and _is_ruled(live.trouble, event, play):
        # For records written before each report was answered by its own entry.
        changed["trouble"] = None
        changed["asked_at"] = live.at  # no one could answer while the round was stopped
    return live._replace(**changed)


def _is_ruled(trouble: Trouble, event: PlayEvent, play: Round) -> bool:
    if play.phase == OVER or (trouble.seat is not None and play.status.get(trouble.seat, OUT) == OUT):
        return True
    return isinstance(event, IrregularityRuled) and event.irregularity == trouble.irregularity


def after_cards(live: LiveTable, event: CardsEvent) -> LiveTable:
    """Return the table after an event of its cards."""
    assert live.cards is not None, "a submission is in force"
    live = live._replace(cards=evolve_cards(live.cards, event))
    if isinstance(event, CardsSpread):
        live = live._replace(stood_idle=False)
    return live._replace(orders=_orders_after(live, event)) if live.orders else live


def _orders_after(live: LiveTable, event: CardsEvent) -> dict[str, Order]:
    assert live.cards is not None
    orders = dict(live.orders)
    match event:
        case DeckShuffled(deck=name):
            orders.pop(name, None)
        case DeckCut(deck=name, cards=cards) if name in orders:
            orders[name] = orders[name].cut(cards)
    return {deck.name: orders[deck.name] for deck in live.cards.decks if deck.stage in IN_ORDER and deck.name in orders}


def after_house(live: LiveTable, event: happened.Event, reading: Reading, actor: str, role: str) -> LiveTable:
    """Return the table after one of its own events."""
    match event:
        case happened.SubmissionActivated():
            return _under(live, reading.read_terms(event.document))
        case happened.TableOpened():
            # Cards that stayed on the closed table lay there with no one seated.
            has_cards = live.cards is not None and bool(live.cards.decks)
            empty_since = live.empty_since if has_cards else live.at
            return live._replace(is_open=True, counted=live.head.sequence, empty_since=empty_since)
        case happened.TrayCounted():
            return live._replace(counted=live.head.sequence)
        case happened.TableClosed():
            return live._replace(is_open=False, by_keyboard=False, keyboard_by=(), reserved={}, called_at=0)
        case leases.LeaseTaken() | leases.LeaseRenewed() | leases.LeaseReleased() | leases.LeaseWithdrawn():
            return live._replace(lease=leases.evolve(live.lease, event))
        case happened.SeatTaken():
            return _present(live, event.player)._replace(
                seats={**live.seats, event.seat: event.player},
                given_up=tuple(seat for seat in live.given_up if seat != event.seat),  # by the previous player
                reserved={seat: kept for seat, kept in live.reserved.items() if seat != event.seat},
                played=live.played if live.free_play else after_sitting(live.played, event.player, live.at),
                stood_idle=_stood_idle(live),
            )
        case happened.SeatLeft():
            seated = {seat: who for seat, who in live.seats.items() if seat != event.seat}
            has_left = not live.free_play and event.player not in seated.values()
            return live._replace(
                seats=seated,
                played=after_leaving(live.played, event.player, live.at) if has_left else live.played,
                empty_since=live.empty_since if seated else live.at,
                bet_before={seat: stakes for seat, stakes in live.bet_before.items() if seat != event.seat},
                proposals=_without(live, BuyIn, event.seat),  # the next player's cash is counted from zero
            )
        case happened.PlayerReturned():
            return _present(live, event.player)
        case happened.TimeGiven():
            return live._replace(asked_at=live.at, proposals=_without(live, ActForAbsent, event.seat))
        case happened.SeatGivenUp():
            return live._replace(given_up=(*live.given_up, event.seat))
        case happened.IrregularityReported():
            return live._replace(trouble=_reported(live, event, reading, actor, role))
        case happened.IncidentAnswered():
            # No one could answer or wager while the table was held.
            return live._replace(trouble=None, asked_at=live.at, wagered_at=live.at if live.wagered_at else 0)
        case happened.DisputeReported():
            return live._replace(dispute=Dispute(event.dispute, event.seats, event.note, actor, live.at))
        case happened.DisputeResolved():
            # Another proposed answer must not apply to the next dispute.
            left = _without(live, ResolveDispute)
            return live._replace(dispute=None, proposals=left, play=_corrected(live, event), forms={})
        case happened.Corrected():
            return live._replace(corrected=(*live.corrected, event.entry))
        case happened.KeyboardSwitched():
            return _by_keyboard(live, actor if event.is_on else None)
        case happened.Proposed():
            waits = Proposal(event.command, actor, role, event.token, event.until)
            return live._replace(proposals={**live.proposals, event.proposal: waits})
        case happened.Declined() | happened.Confirmed():
            left = {name: proposal for name, proposal in live.proposals.items() if name != event.proposal}
            return live._replace(proposals=left)
        case _ if isinstance(event, happened.PitEvent):
            return after_pit(live, event, actor)
        case _:
            return _after_round(live, event, reading)


def _after_round(live: LiveTable, event: happened.Event, reading: Reading) -> LiveTable:
    match event:
        case happened.RoundBegun():
            assert live.cards is not None, "a submission is in force"
            return live._replace(
                play=open_round(rules_now(live.cards)),
                round=event.round,
                last_round=live.round or live.last_round,
                key=event.key,
                rounds=event.number,
                bet_before=_bet_before(live),
                begun=(*live.begun, live.at)[-ROUNDS_TIMED:],
                in_round=True,
                forms={},
                drawn=0,
                positions={},
                waiting=(),
                order=None,
                is_order_fixed=False,
                given_up=(),
                keyboard_by=live.keyboard_by[-1:] if live.by_keyboard else (),  # kept until here for disputes
                gone=(),
                chips_found=None,
                claimed_by="",
            )
        case happened.DeckCommitted():
            return _committed(live, event)
        case happened.OrderFixed():
            return live._replace(order=live.orders[event.deck])
        case happened.ReaderEnrolled():
            return live._replace(readers={**live.readers, event.reader: SigningDevice(event.key)})
        case happened.ReaderRetired():
            return live._replace(readers={name: kept for name, kept in live.readers.items() if name != event.reader})
        case happened.ReaderIgnored():
            return _heard(live, event.reader, event.sequence)
        case happened.CardRead():
            live = _heard(live, event.source.removeprefix("reader "), event.sequence)
            card = reading.opener(live.round, live.key).open(event.position, event.sealed)
            return live._replace(
                waiting=(*live.waiting, card),
                drawn=event.position + 1,
                positions={**live.positions, card: event.position},
            )
        case happened.ReadCorrected():
            right = reading.opener(live.round, live.key).open(event.position, event.sealed)
            was = next(card for card, place in live.positions.items() if place == event.position)
            read = {right if card == was else card: place for card, place in live.positions.items()}
            waiting = tuple(right if card == was else card for card in live.waiting)
            return live._replace(positions=read, waiting=waiting)
        case happened.ReadsForgotten():
            known = {card: place for card, place in live.positions.items() if place not in event.positions}
            play = live.play._replace(dealt_next=()) if live.play is not None else None
            return live._replace(waiting=(), positions=known, play=play)
        case happened.ChipsCounted():
            return live._replace(chips_found=event.chips if event.chips != event.wagers else None)
        case happened.RoundEnded():
            # Proposals for this round must not apply to the next one.
            left = {
                name: proposal for name, proposal in live.proposals.items() if proposal.command["kind"] not in OF_PLAY
            }
            # A report with a name is answered before its round can end.
            trouble = live.trouble if live.trouble is not None and live.trouble.incident else None
            return live._replace(
                in_round=False,
                waiting=(),
                trouble=trouble,
                chips_found=None,
                proposals=left,
                **_order_used(live),
            )
        case _:
            return live  # money only, which the postings move


def _bet_before(live: LiveTable) -> Mapping[int, Mapping[str, int]]:
    # Of players who still have their seat; who sat a round out may still repeat the one before.
    play = live.play
    if play is None:
        return live.bet_before
    staying = [seat for seat, player in play.players.items() if live.seats.get(seat) == player]
    names = {wager.name for wager in placed(play.rules)}
    bet = {
        seat: {name: cents for (other, name), cents in play.stakes.items() if other == seat and name in names}
        for seat in staying
    }
    return {**live.bet_before, **bet}


def _heard(live: LiveTable, reader: str, sequence: int) -> LiveTable:
    if not sequence:
        return live
    heard = live.readers[reader]._replace(sequence=sequence)
    return live._replace(readers={**live.readers, reader: heard})


def _by_keyboard(live: LiveTable, switched_on_by: str | None) -> LiveTable:
    if switched_on_by is None:
        return live._replace(by_keyboard=False)
    play = live.play if live.in_round else None
    if play is not None and play.verification is not None and live.terms is not None:
        # From here on nobody but the dealer has seen the cards, so the round under way is verified more strictly too.
        limits = play.verification
        hand_pay = (limits.hand_pay_times, limits.hand_pay_cents) if limits.hand_pay_times is not None else None
        stricter = live.terms.verification.of_round(is_by_keyboard=True, hand_pay=hand_pay)
        play = play._replace(verification=stricter)
        live = live._replace(play=play)
    return live._replace(by_keyboard=True, keyboard_by=(*live.keyboard_by, switched_on_by))


def _present(live: LiveTable, player: str) -> LiveTable:
    if player not in live.gone:
        return live
    asked = live.play.seat_asked if live.play is not None else None
    is_asked = live.play is not None and asked is not None and live.play.players[asked] == player
    left = tuple(other for other in live.gone if other != player)
    return live._replace(gone=left, asked_at=live.at if is_asked else live.asked_at)


def _corrected(live: LiveTable, event: happened.DisputeResolved) -> Round | None:
    # The cards that a dispute found in the rack are the starting point for the next one about the same round.
    return with_named_cards(live.play, event.cards) if live.play is not None else None


def _without(live: LiveTable, kind: type, seat: int | None = None) -> dict[str, Proposal]:
    def is_kept(command: Mapping[str, Any]) -> bool:
        return command["kind"] != kind.__name__ or seat not in (None, command.get("seat"))

    return {name: proposal for name, proposal in live.proposals.items() if is_kept(proposal.command)}


def _reported(
    live: LiveTable, event: happened.IrregularityReported, reading: Reading, actor: str, role: str
) -> Trouble:
    card, written = None, event.card
    if written is not None and "sealed" in written:
        card = reading.opener(live.round, live.key).open(written["position"], written["sealed"])
    elif written is not None:
        card = Card(written["card"])
    return Trouble(
        event.irregularity, event.seat, event.by_clause, event.incident, actor, role, live.at, card, event.other_deck
    )


def _committed(live: LiveTable, event: happened.DeckCommitted) -> LiveTable:
    name, key = event.shuffle or event.round, event.sealed_order.partition(".")[0]
    order = Order(name, key, event.sealed_order, event.commitments)
    if not event.round:
        return live._replace(orders={**live.orders, event.deck: order})
    assert live.cards is not None, "a submission is in force"
    dealt_from = live.cards.round.deck if live.cards.round is not None else ""
    return live._replace(order=order, orders={**live.orders, dealt_from: order})


def _order_used(live: LiveTable) -> dict[str, Any]:
    # An order serves one round: its cards, or the fact that no one bet on them, may have been seen.
    if live.order is None:
        return {}
    left = {deck: order for deck, order in live.orders.items() if order.shuffle != live.order.shuffle}
    return {"order": live.order._replace(sealed=""), "orders": left}


def _stood_idle(live: LiveTable) -> bool:
    # Cards that are spread, or still being opened, are shown to the first player anyway.
    decks = live.cards.decks if live.cards is not None else ()
    if live.seats or live.terms is None or not decks or any(deck.stage == OPENING for deck in decks):
        return live.stood_idle
    return live.stood_idle or live.at - live.empty_since >= live.terms.pace.idle_ms


def _under(live: LiveTable, terms: TableTerms) -> LiveTable:
    # The last round was played by other rules and is in the record; a deck that was removed doesn't come back.
    cards = new_table(terms.settings)
    if live.cards is not None:
        cards = replace(cards, removed=live.cards.removed)
    last = live.round or live.last_round
    return live._replace(
        terms=terms,
        cards=cards,
        play=None,
        round="",
        last_round=last,
        positions={},
        order=None,
        orders={},
        limits={},  # they were within what was submitted before
    )
