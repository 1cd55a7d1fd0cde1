"""Folders for the work of one process. One that is killed leaves its own behind; the next one here removes it."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from pathlib import Path

PREFIX = "svc-ray-work-"
LOCK = ".lock"


class Scratch:
    """Locked as long as the process lives or until it is closed."""

    def __init__(self, base: Path | None = None) -> None:
        base = base or Path(tempfile.gettempdir())
        remove_abandoned(base)
        # Others would remove it between its opening and its locking, so it gets the name they look for at last.
        new = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=base))
        self._lock = (new / LOCK).open("ab")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.path = new.rename(new.with_name(new.name.removeprefix(".")))

    def close(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def remove_abandoned(base: Path) -> None:
    """Others may do the same at this moment."""
    for folder in base.glob(f"{PREFIX}*"):
        try:
            with (folder / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
