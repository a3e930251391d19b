"""The demonstration floor: a free-play table of every game with all its wagers, bots, people and sign-in links."""

from collections.abc import Callable
from typing import Any

from pitboss.games.catalogue import games
from pitboss.house.bots import bot_account, bot_name
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people.commands import DEMONSTRATION_DESK, AddPerson
from pitboss.house.people.role_names import COUNT
from pitboss.house.people.roles import ADMINISTRATOR, AUDITOR, CAGE, OPERATOR, REGULATOR, SURVEILLANCE
from pitboss.record.keys import derived
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, Deal
from pitboss.rules.game import GameDefinition
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import Wager
from pitboss.server.absent_guests import AbsentGuests
from pitboss.server.demonstration_staff import open_staffed, seat_bot
from pitboss.server.live.background_loops import BOT_PURSE_CENTS, BotLoop
from pitboss.server.open_floor import SUPERVISOR, FloorUnusable, OpenFloor, chance_of
from pitboss.server.table_documents import HOUSE, PEOPLE, document_of
from pitboss.table.people import AUTOMATON, PIT_MANAGER, TECHNICIAN, Person

FACILITY = "Free Play Room"
MINIMUM, MAXIMUM = 5_00, 500_00
SIDE_MINIMUM, SIDE_MAXIMUM = 1_00, 100_00
METERS_TAKE_HUNDREDTHS = 20  # of each progressive stake, shared by all meters
PACE = {"wagers_ms": 20_000, "decision_ms": 30_000, "step_ms": 450, "between_rounds_ms": 6_000}
TRAY_CENTS = 200_000_00
PURSE_CENTS = 10_000_00
LINKS_UNTIL_MS = 253_402_300_799_000  # the end of the year 9999: until the demonstration is reset
ROLES = (PLAYER, DEALER, FLOORPERSON, AUDITOR)
OTHER_ROLES = (PIT_MANAGER, CAGE, COUNT, OPERATOR, ADMINISTRATOR, SURVEILLANCE, REGULATOR, TECHNICIAN)
DEALT_BY_PEOPLE = "live dealer"
STAFFED = "dealers-table"
KEEPER = "demonstration"  # an administrator account that no person signs in to
_FIRST_BOT_SEAT = 2


async def open_demo(floor: OpenFloor, bots: int) -> dict[str, str]:
    """Open each game's table with its dealer and bots plus one dealt by people, and return a link for each role."""
    for table, document in demo_documents().items():
        await floor.open_free_play(table, document, TRAY_CENTS)
        seated = {bot_name(number, table): _FIRST_BOT_SEAT + number for number in range(bots)}
        has_company = _company_for(floor, frozenset(seated))
        for name, seat in seated.items():
            if not await _is_funded(floor, name):
                continue
            floor.spawn(BotLoop(floor, table, chance_of(floor.randomness), has_company).play(name, seat))
    floor.spawn(AbsentGuests(floor).watch())
    await _add(floor, KEEPER, ADMINISTRATOR)
    for role in (*ROLES, *OTHER_ROLES):
        await _add(floor, role, role)
    # Last: with a table that people deal, the program no longer issues money or opens meters in anyone's name.
    document = staffed_document()
    for number in range(bots):
        await _add(floor, bot_account(number, STAFFED), PLAYER)
    await open_staffed(floor, STAFFED, document, TRAY_CENTS)
    for number in range(bots):
        await seat_bot(floor, STAFFED, bot_account(number, STAFFED), _FIRST_BOT_SEAT + number)
    return {role: await _lasting_link(floor, role) for role in (*ROLES, *OTHER_ROLES) if _can_enter(floor, role)}


def _company_for(floor: OpenFloor, bots: frozenset[str]) -> Callable[[LiveTable], bool]:
    def has_company(live: LiveTable) -> bool:
        now_ms = floor.clock.now_ms()
        if not bots.issuperset(live.seats.values()):
            return True
        # Someone who is about to sit down wants to play in the next round, not to wait for the bots' round.
        return floor.sockets.is_watched(live.table, now_ms) and not floor.sockets.is_awaited(live.table, now_ms)

    return has_company


async def link_for(floor: OpenFloor, name: str, role: str) -> str:
    """Return the token of a sign-in link for a person, creating the account with play money if needed."""
    await _add(floor, name, role)
    link = await floor.office.issue_link(DEMONSTRATION_DESK, name)
    if isinstance(link, Refusal):
        raise FloorUnusable(f"Couldn't create a sign-in link for {name}: {link}.")
    return link.token


