"""Folders as tar files, which is how checkpoints and adapters travel. Flat: a folder of a run has no folders."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

RECORDS = ("row-losses.bin", "run-manifest.json")
"""What a run writes besides its folders, in its own. Travels with each of them."""


_PLAIN_NAME = re.compile(r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*$")


class FolderError(Exception):
    """The cloud sent what is not a flat folder of plain files."""


def plain_name(file: Mapping[str, Any]) -> str:
    """The name of a file in the cloud's list, which becomes one in a folder here."""
    name = file["name"]
    if not isinstance(name, str) or not _PLAIN_NAME.match(name):
        raise FolderError(f"The cloud has a file with an unexpected name: {name}.")
    return name


def pack(folder: Path, tar: Path, beside: Iterable[Path] = ()) -> None:
    """The same files give the same bytes, so that sending again is harmless. Those `beside` may still grow."""
    with tarfile.open(tar, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted([*folder.iterdir(), *beside]):
            entry = tarfile.TarInfo(path.name)
            entry.size = path.stat().st_size
            entry.mode = 0o644
            with path.open("rb") as file:
                archive.addfile(entry, file)


def records_of(run_folder: Path) -> list[Path]:
    return [path for name in RECORDS if (path := run_folder / name).exists()]


def take_records(folder: Path, run_folder: Path) -> None:
    """Puts those that came with a folder where a run has them."""
    for path in records_of(folder):
        path.replace(run_folder / path.name)


def unpack(tar: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(tar, "r:") as archive:
            for entry in archive:
                _unpack_entry(archive, entry, folder)
    except tarfile.TarError as error:
        raise FolderError(f"The checkpoint is not a tar file: {error}.") from error


def _unpack_entry(archive: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> None:
    name = entry.name.removeprefix("./").rstrip("/")
    if entry.isdir():
        return
    content = archive.extractfile(entry) if entry.isreg() else None
    if content is None or not name or "/" in name or "\\" in name or name.startswith("."):
        raise FolderError(f"The checkpoint has an entry that is not a plain file: {entry.name}.")
    with (folder / name).open("wb") as file:
        while chunk := content.read(1 << 20):
            file.write(chunk)
