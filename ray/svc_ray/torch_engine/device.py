"""What PyTorch computes on in this process."""

from __future__ import annotations

import math
import os

import torch


def choose_device(*, with_gpu: bool = True) -> torch.device:
    """The GPU, if this process sees one. On a cluster, Ray hides those that it gave to others, but from jobs without
    GPUs it hides none."""
    if with_gpu and torch.cuda.is_available():
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device("cpu")


def describe_device(device: torch.device) -> dict[str, str]:
    software = f"PyTorch {torch.__version__}"
    if device.type == "cpu":
        return {"type": "cpu", "software": software}
    return {"type": "gpu", "name": torch.cuda.get_device_name(device), "software": software}


def limit_threads(cpus: float) -> None:
    """As many threads as CPUs were asked for, since others share the machine."""
    torch.set_num_threads(max(1, min(os.cpu_count() or 1, math.ceil(cpus))))
