"""Packs rows into lines, and lines into passes through the model. Attention never crosses rows.

Passes are made in two steps. `pack` depends on the rows alone, and dropout draws its masks for what it gives. `split`
cuts that into what the device has room for. A part takes its part of the masks, so that the device changes no loss.
The answers of a pair are compared, so they share a pass and a part, but not necessarily a line."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from .rows import Row, Text

# The line length at which attention costs as much as everything else.
_ATTENTION_LENGTH = 1024
# On CPUs, larger passes gain no speed. The Node engine's are the same, so that dropout draws the same masks.
LARGEST_PASS = 2048
# What the activations of a pass may take, its logits and their probabilities, and the fewest tokens worth a pass.
_ACTIVATION_BYTES, _LOGIT_BYTES, _SMALLEST_PASS = 512 * 2**20, 2**30, 256
_FLOAT_BYTES = 4
# Trying every number of lines takes too long for passes of many rows.
_MOST_TRIED = 256

Line = list[Row]
Unit = tuple[Row, ...]
"""Shares a pass: a row, or the answers of a pair."""


@dataclass(frozen=True)
class Pass:
    ids: torch.Tensor  # [lines, length]
    positions: torch.Tensor  # [lines, length]
    rows: torch.Tensor  # [lines, length], -1 for padding
    at: torch.Tensor  # [labels], where in [lines * length] each label is predicted
    labels: torch.Tensor  # [labels]
    members: tuple[Row, ...]
    """The rows, or the answers of pairs, in order."""
    drawn: int
    """For so many tokens, dropout draws masks."""
    places: torch.Tensor | None = None  # [lines * length], where each token's masks are; none if all are in order

    @property
    def lengths(self) -> tuple[int, ...]:
        """Of the rows."""
        return tuple(map(len, self.members))

    def attends(self, device: torch.device, window: int | None = None) -> torch.Tensor:
        """[lines, 1, length, length]: to itself and earlier tokens of its row, as far back as the window goes."""
        rows = self.rows.to(device)
        is_same = rows[:, :, None] == rows[:, None, :]
        earlier = torch.tril(is_same)
        near = earlier if window is None else torch.triu(earlier, 1 - window)
        return near[:, None]


def cpu_tokens(layers: int, hidden: int, feed: int, vocabulary: int) -> int:
    """As many tokens as the Node engine takes in a pass on CPUs, of a model with these widths."""
    activations = layers * (14 * hidden + 6 * feed)
    logits = 2 * vocabulary
    fitting = min(_ACTIVATION_BYTES // (_FLOAT_BYTES * activations), _LOGIT_BYTES // (_FLOAT_BYTES * logits))
    return min(LARGEST_PASS, max(_SMALLEST_PASS, fitting))


def pack(rows: Iterable[Row], limit: int) -> list[list[Line]]:
    """Passes of at most `limit` tokens, unless one row has more. The same rows give the same passes."""
    return _pack([row.texts for row in rows], limit)


def _pack(units: Iterable[Unit], limit: int) -> list[list[Line]]:
    passes: list[list[Row]] = []
    left: list[int] = []
    for unit in sorted(units, key=_tokens, reverse=True):
        tokens = _tokens(unit)
        found = next((i for i, room in enumerate(left) if room >= tokens), None)
        if found is None:
            passes.append([*unit])
            left.append(limit - tokens)
        else:
            passes[found] += unit
            left[found] -= tokens
    return [_to_lines(taken) for taken in passes]


def _to_lines(rows: Sequence[Row]) -> list[Line]:
    """As many lines as cost the least: padding makes many lines expensive, attention makes long ones so."""
    by_length = [(row,) for row in sorted(rows, key=len, reverse=True)]
    most = math.ceil(_tokens(rows) / max(1, _tokens(by_length[0])))
    best, least = [list(rows)], math.inf
    for count in range(1, most + 1, max(1, most // _MOST_TRIED)):
        lines = _fill(by_length, count)
        length = max(map(_tokens, lines))
        cost = count * length * (1 + length / _ATTENTION_LENGTH)
        if cost < least:
            best, least = lines, cost
    return best


def _fill(by_length: Sequence[Unit], count: int) -> list[Line]:
    """Puts each unit into the line that is the shortest so far."""
    lines: list[Line] = [[] for _ in range(count)]
    shortest = [(0, i) for i in range(count)]
    for unit in by_length:
        tokens, i = shortest[0]
        lines[i] += unit
        heapq.heapreplace(shortest, (tokens + _tokens(unit), i))
    return lines


def _tokens(rows: Sequence[Row]) -> int:
    return sum(map(len, rows))


def units_of(rows: Iterable[Row]) -> list[Unit]:
    units: dict[object, Unit] = {}
    for row in rows:
        key = ("pair", row.number) if isinstance(row, Text) else id(row)
        units[key] = (*units.get(key, ()), row)
    return list(units.values())


def split(whole: list[Line], limit: int, one_line: bool) -> list[list[Line]]:
    """Parts of at most `limit` tokens, unless one row has more. About equal ones, if each is to be one line."""
    units = sorted(units_of(row for line in whole for row in line), key=_tokens, reverse=True)
    tokens = sum(map(_tokens, units))
    if not one_line:
        fits = len(whole) * max(map(_tokens, whole)) <= limit or tokens <= limit
        return [whole] if fits else _pack(units, limit)
    for count in range(math.ceil(tokens / limit), len(units)):
        lines = _fill(units, count)
        if max(map(_tokens, lines)) <= max(limit, _tokens(units[0])):
            return [[line] for line in lines]
    return [[[*unit]] for unit in units]


def to_pass(lines: Sequence[Line], whole: Sequence[Line] | None = None) -> Pass:
    """`whole` is what the lines are a part of, if they are not all of it."""
    length = max(map(_tokens, lines))
    shape = (len(lines), length)
    ids, positions = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64)
    numbers = torch.full(shape, -1, dtype=torch.int64)
    places = None if whole is None else torch.zeros(shape, dtype=torch.int64)
    starts = {} if whole is None else _starts(whole)
    at: list[torch.Tensor] = []
    for line, rows in enumerate(lines):
        start = 0
        for number, row in enumerate(rows):
            end = start + len(row)
            own = torch.arange(len(row))
            ids[line, start:end] = torch.from_numpy(row.ids.astype("int64"))
            positions[line, start:end] = own
            numbers[line, start:end] = number
            if places is not None:
                places[line, start:end] = starts[id(row)] + own
            learned = torch.from_numpy(row.learned[1:].astype("int64")).nonzero()[:, 0]
            at.append(line * length + start + learned)
            start = end
    where = torch.cat(at)
    return Pass(
        ids=ids,
        positions=positions,
        rows=numbers,
        at=where,
        labels=ids.reshape(-1)[where + 1],
        members=tuple(row for rows in lines for row in rows),
        drawn=ids.numel() if whole is None else len(whole) * max(map(_tokens, whole)),
        places=None if places is None else places.reshape(-1),
    )


def _starts(lines: Sequence[Line]) -> dict[int, int]:
    """Where each row starts, with all lines padded to one length."""
    length = max(map(_tokens, lines))
    starts: dict[int, int] = {}
    for line, rows in enumerate(lines):
        start = line * length
        for row in rows:
            starts[id(row)] = start
            start += len(row)
    return starts
