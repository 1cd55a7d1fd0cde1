"""What a task takes of its machine: a job without GPUs takes none, whatever Ray lets it see."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from svc_ray import task
from svc_ray.outcome import Outcome
from svc_ray.settings import Resources, Settings
from svc_ray.torch_engine.device import choose_device


def settings_of(gpus: float, engine: str = "auto") -> Settings:
    return Settings("https://cloud.example", "claim", Resources(gpus=gpus), engine, "svc_node")


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray was started for two of its GPUs. It hides them from no job that has none."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)


def test_counts_the_gpus_of_the_job() -> None:
    assert task.count_gpus(Resources()) == 0
    assert task.count_gpus(Resources(gpus=2)) == 2


@pytest.mark.parametrize(("gpus", "expected"), [(0.0, "cpu"), (0.5, "cuda:0")])
def test_trains_on_a_gpu_only_if_the_job_has_one(monkeypatch: pytest.MonkeyPatch, gpus: float, expected: str) -> None:
    devices: list[torch.device] = []

    def train(_: Any, __: Any, ___: Any, device: torch.device) -> Outcome:
        devices.append(device)
        return Outcome("completed")

    monkeypatch.setattr("svc_ray.torch_engine.engine.train", train)
    unused: Any = None
    assert task._choose(settings_of(gpus, "torch"), {})(unused, unused) == Outcome("completed")
    assert devices == [torch.device(expected)]


def test_a_job_without_gpus_has_the_engine_of_svc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "node_command", lambda package: ["node", package])
    monkeypatch.setattr(task, "train_in_node", lambda _, __, command: Outcome("failed", error=" ".join(command)))
    unused: Any = None
    assert task._choose(settings_of(0), {})(unused, unused) == Outcome("failed", error="node svc_node")


def test_the_cloud_beside_it_uses_the_gpu() -> None:
    assert choose_device() == torch.device("cuda", 0)
