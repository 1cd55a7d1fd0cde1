"""Samples answers, many at a time. Each has random numbers of its own, so that it does not depend on the others: a run
that resumes samples the same ones again. A prompt is read once for all of its answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from .draws import Draws
from .kept import Kept
from .memory import NoRoomError, ran_out, release
from .model import Model
from .packing import LARGEST_PASS

log = logging.getLogger("svc_ray")

_ANSWERS = 4
# Answers at a time: larger batches are hardly faster on a CPU.
_ON_CPU, _ON_GPU = 64, 256
# What may be kept of them: on a GPU, a share of its memory, which is the same in every run there.
_CPU_BYTES, _GPU_SHARE = 2**30, 1 / 8
_NO_ROOM = (
    "An answer does not fit into this GPU's memory. Lower maxTokens or maxLength, start the cloud with "
    "--base-weights nf4, choose a smaller model, or use a larger GPU."
)


@dataclass(frozen=True, eq=False)
class Request:
    prompt: npt.NDArray[np.int32]
    most: int
    """The longest answer."""
    draws: npt.NDArray[np.float64] | None
    """A number in [0, 1) for each token; none for the likeliest tokens."""


@dataclass(frozen=True)
class Sampled:
    ids: list[int]
    """With the token that ended it, if one did."""
    is_cut: bool
    """It ended because it had no more room."""


def draws_of(seed: int, position: int, prompt: int, answer: int, count: int) -> npt.NDArray[np.float64]:
    """The numbers that svc's own engine draws for the answer to a prompt of a step."""
    own = Draws(seed, _ANSWERS, position, prompt, answer).bits(1)
    low, high = own.astype("<f8").view("<u4").tolist()
    return Draws(low, high).bits(count) / 2.0**32


class Sampler:
    def __init__(self, model: Model, ends: Sequence[int], tick: Callable[[], None]) -> None:
        """`ends`: the tokens that end an answer. `tick` is called for each token; it may raise."""
        self._model = model
        self._ends = frozenset(ends)
        self._tick = tick
        is_gpu = model.device.type == "cuda"
        self._most = _ON_GPU if is_gpu else _ON_CPU
        self._bytes = _CPU_BYTES
        if is_gpu:
            self._bytes = int(torch.cuda.get_device_properties(model.device).total_memory * _GPU_SHARE)

    def answer(self, requests: Sequence[Request]) -> list[Sampled]:
        """In their order. Those that follow each other with the same list of prompt tokens share what is read of it."""
        answers: list[Sampled] = []
        with self._model.reading():
            while len(answers) < len(requests):
                batch = self._batch(requests[len(answers) :])
                # The error holds the tensors of the batch until it is gone.
                try:
                    found = _Batch(self._model, self._ends, self._tick, batch).answer()
                except RuntimeError as error:
                    if not ran_out(error):
                        raise
                    if len(batch) == 1:
                        raise NoRoomError(_NO_ROOM) from error
                else:
                    answers += found
                    continue
                release()
                self._most = len(batch) // 2
                log.warning("Answers ran out of memory. From now on, %d are sampled at a time.", self._most)
        return answers

    def _batch(self, requests: Sequence[Request]) -> list[Request]:
        """As many of the first as fit."""
        batch: list[Request] = []
        places = 0
        for request in requests[: self._most]:
            places = max(places, len(request.prompt) + request.most)
            if batch and (len(batch) + 1) * self._model.kept_bytes(places) > self._bytes:
                break
            batch.append(request)
        return batch


