"""Passwords that guessing programs try first: common words, keyboard rows and counted letters, however decorated."""

import re

COMMON = (
    *("password", "passwort", "passphrase", "welcome", "letmein", "changeme", "default", "secret", "administrator"),
    *("admin", "iloveyou", "monkey", "dragon", "football", "baseball", "basketball", "superman", "batman", "sunshine"),
    *("princess", "master", "shadow", "michael", "jennifer", "charlie", "trustno", "starwars", "whatever", "computer"),
    *("internet", "summer", "winter", "spring", "autumn", "january", "december", "login", "access", "qazwsx", "asdf"),
    *("zxcvbn", "qwerty", "qwertz", "azerty", "casino", "poker", "dealer", "pitboss", "blackjack", "jackpot", "holdem"),
)
ROWS = (
    *("qwertyuiopasdfghjklzxcvbnm", "1234567890123456789012345678901234567890", "abcdefghijklmnopqrstuvwxyz"),
    *("qazwsxedcrfvtgbyhnujmikolp", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "qwertzuiopasdfghjklyxcvbnm"),
)
_LETTERS_FOR = str.maketrans("013457@$!", "oleastasi")
RUN_LEAST = 4
LEFT_LEAST = 5  # what remains of a password beside what everybody tries


def is_guessable(text: str) -> bool:
    """Say whether little is left of a password without the parts that everybody tries."""
    folded = text.casefold()
    return min(len(_rest(folded)), len(_rest(folded.translate(_LETTERS_FOR)))) < LEFT_LEAST


def _rest(text: str) -> str:
    for word in sorted(COMMON, key=len, reverse=True):
        text = text.replace(word, " ")
    text = _without_runs(text)
    letters = re.sub(r"[\W_]|(?<!\d)\d{1,4}(?!\d)", "", text)  # marks, years and counting numbers add nothing
    half = letters[: len(letters) // 2]
    return half if half * 2 == letters else letters


def _without_runs(text: str) -> str:
    place = 0
    while place < len(text):
        length = max(_run_at(text, place, row) for row in (*ROWS, *(row[::-1] for row in ROWS)))
        if length >= RUN_LEAST:
            text = f"{text[:place]} {text[place + length :]}"
        place += 1
    return text


def _run_at(text: str, place: int, row: str) -> int:
    length = 0
    while place + length < len(text) and text[place : place + length + 1] in row:
        length += 1
    return length
