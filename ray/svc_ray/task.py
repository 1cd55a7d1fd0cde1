"""What runs on a machine of the cluster: one attempt, with the engine that fits. Returns an exit code."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from .attempt import claim_attempt, client_of, gather, open_desk
from .cloud import CloudClient
from .cloud_desk import CloudDesk
from .machine import require_torch
from .materials import Materials
from .node_engine import node_command
from .node_engine import train as train_in_node
from .outcome import Outcome, configure_logs, exit_code, outcome_of, reporting_exit
from .settings import Resources, Settings

log = logging.getLogger("svc_ray")

Engine = Callable[[Materials, CloudDesk], Outcome]


def run_attempt(settings: Settings) -> int:
    """One worker. Several are a matter of `workers.py`."""
    configure_logs()
    return reporting_exit(lambda: _run(settings))


def _run(settings: Settings) -> int:
    claim = claim_attempt(settings, count_gpus(settings.resources))
    log.info("Claimed attempt %s of job %s.", claim["run"]["attempt"], claim["run"]["jobId"])
    client = client_of(settings, claim)
    desk = open_desk(claim, client)
    try:
        with desk.pausing_on_signals():
            outcome = _train(settings, claim, client, desk)
            desk.finish(outcome)
    finally:
        desk.close()
    return exit_code(outcome)


def _train(settings: Settings, claim: dict[str, Any], client: CloudClient, desk: CloudDesk) -> Outcome:
    try:
        engine = _choose(settings, claim["run"])
        with gather(claim, client) as materials:
            desk.check()
            return engine(materials, desk)
    except Exception as error:
        return outcome_of(error)


def _choose(settings: Settings, run: dict[str, Any]) -> Engine:
    """The job's engine, or else the cluster's; by itself, PyTorch where there is a GPU and svc's own elsewhere."""
    name = run.get("engine") or settings.engine
    if name == "auto":
        is_torch = count_gpus(settings.resources) > 0 or run.get("weights") == "nf4" or not settings.node_package
        name = "torch" if is_torch else "node"
    log.info("Trains with the engine %s.", name)
    if name == "node":
        command = node_command(settings.node_package)
        return lambda materials, desk: train_in_node(materials, desk, command)
    return _torch_engine(settings)


def _torch_engine(settings: Settings) -> Engine:
    require_torch()
    # PyTorch takes seconds to load, and the Node engine does without it.
    from .torch_engine.device import choose_device, limit_threads
    from .torch_engine.engine import train
    from .torch_engine.group import Group

    resources = settings.resources
    limit_threads(resources.cpus)
    return lambda materials, desk: train(materials, desk, Group(), choose_device(with_gpu=resources.gpus > 0))


def count_gpus(resources: Resources) -> int:
    """Those that Ray gave to this task: it hides the others, unless the task has none."""
    if resources.gpus == 0:
        return 0
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    return len([name for name in visible.split(",") if name.strip() not in ("", "-1")])
