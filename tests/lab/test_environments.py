"""Environments: checked by Gymnasium, blind to hidden cards, paid like finished hands, in line with theory."""

import math
import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pitboss.cards.deck import Card, face
from pitboss.games.catalogue import game, game_names
from pitboss.lab.arguments import WrongTerms
from pitboss.lab.environments import RoundEnvironment, environment_id, optimal_policy
from pitboss.lab.worth import worth_of
from pitboss.round import legal_actions
from pitboss.round.finished import settle_hand
from pitboss.round.state import Round

SEAT = 1
GAMES = game_names()
HOLDEM, COLORADO = "ultimate-texas-holdem", "colorado-holdem"
STANDARD_ERRORS = 4


def side_wagers(name: str) -> dict[str, int]:
    """Return a stake on every side wager that the rulebook itself prices."""
    wagers = (
        wager for wager in game(name).wagers if not (wager.required or wager.by_action or wager.defined_by_submission)
    )
    return {wager.name: (*wager.stakes_cents, 100)[0] for wager in wagers}


def state_of(environment: RoundEnvironment) -> Round:
    return environment._round


def same(first: Any, other: Any) -> bool:
    """Say whether two observations or infos are alike."""
    return first.keys() == other.keys() and all(np.array_equal(value, other[name]) for name, value in first.items())


