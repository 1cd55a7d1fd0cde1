"""Dropout on the adapter's inputs, with the masks that the Node engine draws. Modules with the same input share one."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from .adapter import Adapter
from .draws import Draws, keep_mask
from .options import Options

_GROUPS = (("q_proj", "k_proj", "v_proj"), ("o_proj",), ("gate_proj", "up_proj"), ("down_proj",))
_DROPOUT = 3


class _Masked(nn.Module):
    def __init__(self, rate: float) -> None:
        super().__init__()
        self._scale = 1 / (1 - rate)
        self.mask: torch.Tensor | None = None

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        if self.mask is None:
            return values
        return values * self.mask.view(values.shape).to(values.dtype) * self._scale


class Dropout:
    """Sets the masks of each pass; without masks, as in evaluations, nothing is dropped."""

    def __init__(self, adapter: Adapter, options: Options) -> None:
        self._rate = options.lora_dropout
        self._seed = options.seed
        self._groups: list[tuple[int, _Masked]] = []
        if self._rate == 0:
            return
        for layer in range(len(adapter.layers)):
            for group in _GROUPS:
                modules = [adapter.module(layer, name) for name in group if name in options.target_modules]
                if modules:
                    masked = _Masked(self._rate)
                    for module in modules:
                        module.lora_dropout["default"] = masked
                    self._groups.append((int(modules[0].in_features), masked))

    def draw(self, tokens: int, purpose: Sequence[int], device: torch.device) -> None:
        for i, (width, masked) in enumerate(self._groups):
            draws = Draws(self._seed, _DROPOUT, *purpose, i)
            masked.mask = torch.from_numpy(keep_mask(tokens * width, self._rate, draws)).to(device)

    def clear(self) -> None:
        for _, masked in self._groups:
            masked.mask = None
