"""What layers keep of texts that are read piece by piece, so that no token is read twice: keys and values, each at its
place, the last inputs of convolutions, and states."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

NAME = "svc_kept"
# Attention looks at so many places more at once, so that its kernels see few different sizes.
_PLACES = 64


Name = tuple[int, str]
"""Of what a module carries."""


class Kept:
    def __init__(self, texts: int, places: int) -> None:
        self.texts = texts
        self._places = places
        self._pairs: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # [texts, heads, places, size]
        self._carried: dict[Name, torch.Tensor] = {}  # [texts, …]
        self._masks: dict[int | None, torch.Tensor] = {}
        self._at = torch.zeros(0)
        self._counts = torch.zeros(0)
        self._reach = 0

    def read(self, at: torch.Tensor, reach: int, counts: torch.Tensor | None = None) -> None:
        """`at`: [texts, length], the places of the tokens that are read next; `reach` is beyond the last of them.
        `counts`: [texts], how many of them are the text's own, if not all are. Others are at its end."""
        self._at = at
        self._counts = at.new_full((self.texts,), at.shape[1]) if counts is None else counts
        self._reach = min(self._places, -(-reach // _PLACES) * _PLACES)
        self._masks = {}

    def add(self, layer: int, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Those of the tokens that are read, [texts, heads, length, size]. Returns those of all places so far."""
        if layer not in self._pairs:
            self._pairs[layer] = (self._room(key), self._room(value))
        keys, values = self._pairs[layer]
        self._write(keys.transpose(1, 2), key.transpose(1, 2))
        self._write(values.transpose(1, 2), value.transpose(1, 2))
        return keys[:, :, : self._reach], values[:, :, : self._reach]

    @property
    def is_read(self) -> torch.Tensor:
        """[texts, length]: whether a token is the text's own."""
        return torch.arange(self._at.shape[1], device=self._at.device) < self._counts[:, None]

    def carried(self, name: Name) -> torch.Tensor | None:
        """What was carried from the tokens before; none from none."""
        return self._carried.get(name)

    def carry(self, name: Name, values: torch.Tensor) -> None:
        """[texts, …]: to the tokens that are read next."""
        self._carried[name] = values

    def add_inputs(self, name: Name, inputs: torch.Tensor, reach: int) -> torch.Tensor:
        """Of a convolution that reaches back so far, [texts, length, channels]. Returns them after those before."""
        before = self._carried.get(name)
        if before is None:
            before = inputs.new_zeros(self.texts, reach, inputs.shape[-1])
        known = torch.cat([before, inputs], dim=1)
        last = self._counts[:, None] + torch.arange(reach, device=known.device)
        self.carry(name, known.gather(1, last[:, :, None].expand(-1, -1, known.shape[-1])))
        return known

    def mask(self, window: int | None) -> torch.Tensor:
        """[texts, 1, length, places]: to itself and earlier tokens, as far back as the window goes."""
        if window not in self._masks:
            places = torch.arange(self._reach, device=self._at.device)
            at = self._at[:, :, None]
            mask = places <= at
            self._masks[window] = (mask if window is None else mask & (places > at - window))[:, None]
        return self._masks[window]

    def take(self, texts: torch.Tensor, other: Kept, of: torch.Tensor) -> None:
        """These texts begin as those of another one do."""
        for layer, pair in other._pairs.items():
            if layer not in self._pairs:
                self._pairs[layer] = (self._room(pair[0]), self._room(pair[1]))
            for own, theirs in zip(self._pairs[layer], pair, strict=True):
                own[texts, :, : other._places] = theirs[of]
        for name, theirs in other._carried.items():
            if name not in self._carried:
                self._carried[name] = theirs.new_zeros(self.texts, *theirs.shape[1:])
            self._carried[name][texts] = theirs[of]

    def choose(self, texts: torch.Tensor) -> None:
        """Keeps only these texts."""
        self.texts = len(texts)
        for layer, (keys, values) in self._pairs.items():
            self._pairs[layer] = (keys[texts], values[texts])
        for name, values in self._carried.items():
            self._carried[name] = values[texts]

    def _room(self, values: torch.Tensor) -> torch.Tensor:
        """Zeros: what is masked must be finite."""
        return values.new_zeros(self.texts, values.shape[1], self._places, values.shape[3])

    def _write(self, known: torch.Tensor, values: torch.Tensor) -> None:
        """Both [texts, …, any, any]: by place, and by token."""
        texts = torch.arange(self.texts, device=self._at.device)[:, None]
        known[texts, self._at] = values


def attend_to_kept(
    module: torch.nn.Module,
    query: torch.Tensor,  # [texts, heads, length, size]
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: None,
    *,
    kept: Kept,
    scaling: float | None = None,
    sliding_window: int | None = None,
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """As transformers calls it."""
    del attention_mask
    layer: Any = module.layer_idx
    keys, values = kept.add(layer, key, value)
    texts, heads, length, size = query.shape
    # Heads with the same keys are like further tokens, so that no key is copied.
    shared = heads // keys.shape[1]
    mask = kept.mask(sliding_window).repeat(1, 1, shared, 1)
    together = query.reshape(texts, -1, shared * length, size)
    states = functional.scaled_dot_product_attention(together, keys, values, attn_mask=mask, scale=scaling)
    return states.reshape(texts, heads, length, -1).transpose(1, 2), None


ALL_ATTENTION_FUNCTIONS.register(NAME, attend_to_kept)
