"""Playing advice as plain data: the value of actions, charts, practice hands, and rounds played by a strategy."""

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from pitboss.games.catalogue import game
from pitboss.lab.advice import DISCARDING, Advice, advise, chart_of
from pitboss.lab.arguments import WrongTerms
from pitboss.lab.practice import hard_hand, quoted, score_of, squares_of
from pitboss.odds.charts import Chart
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.server.lab.questions import Body, Data, NotAnswered, rules_of

Tell = Callable[[Data], bool]  # reports progress, and returns whether anyone still waits for the answer


def strategy(body: Body) -> Data:
    """Return the value of each action with these cards, and their place in the strategy's chart."""
    rules = rules_of(body)
    return advice_data(rules, advise(rules, tuple(body["cards"]), tuple(body.get("board") or ())))


def advice_data(rules: RulesInForce, advice: Advice) -> Data:
    """Return advice as a page shows it: values exact and as numbers, the matching line, and the squares of the grid."""
    chart = kept_chart(rules)
    line = quoted(rules, chart, advice)
    sections = [_section_data(section, advice) for section in chart.sections]
    named = [data for data, section in zip(sections, chart.sections, strict=True) if section.asked == advice.asked]
    return {
        "game": advice.game,
        "asked": advice.asked,
        "cards": list(advice.cards),
        "board": list(advice.board),
        "best": advice.best,
        "actions": [
            {
                **_choice(name),
                "worth": str(worth),
                "units": float(worth),
                "cost": str(advice.cost(name)),
                "cost_units": float(advice.cost(name)),
            }
            for name, worth in advice.worths.items()
        ],
        "line": line and {**asdict(line), "cost": str(line.cost), "cost_units": float(line.cost)},
        "marks": named or sections,
    }


def _section_data(section: Any, advice: Advice) -> Data:
    squares = squares_of(section.grid, advice.cards) if section.grid else ()
    return {"title": section.title, "rules": list(section.rules), "squares": [list(square) for square in squares]}


@lru_cache(maxsize=64)
def kept_chart(rules: RulesInForce) -> Chart:
    """Return a chart, computed once and cached."""
    return chart_of(rules)


def chart(body: Body) -> Data:
    """Return a game's chart: for each decision the rules in words, a grid if there is one, and the exact cost."""
    rules = rules_of(body)
    found = kept_chart(rules)
    sections = [{**section.as_dict(), "cost_units": float(section.cost)} for section in found.sections]
    return {
        "game": rules.game.name,
        "sections": sections,
        "cost": str(found.cost),
        "cost_units": float(found.cost),
    }


def practice(body: Body) -> Data:
    """Return the cards of a hard hand and the available answers, without their value."""
    rules = rules_of(body)
    advice = hard_hand(rules, body["seed"])
    actions = sorted(advice.worths, key=_order(rules, advice))
    return {
        "game": rules.game.name,
        "seed": body["seed"],
        "asked": advice.asked,
        "cards": list(advice.cards),
        "board": list(advice.board),
        "actions": actions,
        "choices": [_choice(name) for name in actions],
    }


def _choice(name: str) -> Data:
    move, _, discard = name.partition(DISCARDING)
    return {"action": name, "move": move, "discard": discard or None}


def _order(rules: RulesInForce, advice: Advice) -> Callable[[str], tuple[int, str]]:
    names = list(rules.actions[advice.asked])
    return lambda action: (names.index(action.partition(",")[0]), action)


def practised(body: Body) -> Data:
    """Return the score of an answer to a hard hand, with the reason."""
    rules = rules_of(body)
    advice = hard_hand(rules, body["seed"])
    action = body["action"]
    if action not in advice.worths:
        raise WrongTerms(f"Choose one of these actions: {'; '.join(advice.worths)}.")
    return {
        **advice_data(rules, advice),
        "action": action,
        "score": score_of(advice, action),
        "is_best": not advice.cost(action),
        "cost_units": float(advice.cost(action)),
    }


def strategies(body: Body) -> list[Data]:
    """Return the named strategies of a game."""
    from pitboss.lab.players import strategies_of

    return [{"strategy": way.name, "title": way.title} for way in strategies_of(game(body["game"]).name)]


def simulated(body: Body, tell: Tell) -> Data:
    """Play rounds of a table, report the house's result along the way, and return the final figures."""
    from pitboss.lab.followed import Followed
    from pitboss.lab.house_range import house_points
    from pitboss.lab.players import NotPlayed

    rules = rules_of(body)
    if not 1 <= body["seats"] <= rules.seats_most:
        raise NotAnswered(Refusal(f"Enter 1 to {rules.seats_most} seats for {rules.game.title}", None, "seats"))
    try:
        run = Followed(rules, body["rounds"], seats=body["seats"], seed=body["seed"], strategy=body["strategy"])
    except NotPlayed as unknown:
        raise NotAnswered(Refusal(str(unknown).rstrip("."), None, "strategy")) from None
    for point in run.points():
        if not tell({"rounds": point.rounds, "house_cents": point.house_cents}):
            break
    result = run.result()
    return {**result.as_dict(), "range": house_points(result)}
