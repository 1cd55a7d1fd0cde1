"""The engine of PyTorch learns from pairs of answers as svc's own engine does, and as TRL's DPOTrainer does."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.folders import unpack
from svc_ray.outcome import Outcome
from svc_ray.torch_engine.engine import train
from svc_ray.torch_engine.group import Group
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.optimizer import AdamW
from svc_ray.torch_engine.options import PreferenceMethod
from svc_ray.torch_engine.packing import Pass, pack, split, to_pass, units_of
from svc_ray.torch_engine.preferences import PreferenceStep, Scores, scores_of
from svc_ray.torch_engine.row_losses import NAME, Entries, read_entries
from svc_ray.torch_engine.rows import Pair, Row, Rows

from .gradients import add_gradients
from .reference import PAIRS, Reference, run_reference
from .scripted_desk import ScriptedDesk
from .test_architectures import GOLDEN, options_for
from .test_policy import expect_norms
from .test_torch_engine import Run, materials_of, run_undisturbed, train_here

TRL: dict[str, Any] = json.loads((GOLDEN.parent / "preferences" / "expected.json").read_text())
CASES = [(name, title) for name in TRL["results"] for title in TRL["methods"]]

OPTIONS: dict[str, Any] = {
    "loraR": 4,
    "loraAlpha": 8,
    "loraDropout": 0.1,
    "batchSize": 24,
    "maxSteps": 5,
    "learningRate": 0.002,
    "loggingSteps": 1,
    "evalSteps": 2,
    "saveSteps": 2,
    "method": {"type": "dpo", "beta": 0.2, "labelSmoothing": 0.1, "sftWeight": 0.5},
}
# Of losses and rewards, which begin at 0.
TOLERANCE = 1e-4


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """Two epochs of two steps and another step, most of which take several passes."""
    return run_reference(tmp_path_factory.mktemp("pairs"), OPTIONS, rows=40, evaluation=8, data=PAIRS)


@pytest.fixture(scope="module")
def undisturbed(home: Reference, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """With this engine."""
    return run_undisturbed(home, tmp_path_factory.mktemp("undisturbed"))


def measured(logs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without how long it took, and how much was read."""
    left_out = ("type", "tokens", "tokensPerSecond", "metrics")
    whole = [{**log, **log.get("metrics", {})} for log in logs]
    return [{name: value for name, value in log.items() if name not in left_out} for log in whole]


def assert_same(logs: list[dict[str, Any]], expected: list[dict[str, Any]], tolerance: float = TOLERANCE) -> None:
    assert len(logs) == len(expected) > 0
    for log, other in zip(measured(logs), measured(expected), strict=True):
        assert set(log) == set(other)
        for name, value in other.items():
            # Before the first change, only the noise of single precision makes one answer the better one.
            if name == "rewardAccuracy" and log["step"] == 1:
                continue
            assert log[name] == pytest.approx(value, abs=tolerance), f"{name} of step {log['step']}"


def row_losses(run: Path) -> Entries:
    return np.sort(read_entries(run / NAME), order=["step", "row"])


def test_losses_and_rewards_are_those_of_the_node_engine_at_every_step(home: Reference, undisturbed: Run) -> None:
    training = Rows(home.folder / "training.safetensors")
    assert len(pack(list(training)[:24], 2048)) > 1
    desk = undisturbed.desk
    assert [log["step"] for log in desk.logs] == [1, 2, 3, 4, 5]
    assert_same(desk.logs, home.logs)
    names = {"rewardMargin", "rewardAccuracy", "chosenReward", "rejectedReward"}
    assert names < set(desk.logs[0])
    evaluated = [log["step"] for log in desk.logs if "evalLoss" in log]
    assert evaluated == [log["step"] for log in desk.logs if "evalRewardMargin" in log] == [2, 4, 5]
    # It has learned something.
    assert desk.logs[0]["rewardMargin"] == pytest.approx(0, abs=1e-5)
    assert desk.logs[-1]["rewardMargin"] > 0.5
    started, theirs = desk.events[0], home.events[0]
    assert started["trainTokens"] == theirs["trainTokens"]
    final, theirs = desk.events[-1]["metrics"], home.events[-1]["metrics"]
    assert set(final) == set(theirs)
    for name, value in theirs.items():
        assert final[name] == pytest.approx(value, abs=TOLERANCE), name
    own_rows, their_rows = row_losses(undisturbed.folder), row_losses(home.folder / "run")
    assert len(own_rows) == len(their_rows) == 2 * 40 + 24
    for field in ("step", "row", "labels"):
        assert np.array_equal(own_rows[field], their_rows[field])
    assert np.allclose(own_rows["loss"], their_rows["loss"], atol=1e-3)


