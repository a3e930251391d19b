"""Wire schemas for a person's own second factors."""

from typing import Any

from pydantic import BaseModel, Field

from pitboss.server.schemas.tables import SecondShown


class OwnFactor(BaseModel):
    """A second factor of yours."""

    factor: str
    kind: str = Field(description="`code` or `passkey`", examples=["code"])
    label: str = Field(examples=["Phone"])


class OwnFactors(BaseModel):
    """Your second factors, and how many recovery codes are left."""

    factors: list[OwnFactor]
    recovery_codes: int
    is_required: bool = Field(description="whether one of your roles requires a second factor")


class NewCode(BaseModel):
    """A secret for an app that shows codes; send the ticket back with the code that the app shows."""

    ticket: str
    secret: str
    uri: str = Field(description="for a QR code")


class BrowserOptions(BaseModel):
    """What the page passes to the browser's credentials, as JSON; none if there is no passkey."""

    options: dict[str, Any] | None


class OwnProof(SecondShown):
    """Your password, and a second factor if you have any; a person who signed in with a link may have no password."""

    password: str = Field(default="", max_length=256, examples=["correct horse battery"])


class AddedFactor(OwnProof):
    """A new second factor: a ticket and the app's code, or the passkey that the browser made."""

    label: str = Field(min_length=1, max_length=40, examples=["Phone"])
    ticket: str = Field(default="", max_length=2_000)
    new_code: str = Field(default="", max_length=10, examples=["123456"])
    new_passkey: dict[str, Any] | None = Field(default=None, max_length=12)


class RecoveryCodes(BaseModel):
    """Recovery codes, shown this once; none if you have some already."""

    codes: list[str]
