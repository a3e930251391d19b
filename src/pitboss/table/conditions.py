"""What is true at a table right now, shared by the rules that refuse and the procedure that is shown."""

from pitboss.rules.dealing import AUTOMATED_SHOE, HAND
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import OTHER_DECK, SHOE_JAM, SHUFFLER_JAM, UNLISTED, Remedy
from pitboss.rules.procedure import CUT as CUTTING_STEP
from pitboss.rules.procedure import FLOORPERSON, PLAYER, Duty, StubCount, duties_in_force
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import DEVICE, MANUAL, PRESHUFFLED, SHOE, SHUFFLER
from pitboss.table.settings import CONTINUOUS, TableSettings, choices_for
from pitboss.table.state import (
    ABSENT,
    CUT,
    DEVICE_WORDS,
    DIRECTED,
    FAILED,
    IDLE_FACE_UP,
    IN_SERVICE,
    JAMMED,
    LOADED,
    RACKED,
    READY,
    RECEIVED,
    SHUFFLED,
    TableDeck,
    TableState,
)

HOUR_MS = 3_600_000
EACH_DECK = "G-20"  # with two decks each of them is counted
STUB_DUTY = "stub"
NO_MORE_BETS = "no-more-bets"
JAMS = {SHUFFLER: SHUFFLER_JAM, SHOE: SHOE_JAM}


def rules_now(state: TableState) -> RulesInForce:
    """Return the rules in force under the dealing method now in use."""
    return rules_under(state.settings, state.method)


def rules_under(settings: TableSettings, method: str) -> RulesInForce:
    """Return the rules in force under a dealing method."""
    if method == settings.dealing:
        return settings.rules
    return RulesInForce(settings.game, choices_for(settings, method))


def deck_title(name: str) -> str:
    """Return how a sentence names a deck; a name that says it is a deck needs no other word."""
    return name if name.lower().startswith("deck") else f"deck {name}"


def deck_opening(name: str) -> str:
    """Return how a sentence that begins with a deck names it."""
    title = deck_title(name)
    return title[0].upper() + title[1:]


def cards_of(state: TableState) -> int:
    """Return how many cards a complete deck has."""
    return len(state.settings.game.deck)


def script_duties(state: TableState, deck: TableDeck) -> tuple[Duty, ...]:
    """Return the duties due before this deck is shuffled, in order."""
    procedures = state.settings.procedures
    opening = procedures.opening.duties
    if deck.script == RECEIVED:
        return (procedures.cards.duties if procedures.cards else ()) + opening
    if deck.script == READY:
        return (procedures.cards.duties if procedures.cards else ()) + (_ready_duty(state),)
    idle = procedures.idle
    # Only cards that lie face down have to be turned up for the player who arrives.
    arrival = tuple(duty for duty in idle.arrival if duty.by == PLAYER or deck.script != IDLE_FACE_UP)
    resumes = [duty.id for duty in opening].index(idle.resumes_at)
    return idle.duties + arrival + opening[resumes:]


def _ready_duty(state: TableState) -> Duty:
    text = "Confirm that the deck came to the table inspected and shuffled."
    return Duty("confirm-ready", text, FLOORPERSON, state.settings.procedures.opening.skipped_cite)


def round_duties(state: TableState) -> tuple[Duty, ...]:
    """Return the duties of a round that a confirmation records; loading and racking are commands."""
    rules = rules_now(state)
    dealing = state.settings.procedures.dealing[state.method][1:]
    duties = tuple(duty for duty in dealing if duty.id != STUB_DUTY) + state.settings.procedures.round
    return duties_in_force(duties, rules.option_facts, rules.offered)


def load_duty(state: TableState) -> Duty:
    """Return the duty of putting the deck where it is dealt from."""
    return state.settings.procedures.dealing[state.method][0]


def stub_duty(state: TableState) -> Duty:
    """Return the duty of racking the stub."""
    duties = state.settings.procedures.dealing[state.method]
    return next((duty for duty in duties if duty.id == STUB_DUTY), duties[-1])


def no_more_bets_cite(state: TableState) -> str:
    """Return the clause by which no card is drawn before no more bets was called."""
    duties = state.settings.procedures.dealing[state.method]
    return next((duty.cite for duty in duties if duty.id == NO_MORE_BETS), state.settings.game.bets.closed_cite)


def pickup_cite(state: TableState) -> str:
    """Return the clause by which cards are picked up in order."""
    return state.settings.rules.settle.pickup_cite


def is_on_layout(state: TableState, deck: str) -> bool:
    """Say whether cards of this deck are dealt in the open round."""
    return state.round is not None and state.round.deck == deck and state.round.dealt > 0


