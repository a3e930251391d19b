"""What a round at a running table has to do with the progressive it is linked to."""

from pitboss.house.compliance.filed_meters import check_agreement
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.events import ChipsCounted, ContributionPaid
from pitboss.house.money import transfers
from pitboss.house.people import house_rules as rule
from pitboss.house.progressive import Play, Stake, link_of, tray_cents
from pitboss.house.progressive import commands as of_meters
from pitboss.round import commands as play
from pitboss.round.state import Round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal


def open_play(pen: Pen) -> Refusal | None:
    """Let the meters know of the round's first progressive wager, so that their terms stand still from now on."""
    if not _stakes(pen):
        return None
    desk, rules = pen.desk, _rules(pen)
    wanted = link_of(desk.table, rules)
    linked = pen.meters.links.get(desk.table) if pen.meters is not None else None
    if wanted is None or linked is None or (linked.wager, linked.meters) != (wanted.wager, wanted.meters):
        reason = "This table's progressive wager is linked to no meters of its paytable; link the table first"
        return Refusal(reason, rules.game.wagers_by_name[_wager(pen)].cite, _wager(pen))
    if _play(pen) is not None:
        return None
    assert desk.terms is not None
    assert pen.meters is not None
    refusal = check_agreement(desk.table, desk.terms, pen.meters)
    if refusal:
        return refusal.at(_wager(pen))
    return _asked(pen, of_meters.OpenPlay(at=pen.means.at, table=desk.table, round=desk.round))


def count(pen: Pen, chips: int | None) -> Refusal | None:
    """Lock the meters, count the chips against the wagers, and feed the meters where they agree."""
    play = _play(pen)
    if play is None:
        return None
    desk, at, stakes = pen.desk, pen.means.at, _stakes(pen)
    assert pen.meters is not None
    clause = pen.meters.links[desk.table].mismatch_clause
    if chips is not None and chips < 0:
        return Refusal(f"Nobody counts {chips} chips", clause, "progressive_chips")
    if chips is None and (desk.chips_found is not None or (stakes and _has_chips(pen))):
        return Refusal("Say how many progressive chips were counted", clause, "progressive_chips")
    if not play.is_locked:
        refusal = _asked(pen, of_meters.LockOut(at=at, table=desk.table, round=desk.round))
        if refusal:
            return refusal
    if chips is not None:
        pen.house(ChipsCounted(chips=chips, wagers=len(stakes)), clause=clause)
        if chips != len(stakes):
            return None  # the deal waits until the seat is found whose chip is missing
    refusal = _bank(pen)
    if refusal:
        return refusal
    return _asked(
        pen,
        of_meters.TakeContributions(at=at, table=desk.table, round=desk.round, stakes=stakes, chips_counted=chips),
    )


def _bank(pen: Pen) -> Refusal | None:
    state = pen.desk.play
    assert state is not None
    progressive = state.rules.game.progressive
    is_banked = progressive is not None and state.rules.choices.dealing in progressive.bank_cites
    return pen.play(play.BankStakes()) if is_banked and _stakes(pen) else None


def waits_for_count(pen: Pen) -> Refusal | None:
    """Return why nothing is dealt before the progressive chips agree with the wagers, or None."""
    found = pen.desk.chips_found
    if found is None:
        return None
    assert pen.meters is not None
    reason = (
        f"{found} progressive chips were counted and {len(_stakes(pen))} wagers accepted; report the seat or recount"
    )
    return Refusal(reason, pen.meters.links[pen.desk.table].mismatch_clause, "progressive_chips")


def take_off(pen: Pen, seat: int) -> Refusal | None:
    """Take a returned wager off the meters, or feed them now where the chips agree without it."""
    play, desk = _play(pen), pen.desk
    if play is None:
        return None
    if play.is_counted:
        off = of_meters.ReturnWager(at=pen.means.at, table=desk.table, round=desk.round, seat=seat, by=pen.means.actor)
        return _asked(pen, off)
    if desk.chips_found is not None and desk.chips_found == len(_stakes(pen)):
        return count(pen, desk.chips_found)
    return None


