"""The desk of the cloud that started this process: one JSON object a line, over its own input and output."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from .cloud import AttemptOverError
from .desk import Desk, Question, Rewards, now, rewards_of
from .outcome import OVER, Outcome, failure_of
from .reporter import WINDOW, Event, Want

OWNER = "attempt"
"""The file in a run's folder with the number of the attempt that may save."""
_BEAT_S = 1.0
_GRACE_S = 0.5
# Whoever waits for the cloud shows so often that this process is not stuck.
_LOOK_S = 1.0


class Pipes:
    """Whatever else writes to the output of this process, such as a library, writes to its log instead."""

    def __init__(self) -> None:
        self.input: IO[str] = os.fdopen(os.dup(0), encoding="utf-8", newline="\n")
        self._output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        self._lock = threading.Lock()
        os.dup2(2, 1)
        # No child of this process may hold its pipes open.
        with Path(os.devnull).open() as nothing:
            os.dup2(nothing.fileno(), 0)
        sys.stdout = sys.stderr

    def write(self, message: dict[str, Any]) -> None:
        with self._lock:
            self._output.write(json.dumps(message, separators=(",", ":")) + "\n")
            self._output.flush()


class LocalDesk(Desk):
    def __init__(self, pipes: Pipes, run: dict[str, Any], folder: Path) -> None:
        self._pipes = pipes
        self._job = run["jobId"]
        self._attempt = str(run["attempt"])
        self._owner = folder / OWNER
        self._changed = threading.Condition()
        self._want: Want = "go"
        self._pending = 0
        self._is_over = False
        self._question: Question | None = None
        self._scored: dict[str, Any] | None = None
        """What came back for it."""
        self._heard_at = time.monotonic()

    def start(self) -> None:
        threading.Thread(target=self._read, name="svc-commands", daemon=True).start()

    def start_beats(self) -> None:
        """From now on, silence means that this process is stuck."""
        threading.Thread(target=self._beat, name="svc-beats", daemon=True).start()

    @property
    def want(self) -> Want:
        self._heard_at = time.monotonic()
        if self._is_over:
            raise AttemptOverError("The cloud is gone.")
        return self._want

    def check(self) -> None:
        """Another attempt may have started while this process was suspended."""
        if self.want and self._owner.read_text().strip() != self._attempt:
            raise AttemptOverError("Another attempt at this run has started.")

    def emit(self, event: Event) -> None:
        """Waits while the cloud has too many to record, unless it wants this run to end. A checkpoint is recorded
        before the next one prunes those before it: the next attempt resumes from one that is."""
        with self._changed:
            self._wait_for_fewer(WINDOW)
            self._pending += 1
        self._pipes.write({"type": "event", "event": {"timestamp": now(), **event, "jobId": self._job}})
        if event["type"] == "checkpoint.saved":
            with self._changed:
                self._wait_for_fewer(1)

    def send_folder(self, folder: Path) -> None:
        """The cloud reads it where it is."""

    def held_up(self, fault: str | None) -> None:
        self._pipes.write({"type": "held-up", "diskFault": fault})

    def ask_rewards(self, question: Question) -> Rewards | None:
        if self._question is not question:
            self._question, self._scored = question, None
            self._pipes.write({"type": "score", "request": question})
        with self._changed:
            self._changed.wait_for(lambda: self._scored is not None or self.want != "go", _LOOK_S)
            return None if self._scored is None else rewards_of(self._scored)

    def finish(self, outcome: Outcome) -> None:
        failure = failure_of(outcome)
        if failure is not None:
            self.emit(failure)
        # Without a reason, the cloud counts it as a death, and tries again.
        if outcome.exit_code is None:
            fault = {} if outcome.disk_fault is None else {"diskFault": outcome.disk_fault}
            self._pipes.write({"type": "done", "status": outcome.status, **fault})

    def _wait_for_fewer(self, pending: int) -> None:
        while self._pending >= pending and self.want == "go":
            self._changed.wait(_LOOK_S)

    def _read(self) -> None:
        try:
            for line in self._pipes.input:
                self._take(json.loads(line))
        finally:
            with self._changed:
                self._is_over = True
                self._changed.notify_all()
            # A step may take long, and nobody is waiting for it.
            time.sleep(_GRACE_S)
            os._exit(OVER)

    def _take(self, message: dict[str, Any]) -> None:
        with self._changed:
            match message.get("type"):
                case "handled":
                    self._pending -= message["count"]
                case "scored":
                    self._scored = message.get("response", message)
                case "cancel":
                    self._want = "cancel"
                case "pause" if self._want == "go":
                    self._want = "pause"
            self._changed.notify_all()

    def _beat(self) -> None:
        while not self._is_over:
            busy = round(1000 * (time.monotonic() - self._heard_at))
            try:
                self._pipes.write({"type": "beat", "busyMs": busy})
            except OSError:  # The reader finds out, too, and ends this process.
                return
            time.sleep(_BEAT_S)
