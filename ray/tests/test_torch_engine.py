"""The engine of PyTorch computes what svc's own engine computes. `tests/ray/torch.test.ts` compares a longer run."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import SafetensorError

from svc_ray.digests import ADAPTER_CONFIG, ADAPTER_TENSORS, is_intact, write_sums
from svc_ray.folders import unpack
from svc_ray.materials import Materials
from svc_ray.outcome import Outcome
from svc_ray.torch_engine import checkpoint
from svc_ray.torch_engine.checkpoint import STATE
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import Group
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.packing import Pass
from svc_ray.torch_engine.row_losses import NAME, read_entries

from .reference import WHOLE_MODEL, Reference, run_reference, to_claim
from .scripted_desk import ScriptedDesk

# Of losses: masks that are drawn in another way change them by ten times as much.
TOLERANCE = 1e-5
# With the bundled model as it is, over more steps.
WHOLE_TOLERANCE = 1e-3
OPTIONS: dict[str, Any] = {
    "loraR": 8,
    "loraAlpha": 16,
    "batchSize": 4,
    "gradientAccumulationSteps": 2,
    "maxSteps": 14,
    "warmupSteps": 3,
    "weightDecay": 0.01,
    "loggingSteps": 1,
    "evalSteps": 6,
    "saveSteps": 4,
    "keepCheckpoints": 2,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """With the bundled model as it is, in the third epoch at the end."""
    return run_reference(tmp_path_factory.mktemp("whole"), OPTIONS, rows=48, evaluation=12, model=WHOLE_MODEL)


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """With dropout, several passes a step, and modules in an order of its own."""
    options = {
        "loraR": 4,
        "loraAlpha": 8,
        "loraDropout": 0.2,
        "targetModules": ["v_proj", "down_proj", "q_proj"],
        "batchSize": 48,
        "maxSteps": 4,
        "lrSchedulerType": "cosine",
        "learningRate": 0.02,
        "maxGradNorm": 0.5,
    }
    return run_reference(tmp_path_factory.mktemp("masked"), options)


@dataclass(frozen=True)
class Run:
    folder: Path
    desk: ScriptedDesk


@pytest.fixture(scope="module")
def undisturbed(masked: Reference, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """With this engine."""
    return run_undisturbed(masked, tmp_path_factory.mktemp("undisturbed"))


def run_undisturbed(reference: Reference, folder: Path) -> Run:
    desk = ScriptedDesk(folder / "sent")
    assert train_here(reference, desk, folder / "run") == Outcome("completed")
    return Run(folder / "run", desk)


def materials_of(reference: Reference, folder: Path, **run: Any) -> Materials:
    folder.mkdir(parents=True, exist_ok=True)
    evaluation = reference.folder / "evaluation.safetensors"
    return Materials(
        claim=to_claim(reference, **run),
        model=reference.model,
        training=reference.folder / "training.safetensors",
        evaluation=evaluation if evaluation.exists() else None,
        initial=reference.folder / "initial" / ADAPTER_TENSORS,
        folder=folder,
    )


def train_here(reference: Reference, desk: ScriptedDesk, folder: Path, **run: Any) -> Outcome:
    return train(materials_of(reference, folder, **run), desk, Group(), torch.device("cpu"))


def assert_same_logs(logs: list[dict[str, Any]], expected: list[dict[str, Any]], tolerance: float = TOLERANCE) -> None:
    assert [log["step"] for log in logs] == [log["step"] for log in expected]
    for log, other in zip(logs, expected, strict=True):
        assert log["loss"] == pytest.approx(other["loss"], rel=tolerance)
        assert log["learningRate"] == pytest.approx(other["learningRate"], rel=1e-9)
        assert log["epoch"] == other["epoch"]
        assert log["tokens"] == other["tokens"]
        assert ("evalLoss" in log) == ("evalLoss" in other)
        if "evalLoss" in other:
            assert log["evalLoss"] == pytest.approx(other["evalLoss"], rel=tolerance)


def test_losses_follow_those_of_the_node_engine_at_every_step(whole: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(whole, desk, tmp_path / "run") == Outcome("completed")
    assert len(desk.logs) == 14
    assert_same_logs(desk.logs, whole.logs, WHOLE_TOLERANCE)
    started = desk.events[0]
    assert started["type"] == "training.started"
    assert started["device"] == {"type": "cpu", "software": f"PyTorch {torch.__version__}"}
    assert {name: started[name] for name in ("totalSteps", "trainableParameters", "trainTokens", "weights")} == {
        name: whole.events[0][name] for name in ("totalSteps", "trainableParameters", "trainTokens", "weights")
    }
    saved = [event["step"] for event in desk.events if event["type"] == "checkpoint.saved"]
    assert saved == [event["step"] for event in whole.events if event["type"] == "checkpoint"] == [4, 8, 12]
    final = desk.events[-1]
    assert final["type"] == "training.completed"
    assert [artifact["name"] for artifact in final["artifacts"]][-1] == "final"
    assert final["metrics"]["trainLoss"] == desk.logs[-1]["loss"]
    assert sorted(path.name for path in desk.sent.iterdir()) == [
        "checkpoint-12.tar",
        "checkpoint-4.tar",
        "checkpoint-8.tar",
        "final.tar",
    ]
    assert {name: started[name] for name in ("rows", "evalRows")} == {"rows": 48, "evalRows": 12}
    # The same adapter, for the programs that load it.
    theirs = (whole.folder / "run" / "final" / ADAPTER_CONFIG).read_text()
    assert (tmp_path / "run" / "final" / ADAPTER_CONFIG).read_text() == theirs


def test_dropout_draws_the_same_masks_in_the_same_passes(masked: Reference, undisturbed: Run) -> None:
    assert len(masked.packs[1]) > 1
    assert_same_logs(undisturbed.desk.logs, masked.logs)
    own, theirs = (
        np.sort(read_entries(folder / NAME), order=["step", "row"])
        for folder in (undisturbed.folder, masked.folder / "run")
    )
    assert len(own) == len(theirs) > 4 * 24
    for field in ("step", "row", "labels"):
        assert np.array_equal(own[field], theirs[field])
    assert np.allclose(own["loss"], theirs["loss"], rtol=0.01)


def test_gradients_are_scaled_down_to_the_largest_norm_as_by_the_node_engine(tmp_path: Path) -> None:
    """To one that AdamW's epsilon is not small beside: it evens out any other scale of all steps."""
    options = {"loraR": 4, "batchSize": 4, "maxSteps": 4, "learningRate": 0.003, "lrSchedulerType": "constant"}
    bound = run_reference(tmp_path / "bound", {**options, "maxGradNorm": 3e-7}, rows=16)
    usual = run_reference(tmp_path / "usual", options, rows=16)
    assert bound.options["maxGradNorm"] == 3e-7
    assert usual.options["maxGradNorm"] == 1
    last = [reference.logs[-1]["loss"] for reference in (bound, usual)]
    assert last[0] > last[1] * 1.05
    for reference in (bound, usual):
        desk = ScriptedDesk(reference.folder / "sent")
        assert train_here(reference, desk, reference.folder / "torch") == Outcome("completed")
        assert_same_logs(desk.logs, reference.logs)


