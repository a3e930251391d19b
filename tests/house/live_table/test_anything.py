"""Random commands, legal and illegal, by random people at random moments of every game: what always holds."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from house.floors import PROGRESSIVE, Floor, run
from house.live_table.staffed import StaffedTable
from house.live_table.test_view import hidden_from, shown_faces
from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from pitboss.house import entry_kinds
from pitboss.house.live_table.commands import KINDS
from pitboss.house.live_table.console import Console, console
from pitboss.house.live_table.evolve import evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.house.live_table.table_view import view
from pitboss.house.people.roles import PERMISSIONS
from pitboss.house.running_tables import Done
from pitboss.record.store import streams
from pitboss.rules import irregularity
from pitboss.rules.refusal import Refusal

pytestmark = pytest.mark.slow

PEOPLE = (
    ("dana", "dealer"),
    ("dora", "dealer"),
    ("flo", "floorperson"),
    ("pete", "pit-manager"),
    ("cathy", "cage"),
    ("olga", "operator"),
    ("otto", "operator"),
    ("tess", "technician"),
    ("alice", "player"),
    ("bob", "player"),
    ("carl", "player"),
    ("adam", "administrator"),
    ("sue", "surveillance"),
    ("aud", "auditor"),
    ("rex", "regulator"),
    ("house dealer", "automaton"),
    ("eve", "guest"),
)
WRONGS = [
    value for name, value in vars(irregularity).items() if name.isupper() and isinstance(value, str) and "-" in value
]
Value = Callable[[random.Random, LiveTable], Any]


def cents(chance: random.Random, live: LiveTable) -> int:
    return chance.choice((-100, 0, 1, 5_00, 25_00, 777_77, live.tray_cents, 10**9))


def stakes(chance: random.Random, live: LiveTable) -> dict[str, int]:
    wagers = [wager.name for wager in live.terms.settings.game.wagers] if live.terms else []
    return {name: chance.choice((0, 1_00, 5_00, 10_00)) for name in chance.sample(wagers, min(len(wagers), 3))}


def a_card(chance: random.Random, live: LiveTable) -> str:
    deck = live.terms.settings.game.deck.cards if live.terms else ("As",)
    return chance.choice((*chance.sample(deck, min(3, len(deck))), "Zz", deck[0][:2]))


def an_action(chance: random.Random, live: LiveTable) -> str:
    return chance.choice(("fold", "play", "bet", "check", "raise 4x", "declare", "dance"))


VALUES: dict[str, Value] = {
    "seat": lambda chance, live: chance.choice((0, 1, 2, 3, 6, 7, 99)),
    "cents": cents,
    "tray_cents": cents,
    "chips": lambda chance, live: chance.choice(({}, {"500": 1}, {"500": -1}, {"33": 2}, {"2500": 4, "100": 3})),
    "stakes": stakes,
    "instrument": lambda chance, live: chance.choice(("chips", "match-play-coupon", "verbal-cash", "gold")),
    "other_instruments": lambda chance, live: {},
    "progressive_chips": lambda chance, live: chance.choice((None, 0, 1, 2, -1)),
    "card": a_card,
    "discard": lambda chance, live: chance.choice((None, a_card(chance, live))),
    "action": an_action,
    "irregularity": lambda chance, live: chance.choice((*WRONGS, "earthquake")),
    "ruling": lambda chance, live: chance.choice((None, "void", "continue", "abandoned", "played-out", "x")),
    "proposal": lambda chance, live: chance.choice((*live.proposals, "nothing")),
    "document": lambda chance, live: {"game": chance.choice(game_names()), "automatic": False, "cards": "reader"},
    "deck": lambda chance, live: chance.choice((None, "deck 1", "deck 2", "")),
    "duty": lambda chance, live: chance.choice(("no-more-bets", "inspect", "stay", "x")),
    "way": lambda chance, live: chance.choice(("device", "manual", "x")),
    "cards": lambda chance, live: chance.choice((-1, 0, 20, 30, 52, 53)),
    "cards_in_deck": lambda chance, live: chance.choice((51, 52, 53)),
    "reason": lambda chance, live: chance.choice(("", "set-apart", "hours", "defect", "because")),
    "face": lambda chance, live: chance.choice(("face-down", "face-up", "x")),
    "asked_by": lambda chance, live: None,
    "device": lambda chance, live: chance.choice(("shuffler", "shoe", "x")),
    "how": lambda chance, live: chance.choice(("covered", "marked", "removed", "x")),
    "method": lambda chance, live: chance.choice(("hand", "manual-shoe", "automated-shoe", "x")),
    "entry": lambda chance, live: chance.randrange(-1, live.head.sequence + 2),
    "token": lambda chance, live: live.lease.token,
    "dealer": lambda chance, live: chance.choice((None, "dora", "dana")),
    "elsewhere": lambda chance, live: None,
}


def anything(chance: random.Random, live: LiveTable) -> dict[str, Any]:
    """Return a command of any kind with any values."""
    kind = chance.choice(sorted(KINDS))
    body: dict[str, Any] = {"kind": kind}
    for field in fields(KINDS[kind]):
        if field.name in ("by", "at"):
            continue
        made = VALUES.get(field.name, lambda chance, live: chance.choice((True, False)))
        body[field.name] = made(chance, live)
    return body


# At a dealer's table the floor proposes to act for a player who is gone, and the dealer confirms it.
TAKES_TWO_HERE = {"ActForAbsent": "RuleAbsence"}


class Watch:
    """Checks what holds after every answer."""

    def __init__(self, table: StaffedTable) -> None:
        self.table = table
        self.balances: Counter[str] = Counter()
        self.read: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.done: Counter[str] = Counter()

    def check(self, role: str, body: dict[str, Any], before: LiveTable, answer: Done | Refusal) -> None:
        kind, live = body["kind"], self.table.live
        if isinstance(answer, Refusal):
            assert live is before, "a refused command changes nothing"
            assert answer.reason
            assert answer.clause or answer.field in ("body", "seen"), answer
            self.refused[kind] += 1
            return
        self.done[kind] += 1
        permission = PERMISSIONS[kind]
        is_proposed = [entry.kind for entry in answer.entries] == [entry_kinds.PROPOSED]
        if is_proposed and kind in TAKES_TWO_HERE:
            permission = PERMISSIONS[TAKES_TWO_HERE[kind]]
        assert role in permission.grants or role in (permission.second or {}), f"{role} did {kind}"
        assert answer.entries
        self.books()

    def books(self) -> None:
        store = self.table.floor.store
        for stream in streams(store):
            for entry in store.read(stream, self.read[stream]):
                self.read[stream] = entry.sequence
                moved = entry.body.get("postings", {})
                assert sum(moved.values()) == 0, entry
                for account, amount in moved.items():
                    self.balances[account] += amount
                    assert self.balances[account] >= 0 or account in ("house", "cage"), entry
        live = self.table.live
        held = {account: amount for account, amount in self.balances.items() if amount and account in live.balances}
        assert held == live.balances
        assert sum(value * count for value, count in live.tray.items()) == live.tray_cents
        if live.shift is not None:
            assert live.shift.unexplained_cents == 0
        state = self.table.floor.house.progressive(PROGRESSIVE).state
        assert self.balances[f"pool:{PROGRESSIVE}"] == state.pool_cents


async def wild(name: str, seed: int, steps: int, **document: Any) -> Watch:
    chance = random.Random(seed)
    table = StaffedTable(Floor(seed), name, **document)
    await table.open()
    for person, seat in (("alice", 1), ("bob", 2)):
        await table.floor.sit("t", person, seat)
    watch, shown = Watch(table), console(table.live)
    for _ in range(steps):
        before = table.live
        person, role = chance.choice(PEOPLE)
        body = anything(chance, before)
        if chance.random() < 0.5:
            person, role, body = sensible(chance, table, shown) or (person, role, body)
        token = chance.choice((before.lease.token, before.lease.token, before.lease.token, None, 0))
        answer = await table.floor.ask("t", person, role, body, token=token)
        watch.check(role, body, before, answer)
        if table.live is not before:  # what a table shows depends on nothing else
            shown = console(table.live)
            repr(shown)
            check_views(table)
    return watch


def check_views(table: StaffedTable) -> None:
    """Check that nobody's view holds a card that is hidden from them."""
    live = table.live
    if live.play is None:
        return
    sealer: Any = table.floor.house.reading.opener(live.round, live.key) if live.round else None
    for person in ("alice", "dana", None):
        hidden = hidden_from(live.play, person, live)
        cards = [card for held in live.play.cards.values() for card in held if card not in hidden]
        seen = view(live, person, sealer)
        assert not Counter(shown_faces(replace(seen, opened=()))) - Counter(map(face, cards)) - discarded(live, person)
        assert not {opening.card for opening in seen.opened} & hidden


