"""The mean loss over held-out rows, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import torch

from .group import Group
from .model import Model
from .packing import pack
from .rows import Row, Rows

_ROWS_AT_ONCE = 8192
_TOKENS_AT_ONCE = 4_000_000


def evaluate(model: Model, rows: Rows, group: Group, tick: Callable[[], None]) -> float:
    """`tick` is called between passes; it may raise."""
    mean, counted = 0.0, 0
    for chunk in chunks_of(rows):
        labels = sum(row.labels for row in chunk)
        loss: float | torch.Tensor = 0.0
        run = partial(model.loss, weight=1 / max(1, labels))
        for lines in pack(group.share(chunk), model.evaluation_tokens):
            tick()
            loss += sum(part for _, part in model.in_parts(lines, run))
        found = group.sum_number(float(loss))
        counted += labels
        if counted:
            mean += (found - mean) * (labels / counted)
    return mean


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
