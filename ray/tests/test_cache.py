"""Downloads resume, are checked, are shared, and never fill the machine."""

from __future__ import annotations

import errno
import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from svc_ray.cache import Cache
from svc_ray.cloud import AttemptOverError, CloudAwayError, CloudClient, Patience

from .scripted_cloud import ScriptedCloud


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[ScriptedCloud]:
    files = {}
    for i, name in enumerate(["a", "b", "c"]):
        files[name] = tmp_path / name
        files[name].write_bytes(bytes([i]) * 1000)
    with ScriptedCloud({"token": "run-token"}, files).listening() as listening:
        yield listening


class Fetching(ExitStack):
    """Keeps the files that it fetched in use."""

    def __init__(self, cache: Cache, cloud: ScriptedCloud, give_up_after: float = 60) -> None:
        super().__init__()
        self.cache, self.cloud = cache, cloud
        self.client = CloudClient(cloud.url, "run-token", Patience(0.01, 0.02, give_up_after))

    def fetch(self, name: str, sha256: str | None = None) -> Path:
        content = self.cloud.files[name].read_bytes()
        digest = sha256 or hashlib.sha256(content).hexdigest()
        open_at = lambda at: self.client.get(name, at)  # noqa: E731
        return self.enter_context(self.cache.file(digest, len(content), open_at, self.client.patiently))


def test_downloads_once(cloud: ScriptedCloud, tmp_path: Path) -> None:
    for _ in range(2):
        with Fetching(Cache(tmp_path / "cache"), cloud) as fetching:
            assert fetching.fetch("a").read_bytes() == cloud.files["a"].read_bytes()
    assert cloud.ranges == ["a 0"]


def test_goes_on_where_a_download_was_cut(cloud: ScriptedCloud, tmp_path: Path) -> None:
    cloud.cut_after = 400
    with Fetching(Cache(tmp_path / "cache"), cloud) as fetching:
        assert fetching.fetch("b").read_bytes() == cloud.files["b"].read_bytes()
    assert cloud.ranges == ["b 0", "b 400"]


def test_a_full_disk_is_not_taken_for_a_cloud_that_is_away(
    cloud: ScriptedCloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("svc_ray.cache.shutil.copyfileobj", fill)
    with Fetching(Cache(tmp_path / "cache"), cloud) as fetching, pytest.raises(OSError, match="No space left"):
        fetching.fetch("a")
    assert cloud.ranges == ["a 0"]


def test_never_keeps_what_has_another_digest(cloud: ScriptedCloud, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    with Fetching(cache, cloud, give_up_after=0) as fetching, pytest.raises(CloudAwayError, match="digest"):
        fetching.fetch("a", sha256="0" * 64)
    assert [path.suffix for path in cache.folder.iterdir()] == [".lock"]


def test_a_digest_names_no_path(cloud: ScriptedCloud, tmp_path: Path) -> None:
    with Fetching(Cache(tmp_path / "cache"), cloud) as fetching, pytest.raises(ValueError, match="not a SHA-256"):
        fetching.fetch("a", sha256="../../etc/passwd")


def test_several_tasks_download_it_together_once(cloud: ScriptedCloud, tmp_path: Path) -> None:
    found: list[bytes] = []

    def fetch() -> None:
        with Fetching(Cache(tmp_path / "cache"), cloud) as fetching:
            found.append(fetching.fetch("c").read_bytes())

    threads = [threading.Thread(target=fetch) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [cloud.files["c"].read_bytes()] * 6
    assert cloud.ranges == ["c 0"]


def test_the_least_recently_used_goes_but_not_what_is_in_use(cloud: ScriptedCloud, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", limit=2500)
    with Fetching(cache, cloud) as using:
        in_use = using.fetch("a")
        with Fetching(cache, cloud) as fetching:
            unused = fetching.fetch("b")
            time.sleep(0.01)
        with Fetching(cache, cloud) as fetching:
            assert fetching.fetch("c").exists()
        assert in_use.exists()
        assert not unused.exists()


def test_stops_trying_when_the_attempt_is_over(cloud: ScriptedCloud, tmp_path: Path) -> None:
    cloud.is_over = True
    with Fetching(Cache(tmp_path / "cache"), cloud) as fetching, pytest.raises(AttemptOverError):
        fetching.fetch("a")
