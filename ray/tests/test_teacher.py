"""The engine of PyTorch learns a teacher's distribution as plain PyTorch and svc's own engine do."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.outcome import Outcome
from svc_ray.torch_engine.goal import SoftStep
from svc_ray.torch_engine.group import Group
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.optimizer import AdamW
from svc_ray.torch_engine.packing import pack
from svc_ray.torch_engine.row_losses import NAME, read_entries
from svc_ray.torch_engine.rows import Row, Rows, Soft

from .gradients import add_gradients
from .reference import DATA, MODEL, Reference, run_reference
from .scripted_desk import ScriptedDesk
from .test_architectures import GOLDEN, options_for
from .test_preferences import assert_same
from .test_torch_engine import train_here

GIVEN: dict[str, Any] = json.loads((GOLDEN.parent / "distillation" / "expected.json").read_text())
TEXT = Tokenizer.from_file(str(MODEL / "tokenizer.json"))

OPTIONS: dict[str, Any] = {
    "loraR": 4,
    "loraAlpha": 8,
    "loraDropout": 0.1,
    "batchSize": 48,
    "maxSteps": 4,
    "learningRate": 0.002,
    "loggingSteps": 1,
    "evalSteps": 2,
    "softWeight": 0.7,
}


def given_rows() -> list[Row]:
    return [to_row(number, **row) for number, row in enumerate(GIVEN["rows"])]


def to_row(number: int, ids: list[int], learned: int, taught: int, tokens: list[list[list[float]]]) -> Row:
    entries = [entry for token in tokens for entry in token]
    soft = Soft(
        taught,
        np.cumsum([len(token) for token in tokens], dtype=np.int32),
        np.array([int(token) for token, _ in entries], np.int32),
        np.array([share for _, share in entries], np.float32),
    )
    is_learned = np.arange(len(ids)) >= learned
    return Row(np.array(ids, np.int32), is_learned.astype(np.uint8), number, soft if tokens else None)


@pytest.mark.parametrize(("limit", "labels_at_once"), [(2048, 10_000), (24, 3)])
@pytest.mark.parametrize("name", list(GIVEN["results"]))
def test_learns_as_pytorch_does(name: str, limit: int, labels_at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = GIVEN["results"][name]
    folder = GOLDEN / name
    model = Model(folder, replace(options_for(folder), soft_weight=GIVEN["weight"]), None, torch.device("cpu"))
    monkeypatch.setattr(model._head, "_labels_at_once", labels_at_once)
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    optimizer = AdamW(model.adapter.matrices, 0.0)
    assert any(row.soft is None for row in given_rows())
    for step, wanted in enumerate(expected["losses"]):
        goal = SoftStep(given_rows(), GIVEN["weight"], model.device, Group())
        assert add_gradients(model, goal, limit) == pytest.approx(wanted, abs=2e-5), f"the loss of step {step}"
        assert goal.metrics()["softLoss"] == pytest.approx(expected["divergences"][step], rel=1e-4)
        norms = expected.get(f"gradient_norms_{step}", {})
        for matrix in model.adapter.matrices:
            if norms:
                assert matrix.values.grad is not None
                assert float(matrix.values.grad.norm()) == pytest.approx(norms[matrix.name], rel=1e-3), matrix.name
        optimizer.step(GIVEN["learning_rate"], 1.0)


def with_teacher(line: str, number: int) -> str:
    """Every third row has none. It hesitates between its answer and others, of which some are left out."""
    row = json.loads(line)
    pieces = [TEXT.decode([token]) for token in TEXT.encode(row["messages"][-1]["content"]).ids]
    row["logprobs"] = [
        [
            [piece, math.log(0.6)],
            *(
                [other, math.log(0.2 / (at + 1))]
                for at, other in enumerate(o for o in "abc" if o != piece)
                if at < i % 3
            ),
        ]
        for i, piece in enumerate(pieces)
    ]
    if number % 3 == 2:
        del row["logprobs"]
    return json.dumps(row)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = tmp_path_factory.mktemp("taught")
    for name in ("train.jsonl", "held-out.jsonl"):
        lines = (DATA / name).read_text().splitlines()[:60]
        (folder / name).write_text("\n".join(with_teacher(line, number) for number, line in enumerate(lines)))
    return run_reference(folder / "home", OPTIONS, rows=60, evaluation=6, data=folder)


def test_losses_and_distances_are_those_of_the_node_engine(home: Reference, tmp_path: Path) -> None:
    rows = list(Rows(home.folder / "training.safetensors"))
    assert sum(row.soft is None for row in rows) == 20
    assert len(pack(rows[:48], 2048)) > 1
    desk = ScriptedDesk(tmp_path / "sent")
    assert train_here(home, desk, tmp_path / "run") == Outcome("completed")
    assert_same(desk.logs, home.logs)
    assert [log["step"] for log in desk.logs if "evalSoftLoss" in log] == [2, 4]
    assert desk.logs[-1]["softLoss"] < desk.logs[0]["softLoss"]
    own, theirs = (
        np.sort(read_entries(folder / "run" / NAME), order=["step", "row"]) for folder in (tmp_path, home.folder)
    )
    assert len(own) == len(theirs)
    assert np.array_equal(own["row"], theirs["row"])
    assert np.allclose(own["loss"], theirs["loss"], atol=1e-3)
