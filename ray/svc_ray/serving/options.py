"""What the cloud says about its application. Validated once, here. Everyone who can read Ray's dashboard can read it,
so it holds no token that opens more than the base model."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


class OptionsError(Exception):
    """The application's arguments are incomplete or wrong."""


@dataclass(frozen=True)
class Options:
    url: str
    """Where the cloud has the files of models and adapters."""
    model_ticket: str
    callers: str
    """The SHA-256 of the token that requests carry."""
    engine: dict[str, Any]
    """Goes to the engine as it is."""
    node_package: str | None

    def admits(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        digest = hashlib.sha256(token.strip().encode()).hexdigest()
        return scheme.lower() == "bearer" and hmac.compare_digest(digest, self.callers)


def read_options(args: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Options:
    url = _text(args, "url").rstrip("/")
    if urlsplit(url).scheme not in ("http", "https"):
        raise OptionsError(f"url must start with http:// or https://, but it is {url}.")
    engine = args.get("engine", {})
    if not isinstance(engine, dict):
        raise OptionsError("engine must be an object.")
    return Options(
        url=url,
        model_ticket=_text(args, "modelTicket"),
        callers=_text(args, "callers"),
        engine=engine,
        node_package=environment.get("SVC_NODE_PACKAGE") or None,
    )


def _text(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value:
        raise OptionsError(f"{name} is missing. The cloud sets it when it deploys the application.")
    return value
