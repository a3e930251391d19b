"""Logs as lines of JSON that hold neither a card nor a secret: what may be said is listed here."""

import json
import logging
import sys
import traceback
from pathlib import Path
from typing import IO

NAME = "pitboss"
# Reasons of refusals are left out: a reason may quote what its sender wrote, and a clause says enough.
FIELDS = ("table", "person", "kind", "clause", "status", "method", "route", "ms", "sockets", "code", "digest", "count")


class JsonLines(logging.Formatter):
    """Writes a log record as one line of JSON, with listed fields alone."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a log record."""
        line = {"at": round(record.created * 1000), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
        if record.exc_info and record.exc_info[0] is not None:
            line["fault"] = record.exc_info[0].__name__  # its text could quote anything
            for frame in traceback.extract_tb(record.exc_info[2])[-1:]:
                line["where"] = f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"  # which quotes nothing
        return json.dumps(line, ensure_ascii=False)


def start_logging(level: int, stream: IO[str] | None = None) -> logging.Handler:
    """Write the program's log to a stream, standard error if none."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    # What the web server says of each socket quotes its address, and there the ticket stands.
    for name, least in ((NAME, level), ("uvicorn", max(level, logging.WARNING))):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
    return handler
