"""The clause matrix is true: entries are written, texts are shown, and hands prove what they say."""

import io
import json
import re
from contextlib import redirect_stdout

import pytest

from house.live_table.test_worked_refusals import CHOICES, TABLE
from house.live_table.told import texts, told
from pitboss.cli.trace import trace_command
from pitboss.games import game_names
from pitboss.games.clauses import Clause, clauses
from worked import worked

pytestmark = pytest.mark.xdist_group("matrix")  # one worker plays what all of these tests look at
PLACES = {"duty", "layout", "sign", "submission", "ruling", "words", "trace"}
HANDS, REFUSALS = "tests/house/live_table/test_worked_hands.py::", "tests/house/live_table/test_worked_refusals.py::"
NAMED = re.compile(r"\[([a-z-]+): (.*)\]$")


def of_status(status: str) -> list[object]:
    return [
        pytest.param(name, clause, id=f"{name} {clause.id}")
        for name in game_names()
        for clause in clauses(name)
        if clause.status == status
    ]


@pytest.mark.parametrize(("name", "clause"), of_status("recorded"))
def test_what_is_recorded_names_an_entry_that_a_running_table_writes(name: str, clause: Clause) -> None:
    assert not clause.text
    assert (clause.entry, clause.under or clause.id) in told(name).entries


@pytest.mark.parametrize(("name", "clause"), of_status("shown"))
def test_what_is_shown_names_words_that_people_see(name: str, clause: Clause) -> None:
    place, _, words = clause.text.partition(": ")
    assert not clause.entry
    assert place in PLACES
    assert words
    if place == "trace":
        printed = io.StringIO()
        with redirect_stdout(printed):
            trace_command(name, as_json=True)
        assert words in [row["summary"] for row in json.loads(printed.getvalue())]
        return
    wanted = clause.under or clause.id
    seen = [text for at, cite, text in texts(name) if at == place and (cite == wanted or cite.startswith(f"{wanted}("))]
    assert any(words in text for text in seen), seen


@pytest.mark.parametrize("status", ["enforced", "settled", "beyond"])
def test_other_clauses_name_neither_entry_nor_text(status: str) -> None:
    for name in game_names():
        assert not [
            clause.id
            for clause in clauses(name)
            if clause.status == status and (clause.entry or clause.text or clause.under)
        ]


@pytest.mark.parametrize("name", game_names())
def test_what_a_hand_at_a_running_table_proves_is_enforced(name: str) -> None:
    proven = {clause for hand in worked(name, "hand") for clause in hand["proves"]}
    assert not [clause.id for clause in clauses(name) if clause.id in proven and clause.status == "settled"]


@pytest.mark.parametrize("name", game_names())
def test_a_clause_names_only_hands_that_prove_it(name: str) -> None:
    proves = {hand["name"]: hand["proves"] for hand in worked(name, "hand")}
    refused = {entry["name"]: entry["clause"] for entry in worked(name, "refused")}
    tried = {str(parameter.id) for parameter in (*TABLE, *CHOICES)}
    for clause in clauses(name):
        for test in clause.tests:
            found = NAMED.search(test)
            if test.startswith(HANDS):
                assert found
                assert clause.id in proves[found[2]], (clause.id, test)
            elif test.startswith(REFUSALS):
                assert found
                assert refused[found[2]] == clause.id, (clause.id, test)
                assert f"{found[1]}: {found[2]}" in tried
