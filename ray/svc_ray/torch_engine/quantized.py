"""Frozen weights in 8 or 4 bits, in blocks with a scale each. A layer has them in full only while it computes."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

_BLOCK = 64
_INT8 = 127
# NormalFloat: 16 quantiles of a normal distribution, with zero among them, scaled to the range from -1 to 1.
_NF4 = (
    -1.0,
    -0.6961928009986877,
    -0.5250730514526367,
    -0.39491748809814453,
    -0.28444138169288635,
    -0.18477343022823334,
    -0.09105003625154495,
    0.0,
    0.07958029955625534,
    0.16093020141124725,
    0.24611230194568634,
    0.33791524171829224,
    0.44070982933044434,
    0.5626170039176941,
    0.7229568362236023,
    1.0,
)


PRECISIONS = ("int8", "nf4")


class QuantizedLinear(nn.Module):
    """A linear layer without its weights, which come by `fill`."""

    codes: torch.Tensor
    scales: torch.Tensor

    def __init__(self, layer: nn.Linear, precision: str, dtype: torch.dtype) -> None:
        super().__init__()
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self.bias = layer.bias
        self._precision = precision
        self._dtype = dtype

    def fill(self, weight: torch.Tensor) -> None:
        flat = functional.pad(weight.float().reshape(-1), (0, -weight.numel() % _BLOCK)).view(-1, _BLOCK)
        scales = flat.abs().amax(dim=1, keepdim=True).clamp_(min=1e-12)
        share = flat / scales
        if self._precision == "int8":
            codes = (share * _INT8).round_().to(torch.int8)
        else:
            levels = torch.tensor(_NF4, device=weight.device)
            nearest = torch.bucketize(share, (levels[1:] + levels[:-1]) / 2).to(torch.uint8).view(-1, 2)
            codes = nearest[:, 0] << 4 | nearest[:, 1]
        self.register_buffer("codes", codes)
        self.register_buffer("scales", scales)

    @property
    def weight(self) -> torch.Tensor:
        """Computed anew."""
        if self._precision == "int8":
            values = self.codes.to(self._dtype).mul_(self.scales / _INT8)
        else:
            # Two values at once, as one number of twice their size.
            pair = torch.int32 if self._dtype.itemsize == 2 else torch.int64
            levels = torch.tensor(_NF4, dtype=self._dtype, device=self.codes.device)
            pairs = torch.stack([levels.repeat_interleave(16), levels.repeat(16)], dim=1).view(pair)[:, 0]
            values = pairs.index_select(0, self.codes.int()).view(self._dtype).view(-1, _BLOCK).mul_(self.scales)
        size = self.out_features * self.in_features
        return values.view(-1)[:size].view(self.out_features, self.in_features)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = _Frozen.apply(values, self)  # type: ignore[no-untyped-call]
        return result


class _Frozen(torch.autograd.Function):
    """Keeps neither the input nor the weights for the backward pass."""

    @staticmethod
    def forward(ctx: Any, values: torch.Tensor, layer: QuantizedLinear) -> torch.Tensor:
        ctx.layer = layer
        return functional.linear(values, layer.weight, layer.bias)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return gradients[0] @ ctx.layer.weight, None
