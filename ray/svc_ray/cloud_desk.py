"""The desk of a cloud elsewhere, reached over HTTP."""

from __future__ import annotations

import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from .cloud import CloudClient
from .desk import TarDesk, now
from .folders import pack, records_of
from .outcome import Outcome
from .reporter import Event, Reporter, Want


class CloudDesk(TarDesk):
    def __init__(self, client: CloudClient, reporter: Reporter) -> None:
        self._client = client
        self._reporter = reporter

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
        with tempfile.TemporaryDirectory(prefix="svc-ray-tar-") as scratch:
            tar = Path(scratch) / "folder.tar"
            pack(folder, tar, records_of(folder.parent))
            self.send_tar(folder.name, tar)

    def send_tar(self, name: str, tar: Path) -> None:
        self.check()
        self._client.send_file(f"folders/{name}", tar)

    def held_up(self, fault: str | None) -> None:
        self._reporter.held_up(fault)

    def finish(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.emit({"type": "training.failed", "error": outcome.error})
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
