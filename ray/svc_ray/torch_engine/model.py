"""The base model with its adapter: computes the loss of passes, and their gradients."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from .adapter import Adapter
from .attention import NAME as ROWS
from .attention import can_attend_by_rows, row_bounds
from .dropout import Dropout
from .head import Head, Weight
from .kept import NAME as KEPT
from .kept import Kept
from .load import load_model
from .memory import LARGEST, NoRoomError, Room, find_room, free_bytes, no_room, peak_of, ran_out, release, seconds_of
from .mixers import Mixers
from .norms import fuse_norms
from .options import Options
from .packing import LARGEST_PASS, Line, Pass, cpu_tokens, split, to_pass, units_of
from .rows import Row
from .teacher import Teacher

log = logging.getLogger("svc_ray")

Result = TypeVar("Result")


class Model:
    def __init__(
        self,
        folder: Path,
        options: Options,
        base_name: str | None,
        device: torch.device,
        weights: str = "f32",
    ) -> None:
        """`weights` is the precision of the base model's: f32 for the device's own, or one of `PRECISIONS`."""
        self.device = device
        base = load_model(folder, device, torch.bfloat16 if device.type == "cuda" else torch.float32, weights)
        base.config.use_cache = False
        self.base = base
        self.adapter = Adapter(base, options, base_name)
        base.train()
        self._dropout = Dropout(self.adapter, options)
        self._windows = _windows(base.config)
        self._mixers = Mixers(base.model.layers)
        self._decoder = base.model
        temperature = options.rewards.temperature if options.rewards else 1.0
        self._head = Head(base.lm_head, getattr(base.config, "logits_scaling", 1.0) * temperature)
        self._one_line = can_attend_by_rows(base.config, list(self._windows.values()), device)
        if self._one_line:
            base.config._attn_implementation = ROWS
        if device.type == "cuda":
            fuse_norms(base)
        self.room = Room(LARGEST if device.type == "cuda" else self._cpu_tokens())
        self.drawn_tokens = self.room.tokens
        """Dropout draws its masks for passes of so many tokens, whatever the device has room for."""
        self.evaluation_tokens = max(LARGEST_PASS, self.drawn_tokens)

    def _cpu_tokens(self) -> int:
        config = self.base.config
        return cpu_tokens(config.num_hidden_layers, config.hidden_size, self.adapter.feed_width, config.vocab_size)

    def require_short(self, longest: int) -> None:
        """Raises if this engine cannot train the model on rows with so many tokens."""
        most = _longest_row(self.base.config)
        if most is not None and longest > most:
            raise ValueError(
                f"The engine torch trains this base model on rows of up to {most} tokens, and one has {longest}. "
                f"Set maxLength to {most}, or the job's engine to node."
            )

    def measure(
        self, longest: int, evaluated: int, rows_per_step: int, tick: Callable[[], None] = lambda: None
    ) -> None:
        """Finds out how large a pass may be, from the tokens of the longest rows that are trained on and evaluated.
        Raises `NoRoomError` if one of them does not fit. `tick` is called between passes; it may raise."""
        self._try_row(longest, lambda taken: self._peak(taken, recompute=True))
        if evaluated > longest:
            self._try_row(evaluated, self.losses)

        def trial(tokens: int, recompute: bool) -> int:
            tick()
            return self._peak(_trial_pass(tokens, longest, self._one_line), recompute=recompute)

        def timer(tokens: int, recompute: bool) -> float:
            tick()
            self.room.recompute = recompute
            taken = _trial_pass(tokens, longest, self._one_line)
            return seconds_of(lambda: self.gradients(taken, 1.0, (0, 0)), self.device)

        self.room = find_room(trial, timer, free_bytes(self.device), longest, longest * rows_per_step)
        release()
        how = "activations are recomputed" if self.room.recompute else "activations are kept"
        by = "lengths" if self._one_line else "masks"
        log.info("Passes have up to %d tokens, %s; rows attend by %s.", self.room.tokens, how, by)

    def in_parts(self, whole: list[Line], run: Callable[[Pass], Result]) -> Iterator[tuple[Pass, Result]]:
        """Runs a pass in parts that fit. One that does not after all is run again as smaller ones."""
        waiting = split(whole, self.room.tokens, self._one_line)
        while waiting:
            lines = waiting[0]
            taken = to_pass(lines, None if lines is whole else whole)
            # The error holds the tensors of the pass until it is gone.
            try:
                result = run(taken)
            except RuntimeError as error:
                if not ran_out(error):
                    raise
            else:
                waiting.pop(0)
                yield taken, result
                continue
            release()
            self.room.shrink(taken.ids.numel(), len(units_of(taken.members)))
            log.warning("A pass ran out of memory. From now on, passes have up to %d tokens.", self.room.tokens)
            waiting = split([line for part in waiting for line in part], self.room.tokens, self._one_line)

    def gradients(
        self, taken: Pass, weight: Weight, purpose: Sequence[int]
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        """The losses of a pass's labels, and the gradients of the adapter's matrices, with the labels' weights."""
        values = [matrix.values for matrix in self.adapter.matrices]
        if len(taken.at) == 0:
            return torch.zeros(0, device=self.device), tuple(map(torch.zeros_like, values))
        self._set_recompute(self.room.recompute)
        self._dropout.draw(taken, purpose, self.device)
        try:
            hidden = self._hidden(taken)
            labels = self._send(taken.labels)
            # Cut here, so that the head keeps nothing for the backward pass.
            losses, gradient = self._head.losses_and_gradient(hidden.detach(), labels, weight)
            return losses, torch.autograd.grad(hidden, values, gradient)
        finally:
            self._dropout.clear()

    @torch.no_grad()
    def losses(self, taken: Pass, teacher: Teacher | None = None) -> torch.Tensor:
        """Of the labels."""
        if len(taken.at) == 0:
            return torch.zeros(0, device=self.device)
        return self._head.losses(self._hidden(taken), self._send(taken.labels), teacher)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """In it, `read` reads texts piece by piece."""
        attention = self.base.config._attn_implementation
        self.base.config._attn_implementation = KEPT
        # Without recomputing.
        self.base.eval()
        try:
            with torch.no_grad():
                yield
        finally:
            self.base.train()
            self.base.config._attn_implementation = attention
            self._mixers.kept = None

    def read(
        self, ids: torch.Tensor, at: torch.Tensor, kept: Kept, reach: int, counts: torch.Tensor | None = None
    ) -> torch.Tensor:
        """[texts, length, hidden]: of the next tokens, at their places; `reach` is beyond the last of these. `counts`
        is how many of them each text has, if not all have as many."""
        kept.read(at, reach, counts)
        self._mixers.positions, self._mixers.kept = at, kept
        output = self._decoder(input_ids=ids, position_ids=at, attention_mask=None, use_cache=False, kept=kept)
        states: torch.Tensor = output.last_hidden_state
        return states

    def scores(self, states: torch.Tensor) -> torch.Tensor:
        """[texts, vocabulary]: of the next tokens, in single precision and divided by the temperature."""
        return self._head.logits(states)

    def kept_bytes(self, places: int) -> int:
        """What is kept of a text with so many tokens while it is read."""
        config = self.base.config
        size: int = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        attending = sum(hasattr(layer, "self_attn") for layer in self.base.model.layers)
        pairs = 2 * attending * config.num_key_value_heads * size
        return int(places * pairs * self.base.dtype.itemsize) + self._mixers.text_bytes

    def _peak(self, taken: Pass, *, recompute: bool) -> int:
        self.room.recompute = recompute
        return peak_of(lambda: self.gradients(taken, 1.0, (0, 0)), self.device)

    def _try_row(self, tokens: int, run: Callable[[Pass], object]) -> None:
        try:
            run(_trial_pass(tokens, tokens, self._one_line))
        except RuntimeError as error:
            if ran_out(error):
                raise NoRoomError(no_room(tokens)) from error
            raise

    def _set_recompute(self, recompute: bool) -> None:
        if recompute == self.base.is_gradient_checkpointing:
            return
        if recompute:
            # No random numbers are drawn in a pass.
            how = {"use_reentrant": False, "preserve_rng_state": False}
            self.base.gradient_checkpointing_enable(gradient_checkpointing_kwargs=how)
        else:
            self.base.gradient_checkpointing_disable()

    def _hidden(self, taken: Pass) -> torch.Tensor:
        """[labels, hidden]: the states that predict the labels."""
        positions = self._send(taken.positions)
        self._mixers.positions = positions
        output = self._decoder(
            input_ids=self._send(taken.ids),
            position_ids=positions,
            use_cache=False,
            **(self._bounds(taken) if self._one_line else self._masks(taken)),
        )
        states: torch.Tensor = output.last_hidden_state
        return states.reshape(-1, states.shape[-1])[self._send(taken.at)]

    def _bounds(self, taken: Pass) -> dict[str, Any]:
        bounds, longest = self._send(row_bounds(taken.lengths)), max(taken.lengths)
        return {
            "attention_mask": None,
            "cu_seq_lens_q": bounds,
            "cu_seq_lens_k": bounds,
            "max_length_q": longest,
            "max_length_k": longest,
        }

    def _masks(self, taken: Pass) -> dict[str, Any]:
        """By the type of a layer, if there are several."""
        masks = {window: taken.attends(self.device, window) for window in set(self._windows.values())}
        by_kind = {kind: masks[window] for kind, window in self._windows.items()}
        return {"attention_mask": by_kind if len(by_kind) > 1 else next(iter(by_kind.values()))}

    def _send(self, values: torch.Tensor) -> torch.Tensor:
        """Without waiting for the GPU."""
        if self.device.type == "cpu":
            return values
        return values.pin_memory().to(self.device, non_blocking=True)


def _longest_row(config: Any) -> int | None:
    """With longrope, transformers turns all rows of a pass by what its longest one needs."""
    rope = getattr(config, "rope_parameters", None) or {}
    return rope.get("original_max_position_embeddings") if rope.get("rope_type") == "longrope" else None


def _trial_pass(tokens: int, longest: int, one_line: bool) -> Pass:
    """Rows as long as the longest, with all tokens learned: no pass of so many tokens takes more memory."""
    lengths = [longest] * (tokens // longest) + ([tokens % longest] if tokens % longest else [])
    rows = [Row(np.zeros(length, np.int32), np.ones(length, np.uint8)) for length in lengths]
    (lines,) = split([[row] for row in rows], tokens, one_line)
    return to_pass(lines)


def _windows(config: Any) -> dict[str, int | None]:
    """How far back each type of layer attends, as transformers reads it."""
    window: int | None = getattr(config, "sliding_window", None)
    plain = "full_attention" if window is None else "sliding_attention"
    kinds = getattr(config, "layer_types", None) or [plain]
    return {kind: window if kind == "sliding_attention" else None for kind in kinds}
