"""Faults of a disk that may pass: the attempt is interrupted by them, and fails over nothing."""

from __future__ import annotations

import errno

_CODES = {errno.ENOSPC: "ENOSPC", errno.EDQUOT: "EDQUOT", errno.EIO: "EIO", errno.EROFS: "EROFS"}


def disk_fault_of(error: BaseException) -> str | None:
    """Its name, such as ENOSPC; None if it is none."""
    return _CODES.get(error.errno or 0) if isinstance(error, OSError) else None
