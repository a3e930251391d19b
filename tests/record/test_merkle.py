"""The tree of entries against the recursive definition of RFC 6962, and its published vectors."""

import hashlib

import pytest

from pitboss.record.merkle import BLOCK_LEAVES, Tree, block_hash, leaf_hash, node_hash, root_of
from pitboss_verify.tree import consistency_holds, inclusion_root

SIZES = (1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 513, 700, 1024, 1100)
LEAVES = [leaf_hash(str(number)) for number in range(max(SIZES))]


def defined(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 6962 section 2.1 defines it."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(defined(leaves[:split]), defined(leaves[split:]))


def tree(size: int) -> Tree:
    blocks = [block_hash(LEAVES[at : at + BLOCK_LEAVES]) for at in range(0, size - BLOCK_LEAVES + 1, BLOCK_LEAVES)]
    return Tree(blocks, lambda begin, end: LEAVES[begin:end])


def test_the_vectors_of_certificate_transparency() -> None:
    data = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
    hashes = [hashlib.sha256(b"\0" + bytes.fromhex(text)).digest() for text in data]
    assert root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert root_of(hashes[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert root_of(hashes).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_proofs_hold_for_every_size(size: int) -> None:
    made = tree(size)
    root = made.root(size)
    assert root == defined(LEAVES[:size])
    for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
        proof = made.inclusion(index, size)
        assert inclusion_root(index, size, LEAVES[index], proof) == root
        assert inclusion_root(index, size, LEAVES[index - 1] if size > 1 else b"x" * 32, proof) != root
    for old in {old for old in (*SIZES, size - 1) if 0 < old <= size}:
        proof = made.consistency(old, size)
        before = defined(LEAVES[:old])
        assert consistency_holds(old, size, before, root, proof), old
        assert not consistency_holds(old, size, b"x" * 32, root, proof), old
        if old < size:
            assert not consistency_holds(old, size, before, b"x" * 32, proof), old
            assert not consistency_holds(old, size, before, root, proof[:-1]), old
            assert not consistency_holds(old, size, before, root, [*proof, b"x" * 32]), old
