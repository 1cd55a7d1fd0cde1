"""Several workers: what fails on one of them ends all. `tests/ray/torch.test.ts` lets two train on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist

from svc_ray.cloud import CloudAwayError, RefusedError
from svc_ray.outcome import Outcome
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import DistributedGroup, Group
from svc_ray.torch_engine.model import Model

from .reference import Reference, run_reference
from .test_torch_engine import materials_of


class Second(Group):
    """The second worker of two, without the first."""

    rank = 1
    size = 2


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    options = {"loraR": 4, "batchSize": 4, "maxSteps": 1}
    return run_reference(tmp_path_factory.mktemp("workers"), options, rows=8)


def train_second(reference: Reference, folder: Path) -> Outcome:
    return train(materials_of(reference, folder), None, Second(), torch.device("cpu"))


def failing(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def test_what_fails_on_one_worker_fails_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    theirs: list[Exception | None] = [None]

    def all_gather_object(found: list[Any], own: Any) -> None:
        sent.append(own)
        found[:] = [own, *theirs]

    monkeypatch.setattr(dist, "get_rank", lambda: 0)
    monkeypatch.setattr(dist, "get_world_size", lambda: 2)
    monkeypatch.setattr(dist, "all_gather_object", all_gather_object)
    group = DistributedGroup(torch.device("cpu"))
    assert group.together(lambda: 1) == 1
    with pytest.raises(RefusedError):
        group.together(failing(RefusedError(409, "gone", "It is gone.", {})))
    assert sent[0] is None
    assert repr(sent[1]) == "RuntimeError('It is gone. (409 gone)')"
    theirs[0] = CloudAwayError("away")
    with pytest.raises(CloudAwayError):
        group.together(lambda: 1)


def test_a_worker_that_cannot_start_leaves_it_to_the_first_one_to_say_so(
    reference: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "require_short", failing(ValueError("too long")))
    assert train_second(reference, tmp_path / "run") == Outcome("failed", error="too long")


def test_a_worker_that_fails_alone_in_a_step_dies(
    reference: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "gradients", failing(ValueError("a fault of its GPU")))
    with pytest.raises(ValueError, match="a fault of its GPU"):
        train_second(reference, tmp_path / "run")


def test_a_worker_lives_on_where_all_fail(
    reference: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_ray.torch_engine.engine.gradient_norm", lambda _: float("nan"))
    outcome = train_second(reference, tmp_path / "run")
    assert outcome.error and "is not a finite number" in outcome.error
