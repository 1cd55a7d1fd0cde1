"""Which rows each step trains on, and at what rate: every epoch in another order, which depends only on the seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .draws import Draws, shuffled
from .options import Options
from .rows import Row, Rows

_ORDER = 1
_MOST_STEPS = 2**53 - 1


@dataclass(frozen=True)
class Plan:
    rows_per_step: int
    steps_per_epoch: int
    total_steps: int


def plan_steps(rows: int, options: Options) -> Plan:
    rows_per_step = options.batch_size * options.gradient_accumulation_steps
    steps_per_epoch = max(1, math.ceil(rows / rows_per_step))
    wanted = options.max_steps
    if wanted is None:
        # May be infinite, which cannot be rounded.
        wanted = math.ceil(min(options.num_train_epochs * steps_per_epoch, _MOST_STEPS))
    return Plan(rows_per_step, steps_per_epoch, min(wanted, _MOST_STEPS))


def rows_of_steps(rows: Rows, plan: Plan, seed: int) -> Callable[[int], list[Row]]:
    """Gives the rows of a step, counted from 0. A step whose rows are all skipped takes the next that is not."""
    drawn_epoch, order = -1, shuffled(0, Draws())

    def rows_of(step: int) -> list[Row]:
        nonlocal drawn_epoch, order
        epoch = step // plan.steps_per_epoch
        if epoch != drawn_epoch:
            drawn_epoch, order = epoch, shuffled(len(rows), Draws(seed, _ORDER, epoch))
        start = (step % plan.steps_per_epoch) * plan.rows_per_step
        end = start + plan.rows_per_step
        found = [row for index in order[start:end] if (row := rows.at(int(index)))]
        if found:
            return found
        for i in range(len(order)):
            if row := rows.at(int(order[(end + i) % len(order)])):
                return [row]
        raise ValueError("All rows are too long to train on. Raise maxLength or shorten the rows.")

    return rows_of


class FirstSteps:
    """Groups rows in the same way whenever it is asked: by the steps of the first epoch."""

    def __init__(self, rows: Rows, options: Options) -> None:
        self._rows = rows
        self._size = plan_steps(len(rows), options).rows_per_step
        self._order = shuffled(len(rows), Draws(options.seed, _ORDER, 0))
        numbers = rows.numbers[self._order]
        self._steps = np.zeros(int(numbers.max()) + 1, np.int64)
        self._steps[numbers] = np.arange(len(numbers)) // self._size

    def of(self, row: Row) -> int:
        return int(self._steps[row.number])

    def rows_of(self, step: int) -> list[Row]:
        taken = self._order[step * self._size : (step + 1) * self._size]
        return [row for index in taken if (row := self._rows.at(int(index)))]


def schedule_factor(step: int, options: Options, total_steps: int) -> float:
    """The learning rate of a step as a share of the maximum. Steps count from 0."""
    schedule, warmup = options.lr_scheduler_type, options.warmup_steps
    if schedule == "constant":
        return 1
    if step < warmup:
        return (step + 1) / (warmup + 1)
    if schedule == "constant_with_warmup":
        return 1
    done = (step - warmup) / max(1, total_steps - warmup)
    return max(0.0, 1 - done if schedule == "linear" else 0.5 * (1 + math.cos(math.pi * done)))
