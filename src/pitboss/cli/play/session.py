"""A player's session at a table: wagers, questions and settlements, until they leave."""

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from pitboss.cli.play import explain
from pitboss.cli.play.answering import Answering
from pitboss.cli.play.faces import CardFaces, glyphs_for
from pitboss.cli.play.felt import BRASS, felt, header, keys_line, paragraph
from pitboss.cli.play.screen import Screen
from pitboss.cli.play.settlement import settlement_table
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.wagering import NotUnderstood, examples, objections, revised, wager_keys, wager_table
from pitboss.cli.play.words import announced, free_play_words, refusal_words
from pitboss.house.narrator import Narrator, counted
from pitboss.round import view
from pitboss.round.events import ActionTaken, EnvyPaid, Event, MeterPaid, WagersPlaced
from pitboss.round.stakes import least_stakes, opening_stakes
from pitboss.round.state import OVER
from pitboss.round.view import RoundView, SeatView
from pitboss.rules.payoff import dollars, signed

MOST_TOLD = 6
COMPLAINT = "#d0654f"


class Session:
    """The player's side of the table."""

    def __init__(self, table: FreePlayTable, screen: Screen, seat: int, stake_cents: int | None) -> None:
        self._table, self._terms = table, table.terms
        self._screen = screen
        self._seat = seat
        self._faces = CardFaces(table.terms.game.deck, glyphs_for(screen.console.encoding))
        self._narrator = Narrator(table.terms.rules, self._faces.written)
        self._stakes = opening_stakes(table.terms.rules, stake_cents)
        self._told: list[tuple[Event, str]] = []

    def play(self) -> None:
        """Play round after round until the player leaves."""
        typed: str | None = None
        while True:
            self._wager(typed)
            self._play_round()
            typed = self._after_round()

    def farewell(self) -> str:
        """Return the summary of the session."""
        rounds, net = self._table.rounds, self._table.net_cents(self._seat)
        said = f"You played {counted(rounds, 'round')}: {signed(net)}." if rounds else "You played no complete rounds."
        if self._table.state.players and self._table.state.phase != OVER:
            said += " The unfinished round stays on record; its wagers aren't counted."
        return said

    def _tell(self) -> None:
        for state, events in self._table.news():
            for event in events:
                if isinstance(event, WagersPlaced) or (isinstance(event, ActionTaken) and event.seat == self._seat):
                    continue  # the felt shows them
                said = announced(self._narrator, event, state)
                if said is not None:
                    self._told.append((event, said))

    def _wager(self, typed: str | None) -> None:
        # None: show the wagers first. An empty line: the same bet. Anything else changes the stakes.
        complaint = ""
        while True:
            self._buy_in_when_broke()
            if typed == "":
                complaint = self._begin()
                if not complaint:
                    return
            elif typed is not None:
                complaint = self._revise(typed)
            self._show_wagers(complaint)
            typed = self._screen.ask()
            complaint = ""

    def _begin(self) -> str:
        against = objections(self._terms, self._stakes, self._table.bankroll_cents(self._seat))
        if against:
            return " ".join(against)
        self._told.clear()
        refusal = self._table.begin(self._stakes)
        return refusal_words(refusal) if refusal else ""

    def _revise(self, typed: str) -> str:
        if typed.startswith("?"):
            self._explain_wagers(typed[1:].strip())
            return ""
        try:
            self._stakes = revised(self._terms, self._stakes, typed)
        except NotUnderstood as wrong:
            return str(wrong)
        return " ".join(objections(self._terms, self._stakes, self._table.bankroll_cents(self._seat)))

    def _show_wagers(self, complaint: str) -> None:
        parts: list[RenderableType] = [header(self._table)]
        if not self._table.rounds:
            parts += [paragraph(free_play_words(self._terms.game)), Text()]
        parts += [wager_table(self._terms, self._stakes), Text()]
        parts.append(paragraph(complaint, COMPLAINT) if complaint else paragraph(f"Total {self._total()}."))
        self._screen.page(
            *parts,
            keys_line([("Enter", "deal"), *examples(self._terms), ("?", "rules"), ("q", "leave")], self._screen.width),
        )

    def _total(self) -> str:
        return dollars(sum(self._stakes.values()))

    def _explain_wagers(self, key: str) -> None:
        name = next((name for name, wager_key in wager_keys(self._terms).items() if wager_key == key), None)
        if name is None:
            self._explain(explain.wager_rules(self._terms))
        else:
            self._explain(explain.paytable_rules(self._terms, self._terms.game.wagers_by_name[name]))

    def _explain(self, said: RenderableType) -> None:
        self._screen.page(header(self._table), said, Text())
        self._screen.ask(" Press Enter to go back to the table > ")

    def _buy_in_when_broke(self) -> None:
        least = sum(least_stakes(self._terms.rules).values())
        have = self._table.bankroll_cents(self._seat)
        if have >= least:
            return
        self._screen.add(
            paragraph(f"You have {dollars(have)}, and the required wagers total {dollars(least)}.", COMPLAINT),
            keys_line([("Enter", f"buy in for another {dollars(self._table.buy_in_cents)}"), ("q", "leave")]),
        )
        self._screen.ask()
        self._table.buy_in(self._seat)

    def _play_round(self) -> None:
        self._table.run()
        self._tell()
        while self._table.state.phase != OVER:
            self._ask()
            self._table.run()
            self._told.clear()
            self._tell()

    def _ask(self) -> None:
        answering = Answering(self._table, self._seat, self._faces)
        complaint = ""
        while True:
            self._show_table(complaint, answering.prompt(self._screen.width))
            typed = self._screen.ask()
            if typed.startswith("?"):
                self._explain(explain.ask_rules(self._terms, answering.ask))
                complaint = ""
                continue
            complaint = answering.take(typed)
            if answering.taken:
                return

    def _show_table(self, complaint: str, prompt: RenderableType) -> None:
        seen = view(self._table.state, (self._seat,))
        parts: list[RenderableType] = [
            header(self._table),
            felt(self._table, seen, self._faces, self._screen.width),
            Rule(style="dim"),
        ]
        parts += [paragraph(said, "dim") for _, said in self._told[-MOST_TOLD:]]
        if complaint:
            parts.append(paragraph(complaint, COMPLAINT))
        self._screen.page(*parts, prompt)

    def _after_round(self) -> str | None:
        complaint = ""
        while True:
            self._show_settlement(complaint)
            typed = self._screen.ask()
            if typed == "w":
                return None
            if typed.startswith("?"):
                own = _own(view(self._table.state, (self._seat,)), self._seat)
                self._explain(explain.settlement_rules(self._terms, own, [bonus.clause for bonus in self._envy()]))
            elif typed == "e":
                self._show_everyone()
            else:
                try:
                    revised(self._terms, self._stakes, typed)
                except NotUnderstood as wrong:
                    complaint = str(wrong)
                    continue
                return typed
            complaint = ""

    def _show_settlement(self, complaint: str) -> None:
        seen = view(self._table.state, (self._seat,))
        own = _own(seen, self._seat)
        parts: list[RenderableType] = [header(self._table), felt(self._table, seen, self._faces, self._screen.width)]
        parts.append(settlement_table(self._terms.rules, [own], self._envy()))
        for event, said in self._told:
            if isinstance(event, MeterPaid) or (isinstance(event, EnvyPaid) and event.seat != self._seat):
                parts.append(paragraph(said, BRASS))
        if complaint:
            parts.append(paragraph(complaint, COMPLAINT))
        choices = [("Enter", f"same bet, {self._total()}"), ("w", "change wagers"), ("e", "all seats")]
        self._screen.page(*parts, keys_line([*choices, ("?", "why"), ("q", "leave")], self._screen.width))

    def _show_everyone(self) -> None:
        seen = view(self._table.state, (self._seat,))
        parts: list[RenderableType] = [header(self._table)]
        for seat in reversed(seen.seats):
            name = f" Seat {seat.seat}{', you' if seat.seat == self._seat else ''}"
            parts.append(Text(f"{name}: {seat.hand or seat.status}", style="bold"))
            parts.append(settlement_table(self._terms.rules, [seat], self._envy(seat.seat)))
        self._screen.page(*parts)
        self._screen.ask(" Press Enter to go back to the table > ")

    def _envy(self, seat: int | None = None) -> list[EnvyPaid]:
        wanted = seat or self._seat
        return [event for event, _ in self._told if isinstance(event, EnvyPaid) and event.seat == wanted]


def _own(seen: RoundView, seat: int) -> SeatView:
    return next(shown for shown in seen.seats if shown.seat == seat)
