"""Patrons: players without a device, who play with chips and signal to the dealer; their names can't be accounts."""

_PATRON = "patron "  # contains a space, which account names can't, so no person can sign in as one


def patron_of(account: str) -> str:
    """Return the name under which the holder of an account plays with chips."""
    return f"{_PATRON}{account}"


def unnamed_patron(sequence: int) -> str:
    """Return a name for a patron without an account, from the table's last entry before they sat down: never reused."""
    return f"{_PATRON}#{sequence}"


def is_patron(player: str) -> bool:
    """Return whether a player is a patron, for whom the dealer acts."""
    return player.startswith(_PATRON)


def account_of_patron(player: str) -> str | None:
    """Return the account of a patron, or None for one without an account."""
    name = player.removeprefix(_PATRON)
    return name if is_patron(player) and not name.startswith("#") else None