def shuffled_faces(name: str, chance: random.Random) -> list[str]:
    faces = [face(card) for card in game(name).deck.cards]
    chance.shuffle(faces)
    return faces


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("everything", [False, True], ids=["main wagers", "all wagers"])
def test_gymnasium_finds_nothing_wrong(name: str, everything: bool) -> None:
    stakes = side_wagers(name) if everything else {}
    environment = gymnasium.make(environment_id(name), side_wagers=stakes, render_mode="ansi")
    check_env(environment.unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_repeats_its_rounds_and_another_does_not(name: str) -> None:
    def rounds(seed: int) -> list[Any]:
        environment = RoundEnvironment(name)
        found: list[Any] = []
        for number in range(10):
            observation, info = environment.reset(seed=seed if number == 0 else None)
            over = False
            while not over:
                found.append([value.tolist() for value in observation.values()])
                action = int(np.argmax(info["action_mask"]))
                observation, reward, over, _, info = environment.step(action)
            found.append(reward)
        return found

    assert rounds(5) == rounds(5)
    assert rounds(5) != rounds(6)


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_is_what_the_round_allows_and_the_episode_ends_with_all_of_the_reward(name: str) -> None:
    environment = RoundEnvironment(name)
    chance = np.random.default_rng(3)
    for number in range(60):
        observation, info = environment.reset(seed=number)
        over = False
        while not over:
            assert observation in environment.observation_space
            allowed = {action.name for action in legal_actions(state_of(environment))}
            marked = np.flatnonzero(info["action_mask"])
            assert {environment.encoding.answers[index].action for index in marked} == allowed
            action = chance.choice(marked)
            observation, reward, over, truncated, info = environment.step(action)
            assert not truncated
            assert over or reward == 0
        assert observation in environment.observation_space
        assert observation["phase"] == environment.encoding.over
        assert not info["action_mask"].any()
        assert reward == sum(info["wagers"].values()) / environment.stake_cents
        assert all(info["clauses"].values())


@pytest.mark.parametrize("name", GAMES)
def test_cards_that_are_hidden_move_nothing_an_agent_is_given(name: str) -> None:
    # The same visible cards over another order of all the others: nothing seen may differ, at any question.
    environment, twin = (RoundEnvironment(name, side_wagers=side_wagers(name)) for _ in range(2))
    chance = random.Random(7)
    endings = set()
    for _ in range(60):
        order = shuffled_faces(name, chance)
        physical = game(name).deck.pick(order, set())
        observation, info = environment.reset(options={"cards": order})
        actions: list[int] = []
        over = False
        while not over:
            seen = visible(state_of(environment))
            hidden = [index for index, card in enumerate(physical) if card not in seen]
            moved = list(order)
            for index, other in zip(hidden, chance.sample(hidden, len(hidden)), strict=True):
                moved[index] = order[other]
            again, told = twin.reset(options={"cards": moved})
            for action in actions:
                again, _, _, _, told = twin.step(action)
            assert same(observation, again)
            assert same(info, told)
            open_now = np.flatnonzero(info["action_mask"]).tolist()
            actions.append(chance.choice(open_now))
            observation, reward, over, _, info = environment.step(actions[-1])
            if over:
                endings.add(reward == twin.step(actions[-1])[1])
    assert endings == {True, False}, "hidden cards do decide rounds, or this test shows nothing"


def visible(state: Round) -> set[Card]:
    up = {card for place, count in state.face_up.items() for card in state.cards.get(place, ())[:count]}
    return up | set(state.cards[SEAT])


@pytest.mark.parametrize("name", GAMES)
def test_a_round_pays_what_its_finished_hand_settles_for(name: str) -> None:
    environment = RoundEnvironment(name, side_wagers=side_wagers(name))
    chance = np.random.default_rng(11)
    for number in range(150):
        _, info = environment.reset(seed=number)
        first = state_of(environment)
        over, actions = False, []
        while not over:
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            answer = environment.encoding.answers[action]
            actions.append(answer.action)
            if answer.discards is not None:
                actions.append(f"discard {environment.encoding.in_order(first.cards[SEAT])[answer.discards]}")
            _, reward, over, _, info = environment.step(action)
        last = state_of(environment)
        placed = {wager: stake for (_, wager), stake in first.stakes.items()}
        hand: dict[str, Any] = {
            "game": name,
            "seats": [{"seat": 1, "cards": [*map(face, first.cards[SEAT])], "wagers": placed, "actions": actions}],
        }
        hand |= {place: [*map(face, last.cards[place])] for place in game(name).table_cards}
        hand |= {"meters": environment._meters} if environment._meters else {}
        settled = settle_hand(environment.rules, hand)
        assert isinstance(settled, dict), settled
        assert settled["seats"][0]["net"] == info["net_cents"] == reward * environment.stake_cents
        assert {wager: result["net"] for wager, result in settled["seats"][0]["wagers"].items()} == info["wagers"]


@pytest.mark.xdist_group("exact")
@pytest.mark.parametrize("name", GAMES)
def test_optimal_play_earns_its_exact_value(name: str) -> None:
    rounds = 3000
    environment = RoundEnvironment(name)
    act = optimal_policy(environment)
    total = 0.0
    for number in range(rounds):
        observation, _ = environment.reset(seed=2 if number == 0 else None)
        over = False
        while not over:
            observation, reward, over, _, info = environment.step(act(observation))
            assert "refusal" not in info
        total += reward
    worth = worth_of(environment.rules, "main")
    assert abs(total / rounds - worth.ev) < STANDARD_ERRORS * worth.standard_deviation / math.sqrt(rounds)


def test_an_answer_that_is_not_open_is_refused_and_the_least_is_taken() -> None:
    environment, other = RoundEnvironment(HOLDEM), RoundEnvironment(HOLDEM)
    named = answers(environment)
    _, info = environment.reset(seed=4)
    other.reset(seed=4)
    assert not info["action_mask"][named["fold"]]
    observation, reward, over, _, told = environment.step(named["fold"])
    expected, *_ = other.step(named["check"])
    assert "'fold' isn't available now" in told["refusal"]
    assert same(observation, expected)
    assert (reward, over) == (0, False)


def test_the_card_to_discard_is_named_by_its_place_in_the_hand() -> None:
    environment = RoundEnvironment(COLORADO, options={"version": "permissible-bet"})
    names = [str(answer) for answer in environment.encoding.answers]
    assert names == [*(f"{name}, discard card {at}" for name in ("bet", "check") for at in (1, 2, 3)), "declare"]
    environment.reset(options={"cards": ["Th", "2c", "7d", "3s", "9s", "Js"]})
    environment.step(names.index("check, discard card 2"))
    assert state_of(environment).discards == {SEAT: "7d"}


def test_an_episode_that_is_over_has_to_be_reset() -> None:
    environment = RoundEnvironment("dragon-poker")
    environment.reset(seed=1)
    environment.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="Reset the environment"):
        environment.step(0)


