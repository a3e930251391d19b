"""JSON logs that hold no cards or secrets: only the fields listed here are written."""

import json
import logging
import sys
import traceback
from pathlib import Path
from typing import IO

NAME = "pitboss"
# Refusal reasons are left out: a reason may quote what its sender wrote, and the clause is enough.
FIELDS = ("table", "person", "kind", "clause", "status", "method", "route", "ms", "sockets", "code", "digest", "count")


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON, with only the listed fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a log record."""
        line = {"at": round(record.created * 1000), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
        if record.exc_info and record.exc_info[0] is not None:
            line["fault"] = record.exc_info[0].__name__  # its text could quote anything
            for frame in traceback.extract_tb(record.exc_info[2])[-1:]:
                line["where"] = f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"  # which quotes nothing
        return json.dumps(line, ensure_ascii=False)


def start_logging(level: int, stream: IO[str] | None = None) -> logging.Handler:
    """Write the program's log to a stream, by default standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    # The web server's log lines about sockets quote their address, which contains the ticket.
    for name, least in ((NAME, level), ("uvicorn", max(level, logging.WARNING))):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
    return handler
