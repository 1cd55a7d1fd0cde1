"""A desk that only remembers, for tests of the engines without a cloud."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc_ray.desk import Question, Rewards, TarDesk
from svc_ray.folders import pack


class ScriptedDesk(TarDesk):
    """Wants what `wants` says for the number of logs so far."""

    def __init__(self, sent: Path, wants: dict[int, Any] | None = None) -> None:
        self.events: list[dict[str, Any]] = []
        self.faults: list[str | None] = []
        self.questions: list[Question] = []
        self.reward: Callable[[dict[str, Any]], dict[str, Any]] | None = None
        """Of an answer. Without it, there are no rewards yet."""
        self.sent = sent
        self._wants = wants or {}
        sent.mkdir(parents=True, exist_ok=True)

    @property
    def want(self) -> Any:
        return self._wants.get(len(self.logs), "go")

    @property
    def logs(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == "training.log"]

    def check(self) -> None:
        pass

    def emit(self, event: dict[str, Any]) -> None:
        self.events.append(event)

    def send_folder(self, folder: Path) -> None:
        pack(folder, self.sent / f"{folder.name}.tar")

    def send_tar(self, name: str, tar: Path) -> None:
        (self.sent / f"{name}.tar").write_bytes(tar.read_bytes())

    def ask_rewards(self, question: Question) -> Rewards | None:
        self.questions.append(question)
        if not self.reward:
            return None
        return [[self.reward(answer) for answer in group["answers"]] for group in question["groups"]]

    def held_up(self, fault: str | None) -> None:
        self.faults.append(fault)
