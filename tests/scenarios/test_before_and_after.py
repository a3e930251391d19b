"""Every significant change of a value has the value before and after it: settings, limits, roles, rules and factors."""

import json
from collections.abc import Callable
from typing import Any

from scenarios.floor import ScenarioFloor, ScenarioTable, unique

NewTable = Callable[..., ScenarioTable]
GAME = "top-five-poker"


def newest(floor: ScenarioFloor, kind: str, **asked: str) -> dict[str, Any]:
    """Return what the newest significant event of a kind says."""
    lines = floor.people["sue"].http.get("/api/reports/significant", params={"kind": kind, **asked}).json()["lines"]
    said: dict[str, Any] = json.loads(lines[0]["says"])
    return said


def test_house_settings(floor: ScenarioFloor) -> None:
    facility = unique("facility")
    now = {"facility": facility, "comp_percent": 15}
    floor.both_at_office("olga", "otto", {"kind": "ChangeHouseSettings", "settings": now})
    floor.both_at_office("olga", "otto", {"kind": "ChangeHouseSettings", "settings": {**now, "comp_percent": 20}})
    said = newest(floor, "SettingsChanged")
    assert (said["settings"], said["before"]) == ({"comp_percent": 20}, {"comp_percent": 15}), "only what changed"
    assert {said["by"], said["second"]} == {"olga", "otto"}


def test_limits_roles_and_rules(new_table: NewTable, floor: ScenarioFloor) -> None:
    table = new_table(GAME).open(players=())
    minimum = table.document["table"]["minimum"]
    table.both("flo", "fred", "ChangeLimits", limits={"ante": [minimum * 2, minimum * 10]})
    first = newest(floor, "LimitsChanged", table=table.table)
    assert first["before"]["ante"][0] == minimum, "the first change says what was submitted"
    table.both("flo", "fred", "ChangeLimits", limits={"ante": [minimum * 3, minimum * 10]})
    said = newest(floor, "LimitsChanged", table=table.table)
    assert (said["before"]["ante"][0], said["limits"]["ante"][0]) == (minimum * 2, minimum * 3)
    person = unique("person")
    floor.office("adam", {"kind": "AddPerson", "person": person, "roles": ["dealer"]})
    floor.office("adam", {"kind": "ChangeRoles", "person": person, "roles": ["floorperson"]})
    said = newest(floor, "RolesChanged", person=person)
    assert (said["before"], said["roles"]) == (["dealer"], ["floorperson"])
    activated = newest(floor, "SubmissionActivated", table=table.table)
    assert activated["before"] == ""
    table.both("olga", "pit", "ActivateSubmission", document=table.document)
    again = newest(floor, "SubmissionActivated", table=table.table)
    assert again["before"] == again["version"] == activated["version"]


def test_roles_that_take_a_second_factor(floor: ScenarioFloor) -> None:
    floor.both_at_office("adam", "ann", {"kind": "DemandSecondFactor", "roles": ["regulator"]})
    floor.both_at_office("ann", "adam", {"kind": "DemandSecondFactor", "roles": []})
    said = newest(floor, "SecondFactorDemanded")
    assert (said["before"], said["roles"]) == (["regulator"], [])
