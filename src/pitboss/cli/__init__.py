"""The commands, none of which imports anything heavy before it is used."""

import os
import signal
import sys

from pitboss.cli.output import Failure


def main() -> None:
    """Run the command line and end with its status: 0 success, 1 a refusal, 2 wrong usage."""
    if hasattr(signal, "SIGPIPE"):
        # Like any filter, end quietly when whoever reads our output stops reading.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(_run())


def _run() -> int:
    from pitboss.cli.app import app

    try:
        app(prog_name="pitboss", standalone_mode=True)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except Exception as bug:
        if os.environ.get("PITBOSS_DEBUG"):
            raise
        kind = type(bug).__name__
        print(f"Something in pitboss itself failed ({kind}); set PITBOSS_DEBUG=1 to see where.", file=sys.stderr)
        return 1
    return 0
