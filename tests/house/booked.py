"""Books the rounds that other tests play: each event's transfer is applied to balances, checked every time."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitboss.cards import Card
from pitboss.games import catalogue
from pitboss.house.money.ledger import CAGE, HOUSE, Balances, Posting, Transfer, apply, felt, inventory, pool, stack
from pitboss.house.money.postings import Books as BooksOf
from pitboss.house.money.postings import transfer_of
from pitboss.round import Round, evolve
from pitboss.round.commands import CloseBets
from pitboss.round.events import CardsDealt, Event, Place
from pitboss.rules.dealing import BOARD
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from round.played import GAMES, LEAST, RandomPlay, Table, random_choices

TABLE, PROGRESSIVE = "one", "linked"
DESK = BooksOf(TABLE, PROGRESSIVE)
VOIDED = "wrong-number-of-cards"
PROGRESSIVES = [name for name in GAMES if catalogue.game(name).progressive]
PLENTY = 10**12
STACK = 10**9


def sound(balances: Balances) -> None:
    """Check what holds after every event."""
    assert balances.total() == 0
    assert all(cents >= 0 for account, cents in balances if account != HOUSE)


def funded(tray: int = PLENTY, behind_meters: int = PLENTY) -> Balances:
    """Return a house with a table, a progressive and a cage."""
    held = {CAGE: PLENTY, inventory(TABLE): tray, pool(PROGRESSIVE): behind_meters}
    return Balances({**held, HOUSE: -sum(held.values())})


def transfers_of(before: Round, events: Iterable[Event]) -> tuple[Transfer, ...]:
    """Return the money that events move, in order, one transfer for each event that moves any."""
    moved = []
    for event in events:
        moved.append(transfer_of(DESK, before, event))
        before = evolve(before, event)
    return tuple(transfer for transfer in moved if transfer is not None)


@dataclass
class Books:
    """The money of one table; players buy in when they first wager."""

    balances: Balances = field(default_factory=funded)
    stacks: dict[str, int] = field(default_factory=dict)  # what each player began with
    transfers: list[Transfer] = field(default_factory=list)
    stack_cents: int = STACK

    def seat(self, player: str, cents: int | None = None) -> None:
        """Give a player chips, once."""
        if player not in self.stacks:
            self.stacks[player] = self.stack_cents if cents is None else cents
            self.move(
                Transfer(
                    "given", (Posting(HOUSE, -self.stacks[player]), Posting(stack(TABLE, player), self.stacks[player]))
                )
            )

    def move(self, transfer: Transfer) -> None:
        """Make a transfer that must be possible."""
        after = self.try_move(transfer)
        assert after is None, f"{transfer}: {after}"

    def try_move(self, transfer: Transfer) -> Refusal | None:
        """Make a transfer, or return why it is refused."""
        after = apply(self.balances, transfer.postings)
        if isinstance(after, Refusal):
            return after
        self.balances = after
        self.transfers.append(transfer)
        sound(after)
        return None

    def book(self, before: Round, event: Event) -> Round:
        """Book one event and return the round after it; the felt holds what is staked and still there."""
        player = getattr(event, "player", None)
        if player is not None:
            self.seat(player)
        transfer = transfer_of(DESK, before, event)
        if transfer is not None:
            self.move(transfer)
        after = evolve(before, event)
        staked = sum(cents for key, cents in after.stakes.items() if key not in (*after.results, *after.banked))
        assert self.balances.of(felt(TABLE)) == staked
        return after

    def book_all(self, before: Round, events: Iterable[Event]) -> Round:
        """Book a row of events."""
        for event in events:
            before = self.book(before, event)
        return before

    def gained(self, player: str) -> int:
        """Return what a player has more than at the beginning."""
        return self.balances.of(stack(TABLE, player)) - self.stacks[player]


class Lucky(RandomPlay):
    """A random round with a progressive wager at every seat, whose cards often draw on a meter."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.game_played = game = catalogue.game(self.game)
        assert game.progressive is not None
        self.wager = game.progressive.wager
        while not self.rules.draws_on_meter(self.wager):
            self.rules = RulesInForce(game, random_choices(game, self.chance, self.dealing))
        self.meters = dict.fromkeys(self.rules.paytables[self.wager].meters, 1_000_000)
        fixed = game.wagers_by_name[self.wager].stakes_cents
        self.stake = self.rules.choices.stakes.get(self.wager) or self.chance.choice(fixed)
        self.seats = self.chance.choice((1, 2, 2, 3))
        self.table = Table(self.rules)

    def open(self) -> Table:
        """Place wagers at one to three seats and close the bets; the cards are arranged by a round played before."""
        trial = self._begun()
        while trial.state.outcome is None:
            trial.do(self.next_command())
        places = [event.place for event in trial.events if isinstance(event, CardsDealt) for _ in event.cards]
        table = self._begun()
        table.spare = self._arranged(places)
        return table

    def _begun(self) -> Table:
        self.table = Table(self.rules)
        for seat in range(1, self.seats + 1):
            self.table.place(seat, {**LEAST[self.game], self.wager: self.stake})
        self.table.do(CloseBets())
        return self.table

    def _arranged(self, places: list[Place]) -> list[Card]:
        deck = self.chance.sample(self.game_played.deck.cards, len(self.game_played.deck.cards))
        wanted = self._wanted(deck, [place for place in dict.fromkeys(places) if isinstance(place, int)])
        spare = [card for card in deck if not any(card in cards for cards in wanted.values())]
        order = [(wanted.get(place) or spare).pop(0) for place in places]
        return [*order, *(card for card in deck if card not in order)]

    def _wanted(self, deck: list[Card], seats: list[int]) -> dict[Place, list[Card]]:
        self.chance.shuffle(seats)
        if BOARD not in self.game_played.table_cards:
            likes = sorted(deck, key=lambda card: (card[0] != "D", card[:2] != "Dr", card[:2]))
            return {seat: likes[3 * number : 3 * number + 3] for number, seat in enumerate(seats)}
        if self.chance.random() < 0.3:
            of_a_kind = [card for card in deck if card[0] == deck[0][0]]
            return {BOARD: of_a_kind[:3], seats[0]: of_a_kind[3:]}
        ranks = "AKQJT98765432"
        suited = sorted((card for card in deck if card[1] == deck[0][1]), key=lambda card: ranks.index(card[0]))
        run: dict[int | str, list[Card]] = {BOARD: suited[2:5]}
        return run | dict(zip(seats, (suited[:2], suited[5:7]), strict=False))


def lucky(game: str, seed: int) -> Lucky:
    """Return such a round, not begun."""
    return Lucky(game, seed)
