"""Describes each entry of a recorded round in one sentence that names no hidden card."""

from collections.abc import Mapping
from typing import Any

from pitboss.record.entries import Entry
from pitboss.round import events as happened
from pitboss.round.events import Event
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars

_PLACES = {"dealer": "The dealer", "board": "The board", "box": "The box", "burn": "The burn"}
_OF_THE_HOUSE = {
    "house.RoundBegun": "The round begins",
    "house.DeckCommitted": "The order of the deck is fixed, each position by a salted hash",
    "house.OrderFixed": "The round is dealt from the order that the shuffle fixed and the cut moved",
    "house.SealOpened": "The key to the dealt cards is published",
    "house.CardRead": "A card is read, and sealed until it may be seen",
}
_OF_REPORTS = (
    "house.IrregularityReported",
    "house.IncidentAnswered",
    "house.DisputeReported",
    "house.DisputeResolved",
    "house.Proposed",
    "house.Confirmed",
    "house.Declined",
)


def told(entry: Entry, event: Event | None, rules: RulesInForce) -> str:
    """Return an entry as a sentence without its full stop."""
    if event is not None:
        return _of_play(event, rules)
    if entry.kind == "house.RoundEnded":
        return f"The round ends, {entry.body['outcome']}"
    if entry.kind == "house.PlayerReturned":
        return f"{entry.body['player']} is back at the table"
    if entry.kind in _OF_REPORTS:
        return _of_report(entry)
    return _OF_THE_HOUSE.get(entry.kind) or _words(entry.kind.partition(".")[2])


def _of_report(entry: Entry) -> str:
    body = entry.body
    reason = f": {body['reason']}" if body.get("reason") else ""
    match entry.kind:
        case "house.IrregularityReported":
            said = "".join(f", {body[name]}" for name in ("limb", "note") if body.get(name))
            return f"{entry.actor} reports {_report(body)}{said}; the table is held"
        case "house.IncidentAnswered":
            return f"The report of {_report(body)} is {body['outcome']} by {entry.actor}{reason}"
        case "house.DisputeReported":
            return f"{entry.actor} reports a dispute at seat {_seats(body)}; the next round waits"
        case "house.DisputeResolved":
            return f"{body['second']} and {entry.actor} resolve the dispute at seat {_seats(body)}: {body['outcome']}"
        case "house.Proposed":
            return f"{entry.actor} proposes {_words(body['command']['kind']).lower()}, and a second person has to agree"
        case "house.Confirmed":
            return f"{entry.actor} confirms what {body['proposed_by']} proposed"
        case _:
            how = "ran out or was made again" if body.get("has_lapsed") else f"was turned down by {entry.actor}{reason}"
            return f"What was proposed {how}"


def _seats(body: Mapping[str, Any]) -> str:
    return ", ".join(map(str, body["seats"]))


def _report(body: Mapping[str, Any]) -> str:
    where = f" at seat {body['seat']}" if body["seat"] is not None else ""
    return f"{body['irregularity'].replace('-', ' ')}{where}"


def _of_play(event: Event, rules: RulesInForce) -> str:
    match event:
        case happened.WagersPlaced():
            return f"Seat {event.seat} wagers {_stakes(event.stakes, rules)}"
        case happened.WagersWithdrawn():
            return f"Seat {event.seat} takes its wagers back"
        case happened.WagerReturned():
            return f"{_title(event.wager, rules)} goes back to seat {event.seat}"
        case happened.BetsClosed():
            return "No more bets"
        case happened.StakesBanked():
            return f"The {_title(event.wager, rules)} chips, {dollars(event.cents)}, go to the tray"
        case happened.CardsDealt():
            up = "face up" if event.face_up else "face down"
            return f"{_place(event.place)} gets {_cards(len(event.cards))} {up}"
        case happened.CardCorrected():
            return f"A card of {_place(event.place).lower()} was read wrongly and is corrected"
        case happened.CardsTurned():
            return f"{_place(event.place)} shows {_cards(event.count)}"
        case happened.ActionTaken():
            return _action(event, rules)
        case happened.CardsCollected():
            return f"The cards of {_place(event.place).lower()} are collected"
        case _:
            return _of_money(event, rules)


def _of_money(event: Event, rules: RulesInForce) -> str:
    match event:
        case happened.WagersSettled():
            hand = f" with {event.hand}" if event.hand else ""
            net = sum(result.net for result in event.results)
            return f"Seat {event.seat} is settled{hand}: {_signed(net)}"
        case happened.EnvyPaid():
            return f"Seat {event.seat} is paid {dollars(event.net)} envy for the {event.hand} of seat {event.from_seat}"
        case happened.PayoutAwaited():
            cents = sum(result.paid for result in event.results)
            what = "progressive payout" if event.progressive else "payout"
            amount = f" of {dollars(cents)}" if cents else ""
            return f"A {what}{amount} to seat {event.seat} for {event.hand} waits for a floorperson"
        case happened.PayoutValidated():
            return f"{event.validated_by} verified the payout of seat {event.seat}"
        case happened.MeterAwaited():
            return f"Seat {event.seat} has {event.percent} % of the {event.meter} meter to come, once it is validated"
        case happened.MeterPaid():
            return f"Seat {event.seat} is paid {dollars(event.paid)}, {event.percent} % of the {event.meter} meter"
        case happened.IrregularityRuled():
            return f"Ruled on: {event.irregularity.replace('-', ' ')}, {event.remedy.replace('-', ' ')}"
        case happened.WagersReversed():
            return f"What seat {event.seat} was paid or lost is reversed"
        case happened.RoundVoided():
            return "The round is void; every wager goes back"
        case _:
            return "The cards are picked up"


def _action(event: happened.ActionTaken, rules: RulesInForce) -> str:
    titles = {name: action.title for actions in rules.actions.values() for name, action in actions.items()}
    named = titles.get(event.action) or event.action
    staked = f", {_title(event.wager, rules)} {dollars(event.stake)}" if event.wager else ""
    absent = " for an absent player" if event.absent else ""
    return f"Seat {event.seat}: {named}{staked}{absent}"


def _stakes(stakes: Mapping[str, int], rules: RulesInForce) -> str:
    return ", ".join(f"{_title(wager, rules)} {dollars(cents)}" for wager, cents in stakes.items())


def _title(wager: str | None, rules: RulesInForce) -> str:
    return rules.game.wagers_by_name[wager].title if wager else ""


def _place(place: Any) -> str:
    return f"Seat {place}" if isinstance(place, int) else _PLACES.get(place, str(place).capitalize())


def _cards(count: int) -> str:
    return "one card" if count == 1 else f"{count} cards"


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else f"-{dollars(-cents)}" if cents < 0 else dollars(0)


def _words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().capitalize()
