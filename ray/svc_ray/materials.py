"""What an engine trains with, as files on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import __version__

FORMAT = 1


class DocumentError(Exception):
    """The cloud speaks another version of the protocol."""


@dataclass(frozen=True)
class Materials:
    claim: dict[str, Any]
    """The run's document as `run`, and what is known about its rows as `rows`."""
    model: Path
    training: Path
    evaluation: Path | None
    initial: Path
    folder: Path
    """For checkpoints. Has the one to resume from."""

    @property
    def run(self) -> dict[str, Any]:
        run: dict[str, Any] = self.claim["run"]
        return run


def require_format(run: Mapping[str, Any]) -> None:
    if run.get("format") != FORMAT:
        raise DocumentError(
            f"The cloud sent a run of format {run.get('format')}, but svc_ray {__version__} "
            f"knows format {FORMAT}. Use the svc_ray that belongs to the cloud's version of svc."
        )
