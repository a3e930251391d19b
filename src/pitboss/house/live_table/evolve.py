"""What an entry does to a running table; no rule is asked here, only followed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from pitboss.cards.deck import Card
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.commands import ActForAbsent, OfPlay, ResolveDispute
from pitboss.house.live_table.deck_order import IN_ORDER, Order
from pitboss.house.live_table.sealed_events import POSTINGS, Opener, opened
from pitboss.house.live_table.state import ROUNDS_TIMED, Desk, Dispute, Proposal, Trouble
from pitboss.house.live_table.table_accounts import moved
from pitboss.house.live_table.table_terms import ReadTerms, TableTerms
from pitboss.house.people import leases
from pitboss.record.entries import Entry, head_of
from pitboss.round import evolve as evolve_play
from pitboss.round import open_round
from pitboss.round.disputed import with_cards
from pitboss.round.events import ActionTaken, IrregularityRuled, MeterAwaited, PayoutAwaited, WagersPlaced
from pitboss.round.events import Event as PlayEvent
from pitboss.round.state import ASKING, OUT, OVER, Round
from pitboss.rules.irregularity import FACE_UP_CARD, PLAYER_LEFT
from pitboss.table import evolve as evolve_cards
from pitboss.table import new_table
from pitboss.table.conditions import rules_now
from pitboss.table.events import CardsSpread, DeckCut, DeckShuffled
from pitboss.table.events import Event as CardsEvent
from pitboss.table.state import OPENING
from pitboss.table.table_data import event_from_dict

HOUSE, TABLE, ROUND = "house", "table", "round"
OF_PLAY = frozenset(one.__name__ for one in get_args(OfPlay))


class Reading(NamedTuple):
    """What it takes to read a record: submissions into terms, and the keys of each round, by its name and key's id."""

    read_terms: ReadTerms
    opener: Callable[[str, str], Opener]


def evolve(desk: Desk, entry: Entry, reading: Reading) -> Desk:
    """Return the table after an entry of its stream."""
    assert entry.stream == desk.stream, "an entry of another stream"
    assert entry.sequence == desk.head.sequence + 1, "entries come in order"
    room, kind = entry.kind.split(".")
    lease = leases.used(desk.lease, entry.actor, entry.at)
    desk = desk._replace(head=head_of(entry), at=entry.at, lease=lease)
    body = {name: value for name, value in entry.body.items() if name != POSTINGS}
    if room == ROUND:
        event, positions = opened(kind, entry.body, reading.opener(desk.round, desk.key))
        desk = after_play(desk, event, positions, entry.actor)
    elif room == TABLE:
        desk = after_cards(desk, event_from_dict({"kind": kind, **body}))
    else:
        desk = after_house(desk, happened.event_of(kind, body), reading, entry.actor, entry.role)
    return moved(desk, entry.kind, entry.body, entry.body.get(POSTINGS, {}))


def after_play(desk: Desk, event: PlayEvent, positions: Mapping[Card, int], actor: str) -> Desk:
    """Return the table after an event of its round."""
    assert desk.play is not None, "a round is open"
    play = evolve_play(desk.play, event)
    changed: dict[str, Any] = {"play": play}
    if positions:
        dealt = set(positions)
        changed["positions"] = {**desk.positions, **positions}
        changed["drawn"] = max(desk.drawn, *(one + 1 for one in positions.values()))
        changed["waiting"] = tuple(card for card in desk.waiting if card not in dealt)
    elif isinstance(event, IrregularityRuled) and event.irregularity == FACE_UP_CARD and event.card is not None:
        changed["waiting"] = tuple(card for card in desk.waiting if card != event.card)
    if isinstance(event, ActionTaken):  # what was proposed for this question is not to answer the next one
        changed["proposals"] = _without(desk, ActForAbsent, event.seat)
    if isinstance(event, WagersPlaced) and not desk.play.players:
        changed["wagered_at"] = desk.at
        changed["is_order_fixed"] = desk.order is not None
    if play.phase == ASKING and play.seat_asked != desk.play.seat_asked:
        changed["asked_at"] = desk.at
    if play.phase == OVER:
        changed["ended_at"] = desk.at
    if isinstance(event, MeterAwaited | PayoutAwaited):
        # What comes to light when the floor validates one payout is still the claim of the dealer who settled.
        changed["claimed_by"] = actor if actor == desk.lease.holder else desk.claimed_by
    if isinstance(event, IrregularityRuled) and event.irregularity == PLAYER_LEFT and event.seat is not None:
        player = desk.play.players[event.seat]
        changed["gone"] = desk.gone if player in desk.gone else (*desk.gone, player)
    if desk.trouble is not None and not desk.trouble.incident and _is_ruled(desk.trouble, event, play):
        # As records were written before each report was answered by an entry of its own.
        changed["trouble"] = None
        changed["asked_at"] = desk.at  # nobody could answer while the round was stopped
    return desk._replace(**changed)


