"""A table's document parsed into terms: what no table may run today is refused, and older records still fold."""

from typing import Any

import pytest

from pitboss.games.catalogue import games
from pitboss.house.live_table.events import SubmissionActivated
from pitboss.house.live_table.evolve import Reading, after_house
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import UnsoundDocument, version_of
from pitboss.server.demonstration import document_for
from pitboss.server.table_documents import PEOPLE, read_terms

GAME, LEFT_OUT = next((game, wager) for game in games() for wager in game.wagers if wager.always_offered_cite)


def without(wager: str) -> dict[str, Any]:
    document = {**document_for(GAME), "dealer": PEOPLE}
    needs = {other.name for other in GAME.wagers if wager in other.needs}
    wagers = {name: stated for name, stated in document["table"]["wagers"].items() if name not in {wager, *needs}}
    return {**document, "table": {**document["table"], "wagers": wagers}}


def test_rules_that_only_a_newer_check_refuses_are_still_read_where_they_are_in_force() -> None:
    document = without(LEFT_OUT.name)
    terms = read_terms(document)
    assert terms.refusal is not None
    assert terms.refusal.clause == LEFT_OUT.always_offered_cite
    event = SubmissionActivated(document=document, version=version_of(document), second="pit")

    def nothing_sealed(round_id: str, key: str) -> Any:
        raise AssertionError("no card is opened")

    live = after_house(LiveTable("t"), event, Reading(read_terms, nothing_sealed), "olga", "operator")
    assert live.terms is not None
    assert LEFT_OUT.name not in live.terms.settings.rules.offered


def test_a_document_that_states_no_table_is_not_read() -> None:
    for document in ({}, {"facility": {}, "table": {"name": "t", "game": "whist"}}):
        with pytest.raises(UnsoundDocument):
            read_terms(document)


def test_a_table_that_deals_by_itself_has_no_real_cards() -> None:
    document = document_for(GAME)
    document["table"]["cards"] = "reader"
    with pytest.raises(UnsoundDocument, match="can't use physical cards"):
        read_terms(document)
    assert read_terms({**document, "dealer": PEOPLE}).real_cards
