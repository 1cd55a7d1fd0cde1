"""What a submission's environment says. Validated once, here."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ENGINES = ("auto", "node", "torch")


class SettingsError(Exception):
    """The submission's environment is incomplete or wrong."""


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
    max_retries: int


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    url = _required(environment, "SVC_RUN_URL").rstrip("/")
    if urlsplit(url).scheme not in ("http", "https"):
        raise SettingsError(f"SVC_RUN_URL must start with http:// or https://, but it is {url}.")
    engine = environment.get("SVC_RUN_ENGINE") or "auto"
    if engine not in ENGINES:
        raise SettingsError(f"SVC_RUN_ENGINE must be one of {', '.join(ENGINES)}, but it is {engine}.")
    retries = environment.get("SVC_RUN_MAX_RETRIES", "3")
    if not retries.isdecimal():
        raise SettingsError(f"SVC_RUN_MAX_RETRIES must be a whole number, but it is {retries}.")
    return Settings(
        url=url,
        token=_required(environment, "SVC_RUN_TOKEN"),
        resources=parse_resources(environment.get("SVC_RUN_RESOURCES") or "{}"),
        engine=engine,
        node_package=environment.get("SVC_NODE_PACKAGE") or None,
        max_retries=int(retries),
    )


def parse_resources(text: str) -> Resources:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"SVC_RUN_RESOURCES is not JSON: {error}.") from error
    if not isinstance(given, dict):
        raise SettingsError("SVC_RUN_RESOURCES must be a JSON object.")
    given = {name: value for name, value in given.items() if value is not None}
    unknown = sorted(set(given) - {"cpus", "gpus", "memory", "workers"})
    if unknown:
        raise SettingsError(f"SVC_RUN_RESOURCES has an unknown field: {unknown[0]}.")
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


def _required(environment: Mapping[str, str], name: str) -> str:
    value = environment.get(name)
    if not value:
        raise SettingsError(f"{name} is not set. The cloud sets it when it submits a job.")
    return value


def _number(given: dict[str, Any], name: str, default: float, *, whole: bool, least: float) -> float:
    value = given.get(name, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value < least or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise SettingsError(f"SVC_RUN_RESOURCES: {name} must be {kind} of at least {least:g}.")
    return float(value)
