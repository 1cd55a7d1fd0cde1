"""Learning a teacher's distribution: how far labels are from what the teacher expected there, over the tokens that it
names and one bucket for all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .rows import Row

# How many tokens a teacher may name besides the label: as many as rows can have.
_ALTERNATIVES = 20
_NAMED = 1 + _ALTERNATIVES


@dataclass(frozen=True)
class Teacher:
    """What is expected of the labels of a pass: of each itself, of alternatives, and of all other tokens together."""

    named: torch.Tensor
    """[labels, named]: the label, then alternatives or, where there are fewer, the label again."""
    shares: torch.Tensor
    """[labels, named + 1]"""
    is_filling: torch.Tensor
    """[labels, named + 1]: of places without an alternative."""
    certainty: torch.Tensor
    """[labels]: the sum of share * log(share)."""
    label_weight: float
    """Of the loss of each label."""
    weights: torch.Tensor
    """[labels]: of how far each is from the teacher; 0 where nothing is known of it."""

    def compare(self, logits: torch.Tensor, start: int, *, slopes: bool) -> torch.Tensor:
        """[labels, 2]: the loss of each label and how far it is from the teacher, for labels from number `start` on. If
        wanted, logits become the gradient by them. What is left for other tokens is never computed as 1 less the
        probabilities of the named ones: nothing would be left of it for a model that is sure."""
        own = slice(start, start + len(logits))
        named, shares, is_filling = self.named[own], self.shares[own], self.is_filling[own]
        of_named = logits.gather(1, named)
        logits.scatter_(1, named, -torch.inf)
        of_others = logits.logsumexp(dim=1, keepdim=True)
        buckets = torch.cat([of_named, of_others], dim=1).masked_fill_(is_filling, -torch.inf)
        losses = (buckets.logsumexp(dim=1, keepdim=True) - buckets).masked_fill_(is_filling, 0)
        found = torch.stack([losses[:, 0], (shares * losses).sum(dim=1) + self.certainty[own]], dim=1)
        if slopes:
            wanted = shares * self.weights[own, None]
            wanted[:, 0] += self.label_weight
            slope = buckets.softmax(dim=1) * wanted.sum(dim=1, keepdim=True) - wanted
            logits.sub_(of_others).exp_().mul_(slope[:, -1:])
            logits.scatter_add_(1, named, slope[:, :-1])
        return found


def teacher_of(members: Sequence[Row], label_weight: float, weight: float, device: torch.device) -> Teacher:
    """`weight`: of how far each label is from the teacher."""
    labels = np.concatenate([np.zeros(0, np.int64), *(row.ids[1:][row.learned[1:] > 0] for row in members)])
    named = np.repeat(labels[:, None], _NAMED, axis=1)
    shares = np.zeros((len(labels), _NAMED + 1), np.float32)
    is_filling = np.ones((len(labels), _NAMED + 1), np.bool_)
    is_filling[:, [0, -1]] = False
    weights = np.zeros(len(labels), np.float32)
    start = 0
    for row in members:
        end = start + row.labels
        known = _write(row, named[start:end], shares[start:end], is_filling[start:end])
        weights[start:end][known] = weight
        start = end
    certainty = (shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=1)
    tensors = (torch.from_numpy(values).to(device) for values in (named, shares, is_filling, certainty, weights))
    of_named, of_shares, of_filling, of_certainty, of_weights = tensors
    return Teacher(of_named, of_shares, of_filling, of_certainty, label_weight, of_weights)


def _write(
    row: Row, named: npt.NDArray[np.int64], shares: npt.NDArray[np.float32], is_filling: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """Returns the labels of the row of which something is known, by their places among its labels."""
    if row.soft is None:
        return np.zeros(0, np.int64)
    places = 1 + np.flatnonzero(row.learned[1:]) - row.soft.first
    known = np.flatnonzero((places >= 0) & (places < len(row.soft.ends)))
    ends = row.soft.ends[places[known]]
    starts = np.concatenate([[0], row.soft.ends])[places[known]]
    counts = ends - starts
    column = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    entry = np.repeat(starts, counts) + column
    label = np.repeat(known, counts)
    named[label, column] = row.soft.ids[entry]
    shares[label, column] = row.soft.shares[entry]
    is_filling[label, column] = False
    sums = shares[known].sum(axis=1)
    # A teacher's rounded numbers may add up to a little more than 1.
    shares[known] /= np.maximum(1, sums)[:, None]
    shares[known, -1] = np.maximum(0, 1 - sums)
    return known