def validate(pen: Pen, command: asked.ValidateMeter) -> Refusal | None:
    """Pay the meter that a seat waits for, at the value it shows at this player's turn."""
    desk, means = pen.desk, pen.means
    assert desk.play is not None
    waiting = desk.play.meter
    if desk.play.payout is not None and desk.play.payout.progressive:
        return verify(pen, command)
    if waiting is None:
        return Refusal("No progressive payout waits to be validated", rule.METERS)
    assert means.second is not None, "a progressive payout takes two people"
    assert pen.meters is not None, "a wager that draws on a meter was fed to it"
    validated_by = pen.supervisor
    claimed_by = means.second if validated_by == means.actor else means.actor
    if waiting.meter not in pen.meters.meters:
        return Refusal(f"The progressive has no meter {waiting.meter}", waiting.clause)
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
            claimed_by=claimed_by,
            validated_by=validated_by,
            clause=waiting.clause,
        )
    )
    if isinstance(paid, Refusal):
        return paid
    envied = len(desk.play.envy)
    return pen.play(play.PayMeter(command.seat, shown, validated_by)) or note_envy(pen, envied)


def verify(pen: Pen, command: asked.ValidateMeter | asked.ValidatePayout) -> Refusal | None:
    """Pay what a hand waits for, once a floorperson has verified it."""
    state = pen.desk.play
    assert state is not None
    if state.payout is None:
        clause = rule.METERS if state.meter is not None else rule.PAYOUTS
        waits = "; the progressive payout is validated with ValidateMeter" if state.meter is not None else ""
        return Refusal(f"No payout waits to be verified{waits}", clause)
    assert pen.means.second is not None, "a payout that waits takes two people"
    envied = len(state.envy)
    return pen.play(play.ValidatePayout(command.seat, pen.supervisor)) or note_envy(pen, envied)


def note_envy(pen: Pen, known: int) -> Refusal | None:
    """Note with the progressive the bonuses that the tray has paid beyond those that are known."""
    desk = pen.desk
    assert desk.play is not None
    if _play(pen) is None:
        return None
    for one in desk.play.envy[known:]:
        refusal = _asked(
            pen,
            of_meters.RecordEnvy(
                at=pen.means.at,
                table=desk.table,
                round=desk.round,
                seat=one.seat,
                from_seat=one.from_seat,
                hand=one.hand,
                cents=one.net,
                clause=one.clause,
            ),
        )
        if refusal:
            return refusal
    return None


def take_back(pen: Pen) -> Refusal | None:
    """Undo what the round did to the meters where its progressive wagers were given back."""
    desk, open_play = pen.desk, _play(pen)
    assert desk.play is not None
    if open_play is None or not _given_back(desk.play):
        return None
    return take_all_back(pen, desk.play.only_clause or desk.play.rules.game.bets.cite)


def is_in_play(pen: Pen) -> bool:
    """Say whether the progressive still knows the round as open."""
    return _play(pen) is not None


def take_all_back(pen: Pen, clause: str, seats: tuple[int, ...] = ()) -> Refusal | None:
    """Undo everything that the round, or these seats of it, did to the meters."""
    desk, open_play = pen.desk, _play(pen)
    if open_play is None or not _has_moved(open_play):
        return None
    return _asked(
        pen,
        of_meters.TakeBack(
            at=pen.means.at,
            table=desk.table,
            round=desk.round,
            by=pen.means.actor,
            second=pen.means.second or "",
            clause=clause,
            seats=seats,
        ),
    )


def close_play(pen: Pen) -> Refusal | None:
    """End the round with the progressive."""
    if _play(pen) is None:
        return None
    desk = pen.desk
    return _asked(pen, of_meters.ClosePlay(at=pen.means.at, table=desk.table, round=desk.round))


def _asked(pen: Pen, command: of_meters.Command) -> Refusal | None:
    answer = pen.progressive(command)
    if isinstance(answer, Refusal):
        return answer if answer.clause else Refusal(answer.reason, rule.METERS, answer.field)
    # Not the change of the pool: another table may have hit the meters meanwhile.
    cents = tray_cents(answer)
    if not cents:
        return None
    assert pen.meters is not None
    moved = transfers.contribution(pen.desk.table, pen.meters.name, cents)
    return pen.house(ContributionPaid(progressive=pen.meters.name, cents=cents), moved)


def _rules(pen: Pen) -> RulesInForce:
    assert pen.desk.play is not None
    return pen.desk.play.rules


def _wager(pen: Pen) -> str:
    progressive = _rules(pen).game.progressive
    assert progressive is not None
    return progressive.wager


def _has_chips(pen: Pen) -> bool:
    # Where play is free, or electronic, a device takes the wager and counts by itself.
    assert pen.desk.terms is not None
    return not (pen.desk.terms.settings.free_play or pen.desk.terms.settings.electronic)


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


def _has_moved(play: Play) -> bool:
    return bool(play.fed or play.envy_cents) or any(not hit.is_reversed for hit in play.hits)


def _given_back(state: Round) -> bool:
    progressive = state.rules.game.progressive
    assert progressive is not None
    if state.outcome == "void":
        return True
    return state.only is not None and progressive.wager not in state.only
