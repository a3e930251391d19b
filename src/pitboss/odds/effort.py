"""Estimates the general solver's work for a game before it begins, and refuses too much of it."""

import os
import random
import time
from functools import lru_cache
from math import comb
from typing import NamedTuple

from pitboss.cards.deck import Card
from pitboss.odds.enumerated import Enumeration, Seen
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.watched import NO_DEALER, Needs, WatchedTable
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.play import UNDECIDED, SeatStatus
from pitboss.rules.reading import SeatCards, TableCards

PATIENCE = "PITBOSS_PATIENCE"  # the variable that sets the limit, in seconds
PATIENCE_SECONDS = 600
COUNTED_SECONDS = 3e-9  # to check whether one of the dealer's hands is possible
LISTED_SECONDS = 2e-8  # to look up one board
NOTED_SECONDS = 6e-5  # to record what a reading asks for, each time it runs against the dealer's values
GIVEN_SECONDS = 5e-6  # to set up a board for a reading
SET_SECONDS = 2e-7  # to make a set and to change its suits
BRANCHES = 5  # ways a reading runs against the dealer's values
TRIES = 40

OWN, BY_DEALER, BY_BOARD, BY_BOTH = "own", "dealer", "board", "both"


class Effort(NamedTuple):
    """The number of deals behind a question, and the time to go through them."""

    deals: int
    seconds: float


def check_effort(enumeration: Enumeration, stage: int = 0, seen: Seen | None = None) -> None:
    """Raise an error if the work would take longer than the limit."""
    limit = float(os.environ.get(PATIENCE, PATIENCE_SECONDS))
    effort = effort_of(enumeration, stage, seen)
    if effort.seconds > limit:
        title = enumeration.rules.game.title
        raise NotCountable(
            f"{title} has {_counted(effort.deals)} deals to count here. The general solver would need about"
            f" {_spelled(effort.seconds)}, and its limit is {_spelled(limit)}. Raise the limit with {PATIENCE}"
            " (in seconds), or add an exact.py to the game's folder."
        )


def effort_of(enumeration: Enumeration, stage: int = 0, seen: Seen | None = None) -> Effort:
    """Estimate the work of going through all hands, or of one hand at a question."""
    game, alike = enumeration.rules.game, enumeration.alike
    sizes = {DEALER: enumeration.dealt[DEALER], BOARD: enumeration.dealt[BOARD]}
    suits = len(alike.permutations)
    hands = 1.0 if seen else alike.count(game.cards_each) / suits
    deals = (
        enumeration.after(seen)
        if seen
        else comb(len(game.deck), game.cards_each) * enumeration.after(Seen(tuple(range(game.cards_each))))
    )
    how, read_seconds = _probe(enumeration)
    held = Seen((0,) * game.cards_each) if seen is None else seen
    seconds = 0.0
    asked = enumeration.questions[stage:] or (("", {}),)
    up = {DEALER: len(held.dealer), BOARD: len(held.board)}
    dealers = alike.count(sizes[DEALER])
    for _, shown in asked:
        for place in (DEALER, BOARD):
            more = shown.get(place, 0) - up[place]
            if more > 0:
                hands *= comb(len(game.deck) - game.cards_each - up[DEALER] - up[BOARD], more)
                up[place] += more
        left = len(game.deck) - game.cards_each - up[DEALER] - up[BOARD]
        boards = comb(left, sizes[BOARD] - up[BOARD])
        if how == BY_DEALER:
            seconds += hands * (dealers * COUNTED_SECONDS + BRANCHES * (read_seconds + NOTED_SECONDS))
        elif how == BY_BOARD:
            seconds += hands * boards * LISTED_SECONDS * game.cards_each
        elif how == BY_BOTH:
            seconds += hands * boards * (dealers * COUNTED_SECONDS + BRANCHES * (read_seconds + NOTED_SECONDS))
        else:
            seconds += hands * read_seconds
    sets = sum(map(alike.count, {game.cards_each, *(sizes.values() if seen is None else ())}))
    return Effort(deals, seconds + suits * sets * SET_SECONDS + _reading_once(enumeration, how, read_seconds, seen))


def _reading_once(enumeration: Enumeration, how: str, read_seconds: float, seen: Seen | None) -> float:
    # What is read once and kept: the dealer's hands, for each board where it matters, and hands with each board.
    alike, game = enumeration.alike, enumeration.rules.game
    dealers = alike.count(enumeration.dealt[DEALER])
    size = enumeration.dealt[BOARD]
    boards = alike.count(size) if seen is None else alike.count(size - len(seen.board))
    if how == BY_DEALER:
        return dealers * read_seconds / len(alike.permutations)
    if how == BY_BOTH:
        return dealers * boards * read_seconds
    if how == BY_BOARD:
        kept = game.cards_each - any(
            action.discards for actions in enumeration.rules.actions.values() for action in actions.values()
        )
        held = 1 if seen else alike.count(kept) / len(alike.permutations)
        return held * boards * (read_seconds + GIVEN_SECONDS)
    return 0.0


@lru_cache(maxsize=16)
def _probe(enumeration: Enumeration) -> tuple[str, float]:
    game, options = enumeration.rules.game, enumeration.rules.options
    chance = random.Random(game.name)
    found, seconds, runs = OWN, 0.0, 0
    statuses: set[tuple[SeatStatus, bool]] = {
        (action.becomes, action.discards)
        for actions in enumeration.rules.actions.values()
        for action in actions.values()
        if action.becomes != UNDECIDED
    } or {(UNDECIDED, False)}
    for _ in range(TRIES):
        cards = chance.sample(game.deck.cards, game.cards_each + sum(enumeration.dealt.values()))
        own, rest = tuple(cards[: game.cards_each]), cards[game.cards_each :]
        dealer, board = tuple(rest[: enumeration.dealt[DEALER]]), tuple(rest[enumeration.dealt[DEALER] :])
        table = TableCards(dealer, board)
        for status, discards in statuses:
            seat = SeatCards(own, status, own[0] if discards else None)
            for is_warm in (False, True):
                began = time.process_time()
                reading = game.readings.dealer(table, options)
                game.readings.seat(table, reading, seat, options, enumeration.wagers)
                seconds += (time.process_time() - began) * is_warm
                runs += is_warm
            found = max(found, _asks(enumeration, seat, dealer, board), key=(OWN, BY_DEALER, BY_BOARD, BY_BOTH).index)
    return found, seconds / runs


def _asks(enumeration: Enumeration, seat: SeatCards, dealer: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    readings, options = enumeration.rules.game.readings, enumeration.rules.options

    def is_read(table: object, of_dealer: object) -> bool:
        try:
            readings.seat(table, of_dealer, seat, options, enumeration.wagers)  # type: ignore[arg-type]
        except Needs:
            return False
        return True

    if is_read(WatchedTable(), NO_DEALER):
        return OWN
    if is_read(WatchedTable(board=board), NO_DEALER):
        return BY_BOARD
    try:
        reading = readings.dealer(WatchedTable(dealer=dealer), options)  # type: ignore[arg-type]
        return BY_DEALER if is_read(WatchedTable(dealer=dealer), reading) else BY_BOTH
    except Needs:
        return BY_BOTH


def _counted(deals: int) -> str:
    if deals < 10**6:
        return f"{deals:,}"
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if deals >= size:
            return f"about {deals / size:,.3g} {name}" if deals < 1000 * size else f"about {deals:.1e}"
    return str(deals)


def _spelled(seconds: float) -> str:
    for size, name in ((365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = round(seconds / size)
            return f"{count:,} {name}{'s' * (count != 1)}"
    return f"{round(seconds)} seconds"
