"""Puts the tests' temporary files in memory where the machine can hold them: a commit to a disk takes milliseconds."""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 * 1024**3


def use_memory() -> None:
    """Make the memory's folder the temporary one, unless another was chosen or there is too little room."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < ROOM_BYTES:
        return
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None
