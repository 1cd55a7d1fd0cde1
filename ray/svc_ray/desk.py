"""What an engine sees of the cloud: it hands in events and folders here, and asks what is wanted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from .reporter import Event, Want


class Desk(Protocol):
    @property
    def want(self) -> Want:
        """Raises `AttemptOverError` once the attempt is over."""

    def check(self) -> None:
        """Raises if nothing more may be saved."""

    def emit(self, event: Event) -> None: ...

    def send_folder(self, folder: Path) -> None:
        """Before the event that names it."""

    def held_up(self, fault: str | None) -> None: ...


class TarDesk(Desk, Protocol):
    """Takes folders that are packed already."""

    def send_tar(self, name: str, tar: Path) -> None: ...


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
