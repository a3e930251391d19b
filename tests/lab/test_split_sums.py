"""Sums of split results: money, bets, pace, comp base and the two bands."""

from fractions import Fraction

from pitboss.cards.deck import Card
from pitboss.lab.split import Parts, SettledSeat, SideParts
from pitboss.lab.split_sums import APART_MS, SplitSums
from pitboss.round.events import WagerResult
from pitboss.rules.reading import SeatCards, TableCards


def seat(net: int, stake: int = 100) -> SettledSeat:
    result = WagerResult("ante", stake, "lose" if net < 0 else "win", net, None, "4.1", None)
    return SettledSeat(SeatCards((Card("As"),), "played"), ("play",), TableCards(), (result,))


def parts(luck: int, decisions: int = 0) -> Parts:
    side = SideParts(Fraction(-1, 2), Fraction(0), Fraction(1, 2))
    return Parts(edge=Fraction(-4), decisions=Fraction(decisions), dealer=Fraction(luck), sides={"trips": side})


def test_sums_are_the_money_and_its_parts() -> None:
    sums = SplitSums()
    sums.add([(seat(96), parts(100)), (seat(-104, 200), parts(-98, -2))])
    sums.add([(seat(-104), parts(-100))])
    line = sums.line({"player": "ada"})
    assert (line.rounds, line.hands, line.staked_cents, line.net_cents) == (2, 3, 400, -112)
    assert line.average_bets == {"ante": Fraction(400, 3)}
    assert (line.edge_cents, line.decisions_cents) == (Fraction(-27, 2), -2)
    assert (line.dealer_cents, line.sides_cents, line.luck_cents) == (-98, Fraction(3, 2), Fraction(-193, 2))
    assert line.edge_cents + line.decisions_cents + line.luck_cents + line.besides_cents == line.net_cents
    assert line.comp_base_cents == line.theoretical_loss_cents == line.without_luck_cents == Fraction(31, 2)
    assert line.as_dict()["player"] == "ada"


def test_the_seats_of_a_round_are_added_before_they_are_squared() -> None:
    apart, together = SplitSums(), SplitSums()
    for luck in (100, -100):
        apart.add([(seat(luck - 4), parts(luck))])
        apart.add([(seat(luck - 4), parts(luck))])
        together.add([(seat(luck - 4), parts(luck)), (seat(luck - 4), parts(luck))])
    assert together.line({}).win_error_cents > apart.line({}).win_error_cents > 0
    assert apart.line({}).without_luck_error_cents == 0
    assert apart.line({}).fewer_rounds is None


def test_fewer_rounds_compares_the_two_spreads() -> None:
    sums = SplitSums()
    for luck, decisions in ((100, 0), (-100, -10), (100, -10), (-100, 0)):
        sums.add([(seat(luck + decisions - 4), parts(luck, decisions))])
    line = sums.line({})
    assert line.fewer_rounds is not None
    assert round(line.fewer_rounds) == 401  # the win varies by 100 and, apart from that, by 5
    low, high = line.as_dict()["without_luck_low_cents"], line.as_dict()["without_luck_high_cents"]
    assert low < float(line.without_luck_cents) < high


def test_a_break_is_not_time_played() -> None:
    sums = SplitSums()
    for began in (0, 60_000, 120_000, 120_000 + APART_MS + 1, 180_000 + APART_MS + 1):
        sums.add([(seat(-4), parts(0))], began)
    line = sums.line({})
    assert line.played_ms == 180_000
    assert line.rounds_an_hour == 60
    assert SplitSums().line({}).rounds_an_hour is None


def test_the_order_in_which_tables_are_read_changes_nothing() -> None:
    played = [("first", 0, 100), ("first", 60_000, -3), ("second", 30_000, 7), ("second", 45_000, -11)]
    whole, other = SplitSums(), SplitSums()
    for table, began, luck in played:
        whole.add([(seat(luck), parts(luck))], began, table)
    for table, began, luck in sorted(played, key=lambda row: row[1]):
        other.add([(seat(luck), parts(luck))], began, table)
    assert whole.to_data() == other.to_data()
    assert (whole.played_ms, whole.intervals) == (75_000, 2)
    assert SplitSums.from_data(whole.to_data()) == whole


def test_sums_can_be_continued_from_the_same_data_twice() -> None:
    sums = SplitSums()
    sums.add([(seat(-4), parts(0))], 0, "first")
    kept = sums.to_data()
    for _ in range(2):
        continued = SplitSums.from_data(kept)
        continued.add([(seat(-4), parts(0))], 60_000, "first")
        assert (continued.staked_cents, continued.times) == ({"ante": 200}, {"ante": 2})
        assert (continued.played_ms, continued.intervals) == (60_000, 1)
    assert kept == sums.to_data()