def test_a_paused_run_goes_on_with_exactly_the_same_losses(home: Reference, undisturbed: Run, tmp_path: Path) -> None:
    """In the second epoch, when the reference of pairs is no longer at hand."""
    first, second = (ScriptedDesk(tmp_path / name) for name in ("a", "b"))
    first._wants = {3: "pause"}
    assert train_here(home, first, tmp_path / "run") == Outcome("paused")
    assert train_here(home, second, tmp_path / "run") == Outcome("completed")
    assert second.events[0]["resumedFromStep"] == 3
    assert measured(first.logs + second.logs) == measured(undisturbed.desk.logs)


def test_each_engine_resumes_what_the_other_one_has_saved(tmp_path: Path) -> None:
    options = {**OPTIONS, "batchSize": 8, "maxSteps": 5, "saveSteps": None, "evalSteps": None, "loggingSteps": 3}
    whole = run_reference(tmp_path / "whole", options, rows=16, data=PAIRS)
    begun = run_reference(tmp_path / "begun", options, rows=16, data=PAIRS, pause_after=3)
    run, desk = tmp_path / "run", ScriptedDesk(tmp_path / "sent")
    shutil.copytree(begun.folder / "run" / "checkpoint-3", run / "checkpoint-3")
    assert train_here(whole, desk, run) == Outcome("completed")
    assert desk.events[0]["resumedFromStep"] == 3
    assert_same(desk.logs, [log for log in whole.logs if log["step"] > 3])
    paused = ScriptedDesk(tmp_path / "paused", wants={1: "pause"})
    assert train_here(whole, paused, tmp_path / "own") == Outcome("paused")
    unpack(paused.sent / "checkpoint-3.tar", tmp_path / "theirs" / "run" / "checkpoint-3")
    resumed = run_reference(tmp_path / "theirs", options, rows=16, data=PAIRS)
    assert resumed.events[0]["resumedFromStep"] == 3
    assert_same(resumed.logs, [log for log in whole.logs if log["step"] > 3])


