"""Request schemas of the lab."""

from typing import Annotated, Literal

from pydantic import Field

from pitboss.games.catalogue import game_names
from pitboss.server.schemas.tables import Wire

CENTS_MOST = 10**12
SEED_MOST = 2**53
Name = Annotated[str, Field(min_length=1, max_length=80)]
Card = Annotated[str, Field(min_length=2, max_length=2)]
Odds = Annotated[dict[Name, Annotated[str, Field(max_length=40)]], Field(max_length=40)]
Cents = Annotated[int, Field(ge=1, le=CENTS_MOST)]
GAME = Field(min_length=1, max_length=80, examples=list(game_names()[:1]))


class LabTerms(Wire):
    """A game and the choices for it; anything left out takes the rulebook's default."""

    game: str = GAME
    paytables: dict[Name, Name] = Field(default_factory=dict, max_length=20)
    options: dict[Name, str | int] = Field(default_factory=dict, max_length=20)


class StakedTerms(LabTerms):
    """Lab terms with stakes, which matter for dollar prizes and meters."""

    stake_cents: Cents | None = None
    meters: dict[Name, Cents] = Field(default_factory=dict, max_length=10)
    others: int = Field(default=0, ge=0, le=20, description="other players whose hands may pay an envy bonus")


class EdgesAsked(StakedTerms):
    """The wagers whose edges are requested."""

    wager: Name | None = None
    ties: Literal["more", "less"] = "more"


class ExposureAsked(LabTerms):
    """Cards that a player sees before the first decision."""

    seen: list[Annotated[str, Field(max_length=20)]] = Field(min_length=1, max_length=5, examples=[["dealer:1"]])


class PaytableAsked(StakedTerms):
    """A wager's paytable with some of its odds edited."""

    wager: Name = Field(description="its name; a main-game wager is priced together with the rest of the main game")
    letter: Name | None = Field(default=None, examples=["A"])
    odds: Odds = Field(default_factory=dict, examples=[{"flush": "9 to 1"}])
    play: Literal["kept", "best"] = Field(
        default="kept",
        description="kept: a quick answer with the main game played as if the printed odds were paid; best: optimal "
        "play is computed again, which may take seconds",
    )


class WagerAsked(StakedTerms):
    """One wager, or the main game, under odds that may be edited."""

    wager: Name = "main"
    odds: dict[Name, Odds] = Field(default_factory=dict, max_length=10)


class DistributionAsked(WagerAsked):
    """A request for the distribution of results over a number of rounds."""

    rounds: int | None = Field(default=None, ge=10, le=10**9)


class CardsAsked(LabTerms):
    """Cards in a player's view."""

    odds: dict[Name, Odds] = Field(default_factory=dict, max_length=10)
    cards: list[Card] = Field(min_length=1, max_length=10, examples=[["As", "Kd", "Jh", "9c", "7d", "4s", "2c"]])
    board: list[Card] = Field(default_factory=list, max_length=10)


class PacketAsked(LabTerms):
    """A table of one game to print a packet for."""

    odds: dict[Name, Odds] = Field(default_factory=dict, max_length=10)


class PracticeAnswer(Wire):
    """An answer to a hard hand."""

    game: str = GAME
    seed: int = Field(ge=0, le=SEED_MOST)
    action: Annotated[str, Field(min_length=1, max_length=80)] = Field(examples=["play"])


class SimulationAsked(LabTerms):
    """A request to simulate rounds of a whole table."""

    rounds: int = Field(ge=1, le=2_000_000, examples=[10_000])
    seats: int = Field(default=1, ge=1, le=20)
    seed: int = Field(default=1, ge=0, le=SEED_MOST)
    strategy: Name = "optimal"