def _is_ruled(trouble: Trouble, event: PlayEvent, play: Round) -> bool:
    if play.phase == OVER or (trouble.seat is not None and play.status.get(trouble.seat, OUT) == OUT):
        return True
    return isinstance(event, IrregularityRuled) and event.irregularity == trouble.irregularity


def after_cards(desk: Desk, event: CardsEvent) -> Desk:
    """Return the table after an event of its cards."""
    assert desk.cards is not None, "a submission is in force"
    desk = desk._replace(cards=evolve_cards(desk.cards, event))
    if isinstance(event, CardsSpread):
        desk = desk._replace(stood_idle=False)
    return desk._replace(orders=_orders_after(desk, event)) if desk.orders else desk


def _orders_after(desk: Desk, event: CardsEvent) -> dict[str, Order]:
    assert desk.cards is not None
    orders = dict(desk.orders)
    match event:
        case DeckShuffled(deck=name):
            orders.pop(name, None)
        case DeckCut(deck=name, cards=cards) if name in orders:
            orders[name] = orders[name].cut(cards)
    return {deck.name: orders[deck.name] for deck in desk.cards.decks if deck.stage in IN_ORDER and deck.name in orders}


def after_house(desk: Desk, event: happened.Event, reading: Reading, actor: str, role: str) -> Desk:
    """Return the table after an event of its own."""
    match event:
        case happened.SubmissionActivated():
            return _under(desk, reading.read_terms(event.document))
        case happened.TableOpened():
            return desk._replace(is_open=True, counted=desk.head.sequence, empty_since=desk.at)
        case happened.TrayCounted():
            return desk._replace(counted=desk.head.sequence)
        case happened.TableClosed():
            return desk._replace(is_open=False)
        case leases.LeaseTaken() | leases.LeaseRenewed() | leases.LeaseReleased() | leases.LeaseWithdrawn():
            return desk._replace(lease=leases.evolve(desk.lease, event))
        case happened.SeatTaken():
            return _present(desk, event.player)._replace(
                seats={**desk.seats, event.seat: event.player},
                given_up=tuple(seat for seat in desk.given_up if seat != event.seat),  # by whoever had it before
                stood_idle=_stood_idle(desk),
            )
        case happened.SeatLeft():
            seated = {seat: who for seat, who in desk.seats.items() if seat != event.seat}
            return desk._replace(seats=seated, empty_since=desk.empty_since if seated else desk.at)
        case happened.PlayerReturned():
            return _present(desk, event.player)
        case happened.SeatGivenUp():
            return desk._replace(given_up=(*desk.given_up, event.seat))
        case happened.RoundBegun():
            assert desk.cards is not None, "a submission is in force"
            return desk._replace(
                play=open_round(rules_now(desk.cards)),
                round=event.round,
                last_round=desk.round or desk.last_round,
                key=event.key,
                rounds=event.number,
                begun=(*desk.begun, desk.at)[-ROUNDS_TIMED:],
                in_round=True,
                drawn=0,
                positions={},
                waiting=(),
                order=None,
                is_order_fixed=False,
                given_up=(),
                gone=(),
                chips_found=None,
                claimed_by="",
            )
        case happened.DeckCommitted():
            return _committed(desk, event)
        case happened.OrderFixed():
            return desk._replace(order=desk.orders[event.deck])
        case happened.CardRead():
            card = reading.opener(desk.round, desk.key).open(event.position, event.sealed)
            return desk._replace(
                waiting=(*desk.waiting, card),
                drawn=event.position + 1,
                positions={**desk.positions, card: event.position},
            )
        case happened.ReadCorrected():
            right = reading.opener(desk.round, desk.key).open(event.position, event.sealed)
            was = next(card for card, place in desk.positions.items() if place == event.position)
            read = {right if card == was else card: place for card, place in desk.positions.items()}
            waiting = tuple(right if card == was else card for card in desk.waiting)
            return desk._replace(positions=read, waiting=waiting)
        case happened.ReadsForgotten():
            known = {card: place for card, place in desk.positions.items() if place not in event.positions}
            play = desk.play._replace(dealt_next=()) if desk.play is not None else None
            return desk._replace(waiting=(), positions=known, play=play)
        case happened.ChipsCounted():
            return desk._replace(chips_found=event.chips if event.chips != event.wagers else None)
        case happened.IrregularityReported():
            return desk._replace(trouble=_reported(desk, event, reading, actor, role))
        case happened.IncidentAnswered():
            # Nobody could answer or wager while the table was held.
            return desk._replace(trouble=None, asked_at=desk.at, wagered_at=desk.at if desk.wagered_at else 0)
        case happened.DisputeReported():
            return desk._replace(dispute=Dispute(event.dispute, event.seats, event.note, actor, desk.at))
        case happened.DisputeResolved():
            # Another answer that was proposed is not to fall upon the next dispute.
            return desk._replace(dispute=None, proposals=_without(desk, ResolveDispute), play=_corrected(desk, event))
        case happened.Corrected():
            return desk._replace(corrected=(*desk.corrected, event.entry))
        case happened.RoundEnded():
            # What was proposed for this round is not to fall upon the next one.
            left = {name: one for name, one in desk.proposals.items() if one.command["kind"] not in OF_PLAY}
            # A report that has a name is answered before its round can end.
            trouble = desk.trouble if desk.trouble is not None and desk.trouble.incident else None
            return desk._replace(
                in_round=False, waiting=(), trouble=trouble, chips_found=None, proposals=left, **_order_used(desk)
            )
        case happened.Proposed():
            waits = Proposal(event.command, actor, role, event.token, event.until)
            return desk._replace(proposals={**desk.proposals, event.proposal: waits})
        case happened.Declined() | happened.Confirmed():
            left = {name: one for name, one in desk.proposals.items() if name != event.proposal}
            return desk._replace(proposals=left)
        case _:
            return desk  # money alone, which the postings move


