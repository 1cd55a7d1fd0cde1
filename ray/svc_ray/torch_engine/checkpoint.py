"""Checkpoints in the layout that both engines can resume from. A folder appears complete, or not at all."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..digests import ADAPTER_TENSORS, SUMS, is_intact, write_sums
from ..disk_faults import says_nothing_of_files
from .adapter import Adapter
from .optimizer import AdamW

STATE = "trainer_state.json"
OPTIMIZER = "optimizer.safetensors"
_NAME = re.compile(r"^checkpoint-(\d+)$")

log = logging.getLogger("svc_ray")


@dataclass
class Progress:
    fingerprint: str
    step: int = 0
    updates: int = 1
    """How often each step updates the adapter."""
    losses: list[float] = field(default_factory=list)
    """Of the steps since the last log."""
    metrics: dict[str, list[float]] = field(default_factory=dict)
    """What else was measured of these steps, by name."""
    tokens: int = 0
    """In these steps."""
    best: dict[str, Any] | None = None
    """The best checkpoint so far: its step, and its evaluation loss, or what ranks it in its place."""
    weights: str = "f32"
    others: dict[str, Any] = field(default_factory=dict)
    """What only svc's own engine knows, such as the order of rows, as it has saved it."""

    def to_json(self) -> str:
        saved = {
            "step": self.step,
            **({"updates": self.updates} if self.updates > 1 else {}),
            "losses": self.losses,
            **({"metrics": self.metrics} if self.metrics else {}),
            "tokens": self.tokens,
            "best": self.best,
            "weights": self.weights,
            "fingerprint": self.fingerprint,
            **self.others,
        }
        return json.dumps(saved, separators=(",", ":"))


_OWN = {known.name for known in fields(Progress)}


def save_checkpoint(
    folder: Path, progress: Progress, adapter: Adapter, optimizer: AdamW, check: Callable[[], None] = lambda: None
) -> Path:
    """`check` raises if this run may no longer save."""
    path = folder / f"checkpoint-{progress.step}"
    partial = path.with_name(f"{path.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    adapter.save(partial)
    optimizer.save(partial / OPTIMIZER)
    (partial / STATE).write_text(progress.to_json(), encoding="utf-8", newline="\n")
    write_sums(partial)
    return publish_folder(partial, path, check)


def publish_folder(partial: Path, path: Path, check: Callable[[], None]) -> Path:
    """Gives a saved folder its name, once its files would survive a power cut."""
    for file in partial.iterdir():
        # Windows syncs only files that are open for writing.
        with file.open("r+b") as opened:
            os.fsync(opened.fileno())
    _sync_names(partial)
    check()
    shutil.rmtree(path, ignore_errors=True)
    partial.rename(path)
    _sync_names(path.parent)
    return path


def _sync_names(folder: Path) -> None:
    """Of its files. Windows has no such call."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def saved_weights(folder: Path) -> str | None:
    """The precision of the frozen weights, which a run keeps when it resumes."""
    for step in reversed(list_checkpoints(folder)):
        try:
            return _weights_of(_read_state(folder / f"checkpoint-{step}"))
        except (OSError, ValueError) as error:
            _require_readable(error)
    return None


def _weights_of(saved: dict[str, Any]) -> str:
    """What svc's own engine holds in f16, on a GPU alone, goes on elsewhere in f32."""
    weights: str = saved.get("weights", "f32")
    return "f32" if weights == "f16" else weights


def resume(folder: Path, adapter: Adapter, optimizer: AdamW) -> tuple[Progress | None, list[int]]:
    """The progress of the last intact checkpoint, and the steps of damaged ones."""
    damaged: list[int] = []
    for step in reversed(list_checkpoints(folder)):
        path = folder / f"checkpoint-{step}"
        if not any((path / name).exists() for name in (STATE, OPTIMIZER, SUMS)):
            continue
        try:
            if not is_intact(path):
                raise ValueError("its files are not as they were saved")
            saved = _read_state(path)
            adapter.load(path / ADAPTER_TENSORS)
            optimizer.load(path / OPTIMIZER, step * saved.get("updates", 1))
        except (OSError, ValueError, KeyError) as error:
            _require_readable(error)
            log.warning("checkpoint-%d cannot be used: %s.", step, error)
            damaged.append(step)
            continue
        return (
            Progress(
                fingerprint=saved["fingerprint"],
                step=saved["step"],
                updates=saved.get("updates", 1),
                losses=saved["losses"],
                metrics=saved.get("metrics", {}),
                tokens=saved.get("tokens", 0),
                best=saved["best"],
                weights=_weights_of(saved),
                others={name: value for name, value in saved.items() if name not in _OWN},
            ),
            damaged,
        )
    return None, damaged


def _read_state(path: Path) -> dict[str, Any]:
    saved: dict[str, Any] = json.loads((path / STATE).read_text(encoding="utf-8"))
    return saved


def _require_readable(error: Exception) -> None:
    """A checkpoint is not damaged where something else keeps it from being read for a while."""
    if isinstance(error, OSError) and says_nothing_of_files(error):
        raise error


def list_checkpoints(folder: Path) -> list[int]:
    found = (_NAME.match(path.name) for path in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def prune_checkpoints(folder: Path, keep: int, best: int | None) -> None:
    """Only the latest few and the best one can be resumed from; the others keep their adapter."""
    steps = list_checkpoints(folder)
    for step in steps[: max(0, len(steps) - max(1, keep))]:
        if step != best:
            for name in (SUMS, OPTIMIZER, STATE):
                (folder / f"checkpoint-{step}" / name).unlink(missing_ok=True)
