"""The rulebooks' unlawful hands are refused with their clause at a running table."""

import json
import re
from typing import Any

import pytest

from house.floors import Floor, run
from house.live_table.staffed import DEALER, OPERATOR, SECOND_OPERATOR, StaffedTable
from house.live_table.worked_table import WorkedTable, document_of, read_terms
from pitboss.games import catalogue
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Answer, Done
from pitboss.round.state import ASKING
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.refusal import Refusal
from pitboss.server import table_documents as of_server
from pitboss.server.live.best_discard import best_discard
from scenarios.floor import document_for
from worked import worked

# What a table asks for one by one cannot be wrong in the same way: cards in a number that is not due, an answer of a
# seat that has given its last, a stake in parts of a cent. Other commands and other tests show what becomes of those.
AT_THE_TABLE = re.compile(r"seats\[(\d)\]\.(seat|wagers|actions\[(\d)\])")


def is_refused_at_the_table(entry: dict[str, Any]) -> bool:
    """Say whether an unlawful hand can be begun with commands to a table, up to the one that is refused."""
    hand, found = json.loads(entry["hand"]), AT_THE_TABLE.match(entry["field"])
    if found is None or not entry["clause"]:
        return False
    seat = hand["seats"][int(found[1])]
    if found[2] == "seat":
        return [seat["seat"] for seat in hand["seats"]].count(seat["seat"]) == 1
    if any(not isinstance(cents, int) for cents in seat["wagers"].values()):
        return False
    is_last = found[3] and int(found[3]) and seat["actions"][int(found[3]) - 1] not in ("check", "bet")
    return not is_last


TABLE = [
    pytest.param(name, entry, id=f"{name}: {entry['name']}")
    for name in catalogue.game_names()
    for entry in worked(name, "refused")
    if is_refused_at_the_table(entry)
]
CHOICES = [
    pytest.param(name, entry, id=f"{name}: {entry['name']}")
    for name in catalogue.game_names()
    for entry in worked(name, "refused")
    if entry["field"].startswith("choices.") and entry["clause"]
]


async def begun(name: str, hand: dict[str, Any]) -> Answer:
    """Play an unlawful hand as far as the table lets it, and return the refusal."""
    table = WorkedTable(Floor(terms=read_terms, best_discard=best_discard), name, **document_of(name, hand))
    await table.open()
    table.lay_out(hand)
    for seat in hand["seat"]:
        taken = await table.sit(seat["seat"])
        if isinstance(taken, Refusal):
            return taken
    await table.prepare()
    await table.must(DEALER, commands.BeginRound())
    for seat in hand["seat"]:
        player = (table.player_of(seat["seat"]), "player")
        placed = await table.ask(player, commands.PlaceWagers(seat=seat["seat"], stakes=seat["wagers"]))
        if isinstance(placed, Refusal):
            return placed
    await table.must(DEALER, commands.CloseBets())
    while True:
        if table.play_now.phase != ASKING:
            await table.next()
            continue
        answered = await table.answer(table.play_now.seat_asked)
        if isinstance(answered, Refusal):
            return answered


@pytest.mark.parametrize(("name", "entry"), TABLE)
def test_a_running_table_refuses_what_no_hand_may_begin_with(name: str, entry: dict[str, Any]) -> None:
    hand = json.loads(entry["hand"])
    hand |= {place: " ".join(hand[place]) for place in ("dealer", "board", "box") if place in hand}
    progressive = catalogue.game(name).progressive
    if progressive is None or not progressive.meters:
        hand.pop("meters", None)  # no rulebook of this game states any to open
    hand["seat"] = [{**seat, "cards": " ".join(seat["cards"])} for seat in hand["seats"]]
    refusal = run(begun(name, hand))
    assert isinstance(refusal, Refusal), refusal
    assert refusal.clause == entry["clause"]


@pytest.mark.parametrize(("name", "entry"), CHOICES)
def test_a_running_house_puts_no_unlawful_choice_in_force(name: str, entry: dict[str, Any]) -> None:
    choices = json.loads(entry["hand"])["choices"]
    definition = catalogue.game(name)
    letters = {key: value for key, value in choices.items() if key in definition.wagers_by_name}
    options = {key: value for key, value in choices.items() if key not in letters}

    async def activated(document: dict[str, Any]) -> Answer:
        table = StaffedTable(Floor(terms=of_server.read_terms), name)
        table.floor.house.open("t")
        proposed = await table.ask(OPERATOR, commands.ActivateSubmission(document=document))
        if isinstance(proposed, Refusal):
            return proposed
        return await table.ask(SECOND_OPERATOR, commands.Confirm(proposal=next(iter(table.live.proposals))))

    assert isinstance(run(activated(document_for(name, dealing=AUTOMATED_SHOE))), Done), (
        "the same table without the choice"
    )
    refusal = run(activated(document_for(name, dealing=AUTOMATED_SHOE, wagers=letters, options=options)))
    assert isinstance(refusal, Refusal), refusal
    assert refusal.clause == entry["clause"]
