"""What a person may see of a live table, built by allow-list from a type that can't hold a hidden card."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import NamedTuple

from pitboss.cards.deck import Card
from pitboss.house.bots import bot_number
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.live_table.sealed_events import Sealer
from pitboss.house.live_table.state import LiveTable, Trouble
from pitboss.record.entries import digest
from pitboss.round import least_action, offered_actions
from pitboss.round import view as view_of_play
from pitboss.round.events import Outcome
from pitboss.round.state import ASKING, OVER, WAGERING, Phase, Round
from pitboss.round.view import SeatView, ShownCards, WagerCounted, counted, own_cards
from pitboss.rules.dealing import BOARD, BURN, DEALER
from pitboss.rules.play import SeatStatus
from pitboss.rules.settlement import Result


@dataclass(frozen=True, slots=True)
class ResultSeen:
    """How a wager ended."""

    wager: str
    stake: int
    result: Result
    net: int
    odds: str | None
    clause: str
    odds_clause: str | None
    coupon: int = 0  # the face value of a coupon that this result took


@dataclass(frozen=True, slots=True)
class EnvySeen:
    """A bonus that another seat's hand brought."""

    from_seat: int
    hand: str
    net: int
    clause: str


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A betting position as a person sees it."""

    seat: int
    player: str
    stack_cents: int | None  # only the viewer's own
    status: SeatStatus | None
    stakes: Mapping[str, int]
    cards: ShownCards
    discard: str | None
    hand: str | None  # the viewer's own once they see all its cards, another's once it is settled
    results: tuple[ResultSeen, ...]
    envy_cents: int
    acted: tuple[str, ...]  # as called out, in order
    sitting_out: bool  # seated, but not in the current round
    envy: tuple[EnvySeen, ...] = ()
    coupons: Mapping[str, int] = field(default_factory=dict)  # the face values of coupons placed with chips, by wager
    given_up: bool = False  # its player left during the round; others answer for the hand
    bot: int | None = None  # which of the table's bots plays here; None for a person
    counted: tuple[WagerCounted, ...] = ()  # what decided each settled wager; only for the viewer's own seat


@dataclass(frozen=True, slots=True)
class OpenedCard:
    """A visible card, with the salt from the commitment of its deck position."""

    position: int
    card: str
    salt: str


@dataclass(frozen=True, slots=True)
class HeldSeen:
    """A report that holds the table until it is answered."""

    irregularity: str
    seat: int | None
    clause: str | None
    since: int


@dataclass(frozen=True, slots=True)
class LiveTableView:
    """A table as a person sees it."""

    table: str
    sequence: int
    at: int
    game: str | None
    rules: str | None
    is_open: bool
    free_play: bool
    analysis: bool  # its rules are for analysis, which every page must state
    dealer: str | None
    round: int
    round_id: str
    last_round: str | None
    phase: Phase | None
    seats: tuple[SeatSeen, ...]
    cards: Mapping[str, ShownCards]
    dealer_hand: str | None  # once all its cards are face up
    dealer_qualifies: bool | None
    seat_asked: int | None
    until: int | None  # when the table may go on without an answer
    actions: tuple[str, ...]
    at_bell: str | None  # the action taken if the viewer's time runs out, where a clock decides
    outcome: Outcome | None
    commitment: str  # to the order of the whole deck
    opened: tuple[OpenedCard, ...]
    held: HeldSeen | None = None


def version_now(live: LiveTable) -> str | None:
    """Return the version of the rules in force with the limits that the floor set, which make it another one."""
    if live.terms is None:
        return None
    return f"{live.terms.version}-{digest({wager: list(limits) for wager, limits in live.limits.items()})[:8]}"


def view(live: LiveTable, person: str | None, sealer: Sealer | None = None) -> LiveTableView:
    """Return what a person may see, or a spectator for None; a sealer adds the openings of cards."""
    public = public_view(live, sealer)
    own = own_view(public, live, person, sealer)
    seats = tuple(
        replace(seat, **own.seats[seat.seat]._asdict()) if seat.seat in own.seats else seat for seat in public.seats
    )
    return replace(public, **own._replace(seats=seats)._asdict())  # type: ignore[arg-type]


def public_view(live: LiveTable, sealer: Sealer | None = None) -> LiveTableView:
    """Return what anyone may see."""
    play = live.play
    seen = view_of_play(play, ()) if play is not None else None
    terms = live.terms
    hand, qualifies = _dealer(play) if play is not None else (None, None)
    # After a round, hands stay with those who played them until they leave.
    in_play = (
        {
            seen_seat.seat: seen_seat
            for seen_seat in seen.seats
            if live.in_round or live.seats.get(seen_seat.seat) == seen_seat.player
        }
        if seen
        else {}
    )
    return LiveTableView(
        table=live.table,
        sequence=live.head.sequence,
        at=live.at,
        game=terms.settings.game.name if terms else None,
        rules=version_now(live) if live.limits else terms.version if terms else None,
        is_open=live.is_open,
        free_play=bool(terms and terms.settings.free_play),
        analysis=bool(terms and terms.analysis),
        dealer=live.lease.holder,
        round=live.rounds,
        round_id=live.round,
        last_round=live.last_round or None,
        phase=seen.phase if seen and (live.in_round or seen.phase == OVER) else None,  # a round may be called off
        seats=tuple(_seat(live, seat, in_play.get(seat)) for seat in sorted({*live.seats, *in_play})),
        cards=seen.table if seen else {},
        dealer_hand=hand,
        dealer_qualifies=qualifies,
        seat_asked=seen.seat_asked if seen else None,
        until=_until(live),
        actions=(),
        at_bell=None,
        outcome=seen.outcome if seen else None,
        commitment=commitment_of(live.commitments),
        opened=_opened(live, play, sealer) if play is not None and sealer is not None else (),
        held=_held(live.trouble) if live.trouble is not None else None,
    )


class OwnView(NamedTuple):
    """Everything that differs between two people looking at the same table."""

    seats: Mapping[int, "OwnSeat"]  # the viewer's own
    actions: tuple[str, ...]
    at_bell: str | None
    opened: tuple[OpenedCard, ...]


class OwnSeat(NamedTuple):
    """Everything that the player of a seat sees of it in place of what others see."""

    stack_cents: int | None
    cards: ShownCards
    discard: str | None
    hand: str | None
    counted: tuple[WagerCounted, ...]


def own_view(public: LiveTableView, live: LiveTable, person: str | None, sealer: Sealer | None = None) -> OwnView:
    """Return what a person sees in place of the public view; the parts that don't differ are the same objects."""
    if person is None or all(seat.player != person for seat in public.seats):
        return OwnView({}, public.actions, None, public.opened)
    play = live.play
    own = tuple(seat for seat in live.seats_of(person) if play is not None and play.players.get(seat) == person)
    seats = {seat.seat: _own(seat, live, own, person) for seat in public.seats if seat.player == person}
    if play is None:
        return OwnView(seats, public.actions, None, public.opened)
    is_asked = play.seat_asked is not None and play.seat_asked in own and live.trouble is None
    actions = tuple(action.name for action in offered_actions(play)) if is_asked else ()
    has_clock = live.terms is not None and live.terms.automatic
    at_bell = least_action(play).name if is_asked and has_clock else None
    opened = _opened_to(own, public.opened, live, play, sealer) if sealer is not None else public.opened
    return OwnView(seats, actions, at_bell, opened)


