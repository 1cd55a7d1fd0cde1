"""The delta rule in chunks is that of one token after another, whatever rows lie in a line."""

from __future__ import annotations

import pytest
import torch

from svc_ray.torch_engine.delta_rule import delta_rule

HEADS, KEY, VALUE = 3, 8, 6
Inputs = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def draw(lines: int, length: int, seed: int = 1) -> Inputs:
    generator = torch.Generator().manual_seed(seed)

    def normal(*size: int) -> torch.Tensor:
        return torch.randn(lines, length, HEADS, *size, generator=generator, dtype=torch.float64)

    k = torch.nn.functional.normalize(normal(KEY), dim=-1)
    beta, decay = normal().sigmoid(), -normal().exp()
    return normal(KEY), k, normal(VALUE), beta, decay


def one_by_one(given: Inputs, positions: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    q, k, v, beta, decay = given
    read = []
    for i in range(v.shape[1]):
        goes_on = (positions[:, i] > 0)[:, None, None, None]
        state = torch.where(goes_on, state * decay[:, i, :, None, None].exp(), 0)
        difference = v[:, i] - torch.einsum("lhkv,lhk->lhv", state, k[:, i])
        state = state + torch.einsum("lhk,lhv->lhkv", k[:, i], beta[:, i, :, None] * difference)
        read.append(torch.einsum("lhkv,lhk->lhv", state, q[:, i]))
    return torch.stack(read, dim=1), state


def positions_of(*lines: list[int]) -> torch.Tensor:
    """Of rows with these lengths, and of padding."""
    longest = max(map(sum, lines))
    rows = [torch.cat([torch.arange(length) for length in [*line, *[1] * (longest - sum(line))]]) for line in lines]
    return torch.stack(rows)


@pytest.mark.parametrize(
    "positions",
    [
        positions_of([1]),
        positions_of([30]),
        positions_of([200]),
        positions_of([64, 64, 1], [63, 2, 64]),
        positions_of([3, 150, 20, 1, 1, 70], [128, 5, 100]),
    ],
)
def test_rows_of_a_line_are_apart(positions: torch.Tensor) -> None:
    given = draw(*positions.shape)
    for values in given:
        values.requires_grad_()
    read, state = delta_rule(*given, positions)
    expected, last = one_by_one(given, positions, torch.zeros(len(positions), HEADS, KEY, VALUE, dtype=torch.float64))
    assert torch.allclose(read, expected, atol=1e-9)
    assert torch.allclose(state, last, atol=1e-9)
    by_read = torch.randn(read.shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    own, theirs = (torch.autograd.grad(found, given, by_read) for found in (read, expected))
    for one, other in zip(own, theirs, strict=True):
        assert torch.allclose(one, other, atol=1e-8)


def test_a_row_goes_on_from_its_state() -> None:
    given = draw(2, 170)
    positions = positions_of([170], [100, 70])
    whole, last = delta_rule(*given, positions)
    state, found = None, []
    for start, end in ((0, 90), (90, 91), (91, 170)):
        q, k, v, beta, decay = (values[:, start:end] for values in given)
        read, state = delta_rule(q, k, v, beta, decay, positions[:, start:end], state)
        found.append(read)
    assert state is not None
    assert torch.allclose(torch.cat(found, dim=1), whole, atol=1e-9)
    assert torch.allclose(state, last, atol=1e-9)


def test_what_a_row_forgets_at_once_is_finite() -> None:
    q, k, v, beta, decay = (values.float() for values in draw(1, 130))
    given = (q, k, v, beta, decay * 1000)
    for values in given:
        values.requires_grad_()
    read, _ = delta_rule(*given, positions_of([100, 30]))
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(read.sum(), given))
