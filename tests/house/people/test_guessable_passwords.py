"""Passwords that everybody tries are refused, however they are decorated; unusual ones are not."""

import pytest

from pitboss.house.people.guessable_passwords import is_guessable
from pitboss.house.people.passwords import Password
from pitboss.rules.refusal import Refusal


@pytest.mark.parametrize(
    "text",
    [
        *("Password1234!", "P@ssw0rd2026!!", "passwordpassword", "qwertyuiop123", "1234567890123", "abcdefghijklm"),
        *("Welcome2Casino!", "letmein-letmein", "administrator1", "1qaz2wsx3edc", "zyxwvutsrqpon", "Summer2026Summer"),
        *("PitbossPitboss1", "Pokerdealer123!"),
    ],
)
def test_what_everybody_tries_is_refused(text: str) -> None:
    assert is_guessable(text)
    refusal = Password(text).check("flo")
    assert isinstance(refusal, Refusal)
    assert refusal.field == "password"


@pytest.mark.parametrize(
    "text",
    [
        "a heron on the pier",
        "tall yellow cupboard 41",
        "correct horse battery staple",
        "xK9#vLq2!mWz7",
        "grün-und-heiter-17",
    ],
)
def test_an_unusual_password_is_taken(text: str) -> None:
    assert not is_guessable(text)
    assert Password(text).check("flo") is None
