"""How what goes wrong ends an attempt: a fault of the machine is tried again, a fault of the job is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_ray.cloud import AttemptOverError
from svc_ray.materials import DocumentError
from svc_ray.node_engine import node_command
from svc_ray.outcome import Outcome, outcome_of


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
