"""The OpenAPI schema, and requests it allows or forbids: none is answered with a 500."""

import os
import re
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation import GenerationMode

from pitboss.house.live_table.commands import KINDS
from pitboss.server.session_cookie import COOKIE
from server.running import Client, Running

KINDS_OF_THE_FIRST_RELEASE = """
    Act ActForAbsent ActivateSubmission BeginRound BuyIn CashOut ChangeDealing CloseBets CloseTable Confirm ConfirmDuty
    Correct CorrectRead CountDeck CountInventory CountStub Credit CutDeck DealCards Decline DirectShuffle EndRound
    FailDevice Fill FindMisdeal JamDevice LeaveSeat LoadDeck OpenTable OrderRecut PlaceWagers RackStub ReadCard
    ReadDeviceCount ReceiveDeck ReleaseLease RemoveDeck RenewLease ReportDispute ReportIrregularity ResolveDispute
    ReturnDevice Settle ShuffleDeck SpreadIdle TakeLease TakeOutDevice TakeSeat Tip TurnCards ValidateMeter
    ValidatePayout WithdrawLease WithdrawWagers
"""

pytestmark = [pytest.mark.xdist_group("server"), pytest.mark.slow]
NAMES = ("alice", "olga", "aud")
EXAMPLES = int(os.environ.get("PITBOSS_REQUESTS", "6"))  # of each operation; `make requests` sends many more


@pytest.fixture(scope="module")
def described(running: Running, people: dict[str, Client]) -> Any:
    cookies = [people[name].http.cookies[COOKIE] for name in NAMES]
    return running.app, Client(running, None).http, cookies


def test_the_description_names_what_is_served(people: dict[str, Client]) -> None:
    served = people["alice"].http.get("/api/openapi.json").json()
    assert {"/api/tables/{table}/commands", "/api/office/commands", "/api/sign-in", "/ready"} <= set(served["paths"])
    for path, methods in served["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path} says nothing"
    command = served["components"]["schemas"]["Command"]["properties"]
    assert command["body"]["examples"]
    assert command["id"]["examples"]


def test_no_request_the_description_allows_or_forbids_is_a_fault(described: Any) -> None:
    app, client, cookies = described
    schema = schemathesis.openapi.from_dict(app.openapi())
    tried = 0
    statuses: set[int] = set()

    for operation in schema.get_all_operations():
        described_one = operation.ok()
        allowed = described_one.as_strategy(generation_mode=GenerationMode.POSITIVE)
        forbidden = described_one.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        strategy = allowed | forbidden

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def check(case: Any) -> None:
            nonlocal tried
            tried += 1
            kwargs = case.as_transport_kwargs()
            if isinstance(kwargs.get("data"), bytes | str):
                kwargs["content"] = kwargs["data"]
            kwargs["headers"] = {**dict(kwargs.get("headers") or {})}
            if case.path != "/api/sign-out":
                kwargs["headers"]["cookie"] = f"{COOKIE}={cookies[tried % len(cookies)]}"
            kwargs = {
                name: kwargs[name]
                for name in ("method", "url", "headers", "params", "json", "content")
                if name in kwargs
            }
            answer = client.request(**kwargs, follow_redirects=False)
            statuses.add(answer.status_code)
            assert answer.status_code < 500, (case.method, case.path, answer.text)

        check()
    assert tried > 200
    assert {200, 401, 404, 409, 422} <= statuses
    assert client.get("/ready").status_code == 200


def test_the_page_runs_no_script_but_its_own_files(described: Any) -> None:
    _, client, _ = described
    page = client.get("/")
    assert page.status_code == 200
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page.text, re.DOTALL)
    assert scripts
    assert all(' src="/assets/' in attributes and not inside for attributes, inside in scripts)
    assert "script-src" not in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]


def test_no_path_leads_into_the_data_folder(described: Any) -> None:
    _, client, _ = described
    for path in ("/api/tables/..%2f..%2fkeys", "/links/..%2fkeys", "/keys/master.keys"):
        assert client.get(path).status_code in (401, 404)


def test_no_command_kind_disappears_from_the_wire() -> None:
    assert set(KINDS) >= set(KINDS_OF_THE_FIRST_RELEASE.split())
