"""The loss of sampled answers: that of TRL's GRPO of type `dapo`: all tokens of a step count the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .options import RewardMethod
from .rows import Row

Values = npt.NDArray[np.float32]

# Added to the deviation of rewards, as TRL does. Rewards that differ by less than the second are the same.
_LEAST_DEVIATION, _LEAST_SPREAD = 1e-4, 1e-8


@dataclass(frozen=True, eq=False)
class Answer(Row):
    """A prompt with an answer, whose tokens are its labels."""

    advantage: float = 0.0
    reference: Values | None = None
    """log p of each label in the reference; none if the loss does not need it."""


def to_answer(prompt: Row, ids: Sequence[int], advantage: float) -> Answer:
    whole = np.concatenate([prompt.ids, np.array(ids, np.int32)])
    learned = np.zeros(len(whole), np.uint8)
    learned[len(prompt.ids) :] = 1
    return Answer(whole, learned, prompt.number, advantage=advantage)


def advantages_of(rewards: Sequence[float | None]) -> tuple[list[float], float]:
    """In deviations of the group from its mean, and the deviation: 0 if there is nothing to learn from the group. An
    answer without a reward takes no part."""
    known = [reward for reward in rewards if reward is not None]
    mean = mean_of(known)
    spread = 0.0
    if len(known) > 1:
        # Unlike a power, a product that is too large is infinite.
        squares = ((reward - mean) * (reward - mean) for reward in known)
        spread = float((sum(squares) / (len(known) - 1)) ** 0.5)
    if spread < _LEAST_SPREAD:
        return [0.0] * len(rewards), 0.0
    scale = spread + _LEAST_DEVIATION
    return [0.0 if reward is None else (reward - mean) / scale for reward in rewards], spread


def mean_of(values: Sequence[float]) -> float:
    """0 for no values."""
    return sum(values) / len(values) if values else 0.0


@dataclass(frozen=True)
class Terms:
    """Of labels."""

    losses: torch.Tensor
    slopes: torch.Tensor
    """How much they change with the labels' own losses."""
    divergences: torch.Tensor
    clipped: torch.Tensor
    """Whether they have moved so far that the reward no longer moves them."""


class Policy:
    """The loss of some answers of a step with so many labels."""

    def __init__(
        self,
        members: Sequence[Answer],
        method: RewardMethod,
        labels: int,
        device: torch.device,
        before: Sequence[Values | None],
    ) -> None:
        """`before`: log p of each label before the step's first update; none until then."""

        def spread(of: Sequence[Values | None]) -> torch.Tensor:
            parts = [np.zeros(m.labels, np.float32) if v is None else v for m, v in zip(members, of, strict=True)]
            return torch.from_numpy(np.concatenate([np.zeros(0, np.float32), *parts])).to(device)

        self._method = method
        self._labels = max(1, labels)
        self._advantages = spread([np.full(m.labels, m.advantage, np.float32) for m in members])
        self._reference = spread([member.reference for member in members])
        self._before = spread(before)
        self._is_known = spread([None if values is None else np.ones_like(values) for values in before])

    def terms(self, label_losses: torch.Tensor, start: int = 0) -> Terms:
        """From the labels' own losses, -log p, the first of which is that of label number `start`."""
        own = slice(start, start + len(label_losses))
        advantages, epsilon, beta = self._advantages[own], self._method.epsilon, self._method.beta
        ratio = (self._is_known[own] * (-label_losses - self._before[own])).exp()
        gain = ratio * advantages
        clipped = ratio.clamp(1 - epsilon, 1 + epsilon) * advantages
        is_clipped = gain > clipped
        losses, slopes = -torch.minimum(gain, clipped), gain.where(~is_clipped, 0)
        divergences = torch.zeros_like(losses)
        if beta > 0:
            apart = self._reference[own] + label_losses
            inverse = apart.exp()
            divergences = inverse - apart - 1
            losses = losses + beta * ratio * divergences
            slopes = slopes + beta * ratio * (inverse - 1 - divergences)
        return Terms(losses / self._labels, slopes / self._labels, divergences, is_clipped)

    def weigh(self, label_losses: torch.Tensor, start: int) -> torch.Tensor:
        """As the head asks for it."""
        return self.terms(label_losses, start).slopes


def teaches(answer: Answer, method: RewardMethod) -> bool:
    """Without the divergence from the reference, answers as good as the others of their group teach nothing."""
    return method.beta > 0 or answer.advantage != 0
