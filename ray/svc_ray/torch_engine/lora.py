"""A frozen linear layer with a LoRA adapter. Only the layer's input is kept for the backward pass."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from .quantized import QuantizedLinear


class Mask:
    """Which inputs of a pass the adapter sees. Layers with the same input share one."""

    def __init__(self, rate: float) -> None:
        self.scale = 1 / (1 - rate)
        self.kept: torch.Tensor | None = None  # [tokens, in]; none where everything is kept


class AdaptedLinear(nn.Module):
    def __init__(self, base: nn.Linear | QuantizedLinear, rank: int, scaling: float, device: torch.device) -> None:
        super().__init__()
        self.base = base
        self.in_features, self.out_features = base.in_features, base.out_features
        self.a = nn.Parameter(torch.empty(rank, base.in_features, device=device))
        self.b = nn.Parameter(torch.empty(base.out_features, rank, device=device))
        self.mask = Mask(0)
        self._scaling = scaling

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        flat = values.reshape(-1, self.in_features)
        kept, scale = self.mask.kept, self.mask.scale
        result: torch.Tensor = _Adapted.apply(flat, self.a, self.b, kept, scale, self.base, self._scaling)  # type: ignore[no-untyped-call]
        return result.view(*values.shape[:-1], self.out_features)


class _Adapted(torch.autograd.Function):
    """Computes in the type of the input. The adapter's gradients are in single precision, as its values are."""

    @staticmethod
    def forward(
        ctx: Any,
        values: torch.Tensor,  # [tokens, in]
        a: torch.Tensor,
        b: torch.Tensor,
        kept: torch.Tensor | None,
        scale: float,
        base: nn.Linear | QuantizedLinear,
        scaling: float,
    ) -> torch.Tensor:
        inner = _drop(values, kept, scale) @ a.to(values.dtype).T  # [tokens, rank]
        ctx.save_for_backward(values, inner, a, b, kept)
        ctx.scale, ctx.base, ctx.scaling = scale, base, scaling
        result = functional.linear(values, base.weight, base.bias)
        return result.addmm_(inner, b.to(values.dtype).T, alpha=scaling)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (gradient,) = gradients
        values, inner, a, b, kept = ctx.saved_tensors
        of_inner = (gradient @ b.to(values.dtype)).mul_(ctx.scaling)
        of_a = (of_inner.T @ _drop(values, kept, ctx.scale)).to(a.dtype)
        of_b = (gradient.T @ inner).to(b.dtype).mul_(ctx.scaling)
        of_values = None
        if ctx.needs_input_grad[0]:
            of_values = gradient @ ctx.base.weight
            if kept is None:
                of_values.addmm_(of_inner, a.to(values.dtype))
            else:
                of_values += _drop(of_inner @ a.to(values.dtype), kept, ctx.scale)
        return of_values, of_a, of_b, None, None, None, None


def _drop(values: torch.Tensor, kept: torch.Tensor | None, scale: float) -> torch.Tensor:
    return values if kept is None else (values * kept).mul_(scale)
