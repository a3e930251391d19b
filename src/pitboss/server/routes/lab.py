"""Lab routes: exact values, edited paytables, strategies, rulings and simulations, never on the event loop."""

import json
from base64 import b64decode
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from pitboss.games.catalogue import UnknownGame, game, game_names
from pitboss.house.patron_controls.play_totals import account_at
from pitboss.house.people import house_rules as rule
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import Prize
from pitboss.rules.paytable import Paytable
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import Wager
from pitboss.server.absent_guests import is_guest
from pitboss.server.lab.jobs import Jobs, RunningJob
from pitboss.server.lab.worker_pool import NOT_YET, Laboratory, Unanswered
from pitboss.server.routes.callers import guest_of, is_free_play, money_tables
from pitboss.server.routes.tables import REFUSED, RefusedHere, floor_of, is_idle, network_from
from pitboss.server.schemas import lab as shown
from pitboss.server.schemas import lab_questions as given
from pitboss.server.schemas.tables import RefusedAnswer
from pitboss.server.session_cookie import token_of
from pitboss.server.table_rules import option_value
from pitboss.sheets.spreadsheet_cell import csv_of

LAB: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    429: {"model": RefusedAnswer, "description": "Too many requests"},
    NOT_YET: {"model": RefusedAnswer, "description": "The lab is warming up or still working; try again"},
}


SEATED = Refusal("You can't use the lab while seated at a real-money table. Leave your seat first", rule.COACH)
router = APIRouter(prefix="/api/lab")


async def visitor(request: Request) -> str:
    """Return whose share of the lab a caller uses: a person's, or a network's with all its visitors and guests."""
    floor = floor_of(request)
    guest = guest_of(floor, token_of(request), is_idle=is_idle(request))
    if guest is not None:
        seated = {account_at(player) for glance in money_tables(floor) for player in glance.stacks}
        if guest.name in seated:  # with a device, or as a patron for whom the dealer acts
            raise RefusedHere(SEATED)
        if not is_guest(guest.name):
            return guest.name
    elif not is_free_play(floor):
        raise HTTPException(401, "Sign in first")
    return f"visitor {network_from(request)}"


async def _the_lab(request: Request) -> Laboratory:
    lab: Laboratory = request.app.state.lab
    return lab


async def _the_jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


Visitor = Annotated[str, Depends(visitor)]
Lab = Annotated[Laboratory, Depends(_the_lab)]
Simulations = Annotated[Jobs, Depends(_the_jobs)]


@router.get("/state")
async def state(lab: Lab) -> shown.LabState:
    """Return the lab's state, and start warming it up if it isn't ready."""
    lab.warm_up()
    return shown.LabState(**lab.state)


@router.get("/games", responses=LAB)
async def games(who: Visitor) -> list[shown.LabGame]:
    """List the games as the lab prices them: wagers, paytables, options, cards."""
    return [_game(name) for name in game_names()]


@router.post("/edges", responses=LAB)
async def edges(lab: Lab, who: Visitor, asked: given.EdgesAsked) -> list[shown.EdgeRow]:
    """Return the exact value of every wager and paytable."""
    return [
        shown.EdgeRow(**row, hit_rate=float(Fraction(row["hit_frequency"])))
        for row in await answered(lab, who, "edges", asked)
    ]


@router.post("/edges.csv", responses=LAB)
async def edges_csv(lab: Lab, who: Visitor, asked: given.EdgesAsked) -> Response:
    """Return the exact value of every wager and paytable as CSV."""
    names = ("wager", "paytable")
    figures = ("house_edge", "hit_frequency", "standard_deviation", "element_of_risk", "ev")
    rows = [
        {name: row[name] for name in names} | {name: float(Fraction(row[name])) for name in figures}
        for row in await answered(lab, who, "edges", asked)
    ]
    return _file(csv_of(rows), "text/csv", f"{asked.game}-edges.csv")


@router.post("/exposures", responses=LAB)
async def exposures(lab: Lab, who: Visitor, asked: given.LabTerms) -> list[list[str]]:
    """List what may be seen too early in a game, as the words that `/exposure` takes."""
    found: list[list[str]] = await answered(lab, who, "exposures", asked)
    return found


@router.post("/exposure", responses=LAB)
async def exposure(lab: Lab, who: Visitor, asked: given.ExposureAsked) -> shown.ExposureRow:
    """Return what cards seen before the first decision are worth to a player; it may take a minute the first time."""
    body = asked.model_dump()
    rests_on = f"{_rests_on(body)} {' '.join(sorted(asked.seen))}"
    return shown.ExposureRow(**await _given(lab.answer("exposure", body, rests_on=rests_on, by=who)))


