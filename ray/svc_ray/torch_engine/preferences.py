"""Learning from pairs of answers (DPO): the chosen one becomes likelier than the other, compared with what the model
said of both before the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file

from .control import Control
from .evaluate import chunks_of
from .goal import Evaluation, Goal, LabelLosses, Metrics, StepGoal
from .group import Group
from .head import OfAll, Weight
from .model import Model
from .options import Options, PreferenceMethod
from .packing import Pass, pack
from .row_losses import Entries, to_entries
from .rows import Pair, Row, Rows, Text
from .steps import FirstSteps

_SCORE = np.dtype([("row", "<i8"), ("chosen", "<f8"), ("rejected", "<f8")])
_RESULT = np.dtype([("row", "<i8"), ("loss", "<f8"), ("chosen", "<f8"), ("rejected", "<f8")])

Scores = npt.NDArray[np.void]
"""Log-probabilities of the two answers of pairs, each summed over its tokens."""

Results = npt.NDArray[np.void]
"""Of pairs: the loss, without what `sftWeight` adds, and how much likelier each answer became than the reference has
it, times `beta`."""


class Preferences(Goal):
    def __init__(
        self,
        model: Model,
        options: Options,
        control: Control,
        *,
        steps: FirstSteps,
        first: Path,
        evaluation: Rows | None,
    ) -> None:
        """`first`: the adapter that the run began with."""
        assert isinstance(options.method, PreferenceMethod)
        self._model = model
        self._method: PreferenceMethod = options.method
        self._group: Group = control.group
        self._tick = control.tick
        self._steps = steps
        self._reference = load_file(first, device=str(model.device))
        self._evaluation = evaluation
        self._known: dict[int, Scores] = {}
        """What the reference says of the pairs of a step of the first epoch."""
        self._evaluated: list[Scores] = []
        """What it says of the held-out pairs, which are always read in the same order."""

    def prepare(self, rows: list[Row], step: int) -> StepGoal:
        del step
        pairs = _pairs(rows)
        known = np.concatenate([self._refer(first) for first in sorted({self._steps.of(pair) for pair in pairs})])
        return PreferenceStep(pairs, _scores_for(pairs, known), self._method, self._model.device, self._group)

    def evaluate(self, step: int) -> Evaluation:
        del step
        assert self._evaluation is not None
        found: list[Results] = []
        learned, learned_loss = 0, 0.0
        for at, chunk in enumerate(chunks_of(self._evaluation)):
            pairs = _pairs(chunk)
            if at == len(self._evaluated):
                self._evaluated.append(self._score_before(pairs))
            scores = self._score(pairs)
            found.append(compare(scores, self._evaluated[at], self._method))
            learned += sum(pair.texts[0].labels for pair in pairs)
            learned_loss -= float(scores["chosen"].sum())
        results = np.concatenate(found)
        loss = float(results["loss"].mean()) + self._method.sft_weight * learned_loss / max(1, learned)
        return Evaluation(loss, loss, _measure(results))

    def _refer(self, step: int) -> Scores:
        """How a pass is packed changes the last digits. So pairs are read together with those of the same step of the
        first epoch, and a resumed run has exactly what the interrupted one had."""
        if step not in self._known:
            self._known[step] = self._score_before(_pairs(self._steps.rows_of(step)))
        return self._known[step]

    def _score_before(self, pairs: Sequence[Pair]) -> Scores:
        with self._model.adapter.holding(self._reference):
            return self._score(pairs)

    def _score(self, pairs: Sequence[Pair]) -> Scores:
        """All workers share the work, and have the scores of all pairs."""
        found = [np.empty(0, _SCORE)]
        for lines in pack(self._group.share(pairs), self._model.evaluation_tokens):
            self._tick()
            for taken, losses in self._model.in_parts(lines, self._model.losses):
                found.append(scores_of(taken.members, losses.cpu().numpy()))
        return _scores_for(pairs, self._group.gather(np.concatenate(found)))


class PreferenceStep(StepGoal):
    def __init__(
        self, pairs: Sequence[Pair], reference: Scores, method: PreferenceMethod, device: torch.device, group: Group
    ) -> None:
        """`reference`: of the pairs, in their order."""
        self.rows = pairs
        self.updates = 1
        self.seconds = {}
        self._pairs = {pair.number: pair for pair in pairs}
        self._reference = reference
        self._method = method
        self._device = device
        self._group = group
        learned = sum(pair.texts[0].labels for pair in pairs)
        self._label_weight = method.sft_weight / max(1, learned)
        """Of each label of a chosen answer."""
        self._results = np.empty(0, _RESULT)

    def weigh(self, taken: Pass) -> Weight:
        """How much the step's loss changes with that of each label."""
        texts = _texts(taken.members)
        rows = list(dict.fromkeys(text.number for text in texts))
        counts = [text.labels for text in texts]
        sides = np.zeros((len(rows), sum(counts)))
        weights = np.zeros(sum(counts), np.float32)
        at = 0
        for text, count in zip(texts, counts, strict=True):
            own = slice(at, at + count)
            sides[rows.index(text.number), own] = text.side
            weights[own] = self._label_weight if text.side == 1 else 0
            at += count
        reference = _scores_of_rows(rows, self._reference)
        apart = torch.from_numpy(reference["chosen"] - reference["rejected"]).to(self._device)
        of, own_weights = (torch.from_numpy(values).to(self._device) for values in (sides, weights))
        beta, smoothing, share = self._method.beta, self._method.label_smoothing, 1 / len(self.rows)

        def slopes(losses: torch.Tensor) -> torch.Tensor:
            margins = beta * (-(of @ losses.double()) - apart)
            down = smoothing * margins.sigmoid() - (1 - smoothing) * (-margins).sigmoid()
            return own_weights - (share * beta * (down @ of)).float()

        return OfAll(slopes)

    def read(self, members: Sequence[Row], losses: LabelLosses) -> float:
        scores = scores_of(members, losses)
        own = self._compare(scores)
        self._results = self._group.gather(own)
        return float(own["loss"].sum()) / len(self.rows) - self._label_weight * float(scores["chosen"].sum())

    def entries(self, members: Sequence[Row], losses: LabelLosses) -> Entries:
        results = self._compare(scores_of(members, losses))
        labels = [self._pairs[int(row)].labels for row in results["row"]]
        return to_entries(results["row"], labels, results["loss"])

    def metrics(self) -> Metrics:
        return _measure(self._results)

    def _compare(self, scores: Scores) -> Results:
        return compare(scores, _scores_of_rows(scores["row"], self._reference), self._method)


