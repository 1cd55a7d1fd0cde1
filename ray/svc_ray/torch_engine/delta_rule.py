"""The gated delta rule: each head has a state, [key, value], which every token decays, corrects and reads:

S = exp(decay) S,  S += k ⊗ beta (v - Sᵀ k),  y = Sᵀ q

In chunks: what the tokens of a chunk do to each other are products of matrices, for all chunks at once, and only the
states follow one another. A row starts with a state of zeros."""

from __future__ import annotations

import math

import torch
from torch.nn import functional

_CHUNK = 64


def delta_rule(
    q: torch.Tensor,  # [lines, length, heads, key]
    k: torch.Tensor,  # the same; each vector has length 1
    v: torch.Tensor,  # [lines, length, heads, value]
    beta: torch.Tensor,  # [lines, length, heads]
    decay: torch.Tensor,  # the same; at most 0
    positions: torch.Tensor,  # [lines, length], within the row
    state: torch.Tensor | None = None,  # [lines, heads, key, value], of rows that began before the first token
) -> tuple[torch.Tensor, torch.Tensor]:
    """What each token reads, in the shape of `v`, and the state after the last one."""
    length, size = v.shape[1], min(_CHUNK, v.shape[1])
    count = math.ceil(length / size)
    missing = count * size - length
    # Tokens that are added go on with the last row, and leave its state as it is.
    q, k, v, beta, decay = (
        _to_chunks(functional.pad(values, (0, 0) * (values.dim() - 2) + (0, missing)), size)
        for values in (q, k, v, beta.unsqueeze(-1), decay.unsqueeze(-1))
    )
    starts = torch.arange(length, device=positions.device) - positions
    starts = torch.cat([starts, starts[:, -1:].expand(-1, missing)], dim=1).view(-1, count, 1, size)
    began = starts < torch.arange(0, count * size, size, device=starts.device).view(count, 1, 1)

    sums = decay.cumsum(dim=3)
    total = sums[:, :, :, -1:]
    is_same = (starts.unsqueeze(-1) == starts.unsqueeze(-2)).tril()
    left = _exp_where(is_same, sums - sums.transpose(-1, -2))
    left_of_state = _exp_where(began.unsqueeze(-1), sums)
    left_after = _exp_where((starts == starts[..., -1:]).unsqueeze(-1), total - sums)
    kept = _exp_where(began[..., -1:].unsqueeze(-1), total)

    k_beta = k * beta
    asked = k_beta @ k.transpose(-1, -2) * left
    given = torch.cat([k_beta * left_of_state, v * beta], dim=-1)
    # The inverse of asked, with ones on its diagonal: from differences to the state before the chunk to those to the
    # state of each token.
    resolved = torch.linalg.solve_triangular(asked, given, upper=False, unitriangular=True)
    resolved_keys, resolved_values = torch.split(resolved, [k.shape[-1], v.shape[-1]], dim=-1)
    read = q @ k.transpose(-1, -2) * left
    state_queries, write_keys = q * left_of_state, (k * left_after).transpose(-1, -2)

    if state is None:
        state = v.new_zeros(v.shape[0], v.shape[2], k.shape[-1], v.shape[-1])
    results = []
    for chunk in range(count):
        written = resolved_values[:, chunk] - resolved_keys[:, chunk] @ state
        results.append(state_queries[:, chunk] @ state + read[:, chunk] @ written)
        state = kept[:, chunk] * state + write_keys[:, chunk] @ written
    return torch.cat(results, dim=2).transpose(1, 2)[:, :length], state


def _to_chunks(values: torch.Tensor, size: int) -> torch.Tensor:
    """[lines, chunks, heads, size, any]"""
    lines, _, heads, width = values.shape
    return values.view(lines, -1, size, heads, width).transpose(2, 3)


def _exp_where(is_there: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Else 0. Elsewhere, it could be infinite."""
    return torch.where(is_there, values, -torch.inf).exp()
