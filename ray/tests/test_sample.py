"""Answers are sampled as the model says, each with its own random numbers, whatever else is in the batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import torch

from svc_ray.digests import ADAPTER_TENSORS
from svc_ray.torch_engine.kept import Kept
from svc_ray.torch_engine.memory import NoRoomError
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.options import RewardMethod
from svc_ray.torch_engine.packing import Line, to_pass
from svc_ray.torch_engine.policy import to_answer
from svc_ray.torch_engine.rows import Row
from svc_ray.torch_engine.sample import Request, Sampler, draws_of

from .test_architectures import ARCHITECTURES, GOLDEN, options_for

METHOD = RewardMethod(4, 1, 0.0, 0.2, 0.9, 16)
CPU = torch.device("cpu")


def open_model(name: str) -> Model:
    folder = GOLDEN / name
    model = Model(folder, replace(options_for(folder), method=METHOD), None, CPU)
    model.adapter.load(folder / "adapter_init" / ADAPTER_TENSORS)
    return model


def prompts() -> list[npt.NDArray[np.int32]]:
    draw = np.random.default_rng(3)
    return [draw.integers(3, 300, length).astype(np.int32) for length in (2, 11, 23, 5)]


def log_probabilities(model: Model, prompt: npt.NDArray[np.int32], answer: list[int]) -> torch.Tensor:
    """Of the answer's tokens, read at once."""
    row = Row(prompt, np.zeros(len(prompt), np.uint8))
    return -model.losses(to_pass([[to_answer(row, answer, 0)]]))


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_reads_a_text_piece_by_piece_as_at_once(name: str) -> None:
    """With windows, convolutions, states and texts of different lengths."""
    model = open_model(name)
    texts = [np.concatenate([prompt, prompts()[1][:9]]) for prompt in prompts()]
    whole = [log_probabilities(model, text[:-9], text[-9:].tolist()) for text in texts]
    first = [len(text) - 9 for text in texts]
    ids = torch.zeros(4, max(first), dtype=torch.int64)
    for row, (text, length) in enumerate(zip(texts, first, strict=True)):
        ids[row, :length] = torch.from_numpy(text[:length].astype("int64"))
    kept, found = Kept(4, max(map(len, texts))), []
    with model.reading():
        states = model.read(ids, torch.arange(max(first)).repeat(4, 1), kept, max(first), torch.tensor(first))
        last = states[torch.arange(4), torch.tensor(first) - 1]
        for i in range(9):
            tokens = torch.tensor([text[length + i] for text, length in zip(texts, first, strict=True)])
            found.append(model.scores(last).log_softmax(-1).gather(1, tokens[:, None])[:, 0])
            at = torch.tensor(first)[:, None] + i
            last = model.read(tokens[:, None], at, kept, max(first) + i + 1)[:, 0]
    assert torch.allclose(torch.stack(found, dim=1), torch.stack(whole), atol=2e-4)
    # And trains as before.
    assert torch.equal(log_probabilities(model, texts[2][:-9], texts[2][-9:].tolist()), whole[2])


def requests_of(each: int, most: int = 12) -> list[Request]:
    return [
        Request(prompt, most, draws_of(7, 2, at, i, most)) for at, prompt in enumerate(prompts()) for i in range(each)
    ]


@pytest.fixture
def model() -> Iterator[Model]:
    yield open_model("llama")


@pytest.mark.parametrize("name", ["llama", "lfm2", "qwen3_5"])
def test_an_answer_does_not_depend_on_the_others(name: str) -> None:
    sampler = Sampler(open_model(name), [5], lambda: None)
    requests = requests_of(6)
    together = sampler.answer(requests)
    assert [sampler.answer([request])[0] for request in requests] == together
    assert sampler.answer(requests) == together
    assert len({tuple(answer.ids) for answer in together}) > 20
    sampler._most = 5
    assert sampler.answer(requests) == together


def test_answers_end_with_a_token_that_ends_them_or_for_want_of_room(model: Model) -> None:
    free = Sampler(model, [], lambda: None).answer(requests_of(6))
    assert all(answer.is_cut and len(answer.ids) == 12 for answer in free)
    end = free[3].ids[4]
    for answer, whole in zip(Sampler(model, [end], lambda: None).answer(requests_of(6)), free, strict=True):
        is_cut = end not in whole.ids
        assert answer.is_cut == is_cut
        assert answer.ids == (whole.ids if is_cut else whole.ids[: whole.ids.index(end) + 1])
    none = Sampler(model, [end], lambda: None).answer([*requests_of(1, 0), *requests_of(1, 3)])
    assert [len(answer.ids) for answer in none] == [0] * 4 + [3] * 4
    assert none[0].is_cut


def test_the_likeliest_answer_has_the_likeliest_tokens(model: Model) -> None:
    prompt = prompts()[1]
    (answer,) = Sampler(model, [], lambda: None).answer([Request(prompt, 8, None)])
    for i, token in enumerate(answer.ids):
        text = np.concatenate([prompt, np.array(answer.ids[:i], np.int32)])
        row = Row(text, np.zeros(len(text), np.uint8))
        # As rows of one pass.
        lines: list[Line] = [[to_answer(row, [other], 0) for other in range(at, at + 32)] for at in range(0, 320, 32)]
        others = [-float(loss) for line in lines for loss in model.losses(to_pass([line]))]
        assert max(others) == pytest.approx(others[token])


def test_tokens_are_as_frequent_as_they_are_likely(model: Model) -> None:
    """The temperature counts."""
    prompt, count = prompts()[3], 4000
    answers = Sampler(model, [], lambda: None).answer(
        [Request(prompt, 1, draws_of(1, i, 0, 0, 1)) for i in range(count)]
    )
    with model.reading():
        at = torch.arange(len(prompt))[None]
        states = model.read(torch.from_numpy(prompt.astype("int64"))[None], at, Kept(1, 5), 5)
        likely = model.scores(states[:, -1]).softmax(-1)[0]
    top = likely.topk(5)
    for share, token in zip(top.values.tolist(), top.indices.tolist(), strict=True):
        found = sum(answer.ids == [token] for answer in answers) / count
        assert found == pytest.approx(share, abs=4 * (share / count) ** 0.5)


def test_fewer_are_sampled_at_a_time_where_memory_runs_out(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = Sampler(model, [], lambda: None)
    requests = requests_of(6)
    expected = sampler.answer(requests)
    read = Model.read

    def read_little(own: Model, ids: torch.Tensor, *given: object) -> torch.Tensor:
        if len(ids) > most and ids.shape[1] == 1:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return read(own, ids, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Model, "read", read_little)
    most = 7
    assert sampler.answer(requests) == expected
    assert sampler._most == 6
    most = 0
    with pytest.raises(NoRoomError, match="An answer does not fit into this GPU's memory"):
        sampler.answer(requests)


def test_a_model_without_finite_outputs_is_an_error(model: Model) -> None:
    with torch.no_grad():
        model.adapter.matrices[-1].values.fill_(float("nan"))
    with pytest.raises(ValueError, match="outputs are not finite"):
        Sampler(model, [], lambda: None).answer(requests_of(1))
