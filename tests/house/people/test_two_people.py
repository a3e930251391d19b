"""What takes two people takes two different people, and the second sees what they confirm."""

from typing import Any

import pytest

from house.people.house import MINUTE, House, founded
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.authorization import Place
from pitboss.house.people.leases import Lease
from pitboss.house.people.two_people import LAPSED, digest_of
from pitboss.table.people import AUTOMATON, Person

CAGE = Person("cass", "cage")
PIT = Person("pat", "pit-manager")
DEALER = Person("dee", "dealer")
SUPERVISOR = Person("automatic supervisor", AUTOMATON)
HOUSE_DEALER = Person("house dealer", AUTOMATON)
BODY = {"entry": 41, "reason": "paid twice"}
DIGEST = digest_of("Correct", BODY)
TABLE = Place(lease=Lease("dee", 3, 10_000_000), token=3, at=1_000_000)


@pytest.fixture
def house() -> House:
    house = founded()
    for person in (CAGE, PIT, DEALER):
        house.add(person.name, person.role, password=None)
    return house


def propose(house: House, by: Person = CAGE, **fields: Any) -> happened.Proposed:
    asking: dict[str, Any] = {"proposal": "p1", "kind": "Correct", "body": BODY, **fields}
    event = house.do(asked.Propose, by=by, **asking)[-1]
    assert isinstance(event, happened.Proposed)
    return event


def test_one_proposes_and_another_confirms(house: House) -> None:
    proposed = propose(house)
    assert (proposed.by, proposed.role, proposed.clause) == ("cass", "cage", "H-12")
    events = house.do(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST)
    assert events == (
        happened.Confirmed(
            proposal="p1", by="pat", role="pit-manager", proposed_by="cass", proposed_as="cage", clause="H-12"
        ),
    )


def test_a_proposal_is_confirmed_once(house: House) -> None:
    propose(house)
    house.do(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST)
    assert house.refused(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST).field == "proposal"


def test_nobody_confirms_their_own_proposal_not_even_in_another_role(house: House) -> None:
    house.add("both", "floorperson", "pit-manager", password=None)
    propose(house, by=Person("both", "pit-manager"))
    for role in ("floorperson", "pit-manager"):
        refusal = house.refused(asked.Confirm, by=Person("both", role), proposal="p1", digest=DIGEST)
        assert refusal.reason.endswith("both can't be both people")
        assert refusal.clause == "H-12"


def test_the_second_person_agrees_to_what_they_read(house: House) -> None:
    propose(house)
    for other in (digest_of("Correct", {**BODY, "entry": 42}), digest_of("Fill", BODY), ""):
        assert house.refused(asked.Confirm, by=PIT, proposal="p1", digest=other).field == "digest"


def test_a_second_person_of_the_wrong_role_is_refused(house: House) -> None:
    propose(house)
    refusal = house.refused(asked.Confirm, by=DEALER, proposal="p1", digest=DIGEST, place=TABLE)
    assert "The role dealer can't do this" in refusal.reason


def test_somebody_who_may_be_neither_of_the_two_proposes_nothing(house: House) -> None:
    assert house.refused(asked.Propose, by=DEALER, proposal="p", kind="Correct", body=BODY).clause == "H-12"
    assert house.refused(asked.Propose, by=PIT, proposal="p", kind="OrderRecut", body={}).field == "kind"
    assert house.refused(asked.Propose, by=PIT, proposal="p", kind="EmptyTheCage", body={}).field == "kind"


def test_a_proposer_who_was_locked_out_cannot_be_confirmed(house: House) -> None:
    propose(house)
    house.do(asked.RevokePerson, person="cass", reason="left")
    assert str(house.refused(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST)) == "cass is revoked (H-17)"


def test_a_proposer_who_has_lost_the_role_cannot_be_confirmed(house: House) -> None:
    propose(house)
    house.do(asked.ChangeRoles, person="cass", roles=("player",))
    assert (
        house.refused(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST).reason == "cass doesn't have the role cage"
    )


