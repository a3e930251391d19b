"""Passwords: never shown, never recorded, stored as verifiers made by a slow hash."""

import unicodedata
from itertools import pairwise
from typing import Protocol

from pitboss.house.people import house_rules as rule
from pitboss.house.people.guessable_passwords import is_guessable
from pitboss.rules.refusal import Refusal

LEAST_CHARACTERS = 12
PIN_DIGITS = (4, 12)
MOST_CHARACTERS = 256  # a longer one would only cost time


class Password:
    """A password that reveals itself only to the hasher."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        # Another keyboard may type the same letters as different code points.
        self._text = unicodedata.normalize("NFKC", text)

    def __repr__(self) -> str:
        return "Password(hidden)"

    def __reduce__(self) -> str:
        raise TypeError("passwords are never shown")

    def revealed(self) -> bytes:
        """Return the password for hashing."""
        return self._text.encode()

    def check(self, person: str) -> Refusal | None:
        """Return why a person with this name should not use the password, or None."""
        if not LEAST_CHARACTERS <= len(self._text) <= MOST_CHARACTERS:
            reason = f"Enter a password of {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters"
            return Refusal(reason, rule.SIGN_IN, "password")
        if len(set(self._text)) < 5 or person.casefold() in self._text.casefold():
            return Refusal(
                "Choose a password that isn't your name or a few characters repeated", rule.SIGN_IN, "password"
            )
        if is_guessable(self._text):
            return Refusal("This password is easy to guess. Choose another", rule.SIGN_IN, "password")
        return None


def check_pin(pin: str) -> Refusal | None:
    """Return why a PIN is refused, or None; three wrong PINs end a session, so it can be short."""
    if not (pin.isascii() and pin.isdigit() and PIN_DIGITS[0] <= len(pin) <= PIN_DIGITS[1]):
        return Refusal(f"Enter a PIN of {PIN_DIGITS[0]} to {PIN_DIGITS[1]} digits", rule.CONSOLE_LOCK, "pin")
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if len(set(pin)) < 3 or steps in ({1}, {-1}):
        return Refusal("This PIN is easy to guess. Choose another", rule.CONSOLE_LOCK, "pin")
    return None


class Hasher(Protocol):
    """Makes verifiers of passwords, and checks passwords against them."""

    def verifier(self, password: Password) -> str:
        """Return the verifier of a password."""
        ...

    def decoy(self) -> str:
        """Return a verifier that fits no password and takes as long to check as any other."""
        ...

    def fits(self, password: Password, verifier: str) -> bool:
        """Say whether a verifier was made from this password."""
        ...

    def is_outdated(self, verifier: str) -> bool:
        """Say whether a verifier was made with different settings."""
        ...


class Credentials(Protocol):
    """Stores verifiers outside the record, so that an old one can be deleted."""

    def keep(self, credential: str, verifier: str) -> None:
        """Store a verifier under a name, replacing any that is there, and return when it is on disk."""
        ...

    def verifier(self, credential: str) -> str | None:
        """Return the verifier stored under a name, if there is one."""
        ...

    def forget(self, credential: str) -> None:
        """Delete what is stored under a name."""
        ...
