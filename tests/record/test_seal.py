"""Sealed cards: only the key opens them, they reveal nothing without it, and they are bound to their position."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import SeededShuffle
from pitboss.cards.deck import Card
from pitboss.games import game, game_names
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.seal import RoundSeal, SealBroken, commitment, open_card, round_seal

MASTER = MasterKey(bytes(range(32)))


def seal(round_id: str = "table-one/17") -> RoundSeal:
    return RoundSeal(MASTER, round_id)


@pytest.mark.parametrize("name", game_names())
def test_a_deck_is_committed_sealed_and_opened(name: str) -> None:
    order = SeededShuffle(3).order(game(name).deck)
    ours = seal()
    commitments = ours.commitments(order)
    assert len(set(commitments)) == len(order)
    assert seal().open_order(ours.seal_order(order)) == order
    for position, card in enumerate(order):
        sealed = ours.seal(position, card)
        assert ours.open(position, sealed) == card
        opened, salt = open_card(ours.dealt_key(), "table-one/17", position, sealed)
        assert commitment(salt, opened) == commitments[position]
        assert salt == ours.salt(position)


def test_the_same_round_gives_the_same_texts_again_and_another_others() -> None:
    order = (Card("As"), Card("Kd"))
    assert seal().seal_order(order) == seal().seal_order(order)
    assert seal().seal(0, order[0]) == seal().seal(0, order[0])
    others = (seal("table-one/18"), RoundSeal(MasterKey(bytes(32)), "table-one/17"))
    for other in others:
        assert other.seal_order(order) != seal().seal_order(order)
        assert other.seal(0, order[0]) != seal().seal(0, order[0])
        assert other.commitments(order) != seal().commitments(order)
        assert other.dealt_key() != seal().dealt_key()


@given(st.integers(0, 207), st.integers(0, 207), st.sampled_from(["As", "Kd", "Ra7", "Ra12"]))
def test_no_sealed_text_shows_that_two_cards_are_equal(number: int, other: int, name: str) -> None:
    ours = seal()
    first, second = ours.seal(number, Card(name)), ours.seal(other, Card(name))
    assert (first == second) == (number == other)
    assert len(first) == len(ours.seal(other, Card("2c")))
    assert ours.salt(number) != ours.salt(other) or number == other


def test_the_length_of_a_sealed_order_says_nothing_of_its_names() -> None:
    assert len(seal().seal_order((Card("Ra7"), Card("Ra12")))) == len(seal().seal_order((Card("As"), Card("2c"))))


def test_the_published_key_opens_neither_the_order_nor_the_cards_left_in_the_deck() -> None:
    order = SeededShuffle(5).order(game(next(iter(game_names()))).deck)
    ours = seal()
    dealt_key = ours.dealt_key()
    sealed_order = ours.seal_order(order).partition(".")[2]
    with pytest.raises(SealBroken):
        open_card(dealt_key, "table-one/17", 0, sealed_order)
    # What can be derived from the published key is not the salt that hides a commitment.
    thief = RoundSeal(MasterKey(bytes.fromhex(dealt_key)), "table-one/17")
    assert all(thief.salt(position) != ours.salt(position) for position in range(len(order)))


def test_a_sealed_card_opens_only_at_its_own_position() -> None:
    sealed = seal().seal(4, Card("As"))
    for opener, position in (
        (seal(), 5),
        (seal("table-one/18"), 4),
        (RoundSeal(MasterKey(bytes(32)), "table-one/17"), 4),
    ):
        with pytest.raises(SealBroken):
            opener.open(position, sealed)


def test_every_changed_byte_of_a_sealed_text_is_found() -> None:
    sealed = bytes.fromhex(seal().seal(4, Card("As")))
    for at in range(len(sealed)):
        changed = bytearray(sealed)
        changed[at] ^= 1
        with pytest.raises(SealBroken):
            seal().open(4, changed.hex())
    with pytest.raises(SealBroken):
        seal().open(4, "no hexadecimal")


def test_a_round_begun_under_an_old_key_can_go_on() -> None:
    before = Keyring((MASTER,))
    order = (Card("As"), Card("Kd"))
    begun = round_seal(before, "r1")
    sealed_order = begun.seal_order(order)
    rotated = before.rotated(type("Seeded", (), {"token": staticmethod(random.Random(1).randbytes)})())
    resumed = round_seal(rotated, "r1", sealed_order)
    assert resumed.open_order(sealed_order) == order
    assert resumed.salt(1) == begun.salt(1)
    assert round_seal(rotated, "r1").salt(1) != begun.salt(1)


def test_real_cards_have_no_order_to_seal_and_name_their_key_still() -> None:
    sealed_order = seal().seal_order(())
    assert seal().open_order(sealed_order) == ()
    assert round_seal(Keyring((MasterKey(bytes(32)), MASTER)), "table-one/17", sealed_order).salt(0) == seal().salt(0)
