"""The loss of labels and its gradient, for a few labels at a time: the logits are never whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import nn

from .teacher import Teacher

# So many logits, in single precision, are in memory at once.
_LOGITS = 32 * 2**20


@dataclass(frozen=True)
class OfAll:
    """Numbers for all labels of a pass, from all of their losses."""

    weights: Callable[[torch.Tensor], torch.Tensor]


OfEach = Callable[[torch.Tensor, int], torch.Tensor]

Weight = float | OfAll | OfEach | Teacher
"""How much labels weigh: a number for all, or a number for each from their losses and the place of the first; or what a
teacher expects of them. Then they have two losses, the second one of which is how far they are from the teacher."""


class Head:
    def __init__(self, layer: nn.Linear, scaling: float) -> None:
        self._layer = layer
        self._scaling = scaling
        """Logits are divided by it: what the model's config says, times the temperature."""
        self._labels_at_once = max(1, _LOGITS // layer.out_features)

    @torch.no_grad()
    def losses(self, states: torch.Tensor, labels: torch.Tensor, teacher: Teacher | None = None) -> torch.Tensor:
        """Of each label, from its state: [labels, hidden]."""
        losses: list[torch.Tensor] = []
        for at, part, wanted in self._parts(states, labels):
            logits = self.logits(part)
            found = teacher.compare(logits, at, slopes=False) if teacher else self._compare(logits, wanted)[0]
            losses.append(found)
        return torch.cat(losses)

    @torch.no_grad()
    def losses_and_gradient(
        self, states: torch.Tensor, labels: torch.Tensor, weight: Weight
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The gradient is that of the sum of each loss times its weight."""
        losses: list[torch.Tensor] = []
        gradient = torch.empty_like(states)
        known = self._known(states, labels, weight) if isinstance(weight, OfAll) else weight
        for at, part, wanted in self._parts(states, labels):
            logits = self.logits(part)
            if isinstance(known, Teacher):
                losses.append(known.compare(logits, at, slopes=True))
                logits.div_(self._scaling)
            else:
                losses.append(self._derive(logits, wanted, at, known))
            torch.mm(logits.to(states.dtype), self._layer.weight, out=gradient[at : at + len(part)])
        return torch.cat(losses), gradient

    def _derive(self, logits: torch.Tensor, labels: torch.Tensor, at: int, weight: float | OfEach) -> torch.Tensor:
        """Returns the losses of the labels, and makes logits the gradient by them."""
        losses, normal = self._compare(logits, labels)
        # The softmax, less one at the label.
        logits.sub_(normal[:, None]).exp_()
        logits[torch.arange(len(labels), device=labels.device), labels] -= 1
        if isinstance(weight, float):
            logits.mul_(weight / self._scaling)
        else:
            logits.mul_(weight(losses, at)[:, None] / self._scaling)
        return losses

    def _known(self, states: torch.Tensor, labels: torch.Tensor, weight: OfAll) -> OfEach:
        """The logits of several parts are computed a second time with these weights."""
        if len(labels) <= self._labels_at_once:
            return lambda losses, _: weight.weights(losses)
        weights = weight.weights(self.losses(states, labels))
        return lambda losses, done: weights[done : done + len(losses)]

    def _parts(self, states: torch.Tensor, labels: torch.Tensor) -> Iterator[tuple[int, torch.Tensor, torch.Tensor]]:
        """The number of the first label, the states and the labels."""
        for at in range(0, len(labels), self._labels_at_once):
            end = at + self._labels_at_once
            yield at, states[at:end], labels[at:end]

    def logits(self, states: torch.Tensor) -> torch.Tensor:
        """In single precision."""
        logits: torch.Tensor = self._layer(states).float()
        return logits if self._scaling == 1 else logits.div_(self._scaling)

    def _compare(self, logits: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The losses, and the logarithms by which logits become probabilities."""
        normal = logits.logsumexp(dim=-1)
        return normal - logits.gather(1, labels[:, None])[:, 0], normal
