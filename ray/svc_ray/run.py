"""`python -m svc_ray.run`, the entrypoint of a submission. Takes no CPU itself: it starts one task with the job's
resources, so waiting for a GPU never times out, and ends with the attempt's exit code."""

from __future__ import annotations

import logging
import signal
import sys
from types import FrameType
from typing import Any

import ray
from ray.exceptions import RayError, TaskCancelledError

from .outcome import FAILED, INTERRUPTED, WRONG_SETTINGS, configure_logs
from .settings import MAX_RETRIES, Resources, Settings, SettingsError, read_settings
from .task import run_attempt
from .words import list_words

log = logging.getLogger("svc_ray")


def main() -> int:
    configure_logs()
    try:
        settings = read_settings()
    except SettingsError as error:
        log.error("%s", error)
        return WRONG_SETTINGS
    ray.init(log_to_driver=True, logging_level=logging.WARNING)
    log.info("Waits for %s.", describe(settings.resources))
    return _follow(_submit(settings))


def describe(resources: Resources) -> str:
    parts = [f"{resources.cpus:g} CPU"]
    if resources.gpus:
        parts.append(f"{resources.gpus:g} GPU")
    if resources.memory is not None:
        parts.append(f"{resources.memory} bytes of memory")
    each = f"{resources.workers} workers with " if resources.workers > 1 else ""
    return each + list_words(parts)


def task_options(settings: Settings) -> dict[str, Any]:
    """With several workers, the task only starts them, and needs nothing itself."""
    resources = settings.resources
    # Without `retry_exceptions`, Ray starts it again only if its machine or process died.
    options: dict[str, Any] = {"max_retries": MAX_RETRIES, "num_cpus": 0}
    if resources.workers == 1:
        options.update(num_cpus=resources.cpus, num_gpus=resources.gpus)
        if resources.memory is not None:
            options["memory"] = resources.memory
    return options


def _submit(settings: Settings) -> ray.ObjectRef[int]:
    task = ray.remote(attempt_task).options(name="svc-attempt", **task_options(settings))
    reference: ray.ObjectRef[int] = task.remote(settings)
    return reference


def attempt_task(settings: Settings) -> int:
    if settings.resources.workers > 1:
        from .workers import train_with_workers

        return train_with_workers(settings)
    return run_attempt(settings)


def _follow(reference: ray.ObjectRef[int]) -> int:
    def pause(_: int, __: FrameType | None) -> None:
        log.info("Asked to stop: the attempt pauses with a checkpoint if there is time.")
        ray.cancel(reference, force=False)

    signal.signal(signal.SIGTERM, pause)
    try:
        return int(ray.get(reference))
    except TaskCancelledError:
        log.warning("The attempt was stopped.")
        return INTERRUPTED
    except RayError as error:
        log.error("The attempt's task failed: %s", error)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
