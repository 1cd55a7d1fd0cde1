"""Tests share their machine: PyTorch's threads, which wait for each other busily, would take many times as long."""

import torch

torch.set_num_threads(1)
