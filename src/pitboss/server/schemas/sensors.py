"""The wire of bet sensors: their messages, and what a table has enrolled."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pitboss.server.schemas.readers import Name

Wager = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")]
Cents = Annotated[int, Field(ge=0, le=2**40)]


class SensorMessage(BaseModel):
    """The chips that a sensor sees at a seat, numbered and signed with the sensor's own key."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sensor: Name
    sequence: Annotated[int, Field(ge=1, le=2**53)]
    seat: Annotated[int, Field(ge=1, le=20)]
    stakes: Annotated[dict[Wager, Cents], Field(max_length=20, examples=[{"ante": 1000}])]
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class SensorTaken(BaseModel):
    """The message is on record; its chips are the seat's wagers, or weren't taken."""

    sequence: int
    is_taken: bool
    clause: str | None = Field(description="the rule by which the chips aren't wagers", examples=["Ch. 7 §D"])
    again: bool


class SensorShown(BaseModel):
    """An enrolled sensor: its public key, and the number of its last message."""

    sensor: str
    key: str
    sequence: int


class TableSensors(BaseModel):
    """A table with a dealer on the floor's page of devices that sign."""

    table: str
    title: str
    sensors: list[SensorShown]
    proposals: int = Field(description="how many requests are waiting for a second person")
