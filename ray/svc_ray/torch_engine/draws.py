"""Random numbers that depend only on their purpose: the same as the Node engine draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_GOLDEN = 0x9E3779B9
_MASK = 0xFFFFFFFF

Bits = npt.NDArray[np.uint32]


class Draws:
    """The generator of a purpose: a seed and counters, such as a step and a pass."""

    def __init__(self, *purpose: int) -> None:
        state = _GOLDEN
        for part in purpose:
            state = _scramble_one(state ^ _scramble_one(part & _MASK))
        self._state = state

    def bits(self, count: int) -> Bits:
        """The next numbers of 32 random bits."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
        states = (steps + np.uint64(self._state)) & np.uint64(_MASK)
        self._state = (self._state + count * _GOLDEN) & _MASK
        return _scramble(states.astype(np.uint32))


def shuffled(count: int, draws: Draws) -> npt.NDArray[np.int64]:
    """The numbers 0 to count - 1 in random order."""
    order = list(range(count))
    if count > 1:
        places = np.arange(count, 1, -1, dtype=np.float64)
        others = np.floor(draws.bits(count - 1) / 2.0**32 * places).astype(np.int64).tolist()
        for i, other in zip(range(count - 1, 0, -1), others, strict=True):
            order[i], order[other] = order[other], order[i]
    return np.array(order, dtype=np.int64)


def keep_mask(size: int, rate: float, draws: Draws) -> npt.NDArray[np.uint8]:
    """1 for inputs that an adapter sees, 0 at the given rate. Only the gaps between zeros are drawn."""
    gaps = _gaps_of(rate)
    mask = np.ones(size, dtype=np.uint8)
    at = 0
    while at < size:
        bits = draws.bits(max(64, int((size - at) * rate / 2 * 1.1)))
        pairs: Sequence[Bits] = (bits & np.uint32(0xFFFF), bits >> np.uint32(16))
        zeros = at + np.cumsum(gaps[np.stack(pairs, axis=1).reshape(-1)] + 1) - 1
        mask[zeros[zeros < size]] = 0
        at = int(zeros[-1]) + 1
    return mask


def _gaps_of(rate: float) -> npt.NDArray[np.int64]:
    """The number of ones before the next zero, for each equally likely draw."""
    shares = (np.arange(2**16, dtype=np.float64) + 0.5) / 2**16
    gaps: npt.NDArray[np.int64] = np.floor(np.log(shares) / np.log1p(-rate)).astype(np.int64)
    return gaps


def _scramble_one(value: int) -> int:
    return int(_scramble(np.array([value], dtype=np.uint32))[0])


def _scramble(values: Bits) -> Bits:
    """32-bit hashes in which every input bit affects every output bit."""
    x = values
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x21F0AAAD)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x735A2D97)
    return x ^ (x >> np.uint32(15))
