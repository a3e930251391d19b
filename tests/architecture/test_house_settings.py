"""Every house setting does something: a setting that only waits to be read misleads whoever sets it."""

import re
from dataclasses import fields
from pathlib import Path

import pitboss
from pitboss.house.controls import house_settings
from pitboss.house.controls.house_settings import HouseSettings

SOURCE = Path(pitboss.__file__).parent


def test_every_house_setting_is_read_by_the_program() -> None:
    checked = Path(house_settings.__file__)
    text = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path != checked)
    unread = [field.name for field in fields(HouseSettings) if not re.search(rf"settings\.{field.name}\b", text)]
    assert not unread
