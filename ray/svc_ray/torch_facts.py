"""Whether the engine torch can run here, on which device, and why not on a GPU."""

from __future__ import annotations

import re

from .machine import TORCH, count_gpus, find_versions
from .words import list_words

LEAST = {"torch": "2.6", "transformers": "5.0"}
"""Older ones lack what the engine calls."""

Facts = dict[str, str | None]


def find_torch_facts() -> Facts:
    problem = _find_problem()
    if problem:
        return {"problem": problem}
    try:
        import torch
        import transformers  # noqa: F401
    except Exception as error:  # Native libraries fail in many ways.
        return {"problem": f"PyTorch cannot be loaded: {type(error).__name__}: {str(error).splitlines()[0][:200]}"}
    has_gpu = torch.cuda.is_available()
    return {
        "torch": torch.__version__,
        "gpu": torch.cuda.get_device_name(0) if has_gpu else None,
        "noGpu": None if has_gpu else _why_cpu(torch.version.cuda),
        "problem": None,
    }


def _find_problem() -> str | None:
    versions = find_versions(TORCH)
    missing = [name for name in TORCH if name not in versions]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return f"{list_words(missing)} {verb} missing."
    old = [f"{name} {versions[name]}" for name in TORCH if _numbers(versions[name]) < _numbers(LEAST[name])]
    if not old:
        return None
    verb = "is" if len(old) == 1 else "are"
    needed = list_words([f"{name} {LEAST[name]}" for name in TORCH])
    return f"{list_words(old)} {verb} too old: svc needs {needed} or later."


def _why_cpu(built_for: str | None) -> str:
    gpus = count_gpus()
    if gpus == 0:
        return "there is no NVIDIA GPU"
    if built_for is None:
        return "this PyTorch is a build for CPUs"
    return f"PyTorch, built for CUDA {built_for}, finds no usable GPU; check the driver with nvidia-smi"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version.split("+")[0])[:3]]