def test_a_proposal_expires(house: House) -> None:
    propose(house)
    house.clock.now += 10 * MINUTE
    assert "expired" in house.refused(asked.Confirm, by=PIT, proposal="p1", digest=DIGEST).reason
    events = house.do(asked.Propose, by=CAGE, proposal="p2", kind="Correct", body=BODY)
    assert events[0] == happened.Declined(proposal="p1", by="front door", reason=LAPSED, clause="H-12")
    assert house.people.proposals.keys() == {"p2"}


def test_a_proposal_may_be_declined_by_the_other_and_withdrawn_by_its_own(house: House) -> None:
    propose(house)
    assert house.refused(asked.Decline, by=DEALER, proposal="p1", reason="no").clause == "H-12"
    house.do(asked.Decline, by=PIT, proposal="p1", reason="the entry is right")
    propose(house)
    house.do(asked.Decline, by=CAGE, proposal="p1", reason="a slip")
    assert house.refused(asked.Decline, by=CAGE, proposal="p1", reason="a slip").field == "proposal"


def test_a_name_of_a_proposal_that_waits_is_not_given_again(house: House) -> None:
    propose(house)
    assert house.refused(asked.Propose, by=PIT, proposal="p1", kind="Correct", body={}).field == "proposal"


def test_nobody_has_more_than_twenty_requests_waiting(house: House) -> None:
    for number in range(20):
        propose(house, proposal=f"p{number}", body={"entry": number, "reason": "paid twice"})
    further = {"kind": "Correct", "body": {"entry": 20, "reason": "paid twice"}}
    assert house.refused(asked.Propose, by=CAGE, proposal="p20", **further).field == "proposal"
    propose(house, by=PIT, proposal="p21")
    house.do(asked.Decline, by=CAGE, proposal="p3", reason="a mistake")
    propose(house, proposal="p20", body=further["body"])


def test_the_dealer_may_claim_and_the_floor_validate(house: House) -> None:
    proposed = propose(house, by=DEALER, kind="ValidateMeter", body={"seat": 2}, place=TABLE)
    assert proposed.clause == "H-14"
    digest = digest_of("ValidateMeter", {"seat": 2})
    house.do(asked.Confirm, by=PIT, proposal="p1", digest=digest, place=TABLE)


def test_a_dealer_who_was_relieved_since_claims_nothing(house: House) -> None:
    propose(house, by=DEALER, kind="ValidateMeter", body={"seat": 2}, place=TABLE)
    relieved = Place(lease=Lease("other", 4, 10_000_000), token=4, at=1_000_000)
    digest = digest_of("ValidateMeter", {"seat": 2})
    assert house.refused(asked.Confirm, by=PIT, proposal="p1", digest=digest, place=relieved).clause is not None


def test_a_dealer_who_was_relieved_since_may_still_withdraw_the_claim(house: House) -> None:
    propose(house, by=DEALER, kind="ValidateMeter", body={"seat": 2}, place=TABLE)
    house.do(asked.Decline, by=DEALER, proposal="p1", reason="a slip")


def test_an_automatic_supervisor_stands_in_at_a_free_play_table_and_the_record_says_so(house: House) -> None:
    free = Place(is_self_dealing=True)
    propose(house, by=HOUSE_DEALER, kind="VoidRound", body={"round": "r"}, place=free)
    digest = digest_of("VoidRound", {"round": "r"})
    same = house.refused(asked.Confirm, by=HOUSE_DEALER, proposal="p1", digest=digest, place=free)
    assert same.reason.endswith("house dealer can't be both people")
    (confirmed,) = house.do(asked.Confirm, by=SUPERVISOR, proposal="p1", digest=digest, place=free)
    assert isinstance(confirmed, happened.Confirmed)
    assert (confirmed.role, confirmed.proposed_as) == (AUTOMATON, AUTOMATON)


def test_an_automatic_supervisor_stands_in_nowhere_else(house: House) -> None:
    propose(house, by=PIT, kind="VoidRound", body={"round": "r"}, place=TABLE)
    digest = digest_of("VoidRound", {"round": "r"})
    refusal = house.refused(asked.Confirm, by=SUPERVISOR, proposal="p1", digest=digest, place=TABLE)
    assert "can act only at an automatic free-play table" in refusal.reason
