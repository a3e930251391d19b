"""Turns a table's document into what the page draws and explains: layout, wagers, actions, limits, irregularities."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pitboss.cards.deck import face
from pitboss.games.how_to_play import played_by
from pitboss.house.live_table.irregularities import OF_REAL_CARDS
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.packet.rulings import rulings_table
from pitboss.record.entries import canonical
from pitboss.rules.dealing import AUTOMATED_SHOE, METHODS, Deal, TurnUp
from pitboss.rules.game import Rulebook
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import (
    FACE_UP_CARD,
    FORFEIT,
    OTHER_DECK,
    PROGRESSIVE_MISMATCH,
    RETURN_WAGER,
    SHOE_JAM,
    Remedy,
)
from pitboss.rules.wager import Wager
from pitboss.server.schemas import rules as shown
from pitboss.server.table_documents import read_terms
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed, PrintedOdds, printed
from pitboss.submission.read import submission_from

ENVY = 1  # envy payouts come after the wager's own payouts


def table_rules(table: str, terms: TableTerms) -> shown.TableRules:
    """Return everything the page needs to know about a table with these terms."""
    settings = terms.settings
    rules, game = settings.rules, settings.game
    submission = submission_of(terms.document)
    posted = printed(submission, submission.tables[0])
    least = next((rules.limits(wager.name) for wager in game.wagers if wager.required), None)
    actions = list(_actions(rules))
    return shown.TableRules(
        table=table,
        title=submission.tables[0].name or table,
        game=game.name,
        game_title=game.title,
        rulebook=book(game.rulebook),
        version=terms.version,
        facility=posted.facility,
        seats=rules.seats_most,
        per_player=rules.per_player(),
        free_play=settings.free_play,
        analysis=terms.analysis,
        real_cards=terms.real_cards,
        is_automatic=terms.automatic,
        minimum_cents=least.minimum if least else None,
        maximum_cents=least.maximum if least else None,
        dealing=settings.dealing,
        shuffler=settings.shuffler,
        decks=settings.decks,
        options={option.name: rules.options[option.name] for option in game.options},
        payout_limit_cents=rules.limit_cents,
        coupon_most_cents=rules.choices.coupon_most,
        places=list(_places(rules, posted)),
        cards_each=game.cards_each,
        discards=any(action.discards for action in actions),
        wagers=[_wager(rules, posted, wager) for wager in game.wagers if wager.name in rules.offered],
        actions=actions,
        inscriptions=[
            shown.InscriptionShown(text=inscription.text, alternative=inscription.alternative, cite=inscription.clause)
            for inscription in posted.inscriptions
        ],
        how_to_play=[shown.HowToPlay(text=step.text, clauses=list(step.clauses)) for step in played_by(rules)],
        deck=[face(card) for card in game.deck.cards],
        card_titles=dict(game.deck.titles),
        rulings=_rulings(terms, rules),
        irregularities=list(_irregularities(terms, rules)),
    )


def rules_kept(table: str, terms: TableTerms) -> shown.TableRules:
    """Return a table's rules, computed once for each document, which never changes."""
    return _kept(table, canonical(terms.document))


def within(rules: shown.TableRules, limits: Mapping[str, tuple[int, int]]) -> shown.TableRules:
    """Return a table's rules with the limits that the floor set."""
    if not limits:
        return rules
    wagers = [
        wager.model_copy(update=dict(zip(("minimum_cents", "maximum_cents"), limits[wager.name], strict=True)))
        if wager.name in limits
        else wager
        for wager in rules.wagers
    ]
    main = next((wager for wager in wagers if wager.required), None)
    edges = {"minimum_cents": main.minimum_cents, "maximum_cents": main.maximum_cents} if main else {}
    return rules.model_copy(update={"wagers": wagers, **edges})


def submission_of(document: Mapping[str, Any]) -> Submission:
    """Return the submission of one table in a document, including any faults."""
    return submission_from({"facility": document.get("facility"), "table": [document.get("table")]})


def book(rulebook: Rulebook) -> shown.BookShown:
    """Return the rulebook of a game."""
    return shown.BookShown(
        title=rulebook.title, authority=rulebook.authority, jurisdiction=rulebook.jurisdiction, version=rulebook.version
    )


def option_value(fact: str | None) -> shown.OptionValue | None:
    """Return the option and the value of an option fact; None if it is none."""
    option, equals, value = (fact or "").partition("=")
    return shown.OptionValue(option=option, value=value) if equals else None


def _places(rules: RulesInForce, posted: Printed) -> Iterator[shown.PlaceShown]:
    areas = {posted_area.name: posted_area for posted_area in posted.areas if not posted_area.each_seat}
    for place, cards in rules.game.table_cards.items():
        if rules.optional_places.get(place) not in (None, *rules.offered):
            continue
        area = areas.get(place)
        yield shown.PlaceShown(
            place=place,
            title=area.title if area else place.capitalize(),
            cards=cards,
            groups=_groups(rules, place, cards),
            cite=area.clause if area else None,
        )


