"""The index of rounds follows the record, is made again from it, and takes no row that the house didn't write."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from house.floors import Chance
from house.many_rounds import drafts_of, write_rounds
from pitboss.house import round_index
from pitboss.house.round_index import READ, ROUNDS, Criteria, RoundIndex
from pitboss.record.alterations import Alterations
from pitboss.record.entries import Circumstances
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.row_tags import ROUNDS_READ, RowTags
from pitboss.record.sql_engine import make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, body_digest

ADA, BOB = {1: "ada"}, {2: "bob"}


class Indexed:
    """A record with an index, and a database connection that anyone might have."""

    def __init__(self, url: str) -> None:
        self.alterations = Alterations()
        self.tags = RowTags(Keyring((MasterKey(bytes(32)),)), Chance(1))
        self.store = SqlStore(url, self.tags, self.alterations)
        self.engine = make_engine(url)
        self.index = self.opened()

    def opened(self) -> RoundIndex:
        """Return the index as another process opens it."""
        return RoundIndex(self.engine, self.store, self.tags, self.alterations)

    def names(self, criteria: Criteria = Criteria(), most: int = 1_000) -> list[str]:  # noqa: B008 -- immutable
        self.index.catch_up()
        return [place.round for place in self.index.find(criteria, None, most)]

    def tamper(self, statement: sa.Executable) -> None:
        with self.engine.begin() as connection:
            connection.execute(statement)

    def check(self) -> None:
        for _ in self.index.checking():
            pass

    def rows(self) -> list[tuple[object, ...]]:
        columns = [column for column in ROUNDS.c if column.name != "tag"]
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(sa.select(*columns).order_by(*columns[:3]))]


@pytest.fixture
def record(database_url: str) -> Iterator[Indexed]:
    made = Indexed(database_url)
    write_rounds(made.store, "a", range(1, 6), ADA)
    write_rounds(made.store, "b", range(1, 6), BOB, at=500)
    yield made
    made.engine.dispose()
    made.store.close()


def test_rounds_are_found_by_time_table_player_and_outcome(record: Indexed) -> None:
    both = [f"{table}/{number}" for number in range(5, 0, -1) for table in "ba"]
    assert record.names() == both
    assert record.names(Criteria(stream="table/b")) == both[::2]
    assert record.names(Criteria(player="ada")) == both[1::2]
    assert record.names(Criteria(since=4_000, until=5_000)) == ["a/5", "b/4", "a/4"]
    assert record.names(Criteria(outcome="settled"), 3) == both[:3]
    assert record.names(Criteria(outcome="void")) == record.names(Criteria(player="nobody")) == []
    assert record.names(Criteria(player="\0")) == record.names(Criteria(stream="table/\ud800")) == []


def test_pages_go_on_where_the_last_one_ended_also_between_rounds_of_one_moment(record: Indexed) -> None:
    write_rounds(record.store, "c", range(1, 6), ADA)  # at the same times as those of table a
    everything, before = record.names(), None
    paged: list[str] = []
    while places := record.index.find(Criteria(), before, 2):
        paged += [place.round for place in places]
        before = (places[-1].at, places[-1].round)
    assert paged == everything
    assert len(set(paged)) == 15


def test_a_place_ends_before_the_next_round_and_the_last_one_is_open(record: Indexed) -> None:
    record.index.catch_up()
    newest, before, *_ = record.index.find(Criteria(stream="table/a"), None, 5)
    assert (before.first, before.last) == (13, 16)
    assert (newest.first, newest.last) == (17, None)


def test_a_round_in_progress_is_found_and_gets_its_outcome_later(record: Indexed) -> None:
    first, placed, settled, ended = drafts_of("table/a", "a/6", 6, ADA)
    by = Circumstances("dealer", "dealer", "begin", 9_000, "v1")
    record.store.commit([Batch((first, placed), {"table/a": None}, by, body_digest("dealer", 1))])
    assert record.names(Criteria(player="ada"), 1) == ["a/6"]
    assert record.names(Criteria(outcome="settled"), 1) == ["b/5"]
    record.index = record.opened()  # the process that saw it begin is gone
    by = by._replace(command="end")
    record.store.commit([Batch((settled, ended), {"table/a": None}, by, body_digest("dealer", 2))])
    assert record.names(Criteria(player="ada", outcome="settled"), 1) == ["a/6"]


def test_the_index_is_read_in_slices_and_gives_the_same_rows(record: Indexed, monkeypatch: pytest.MonkeyPatch) -> None:
    record.index.catch_up()
    whole = record.rows()
    for table in (ROUNDS, READ):
        record.tamper(sa.delete(table))
    monkeypatch.setattr(round_index, "SLICE", 4)
    record.index = record.opened()
    steps = 0
    while not record.index.catch_up(most=3):
        steps += 1
    assert steps > 3
    assert record.rows() == whole
    assert not record.alterations.all()


def test_two_processes_that_read_the_same_streams_leave_the_same_rows(record: Indexed) -> None:
    other = record.opened()
    record.index.catch_up()
    whole = record.rows()
    other.catch_up()
    write_rounds(record.store, "a", [6], BOB)
    other.catch_up({"table/a"})
    record.index.catch_up()
    assert len(record.rows()) == len(whole) + 2
    assert record.names(Criteria(player="bob"), 1) == ["a/6"]
    assert not record.alterations.all()


def test_a_row_that_someone_else_wrote_is_reported_and_replaced(record: Indexed) -> None:
    found = record.names()
    taken = ROUNDS.c.player == "ada"
    record.tamper(sa.update(ROUNDS).where(taken, ROUNDS.c.sequence == 1).values(player="eve"))
    forged = {"stream": "table/a", "sequence": 99, "round": "a/99", "at": 1, "outcome": "settled", "tag": "x.y.z"}
    record.tamper(sa.insert(ROUNDS).values(player="ada", **forged))
    assert record.names(Criteria(player="ada")) == [f"a/{number}" for number in range(5, 0, -1)]
    assert record.names(Criteria(player="eve")) == []
    assert record.names() == found
    assert ["table/a" in says and "made again" in says for says in record.alterations.all()] == [True]


def test_a_row_that_someone_deleted_is_found_missing_by_the_check_and_restored(record: Indexed) -> None:
    record.index.catch_up()
    whole = record.rows()
    record.check()
    assert not record.alterations.all()
    record.tamper(sa.delete(ROUNDS).where(ROUNDS.c.player == "bob"))
    assert record.names(Criteria(player="bob")) == []
    record.check()
    assert len(record.alterations.all()) == 1
    assert record.rows() == whole


def test_progress_that_someone_else_wrote_is_not_believed(record: Indexed) -> None:
    record.tamper(sa.insert(READ).values(stream="table/a", sequence=20, tag="x.y.z"))
    assert len(record.names()) == 10
    assert len(record.alterations.all()) == 1


def test_an_index_that_is_ahead_of_a_restored_record_is_made_again(record: Indexed) -> None:
    ahead = {"stream": "table/a", "sequence": 999, "tag": record.tags.row(ROUNDS_READ, "table/a", 999)}
    record.tamper(sa.insert(READ).values(**ahead))
    assert len(record.names()) == 10
    assert not record.alterations.all()
