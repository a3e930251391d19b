"""Whatever is done to a clean file, reading and checking it never crash, and a file without faults can be run."""

import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.rules.in_force import RulesInForce
from pitboss.submission.check import check, notes
from pitboss.submission.compare import compare
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.printed import printed
from pitboss.submission.read import UnreadableSubmission, read_submission, submission_from
from pitboss.submission.table_choices import settings_for
from pitboss.table.settings import settings_faults
from submission.submitted import CLEAN, edited

WORDS = [
    "A", "C", "F", "hand", "manual-shoe", "continuous", "yes", "no", "9 to 1", "7 for 3", "$5", "10 % of meter",
    "100 % of major", "push", "0.5", "permissible-bet", "three-card", "dragons", "colorado-holdem", "dragon-poker",
    "match-play-coupon", "",
]  # fmt: skip
KEYS = [
    "odds", "rate", "initial", "reset", "envy", "hand", "stake", "step", "chip", "analysis", "electronic", "free-play",
    "paytable", "minimum", "bet", "ante", "bonus", "trips", "progressive", "six-card-bonus", "flush", "mega", "minor",
    "positions", "payout-limit", "version", "wagers", "options", "instruments", "deck-hours", "?",
]  # fmt: skip
LEAVES = st.one_of(
    st.sampled_from(WORDS),
    st.text(max_size=8),
    st.integers(-2, 2 * 10**6),
    st.sampled_from([10**40, -1, 0, 1, 50, 100, 500, 1000]),
    st.booleans(),
    st.floats(),
    st.dates(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


def places(content: Any) -> list[Any]:
    found = [content]
    for item in content.values() if isinstance(content, dict) else content:
        if isinstance(item, dict | list):
            found += places(item)
    return found


def mutate(content: dict[str, Any], data: st.DataObject) -> None:
    inside = data.draw(st.sampled_from(places(content)))
    keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    act = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if act == "add" or not keys:
        if isinstance(inside, dict):
            inside[data.draw(st.sampled_from(KEYS))] = data.draw(VALUES)
        else:
            inside.append(data.draw(VALUES))
        return
    key = data.draw(st.sampled_from(keys))
    if act == "remove":
        del inside[key]
    else:
        inside[key] = data.draw(VALUES)


def use(submission: Submission, original: Submission) -> None:
    faults = check(submission)
    notes(submission)
    explain(submission)
    compare(original, submission)
    compare(submission, original)
    for fault in faults:
        assert "\n" not in str(fault)
    if faults:
        return
    for table in submission.tables:
        made = settings_for(table)
        assert settings_faults(made) == ()
        rules = RulesInForce(made.game, made.choices)
        for wager in rules.offered:
            assert wager in made.game.wagers_by_name
        printed(submission, table)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(CLEAN)), st.integers(1, 4), st.data())
def test_a_mutated_document_never_crashes_the_check(name: str, times: int, data: st.DataObject) -> None:
    content = edited(name)
    for _ in range(times):
        mutate(content, data)
    use(submission_from(content), submission_from(edited(name)))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(CLEAN)), st.data())
def test_a_mutated_text_is_read_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    written = CLEAN[name]
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 20)))
    text = written[:start] + data.draw(st.text(alphabet='ab019.-_"[]{}=,# \n\0é', max_size=6)) + written[end:]
    try:
        submission = read_submission(text)
    except UnreadableSubmission:
        return
    use(submission, submission_from(tomllib.loads(written)))