async def _lasting_link(floor: OpenFloor, role: str) -> str:
    # Made from the house's keys, so that a floor that is opened again has the same links until its folder is emptied.
    token = derived(floor.house.keyring.current.secret, f"demonstration link {role}").hex()
    refused = await floor.office.keep_link(role, token, LINKS_UNTIL_MS)
    if refused is not None:
        raise FloorUnusable(f"Couldn't create a sign-in link for {role}: {refused}.")
    return token


async def _add(floor: OpenFloor, name: str, role: str) -> None:
    if name in floor.office.people.accounts:
        return
    supervisor = Person(SUPERVISOR, AUTOMATON)
    added = await floor.office.put(AddPerson(by=supervisor, at=floor.clock.now_ms(), person=name, roles=(role,)))
    if isinstance(added, Refusal):
        raise FloorUnusable(f"Couldn't add {name}: {added}.")
    if role == PLAYER:
        await floor.issue(name, PURSE_CENTS)


async def _is_funded(floor: OpenFloor, bot: str) -> bool:
    if floor.house.money.state.get(f"purse:{bot}"):
        return True
    if STAFFED in floor.house.tables:
        return False  # from an older demonstration: nobody may pay this bot any more
    await floor.issue(bot, BOT_PURSE_CENTS)
    return True


def _can_enter(floor: OpenFloor, name: str) -> bool:
    return floor.office.people.accounts[name].is_active


def demo_documents() -> dict[str, dict[str, Any]]:
    """Return a document for each table, by table id."""
    return {game.name: document_for(game) for game in games()}


def staffed_document() -> dict[str, Any]:
    """Return the document of the table that waits for a dealer, for a game with a progressive if there is one."""
    documents = list(demo_documents().values())
    document = next((each for each in documents if each["progressive"]), documents[0])
    named = {**document["table"], "name": f"{document['table']['name']}, {DEALT_BY_PEOPLE}"}
    return {**document, "dealer": PEOPLE, "table": named}


def document_for(game: GameDefinition) -> dict[str, Any]:
    """Return the document of a free-play table that offers everything the game's rulebook prices."""
    dealing = _dealing(game)
    offered = [wager for wager in game.wagers if not wager.defined_by_submission and wager.dealing in (None, dealing)]
    table: dict[str, Any] = {
        "name": game.title,
        "game": game.name,
        "dealing": dealing,
        "shuffler": "plain",
        "minimum": MINIMUM,
        "maximum": MAXIMUM,
        "free-play": True,
        "wagers": {wager.name: _wager(game, wager) for wager in offered if _is_listed(wager)},
        "options": {
            option.name: option.default
            for option in game.options
            if option.must_state and any(option.must_state == wager.name for wager in offered)
        },
    }
    facility = {"name": FACILITY, "jurisdiction": game.rulebook.jurisdiction}
    drawn = game.progressive is not None and game.progressive.wager in table["wagers"]
    return document_of(facility, table, dealer=HOUSE, progressive=game.name if drawn else None, pace=PACE)


def _dealing(game: GameDefinition) -> str:
    # The automated shoe first: it is the only dealing method under which every wager may be offered.
    deals = [step for step in game.play if isinstance(step, Deal)]
    return next(way for way in (AUTOMATED_SHOE, MANUAL_SHOE, HAND) if all(way in deal.moves for deal in deals))


def _is_listed(wager: Wager) -> bool:
    return not wager.by_action and (not wager.required or bool(wager.letters))


def _wager(game: GameDefinition, wager: Wager) -> Any:
    progressive = game.progressive
    if progressive is not None and progressive.wager == wager.name:
        return _progressive(game, wager)
    stated: dict[str, Any] = {"paytable": wager.letters[0]} if wager.letters else {}
    if wager.required:
        return stated.get("paytable", True)
    if not wager.stakes_cents:
        stated |= {"minimum": SIDE_MINIMUM, "maximum": SIDE_MAXIMUM}
    return stated or True


def _progressive(game: GameDefinition, wager: Wager) -> dict[str, Any]:
    progressive = game.progressive
    assert progressive is not None
    letter = wager.letters[0]
    meters = progressive.meters[letter]
    stake = wager.stakes_cents[0]
    share = f"0.{METERS_TAKE_HUNDREDTHS // len(meters):02d}"
    amounts = {meter.name: meter.minimum_cents for meter in meters}
    stated: dict[str, Any] = {
        "paytable": letter,
        "stake": stake,
        "rate": dict.fromkeys(amounts, share),
        "initial": amounts,
        "reset": amounts,
    }
    envy = progressive.envy_cents.get(stake)
    return stated if not envy else {**stated, "envy": next(iter(envy))}
