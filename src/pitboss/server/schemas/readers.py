"""The wire of card readers: their messages, and what a table has enrolled."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pitboss.house.live_table.card_readers import CardSource

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,39}$")]


class ReaderMessage(BaseModel):
    """A card that a reader saw, numbered and signed with the reader's own key."""

    model_config = ConfigDict(extra="forbid", strict=True)

    reader: Name
    sequence: Annotated[int, Field(ge=1, le=2**53)]
    card: Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\n]*$")]
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class ReaderTaken(BaseModel):
    """The message is on record; the card was read, or wasn't due."""

    sequence: int
    is_read: bool
    again: bool


class ReaderShown(BaseModel):
    """An enrolled reader: its public key, and the number of its last message."""

    reader: str
    key: str
    sequence: int


class Readers(BaseModel):
    """A table's readers."""

    required: bool
    by_keyboard: bool
    readers: list[ReaderShown]


class TableReaders(BaseModel):
    """A table with physical cards on the floor's page of readers."""

    table: str
    title: str
    source: CardSource
    readers: list[ReaderShown]
    proposals: int = Field(description="how many requests are waiting for a second person")