@router.post("/paytable", responses=LAB)
async def paytable(lab: Lab, who: Visitor, asked: given.PaytableAsked) -> shown.PaytablePriced:
    """Return what a wager is worth with edited odds, and whether a table may offer them."""
    book = asked.model_dump(exclude={"odds", "letter", "play"})
    letter = {asked.wager: asked.letter} if asked.letter else {}
    book["paytables"] = {**asked.paytables, **letter}
    printed, edited = _rests_on(book), _rests_on({**book, "odds": {asked.wager: asked.odds}})
    is_side = printed == edited
    play = "best" if is_side or asked.play == "best" or lab.is_ready("paytable", edited) else "kept"
    body = {**asked.model_dump(), "play": play}
    return shown.PaytablePriced(
        **await _given(lab.answer("paytable", body, rests_on=edited if play == "best" else printed, by=who))
    )


@router.post("/par", responses=LAB)
async def par(lab: Lab, who: Visitor, asked: given.WagerAsked) -> shown.Par:
    """Return the PAR sheet of a wager or of the main game."""
    return shown.Par(**await answered(lab, who, "par", asked))


@router.post("/par.csv", responses=LAB)
async def par_csv(lab: Lab, who: Visitor, asked: given.WagerAsked) -> Response:
    """Return a PAR sheet as CSV."""
    return _file(await answered(lab, who, "par-csv", asked), "text/csv", f"{asked.game}-{asked.wager}-par.csv")


@router.post("/distribution", responses=LAB)
async def distribution(lab: Lab, who: Visitor, asked: given.DistributionAsked) -> shown.Distribution:
    """Return the distribution of a round's net, and the 95% band of the house's result over many rounds."""
    if not (asked.odds or asked.meters):
        return shown.Distribution(**await answered(lab, who, "distribution", asked))
    _known(asked.game)
    # Odds and meters that anyone may write can make totals so wide that adding them up takes minutes.
    return shown.Distribution(**await _given(lab.solve("distribution", asked.model_dump(), who)))


@router.post("/strategy", responses=LAB)
async def strategy(lab: Lab, who: Visitor, asked: given.CardsAsked) -> shown.Advised:
    """Return what each action is worth with these cards."""
    return shown.Advised(**await answered(lab, who, "strategy", asked))


@router.get("/chart/{name}", responses=LAB)
async def chart(lab: Lab, who: Visitor, name: str) -> shown.StrategyChart:
    """Return a game's strategy as rules and grids."""
    return shown.StrategyChart(**await answered(lab, who, "chart", given.LabTerms(game=name)))


@router.post("/chart", responses=LAB)
async def chart_under(lab: Lab, who: Visitor, asked: given.PacketAsked) -> shown.StrategyChart:
    """Return a game's strategy under chosen paytables, options and odds."""
    return shown.StrategyChart(**await answered(lab, who, "chart", asked))


@router.get("/strategies/{name}", responses=LAB)
async def strategies(lab: Lab, who: Visitor, name: str) -> list[shown.LabStrategy]:
    """List the named strategies of a game, optimal play first."""
    found = await answered(lab, who, "strategies", given.LabTerms(game=name))
    return [shown.LabStrategy(**strategy) for strategy in found]


@router.get("/rulings/{name}", responses=LAB)
async def rulings(lab: Lab, who: Visitor, name: str) -> list[shown.RulingPriced]:
    """Return a game's rulings with the value of each reading; the first request takes a while."""
    _known(name)
    return [shown.RulingPriced(**row) for row in await _given(lab.solve("rulings", {"game": name}, who))]


@router.post("/packet.pdf", responses=LAB)
async def packet(lab: Lab, who: Visitor, asked: given.PacketAsked) -> Response:
    """Return the packet of a table with everything its rulebook prices, as a PDF; this takes a while."""
    found = await _given(lab.solve("packet", asked.model_dump(), who))
    return _file(b64decode(found["pdf"]), "application/pdf", f"{asked.game}.pdf")


@router.get("/practice", responses=LAB)
async def practice(
    lab: Lab, who: Visitor, game: Annotated[str, Query(max_length=80)], seed: Annotated[int, Query(ge=0, le=2**53)]
) -> shown.HardHand:
    """Deal a hard hand; the same seed gives the same hand."""
    return shown.HardHand(**await _given(lab.answer("practice", {"game": _known(game).name, "seed": seed}, by=who)))


@router.post("/practice", responses=LAB)
async def practised(lab: Lab, who: Visitor, asked: given.PracticeAnswer) -> shown.Practised:
    """Score an answer to a hard hand, and explain it."""
    _known(asked.game)
    return shown.Practised(**await _given(lab.answer("practised", asked.model_dump(), by=who)))


@router.post("/simulate", responses=LAB)
async def simulate(jobs: Simulations, who: Visitor, asked: given.SimulationAsked) -> shown.Job:
    """Begin a simulation."""
    _known(asked.game)
    try:
        return _job(jobs.start(who, asked.model_dump()))
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None


