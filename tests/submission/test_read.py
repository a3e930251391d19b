"""Reading a submission: an unreadable file raises one sentence, a readable file never raises."""

from pathlib import Path

import pytest

from pitboss.submission.check import check
from pitboss.submission.document import Facility
from pitboss.submission.fault import Fault
from pitboss.submission.read import UnreadableSubmission, read_submission, submission_from
from submission.submitted import GONE, HOLDEM, WAGERS, edited, submitted


def test_a_file_and_its_text_read_the_same(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(HOLDEM, encoding="utf-8")
    assert read_submission(file) == read_submission(HOLDEM)


def test_every_stated_choice_is_kept() -> None:
    submission = read_submission(HOLDEM)
    (table,) = submission.tables
    assert submission.facility == Facility("Harbor Casino", "Maryland")
    assert submission.faults == ()
    assert (table.name, table.game, table.positions) == ("UTH 1", "ultimate-texas-holdem", 6)
    assert (table.dealing, table.shuffler, table.decks) == ("automated-shoe", "counting", 2)
    assert (table.minimum, table.maximum, table.step) == (1000, 50000, None)
    assert table.wagers["blind"].paytable == "A"
    assert (table.wagers["trips"].minimum, table.wagers["trips"].maximum) == (500, 10000)
    progressive = table.wagers["progressive"]
    assert (progressive.rate, progressive.reset, progressive.envy) == ({"": "0.20"}, {"": 1000000}, "A")
    assert table.options == {"envy-needs-wager": "yes", "payout-limit": 5000000}


def test_a_byte_order_mark_is_not_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(b"\xef\xbb\xbf" + HOLDEM.encode())
    assert read_submission(file) == read_submission(HOLDEM)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[facility\nname = 1", "is not valid TOML"),
        ("name = 'é'".encode("latin-1"), "not UTF-8"),
        (b"a = 1\na = 2", "is not valid TOML"),
        (b"a = " + b"1" * 5000, "too long or nested too deeply"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "too long or nested too deeply"),
    ],
    ids=["broken", "latin-1", "key-twice", "endless-number", "endless-nesting"],
)
def test_what_is_not_toml_raises_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(content)
    with pytest.raises(UnreadableSubmission, match=says) as raised:
        read_submission(file)
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith(str(file))


@pytest.mark.parametrize("name", ["missing.toml", "", "a\0b"], ids=["missing", "a-folder", "no-file-name"])
def test_what_is_not_a_file_raises_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableSubmission) as raised:
        read_submission(tmp_path / name)
    assert str(raised.value).endswith(".")


def shape_faults(content: dict[str, object]) -> list[str]:
    return [fault.where for fault in submission_from(content).faults]


@pytest.mark.parametrize(
    ("edits", "where"),
    [
        ({"facility": GONE}, "facility"),
        ({"facility": 7}, "facility"),
        ({"facility.name": GONE}, "facility.name"),
        ({"facility.name": "  "}, "facility.name"),
        ({"facility.jurisdiction": GONE}, "facility.jurisdiction"),
        ({"facility.city": "Baltimore"}, "facility.city"),
        ({"table": GONE}, "table"),
        ({"table": []}, "table"),
        ({"table": {"name": "UTH 1"}}, "table"),
        ({"table": [7]}, "table[0]"),
        ({"tables": []}, "tables"),
        ({"table[0].name": GONE}, "table[0].name"),
        ({"table[0].name": 7}, "table[0].name"),
        ({"table[0].game": GONE}, "table[0].game"),
        ({"table[0].dealing": GONE}, "table[0].dealing"),
        ({"table[0].minimum": GONE}, "table[0].minimum"),
        ({"table[0].maximum": GONE}, "table[0].maximum"),
        ({"table[0].minimum": 0}, "table[0].minimum"),
        ({"table[0].minimum": -1000}, "table[0].minimum"),
        ({"table[0].minimum": 10.5}, "table[0].minimum"),
        ({"table[0].minimum": True}, "table[0].minimum"),
        ({"table[0].minimum": "1000"}, "table[0].minimum"),
        ({"table[0].maximum": 10**14}, "table[0].maximum"),
        ({"table[0].minimun": 1000}, "table[0].minimun"),
        ({"table[0].the minimum": 1000}, 'table[0]."the minimum"'),
        ({"table[0].positions": "six"}, "table[0].positions"),
        ({"table[0].electronic": "yes"}, "table[0].electronic"),
        ({"table[0].instruments": "chips"}, "table[0].instruments"),
        ({"table[0].instruments": [1]}, "table[0].instruments"),
        ({WAGERS: []}, WAGERS),
        ({f"{WAGERS}.trips": False}, f"{WAGERS}.trips"),
        ({f"{WAGERS}.trips": ""}, f"{WAGERS}.trips"),
        ({f"{WAGERS}.trips": 5}, f"{WAGERS}.trips"),
        ({f"{WAGERS}.trips.letter": "A"}, f"{WAGERS}.trips.letter"),
        ({f"{WAGERS}.trips.minimum": 0}, f"{WAGERS}.trips.minimum"),
        ({f"{WAGERS}.progressive.rate": 0.2}, f"{WAGERS}.progressive.rate"),
        ({f"{WAGERS}.progressive.rate": {"meter": 0.2}}, f"{WAGERS}.progressive.rate"),
        ({f"{WAGERS}.progressive.initial": {"meter": "1"}}, f"{WAGERS}.progressive.initial"),
        ({f"{WAGERS}.trips.odds": "9 to 1"}, f"{WAGERS}.trips.odds"),
        ({"table[0].options": 5}, "table[0].options"),
        ({"table[0].options.payout-limit": 0.5}, "table[0].options.payout-limit"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_wrong_key_is_one_fault_at_its_place(edits: dict[str, object], where: str) -> None:
    content = edited("holdem", edits)
    assert shape_faults(content) == [where]
    assert [fault.where for fault in check(submission_from(content))] == [where]


def test_a_misspelled_key_suggests_the_nearest_one() -> None:
    (fault,) = submitted("holdem", {"table[0].maxmum": 5}).faults
    assert fault.reason.endswith("did you mean maximum?")
    (fault,) = submitted("holdem", {"facility.q": 5}).faults
    assert fault.reason.endswith("use jurisdiction or name")


def test_faults_name_the_table_they_concern() -> None:
    (fault,) = submitted("holdem", {"table[0].step": 0}).faults
    assert fault == Fault("UTH 1", "table[0].step", "step must be a positive number of cents, not 0")
    assert fault.as_dict()["table"] == "UTH 1"
    assert str(fault) == "table[0].step: step must be a positive number of cents, not 0"


def test_a_long_or_broken_key_is_shown_short() -> None:
    (fault,) = submitted("holdem", {"facility": {"name": "A", "jurisdiction": "B", "x" * 90 + "\n": 1}}).faults
    assert "x" * 41 not in fault.reason
    assert "\n" not in fault.reason


def test_a_date_is_named_as_one() -> None:
    submission = read_submission(HOLDEM.replace("decks = 2", "decks = 2026-01-01"))
    assert submission.faults[0].reason == "decks must be a whole number, not a date or time"


def test_a_number_too_long_to_print_is_a_fault_like_any_other() -> None:
    submission = read_submission(HOLDEM.replace("minimum = 1000", "minimum = 0x" + "f" * 5000))
    assert [fault.where for fault in check(submission)] == ["table[0].minimum"]
