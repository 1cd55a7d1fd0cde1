"""The rows of a run, as tokens with their mask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file


@dataclass(frozen=True)
class Row:
    ids: npt.NDArray[np.int32]
    learned: npt.NDArray[np.uint8]
    """1 where the token is learned, predicted from those before it."""
    number: int = -1
    """Its place in the data set."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def labels(self) -> int:
        """The first token is never a label, since nothing precedes it."""
        return int(np.count_nonzero(self.learned[1:]))


class Rows:
    def __init__(self, file: Path) -> None:
        tensors = load_file(file)
        self._ids = tensors["ids"]
        self._learned = tensors["learned"]
        self._offsets = tensors["offsets"]
        self._numbers = tensors.get("rows", np.arange(len(self._offsets) - 1))
        is_whole = len(self._offsets) > 0 and self._offsets[-1] == len(self._ids) == len(self._learned)
        if not is_whole or np.any(np.diff(self._offsets) < 0):
            raise ValueError("The file of the rows is not consistent.")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @property
    def longest(self) -> int:
        """The tokens of the longest row."""
        return int(np.diff(self._offsets).max())

    def at(self, index: int) -> Row | None:
        """None for a skipped row."""
        start, end = self._offsets[index], self._offsets[index + 1]
        if end <= start:
            return None
        return Row(self._ids[start:end], self._learned[start:end], int(self._numbers[index]))

    def __iter__(self) -> Iterator[Row]:
        """All rows in order, without skipped ones."""
        for index in range(len(self)):
            if row := self.at(index):
                yield row
