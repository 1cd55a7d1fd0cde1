"""Draws, orders, masks and passes are those of svc's own engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from svc_ray.torch_engine.draws import Draws, keep_mask, make_mask_on, shuffled
from svc_ray.torch_engine.packing import pack, to_pass
from svc_ray.torch_engine.rows import Rows

from .reference import Reference, run_reference


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return run_reference(tmp_path_factory.mktemp("draws"), {"loraR": 1, "targetModules": ["q_proj"], "maxSteps": 1})


def test_draws(reference: Reference) -> None:
    draws = Draws(42, 1, 0)
    assert [*draws.bits(2).tolist(), *draws.bits(3).tolist()] == reference.random["bits"]
    assert Draws(-7, 2**40 + 5).bits(5).tolist() == reference.random["negative"]


def test_orders(reference: Reference) -> None:
    orders = [shuffled(count, Draws(42, 1, count)).tolist() for count in (0, 1, 2, 1000)]
    assert orders == reference.random["orders"]


def test_masks(reference: Reference) -> None:
    masks = [keep_mask(3000, rate, Draws(1, 2)).tolist() for rate in (0.05, 0.5)]
    assert masks == reference.random["masks"]


@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("size", [5, 3000, 100000])
def test_masks_of_gpus_are_the_same(size: int, rate: float) -> None:
    mask = make_mask_on(torch.device("cpu"), size, rate, Draws(1, 2))
    assert np.array_equal(mask.numpy(), keep_mask(size, rate, Draws(1, 2)))


def test_passes(reference: Reference) -> None:
    rows = list(Rows(reference.folder / "training.safetensors"))
    numbers = {id(row): number for number, row in enumerate(rows)}
    for limit, expected in zip((256, 2048), reference.packs, strict=True):
        packed = pack(rows, limit)
        assert [[[numbers[id(row)] for row in line] for line in lines] for lines in packed] == expected


def test_attention_stays_in_its_row(reference: Reference) -> None:
    rows = list(Rows(reference.folder / "training.safetensors"))[:3]
    taken = to_pass([[rows[0], rows[1]], [rows[2]]])
    attends = taken.attends(taken.rows.device)[0, 0]
    first, both = len(rows[0]), len(rows[0]) + len(rows[1])
    assert attends[first, :both].tolist() == [False] * first + [True] + [False] * (both - first - 1)
    assert bool(attends[both - 1, first:both].all())
    assert taken.positions[0, first].item() == 0
    assert taken.labels.tolist() == [
        int(token) for row in rows for token, learned in zip(row.ids[1:], row.learned[1:], strict=True) if learned
    ]


def test_skipped_rows_are_none(tmp_path: Path) -> None:
    save_file(
        {
            "ids": np.array([5, 6, 5, 6], dtype=np.int32),
            "learned": np.array([1, 1, 1, 1], dtype=np.uint8),
            "offsets": np.array([0, 2, 2, 4], dtype=np.int64),
        },
        tmp_path / "rows",
    )
    rows = Rows(tmp_path / "rows")
    assert (len(rows), rows.at(1)) == (3, None)
    assert [row.labels for row in rows] == [1, 1]
