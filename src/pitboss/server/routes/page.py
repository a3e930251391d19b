"""The built page: its files as the build left them, and its first file for every address of its own."""

import os
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

router = APIRouter(include_in_schema=False)
ELSEWHERE = "PITBOSS_PAGE"  # a folder with a page that was built apart from the package
# The addresses whose first part the page knows; everything else is not found.
ADDRESSES = ("tables", "practice", "lab", "dealer", "floor", "audit", "submissions", "sign-in", "history", "password")
FOR_EVER, EACH_TIME = "public, max-age=31536000, immutable", "no-cache"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
NOT_BUILT = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Pitboss</title><h1>Pitboss</h1>"
    "<p>The page was not built with this installation; install the package again without PITBOSS_SKIP_PAGE.</p></html>"
)


def folder() -> Path:
    """Return where the built page lies."""
    elsewhere = os.environ.get(ELSEWHERE)
    return Path(elsewhere) if elsewhere else Path(__file__).parents[1] / "page"


@router.get("/")
async def first(request: Request) -> Response:
    """Send the page."""
    return _sent(request, "index.html", EACH_TIME)


@router.get("/icon.svg")
async def icon(request: Request) -> Response:
    """Send the page's icon."""
    return _sent(request, "icon.svg", EACH_TIME)


@router.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    """Send a part of the page; its name says which version it is."""
    return _sent(request, f"assets/{name}", FOR_EVER)


@router.get("/{address:path}")
async def somewhere(request: Request, address: str) -> Response:
    """Send the page for an address that it knows."""
    if address.partition("/")[0] not in ADDRESSES:
        raise HTTPException(404, "There is nothing at this address")
    return _sent(request, "index.html", EACH_TIME)


def _sent(request: Request, name: str, cached: str) -> Response:
    files = _files(folder())
    if name not in files:
        if name == "index.html":
            return HTMLResponse(NOT_BUILT)
        raise HTTPException(404, "There is nothing at this address")
    headers = {"cache-control": cached, "vary": "accept-encoding"}
    kind = TYPES.get(Path(name).suffix, "application/octet-stream")
    small = f"{name}.gz"
    if small in files and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(files[small].read_bytes(), media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(files[name].read_bytes(), media_type=kind, headers=headers)


@cache
def _files(built: Path) -> dict[str, Path]:
    # Only what is listed is sent: no name that a request makes up reaches the disk.
    return {path.relative_to(built).as_posix(): path for path in built.rglob("*") if path.is_file()}
