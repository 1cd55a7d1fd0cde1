"""Losses, divergences and gradients of sampled answers are those of TRL's GRPOTrainer, step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.optimizer import AdamW
from svc_ray.torch_engine.options import RewardMethod
from svc_ray.torch_engine.packing import to_pass
from svc_ray.torch_engine.policy import Answer, advantages_of, teaches, to_answer
from svc_ray.torch_engine.rewards import PolicyStep
from svc_ray.torch_engine.rows import Row

from .gradients import add_gradients
from .test_architectures import GOLDEN, options_for

REWARDS: dict[str, Any] = json.loads((GOLDEN.parent / "rewards" / "expected.json").read_text())
CASES = [(name, title) for name in REWARDS["results"] for title in REWARDS["methods"]]


def answers_with_advantages() -> list[Answer]:
    answers = []
    for group in REWARDS["groups"]:
        prompt = np.array(group["prompt"], np.int32)
        row = Row(prompt, np.zeros(len(prompt), np.uint8))
        advantages, _ = advantages_of([answer["reward"] for answer in group["answers"]])
        pairs = zip(group["answers"], advantages, strict=True)
        answers += [to_answer(row, answer["ids"], advantage) for answer, advantage in pairs]
    return answers


def with_reference(model: Model, answers: list[Answer]) -> list[Answer]:
    found = [-model.losses(to_pass([[answer]])).numpy() for answer in answers]
    return [replace(answer, reference=values) for answer, values in zip(answers, found, strict=True)]


def test_advantages_are_those_of_trl() -> None:
    found = [answer.advantage for answer in answers_with_advantages()]
    expected = REWARDS["results"]["llama"]["an update each"]["advantages"]
    assert found == pytest.approx(expected, abs=1e-5)
    # One answer has no reward, and the rewards of the last group are the same.
    assert found.count(0) == 5


def test_rewards_may_be_as_large_as_numbers_are() -> None:
    """As with the Node engine, too far apart to teach anything."""
    assert advantages_of([1e200, None, -1e200]) == ([0.0, 0.0, 0.0], float("inf"))


@pytest.mark.parametrize(("name", "title"), CASES)
def test_learns_as_trl_does(name: str, title: str) -> None:
    given, expected = REWARDS["methods"][title], REWARDS["results"][name][title]
    updates = given["num_iterations"]
    method = RewardMethod(4, updates, given["beta"], given["epsilon"], given["temperature"], 16)
    folder = GOLDEN / name
    model = Model(folder, replace(options_for(folder), method=method), None, torch.device("cpu"))
    for matrix in model.adapter.matrices:
        torch.nn.init.zeros_(matrix.values)
    answers = answers_with_advantages()
    if method.beta > 0:
        answers = with_reference(model, answers)
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    labels = sum(answer.labels for answer in answers)
    learned = [answer for answer in answers if teaches(answer, method)]
    assert len(learned) == (len(answers) if method.beta > 0 else 7)
    optimizer = AdamW(model.adapter.matrices, 0.0)
    goal = open_step(learned, method, labels)
    for step, wanted in enumerate(expected["losses"]):
        if updates == 1:
            goal = open_step(learned, method, labels)
        loss = add_gradients(model, goal, 100)
        assert loss == pytest.approx(wanted, abs=1e-4), f"the loss of step {step}"
        # TRL's is times the ratio, which is 1 where there is an update each.
        if expected["divergences"][step] and updates == 1:
            assert goal.metrics()["kl"] == pytest.approx(expected["divergences"][step], rel=2e-3)
        if f"gradient_norms_{step}" in expected:
            expect_norms(model, expected[f"gradient_norms_{step}"])
        optimizer.step(REWARDS["learning_rate"], 1.0)
    if updates == 1:
        assert "clippedTokens" not in goal.metrics()
        return
    clipped = sum(expected["clipped"]) / updates
    assert clipped > 0.3
    # A token at the limit may be on either side of it.
    assert goal.metrics()["clippedTokens"] == pytest.approx(clipped, abs=2 / (updates * labels))


def open_step(answers: list[Answer], method: RewardMethod, labels: int) -> PolicyStep:
    return PolicyStep(answers, method, labels, torch.device("cpu"), {}, {})


def expect_norms(model: Model, wanted: dict[str, float]) -> None:
    """Small ones differ most, since few tokens have a gradient once the others are clipped."""
    assert {matrix.name for matrix in model.adapter.matrices} == set(wanted)
    largest = max(wanted.values())
    for matrix in model.adapter.matrices:
        assert matrix.values.grad is not None
        assert float(matrix.values.grad.norm()) / largest == pytest.approx(wanted[matrix.name] / largest, abs=1e-3)


def test_the_head_weighs_labels_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the vocabulary is large: weights are those of the labels of each part."""
    folder = GOLDEN / "llama"
    method = RewardMethod(4, 1, 0.1, 0.2, 0.7, 16)
    model = Model(folder, replace(options_for(folder), method=method), None, torch.device("cpu"))
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    answers = with_reference(model, answers_with_advantages())
    model_gradients = []
    for at_once in (10_000, 3):
        monkeypatch.setattr(model._head, "_labels_at_once", at_once)
        add_gradients(model, open_step(answers, method, 100), 100)
        grads = [matrix.values.grad for matrix in model.adapter.matrices]
        model_gradients.append(torch.cat([grad.reshape(-1) for grad in grads if grad is not None]))
    whole, in_parts = model_gradients
    assert torch.allclose(whole, in_parts, atol=1e-7)
    assert float(whole.norm()) > 1e-3