def suspension(state: TableState, step: str) -> str | None:
    """Return the clause by which a self-shuffling device in service suspends a step, or None."""
    shuffling = state.settings.procedures.shuffling
    working = state.settings.shuffler == CONTINUOUS and state.shuffler == IN_SERVICE
    return shuffling.self_shuffling_cite if working and step in shuffling.self_shuffling_suspends else None


def awaits_count(state: TableState, deck: TableDeck) -> bool:
    """Say whether the shuffler's count of this deck is still to be read."""
    return deck.stage == SHUFFLED and deck.shuffled == DEVICE and state.settings.counts_by_device and not deck.counted


def awaits_device(state: TableState, deck: TableDeck) -> bool:
    """Say whether this deck was not shuffled by the shuffler and must go through it before it is dealt."""
    if deck.stage not in (SHUFFLED, CUT) or deck.shuffled == DEVICE or state.shuffler != IN_SERVICE:
        return False
    by_hand = deck.shuffled == MANUAL and state.method == HAND and check_method(state, deck) is not None
    return by_hand or check_turn(state, deck) is not None


def check_in_shuffler(state: TableState, deck: TableDeck) -> Refusal | None:
    """Return why this deck can't have jammed in the shuffler, or None."""
    if state.shuffler not in (IN_SERVICE, FAILED):  # a device that failed may have jammed first
        return Refusal(f"The {SHUFFLER} is {DEVICE_WORDS[state.shuffler]}", devices_cite(state), "device")
    is_ready = deck.stage in (SHUFFLED, CUT, LOADED) and not awaits_device(state, deck)
    if not is_ready or deck.shuffled == DEVICE or state.settings.shuffler == CONTINUOUS:
        return None
    reason = f"{deck_opening(deck.name)} was not shuffled by the {SHUFFLER}, so it can't have jammed there"
    return Refusal(reason, devices_cite(state), "deck")


def check_turn(state: TableState, deck: TableDeck) -> Refusal | None:
    """Return why this deck can't wait for its turn next to another deck as it is, or None."""
    # The first deck to be played never waited for another; from then on each comes out of the shuffler.
    waits = state.last_deck or any(other.stage == LOADED for other in state.decks if other.name != deck.name)
    if len(state.decks) < 2 or not waits or deck.shuffled == DEVICE or deck.stage not in (SHUFFLED, CUT):
        return None
    reason = f"Shuffle {deck_title(deck.name)} in the {SHUFFLER} while the other deck is in play"
    return Refusal(reason, state.settings.procedures.two_decks.device_cite, "deck", device=SHUFFLER)


def check_is_next(state: TableState, deck: TableDeck) -> Refusal | None:
    """Return why this deck isn't the next to be loaded, or None."""
    two_decks, played = state.settings.procedures.two_decks, state.round
    if any(other.stage == LOADED for other in state.decks):
        return Refusal("Another deck is ready to be dealt", two_decks.cite, "deck")
    if played is not None and played.deck:
        # The deck of the open round stays its deck, also when a second one came to the table after it was loaded.
        other_in_play = Refusal("Another deck is in play", two_decks.alternate_cite, "deck")
        return None if played.deck == deck.name else other_in_play
    if len(state.decks) == 2 and state.last_deck == deck.name:
        return Refusal("The two decks take turns. It's the other deck's turn", two_decks.alternate_cite, "deck")
    return None


def awaits_cut(state: TableState, deck: TableDeck) -> bool:
    """Say whether this deck has to be cut before it is dealt."""
    by_hand = deck.stage == SHUFFLED and deck.shuffled in (MANUAL, PRESHUFFLED)
    return by_hand and suspension(state, CUTTING_STEP) is None


def awaits_load(state: TableState, deck: TableDeck) -> bool:
    """Say whether this deck has been shuffled, counted and cut as required."""
    return deck.stage == CUT or (
        deck.stage == SHUFFLED and not awaits_count(state, deck) and not awaits_cut(state, deck)
    )


def shuffle_cite(state: TableState, deck: TableDeck) -> str:
    """Return the clause by which this deck is to be shuffled."""
    shuffling = state.settings.procedures.shuffling
    if deck.stage == RACKED:
        return shuffling.after_round_cite
    if awaits_device(state, deck):
        by_turn = check_turn(state, deck)
        return (by_turn and by_turn.clause) or state.settings.procedures.hand_needs_shuffler_cite
    if deck.reason == JAMMED:
        remedy = jam_remedy(state, SHUFFLER, (OTHER_DECK,))
        return (remedy.cite if remedy else "") or shuffling.before_play_cite
    if deck.reason == DIRECTED:
        return shuffling.directed_cite or shuffling.before_play_cite
    return shuffling.before_play_cite


