"""The workers that train together. One worker is a group, too."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
import torch.distributed as dist

from .row_losses import Entries
from .rows import Row

T = TypeVar("T")

# The first worker waits for a full disk or the cloud as long as it takes. Those that die are found out by Ray.
_PATIENCE = timedelta(days=30)


class Group:
    """This process alone."""

    rank = 0
    size = 1

    def share(self, rows: Sequence[Row]) -> list[Row]:
        """This worker's part of a step's rows; about as many tokens each."""
        by_length = sorted(rows, key=len, reverse=True)
        # There and back again, so that nobody always gets the longer row.
        turns = (list(range(self.size)) + list(range(self.size))[::-1]) * len(by_length)
        return [row for row, turn in zip(by_length, turns, strict=False) if turn == self.rank]

    def sum_values(self, values: Sequence[torch.Tensor]) -> None:
        """Each becomes the sum over all workers."""

    def sum_number(self, number: float) -> float:
        return number

    def gather(self, entries: Entries) -> Entries:
        """Those of all workers."""
        return entries

    def agree(self, number: int) -> int:
        """The first worker's number."""
        return number

    def together(self, work: Callable[[], T]) -> T:
        """What fails on one worker fails on all. The work itself may not wait for the others."""
        return work()


class DistributedGroup(Group):
    def __init__(self, device: torch.device) -> None:
        self.rank = dist.get_rank()
        self.size = dist.get_world_size()
        self._device = device
        # Ray's own group, which has connected all workers, gives up on one of them after half an hour.
        self._group = dist.new_group(timeout=_PATIENCE)

    def sum_values(self, values: Sequence[torch.Tensor]) -> None:
        flat = torch.cat([value.reshape(-1) for value in values])
        dist.all_reduce(flat, group=self._group)
        at = 0
        for value in values:
            value.copy_(flat[at : at + value.numel()].view_as(value))
            at += value.numel()

    def sum_number(self, number: float) -> float:
        tensor = torch.tensor([number], dtype=torch.float64, device=self._device)
        dist.all_reduce(tensor, group=self._group)
        return float(tensor.item())

    def gather(self, entries: Entries) -> Entries:
        parts: list[Any] = [None] * self.size
        dist.all_gather_object(parts, entries, self._group)
        return np.concatenate(parts)

    def agree(self, number: int) -> int:
        tensor = torch.tensor([number], dtype=torch.int64, device=self._device)
        dist.broadcast(tensor, 0, self._group)
        return int(tensor.item())

    def hand_out(self, given: Any) -> Any:
        """What the first worker gives."""
        shared = [given]
        dist.broadcast_object_list(shared, 0, self._group)
        return shared[0]

    def together(self, work: Callable[[], T]) -> T:
        failures: list[Any] = [None] * self.size
        try:
            done = work()
        except Exception as error:
            dist.all_gather_object(failures, _portable(error), self._group)
            raise
        dist.all_gather_object(failures, None, self._group)
        for failure in failures:
            if failure:
                raise failure
        return done


def _portable(error: Exception) -> Exception:
    """Not every exception can be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(str(error))
    return error
