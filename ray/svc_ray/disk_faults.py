"""Faults of a machine that may pass, mostly of its disk: the attempt is interrupted by them, and fails over nothing."""

from __future__ import annotations

import errno
import re

# As svc's own engine has them.
_NAMES = ("ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM", "ESTALE", "ENOLCK")
_CODES = {getattr(errno, name): name for name in _NAMES}
# They say nothing about the file that was to be read.
_OF_NO_FILE = frozenset({"EMFILE", "ENFILE", "EAGAIN", "ENOMEM", "ESTALE"})
# Rust libraries, such as safetensors, have the number in their words alone.
_IN_WORDS = re.compile(r"\(os error (\d+)\)")


def disk_fault_of(error: BaseException) -> str | None:
    """Its name, such as ENOSPC, or that of what caused it; None if it is none."""
    cause: BaseException | None = error
    while cause:
        fault = _CODES.get(_number_of(cause))
        if fault:
            return fault
        cause = cause.__cause__
    return None


def says_nothing_of_files(error: OSError) -> bool:
    """Whether reading the same file again may succeed."""
    return disk_fault_of(error) in _OF_NO_FILE


def _number_of(error: BaseException) -> int:
    if isinstance(error, OSError):
        return error.errno or 0
    found = _IN_WORDS.search(str(error))
    # On Windows, these are numbers of its own, which Python knows as the fourth argument.
    return OSError(int(found[1]), "", None, int(found[1])).errno or 0 if found else 0
