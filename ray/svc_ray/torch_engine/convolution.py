"""Short convolutions over rows that lie one after another in a line: none looks over a row's border."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch.nn import functional


class Convolutions:
    """Replaces how a model's convolutions are computed, those of LFM2, with positions as each pass has them."""

    def __init__(self, layers: Any) -> None:
        self.positions = torch.zeros(1, 1)
        """[lines, length], within the row."""
        for layer in layers:
            if hasattr(layer, "conv"):
                layer.conv.forward = partial(self._forward, layer.conv)

    def _forward(self, module: Any, hidden_states: torch.Tensor, **_: Any) -> torch.Tensor:
        before, after, values = module.in_proj(hidden_states).chunk(3, dim=-1)
        mixed: torch.Tensor = module.out_proj(after * self._mix(before * values, module.conv.weight[:, 0]))
        return mixed

    def _mix(self, values: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """`values`: [lines, length, channels]; `weight`: [channels, tokens], the own one last."""
        mixed = values * weight[:, -1]
        for back in range(1, weight.shape[1]):
            shifted = functional.pad(values, (0, 0, back, 0))[:, :-back]
            is_there = (self.positions >= back).unsqueeze(-1)
            mixed = mixed + torch.where(is_there, shifted, 0) * weight[:, -1 - back]
        return mixed
