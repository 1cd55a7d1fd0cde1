"""Loads a model's weights one by one onto the device, and quantizes each at once: a GPU never has all in full."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM

from .quantized import PRECISIONS, QuantizedLinear

_DROPOUT = ("attention_dropout", "resid_pdrop", "embd_pdrop")


def load_model(folder: Path, device: torch.device, dtype: torch.dtype, weights: str) -> Any:
    """`weights`: the precision of the layers' matrices; f32 for that of `dtype`."""
    if weights not in ("f32", *PRECISIONS):
        raise ValueError(f"The engine torch does not have base weights in {weights}.")
    config = _read_config(folder)
    # The base model is frozen, so dropout would only add noise. The adapter has its own.
    for name in _DROPOUT:
        if hasattr(config, name):
            setattr(config, name, 0.0)
    with _without_memory():
        model: Any = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="sdpa")
    if weights != "f32":
        for layer in model.model.layers:
            _quantize(layer, weights, dtype)
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, "pt", device=str(device)) as tensors:
            for name in tensors.keys():  # noqa: SIM118
                _fill(model, name.replace("model.language_model.", "model."), tensors.get_tensor(name), dtype)
    model.tie_weights()
    missing = [name for name, values in model.named_parameters() if values.is_meta]
    missing += [name for name, module in model.named_modules() if _is_empty(module)]
    if missing:
        raise ValueError(f"The base model lacks the weights {', '.join(missing[:3])}.")
    return model.to(device)


def _read_config(folder: Path) -> Any:
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if settings.get("model_type") == "exaone4" and _has_no_window(settings):
        # transformers would have windows nevertheless, or fail without the types of the layers.
        types = settings.get("layer_types") or ["full_attention"] * settings["num_hidden_layers"]
        return AutoConfig.for_model(**{**settings, "sliding_window": None, "layer_types": types})
    # Of a model that also sees, only texts are computed.
    return AutoConfig.from_pretrained(folder, local_files_only=True).get_text_config()


def _has_no_window(settings: dict[str, Any]) -> bool:
    return settings.get("use_sliding_window") is False or settings.get("sliding_window", 0) is None


@contextmanager
def _without_memory() -> Iterator[None]:
    """Parameters have shapes alone. What is computed when a model is created, such as its rotations, is there."""
    register = nn.Module.register_parameter

    def register_shape(module: nn.Module, name: str, values: nn.Parameter | None) -> None:
        register(module, name, None if values is None else nn.Parameter(values.to("meta"), requires_grad=False))

    nn.Module.register_parameter = register_shape  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        nn.Module.register_parameter = register  # type: ignore[method-assign]


def _quantize(module: nn.Module, weights: str, dtype: torch.dtype) -> None:
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, QuantizedLinear(child, weights, dtype))
        else:
            _quantize(child, weights, dtype)


def _fill(model: Any, name: str, values: torch.Tensor, dtype: torch.dtype) -> None:
    path, _, kind = name.rpartition(".")
    try:
        module = model.get_submodule(path)
    except AttributeError:
        return
    if isinstance(module, QuantizedLinear) and kind == "weight":
        module.fill(values)
    elif kind in module._parameters:
        setattr(module, kind, nn.Parameter(values.to(dtype), requires_grad=False))


def _is_empty(module: nn.Module) -> bool:
    return isinstance(module, QuantizedLinear) and not hasattr(module, "codes")
