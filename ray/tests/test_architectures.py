"""Packed rows have the losses that transformers and PEFT compute for each row, windows and scales included."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from torch.nn import functional

from svc_ray.digests import ADAPTER_CONFIG, ADAPTER_TENSORS
from svc_ray.torch_engine.load import load_model
from svc_ray.torch_engine.memory import Room
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.norms import fuse_norms
from svc_ray.torch_engine.options import Options
from svc_ray.torch_engine.packing import Pass, to_pass
from svc_ray.torch_engine.rows import Row, Rows

GOLDEN = Path(__file__).parents[2] / "tests" / "golden" / "engine"


def options(modules: tuple[str, ...]) -> Options:
    return Options(
        lora_r=8,
        lora_alpha=16,
        lora_dropout=0.0,
        target_modules=modules,
        max_length=64,
        max_steps=1,
        num_train_epochs=1,
        learning_rate=0.002,
        batch_size=3,
        gradient_accumulation_steps=1,
        lr_scheduler_type="constant",
        warmup_steps=0,
        weight_decay=0.0,
        max_grad_norm=1.0,
        logging_steps=1,
        save_steps=None,
        eval_steps=None,
        keep_checkpoints=1,
        seed=1,
    )


def options_for(folder: Path) -> Options:
    """The modules of the reference adapter, in an order of their own."""
    config = json.loads((folder / "adapter_init" / ADAPTER_CONFIG).read_text())
    return options(tuple(sorted(config["target_modules"])))


def one_line(folder: Path) -> Pass:
    """All rows of the batch, one after another."""
    batch = json.loads((folder / "batch.json").read_text())
    ids, labels = (np.array(batch[name], np.int32) for name in ("input_ids", "labels"))
    rows = [Row(row, (wanted >= 0).astype(np.uint8)) for row, wanted in zip(ids, labels, strict=True)]
    return to_pass([rows])


ARCHITECTURES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def open_model(folder: Path, weights: str = "f32") -> Model:
    model = Model(folder, options_for(folder), None, torch.device("cpu"), weights)
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    return model


def expected_of(folder: Path) -> Any:
    return json.loads((folder / "expected.json").read_text())


def loss_of(
    name: str | Path, change: Callable[[Model], None] = lambda _: None, weights: str = "f32"
) -> tuple[float, float]:
    """And the loss that is expected."""
    folder = GOLDEN / name
    model = open_model(folder, weights)
    change(model)
    taken = one_line(folder)
    expected = expected_of(folder)["loss_with_adapter_init"]
    losses, _ = model.gradients(taken, 1 / len(taken.at), (0, 0))
    loss = float(losses.mean())
    assert loss == pytest.approx(float(model.losses(taken).mean()), rel=1e-6)
    return loss, expected


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_losses_of_packed_rows(name: str) -> None:
    loss, expected = loss_of(name)
    assert loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_gradients_of_packed_rows(name: str) -> None:
    folder = GOLDEN / name
    model = open_model(folder)
    taken = one_line(folder)
    _, gradients = model.gradients(taken, 1 / len(taken.at), (0, 0))
    norms = {
        matrix.name: float(gradient.norm()) for matrix, gradient in zip(model.adapter.matrices, gradients, strict=True)
    }
    assert norms == pytest.approx(expected_of(folder)["lora_grad_norms"], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "rates"), [("granite", {"attention_dropout": 0.1}), ("phi3", {"resid_pdrop": 0.1, "embd_pdrop": 0.1})]
)
def test_the_base_model_drops_nothing(name: str, rates: dict[str, float], tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(GOLDEN / name, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **rates}))
    loss, expected = loss_of(folder)
    assert loss == pytest.approx(expected, rel=1e-5)


def varlen(*given: Any, scale: float, window_size: tuple[int, int], enable_gqa: bool) -> torch.Tensor:
    """What the kernels compute, row by row."""
    query, key, value, bounds = given[:4]
    assert enable_gqa and window_size[1] == 0
    rows = []
    for start, end in pairwise(bounds.tolist()):
        q, k, v = (values[start:end].transpose(0, 1) for values in (query, key, value))
        mask = torch.ones(end - start, end - start, dtype=torch.bool).tril()
        if window_size[0] >= 0:
            mask = mask.triu(-window_size[0])
        states = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)
        rows.append(states.transpose(0, 1))
    return torch.cat(rows)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_rows_attend_by_their_lengths(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc_ray.torch_engine.attention.varlen_attn", varlen)
    monkeypatch.setattr("svc_ray.torch_engine.model.can_attend_by_rows", lambda *_: True)
    loss, expected = loss_of(name)
    assert loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("name", "width"), [("llama", 176), ("granite4", 112), ("lfm2", 80), ("phi3", 112)])
def test_the_width_of_the_feed_forward_part_is_that_of_its_weights(name: str, width: int) -> None:
    folder = GOLDEN / name
    model = Model(folder, options_for(folder), None, torch.device("cpu"))
    assert model.adapter.feed_width == width


def recompute(model: Model) -> None:
    model.room.recompute = True


def fuse(model: Model) -> None:
    fuse_norms(model.base)
    assert any("forward" in vars(module) for module in model.base.modules())


@pytest.mark.parametrize(("name", "change"), [("llama", recompute), ("llama", fuse), ("qwen3_5", recompute)])
def test_what_saves_memory_changes_no_loss(name: str, change: Callable[[Model], None]) -> None:
    loss, expected = loss_of(name, change)
    assert loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("free", [2**20, 2**40])
def test_passes_are_tried_out(free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest row first; then with activations kept and, where too few of them fit, recomputed."""
    tried: list[bool] = []

    def peak_of(run: Callable[[], object], _: torch.device) -> int:
        run()
        tried.append(model.base.is_gradient_checkpointing)
        return 2**30

    monkeypatch.setattr("svc_ray.torch_engine.model.peak_of", peak_of)
    monkeypatch.setattr("svc_ray.torch_engine.model.seconds_of", lambda run, _: run() and 1.0)
    monkeypatch.setattr("svc_ray.torch_engine.model.free_bytes", lambda _: free)
    folder = GOLDEN / "llama"
    model = Model(folder, options_for(folder), None, torch.device("cpu"))
    lengths = np.array([0, 30, 37, 57])
    tokens: dict[str, Any] = {"ids": np.zeros(57, np.int32), "learned": np.ones(57, np.uint8), "offsets": lengths}
    save_file(tokens, tmp_path / "rows")
    rows = Rows(tmp_path / "rows")
    model.measure(rows.longest, rows.longest, rows_per_step=4)
    fits = free == 2**40
    assert model.room == (Room(120) if fits else Room(1, recompute=True))
    assert tried == ([True, False] if fits else [True, False, True])