def discarded(live: LiveTable, person: str | None) -> Counter[str]:
    """Return the discards that a person may see besides the cards of the hand."""
    assert live.play is not None
    own = live.seats_of(person) if person else ()
    return Counter(face(card) for seat, card in live.play.discards.items() if seat in own)


def bare(live: LiveTable) -> LiveTable:
    """Return a table without its rules, which are read again each time."""
    play = live.play._replace(rules=None) if live.play is not None else None
    cards = replace(live.cards, settings=None) if live.cards is not None else None
    return live._replace(terms=None, cards=cards, play=play)


def sensible(chance: random.Random, table: StaffedTable, shown: Console) -> tuple[str, str, dict[str, Any]] | None:
    """Return what the console shows as due, so that the table gets somewhere between the nonsense."""
    live = table.live
    duties = [duty for duty in shown.duties if duty.command["kind"] not in ("SpreadIdle", "RemoveDeck")]
    if not duties:
        return None
    duty = chance.choice(duties)
    body: dict[str, Any] = dict(duty.command)
    cards, play = live.cards, live.play
    whole = len(live.terms.settings.game.deck) if live.terms else 0
    dealt = cards.round.dealt if cards and cards.round else 0
    kind = body["kind"]
    if kind in ("CutDeck", "ReadDeviceCount", "CountDeck"):
        body["cards"] = whole // 2 if kind == "CutDeck" else whole
    elif kind == "CountStub":
        body["cards"] = whole - dealt - (chance.random() < 0.1)
    elif kind == "ShuffleDeck":
        body["way"] = "device"
    elif kind == "ReceiveDeck":
        body.setdefault("deck", f"deck {live.head.sequence}")
    elif kind == "OpenTable":
        body["tray_cents"] = 50_000_00
    elif kind == "ActivateSubmission":
        body["document"] = {"game": table.name, **table.document}
    elif kind == "ReadCard" and play is not None:
        assert live.terms is not None
        body["card"] = chance.choice(
            [card for card in live.terms.settings.game.deck.cards if card not in live.positions]
        )
    elif kind == "PlaceWagers":
        seat = chance.choice((1, 2))
        body.update(seat=seat, stakes=table.floor.stakes(live))
        return live.seats.get(seat, "alice"), "player", body
    elif kind == "Act" and play is not None:
        actions = list(play.rules.actions[play.rules.play[play.step].name].values())
        action = chance.choice(actions)
        body["action"] = action.name
        body["discard"] = chance.choice(play.cards[play.cursor]) if action.discards else None
        return play.players[play.cursor], "player", body
    roles = {"floorperson": ("flo", "floorperson"), "operator": ("olga", "operator")}
    person = (
        ("pete", "pit-manager") if kind == "Confirm" else roles.get(duty.by, (live.lease.holder or "dana", "dealer"))
    )
    return person[0], person[1], body


@pytest.mark.parametrize("cards", ["reader", "shuffle"])
@pytest.mark.parametrize("name", game_names())
def test_nothing_raises_and_the_books_balance_whatever_anybody_asks(name: str, cards: str) -> None:
    async def watched() -> tuple[Counter[str], Counter[str], set[int]]:
        done: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        rounds = set()
        for seed in range(4):
            watch = await wild(name, seed, 350, cards=cards)
            done += watch.done
            refused += watch.refused
            rounds.add(watch.table.live.rounds)
            live = LiveTable("t")
            for entry in watch.table.floor.store.read("table/t"):
                live = evolve(live, entry, watch.table.floor.house.reading)
            assert bare(live) == bare(watch.table.live), "the record alone leads to the same table"
            back = table_from_data(table_to_data(live), watch.table.floor.house.reading)
            assert bare(back) == bare(live)
        return done, refused, rounds

    done, refused, rounds = run(watched())
    assert set(refused) | set(done) == set(KINDS)
    assert len(done) > 15
    assert max(rounds) >= 1