def _present(desk: Desk, player: str) -> Desk:
    if player not in desk.gone:
        return desk
    asked = desk.play.seat_asked if desk.play is not None else None
    is_asked = desk.play is not None and asked is not None and desk.play.players[asked] == player
    left = tuple(other for other in desk.gone if other != player)
    return desk._replace(gone=left, asked_at=desk.at if is_asked else desk.asked_at)


def _corrected(desk: Desk, event: happened.DisputeResolved) -> Round | None:
    # What a dispute found in the rack is what the next one about the same round begins with.
    if desk.play is None:
        return None
    places = {str(place): place for place in desk.play.cards}
    return with_cards(desk.play, {places[name]: tuple(map(Card, held)) for name, held in event.cards.items()})


def _without(desk: Desk, kind: type, seat: int | None = None) -> dict[str, Proposal]:
    def is_kept(command: Mapping[str, Any]) -> bool:
        return command["kind"] != kind.__name__ or seat not in (None, command.get("seat"))

    return {name: proposal for name, proposal in desk.proposals.items() if is_kept(proposal.command)}


def _reported(desk: Desk, event: happened.IrregularityReported, reading: Reading, actor: str, role: str) -> Trouble:
    card, written = None, event.card
    if written is not None and "sealed" in written:
        card = reading.opener(desk.round, desk.key).open(written["position"], written["sealed"])
    elif written is not None:
        card = Card(written["card"])
    return Trouble(
        event.irregularity, event.seat, event.by_clause, event.incident, actor, role, desk.at, card, event.other_deck
    )


def _committed(desk: Desk, event: happened.DeckCommitted) -> Desk:
    name, key = event.shuffle or event.round, event.sealed_order.partition(".")[0]
    order = Order(name, key, event.sealed_order, event.commitments)
    if not event.round:
        return desk._replace(orders={**desk.orders, event.deck: order})
    assert desk.cards is not None, "a submission is in force"
    dealt_from = desk.cards.round.deck if desk.cards.round is not None else ""
    return desk._replace(order=order, orders={**desk.orders, dealt_from: order})


def _order_used(desk: Desk) -> dict[str, Any]:
    # One order serves one round: its cards, or that nobody staked on them, may have been seen.
    if desk.order is None:
        return {}
    left = {deck: order for deck, order in desk.orders.items() if order.shuffle != desk.order.shuffle}
    return {"order": desk.order._replace(sealed=""), "orders": left}


def _stood_idle(desk: Desk) -> bool:
    # Cards that lie spread, or are still being opened, are shown to the first player anyway.
    decks = desk.cards.decks if desk.cards is not None else ()
    if desk.seats or desk.terms is None or not decks or any(deck.stage == OPENING for deck in decks):
        return desk.stood_idle
    return desk.stood_idle or desk.at - desk.empty_since >= desk.terms.pace.idle_ms


def _under(desk: Desk, terms: TableTerms) -> Desk:
    # The last round was played by other rules and is in the record; a deck that was taken away does not come back.
    cards = new_table(terms.settings)
    if desk.cards is not None:
        cards = replace(cards, removed=desk.cards.removed)
    last = desk.round or desk.last_round
    return desk._replace(
        terms=terms, cards=cards, play=None, round="", last_round=last, positions={}, order=None, orders={}
    )