def answers(environment: RoundEnvironment) -> dict[str, int]:
    """Map what each action is called to its number."""
    return {str(answer): index for index, answer in enumerate(environment.encoding.answers)}


def test_a_meter_pays_what_it_shows() -> None:
    terms = {"paytables": {"progressive": "A"}, "side_wagers": {"progressive": 100}}
    environment = RoundEnvironment(HOLDEM, **terms, meters={"meter": 2_500_000})
    number = answers(environment)
    board, dealer, hand = ["Qs", "Js", "Ts", "2c", "3d"], ["4h", "5c"], ["As", "Ks"]
    observation, _ = environment.reset(options={"cards": [*board, *dealer, *hand]})
    assert environment.encoding.seen(observation["hand"]) == ("Ks", "As")
    assert environment.encoding.seen(observation["board"]) == ()
    observation, *_ = environment.step(number["check"])
    assert environment.encoding.seen(observation["board"]) == ("Ts", "Js", "Qs")
    environment.step(number["check"])
    _, _, over, _, info = environment.step(number["raise 1x"])
    assert over
    assert info["wagers"]["progressive"] == 2_500_000 - 100


def test_what_is_drawn_says_what_the_seat_sees() -> None:
    environment = RoundEnvironment(HOLDEM, render_mode="ansi")
    board, dealer, hand = ["Qs", "Js", "Ts", "2c", "3d"], ["4h", "5c"], ["As", "Ks"]
    environment.reset(options={"cards": [*board, *dealer, *hand]})
    drawn = environment.render()
    assert drawn is not None
    assert drawn.splitlines()[1:] == [
        "hand: Ks As",
        "board: ?? ?? ?? ?? ??",
        "dealer: ?? ??",
        "open: raise 4x, raise 3x, check",
    ]
    environment.step(answers(environment)["raise 4x"])
    assert "play: win 400 cents (Ch. 11 §H(3)(b))" in environment.render().splitlines()
    assert RoundEnvironment(HOLDEM).render() is None


def test_several_rounds_are_played_side_by_side() -> None:
    rounds = gymnasium.make_vec(environment_id("dragon-poker"), num_envs=3, vectorization_mode="sync")
    observation, info = rounds.reset(seed=1)
    assert observation["hand"].shape == (3, 3)
    assert info["action_mask"].tolist() == [[1, 1]] * 3
    _, rewards, over, _, info = rounds.step(np.zeros(3, np.int64))
    assert over.all()
    assert (rewards == info["net_cents"] / 100).all()
    rounds.close()


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"paytables": {"blind": "Z"}}, "blind has no paytable 'Z'"),
        ({"paytables": {"insurance": "A"}}, "no paytable for 'insurance'"),
        ({"options": {"weather": "fair"}}, "no option for 'weather'"),
        ({"side_wagers": {"insurance": 100}}, "no wager called 'insurance'"),
        ({"side_wagers": {"trips": 0}}, "positive whole number"),
        ({"side_wagers": {"play": 100}}, "is placed by a player's action"),
        ({"side_wagers": {"ante": 500}}, "is not a side wager"),
        ({"side_wagers": {"six-card-bonus": 100}}, "needs Trips as well"),
        ({"stake_cents": -5}, "positive whole number"),
        ({"meters": {"meter": 100}}, "The meters: none"),
        ({"side_wagers": {"progressive": 100}, "meters": {"jackpot": 100}}, "The meters: meter"),
    ],
)
def test_wrong_terms_are_reported_in_a_sentence(terms: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WrongTerms, match=sentence) as told:
        RoundEnvironment(HOLDEM, **terms)
    assert str(told.value).endswith(".")


def test_a_deck_is_stacked_only_with_its_own_cards() -> None:
    environment = RoundEnvironment("dragon-poker")
    for wrong in (["As"], ["Dg"] * 40):
        with pytest.raises(WrongTerms, match=r"^\S.*\.$"):
            environment.reset(options={"cards": wrong})


def test_without_gymnasium_the_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import pitboss.lab.environments"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].endswith(
        ": Environments need the package gymnasium. Run: pip install 'pitboss[rl]'"
    )
