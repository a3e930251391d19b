"""Second factors: one-time codes (RFC 6238), passkeys (WebAuthn) and recovery codes; secrets are stored sealed."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pyotp.totp import TOTP
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from pitboss.house.people import commands as asked
from pitboss.house.people.accounts import Account
from pitboss.house.people.events import CODE, PASSKEY
from pitboss.house.people.passwords import Credentials
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey, derived
from pitboss.record.system_interface import Clock, Randomness

ISSUER = "Pitboss"
STEP_MS = 30_000
STEPS_AROUND = 1  # a phone's clock may be off by one step
CHALLENGE_MS = 5 * 60_000
SECRET_BYTES = 20  # the length that RFC 4226 recommends
NONCE_BYTES = 12
RECOVERY_CODES = 10
RECOVERY_BYTES = 10
_CHALLENGE_BYTES = 16 + 8 + 16  # chance, time and code


@dataclass(frozen=True, slots=True)
class Site:
    """Where the person's browser is: a passkey works only there."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a person showed as a second factor: a code of an app or a recovery code, or a passkey's answer."""

    code: str = field(default="", repr=False)
    passkey: Mapping[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class NewCode:
    """The secret for an app that shows codes; the ticket brings it back to be confirmed."""

    ticket: str = field(repr=False)
    secret: str = field(repr=False)
    uri: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A new factor whose secret is stored: its name, its kind and the step that was used to prove it."""

    factor: str
    kind: str
    step: int


