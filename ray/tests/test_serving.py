"""A replica's parts: the engine's process, files by digest from the cloud, and which adapter answers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sys
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from svc_ray.cache import DamagedDownloadError
from svc_ray.cloud import RefusedError
from svc_ray.digests import ADAPTER_CONFIG, ADAPTER_TENSORS, describe_adapter, digest_file
from svc_ray.serving.engine import Engine, EngineGoneError
from svc_ray.serving.files import Files
from svc_ray.serving.options import OptionsError, read_options
from svc_ray.serving.replica import LoadedAdapter, Replica

from .reference import MODEL, SERVE_WORKER

CHAT = {"messages": [{"role": "user", "content": "hello"}], "temperature": 0, "maxTokens": 4}


@contextmanager
def door(folders: dict[str, Path], ticket: str = "right") -> Iterator[str]:
    """A cloud's door for replicas."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers["authorization"] != f"Bearer {ticket}":
                return self._send(401, b'{"error": {"code": "unauthenticated", "message": "No."}}')
            for name, folder in folders.items():
                if self.path == f"/{name}":
                    files = [
                        {"name": path.name, "bytes": path.stat().st_size, "sha256": digest_file(path)}
                        for path in sorted(folder.iterdir())
                    ]
                    return self._send(200, json.dumps({"files": files}).encode())
                if self.path.startswith(f"/{name}/"):
                    return self._send(200, (folder / self.path.removeprefix(f"/{name}/")).read_bytes())
            return self._send(404, b"{}")

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / ADAPTER_CONFIG).write_text("{}")
    (folder / ADAPTER_TENSORS).write_bytes(b"tensors")
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SVC_RAY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def digest_of(folder: Path) -> str:
    return describe_adapter(folder, "final", 0)["sha256"]


def test_files_come_by_digest_and_stay_while_they_are_used(adapter: Path) -> None:
    sha256 = digest_of(adapter)
    with door({f"adapters/{sha256}": adapter, "model": MODEL}) as url:
        files = Files(url)
        folder = files.fetch_adapter(sha256, "right")
        assert digest_of(folder.path) == sha256
        model = files.fetch_model("right")
        assert (model.path / "config.json").read_text() == (MODEL / "config.json").read_text()
        folder.close()
        assert not folder.path.exists()
        files.close()
        assert not model.path.exists()