def _dealer(play: Round) -> tuple[str | None, bool | None]:
    sizes = play.rules.game.table_cards
    used = [place for place in (DEALER, BOARD) if place in sizes]
    if DEALER not in used or any(play.face_up.get(place, 0) < sizes[place] for place in used):
        return None, None
    read = play.rules.game.readings.dealer(play.table_cards(), play.rules.options)
    return read.hand, read.qualifies


def _seat(live: LiveTable, seat: int, seen: SeatView | None) -> SeatSeen:
    player = live.seats.get(seat) or (seen.player if seen else "")
    if seen is None:
        sits_out = live.in_round and live.play is not None and live.play.phase != WAGERING
        return SeatSeen(
            seat, player, None, None, {}, (), None, None, (), 0, (), sits_out, bot=bot_number(player, live.table)
        )
    assert live.play is not None
    results = tuple(
        ResultSeen(
            ended.wager, ended.stake, ended.result, ended.net, ended.odds, ended.clause, ended.odds_clause, ended.coupon
        )
        for ended in seen.results
    )
    return SeatSeen(
        seat=seat,
        player=player,
        stack_cents=None,
        status=seen.status,
        stakes=seen.stakes,
        cards=seen.cards,
        discard=seen.discard,
        hand=seen.hand,
        results=results,
        envy_cents=seen.envy_cents,
        envy=tuple(EnvySeen(bonus.from_seat, bonus.hand, bonus.net, bonus.clause) for bonus in seen.envy),
        acted=live.play.acted.get(seat, ()),
        sitting_out=False,
        coupons=seen.coupons,
        given_up=live.in_round and seat in live.given_up,
        bot=bot_number(player, live.table),
    )


def _own(seat: SeatSeen, live: LiveTable, own: tuple[int, ...], person: str) -> OwnSeat:
    play, stack_cents = live.play, live.stack_cents(person)
    if play is None or seat.seat not in own:
        return OwnSeat(stack_cents, seat.cards, seat.discard, seat.hand, seat.counted)
    return OwnSeat(stack_cents, *own_cards(play, seat.seat), counted(play, seat.seat))


def _held(trouble: Trouble) -> HeldSeen:
    return HeldSeen(trouble.irregularity, trouble.seat, trouble.clause, trouble.at)


def _until(live: LiveTable) -> int | None:
    if live.terms is None or live.play is None or not live.in_round or live.trouble is not None:
        return None
    if live.play.phase == ASKING:
        return live.asked_at + live.terms.pace.decision_ms
    if live.terms.automatic and live.play.phase == WAGERING and live.play.players:
        return live.wagered_at + live.terms.pace.wagers_ms
    return None


def _opened(live: LiveTable, play: Round, sealer: Sealer) -> tuple[OpenedCard, ...]:
    if not live.commitments:
        return ()
    visible = [card for place in play.cards for card in _visible(play, place)]
    return tuple(
        OpenedCard(position, card, sealer.salt(position))
        for position, card in sorted((live.positions[card], card) for card in visible)
    )


def _opened_to(
    own: tuple[int, ...], public: tuple[OpenedCard, ...], live: LiveTable, play: Round, sealer: Sealer
) -> tuple[OpenedCard, ...]:
    # What everyone sees, and all cards of the viewer's own seats.
    shown = {opened.card for opened in public}
    hidden = [card for seat in own for card in play.cards.get(seat, ()) if card not in shown]
    if not hidden or not live.commitments:
        return public
    mine = [OpenedCard(live.positions[card], card, sealer.salt(live.positions[card])) for card in hidden]
    return tuple(sorted((*public, *mine), key=attrgetter("position")))


def _visible(play: Round, place: int | str) -> tuple[Card, ...]:
    cards = play.cards[place]
    if place == BURN:
        return ()
    shown = cards[: play.face_up.get(place, 0)]
    if not isinstance(place, int):
        return shown
    return tuple(card for card in cards if card != play.discards.get(place)) if shown else ()
