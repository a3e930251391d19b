"""A changed table or kernel never meets an old compilation."""

from pathlib import Path

import pytest

from pitboss.odds import compiled


def test_the_caches_name_changes_with_what_kernels_rest_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odds").mkdir()
    table = tmp_path / "odds" / "evaluator.npz"
    table.write_bytes(b"one")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    first = compiled.digest.__wrapped__()
    table.write_bytes(b"two")
    assert compiled.digest.__wrapped__() != first


def test_the_cache_belongs_to_the_user_and_can_be_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", "elsewhere")
    assert compiled.cache_folder() == Path("elsewhere")
    monkeypatch.delenv("PITBOSS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "kept")
    monkeypatch.setattr(compiled.sys, "platform", "linux")
    assert compiled.cache_folder() == Path("kept") / "pitboss"
    monkeypatch.setattr(compiled.sys, "platform", "darwin")
    assert compiled.cache_folder().name == "pitboss"
    monkeypatch.setattr(compiled.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "local")
    assert compiled.cache_folder() == Path("local") / "pitboss" / "cache"
