"""What a round at a live table does with its linked progressive."""

from pitboss.house.compliance.filed_meters import check_agreement
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import hand_pays
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import ChipsCounted, ContributionPaid
from pitboss.house.money import transfers
from pitboss.house.people import house_rules as rule
from pitboss.house.progressive import Play, Stake, link_of, tray_cents
from pitboss.house.progressive import commands as of_meters
from pitboss.round import commands as play
from pitboss.round.events import VOIDED
from pitboss.round.state import Round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal


def open_play(writer: EventWriter) -> Refusal | None:
    """Register the round with the meters at its first progressive wager, so that their terms stay fixed from now."""
    if not _stakes(writer):
        return None
    live, rules = writer.live, _rules(writer)
    wanted = link_of(live.table, rules)
    linked = writer.meters.links.get(live.table) if writer.meters is not None else None
    if wanted is None or linked is None or (linked.wager, linked.meters) != (wanted.wager, wanted.meters):
        reason = "This table isn't linked to the progressive its paytable needs. Link it first"
        return Refusal(reason, rules.game.wagers_by_name[_wager(writer)].cite, _wager(writer))
    if _play(writer) is not None:
        return None
    assert live.terms is not None
    assert writer.meters is not None
    refusal = check_agreement(live.table, live.terms, writer.meters)
    if refusal:
        return refusal.at(_wager(writer))
    return _asked(writer, of_meters.OpenPlay(at=writer.means.at, table=live.table, round=live.round))


def count(writer: EventWriter, chips: int | None) -> Refusal | None:
    """Lock the meters, count the chips against the wagers, and feed the meters if they agree."""
    play = _play(writer)
    if play is None:
        return None
    live, at, stakes = writer.live, writer.means.at, _stakes(writer)
    assert writer.meters is not None
    clause = writer.meters.links[live.table].mismatch_clause
    if chips is not None and chips < 0:
        return Refusal(f"{chips} isn't a number of chips", clause, "progressive_chips")
    if chips is None and (live.chips_found is not None or (stakes and _has_chips(writer))):
        return Refusal("Enter how many progressive chips were counted", clause, "progressive_chips")
    if not play.is_locked:
        refusal = _asked(writer, of_meters.LockOut(at=at, table=live.table, round=live.round))
        if refusal:
            return refusal
    if chips is not None:
        writer.house(ChipsCounted(chips=chips, wagers=len(stakes)), clause=clause)
        if chips != len(stakes):
            return None  # the deal waits until the seat with the missing chip is found
    refusal = _bank(writer)
    if refusal:
        return refusal
    return _asked(
        writer,
        of_meters.TakeContributions(at=at, table=live.table, round=live.round, stakes=stakes, chips_counted=chips),
    )


def _bank(writer: EventWriter) -> Refusal | None:
    state = writer.live.play
    assert state is not None
    progressive = state.rules.game.progressive
    is_banked = progressive is not None and state.rules.choices.dealing in progressive.bank_cites
    return writer.play(play.BankStakes()) if is_banked and _stakes(writer) else None


def waits_for_count(writer: EventWriter) -> Refusal | None:
    """Return why nothing is dealt before the progressive chips match the wagers, or None."""
    found = writer.live.chips_found
    if found is None:
        return None
    assert writer.meters is not None
    reason = (
        f"{found} progressive chips were counted but {len(_stakes(writer))} wagers were accepted. Report the "
        "seat or recount"
    )
    return Refusal(reason, writer.meters.links[writer.live.table].mismatch_clause, "progressive_chips")


def take_off(writer: EventWriter, seat: int) -> Refusal | None:
    """Take a returned wager off the meters, or feed them now if the chips match without it."""
    play, live = _play(writer), writer.live
    if play is None:
        return None
    if play.is_counted:
        off = of_meters.ReturnWager(
            at=writer.means.at, table=live.table, round=live.round, seat=seat, by=writer.means.actor
        )
        return _asked(writer, off)
    if live.chips_found is not None and live.chips_found == len(_stakes(writer)):
        return count(writer, live.chips_found)
    return None


def validate(writer: EventWriter, command: asked.ValidateMeter) -> Refusal | None:
    """Pay the meter that a seat waits for, at the value it shows at this player's turn."""
    live, means = writer.live, writer.means
    assert live.play is not None
    waiting = live.play.meter
    if live.play.payout is not None and live.play.payout.progressive:
        return verify(writer, command)
    if waiting is None:
        return Refusal("No progressive payout is waiting for validation", rule.METERS)
    refusal = _check_second_look(writer) or hand_pays.check_forms(writer)
    if refusal:
        return refusal
    assert means.second is not None, "a progressive payout takes two people"
    assert writer.meters is not None, "a wager that draws on a meter was fed to it"
    validated_by = writer.supervisor
    claimed_by = means.second if validated_by == means.actor else means.actor
    if waiting.meter not in writer.meters.meters:
        return Refusal(f"The progressive has no meter named {waiting.meter}", waiting.clause)
    shown = writer.meters.meters[waiting.meter].shown_cents
    seat = waiting.seat
    paid = writer.progressive(
        of_meters.PayHit(
            at=means.at,
            table=live.table,
            round=live.round,
            seat=seat,
            player=live.play.players[seat],
            meter=waiting.meter,
            percent=waiting.percent,
            hand=live.play.hands.get(seat, ""),
            claimed_by=claimed_by,
            validated_by=validated_by,
            clause=waiting.clause,
        )
    )
    if isinstance(paid, Refusal):
        return paid
    envied = len(live.play.envy)
    hand_pays.note_paid(writer)
    return writer.play(play.PayMeter(command.seat, shown, validated_by)) or note_envy(writer, envied)