def scores_of(members: Sequence[Row], losses: LabelLosses) -> Scores:
    """From the losses of the labels of both answers of pairs."""
    texts = _texts(members)
    counts = np.array([text.labels for text in texts], np.int64)
    sums = -np.bincount(np.repeat(np.arange(len(texts)), counts), weights=losses, minlength=len(texts))
    chosen, rejected = (
        {text.number: score for text, score in zip(texts, sums, strict=True) if text.side == side} for side in (1, -1)
    )
    return np.array([(row, chosen[row], rejected[row]) for row in chosen], _SCORE)


def compare(scores: Scores, reference: Scores, method: PreferenceMethod) -> Results:
    """Of the same pairs, in the same order."""
    results = np.empty(len(scores), _RESULT)
    results["row"] = scores["row"]
    for side in ("chosen", "rejected"):
        results[side] = method.beta * (scores[side] - reference[side])
    margins = results["chosen"] - results["rejected"]
    right, wrong = np.logaddexp(0, -margins), np.logaddexp(0, margins)
    results["loss"] = (1 - method.label_smoothing) * right + method.label_smoothing * wrong
    return results


def _measure(results: Results) -> Metrics:
    """Means. A pair counts as right if its chosen answer has the higher reward."""
    chosen, rejected = results["chosen"], results["rejected"]
    return {
        "rewardMargin": float((chosen - rejected).mean()),
        "rewardAccuracy": float((chosen > rejected).mean()),
        "chosenReward": float(chosen.mean()),
        "rejectedReward": float(rejected.mean()),
    }


def _scores_for(pairs: Sequence[Pair], known: Scores) -> Scores:
    return _scores_of_rows([pair.number for pair in pairs], known)


def _scores_of_rows(rows: Sequence[int] | npt.NDArray[np.int64], known: Scores) -> Scores:
    """In the order of the rows."""
    order = np.argsort(known["row"])
    return known[order[np.searchsorted(known["row"], rows, sorter=order)]]


def _pairs(rows: Sequence[Row]) -> list[Pair]:
    pairs = [row for row in rows if isinstance(row, Pair)]
    if len(pairs) < len(rows):
        raise ValueError("The method dpo learns from pairs of answers, and a row is none.")
    return pairs


def _texts(members: Sequence[Row]) -> list[Text]:
    return [member for member in members if isinstance(member, Text)]
