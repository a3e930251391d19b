"""Serves the built page: its files, and its index file for every address the page handles."""

import os
from functools import cache
from importlib import resources
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

router = APIRouter(include_in_schema=False)
ELSEWHERE = "PITBOSS_PAGE"  # a folder with a page built separately from the package
# The first path segments that the page handles; everything else is not found.
ADDRESSES = (
    "tables",
    "practice",
    "lab",
    "dealer",
    "floor",
    "audit",
    "submissions",
    "sign-in",
    "history",
    "rounds",
    "password",
)
FOR_PROGRAMS = ("api", "assets")
FILES = (
    "font-licenses.txt",
    "icon.svg",
    "icon-maskable.svg",
    "manifest.webmanifest",
    "offline.html",
    "offline.css",
    "worker.js",
)
FOR_EVER, EACH_TIME = "public, max-age=31536000, immutable", "no-cache"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".txt": "text/plain",
}
TYPES |= {".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
NOT_BUILT = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Pitboss</title><h1>Pitboss</h1>"
    "<p>This installation doesn't include the page. Reinstall the package without PITBOSS_SKIP_PAGE.</p></html>"
)


def folder() -> Path:
    """Return the folder of the built page."""
    elsewhere = os.environ.get(ELSEWHERE)
    return Path(elsewhere) if elsewhere else Path(__file__).parents[1] / "page"


@router.get("/")
async def first(request: Request) -> Response:
    """Send the page."""
    return _sent(request, "index.html", EACH_TIME)


@router.get("/verify.html")
async def checker() -> Response:
    """Send the page that checks receipts, to be saved: it is the verifier's own and runs from the player's disk."""
    page = resources.files("pitboss_verify").joinpath("verify.html").read_bytes()
    headers = {"cache-control": EACH_TIME, "content-disposition": 'attachment; filename="verify.html"'}
    return Response(page, media_type=TYPES[".html"], headers=headers)


@router.get("/{name}", name="file")
async def file(request: Request, name: str) -> Response:
    """Send a file that has no version in its name: an icon, the manifest, the offline page."""
    if name not in FILES:
        return await somewhere(request, name)
    return _sent(request, name, EACH_TIME)


@router.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    """Send a versioned asset of the page."""
    return _sent(request, f"assets/{name}", FOR_EVER)


@router.get("/{address:path}")
async def somewhere(request: Request, address: str) -> Response:
    """Send the page for an address that it handles."""
    first_part = address.partition("/")[0]
    if first_part in ADDRESSES:
        return _sent(request, "index.html", EACH_TIME)
    if first_part in FOR_PROGRAMS or "text/html" not in request.headers.get("accept", ""):
        raise HTTPException(404, "There is nothing at this address")
    return _sent(request, "index.html", EACH_TIME, 404)  # the page says so, with a way back


def _sent(request: Request, name: str, cached: str, status: int = 200) -> Response:
    files = _files(folder())
    if name not in files:
        if name == "index.html":
            return HTMLResponse(NOT_BUILT)
        raise HTTPException(404, "There is nothing at this address")
    headers = {"cache-control": cached, "vary": "accept-encoding"}
    kind = TYPES.get(Path(name).suffix, "application/octet-stream")
    small = f"{name}.gz"
    if small in files and "gzip" in request.headers.get("accept-encoding", ""):
        compressed = {**headers, "content-encoding": "gzip"}
        return Response(files[small].read_bytes(), status, media_type=kind, headers=compressed)
    return Response(files[name].read_bytes(), status, media_type=kind, headers=headers)


@cache
def _files(built: Path) -> dict[str, Path]:
    # Only listed files are sent: no name made up by a request reaches the disk.
    return {path.relative_to(built).as_posix(): path for path in built.rglob("*") if path.is_file()}
