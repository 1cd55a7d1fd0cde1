"""How an attempt ends: as its cloud is told, and as the exit code of its process."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from .cloud import AttemptOverError, CloudAwayError, RefusedError
from .disk_faults import disk_fault_of
from .folders import FolderError
from .materials import DocumentError
from .reporter import Event

log = logging.getLogger("svc_ray")

DONE, FAILED, WRONG_SETTINGS, OVER, INTERRUPTED = range(5)
EXIT_CODES = {
    "completed": DONE,
    "paused": DONE,
    "cancelled": DONE,
    "failed": FAILED,
    "interrupted": INTERRUPTED,
}


@dataclass(frozen=True)
class Outcome:
    status: str
    error: str | None = None
    """Reported as an event of its own."""
    code: str | None = None
    """Of the error, where the cloud knows what to advise."""
    disk_fault: str | None = None
    exit_code: int | None = None


def outcome_of(error: BaseException) -> Outcome:
    """How an engine's exception ends the attempt. Raises what the cloud must not hear about."""
    if isinstance(error, AttemptOverError | CloudAwayError | RefusedError):
        raise error
    fault = disk_fault_of(error)
    if fault:
        return Outcome("interrupted", disk_fault=fault)
    if not isinstance(error, Exception):
        raise error
    if isinstance(error, FolderError | DocumentError):
        return Outcome("failed", error=str(error))
    log.error("The attempt failed.", exc_info=error)
    # A fault of this machine, such as a folder that is gone, is none of the job: the cloud tries again, a few times.
    if isinstance(error, OSError) or _lacks_own_code(error):
        return Outcome("failed", exit_code=1)
    words = str(error) or type(error).__name__
    return Outcome("failed", error=words, code="out_of_memory" if _ran_out_of_memory(error) else None)


def failure_of(outcome: Outcome) -> Event | None:
    """The event that says why the attempt failed, if it is to be told."""
    if outcome.error is None:
        return None
    code = {} if outcome.code is None else {"code": outcome.code}
    return {"type": "training.failed", "error": outcome.error, **code}


def _ran_out_of_memory(error: Exception) -> bool:
    """On the CPU. PyTorch says so only in words."""
    return isinstance(error, MemoryError) or "DefaultCPUAllocator: " in str(error)


def _lacks_own_code(error: Exception) -> bool:
    return isinstance(error, ModuleNotFoundError) and (error.name or "").startswith(__package__)


def exit_code(outcome: Outcome) -> int:
    if outcome.error:
        log.error("Training failed: %s", outcome.error)
    log.info("The attempt ended: %s.", outcome.status)
    return EXIT_CODES[outcome.status]


def reporting_exit(run: Callable[[], int]) -> int:
    """Turns what ends an attempt without a report into an exit code and a line in the log."""
    try:
        return run()
    except AttemptOverError as error:
        log.warning("This attempt is over: %s Nothing more is saved.", error)
        return OVER
    except CloudAwayError as error:
        log.error("%s The cloud starts another attempt from the last checkpoint once it is back.", error)
        return INTERRUPTED
    except RefusedError as error:
        log.error("The cloud refused a request: %s", error)
        return FAILED
    except DocumentError as error:
        log.error("%s", error)
        return WRONG_SETTINGS


def configure_logs() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
