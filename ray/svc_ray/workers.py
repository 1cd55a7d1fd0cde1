"""Several workers that train one job together, with Ray Train. The first one claims the attempt and reports."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from typing import Any

import torch
from ray.train import FailureConfig, RunConfig, ScalingConfig
from ray.train.torch import TorchConfig, TorchTrainer

from .attempt import claim_attempt, client_of, gather, open_desk
from .cloud import CloudClient
from .cloud_desk import CloudDesk
from .outcome import Outcome, configure_logs, exit_code, outcome_of, reporting_exit
from .settings import MAX_RETRIES, Settings
from .task import count_gpus
from .torch_engine.device import choose_device, limit_threads
from .torch_engine.engine import train
from .torch_engine.group import DistributedGroup, Group


def train_with_workers(settings: Settings) -> int:
    """Returns the first worker's exit code. Ray starts all workers again if one of them dies."""
    resources = settings.resources
    per_worker: dict[str, float] = {"CPU": resources.cpus, "GPU": resources.gpus}
    if resources.memory is not None:
        per_worker["memory"] = resources.memory
    with tempfile.TemporaryDirectory(prefix="svc-ray-train-") as storage:
        trainer = TorchTrainer(
            run_worker,
            train_loop_config={"settings": settings},
            torch_config=TorchConfig(backend="nccl" if resources.gpus > 0 else "gloo"),
            scaling_config=ScalingConfig(
                num_workers=resources.workers, use_gpu=resources.gpus > 0, resources_per_worker=per_worker
            ),
            run_config=RunConfig(storage_path=storage, failure_config=FailureConfig(max_failures=MAX_RETRIES)),
        )
        result: Any = trainer.fit()
    return int(result.return_value)


def run_worker(config: dict[str, Any]) -> Any:
    """Its exit code. Ray Train's types do not know that it hands it on."""
    configure_logs()
    settings: Settings = config["settings"]
    return reporting_exit(lambda: _run(settings))


def _run(settings: Settings) -> int:
    resources = settings.resources
    limit_threads(resources.cpus)
    device = choose_device(with_gpu=resources.gpus > 0)
    group = DistributedGroup(device)
    claim = _share_claim(settings, group)
    client = client_of(settings, claim)
    desk = open_desk(claim, client) if group.rank == 0 else None
    try:
        outcome = _train(claim, client, desk, group, device)
        if desk:
            desk.finish(outcome)
    finally:
        if desk:
            desk.close()
    return exit_code(outcome)


def _train(
    claim: dict[str, Any], client: CloudClient, desk: CloudDesk | None, group: Group, device: torch.device
) -> Outcome:
    """A worker that fails alone dies, which ends the group; the first one reports."""
    with ExitStack() as stack:
        try:
            materials = group.together(lambda: stack.enter_context(gather(claim, client)))
        except Exception as error:
            return outcome_of(error)
        return train(materials, desk, group, device)


def _share_claim(settings: Settings, group: DistributedGroup) -> dict[str, Any]:
    """All workers stop here if the claim fails."""
    given: dict[str, Any] | Exception | None = None
    if group.rank == 0:
        try:
            given = claim_attempt(settings, count_gpus(settings.resources) * group.size)
        except Exception as error:
            given = error
    claim: dict[str, Any] | Exception = group.hand_out(given)
    if isinstance(claim, Exception):
        raise claim
    return claim
