"""Learning from rewards (GRPO): each step samples answers, asks for their rewards, and makes those likelier that were
better than the others of their group."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from ..desk import Question
from ..desk import Rewards as Answered
from .control import Control
from .goal import Evaluation, Goal, LabelLosses, Metrics, StepGoal
from .head import Weight
from .model import Model
from .options import Options, RewardMethod
from .packing import Pass, pack
from .policy import Answer, Policy, Terms, advantages_of, mean_of, teaches, to_answer
from .rows import Row, Rows
from .sample import Request, Sampled, Sampler, draws_of

# More failures than this share of a step's answers end the run.
_MOST_FAILED = 0.2
# Held-out prompts that are answered and rewarded together.
_PROMPTS_AT_ONCE = 1024
# Before the names of parts, among what is measured.
_PART = "reward."


@dataclass(frozen=True)
class _Group:
    prompt: Row
    answers: list[Sampled]


class Rewards(Goal):
    def __init__(
        self,
        model: Model,
        options: Options,
        control: Control,
        *,
        ends: Sequence[int],
        first: Path,
        evaluation: Rows | None,
    ) -> None:
        """`ends`: the tokens that end an answer. `first`: the adapter that the run began with."""
        assert options.rewards
        self._model = model
        self._options = options
        self._method: RewardMethod = options.rewards
        self._control = control
        self._sampler = Sampler(model, ends, control.tick)
        self._reference = load_file(first, device=str(model.device)) if options.rewards.beta > 0 else {}
        self._evaluation = evaluation

    def prepare(self, rows: list[Row], step: int) -> StepGoal:
        options, method = self._options, self._method
        requests = [
            Request(row.ids, most, draws_of(options.seed, step, at, i, most))
            for at, row in enumerate(rows)
            for most in [self._most(row)]
            for i in range(method.group)
        ]
        began = time.perf_counter()
        groups = self._answer(rows, requests, method.group)
        sampled = time.perf_counter()
        rewards = self._ask(step + 1, groups)
        seconds = {"rolloutSeconds": sampled - began, "rewardSeconds": time.perf_counter() - sampled}
        answers: list[Answer] = []
        spreads: list[float] = []
        for group, given in zip(groups, rewards, strict=True):
            advantages, spread = advantages_of([one.get("reward") for one in given])
            spreads.append(spread)
            pairs = zip(group.answers, advantages, strict=True)
            answers += [to_answer(group.prompt, answer.ids, advantage) for answer, advantage in pairs]
        learned = [answer for answer in answers if teaches(answer, method)]
        if method.beta > 0:
            learned = self._with_reference(learned)
        labels = sum(answer.labels for answer in answers)
        measured = _measure(groups, rewards, spreads)
        return PolicyStep(learned, method, labels, self._model.device, measured, seconds)

    def evaluate(self, step: int) -> Evaluation:
        """By the likeliest answer to each prompt."""
        assert self._evaluation is not None
        rows, known = iter(self._evaluation), []
        while chunk := list(islice(rows, _PROMPTS_AT_ONCE)):
            groups = self._answer(chunk, [Request(row.ids, self._most(row), None) for row in chunk], 1)
            known += [one for given in self._ask(step, groups) for one in given if "error" not in one]
        reward = mean_of([one["reward"] for one in known])
        return Evaluation(None, -reward, {"reward": reward, **_mean_parts(known)})

    def _most(self, row: Row) -> int:
        return max(0, min(self._method.max_tokens, self._options.max_length - len(row)))

    def _answer(self, rows: list[Row], requests: list[Request], each: int) -> list[_Group]:
        answers = self._sampler.answer(requests)
        return [_Group(row, answers[at * each : (at + 1) * each]) for at, row in enumerate(rows)]

    def _ask(self, step: int, groups: list[_Group]) -> Answered:
        rewards = self._control.ask_rewards(to_question(step, groups))
        if list(map(len, rewards)) != [len(group.answers) for group in groups]:
            raise ValueError("There are not as many rewards as answers.")
        errors = [one["error"] for given in rewards for one in given if "error" in one]
        count = sum(map(len, rewards))
        if len(errors) > _MOST_FAILED * count:
            raise ValueError(f"{len(errors)} of {count} answers got no reward. The first: {errors[0]}")
        return rewards

    def _with_reference(self, answers: list[Answer]) -> list[Answer]:
        """With what the model said of each before the run."""
        found: dict[int, LabelLosses] = {}
        with self._model.adapter.holding(self._reference):
            for lines in pack(answers, self._model.evaluation_tokens):
                self._control.tick()
                for taken, losses in self._model.in_parts(lines, self._model.losses):
                    found.update(_by_member(taken.members, -losses.cpu().numpy()))
        return [replace(answer, reference=found[id(answer)]) for answer in answers]


class PolicyStep(StepGoal):
    def __init__(
        self,
        answers: list[Answer],
        method: RewardMethod,
        labels: int,
        device: torch.device,
        measured: Metrics,
        seconds: Metrics,
    ) -> None:
        self.rows = answers
        self.updates = method.updates
        self.seconds = seconds
        self._method = method
        self._labels = labels
        self._device = device
        self._measured = measured
        self._divergence, self._clipped = 0.0, 0
        self._before: dict[int, LabelLosses] = {}
        """log p of the labels of each answer before the first update, by its place in memory."""

    def weigh(self, taken: Pass) -> Weight:
        return self._policy(taken.members, self._device).weigh

    def read(self, members: Sequence[Row], losses: LabelLosses) -> float:
        terms: Terms = self._policy(members, torch.device("cpu")).terms(torch.from_numpy(losses))
        self._divergence += float(terms.divergences.sum(dtype=torch.float64))
        self._clipped += int(terms.clipped.sum())
        if not self._before:
            self._before = _by_member(members, -losses)
        return float(terms.losses.sum(dtype=torch.float64))

    def entries(self, members: Sequence[Row], losses: LabelLosses) -> None:
        """Rows are prompts, which have no loss."""

    def metrics(self) -> Metrics:
        seen = max(1, self._labels * self.updates)
        clipped = {"clippedTokens": self._clipped / seen} if self.updates > 1 else {}
        return {**self._measured, "kl": self._divergence / seen, **clipped}

    def _policy(self, members: Sequence[Row], device: torch.device) -> Policy:
        answers = [member for member in members if isinstance(member, Answer)]
        before = [self._before.get(id(answer)) for answer in answers]
        return Policy(answers, self._method, self._labels, device, before)


def _by_member(members: Sequence[Row], values: LabelLosses) -> dict[int, LabelLosses]:
    """The part of each in the values of all labels."""
    ends = np.cumsum([member.labels for member in members], dtype=np.int64)
    return {id(member): part for member, part in zip(members, np.split(values, ends)[:-1], strict=True)}


def to_question(step: int, groups: Sequence[_Group]) -> Question:
    """The cloud knows the rows, and reads the tokens."""
    return {
        "step": step,
        "groups": [
            {"row": group.prompt.number, "answers": [{"ids": answer.ids} for answer in group.answers]}
            for group in groups
        ],
    }


def _measure(groups: Sequence[_Group], rewards: Answered, spreads: Sequence[float]) -> Metrics:
    given = [one for group in rewards for one in group]
    known = [one for one in given if "error" not in one]
    answers = [answer for group in groups for answer in group.answers]
    return {
        "reward": mean_of([one["reward"] for one in known]),
        "rewardSpread": mean_of(spreads),
        "answerTokens": mean_of([len(answer.ids) for answer in answers]),
        "cutAnswers": mean_of([answer.is_cut for answer in answers]),
        "quietGroups": mean_of([spread == 0 for spread in spreads]),
        "failedRewards": mean_of(["error" in one for one in given]),
        **_mean_parts(known),
    }


def _mean_parts(known: Sequence[dict[str, object]]) -> Metrics:
    """Of each part, over the answers that have it."""
    by_name: dict[str, list[float]] = {}
    for one in known:
        parts = one.get("parts") or {}
        assert isinstance(parts, dict)
        for name, value in parts.items():
            by_name.setdefault(name, []).append(float(value))
    return {f"{_PART}{name}": mean_of(values) for name, values in by_name.items()}
