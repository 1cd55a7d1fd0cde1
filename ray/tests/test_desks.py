"""Rewards come through either desk, however long they take: over HTTP from a cloud elsewhere, and over the pipes from
the cloud on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_ray import cloud_desk, local_desk
from svc_ray.cloud import AttemptOverError, CloudClient, Patience
from svc_ray.cloud_desk import CloudDesk
from svc_ray.folders import pack
from svc_ray.local_desk import LocalDesk, Pipes
from svc_ray.reporter import WINDOW, Reporter
from svc_ray.scratch import Scratch

from .reference import Reference, run_reference
from .scripted_cloud import ScriptedCloud
from .test_local import WAIT_S, Process
from .test_rewards import OPTIONS, by_letters


def question(step: int, groups: int = 2, answers: int = 2) -> dict[str, Any]:
    ids = [list(range(i, i + 5)) for i in range(answers)]
    return {"step": step, "groups": [{"row": row, "answers": [{"ids": own} for own in ids]} for row in range(groups)]}


def by_rows(asked: dict[str, Any]) -> dict[str, Any]:
    return {"rewards": [[{"reward": group["row"]} for _ in group["answers"]] for group in asked["groups"]]}


@pytest.fixture
def cloud() -> Iterator[ScriptedCloud]:
    with ScriptedCloud({"token": "run-token"}, {}).listening() as listening:
        yield listening


@pytest.fixture
def desk(cloud: ScriptedCloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[CloudDesk]:
    monkeypatch.setattr(cloud_desk, "_PAUSE_S", 0.01)
    client = CloudClient(cloud.url, "run-token", Patience(0.01, 0.02, 60))
    reporter = Reporter(client, 0.01)
    reporter.start()
    desk = CloudDesk(client, reporter)
    yield desk
    desk.close()


def test_a_cloud_elsewhere_is_asked_again_until_there_are_rewards(cloud: ScriptedCloud, desk: CloudDesk) -> None:
    asked = question(1)
    assert desk.ask_rewards(asked) is None
    assert desk.ask_rewards(asked) is None
    cloud.score = by_rows
    cloud.refusals, cloud.lost_answers = 2, 1
    assert desk.ask_rewards(asked) == [[{"reward": 0}] * 2, [{"reward": 1}] * 2]
    assert cloud.questions == [asked] * len(cloud.questions)
    assert desk.ask_rewards(question(2, 1, 1)) == [[{"reward": 0}]]


def test_a_large_question_is_asked_in_parts(
    cloud: ScriptedCloud, desk: CloudDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_desk, "_QUESTION_BYTES", 150)
    asked = question(3, groups=7)
    late = iter([False, True])
    cloud.score = lambda part: {"rewards": None} if next(late, False) else by_rows(part)
    assert desk.ask_rewards(asked) is None
    assert desk.ask_rewards(asked) == [[{"reward": row}] * 2 for row in range(7)]
    parts = [[group["row"] for group in part["groups"]] for part in cloud.questions]
    # The second part had no rewards at first; none is asked for twice after it has its own.
    assert parts == [[0, 1], [2, 3], [2, 3], [4, 5], [6]]
    assert {part["step"] for part in cloud.questions} == {3}
    assert [part.get("part") for part in cloud.questions] == [None, 1, 1, 2, 3]


def test_says_why_there_are_none(cloud: ScriptedCloud, desk: CloudDesk) -> None:
    cloud.score = lambda _: {"problem": "The run has no row 9."}
    with pytest.raises(ValueError, match=r"^The run has no row 9\.$"):
        desk.ask_rewards(question(1))


def test_stops_asking_when_the_attempt_is_over(cloud: ScriptedCloud, desk: CloudDesk) -> None:
    cloud.is_over = True
    with pytest.raises(AttemptOverError):
        desk.ask_rewards(question(1))


def test_a_folder_is_packed_where_the_next_worker_cleans_up(
    cloud: ScriptedCloud, desk: CloudDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = Scratch(tmp_path)
    folder = scratch.path / "run" / "checkpoint-2"
    folder.mkdir(parents=True)
    (folder / "file").write_text("saved")
    tars: list[Path] = []

    def note(packed: Path, tar: Path, beside: list[Path]) -> None:
        tars.append(tar)
        pack(packed, tar, beside)

    monkeypatch.setattr(cloud_desk, "pack", note)
    desk.send_folder(folder)
    scratch.close()
    assert list(cloud.folders) == ["checkpoint-2"]
    assert [tar.is_relative_to(scratch.path) for tar in tars] == [True]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return run_reference(tmp_path_factory.mktemp("home"), {**OPTIONS, "maxSteps": 3, "saveSteps": 1}, rows=12)


def answer(process: Process, message: dict[str, Any]) -> None:
    groups = message["request"]["groups"]
    rewards = [[by_letters(each) for each in group["answers"]] for group in groups]
    process.tell({"type": "scored", "response": {"rewards": rewards}})


def test_the_cloud_on_this_machine_is_asked_over_the_pipes(home: Reference, tmp_path: Path) -> None:
    process = Process(home, tmp_path / "run")
    process.tell(process.file)
    steps = []
    for message in process.messages():
        if message["type"] == "score":
            steps.append(message["request"]["step"])
            answer(process, message)
        last = message
    assert last == {"type": "done", "status": "completed"}
    assert steps == [1, 2, 3]
    assert process.child.wait(WAIT_S) == 0


@pytest.mark.parametrize("word", ["pause", "cancel"])
def test_stops_while_it_waits_for_rewards(home: Reference, tmp_path: Path, word: str) -> None:
    """And shows that it is not stuck."""
    process = Process(home, tmp_path / "run")
    process.tell(process.file)
    assert process.child.stdout
    busy: list[int] = []
    for line in process.child.stdout:
        message = json.loads(line)
        process.note_handled(message)
        if message["type"] == "score" and message["request"]["step"] == 1:
            answer(process, message)
        elif message["type"] == "score":
            busy = [0]
        elif message["type"] == "beat" and busy:
            busy.append(message["busyMs"])
            if len(busy) == 4:
                process.tell({"type": word})
            assert len(busy) < 20, "It goes on."
        last = message
    assert last == {"type": "done", "status": {"pause": "paused", "cancel": "cancelled"}[word]}
    assert len(busy) >= 4 and max(busy) < 3000
    assert (tmp_path / "run" / "checkpoint-1").exists()
    assert process.child.wait(WAIT_S) == 0


class BeatPipes(Pipes):
    """Counts how often a beat says that the engine has looked up since the one before."""

    def __init__(self) -> None:
        self.looks = 0
        self._busy = 0

    def write(self, message: dict[str, Any]) -> None:
        if message["type"] == "beat":
            self.looks += message["busyMs"] < self._busy
            self._busy = message["busyMs"]


def test_shows_that_it_is_not_stuck_while_the_cloud_cannot_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_desk, "_LOOK_S", 0.2)
    monkeypatch.setattr(local_desk, "_BEAT_S", 0.01)
    pipes = BeatPipes()
    desk = LocalDesk(pipes, {"jobId": "job-1", "attempt": 1}, tmp_path)
    for step in range(WINDOW):
        desk.emit({"type": "training.log", "step": step})
    waiting = threading.Thread(target=desk.emit, args=[{"type": "training.log", "step": WINDOW}])
    waiting.start()
    desk.start_beats()
    end = time.monotonic() + 15
    while pipes.looks < 3 and time.monotonic() < end:
        time.sleep(0.01)
    assert waiting.is_alive()
    desk._take({"type": "handled", "count": 1})
    waiting.join()
    desk._is_over = True
    assert pipes.looks >= 3


def test_waits_until_the_cloud_has_recorded_a_checkpoint_unless_it_is_to_stop(tmp_path: Path) -> None:
    desk = LocalDesk(BeatPipes(), {"jobId": "job-1", "attempt": 1}, tmp_path)

    def save() -> threading.Thread:
        desk.emit({"type": "training.log", "step": 1})
        saving = threading.Thread(target=desk.emit, args=[{"type": "checkpoint.saved", "step": 1}])
        saving.start()
        saving.join(0.2)
        return saving

    recorded = save()
    assert recorded.is_alive()
    desk._take({"type": "handled", "count": 1})
    recorded.join(0.2)
    assert recorded.is_alive()
    desk._take({"type": "handled", "count": 1})
    recorded.join()
    stopped = save()
    assert stopped.is_alive()
    desk._take({"type": "pause"})
    stopped.join()


def test_fails_with_what_the_cloud_says(home: Reference, tmp_path: Path) -> None:
    process = Process(home, tmp_path / "run")
    process.tell(process.file)
    told = []
    for message in process.messages():
        if message["type"] == "score":
            process.tell({"type": "scored", "problem": "The job has no grader."})
        told.append(message)
    assert told[-2]["event"]["error"] == "The job has no grader."
    assert told[-1] == {"type": "done", "status": "failed"}
