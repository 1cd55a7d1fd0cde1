"""svc's own engine, as a child process of a task, has the losses of a run at home, bit for bit."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.folders import RECORDS, take_records, unpack
from svc_ray.materials import Materials
from svc_ray.node_engine import train
from svc_ray.outcome import Outcome, outcome_of

from .reference import RUN_WORKER, Reference, run_reference, to_claim
from .scripted_desk import ScriptedDesk
from .test_rewards import OPTIONS as REWARDED
from .test_rewards import by_letters

OPTIONS: dict[str, Any] = {"loraR": 4, "batchSize": 8, "maxSteps": 12, "evalSteps": 6, "saveSteps": 4, "threads": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return run_reference(tmp_path_factory.mktemp("home"), OPTIONS, evaluation=10)


def materials_of(reference: Reference, folder: Path) -> Materials:
    (folder / "work").mkdir(parents=True)
    return Materials(
        claim=to_claim(reference),
        model=reference.model,
        training=reference.folder / "training.safetensors",
        evaluation=reference.folder / "evaluation.safetensors",
        initial=reference.folder / "initial" / ADAPTER_TENSORS,
        folder=folder / "work",
    )


def figures(logs: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(log["step"], log.get("loss"), log.get("evalLoss")) for log in logs]


def test_has_the_losses_and_the_adapter_of_a_run_at_home(home: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent")
    assert train(materials_of(home, tmp_path / "run"), desk, RUN_WORKER) == Outcome("completed")
    assert figures(desk.logs) == figures(home.logs)
    assert len(desk.logs) == 12
    assert sorted(tar.name for tar in desk.sent.iterdir()) == ["checkpoint-4.tar", "checkpoint-8.tar", "final.tar"]
    unpack(desk.sent / "final.tar", tmp_path / "final")
    mine, theirs = tmp_path / "final", home.folder / "run" / "final"
    assert (mine / ADAPTER_TENSORS).read_bytes() == (theirs / ADAPTER_TENSORS).read_bytes()
    assert (mine / RECORDS[1]).exists()


def test_pauses_with_a_checkpoint_and_continues_elsewhere(home: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent", wants={5: "pause", 6: "pause", 7: "pause"})
    assert train(materials_of(home, tmp_path / "first"), desk, RUN_WORKER) == Outcome("paused")
    saved = [event["step"] for event in desk.events if event["type"] == "checkpoint.saved"][-1]
    second = materials_of(home, tmp_path / "second")
    unpack(desk.sent / f"checkpoint-{saved}.tar", second.folder / f"checkpoint-{saved}")
    take_records(second.folder / f"checkpoint-{saved}", second.folder)
    after = ScriptedDesk(tmp_path / "sent-later")
    assert train(second, after, RUN_WORKER) == Outcome("completed")
    assert figures(desk.logs + after.logs) == figures(home.logs)
    unpack(after.sent / "final.tar", tmp_path / "final")
    losses = (tmp_path / "final" / RECORDS[0]).read_bytes()
    assert losses == (home.folder / "run" / RECORDS[0]).read_bytes()


def test_learns_from_rewards_as_at_home(tmp_path: Path) -> None:
    """From the same answers, whose rewards come through the desk. It waits, and hears what is wanted meanwhile."""
    rewarded = run_reference(tmp_path / "home", {**REWARDED, "threads": 1}, rows=24, evaluation=5)
    desk = ScriptedDesk(tmp_path / "sent")
    asked, waits = desk.ask_rewards, iter([True])

    def ask_late(question: dict[str, Any]) -> Any:
        desk.reward = None if next(waits, False) else by_letters
        return asked(question)

    desk.ask_rewards = ask_late  # type: ignore[method-assign]
    assert train(materials_of(rewarded, tmp_path / "run"), desk, RUN_WORKER) == Outcome("completed")
    assert figures(desk.logs) == figures(rewarded.logs)
    names = ("reward", "kl", "quietGroups")
    for log, theirs in zip(desk.logs, rewarded.logs, strict=True):
        assert {name: log[name] for name in names} == {name: theirs["metrics"][name] for name in names}
    assert [question["step"] for question in desk.questions] == [1, 1, 2, 2, 3, 4, 4, 5, 5]
    assert set(desk.questions[0]["groups"][0]) == {"row", "answers"}

    def cancel(question: dict[str, Any]) -> Any:
        canceled._wants = {0: "cancel"}
        canceled.questions.append(question)

    canceled = ScriptedDesk(tmp_path / "sent-again")
    canceled.ask_rewards = cancel  # type: ignore[method-assign]
    assert train(materials_of(rewarded, tmp_path / "again"), canceled, RUN_WORKER) == Outcome("cancelled")
    refused = ScriptedDesk(tmp_path / "refused")

    def refuse(question: dict[str, Any]) -> Any:
        del question
        raise ValueError("The job has no grader.")

    refused.ask_rewards = refuse  # type: ignore[method-assign]
    assert train(materials_of(rewarded, tmp_path / "refused-run"), refused, RUN_WORKER) == Outcome("failed")
    assert refused.events[-1]["error"] == "The job has no grader."


def test_a_full_disk_interrupts_it(home: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pack_nothing(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("svc_ray.node_engine.pack", pack_nothing)
    with pytest.raises(OSError, match="No space left") as fault:
        train(materials_of(home, tmp_path / "run"), ScriptedDesk(tmp_path / "sent"), RUN_WORKER)
    assert outcome_of(fault.value) == Outcome("interrupted", disk_fault="ENOSPC")


def test_a_process_that_dies_is_no_failure_of_the_job(home: Reference, tmp_path: Path) -> None:
    false = shutil.which("false")
    assert false
    outcome = train(materials_of(home, tmp_path / "run"), ScriptedDesk(tmp_path / "sent"), [false])
    assert outcome == Outcome("failed", exit_code=1)
