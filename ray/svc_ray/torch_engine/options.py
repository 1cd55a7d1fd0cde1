"""The options of a run document that this engine uses. Those of the Node engine's own computing are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True)
class Options:
    rank: int
    alpha: float
    dropout: float
    modules: tuple[str, ...]
    max_steps: int | None
    epochs: float
    learning_rate: float
    batch_size: int
    accumulation: int
    schedule: str
    warmup_steps: int
    weight_decay: float
    max_gradient_norm: float
    logging_steps: int
    save_steps: int | None
    eval_steps: int | None
    keep_checkpoints: int
    seed: int


def parse_options(given: Mapping[str, Any], *, dry_run: bool = False) -> Options:
    """A dry run takes one step and saves nothing."""
    method = (given.get("method") or {"type": "sft"})["type"]
    if method != "sft":
        raise ValueError(f"The engine torch does not have the method {method}. Set the job's engine to node.")
    modules = tuple(given["modules"])
    if not modules or not set(modules) <= set(MODULES):
        raise ValueError(f"The run adapts modules that svc_ray does not know: {', '.join(modules)}.")
    return Options(
        rank=given["rank"],
        alpha=given["alpha"],
        dropout=given["dropout"],
        modules=modules,
        max_steps=1 if dry_run else given["maxSteps"],
        epochs=given["epochs"],
        learning_rate=given["learningRate"],
        batch_size=given["batchSize"],
        accumulation=given["accumulation"],
        schedule=given["schedule"],
        warmup_steps=given["warmupSteps"],
        weight_decay=given["weightDecay"],
        max_gradient_norm=given["maxGradientNorm"],
        logging_steps=given["loggingSteps"],
        save_steps=None if dry_run else given["saveSteps"],
        eval_steps=given["evalSteps"],
        keep_checkpoints=given["keepCheckpoints"],
        seed=given["seed"],
    )
