"""Several workers: what fails on one of them ends all. `tests/ray/torch.test.ts` lets two train on a cluster."""

from __future__ import annotations

import errno
import pickle
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist

from svc_ray import workers
from svc_ray.cloud import CloudAwayError, RefusedError
from svc_ray.outcome import INTERRUPTED, Outcome
from svc_ray.settings import Resources, Settings
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import DistributedGroup, Group
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.row_losses import to_entries

from .reference import Reference, run_reference
from .scripted_desk import ScriptedDesk
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

    def all_gather_object(found: list[Any], own: Any, _: Any) -> None:
        sent.append(own)
        found[:] = [own, *theirs]

    monkeypatch.setattr(dist, "get_rank", lambda: 0)
    monkeypatch.setattr(dist, "get_world_size", lambda: 2)
    monkeypatch.setattr(dist, "new_group", lambda **_: None)
    monkeypatch.setattr(dist, "all_gather_object", all_gather_object)
    group = DistributedGroup(torch.device("cpu"))
    assert group.together(lambda: 1) == 1
    with pytest.raises(RefusedError):
        group.together(failing(RefusedError(409, "gone", "It is gone.", {})))
    assert sent[0] is None
    assert repr(sent[1]) == "RefusedError('It is gone. (409 gone)')"
    theirs[0] = CloudAwayError("away")
    with pytest.raises(CloudAwayError):
        group.together(lambda: 1)


def test_workers_wait_for_each_other_for_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not half an hour, as Ray's own group: the first one may have to wait for a disk."""
    groups: list[Any] = []

    def noting(call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, group: Any = None) -> Any:
            groups.append(group or given[-1])
            return call(*given, **({} if group is None else {"group": group}))

        return noted

    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        group = DistributedGroup(torch.device("cpu"))
        for name in ("all_reduce", "all_gather_object", "broadcast", "broadcast_object_list"):
            monkeypatch.setattr(dist, name, noting(getattr(dist, name)))
        group.sum_values([torch.ones(2)])
        assert [group.sum_number(1.5), group.agree(3), group.hand_out("claim")] == [1.5, 3, "claim"]
        assert len(group.gather(to_entries([0], [1], np.ones(1)))) == 1
        assert group.together(lambda: 1) == 1
        assert len(groups) == 6
        for used in groups:
            assert used._get_backend(torch.device("cpu")).options._timeout > timedelta(days=7)
    finally:
        dist.destroy_process_group()


def test_a_refusal_stays_what_it_is_on_its_way_to_the_others() -> None:
    there = pickle.loads(pickle.dumps(RefusedError(400, "invalid_value", "It is too new.", {"format": 2})))
    assert isinstance(there, RefusedError)
    assert str(there) == "It is too new. (400 invalid_value)"
    assert (there.status, there.code, there.body) == (400, "invalid_value", {"format": 2})


def test_workers_without_gpus_leave_those_of_their_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    devices: list[torch.device] = []

    def open_group(device: torch.device) -> Any:
        devices.append(device)
        raise CloudAwayError("away")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(workers, "DistributedGroup", open_group)
    with pytest.raises(CloudAwayError):
        workers._run(Settings("https://cloud.example", "claim", Resources(workers=2), "torch", None))
    assert devices == [torch.device("cpu")]


def test_the_job_in_rays_list_ends_as_the_first_worker_says(monkeypatch: pytest.MonkeyPatch) -> None:
    class Trainer:
        def __init__(self, loop: Callable[..., Any], train_loop_config: dict[str, Any], **_: Any) -> None:
            self._code = loop(train_loop_config)

        def fit(self) -> Any:
            # Ray Train keeps metrics only beside its own checkpoints.
            return SimpleNamespace(metrics=None, return_value=self._code)

    monkeypatch.setattr(workers, "TorchTrainer", Trainer)
    monkeypatch.setattr(workers, "_run", failing(CloudAwayError("away")))
    settings = Settings("https://cloud.example", "claim", Resources(workers=2), "torch", None)
    assert workers.train_with_workers(settings) == INTERRUPTED


class First(Group):
    """The first worker of two, without the second."""

    size = 2


class FullDesk(ScriptedDesk):
    """Has no room to pack one of the folders."""

    def __init__(self, sent: Path, folder: str, **given: Any) -> None:
        super().__init__(sent, **given)
        self._folder = folder

    def send_folder(self, folder: Path) -> None:
        if folder.name == self._folder:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().send_folder(folder)


@pytest.mark.parametrize("group", [Group(), First()])
@pytest.mark.parametrize(
    ("folder", "wants", "saving"),
    [("final", {}, {}), ("checkpoint-1", {1: "pause"}, {}), ("checkpoint-1", {}, {"saveSteps": 1})],
)
def test_a_last_folder_that_cannot_be_sent_interrupts_the_run(
    reference: Reference, tmp_path: Path, group: Group, folder: str, wants: dict[int, Any], saving: dict[str, int]
) -> None:
    desk = FullDesk(tmp_path / "sent", folder, wants=wants)
    options = {**reference.options, "maxSteps": 2, **saving}
    materials = materials_of(reference, tmp_path / "run", options=options)
    outcome = train(materials, desk, group, torch.device("cpu"))
    assert outcome == Outcome("interrupted", disk_fault="ENOSPC")
    assert {event["type"] for event in desk.events} == {"training.started", "training.log"}


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
