"""The loss of labels and its gradient, for a few labels at a time: the logits are never whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import nn

# So many logits, in single precision, are in memory at once.
_LOGITS = 32 * 2**20


@dataclass(frozen=True)
class OfAll:
    """Numbers for all labels of a pass, from all of their losses."""

    weights: Callable[[torch.Tensor], torch.Tensor]


Weight = float | OfAll | Callable[[torch.Tensor, int], torch.Tensor]
"""How much labels weigh: a number for all, or a number for each from their losses and the place of the first."""


class Head:
    def __init__(self, layer: nn.Linear, scaling: float) -> None:
        self._layer = layer
        self._scaling = scaling
        """Logits are divided by it: what the model's config says, times the temperature."""
        self._labels_at_once = max(1, _LOGITS // layer.out_features)

    @torch.no_grad()
    def losses(self, states: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Of each label, from its state: [labels, hidden]."""
        return torch.cat([self._compare(self.logits(part), wanted)[0] for part, wanted in self._parts(states, labels)])

    @torch.no_grad()
    def losses_and_gradient(
        self, states: torch.Tensor, labels: torch.Tensor, weight: Weight
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The gradient is that of the sum of each loss times its weight."""
        losses: list[torch.Tensor] = []
        gradient = torch.empty_like(states)
        if isinstance(weight, OfAll):
            weight = self._known(states, labels, weight)
        done = 0
        for part, wanted in self._parts(states, labels):
            logits = self.logits(part)
            found, normal = self._compare(logits, wanted)
            losses.append(found)
            # The softmax, less one at the label.
            logits.sub_(normal[:, None]).exp_()
            logits[torch.arange(len(wanted), device=wanted.device), wanted] -= 1
            if isinstance(weight, float):
                logits.mul_(weight / self._scaling)
            else:
                logits.mul_(weight(found, done)[:, None] / self._scaling)
            torch.mm(logits.to(states.dtype), self._layer.weight, out=gradient[done : done + len(part)])
            done += len(part)
        return torch.cat(losses), gradient

    def _known(self, states: torch.Tensor, labels: torch.Tensor, weight: OfAll) -> Weight:
        """The logits of several parts are computed a second time with these weights."""
        if len(labels) <= self._labels_at_once:
            return lambda losses, _: weight.weights(losses)
        weights = weight.weights(self.losses(states, labels))
        return lambda losses, done: weights[done : done + len(losses)]

    def _parts(self, states: torch.Tensor, labels: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for at in range(0, len(labels), self._labels_at_once):
            end = at + self._labels_at_once
            yield states[at:end], labels[at:end]

    def logits(self, states: torch.Tensor) -> torch.Tensor:
        """In single precision."""
        logits: torch.Tensor = self._layer(states).float()
        return logits if self._scaling == 1 else logits.div_(self._scaling)

    def _compare(self, logits: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The losses, and the logarithms by which logits become probabilities."""
        normal = logits.logsumexp(dim=-1)
        return normal - logits.gather(1, labels[:, None])[:, 0], normal
