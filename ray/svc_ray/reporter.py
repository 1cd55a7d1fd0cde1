"""Reports an attempt's events to the cloud from a thread of its own, so that a heartbeat goes out however long a step
takes. What was not acknowledged is sent again; the answers say what is wanted."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any, Literal

from .cloud import AttemptOverError, CloudAwayError, CloudClient, RefusedError

WINDOW = 256
AT_ONCE = 200

Event = dict[str, Any]
Want = Literal["go", "pause", "cancel"]

log = logging.getLogger("svc_ray")


class Reporter:
    def __init__(self, client: CloudClient, report_seconds: float) -> None:
        self._client = client
        self._every = report_seconds
        self._changed = threading.Condition()
        self._events: list[Event] = []
        self._first = 0
        self._want: Want = "go"
        self._held_up: str | None = None
        self._was_held_up = False
        self._ended: dict[str, Any] | None = None
        self._acknowledged = False
        self._over: Exception | None = None
        self._is_urgent = False
        client.patience.stop = lambda: self._over is not None
        self._thread = threading.Thread(target=self._run, name="svc-reports", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def want(self) -> Want:
        """Raises if the attempt is over."""
        self.check()
        return self._want

    def check(self) -> None:
        if self._over:
            raise self._over

    def pause(self) -> None:
        """Someone here wants it to pause, such as a machine that is about to go. Safe in a signal handler."""
        if self._want == "go":
            self._want = "pause"

    def emit(self, event: Event, *, urgent: bool = False) -> None:
        """Waits while too many events are not acknowledged."""
        with self._changed:
            while len(self._events) >= WINDOW and not self._over:
                self._wake()
                self._changed.wait()
            self.check()
            self._events.append(event)
            if urgent:
                self._wake()

    def held_up(self, fault: str | None) -> None:
        with self._changed:
            self._held_up = fault
            self._was_held_up = True
            self._wake()

    def finish(self, ended: dict[str, Any]) -> None:
        """Returns once the cloud has recorded everything."""
        with self._changed:
            self.check()
            self._ended = ended
            self._wake()
            while not self._acknowledged and not self._over:
                self._changed.wait()
        self.check()
        self._thread.join()

    def stop(self) -> None:
        """Without a last report, for an attempt that failed in an unforeseen way."""
        with self._changed:
            self._over = self._over or AttemptOverError("The attempt was given up.")
            self._changed.notify_all()

    def _wake(self) -> None:
        self._is_urgent = True
        self._changed.notify_all()

    def _run(self) -> None:
        try:
            while not self._acknowledged and not self._over:
                self._wait()
                if not self._over:
                    self._report()
        except (AttemptOverError, CloudAwayError, RefusedError) as error:
            self._end(error)
        except Exception as error:  # Training must not go on without reports.
            log.exception("Reporting failed.")
            self._end(error)

    def _end(self, error: Exception) -> None:
        with self._changed:
            self._over = self._over or error
            self._changed.notify_all()

    def _wait(self) -> None:
        until = time.monotonic() + self._every
        with self._changed:
            while not self._is_urgent and not self._over and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            self._is_urgent = False

    def _report(self) -> None:
        with self._changed:
            events = self._events[:AT_ONCE]
            report: dict[str, Any] = {"from": self._first, "events": events}
            if self._was_held_up:
                report["heldUp"] = self._held_up
            is_last = self._ended is not None and len(events) == len(self._events)
            if is_last:
                report["ended"] = self._ended
        try:
            answer = self._client.post("report", report)
        except RefusedError as error:
            self._resume_from(error)
            return
        self._take(answer, is_last)

    def _take(self, answer: dict[str, Any], is_last: bool) -> None:
        with self._changed:
            self._drop_until(int(answer["next"]))
            want = answer.get("want", "go")
            if want == "cancel" or (want == "pause" and self._want == "go"):
                self._want = want
            self._every = float(answer.get("reportSeconds", self._every))
            self._acknowledged = is_last and not self._events
            if self._ended is not None or len(self._events) >= AT_ONCE:
                self._is_urgent = True
            self._changed.notify_all()

    def _resume_from(self, error: RefusedError) -> None:
        """The cloud lacks events that it once acknowledged: send again from where it is, if they are still here."""
        missing = error.body.get("next", (error.body.get("error") or {}).get("next"))
        if error.code != "events_missing" or not isinstance(missing, int) or missing < self._first:
            raise error
        with self._changed:
            self._drop_until(missing)
            self._is_urgent = True

    def _drop_until(self, number: int) -> None:
        count = min(max(0, number - self._first), len(self._events))
        del self._events[:count]
        self._first += count
