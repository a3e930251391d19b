"""A Merkle tree over all entries, as RFC 6962 defines it: roots, inclusion proofs and consistency proofs."""

import hashlib
from collections.abc import Callable, Sequence

Hash = bytes
Leaves = Callable[[int, int], Sequence[Hash]]  # the leaf hashes from one index up to another
BLOCK_LEAVES = 256  # of a complete subtree whose root is kept; a power of two


def leaf_hash(line: str) -> Hash:
    """Return the hash of a leaf: of an entry's line."""
    return hashlib.sha256(b"\0" + line.encode()).digest()


def node_hash(left: Hash, right: Hash) -> Hash:
    """Return the hash of two subtrees."""
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(hashes: Sequence[Hash]) -> Hash:
    """Return the root of a tree whose leaves, or complete subtrees of one size, have these hashes."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    level = list(hashes)
    while len(level) > 1:
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + ([level[-1]] if len(level) % 2 else [])
    return level[0]


def block_hash(leaves: Sequence[Hash]) -> Hash:
    """Return the root of a complete block."""
    assert len(leaves) == BLOCK_LEAVES, "only a complete block has a lasting hash"
    return root_of(leaves)


class Tree:
    """A tree of which the roots of complete blocks are at hand, and the leaves of a block are fetched when needed."""

    def __init__(self, blocks: Sequence[Hash], leaves: Leaves) -> None:
        self._blocks, self._leaves = blocks, leaves

    def root(self, size: int) -> Hash:
        """Return the root of the first leaves."""
        return self._root(0, size)

    def inclusion(self, index: int, size: int) -> list[Hash]:
        """Return the proof that a leaf is in the tree of this size."""
        assert 0 <= index < size, "a leaf outside the tree has no proof"
        return self._path(index, 0, size)

    def consistency(self, old: int, size: int) -> list[Hash]:
        """Return the proof that the tree of this size begins with the tree of the old size."""
        assert 0 < old <= size, "there is nothing to prove about no leaves"
        return self._subproof(old, 0, size, is_whole=True)

    def _path(self, index: int, begin: int, end: int) -> list[Hash]:
        if end - begin == 1:
            return []
        middle = begin + _split(end - begin)
        if index < middle:
            return [*self._path(index, begin, middle), self._root(middle, end)]
        return [*self._path(index, middle, end), self._root(begin, middle)]

    def _subproof(self, old: int, begin: int, end: int, *, is_whole: bool) -> list[Hash]:
        if old == end - begin:
            return [] if is_whole else [self._root(begin, end)]
        split = _split(end - begin)
        if old <= split:
            return [*self._subproof(old, begin, begin + split, is_whole=is_whole), self._root(begin + split, end)]
        rest = self._subproof(old - split, begin + split, end, is_whole=False)
        return [*rest, self._root(begin, begin + split)]

    def _root(self, begin: int, end: int) -> Hash:
        # Subtrees begin at a multiple of their size, rounded up to a power of two: blocks are never cut in two.
        if begin % BLOCK_LEAVES or end - begin < BLOCK_LEAVES:
            return root_of(self._leaves(begin, end))
        whole = end // BLOCK_LEAVES
        blocks = list(self._blocks[begin // BLOCK_LEAVES : whole])
        if end % BLOCK_LEAVES == 0:
            return root_of(blocks)
        split = begin + _split(end - begin)
        return node_hash(self._root(begin, split), self._root(split, end))


def _split(count: int) -> int:
    # The largest power of two that is less than the count.
    return 1 << (count - 1).bit_length() - 1