def _groups(rules: RulesInForce, place: str, cards: int) -> list[int]:
    # The number of cards face up after each stretch of dealing; cards dealt in the same stretch lie together.
    found, up = [], 0
    for step in rules.play:
        before = up
        for move in rules.moves(step) if isinstance(step, Deal) else ():
            if move.place == place:
                up = move.cards if isinstance(move, TurnUp) else up + move.cards * move.face_up
        if up > before:
            found.append(up - before)
    return found if sum(found) == cards else [cards]


def _wager(rules: RulesInForce, posted: Printed, wager: Wager) -> shown.WagerAtTable:
    limits = rules.limits(wager.name)
    odds = [posted_odds for posted_odds in posted.odds if posted_odds.wager == wager.name and posted_odds.lines]
    table = rules.paytables.get(wager.name)
    area = next((area for area in posted.areas if area.each_seat and area.name == wager.name), None)
    return shown.WagerAtTable(
        name=wager.name,
        title=wager.title,
        inscription=area.title if area else None,
        inscribed_name=area.inscribed_name if area else None,
        after_equals=area is not None and area.after_equals,
        required=wager.required,
        by_action=wager.by_action,
        equals=wager.equals,
        needs=list(wager.needs),
        step_cents=limits.step,
        minimum_cents=limits.minimum,
        maximum_cents=limits.maximum,
        fixed_stakes=list(limits.fixed) or None,
        paytable=_paytable(odds[0]) if odds else None,
        envy=_paytable(odds[ENVY]) if len(odds) > ENVY else None,
        survives_fold=wager.survives_fold and not rules.settled_by_fold(wager.name),
        meters=list(table.meters) if table else [],
        takes_coupon=not wager.by_action and rules.check_coupons({wager.name: 1}, {wager.name: 1}) is None,
        cite=wager.cite,
    )


def _paytable(odds: PrintedOdds) -> shown.PaytableShown:
    lines = [
        shown.PaytableLine(hand=line.hand.replace(" ", "-"), title=line.hand, odds=line.pays, clause=line.clause)
        for line in odds.lines
    ]
    return shown.PaytableShown(letter=odds.paytable, lines=lines)


def _actions(rules: RulesInForce) -> Iterator[shown.ActionShown]:
    for ask in rules.asks:
        for action in rules.actions[ask.name].values():
            yield shown.ActionShown(
                name=action.name,
                title=action.title or action.name.capitalize(),
                wager=action.stakes.wager if action.stakes else None,
                multiple=action.stakes.times if action.stakes else None,
                of=action.stakes.of if action.stakes else None,
                discards=action.discards,
                step=ask.name,
                cite=action.cite,
            )


def _irregularities(terms: TableTerms, rules: RulesInForce) -> Iterator[shown.IrregularityShown]:
    elsewhere = frozenset(METHODS) - {rules.choices.dealing}
    for name, written in rules.game.irregularities.items():
        remedies = tuple(remedy for remedy in written if elsewhere.isdisjoint(remedy.facts))
        if _can_happen(name, remedies, terms, rules):
            yield shown.IrregularityShown(
                name=name,
                title=name.replace("-", " ").capitalize(),
                needs=shown.IrregularityNeeds(
                    seat=any(map(_concerns_a_seat, remedies)),
                    card=name == FACE_UP_CARD,
                    note=any(remedy.needs_note for remedy in remedies),
                ),
                other_deck=terms.settings.decks > 1 and any(OTHER_DECK in remedy.facts for remedy in remedies),
                rulings=list(dict.fromkeys(ruling for remedy in remedies for ruling in remedy.rulings)),
                clauses=list(dict.fromkeys(remedy.cite for remedy in remedies)),
                limbs=[
                    shown.LimbShown(name=limb.name, title=limb.title, cite=limb.cite)
                    for remedy in remedies
                    for limb in remedy.limbs
                ],
            )


def _can_happen(name: str, remedies: tuple[Remedy, ...], terms: TableTerms, rules: RulesInForce) -> bool:
    if name in OF_REAL_CARDS and not terms.real_cards:
        return False
    if name == SHOE_JAM and rules.choices.dealing != AUTOMATED_SHOE:
        return False
    return name != PROGRESSIVE_MISMATCH or any(remedy.wager in rules.offered for remedy in remedies)


def _concerns_a_seat(remedy: Remedy) -> bool:
    return remedy.then in (FORFEIT, RETURN_WAGER) or "abandoned" in remedy.rulings


def _rulings(terms: TableTerms, rules: RulesInForce) -> list[str]:
    chosen = {ruling for choice in explain(submission_of(terms.document)) for ruling in choice.rulings}
    return [str(row[0]) for row in rulings_table(rules, frozenset(chosen), "table").rows]


@lru_cache(maxsize=64)
def _kept(table: str, document: str) -> shown.TableRules:
    return table_rules(table, read_terms(json.loads(document)))
