"""What a round at a running table has to do with the progressive it is linked to."""

from collections.abc import Iterable

from pitboss.house import transfers
from pitboss.house.desk import commands as asked
from pitboss.house.desk.events import ContributionPaid
from pitboss.house.desk.pen import Pen
from pitboss.house.progressive import Play, Stake
from pitboss.house.progressive import commands as of_meters
from pitboss.round import commands as play
from pitboss.round.state import Round
from pitboss.rules.refusal import Refusal


def contribute(pen: Pen, chips_counted: int | None) -> Refusal | None:
    """Feed the meters with the progressive wagers of the round, once no more bets was called."""
    stakes = _stakes(pen)
    if not stakes:
        return None
    desk, at = pen.desk, pen.means.at
    if pen.meters is None:
        return Refusal("This table takes progressive wagers and is linked to no meters; link it first")
    before = pen.meters.pool_cents
    for command in (
        of_meters.OpenPlay(at=at, table=desk.table, round=desk.round),
        of_meters.LockOut(at=at, table=desk.table, round=desk.round),
        of_meters.TakeContributions(
            at=at, table=desk.table, round=desk.round, stakes=stakes, chips_counted=chips_counted
        ),
    ):
        answer = pen.progressive(command)
        if isinstance(answer, Refusal):
            return answer
    return _from_tray(pen, before)


def validate(pen: Pen, command: asked.ValidateMeter) -> Refusal | None:
    """Pay the meter that a seat waits for, at the value it shows at this player's turn."""
    desk, means = pen.desk, pen.means
    assert desk.play is not None
    waiting = desk.play.meter
    if waiting is None:
        return Refusal("No progressive payout waits to be validated")
    assert means.second is not None, "a progressive payout takes two people"
    assert pen.meters is not None, "a wager that draws on a meter was fed to it"
    if waiting.meter not in pen.meters.meters:
        return Refusal(f"The progressive has no meter {waiting.meter}")
    shown = pen.meters.meters[waiting.meter].shown_cents
    seat = waiting.seat
    paid = pen.progressive(
        of_meters.PayHit(
            at=means.at,
            table=desk.table,
            round=desk.round,
            seat=seat,
            player=desk.play.players[seat],
            meter=waiting.meter,
            percent=waiting.percent,
            hand=desk.play.hands.get(seat, ""),
            claimed_by=means.second,
            validated_by=means.actor,
            clause=waiting.clause,
        )
    )
    if isinstance(paid, Refusal):
        return paid
    envied = len(desk.play.envy)
    return pen.play(play.PayMeter(command.seat, shown, means.actor)) or note_envy(pen, envied)


def note_envy(pen: Pen, known: int = 0) -> Refusal | None:
    """Note with the progressive the bonuses that the tray has just paid."""
    desk = pen.desk
    assert desk.play is not None
    for one in desk.play.envy[known:]:
        answer = pen.progressive(
            of_meters.RecordEnvy(
                at=pen.means.at,
                table=desk.table,
                round=desk.round,
                seat=one.seat,
                from_seat=one.from_seat,
                hand=one.hand,
                cents=one.net,
                clause=one.clause,
            )
        )
        if isinstance(answer, Refusal):
            return answer
    return None


def take_back(pen: Pen) -> Refusal | None:
    """Undo what the round did to the meters where its progressive wagers were given back."""
    desk, open_play = pen.desk, _play(pen)
    assert desk.play is not None
    if open_play is None or not _given_back(desk.play, open_play.stakes):
        return None
    assert pen.meters is not None
    before = pen.meters.pool_cents
    paid_back = sum(hit.paid_cents - hit.from_house_cents for hit in open_play.hits if not hit.is_reversed)
    clause = desk.play.only_clause or desk.play.rules.game.bets.cite
    answer = pen.progressive(
        of_meters.TakeBack(
            at=pen.means.at,
            table=desk.table,
            round=desk.round,
            by=pen.means.actor,
            second=pen.means.second or "",
            clause=clause,
        )
    )
    return answer if isinstance(answer, Refusal) else _from_tray(pen, before + paid_back)


def close_play(pen: Pen) -> Refusal | None:
    """End the round with the progressive."""
    if _play(pen) is None:
        return None
    desk = pen.desk
    answer = pen.progressive(of_meters.ClosePlay(at=pen.means.at, table=desk.table, round=desk.round))
    return answer if isinstance(answer, Refusal) else None


def _stakes(pen: Pen) -> tuple[Stake, ...]:
    state = pen.desk.play
    assert state is not None
    progressive = state.rules.game.progressive
    if progressive is None or not state.rules.draws_on_meter(progressive.wager):
        return ()
    return tuple(Stake(seat, cents) for (seat, wager), cents in state.stakes.items() if wager == progressive.wager)


def _play(pen: Pen) -> Play | None:
    found = pen.meters.plays.get(pen.desk.table) if pen.meters is not None else None
    return found if found is not None and found.round == pen.desk.round else None


def _given_back(state: Round, stakes: Iterable[Stake]) -> bool:
    progressive = state.rules.game.progressive
    assert progressive is not None
    if state.outcome == "void":
        return True
    return state.only is not None and progressive.wager not in state.only


def _from_tray(pen: Pen, before_cents: int) -> Refusal | None:
    assert pen.meters is not None
    change = pen.meters.pool_cents - before_cents
    if not change:
        return None
    moved = transfers.contribution(pen.desk.table, pen.meters.name, change)
    return pen.house(ContributionPaid(progressive=pen.meters.name, cents=change), moved)
