"""Tests share their machine: PyTorch's threads, which wait for each other busily, would take many times as long.
Tests that do without PyTorch do not load it."""

import sys


def pytest_runtest_setup() -> None:
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