def verify(writer: EventWriter, command: asked.ValidateMeter | asked.ValidatePayout) -> Refusal | None:
    """Pay what a hand waits for, once a floorperson has verified it."""
    state = writer.live.play
    assert state is not None
    if state.payout is None:
        clause = rule.METERS if state.meter is not None else rule.PAYOUTS
        waits = ". Use ValidateMeter for the progressive payout" if state.meter is not None else ""
        return Refusal(f"No payout is waiting for verification{waits}", clause)
    assert writer.means.second is not None, "a payout that waits takes two people"
    refusal = _check_second_look(writer) or hand_pays.check_forms(writer)
    if refusal:
        return refusal
    envied = len(state.envy)
    hand_pays.note_paid(writer)
    return writer.play(play.ValidatePayout(command.seat, writer.supervisor)) or note_envy(writer, envied)


def _check_second_look(writer: EventWriter) -> Refusal | None:
    # A floorperson who let the dealer enter the cards can't be the second look at them.
    if writer.supervisor in writer.live.keyboard_by:
        reason = "You switched keyboard entry on here, so another floorperson has to verify this payout"
        return Refusal(reason, rule.CARD_READERS, "by")
    return None


def note_envy(writer: EventWriter, known: int) -> Refusal | None:
    """Record with the progressive the envy bonuses that the tray has paid beyond the known ones."""
    live = writer.live
    assert live.play is not None
    if _play(writer) is None:
        return None
    for envy in live.play.envy[known:]:
        refusal = _asked(
            writer,
            of_meters.RecordEnvy(
                at=writer.means.at,
                table=live.table,
                round=live.round,
                seat=envy.seat,
                from_seat=envy.from_seat,
                hand=envy.hand,
                cents=envy.net,
                clause=envy.clause,
            ),
        )
        if refusal:
            return refusal
    return None


def take_back(writer: EventWriter) -> Refusal | None:
    """Undo what the round did to the meters if its progressive wagers were returned."""
    live, open_play = writer.live, _play(writer)
    assert live.play is not None
    if open_play is None or not _given_back(live.play):
        return None
    return take_all_back(writer, live.play.only_clause or live.play.rules.game.bets.cite)


def is_in_play(writer: EventWriter) -> bool:
    """Say whether the round is still open for the progressive."""
    return _play(writer) is not None


def take_all_back(writer: EventWriter, clause: str, seats: tuple[int, ...] = ()) -> Refusal | None:
    """Undo everything that the round, or these seats of it, did to the meters."""
    live, open_play = writer.live, _play(writer)
    if open_play is None or not _has_moved(open_play):
        return None
    return _asked(
        writer,
        of_meters.TakeBack(
            at=writer.means.at,
            table=live.table,
            round=live.round,
            by=writer.means.actor,
            second=writer.means.second or "",
            clause=clause,
            seats=seats,
        ),
    )


def close_play(writer: EventWriter) -> Refusal | None:
    """End the round with the progressive."""
    if _play(writer) is None:
        return None
    live = writer.live
    return _asked(writer, of_meters.ClosePlay(at=writer.means.at, table=live.table, round=live.round))


def _asked(writer: EventWriter, command: of_meters.Command) -> Refusal | None:
    answer = writer.progressive(command)
    if isinstance(answer, Refusal):
        return answer if answer.clause else Refusal(answer.reason, rule.METERS, answer.field)
    # Not the change of the pool: another table may have hit the meters in the meantime.
    cents = tray_cents(answer)
    if not cents:
        return None
    assert writer.meters is not None
    moved = transfers.contribution(writer.live.table, writer.meters.name, cents)
    return writer.house(ContributionPaid(progressive=writer.meters.name, cents=cents), moved)


def _rules(writer: EventWriter) -> RulesInForce:
    assert writer.live.play is not None
    return writer.live.play.rules


def _wager(writer: EventWriter) -> str:
    progressive = _rules(writer).game.progressive
    assert progressive is not None
    return progressive.wager


def _has_chips(writer: EventWriter) -> bool:
    # In free or electronic play a device takes the wager and does the counting.
    assert writer.live.terms is not None
    return not (writer.live.terms.settings.free_play or writer.live.terms.settings.electronic)


def _stakes(writer: EventWriter) -> tuple[Stake, ...]:
    state = writer.live.play
    assert state is not None
    progressive = state.rules.game.progressive
    if progressive is None or not state.rules.draws_on_meter(progressive.wager):
        return ()
    return tuple(Stake(seat, cents) for (seat, wager), cents in state.stakes.items() if wager == progressive.wager)


def _play(writer: EventWriter) -> Play | None:
    found = writer.meters.plays.get(writer.live.table) if writer.meters is not None else None
    return found if found is not None and found.round == writer.live.round else None


def _has_moved(play: Play) -> bool:
    return bool(play.fed or play.envy_cents) or any(not hit.is_reversed for hit in play.hits)


def _given_back(state: Round) -> bool:
    progressive = state.rules.game.progressive
    assert progressive is not None
    if state.outcome == VOIDED:
        return True
    return state.only is not None and progressive.wager not in state.only
