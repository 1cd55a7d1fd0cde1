"""The losses of rows, in a file of the run's folder, as the Node engine writes it: a header, then an entry for each row
of each step. A resumed run drops what came after its checkpoint."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .rows import Row

NAME = "row-losses.bin"
_MAGIC = b"svc-row1"
_ENTRY = np.dtype([("step", "<u4"), ("row", "<u4"), ("labels", "<u4"), ("loss", "<f4")])
# Of more rows or entries, a fixed random part is recorded.
_MOST_ROWS, _MOST_ENTRIES = 100_000, 4_000_000
# As much as the file's header has room for.
_MOST_LEFT_OUT = 2**32 - 1
_WRITE_EVERY_S = 1.0

Entries = npt.NDArray[np.void]


class RowLosses:
    def __init__(
        self, folder: Path, *, rows: int, visits: int, up_to: int, after_step: int, check: Callable[[], None]
    ) -> None:
        """Rows from `up_to` on are not recorded. `check` raises if this run may no longer save."""
        self._path = folder / NAME
        every = math.ceil(max(rows / _MOST_ROWS, visits / _MOST_ENTRIES))
        self._every = min(_MOST_LEFT_OUT, max(1, every))
        self._up_to = up_to
        self._check = check
        self._waiting: list[Entries] = []
        self._size = self._start(after_step)
        self._written_at = time.monotonic()

    def add(self, step: int, losses: Entries) -> None:
        rows = losses["row"]
        kept = losses[(rows < self._up_to) & _is_recorded(rows, self._every)].copy()
        kept["step"] = step
        self._waiting.append(kept)
        if time.monotonic() - self._written_at >= _WRITE_EVERY_S:
            try:
                self._write()
            except OSError:  # Only a save has to succeed.
                return

    def save(self) -> None:
        self._write(lasting=True)

    def _write(self, *, lasting: bool = False) -> None:
        """At a known position, so that what a failed write has left is overwritten."""
        self._check()
        written = b"".join(entries.tobytes() for entries in self._waiting)
        with self._path.open("r+b") as file:
            file.seek(self._size)
            file.write(written)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        self._size += len(written)
        self._waiting = []
        self._written_at = time.monotonic()

    def _start(self, after_step: int) -> int:
        """Leaves a file with the steps up to that one; returns its size."""
        known = read_entries(self._path) if after_step > 0 else np.empty(0, _ENTRY)
        header = _MAGIC + np.array([self._every, 0], "<u4").tobytes()
        content = header + known[known["step"] <= after_step].tobytes()
        partial = self._path.with_name(f".{NAME}.tmp")
        partial.write_bytes(content)
        partial.replace(self._path)
        return len(content)


def losses_of_rows(rows: Sequence[Row], label_losses: npt.NDArray[np.float32]) -> Entries:
    """Means, from the losses of the rows' labels in order. Rows without labels have none."""
    counts = np.array([row.labels for row in rows], np.int64)
    sums = np.bincount(np.repeat(np.arange(len(rows)), counts), weights=label_losses, minlength=len(rows))
    losses = to_entries([row.number for row in rows], counts, sums / np.maximum(counts, 1))
    return losses[counts > 0]


def to_entries(rows: npt.ArrayLike, labels: npt.ArrayLike, losses: npt.NDArray[np.float64]) -> Entries:
    """Of a step that is not known yet."""
    entries = np.zeros(len(losses), _ENTRY)
    entries["row"], entries["labels"], entries["loss"] = rows, labels, losses
    return entries


def read_entries(path: Path) -> Entries:
    """None of a file that is missing or another one; an incomplete one at its end is left out."""
    content = path.read_bytes() if path.exists() else b""
    if content[: len(_MAGIC)] != _MAGIC:
        return np.empty(0, _ENTRY)
    whole = len(content) // _ENTRY.itemsize
    return np.frombuffer(content, _ENTRY, count=whole)[1:]


def _is_recorded(rows: npt.NDArray[np.uint32], every: int) -> npt.NDArray[np.bool_]:
    """The same rows in every epoch and every run."""
    mixed = rows.astype(np.uint32)
    for _ in range(2):
        mixed = (mixed ^ (mixed >> np.uint32(16))) * np.uint32(0x45D9F3B)
    recorded: npt.NDArray[np.bool_] = (mixed ^ (mixed >> np.uint32(16))) % np.uint32(every) == 0
    return recorded
