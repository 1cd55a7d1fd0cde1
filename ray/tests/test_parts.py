"""The parts of the engine of PyTorch compute what a plain way computes: heads, layers, steps, passes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from svc_ray.digests import ADAPTER_CONFIG, SUMS
from svc_ray.torch_engine import head
from svc_ray.torch_engine.adapter import Adapter, Matrix
from svc_ray.torch_engine.checkpoint import STATE, Progress, save_checkpoint
from svc_ray.torch_engine.head import Head
from svc_ray.torch_engine.lora import AdaptedLinear, Mask
from svc_ray.torch_engine.memory import NoRoomError, Room, find_room
from svc_ray.torch_engine.optimizer import AdamW
from svc_ray.torch_engine.packing import cpu_tokens, pack, split, to_pass
from svc_ray.torch_engine.quantized import QuantizedLinear
from svc_ray.torch_engine.row_losses import NAME, RowLosses, read_entries, to_entries
from svc_ray.torch_engine.rows import Row
from svc_ray.torch_engine.steps import plan_steps

GIB = 2**30


def rows_of(*lengths: int) -> list[Row]:
    """No token occurs twice."""
    ends = np.cumsum(lengths)
    return [
        Row(np.arange(end - length, end, dtype=np.int32), np.ones(length, np.uint8))
        for length, end in zip(lengths, ends, strict=True)
    ]


def test_a_head_computes_losses_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head, "_LOGITS", 3 * 11)
    layer = nn.Linear(5, 11, bias=False)
    states = torch.randn(7, 5, requires_grad=True)
    labels = torch.randint(11, (7,))
    losses, gradient = Head(layer, 2.0).losses_and_gradient(states.detach(), labels, 0.5)
    expected = functional.cross_entropy(layer(states) / 2, labels, reduction="none")
    (wanted,) = torch.autograd.grad(expected.sum() * 0.5, states)
    assert torch.allclose(losses, expected, atol=1e-6)
    assert torch.allclose(gradient, wanted, atol=1e-7)
    assert torch.equal(Head(layer, 2.0).losses(states, labels), losses)


@pytest.mark.parametrize("rate", [0.0, 0.25])
def test_an_adapted_layer_has_the_gradients_of_its_parts(rate: float) -> None:
    torch.manual_seed(1)
    base = nn.Linear(6, 4).double().requires_grad_(False)
    layer = AdaptedLinear(base, 3, 1.5, torch.device("cpu")).double()
    nn.init.normal_(layer.a)
    nn.init.normal_(layer.b)
    mask = Mask(rate)
    mask.kept = (torch.rand(10, 6) >= rate).to(torch.uint8) if rate else None
    layer.mask = mask
    values = torch.randn(2, 5, 6, dtype=torch.float64, requires_grad=True)
    seen = values if mask.kept is None else values * mask.kept.view(2, 5, 6) / (1 - rate)
    expected = base(values) + 1.5 * seen @ layer.a.T @ layer.b.T
    got = layer(values)
    assert torch.allclose(got, expected)
    of = [values, layer.a, layer.b]
    wanted = torch.randn_like(got)
    pairs = zip(torch.autograd.grad(got, of, wanted), torch.autograd.grad(expected, of, wanted), strict=True)
    assert all(torch.allclose(one, other) for one, other in pairs)


def test_a_fused_step_is_the_exact_one(tmp_path: Path) -> None:
    def matrix() -> Matrix:
        torch.manual_seed(1)
        return Matrix("m", "b", nn.Parameter(torch.randn(5, 3)))

    one, other = matrix(), matrix()
    exact, fused = AdamW([one], 0.1), AdamW([other], 0.1)
    for step in range(4):
        gradient = torch.randn(5, 3)
        with torch.no_grad():
            exact.exact_step([gradient.clone()], 0.01, 0.5)
            fused.fused_step([gradient.clone()], 0.01, 0.5)
        exact.step_count = fused.step_count = step + 1
        if step == 1:
            fused.save(tmp_path / "state")
            fused.load(tmp_path / "state", 2)
    assert torch.allclose(one.values, other.values, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("precision", "bits", "largest", "mean"), [("int8", 8, 0.004, 0.002), ("nf4", 4, 0.16, 0.045)])
def test_quantized_weights_are_near(precision: str, bits: int, largest: float, mean: float, dtype: torch.dtype) -> None:
    """Errors are shares of the largest value of a block."""
    torch.manual_seed(1)
    base = nn.Linear(24, 40)
    layer = QuantizedLinear(base, precision, dtype)
    layer.fill(base.weight.data)
    assert layer.codes.nbytes * 8 == 24 * 40 * bits
    assert layer.weight.dtype == dtype
    blocks = base.weight.data.view(-1, 64)
    off = (layer.weight.float().view(-1, 64) - blocks).abs() / blocks.abs().amax(dim=1, keepdim=True)
    rounding = 0.004 if dtype == torch.bfloat16 else 0
    assert off.max() < largest + rounding
    assert off.mean() < mean + rounding


def test_gradients_go_through_quantized_layers() -> None:
    base = nn.Linear(10, 7)
    layer = QuantizedLinear(base, "nf4", torch.float32)
    layer.fill(base.weight.data)
    values = torch.randn(3, 10, requires_grad=True)
    wanted = torch.randn(3, 7)
    expected = functional.linear(values, layer.weight, base.bias)
    assert torch.equal(layer(values), expected)
    (gradient,) = torch.autograd.grad(layer(values), values, wanted)
    assert torch.equal(gradient, wanted @ layer.weight)


@pytest.mark.parametrize("one_line", [True, False])
@pytest.mark.parametrize("limit", [4, 9, 20, 1000])
def test_parts_have_all_rows_and_their_places_in_the_whole(limit: int, one_line: bool) -> None:
    rows = rows_of(9, 7, 5, 5, 3, 1)
    (whole,) = pack(rows, 100)
    drawn = to_pass(whole).ids.reshape(-1)
    parts = [to_pass(lines, None if lines is whole else whole) for lines in split(whole, limit, one_line)]
    assert sorted(length for part in parts for length in part.lengths) == [1, 3, 5, 5, 7, 9]
    for part in parts:
        assert sum(part.lengths) <= max(limit, 9)
        assert part.drawn == len(drawn)
        assert len(part.ids) == 1 or not one_line
        places = torch.arange(len(drawn)) if part.places is None else part.places
        is_row = part.rows.reshape(-1) >= 0
        assert torch.equal(drawn[places][is_row], part.ids.reshape(-1)[is_row])


def linear(token: int, fixed: int) -> object:
    def trial(tokens: int, recompute: bool) -> int:
        took = fixed + tokens * token // (8 if recompute else 1)
        if took > 8 * GIB:
            raise torch.OutOfMemoryError
        return took

    return trial


def timer(tokens: int, recompute: bool) -> float:
    """Three times as long with recomputing, but for what a pass of any size takes."""
    return 5000 + tokens * (3 if recompute else 1)


@pytest.mark.parametrize(
    ("token", "longest", "most", "expected"),
    [
        # All of a step.
        (2**16, 500, 9000, Room(9000)),
        (2**16, 500, 90000, Room(16384)),
        # Half of the memory.
        (2**19, 500, 90000, Room(7680)),
        # So small passes that recomputing is faster, or too small ones for the longest row.
        (2**21, 500, 90000, Room(15360, recompute=True)),
        (2**19, 8000, 90000, Room(16384, recompute=True)),
        (2**23, 500, 90000, Room(3840, recompute=True)),
        # Trials that fail.
        (2**25, 500, 90000, Room(960, recompute=True)),
        (2**28, 10, 90000, Room(120, recompute=True)),
        (2**37, 10, 90000, Room(1, recompute=True)),
    ],
)
def test_passes_are_as_large_as_half_of_the_memory(token: int, longest: int, most: int, expected: Room) -> None:
    room = find_room(linear(token, GIB // 4), timer, 8 * GIB, longest, most)  # type: ignore[arg-type]
    assert room.recompute == expected.recompute
    assert room.tokens == pytest.approx(expected.tokens, rel=0.02)


@pytest.mark.parametrize(
    ("layers", "hidden", "intermediate", "vocabulary", "tokens"),
    [
        (30, 576, 1536, 49_152, 258),
        (18, 640, 2048, 262_144, 350),
        (2, 64, 128, 262_144, 512),
        (2, 64, 128, 1_000, 2048),
        (80, 8192, 28_672, 128_256, 256),
    ],
)
def test_passes_are_as_large_as_those_of_the_node_engine(
    layers: int, hidden: int, intermediate: int, vocabulary: int, tokens: int
) -> None:
    assert cpu_tokens(layers, hidden, intermediate, vocabulary) == tokens


def test_passes_shrink_until_one_row_is_too_large() -> None:
    room = Room(16384)
    room.shrink(9000, 20)
    assert room == Room(4500)
    room.shrink(4500, 10)
    assert room == Room(2250, recompute=True)
    with pytest.raises(NoRoomError, match="A row of 3000 tokens does not fit"):
        room.shrink(3000, 1)
    row = Room(4000)
    row.shrink(8000, 1)
    assert row == Room(4000, recompute=True)


@pytest.mark.parametrize(("visits", "kept"), [(10**6, 2), (10**30, 1)])
def test_the_losses_of_any_number_of_rows_leave_out_no_more_than_their_file_can_say(
    tmp_path: Path, visits: int, kept: int
) -> None:
    losses = RowLosses(tmp_path, rows=2, visits=visits, up_to=2, after_step=0, check=lambda: None)
    losses.add(1, to_entries([0, 1], [1, 1], np.ones(2)))
    losses.save()
    header = np.frombuffer((tmp_path / NAME).read_bytes(), "<u4", count=4)
    assert (int(header[2]), len(read_entries(tmp_path / NAME))) == (min(max(1, visits // 4_000_000), 2**32 - 1), kept)


def test_files_have_the_same_bytes_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, and with other locales, Python's own encoding and ends of lines are others."""
    write = Path.write_text

    def as_on_windows(
        path: Path, text: str, encoding: str = "cp1252", errors: str = "strict", newline: str = "\r\n"
    ) -> int:
        return write(path, text, encoding, errors, newline)

    monkeypatch.setattr(Path, "write_text", as_on_windows)
    base: Any = SimpleNamespace(device=torch.device("cpu"), model=nn.Module(), requires_grad_=lambda _: None)
    base.model.layers = nn.ModuleList([nn.ModuleDict({"self_attn": nn.ModuleDict({"q_proj": nn.Linear(4, 4)})})])
    options: Any = SimpleNamespace(lora_r=2, lora_alpha=4, lora_dropout=0, target_modules=("q_proj",))
    adapter = Adapter(base, options, "小さい")
    path = save_checkpoint(tmp_path, Progress("f", step=1), adapter, AdamW(adapter.matrices, 0.0))
    for name in (ADAPTER_CONFIG, STATE, SUMS):
        assert b"\r" not in (path / name).read_bytes()
    assert "小さい".encode() in (path / ADAPTER_CONFIG).read_bytes()


def test_there_are_no_more_steps_than_json_has_numbers_for() -> None:
    options: Any = SimpleNamespace(batch_size=1, gradient_accumulation_steps=1, max_steps=None, num_train_epochs=1e308)
    assert plan_steps(10, options).total_steps == 2**53 - 1
    options.num_train_epochs = 1.25
    assert plan_steps(10, options).total_steps == 13
