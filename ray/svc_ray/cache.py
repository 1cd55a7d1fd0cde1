"""Files by digest, kept on a machine for all its tasks. Downloads resume, several tasks share one, and the least
recently used files go once there are too many."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import IO

from .digests import digest_file

DEFAULT_LIMIT = 50 * 2**30
_CHUNK = 1 << 20

Open = Callable[[int], HTTPResponse]
"""Opens a download from a byte on."""

Patiently = Callable[[Callable[[], Path]], Path]
"""Calls until it succeeds, with pauses."""


class DamagedDownloadError(OSError):
    """What arrived is not what was announced. An OSError, so that it is tried again."""


class Cache:
    def __init__(self, folder: Path, limit: int | None = None) -> None:
        given = os.environ.get("SVC_RAY_CACHE_BYTES", "")
        self.limit = limit if limit is not None else int(given) if given.isdecimal() else DEFAULT_LIMIT
        self.folder = folder / "objects"
        self.folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def file(self, sha256: str, size: int, open_at: Open, patiently: Patiently) -> Iterator[Path]:
        """The file with a digest, downloaded if it is not here. It stays while the context lasts."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"{sha256!r} is not a SHA-256 digest.")
        with self._lock(sha256) as lock:
            path = self.folder / sha256
            # Shared: others may use it, too, but nobody removes it.
            fcntl.flock(lock, fcntl.LOCK_SH)
            while not _is_there(path, size):
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not _is_there(path, size):
                    self._make_room(size, sha256)
                    patiently(lambda: download(path, sha256, size, open_at))
                fcntl.flock(lock, fcntl.LOCK_SH)
            os.utime(path)
            yield path

    @contextmanager
    def _lock(self, sha256: str) -> Iterator[IO[bytes]]:
        with (self.folder / f"{sha256}.lock").open("ab") as lock:
            yield lock

    def _make_room(self, size: int, wanted: str) -> None:
        files = [path for path in self.folder.iterdir() if path.suffix != ".lock"]
        stats = sorted((_time_and_size(path), path) for path in files)
        used = sum(size for (_, size), _ in stats)
        for (_, bytes_), path in stats:
            if used + size <= self.limit:
                return
            if path.stem != wanted and self._remove_unused(path):
                used -= bytes_

    def _remove_unused(self, path: Path) -> bool:
        """The lock's file stays: removing it would let two tasks hold the same lock."""
        with self._lock(path.stem) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            path.unlink(missing_ok=True)
            return True


def download(path: Path, sha256: str, size: int, open_at: Open) -> Path:
    """Goes on where an earlier try ended, and checks the digest."""
    partial = path.with_name(f"{sha256}.partial")
    with partial.open("ab") as file:
        have = file.tell()
        if have < size:
            with open_at(have) as response:
                if response.status != 206:
                    file.truncate(0)
                shutil.copyfileobj(response, file, _CHUNK)
            file.flush()
            os.fsync(file.fileno())
        have = file.tell()
    if have < size:
        raise DamagedDownloadError(f"The download ended after {have} of {size} bytes.")
    if have > size or digest_file(partial) != sha256:
        partial.unlink()
        raise DamagedDownloadError("The download does not have the digest that was announced.")
    partial.replace(path)
    return path


def _is_there(path: Path, size: int) -> bool:
    return path.exists() and path.stat().st_size == size


def _time_and_size(path: Path) -> tuple[float, int]:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return (0.0, 0)
    return (stat.st_mtime, stat.st_size)