def test_passes_that_do_not_fit_are_halved_and_tear_no_pair_apart(
    home: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gradients, failed, fitting = Model.gradients, [], []

    def with_little_memory(model: Model, taken: Pass, *given: Any, **named: Any) -> Any:
        if sum(taken.lengths) > 400:
            failed.append(taken)
            raise torch.OutOfMemoryError("CUDA out of memory.")
        fitting.append(taken)
        return gradients(model, taken, *given, **named)

    monkeypatch.setattr(Model, "gradients", with_little_memory)
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(home, desk, tmp_path / "run") == Outcome("completed")
    assert 0 < len(failed) < 5
    assert all(len(unit) == 2 for taken in fitting for unit in units_of(taken.members))
    assert_same(desk.logs, home.logs)


def test_a_pair_that_does_not_fit_fails_with_what_would(
    home: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_memory(*_: Any, **__: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(Model, "gradients", without_memory)
    outcome = train_here(home, ScriptedDesk(tmp_path / "sent"), tmp_path / "run")
    assert outcome.error and "does not fit into this GPU's memory. Lower maxLength" in outcome.error


class Workers:
    """Groups of this process, whose workers are threads."""

    def __init__(self, size: int) -> None:
        self.barrier = threading.Barrier(size, timeout=60)
        self.given: list[Any] = [None] * size
        self.groups = [_Worker(self, rank) for rank in range(size)]


class _Worker(Group):
    def __init__(self, workers: Workers, rank: int) -> None:
        self._workers = workers
        self.rank = rank
        self.size = len(workers.given)

    def _all(self, value: Any) -> list[Any]:
        self._workers.given[self.rank] = value
        self._workers.barrier.wait()
        given = list(self._workers.given)
        self._workers.barrier.wait()
        return given

    def sum_values(self, values: Sequence[torch.Tensor]) -> None:
        sums = [sum(parts) for parts in zip(*self._all([value.clone() for value in values]), strict=True)]
        for value, total in zip(values, sums, strict=True):
            value.copy_(total)

    def sum_number(self, number: float) -> float:
        return float(sum(self._all(number)))

    def gather(self, entries: Entries) -> Entries:
        return np.concatenate(self._all(entries))

    def agree(self, number: int) -> int:
        return int(self._all(number)[0])


def test_two_workers_have_the_losses_of_one(home: Reference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workers, alone = Workers(2), threading.Lock()
    options = {**home.options, "loraDropout": 0, "maxSteps": 3}
    one, two = ScriptedDesk(tmp_path / "one"), ScriptedDesk(tmp_path / "two")
    train(materials_of(home, tmp_path / "alone", options=options), one, Group(), torch.device("cpu"))

    # Threads share what transformers sets while it loads a model.
    def open_in_turn(*given: Any) -> Model:
        with alone:
            model = Model(*given)
        workers.barrier.wait()
        return model

    monkeypatch.setattr("svc_ray.torch_engine.engine.Model", open_in_turn)
    outcomes: list[Outcome] = []

    def work(group: Group) -> None:
        materials = materials_of(home, tmp_path / f"worker-{group.rank}", options=options)
        outcomes.append(train(materials, two if group.rank == 0 else None, group, torch.device("cpu")))

    threads = [threading.Thread(target=work, args=(group,)) for group in workers.groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [Outcome("completed")] * 2
    assert_same(two.logs, one.logs)
    assert len(read_entries(tmp_path / "worker-0" / NAME)) == len(read_entries(tmp_path / "alone" / NAME))


def test_rows_that_are_no_pairs_fail_with_the_reason(home: Reference, tmp_path: Path) -> None:
    plain = run_reference(tmp_path / "plain", {"loraR": 4, "maxSteps": 1, "batchSize": 4}, rows=8)
    options = {**plain.options, "method": home.options["method"]}
    outcome = train_here(plain, ScriptedDesk(tmp_path / "sent"), tmp_path / "run", options=options)
    assert outcome.error and "learns from pairs of answers" in outcome.error


def trl_pairs() -> list[Pair]:
    pairs = []
    for number, pair in enumerate(TRL["pairs"]):
        chosen, rejected = pair["chosen"], pair["rejected"]
        ids = np.array(chosen["ids"] + rejected["ids"], np.int32)
        pairs.append(
            Pair(ids, np.array(chosen["learned"] + rejected["learned"], np.uint8), number, chosen=len(chosen["ids"]))
        )
    return pairs


def score(model: Model, pairs: Sequence[Pair]) -> Scores:
    members: list[Row] = [text for pair in pairs for text in pair.texts]
    return scores_of(members, model.losses(to_pass([members])).numpy())


@pytest.mark.parametrize(("name", "title"), CASES)
def test_learns_as_trl_does(name: str, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the vocabulary is so large that the head has the labels in parts."""
    given, expected = TRL["methods"][title], TRL["results"][name][title]
    _, *others = given["loss_weights"]
    method = PreferenceMethod(given["beta"], 0, others[0] if others else 0)
    folder = GOLDEN / name
    model = Model(folder, replace(options_for(folder), method=method), None, torch.device("cpu"))
    if title != "dpo":
        monkeypatch.setattr(model._head, "_labels_at_once", 7)
    for matrix in model.adapter.matrices:
        torch.nn.init.zeros_(matrix.values)
    pairs = trl_pairs()
    reference = score(model, pairs)
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    optimizer = AdamW(model.adapter.matrices, 0.0)
    for step, wanted in enumerate(expected["losses"]):
        goal = PreferenceStep(pairs, reference, method, model.device, Group())
        assert len(pack(goal.rows, 100)) > 1
        loss = add_gradients(model, goal, 100)
        assert loss == pytest.approx(wanted, rel=1e-5 if step == 0 else 1e-3), f"the loss of step {step}"
        metrics, theirs = goal.metrics(), expected["metrics"][step]
        for own, name in {"chosenReward": "chosen", "rejectedReward": "rejected", "rewardMargin": "margins"}.items():
            assert metrics[own] == pytest.approx(theirs[name], rel=2e-3, abs=2e-5 if step == 0 else 2e-3)
        assert metrics["rewardAccuracy"] == pytest.approx(theirs["accuracies"], abs=1e-5)
        if step == 0:
            expect_norms(model, expected["gradient_norms"])
        optimizer.step(TRL["learning_rate"], 1.0)


@pytest.mark.parametrize("one_line", [True, False])
@pytest.mark.parametrize("limit", [4, 30, 60, 1000])
def test_parts_have_whole_pairs(limit: int, one_line: bool) -> None:
    pairs = trl_pairs()
    (whole,) = pack(pairs, 1000)
    longest = max(map(len, pairs))
    parts = [to_pass(lines, None if lines is whole else whole) for lines in split(whole, limit, one_line)]
    found = [unit for part in parts for unit in units_of(part.members)]
    assert sorted(unit[0].number for unit in found) == [0, 1, 2, 3, 4]
    assert all(len(unit) == 2 for unit in found)
    for part in parts:
        assert sum(part.lengths) <= max(limit, longest)
        assert len(part.ids) == 1 or not one_line
