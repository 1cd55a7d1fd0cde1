"""Random numbers that depend only on their purpose: the same as the Node engine draws."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch

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
        states = (steps + np.uint64(self._advance(count))) & np.uint64(_MASK)
        return _scramble(states.astype(np.uint32))

    def bits_on(self, device: torch.device, count: int) -> torch.Tensor:
        """The same, computed there."""
        start = self._advance(count)
        states = torch.arange(1, count + 1, device=device).mul_(_GOLDEN).add_(start).bitwise_and_(_MASK)
        return _scramble_there(states)

    def _advance(self, count: int) -> int:
        """The state before."""
        state = self._state
        self._state = (state + count * _GOLDEN) & _MASK
        return state


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


def keep_mask_on(device: torch.device, size: int, rate: float, draws: Draws) -> torch.Tensor:
    """The same mask, made where it is used."""
    if device.type == "cpu":
        return torch.from_numpy(keep_mask(size, rate, draws))
    return make_mask_on(device, size, rate, draws)


def make_mask_on(device: torch.device, size: int, rate: float, draws: Draws) -> torch.Tensor:
    gaps = torch.from_numpy(_gaps_of(rate)).to(device)
    mask = torch.ones(size + 1, dtype=torch.uint8, device=device)
    at = 0
    while at < size:
        bits = draws.bits_on(device, max(64, int((size - at) * rate / 2 * 1.1)))
        pairs = torch.stack([bits & 0xFFFF, bits >> 16], dim=1).view(-1)
        zeros = gaps[pairs].add_(1).cumsum(0).add_(at - 1)
        at = int(zeros[-1]) + 1
        # Those behind the end fall on the one more that the mask has.
        mask[zeros.clamp_(max=size)] = 0
    return mask[:size]


@lru_cache(maxsize=1)
def _gaps_of(rate: float) -> npt.NDArray[np.int64]:
    """The number of ones before the next zero, for each equally likely draw."""
    shares = (np.arange(2**16, dtype=np.float64) + 0.5) / 2**16
    gaps: npt.NDArray[np.int64] = np.floor(np.log(shares) / np.log1p(-rate)).astype(np.int64)
    return gaps


def _scramble_one(value: int) -> int:
    return int(_scramble(np.array([value], dtype=np.uint32))[0])


def _scramble_there(x: torch.Tensor) -> torch.Tensor:
    """As below, in numbers of 64 bits, since PyTorch cannot shift unsigned ones of 32."""
    x = (x ^ (x >> 16)).mul_(0x21F0AAAD).bitwise_and_(_MASK)
    x = (x ^ (x >> 15)).mul_(0x735A2D97).bitwise_and_(_MASK)
    return x ^ (x >> 15)


def _scramble(values: Bits) -> Bits:
    """32-bit hashes in which every input bit affects every output bit."""
    x = values
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x21F0AAAD)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x735A2D97)
    return x ^ (x >> np.uint32(15))
