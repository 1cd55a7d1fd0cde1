"""The files of the base model and of adapters, fetched from the cloud by digest and kept in the machine's cache."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from ..cache import Cache, DamagedDownloadError
from ..cloud import CloudClient, Patience
from ..digests import describe_adapter
from ..folders import FolderError, plain_name
from ..scratch import Scratch
from ..settings import cache_folder

_DIGEST = re.compile(r"^[0-9a-f]{64}$")
_LEAST_WAIT_S = 0.25
_MODEL_PATIENCE_S = 10 * 60.0
_ADAPTER_PATIENCE_S = 20.0


class Folder:
    """Files under their names, which stay in the cache while it is open."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self.path = path
        self._stack = stack

    def close(self) -> None:
        self._stack.close()


class Files:
    def __init__(self, url: str) -> None:
        self._url = url
        self._cache = Cache(cache_folder())
        self._work = Scratch()

    def close(self) -> None:
        self._work.close()

    def fetch_model(self, ticket: str) -> Folder:
        return self._fetch("model", ticket, _MODEL_PATIENCE_S)

    def fetch_adapter(self, sha256: str, ticket: str) -> Folder:
        """Checks that both files together have the digest that names them."""
        if not _DIGEST.match(sha256):
            raise FolderError("An adapter's name must be a SHA-256 digest.")
        folder = self._fetch(f"adapters/{sha256}", ticket, _ADAPTER_PATIENCE_S)
        if describe_adapter(folder.path, "final", 0)["sha256"] != sha256:
            folder.close()
            raise DamagedDownloadError(f"The cloud's files of adapter {sha256} have another digest.")
        return folder

    def _fetch(self, path: str, ticket: str, patience: float) -> Folder:
        client = CloudClient(self._url, ticket, Patience(first_wait=_LEAST_WAIT_S, give_up_after=patience))
        listed = client.patiently(lambda: _read_list(client, path))
        folder = Path(tempfile.mkdtemp(dir=self._work.path))
        with ExitStack() as stack:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            for file in listed:
                name = plain_name(file)
                found = stack.enter_context(
                    self._cache.file(
                        file["sha256"], file["bytes"], partial(client.get, f"{path}/{name}"), client.patiently
                    )
                )
                (folder / name).symlink_to(found.absolute())
            return Folder(folder, stack.pop_all())


def _read_list(client: CloudClient, path: str) -> list[dict[str, Any]]:
    with client.get(path) as response:
        answer = json.loads(response.read())
    files: list[dict[str, Any]] = answer["files"]
    return files
