"""The rows of a run, as tokens with their mask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file


@dataclass(frozen=True)
class Soft:
    """What a teacher expected of tokens that follow one another."""

    first: int
    """The place of the first one in its row."""
    ends: npt.NDArray[np.int32]
    """Where the entries of each end: first the token itself, then others that the teacher named."""
    ids: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Row:
    ids: npt.NDArray[np.int32]
    learned: npt.NDArray[np.uint8]
    """1 where the token is learned, predicted from those before it."""
    number: int = -1
    """Its place in the data set."""
    soft: Soft | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def labels(self) -> int:
        """The first token is never a label, since nothing precedes it."""
        return int(np.count_nonzero(self.learned[1:]))

    @property
    def texts(self) -> tuple[Row, ...]:
        """What a model reads of it, in one pass."""
        return (self,)


@dataclass(frozen=True, eq=False)
class Text(Row):
    """An answer of a pair, after its prompt; `number` is that of the pair."""

    side: int = 1
    """1 for the chosen answer, -1 for the other."""


@dataclass(frozen=True, eq=False)
class Pair(Row):
    """Two answers, each after their prompt. The chosen one comes first."""

    chosen: int = 0
    """How many tokens belong to it."""

    @cached_property
    def texts(self) -> tuple[Text, Text]:
        first, second = slice(None, self.chosen), slice(self.chosen, None)
        return (
            Text(self.ids[first], self.learned[first], self.number, side=1),
            Text(self.ids[second], self.learned[second], self.number, side=-1),
        )


class Rows:
    def __init__(self, file: Path) -> None:
        tensors = load_file(file)
        self._ids = tensors["ids"]
        self._learned = tensors["learned"]
        self._offsets = tensors["offsets"]
        self.numbers = tensors.get("rows", np.arange(len(self._offsets) - 1))
        """The places of the rows in the data set."""
        self._chosen = tensors.get("chosen")
        self._taught, self._taught_offsets = tensors.get("taught"), tensors.get("taught_offsets")
        is_whole = len(self._offsets) > 0 and self._offsets[-1] == len(self._ids) == len(self._learned)
        if not is_whole or np.any(np.diff(self._offsets) < 0):
            raise ValueError("The file of the rows is not consistent.")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @property
    def longest(self) -> int:
        """The tokens of the longest row."""
        return int(np.diff(self._offsets).max())

    @property
    def longest_text(self) -> int:
        """The same, but of the longest answer where rows are pairs of them."""
        if self._chosen is None:
            return self.longest
        return int(np.maximum(self._chosen, np.diff(self._offsets) - self._chosen).max())

    def at(self, index: int) -> Row | None:
        """None for a skipped row."""
        start, end = self._offsets[index], self._offsets[index + 1]
        if end <= start:
            return None
        ids, learned, number = self._ids[start:end], self._learned[start:end], int(self.numbers[index])
        if self._chosen is not None:
            return Pair(ids, learned, number, chosen=int(self._chosen[index]))
        return Row(ids, learned, number, self._soft_of(index))

    def _soft_of(self, index: int) -> Soft | None:
        if self._taught is None or self._taught_offsets is None:
            return None
        words = self._taught[self._taught_offsets[index] : self._taught_offsets[index + 1]]
        if len(words) == 0:
            return None
        first, count = int(words[0]), int(words[1])
        ids, shares = np.split(words[2 + count :], 2)
        return Soft(first, words[2 : 2 + count], ids, shares.view(np.float32))

    def __iter__(self) -> Iterator[Row]:
        """All rows in order, without skipped ones."""
        for index in range(len(self)):
            if row := self.at(index):
                yield row
