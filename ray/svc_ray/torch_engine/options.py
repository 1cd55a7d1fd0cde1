"""The options of a run document that this engine uses, under the names that they have there, in snake case.
Jobs that choose others have the engine node."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

# The modules that can be adapted, as paths within a layer, in the order in which a layer uses them; those of one input
# together. A model has some of them.
GROUPS = (
    ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    ("self_attn.qkv_proj",),
    ("conv.in_proj",),
    ("linear_attn.in_proj_qkv", "linear_attn.in_proj_z", "linear_attn.in_proj_b", "linear_attn.in_proj_a"),
    ("self_attn.o_proj",),
    ("self_attn.out_proj",),
    ("conv.out_proj",),
    ("linear_attn.out_proj",),
    ("mlp.gate_proj", "mlp.up_proj"),
    ("mlp.gate_up_proj",),
    ("feed_forward.w1", "feed_forward.w3"),
    ("shared_mlp.input_linear",),
    ("mlp.down_proj",),
    ("feed_forward.w2",),
    ("shared_mlp.output_linear",),
)


@dataclass(frozen=True)
class RewardMethod:
    """Learns from rewards for its own answers (GRPO). Rows are prompts."""

    group: int
    updates: int
    beta: float
    epsilon: float
    temperature: float
    max_tokens: int


@dataclass(frozen=True)
class PreferenceMethod:
    """Learns which of two answers is preferred (DPO). Rows are pairs."""

    beta: float
    label_smoothing: float
    sft_weight: float


@dataclass(frozen=True)
class Options:
    lora_r: int
    lora_alpha: float
    lora_dropout: float
    target_modules: tuple[str, ...]
    max_length: int
    max_steps: int | None
    num_train_epochs: float
    learning_rate: float
    batch_size: int
    gradient_accumulation_steps: int
    lr_scheduler_type: str
    warmup_steps: int
    weight_decay: float
    max_grad_norm: float
    logging_steps: int
    save_steps: int | None
    eval_steps: int | None
    keep_checkpoints: int
    seed: int
    soft_weight: float = 0.0
    method: RewardMethod | PreferenceMethod | None = None
    """None for rows that are learned as they are."""

    @property
    def rewards(self) -> RewardMethod | None:
        return self.method if isinstance(self.method, RewardMethod) else None


def parse_options(given: Mapping[str, Any], *, dry_run: bool = False) -> Options:
    """A dry run takes one step and saves nothing."""
    values = {field.name: given[_camel_case(field.name)] for field in fields(Options) if field.name != "method"}
    values["method"] = _parse_method(given.get("method"))
    values["target_modules"] = tuple(given["targetModules"])
    if dry_run:
        values.update(max_steps=1, save_steps=None)
    return Options(**values)


def _parse_method(given: Mapping[str, Any] | None) -> RewardMethod | PreferenceMethod | None:
    if given is None or given["type"] == "sft":
        return None
    kind = PreferenceMethod if given["type"] == "dpo" else RewardMethod
    # Jobs that were stored before there could be several updates do not say so.
    known: dict[str, Any] = {"updates": 1, **given}
    return kind(**{field.name: known[_camel_case(field.name)] for field in fields(kind)})


def _camel_case(name: str) -> str:
    return re.sub("_(.)", lambda found: found[1].upper(), name)
