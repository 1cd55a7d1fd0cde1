"""The gradient of a step, as a run adds it up from its passes."""

from __future__ import annotations

import torch

from svc_ray.torch_engine.goal import StepGoal
from svc_ray.torch_engine.model import Model
from svc_ray.torch_engine.packing import pack, to_pass
from svc_ray.torch_engine.rows import Row


def add_gradients(model: Model, goal: StepGoal, limit: int) -> float:
    """In passes of at most so many tokens. Returns the loss."""
    members: list[Row] = []
    found: list[torch.Tensor] = []
    for matrix in model.adapter.matrices:
        matrix.values.grad = torch.zeros_like(matrix.values)
    for lines in pack(goal.rows, limit):
        taken = to_pass(lines)
        losses, gradients = model.gradients(taken, goal.weigh(taken), (0, 0))
        members += taken.members
        found.append(losses)
        for matrix, gradient in zip(model.adapter.matrices, gradients, strict=True):
            assert matrix.values.grad is not None
            matrix.values.grad += gradient
    return goal.read(members, torch.cat(found).numpy())
