"""Events reach the cloud once and in order, whatever gets lost on the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from svc_ray import cloud as cloud_module
from svc_ray import reporter as reporter_module
from svc_ray.cloud import AttemptOverError, CloudAwayError, CloudClient, Patience, RefusedError
from svc_ray.reporter import Reporter

from .scripted_cloud import ScriptedCloud


@pytest.fixture
def cloud() -> Iterator[ScriptedCloud]:
    with ScriptedCloud({"token": "run-token"}, {}).listening() as listening:
        yield listening


def client_of(cloud: ScriptedCloud, give_up_after: float = 60) -> CloudClient:
    return CloudClient(cloud.url, "run-token", Patience(0.01, 0.02, give_up_after))


def start(client: CloudClient, every: float = 0.01) -> Reporter:
    reporter = Reporter(client, every)
    reporter.start()
    return reporter


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline, "It never became so."
        time.sleep(0.01)


def log(step: int) -> dict[str, object]:
    return {"type": "training.log", "step": step}


def test_sends_every_event_once_although_answers_get_lost(cloud: ScriptedCloud) -> None:
    cloud.lost_answers = 3
    cloud.refusals = 2
    reporter = start(client_of(cloud))
    for step in range(700):
        reporter.emit(log(step))
    reporter.finish({"status": "completed"})
    assert [event["step"] for event in cloud.events] == list(range(700))
    assert cloud.ended == {"status": "completed"}


def test_heartbeats_go_out_without_events(cloud: ScriptedCloud) -> None:
    reporter = start(client_of(cloud))
    until(lambda: cloud.reports >= 5)
    assert cloud.events == []
    reporter.stop()


def test_waits_once_the_window_is_full(cloud: ScriptedCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporter_module, "WINDOW", 3)
    cloud.refusals = 10**9
    reporter = start(client_of(cloud))
    taken: list[int] = []

    def emit() -> None:
        for step in range(5):
            reporter.emit(log(step))
            taken.append(step)

    thread = threading.Thread(target=emit)
    thread.start()
    until(lambda: len(taken) == 3)
    time.sleep(0.1)
    assert len(taken) == 3
    cloud.refusals = 0
    thread.join()
    reporter.finish({"status": "completed"})
    assert [event["step"] for event in cloud.events] == list(range(5))


def test_stops_at_once_when_the_attempt_is_over(cloud: ScriptedCloud) -> None:
    reporter = start(client_of(cloud))
    cloud.is_over = True
    reporter.emit(log(0), urgent=True)
    with pytest.raises(AttemptOverError):
        reporter.finish({"status": "completed"})
    with pytest.raises(AttemptOverError):
        reporter.emit(log(1))
    with pytest.raises(AttemptOverError):
        _ = reporter.want


def test_an_unknown_token_ends_the_attempt(cloud: ScriptedCloud) -> None:
    client = client_of(cloud)
    client.token = "another"
    reporter = start(client)
    with pytest.raises(AttemptOverError):
        reporter.finish({"status": "completed"})


def test_hears_what_is_wanted(cloud: ScriptedCloud) -> None:
    reporter = start(client_of(cloud))
    cloud.want = "pause"
    until(lambda: reporter.want == "pause")
    cloud.want = "cancel"
    until(lambda: reporter.want == "cancel")
    reporter.stop()


def test_gives_up_when_the_cloud_was_away_for_too_long(cloud: ScriptedCloud) -> None:
    cloud.refusals = 10**9
    reporter = start(client_of(cloud, give_up_after=0.1))
    with pytest.raises(CloudAwayError):
        reporter.finish({"status": "completed"})


@pytest.mark.parametrize("breaks", [1, 2])
def test_a_long_transfer_that_breaks_is_made_again(monkeypatch: pytest.MonkeyPatch, breaks: int) -> None:
    now = 0.0
    tries = 0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def send() -> str:
        nonlocal tries
        tries += 1
        sleep(3600)
        if tries <= breaks:
            raise ConnectionResetError("reset")
        return "sent"

    monkeypatch.setattr(cloud_module, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    client = CloudClient("https://cloud.example", "run-token")
    if breaks == 1:
        assert client.patiently(send) == "sent"
    else:
        with pytest.raises(CloudAwayError):
            client.patiently(send)
    assert tries == 2


def test_does_not_go_on_when_the_cloud_lost_acknowledged_events(cloud: ScriptedCloud) -> None:
    reporter = start(client_of(cloud))
    reporter.emit(log(0), urgent=True)
    reporter.emit(log(1), urgent=True)
    until(lambda: len(cloud.events) == 2)
    until(lambda: reporter._first == 2)
    with cloud.lock:
        cloud.events.clear()
    with pytest.raises(RefusedError, match="events_missing"):
        reporter.finish({"status": "completed"})


def test_tells_when_a_disk_holds_it_up(cloud: ScriptedCloud) -> None:
    reporter = start(client_of(cloud))
    reporter.held_up("ENOSPC")
    until(lambda: "ENOSPC" in cloud.held_up)
    reporter.held_up(None)
    until(lambda: bool(cloud.held_up) and cloud.held_up[-1] is None)
    reporter.finish({"status": "interrupted", "diskFault": "ENOSPC"})
    assert cloud.ended == {"status": "interrupted", "diskFault": "ENOSPC"}
