"""Lets the workers of a group stop together. Only the first one talks to the cloud; the others follow it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ..cloud import AttemptOverError
from ..desk import Desk, Question, Rewards
from ..disk_faults import disk_fault_of
from ..reporter import Event
from .group import Group

_GO, _PAUSE, _CANCEL, _STOPPED = range(4)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.25, 5.0


class CancelledError(Exception):
    """The job was cancelled."""


class PausedError(Exception):
    """The run is to pause, and waits for what may not come before."""


class Control:
    def __init__(self, desk: Desk | None, group: Group) -> None:
        self._desk = desk
        self.group = group
        self._failure: Exception | None = None

    def wants_pause(self) -> bool:
        """Asked by all workers at once. Raises if the run is to stop."""
        wanted = self.group.agree(self._ask())
        self.require_sent()
        if wanted == _STOPPED:
            raise AttemptOverError("The first worker stopped.")
        if wanted == _CANCEL:
            raise CancelledError("The job was cancelled.")
        return wanted == _PAUSE

    def tick(self) -> None:
        """Between passes: one worker can stop at once, several must finish their step."""
        if self.group.size == 1 and self._desk and self._desk.want == "cancel":
            raise CancelledError("The job was cancelled.")

    def ask_rewards(self, question: Question) -> Rewards:
        """For a run with one worker. Waits for as long as it takes: the program that computes them may be gone."""
        assert self._desk
        while True:
            rewards = self._desk.ask_rewards(question)
            if rewards is not None:
                return rewards
            self.tick()
            if self._desk.want == "pause":
                raise PausedError("The run pauses while it waits for rewards.")

    def check(self) -> None:
        """Before something is saved."""
        if self._desk:
            self._desk.check()

    def emit(self, event: Event, folder: Path | None = None) -> None:
        """Sends the folder first. The first worker only. Nothing follows a failure, which the workers next agree on."""
        if not self._desk or self._failure:
            return
        try:
            if folder:
                self._desk.send_folder(folder)
            self._desk.emit(event)
        except Exception as error:
            if self.group.size == 1:
                raise
            self._failure = error

    def require_sent(self) -> None:
        """Before the run ends: the workers do not agree once more."""
        if self._failure:
            raise self._failure

    def save(self, save: Callable[[], Path], clear: Callable[[], None]) -> Path:
        """Tries again while the disk is at fault: losing the steps would cost more than the wait."""
        wait, is_held_up = _FIRST_WAIT_S, False
        while True:
            try:
                saved = save()
            except Exception as error:
                fault = disk_fault_of(error)
                if fault is None or not self._desk:
                    raise
                is_held_up = True
                self._desk.held_up(fault)
                clear()
                self.tick()
                self._desk.check()
                time.sleep(wait)
                wait = min(_LONGEST_WAIT_S, 2 * wait)
            else:
                if is_held_up and self._desk:
                    self._desk.held_up(None)
                return saved

    def _ask(self) -> int:
        if not self._desk or self._failure:
            return _STOPPED
        try:
            return {"go": _GO, "pause": _PAUSE, "cancel": _CANCEL}[self._desk.want]
        except Exception as error:
            self._failure = error
            return _STOPPED
