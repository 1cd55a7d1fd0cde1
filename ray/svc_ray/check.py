"""`python -m svc_ray.check`: what the machines of a cluster have, and whether they reach the cloud. Prints one line of
JSON a machine. Needs Ray alone, so that it can say what else is missing."""

from __future__ import annotations

import importlib.util
import json
import logging
import platform
import re
import sys
import urllib.error
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .cloud import create_opener
from .machine import TORCH, count_gpus, find_node_version, find_versions
from .settings import read_metadata

MARK = "svc-check "
MOST_MACHINES = 200
ANSWER_S = 10.0
MACHINE_S = 60.0
_PACKAGES = ("ray", "numpy", "safetensors", *TORCH)
# What ray[serve] and ray[train] add to Ray.
_SERVE = ("fastapi", "starlette", "uvicorn")
_TRAIN = ("fsspec", "pandas", "pyarrow", "requests")
_LONGEST_PROOF = 200


def describe_machine(cloud: str | None, nonce: str, resources: Mapping[str, float]) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "versions": find_versions(_PACKAGES),
        "node": find_node_version(),
        "serve": has_all(_SERVE),
        "train": has_all(_TRAIN),
        "torchCuda": find_torch_cuda(),
        "gpus": {"ray": resources.get("GPU", 0), "machine": count_gpus()},
        "cloud": None if cloud is None else ask_cloud(cloud, nonce),
    }


def has_all(modules: tuple[str, ...]) -> bool:
    return all(importlib.util.find_spec(name) for name in modules)


def find_torch_cuda() -> str | None:
    """The CUDA version that PyTorch was built for. PyTorch itself takes seconds to load."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    try:
        text = (Path(spec.origin).parent / "version.py").read_text()
    except OSError:
        return None
    found = re.search(r"^cuda\b[^=\n]*= *['\"]([\d.]+)['\"]", text, re.MULTILINE)
    return found[1] if found else None


def ask_cloud(url: str, nonce: str) -> dict[str, Any]:
    """Asks the cloud to prove that it is the one that sent this check. Carries no token."""
    try:
        with create_opener().open(f"{url}/v1/cloud?nonce={nonce}", timeout=ANSWER_S) as response:
            proof = json.loads(response.read(65536)).get("proof")
    except urllib.error.HTTPError as error:
        return {"problem": f"HTTP {error.code}"}
    except (OSError, ValueError, AttributeError) as error:
        return {"problem": str(getattr(error, "reason", error)) or type(error).__name__}
    return {"proof": proof[:_LONGEST_PROOF] if isinstance(proof, str) else None}


def main() -> int:
    import ray

    ray.init(log_to_driver=False, logging_level=logging.ERROR)
    alive: list[dict[str, Any]] = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    machines = [node for node in alive if node["Resources"].get("CPU", 0) or node["Resources"].get("GPU", 0)]
    checked = machines[:MOST_MACHINES]
    ask_machines(checked)
    say({"machines": len(machines), "checked": len(checked)})
    return 0


def ask_machines(machines: list[dict[str, Any]]) -> None:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    given = read_metadata()
    cloud, nonce = given.get("svc_cloud"), given.get("svc_nonce", "")
    asked: dict[Any, dict[str, Any]] = {}
    for machine in machines:
        strategy = NodeAffinitySchedulingStrategy(node_id=machine["NodeID"], soft=False)
        task = ray.remote(describe_machine).options(num_cpus=0, max_retries=0, scheduling_strategy=strategy)
        asked[task.remote(cloud, nonce, machine["Resources"])] = machine
    while asked:
        ready, _ = ray.wait(list(asked), timeout=MACHINE_S)
        for reference in ready or list(asked):
            report(asked.pop(reference), get(reference) if ready else {"problem": f"no answer within {MACHINE_S:g} s"})


def get(reference: Any) -> Mapping[str, Any]:
    import ray
    from ray.exceptions import RayError

    try:
        found: Mapping[str, Any] = ray.get(reference)
    except RayError as error:
        return {"problem": str(error).strip().splitlines()[-1]}
    return found


def report(node: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    say({"name": node.get("NodeManagerHostname"), "address": node["NodeManagerAddress"], **found})


def say(line: Mapping[str, Any]) -> None:
    sys.stdout.write(f"{MARK}{json.dumps(line)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
