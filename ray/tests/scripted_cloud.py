"""A cloud that speaks the protocol of runners, and misbehaves as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from svc_ray.digests import digest_file

PREFIX = "/v1/runs/job-1/1"


class ScriptedCloud:
    def __init__(self, claim: dict[str, Any], files: dict[str, Path]) -> None:
        self.claim = claim
        self.files = files
        self.claims: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.ended: dict[str, Any] | None = None
        self.folders: dict[str, bytes] = {}
        self.held_up: list[str | None] = []
        self.reports = 0
        self.questions: list[dict[str, Any]] = []
        self.score: Callable[[dict[str, Any]], dict[str, Any]] = lambda _: {"rewards": None}
        """What is answered to a question."""
        self.log: list[str] = []
        """What happened, in order: `folder final`, `event training.started`."""
        self.want = "go"
        self.is_over = False
        # How many more requests of a kind go wrong, and how.
        self.lost_answers = 0
        self.refusals = 0
        self.cut_after: int | None = None
        self.ranges: list[str] = []
        self.lock = threading.Lock()
        self.url = ""

    @contextmanager
    def listening(self) -> Iterator[ScriptedCloud]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    def record(self, report: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with self.lock:
            self.reports += 1
            start = report["from"]
            if start > len(self.events):
                envelope = {"code": "events_missing", "message": "Events are missing.", "type": "invalid_request_error"}
                return 409, {"error": {**envelope, "param": None}, "next": len(self.events)}
            new = report["events"][len(self.events) - start :]
            self.events.extend(new)
            self.log.extend(f"event {event['type']}" for event in new)
            if "heldUp" in report:
                self.held_up.append(report["heldUp"])
            if "ended" in report:
                self.ended = report["ended"]
            return 200, {"next": len(self.events), "want": self.want, "leaseSeconds": 60, "reportSeconds": 0.05}


def _handler_of(cloud: ScriptedCloud) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            route = self._route()
            if self._is_refused("claim-token" if route == "claim" else cloud.claim["token"]):
                return
            if route.startswith("folders/"):
                self._save(route.removeprefix("folders/"), content)
                return
            body = json.loads(content)
            if route == "claim":
                cloud.claims.append(body)
                self._answer(200, cloud.claim)
                return
            if route == "score":
                cloud.questions.append(body)
                status, answer = 200, cloud.score(body)
            else:
                status, answer = cloud.record(body)
            if cloud.lost_answers > 0:
                cloud.lost_answers -= 1
                self.close_connection = True
                return
            self._answer(status, answer)

        def _save(self, name: str, content: bytes) -> None:
            cloud.folders[name] = content
            cloud.log.append(f"folder {name}")
            self._answer(200, {})

        def do_GET(self) -> None:
            if self._is_refused(cloud.claim["token"]):
                return
            path = cloud.files[self._route()]
            content, asked = path.read_bytes(), self.headers.get("range")
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
            cloud.ranges.append(f"{self._route()} {start}")
            self.send_response(206 if asked else 200)
            self.send_header("content-length", str(len(content) - start))
            self.send_header("x-svc-sha256", digest_file(path))
            self.end_headers()
            end = None
            if cloud.cut_after is not None:
                end, cloud.cut_after = start + cloud.cut_after, None
                self.close_connection = True
            self.wfile.write(content[start:end])

        def _route(self) -> str:
            return urlsplit(self.path).path.removeprefix(f"{PREFIX}/")

        def _is_refused(self, token: str) -> bool:
            if self.headers["authorization"] != f"Bearer {token}":
                self._fail(401, "run_token_invalid", "This token is not known.")
            elif cloud.is_over:
                self._fail(409, "attempt_over", "The attempt is over.")
            elif cloud.refusals > 0:
                cloud.refusals -= 1
                self._fail(503, "unavailable", "The cloud is starting.")
            else:
                return False
            return True

        def _fail(self, status: int, code: str, message: str) -> None:
            self._answer(status, {"error": {"code": code, "message": message, "type": "error", "param": None}})

        def _answer(self, status: int, body: dict[str, Any]) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    return Handler
