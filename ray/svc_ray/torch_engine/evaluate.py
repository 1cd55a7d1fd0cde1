"""The mean loss over held-out rows, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .group import Group
from .model import Model
from .packing import pack, to_pass
from .rows import Row, Rows

_ROWS_AT_ONCE = 8192
_TOKENS_AT_ONCE = 4_000_000


def evaluate(model: Model, rows: Rows, group: Group, tick: Callable[[], None]) -> float:
    """`tick` is called between passes; it may raise."""
    mean, counted = 0.0, 0
    for chunk in _chunks(rows):
        labels = sum(row.labels for row in chunk)
        loss = 0.0
        for lines in pack(group.share(chunk), model.evaluation_tokens):
            tick()
            loss += model.loss(to_pass(lines), 1 / max(1, labels))
        loss = group.sum_number(loss)
        counted += labels
        if counted:
            mean += (loss - mean) * (labels / counted)
    return mean


def _chunks(rows: Rows) -> Iterator[list[Row]]:
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
