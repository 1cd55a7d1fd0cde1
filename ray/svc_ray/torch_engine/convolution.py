"""Short convolutions over rows that lie one after another in a line: none looks over a row's border."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.nn import functional

from .kept import Kept


class Convolutions:
    """Replaces how a model's convolutions are computed, those of LFM2, with positions as each pass has them."""

    def __init__(self, layers: Any) -> None:
        self.positions = torch.zeros(1, 1)
        """[lines, length], within the row."""
        self.kept: Kept | None = None
        """While texts are read piece by piece."""
        self.has_any = False
        for layer in layers:
            if hasattr(layer, "conv"):
                layer.conv.forward = partial(self._forward, layer.conv)
                self.has_any = True

    def _forward(self, module: Any, hidden_states: torch.Tensor, **_: Any) -> torch.Tensor:
        before, after, values = module.in_proj(hidden_states).chunk(3, dim=-1)
        inputs = before * values
        shift = partial(_shift, inputs) if self.kept is None else self.kept.add_inputs(id(module), inputs)
        mixed: torch.Tensor = module.out_proj(after * self._mix(inputs, shift, module.conv.weight[:, 0]))
        return mixed

    def _mix(self, values: torch.Tensor, shift: Callable[[int], torch.Tensor], weight: torch.Tensor) -> torch.Tensor:
        """`values`: [lines, length, channels]; `weight`: [channels, tokens], the own one last."""
        mixed = values * weight[:, -1]
        for back in range(1, weight.shape[1]):
            shifted = shift(back)
            is_there = (self.positions >= back).unsqueeze(-1)
            mixed = mixed + torch.where(is_there, shifted, 0) * weight[:, -1 - back]
        return mixed


def _shift(values: torch.Tensor, back: int) -> torch.Tensor:
    return functional.pad(values, (0, 0, back, 0))[:, :-back]
