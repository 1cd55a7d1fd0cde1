"""One replica: answers what the cloud asks, with the adapter that a request names. Knows nothing of Ray."""

from __future__ import annotations

import asyncio
import json
import logging
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cache import DamagedDownloadError
from ..cloud import AttemptOverError, CloudAwayError, RefusedError
from ..folders import FolderError
from .engine import Engine, EngineGoneError
from .files import Files, Folder

log = logging.getLogger("svc_ray")

_ticket: ContextVar[str] = ContextVar("ticket", default="")
"""Of the request that is being answered: Ray Serve hands on an adapter's name alone."""


class LoadedAdapter:
    """Goes once nothing holds it: neither an open answer nor Ray Serve, which makes room for other adapters."""

    def __init__(self, path: Path) -> None:
        self.path = path


@dataclass(frozen=True)
class Answer:
    """`lines` is None if no answer has begun, and another replica may try."""

    lines: Lines | None
    was_loaded: bool = True


class Replica:
    def __init__(self, engine: Engine, files: Files) -> None:
        self._engine = engine
        self._files = files
        self._loaded: set[str] = set()

    async def load(self, sha256: str) -> LoadedAdapter:
        folder = await asyncio.to_thread(self._files.fetch_adapter, sha256, _ticket.get())
        adapter = LoadedAdapter(folder.path)
        self._loaded.add(sha256)
        weakref.finalize(adapter, self._let_go, sha256, folder)
        return adapter

    def _let_go(self, sha256: str, folder: Folder) -> None:
        self._loaded.discard(sha256)
        self._engine.unload(folder.path)
        folder.close()

    async def answer(self, body: bytes, ticket: str, get_adapter: Callable[[str], Awaitable[LoadedAdapter]]) -> Answer:
        asked = json.loads(body)
        task: dict[str, Any] = asked["task"]
        sha256 = task.pop("adapter", None)
        was_loaded = sha256 is None or sha256 in self._loaded
        adapter: LoadedAdapter | None = None
        if isinstance(sha256, str):
            _ticket.set(ticket)
            try:
                adapter = await get_adapter(sha256)
            except (AttemptOverError, CloudAwayError, RefusedError, FolderError, DamagedDownloadError) as error:
                log.error("The adapter %s cannot be fetched: %s", sha256, error)
                return Answer(_refusal("engine_unavailable", "A replica could not fetch the adapter."), was_loaded)
        task["adapterFolder"] = str(adapter.path) if adapter else None
        rest = self._engine.ask(asked["kind"], task)
        try:
            first = await anext(rest)
        except EngineGoneError:
            return Answer(None, was_loaded)
        except asyncio.CancelledError:
            await rest.aclose()
            raise
        return Answer(Lines(first, rest, adapter), was_loaded)


class Lines:
    """An answer that has begun. Unlike a generator, it ends the engine's work even if nobody reads it."""

    def __init__(self, first: bytes, rest: AsyncGenerator[bytes, None], adapter: LoadedAdapter | None) -> None:
        self._first: bytes | None = first
        self._rest = rest
        self._adapter = adapter

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> bytes:
        first, self._first = self._first, None
        if first is not None:
            return first
        try:
            return await anext(self._rest)
        except EngineGoneError:
            log.error("The engine's process ended during an answer.")
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await self._rest.aclose()
        self._adapter = None


def _refusal(code: str, message: str) -> Lines:
    line = b"failed " + json.dumps({"code": code, "message": message}).encode() + b"\n"
    return Lines(line, _nothing(), None)


async def _nothing() -> AsyncGenerator[bytes, None]:
    none: tuple[bytes, ...] = ()
    for line in none:
        yield line
