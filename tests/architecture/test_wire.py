"""The page's types of the wire are those of the server as it is."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_description_beside_the_page_is_the_servers_own() -> None:
    wire = _loaded(ROOT / "web" / "wire.py")
    assert wire.description() == (ROOT / "web" / "wire.json").read_text("utf-8"), "run `make wire`"


def test_the_types_are_generated_from_that_description(tmp_path: Path) -> None:
    build = _loaded(ROOT / "hatch_build.py")
    build.install()
    build.npm("exec", "--", "openapi-typescript", "wire.json", "-o", str(tmp_path / "schema.d.ts"), "--alphabetize")
    kept = (ROOT / "web" / "src" / "wire" / "schema.d.ts").read_text("utf-8")
    assert (tmp_path / "schema.d.ts").read_text("utf-8") == kept, "run `make wire`"
