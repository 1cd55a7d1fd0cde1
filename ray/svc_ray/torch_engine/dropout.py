"""Dropout on the adapter's inputs, with the masks that the Node engine draws. Modules with the same input share one."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .adapter import Adapter
from .draws import Draws, keep_mask_on
from .lora import Mask
from .options import GROUPS, Options
from .packing import Pass

_DROPOUT = 3


class Dropout:
    """Sets the masks of each pass; without masks, as in evaluations, nothing is dropped."""

    def __init__(self, adapter: Adapter, options: Options) -> None:
        self._rate = options.lora_dropout
        self._seed = options.seed
        self._groups: list[tuple[int, Mask]] = []
        if self._rate == 0:
            return
        for layer in range(len(adapter.layers)):
            adapted = adapter.adapted(layer)
            for group in GROUPS:
                modules = [adapter.module(layer, path) for path in group if path in adapted]
                if modules:
                    mask = Mask(self._rate)
                    for module in modules:
                        module.mask = mask
                    self._groups.append((modules[0].in_features, mask))

    def draw(self, taken: Pass, purpose: Sequence[int], device: torch.device) -> None:
        """The part of a pass gets its part of the masks."""
        places = None if taken.places is None or not self._groups else taken.places.to(device)
        for i, (width, mask) in enumerate(self._groups):
            draws = Draws(self._seed, _DROPOUT, *purpose, i)
            drawn = keep_mask_on(device, taken.drawn * width, self._rate, draws).view(-1, width)
            mask.kept = drawn if places is None else drawn[places]

    def clear(self) -> None:
        for _, mask in self._groups:
            mask.kept = None
