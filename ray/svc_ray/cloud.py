"""Requests to the cloud about one attempt. Tries again while the cloud is away; knows nothing of training."""

from __future__ import annotations

import json
import random
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO, Any, TypeVar

from .digests import digest_file
from .disk_faults import disk_fault_of

Result = TypeVar("Result")

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 10.0
GIVE_UP_AFTER_S = 30 * 60.0
TIMEOUT_S = 60.0

# Answers that say nothing about the request itself.
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 507})


class AttemptOverError(Exception):
    """The attempt was superseded, ended or cancelled: nothing more may be saved."""


class CloudAwayError(Exception):
    """The cloud could not be reached for too long."""


class RefusedError(Exception):
    """The cloud refused a request, and would refuse it again."""

    def __init__(self, status: int, code: str, message: str, body: dict[str, Any]) -> None:
        super().__init__(f"{message} ({status} {code})")
        self.status = status
        self.code = code
        self.body = body
        self._message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Goes from one worker to the others."""
        return RefusedError, (self.status, self.code, self._message, self.body)


@dataclass
class Patience:
    """How long to try. `stop` ends the waiting, for an attempt that is over."""

    first_wait: float = FIRST_WAIT_S
    longest_wait: float = LONGEST_WAIT_S
    give_up_after: float = GIVE_UP_AFTER_S
    stop: Callable[[], bool] = lambda: False


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def create_opener() -> urllib.request.OpenerDirector:
    https = urllib.request.HTTPSHandler(context=ssl.create_default_context())
    return urllib.request.build_opener(_NoRedirects(), https)


class CloudClient:
    def __init__(self, url: str, token: str, patience: Patience | None = None) -> None:
        self.url = url
        self.token = token
        self.patience = patience or Patience()
        self._opener = create_opener()

    def post(self, path: str, body: Any) -> dict[str, Any]:
        data = json.dumps(body).encode()
        return self.patiently(lambda: self._post_once(path, data))

    def send_file(self, path: str, file: Path) -> None:
        headers = {
            "x-svc-sha256": digest_file(file),
            "content-length": str(file.stat().st_size),
            "content-type": "application/octet-stream",
        }

        def send() -> None:
            with file.open("rb") as body, self._open("POST", path, body, headers) as response:
                response.read()

        self.patiently(send)

    def get(self, path: str, start: int = 0) -> HTTPResponse:
        """Opens a download, from a byte on; one try."""
        headers = {"range": f"bytes={start}-"} if start else {}
        return self._open("GET", path, None, headers)

    def patiently(self, send: Callable[[], Result]) -> Result:
        """Tries until it succeeds, the cloud refuses, or it was away for too long. A long transfer that breaks is no
        long absence."""
        wait, since = self.patience.first_wait, None
        while True:
            try:
                return send()
            except RefusedError as error:
                if error.status not in _PASSING:
                    raise
                cause: Exception = error
            except (OSError, HTTPException) as error:
                if disk_fault_of(error):
                    raise
                cause = error
            if self.patience.stop():
                raise AttemptOverError("The attempt is over.") from cause
            now = time.monotonic()
            since = now if since is None else since
            if now - since >= self.patience.give_up_after:
                raise CloudAwayError(f"The cloud at {self.url} cannot be reached: {cause}.") from cause
            time.sleep(wait * random.uniform(0.75, 1))
            wait = min(self.patience.longest_wait, 2 * wait)

    def _post_once(self, path: str, data: bytes) -> dict[str, Any]:
        with self._open("POST", path, data, {"content-type": "application/json"}) as response:
            try:
                answer = json.loads(response.read())
            except ValueError as error:
                raise HTTPException(f"{self.url}/{path} did not answer with JSON") from error
        if not isinstance(answer, dict):
            raise HTTPException(f"{self.url}/{path} did not answer with a JSON object")
        return answer

    def _open(self, method: str, path: str, body: bytes | IO[bytes] | None, headers: dict[str, str]) -> HTTPResponse:
        all_headers = {**headers, "authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(f"{self.url}/{path}", data=body, headers=all_headers, method=method)
        try:
            response: HTTPResponse = self._opener.open(request, timeout=TIMEOUT_S)
            return response
        except urllib.error.HTTPError as error:
            with error:
                raise _to_refused(error) from None


def _to_refused(error: urllib.error.HTTPError) -> Exception:
    try:
        body = json.loads(error.read())
    except (ValueError, OSError, HTTPException):
        body = {}
    body = body if isinstance(body, dict) else {}
    envelope = body.get("error")
    envelope = envelope if isinstance(envelope, dict) else {}
    code = str(envelope.get("code", "unexpected_response"))
    message = str(envelope.get("message", f"The cloud answered {error.code}."))
    if (error.code, code) in ((409, "attempt_over"), (401, "run_token_invalid")):
        return AttemptOverError(message)
    return RefusedError(error.code, code, message, body)
