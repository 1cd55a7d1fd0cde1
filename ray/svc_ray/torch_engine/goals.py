"""Which goal the method of a run has."""

from __future__ import annotations

from dataclasses import replace

from ..materials import Materials
from .control import Control
from .goal import Goal, Supervised
from .model import Model
from .options import Options, PreferenceMethod
from .preferences import Preferences
from .rewards import Rewards
from .rows import Rows
from .steps import FirstSteps


def open_goal(
    materials: Materials,
    options: Options,
    model: Model,
    rows: Rows,
    evaluation: Rows | None,
    control: Control,
) -> Goal:
    group = control.group
    if options.method is None:
        return Supervised(model, evaluation, group, control.tick, soft_weight=options.soft_weight)
    if isinstance(options.method, PreferenceMethod):
        steps = FirstSteps(rows, options)
        return Preferences(model, options, control, steps=steps, first=materials.initial, evaluation=evaluation)
    if group.size > 1:
        raise ValueError("The method grpo trains with one worker. Set the job's resources.workers to 1.")
    limit = getattr(model.base.config, "max_position_embeddings", options.max_length)
    return Rewards(
        model,
        replace(options, max_length=min(options.max_length, limit)),
        control,
        ends=materials.claim["rows"]["answers"]["ends"],
        first=materials.initial,
        evaluation=evaluation,
    )
