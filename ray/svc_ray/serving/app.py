"""The application `svc` on Ray Serve. Adapters are multiplexed: a request goes to a replica that has its adapter."""

from __future__ import annotations

import logging
from typing import Any

from ray import serve
from ray.serve import Application
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ..node_engine import node_command
from ..outcome import configure_logs
from .engine import WORKER, Engine, EngineGoneError
from .files import Files
from .options import read_options
from .replica import Lines, LoadedAdapter, Replica

log = logging.getLogger("svc_ray")

MOST_ADAPTERS = 32
"""In the memory of one replica. Serve sends requests for others to replicas that have room."""
TICKET = "x-svc-ticket"
LOADED = "x-svc-adapter"


@serve.deployment(name="engine", health_check_period_s=5, health_check_timeout_s=30, graceful_shutdown_timeout_s=20)
class ServedEngine:
    def __init__(self, args: dict[str, Any]) -> None:
        configure_logs()
        self._options = read_options(args)
        command = node_command(self._options.node_package, WORKER)
        self._files = Files(self._options.url)
        self._model = self._files.fetch_model(self._options.model_ticket)
        task = {**self._options.engine, "modelFolder": str(self._model.path), "maxAdapters": MOST_ADAPTERS}
        self._engine = Engine(command, task)
        self._engine.wait_until_ready()
        self._replica = Replica(self._engine, self._files)

    @serve.multiplexed(max_num_models_per_replica=MOST_ADAPTERS)  # type: ignore[untyped-decorator]
    async def adapter(self, sha256: str) -> LoadedAdapter:
        return await self._replica.load(sha256)

    async def __call__(self, request: Request) -> Response:
        if not self._options.admits(request.headers.get("authorization", "")):
            return Response("Only the cloud that deployed this application may ask it.", status_code=403)
        ticket = request.headers.get(TICKET, "")
        answer = await self._replica.answer(await request.body(), ticket, self.adapter)
        if answer.lines is None:
            return Response("The engine of this replica ended.", status_code=503)
        headers = {LOADED: "loaded" if answer.was_loaded else "fetched"}
        return Streamed(answer.lines, headers)

    def check_health(self) -> None:
        """Serve replaces a replica that raises."""
        if not self._engine.is_alive:
            raise EngineGoneError("The engine's process ended.")

    def __del__(self) -> None:
        # It may be half made.
        for name in ("_engine", "_model", "_files"):
            if part := self.__dict__.get(name):
                part.close()


class Streamed(StreamingResponse):
    """Ends the engine's work as soon as the caller is gone."""

    def __init__(self, lines: Lines, headers: dict[str, str]) -> None:
        super().__init__(lines, media_type="application/x-ndjson", headers=headers)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._lines.aclose()


def build(args: dict[str, Any]) -> Application:
    read_options(args)
    application: Application = ServedEngine.bind(args)  # type: ignore[attr-defined]
    return application