class SecondFactors:
    """Makes and checks second factors; the record says which are in force and what was used last."""

    def __init__(
        self, *, keys: Callable[[], Keyring], credentials: Credentials, clock: Clock, randomness: Randomness
    ) -> None:
        self._keys, self._credentials = keys, credentials
        self._clock, self._randomness = clock, randomness

    def begin_code(self, person: str) -> NewCode:
        """Return a new secret for an app, and the ticket that confirms it."""
        secret = TOTP(_base32(self._randomness.token(SECRET_BYTES))).secret
        data = json.dumps({"secret": secret, "at": self._clock.now_ms()})
        uri = TOTP(secret).provisioning_uri(name=person, issuer_name=ISSUER)
        return NewCode(self._sealed(data, f"ticket {person}"), secret, uri)

    def code_enrolled(self, person: str, ticket: str, code: str) -> Enrolled | None:
        """Store the secret of a ticket, if the app shows its code."""
        opened = self._opened(ticket, f"ticket {person}")
        if opened is None:
            return None
        data = json.loads(opened)
        step = self._step(data["secret"], code)
        if step is None or self._clock.now_ms() - data["at"] > CHALLENGE_MS:
            return None
        return self._keep(person, CODE, step, {"secret": data["secret"]})

    def begin_passkey(self, person: str, account: Account, site: Site) -> dict[str, Any]:
        """Return the options for a browser that makes a passkey."""
        options = generate_registration_options(
            rp_id=site.host,
            rp_name=ISSUER,
            user_name=person,
            user_id=hashlib.sha256(f"pitboss {person}".encode()).digest(),
            challenge=self._challenge(person),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=known) for known in self._passkeys(person, account)],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.DISCOURAGED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
        )
        return dict(json.loads(options_to_json(options)))

    def passkey_enrolled(self, person: str, answer: Mapping[str, Any], site: Site) -> Enrolled | None:
        """Store a passkey that a browser made, if it answers our challenge."""
        found = self._answered(person, answer)
        if found is None:
            return None
        challenge, at = found
        try:
            made = verify_registration_response(
                credential=dict(answer),
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
            )
        except _REFUSED:
            return None
        kept = {"id": bytes_to_base64url(made.credential_id), "key": bytes_to_base64url(made.credential_public_key)}
        return self._keep(person, PASSKEY, at, kept)

    def ask_passkey(self, person: str, account: Account, site: Site) -> dict[str, Any] | None:
        """Return the options for a browser that answers with one of a person's passkeys, if there is one."""
        known = self._passkeys(person, account)
        if not known:
            return None
        options = generate_authentication_options(
            rp_id=site.host,
            challenge=self._challenge(person),
            allow_credentials=[PublicKeyCredentialDescriptor(id=passkey) for passkey in known],
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return dict(json.loads(options_to_json(options)))

    def proved(self, person: str, account: Account, given: Given, site: Site | None) -> asked.Second | None:
        """Return which factor was shown, or None if nothing was; a wrong one is a proof of nothing."""
        if given.passkey is not None:
            return self._by_passkey(person, account, given.passkey, site) or asked.Second()
        if not given.code.strip():
            return None
        return self._by_code(person, account, given.code) or asked.Second(recovery=recovery_digest(given.code))

    def recovery_codes(self) -> tuple[str, ...]:
        """Return new recovery codes, each in groups that can be read aloud."""
        made = []
        for _ in range(RECOVERY_CODES):
            text = _base32(self._randomness.token(RECOVERY_BYTES)).lower()
            made.append("-".join(text[at : at + 4] for at in range(0, len(text), 4)))
        return tuple(made)

    def forget(self, factor: str) -> None:
        """Delete a factor's secret."""
        self._credentials.forget(factor)

    def _by_code(self, person: str, account: Account, code: str) -> asked.Second | None:
        for factor, kept in account.factors.items():
            if kept.kind == CODE and (data := self._kept(person, factor)) is not None:
                step = self._step(data["secret"], code)
                if step is not None:
                    return asked.Second(factor=factor, step=step)
        return None

    def _by_passkey(
        self, person: str, account: Account, answer: Mapping[str, Any], site: Site | None
    ) -> asked.Second | None:
        found = self._answered(person, answer)
        if found is None or site is None:
            return None
        challenge, at = found
        for factor, kept in account.factors.items():
            data = self._kept(person, factor) if kept.kind == PASSKEY else None
            if data is None or data["id"] != answer.get("id"):
                continue
            try:
                verify_authentication_response(
                    credential=dict(answer),
                    expected_challenge=challenge,
                    expected_rp_id=site.host,
                    expected_origin=site.origin,
                    credential_public_key=base64url_to_bytes(data["key"]),
                    credential_current_sign_count=0,  # the challenge's time counts instead: each is used once
                )
            except _REFUSED:
                return None
            return asked.Second(factor=factor, step=at)
        return None

    def _passkeys(self, person: str, account: Account) -> list[bytes]:
        found = (self._kept(person, factor) for factor, kept in account.factors.items() if kept.kind == PASSKEY)
        return [base64url_to_bytes(data["id"]) for data in found if data is not None]

    def _step(self, secret: str, code: str) -> int | None:
        digits = code.replace(" ", "")
        now = self._clock.now_ms() // STEP_MS
        app = TOTP(secret)
        for step in range(now - STEPS_AROUND, now + STEPS_AROUND + 1):
            if hmac.compare_digest(app.generate_otp(step).encode(), digits.encode()):
                return step
        return None

    def _challenge(self, person: str) -> bytes:
        # The server remembers no challenge: it knows its own by their code, whichever process made them.
        chance = self._randomness.token(16) + self._clock.now_ms().to_bytes(8, "big")
        return chance + self._code(self._keys().current, person, chance)

    def _answered(self, person: str, answer: Mapping[str, Any]) -> tuple[bytes, int] | None:
        try:
            said = json.loads(base64url_to_bytes(answer["response"]["clientDataJSON"]))
            challenge = base64url_to_bytes(said["challenge"])
        except _REFUSED:
            return None
        chance, code = challenge[:24], challenge[24:]
        keys = self._keys().keys
        is_ours = any(hmac.compare_digest(self._code(key, person, chance), code) for key in keys)
        at = int.from_bytes(chance[16:], "big")
        if len(challenge) != _CHALLENGE_BYTES or not is_ours or not 0 <= self._clock.now_ms() - at <= CHALLENGE_MS:
            return None
        return challenge, at

    def _code(self, key: MasterKey, person: str, chance: bytes) -> bytes:
        return hmac.digest(derived(key.secret, "challenges"), person.encode() + b"\n" + chance, "sha256")[:16]

    def _keep(self, person: str, kind: str, step: int, data: Mapping[str, str]) -> Enrolled:
        factor = self._randomness.token(16).hex()
        self._credentials.keep(factor, self._sealed(json.dumps(data), f"{person} {factor}"))
        return Enrolled(factor, kind, step)

    def _kept(self, person: str, factor: str) -> dict[str, str] | None:
        sealed = self._credentials.verifier(factor)
        opened = self._opened(sealed, f"{person} {factor}") if sealed else None
        return None if opened is None else dict(json.loads(opened))

    def _sealed(self, text: str, whose: str) -> str:
        key, nonce = self._keys().current, self._randomness.token(NONCE_BYTES)
        sealed = AESGCM(derived(key.secret, "second factors")).encrypt(nonce, text.encode(), whose.encode())
        return f"{key.id}:{(nonce + sealed).hex()}"

    def _opened(self, sealed: str, whose: str) -> str | None:
        key_id, _, text = sealed.partition(":")
        try:
            data = bytes.fromhex(text)
            cipher = AESGCM(derived(self._keys().by_id(key_id).secret, "second factors"))
            return cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], whose.encode()).decode()
        except (ValueError, KeysUnusable, InvalidTag):
            return None


# What the library raises for an answer that doesn't fit, including data that isn't an answer at all.
_REFUSED = (WebAuthnException, ValueError, KeyError, TypeError, RecursionError)


def recovery_digest(code: str) -> str:
    """Return the recorded digest of a recovery code; its 80 random bits need no slow hash."""
    plain = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode()
