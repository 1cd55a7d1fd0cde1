"""How large a pass may be: as the device has room for, found out by trial passes."""

from __future__ import annotations

import gc
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

log = logging.getLogger("svc_ray")

# Larger passes gain no speed on any device.
LARGEST = 16384
# When memory runs out in smaller passes, activations are recomputed.
_SMALL = 4096
_SMALLEST_TRIAL = 512
# Of the memory that is free when training starts. The rest is for other programs, and for what no trial shows.
_SHARE = 0.5
_MOST_TRIALS = 6


class NoRoomError(Exception):
    """A row does not fit."""


@dataclass
class Room:
    tokens: int
    """At most so many a pass, unless one row has more."""
    recompute: bool = False
    """Whether layers are computed again in the backward pass, so that their activations need no memory."""

    def shrink(self, tokens: int, rows: int) -> None:
        """After a pass of so many tokens and rows did not fit. Raises if there is no smaller one."""
        if rows > 1:
            self.tokens = max(1, min(self.tokens, tokens) // 2)
        elif self.recompute:
            raise NoRoomError(no_room(tokens))
        self.recompute = self.recompute or rows == 1 or self.tokens < _SMALL


def no_room(tokens: int) -> str:
    return (
        f"A row of {tokens} tokens does not fit into this GPU's memory. Lower maxLength, start the cloud with "
        "--base-weights nf4, choose a smaller model, or use a larger GPU."
    )


Trial = Callable[[int, bool], int]
"""The bytes that a pass of so many tokens takes at its peak, with or without recomputing. Raises if memory runs out."""


Timer = Callable[[int, bool], float]
"""The seconds that such a pass takes."""


def find_room(trial: Trial, timer: Timer, free: int, longest: int, most: int) -> Room:
    """`longest` tokens are in the longest row, `most` in the largest step."""
    budget, most = int(free * _SHARE), max(longest, min(most, LARGEST))
    kept = Room(_reach(lambda count: trial(count, False), budget, most))
    if kept.tokens == most:
        return kept
    recomputed = Room(max(1, _reach(lambda count: trial(count, True), budget, most)), recompute=True)
    if kept.tokens < longest:
        return recomputed
    # Many small passes can take longer than a few with more to compute.
    return min(kept, recomputed, key=lambda room: _seconds_per_token(timer, room))


def _seconds_per_token(timer: Timer, room: Room) -> float:
    try:
        return timer(room.tokens, room.recompute) / room.tokens
    except RuntimeError as error:
        if not ran_out(error):
            raise
    release()
    return math.inf


def _reach(trial: Callable[[int], int], budget: int, most: int) -> int:
    """How many tokens fit into the budget. A straight line through two trials says where the next one is made."""
    known = [(0, 0)]
    at = min(_SMALLEST_TRIAL, most)
    for _ in range(_MOST_TRIALS):
        try:
            known.append((at, trial(at)))
        except RuntimeError as error:
            if not ran_out(error):
                raise
            if len(known) > 1 or at == 1:
                break
            at = max(1, at // 4)
            continue
        (before, less), (at, peak) = known[-2:]
        slope = max(1.0, (peak - less) / (at - before))
        fits = int(at + (budget - peak) / slope)
        if fits <= at * 1.1 or at == most:
            return max(0, min(fits, most))
        at = min(fits, 4 * at, most)
    release()
    return known[-1][0]


def free_bytes(device: torch.device) -> int:
    """What this process can still take, with what it has reserved and does not use."""
    free, total = torch.cuda.mem_get_info(device)
    used, reserved = torch.cuda.memory_allocated(device), torch.cuda.memory_reserved(device)
    # A limit for this process is not in the driver's figures. Older versions of PyTorch do not tell it.
    index = torch.cuda.current_device() if device.index is None else device.index
    read_share = getattr(torch.cuda, "get_per_process_memory_fraction", lambda _: 1.0)
    return max(0, min(free + reserved, int(total * read_share(index))) - used)


def peak_of(run: Callable[[], object], device: torch.device) -> int:
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    run()
    return torch.cuda.max_memory_allocated(device) - before


def seconds_of(run: Callable[[], object], device: torch.device) -> float:
    """The shorter one of two."""
    times = []
    for _ in range(2):
        torch.cuda.synchronize(device)
        began = time.perf_counter()
        run()
        torch.cuda.synchronize(device)
        times.append(time.perf_counter() - began)
    return min(times)


def ran_out(error: RuntimeError) -> bool:
    """Some of CUDA's libraries report it in their own ways."""
    return isinstance(error, torch.OutOfMemoryError) or any(
        words in str(error) for words in ("out of memory", "STATUS_ALLOC_FAILED")
    )


def release() -> None:
    """Gives back what a failed pass has left."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
