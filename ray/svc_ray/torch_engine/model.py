"""The base model with its adapter: computes the loss of passes, and their gradients."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional
from transformers import AutoModelForCausalLM
from transformers.utils import logging as transformers_logging

from .adapter import Adapter
from .dropout import Dropout
from .options import Options
from .packing import LARGEST_PASS, Pass

_ACTIVATION_BYTES, _SMALLEST_PASS = 512 * 2**20, 256
_GPU_PASS = 16384
# Logits are computed for as many labels at once as have room here.
_LOGITS = 64 * 2**20


class Model:
    def __init__(self, folder: Path, options: Options, base_name: str | None, device: torch.device) -> None:
        self.device = device
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        base: Any = AutoModelForCausalLM.from_pretrained(
            folder,
            dtype=torch.bfloat16 if device.type == "cuda" else torch.float32,
            attn_implementation="sdpa",
            local_files_only=True,
        )
        base.to(device)
        base.config.use_cache = False
        self.adapter = Adapter(base, options, base_name)
        self.adapter.model.train()
        self._dropout = Dropout(self.adapter, options)
        self._windows = _windows(base.config)
        self._logits_scaling: float = getattr(base.config, "logits_scaling", 1.0)
        self._decoder = base.model
        self._head = base.lm_head
        self.pass_tokens = _pass_tokens(folder, device)
        self.evaluation_tokens = max(LARGEST_PASS, self.pass_tokens)

    def add_gradients(self, taken: Pass, weight: float, purpose: Sequence[int]) -> float:
        """Adds the gradients to those of the adapter's matrices; returns the loss. Each label weighs `weight`."""
        if len(taken.at) == 0:
            return 0.0
        self._dropout.draw(taken.ids.numel(), purpose, self.device)
        hidden = self._hidden(taken)
        # Cut here, so that the logits of only a few labels are in memory at once.
        cut = hidden.detach().requires_grad_()
        loss = 0.0
        for states, labels in self._chunks(cut, taken):
            part = self._loss(states, labels, weight)
            part.backward()  # type: ignore[no-untyped-call]
            loss += part.item()
        hidden.backward(cut.grad)  # type: ignore[no-untyped-call]
        self._dropout.clear()
        return loss

    @torch.no_grad()
    def loss(self, taken: Pass, weight: float) -> float:
        if len(taken.at) == 0:
            return 0.0
        hidden = self._hidden(taken)
        return sum(float(self._loss(states, labels, weight)) for states, labels in self._chunks(hidden, taken))

    def _hidden(self, taken: Pass) -> torch.Tensor:
        """[labels, hidden]: the states that predict the labels."""
        output = self._decoder(
            input_ids=taken.ids.to(self.device),
            attention_mask=self._masks(taken),
            position_ids=taken.positions.to(self.device),
            use_cache=False,
        )
        states: torch.Tensor = output.last_hidden_state
        return states.reshape(-1, states.shape[-1])[taken.at.to(self.device)]

    def _masks(self, taken: Pass) -> Any:
        """By the type of a layer, if there are several."""
        masks = {kind: taken.attends(self.device, window) for kind, window in self._windows.items()}
        return masks if len(masks) > 1 else next(iter(masks.values()))

    def _chunks(self, hidden: torch.Tensor, taken: Pass) -> list[tuple[torch.Tensor, torch.Tensor]]:
        size = max(1, _LOGITS // self._head.out_features)
        labels = taken.labels.to(self.device)
        starts = range(0, len(labels), size)
        return [(hidden[at : at + size], labels[at : at + size]) for at in starts]

    def _loss(self, states: torch.Tensor, labels: torch.Tensor, weight: float) -> torch.Tensor:
        logits = self._head(states).float() / self._logits_scaling
        return functional.cross_entropy(logits, labels, reduction="sum") * weight


def _windows(config: Any) -> dict[str, int | None]:
    """How far back each type of layer attends, as transformers reads it."""
    window: int | None = getattr(config, "sliding_window", None)
    plain = "full_attention" if window is None else "sliding_attention"
    kinds = getattr(config, "layer_types", None) or [plain]
    return {kind: window if kind == "sliding_attention" else None for kind in kinds}


def _pass_tokens(folder: Path, device: torch.device) -> int:
    """As many tokens as their activations have room for; on CPUs, as many as the Node engine takes."""
    if device.type == "cuda":
        return _GPU_PASS
    config = json.loads((folder / "config.json").read_text())
    floats: int = config["num_hidden_layers"] * (14 * config["hidden_size"] + 6 * config["intermediate_size"])
    return min(LARGEST_PASS, max(_SMALLEST_PASS, _ACTIVATION_BYTES // (4 * floats)))