def test_adapters_that_share_a_file_are_there_at_once(adapter: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(adapter, other)
    (other / ADAPTER_TENSORS).write_bytes(b"others")
    folders = {f"adapters/{digest_of(folder)}": folder for folder in (adapter, other)}
    with door(folders) as url:
        files = Files(url)
        held = [files.fetch_adapter(digest_of(folder), "right") for folder in (adapter, other, adapter)]
        assert [(folder.path / ADAPTER_TENSORS).read_bytes() for folder in held] == [b"tensors", b"others", b"tensors"]
        files.close()


def test_files_with_another_digest_are_refused(adapter: Path) -> None:
    with door({f"adapters/{'0' * 64}": adapter}) as url, pytest.raises(DamagedDownloadError):
        Files(url).fetch_adapter("0" * 64, "right")


def test_a_wrong_ticket_opens_nothing(adapter: Path) -> None:
    sha256 = digest_of(adapter)
    with door({f"adapters/{sha256}": adapter}) as url, pytest.raises(RefusedError):
        Files(url).fetch_adapter(sha256, "wrong")


def test_options_admit_the_cloud_alone() -> None:
    args = {"url": "https://cloud/v1/serving/", "modelTicket": "m", "callers": hashlib.sha256(b"t").hexdigest()}
    options = read_options(args, {})
    assert options.url == "https://cloud/v1/serving"
    assert options.admits("Bearer t")
    assert not options.admits("Bearer u")
    assert not options.admits("t")
    with pytest.raises(OptionsError, match="callers is missing"):
        read_options({**args, "callers": ""}, {})


class ScriptedEngine(Engine):
    """Says its task, and remembers what it was told to forget."""

    def __init__(self, dies: bool = False) -> None:
        self.unloaded: list[Path] = []
        self.ended: list[str] = []
        self._dies = dies

    async def ask(self, kind: str, task: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        try:
            if self._dies:
                raise EngineGoneError("It is gone.")
            yield b"output " + json.dumps({"text": task["adapterFolder"]}).encode() + b"\n"
            yield b"ended {}\n"
        finally:
            self.ended.append(kind)

    def unload(self, folder: Path) -> None:
        self.unloaded.append(folder)


def body(sha256: str | None) -> bytes:
    return json.dumps({"kind": "chat", "task": {**CHAT, "adapter": sha256}}).encode()


def test_a_replica_answers_with_the_adapter_that_is_asked_for(adapter: Path) -> None:
    sha256 = digest_of(adapter)
    engine = ScriptedEngine()
    kept: dict[str, LoadedAdapter] = {}

    async def run(url: str) -> None:
        replica = Replica(engine, Files(url))

        async def get(name: str) -> LoadedAdapter:
            if name not in kept:
                kept[name] = await replica.load(name)
            return kept[name]

        first, second = [await replica.answer(body(sha256), "right", get) for _ in range(2)]
        assert (first.was_loaded, second.was_loaded) == (False, True)
        assert first.lines and second.lines
        lines = [line async for line in first.lines]
        assert json.loads(lines[0].split(b" ", 1)[1])["text"] == str(kept[sha256].path)
        # Serve makes room: the open answer still has its files.
        path = kept.pop(sha256).path
        assert engine.unloaded == []
        assert path.exists()
        await second.lines.aclose()
        del first, second
        assert engine.unloaded == [path]
        assert not path.exists()
        assert engine.ended == ["chat", "chat"]
        base = await replica.answer(body(None), "", get)
        assert base.lines
        assert await anext(base.lines) == b'output {"text": null}\n'
        await base.lines.aclose()

    with door({f"adapters/{sha256}": adapter}) as url:
        asyncio.run(run(url))


def test_a_replica_without_its_engine_lets_another_one_try() -> None:
    async def run() -> None:
        replica = Replica(ScriptedEngine(dies=True), Files("http://127.0.0.1:9"))
        answer = await replica.answer(body(None), "", replica.load)
        assert answer.lines is None

    asyncio.run(run())


def test_an_adapter_that_the_cloud_refuses_is_an_error_of_the_request(adapter: Path) -> None:
    sha256 = digest_of(adapter)

    async def run(url: str) -> None:
        replica = Replica(ScriptedEngine(), Files(url))
        answer = await replica.answer(body(sha256), "wrong", replica.load)
        assert answer.lines
        assert b"could not fetch the adapter" in b"".join([line async for line in answer.lines])

    with door({f"adapters/{sha256}": adapter}) as url:
        asyncio.run(run(url))


def test_a_caller_who_leaves_takes_no_ticket_from_others(adapter: Path) -> None:
    """Ray Serve fetches one adapter at a time, and the others wait for it."""
    sha256 = digest_of(adapter)

    async def run(url: str) -> None:
        replica = Replica(ScriptedEngine(), Files(url))
        lock, waiting = asyncio.Lock(), []

        async def get(name: str) -> LoadedAdapter:
            waiting.append(name)
            async with lock:
                if not leaving.cancelled():
                    await asyncio.Event().wait()
                return await replica.load(name)

        leaving, staying = (asyncio.create_task(replica.answer(body(sha256), "right", get)) for _ in range(2))
        while len(waiting) < 2:
            await asyncio.sleep(0)
        leaving.cancel()
        answer = await staying
        assert answer.lines
        assert (await anext(answer.lines)).startswith(b"output ")
        await answer.lines.aclose()

    with door({f"adapters/{sha256}": adapter}) as url:
        asyncio.run(run(url))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = Engine(SERVE_WORKER, {"modelFolder": str(MODEL), "threads": 1})
    try:
        engine.wait_until_ready()
        yield engine
    finally:
        engine.close()


def test_the_engine_answers_several_at_once(engine: Engine) -> None:
    async def ask(text: str) -> list[bytes]:
        task = {**CHAT, "messages": [{"role": "user", "content": text}], "adapterFolder": None}
        return [line async for line in engine.ask("chat", task)]

    async def run() -> list[list[bytes]]:
        return list(await asyncio.gather(ask("hello"), ask("hello")))

    one, other = asyncio.run(run())
    assert one[-1] == b"ended {}\n"
    texts = [
        "".join(json.loads(line.split(b" ", 1)[1]).get("text", "") for line in lines[:-1]) for lines in (one, other)
    ]
    assert texts[0] == texts[1] != ""


def test_leaving_an_answer_frees_the_engine(engine: Engine) -> None:
    async def run() -> None:
        lines = engine.ask("chat", {**CHAT, "maxTokens": 200, "adapterFolder": None})
        await anext(lines)
        await lines.aclose()
        async for line in engine.ask("decode", {"ids": [1]}):
            assert line.split(b" ", 1)[0] in (b"output", b"ended")

    asyncio.run(run())


def test_refusals_are_passed_on(engine: Engine) -> None:
    async def run() -> list[bytes]:
        return [line async for line in engine.ask("chat", {**CHAT, "messages": [], "adapterFolder": "/nowhere"})]

    last = asyncio.run(run())[-1]
    assert last.startswith(b"failed ")
    assert json.loads(last.split(b" ", 1)[1])["code"] in ("adapter_damaged", "invalid_value")


def test_a_line_that_is_no_answer_does_no_harm() -> None:
    lines = "print('0 serving {}'); print('libfoo: hello'); input(); print('1 output 2'); print('1 ended {}'); input()"
    engine = Engine([sys.executable, "-u", "-c", lines], {})
    try:
        engine.wait_until_ready()

        async def ask() -> list[bytes]:
            return [line async for line in engine.ask("chat", CHAT)]

        assert asyncio.run(ask()) == [b"output 2\n", b"ended {}\n"]
    finally:
        engine.close()


def test_a_process_that_dies_ends_its_answers(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text("#!/bin/sh\necho '0 serving {\"context\": 1}'\nread question\nexit 3\n")
    script.chmod(0o755)
    dying = Engine([str(script)], {})
    dying.wait_until_ready()
    assert dying.is_alive

    async def run() -> None:
        with pytest.raises(EngineGoneError):
            async for _ in dying.ask("chat", {}):
                pass

    asyncio.run(run())
    assert not dying.is_alive


def test_a_model_that_cannot_be_opened_says_why() -> None:
    broken = Engine(SERVE_WORKER, {"modelFolder": "/nowhere"})
    with pytest.raises(EngineGoneError, match="cannot open the model"):
        broken.wait_until_ready()
    broken.close()
