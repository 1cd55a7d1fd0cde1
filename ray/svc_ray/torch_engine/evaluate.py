"""The mean loss over held-out rows, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import torch
from torch.nn import functional

from .group import Group
from .model import Model
from .packing import Pass, pack
from .rows import Row, Rows
from .teacher import teacher_of

_ROWS_AT_ONCE = 8192
_TOKENS_AT_ONCE = 4_000_000


def evaluate(
    model: Model, rows: Rows, group: Group, tick: Callable[[], None], soft_weight: float = 0.0
) -> tuple[float, float | None]:
    """And how far labels are from what a teacher expected of them, if that counts and any row has it. `tick` is called
    between passes; it may raise."""
    means, counted, is_taught = np.zeros(2), 0, False
    for chunk in chunks_of(rows):
        labels = sum(row.labels for row in chunk)
        sums: torch.Tensor | float = 0.0
        run = partial(_sum_losses, model, is_soft=soft_weight > 0)
        for lines in pack(group.share(chunk), model.evaluation_tokens):
            tick()
            sums += sum(part for _, part in model.in_parts(lines, run))
        found = np.array([group.sum_number(float(part)) for part in torch.as_tensor(sums).expand(2)])
        counted += labels
        if counted:
            means += (found - means * labels) / counted
        is_taught = is_taught or any(row.soft for row in chunk)
    loss, divergence = map(float, means)
    # Rows of which no teacher said anything are no distance from one.
    return loss + soft_weight * divergence, divergence if soft_weight > 0 and is_taught else None


def _sum_losses(model: Model, taken: Pass, *, is_soft: bool) -> torch.Tensor:
    """Of the labels of a pass, and how far these are from what a teacher expected, or 0."""
    if not is_soft:
        return functional.pad(model.losses(taken).sum(dtype=torch.float64)[None], (0, 1))
    losses = model.losses(taken, teacher_of(taken.members, 0, 0, model.device))
    return losses.view(-1, 2).sum(dim=0, dtype=torch.float64)


def chunks_of(rows: Rows) -> Iterator[list[Row]]:
    """What is packed together."""
    chunk: list[Row] = []
    tokens = 0
    for row in rows:
        if chunk and (len(chunk) == _ROWS_AT_ONCE or tokens + len(row) > _TOKENS_AT_ONCE):
            yield chunk
            chunk, tokens = [], 0
        chunk.append(row)
        tokens += len(row)
    if chunk:
        yield chunk
