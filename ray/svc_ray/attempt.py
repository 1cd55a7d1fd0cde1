"""One attempt at a job: claims it, fetches what it needs, lets an engine train, and reports how it ended."""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from . import __version__
from .cache import Cache, download
from .cloud import CloudClient
from .cloud_desk import CloudDesk
from .folders import plain_name, take_records, unpack
from .machine import TORCH, find_versions
from .materials import Materials, require_format
from .reporter import Reporter
from .scratch import Scratch
from .settings import Settings, cache_folder


def claim_attempt(settings: Settings, gpus: int) -> dict[str, Any]:
    client = CloudClient(settings.url, settings.token)
    claim = client.post(
        "claim",
        {"worker": _name_of_worker(), "pid": os.getpid(), "versions": versions(), "gpus": gpus},
    )
    require_format(claim.get("run") or {})
    return claim


@contextmanager
def gather(claim: dict[str, Any], client: CloudClient) -> Iterator[Materials]:
    """Downloads what is not in the machine's cache. The work folder is removed at the end."""
    cache = Cache(cache_folder())
    scratch = Scratch()
    work = scratch.path
    with ExitStack() as stack:
        stack.callback(scratch.close)

        def fetch(path: str, file: dict[str, Any]) -> Path:
            return stack.enter_context(
                cache.file(file["sha256"], file["bytes"], lambda at: client.get(path, at), client.patiently)
            )

        model = work / "model"
        model.mkdir()
        for file in claim["model"]["files"]:
            name = plain_name(file)
            (model / name).symlink_to(fetch(f"model/{name}", file).absolute())
        rows = claim["rows"]
        evaluation = rows.get("evaluation")
        yield Materials(
            claim=claim,
            model=model,
            training=fetch("rows/training", rows["training"]),
            evaluation=fetch("rows/evaluation", evaluation) if evaluation else None,
            initial=fetch("initial", claim["initial"]),
            folder=_run_folder(claim, client, work),
        )


def _run_folder(claim: dict[str, Any], client: CloudClient, work: Path) -> Path:
    folder = work / "run"
    folder.mkdir()
    resume = claim.get("resume")
    if resume:
        tar = work / "checkpoint.tar"
        client.patiently(
            lambda: download(tar, resume["sha256"], resume["bytes"], lambda at: client.get("checkpoint", at))
        )
        checkpoint = folder / f"checkpoint-{resume['step']}"
        unpack(tar, checkpoint)
        take_records(checkpoint, folder)
        tar.unlink()
    return folder


def open_desk(claim: dict[str, Any], client: CloudClient) -> CloudDesk:
    reporter = Reporter(client, float(claim.get("reportSeconds", 2)))
    reporter.start()
    return CloudDesk(client, reporter)


def client_of(settings: Settings, claim: dict[str, Any]) -> CloudClient:
    return CloudClient(settings.url, claim["token"])


def versions() -> dict[str, str]:
    own = {"svc_ray": __version__, "python": platform.python_version()}
    return own | find_versions(("ray", *TORCH))


def _name_of_worker() -> str:
    if "ray" in sys.modules:
        import ray.util

        return str(ray.util.get_node_ip_address())  # type: ignore[no-untyped-call]
    return socket.gethostname()
