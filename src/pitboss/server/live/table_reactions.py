"""Reactions of seated players: a fixed list, sent to the screens of the table and never recorded."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, get_args

from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal
from pitboss.server.live.sockets import Hub
from pitboss.server.open_floor import OpenFloor
from pitboss.server.request_limits import Bucket
from pitboss.server.schemas.tables import ReactionName

REACTIONS: tuple[str, ...] = get_args(ReactionName)
PER_SECOND, AT_ONCE = 1 / 4, 2.0  # of one person
PEOPLE_KEPT = 5_000
TOPIC = "reactions"
SWITCHED_OFF = Refusal("Reactions are switched off in this house", rule.REACTIONS)
NOT_SEATED = Refusal("Only players at the table can react. Sit down first", rule.REACTIONS)
CARDS_IN_PLAY = Refusal("Wait until the hand is over. Reactions are closed while cards are in play", rule.REACTIONS)
TOO_MANY = Refusal("Too many reactions. Wait a few seconds", rule.REACTIONS)


class Reactions:
    """Checks a reaction and shows it to everyone at the table, in whichever process their screens are connected."""

    def __init__(self, floor: OpenFloor, hub: Hub) -> None:
        self._floor, self._hub = floor, hub
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._announce: Callable[[str, Any], None] | None = None
        if floor.processes is not None:
            floor.processes.following.topics[TOPIC] = self._heard
            self._announce = floor.store.announce

    async def react(self, table: str, person: str, reaction: str) -> Refusal | None:
        """Show a reaction at the person's seat, or return why not."""
        live = self._floor.house.live(table)
        refusal = self._refusal(live, person)
        if refusal is not None:
            return refusal
        said = {"table": table, "seat": live.seats_of(person)[0], "reaction": reaction}
        if self._announce is None:
            self._heard(said)
        else:
            announce = self._announce  # this process hears it too
            await self._floor.beside(lambda: announce(TOPIC, said))
        return None

    def _refusal(self, live: LiveTable, person: str) -> Refusal | None:
        if not self._floor.settings.allows_reactions:
            return SWITCHED_OFF
        if not live.seats_of(person):
            return NOT_SEATED
        if has_cards_in_play(live):
            return CARDS_IN_PLAY
        return None if self._bucket(person).take() else TOO_MANY

    def _bucket(self, person: str) -> Bucket:
        bucket = self._buckets.pop(person, None) or Bucket(PER_SECOND, AT_ONCE, self._floor.clock)
        self._buckets[person] = bucket
        while len(self._buckets) > PEOPLE_KEPT:
            self._buckets.popitem(last=False)
        return bucket

    def _heard(self, said: Mapping[str, Any]) -> None:
        if said["reaction"] in REACTIONS:
            self._hub.reacted(str(said["table"]), int(said["seat"]), said["reaction"])


def has_cards_in_play(live: LiveTable) -> bool:
    """Return whether cards of a round are dealt that isn't settled."""
    return live.in_round and live.play is not None and bool(live.play.cards) and live.play.outcome is None
