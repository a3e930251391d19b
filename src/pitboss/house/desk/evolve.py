"""What an entry does to a running table; no rule is asked here, only followed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from pitboss.cards.deck import Card
from pitboss.house.desk import events as happened
from pitboss.house.desk.commands import OfPlay
from pitboss.house.desk.sealing import POSTINGS, Opener, opened
from pitboss.house.desk.state import ROUNDS_TIMED, Desk, Proposal, Trouble
from pitboss.house.desk.terms import ReadTerms, TableTerms
from pitboss.house.desk.till import moved
from pitboss.house.people import leases
from pitboss.house.record import Entry, head_of
from pitboss.round import evolve as evolve_play
from pitboss.round import open_round
from pitboss.round.events import Event as PlayEvent
from pitboss.round.events import IrregularityRuled, MeterAwaited, WagersPlaced
from pitboss.round.state import ASKING, OUT, OVER, Round
from pitboss.rules.irregularity import FACE_UP_CARD, PLAYER_LEFT
from pitboss.table import evolve as evolve_cards
from pitboss.table import new_table
from pitboss.table.conditions import rules_now
from pitboss.table.events import Event as CardsEvent
from pitboss.table.record import event_from_dict

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
    if isinstance(event, WagersPlaced) and not desk.play.players:
        changed["wagered_at"] = desk.at
    if play.phase == ASKING and play.seat_asked != desk.play.seat_asked:
        changed["asked_at"] = desk.at
    if play.phase == OVER:
        changed["ended_at"] = desk.at
    if isinstance(event, MeterAwaited):
        changed["claimed_by"] = actor
    if isinstance(event, IrregularityRuled) and event.irregularity == PLAYER_LEFT and event.seat is not None:
        player = desk.play.players[event.seat]
        changed["gone"] = desk.gone if player in desk.gone else (*desk.gone, player)
    if desk.trouble is not None and _is_ruled(desk.trouble, event, play):
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
    return desk._replace(cards=evolve_cards(desk.cards, event))


def after_house(desk: Desk, event: happened.Event, reading: Reading, actor: str, role: str) -> Desk:
    """Return the table after an event of its own."""
    match event:
        case happened.SubmissionActivated():
            return _under(desk, reading.read_terms(event.document))
        case happened.TableOpened():
            return desk._replace(is_open=True, counted=desk.head.sequence)
        case happened.TrayCounted():
            return desk._replace(counted=desk.head.sequence)
        case happened.TableClosed():
            return desk._replace(is_open=False)
        case leases.LeaseTaken() | leases.LeaseRenewed() | leases.LeaseReleased() | leases.LeaseWithdrawn():
            return desk._replace(lease=leases.evolve(desk.lease, event))
        case happened.SeatTaken():
            return desk._replace(seats={**desk.seats, event.seat: event.player})
        case happened.SeatLeft():
            return desk._replace(seats={seat: who for seat, who in desk.seats.items() if seat != event.seat})
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
                commitments=(),
                sealed_order="",
                trouble=None,
                gone=(),
                chips_found=None,
                claimed_by="",
            )
        case happened.DeckCommitted():
            return desk._replace(commitments=event.commitments, sealed_order=event.sealed_order)
        case happened.CardRead():
            card = reading.opener(desk.round, desk.key).open(event.position, event.sealed)
            return desk._replace(
                waiting=(*desk.waiting, card),
                drawn=event.position + 1,
                positions={**desk.positions, card: event.position},
            )
        case happened.ChipsCounted():
            return desk._replace(chips_found=event.chips if event.chips != event.wagers else None)
        case happened.IrregularityReported():
            return desk._replace(trouble=Trouble(event.irregularity, event.seat, event.by_clause))
        case happened.Corrected():
            return desk._replace(corrected=(*desk.corrected, event.entry))
        case happened.RoundEnded():
            # What was proposed for this round is not to fall upon the next one.
            left = {name: one for name, one in desk.proposals.items() if one.command["kind"] not in OF_PLAY}
            return desk._replace(
                in_round=False, waiting=(), sealed_order="", trouble=None, chips_found=None, proposals=left
            )
        case happened.Proposed():
            waits = Proposal(event.command, actor, role, event.token, event.until)
            return desk._replace(proposals={**desk.proposals, event.proposal: waits})
        case happened.Declined() | happened.Confirmed():
            left = {name: one for name, one in desk.proposals.items() if name != event.proposal}
            return desk._replace(proposals=left)
        case _:
            return desk  # money alone, which the postings move


def _under(desk: Desk, terms: TableTerms) -> Desk:
    # The last round was played by other rules and is in the record; a deck that was taken away does not come back.
    cards = new_table(terms.settings)
    if desk.cards is not None:
        cards = replace(cards, removed=desk.cards.removed)
    last = desk.round or desk.last_round
    return desk._replace(terms=terms, cards=cards, play=None, round="", last_round=last, positions={}, commitments=())
