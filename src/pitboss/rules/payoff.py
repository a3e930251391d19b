"""What a winning line pays: odds, a dollar prize, a share of a meter, or the stake back."""

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class To:
    """Odds in units for each unit staked; the stake is returned as well."""

    win: int
    per: int = 1

    def __str__(self) -> str:
        return f"{self.win} to {self.per}"

    @property
    def units(self) -> Fraction:
        return Fraction(self.win, self.per)


@dataclass(frozen=True, slots=True)
class For:
    """Odds in units for each unit staked; the house keeps the stake."""

    win: int
    per: int = 1

    def __str__(self) -> str:
        return f"{self.win} for {self.per}"

    @property
    def units(self) -> Fraction:
        return Fraction(self.win, self.per)


@dataclass(frozen=True, slots=True)
class Prize:
    """A fixed sum that doesn't scale with the stake; the stake is also returned."""

    cents: int

    def __str__(self) -> str:
        return dollars(self.cents)


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A percentage of a progressive meter, the stake kept by the house unless an option returns it."""

    percent: int
    meter: str

    def __str__(self) -> str:
        return f"{self.percent} % of {self.meter}"


@dataclass(frozen=True, slots=True)
class Push:
    """The stake back and nothing more."""

    def __str__(self) -> str:
        return "push"


Payoff = To | For | Prize | MeterShare | Push

# A comma separates thousands only: "1,5 to 1" must not be taken for fifteen.
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
_ODDS = re.compile(rf"({_NUMBER}) (to|for) (\d+)", re.ASCII)
_PRIZE = re.compile(rf"\$({_NUMBER})(?:\.(\d\d))?", re.ASCII)
_SHARE = re.compile(r"(\d+) % of ([a-z]+)", re.ASCII)


def dollars(cents: int) -> str:
    """Return an amount as it is printed: $1,000,000 or $10.50."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}" if rest else f"{sign}${whole:,}"


def signed(cents: int) -> str:
    """Return an amount with its sign: +$40, -$5.50, $0."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def payoff(text: str) -> Payoff:
    """Return the payoff that a text such as "3 to 2", "$1,000" or "10 % of meter" states."""
    if text == "push":
        return Push()
    if (match := _ODDS.fullmatch(text)) and int(match[3]) > 0:
        kind = To if match[2] == "to" else For
        return kind(_number(match[1]), int(match[3]))
    if match := _PRIZE.fullmatch(text):
        return Prize(_number(match[1]) * 100 + int(match[2] or 0))
    if (match := _SHARE.fullmatch(text)) and 0 < int(match[1]) <= 100:
        return MeterShare(int(match[1]), match[2])
    raise ValueError(f'{text!r} is not a payoff. Write it as "9 to 1", "9 for 1", "$1,000", "10 % of meter" or "push"')


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))