def jam_remedy(state: TableState, device: str, facts: tuple[str, ...]) -> Remedy | None:
    """Return what the rulebook requires when a device jams, as far as the table can tell."""
    return rules_now(state).remedy(JAMS[device], facts)


def stub_count(state: TableState) -> StubCount:
    """Return the rule of the stub count under the dealing method now in use."""
    return state.settings.procedures.stub[state.method]


def rounds_uncounted(state: TableState, deck: TableDeck | None) -> int:
    """Return how many rounds went uncounted: of the table, or of this deck where those are more."""
    # The rulebooks count rounds of play; with two decks each is counted as often in its own rounds.
    return max(state.rounds_since_count, deck.rounds_since_count if deck else 0)


def is_count_due(state: TableState) -> bool:
    """Say whether the open round is the one whose stub has to be counted."""
    played = state.round
    if played is None or played.counted:
        return False
    return rounds_uncounted(state, state.deck(played.deck)) + 1 >= stub_count(state).every_rounds


def is_count_overdue(state: TableState, deck: TableDeck) -> bool:
    """Say whether too many rounds went uncounted for another to open on this deck."""
    return rounds_uncounted(state, deck) >= stub_count(state).every_rounds


def stub_count_ruling(state: TableState) -> str | None:
    """Return the ruling behind the duty to count the stub now."""
    return stub_count(state).ruling or (EACH_DECK if len(state.decks) == 2 else None)


def deck_hours(state: TableState) -> tuple[int, str] | None:
    """Return how many hours a deck may stay, and the clause if the rulebook sets them."""
    lawful, own = state.settings.procedures.deck_hours, state.settings.deck_hours
    if lawful is None:
        return (own, "") if own else None
    hours = lawful.hours[state.method]
    return min(hours, own or hours), lawful.cites[state.method]


def deck_due_at(state: TableState, deck: TableDeck) -> int | None:
    """Return the moment by which this deck has to be changed, if there is one."""
    hours = deck_hours(state)
    return deck.received_at + hours[0] * HOUR_MS if hours else None


def devices_cite(state: TableState) -> str | None:
    """Return the clause on devices that cannot be used."""
    return next(iter(state.settings.procedures.devices.cites.values()), None)


def check_out_of_the_way(state: TableState, device: str) -> Refusal | None:
    """Return why only this device may be used for now, or None."""
    standing = state.device(device)
    ways = state.settings.procedures.devices.failed
    if standing == ABSENT or standing in ways:
        return None
    reason = f"The {device} must be {' or '.join(DEVICE_WORDS[way] for way in ways)} before another method is used"
    return Refusal(reason, devices_cite(state), device=device)


def check_method(state: TableState, deck: TableDeck) -> Refusal | None:
    """Return why this deck may not be dealt in the way now in use, or None."""
    if state.method == AUTOMATED_SHOE and state.shoe != IN_SERVICE:
        return Refusal(
            f"The {SHOE} is {DEVICE_WORDS[state.shoe]}. Don't deal from it", devices_cite(state), device=SHOE
        )
    if state.method == HAND and deck.shuffled == MANUAL:
        cite = state.settings.procedures.hand_needs_shuffler_cite
        reason = f"Cards dealt by hand must be shuffled by the {SHUFFLER}"
        return Refusal(reason, cite, device=SHUFFLER) if cite else None
    return None


def check_dealt_now(state: TableState, deck: TableDeck) -> Refusal | None:
    """Return why the open round can't be dealt from this deck once it is shuffled by hand, or None."""
    cite, played = state.settings.procedures.hand_needs_shuffler_cite, state.round
    if not cite or state.method != HAND or played is None or played.deck not in ("", deck.name):
        return None
    reason = (
        f"Cards dealt by hand must be shuffled by the {SHUFFLER}, which is {DEVICE_WORDS[state.shuffler]}. "
        f"Put it back in service, or once bets are closed void the round as another misdeal ({UNLISTED}) and change "
        "the dealing method"
    )
    return Refusal(reason, cite, device=SHUFFLER)


def check_hours(state: TableState, deck: TableDeck, at: int) -> Refusal | None:
    """Return why this deck has to be changed before another round, or None."""
    due = deck_due_at(state, deck)
    if due is None or at < due:
        return None
    hours = deck_hours(state)
    assert hours is not None
    return Refusal(f"{deck_opening(deck.name)} has been at the table for {hours[0]} hours. Change it", hours[1] or None)
