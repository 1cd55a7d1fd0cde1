"""How what goes wrong ends an attempt: a fault of the machine is tried again, a fault of the job is not."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError

from svc_ray.cloud import AttemptOverError
from svc_ray.digests import SUMS, is_intact, write_sums
from svc_ray.materials import DocumentError
from svc_ray.node_engine import node_command
from svc_ray.outcome import Outcome, failure_of, outcome_of
from svc_ray.torch_engine.checkpoint import OPTIMIZER, STATE, resume, saved_weights


def test_a_package_that_is_being_unpacked_is_a_fault_of_the_machine(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run-worker") as caught:
        node_command(str(tmp_path))
    assert outcome_of(caught.value) == Outcome("failed", exit_code=1)
    own = ModuleNotFoundError("No module named 'svc_ray.folders'", name="svc_ray.folders")
    assert outcome_of(own) == Outcome("failed", exit_code=1)


def test_a_fault_of_the_job_says_why() -> None:
    assert outcome_of(DocumentError("Too new.")) == Outcome("failed", error="Too new.")
    missing = ModuleNotFoundError("No module named 'transformers'", name="transformers")
    assert outcome_of(missing) == Outcome("failed", error="No module named 'transformers'")
    assert outcome_of(ValueError("no such option")) == Outcome("failed", error="no such option")


def test_what_the_cloud_said_itself_is_not_told_to_it() -> None:
    with pytest.raises(AttemptOverError):
        outcome_of(AttemptOverError("over"))


FULL = "Error while serializing: I/O error: No space left on device (os error 28)"


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (SafetensorError(FULL), "ENOSPC"),
        (SafetensorError("Error while serializing: I/O error: File too large (os error 27)"), None),
        (caused(ValueError("not saved"), OSError(errno.EDQUOT, "Disk quota exceeded")), "EDQUOT"),
        (OSError(errno.EMFILE, "Too many open files"), "EMFILE"),
        (OSError(errno.ESTALE, "Stale file handle"), "ESTALE"),
        (OSError(errno.ENOLCK, "No locks available"), "ENOLCK"),
        (OSError(errno.EAGAIN, "Resource temporarily unavailable"), "EAGAIN"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "ENOMEM"),
        (OSError(errno.EACCES, "Permission denied"), None),
    ],
)
def test_a_fault_that_may_pass_interrupts_the_attempt(error: Exception, fault: str | None) -> None:
    outcome = outcome_of(error)
    assert outcome.disk_fault == fault
    assert (outcome.status == "interrupted") == (fault is not None)


def out_of_memory() -> Exception:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 50)
    return caught.value


@pytest.mark.parametrize("error", [out_of_memory(), MemoryError("Unable to allocate 3.6 PiB for an array")])
def test_the_cloud_is_told_that_memory_ran_out_on_the_cpu(error: Exception) -> None:
    event = {"type": "training.failed", "error": str(error), "code": "out_of_memory"}
    assert failure_of(outcome_of(error)) == event
    assert failure_of(outcome_of(ValueError("other"))) == {"type": "training.failed", "error": "other"}
    assert failure_of(Outcome("completed")) is None


def failing_reads(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> None:
    opened = Path.open

    def open_or_fail(path: Path, *given: Any, **named: Any) -> Any:
        if path.name == name:
            raise OSError(number, "Input/output error")
        return opened(path, *given, **named)

    monkeypatch.setattr(Path, "open", open_or_fail)


@pytest.mark.parametrize("name", [SUMS, STATE])
def test_a_checkpoint_that_cannot_be_read_for_a_while_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    saved = tmp_path / "checkpoint-2"
    saved.mkdir()
    (saved / STATE).write_text(json.dumps({"weights": "int8"}))
    (saved / OPTIMIZER).write_bytes(b"moments")
    write_sums(saved)
    unused: Any = None
    with monkeypatch.context() as patch:
        failing_reads(patch, name, errno.ESTALE)
        with pytest.raises(OSError, match="Errno"):
            is_intact(saved)
        with pytest.raises(OSError, match="Errno"):
            resume(tmp_path, unused, unused)
    with monkeypatch.context() as patch:
        failing_reads(patch, STATE, errno.ESTALE)
        with pytest.raises(OSError, match="Errno"):
            saved_weights(tmp_path)
    with monkeypatch.context() as patch:
        # Its own disk fails, which another checkpoint may outlive.
        failing_reads(patch, name, errno.EIO)
        assert not is_intact(saved)
        assert resume(tmp_path, unused, unused) == (None, [2])
    assert is_intact(saved)
    assert saved_weights(tmp_path) == "int8"
