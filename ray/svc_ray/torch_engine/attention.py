"""Attention over rows that lie one after another in a line, by their lengths instead of a mask for each pair of tokens.
Only where PyTorch and the GPU have it, and where a trial gives the same as the usual way."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import torch
from torch.nn import functional
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

varlen_attn: Any
try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:
    varlen_attn = None

log = logging.getLogger("svc_ray")

NAME = "svc_rows"
_LENGTHS = (37, 5, 70)
_LARGEST_HEAD = 256
# Relative to the largest value, in bfloat16.
_TOLERANCE = 0.03


def can_attend_by_rows(config: Any, windows: list[int | None], device: torch.device) -> bool:
    """Whether a model's layers can, forward and backward."""
    heads, pairs = config.num_attention_heads, config.num_key_value_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // heads
    # These kernels cannot cap scores.
    caps = getattr(config, "attn_logit_softcapping", None)
    if device.type != "cuda" or varlen_attn is None or size > _LARGEST_HEAD or caps:
        return False
    try:
        is_same = all(_is_same(heads, pairs, size, window, device) for window in {None, *windows})
    except Exception as error:
        log.info("This GPU cannot attend by lengths: %s", error)
        return False
    if not is_same:
        log.warning("This GPU attends by lengths otherwise than by masks, so it does by masks.")
    return is_same


def row_bounds(lengths: tuple[int, ...]) -> torch.Tensor:
    """Where each row starts, and the end."""
    return functional.pad(torch.tensor(lengths).cumsum(0), (1, 0)).to(torch.int32)


def attend_by_rows(
    module: torch.nn.Module,
    query: torch.Tensor,  # [1, heads, tokens, size]
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: None,
    *,
    cu_seq_lens_q: torch.Tensor,
    max_length_q: int,
    scaling: float | None = None,
    sliding_window: int | None = None,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """As transformers calls it; the lengths come by its names for FlashAttention."""
    del module, attention_mask
    q, k, v = (values[0].transpose(0, 1) for values in (query, key, value))
    return _attend(q, k, v, cu_seq_lens_q, max_length_q, scaling, sliding_window)[None], None


def _attend(
    query: torch.Tensor,  # [tokens, heads, size]
    key: torch.Tensor,
    value: torch.Tensor,
    bounds: torch.Tensor,
    longest: int,
    scaling: float | None,
    window: int | None,
) -> torch.Tensor:
    more: dict[str, Any] = {"enable_gqa": True} if _HAS_GQA_SWITCH else {}
    back = -1 if window is None else window - 1
    states: torch.Tensor = varlen_attn(
        query, key, value, bounds, bounds, longest, longest, scale=scaling, window_size=(back, 0), **more
    )
    return states


def _is_same(heads: int, pairs: int, size: int, window: int | None, device: torch.device) -> bool:
    """As with a mask. The window is a short one, since the trial's rows are short."""
    window = None if window is None else 7
    tokens = sum(_LENGTHS)
    generator = torch.Generator(device).manual_seed(1)

    def draw(count: int) -> torch.Tensor:
        return torch.randn(tokens, count, size, device=device, generator=generator).to(torch.bfloat16).requires_grad_()

    given = (draw(heads), draw(pairs), draw(pairs))
    wanted = torch.randn(tokens, heads, size, device=device, generator=generator).to(torch.bfloat16)
    rows = torch.repeat_interleave(torch.arange(len(_LENGTHS), device=device), torch.tensor(_LENGTHS, device=device))
    mask = torch.tril(rows[:, None] == rows[None])
    if window is not None:
        mask = torch.triu(mask, 1 - window)
    q, k, v = (values.float().transpose(0, 1)[None] for values in given)
    k, v = (values.repeat_interleave(heads // pairs, dim=1) for values in (k, v))
    usual = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)[0].transpose(0, 1)
    bounds = row_bounds(_LENGTHS).to(device)
    own = _attend(*given, bounds, max(_LENGTHS), size**-0.5, window)
    both = [(own, usual)]
    both += zip(torch.autograd.grad(own, given, wanted), torch.autograd.grad(usual, given, wanted.float()), strict=True)
    return all(_is_near(one, other) for one, other in both)


def _is_near(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bool((one.float() - other.float()).abs().max() <= _TOLERANCE * other.float().abs().max())


_HAS_GQA_SWITCH = varlen_attn is not None and "enable_gqa" in inspect.signature(varlen_attn).parameters
ALL_ATTENTION_FUNCTIONS.register(NAME, attend_by_rows)
