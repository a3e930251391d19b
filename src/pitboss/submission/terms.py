"""The terms of a table: every choice, stated or by default, as a value and as a sentence with its clause."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from pitboss.games.catalogue import rulings
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.payoff import dollars
from pitboss.rules.ruling import Ruling, general_rulings
from pitboss.rules.wager import Option, Wager, meter_title
from pitboss.submission.case import Case
from pitboss.submission.progressive_terms import is_rate
from pitboss.submission.stake_limits import EXACT_PAYMENT_RULING
from pitboss.table.settings import CONTINUOUS, COUNTING, NO_SHUFFLER, PLAIN

_DEALT = {
    MANUAL_SHOE: "Cards are dealt from a manual shoe",
    HAND: "Cards are dealt from the hand",
    AUTOMATED_SHOE: "Cards are dealt from an automated shoe or shuffler",
}
_CARDS = {
    "reader": "Real cards are dealt, each read as it is drawn",
    "drawn": "The program draws the cards",
}
_SHUFFLED = {
    NO_SHUFFLER: "The dealer shuffles by hand",
    PLAIN: "A device shuffles the cards",
    COUNTING: "A device shuffles the cards and counts them",
    CONTINUOUS: "A continuous shuffler reshuffles and counts the cards",
}


@dataclass(frozen=True, slots=True)
class Term:
    """One choice; without a sentence if another choice already says it."""

    path: tuple[str, ...]
    value: str
    sentence: str | None
    clause: str | None = None
    rulings: tuple[str, ...] = ()


def terms_of(case: Case) -> Iterator[Term]:
    """Yield every choice of a table, in the order of the file."""
    yield from _table_terms(case)
    yield from _stake_terms(case)
    for wager in case.offered:
        yield from _wager_terms(case, wager)
    for option in case.game.options:
        if option.name != case.game.positions.count_option:  # the table's positions say it
            yield _option_term(case, option)
    for amount in case.game.money_options:
        if amount.name in case.amounts:
            value, clause = dollars(case.amounts[amount.name]), case.cite(amount.cites)
            given = (amount.ruling,) if amount.ruling else ()
            found = dict.fromkeys((*given, *_rulings(case, clause)))
            sentence = f"The {amount.name.replace('-', ' ')} is {value}"
            yield Term(("options", amount.name), value, sentence, clause, tuple(found))


def _table_terms(case: Case) -> Iterator[Term]:
    table, game, procedures = case.table, case.game, case.game.procedures
    book = game.rulebook
    version = f", version {book.version}" if book.version else ""
    yield Term(("game",), game.name, f"{game.title} is played under the {book.authority}'s {book.title}{version}")
    seats = f"{case.positions} betting position{'s' * (case.positions != 1)}"
    found = _rulings(case, game.positions.cite, option=game.positions.count_option)
    yield Term(("positions",), str(case.positions), f"The table has {seats}", game.positions.cite, found)
    if table.dealing in _DEALT:
        clause = procedures.methods.get(table.dealing)
        yield _term(case, ("dealing",), table.dealing, _DEALT[table.dealing], clause)
    if case.shuffler in _SHUFFLED:
        yield _term(case, ("shuffler",), case.shuffler, _SHUFFLED[case.shuffler], _shuffler_clause(case))
    one_deck = procedures.cards.one_deck_cite if procedures.cards else None
    if case.decks == 2:
        yield _term(case, ("decks",), "2", "Two decks are used alternately", procedures.two_decks.cite)
    else:
        yield _term(case, ("decks",), str(case.decks), "One deck is used", one_deck)
    if table.deck_hours is not None:
        clause = procedures.deck_hours.cites.get(table.dealing or "") if procedures.deck_hours else None
        sentence = f"Decks are changed at least every {table.deck_hours} hours"
        yield _term(case, ("deck-hours",), str(table.deck_hours), sentence, clause)
    yield from _marks(case)


def _shuffler_clause(case: Case) -> str | None:
    shuffling = case.game.procedures.shuffling
    return {
        NO_SHUFFLER: shuffling.before_play_cite,
        PLAIN: shuffling.device_cite,
        COUNTING: shuffling.counting_cite or shuffling.wrong_count_cite,
        CONTINUOUS: shuffling.self_shuffling_allowed_cite or shuffling.self_shuffling_cite,
    }[case.shuffler]


def _marks(case: Case) -> Iterator[Term]:
    table, procedures = case.table, case.game.procedures
    if table.electronic:
        sentence = "The table is electronic, under a dealer's control"
        yield _term(case, ("electronic",), "true", sentence, procedures.electronic_cite)
    if table.cards in _CARDS:
        clause = procedures.electronic_cite if table.electronic else None
        yield _term(case, ("cards",), table.cards, _CARDS[table.cards], clause)
    if table.free_play:
        yield Term(("free-play",), "true", "The table is for free play: no money changes hands")
    if table.analysis:
        yield Term(("analysis",), "true", "The table is for analysis only and cannot be opened")
    instruments = procedures.instruments
    for name in sorted(set(table.instruments)):
        clause = instruments.if_submitted.get(name) or instruments.allowed.get(name)
        title = name.replace("-", " ")
        is_beside = name in instruments.beside_chips
        sentence = (
            f"A {title} may be added to the chips of a wager" if is_beside else f"Wagers may be made with a {title}"
        )
        yield _term(case, ("instruments", name), "accepted", sentence, clause)
    coupon_clause = next((instruments.if_submitted[name] for name in instruments.beside_chips), None)
    if table.coupon_wagers is not None:
        titles = ", ".join(wager.title for wager in case.offered if wager.name in table.coupon_wagers)
        yield _term(case, ("coupon-wagers",), titles, f"A coupon may be placed on: {titles}", coupon_clause)
    if table.coupon_maximum is not None:
        most = dollars(table.coupon_maximum)
        yield _term(case, ("coupon-maximum",), most, f"A coupon is worth at most {most}", coupon_clause)


def _stake_terms(case: Case) -> Iterator[Term]:
    required = [wager for wager in case.offered if wager.required]
    titles = " and ".join(wager.title for wager in required) or "Every wager"
    clause = required[0].cite if required else None
    least, most, step = case.table.minimum, case.table.maximum, case.table.step
    if least is not None:
        yield Term(("minimum",), dollars(least), f"{titles}: at least {dollars(least)}", clause)
    if most is not None:
        yield Term(("maximum",), dollars(most), f"{titles}: at most {dollars(most)}", clause)
    if step is not None:
        sentence = f"Stakes are multiples of {dollars(step)}, which can always be paid exactly"
        yield Term(("step",), dollars(step), sentence, None, (EXACT_PAYMENT_RULING,))
    if case.table.chip is not None:
        sentence = f"The smallest chip is {dollars(case.table.chip)}, so all payouts are multiples of it"
        yield Term(("chip",), dollars(case.table.chip), sentence, None, (EXACT_PAYMENT_RULING,))


def _wager_terms(case: Case, wager: Wager) -> Iterator[Term]:
    path = ("wagers", wager.name)
    if not (wager.required or wager.by_action):
        found = _rulings(case, wager.cite, wager.dealing_cite)
        yield Term(path, "offered", f"{wager.title} is offered", wager.cite, found)
        yield from _side_stakes(case, wager, path)
    yield from _paytable_terms(case, wager, path)
    if case.is_progressive(wager):
        yield from _progressive_terms(case, wager, path)


def _side_stakes(case: Case, wager: Wager, path: tuple[str, ...]) -> Iterator[Term]:
    if case.takes_one_stake(wager):
        stake = dollars(case.stake(wager))
        clause = wager.stakes_cite or wager.cite
        yield _term(case, (*path, "stake"), stake, f"{wager.title} has a fixed stake of {stake}", clause)
        return
    stated = case.stated(wager)
    for key, amount, own, word in (
        ("minimum", case.minimum(wager), stated.minimum, "at least"),
        ("maximum", case.maximum(wager), stated.maximum, "at most"),
    ):
        if amount is not None:
            rest = "" if own else f", the table {key}"
            yield Term((*path, key), dollars(amount), f"{wager.title}: {word} {dollars(amount)}{rest}", wager.cite)
    if stated.step is not None:
        sentence = f"{wager.title} stakes are multiples of {dollars(stated.step)}"
        yield Term((*path, "step"), dollars(stated.step), sentence, None, (EXACT_PAYMENT_RULING,))


def _paytable_terms(case: Case, wager: Wager, path: tuple[str, ...]) -> Iterator[Term]:
    table, printed = case.paytable(wager), case.printed_table(wager)
    if table is None:
        return
    if table.letter:
        sentence = f"{wager.title} uses paytable {table.letter}"
        yield _term(case, (*path, "paytable"), table.letter, sentence, table.cite)
    elif wager.letters:
        yield Term((*path, "paytable"), "its own", f"{wager.title} uses its own paytable", wager.cite)
    in_book = {line.hand: line.payoff for line in printed.lines} if printed else {}
    for line in table.lines:
        place = (*path, "odds", line.hand)
        if line.hand not in case.stated(wager).odds:
            yield Term(place, str(line.payoff), None, line.cite)
            continue
        before = f" instead of {in_book[line.hand]}" if line.hand in in_book else ""
        sentence = f"{wager.title} pays {line.payoff} for {line.title}{before}"
        yield Term(place, str(line.payoff), sentence, line.cite, _rulings(case, table.cite))


def _progressive_terms(case: Case, wager: Wager, path: tuple[str, ...]) -> Iterator[Term]:
    stated, progressive, meters = case.stated(wager), case.game.progressive, case.meters(wager)
    if stated.hand in wager.hands:
        sentence = f"{wager.title} is decided by the {stated.hand} hand"
        yield _term(case, (*path, "hand"), stated.hand or "", sentence, wager.cite)
    for name, rate in case.rates(wager).items():
        if is_rate(rate):
            percent = f"{(Decimal(rate) * 100).normalize():f}%"
            clause = progressive.rate_cite if progressive else wager.cite
            yield _term(
                case, (*path, "rate", name), percent, f"{percent} of each stake feeds {meter_title(name)}", clause
            )
    for key, word in (("initial", "starts at"), ("reset", "resets to")):
        amounts = case.by_meter(stated.initial if key == "initial" else stated.reset, meters)
        for meter in meters:
            if meter.name in amounts:
                value = dollars(amounts[meter.name])
                sentence = f"{meter_title(meter.name).capitalize()} {word} {value}"
                yield _term(case, (*path, key, meter.name), value, sentence, meter.cite)
    if progressive and stated.envy:
        sentence = f"Envy bonuses use table {stated.envy}"
        yield _term(case, (*path, "envy"), stated.envy, sentence, progressive.envy_cite)


def _option_term(case: Case, option: Option) -> Term:
    value = case.options[option.name]
    meaning = option.meaning.get(value, f"{option.name} is {value}")
    stated = option.name in case.table.options
    if not (stated or case.holds(option.concerns)):
        return Term(("options", option.name), value, None, option.cite)
    sentence = meaning[0].upper() + meaning[1:] + ("" if stated else " (by default)")
    named = (option.ruling,) if option.ruling else ()
    found = dict.fromkeys((*named, *_rulings(case, option.cite, option=option.name)))
    return Term(("options", option.name), value, sentence, option.cite, tuple(found))


def _term(case: Case, path: tuple[str, ...], value: str, sentence: str, clause: str | None) -> Term:
    return Term(path, value, sentence, clause or None, _rulings(case, clause))


def _rulings(case: Case, *clauses: str | None, option: str | None = None) -> tuple[str, ...]:
    return tuple(
        ruling.id
        for ruling in _all_rulings(case.game.name)
        if (option and ruling.option == option) or not set(clauses).isdisjoint(ruling.clause.split("; "))
    )


@cache
def _all_rulings(name: str) -> tuple[Ruling, ...]:
    try:
        general = general_rulings()
    except FileNotFoundError:
        general = ()
    return (*rulings(name), *general)