@router.get("/jobs/{name}", responses=LAB)
async def job(jobs: Simulations, who: Visitor, name: str, after: int = 0) -> shown.Job:
    """Show the progress of a simulation, optionally only the points after a given number of rounds."""
    return _job(_of(jobs, name, who), after)


@router.delete("/jobs/{name}", responses=LAB)
async def cancel(jobs: Simulations, who: Visitor, name: str) -> shown.Job:
    """End a simulation where it is."""
    found = _of(jobs, name, who)
    jobs.cancel(found)
    return _job(found)


async def answered(lab: Laboratory, who: str, kind: str, asked: given.LabTerms) -> Any:
    """Return the lab's answer to a visitor's question, or its refusal."""
    body = asked.model_dump()
    return await _given(lab.answer(kind, body, rests_on=_rests_on(body), by=who))


async def _given(answer: Any) -> Any:
    try:
        return await answer
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None


def _rests_on(body: dict[str, Any]) -> str:
    # The part that has to be solved again: anything that differs from the defaults and affects the main game.
    definition = _known(body["game"])
    main = {wager.name: wager for wager in definition.wagers if wager.required or wager.by_action}
    defaults = {option.name: option.default for option in definition.options}
    options = {name: value for name, value in body["options"].items() if defaults.get(name) != str(value)}
    letters = {
        name: letter
        for name, letter in body["paytables"].items()
        if name in main and main[name].letters[:1] != (letter,)
    }
    odds = {name: edited for name, edited in (body.get("odds") or {}).items() if name in main and edited}
    differs = {"options": options, "paytables": letters, "odds": odds}
    return json.dumps([definition.name, differs], sort_keys=True) if any(differs.values()) else ""


def _known(name: str) -> GameDefinition:
    try:
        return game(name)
    except UnknownGame as unknown:
        raise RefusedHere(Refusal(str(unknown.args[0]).rstrip("."), None, "game"), 404) from None


def _of(jobs: Jobs, name: str, who: str) -> RunningJob:
    try:
        return jobs.get(name, who)
    except Unanswered as fault:
        raise RefusedHere(fault.refusal, fault.status) from None


def _job(found: RunningJob, after: int = 0) -> shown.Job:
    return shown.Job(
        id=found.id,
        game=found.asked["game"],
        state=cast(shown.JobState, found.state),
        asked=found.asked["rounds"],
        rounds=found.rounds,
        points=[shown.JobPoint(**point) for point in found.points if point["rounds"] > after],
        result=found.result,
        reason=found.reason,
    )


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@cache
def _game(name: str) -> shown.LabGame:
    from pitboss.lab.advice import asked_at
    from pitboss.rules.in_force import RulesInForce

    definition = game(name)
    faces = [card[:2] for card in definition.deck.cards]
    return shown.LabGame(
        game=name,
        title=definition.title,
        jurisdiction=definition.rulebook.jurisdiction,
        seats_most=definition.positions.most,
        cards_each=definition.cards_each,
        board_sizes={asked: size for size, asked in asked_at(RulesInForce(definition)).items()},
        faces=dict(definition.deck.titles),
        copies={face: faces.count(face) for face in definition.deck.titles},
        wagers=[_wager(wager) for wager in definition.wagers if not wager.defined_by_submission],
        options=_options(definition),
        meters={
            letter: {meter.name: meter.minimum_cents for meter in meters}
            for letter, meters in (definition.progressive.meters.items() if definition.progressive else ())
        },
    )


def _options(definition: GameDefinition) -> list[shown.LabOption]:
    chosen = [
        shown.LabOption(
            option=option.name,
            values=list(option.values),
            meaning=dict(option.meaning),
            clause=option.cite,
            ruling=option.ruling,
            is_amount=False,
        )
        for option in definition.options
    ]
    amounts = [
        shown.LabOption(
            option=money.name,
            values=[str(money.minimum_cents)],
            meaning={},
            clause=next(iter(money.cites.values())),
            ruling=money.ruling,
            is_amount=True,
        )
        for money in definition.money_options
    ]
    return [*chosen, *amounts]


def _wager(wager: Wager) -> shown.LabWager:
    return shown.LabWager(
        wager=wager.name,
        title=wager.title,
        clause=wager.cite,
        is_main=wager.required or wager.by_action,
        stakes_cents=list(wager.stakes_cents),
        paytables=[_printed(table) for table in wager.paytables],
    )


def _printed(table: Paytable) -> shown.PrintedTable:
    return shown.PrintedTable(
        letter=table.letter,
        when=table.when,
        under=option_value(table.when),
        clause=table.cite,
        lines=[
            shown.PrintedLine(
                hand=line.hand,
                title=line.title,
                pays=str(line.payoff),
                prize_cents=line.payoff.cents if isinstance(line.payoff, Prize) else None,
                clause=line.cite,
            )
            for line in table.lines
        ],
    )
