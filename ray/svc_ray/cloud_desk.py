"""The desk of a cloud elsewhere, reached over HTTP."""

from __future__ import annotations

import json
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from .cloud import CloudClient
from .desk import Question, Rewards, TarDesk, now, rewards_of
from .folders import pack, records_of
from .outcome import Outcome, failure_of
from .reporter import Event, Reporter, Want

# A cloud takes up to 4 MiB at once.
_QUESTION_BYTES = 2**21
_PAUSE_S = 0.5


class CloudDesk(TarDesk):
    def __init__(self, client: CloudClient, reporter: Reporter) -> None:
        self._client = client
        self._reporter = reporter
        self._question: Question | None = None
        self._parts: list[Question] = []
        """Of the question, those without an answer."""
        self._rewards: Rewards = []

    @property
    def want(self) -> Want:
        """Raises `AttemptOverError` once the attempt is over."""
        return self._reporter.want

    def check(self) -> None:
        self._reporter.check()

    def emit(self, event: Event) -> None:
        self._reporter.emit({"timestamp": now(), **event}, urgent=event["type"] != "training.log")

    def send_folder(self, folder: Path) -> None:
        """Before the event that names it."""
        # Beside the run's folder: what a killed worker leaves there is removed by the next one.
        with tempfile.TemporaryDirectory(dir=folder.parent.parent) as scratch:
            tar = Path(scratch) / "folder.tar"
            pack(folder, tar, records_of(folder.parent))
            self.send_tar(folder.name, tar)

    def send_tar(self, name: str, tar: Path) -> None:
        self.check()
        self._client.send_file(f"folders/{name}", tar)

    def held_up(self, fault: str | None) -> None:
        self._reporter.held_up(fault)

    def ask_rewards(self, question: Question) -> Rewards | None:
        if self._question is not question:
            self._question, self._parts, self._rewards = question, list(_parts_of(question)), []
        while self._parts:
            answer = self._client.post("score", self._parts[0])
            if "problem" not in answer and answer["rewards"] is None:
                # The cloud waits before it says so, unless the run is to end, which a report is about to say.
                time.sleep(_PAUSE_S)
                return None
            self._rewards += rewards_of(answer)
            self._parts.pop(0)
        return self._rewards

    def finish(self, outcome: Outcome) -> None:
        failure = failure_of(outcome)
        if failure is not None:
            self.emit(failure)
        ended: dict[str, Any] = {"status": outcome.status}
        if outcome.disk_fault is not None:
            ended["diskFault"] = outcome.disk_fault
        if outcome.exit_code is not None:
            ended["exitCode"] = outcome.exit_code
        self._reporter.finish(ended)

    def close(self) -> None:
        self._reporter.stop()

    @contextmanager
    def pausing_on_signals(self) -> Iterator[None]:
        """SIGTERM, and SIGINT as Ray cancels tasks with it: pause, with a checkpoint if there is time."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def pause(_: int, __: FrameType | None) -> None:
            self._reporter.pause()

        before = {number: signal.signal(number, pause) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _parts_of(question: Question) -> Iterator[Question]:
    """Some groups each. Usually, all fit into one. Those after the first are numbered from 1."""
    groups: list[Any] = []
    number = size = 0
    for group in question["groups"]:
        more = len(json.dumps(group))
        if groups and size + more > _QUESTION_BYTES:
            yield _part(question, groups, number)
            groups, size = [], 0
            number += 1
        groups.append(group)
        size += more
    yield _part(question, groups, number)


def _part(question: Question, groups: list[Any], number: int) -> Question:
    return {**question, "groups": groups, **({"part": number} if number > 0 else {})}
