"""What a run minimizes: the mean loss of all labels, or what rewards make of its own answers (`rewards.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch

from .evaluate import evaluate
from .group import Group
from .head import Weight
from .model import Model
from .packing import Pass
from .row_losses import Entries, losses_of_rows
from .rows import Row, Rows
from .teacher import teacher_of

Metrics = dict[str, float]
LabelLosses = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Evaluation:
    loss: float | None
    """None where nothing but metrics is measured."""
    rank: float
    """The best checkpoint has the lowest."""
    metrics: Metrics = field(default_factory=dict)


class StepGoal(Protocol):
    rows: Sequence[Row]
    """What is learned, by all workers."""
    updates: int
    """How often it is learned."""
    seconds: Metrics
    """How long parts of its preparation took, by the names under which they are measured."""

    def weigh(self, taken: Pass) -> Weight: ...

    def read(self, members: Sequence[Row], losses: LabelLosses) -> float:
        """What this worker's rows, with the losses of their labels, add to the loss of an update."""

    def entries(self, members: Sequence[Row], losses: LabelLosses) -> Entries | None:
        """The losses of rows, if they are recorded."""

    def metrics(self) -> Metrics:
        """Of all that was read."""


class Goal(Protocol):
    def prepare(self, rows: list[Row], step: int) -> StepGoal:
        """For the rows of a step; steps count from 0."""

    def evaluate(self, step: int) -> Evaluation:
        """On the held-out rows, after so many steps."""


class Supervised(Goal):
    """Rows are learned as they are."""

    def __init__(
        self,
        model: Model,
        evaluation: Rows | None,
        group: Group,
        tick: Callable[[], None],
        *,
        soft_weight: float = 0.0,
    ) -> None:
        """`soft_weight`: of how far labels are from what a teacher expected; 0 if that is not learned."""
        self._model = model
        self._evaluation = evaluation
        self._group = group
        self._tick = tick
        self._soft_weight = soft_weight

    def prepare(self, rows: list[Row], step: int) -> StepGoal:
        del step
        if self._soft_weight > 0:
            return SoftStep(rows, self._soft_weight, self._model.device, self._group)
        return _Supervised(rows)

    def evaluate(self, step: int) -> Evaluation:
        del step
        assert self._evaluation is not None
        loss, divergence = evaluate(self._model, self._evaluation, self._group, self._tick, self._soft_weight)
        return Evaluation(loss, loss, {} if divergence is None else {"softLoss": divergence})


class _Supervised(StepGoal):
    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.updates = 1
        self.seconds = {}
        self._labels = max(1, sum(row.labels for row in rows))

    def weigh(self, taken: Pass) -> Weight:
        del taken
        return 1 / self._labels

    def read(self, members: Sequence[Row], losses: LabelLosses) -> float:
        del members
        return float(losses.sum(dtype=np.float64)) / self._labels

    def entries(self, members: Sequence[Row], losses: LabelLosses) -> Entries:
        return losses_of_rows(members, losses)

    def metrics(self) -> Metrics:
        return {}


class SoftStep(StepGoal):
    """The same, and what a teacher expected of them. Labels have two losses, the second one of which is how far they
    are from that."""

    def __init__(self, rows: list[Row], weight: float, device: torch.device, group: Group) -> None:
        self.rows = rows
        self.updates = 1
        self.seconds = {}
        self._share = 1 / max(1, sum(row.labels for row in rows))
        self._weight = weight
        self._device = device
        self._group = group
        self._divergence = 0.0

    def weigh(self, taken: Pass) -> Weight:
        return teacher_of(taken.members, self._share, self._weight * self._share, self._device)

    def read(self, members: Sequence[Row], losses: LabelLosses) -> float:
        del members
        loss, divergence = (float(mean) for mean in losses.reshape(-1, 2).sum(axis=0, dtype=np.float64) * self._share)
        self._divergence = self._group.sum_number(divergence)
        return loss + self._weight * divergence

    def entries(self, members: Sequence[Row], losses: LabelLosses) -> Entries:
        return losses_of_rows(members, losses.reshape(-1, 2)[:, 0])

    def metrics(self) -> Metrics:
        return {"softLoss": self._divergence}
