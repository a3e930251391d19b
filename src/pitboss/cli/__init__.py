"""The command line; a command imports heavy modules only when it needs them."""

import gc
import os
import re
import signal
import sys
from typing import Any

from pitboss.cli.output import Failure

# Importing makes many thousand objects that live as long as the process; collecting garbage among them took a fifth of
# the time that a floor needs to start.
YOUNG_MOST = 50_000
INVALID_INTEGER = re.compile(r"Invalid value for '([^']+)': .*\binteger\b.*")


def main() -> None:
    """Run the command line and exit with its status: 0 success, 1 a refusal, 2 incorrect usage."""
    if hasattr(signal, "SIGPIPE"):
        # Like any filter, exit quietly when the reader of our output stops reading.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    gc.set_threshold(YOUNG_MOST, *gc.get_threshold()[1:])
    sys.exit(_run())


def _run() -> int:
    import typer

    from pitboss.cli.app import app

    try:
        return app(prog_name="pitboss", standalone_mode=False) or 0
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.status
    except (KeyboardInterrupt, typer.Abort):
        print("Stopped.", file=sys.stderr)
        return 130
    except Exception as bug:
        if hasattr(bug, "format_message"):  # the parser's own message for a call it can't parse
            print(_usage(bug), file=sys.stderr)
            return 2
        if os.environ.get("PITBOSS_DEBUG"):
            raise
        kind = type(bug).__name__
        print(f"Pitboss failed because of a bug ({kind}). Set PITBOSS_DEBUG=1 to see where.", file=sys.stderr)
        return 1


def _usage(wrong: Any) -> str:
    said = " ".join(wrong.format_message().split())
    said = INVALID_INTEGER.sub(r"\1 must be a whole number", said).rstrip(".")
    context = getattr(wrong, "ctx", None)
    command = context.command_path if context is not None else "pitboss"
    return f"{said}{'' if said.endswith('?') else '.'} See `{command} --help`."
