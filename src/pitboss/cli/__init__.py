"""The commands. Nothing heavy is imported before it is used."""

import os
import sys

from pitboss.cli.output import Failure


def main() -> None:
    """Run the command line and end with its status: 0 success, 1 a refusal, 2 wrong usage."""
    sys.exit(_run())


def _run() -> int:
    from pitboss.cli.app import app

    try:
        app(prog_name="pitboss", standalone_mode=True)
    except SystemExit as done:
        return _flushed(done.code if isinstance(done.code, int) else int(done.code is not None))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.status
    except BrokenPipeError:
        return _reader_gone()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except Exception as bug:
        if os.environ.get("PITBOSS_DEBUG"):
            raise
        kind = type(bug).__name__
        print(f"Something in pitboss itself failed ({kind}); set PITBOSS_DEBUG=1 to see where.", file=sys.stderr)
        return 1
    return _flushed(0)


def _flushed(status: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_gone()
    return status


def _reader_gone() -> int:
    # Whoever read our output stopped reading: not our failure, but nothing more can be written.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
