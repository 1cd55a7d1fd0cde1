"""svc's own engine as a child process that answers. Its lines are passed on as they are; only their IDs are read."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import subprocess
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any

from ..machine import end_process

WORKER = Path("dist/lib/engine/serve-worker.js")
_READY_S = 10 * 60.0
_EXIT_WAIT_S = 10.0
_LAST = (b"ended", b"failed")

log = logging.getLogger("svc_ray")


class EngineGoneError(Exception):
    """The process ended, or never became ready."""


class Engine:
    """Questions come from one event loop; a thread reads the answers."""

    def __init__(self, command: Sequence[str], task: dict[str, Any]) -> None:
        self._child = subprocess.Popen(
            [*command, json.dumps(task)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1
        )
        self._ids = itertools.count(1)
        self._answers: dict[int, Callable[[bytes | None], None]] = {}
        self._ready = threading.Event()
        self._telling = threading.Lock()
        self._problem: str | None = None
        threading.Thread(target=self._read, name="svc-engine-reader", daemon=True).start()

    def wait_until_ready(self) -> None:
        if not self._ready.wait(_READY_S) or not self.is_alive:
            raise EngineGoneError(self._problem or "The engine's process did not start.")

    @property
    def is_alive(self) -> bool:
        return self._problem is None and self._child.poll() is None

    async def ask(self, kind: str, task: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        """Lines of a word and JSON. Leaving the loop ends the work."""
        number = next(self._ids)
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._answers[number] = lambda line: _put(loop, lines, line)
        is_over = False
        try:
            self._tell({"type": "ask", "id": number, "kind": kind, "task": task})
            while not is_over:
                line = await lines.get() if self.is_alive or not lines.empty() else None
                if line is None:
                    raise EngineGoneError("The engine's process ended.")
                is_over = line.split(b" ", 1)[0] in _LAST
                yield line
        finally:
            del self._answers[number]
            if not is_over and self.is_alive:
                with contextlib.suppress(EngineGoneError):
                    self._tell({"type": "abort", "id": number})

    def unload(self, folder: Path) -> None:
        if self.is_alive:
            with contextlib.suppress(EngineGoneError):
                self._tell({"type": "unload", "adapterFolder": str(folder)})

    def close(self) -> None:
        end_process(self._child, _EXIT_WAIT_S)

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._child.stdin
        try:
            with self._telling:
                self._child.stdin.write(json.dumps(message).encode() + b"\n")
                self._child.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineGoneError("The engine's process ended.") from error

    def _read(self) -> None:
        assert self._child.stdout
        for line in self._child.stdout:
            number, _, rest = line.partition(b" ")
            if not number.isdigit():  # Native libraries write where they like.
                log.warning("The engine wrote a line that is not an answer: %r", line[:200])
            elif number == b"0":
                self._start(rest)
            elif answer := self._answers.get(int(number)):
                answer(rest)
        self._problem = self._problem or f"The engine's process ended with {self._child.wait()}."
        log.error("%s", self._problem)
        self._ready.set()
        for answer in list(self._answers.values()):
            answer(None)

    def _start(self, rest: bytes) -> None:
        word, _, fields = rest.partition(b" ")
        if word == b"serving":
            self._ready.set()
        else:
            self._problem = f"The engine cannot open the model: {json.loads(fields).get('message')}"


def _put(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None], line: bytes | None) -> None:
    # The loop is closed when a replica ends.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(lines.put_nowait, line)
