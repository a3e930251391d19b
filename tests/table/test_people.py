"""Who may do what at a table."""

import pytest

from pitboss.games import catalogue
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.table import Person
from pitboss.table.people import TECHNICIAN, check_other_person, check_role
from table.driver import (
    A_PLAYER,
    THE_AUTOMATON,
    THE_DEALER,
    THE_FLOOR,
    THE_PIT,
    THE_TECHNICIAN,
    settings_of,
)

SETTINGS = settings_of(catalogue.games()[0])
FREE = settings_of(catalogue.games()[0], self_dealing=True, free_play=True)


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (DEALER, {THE_DEALER}),
        (FLOORPERSON, {THE_FLOOR, THE_PIT}),
        (PLAYER, {A_PLAYER, THE_DEALER, THE_FLOOR, THE_PIT}),
        (TECHNICIAN, {THE_TECHNICIAN, THE_FLOOR, THE_PIT}),
    ],
)
def test_a_role_and_those_above_it_may_act(role: str, allowed: set[Person]) -> None:
    everybody = {THE_DEALER, THE_FLOOR, THE_PIT, THE_TECHNICIAN, A_PLAYER, THE_AUTOMATON, Person("x", "guest")}
    assert {person for person in everybody if check_role(SETTINGS, person, role, clause="c") is None} == allowed


def test_a_refusal_names_the_role_and_the_clause() -> None:
    refusal = check_role(SETTINGS, THE_DEALER, FLOORPERSON, clause="Ch. 5 §G")
    assert str(refusal) == "Only a floorperson or above can do this; the dealer can't (Ch. 5 §G)"


def test_an_automaton_deals_only_at_a_self_dealing_table() -> None:
    assert check_role(SETTINGS, THE_AUTOMATON, DEALER, clause="") is not None
    assert check_role(FREE, THE_AUTOMATON, DEALER, clause="") is None
    assert check_role(FREE, THE_AUTOMATON, FLOORPERSON, clause="") is not None


def test_nobody_verifies_their_own_work() -> None:
    assert check_other_person(Person("same", FLOORPERSON), "same", "c") is not None
    assert check_other_person(Person("other", FLOORPERSON), "same", "c") is None
