"""Runs svc's own engine on the same data, and lays its rows out as the cloud sends them."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc_ray.digests import ADAPTER_TENSORS, digest_file
from svc_ray.node_engine import node_program

from .small_model import make_small_model

REPOSITORY = Path(__file__).parents[2]
WHOLE_MODEL = REPOSITORY / "lib" / "base-model" / "files"
MODEL = make_small_model(WHOLE_MODEL)
DATA = REPOSITORY / "examples" / "support-triage" / "data"
PAIRS = REPOSITORY / "examples" / "tone" / "data"


def command_of(variable: str, source: str) -> list[str]:
    """Starts a program in Node: as `tests/ray/run.ts` has bundled it, or else from its sources, which takes seconds."""
    bundle = os.environ.get(variable)
    return [node_program(), bundle] if bundle else [node_program(), "--import", "tsx", str(REPOSITORY / source)]


RUN_WORKER = command_of("SVC_TEST_RUN_WORKER", "lib/engine/run-worker.ts")
SERVE_WORKER = command_of("SVC_TEST_SERVE_WORKER", "lib/engine/serve-worker.ts")
REFERENCE = command_of("SVC_TEST_REFERENCE", "tests/ray/reference.ts")


@dataclass(frozen=True)
class Reference:
    folder: Path
    """Has rows, evaluation rows and the initial adapter; `run` is the run's folder."""
    model: Path
    options: dict[str, Any]
    events: list[dict[str, Any]]
    random: dict[str, Any]
    packs: list[Any]
    rows: list[dict[str, list[int]]]
    tokens: dict[str, Any]
    """What is known of the rows beside their tokens."""

    @property
    def logs(self) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == "log"]


def run_reference(
    folder: Path,
    options: dict[str, Any],
    *,
    rows: int = 120,
    evaluation: int = 0,
    pause_after: int | None = None,
    data: Path = DATA,
    model: Path = MODEL,
) -> Reference:
    """`folder/run` may have a checkpoint to resume from."""
    folder.mkdir(parents=True, exist_ok=True)
    prompts = options.get("method", {}).get("type") == "grpo"
    _copy_lines(data / "train.jsonl", folder / "train.jsonl", rows, prompts)
    if evaluation:
        _copy_lines(data / "held-out.jsonl", folder / "held-out.jsonl", evaluation, prompts)
    request = {
        "modelFolder": str(model),
        "data": str(folder / "train.jsonl"),
        "evaluation": str(folder / "held-out.jsonl") if evaluation else None,
        "folder": str(folder / "run"),
        "options": options,
        "pauseAfter": pause_after,
    }
    (folder / "request.json").write_text(json.dumps(request))
    subprocess.run(
        [*REFERENCE, str(folder / "request.json")],
        cwd=REPOSITORY,
        check=True,
        timeout=600,
        env={**os.environ, "SVC_HOME": str(folder / "home"), "SVC_THREADS": "1"},
    )
    found = json.loads((folder / "reference.json").read_text())
    names = ("options", "events", "random", "packs", "rows", "tokens")
    return Reference(folder, model, **{name: found[name] for name in names})


def to_claim(reference: Reference, **run: Any) -> dict[str, Any]:
    """What the cloud answers to a claim."""
    evaluation = reference.folder / "evaluation.safetensors"
    return {
        "token": "run-token",
        "leaseSeconds": 60,
        "reportSeconds": 0.05,
        "run": {
            "format": 1,
            "jobId": "job-1",
            "attempt": 1,
            "engine": None,
            "resources": {},
            "dryRun": False,
            "model": {"name": "base", "sha256": None},
            "options": reference.options,
            **run,
        },
        "model": {"files": [describe(path) for path in sorted(reference.model.iterdir())]},
        "rows": {
            **reference.tokens,
            "training": describe(reference.folder / "training.safetensors"),
            "evaluation": describe(evaluation) if evaluation.exists() else None,
        },
        "initial": describe(reference.folder / "initial" / ADAPTER_TENSORS),
        "resume": None,
    }


def describe(path: Path) -> dict[str, Any]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest_file(path)}


def _copy_lines(source: Path, target: Path, count: int, prompts: bool) -> None:
    """As they are, or without their answers."""
    lines = source.read_text().splitlines()[:count]
    if prompts:
        rows = [json.loads(line) for line in lines]
        lines = [json.dumps({**row, "messages": row["messages"][:-1]}) for row in rows]
    target.write_text("".join(f"{line}\n" for line in lines))
