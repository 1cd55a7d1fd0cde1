"""AdamW with the Node engine's constants. Like there, moments and values are kept in single precision and computed with
in double precision; on GPUs, which are slow at that, in single precision by PyTorch's fused kernel."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch.optim.adamw import adamw

from .adapter import Matrix

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8


class AdamW:
    def __init__(self, matrices: list[Matrix], weight_decay: float) -> None:
        self._matrices = matrices
        self._decay = weight_decay
        self.step_count = 0
        self._mean = [torch.zeros_like(m.values) for m in matrices]
        self._square = [torch.zeros_like(m.values) for m in matrices]

    @torch.no_grad()
    def step(self, rate: float, scale: float) -> None:
        """Gradients are multiplied by `scale` first."""
        gradients = [gradient for m in self._matrices if (gradient := m.values.grad) is not None]
        if self._matrices[0].values.device.type == "cuda":
            self.fused_step(gradients, rate, scale)
        else:
            self.exact_step(gradients, rate, scale)
        self.step_count += 1

    def exact_step(self, gradients: list[torch.Tensor], rate: float, scale: float) -> None:
        size = rate / (1 - _BETA1 ** (self.step_count + 1))
        correction = (1 - _BETA2 ** (self.step_count + 1)) ** 0.5
        for matrix, gradient, mean, square in zip(self._matrices, gradients, self._mean, self._square, strict=True):
            g = gradient.double() * scale
            m = _BETA1 * mean.double() + (1 - _BETA1) * g
            v = _BETA2 * square.double() + (1 - _BETA2) * g * g
            mean.copy_(m)
            square.copy_(v)
            values = matrix.values.double() * (1 - rate * self._decay)
            matrix.values.copy_(values - size * m / (v.sqrt() / correction + _EPSILON))

    def fused_step(self, gradients: list[torch.Tensor], rate: float, scale: float) -> None:
        if scale != 1:
            torch._foreach_mul_(gradients, scale)
        done = torch.full((len(gradients),), float(self.step_count), device=gradients[0].device)
        adamw(
            [matrix.values for matrix in self._matrices],
            gradients,
            self._mean,
            self._square,
            [],
            list(done.unbind()),
            fused=True,
            amsgrad=False,
            beta1=_BETA1,
            beta2=_BETA2,
            lr=rate,
            weight_decay=self._decay,
            eps=_EPSILON,
            maximize=False,
        )

    def save(self, file: Path) -> None:
        """Flat, in the order of the parameters; B is transposed, as the Node engine has it."""
        parts = {"mean": self._mean, "square": self._square}
        save_file({name: self._flatten(tensors) for name, tensors in parts.items()}, file)

    def load(self, file: Path, step: int) -> None:
        tensors = load_file(file)
        self._fill(self._mean, tensors["mean"])
        self._fill(self._square, tensors["square"])
        self.step_count = step

    def _flatten(self, tensors: list[torch.Tensor]) -> torch.Tensor:
        pairs = zip(self._matrices, tensors, strict=True)
        flat = [(tensor.T if matrix.side == "b" else tensor).reshape(-1) for matrix, tensor in pairs]
        return torch.cat(flat).to("cpu", torch.float32).contiguous()

    def _fill(self, tensors: list[torch.Tensor], flat: torch.Tensor) -> None:
        if flat.shape != (sum(tensor.numel() for tensor in tensors),):
            raise ValueError("The checkpoint's optimizer is not that of this adapter.")
        at = 0
        for matrix, tensor in zip(self._matrices, tensors, strict=True):
            part = flat[at : at + tensor.numel()]
            is_b = matrix.side == "b"
            tensor.copy_(part.view(tensor.T.shape).T if is_b else part.view(tensor.shape))
            at += tensor.numel()


@torch.no_grad()
def gradient_norm(matrices: list[Matrix]) -> float:
    norms = torch._foreach_norm([m.values.grad for m in matrices if m.values.grad is not None])
    return float(torch.stack(norms).double().norm())
