"""What a submission says: of its run in its metadata, of its machine in the environment. Validated once, here."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ENGINES = ("auto", "node", "torch")
MAX_RETRIES = 3
"""How often Ray starts an attempt again whose machine died."""
_JOB_CONFIG = "RAY_JOB_CONFIG_JSON_ENV_VAR"


class SettingsError(Exception):
    """The submission is incomplete or wrong."""


@dataclass(frozen=True)
class Resources:
    """What each worker gets."""

    cpus: float = 1
    gpus: float = 0
    memory: int | None = None
    workers: int = 1


@dataclass(frozen=True)
class Settings:
    url: str
    token: str
    resources: Resources
    engine: str
    node_package: str | None


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    given = read_metadata(environment)
    url = _required(given, "svc_url").rstrip("/")
    if urlsplit(url).scheme not in ("http", "https"):
        raise SettingsError(f"svc_url must start with http:// or https://, but it is {url}.")
    engine = given.get("svc_engine") or "auto"
    if engine not in ENGINES:
        raise SettingsError(f"svc_engine must be one of {', '.join(ENGINES)}, but it is {engine}.")
    return Settings(
        url=url,
        token=_required(given, "svc_token"),
        resources=parse_resources(given.get("svc_resources") or "{}"),
        engine=engine,
        node_package=environment.get("SVC_NODE_PACKAGE") or None,
    )


def read_metadata(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Of the submission, as Ray tells them to its entrypoint."""
    try:
        config = json.loads(environment.get(_JOB_CONFIG) or "{}")
    except ValueError as error:
        raise SettingsError(f"{_JOB_CONFIG} is not JSON: {error}.") from error
    metadata = config.get("metadata") if isinstance(config, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def parse_resources(text: str) -> Resources:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"svc_resources is not JSON: {error}.") from error
    if not isinstance(given, dict):
        raise SettingsError("svc_resources must be a JSON object.")
    given = {name: value for name, value in given.items() if value is not None}
    unknown = sorted(set(given) - {"cpus", "gpus", "memory", "workers"})
    if unknown:
        raise SettingsError(f"svc_resources has an unknown field: {unknown[0]}.")
    memory = given.get("memory")
    return Resources(
        cpus=_number(given, "cpus", 1, whole=False, least=0),
        gpus=_number(given, "gpus", 0, whole=False, least=0),
        memory=None if memory is None else int(_number(given, "memory", 0, whole=True, least=1)),
        workers=int(_number(given, "workers", 1, whole=True, least=1)),
    )


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    given = environment.get("SVC_RAY_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "svc-ray"


def _required(given: Mapping[str, str], name: str) -> str:
    value = given.get(name)
    if not value:
        raise SettingsError(f"The submission's metadata lack {name}. The cloud sets it when it submits a job.")
    return value


def _number(given: dict[str, Any], name: str, default: float, *, whole: bool, least: float) -> float:
    value = given.get(name, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value < least or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise SettingsError(f"svc_resources: {name} must be {kind} of at least {least:g}.")
    return float(value)
