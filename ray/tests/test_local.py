"""The engine as a process of the cloud on this machine: it speaks over its pipes, and ends with its cloud."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from svc_ray import local, torch_facts
from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.local_desk import OWNER
from svc_ray.outcome import DONE, FAILED, OVER

from .reference import Reference, run_reference, to_claim

OPTIONS: dict[str, Any] = {"loraR": 4, "batchSize": 8, "maxSteps": 3, "saveSteps": 2}
WAIT_S = 120


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return run_reference(tmp_path_factory.mktemp("home"), OPTIONS, evaluation=0)


class Forked:
    """A copy of this process that goes on as the engine's would: it has loaded PyTorch, which takes seconds."""

    def __init__(self) -> None:
        (own_input, to_child), (from_child, own_output) = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                os.dup2(own_input, 0)
                os.dup2(own_output, 1)
                for end in (own_input, to_child, from_child, own_output):
                    os.close(end)
                code = local.main()
            finally:
                os._exit(code)
        os.close(own_input)
        os.close(own_output)
        self.stdin: IO[str] = os.fdopen(to_child, "w")
        self.stdout: IO[str] = os.fdopen(from_child)

    def wait(self, seconds: float) -> int:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        raise TimeoutError(f"The process {self.pid} has not ended.")


def start_program() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "svc_ray.local"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


class Process:
    """What a cloud sees of it."""

    def __init__(
        self,
        home: Reference,
        folder: Path,
        start: Callable[[], Forked | subprocess.Popen[str]] = Forked,
        **changes: Any,
    ) -> None:
        folder.mkdir()
        (folder / OWNER).write_text("1")
        claim = to_claim(home)
        run = {**claim["run"], "attempt": 1, "options": {**claim["run"]["options"], **changes}}
        rows = {**claim["rows"], "trainingPath": str(home.folder / "training.safetensors"), "evaluationPath": None}
        initial = home.folder / "initial" / ADAPTER_TENSORS
        self.file = {"run": run, "modelFolder": str(home.model), "rows": rows, "folder": str(folder)}
        self.file["initialPath"] = str(initial)
        self.child = start()

    def tell(self, message: dict[str, Any]) -> None:
        assert self.child.stdin
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """An event is handled once the next message is asked for."""
        assert self.child.stdout
        for line in self.child.stdout:
            message: dict[str, Any] = json.loads(line)
            if message["type"] == "beat":
                continue
            yield message
            self.note_handled(message)

    def note_handled(self, message: dict[str, Any]) -> None:
        if message["type"] == "event":
            # After its last one, it may have ended.
            with suppress(BrokenPipeError):
                self.tell({"type": "handled", "count": 1})

    def until(self, kind: str) -> None:
        next(message for message in self.messages() if message.get("event", {}).get("type") == kind)

    def end(self) -> int:
        assert self.child.stdin
        self.child.stdin.close()
        return self.child.wait(WAIT_S)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_trains_and_leaves_its_folders_where_the_cloud_reads_them(home: Reference, folder: Path) -> None:
    process = Process(home, folder, start_program)
    process.tell(process.file)
    *told, last = process.messages()
    types = [message["event"]["type"] for message in told]
    logs = ["training.log"] * 2
    assert types == ["training.started", *logs, "checkpoint.saved", "training.log", "training.completed"]
    assert last == {"type": "done", "status": "completed"}
    assert process.child.wait(WAIT_S) == DONE
    assert {path.name for path in folder.iterdir()} == {OWNER, "checkpoint-2", "final", "row-losses.bin"}


def test_ends_with_its_cloud_in_the_middle_of_a_run(home: Reference, folder: Path) -> None:
    process = Process(home, folder, maxSteps=1_000_000)
    process.tell(process.file)
    process.until("training.log")
    assert process.end() == OVER


def test_ends_with_its_cloud_before_there_is_a_run(home: Reference, folder: Path) -> None:
    assert Process(home, folder).end() == DONE


def test_saves_nothing_once_another_attempt_has_started(home: Reference, folder: Path) -> None:
    process = Process(home, folder, maxSteps=1_000_000)
    process.tell(process.file)
    process.until("checkpoint.saved")
    (folder / OWNER).write_text("2")
    process.tell({"type": "handled", "count": 1})
    assert [message["type"] for message in process.messages()][-1:] != ["done"]
    assert process.child.wait(WAIT_S) == OVER


def test_a_cloud_of_another_version_is_told_so(home: Reference, folder: Path) -> None:
    process = Process(home, folder)
    process.tell({**process.file, "run": {**process.file["run"], "format": 2}})  # type: ignore[dict-item]
    failed, done = process.messages()
    assert "format 2" in failed["event"]["error"]
    assert done == {"type": "done", "status": "failed"}
    assert process.child.wait(WAIT_S) == FAILED


@pytest.mark.parametrize(
    ("versions", "problem"),
    [
        ({}, "torch and transformers are missing."),
        ({"torch": "2.13.0"}, "transformers is missing."),
        (
            {"torch": "2.5.1+cu124", "transformers": "5.18.0"},
            "torch 2.5.1+cu124 is too old: svc needs torch 2.6 and transformers 5.0 or later.",
        ),
    ],
)
def test_says_what_a_python_lacks(monkeypatch: pytest.MonkeyPatch, versions: dict[str, str], problem: str) -> None:
    monkeypatch.setattr(torch_facts, "find_versions", lambda _: versions)
    assert torch_facts.find_torch_facts() == {"problem": problem}


def test_says_why_it_does_not_use_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for gpus, built_for, reason in [(0, "13.0", "no NVIDIA GPU"), (1, None, "for CPUs"), (None, "13.0", "nvidia-smi")]:
        monkeypatch.setattr(torch_facts, "count_gpus", lambda gpus=gpus: gpus)
        monkeypatch.setattr("torch.version.cuda", built_for)
        found = torch_facts.find_torch_facts()
        assert found["problem"] is None
        assert reason in (found["noGpu"] or "")
