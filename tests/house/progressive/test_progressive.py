"""Progressive meters: fed to the fraction of a cent, locked, counted, hit in turn, reset, reversed, changed by two."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from house.metered import NAME, ONE_METER, TWO_METERS, Metered, claim, link, staked
from pitboss.games import catalogue
from pitboss.house.progressive import MeterTerms, ProgressiveState, link_of, may_wager, tray_cents
from pitboss.house.progressive import commands as asked
from pitboss.house.progressive import events as happened
from pitboss.house.progressive.meter import GROWTH_POINTS, Point
from pitboss.house.progressive.meter_terms import faults
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import METHODS
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import PROGRESSIVE_MISMATCH
from pitboss.rules.wager import meter_payment
from round.played import GAMES, own_table

HOUR = 3_600_000


def test_a_meter_opens_at_its_initial_amount_from_the_houses_money() -> None:
    metered = Metered.open(*TWO_METERS)
    assert metered.state.shown() == {"major": 150_000, "minor": 25_000}
    assert metered.balances.of("pool:linked") == 175_000
    opened = metered.events[0]
    assert isinstance(opened, happened.MeterOpened)
    assert (opened.by, opened.second, opened.clause) == ("ann", "bob", "Ch. 12 §D(3)(b)(ii)(1)")


def test_contributions_are_exact_and_the_account_holds_their_whole_cents() -> None:
    metered = Metered.open(*TWO_METERS)
    metered.bets("one", "r1", {1: 100, 4: 100}, chips=2)
    major, minor = metered.state.meters["major"], metered.state.meters["minor"]
    assert (major.shown_cents, major.remainder) == (150_020, 0)
    assert (minor.shown_cents, minor.remainder) == (25_006, Fraction(2, 3))
    assert metered.state.carried == Fraction(2, 3)
    assert metered.balances.of("pool:linked") == 175_026
    metered.do(asked.ClosePlay, table="one", round="r1")
    metered.bets("one", "r2", {2: 100})
    assert metered.state.meters["minor"].value == 25_010
    assert metered.balances.of("pool:linked") == 175_040
    assert metered.state.carried == 0


@pytest.mark.parametrize("chips", [0, 1, 3])
def test_chips_that_do_not_match_the_wagers_accepted_are_refused_with_the_mismatch_clause(chips: int) -> None:
    metered = Metered.open()
    metered.do(asked.OpenPlay, table="one", round="r1")
    metered.do(asked.LockOut, table="one", round="r1")
    given = {"table": "one", "round": "r1", "chips_counted": chips}
    refusal = metered.refusal(asked.TakeContributions, stakes=staked({1: 100, 4: 100}), **given)
    assert (refusal.clause, refusal.field) == ("mismatch", "chips_counted")
    assert refusal.reason.startswith(f"{chips} chips were counted but 2 progressive wagers were accepted")
    metered.count("one", "r1", {4: 100}, chips=1)  # the other seat's wager was returned meanwhile
    assert metered.state.meters["meter"].contributed == 20


def test_no_wager_counts_twice_nor_before_the_lock_out() -> None:
    metered = Metered.open()
    given = {"table": "one", "round": "r1", "stakes": staked({1: 100})}
    assert "not open" in metered.refusal(asked.TakeContributions, **given).reason
    metered.do(asked.OpenPlay, table="one", round="r1")
    assert metered.refusal(asked.TakeContributions, **given).clause == "closed"
    assert may_wager(metered.state, "one", "r1") is None
    metered.do(asked.LockOut, table="one", round="r1")
    locked = may_wager(metered.state, "one", "r1")
    assert locked is not None
    assert locked.clause == "closed"
    assert metered.refusal(asked.LockOut, table="one", round="r1") == locked
    metered.do(asked.TakeContributions, **given)
    assert "already been counted" in metered.refusal(asked.TakeContributions, **given).reason


@pytest.mark.parametrize("stakes", [[(1, 0)], [(1, -100)], [(1, 100), (1, 100)]])
def test_a_seat_has_one_progressive_wager_above_nothing(stakes: list[tuple[int, int]]) -> None:
    metered = Metered.open()
    metered.do(asked.OpenPlay, table="one", round="r1")
    metered.do(asked.LockOut, table="one", round="r1")
    wagers = tuple(item for seat, cents in stakes for item in staked({seat: cents}))
    refusal = metered.refusal(asked.TakeContributions, table="one", round="r1", stakes=wagers)
    assert (refusal.clause, refusal.field) == ("mismatch", "stakes")


def test_a_round_without_progressive_wagers_feeds_nothing() -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {}, chips=0)
    assert metered.state.meters["meter"].contributed == 0
    assert not any(isinstance(event, happened.ContributionTaken) for event in metered.events)


def test_two_hits_of_one_round_are_paid_in_turn_and_the_meter_falls_between_them() -> None:
    metered = Metered.open(replace(ONE_METER[0], initial_cents=2_000_005))
    metered.bets("one", "r1", {1: 100, 3: 100, 5: 100})
    assert metered.state.shown() == {"meter": 2_000_065}
    assert metered.hit("one", "r1", 5, percent=10) == 200_006
    assert metered.state.shown() == {"meter": 1_800_059}
    assert metered.hit("one", "r1", 3) == 1_800_059
    assert metered.state.shown() == {"meter": 1_000_000}
    assert metered.hit("one", "r1", 1, percent=10) == 100_000
    assert metered.state.shown() == {"meter": 1_000_000}  # never below its reset
    assert metered.state.meters["meter"].paid_cents == 200_006 + 1_800_059 + 100_000


@pytest.mark.parametrize("percent", [1, 10, 33, 50, 99, 100])
@pytest.mark.parametrize("initial", [1_000_000, 1_000_001, 1_055_555, 5_000_009])
def test_a_hit_pays_and_leaves_what_the_rules_say(initial: int, percent: int) -> None:
    metered = Metered.open(replace(ONE_METER[0], initial_cents=initial, rate=Fraction(1, 7)))
    metered.bets("one", "r1", {1: 500})
    fraction = metered.state.meters["meter"].remainder
    assert fraction
    expected = meter_payment(metered.state.shown()["meter"], 1_000_000, percent)
    assert (metered.hit("one", "r1", 1, percent=percent), metered.state.shown()["meter"]) == expected
    assert metered.state.meters["meter"].remainder == fraction


def test_a_hit_names_who_claimed_and_who_validated_and_can_be_read() -> None:
    metered = Metered.open()
    metered.at = 77
    metered.bets("one", "r1", {3: 100})
    metered.hit("one", "r1", 3)
    (hit,) = metered.state.hits
    assert (hit.at, hit.table, hit.round, hit.seat, hit.player) == (77, "one", "r1", 3, "player 3")
    assert (hit.claimed_by, hit.validated_by, hit.clause) == ("dealer", "floor 1", "Ch. 11 §J(2)(d)")
    assert (hit.shown_cents, hit.paid_cents, hit.percent, hit.hand) == (1_000_020, 1_000_020, 100, "royal flush")


@pytest.mark.parametrize(
    ("changed", "clause", "reason"),
    [
        ({"validated_by": " "}, "validation", "floorperson or above"),
        ({"validated_by": "dealer"}, "validation", "can't also validate"),
        ({"claimed_by": ""}, "validation", "can't also validate"),
        ({"meter": "mega"}, "Ch. 11 §J(2)(d)", "doesn't pay from a meter named mega"),
        ({"percent": 0}, "Ch. 11 §J(2)(d)", "not a valid share"),
        ({"percent": 101}, "Ch. 11 §J(2)(d)", "not a valid share"),
        ({"seat": 2}, "mismatch", "Seat 2 has no progressive wager"),
        ({"seat": 5}, "Ch. 11 §J(2)(d)", "highest number down"),
        ({"seat": 4}, "Ch. 11 §J(2)(d)", "already been paid by the meter"),
        ({"round": "r2"}, None, "not open"),
        ({"table": "two"}, None, "not linked"),
    ],
)
def test_a_hit_that_is_not_in_order_is_refused(changed: dict[str, Any], clause: str | None, reason: str) -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {1: 100, 4: 100, 5: 100})
    metered.hit("one", "r1", 4)
    refusal = metered.refusal(asked.PayHit, **(claim("one", "r1", 1) | changed))
    assert refusal.clause == clause
    assert reason in refusal.reason


def test_a_hit_before_the_chips_are_counted_is_refused() -> None:
    metered = Metered.open()
    metered.do(asked.OpenPlay, table="one", round="r1")
    metered.do(asked.LockOut, table="one", round="r1")
    assert metered.refusal(asked.PayHit, **claim("one", "r1", 1)).clause == "mismatch"


def test_tables_share_a_meter_and_each_feeds_only_what_it_pays_from() -> None:
    metered = Metered.open(*TWO_METERS, tables=("one",))
    metered.do(asked.LinkTable, link=link("two", "minor"))
    metered.bets("one", "r1", {1: 100})
    metered.bets("two", "r9", {1: 300})
    assert metered.state.meters["major"].contributed == 10
    assert metered.state.meters["minor"].contributed == Fraction(40, 3)
    assert "doesn't pay" in metered.refusal(asked.PayHit, **claim("two", "r9", 1, "major")).reason
    assert metered.hit("two", "r9", 1, "minor") == 25_013
    assert metered.state.shown()["minor"] == 25_000


def test_a_table_is_linked_to_meters_that_exist_and_unlinked_between_rounds() -> None:
    metered = Metered.open(tables=())
    assert "doesn't have: mega" in metered.refusal(asked.LinkTable, link=link("one", "meter", "mega")).reason
    assert "not linked" in metered.refusal(asked.OpenPlay, table="one", round="r1").reason
    assert "not linked" in metered.refusal(asked.UnlinkTable, table="one").reason
    metered.do(asked.LinkTable, link=link("one", "meter"))
    metered.do(asked.OpenPlay, table="one", round="r1")
    assert "still open" in metered.refusal(asked.OpenPlay, table="one", round="r2").reason
    assert "between rounds" in metered.refusal(asked.UnlinkTable, table="one").reason
    assert "between rounds" in metered.refusal(asked.LinkTable, link=link("one", "meter")).reason
    metered.do(asked.ClosePlay, table="one", round="r1")
    metered.do(asked.UnlinkTable, table="one")
    assert metered.state.links == {}


PAIR = {"reason": "it came back", "by": "ann", "second": "bob"}


def change(terms: MeterTerms, **other: Any) -> dict[str, Any]:
    return {"terms": terms, "reason": "a new submission", "by": "ann", "second": "bob"} | other


def test_terms_change_only_while_no_linked_table_plays_with_a_reason_and_two_people() -> None:
    metered = Metered.open(tables=("one", "two"))
    other = replace(ONE_METER[0], rate=Fraction("0.25"))
    metered.do(asked.OpenPlay, table="two", round="r1")
    assert "while a round is open at two" in metered.refusal(asked.ChangeTerms, **change(other)).reason
    metered.do(asked.ClosePlay, table="two", round="r1")
    assert metered.refusal(asked.ChangeTerms, **change(other, reason="")).field == "reason"
    assert metered.refusal(asked.ChangeTerms, **change(other, second="ann")).field == "second"
    assert metered.refusal(asked.ChangeTerms, **change(replace(other, rate=Fraction(1)))).field == "rate"
    assert metered.refusal(asked.ChangeTerms, **change(replace(other, name="mega"))).field == "terms"
    metered.do(asked.ChangeTerms, **change(other))
    metered.bets("one", "r2", {1: 100})
    assert metered.state.meters["meter"].contributed == 25


def test_a_rate_changes_when_nothing_has_grown_by_the_old_one() -> None:
    metered = Metered.open()
    slower = replace(ONE_METER[0], rate=Fraction("0.10"))
    metered.bets("one", "r1", {1: 100, 2: 100})
    metered.do(asked.ClosePlay, table="one", round="r1")
    refusal = metered.refusal(asked.ChangeTerms, **change(slower))
    assert (refusal.field, refusal.clause) == ("rate", ONE_METER[0].clause)
    metered.do(asked.ChangeTerms, **change(replace(ONE_METER[0], initial_cents=1_100_000)))  # not its rate
    move = {"meter": "meter", "to_progressive": "another", "to_meter": "meter", **PAIR}
    metered.do(asked.MoveMoney, retires=False, **move)
    moved = metered.state.meters["meter"]
    assert (moved.shown_cents, moved.transferred_cents) == (1_000_000, 40)
    metered.do(asked.ChangeTerms, **change(slower))
    metered.do(asked.ReceiveMoney, meter="meter", cents=7, from_progressive="another", from_meter="meter", **PAIR)
    assert metered.state.meters["meter"].shown_cents == 1_000_007
    assert metered.refusal(asked.MoveMoney, retires=True, **move).field == "meter"  # a table still pays from it
    metered.do(asked.UnlinkTable, table="one")
    metered.do(asked.MoveMoney, retires=True, **move)
    assert metered.state.meters["meter"].is_retired
    assert metered.state.shown() == {}
    assert metered.balances.of("pool:linked") == 0


def test_a_higher_reset_is_paid_up_by_the_house_and_a_lower_limit_puts_the_rest_aside() -> None:
    metered = Metered.open()
    metered.do(asked.ChangeTerms, **change(replace(ONE_METER[0], initial_cents=1_200_000, reset_cents=1_200_000)))
    assert metered.state.shown() == {"meter": 1_200_000}
    assert metered.balances.of("pool:linked") == 1_200_000
    lower = replace(ONE_METER[0], limit_cents=1_100_000)
    metered.do(asked.ChangeTerms, **change(lower))
    assert metered.state.shown() == {"meter": 1_100_000}
    assert metered.state.meters["meter"].overflow == 100_000
    metered.do(asked.ChangeTerms, **change(ONE_METER[0]))
    assert metered.state.shown() == {"meter": 1_200_000}
    assert metered.state.meters["meter"].overflow == 0


def test_above_its_limit_a_meter_overflows_and_the_overflow_begins_the_next_one() -> None:
    limited = replace(ONE_METER[0], limit_cents=1_000_030)
    metered = Metered.open(limited)
    metered.bets("one", "r1", {1: 100, 2: 100})
    meter = metered.state.meters["meter"]
    assert (meter.shown_cents, meter.overflow) == (1_000_030, 10)
    metered.do(asked.ClosePlay, table="one", round="r1")
    metered.bets("one", "r2", {1: 100})
    assert metered.state.meters["meter"].overflow == 30
    assert metered.hit("one", "r2", 1) == 1_000_030
    meter = metered.state.meters["meter"]
    assert (meter.shown_cents, meter.overflow) == (1_000_030, 0)


def test_a_reserve_pays_for_the_reset_before_the_house_does() -> None:
    kept = replace(ONE_METER[0], reserve_rate=Fraction("0.005"))
    metered = Metered.open(kept)
    metered.bets("one", "r1", {1: 500, 2: 500})
    assert metered.state.meters["meter"].reserve == 5
    assert metered.state.meters["meter"].shown_cents == 1_000_200
    metered.hit("one", "r1", 2)
    reset = metered.events[-1]
    assert isinstance(reset, happened.MeterReset)
    assert (reset.from_reserve_cents, reset.from_house_cents, reset.shown_cents) == (5, 999_995, 1_000_000)
    assert metered.state.meters["meter"].reserve == 0


def test_a_void_restores_the_meter_as_if_the_round_had_not_been() -> None:
    metered = Metered.open(replace(ONE_METER[0], reserve_rate=Fraction(1, 300), limit_cents=1_000_021))
    metered.bets("one", "r0", {1: 100})
    metered.do(asked.ClosePlay, table="one", round="r0")
    before, held = metered.state.meters["meter"], metered.balances
    metered.bets("one", "r1", {1: 500, 3: 500})
    metered.hit("one", "r1", 3)
    metered.hit("one", "r1", 1, percent=10)
    metered.do(asked.RecordEnvy, **envy(seat=1, from_seat=3))
    undone = metered.take_back("one", "r1")
    kinds = [type(event) for event in undone]
    assert kinds == [happened.HitReversed] * 2 + [happened.ContributionReversed, happened.EnvyReversed]
    assert metered.state.meters["meter"] == before
    assert metered.balances == held
    assert [hit.is_reversed for hit in metered.state.hits] == [True, True]
    assert metered.take_back("one", "r1") == ()  # nothing is taken back twice
    metered.do(asked.ClosePlay, table="one", round="r1")
    assert metered.state.envy_cents == 0


def test_a_void_keeps_what_other_tables_fed_and_hit_meanwhile() -> None:
    metered = Metered.open(tables=("one", "two"))
    metered.bets("one", "r1", {1: 100})
    metered.hit("one", "r1", 1)
    metered.bets("two", "r2", {1: 500})
    assert metered.hit("two", "r2", 1, percent=10) == 100_010
    metered.take_back("one", "r1")
    assert metered.state.shown() == {"meter": 1_000_000}
    assert metered.state.meters["meter"].paid_cents == 100_010


def test_a_contribution_that_another_table_won_meanwhile_is_given_back_by_the_house() -> None:
    metered = Metered.open(tables=("one", "two"))
    metered.bets("one", "r1", {1: 500})
    metered.bets("two", "r2", {1: 500})
    assert metered.hit("two", "r2", 1) == 1_000_200
    (reversed_,) = metered.take_back("one", "r1")
    assert isinstance(reversed_, happened.ContributionReversed)
    assert (reversed_.amount, reversed_.from_house_cents) == (100, 100)
    assert metered.state.shown() == {"meter": 1_000_000}


def test_a_wager_returned_after_the_count_leaves_the_meters_as_if_it_had_not_been_made() -> None:
    terms = replace(ONE_METER[0], rate=Fraction(1, 7), reserve_rate=Fraction(1, 30), limit_cents=1_000_050)
    with_it, without = Metered.open(terms), Metered.open(terms)
    with_it.bets("one", "r1", {1: 500, 2: 500})
    undone = with_it.do(asked.ReturnWager, table="one", round="r1", seat=2, by="floor 1")
    without.bets("one", "r1", {1: 500})
    assert with_it.state.meters == without.state.meters
    assert with_it.balances == without.balances
    assert [type(event) for event in undone] == [happened.WagerTakenOff, happened.ContributionReversed]
    assert {event.clause for event in undone} == {"mismatch"}
    assert tray_cents(undone) == -88  # half of the 176 whole cents that were given for both
    gone = {"table": "one", "round": "r1", "seat": 2, "by": "floor 1"}
    assert "Seat 2" in with_it.refusal(asked.ReturnWager, **gone).reason
    assert with_it.refusal(asked.PayHit, **claim("one", "r1", 2)).clause == "mismatch"
    with_it.hit("one", "r1", 1)
    assert "already paid" in with_it.refusal(asked.ReturnWager, **(gone | {"seat": 1})).reason


def test_the_last_wager_returned_gives_the_tray_all_it_gave_even_when_others_completed_the_cent() -> None:
    metered = Metered.open(replace(ONE_METER[0], rate=Fraction(1, 300)), tables=("one", "two"))
    metered.bets("one", "r1", {1: 100})
    metered.bets("two", "r2", {1: 200})
    given = [event.from_tray_cents for event in metered.events if isinstance(event, happened.ContributionTaken)]
    assert given == [0, 1]  # a third of a cent, which two more thirds complete
    assert tray_cents(metered.do(asked.ReturnWager, table="one", round="r1", seat=1, by="floor 1")) == 0
    assert tray_cents(metered.take_back("two", "r2")) == -1
    assert metered.state.meters["meter"].contributed == 0
    assert metered.balances.of("pool:linked") == 1_000_000


@pytest.mark.parametrize(("by", "second"), [("ann", "ann"), ("", "bob"), ("ann", " ")])
def test_a_round_is_taken_back_and_meters_opened_by_two_people(by: str, second: str) -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {1: 500})
    given = {"table": "one", "round": "r1", "clause": "Ch. 13 §B"}
    refusal = metered.refusal(asked.TakeBack, by=by, second=second, **given)
    assert (refusal.clause, refusal.field) == ("Ch. 13 §B", "second")
    assert Metered().refusal(asked.OpenMeters, meters=ONE_METER, by=by, second=second).field == "second"


def envy(**changed: Any) -> dict[str, Any]:
    return {
        "table": "one",
        "round": "r1",
        "seat": 1,
        "from_seat": 3,
        "hand": "royal flush",
        "cents": 100_000,
        "clause": "Ch. 12 §D(6)(a)(i)",
    } | changed


def test_envy_bonuses_are_recorded_beside_the_meters_and_cost_the_pool_nothing() -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {1: 100, 3: 100})
    held = metered.balances
    metered.do(asked.RecordEnvy, **envy())
    assert metered.balances == held
    for wrong in ({"seat": 2}, {"cents": 0}, {"from_seat": 1}):
        assert metered.refusal(asked.RecordEnvy, **envy(**wrong)).clause == "Ch. 12 §D(6)(a)(i)"
    metered.do(asked.ClosePlay, table="one", round="r1")
    assert metered.state.envy_cents == 100_000


def test_after_its_end_a_round_can_neither_be_paid_nor_taken_back() -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {1: 100})
    metered.do(asked.ClosePlay, table="one", round="r1")
    gone = {"table": "one", "round": "r1"}
    assert "not open" in metered.refusal(asked.PayHit, **claim("one", "r1", 1)).reason
    assert "not open" in metered.refusal(asked.ClosePlay, **gone).reason
    assert "not open" in metered.refusal(asked.TakeBack, by="ann", second="bob", clause="x", **gone).reason
    assert "not open" in metered.refusal(asked.RecordEnvy, **envy()).reason


def test_the_last_25_hits_can_be_read() -> None:
    metered = Metered.open()
    for number in range(30):
        metered.bets("one", f"r{number}", {1: 100})
        metered.hit("one", f"r{number}", 1, percent=10)
        metered.do(asked.ClosePlay, table="one", round=f"r{number}")
    assert [hit.round for hit in metered.state.hits] == [f"r{number}" for number in range(5, 30)]


def test_growth_is_kept_by_the_hour_for_a_month_whatever_the_clock_does() -> None:
    metered = Metered.open()
    for number, hour in enumerate((0, 0, 1, 3, 2)):
        metered.at = hour * HOUR + number
        metered.bets("one", f"r{number}", {1: 500})
        metered.do(asked.ClosePlay, table="one", round=f"r{number}")
    growth = metered.state.meters["meter"].growth
    assert growth == (Point(0, 1_000_200), Point(1, 1_000_300), Point(3, 1_000_500))
    for hour in range(4, GROWTH_POINTS + 10):
        metered.at = hour * HOUR
        metered.bets("one", f"h{hour}", {1: 500})
        metered.do(asked.ClosePlay, table="one", round=f"h{hour}")
    growth = metered.state.meters["meter"].growth
    assert len(growth) == GROWTH_POINTS
    assert growth[-1] == Point(GROWTH_POINTS + 9, metered.state.shown()["meter"])


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"reset_cents": 0}, "reset"),
        ({"initial_cents": 999_999}, "initial"),
        ({"rate": Fraction(0)}, "rate"),
        ({"reserve_rate": Fraction(-1, 9)}, "reserve_rate"),
        ({"limit_cents": 999_999}, "limit"),
        ({"reserve_rate": Fraction("0.8")}, "rate"),
    ],
)
def test_unsound_terms_are_refused_with_the_meters_clause(changed: dict[str, Any], field: str) -> None:
    meters = (replace(ONE_METER[0], **changed),)
    refusal = Metered().refusal(asked.OpenMeters, meters=meters, by="ann", second="bob")
    assert (refusal.clause, refusal.field) == ("Ch. 12 §D(3)(b)(i)", field)


def test_all_faults_of_terms_are_listed_at_once() -> None:
    bad = replace(ONE_METER[0], reset_cents=-5, rate=Fraction(-1), limit_cents=0)
    assert [fault.field for fault in faults((bad, bad))] == [
        "meters",
        "reset",
        "rate",
        "limit",
        "reset",
        "rate",
        "limit",
    ]
    assert [fault.field for fault in faults(())] == ["meters"]


def test_meters_are_opened_once() -> None:
    metered = Metered.open()
    assert "already open" in metered.refusal(asked.OpenMeters, meters=ONE_METER, by="ann", second="bob").reason


def test_a_new_progressive_holds_nothing() -> None:
    assert (ProgressiveState(NAME).pool_cents, ProgressiveState(NAME).shown()) == (0, {})


@pytest.mark.parametrize("dealing", METHODS)
@pytest.mark.parametrize("name", GAMES)
def test_a_tables_link_has_the_meters_and_clauses_of_its_rulebook(name: str, dealing: str) -> None:
    game = catalogue.game(name)
    own = {
        wager.name: own_table(wager.hands[next(iter(wager.hands))])
        for wager in game.wagers
        if wager.defined_by_submission
    }
    hands = {line: next(iter(game.wagers_by_name[line].hands)) for line in own}
    rules = RulesInForce(game, Choices(dealing=dealing, own_tables=own, own_hands=hands))
    found = link_of("one", rules)
    if game.progressive is None:
        assert found is None
        return
    assert found is not None
    assert found.meters == tuple(rules.paytables[game.progressive.wager].meters)
    assert found.closed_clause == game.bets.closed_cite
    assert found.validation_clause
    remedies = game.irregularities.get(PROGRESSIVE_MISMATCH, ())
    expected = {remedy.cite for remedy in remedies if dealing in remedy.facts}
    assert found.mismatch_clause in (expected or {game.wagers_by_name[game.progressive.wager].cite})
    assert link_of("one", RulesInForce(game, Choices(offered=frozenset()))) is None