def test_texts_of_a_model_that_also_sees(tmp_path: Path) -> None:
    """Its files name more, and its text's own part otherwise."""
    folder = GOLDEN / "qwen3_5"
    text = json.loads((folder / "config.json").read_text())
    config = {"model_type": "qwen3_5", "text_config": {**text, "model_type": "qwen3_5_text"}, "vision_config": {}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    weights = load_file(folder / "model.safetensors")
    named = {name.replace("model.", "model.language_model."): values for name, values in weights.items()}
    save_file({**named, "model.visual.patch_embed.proj.bias": np.zeros(4)}, tmp_path / "model.safetensors")
    own, other = (load_model(at, torch.device("cpu"), torch.float32, "f32").state_dict() for at in (folder, tmp_path))
    assert own.keys() == other.keys()
    assert all(torch.equal(values, other[name]) for name, values in own.items())


def test_an_adapter_of_a_model_that_also_sees(tmp_path: Path) -> None:
    folder = GOLDEN / "qwen3_5"
    matrices = load_file(folder / "adapter_init" / ADAPTER_TENSORS)
    named = {name.replace("model.layers", "model.language_model.layers"): values for name, values in matrices.items()}
    save_file(named, tmp_path / ADAPTER_TENSORS)
    loss, expected = loss_of("qwen3_5", lambda model: model.adapter.load(tmp_path / ADAPTER_TENSORS))
    assert loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    "given",
    [
        {"use_sliding_window": False},
        {"use_sliding_window": False, "layer_types": ["full_attention"] * 4},
        {"sliding_window": None, "layer_types": None},
    ],
)
def test_a_model_without_windows(given: dict[str, Any], tmp_path: Path) -> None:
    folder = GOLDEN / "exaone4"
    settings = json.loads((folder / "config.json").read_text())
    for name in ("sliding_window", "layer_types"):
        del settings[name]
    weights = load_file(folder / "model.safetensors")
    first = "model.layers.0."
    more = {name.replace(first, "model.layers.3."): values for name, values in weights.items() if first in name}
    save_file({**weights, **more}, tmp_path / "model.safetensors")
    ids = torch.arange(1, 40).unsqueeze(0)
    logits = []
    for config in (given, {"sliding_window": None, "layer_types": ["full_attention"] * 4}):
        (tmp_path / "config.json").write_text(json.dumps({**settings, "num_hidden_layers": 4, **config}))
        model = load_model(tmp_path, torch.device("cpu"), torch.float32, "f32")
        logits.append(model(input_ids=ids).logits)
    assert torch.equal(*logits)


def test_rows_that_turn_by_other_positions_are_refused(tmp_path: Path) -> None:
    folder = GOLDEN / "phi3"
    model = Model(folder, options_for(folder), None, torch.device("cpu"))
    tokens: dict[str, Any] = {
        "ids": np.zeros(40, np.int32),
        "learned": np.ones(40, np.uint8),
        "offsets": np.array([0, 7, 40]),
    }
    save_file(tokens, tmp_path / "rows")
    with pytest.raises(ValueError, match=r"rows of up to 32 tokens, and one has 33\. Set maxLength to 32"):
        model.require_short(Rows(tmp_path / "rows").longest)


def test_norms_that_are_computed_in_another_way_are_left_alone() -> None:
    loss, expected = loss_of("gemma3", lambda model: fuse_norms(model.base))
    assert loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("weights", "tolerance"), [("int8", 1e-3), ("nf4", 0.02)])
@pytest.mark.parametrize("name", ["llama", "gemma3", "qwen3_5"])
def test_losses_with_quantized_weights(name: str, weights: str, tolerance: float) -> None:
    loss, expected = loss_of(name, weights=weights)
    assert loss != expected
    assert loss == pytest.approx(expected, rel=tolerance)