class _Batch:
    def __init__(
        self, model: Model, ends: frozenset[int], tick: Callable[[], None], requests: Sequence[Request]
    ) -> None:
        self._model = model
        self._ends = ends
        self._tick = tick
        self._requests = requests
        self._answers: list[list[int]] = [[] for _ in requests]
        self._rows = [i for i, request in enumerate(requests) if request.most > 0]
        """The requests that are in the batch. Some may have their answers, until there are enough to leave them out."""

    def answer(self) -> list[Sampled]:
        if self._rows:
            self._sample()
        return [
            Sampled(ids, is_cut=not ids or ids[-1] not in self._ends)
            for ids, request in zip(self._answers, self._requests, strict=True)
        ]

    def _sample(self) -> None:
        device = self._model.device
        requests = [self._requests[i] for i in self._rows]
        places = max(len(request.prompt) + request.most for request in requests)
        kept = Kept(len(requests), places)
        states = self._read_prompts(requests, kept)
        at = torch.tensor([len(request.prompt) for request in requests], device=device)
        draws = _stack(requests, device)
        longest = max(len(request.prompt) for request in requests)
        step = 0
        while True:
            self._tick()
            tokens = _choose(self._model.scores(states), None if draws is None else draws[:, step])
            ids = tokens.tolist()
            step += 1
            going = self._add(ids)
            if not going:
                return
            if len(going) <= len(self._rows) // 2:
                chosen = torch.tensor(going, device=device)
                kept.choose(chosen)
                tokens, at = tokens[chosen], at[chosen]
                draws = None if draws is None else draws[chosen]
                self._rows = [self._rows[i] for i in going]
            reach = min(places, longest + step)
            states = self._model.read(tokens[:, None], at[:, None], kept, reach)[:, 0]
            at = (at + 1).clamp_(max=places - 1)

    def _add(self, ids: list[int]) -> list[int]:
        """Adds a token to each answer that goes on. Returns the places in the batch of those that still do."""
        going = []
        for place, (row, token) in enumerate(zip(self._rows, ids, strict=True)):
            if token < 0:
                raise ValueError("The model's outputs are not finite. Try a lower learning rate.")
            if self._goes_on(row):
                self._answers[row].append(token)
                if self._goes_on(row):
                    going.append(place)
        return going

    def _goes_on(self, row: int) -> bool:
        answer = self._answers[row]
        return len(answer) < self._requests[row].most and (not answer or answer[-1] not in self._ends)

    def _read_prompts(self, requests: Sequence[Request], kept: Kept) -> torch.Tensor:
        """[requests, hidden]: the states of their last tokens."""
        device = self._model.device
        states: torch.Tensor | None = None
        for first, prompts, of in _groups(requests):
            self._tick()
            longest = max(map(len, prompts))
            ids = torch.zeros(len(prompts), longest, dtype=torch.int64)
            for row, prompt in enumerate(prompts):
                ids[row, : len(prompt)] = torch.from_numpy(prompt.astype("int64"))
            at = torch.arange(longest, device=device).repeat(len(prompts), 1)
            own = Kept(len(prompts), longest)
            counts = torch.tensor([len(prompt) for prompt in prompts], device=device)
            read = self._model.read(ids.to(device), at, own, longest, counts)
            ends = read[torch.arange(len(prompts), device=device), counts - 1]
            texts = torch.arange(first, first + len(of), device=device)
            of_prompts = torch.tensor(of, device=device)
            kept.take(texts, own, of_prompts)
            if states is None:
                states = ends.new_zeros(len(requests), ends.shape[-1])
            states[texts] = ends[of_prompts]
        assert states is not None
        return states


def _groups(requests: Sequence[Request]) -> Iterator[tuple[int, list[npt.NDArray[np.int32]], list[int]]]:
    """Prompts that are read together: the place of their first request, and which prompt each request has."""
    first, prompts, of = 0, [requests[0].prompt], [0]
    for i, request in enumerate(requests[1:], 1):
        if request.prompt is not prompts[-1]:
            if (len(prompts) + 1) * max(*map(len, prompts), len(request.prompt)) > LARGEST_PASS:
                yield first, prompts, of
                first, prompts, of = i, [], []
            prompts.append(request.prompt)
        of.append(len(prompts) - 1)
    yield first, prompts, of


def _stack(requests: Sequence[Request], device: torch.device) -> torch.Tensor | None:
    """[requests, tokens]"""
    if requests[0].draws is None:
        return None
    draws = np.zeros((len(requests), max(request.most for request in requests)))
    for row, request in enumerate(requests):
        assert request.draws is not None
        draws[row, : request.most] = request.draws[: request.most]
    return torch.from_numpy(draws).to(device)


def _choose(scores: torch.Tensor, draws: torch.Tensor | None) -> torch.Tensor:
    """A token for each text: the likeliest, or by its random number. -1 where the scores are not finite."""
    highest, tokens = scores.max(dim=-1)
    if draws is not None:
        sums = (scores - highest[:, None]).double().exp_().cumsum_(dim=-1)
        found = torch.searchsorted(sums, (draws * sums[:, -1])[:, None], right=True)[:, 0]
        tokens = torch.where(found < scores.shape[1], found, tokens)
    return torch.where(highest.isfinite(), tokens, -1)
