"""An adapter's matrices by name, in the order of the common checkpoint, and its files in PEFT's layout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from ..digests import ADAPTER_CONFIG, ADAPTER_TENSORS
from .lora import AdaptedLinear
from .options import GROUPS, Options

# Settings of plain LoRA, in the order and with the values that svc's own engine writes.
_PLAIN: dict[str, Any] = {
    "alora_invocation_tokens": None,
    "alpha_pattern": {},
    "arrow_config": None,
    "auto_mapping": None,
    "base_model_name_or_path": None,
    "bias": "none",
    "corda_config": None,
    "ensure_weight_tying": False,
    "eva_config": None,
    "exclude_modules": None,
    "fan_in_fan_out": False,
    "inference_mode": True,
    "init_lora_weights": True,
    "kasa_config": None,
    "layer_replication": None,
    "layers_pattern": None,
    "layers_to_transform": None,
    "loftq_config": {},
    "lora_alpha": 8,
    "lora_bias": False,
    "lora_dropout": 0,
    "lora_ga_config": None,
    "megatron_config": None,
    "megatron_core": "megatron.core",
    "modules_to_save": None,
    "monteclora_config": None,
    "peft_type": "LORA",
    "peft_version": "0.21.0",
    "qalora_group_size": 16,
    "r": 8,
    "rank_pattern": {},
    "revision": None,
    "target_modules": None,
    "target_parameters": None,
    "task_type": "CAUSAL_LM",
    "trainable_token_indices": None,
    "use_bdlora": None,
    "use_dora": False,
    "use_qalora": False,
    "use_rslora": False,
    "velora_config": None,
}


@dataclass(frozen=True)
class Matrix:
    """A is [rank, in], B [out, rank]."""

    name: str
    side: str
    values: nn.Parameter


class Adapter:
    """The LoRA adapter of a model, which it freezes."""

    def __init__(self, base: Any, options: Options, base_name: str | None) -> None:
        self._device = base.device
        self._options = options
        self._base_name = base_name
        self.layers: nn.ModuleList = base.model.layers
        base.requires_grad_(False)
        self._require()
        self.matrices = list(self._add())

    def adapted(self, layer: int) -> list[str]:
        """The paths of the modules that have matrices, in their order."""
        own = _paths(self.layers[layer])
        return [path for name in self._options.target_modules for path in own if _name(path) == name]

    def module(self, layer: int, path: str) -> Any:
        return self.layers[layer].get_submodule(path)

    @property
    def feed_width(self) -> int:
        """Of a layer's feed-forward part, which its last module reads."""
        width: int = self.module(0, _paths(self.layers[0])[-1]).in_features
        return width

    def load(self, file: Path) -> None:
        # Other trainers name the texts' part of a model that also sees.
        tensors = {name.replace(".language_model.", ".", 1): values for name, values in load_file(file).items()}
        if set(tensors) != {matrix.name for matrix in self.matrices}:
            raise ValueError(f"{file.name} does not have the adapter's matrices.")
        with torch.no_grad():
            for matrix in self.matrices:
                if tensors[matrix.name].shape != matrix.values.shape:
                    raise ValueError(f"{file.name}: {matrix.name} has another shape.")
                matrix.values.copy_(tensors[matrix.name])

    @contextmanager
    def holding(self, values: dict[str, torch.Tensor]) -> Iterator[None]:
        """Within it, the adapter has these values."""
        own = [matrix.values.detach().clone() for matrix in self.matrices]
        with torch.no_grad():
            for matrix in self.matrices:
                matrix.values.copy_(values[matrix.name])
            try:
                yield
            finally:
                for matrix, value in zip(self.matrices, own, strict=True):
                    matrix.values.copy_(value)

    def save(self, folder: Path) -> None:
        options = self._options
        settings = {
            **_PLAIN,
            "base_model_name_or_path": self._base_name,
            "lora_alpha": options.lora_alpha,
            "lora_dropout": options.lora_dropout,
            "r": options.lora_r,
            "target_modules": [name for name in _NAMES if name in options.target_modules],
        }
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(settings, indent=2, ensure_ascii=False)
        (folder / ADAPTER_CONFIG).write_text(text, encoding="utf-8", newline="\n")
        tensors = {m.name: m.values.detach().to("cpu", torch.float32).contiguous() for m in self.matrices}
        save_file(tensors, folder / ADAPTER_TENSORS, {"format": "pt"})

    def _add(self) -> Iterator[Matrix]:
        """Layer by layer, in the order of the options, A before B."""
        rank = self._options.lora_r
        scaling = self._options.lora_alpha / rank
        for layer, modules in enumerate(self.layers):
            for path in self.adapted(layer):
                module = AdaptedLinear(self.module(layer, path), rank, scaling, self._device)
                modules.set_submodule(path, module)
                name = f"base_model.model.model.layers.{layer}.{path}"
                yield Matrix(f"{name}.lora_A.weight", "a", module.a)
                yield Matrix(f"{name}.lora_B.weight", "b", module.b)

    def _require(self) -> None:
        known = list(dict.fromkeys(_name(path) for layer in self.layers for path in _paths(layer)))
        missing = [name for name in self._options.target_modules if name not in known]
        if missing:
            raise ValueError(f"The base model has no {missing[0]} to adapt. It has {', '.join(known)}.")


def _paths(layer: nn.Module) -> list[str]:
    own = {path for path, _ in layer.named_modules()}
    return [path for group in GROUPS for path in group if path in own]


def _name(path: str) -> str:
    return path.rpartition(".")[2]


_NAMES = list(dict.fromkeys(_name(path) for group in GROUPS for path in group))
