"""Suit-distinct sets represent every set, each with its number of equivalents."""

from math import comb

import pytest

from pitboss.odds.symmetry import hole_cards, hole_index, holes_permuted, kinds, stabilisers


@pytest.mark.parametrize(("size", "number"), [(2, 169), (3, 1755), (5, 134459)])
def test_kinds_represent_all_sets(size: int, number: int) -> None:
    found = kinds(size)
    assert len(found.key) == number
    assert int(found.multiplicity.sum()) == comb(52, size)
    assert (found.key[1:] > found.key[:-1]).all()


def test_a_permutation_of_suits_only_renames_holes() -> None:
    moved = holes_permuted()
    assert moved.shape == (24, 1326)
    assert all(sorted(row) == list(range(1326)) for row in moved)
    first, second = hole_cards()
    table = hole_index()
    assert table[52 * first + second].tolist() == list(range(1326))
    assert table[52 * second + first].tolist() == list(range(1326))


def test_the_identity_leaves_every_set_as_it_is() -> None:
    assert stabilisers(kinds(3).masks)[:, 0].all()
