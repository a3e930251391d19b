"""Passwords are never shown, are stored as argon2id verifiers, and aren't too easy."""

import pickle
import traceback

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from house.people.house import RIGHT, WRONG, SeededBytes, founded
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.passwords import Password
from pitboss.record.entries import canonical
from pitboss.rules.plain import plain


def cheap(passes: int = 1) -> ArgonHasher:
    return ArgonHasher(SeededBytes(), passes=passes, memory_kib=8, lanes=1)


def test_a_verifier_matches_only_its_password() -> None:
    hasher = cheap()
    verifier = hasher.verifier(Password(RIGHT))
    assert verifier.startswith("$argon2id$")
    assert RIGHT not in verifier
    assert hasher.fits(Password(RIGHT), verifier)
    assert not hasher.fits(Password(WRONG), verifier)


def test_two_verifiers_of_one_password_differ() -> None:
    hasher = cheap()
    assert hasher.verifier(Password(RIGHT)) != hasher.verifier(Password(RIGHT))


def test_a_damaged_verifier_matches_no_password() -> None:
    assert not cheap().fits(Password(RIGHT), "not a verifier")


def test_the_house_hashes_as_strongly_as_recommended() -> None:
    verifier = ArgonHasher(SeededBytes()).verifier(Password(RIGHT))
    assert verifier.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_a_decoy_is_made_without_hashing_and_is_checked_like_any_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    hasher = cheap()
    real = hasher.verifier(Password(RIGHT))
    decoy = hasher.decoy()
    assert [len(part) for part in decoy.split("$")] == [len(part) for part in real.split("$")]
    assert decoy.split("$")[:4] == real.split("$")[:4]
    assert not hasher.is_outdated(decoy)
    assert hasher.decoy() != decoy
    verified: list[str] = []
    verify = PasswordHasher.verify

    def noted(argon: PasswordHasher, kept: str, password: str) -> bool:
        try:
            return verify(argon, kept, password)
        except VerifyMismatchError:
            verified.append(kept)  # hashed to the end; a string that isn't a verifier is an InvalidHashError
            raise

    monkeypatch.setattr(PasswordHasher, "verify", noted)
    assert not hasher.fits(Password(RIGHT), decoy)
    assert verified == [decoy]


def test_the_same_letters_typed_in_another_way_are_the_same_password() -> None:
    hasher = cheap()
    assert hasher.fits(Password("cafe\u0301 on the quay"), hasher.verifier(Password("caf\u00e9 on the quay")))


def test_an_outdated_verifier_is_renewed_when_its_person_signs_in() -> None:
    house = founded()
    house.add("bo", "player")
    credential = house.people.accounts["bo"].credential
    assert credential is not None
    old = cheap(passes=2).verifier(Password(RIGHT))
    house.credentials.keep(credential, old)
    house.sign_in("bo", WRONG)
    assert house.credentials.verifier(credential) == old
    house.admitted("bo")
    renewed = house.credentials.verifier(credential)
    assert renewed is not None
    assert not house.hasher.is_outdated(renewed)


def test_a_password_is_shown_by_nothing() -> None:
    password = Password(RIGHT)
    assert RIGHT not in f"{password!r} {password} {[password]}"
    with pytest.raises(TypeError):
        pickle.dumps(password)
    try:
        raise ValueError(password)
    except ValueError:
        assert RIGHT not in traceback.format_exc().replace("RIGHT", "")


def test_nothing_that_is_recorded_or_printed_holds_a_secret() -> None:
    house = founded()
    bo = house.add("bo", "player")
    credential = house.people.accounts["bo"].credential
    assert credential is not None
    verifier = house.credentials.verifier(credential)
    assert verifier is not None
    attempt = house.door.attempt(house.people, "bo", Password(RIGHT))
    link = house.door.new_link(bo, "bo")
    admitted = house.admitted("bo")
    shown = canonical([plain(event) for event in house.events]) + repr(
        [house.events, house.people, house.table, house.credentials, attempt, link, admitted, *house.table.all()]
    )
    for secret in (RIGHT, verifier, attempt.token, link.token, admitted.token):
        assert secret not in shown


@pytest.mark.parametrize(
    "text",
    ["", "short", "elevenchars", "x" * 257, "aaaaaaaaaaaa", "abcdabcdabcd", "boris-boris-boris", "I am BORIS!!!!"],
)
def test_an_easy_password_is_refused(text: str) -> None:
    refusal = Password(text).check("boris")
    assert refusal is not None
    assert refusal.field == "password"


def test_an_easy_password_is_not_kept() -> None:
    house = founded()
    bo = house.add("bo", "player")
    assert not hasattr(house.door.new_password(bo, "bo", Password("easy")), "credential")
    assert not hasattr(house.door.new_own_password(house.people, bo, Password(RIGHT), Password("easy")), "credential")


@pytest.mark.parametrize("text", [RIGHT, "morgen kommt", "x9!Lq2#mVt0Z", "pässwörter gehören gesalzen"])
def test_a_password_with_some_length_is_taken(text: str) -> None:
    assert Password(text).check("boris") is None
