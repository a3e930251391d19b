"""One key for each choice: a digit in its name, otherwise the first of its letters that is free."""

from collections.abc import Mapping

RESERVED = frozenset("q?")


def one_key_each(names: Mapping[str, str], taken: frozenset[str] = RESERVED) -> dict[str, str]:
    """Return a key for each name, taken from its title."""
    used, found = set(taken), dict[str, str]()
    for name, title in names.items():
        letters = title.lower()
        wanted = [*(c for c in letters if c.isdigit()), *(c for c in letters if c.isalpha()), *"0123456789", *"xyzvwjk"]
        key = next(c for c in wanted if c not in used)
        used.add(key)
        found[name] = key
    return found
