"""What an engine sees of the cloud: it hands in events and folders here, and asks what is wanted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from .reporter import Event, Want

Question = dict[str, Any]
"""A step's answers, as tokens or as text, in groups by the row that they answer."""
Rewards = list[list[dict[str, Any]]]
"""For each answer of each group: its `reward`, and the `parts` that it was computed from, or an `error`."""


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

    def ask_rewards(self, question: Question) -> Rewards | None:
        """None if there are none yet: after a while, ask again with the same question."""


class TarDesk(Desk, Protocol):
    """Takes folders that are packed already."""

    def send_tar(self, name: str, tar: Path) -> None: ...


def rewards_of(answer: dict[str, Any]) -> Rewards:
    """Of what the cloud says to a question. Raises if there can be none."""
    if "problem" in answer:
        raise ValueError(answer["problem"])
    rewards: Rewards = answer["rewards"]
    return rewards


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