def test_passes_that_do_not_fit_are_halved_and_change_no_loss(
    masked: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory runs out when all gradients of the pass are computed."""
    gradients, failed = Model.gradients, []

    def with_little_memory(model: Model, taken: Pass, *given: Any, **named: Any) -> Any:
        found = gradients(model, taken, *given, **named)
        if sum(taken.lengths) > 800:
            failed.append(taken)
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return found

    monkeypatch.setattr(Model, "gradients", with_little_memory)
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(masked, desk, tmp_path / "run") == Outcome("completed")
    assert 0 < len(failed) < 5
    assert_same_logs(desk.logs, masked.logs)


def test_a_row_that_does_not_fit_fails_with_what_would(
    masked: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_memory(*_: Any, **__: Any) -> Any:
        raise RuntimeError("CUDA error: out of memory")

    monkeypatch.setattr(Model, "gradients", without_memory)
    outcome = train_here(masked, ScriptedDesk(tmp_path / "sent"), tmp_path / "run")
    assert outcome.error and re.fullmatch(r"A row of \d+ tokens does not fit into .* Lower maxLength.*", outcome.error)


def test_resumes_what_the_node_engine_has_saved(tmp_path: Path) -> None:
    """Between two logs, the second of which is of all steps since the first."""
    options = {**OPTIONS, "maxSteps": 8, "warmupSteps": 0, "saveSteps": 4, "evalSteps": None, "loggingSteps": 3}
    whole = run_reference(tmp_path / "whole", options)
    run = tmp_path / "run"
    shutil.copytree(whole.folder / "run" / "checkpoint-4", run / "checkpoint-4")
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(whole, desk, run) == Outcome("completed")
    assert desk.events[0]["resumedFromStep"] == 4
    assert_same_logs(desk.logs, [log for log in whole.logs if log["step"] > 4])
    # What only that engine knows is kept for it.
    paused, again = ScriptedDesk(tmp_path / "paused", wants={1: "pause"}), tmp_path / "again"
    shutil.copytree(whole.folder / "run" / "checkpoint-4", again / "checkpoint-4")
    assert train_here(whole, paused, again) == Outcome("paused")
    orders = [json.loads((again / name / STATE).read_text())["order"] for name in ("checkpoint-4", "checkpoint-6")]
    assert orders[0] == orders[1] != ""


def test_the_node_engine_resumes_what_it_has_saved(tmp_path: Path) -> None:
    options = {**OPTIONS, "maxSteps": 12, "saveSteps": 5, "evalSteps": None, "loggingSteps": 2}
    whole = run_reference(tmp_path / "whole", options, pause_after=None)
    desk = ScriptedDesk(tmp_path / "sent", wants={3: "pause"})
    materials = materials_of(whole, tmp_path / "run")
    assert train(materials, desk, Group(), torch.device("cpu")) == Outcome("paused")
    assert desk.events[-1]["type"] == "checkpoint.saved"
    unpack(desk.sent / "checkpoint-5.tar", tmp_path / "theirs" / "run" / "checkpoint-5")
    resumed = run_reference(tmp_path / "theirs", options)
    assert resumed.events[0]["resumedFromStep"] == 5
    assert resumed.events[0]["damagedCheckpoints"] == []
    assert_same_logs([log for log in whole.logs if log["step"] > 5], resumed.logs)


def test_a_paused_run_goes_on_with_exactly_the_same_losses(masked: Reference, undisturbed: Run, tmp_path: Path) -> None:
    first, second = (ScriptedDesk(tmp_path / name) for name in ("a", "b"))
    first._wants = {2: "pause"}
    assert train_here(masked, first, tmp_path / "run") == Outcome("paused")
    assert is_intact(tmp_path / "run" / "checkpoint-2")
    assert train_here(masked, second, tmp_path / "run") == Outcome("completed")
    losses = [log["loss"] for log in first.logs + second.logs]
    assert losses == [log["loss"] for log in undisturbed.desk.logs]
    written = [(folder / NAME).read_bytes() for folder in (undisturbed.folder, tmp_path / "run")]
    assert written[0] == written[1]


def test_a_run_keeps_the_precision_of_its_weights(masked: Reference, tmp_path: Path) -> None:
    first, second = (ScriptedDesk(tmp_path / name) for name in ("a", "b"))
    first._wants = {2: "pause"}
    assert train_here(masked, first, tmp_path / "run", weights="nf4") == Outcome("paused")
    assert train_here(masked, second, tmp_path / "run") == Outcome("completed")
    assert [desk.events[0]["weights"] for desk in (first, second)] == ["nf4", "nf4"]
    for log, exact in zip(first.logs + second.logs, masked.logs, strict=True):
        assert log["loss"] == pytest.approx(exact["loss"], rel=0.1)
        assert log["loss"] != exact["loss"]
    outcome = train_here(masked, ScriptedDesk(tmp_path / "c"), tmp_path / "other", weights="int2")
    assert outcome.error == "The engine torch does not have base weights in int2."


def test_a_run_with_int8_goes_on_with_the_other_engine_and_back(tmp_path: Path) -> None:
    """Whichever engine has begun it."""
    options = {**OPTIONS, "maxSteps": 6, "saveSteps": 2, "evalSteps": None, "weights": "int8"}
    whole = run_reference(tmp_path / "whole", options, rows=24)
    own, theirs = tmp_path / "own", tmp_path / "theirs" / "run"
    assert train_here(whole, ScriptedDesk(tmp_path / "a", {2: "pause"}), own, weights="int8") == Outcome("paused")
    shutil.copytree(own / "checkpoint-2", theirs / "checkpoint-2")
    resumed = run_reference(tmp_path / "theirs", {**options, "weights": "f32"}, rows=24, pause_after=4)
    assert resumed.events[0]["resumedFromStep"] == 2
    for run in (resumed, whole):
        desk, folder = ScriptedDesk(tmp_path / "b"), run.folder / "back"
        shutil.copytree(run.folder / "run" / "checkpoint-4", folder / "checkpoint-4")
        assert train_here(whole, desk, folder) == Outcome("completed")
        assert (desk.events[0]["resumedFromStep"], desk.events[0]["weights"]) == (4, "int8")
        assert_same_logs(desk.logs, [log for log in whole.logs if log["step"] > 4], 0.01)


def test_a_run_with_weights_in_f16_goes_on_in_f32(masked: Reference, undisturbed: Run, tmp_path: Path) -> None:
    """Such as one of svc's own engine on a GPU."""
    first, second = (ScriptedDesk(tmp_path / name) for name in ("a", "b"))
    first._wants = {2: "pause"}
    assert train_here(masked, first, tmp_path / "run") == Outcome("paused")
    saved = tmp_path / "run" / "checkpoint-2"
    state = json.loads((saved / STATE).read_text())
    (saved / STATE).write_text(json.dumps({**state, "weights": "f16"}))
    write_sums(saved)
    assert train_here(masked, second, tmp_path / "run") == Outcome("completed")
    assert (second.events[0]["resumedFromStep"], second.events[0]["weights"]) == (2, "f32")
    assert [log["loss"] for log in second.logs] == [log["loss"] for log in undisturbed.desk.logs[2:]]


def test_what_is_saved_survives_a_power_cut(masked: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows syncs only files that are open for writing."""
    synced: list[tuple[str, bool]] = []

    def fsync(opened: int) -> None:
        is_writable = fcntl.fcntl(opened, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR
        synced.append((str(Path(f"/proc/self/fd/{opened}").readlink().relative_to(tmp_path)), is_writable))

    monkeypatch.setattr(os, "fsync", fsync)
    short = replace(masked, options={**masked.options, "maxSteps": 2, "saveSteps": 1})
    assert train_here(short, ScriptedDesk(tmp_path / "sent"), tmp_path / "run") == Outcome("completed")
    for name in ("checkpoint-1", "final"):
        files = [path.name for path in (tmp_path / "run" / name).iterdir()]
        *saved, folder, parent = [entry for entry in synced if NAME not in entry[0]][: len(files) + 2]
        assert sorted(saved) == sorted((f"run/{name}.partial/{file}", True) for file in files)
        assert [folder, parent] == [(f"run/{name}.partial", False), ("run", False)]
        del synced[: synced.index(parent) + 1]


def test_a_damaged_checkpoint_is_reported_and_not_used(masked: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent", wants={2: "pause"})
    train_here(masked, desk, tmp_path / "run")
    file = tmp_path / "run" / "checkpoint-2" / ADAPTER_TENSORS
    file.write_bytes(file.read_bytes()[:-4] + b"abcd")
    again = ScriptedDesk(tmp_path / "again", wants={1: "cancel"})
    assert train_here(masked, again, tmp_path / "run") == Outcome("cancelled")
    assert again.events[0]["damagedCheckpoints"] == [2]
    assert "resumedFromStep" not in again.events[0]


def test_cancelling_saves_nothing(masked: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent", wants={2: "cancel"})
    assert train_here(masked, desk, tmp_path / "run") == Outcome("cancelled")
    assert len(desk.logs) == 2
    assert [path.name for path in (tmp_path / "run").iterdir()] == [NAME]


def test_records_no_losses_of_replayed_rows(masked: Reference, undisturbed: Run, tmp_path: Path) -> None:
    own, replayed = ({**masked.tokens["data"][0], "rows": rows} for rows in (100, 20))
    continued = replace(masked, tokens={**masked.tokens, "data": [own], "replayed": [replayed]})
    found = read_entries(run_undisturbed(continued, tmp_path).folder / NAME)
    entries = read_entries(undisturbed.folder / NAME)
    assert 0 < len(found) < len(entries)
    assert np.array_equal(found, entries[entries["row"] < 100])


def test_a_dry_run_takes_one_step_and_keeps_nothing(masked: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(masked, desk, tmp_path / "run", dryRun=True) == Outcome("completed")
    assert [event["type"] for event in desk.events] == ["training.started", "training.log", "training.completed"]
    assert desk.events[-1]["artifacts"] == []
    assert list(desk.sent.iterdir()) == []


def test_a_full_disk_holds_the_run_up_until_there_is_room(
    masked: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_ray.torch_engine.control._FIRST_WAIT_S", 0.001)
    in_words = SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)")
    faults: Iterator[Exception] = iter([OSError(28, "No space left on device"), in_words])
    save = checkpoint.save_checkpoint

    def save_when_there_is_room(*arguments: Any) -> Path:
        for fault in faults:
            raise fault
        return save(*arguments)

    monkeypatch.setattr("svc_ray.torch_engine.engine.save_checkpoint", save_when_there_is_room)
    desk = ScriptedDesk(tmp_path / "sent", wants={1: "pause"})
    assert train_here(masked, desk, tmp_path / "run") == Outcome("paused")
    assert desk.faults == ["ENOSPC", "ENOSPC", None]


def test_a_failure_says_why(masked: Reference, tmp_path: Path) -> None:
    desk = ScriptedDesk(tmp_path / "sent")
    hot = replace(masked, options={**masked.options, "learningRate": 1e30, "maxGradNorm": 1e30})
    outcome = train_here(hot, desk, tmp_path / "run")
    assert outcome.status == "failed"
    assert outcome.error and "is not a finite number. Try a lower learning rate." in outcome.error
