"""SHA-256 of files and folders, as svc computes them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypedDict

from .disk_faults import says_nothing_of_files

ADAPTER_CONFIG = "adapter_config.json"
ADAPTER_TENSORS = "adapter_model.safetensors"
SUMS = "SHA256SUMS"
_CHUNK = 1 << 20


class Artifact(TypedDict):
    name: str
    kind: str
    step: int
    bytes: int
    sha256: str


def digest_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def describe_adapter(folder: Path, kind: str, step: int) -> Artifact:
    """Covers the adapter alone, without a checkpoint's optimizer state."""
    digest, size = hashlib.sha256(), 0
    for name in (ADAPTER_CONFIG, ADAPTER_TENSORS):
        digest.update(f"{name}\0".encode())
        with (folder / name).open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    return {"name": folder.name, "kind": kind, "step": step, "bytes": size, "sha256": digest.hexdigest()}


def write_sums(folder: Path) -> None:
    """Like `sha256sum`, so that damage is found later."""
    lines = [f"{digest_file(path)}  {path.name}\n" for path in _listed(folder)]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def is_intact(folder: Path) -> bool:
    """Whether the folder has exactly the files whose digests were written, all unchanged."""
    try:
        lines = set((folder / SUMS).read_text(encoding="utf-8").splitlines())
        found = {f"{digest_file(path)}  {path.name}" for path in _listed(folder)}
    except UnicodeDecodeError:
        return False
    except OSError as error:
        if says_nothing_of_files(error):
            raise
        # One that cannot be read counts as damaged.
        return False
    return found == lines


def _listed(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name != SUMS)
