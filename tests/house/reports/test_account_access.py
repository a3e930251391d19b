"""Whoever could sign in as somebody else is named in an alert, which the account's owner can't put away."""

from typing import Any

import pytest

from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.people.commands import KEY_HOLDER
from pitboss.house.reports.alerts import ACCOUNT, Alerts
from pitboss.record.entries import Circumstances, Draft, Head, chain
from pitboss.rules.refusal import Refusal


def raised(kind: str, body: dict[str, Any], by: tuple[str, str] = ("adam", "administrator")) -> Alerts:
    def unread(document: Any) -> TableTerms:
        raise AssertionError("no table is read")

    alerts = Alerts(unread)
    drafts = [Draft("people", f"people.{kind}", body, "H-17")]
    for entry in chain(Head(), drafts, Circumstances(*by, "id", 5)):
        alerts.add(entry)
    return alerts


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("PersonAdded", {"person": "flo", "roles": ["floorperson"]}, "adam added flo as floorperson"),
        (
            "RolesChanged",
            {"person": "flo", "roles": ["pit-manager"], "before": ["dealer"]},
            "adam made flo pit-manager instead of dealer",
        ),
        ("PasswordSet", {"person": "flo", "credential": "c", "replaced": None}, "adam set the password of flo"),
        ("LinkIssued", {"person": "flo", "digest": "d", "until": 9}, "adam made a sign-in link for flo"),
        ("AccountReset", {"person": "flo", "replaced": None}, "adam reset the account of flo"),
        ("PersonLocked", {"person": "flo", "cause": "order", "reason": "on leave"}, "adam locked flo: on leave"),
        ("PersonRevoked", {"person": "flo", "reason": "left"}, "adam revoked flo: left"),
    ],
)
def test_access_to_anothers_account_is_an_alert_that_its_owner_cannot_put_away(
    kind: str, body: dict[str, Any], says: str
) -> None:
    alerts = raised(kind, body)
    [alert] = alerts.held(9)
    assert (alert.kind, alert.says) == (ACCOUNT, says)
    assert isinstance(alerts.acknowledge(alert.id, "fine", 9, "flo"), Refusal)
    assert isinstance(alerts.acknowledge(alert.id, "asked her", 9, "pit"), Draft)


def test_the_holder_of_the_keys_is_named_and_what_concerns_nobody_else_is_no_alert() -> None:
    holder = (KEY_HOLDER.name, KEY_HOLDER.role)
    for kind, body in (
        ("PersonUnlocked", {"person": "ada"}),
        ("LinkIssued", {"person": "ada", "digest": "d", "until": 9}),
    ):
        [alert] = raised(kind, body, holder).held(9)
        assert alert.says.startswith("the holder of the keys ")
    own = {"person": "adam", "credential": "c", "replaced": None}
    assert not raised("PasswordSet", own).held(9)
    door = ("the sign-in door", "automaton")
    assert not raised("PersonLocked", {"person": "flo", "cause": "failures", "reason": ""}, door).held(9)
    assert not raised("PersonAdded", {"person": "pat", "roles": ["player"]}).held(9)
    assert not raised("PersonAdded", {"person": "ada", "roles": ["administrator"]}, ("supervisor x", "automaton")).held(
        9
    )
