"""`pitboss serve` and `pitboss demo`: a floor that stays open until Ctrl-C."""

import contextlib
import errno
import logging
import os
import shutil
import signal
import socket
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pitboss.cli.games import tell_unsound
from pitboss.cli.output import Failure

DEMO_BOTS = 2
DEMO_IDLE_MINUTES = 12 * 60  # a person trying it out may go for lunch
# The README, CONTRIBUTING and the documentation's first page say the same.
FIRST_STEPS = (
    "Open the player's link, choose Sit down at a table, click a chip and a betting area, then Bet. The house deals, "
    "and Why? explains each line of the settlement."
)
TOKEN_LETTERS_LEAST = 16
EVERYWHERE = ("0.0.0.0", "::", "")


def data_folder(name: str) -> Path:
    """Return the user's folder for this program's data."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "pitboss" / name


def serve_command(
    data: Path | None,
    host: str,
    port: int,
    origins: list[str],
    *,
    database: str | None = None,
    keys: Path | None = None,
    address: str | None = None,
    signer: str | None = None,
    proxies: list[str] | None = None,
    administrator: str = "",
    metrics_token: Path | None = None,
    requires_readers: bool = True,
    shares_rounds: bool = False,
    allows_reactions: bool = True,
) -> int:
    """Open the floor of a data folder."""
    kept: dict[str, Any] = {
        "database": database,
        "keys": keys,
        "signer": signer,
        "metrics_token": _secret(metrics_token),
    }
    kept |= {"requires_readers": requires_readers}
    kept |= {"shares_rounds": shares_rounds, "allows_reactions": allows_reactions}
    named = frozenset(map(_address, proxies or ()))
    folder = data or data_folder("floor")
    return _open(folder, kept, host, port, origins, address=address, proxies=named, founder=administrator)


def demo_command(data: Path | None, host: str, port: int, *, fresh: bool) -> int:
    """Open a free-play floor."""
    folder = data or data_folder("demo")
    if fresh:
        _forget(folder)
    return _open(folder, {"shares_rounds": True}, host, port, [], demo=True)


def _forget(folder: Path) -> None:
    # Only files that a floor writes: other files in a folder named by mistake are kept.
    try:
        for name in ("record.db", "record.db-wal", "record.db-shm", "floor.lock"):
            (folder / name).unlink(missing_ok=True)
        for name in ("keys", "heads"):
            shutil.rmtree(folder / name, ignore_errors=True)
    except OSError as fault:
        raise Failure(f"{folder} cannot be emptied: {fault.strerror or fault}.") from None


def _open(
    folder: Path,
    kept: dict[str, Any],
    host: str,
    port: int,
    origins: list[str],
    *,
    address: str | None = None,
    proxies: frozenset[str] = frozenset(),
    founder: str = "",
    demo: bool = False,
) -> int:
    if hasattr(signal, "SIGPIPE"):
        # Unlike a filter: a visitor who hangs up while something is written to them must not end the floor.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    tell_unsound()
    os.umask(0o077)  # the record, the keys and the heads are for the person who runs the floor
    listening = _listening(host, port)
    reached_at = address or _reached_at(host, listening.getsockname()[1])
    shown = f"http://{host}:{listening.getsockname()[1]}"
    from pitboss.house.people.decide import SignInRules
    from pitboss.record.keys import KeysUnusable
    from pitboss.record.store import StoreFault
    from pitboss.server import interpreter
    from pitboss.server.app import make_app
    from pitboss.server.demonstration import OTHER_ROLES, open_demo
    from pitboss.server.logs import start_logging
    from pitboss.server.open_floor import FloorSettings, FloorUnusable, OpenFloor
    from pitboss.server.web_server import WebServer

    async def opening(floor: OpenFloor) -> None:
        if demo:
            links = await open_demo(floor, DEMO_BOTS)
            print(f"A free-play floor is open at {shown}. Press Ctrl-C to close it.")
            print("\nSign-in links; each keeps working on the machine that opens it first:")
            for role, token in links.items():
                if role == OTHER_ROLES[0]:
                    print("\nOther roles:")
                print(f"  {role:<13} {shown}/links/{token}")
            print(f"\n{FIRST_STEPS}")
        else:
            print(f"The floor is open at {shown}. Press Ctrl-C to close it.")
            _tell_alterations(floor)
            if not floor.office.people.administrators and await floor.is_first_to("found"):
                await _found(floor, shown, founder)
        sys.stdout.flush()
        interpreter.settle()

    allowed = frozenset({shown, shown.replace("127.0.0.1", "localhost"), *origins})
    rules = SignInRules(idle_minutes=DEMO_IDLE_MINUTES, reusable_links=True) if demo else SignInRules()
    start_logging(logging.ERROR if demo else logging.INFO)
    try:
        settings = FloorSettings(folder, rules=rules, address=reached_at.rstrip("/"), admits_guests=demo, **kept)
        app = make_app(settings, allowed, opening)
        server = WebServer(app, proxies=proxies)
        # Errors that keep the floor from opening are reported below in a sentence, not by the web server.
        logging.getLogger("uvicorn.error").addFilter(lambda record: app.state.failed is None)
        with contextlib.suppress(SystemExit):
            server.run(sockets=[listening])
        if app.state.failed is not None:
            raise app.state.failed
        if app.state.floor.is_broken:
            raise Failure(
                "The record's database failed. Everything confirmed before that is saved. "
                "Check the database and start again."
            )
    except (FloorUnusable, StoreFault, KeysUnusable) as fault:
        raise Failure(str(fault)) from None
    except KeyboardInterrupt:
        return 0
    finally:
        listening.close()
    return 0


def _tell_alterations(floor: Any) -> None:
    # The floor opens whatever was altered; the streams concerned take nothing, and each finding is an alert.
    found = floor.store.alterations.all()
    if found:
        print("The record differs from what this floor wrote and signed:")
        for says in found:
            print(f"  {says}")


async def _found(floor: Any, shown: str, chosen: str) -> None:
    from pitboss.server.founding import founder_of, link_for_founder
    from pitboss.server.open_floor import FloorUnusable

    # A floor opens whatever has happened to its first administrator.
    name = founder_of(floor, chosen)
    try:
        token = await link_for_founder(floor, name)
    except FloorUnusable as fault:
        print(
            f"It has no active administrator: {fault} Choose a name with --administrator or use `pitboss people reset`."
        )
        return
    print(f"It has no administrator yet. One-time sign-in link for {name}: {shown}/links/{token}")


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise Failure(f"--proxy takes the IP address of a proxy, not {text!r}.", 2) from None


def _secret(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        secret = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as fault:
        raise Failure(f"{path} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
    if len(secret) < TOKEN_LETTERS_LEAST:
        raise Failure(f"The token in {path} must have at least {TOKEN_LETTERS_LEAST} characters.")
    return secret


def _reached_at(host: str, port: int) -> str:
    name = socket.gethostname() if host in EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _listening(host: str, port: int) -> socket.socket:
    try:
        return without_delay(socket.create_server((host, port)))
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise Failure(f"Port {port} is in use by another program. Choose another port with --port.") from None
        raise Failure(
            f"Pitboss cannot listen on {host}:{port}: {fault.strerror or fault}. Choose another --host or --port."
        ) from None
    except OverflowError:
        raise Failure("--port must be a number from 0 to 65535.", 2) from None


def without_delay(listening: socket.socket) -> socket.socket:
    """Set TCP_NODELAY on every connection, which asyncio doesn't do for sockets created elsewhere."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
