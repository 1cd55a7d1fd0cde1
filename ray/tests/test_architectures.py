"""Packed rows have the losses that transformers and PEFT compute for each row, windows and scales included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.options import MODULES, Options
from svc_ray.torch_engine.packing import Pass

GOLDEN = Path(__file__).parents[2] / "tests" / "golden" / "engine"


def options() -> Options:
    return Options(
        lora_r=8,
        lora_alpha=16,
        lora_dropout=0.0,
        target_modules=MODULES,
        max_steps=1,
        num_train_epochs=1,
        learning_rate=0.002,
        batch_size=3,
        gradient_accumulation_steps=1,
        lr_scheduler_type="constant",
        warmup_steps=0,
        weight_decay=0.0,
        max_gradient_norm=1.0,
        logging_steps=1,
        save_steps=None,
        eval_steps=None,
        keep_checkpoints=1,
        seed=1,
    )


def one_line(folder: Path) -> Pass:
    """All rows of the batch, one after another."""
    batch = json.loads((folder / "batch.json").read_text())
    ids, labels = (torch.tensor(batch[name]) for name in ("input_ids", "labels"))
    rows, length = ids.shape
    learned = labels.flatten() >= 0
    learned[::length] = False
    places = torch.nonzero(learned).flatten()
    return Pass(
        ids=ids.reshape(1, -1),
        positions=torch.arange(length).repeat(rows)[None],
        rows=torch.arange(rows).repeat_interleave(length)[None],
        at=places - 1,
        labels=ids.flatten()[places],
        lengths=(length,) * rows,
        drawn=rows * length,
    )


@pytest.mark.parametrize("name", ["llama", "gemma3", "smollm3", "granite", "mistral", "ministral"])
def test_losses_of_packed_rows(name: str) -> None:
    folder = GOLDEN / name
    model = Model(folder, options(), None, torch.device("cpu"))
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    taken = one_line(folder)
    expected = json.loads((folder / "expected.json").read_text())["loss_with_adapter_init"]
    assert model.loss(taken, 1 / len(taken.at)) == pytest.approx(expected, rel=1e-5)
