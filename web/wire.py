"""Writes the wire types: the server's OpenAPI description, and the TypeScript types generated from it."""

import importlib.util
import json
import tempfile
from pathlib import Path

WEB = Path(__file__).parent


def description() -> str:
    """Return the server's OpenAPI description."""
    from pitboss.server.app import make_app
    from pitboss.server.open_floor import FloorSettings

    with tempfile.TemporaryDirectory() as folder:
        app = make_app(FloorSettings(Path(folder)), frozenset())
        described = json.dumps(app.openapi(), indent=1, sort_keys=True, ensure_ascii=False)
        app.state.floor.close()
    return described + "\n"


def main() -> None:
    """Write the description next to the page and generate its types."""
    (WEB / "wire.json").write_text(description(), "utf-8")
    spec = importlib.util.spec_from_file_location("hatch_build", WEB.parent / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    build.install()
    build.npm("run", "wire")


if __name__ == "__main__":
    main()
