"""Adapters and merged models that svc writes have the same logits and answers in PEFT and transformers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

from .reference import REPOSITORY, command_of
from .test_architectures import GOLDEN

EXPORTS = command_of("SVC_TEST_EXPORTS", "tests/ray/exports.ts")
MODELS = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())

# Float rounding. Twelve steps with other rounding are further apart.
SAME, TRAINED_ALIKE = 2e-4, 5e-3


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    env = {**os.environ, "SVC_HOME": str(folder / "home"), "SVC_THREADS": "1"}
    subprocess.run([*EXPORTS, str(folder)], cwd=REPOSITORY, check=True, timeout=600, env=env)
    return folder


def open_model(folder: Path) -> Any:
    model, found = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True, output_loading_info=True
    )
    assert not any(found.values()), found
    return model.eval()


def with_adapter(name: str, folder: Path) -> Any:
    return PeftModel.from_pretrained(open_model(GOLDEN / name), folder / "adapter").eval()


def merged(_: str, folder: Path) -> Any:
    return open_model(folder / "merged")


@torch.no_grad()
def answer(model: Any, ids: torch.Tensor, tokens: int) -> list[int]:
    """The likeliest tokens, also after one that ends an answer."""
    model.generation_config.eos_token_id = None
    answered = model.generate(input_ids=ids, do_sample=False, max_new_tokens=tokens)
    found: list[int] = answered[0, ids.shape[1] :].tolist()
    return found


def difference(logits: torch.Tensor, others: list[float]) -> float:
    return float((logits - torch.tensor(others)).abs().max())


@pytest.mark.parametrize("open_form", [with_adapter, merged])
@pytest.mark.parametrize("name", MODELS)
def test_opens_as_the_model_that_svc_trained(name: str, open_form: Callable[[str, Path], Any], exports: Path) -> None:
    ours = json.loads((exports / name / "expected.json").read_text())
    golden = json.loads((GOLDEN / name / "expected.json").read_text())
    batch = json.loads((GOLDEN / name / "batch.json").read_text())
    ids = torch.tensor(batch["input_ids"][:1])
    model = open_form(name, exports / name)
    with torch.no_grad():
        logits = model(input_ids=ids).logits[0, -1]
    assert difference(logits, ours["logits"]) < SAME
    assert difference(logits, golden["final_logits_last_position_row0"]) < TRAINED_ALIKE
    assert difference(logits, golden["logits_last_position_row0"]) > 20 * TRAINED_ALIKE
    assert answer(model, ids, len(ours["answer"])) == ours["answer"]
