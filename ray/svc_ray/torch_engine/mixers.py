"""What layers have instead of attention, over rows that lie one after another in a line: short convolutions, and states
that each token changes. None looks over a row's border."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.nn import functional

from .delta_rule import delta_rule
from .kept import Kept

_FLOAT_BYTES = 4


class Mixers:
    """Replaces how a model computes them, with positions as each pass has them."""

    def __init__(self, layers: Any) -> None:
        self.positions = torch.zeros(1, 1)
        """[lines, length], within the row."""
        self.kept: Kept | None = None
        """While texts are read piece by piece."""
        self.text_bytes = 0
        """What is kept of a text, however long it is."""
        for layer in layers:
            if hasattr(layer, "conv"):
                self._replace(layer.conv, layer.conv.conv, self._convolve)
            elif hasattr(layer, "linear_attn"):
                self._replace(layer.linear_attn, layer.linear_attn.conv1d, self._recall)
                self.text_bytes += _FLOAT_BYTES * _state_size(layer.linear_attn)

    def _replace(self, module: Any, convolution: Any, forward: Callable[..., torch.Tensor]) -> None:
        module.forward = partial(forward, module)
        channels, _, tokens = convolution.weight.shape
        self.text_bytes += int(channels * (tokens - 1) * convolution.weight.dtype.itemsize)

    def _convolve(self, module: Any, hidden_states: torch.Tensor, **_: Any) -> torch.Tensor:
        """That of LFM2."""
        before, after, values = module.in_proj(hidden_states).chunk(3, dim=-1)
        mixed: torch.Tensor = module.out_proj(after * self._mix(module, before * values, module.conv.weight[:, 0]))
        return mixed

    def _recall(self, module: Any, hidden_states: torch.Tensor, **_: Any) -> torch.Tensor:
        """That of Qwen3.5: a gated delta rule."""
        keys, heads = module.num_k_heads, module.num_v_heads
        mixed = functional.silu(self._mix(module, module.in_proj_qkv(hidden_states), module.conv1d.weight[:, 0]))
        q, k, v = torch.split(mixed.float(), [module.key_dim, module.key_dim, module.value_dim], dim=-1)
        q, k = (_to_length_1(_by_head(values, keys)) for values in (q, k))
        q, k = (values.repeat_interleave(heads // keys, dim=2) for values in (q * module.head_k_dim**-0.5, k))
        beta = module.in_proj_b(hidden_states).float().sigmoid()
        decay = functional.softplus(module.in_proj_a(hidden_states).float() + module.dt_bias)
        decay = decay * -module.A_log.float().exp()
        read = self._read(module, q, k, _by_head(v, heads), beta, decay).to(hidden_states.dtype)
        gate = _by_head(module.in_proj_z(hidden_states), heads)
        output: torch.Tensor = module.out_proj(module.norm(read, gate).flatten(-2))
        return output

    def _read(
        self,
        module: Any,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        beta: torch.Tensor,
        decay: torch.Tensor,
    ) -> torch.Tensor:
        if self.kept is None:
            return delta_rule(q, k, v, beta, decay, self.positions)[0]
        is_read = self.kept.is_read[:, :, None]
        name = (id(module), "state")
        read, state = delta_rule(q, k, v, beta * is_read, decay * is_read, self.positions, self.kept.carried(name))
        self.kept.carry(name, state)
        return read

    def _mix(self, module: Any, values: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """`values`: [lines, length, channels]; `weight`: [channels, tokens], the own one last."""
        length, reach = values.shape[1], weight.shape[1] - 1
        if self.kept is None:
            known = functional.pad(values, (0, 0, reach, 0))
        else:
            known = self.kept.add_inputs((id(module), "inputs"), values, reach)
        mixed = values * weight[:, -1]
        for back in range(1, reach + 1):
            shifted = known[:, reach - back : reach - back + length]
            is_there = (self.positions >= back).unsqueeze(-1)
            mixed = mixed + torch.where(is_there, shifted, 0) * weight[:, -1 - back]
        return mixed


def _by_head(values: torch.Tensor, heads: int) -> torch.Tensor:
    return values.reshape(*values.shape[:-1], heads, -1)


def _to_length_1(values: torch.Tensor) -> torch.Tensor:
    return values * torch.rsqrt((values * values).sum(dim=-1, keepdim=True) + 1e-6)


def _state_size(module: Any) -> int:
    return int(module.num_v_heads * module.head_k_dim * module.head_v_dim)
