"""The tree of all entries, as RFC 6962 defines it: leaves, roots, inclusion and consistency."""

import hashlib
from collections.abc import Sequence


def leaf_hash(line: str) -> bytes:
    """Return the leaf of an entry's line."""
    return hashlib.sha256(b"\x00" + line.encode()).digest()


def joined(left: bytes, right: bytes) -> bytes:
    """Return the node above two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def inclusion_root(index: int, size: int, leaf: bytes, proof: Sequence[bytes]) -> bytes | None:
    """Return the root that a leaf and its proof lead to (RFC 9162, 2.1.3.2), or None if the proof has a wrong shape."""
    if not 0 <= index < size:
        return None
    number, last, root = index, size - 1, leaf
    for node in proof:
        if last == 0:
            return None
        if number % 2 or number == last:
            root = joined(node, root)
            while number % 2 == 0 and number:
                number, last = number >> 1, last >> 1
        else:
            root = joined(root, node)
        number, last = number >> 1, last >> 1
    return root if last == 0 else None


def consistency_holds(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Say whether the larger tree begins with the smaller one (RFC 9162 section 2.1.4.2)."""
    if not 0 < old <= size:
        return False
    if old == size:
        return not proof and old_root == root
    nodes = list(proof)
    if old & (old - 1) == 0:  # a power of two is a complete subtree, and the proof leaves it out
        nodes.insert(0, old_root)
    if not nodes:
        return False
    number, last = old - 1, size - 1
    while number % 2:
        number, last = number >> 1, last >> 1
    before = after = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if number % 2 or number == last:
            before, after = joined(node, before), joined(node, after)
            while number % 2 == 0 and number:
                number, last = number >> 1, last >> 1
        else:
            after = joined(after, node)
        number, last = number >> 1, last >> 1
    return last == 0 and before == old_root and after == root


class Accumulator:
    """Adds leaves one after another and gives the root at any time, with as many hashes as the size has ones."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[tuple[int, bytes]] = []  # of complete subtrees, the largest first: height and root

    def add(self, leaf: bytes) -> None:
        """Add a leaf."""
        height, node = 0, leaf
        while self._peaks and self._peaks[-1][0] == height:
            node = joined(self._peaks.pop()[1], node)
            height += 1
        self._peaks.append((height, node))
        self.size += 1

    def root(self) -> bytes:
        """Return the root of all leaves added."""
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        node = self._peaks[-1][1]
        for _, left in reversed(self._peaks[:-1]):
            node = joined(left, node)
        return node
