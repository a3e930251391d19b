"""The page's wire types match the server."""

from pathlib import Path

from architecture.tree import ROOT, loaded


def test_the_openapi_description_next_to_the_page_is_the_servers_own() -> None:
    wire = loaded(ROOT / "web" / "wire.py")
    assert wire.description() == (ROOT / "web" / "wire.json").read_text("utf-8"), "run `make wire`"


def test_the_types_are_generated_from_that_description(tmp_path: Path) -> None:
    build = loaded(ROOT / "hatch_build.py")
    build.install()
    build.npm("exec", "--", "openapi-typescript", "wire.json", "-o", str(tmp_path / "schema.d.ts"), "--alphabetize")
    kept = (ROOT / "web" / "src" / "wire" / "schema.d.ts").read_text("utf-8")
    assert (tmp_path / "schema.d.ts").read_text("utf-8") == kept, "run `make wire`"
